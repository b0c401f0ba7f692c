"""A table written for a terminal, as Markdown, as JSON or as CSV."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from recipelint.report import grid
from recipelint.report.json_ import VERSION, dump
from recipelint.report.markdown import cell
from recipelint.report.merging import Texts, merged
from recipelint.report.plain import inert, neutralise
from recipelint.report.style import BOLD, DIM, GREEN, RED, YELLOW, Stream
from recipelint.report.table import Table
from recipelint.report.totals import nothing_read
from recipelint.report.wrap import paragraph

NAMED = 5
"""How many launchers without a launch are named; the others are counted."""
LONGEST = 300
_LINE = re.compile(r"\(line ([0-9]+)\)\Z")
_NUMBER = re.compile(r"[-+]?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?\Z")
_FORMULA = re.compile(r"(?:\A|(?<=;))(?= *[=+@\uff1d\uff0b\uff0d\uff20-])")
SHORT: Mapping[str, str] = {
    "tensor_parallel_size": "tp",
    "context_parallel_size": "cp",
    "pipeline_parallel_size": "pp",
    "expert_parallel_size": "ep",
    "sequence_parallel": "sp",
    "activation_checkpointing": "ckpt",
    "moe_dispatcher": "dispatcher",
    "moe_experts_backend": "experts",
    "moe_reshard_after_forward": "reshard",
    "attention_backend": "attention",
    "micro_batch_size": "micro",
    "global_batch_size": "global",
    "rollout_batch_size": "rollout",
    "samples_per_prompt": "samples",
}
"""Heads for a terminal that is too narrow for the names of the settings."""


def terminal(table: Table, stream: Stream) -> str:
    """Aligned columns, without the folder that all recipes share; on a narrow terminal with less words, and wrapped."""
    silent = _without_launch(table, stream)
    if not table.rows:
        return inert(silent) or nothing_read(table.excluded)
    shown = merged(table)
    folder = _folder(shown) if "recipe" in shown.columns else ""
    rows = [shown.columns, *(_without(folder, row, shown.columns) for row in shown.rows)]
    if not grid.fits(rows, stream.width):
        rows[0] = tuple(SHORT.get(name, name) for name in shown.columns)
    legend = [f"in {neutralise(folder)}"] if folder else []
    if not grid.fits(rows, stream.width):
        rows[1:] = [tuple(_LINE.sub(r":\1", text) for text in row) for row in rows[1:]]
        legend.append(":9 is line 9 of the recipe")

    def paint(column: int, whole: str, text: str) -> str:
        return stream.paint(text, _colour(whole)) if shown.columns[column] == "verdict" else text

    head, *body = grid.lay_out(rows, stream.width, paint)
    lines = [stream.paint("; ".join(legend), DIM)] if legend else []
    text = "".join(f"{line}\n" for line in [*lines, head, *body])
    return inert(f"{text}\n{silent}" if silent else text)


def _colour(verdict: str) -> str:
    if verdict == "verdict":
        return BOLD
    if verdict == "ok":
        return GREEN
    return RED if "error" in verdict else YELLOW


def _folder(shown: Texts) -> str:
    """The folder that all launchers are in, with a slash at its end; empty if there is none."""
    first, *others = (path.split("/")[:-1] for path in shown.paths)
    count = len(first)
    for parts in others:
        pairs = zip(first[:count], parts, strict=False)
        count = next((at for at, (one, other) in enumerate(pairs) if one != other), min(count, len(parts)))
    return "/".join([*first[:count], ""]) if any(first[:count]) else ""


def _without(folder: str, row: Sequence[str], columns: Sequence[str]) -> tuple[str, ...]:
    """A row whose recipe is named from FOLDER on; what is too long to be read there is cut in its middle."""
    texts = [
        text.removeprefix(neutralise(folder)) if name == "recipe" else text
        for name, text in zip(columns, row, strict=True)
    ]
    return tuple(map(_cut, texts))


def _cut(text: str) -> str:
    """TEXT as far as it can be read in a cell."""
    half = LONGEST // 2
    return f"{text[:half]}...{text[-half:]}" if len(text) > LONGEST else text


def _without_launch(table: Table, stream: Stream) -> str:
    if not table.without_launch:
        return ""
    names = ", ".join(map(neutralise, table.without_launch[:NAMED]))
    more = len(table.without_launch) - NAMED
    if more > 0:
        names += f" and {more} more"
    lines = paragraph(f"No trainer that recipelint knows is launched by {names}", stream.width)
    return "".join(stream.paint(line, DIM) + "\n" for line in lines)


def markdown(table: Table) -> str:
    """A Markdown table; what Markdown would take for markup is in code spans."""
    shown = merged(table)
    rows = [
        shown.columns,
        ["---"] * len(shown.columns),
        *([cell(_cut(text)) for text in row] for row in shown.rows),
    ]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def json(table: Table) -> str:
    """The JSON that `recipelint.report.table` describes."""
    rows = [
        {**{name: cell.json for name, cell in zip(table.columns, row.cells, strict=True)}, "when": list(row.when)}
        for row in table.rows
    ]
    return dump({"version": VERSION, "columns": list(table.columns), "rows": rows})


def csv(table: Table) -> str:
    """Comma-separated values with a header line; a setting takes three columns: NAME, NAME_line, NAME_origin."""
    import csv as writer
    from io import StringIO

    out = StringIO()
    lines = writer.writer(out, lineterminator="\n")
    if not table.rows:
        lines.writerow(table.columns)
    for number, row in enumerate(table.rows):
        named = list(zip(table.columns, row.cells, strict=True))
        if number == 0:
            lines.writerow([column + ending for column, cell in named for ending in cell.fields])
        lines.writerow([_inactive(neutralise(str(value))) for _, cell in named for value in cell.fields.values()])
    return inert(out.getvalue())


def _inactive(text: str) -> str:
    """TEXT that no spreadsheet takes for a formula, also where a semicolon parts its cells; a number stays one."""
    return text if _NUMBER.match(text) else _FORMULA.sub("'", text)


WRITERS: Mapping[str, Callable[[Table], str]] = {"markdown": markdown, "json": json, "csv": csv}
"""How a table is written to a file, by the name of the format."""
