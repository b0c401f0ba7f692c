"""The examples of a rule and the cases of a case file: each a launcher in a tree, and what is to come of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from recipelint.ruleset.check_examples import check_path
from recipelint.ruleset.document import Node
from recipelint.ruleset.keys import CASES, CONFIDENCES, FIXED, INVALID, SEVERITIES, VALID, Keys
from recipelint.ruleset.schema import Example, Rule, expand_comment

LAUNCHER = "examples/scripts/launch.sh"
MAX_CASES = 200
MAX_TREE = 50
"""Files in the tree of one case."""


@dataclass(frozen=True)
class Case:
    """A file that a rule is tried on, in a tree.

    kind       valid and noop: nothing is found; invalid: something that --fix leaves alone; fix: something it cures
    text       the file at `path`, and `after`: what --fix may make of it; without any, it must stay as it is
    lines      where the one finding may stand; none: there is none
    says       what the message, the note or a related place must hold
    automodel  the revision that the user names
    run        the launcher that bash runs, if it is not `path`
    place      where the case itself stands: a file and a line
    """

    rule: Rule
    kind: str
    name: str
    text: bytes
    lines: tuple[int, ...] = ()
    after: tuple[bytes, ...] = ()
    path: str = LAUNCHER
    run: str = LAUNCHER
    paths: tuple[str, ...] = (".",)
    files: Mapping[str, bytes] = field(default_factory=dict)
    confidence: str | None = None
    note: bool = False
    severity: str | None = None
    says: tuple[str, ...] = ()
    automodel: str = ""
    place: str = ""

    @property
    def quiet(self) -> bool:
        """Whether nothing is to be found."""
        return self.kind in ("valid", "noop")


class Failure(NamedTuple):
    """How a rule failed a case: the word for it, what happened, and the lines of a comparison, if there is one."""

    word: str
    message: str
    lines: tuple[str, ...] = ()


def example_cases(rule: Rule, document: Node | None = None) -> Iterator[Case]:
    """The examples of a rule as cases; DOCUMENT, the rule's own, tells where they stand."""
    for word, examples in (("good", rule.good), ("bad", rule.bad)):
        for at, example in enumerate(examples):
            place = "" if document is None else _place(document["examples"][word][at])
            yield _example_case(rule, f"{word} example {at + 1}", example, place)


def _example_case(rule: Rule, name: str, example: Example, place: str) -> Case:
    path = example.path or LAUNCHER
    after = () if example.after is None else (_expand(rule, example.after).encode(),)
    kind = "valid" if example.line is None else "fix" if after else "invalid"
    lines = () if example.line is None else (example.line,)
    return Case(rule, kind, name, example.code.encode(), lines, after, path, path, place=place)


def file_cases(document: Node, rules: Mapping[str, Rule]) -> list[Case]:
    """The cases of a case file, checked; RULES by code. Raises RuleError."""
    document.keys(CASES.required, CASES.optional)
    if not rules:
        document["rule"].fail("there is no rule here that it could be of")
    rule = rules[document["rule"].word(rules)]
    found: list[Case] = []
    for key, keys in (("valid", VALID), ("invalid", INVALID), ("fix", FIXED)):
        for node in document[key].elements() if key in document else ():
            if len(found) >= MAX_CASES:
                node.fail(f"more than {MAX_CASES} cases")
            _check(node, keys, rule)
            if key == "fix":
                found += [_case(rule, "fix", node, "before"), _case(rule, "noop", node, "noop")]
            else:
                found.append(_case(rule, key, node, "code"))
    if not found:
        document.fail("there is no case")
    return found


def _check(node: Node, keys: Keys, rule: Rule) -> None:
    """Raises RuleError for the first thing that is wrong with a case."""
    node.keys(keys.required, keys.optional)
    node["name"].one_line()
    for key in ("code", "before", "noop"):
        if key in node:
            node[key].text()
    if "line" in node:
        for line in _one_or_more(node["line"]):
            line.integer()
    if "after" in node:
        _check_after(node["after"], rule)
    for key in ("path", "run"):
        if key in node:
            check_path(node[key])
    for path in node["paths"].elements() if "paths" in node else ():
        if path.value != ".":
            check_path(path)
    if "files" in node:
        _check_files(node["files"])
    words: Mapping[str, Collection[str]] = {
        "confidence": CONFIDENCES,
        "severity": SEVERITIES,
        "newline": ("crlf", "lf"),
    }
    for key, known in words.items():
        if key in node:
            node[key].word(known)
    for key in ("note", "or_withheld"):
        if key in node and node[key].value is not True:
            node[key].fail(f"{node[key].name} is true or left out")
    for said in node["says"].elements() if "says" in node else ():
        said.one_line()
    if "automodel" in node:
        node["automodel"].one_line()


def _check_after(node: Node, rule: Rule) -> None:
    if rule.fix is None:
        node.fail(f"{rule.code} has no fix")
    for text in _one_or_more(node):
        text.text()


def _check_files(node: Node) -> None:
    names = list(node.members())
    if len(names) > MAX_TREE:
        node.fail(f"more than {MAX_TREE} files")
    for name, content in names:
        check_path(Node(content.file, content.path, name, content.lines))
        if not isinstance(content.value, str):
            content.fail(f"{content.name} must be text")
        above = [name[:at] for at, letter in enumerate(name) if letter == "/"]
        if any(folder in node.value for folder in above):
            content.fail(f"{name} stands below a file")


def _one_or_more(node: Node) -> list[Node]:
    return list(node.elements()) if isinstance(node.value, list) else [node]


def _case(rule: Rule, kind: str, node: Node, key: str) -> Case:
    plain: dict[str, Any] = node.value
    end = "\r\n" if plain.get("newline") == "crlf" else "\n"
    texts = [one.value for one in _one_or_more(node["after"])] if kind == "fix" else []
    text = _bytes(plain[key], end)
    after = [_bytes(_expand(rule, one), end) for one in texts]
    if kind == "fix" and plain.get("or_withheld"):
        after.append(text)
    found = kind in ("invalid", "fix")
    path = plain.get("path", LAUNCHER)
    return Case(
        rule=rule,
        kind=kind,
        name=plain["name"],
        text=text,
        lines=tuple(line.value for line in _one_or_more(node["line"])) if found else (),
        after=tuple(after),
        path=path,
        run=plain.get("run", path),
        paths=tuple(plain.get("paths", (".",))),
        files={name: content.encode() for name, content in plain.get("files", {}).items()},
        confidence=plain.get("confidence"),
        note=plain.get("note", False),
        severity=plain.get("severity"),
        says=tuple(plain.get("says", ())) if found else (),
        automodel=plain.get("automodel", ""),
        place=_place(node),
    )


def _place(node: Node) -> str:
    return f"{node.file}:{node.line}"


def _bytes(text: str, end: str) -> bytes:
    return text.replace("\n", end).encode()


def _expand(rule: Rule, text: str) -> str:
    return expand_comment(text, rule.fix.comment_lines if rule.fix else ())
