"""What each launch is, for a person: its words one flag a line, its environment, its settings and their origins.

Of launches of one place that are nearly the same, the first is printed in full, and of the others what is different.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from recipelint.outcome import Outcome
from recipelint.recipe.model import EnvironmentValue, Launch, Launcher
from recipelint.report import words
from recipelint.report.full import diagnostic_text
from recipelint.report.plain import inert, neutralise
from recipelint.report.style import BLUE, BOLD, DIM, YELLOW, Stream, cells, pad

FEW = 1 / 3
"""The most of the lines of a launch that may be different for it to be told by these alone."""
REMOVED, ADDED, UNSURE = "-", "+", "?"
UNKNOWN = "a trainer that recipelint does not know"
UNNAMED = "the variables that would name it are not set"


class Line(NamedTuple):
    """A line of a section: its text, and a remark where it is not all known."""

    text: str
    remark: str = ""


class Body(NamedTuple):
    """What there is to say of a launch, without colour; a setting is its name, its value and its origin."""

    arguments: tuple[Line, ...]
    environment: tuple[Line, ...]
    settings: tuple[tuple[str, str, str], ...]


def render(outcome: Outcome, stream: Stream) -> str:
    """Every launcher, an empty line between two."""
    return inert("\n".join("".join(f"{row}\n" for row in _launcher(one, stream)) for one in outcome.launchers))


def _launcher(launcher: Launcher, stream: Stream) -> Iterator[str]:
    path = launcher.source.path
    yield stream.paint(stream.place(neutralise(path), path, 1), BOLD)
    if launcher.needs:
        yield f"  needs {', '.join(map(neutralise, launcher.needs))}"
    if not launcher.launches:
        yield "  launches nothing that recipelint knows" if launcher.complete else "  no launch was found"
    if not launcher.complete:
        yield stream.paint("  could not be read in full: a launch may be missing or incomplete", YELLOW)
    inner = stream._replace(width=stream.width - 2) if stream.width else stream
    for diagnostic in launcher.diagnostics:
        for row in diagnostic_text(diagnostic, inner).splitlines():
            yield f"  {row}".rstrip()
    firsts: dict[tuple[object, ...], Body] = {}
    for launch in launcher.launches:
        yield ""
        body = _body(launch, path)
        first = firsts.setdefault(_call(launch), body)
        yield from _launch(launch, body, first if first is not body else None, path, stream)


def _call(launch: Launch) -> tuple[object, ...]:
    """What launches of one place have in common."""
    return launch.location.key, launch.trainer.key, launch.entry_point, launch.framework, launch.wrappers


def _body(launch: Launch, path: str) -> Body:
    return Body(
        tuple(_arguments(launch)),
        tuple(_environment(launch.env)),
        tuple(
            (neutralise(setting.name), words.value(setting), words.origin(setting, path))
            for setting in launch.settings.values()
        ),
    )


def _launch(launch: Launch, body: Body, first: Body | None, path: str, stream: Stream) -> Iterator[str]:
    if first is not None and _difference(first, body) <= FEW:
        rows = [*_when(launch, stream), *_changed(first, body, stream)]
        yield f"  {head(launch, path, stream)}: as above{', but' if rows else ''}"
        yield from rows
        return
    yield f"  {head(launch, path, stream)}"
    yield from _when(launch, stream)
    yield from _section("arguments", body.arguments or (Line("none"),), stream)
    yield from _section("environment", body.environment, stream)
    yield from _settings(body.settings, stream)


def _changed(first: Body, other: Body, stream: Stream) -> Iterator[str]:
    """What is different in the OTHER of two launches."""
    yield from _changes("arguments", first.arguments, other.arguments, stream)
    yield from _changes("environment", first.environment, other.environment, stream)
    yield from _settings(tuple(one for one in other.settings if one not in first.settings), stream)


def _when(launch: Launch, stream: Stream) -> Iterator[str]:
    if launch.when:
        yield f"    {_title('when', stream)}"
        yield from (f"      {neutralise(condition)}" for condition in launch.when)
    elif not launch.certain:
        yield f"    {_title('only on some paths through the script', stream)}"


def _difference(first: Body, other: Body) -> float:
    """How much of the arguments and the environment of two launches is not the same: 0 to 1."""
    before, after = (*first.arguments, *first.environment), (*other.arguments, *other.environment)
    return len(set(before) ^ set(after)) / max(1, len(before) + len(after))


def _title(text: str, stream: Stream) -> str:
    return stream.paint(text, BLUE)


def head(launch: Launch, path: str, stream: Stream) -> str:
    """`molt.cli.train_sft (molt), line 150, through srun > bash > torchrun`."""
    name = stream.paint(neutralise(launch.entry_point or "no trainer"), BOLD)
    framework = neutralise(launch.framework) if launch.framework else UNKNOWN if launch.entry_point else UNNAMED
    location = launch.location
    line = (
        f"line {location.start.line}" if location.path == path else f"{neutralise(location.path)}:{location.start.line}"
    )
    through = f", through {' > '.join(map(neutralise, launch.wrappers))}" if launch.wrappers else ""
    return f"{name} ({framework}), {line}{through}"


def _arguments(launch: Launch) -> Iterator[Line]:
    """A flag and its values a line."""
    for line in words.lines(launch.argv):
        text = " ".join(words.word(argument.text, unknown=argument.unknown) for argument in line)
        yield Line(text, words.remark(line))


def _environment(env: Mapping[str, EnvironmentValue]) -> Iterator[Line]:
    for name, value in sorted(env.items()):
        if value.text is None:
            yield Line(f"{neutralise(name)} removed")
        else:
            text = words.word(value.text, unknown=value.unknown) if value.text else ""
            yield Line(f"{neutralise(name)}={text}", words.UNKNOWN if value.unknown else "")


def _section(title: str, lines: tuple[Line, ...], stream: Stream) -> Iterator[str]:
    if lines:
        yield f"    {_title(title, stream)}"
        yield from (_row(UNSURE if line.remark else "", line, stream) for line in lines)


def _changes(title: str, before: tuple[Line, ...], after: tuple[Line, ...], stream: Stream) -> Iterator[str]:
    """The lines that are gone and those that are new, each where it stands."""
    if before == after:
        return
    from difflib import SequenceMatcher

    yield f"    {_title(title, stream)}"
    for _, low, high, start, end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if before[low:high] != after[start:end]:
            yield from (_row(REMOVED, line, stream) for line in before[low:high])
            yield from (_row(ADDED, line, stream) for line in after[start:end])


def _row(mark: str, line: Line, stream: Stream) -> str:
    """A line with a mark before it, and its remark after it."""
    shown = stream.paint(mark, YELLOW) if mark else " "
    remark = f"  {stream.paint(f'({line.remark})', YELLOW)}" if line.remark else ""
    return f"    {shown} {line.text}{remark}"


def _settings(rows: tuple[tuple[str, str, str], ...], stream: Stream) -> Iterator[str]:
    if not rows:
        return
    yield f"    {_title('settings', stream)}"
    widths = [max(cells(row[column]) for row in rows) for column in (0, 1)]
    for name, value, origin in rows:
        yield f"      {pad(name, widths[0])}  {pad(value, widths[1])}  {stream.paint(origin, DIM)}".rstrip()
