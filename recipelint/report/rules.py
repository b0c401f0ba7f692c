"""Rules for a person, as a page or a list, and for a program: {"version", "rules": [...]}."""

from __future__ import annotations

from collections.abc import Sequence

from recipelint.report.json_ import VERSION, dump
from recipelint.report.page import for_terminal
from recipelint.report.plain import block
from recipelint.report.style import Stream
from recipelint.report.wrap import paragraph
from recipelint.ruleset import page as pages
from recipelint.ruleset.load import Ruleset
from recipelint.ruleset.schema import Rule


def page(rule: Rule, ruleset: Ruleset, stream: Stream) -> str:
    """The page of a rule: Markdown, on a terminal fitted to its width."""
    text = block(pages.page(rule, ruleset))
    return for_terminal(text, stream, stream.width) if stream.width else text


def listing(rules: Sequence[Rule], stream: Stream) -> str:
    """One rule a line: code, severity, name, and its summary below."""
    lines: list[str] = []
    width = max((len(one.code) for one in rules), default=0)
    for one in rules:
        lines.append(f"{one.code:{width}}  {one.severity.word:7}  {one.name}")
        lines += paragraph(one.summary, stream.width, " " * 7, " " * 7)
    return block("".join(f"{line}\n" for line in lines))


def json(rules: Sequence[Rule]) -> str:
    """The facts of rules, without their examples."""
    return dump(
        {
            "version": VERSION,
            "rules": [
                {
                    "code": one.code,
                    "name": one.name,
                    "family": one.family,
                    "status": one.status,
                    "since": one.since,
                    "severity": one.severity.word,
                    "default": one.default,
                    "summary": one.summary,
                    "why": one.why,
                    "help": one.help,
                    "url": one.url,
                    "references": list(one.references),
                    "fix": {"title": one.fix.title, "applicability": one.fix.applicability.word} if one.fix else None,
                }
                for one in rules
            ],
        }
    )
