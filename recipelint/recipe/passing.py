"""What passes from a wrapper to the command that it runs: its environment, and its words as one text; and what equal
calls have in common of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from recipelint.recipe.options import Options
from recipelint.shell.state import Environment
from recipelint.shell.text import EMPTY, Text, join
from recipelint.shell.unknown import Unknowns

Rules = Mapping[str, Any]


def passed_environment(entry: Rules, options: Options, environment: Environment) -> Environment:
    """The environment that the inner command gets."""
    everything = entry.get("environment", "all") == "all"
    kept: Environment = {}
    for option, value in options.given:
        if option in entry.get("keep", ()):
            everything = everything or value is None
            names = {piece.s for piece in split_text(value, ",")} if value is not None else set()
            kept |= {name: text for name, text in environment.items() if name in names}
    if any(options.has(o) for o in entry.get("drop", ())):
        everything = False
    passed = dict(environment) if everything else kept
    for prefix in entry.get("prefixes", ()):
        passed = unprefixed(passed, environment, prefix)
    for option in entry.get("export", ()):
        for value in options.values(option):
            passed = exported(value, passed)
    for option in entry.get("set", ()):
        for value in options.values(option):
            for piece in split_text(value, entry["separator"]) if "separator" in entry else [value]:
                name, equals, _ = piece.s.partition("=")
                if equals:
                    passed[name] = after(piece, len(name) + 1)
                elif name in environment:
                    passed[name] = environment[name]
    for option in entry.get("unset", ()):
        for value in options.values(option):
            passed.pop(value.s, None)
    return passed


def unprefixed(passed: Environment, environment: Environment, prefix: str) -> Environment:
    """What passes where PREFIX in front of a name asks for it: always, and without the prefix."""
    asked = {name.removeprefix(prefix): text for name, text in environment.items() if name.startswith(prefix)}
    return {name: text for name, text in passed.items() if not name.startswith(prefix)} | asked


def opaque_option(entry: Rules, options: Options) -> str:
    """The option that adds variables that cannot be known, if there is one: `--env-file`, `-o` with `SendEnv=…`."""
    return option_with(entry.get("unread", ()), options)


def option_with(wanted: Iterable[str], options: Options) -> str:
    """The first of the WANTED options that is given; `-o START` is one with a value that starts so."""
    for one in wanted:
        option, _, start = one.partition(" ")
        if options.has(option) and (not start or any(value.s.startswith(start) for value in options.values(option))):
            return option
    return ""


def reads_script(entry: Rules, options: Options) -> bool:
    """Whether a wrapper without a command runs its standard input as a script."""
    reads = entry.get("input", False)
    return reads if isinstance(reads, bool) else bool(option_with(reads, options))


def input_is_closed(entry: Rules, options: Options) -> bool:
    """Whether the standard input does not get to what a wrapper runs."""
    attached = "attach" not in entry or option_with(entry["attach"], options)
    return not attached or bool(option_with(entry.get("no_input", ()), options))


def after(text: Text, start: int) -> Text:
    """The text from START on; empty at its end."""
    return text.slice(start, len(text.s)) if len(text.s) > start else EMPTY


def with_input(word: Text, place: str, unknown: Text) -> Text:
    """A word in which xargs puts its input wherever PLACE is written."""
    pieces = split_text(word, place) if place else [word]
    return join(piece for n, one in enumerate(pieces) for piece in ((unknown, one) if n else (one,)))


def joined(words: list[Text]) -> Text:
    """The words with a blank between them, as ssh sends them."""
    pieces: list[Text] = []
    for at, word in enumerate(words):
        if at:
            pieces.append(Text.of(" "))
        pieces.append(word)
    return join(pieces)


def split_text(value: Text, separator: str) -> list[Text]:
    """A text at each separator."""
    pieces, at = [], 0
    for m in re.finditer(re.escape(separator), value.s):
        pieces.append(value.slice(at, m.start()))
        at = m.end()
    return [*pieces, value.slice(at, len(value.s))]


def exported(value: Text, environment: Environment) -> Environment:
    """Slurm's --export: ALL, NONE, or names and NAME=VALUE; LSF's -env: all, none, the same, and ~NAME to remove."""
    parts = [part.slice(len(part.s) - len(part.s.lstrip()), len(part.s)) for part in split_text(value, ",")]
    if any(part.s.upper() == "ALL" for part in parts):
        passed = dict(environment)
    else:
        passed = {name: environment[name] for name in environment if any(part.s == name for part in parts)}
    for part in parts:
        name, equals, _ = part.s.partition("=")
        if equals:
            passed[name] = after(part, len(name) + 1)
        elif name.startswith("~"):
            passed.pop(name[1:], None)
    return passed


def runtime_variables(value: Text) -> Environment | None:
    """`env_vars` of a runtime environment in JSON; each value keeps its place. None for what is no such JSON."""
    try:
        found = json.loads(value.s)
        variables = found.get("env_vars", {}) if isinstance(found, dict) else {}
    except (ValueError, RecursionError):
        return None
    out: Environment = {}
    for name, text in variables.items() if isinstance(variables, dict) else ():
        if isinstance(name, str) and isinstance(text, str):
            m = re.search(re.escape(json.dumps(name)) + r"\s*:\s*\"", value.s)
            exact = m is not None and value.s.startswith(text + '"', m.end())
            out[name] = value.slice(m.end(), m.end() + len(text)) if exact and m and text else Text.of(text)
    return out


def common(found: list[Environment], unknowns: Unknowns) -> tuple[Environment, frozenset[str]]:
    """The variables of equal calls, and those that are not the same in all of them."""
    names = list(dict.fromkeys(name for one in found for name in one))
    first = found[0]
    differing = frozenset(
        name for name in names if len({unknowns.path_key(one[name].s) if name in one else None for one in found}) > 1
    )
    return {
        name: next(one[name] for one in found if name in one) for name in names if name in first or name in differing
    }, differing
