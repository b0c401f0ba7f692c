"""GUARD001: entry points of trainers that take a combination which fails, and do not refuse it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from string import Template
from typing import Any, NamedTuple

from recipelint.checks import Context
from recipelint.diagnostic import Severity
from recipelint.finding import Finding
from recipelint.fix import CodeChange, Fix
from recipelint.python.files import PythonFile
from recipelint.python.guard import Parse, checked, default_of, parse_call, takes
from recipelint.python.insertion import Check, edits, lines_of
from recipelint.python.reach import Module, Package, reached
from recipelint.python.trainer import schema_of
from recipelint.python.tree import Trees, span
from recipelint.recipe.model import Setting
from recipelint.recipe.versions import version_settings
from recipelint.ruleset.match import Verdict, judge
from recipelint.ruleset.schema import Rule, RuleFix
from recipelint.shell.unknown import Unknowns
from recipelint.source import Location

CODE = "GUARD001"
SIZE, MODE, DISPATCHER = "expert_parallel_size", "activation_checkpointing", "moe_dispatcher"
Settings = Mapping[str, Mapping[str, Any]]


class Trainer(NamedTuple):
    """An entry point in its tree. `settings` says how it spells each setting, `all` how each of its framework does."""

    name: str
    settings: Settings
    all: tuple[Settings, ...]
    guard: Mapping[str, Any]
    package: Package
    modules: list[Module]


def check(context: Context) -> Iterable[Finding]:
    """The entry points among the Python files."""
    rule = context.ruleset.rules[CODE]
    assert rule.fix is not None
    trees = Trees()
    for framework, guard in rule.facts["guards"].items():
        points = context.ruleset.frameworks[framework]["entry_points"]
        spelled = tuple(point["settings"] for point in points.values())
        for name, point in points.items():
            for file in context.python:
                package = _package(file, name)
                if package is None:
                    continue
                if not _fails(context, rule, file, framework, guard):
                    continue
                modules = reached(package, name, file.source)
                trainer = Trainer(name, point["settings"], spelled, guard, package, modules)
                yield from _in_trainer(trainer, file, rule.facts["names"], rule.fix, trees)


def _fails(context: Context, rule: Rule, file: PythonFile, framework: str, guard: Mapping[str, Any]) -> bool:
    """Whether the combination is an error with the packages that the repository asks for."""
    settings = {
        SIZE: Setting(SIZE, 2, "literal"),
        MODE: Setting(MODE, "full", "literal"),
    }
    for package in context.ruleset.frameworks[framework].get("packages", ()):
        if context.installations is not None:
            installed = context.installations.of(package, file.place, file.reader)
            settings |= version_settings(installed, [{}], Unknowns())
    refused = context.ruleset.rules[rule.facts["refuses"]]
    for dispatcher in guard["dispatchers"]:
        found, verdict = judge(refused, {**settings, DISPATCHER: Setting(DISPATCHER, dispatcher, "literal")})
        if verdict is not Verdict.NO and found.severity is Severity.ERROR:
            return True
    return False


def _package(file: PythonFile, name: str) -> Package | None:
    """Where the package of an entry point stands, if a file is that entry point."""
    end = name.replace(".", "/") + ".py"
    if file.place is None or not f"/{file.place}".endswith(f"/{end}"):
        return None
    return Package(file.place[: len(file.place) - len(end)], file.reader)


def _in_trainer(
    trainer: Trainer, file: PythonFile, names: Mapping[str, Any], fix: RuleFix, trees: Trees
) -> Iterator[Finding]:
    tree = trees.of(file.source)
    parse = parse_call(tree) if tree is not None else None
    flags = [trainer.settings[setting]["flag"] for setting in (SIZE, MODE)]
    if parse is None or checked(trainer.modules, names, trees):
        return
    if not takes(flags, schema_of(trainer.name, trainer.package.read)):
        return
    check = _check(trainer)
    made = edits(check, file.source, parse)
    paths = {file.source.path, (check.shared or file.source).path}
    changed = tuple(CodeChange(path, check.function) for path in sorted(paths))
    yield Finding(
        CODE,
        _place(file, parse),
        {
            "entry_point": trainer.name,
            "size": flags[0],
            "mode": flags[1],
            "dispatchers": " or ".join(trainer.guard["dispatchers"]),
        },
        label="nothing refuses the combination",
        fix=None if isinstance(made, str) else Fix(fix.title, fix.applicability, made, changed),
        note=made if isinstance(made, str) else "",
    )


def _place(file: PythonFile, parse: Parse) -> Location:
    return Location(file.source, span(file.source, parse.call))


def _check(trainer: Trainer) -> Check:
    """The check as this trainer needs it, from the guard's template and what the framework file says of the flags."""
    guard, mode, dispatcher = trainer.guard, trainer.settings[MODE], trainer.settings[DISPATCHER]
    variable = dispatcher["environment"]
    harmless = [word for value, words in mode["values"].items() if value != "full" for word in words]
    text = Template(guard["template"]).substitute(
        function=guard["function"],
        override=guard["override"],
        variable=variable,
        dispatcher=default_of(variable, trainer.modules, dispatcher["default"]),
        dispatchers=lines_of(guard["dispatchers"]),
        size=trainer.settings[SIZE]["flag"].lstrip("-"),
        modes=lines_of(list(dict.fromkeys(settings[MODE]["flag"].lstrip("-") for settings in trainer.all))),
        harmless=lines_of(harmless),
    )
    module = guard["module"]
    shared = next((one.source for one in trainer.modules if one.name == module), None)
    return Check(guard["function"], text, module, shared, trainer.name)
