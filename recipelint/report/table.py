"""Recipes by settings: a row for each launch, a column for each setting that is asked for, and a verdict.

A cell has a text for people, and fields for programs. The JSON, version 1, is `{"version", "columns", "rows"}`, where a
row has one key a column: `recipe` is {"path", "line"} of the launch; a setting is null where the launch has none, else
as in `recipelint show` ({"value", "source", "override", "path", "start", "end", ...}); `verdict` is {"text",
"diagnostics": [{"code", "severity", "confidence"}]}; `framework`, `entry_point` and `wrappers` are as in show.
In CSV, `recipe` takes the columns recipe and recipe_line, and a setting NAME, NAME_line and NAME_origin.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from recipelint.diagnostic import Confidence, Diagnostic
from recipelint.outcome import Outcome
from recipelint.recipe.model import Launch, Launcher, Setting
from recipelint.report import words
from recipelint.report.json_ import setting_json
from recipelint.report.plain import neutralise

DEFAULT_COLUMNS = ("recipe", "expert_parallel_size", "activation_checkpointing", "moe_dispatcher", "verdict")


@dataclass(frozen=True, slots=True)
class Cell:
    """TEXT for people, already neutralised; FIELDS for CSV, by the ending of their column's name; JSON for programs."""

    text: str
    json: Any
    fields: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Table:
    """Its columns, its rows, and the files without a launch of a known trainer."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    without_launch: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Row:
    launcher: Launcher
    launch: Launch
    diagnostics: tuple[Diagnostic, ...]

    @property
    def path(self) -> str:
        return self.launcher.source.path


def table(outcome: Outcome, columns: Sequence[str] = DEFAULT_COLUMNS) -> Table:
    """The table of every launch of a known trainer, in the order of the files."""
    rows = [
        _Row(launcher, launch, _belonging(launch, outcome.diagnostics))
        for launcher in outcome.launchers
        for launch in launcher.known
    ]
    return Table(
        tuple(columns),
        tuple(tuple(_cell(column, row) for column in columns) for row in rows),
        tuple(launcher.source.path for launcher in outcome.launchers if not launcher.known),
    )


def _belonging(launch: Launch, diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The diagnostics that are about the launch."""
    return tuple(one for one in diagnostics if launch.key in one.about)


def _cell(column: str, row: _Row) -> Cell:
    return COLUMNS[column](row) if column in COLUMNS else _setting(row.launch.settings.get(column), row)


def _recipe(row: _Row) -> Cell:
    """The launcher, with the line of the launch where there are several."""
    line = row.launch.location.start.line
    text = neutralise(row.path)
    if len(row.launcher.known) > 1:
        text += f":{line}"
    return Cell(text, {"path": row.path, "line": line}, {"": row.path, "_line": line})


def _setting(setting: Setting | None, row: _Row) -> Cell:
    """`8 (line 57)`, `hybridep (molt's default)`; the fields tell the origin in full."""
    if setting is None:
        return Cell("-", None, {"": "", "_line": "", "_origin": ""})
    value = words.value(setting)
    line = setting.location.start.line if setting.location else ""
    origin = words.origin(setting, row.path)
    if not setting.location:
        default = setting.source == "trainer-default" and row.launch.framework
        where = f"{neutralise(default)}'s default" if default else words.source(setting)
    elif setting.location.path == row.path:
        where = f"line {line}"
    else:
        where = words.place(setting, row.path)
    text = f"{value} ({where})" if where else value
    return Cell(text, setting_json(setting), {"": value, "_line": line, "_origin": origin})


def _verdict(row: _Row) -> Cell:
    """`EP001 error`, `EP001 possible error`, `incomplete`, `ok`."""
    said = {(one.code, one.severity, one.confidence): None for one in row.diagnostics}
    texts = [
        f"{neutralise(code)} {'possible ' if confidence is Confidence.POSSIBLE else ''}{severity.word}"
        for code, severity, confidence in said
    ]
    if not row.launcher.complete:
        texts.append("incomplete")
    text = ", ".join(texts) or "ok"
    found = [
        {"code": code, "severity": severity.word, "confidence": confidence.value} for code, severity, confidence in said
    ]
    return Cell(text, {"text": text, "diagnostics": found}, {"": text})


def _plain(get: Callable[[Launch], str | None]) -> Callable[[_Row], Cell]:
    def cell(row: _Row) -> Cell:
        text = get(row.launch)
        return Cell(neutralise(text) if text else "-", text, {"": text or ""})

    return cell


def _wrappers(row: _Row) -> Cell:
    text = " > ".join(map(neutralise, row.launch.wrappers))
    return Cell(text or "-", list(row.launch.wrappers), {"": text})


COLUMNS: Mapping[str, Callable[[_Row], Cell]] = {
    "recipe": _recipe,
    "framework": _plain(lambda launch: launch.framework),
    "entry_point": _plain(lambda launch: launch.entry_point),
    "wrappers": _wrappers,
    "verdict": _verdict,
}
"""The columns that are no settings."""
