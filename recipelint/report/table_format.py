"""A table written for a terminal, as Markdown, as JSON or as CSV."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from recipelint.report.json_ import VERSION, dump
from recipelint.report.plain import inert, neutralise
from recipelint.report.style import BOLD, DIM, GREEN, RED, Stream, cells, char_cells, pad
from recipelint.report.table import Table

GAP = "  "
NARROWEST = 8
_MARKDOWN = re.compile(r"[\\`*\[\]<>|]")


def terminal(table: Table, stream: Stream) -> str:
    """Aligned columns; where they are wider than the terminal, the widest are wrapped."""
    if not table.rows:
        return _without_launch(table, stream) or "No launchers were read\n"
    body = [[cell.text for cell in row] for row in table.rows]
    widths = [max(cells(row[column]) for row in [list(table.columns), *body]) for column in range(len(table.columns))]
    if stream.width:
        _shrink(widths, stream.width - len(GAP) * (len(widths) - 1))
    rows = [
        _row(table.columns, table.columns, widths, Stream()),
        *(_row(row, table.columns, widths, stream) for row in body),
    ]
    rows[0] = stream.paint(rows[0], BOLD)
    text = "\n".join(rows) + "\n"
    silent = _without_launch(table, stream)
    return inert(f"{text}\n{silent}" if silent else text)


def _without_launch(table: Table, stream: Stream) -> str:
    names = ", ".join(map(neutralise, table.without_launch))
    return stream.paint(f"Nothing is launched by {names}", DIM) + "\n" if names else ""


def _shrink(widths: list[int], room: int) -> None:
    """Take from the widest column until the columns fit, or none is wider than the narrowest allowed."""
    while sum(widths) > room and max(widths) > NARROWEST:
        widths[widths.index(max(widths))] -= 1


def _row(texts: Sequence[str], columns: Sequence[str], widths: Sequence[int], stream: Stream) -> str:
    wrapped = [_wrap(text, width) for text, width in zip(texts, widths, strict=True)]
    lines = []
    for index in range(max(map(len, wrapped))):
        parts = [part[index] if index < len(part) else "" for part in wrapped]
        padded = [pad(part, width) for part, width in zip(parts, widths, strict=True)]
        padded[-1] = parts[-1]
        if "verdict" in columns:
            at = columns.index("verdict")
            padded[at] = stream.paint(padded[at], GREEN if texts[at] == "ok" else RED)
        lines.append(GAP.join(padded).rstrip())
    return "\n".join(lines)


def _wrap(text: str, width: int) -> list[str]:
    """TEXT in lines of at most WIDTH cells, broken after a space, a slash or an underscore where one is near."""
    lines = []
    while cells(text) > width:
        end = used = 0
        while end < len(text) and used + char_cells(text[end]) <= width:
            used += char_cells(text[end])
            end += 1
        end = max(end, 1)
        softer = max(text.rfind(" ", 0, end + 1), *(text.rfind(char, 0, end) for char in "/_")) + 1
        end = softer if softer > end // 3 else end
        lines.append(text[:end].rstrip())
        text = text[end:].lstrip()
    return [*lines, text] if text or not lines else lines


def markdown(table: Table) -> str:
    """A Markdown table; what Markdown would take for markup is escaped."""
    rows = [
        list(table.columns),
        ["---"] * len(table.columns),
        *([_MARKDOWN.sub(r"\\\g<0>", cell.text) for cell in row] for row in table.rows),
    ]
    return inert("".join(f"| {' | '.join(row)} |\n" for row in rows))


def json(table: Table) -> str:
    """The JSON that `recipelint.report.table` describes."""
    rows = [{name: cell.json for name, cell in zip(table.columns, row, strict=True)} for row in table.rows]
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
        named = list(zip(table.columns, row, strict=True))
        if number == 0:
            lines.writerow([column + ending for column, cell in named for ending in cell.fields])
        lines.writerow([neutralise(str(value)) for _, cell in named for value in cell.fields.values()])
    return inert(out.getvalue())


WRITERS: Mapping[str, Callable[[Table], str]] = {"markdown": markdown, "json": json, "csv": csv}
"""How a table is written to a file, by the name of the format."""
