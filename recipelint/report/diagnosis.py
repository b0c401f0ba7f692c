"""Failures of training logs, for a person: the lines, what they mean, the cause and the ways out; and for a program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from recipelint.logs.diagnosis import Diagnosis, Found
from recipelint.logs.prefixes import Process
from recipelint.logs.recompute import Metadata, Tensor
from recipelint.report.json_ import VERSION, Json, dump
from recipelint.report.plain import inert, neutralise
from recipelint.report.style import BLUE, BOLD, CYAN, GREEN, RED, YELLOW, Stream, plural
from recipelint.report.wrap import paragraph

SHOWN_LINES, SHOWN_RANKS, SHOWN_TENSORS, WIDEST = 6, 16, 12, 160
_COLOURS = {"certain": RED, "likely": YELLOW, "possible": CYAN}


def text(diagnoses: Sequence[Diagnosis], stream: Stream, *, quiet: bool) -> str:
    """Every failure, an empty line after each, and how many there are."""
    made = "".join(failure_text(one.path, found, stream) + "\n" for one in diagnoses for found in one.found)
    if quiet:
        return made
    count = sum(len(one.found) for one in diagnoses)
    read = [one for one in diagnoses if one.found or not one.unreadable]
    if not read:
        return made
    where = f" in {plural(len(read), 'log')}"
    if not count:
        return f"{stream.paint('No known failure', GREEN)}{where}\n"
    return made + stream.paint(f"Found {plural(count, 'known failure')}", BOLD) + f"{where}\n"


def failure_text(path: str, found: Found, stream: Stream) -> str:
    """One failure, ended by a newline."""
    failure = found.failure
    head = f"{failure.name} ({found.certainty})"
    first, *others = paragraph(failure.summary, stream.width, head + ": ", "    ")
    rows = [stream.paint(head, _COLOURS[found.certainty]) + stream.paint(first[len(head) :], BOLD)]
    rows += [stream.paint(line, BOLD) for line in others]
    shown = found.lines[:SHOWN_LINES]
    gutter = len(str(max(line.number for line in shown)))
    bar = stream.paint(" " * gutter + " |", BLUE)
    place = stream.place(f"{neutralise(path)}:{shown[0].number}", path, shown[0].number)
    rows += [f"{stream.paint(' ' * gutter + '-->', BLUE)} {place}", bar]
    room = max(20, (stream.width or WIDEST) - gutter - 3)
    for line in shown:
        rows.append(f"{stream.paint(f'{line.number:>{gutter}} |', BLUE)} {clipped(line.text, room)}".rstrip())
    if len(found.lines) > len(shown):
        rows.append(stream.paint("...", BLUE))
    rows.append(bar)
    for title, said in remarks(found):
        start = f"{' ' * gutter} = {title}: "
        lines = paragraph(neutralise(said), stream.width, start, " " * len(start))
        equals, bold = stream.paint(" " * gutter + " =", BLUE), stream.paint(f"{title}:", BOLD)
        lines[0] = f"{equals} {bold} {lines[0][len(start) :]}"
        rows += [line.rstrip() for line in lines]
    return inert("\n".join(rows)) + "\n"


def clipped(line: str, room: int) -> str:
    """The start of a line, harmless, in so many characters."""
    shown = neutralise(line[: 2 * room])
    return shown if len(shown) <= room else shown[: room - 3] + "..."


def remarks(found: Found) -> Iterator[tuple[str, str]]:
    """What there is to say of a failure, each with its title."""
    failure = found.failure
    yield "meaning", failure.meaning
    for one in found.readings[:SHOWN_RANKS]:
        counts = f"{one.forward} tokens in the forward pass, {one.recompute} in the recomputation"
        yield named(one.process), f"{counts}: a drift of {one.drift:+}"
    if len(found.readings) > SHOWN_RANKS:
        yield "and", f"{len(found.readings) - SHOWN_RANKS} more"
    for _, tensor in found.tensors[:SHOWN_TENSORS]:
        yield f"tensor {tensor.position}", tensor_words(tensor, found)
    if len(found.tensors) > SHOWN_TENSORS:
        yield "and", f"{len(found.tensors) - SHOWN_TENSORS} more tensors"
    for name, value in found.details.items():
        yield name.replace("_", " "), value
    for note in found.notes:
        yield "note", note
    yield "cause", failure.cause
    for cure in failure.cures:
        yield "cure", cure
    for link in failure.references:
        yield "see", link
    if failure.rule:
        yield "rule", f"{failure.rule}; recipelint check finds the recipes that lead here"


def named(process: Process) -> str:
    """How a person calls a process."""
    names = ([f"rank {process.rank}"] if process.rank is not None else []) + ([process.who] if process.who else [])
    return neutralise(", ".join(names)) or "a rank"


def tensor_words(tensor: Tensor, found: Found) -> str:
    """What a tensor is, or in what it differs."""
    shape = tensor.saved.shape
    if found.readings and shape is not None and len(shape) == 2 and shape[1] in found.widths:
        return f"{shape[1]} wide: {found.widths[shape[1]].words}"
    if found.readings and shape is not None and len(shape) == 1:
        return "one number for each token"
    return f"{metadata_words(tensor.saved)} was saved, {metadata_words(tensor.recomputed)} was recomputed"


def metadata_words(metadata: Metadata) -> str:
    shape = "?" if metadata.shape is None else "[" + ", ".join(map(str, metadata.shape)) + "]"
    return " ".join(word for word in (shape, metadata.dtype, metadata.device) if word)


# --- JSON ------------------------------------------------------------------------------------------------------------


def json(diagnoses: Sequence[Diagnosis]) -> str:
    """The JSON of `recipelint diagnose`."""
    return dump(
        {
            "version": VERSION,
            "logs": [
                {
                    "path": one.path,
                    "failures": [failure_json(found) for found in one.found],
                    "facts": {name: list(values) for name, values in one.facts.items()},
                    "cut": list(one.cut),
                }
                for one in diagnoses
                if one.found or not one.unreadable
            ],
            "unreadable": [{"path": one.path, "reason": one.unreadable} for one in diagnoses if one.unreadable],
        }
    )


def failure_json(found: Found) -> Json:
    failure = found.failure
    return {
        "name": failure.name,
        "certainty": found.certainty,
        "summary": failure.summary,
        "lines": [{"number": line.number, "text": line.text[: 2 * WIDEST]} for line in found.lines],
        "places": found.places,
        "processes": [_process_json(process) for process in found.processes],
        "ranks": [
            {
                **_process_json(one.process),
                "line": one.line,
                "forward_tokens": one.forward,
                "recompute_tokens": one.recompute,
                "drift": one.drift,
            }
            for one in found.readings
        ],
        "tensors": [_tensor_json(process, tensor, found) for process, tensor in found.tensors],
        "details": dict(found.details),
        "notes": list(found.notes),
        "meaning": failure.meaning,
        "cause": failure.cause,
        "cures": list(failure.cures),
        "references": list(failure.references),
        "rule": failure.rule or None,
    }


def _process_json(process: Process) -> Json:
    return {"rank": process.rank, "process": process.who}


def _tensor_json(process: Process, tensor: Tensor, found: Found) -> Json:
    shape = tensor.saved.shape
    width = found.widths.get(shape[1]) if shape is not None and len(shape) == 2 else None
    return {
        "position": tensor.position,
        **_process_json(process),
        "differs": tensor.differs,
        "saved": _metadata_json(tensor.saved),
        "recomputed": _metadata_json(tensor.recomputed),
        "width": width._asdict() if width else None,
    }


def _metadata_json(metadata: Metadata) -> Json:
    return {"shape": list(metadata.shape) if metadata.shape is not None else None, "dtype": metadata.dtype}
