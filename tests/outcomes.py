"""Outcomes built by hand: a small launcher with its launch, and diagnostics at words of it."""

from __future__ import annotations

from typing import Any

from recipelint.diagnostic import Confidence, Diagnostic, Label, Severity
from recipelint.fix import Applicability, Edit, Fix
from recipelint.outcome import Change, Fixed, Outcome
from recipelint.recipe.model import Argument, EnvironmentValue, Launch, Launcher, Setting
from recipelint.shell.text import EMPTY
from recipelint.source import Location, SourceFile, Span

LAUNCHER = """\
#!/bin/bash
EP_SIZE="${EP_SIZE:-8}"

torchrun --nproc_per_node=8 -m molt.cli.train_sft \\
  --fsdp.ep_size "$EP_SIZE" \\
  --model.gradient_checkpoint full
"""


def source(text: str = LAUNCHER, path: str = "slurm/sft.sh") -> SourceFile:
    return SourceFile(path, text.encode("utf-8", "surrogateescape"))


def at(file: SourceFile, words: str, turn: int = 1) -> Location:
    """The place of the TURNth occurrence of WORDS."""
    start = -1
    for _ in range(turn):
        start = file.data.index(words.encode(), start + 1)
    return Location(file, Span(start, start + len(words.encode())))


def between(file: SourceFile, first: str, last: str) -> Location:
    """The place from FIRST to the end of the LAST that follows it."""
    start = file.data.index(first.encode())
    return Location(file, Span(start, file.data.index(last.encode(), start) + len(last.encode())))


def diagnostic(location: Location, *related: Label, **changes: Any) -> Diagnostic:
    """An EP001 at LOCATION; CHANGES are fields of Diagnostic."""
    fields: dict[str, Any] = {
        "code": "EP001",
        "name": "full-checkpointing-under-ep-dispatcher",
        "severity": Severity.ERROR,
        "confidence": Confidence.CERTAIN,
        "location": location,
        "message": "full under hybridep",
        "related": related,
    }
    return Diagnostic(**{**fields, **changes})


def safe_fix(location: Location, replacement: bytes = b"none") -> Fix:
    edit = Edit(location.path, location.span.start, location.span.end, replacement)
    return Fix("set activation_checkpointing to none", Applicability.SAFE, (edit,))


def argument(text: str, *, unknown: bool = False, many: bool = False) -> Argument:
    return Argument(text, unknown, many, EMPTY)


def launch(file: SourceFile, **changes: Any) -> Launch:
    """The launch of LAUNCHER; CHANGES are fields of Launch."""
    start = file.data.index(b"torchrun")
    fields: dict[str, Any] = {
        "entry_point": "molt.cli.train_sft",
        "framework": "molt",
        "wrappers": ("torchrun",),
        "location": Location(file, Span(start, len(file.data.rstrip()))),
        "trainer": at(file, "torchrun"),
        "certain": True,
        "when": (),
        "argv": tuple(map(argument, ("--fsdp.ep_size", "8", "--model.gradient_checkpoint", "full"))),
        "env": {"MOLT_MOE_DISPATCHER": EnvironmentValue("hybridep")},
        "settings": {},
        "rules": frozenset({"EP001"}),
    }
    return Launch(**{**fields, **changes})


def settings(file: SourceFile) -> dict[str, Setting]:
    """The settings of the launch of LAUNCHER."""
    found = (
        Setting("expert_parallel_size", 8, "default", "EP_SIZE", at(file, "8")),
        Setting("activation_checkpointing", "full", "literal", None, at(file, "full")),
        Setting(
            "moe_dispatcher",
            "hybridep",
            "trainer-default",
            "MOLT_MOE_DISPATCHER",
            detail="molt's default when MOLT_MOE_DISPATCHER is unset",
        ),
    )
    return {one.name: one for one in found}


def launcher(file: SourceFile, *launches: Launch, **changes: Any) -> Launcher:
    fields: dict[str, Any] = {"complete": True, "diagnostics": (), "launches": launches, **changes}
    return Launcher(source=file, **fields)


def wrong(file: SourceFile | None = None) -> Outcome:
    """One launcher with one EP001 that has a fix."""
    file = file or source()
    one = launch(file, settings=settings(file))
    label = Label(one.location, "this launch")
    found = diagnostic(at(file, "full"), label, fix=safe_fix(at(file, "full")), about=(one.key,))
    return Outcome((launcher(file, one),), (found,))


def repaired(file: SourceFile | None = None) -> Outcome:
    """What is left of `wrong` after --fix."""
    file = file or source()
    after = SourceFile(file.path, file.data.replace(b"full", b"none"))
    argv = tuple(map(argument, ("--fsdp.ep_size", "8", "--model.gradient_checkpoint", "none")))
    one = launch(after, argv=argv)
    fixed = Fixed(file.path, 6, "set activation_checkpointing to none", "EP001")
    return Outcome((launcher(after, one),), (), (fixed,), (Change(file.path, file.data, after.data),))
