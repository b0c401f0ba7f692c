"""What of a launch comes from a stretch of text, what differs between two evaluations, and what would override it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from recipelint.explain.arguments import Given
from recipelint.explanation import ARGUMENT, LAUNCH, RUN, SETTING, VARIABLE, Part
from recipelint.recipe.build import Resolved
from recipelint.recipe.command_line import read
from recipelint.recipe.spoken import word_of
from recipelint.report.words import lines
from recipelint.shell.text import Origin, Text
from recipelint.source import Location, SourceFile, Span

REPEATABLE = ("append", "append_const", "extend", "count", "custom")
Site = tuple[object, ...]
Difference = tuple[str, object]
"""The kind of a part, and its group of words or its name."""


def touches(origin: Origin, source: SourceFile, span: Span) -> bool:
    """Whether a stretch of text has a part in a span; an empty one, whether it stands there."""
    if origin.source is not source:
        return False
    if origin.start == origin.end or span.start == span.end:
        return span.start <= origin.start <= span.end or origin.start <= span.start < origin.end
    return origin.start < span.end and span.start < origin.end


def comes_from(text: Text, source: SourceFile, span: Span) -> bool:
    return any(touches(origin, source, span) for _, origin in text.runs)


def within(location: Location | None, source: SourceFile, span: Span) -> bool:
    return location is not None and touches(Origin(location.source, *location.span), source, span)


def groups(resolved: Resolved) -> list[tuple[int, ...]]:
    """The indexes of the words of each flag, or of each word that stands alone."""
    out: list[tuple[int, ...]] = []
    at = 0
    for line in lines(resolved.launch.argv):
        out.append(tuple(range(at, at + len(line))))
        at += len(line)
    return out


def decided(resolved: Resolved, source: SourceFile, span: Span, last: Mapping[int, str], args: Given) -> list[Part]:
    """What of a launch is written in a span. LAST tells of flags that a later one makes void."""
    launch = resolved.launch
    out: list[Part] = []
    if within(launch.trainer, source, span) or within(launch.location, source, span):
        out.append(Part(LAUNCH, launch.entry_point))
    out += [
        argument(resolved, group, last, args, (source, span))
        for group in groups(resolved)
        if any(comes_from(resolved.words[at], source, span) for at in group)
    ]
    for name in launch.env:
        text = resolved.environment.get(name)
        if text is not None and comes_from(text, source, span):
            out.append(Part(VARIABLE, name, (), knobs([text], (source, span))))
    out += [
        Part(SETTING, setting.name, (), given(setting.override))
        for setting in launch.settings.values()
        if within(setting.location, source, span)
    ]
    return out


def argument(
    resolved: Resolved,
    group: tuple[int, ...],
    last: Mapping[int, str],
    args: Given,
    written: tuple[SourceFile, Span] | None = None,
) -> Part:
    """A flag and its values."""
    texts = [resolved.words[at] for at in group]
    overrides = knobs(texts, written)
    name = resolved.launch.argv[group[0]].text
    overrides += tuple(f"argument {args.by[at]} of the launcher (--arg)" for at in group if at in args.by)
    if name.startswith("-") and group[-1] < args.passed:
        overrides += ("the same flag as an argument of the launcher (--arg)",)
    return Part(ARGUMENT, name, group, overrides, last.get(group[0], ""))


def knobs(texts: Iterable[Text], written: tuple[SourceFile, Span] | None = None) -> tuple[str, ...]:
    """What overrides the pieces of texts; of those in a span alone, where one is given."""
    found: dict[str, None] = {}
    for text in texts:
        for _, origin in text.runs:
            if origin.knob and (written is None or touches(origin, *written)):
                found.update(dict.fromkeys(given(origin.knob)))
    return tuple(found)


def given(knob: str | None) -> tuple[str, ...]:
    """How a user gives a knob."""
    if not knob:
        return ()
    return (f"{knob} in the environment (--env)",)


def voided(resolved: Resolved) -> dict[int, str]:
    """The flags that a later one makes void, by the index of their word, each with the place of the later one."""
    schema = resolved.entry.schema if resolved.entry is not None else resolved.schema()
    if schema is None:
        return {}
    out: dict[int, str] = {}
    later: dict[str, int] = {}
    words = [
        word_of(word, many=argument.many) for word, argument in zip(resolved.words, resolved.launch.argv, strict=True)
    ]
    for one in reversed(read(schema, words).occurrences):
        if one.flag.positional or one.flag.action in REPEATABLE:
            continue
        at = later.setdefault(one.name, one.at)
        if at != one.at:
            origin = resolved.words[at].first_origin
            where = f", line {origin.source.line_number(origin.start)}" if origin and origin.source else ""
            out[one.at] = f"a later {one.name} counts{where}"
    return out


# --- differences ---------------------------------------------------------------------------------------


def site(resolved: Resolved) -> Site:
    """What makes two launches of two evaluations the same one: no offset, which a change moves."""
    launch = resolved.launch
    return launch.entry_point, launch.location.path, launch.trainer.start.line, launch.location.start.line


def paired(before: Sequence[Resolved], after: Sequence[Resolved]) -> Iterator[tuple[Resolved, Resolved | None]]:
    """Each launch with the one that stands in its place, if there is one."""
    matcher = SequenceMatcher(None, [site(one) for one in before], [site(one) for one in after], autojunk=False)
    for _, low, high, start, end in matcher.get_opcodes():
        for at in range(low, high):
            other = start + at - low
            yield before[at], after[other] if other < end and site(before[at]) == site(after[other]) else None


def differing(before: Resolved, after: Resolved | None) -> set[Difference]:
    """What of a launch is not so in its other form: by kind, and by the group of words, or the name."""
    if after is None:
        return {(RUN, "")}
    a, b = before.launch, after.launch
    out: set[Difference] = set()
    if a.wrappers != b.wrappers:
        out.add((RUN, ""))
    ours, others = groups(before), groups(after)
    texts = [tuple((a.argv[at].text, a.argv[at].many) for at in group) for group in ours]
    other = [tuple((b.argv[at].text, b.argv[at].many) for at in group) for group in others]
    for tag, low, high, _, _ in SequenceMatcher(None, texts, other, autojunk=False).get_opcodes():
        if tag != "equal":
            out.update((ARGUMENT, group) for group in ours[low:high])
            if low == high:
                out.add((ARGUMENT, ()))
    out.update((VARIABLE, name) for name in a.env.keys() | b.env.keys() if a.env.get(name) != b.env.get(name))
    for name, setting in a.settings.items():
        found = b.settings.get(name)
        if found is None or (setting.value, setting.choices) != (found.value, found.choices):
            out.add((SETTING, name))
    return out
