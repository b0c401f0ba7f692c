"""Recipes by settings: a row for each launch, a column for each setting that is asked for, and a verdict.

A cell has a text for people, and fields for programs. The JSON, version 1, is `{"version", "columns", "rows"}`, where a
row has one key a column, and `when`: `recipe` is {"path", "line"} of the launch; a setting is null where the launch has
none, else as in `recipelint show` ({"value", "source", "override", "path", "start", "end", ...}); `verdict` is {"text",
"diagnostics": [{"code", "severity", "confidence"}], "ignored": [code], "undecided": [{"code", "settings"}]}, and
"not_selected": [code] where a rule that nobody selects would find something, "baselined": [code] where the baseline
keeps something quiet; `when`, `framework`, `entry_point` and `wrappers` are as in show.
In CSV, `recipe` takes the columns recipe and recipe_line, and a setting NAME, NAME_line and NAME_origin.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
class Row:
    """The cells of one launch, by its file, its place, and the conditions under which it is made."""

    path: str
    place: tuple[object, ...]
    when: tuple[str, ...]
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Its columns, its rows, and the files without a launch of a known trainer."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    without_launch: tuple[str, ...]
    excluded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Subject:
    """What a row is about: a launch, what was found in it, what of that is kept quiet, and what is undecided."""

    launcher: Launcher
    launch: Launch
    diagnostics: tuple[Diagnostic, ...]
    ignored: tuple[str, ...]
    undecided: tuple[tuple[str, tuple[str, ...]], ...]
    baselined: tuple[str, ...] = ()
    not_selected: tuple[str, ...] = ()
    unjudged: str = ""

    @property
    def path(self) -> str:
        return self.launcher.source.path


def table(
    outcome: Outcome, columns: Sequence[str] = DEFAULT_COLUMNS, unjudged: Callable[[Launch], str] = lambda launch: ""
) -> Table:
    """The table of every launch of a known trainer, in the order of the files.

    UNJUDGED tells why no rule about settings has judged a launch; empty where one has.
    """
    return Table(
        tuple(columns),
        tuple(
            _row(columns, _subject(launcher, launch, outcome, unjudged))
            for launcher in outcome.launchers
            for launch in launcher.known
        ),
        tuple(launcher.source.path for launcher in outcome.launchers if not launcher.known),
        outcome.excluded,
    )


def _subject(launcher: Launcher, launch: Launch, outcome: Outcome, unjudged: Callable[[Launch], str]) -> _Subject:
    hidden = dict.fromkeys(one.code for one in outcome.hidden if launch.key in one.about)
    commented = {one.code for one in outcome.commented if launch.key in one.about}
    unselected = outcome.unselected - commented
    undecided = {code: (code, settings) for key, code, settings in outcome.undecided if key == launch.key}
    return _Subject(
        launcher,
        launch,
        tuple(one for one in outcome.diagnostics if launch.key in one.about),
        tuple(code for code in hidden if code not in unselected),
        tuple(undecided.values()),
        tuple(dict.fromkeys(one.code for one in outcome.baselined if launch.key in one.about)),
        tuple(code for code in hidden if code in unselected),
        unjudged(launch),
    )


def _row(columns: Sequence[str], subject: _Subject) -> Row:
    launch = subject.launch
    made = tuple(_said_once(_cell(column, subject) for column in columns))
    return Row(subject.path, (launch.location.key, launch.trainer.key), launch.when, made)


def _said_once(cells: Iterable[Cell]) -> Iterator[Cell]:
    """The cells of a row; why values are unknown is said at the first of them that it holds for."""
    said: set[str] = set()
    for cell in cells:
        value, _, why = cell.text.partition(f"{words.UNKNOWN} (")
        if not value and why in said:
            cell = replace(cell, text=words.UNKNOWN)
        if not value:
            said.add(why)
        yield cell


def _cell(column: str, row: _Subject) -> Cell:
    return COLUMNS[column](row) if column in COLUMNS else _setting(row.launch.settings.get(column), row)


def _recipe(row: _Subject) -> Cell:
    """The launcher, with the line of the launch where there are launches on several lines."""
    line = row.launch.location.start.line
    text = neutralise(row.path)
    if len({launch.location.key for launch in row.launcher.known}) > 1:
        text += f":{line}"
    return Cell(text, {"path": row.path, "line": line}, {"": row.path, "_line": line})


def _setting(setting: Setting | None, row: _Subject) -> Cell:
    """`8 (line 57)`, `hybridep (default)`, `16 (derived)`; the fields tell the origin in full."""
    if setting is None:
        return Cell("-", None, {"": "", "_line": "", "_origin": ""})
    value = words.value(setting)
    line = setting.location.start.line if setting.location else ""
    origin = words.origin(setting, row.path)
    if setting.operands and not setting.location:
        where = "derived"
    elif not setting.location:
        where = "default" if setting.source == "trainer-default" else words.source(setting)
    elif setting.location.path == row.path:
        where = f"line {line}"
    else:
        where = words.place(setting, row.path)
    text = f"{value} ({where})" if where else value
    return Cell(text, setting_json(setting), {"": value, "_line": line, "_origin": origin})


def _verdict(row: _Subject) -> Cell:
    """`EP001 error`, `EP001 possible error`, `EP001 ignored`, `EP001 not selected`, `EP001 in the baseline`, …"""
    said = {(one.code, one.severity, one.confidence): None for one in row.diagnostics}
    texts = [
        f"{neutralise(code)} {'possible ' if confidence is Confidence.POSSIBLE else ''}{severity.word}"
        for code, severity, confidence in said
    ]
    texts += [f"{neutralise(code)} ignored" for code in row.ignored]
    texts += [f"{neutralise(code)} not selected" for code in row.not_selected]
    texts += [f"{neutralise(code)} in the baseline" for code in row.baselined]
    texts += [f"{neutralise(code)} undecided" for code, _ in row.undecided]
    if not row.launcher.complete:
        texts.append("incomplete")
    text = ", ".join(texts) or row.unjudged or "ok"
    json = {
        "text": text,
        "diagnostics": [
            {"code": code, "severity": severity.word, "confidence": confidence.value}
            for code, severity, confidence in said
        ],
        "ignored": list(row.ignored),
        "undecided": [{"code": code, "settings": list(settings)} for code, settings in row.undecided],
        **({"not_selected": list(row.not_selected)} if row.not_selected else {}),
        **({"baselined": list(row.baselined)} if row.baselined else {}),
    }
    return Cell(text, json, {"": text})


def _when(row: _Subject) -> Cell:
    text = conditions(row.launch.when)
    return Cell(text or "-", list(row.launch.when), {"": text})


def conditions(when: Sequence[str]) -> str:
    """The conditions of a launch in one line."""
    return "; ".join(map(neutralise, when))


def _plain(get: Callable[[Launch], str | None]) -> Callable[[_Subject], Cell]:
    def cell(row: _Subject) -> Cell:
        text = get(row.launch)
        return Cell(neutralise(text) if text else "-", text, {"": text or ""})

    return cell


def _wrappers(row: _Subject) -> Cell:
    text = " > ".join(map(neutralise, row.launch.wrappers))
    return Cell(text or "-", list(row.launch.wrappers), {"": text})


COLUMNS: Mapping[str, Callable[[_Subject], Cell]] = {
    "recipe": _recipe,
    "framework": _plain(lambda launch: launch.framework),
    "entry_point": _plain(lambda launch: launch.entry_point),
    "wrappers": _wrappers,
    "when": _when,
    "verdict": _verdict,
}
"""The columns that are no settings."""
