"""Comments that are meant to ignore findings and are written otherwise, as `# recipelint: disable=EP001`.

Only what nobody writes in prose counts: a word for ignoring right behind the program's name, and then the codes of
rules, in a form that no sentence has, or nothing more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from recipelint.diagnostic import Confidence, Diagnostic
from recipelint.fix import Applicability, Edit, Fix
from recipelint.ruleset.load import Ruleset
from recipelint.source import Location, SourceFile, Span
from recipelint.suppress import UNUSED, find, meant

_COMMENT = re.compile(
    r"(?:^|(?<=[ \t;&|()]))#[ \t]*recipelint(?P<joint>[ \t]*[:=_-]?[ \t]*)(?P<verb>[a-z]*)"
    r"(?P<scope>(?:[-_ ](?:files?|next[-_ ]?line|next|line)(?![\w-]))?)(?P<rest>[^\r\n]*)",
    re.MULTILINE | re.IGNORECASE | re.ASCII,
)
_ORDERS = frozenset("ignore disable noqa nolint skip suppress silence mute".split())
_WORDS = _ORDERS | frozenset("ignores ignored ignoring disabled allow off".split())
"""With brackets behind them these are no prose either."""
_IN_BRACKETS = re.compile(r"([ \t]*)(?:[:=][ \t]*)?[\[{]([\w, \t-]*)(?:[\]}]|$)", re.ASCII)
_ASSIGNED = re.compile(r"(?:[ \t]*[:=]|\()([\w, \t-]+)", re.ASCII)
_BEHIND = re.compile(r"([ \t][\w, \t-]+)", re.ASCII)
_CODE = re.compile(r"[A-Za-z]{2,5}[0-9]{1,4}")


class Mistyped(NamedTuple):
    """A comment: its span, that of the part that names what to ignore, and what that part should be.

    certain  whether it can mean nothing else
    """

    span: Span
    named: Span
    wanted: str
    certain: bool


def mistyped(source: SourceFile, is_comment: Callable[[int], bool], ruleset: Ruleset) -> Iterator[Mistyped]:
    """The comments of a file that are meant to ignore something, and do not; IS_COMMENT as for `suppress.find`."""
    matches = list(_COMMENT.finditer(source.text))
    read = {one.span.start: one.codes for one in find(source)} if matches else {}
    for match in matches:
        found = _read(match, ruleset) if not read.get(match.start()) else None
        if found is not None and (found.wanted or match.start() not in read) and is_comment(match.start()):
            yield found


def _read(match: re.Match[str], ruleset: Ruleset) -> Mistyped | None:
    rest, colon = match["rest"], ":" in match["joint"]
    verb = match["verb"].lower()
    known = verb in _WORDS
    codes: list[str] = []
    end = 0
    if (inside := _IN_BRACKETS.match(rest)) and (known or (colon and not inside[1])):
        codes = re.findall(r"[\w-]+", inside[2])
        codes = codes if any(_is_rule(one, ruleset) for one in codes) else []
        end = inside.end()
    elif verb in _ORDERS:
        listed = _ASSIGNED.match(rest) or (_BEHIND.match(rest) if match["joint"].strip() in (":", "") else None)
        if listed is not None:
            codes, end = _leading(listed[1], ruleset)
            end += listed.start(1)
            end += rest[end : end + 1] == ")"
            if listed.re is _BEHIND and not colon and rest[end:].strip():
                return None  # "recipelint ignore EP001 comments ..." may go on as a sentence
    if not codes and not (colon and (verb in _ORDERS or verb == "off") and not rest.strip()):
        return None
    word = "ignore-file" if "file" in (verb + match["scope"]).lower() else "ignore"
    names = [one.upper() if one.upper() in ruleset.rules else one for one in codes]
    return Mistyped(
        Span(match.start(), match.end()),
        Span(match.start(), match.start("rest") + end),
        f"# recipelint: {word}[{', '.join(dict.fromkeys(names))}]" if names else "",
        known and bool(names) and all(meant(ruleset, one) for one in names),
    )


def _leading(text: str, ruleset: Ruleset) -> tuple[list[str], int]:
    """The codes and names of rules at the start of a text, and where they end."""
    codes: list[str] = []
    end = 0
    for found in re.finditer(r"[\w-]+", text):
        word = found[0]
        if not _CODE.fullmatch(word) and not ("-" in word and meant(ruleset, word)):
            break
        codes.append(word)
        end = found.end()
    return codes, end


def _is_rule(word: str, ruleset: Ruleset) -> bool:
    return bool(_CODE.fullmatch(word) or meant(ruleset, word))


def finding(source: SourceFile, found: Mistyped, ruleset: Ruleset) -> Diagnostic:
    """RL001 for a comment that is written otherwise; to hide what its author meant to hide is an unsafe fix."""
    rule = ruleset.rules[UNUSED]
    fix = None
    if found.certain:
        edit = Edit(source.path, found.named.start, found.named.end, found.wanted.encode("latin-1"))
        fix = Fix(f"write `{found.wanted}`", Applicability.UNSAFE, (edit,))
    said = f"did you mean `{found.wanted}`?" if found.wanted else "it is written `# recipelint: ignore[CODE] reason`"
    return Diagnostic(
        code=rule.code,
        name=rule.name,
        severity=rule.severity,
        confidence=Confidence.CERTAIN,
        location=Location(source, found.span),
        message=f"this comment ignores nothing; {said}",
        help="write it as `# recipelint: ignore[EP001] reason`, or remove it",
        url=rule.url,
        fix=fix,
    )
