"""From what a log holds to failures: which of the known ones, how sure, and what its numbers mean."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence

from recipelint.logs.diagnosis import Diagnosis, Found, Reading
from recipelint.logs.prefixes import Process
from recipelint.logs.recompute import Tensor
from recipelint.logs.scan import MOST_KEPT, MOST_TENSORS, Hit, Mismatch, Scan, named
from recipelint.logs.widths import explain
from recipelint.ruleset.failures import Failure, failure_from, logs_from
from recipelint.ruleset.load import Ruleset

Facts = Mapping[str, tuple[str, ...]]


class Diagnoser:
    """The known failures."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.failures = [failure_from(plain) for plain in ruleset.failures.values()]
        self.logs = logs_from(ruleset.logs)

    def diagnose(self, path: str, read: Callable[[int], bytes]) -> Diagnosis:
        """What the log at PATH says; what was read before an error counts."""
        scan = Scan(self.failures, self.logs)
        unreadable = ""
        try:
            scan.run(read)
        except (OSError, EOFError, zlib.error) as error:
            unreadable = getattr(error, "strerror", None) or str(error)
        facts = dict(named(scan.values))
        found = [made for failure in self.failures if (made := self.one(failure, scan, facts)) is not None]
        names = {one.failure.name for one in found}
        kept = [one for one in found if not names & set(one.failure.yields_to)]
        kept.sort(key=lambda one: one.lines[0].number)
        cut = tuple(one.lines[0].number for one in scan.mismatches if not one.shown)
        return Diagnosis(path, tuple(kept), facts, cut, unreadable, scan.partial)

    def one(self, failure: Failure, scan: Scan, facts: Facts) -> Found | None:
        """A failure as the log has it; None where it has not."""
        if failure.found == "line":
            hits = [hit for hit in scan.hits if hit.failure == failure.name]
            hits = [hit for hit in hits if hit.first_step or not failure.first_step]
            found = of_hits(failure, hits) if hits else None
        else:
            drifting = failure.differs == "tokens"
            messages = [one for one in scan.mismatches if one.shown and (one.counts is not None) == drifting]
            found = of_messages(failure, messages, facts) if messages else None
        return judged(found, facts) if found is not None else None


def of_hits(failure: Failure, hits: Sequence[Hit]) -> Found:
    """A failure that stands in lines."""
    lines = tuple(line for hit in hits for line in hit.lines)[:MOST_KEPT]
    processes = tuple(dict.fromkeys(hit.process for hit in hits))
    return Found(failure, failure.certainty, lines, len(hits), processes, details=hits[0].details)


def of_messages(failure: Failure, messages: Sequence[Mismatch], facts: Facts) -> Found:
    """A failure of PyTorch's comparison. An exception that is printed again for the same process is one."""
    readings: dict[tuple[object, ...], Reading] = {}
    tensors: dict[tuple[object, ...], tuple[Process, Tensor]] = {}
    for message in messages:
        counts = message.counts
        if counts is not None:
            reading = Reading(message.process, message.lines[0].number, *counts)
            readings.setdefault((message.process, *counts), reading)
        for tensor in message.tensors:
            trailing = (tensor.saved.shape or ())[1:] if counts is not None else tensor[1:]
            key = (tensor.position, trailing, tensor.saved.dtype)
            tensors.setdefault(key, (message.process, tensor))
    made = tuple(tensors.values())[:MOST_TENSORS]
    widths = {}
    if readings:
        shapes = [(tensor.position, tensor.saved.shape) for _, tensor in made]
        widths = explain([(position, shape[1]) for position, shape in shapes if shape and len(shape) == 2], facts)
    processes = tuple(dict.fromkeys(message.process for message in messages))
    return Found(
        failure,
        failure.certainty,
        messages[0].lines,
        len(messages),
        processes,
        tuple(readings.values()),
        made,
        widths,
    )


def judged(found: Found, facts: Facts) -> Found | None:
    """A failure with what the log says for and against it; None where that leaves nothing of a mere possibility."""
    notes = []
    certainty = found.certainty
    against = [(name, v) for name, vs in found.failure.contradicted_by.items() for v in facts.get(name, ()) if v in vs]
    for_it = [(name, v) for name, vs in found.failure.confirmed_by.items() for v in facts.get(name, ()) if v in vs]
    if against and not for_it:
        if certainty == "possible":
            return None
        certainty = "possible"
        notes += [f"the log names {name} {value}, with which this failure is not known" for name, value in against]
    elif for_it and not against:
        certainty = "certain"
        notes += [f"the log names {name} {value}" for name, value in for_it]
    elif for_it and against:
        notes.append("the log names " + " and ".join(f"{name} {value}" for name, value in (*for_it, *against)))
    elif found.failure.confirmed_by:
        notes.append("the log does not name the dispatcher; it is inferred from the shapes")
    if found.readings and len({(one.forward, one.recompute) for one in found.readings}) > 1:
        notes.append("the counts differ from rank to rank, as samples of their own length make them")
    return found._replace(certainty=certainty, notes=tuple(notes))
