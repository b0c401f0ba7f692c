"""What a line is to bash, and why it has no say: a comment, text of a here-document, what is not come to, set again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Sequence as Several

from recipelint.explain.program import COMMANDS, Found, is_condition, ran
from recipelint.shell.compounds import Case, For, ForArithmetic, Group, If, While
from recipelint.shell.nodes import AndOr, Background, Function, Pipeline, Sequence, Simple, Unreadable
from recipelint.shell.session import Session
from recipelint.shell.words import Assignment, Parameter, Redirection
from recipelint.source import SourceFile, Span

WORDS = {
    If: "`if`",
    Case: "`case`",
    For: "`for`",
    ForArithmetic: "`for`",
    While: "loop",
    Function: "function",
    Group: "group",
}
SCHEDULERS = {"#SBATCH": "sbatch", "#PBS": "qsub", "#BSUB": "bsub", "#$": "qsub"}
SINGLE = tuple(kind for kind in COMMANDS if kind not in (AndOr, Pipeline, Background))
"""Commands that are not made of others beside each other."""
Program = tuple[Session, Several[Found]]
"""An evaluation, and its nodes in one file."""


NO_SAY = "it has no say in what a trainer gets"


def remarks(source: SourceFile, number: int, line: Span, programs: Several[Program], *, effective: bool) -> list[str]:
    """What there is to say of a line beside its launches; EFFECTIVE: it has a say in some."""
    here = [(session, [one for one in nodes if overlaps(one.span, line)]) for session, nodes in programs]
    commands = [(session, one) for session, nodes in here for one in nodes if isinstance(one.node, SINGLE)]
    inner = [(s, one) for s, one in commands if line.start <= one.span.start <= line.end or not is_compound(one)]
    text = source.data[line.start : line.end].decode("utf-8", "replace").strip()
    document = is_heredoc(source, line, here)
    if not document and not inner and (not text or text.startswith("#")):
        return [comment(text, number) if text else "the line is empty"]
    out = ["text of a here-document"] if document else []
    if not inner and not document:
        return [belonging(source, innermost(commands)) if commands else "it ends what stands above it"]
    for _, one in inner:
        if is_condition(one):
            out.append(f"a condition, of what stands at {where(source, asking(one))}")
        if isinstance(one.node, Function) and line.start <= one.span.start <= line.end:
            out.append(f"it defines the function {one.node.name}, {where(source, one)}")
        if isinstance(one.node, Unreadable):
            out.append(f"bash cannot read on here: {one.node.reason}")
    missed = [(session, one) for session, one in inner if not ran(one.node, session)]
    if inner and len(missed) == len(inner):
        out.append(reason(source, *min(missed, key=lambda pair: pair[1].span.end - pair[1].span.start)))
    elif not effective:
        out += idle(line, source, programs)
    if not effective:
        out.append(NO_SAY)
    return list(dict.fromkeys(out))


def overlaps(span: Span, line: Span) -> bool:
    return (span.start <= line.end and line.start < span.end) or span.start == span.end == line.start


def is_compound(one: Found) -> bool:
    return type(one.node) in WORDS


def is_heredoc(source: SourceFile, line: Span, here: Iterable[tuple[Session, list[Found]]]) -> bool:
    """Whether a line is in the body of a here-document, and in no program that is run out of it."""
    for _, nodes in here:
        for one in nodes:
            if any(isinstance(outer, Redirection) and outer.body is not None for outer in one.around) and not any(
                isinstance(other.node, COMMANDS) and line.start <= other.span.start <= line.end for other in nodes
            ):
                return True
    return False


def comment(text: str, number: int) -> str:
    if number == 1 and text.startswith("#!"):
        return "it names the program that runs the file; bash itself reads it as a comment"
    for word, reader in SCHEDULERS.items():
        if text.startswith(word + " "):
            return f"a comment for bash; {reader} reads it when the file is submitted"
    if "recipelint:" in text:
        return "a comment: bash does not read it, recipelint does"
    return "a comment: bash does not read it"


def innermost(commands: Iterable[tuple[Session, Found]]) -> Found:
    return min((one for _, one in commands), key=lambda one: one.span.end - one.span.start)


def belonging(source: SourceFile, one: Found) -> str:
    return f"it belongs to the {WORDS.get(type(one.node), 'command')} at {where(source, one)}"


def where(source: SourceFile, one: Found) -> str:
    first, last = source.line_number(one.span.start), source.line_number(max(one.span.start, one.span.end - 1))
    return f"line {first}" if first == last else f"lines {first}-{last}"


def asking(one: Found) -> Found:
    """What a condition belongs to, as far as its place is known; else the condition."""
    for depth in range(len(one.around) - 1, -1, -1):
        outer = one.around[depth]
        if isinstance(outer, If | While | AndOr):
            shift = one.span.start - getattr(one.node, "start", one.span.start)
            return Found(outer, Span(outer.start + shift, outer.end + shift), one.around[:depth])
    return one


def reason(source: SourceFile, session: Session, one: Found) -> str:
    """Why no path came to a command."""
    chain = [*one.around, one.node]
    shift = one.span.start - getattr(one.node, "start", one.span.start)

    def line(node: object) -> int:
        return source.line_number(max(0, min(len(source.data), getattr(node, "start", 0) + shift)))

    for at, outer in enumerate(chain[:-1]):
        inner = chain[at + 1]
        if isinstance(outer, Sequence) and isinstance(inner, COMMANDS) and not ran(inner, session):
            before = [other for other in outer.commands if ran(other, session)]
            if before:
                return f"no way through the script comes to it: it ends, or goes elsewhere, at line {line(before[-1])}"
        body = next((one for one in chain[at + 1 :] if isinstance(one, Sequence)), None)
        if isinstance(outer, If) and body is not None and not ran(body, session):
            return f"it is not run: the `if` at line {line(outer)} goes another way"
        if isinstance(outer, Case) and body is not None and not ran(body, session):
            return f"it is not run: the `case` at line {line(outer)} goes another way"
        if isinstance(outer, While | For | ForArithmetic) and body is not None and not ran(body, session):
            return f"it is not run: the loop at line {line(outer)} has no turn"
        if isinstance(outer, Function) and not ran(outer.body, session):
            return f"it is not run: nothing calls the function {outer.name} on any way through the script"
        if (
            isinstance(outer, AndOr)
            and inner is not outer.first
            and isinstance(inner, COMMANDS)
            and not ran(inner, session)
        ):
            return f"it is not run: what stands before it at line {line(outer)} decides so"
    return "it is not run"


def idle(line: Span, source: SourceFile, programs: Several[Program]) -> Iterator[str]:
    """Why a line that is run has no say: what becomes of the variables that it sets."""
    names = {
        one.node.name: one
        for _, nodes in programs
        for one in nodes
        if isinstance(one.node, Assignment) and overlaps(one.span, line)
    }
    for name, one in names.items():
        again = [
            source.line_number(other.span.start)
            for session, nodes in programs
            for other in nodes
            if isinstance(other.node, Assignment) and other.node.name == name and not other.node.append
            if other.span.start > one.span.start and is_run(other, session)
        ]
        read = [
            source.line_number(other.span.start)
            for _, nodes in programs
            for other in nodes
            if isinstance(other.node, Parameter) and other.node.name == name and not overlaps(other.span, line)
        ]
        if again:
            yield f"{name} is set again at line {min(again)}"
        elif after := [at for at in read if at > source.line_number(one.span.start)]:
            yield f"{name} is read at line {min(after)}, and reaches no trainer"
        elif read:
            yield f"{name} is read at line {max(read)}, above it"
        else:
            yield f"nothing in this file reads {name}"


def is_run(one: Found, session: Session) -> bool:
    """Whether some path came to the command that a node is part of."""
    command = next((outer for outer in reversed(one.around) if isinstance(outer, Simple)), None)
    return command is not None and ran(command, session)
