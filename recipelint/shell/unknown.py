"""What cannot be known, as characters: each stands in a text for one piece whose content only a run would tell."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from recipelint.record import NamedTuple

FIRST = 0x10000


class Kind(Enum):
    """Why a piece is unknown.

    KNOB      a variable or argument that nobody sets: empty as shipped, but the user's to give
    REQUIRED  the same where the script stops without it: not empty
    MACHINE   what the machine provides, such as HOME or SLURM_JOB_ID
    OUTPUT    what a command prints
    DERIVED   computed from another unknown, or different from world to world
    """

    KNOB = "knob"
    REQUIRED = "required"
    MACHINE = "machine"
    OUTPUT = "output"
    DERIVED = "derived"


class Unknown(NamedTuple):
    """One unknown piece.

    label     how it is written for people: `${HOME}`, `$(nvidia-smi)`
    name      the variable, or the argument's number; "" for a command's output
    place     the path that it stands for inside the linted tree, if it is one
    named     the file name that it stands for, as a part of a path: of a script that may be run under another one
    choices   what it may be, where that is one of several known texts
    shipped   what a KNOB is as shipped: empty, and "0" for `$#`
    many      it stands unquoted: it may be no word, or several
    guarded   it has passed `printf %q`: a shell that reads it sees one word
    content   the files of the linted tree that it is what `cat` prints of
    """

    label: str
    kind: Kind
    name: str = ""
    place: str | None = None
    named: str = ""
    choices: tuple[str, ...] = ()
    shipped: str = ""
    many: bool = False
    guarded: bool = False
    content: tuple[str, ...] = ()


INPUT = Unknown("${…}", Kind.OUTPUT)
"""What a command such as xargs puts into a word."""
EXTRA = INPUT._replace(many=True)
"""The words that a command such as xargs adds to what it is given."""


class Unknowns:
    """The characters handed out for unknown pieces; the same piece always gets the same one."""

    def __init__(self) -> None:
        self._pieces: list[Unknown] = []
        self._bases: list[str] = []
        self._characters: dict[tuple[Unknown, object], str] = {}

    def character(self, piece: Unknown, site: object = None, base: str = "") -> str:
        """The character of PIECE; outputs of commands at different SITEs are different pieces."""
        key = (piece, site)
        found = self._characters.get(key)
        if found is None:
            found = chr(FIRST + len(self._pieces))
            self._pieces.append(piece)
            self._bases.append(base or found)
            self._characters[key] = found
        return found

    def __getitem__(self, character: str) -> Unknown:
        return self._pieces[ord(character) - FIRST]

    def pieces(self, s: str) -> Iterator[Unknown]:
        """The unknown pieces in a text's characters."""
        if not s.isascii():
            for c in s:
                if c > "\xff":
                    yield self[c]

    def many(self, s: str) -> str:
        """S where its pieces stand unquoted; those that `%q` has guarded stay one word."""
        if s.isascii() or max(s) <= "\xff":
            return s
        return "".join(self._variant(c, many=True) if c > "\xff" and not self[c].guarded else c for c in s)

    def guarded(self, s: str) -> str:
        """S after `printf %q`."""
        if s.isascii() or max(s) <= "\xff":
            return s
        return "".join(self._variant(c, many=False, guarded=True) if c > "\xff" else c for c in s)

    def single(self, s: str) -> str:
        """S where its pieces stand in one word, as a value that was assigned."""
        if s.isascii() or max(s) <= "\xff":
            return s
        return "".join(self._variant(c, many=False) if c > "\xff" else c for c in s)

    def without_content(self, s: str) -> str:
        """S where nothing says any more which file a piece is the content of."""
        for c, piece in {c: self[c] for c in s if c > "\xff"}.items():
            if piece.content:
                s = s.replace(c, self.character(piece._replace(content=()), self.base(c)))
        return s

    def _variant(self, c: str, many: bool, guarded: bool = False) -> str:
        piece = self[c]
        changed = piece._replace(many=many, guarded=guarded or piece.guarded)
        if changed == piece:
            return c
        base = self.base(c)
        return base if changed == self[base] else self.character(changed, base, base)

    def base(self, c: str) -> str:
        """The character of the same piece as it was first seen: one for all its variants."""
        return self._bases[ord(c) - FIRST]

    def path_key(self, s: str) -> str:
        """The path S for comparing with others: without `./`, each unknown piece as it was first seen."""
        while s.startswith("./"):
            s = s[2:].lstrip("/")
        if s.isascii() or max(s) <= "\xff":
            return s
        return "".join(self.base(c) if c > "\xff" else c for c in s)

    def display(self, s: str) -> str:
        """S for people: unknown pieces as `${NAME}` or `$(command)`, bytes as UTF-8 where they are."""
        if not s or max(s) <= "\x7f":
            return s
        out: list[str] = []
        for known, group in grouped(s):
            out.append(group.encode("latin-1").decode("utf-8", "surrogateescape") if known else self[group].label)
        return "".join(out)


def grouped(s: str) -> Iterator[tuple[bool, str]]:
    """S as runs of known characters, and single unknown ones."""
    start = 0
    for at, c in enumerate(s):
        if c > "\xff":
            if at > start:
                yield True, s[start:at]
            yield False, c
            start = at + 1
    if start < len(s):
        yield True, s[start:]


def command_label(source: str) -> str:
    """A command substitution's text as a label without inner parentheses: `$(cd … && pwd)`."""
    text = source.removeprefix("$(").removesuffix(")").strip("`")
    text = " ".join(text.split())
    out, level = [], 0
    for c in text:
        if c in "({":
            if not level:
                out.append("…")
            level += 1
        elif c in ")}":
            level = max(0, level - 1)
        elif not level and c <= "\xff":
            out.append(c)
    short = "".join(out).encode("latin-1", "replace").decode("utf-8", "replace")
    short = short.replace("$…", "…")
    return f"$({short if len(short) <= 60 else short[:59] + '…'})"
