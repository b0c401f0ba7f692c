"""ARG002 and ARG003: values that a flag does not take, by its choices and its type."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from recipelint.checks.words import Parsed
from recipelint.finding import Finding
from recipelint.fix import Applicability
from recipelint.python.schema import Flag
from recipelint.recipe.spoken import Occurrence

LONGEST = 4000
"""Python refuses to read numbers of more than 4300 digits, whatever they are."""
TYPES: dict[str, Callable[[str], object]] = {"int": int, "float": float, "str": str}
"""The types whose reading of a text is known; another one accuses nobody."""
ARTICLES = {"int": "an int", "float": "a float"}
WHOLE = 1e15
"""Up to here a float says exactly which whole number it is."""


def value_findings(one: Parsed) -> Iterator[Finding]:
    """The values of each flag that its parser refuses."""
    for use in one.line.occurrences:
        for at, value in one.values(use):
            kind = TYPES.get(use.flag.type or "str")
            if kind is None or len(value) > LONGEST:
                continue
            try:
                converted = kind(value)
            except ValueError:
                yield wrong_type(one, use, at, value)
                continue
            choices = choices_of(use.flag)
            if choices is not None and converted not in choices:
                yield no_choice(one, use, at, value, [str(choice) for choice in choices])


def choices_of(flag: Flag) -> tuple[object, ...] | None:
    """The values that a flag takes; None for any, or where one of them is not known."""
    if not isinstance(flag.choices, tuple) or any(not isinstance(c, str | int | float) for c in flag.choices):
        return None
    return flag.choices


def wrong_type(one: Parsed, use: Occurrence, at: int, value: str) -> Finding:
    """ARG003; a whole number that is written as 1e6 or 8.0 is surely meant for an int."""
    fix = None
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if use.flag.type == "int" and number.is_integer() and abs(number) < WHOLE:
        fix = one.rewritten(at, *span(one, use, at), str(int(number)), f"write {int(number)}", Applicability.SAFE)
    fields = {"flag": name(use), "value": shown(value), "type": ARTICLES.get(use.flag.type or "", "text")}
    return one.finding("ARG003", one.value_place(use, at), fields, fix)


def no_choice(one: Parsed, use: Occurrence, at: int, value: str, choices: list[str]) -> Finding:
    """ARG002; the nearest choice is only a guess."""
    from difflib import get_close_matches

    near = get_close_matches(value.lower(), choices, 1, 0.75)
    fix = None
    if near:
        fix = one.rewritten(at, *span(one, use, at), near[0], f"write {near[0]}", Applicability.UNSAFE)
    fields = {"flag": name(use), "value": shown(value), "choices": ", ".join(choices)}
    return one.finding("ARG002", one.value_place(use, at), fields, fix)


def name(use: Occurrence) -> str:
    return use.name or use.flag.called


def shown(value: str) -> str:
    return value if value and value.isprintable() and " " not in value else repr(value)


def span(one: Parsed, use: Occurrence, at: int) -> tuple[int, int]:
    """The bytes of a value in its word."""
    size = len(one.resolved.words[at].s)
    return (size - len((use.stuck or "").encode()), size) if use.stuck is not None else (0, size)
