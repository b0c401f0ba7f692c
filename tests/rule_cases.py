"""The cases of `tests/rules/*.yaml`, and the examples of the rules, as trees of files."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from recipelint.ruleset.document import Node, read
from recipelint.ruleset.load import load_folder
from recipelint.ruleset.schema import Rule, expand_comment

ROOT = Path(__file__).resolve().parent.parent
CASES = ROOT / "tests" / "rules"
RULES = load_folder(ROOT / "rules")
LAUNCHER = "examples/scripts/launch.sh"

TRAINER = {
    path.relative_to(ROOT / "tests/fixtures/molt").as_posix(): path.read_bytes()
    for path in sorted((ROOT / "tests/fixtures/molt/molt/cli").glob("*.py"))
}
"""The trainer that stands in the trees of rules about its command line."""

_SHARED = ("path", "run", "files", "paths", "newline", "automodel")


@dataclass(frozen=True)
class Case:
    """A file that a rule is tried on, in a tree.

    text       the file at `path`, and `after`: what --fix may make of it; without any, it must stay as it is
    lines      where the one finding may stand; none: there is none
    says       what the message, the note or a related place must hold
    automodel  the revision that the user names
    run        the launcher that bash runs, if it is not `path`
    """

    rule: Rule
    name: str
    text: bytes
    lines: tuple[int, ...] = ()
    after: tuple[bytes, ...] = ()
    path: str = LAUNCHER
    run: str = LAUNCHER
    paths: tuple[str, ...] = (".",)
    files: dict[str, bytes] = field(default_factory=dict)
    confidence: str | None = None
    note: bool = False
    severity: str | None = None
    says: tuple[str, ...] = ()
    automodel: str = ""

    def lay_out(self, tree: Path, text: bytes | None = None) -> Path:
        """Write the files below TREE, the file at `path` with another TEXT if given; its path."""
        trainer = TRAINER if self.rule.family == "arguments" else {}
        for name, content in {**trainer, **self.files, self.path: self.text if text is None else text}.items():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).write_bytes(content)
        return tree / self.path


@dataclass(frozen=True)
class Cases:
    """All cases, by what is asked of them. `noops` are right already; `fixes` have an `after`."""

    valid: tuple[Case, ...]
    invalid: tuple[Case, ...]
    fixes: tuple[Case, ...]
    noops: tuple[Case, ...]


def collect() -> Cases:
    """The cases of every file, then the examples of every rule."""
    valid, invalid, fixes, noops = [], [], [], []
    for path in sorted(CASES.glob("*.yaml")):
        document = read(path.name, path.read_bytes())
        document.keys({"rule"}, {"valid", "invalid", "fix"})
        rule = RULES.rules[document["rule"].word(RULES.rules)]
        for node in _elements(document, "valid"):
            node.keys({"name", "code"}, _SHARED)
            valid.append(_case(rule, node, "code"))
        for node in _elements(document, "invalid"):
            node.keys({"name", "code", "line"}, ("confidence", "note", "severity", "says", *_SHARED))
            invalid.append(_case(rule, node, "code"))
        for node in _elements(document, "fix"):
            node.keys({"name", "before", "line", "after", "noop"}, ("or_withheld", "says", *_SHARED))
            fixes.append(_case(rule, node, "before"))
            noops.append(_case(rule, node, "noop"))
    for rule in RULES.rules.values():
        for number, good in enumerate(rule.good, 1):
            place = good.path or LAUNCHER
            valid.append(Case(rule, f"good example {number}", good.code.encode(), path=place, run=place))
        for number, bad in enumerate(rule.bad, 1):
            lines = (bad.line or 0,)
            after = () if bad.after is None else (_expand(rule, bad.after).encode(),)
            place = bad.path or LAUNCHER
            case = Case(rule, f"bad example {number}", bad.code.encode(), lines, after, place, place)
            (fixes if after else invalid).append(case)
    return Cases(tuple(valid), tuple(invalid), tuple(fixes), tuple(noops))


def _elements(document: Node, key: str) -> list[Node]:
    return list(document[key].elements()) if key in document else []


def _case(rule: Rule, node: Node, key: str) -> Case:
    plain: dict[str, Any] = node.value
    end = "\r\n" if plain.get("newline") == "crlf" else "\n"
    texts = plain.get("after", []) if key == "before" else []
    after = [_bytes(_expand(rule, text), end) for text in ([texts] if isinstance(texts, str) else texts)]
    text = _bytes(plain[key], end)
    if key == "before" and plain.get("or_withheld"):
        after.append(text)
    line = plain["line"] if key != "noop" and "line" in plain else []
    path = plain.get("path", LAUNCHER)
    return Case(
        rule=rule,
        name=plain["name"],
        text=text,
        lines=tuple(line) if isinstance(line, list) else (line,),
        after=tuple(after),
        path=path,
        run=plain.get("run", path),
        paths=tuple(plain.get("paths", (".",))),
        files={name: content.encode() for name, content in plain.get("files", {}).items()},
        confidence=plain.get("confidence"),
        note=plain.get("note", False),
        severity=plain.get("severity"),
        says=tuple(plain.get("says", ())) if key != "noop" else (),
        automodel=plain.get("automodel", ""),
    )


def _bytes(text: str, end: str) -> bytes:
    return text.replace("\n", end).encode()


def _expand(rule: Rule, text: str) -> str:
    return expand_comment(text, rule.fix.comment_lines if rule.fix else ())
