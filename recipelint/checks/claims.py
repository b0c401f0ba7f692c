"""DOC001: comments and docstrings that say an option prevents a failure that it does not prevent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from recipelint.checks import Context
from recipelint.diagnostic import Label
from recipelint.finding import Finding
from recipelint.fix import Applicability, CodeChange, Fix
from recipelint.python.claims import Claim, Phrases
from recipelint.python.comments import layout
from recipelint.python.prose import Block, comment_blocks, docstring_block
from recipelint.python.restate import restated
from recipelint.python.switches import Switch, docstrings, switches
from recipelint.python.tree import parsed, span
from recipelint.ruleset.schema import RuleFix
from recipelint.source import Location, SourceFile, Span

CODE = "DOC001"
NEAR = 20
"""Lines above a switch in which a comment that does not name the option may mean it."""


def check(context: Context) -> Iterable[Finding]:
    """The claims of all Python files that name the option."""
    rule = context.ruleset.rules[CODE]
    assert rule.fix is not None
    phrases = Phrases(rule.facts)
    for file in context.python:
        if phrases.could_stand_in(file.source.data):
            yield from _in_file(file.source, phrases, rule.fix)


def _in_file(source: SourceFile, phrases: Phrases, fix: RuleFix) -> Iterator[Finding]:
    tree = parsed(source)
    if tree is None:
        return
    found = sorted(switches(tree, phrases.names), key=lambda switch: switch.line)
    blocks = list(comment_blocks(source, layout(source)))
    strings = (docstring_block(source, span(source, node)) for node in docstrings(tree))
    blocks += [block for block in strings if block is not None]
    for block in blocks:
        for claim in phrases.claims(block):
            near = _switch(source, claim, found, phrases)
            if claim.named or near is not None:
                yield _finding(source, claim, near, phrases, fix)


def _switch(source: SourceFile, claim: Claim, found: Sequence[Switch], phrases: Phrases) -> Switch | None:
    """The switch that a claim is about: the next one that it stands at; one that it names may be anywhere below."""
    first, last = (source.line_number(offset) for offset in claim.block.span)
    for switch in found:
        if claim.named:
            if switch.line >= first:
                return switch
        elif _stands_at(switch, first, last, claim.block) or (
            switch.scope <= first and last < switch.line <= last + NEAR and phrases.means_it(claim.block)
        ):
            return switch
    return found[-1] if claim.named and found else None


def _stands_at(switch: Switch, first: int, last: int, block: Block) -> bool:
    """Whether a comment on the lines FIRST to LAST is right above a switch, or behind it."""
    return not block.docstring and switch.line in ((first, last + 1) if not block.own else (last + 1,))


def _finding(source: SourceFile, claim: Claim, switch: Switch | None, phrases: Phrases, fix: RuleFix) -> Finding:
    block: Block = claim.block
    applicability = Applicability.UNSAFE if block.docstring else fix.applicability
    changes = (CodeChange(source.path),) if block.docstring else ()
    edits = restated(source, block, claim.sentences, fix.comment.splitlines())
    name = phrases.names[0]
    related = (
        [Label(Location(source, span(source, switch.node)), f"{switch.name} is switched on here")] if switch else []
    )
    return Finding(
        CODE,
        Location(source, Span(claim.sentences[0].start, claim.sentences[-1].end)),
        {"option": name},
        label="the option does not prevent it",
        related=tuple(related),
        fix=Fix(fix.title, applicability, edits, changes),
    )
