"""Comments that ignore findings: `# recipelint: ignore[EP001] reason` and `# recipelint: ignore-file[EP001] reason`.

A comment on its own line covers the next logical command and the comments before that, one at the end of a line the
logical command of that line. It names what it ignores, by code, name, prefix or family; without names it ignores
nothing, and is reported. So is one that hides nothing, unless it names RL001 as well, or a rule that was not looked
for.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence
from functools import cache

from recipelint.diagnostic import Confidence, Diagnostic
from recipelint.fix import Applicability, Edit, Fix
from recipelint.lazily import regex
from recipelint.record import NamedTuple
from recipelint.ruleset.load import Ruleset
from recipelint.ruleset.select import SelectError, check_selector, matching
from recipelint.settings import Settings
from recipelint.source import Location, SourceFile, Span

UNUSED = "RL001"
_MARK = b"recipelint:"
_COMMENT = regex(
    r"(?:^|(?<=[ \t;&|()]))#[ \t]*recipelint:[ \t]*ignore(?P<file>-file)?(?![\w-])"
    r"[ \t]*(?:\[(?P<codes>[^\]\r\n]*)\])?(?P<reason>[^\r\n]*)",
    re.MULTILINE,
)
MENTION = regex(rb"#[ \t]*recipelint", re.IGNORECASE)
"""In every comment that ignores, and in every one that is meant to and is written otherwise (`mistyped`)."""
Extent = Callable[[int], tuple[int, int]]
"""The first and the last line of the logical command that a line belongs to."""


class Suppression(NamedTuple):
    """A comment that ignores. `own_line`: no command stands before it; `used`: the codes that it is right to name."""

    codes: tuple[str, ...]
    span: Span
    line: int
    file_wide: bool
    reason: str
    own_line: bool
    used: tuple[str, ...] = ()


def find(source: SourceFile, is_comment: Callable[[int], bool] | None = None) -> tuple[Suppression, ...]:
    """The comments that ignore, in order; IS_COMMENT tells of a byte offset whether a comment starts there."""
    if _MARK not in source.data:
        return ()
    found = []
    for match in _COMMENT.finditer(source.text):
        if is_comment is None or is_comment(match.start()):
            line = source.line_number(match.start())
            before = source.text[source.line_starts[line - 1] : match.start()].removeprefix("\xef\xbb\xbf").lstrip()
            found.append(
                Suppression(
                    codes=tuple(dict.fromkeys(re.findall(r"[^\s,]+", match["codes"] or ""))),
                    span=Span(match.start(), match.end()),
                    line=line,
                    file_wide=match["file"] is not None,
                    reason=match["reason"].encode("latin-1").decode("utf-8", "replace").strip(),
                    own_line=not before or before.startswith("#"),
                )
            )
    return tuple(found)


def apply(
    diagnostics: Sequence[Diagnostic],
    source: SourceFile,
    suppressions: Sequence[Suppression],
    extent: Extent,
    ruleset: Ruleset,
    active: Collection[str],
) -> tuple[tuple[Diagnostic, ...], tuple[Suppression, ...]]:
    """The diagnostics that are left, and the suppressions that hide nothing, with the codes for which they do not.

    ACTIVE are the codes of the rules that were looked for; an ignore of another one is left alone.
    """
    hidden: set[int] = set()
    idle: list[Suppression] = []
    following = _following(source) if suppressions else []
    starts = _starts(diagnostics, source) if suppressions else []

    @cache
    def covered(selector: str, first: int, last: int) -> frozenset[int]:
        near = {index for _, index in starts[bisect_left(starts, (first, -1)) : bisect_left(starts, (last + 1, -1))]}
        rules = meant(ruleset, selector)
        return frozenset(
            at for at in near if diagnostics[at].code in rules and _within(diagnostics[at], source, first, last)
        )

    for suppression in suppressions:
        first, last = _covered(source, suppression, extent, following)
        used = []
        for selector in suppression.codes:
            rules = meant(ruleset, selector)
            hits = covered(selector, first, last)
            hidden |= hits
            if hits or UNUSED in rules or (rules and not rules & frozenset(active)):
                used.append(selector)
        unused_codes = tuple(code for code in suppression.codes if code not in used)
        if unused_codes or not suppression.codes:
            idle.append(suppression._replace(codes=unused_codes, used=tuple(used)))
    kept = tuple(one for index, one in enumerate(diagnostics) if index not in hidden)
    excusing = [one for one in suppressions if any(UNUSED in meant(ruleset, code) for code in one.codes)]
    everywhere = any(one.file_wide for one in excusing)
    spans = {one.span for one in excusing}
    return kept, tuple(one for one in idle if not everywhere and one.span not in spans)


def _starts(diagnostics: Sequence[Diagnostic], source: SourceFile) -> list[tuple[int, int]]:
    """The lines of a file in one of which each finding must stand, or its first launch, to be covered; sorted."""
    found = []
    for index, one in enumerate(diagnostics):
        location = one.location
        for path, start in ((location.path, location.span.start), *one.launches[:1]):
            if path == source.path:
                found.append((source.line_number(start), index))
    return sorted(found)


def covers(source: SourceFile, suppression: Suppression, extent: Extent, offset: int) -> bool:
    """Whether a comment covers what stands at a byte offset of its file."""
    first, last = _covered(source, suppression, extent, _following(source))
    return first <= source.line_number(offset) <= last


def _within(diagnostic: Diagnostic, source: SourceFile, first: int, last: int) -> bool:
    """Whether a finding stands in some lines, or each launch that it is about does."""

    def inside(path: str, start: int) -> bool:
        return path == source.path and first <= source.line_number(start) <= last

    location = diagnostic.location
    if inside(location.path, location.span.start):
        return True
    return bool(diagnostic.launches) and all(inside(path, start) for path, start in diagnostic.launches)


def unused(source: SourceFile, suppression: Suppression, ruleset: Ruleset) -> Diagnostic:
    """RL001 for a suppression of `apply`, with a safe fix that removes the comment, or its idle codes."""
    rule = ruleset.rules[UNUSED]
    codes = ", ".join(suppression.codes) or "any rule: it names none"
    fix = None
    # A misspelt code is no reason to lose the comment: its author meant to ignore something.
    misspelt = tuple(code for code in suppression.codes if not meant(ruleset, code))
    kept = (*suppression.used, *misspelt)
    idle = tuple(code for code in suppression.codes if code not in misspelt)
    if idle:
        title = f"remove {', '.join(idle)} from the comment" if kept else "remove the comment"
        fix = Fix(title, Applicability.SAFE, (_removal(source, suppression._replace(used=kept)),))
    return Diagnostic(
        code=rule.code,
        name=rule.name,
        severity=rule.severity,
        confidence=Confidence.CERTAIN,
        location=Location(source, suppression.span),
        message="; ".join([rule.message.format(codes=codes), *(_doubt(ruleset, code) for code in misspelt)]),
        help=rule.help
        if suppression.codes
        else "name what it is to ignore, as in `# recipelint: ignore[EP001] reason`",
        url=rule.url,
        fix=fix,
    )


def _following(source: SourceFile) -> list[int]:
    """For each line, counted from 1, the next one at or after it that is neither blank nor a comment; 0 for none."""
    count = len(source.line_starts)
    found = [0] * (count + 2)
    for line in range(count, 0, -1):
        span = source.line_span(line)
        text = source.data[span.start : span.end].strip()
        found[line] = line if text and not text.startswith(b"#") else found[line + 1]
    return found


def _covered(source: SourceFile, suppression: Suppression, extent: Extent, following: Sequence[int]) -> tuple[int, int]:
    """The first and the last line that a comment covers; the comments before its command may be findings too."""
    last_of_file = len(source.line_starts)
    if suppression.file_wide:
        return 1, last_of_file
    if not suppression.own_line:
        return extent(suppression.line)
    line = following[suppression.line + 1]
    if not line:
        return suppression.line + 1, last_of_file
    first, last = extent(line)
    return min(first, suppression.line + 1), _with_what_cuts(source, last)


def _with_what_cuts(source: SourceFile, last: int) -> int:
    """The last line of a command that goes on in a comment: that ends it (SH003), and is a part of what was meant."""
    if source.line_text(last).endswith("\\"):
        while last < len(source.line_starts) and source.line_text(last + 1).lstrip().startswith("#"):
            last += 1
    return last


def meant(ruleset: Ruleset, selector: str) -> frozenset[str]:
    """The codes that a selector means; none if it means no rule."""
    try:
        return matching(ruleset, selector.upper() if selector.upper() in ruleset.rules else selector)
    except SelectError:
        return frozenset()


def _doubt(ruleset: Ruleset, selector: str) -> str:
    """What is wrong with a selector that means no rule."""
    try:
        check_selector(ruleset, selector)
    except SelectError as error:
        return str(error)
    return ""


def _removal(source: SourceFile, suppression: Suppression) -> Edit:
    """Without the idle codes; if none is left, without the comment, and without its line if that holds nothing else."""
    start, end = suppression.span.start, suppression.span.end
    text = source.text
    if suppression.used:
        opening, closing = text.index("[", start) + 1, text.index("]", start)
        return Edit(source.path, opening, closing, ", ".join(suppression.used).encode("latin-1"))
    line = source.line_span(suppression.line)
    if text[line.start : start].strip(" \t"):
        kept = text[line.start : start].rstrip(" \t")
        return Edit(source.path, line.start + len(kept), end, b"")
    if suppression.line < len(source.line_starts):
        return Edit(source.path, line.start, source.line_starts[suppression.line], b"")
    before = source.line_span(suppression.line - 1).end if suppression.line > 1 else line.start
    return Edit(source.path, before, end, b"")


def ignored_in_files(diagnostic: Diagnostic, ignores: Callable[[str], frozenset[str]]) -> bool:
    """Whether the configuration ignores a finding where it stands, or in the file of each launch that it is about."""
    if diagnostic.code in ignores(diagnostic.location.path):
        return True
    return bool(diagnostic.launches) and all(diagnostic.code in ignores(path) for path, _ in diagnostic.launches)


def per_file(
    settings: Settings, matcher: Callable[[Sequence[str]], Callable[[str], bool]], ruleset: Ruleset
) -> Callable[[str], frozenset[str]]:
    """The codes that the configuration ignores in a file. MATCHER makes a test of files from globs."""

    @cache
    def tests() -> list[tuple[Callable[[str], bool], frozenset[str]]]:
        return [
            (matcher((glob,)), frozenset().union(*(matching(ruleset, selector) for selector in selectors)))
            for glob, selectors in settings.file_ignores
        ]

    @cache
    def ignored(path: str) -> frozenset[str]:
        return frozenset().union(*(codes for matches, codes in tests() if matches(path)))

    return ignored
