"""What a queue reads in the head of a batch script: the words of its directives, each with its place.

The rules are those of sbatch: https://github.com/SchedMD/slurm/blob/slurm-17-11-0-1/src/sbatch/opt.c#L1010
"""

from __future__ import annotations

from collections.abc import Iterator

from recipelint.shell.nodes import Unit
from recipelint.shell.text import Text, join

BLANKS = " \t\v\f\r\n"


def directives(unit: Unit, magic: str) -> list[list[Text]]:
    """The words behind MAGIC (`#SBATCH`) a line, before the first line that is neither blank nor a comment."""
    s = unit.text.s
    found: list[list[Text]] = []
    start = 0
    while start < len(s):
        end = s.find("\n", start)
        end = len(s) if end < 0 else end
        if s.startswith(magic, start):
            found.append(list(words(unit, start + len(magic), end)))
        elif not s[start:end].strip(BLANKS).startswith("#") and s[start:end].strip(BLANKS):
            break
        start = end + 1
    return found


def words(unit: Unit, start: int, end: int) -> Iterator[Text]:
    """The words of one line: quotes group, a backslash takes the next character as it is, `#` ends the line."""
    s = unit.text.s
    pieces: list[Text] = []
    at = run = start
    quote = ""
    inside = False

    def take(until: int) -> None:
        if until > run:
            pieces.append(unit.slice(run, until))

    while at < end:
        c = s[at]
        if c == "\\":
            take(at)
            run, at, inside = at + 1, at + 2, True
            continue
        if quote:
            if c == quote:
                take(at)
                run, quote = at + 1, ""
        elif c in "\"'":
            take(at)
            run, quote, inside = at + 1, c, True
        elif c == "#":
            break
        elif c in BLANKS:
            take(at)
            if pieces or inside:
                yield join(pieces) if pieces else Text.of("")
            pieces, inside, run = [], False, at + 1
        at += 1
    take(min(at, end))
    if pieces or inside:
        yield join(pieces) if pieces else Text.of("")
