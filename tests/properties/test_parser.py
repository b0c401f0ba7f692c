"""What can be read: the parser calls unreadable what bash refuses, and splits commands into the same words."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import bashlex
import pytest

from recipelint.shell.nodes import Simple, Unit, Unreadable
from recipelint.shell.parse import parse
from recipelint.source import SourceFile

from .both import box

SYNTAX = Path(__file__).with_name("syntax.txt")
FIXTURES = Path(__file__).parent.parent / "fixtures"
LAUNCHERS = {path.relative_to(FIXTURES).as_posix(): path.read_bytes() for path in sorted(FIXTURES.rglob("*.sh"))}
NAMES = sorted(LAUNCHERS)

MUTATIONS = 500
ALLOWED = 3
"""So many of them may be judged otherwise. Those found so far are names that bash finds at fault when it runs, a
subscript without an end, and what is broken inside of a here-document, into which `bash -n` does not look."""


def refused(text: bytes) -> bool:
    """Whether bash cannot read the text."""
    script = box().folder / "read.sh"
    script.write_bytes(text)
    status, _, complaints = box().run("-n", "../read.sh")
    lines = [line for line in complaints.split(b"\n") if line and b"warning: here-document" not in line]
    return status != 0 or bool(lines)


def unreadable(text: bytes) -> str:
    """Why the parser cannot read the text, or ''."""
    program = parse(Unit.of(SourceFile("read.sh", text)))
    return next((one.reason for one in program.body.commands if isinstance(one, Unreadable)), "")


@pytest.mark.parametrize("name", NAMES)
def test_reads_the_fixtures(name: str) -> None:
    assert (unreadable(LAUNCHERS[name]), refused(LAUNCHERS[name])) == ("", False)


# --- mutations -----------------------------------------------------------------------------------------

MARKS = re.compile(
    rb"\b(?:if|then|else|elif|fi|do|done|for|while|case|esac|in|function)\b|;;|&&|\|\||<<|[\"'`{}()\[\];&|<>$#\\\n!]"
)
INSERTED = [
    *b"' \" ` { } ( ) $( ${ (( )) [[ ]] if then else elif fi do done for while case esac in".split(),
    *b";; ; & && || | < > << # \\ ! $(( <( $' =( a=1 x;".split(),
    *(b"\n", b" { ", b" }", b"function f ", b"f() ", b"<<EOF\n", b"\\\n", b"\r", b" [ "),
]


def mutated(chance: random.Random) -> bytes:
    """Some lines of a fixture with one or two quotes, brackets, keywords or lines too many or too few."""
    lines = LAUNCHERS[chance.choice(NAMES)].split(b"\n")
    start = chance.randrange(max(1, len(lines) - 40))
    text = b"\n".join(lines[start : start + 40])
    for _ in range(chance.choice((1, 1, 2))):
        places = [m.span() for m in MARKS.finditer(text)]
        start, end = chance.choice(places or [(0, 0)])
        kind = chance.randrange(5)
        if kind == 0:
            text = text[:start] + text[end:]
        elif kind == 1:
            text = text[:end] + text[start:end] + text[end:]
        elif kind == 2:
            text = text[:start] + chance.choice(INSERTED) + text[start:]
        else:
            lines = text.split(b"\n")
            at = chance.randrange(len(lines))
            lines[at : at + 1] = [] if kind == 3 else [lines[at]] * 2
            text = b"\n".join(lines)
    return text


def test_refuses_what_bash_refuses() -> None:
    chance = random.Random(1989)
    many = [mutated(chance) for _ in range(MUTATIONS)]
    bad = [text for text in many if refused(text)]
    other = [text for text in many if (text in bad) != bool(unreadable(text))]
    assert len(bad) > MUTATIONS // 4, "the mutations are too mild"
    assert len(other) <= ALLOWED, b"\n=====\n".join(other).decode("latin-1")


def test_what_is_not_read_is_told_where_it_is() -> None:
    """An unreadable stretch is inside of the text; what is read behind it stands behind it, or there is nothing."""
    chance = random.Random(1979)
    for _ in range(MUTATIONS):
        text = mutated(chance)
        commands = parse(Unit.of(SourceFile("read.sh", text))).body.commands
        for at, command in enumerate(commands):
            if isinstance(command, Unreadable):
                assert 0 <= command.start <= command.end <= len(text)
                assert command.recovered or at == len(commands) - 1
            assert all(command.start <= one.start for one in commands[at + 1 :] if isinstance(one, Unreadable))


def syntax(section: str) -> list[object]:
    """The texts of a section of syntax.txt."""
    found: list[object] = []
    here, reason = "", ""
    for number, line in enumerate(SYNTAX.read_text(encoding="utf-8").split("\n"), 1):
        if line in ("[refused]", "[read]"):
            here = line
        elif line.startswith("differs: "):
            reason = line.removeprefix("differs: ")
        elif line and here == section and not line.startswith("# "):
            marks = [pytest.mark.xfail(strict=True, reason=reason)] if reason else []
            text = line.replace("¶", "\n").replace("⇥", "\t").replace("␍", "\r")
            found.append(pytest.param(text, marks=marks, id=f"{number}: {line[:60]}"))
            reason = ""
        elif line:
            reason = ""
    return found


@pytest.mark.parametrize("text", syntax("[refused]"))
def test_refuses(text: str) -> None:
    if not refused(text.encode()):
        pytest.fail("bash reads it", pytrace=False)
    assert unreadable(text.encode())


@pytest.mark.parametrize("text", syntax("[read]"))
def test_reads(text: str) -> None:
    if refused(text.encode()):
        pytest.fail("bash refuses it", pytrace=False)
    assert unreadable(text.encode()) == ""


# --- bashlex -------------------------------------------------------------------------------------------


def simple_commands(node: object) -> Iterator[Simple]:
    """Every simple command below a node of the tree, in the order of the text."""
    if isinstance(node, Simple):
        yield node
    elif isinstance(node, (list, tuple)):
        for one in node:
            yield from simple_commands(one)
    elif hasattr(node, "__slots__"):
        for name in node.__slots__:
            if name not in ("unit", "source", "text", "literal"):
                yield from simple_commands(getattr(node, name))


def words_of_bashlex(text: str) -> list[str] | None:
    """The words of the one simple command that TEXT is to bashlex; None where it sees something else, or nothing."""
    try:
        trees = bashlex.parse(text)
    except (bashlex.errors.ParsingError, NotImplementedError, AttributeError, AssertionError, IndexError, TypeError):
        return None
    if len(trees) != 1 or trees[0].kind != "command":
        return None
    words = [part.word for part in trees[0].parts if part.kind == "word" and not part.parts]
    return [word for word in words if not ASSIGNMENT.match(word)]


def literal_words(command: Simple) -> list[str]:
    """The words of a command in which nothing is expanded, without assignments."""
    literals = [getattr(word, "literal", None) for word in command.words]
    return [one.s for one in literals if one is not None and not ASSIGNMENT.match(one.s)]


ASSIGNMENT = re.compile(r"\w+\+?=")
"""bashlex takes the inner quotes of an assignment away as well."""

PECULIAR = re.compile(r"[{}]|\$'|\\\n[ \t]*#|~|<<|^\s*\w+\[", re.MULTILINE)
"""What bashlex reads in another way: braces, `$'…'`, `~`, here-documents and elements stay as they are."""


def test_splits_as_bashlex_does() -> None:
    compared = 0
    for name in NAMES:
        text = LAUNCHERS[name].decode("latin-1")
        for command in simple_commands(parse(Unit.of(SourceFile(name, LAUNCHERS[name]))).body):
            if command.unit.source is None:
                continue  # of a text in backticks: its offsets are not those of the file
            source = text[command.start : command.end]
            theirs = None if PECULIAR.search(source) else words_of_bashlex(source)
            if theirs is None:
                continue
            ours = literal_words(command)
            assert ours == theirs, f"{name}: {source}"
            compared += len(ours)
    assert compared > 500, "bashlex reads less than it did"
