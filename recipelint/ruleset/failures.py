"""Failures of training runs, and what else a log tells: the named tuples of what `check_failures` has accepted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Pattern(NamedTuple):
    """Text that stands in a line as it is, and what must follow it."""

    needle: str
    then: str


class Fact(NamedTuple):
    """Something that a log says of the run."""

    name: str
    means: str
    patterns: tuple[Pattern, ...]


class Logs(NamedTuple):
    """What a log tells beside its failures; see rules/logs.yaml."""

    prefixes: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    progress: tuple[Pattern, ...] = ()


class Failure(NamedTuple):
    """One way in which a run fails.

    found            recompute (PyTorch's comparison of checkpointed tensors) or line (one of `signatures`)
    differs          of recompute: tokens (the first dimension alone, by the same everywhere), or otherwise
    first_step       only before a training step was complete, and where the log says so
    confirmed_by     facts that make it certain; contradicted_by: those that make it merely possible
    yields_to        other failures that explain this one where they are found as well
    """

    name: str
    summary: str
    found: str
    differs: str
    signatures: tuple[Pattern, ...]
    first_step: bool
    certainty: str
    confirmed_by: Mapping[str, tuple[str, ...]]
    contradicted_by: Mapping[str, tuple[str, ...]]
    yields_to: tuple[str, ...]
    meaning: str
    cause: str
    cures: tuple[str, ...]
    references: tuple[str, ...]
    rule: str


def failure_from(plain: Mapping[str, Any]) -> Failure:
    """The failure of a checked mapping."""
    return Failure(
        name=plain["name"],
        summary=plain["summary"],
        found=plain["found"],
        differs=plain.get("differs", ""),
        signatures=tuple(Pattern(**one) for one in plain.get("signatures", ())),
        first_step="when" in plain,
        certainty=plain["certainty"],
        confirmed_by={name: tuple(values) for name, values in plain.get("confirmed_by", {}).items()},
        contradicted_by={name: tuple(values) for name, values in plain.get("contradicted_by", {}).items()},
        yields_to=tuple(plain.get("yields_to", ())),
        meaning=plain["meaning"],
        cause=plain["cause"],
        cures=tuple(plain["cures"]),
        references=tuple(plain["references"]),
        rule=plain.get("rule", ""),
    )


def logs_from(plain: Mapping[str, Any]) -> Logs:
    """The knowledge of a checked mapping."""
    facts = plain.get("facts", {})
    return Logs(
        tuple(plain.get("prefixes", ())),
        tuple(plain.get("suffixes", ())),
        tuple(
            Fact(name, fact["means"], tuple(Pattern(**one) for one in fact["patterns"])) for name, fact in facts.items()
        ),
        tuple(Pattern(**one) for one in plain.get("progress", ())),
    )
