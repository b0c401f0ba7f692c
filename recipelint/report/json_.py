"""Output for programs: version 1 of the JSON of check and show.

Lines and columns are 1-based, columns in characters; edit offsets are bytes. Text stays what it was: JSON escapes it,
and a workflow command in a string is written with an escape too, so that a CI log does not obey it. Keys may be added
within a version; none is removed or changes its meaning.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from recipelint.diagnostic import Diagnostic, Severity
from recipelint.fix import Fix
from recipelint.outcome import Fixed, Outcome, Unreadable
from recipelint.recipe.model import Argument, Launch, Launcher, Setting
from recipelint.report.plain import MARKERS
from recipelint.report.report import Report
from recipelint.source import Location, Position

VERSION = 1
Json = dict[str, Any]


def report(given: Report) -> str:
    """The JSON of `recipelint check`."""
    if given.statistics:
        from recipelint.report import statistics

        return dump(statistics.as_json(given.outcome, unsafe=given.unsafe))
    return check(given.outcome)


def check(outcome: Outcome) -> str:
    """The JSON of an outcome."""
    return dump(check_json(outcome))


def check_json(outcome: Outcome) -> Json:
    severities = [diagnostic.severity for diagnostic in outcome.diagnostics]
    kept = {"baselined": len(outcome.baselined), "stale": len(outcome.stale)}
    return {
        "version": VERSION,
        "diagnostics": [diagnostic_json(diagnostic) for diagnostic in outcome.diagnostics],
        "fixes": [_made(fix) for fix in outcome.fixed],
        **_kept(outcome),
        "unreadable": unreadable_json(outcome.unreadable),
        "summary": {
            "files": outcome.files,
            "launches": outcome.judged,
            "fixed": len(outcome.fixed),
            "errors": severities.count(Severity.ERROR),
            "warnings": severities.count(Severity.WARNING),
            "infos": severities.count(Severity.INFO),
            **_unchanged(outcome),
            **(kept if any(kept.values()) else {}),
        },
    }


def _kept(outcome: Outcome) -> Json:
    """What only some runs have: comments and a baseline that were written, and what a baseline has too much."""
    found: Json = {}
    if outcome.ignored:
        found["ignores"] = [{**one._asdict(), "codes": list(one.codes)} for one in outcome.ignored]
    if outcome.stale:
        found["stale"] = [one._asdict() for one in outcome.stale]
    if outcome.written is not None:
        found["baseline"] = outcome.written._asdict()
    return found


def show(outcome: Outcome) -> str:
    """The JSON of `recipelint show`."""
    files = [launcher_json(launcher) for launcher in outcome.launchers]
    return dump(
        {"version": VERSION, "files": files, "unreadable": unreadable_json(outcome.unreadable), **_unchanged(outcome)}
    )


def dump(value: Json | list[Json]) -> str:
    """VALUE as ASCII JSON, ended by a newline, in which no CI log finds a workflow command."""
    return _inert(json.dumps(value, indent=2, ensure_ascii=True)) + "\n"


def line(value: object) -> str:
    """The same in one line, without a newline."""
    return _inert(json.dumps(value, ensure_ascii=True))


def _inert(text: str) -> str:
    return MARKERS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def diagnostic_json(diagnostic: Diagnostic) -> Json:
    result: Json = {
        "code": diagnostic.code,
        "name": diagnostic.name,
        "severity": diagnostic.severity.word,
        "confidence": diagnostic.confidence.value,
        **location_json(diagnostic.location),
        "message": diagnostic.message,
        "help": diagnostic.help,
        "url": diagnostic.url,
        "related": [{**location_json(label.location), "label": label.text} for label in diagnostic.related],
        "fix": fix_json(diagnostic.fix) if diagnostic.fix else None,
    }
    if diagnostic.label:
        result["label"] = diagnostic.label
    if diagnostic.note:
        result["note"] = diagnostic.note
    return result


def _made(fix: Fixed) -> Json:
    made: Json = {"path": fix.path, "line": fix.line, "code": fix.code, "title": fix.title}
    return {**made, "note": fix.note} if fix.note else made


def fix_json(fix: Fix) -> Json:
    return {
        "title": fix.title,
        "applicability": fix.applicability.word,
        "edits": [
            {
                "path": edit.path,
                "start": edit.start,
                "end": edit.end,
                "replacement": edit.replacement.decode("utf-8", "surrogateescape"),
            }
            for edit in fix.edits
        ],
    }


def launcher_json(launcher: Launcher) -> Json:
    return {
        "path": launcher.source.path,
        "complete": launcher.complete,
        "needs": list(launcher.needs),
        "diagnostics": [diagnostic_json(diagnostic) for diagnostic in launcher.diagnostics],
        "launches": [launch_json(launch) for launch in launcher.launches],
    }


def launch_json(launch: Launch) -> Json:
    return {
        "entry_point": launch.entry_point,
        "framework": launch.framework,
        "wrappers": list(launch.wrappers),
        **location_json(launch.location),
        "certain": launch.certain,
        "when": list(launch.when),
        "argv": [argument_json(argument) for argument in launch.argv],
        "env": {
            name: None if value.text is None else _marked({"text": value.text}, unknown=value.unknown)
            for name, value in launch.env.items()
        },
        "settings": {name: setting_json(setting) for name, setting in launch.settings.items()},
    }


def argument_json(argument: Argument) -> Json:
    return _marked({"text": argument.text}, unknown=argument.unknown, many=argument.many)


def setting_json(setting: Setting) -> Json:
    result: Json = {"value": setting.value, "source": setting.source, "override": setting.override}
    if setting.location:
        result.update(location_json(setting.location))
    if setting.choices:
        result["choices"] = list(setting.choices)
    if setting.detail:
        result["detail"] = setting.detail
    if setting.read_from:
        result["read_from"] = setting.read_from
    if setting.operands:
        result["operands"] = {operand.name: setting_json(operand) for operand in setting.operands}
    return result


def location_json(location: Location) -> Json:
    return {
        "path": location.path,
        "start": _position_json(location.start),
        "end": _position_json(location.end),
    }


def _position_json(position: Position) -> Json:
    return {"line": position.line, "column": position.column}


def _marked(result: Json, **marks: bool) -> Json:
    """RESULT with the marks that hold; a mark that does not is left out."""
    return {**result, **{name: True for name, holds in marks.items() if holds}}


def _unchanged(outcome: Outcome) -> Json:
    """How many launchers no change reaches, where only the others were asked for."""
    return {} if outcome.unchanged is None else {"unchanged": len(outcome.unchanged)}


def unreadable_json(unreadable: Sequence[Unreadable]) -> list[Json]:
    return [{"path": one.path, "reason": one.reason} for one in unreadable]
