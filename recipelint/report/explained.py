"""What a line decides, for a person in the words of `show`, and for a program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from recipelint.explanation import ARGUMENT, LAUNCH, RUN, SETTING, VARIABLE, Explanation, Explanations, Part, Say
from recipelint.recipe.configured.options import ENDINGS
from recipelint.recipe.model import Launch
from recipelint.report import words
from recipelint.report.json_ import (
    VERSION,
    Json,
    diagnostic_json,
    dump,
    launch_json,
    setting_json,
    unreadable_json,
)
from recipelint.report.plain import inert, neutralise
from recipelint.report.show import head
from recipelint.report.style import BLUE, BOLD, DIM, SEVERITY_COLOURS, Stream

FEW = 5
"""Users of a file that are named one by one."""


def text(answers: Explanations, stream: Stream) -> str:
    """Every line, an empty line between two."""
    return inert("\n".join("".join(f"{row}\n" for row in _line(one, stream)) for one in answers.lines))


def _line(one: Explanation, stream: Stream) -> Iterator[str]:
    column = f":{one.column}" if one.column else ""
    yield stream.paint(f"{neutralise(one.path)}:{one.line}{column}", BOLD)
    yield f"  | {neutralise(one.text.rstrip())}".rstrip()
    for remark in one.remarks:
        yield f"  {neutralise(remark)}"
    others = [user for user in one.users if user != one.path]
    if others:
        shown = ", ".join(map(neutralise, others[:FEW]))
        more = f" and {len(others) - FEW} more" if len(others) > FEW else ""
        yield f"  the file is {'read by the trainers of' if one.path.endswith(ENDINGS) else 'run by'} {shown}{more}"
    for say in one.says:
        yield ""
        yield from _say(say, one, stream)
    if one.findings:
        yield ""
        yield f"  {stream.paint('findings', BLUE)}"
    for found in one.findings:
        start = found.location.start
        word = stream.paint(f"[{found.severity.word}]", SEVERITY_COLOURS[found.severity])
        yield f"    {neutralise(found.code)} {word} at {start.line}:{start.column}: {neutralise(found.message)}"
        if found.fix is not None:
            yield f"      fix ({found.fix.applicability.word}): {neutralise(found.fix.title)}"
        elif found.note:
            yield f"      {neutralise(found.note)}"


def _say(say: Say, one: Explanation, stream: Stream) -> Iterator[str]:
    within = f" of {neutralise(say.path)}" if say.path != one.path else ""
    yield f"  {head(say.launch, say.path, stream)}{within}"
    if say.launch.when:
        yield f"    {stream.paint('when', BLUE)}"
        yield from (f"      {neutralise(condition)}" for condition in say.launch.when)
    elif not say.launch.certain:
        yield f"    {stream.paint('only on some paths through the script', BLUE)}"
    for title, parts in (("decides", say.decides), ("has a say in", say.affects)):
        if parts:
            yield f"    {stream.paint(title, BLUE)}"
            yield from (f"      {row}" for row in _parts(parts, say.launch, stream))


def _parts(parts: Sequence[Part], launch: Launch, stream: Stream) -> Iterator[str]:
    for part in parts:
        notes = [neutralise(part.void)] if part.void else []
        notes += [f"overridden by {neutralise(one)}" for one in part.overrides]
        note = f"  {stream.paint('; '.join(notes), DIM)}" if notes else ""
        yield f"{_said(part, launch)}{note}"


def _said(part: Part, launch: Launch) -> str:
    if part.kind == LAUNCH:
        return "the command itself"
    if part.kind == RUN:
        return "whether, or when, it is run"
    if part.kind == ARGUMENT and not part.words:
        return "further words"
    if part.kind == ARGUMENT:
        return " ".join(words.word(one.text, unknown=one.unknown) for one in (launch.argv[at] for at in part.words))
    if part.kind == VARIABLE:
        if part.name not in launch.env:
            return f"{neutralise(part.name)}, which is not set"
        value = launch.env[part.name]
        if value is None or value.text is None:
            return f"{neutralise(part.name)} removed"
        return f"{neutralise(part.name)}={words.word(value.text, unknown=value.unknown) if value.text else ''}"
    return f"setting {neutralise(part.name)} {words.value(launch.settings[part.name])}"


# --- for programs --------------------------------------------------------------------------------------


def as_json(answers: Explanations) -> str:
    """The JSON of `recipelint explain`."""
    lines = [_line_json(one) for one in answers.lines]
    return dump({"version": VERSION, "lines": lines, "unreadable": unreadable_json(answers.unreadable)})


def _line_json(one: Explanation) -> Json:
    return {
        "path": one.path,
        "line": one.line,
        "column": one.column or None,
        "text": one.text,
        "remarks": list(one.remarks),
        "users": list(one.users),
        "launches": [
            {
                "launcher": say.path,
                "launch": launch_json(say.launch),
                "decides": [_part_json(part, say.launch) for part in say.decides],
                "affects": [_part_json(part, say.launch) for part in say.affects],
            }
            for say in one.says
        ],
        "diagnostics": [diagnostic_json(found) for found in one.findings],
    }


def _part_json(part: Part, launch: Launch) -> Json:
    result: Json = {"kind": part.kind, "name": part.name, "overrides": list(part.overrides)}
    if part.kind == ARGUMENT:
        result["argv"] = list(part.words)
        result["words"] = [launch.argv[at].text for at in part.words]
    elif part.kind == SETTING:
        result["setting"] = setting_json(launch.settings[part.name])
    if part.void:
        result["void"] = part.void
    return result
