"""What each launch is, for a person: its words one flag a line, its environment, its settings and their origins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from recipelint.outcome import Outcome
from recipelint.recipe.model import EnvironmentValue, Launch, Launcher
from recipelint.report import words
from recipelint.report.full import diagnostic_text
from recipelint.report.plain import inert, neutralise
from recipelint.report.style import BLUE, BOLD, DIM, YELLOW, Stream, cells, pad


def render(outcome: Outcome, stream: Stream) -> str:
    """Every launcher, an empty line between two."""
    return inert("\n".join("".join(f"{row}\n" for row in _launcher(one, stream)) for one in outcome.launchers))


def _launcher(launcher: Launcher, stream: Stream) -> Iterator[str]:
    path = launcher.source.path
    yield stream.paint(neutralise(path), BOLD)
    if launcher.needs:
        yield f"  needs {', '.join(map(neutralise, launcher.needs))}"
    if not launcher.launches:
        yield "  launches nothing that recipelint knows" if launcher.complete else "  no launch was found"
    if not launcher.complete:
        yield stream.paint("  could not be read in full: a launch may be missing or incomplete", YELLOW)
    for diagnostic in launcher.diagnostics:
        for row in diagnostic_text(diagnostic, stream).splitlines():
            yield f"  {row}".rstrip()
    for launch in launcher.launches:
        yield ""
        yield from _launch(launch, path, stream)


def _launch(launch: Launch, path: str, stream: Stream) -> Iterator[str]:
    yield "  " + _head(launch, path, stream)
    if launch.when:
        yield f"    {_title('when', stream)}"
        yield from (f"      {neutralise(condition)}" for condition in launch.when)
    elif not launch.certain:
        yield f"    {_title('only on some paths through the script', stream)}"
    yield f"    {_title('arguments', stream)}"
    yield from _arguments(launch, stream)
    if launch.env:
        yield f"    {_title('environment', stream)}"
        yield from _environment(launch.env, stream)
    if launch.settings:
        yield f"    {_title('settings', stream)}"
        yield from _settings(launch, path, stream)


def _title(text: str, stream: Stream) -> str:
    return stream.paint(text, BLUE)


def _head(launch: Launch, path: str, stream: Stream) -> str:
    """`molt.cli.train_sft (molt), line 150, through srun > bash > torchrun`."""
    name = stream.paint(neutralise(launch.entry_point), BOLD)
    framework = neutralise(launch.framework) if launch.framework else "a trainer that recipelint does not know"
    location = launch.location
    line = (
        f"line {location.start.line}" if location.path == path else f"{neutralise(location.path)}:{location.start.line}"
    )
    through = f", through {' > '.join(map(neutralise, launch.wrappers))}" if launch.wrappers else ""
    return f"{name} ({framework}), {line}{through}"


def _arguments(launch: Launch, stream: Stream) -> Iterator[str]:
    """A flag and its values a line; what is not known has a `?` before it and a remark after it."""
    if not launch.argv:
        yield "      none"
    for line in words.lines(launch.argv):
        text = " ".join(words.word(argument.text, unknown=argument.unknown) for argument in line)
        yield _marked(text, words.remark(line), stream)


def _environment(env: Mapping[str, EnvironmentValue], stream: Stream) -> Iterator[str]:
    for name, value in sorted(env.items()):
        if value.text is None:
            yield f"      {neutralise(name)} {stream.paint('removed', DIM)}"
        else:
            text = f"{neutralise(name)}={words.word(value.text, unknown=value.unknown) if value.text else ''}"
            yield _marked(text, words.UNKNOWN if value.unknown else "", stream)


def _marked(text: str, remark: str, stream: Stream) -> str:
    if not remark:
        return f"      {text}"
    return f"    {stream.paint('?', YELLOW)} {text}  {stream.paint(f'({remark})', YELLOW)}"


def _settings(launch: Launch, path: str, stream: Stream) -> Iterator[str]:
    rows = [
        (neutralise(setting.name), words.value(setting), words.origin(setting, path))
        for setting in launch.settings.values()
    ]
    widths = [max(cells(row[column]) for row in rows) for column in (0, 1)]
    for name, value, origin in rows:
        yield f"      {pad(name, widths[0])}  {pad(value, widths[1])}  {stream.paint(origin, DIM)}".rstrip()
