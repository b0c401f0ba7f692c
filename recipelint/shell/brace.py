"""Brace expansion, which bash does before all else and on the text alone: `a{b,c}`, `{1..8}`, `{01..16..5}`."""

from __future__ import annotations

import re

from recipelint.lazily import regex
from recipelint.shell.text import NOWHERE, Text
from recipelint.shell.words import Literal, Parameter, Part

MAX_WORDS = 4096
"""A word that stands for more is left as it is: no launcher has it, and it may be a bomb."""

MAX_BRACES, MAX_ATOMS = 100, 1 << 18
"""Nor is a word with more braces, or whose words have more characters together."""
RANGE = regex(r"\{(?:(-?\d{1,18})\.\.(-?\d{1,18})|([A-Za-z])\.\.([A-Za-z]))(?:\.\.(-?\d{1,18}))?\}")
NAMED = regex(r"\w", re.ASCII)
Atom = tuple[str, Part]
"""A character of unquoted text, or ("", part) for a part that braces do not look into."""


def expand_braces(parts: list[Part]) -> list[list[Part]]:
    """The words that a word stands for; one, equal to PARTS, where nothing expands."""
    atoms: list[Atom] = []
    for part in parts:
        if isinstance(part, Literal) and not part.quoted:
            atoms += [(c, Literal(part.text.slice(k, k + 1), False)) for k, c in enumerate(part.text.s)]
        else:
            atoms.append(("", part))
    if sum(character == "{" for character, _ in atoms) > MAX_BRACES:
        return [parts]
    words = expand(atoms)
    if (len(words) == 1 and words[0] is atoms) or len(words) > MAX_WORDS or len(words) * len(atoms) > MAX_ATOMS:
        return [parts]
    return [merged(word) for word in words]


def merged(atoms: list[Atom]) -> list[Part]:
    """Atoms as parts, neighbours of literal text put together again."""
    parts: list[Part] = []
    for character, part in atoms:
        last = parts[-1] if parts else None
        if character and isinstance(last, Literal) and not last.quoted and isinstance(part, Literal):
            parts[-1] = Literal(glue(last.text, part.text), False)
        elif character and isinstance(last, Parameter) and grows(last, character):
            parts[-1] = Parameter(last.name + character, False, last.unit, last.start, last.end)
        else:
            parts.append(part)
    return parts


def grows(parameter: Parameter, character: str) -> bool:
    """Whether a character after `$NAME` is of the name: braces expand first, so `$A{1,2}` is `$A1 $A2`."""
    bare = not parameter.unit.text.s.startswith("{", parameter.start + 1)
    named = (parameter.name[0].isalpha() or parameter.name[0] == "_") and NAMED.match(character)
    return bool(bare and named and not parameter.quoted)


def glue(left: Text, right: Text) -> Text:
    """Two texts after each other; neighbours in the source become one run."""
    if left.runs and right.runs:
        (n, a), (m, b) = left.runs[-1], right.runs[0]
        if a.source is b.source and a.end == b.start and a.kind == b.kind and a.end - a.start == n:
            grown = type(a)(a.source, a.start, b.end, a.kind, a.knob)
            return Text(left.s + right.s, (*left.runs[:-1], (n + m, grown), *right.runs[1:]))
    return Text(left.s + right.s, (*left.runs, *right.runs))


def expand(atoms: list[Atom]) -> list[list[Atom]]:
    """The words of ATOMS; the leftmost brace that expands decides, the rest follows for each alternative."""
    for at, (character, _) in enumerate(atoms):
        if character != "{":
            continue
        found = alternatives(atoms, at)
        if found is None:
            continue
        choices, end = found
        heads = [word for choice in choices for word in expand(choice)]
        tails = expand(atoms[end:])
        if len(heads) * len(tails) > MAX_WORDS or len(heads) * len(tails) * len(atoms) > MAX_ATOMS:
            return [atoms] * (MAX_WORDS + 1)
        return [atoms[:at] + head + tail for head in heads for tail in tails]
    return [atoms]


def alternatives(atoms: list[Atom], at: int) -> tuple[list[list[Atom]], int] | None:
    """The choices of the brace at AT and the index after it; None if it does not expand."""
    text = "".join(character or "\0" for character, _ in atoms[at:])
    m = RANGE.match(text)
    if m:
        numbers = span(m)
        if numbers is None:
            return None
        origin = atoms[at][1]
        runs = origin.text.runs if isinstance(origin, Literal) else ()
        where = runs[0][1] if runs else NOWHERE
        return [[(c, Literal(Text(c, ((1, where),)), False)) for c in number] for number in numbers], at + m.end()
    level, choices, current = 0, list[list[Atom]](), list[Atom]()
    for k in range(at, len(atoms)):
        character = atoms[k][0]
        if character == "{":
            level += 1
            if level == 1:
                continue
        elif character == "}":
            level -= 1
            if level == 0:
                choices.append(current)
                return (choices, k + 1) if len(choices) > 1 else None
        elif character == "," and level == 1:
            choices.append(current)
            current = []
            continue
        current.append(atoms[k])
    return None


def span(m: re.Match[str]) -> list[str] | None:
    """The items of a range, zero-padded as bash pads them; None if they are too many."""
    if any(len(text) > 18 for text in (m[1], m[2], m[5]) if text):
        return None  # numbers beyond 64 bits are no range
    step = abs(int(m[5])) if m[5] else 1
    step = step or 1
    if m[3]:
        low, high = ord(m[3]), ord(m[4])
    else:
        low, high = int(m[1]), int(m[2])
    if abs(high - low) // step > MAX_WORDS:
        return None
    items = range(low, high + 1, step) if low <= high else range(low, high - 1, -step)
    if m[3]:
        return [chr(item) for item in items]
    padded = any(re.fullmatch(r"-?0\d+", text) for text in (m[1], m[2]))
    width = max(len(m[1]), len(m[2])) if padded else 0
    return [f"{item:0{width}d}" for item in items]
