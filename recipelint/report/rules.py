"""Rules for a person, as a page or a list, and for a program: {"version", "rules": [...]}."""

from __future__ import annotations

from collections.abc import Sequence

from recipelint.report.json_ import VERSION, Json, dump
from recipelint.report.page import for_terminal
from recipelint.report.plain import block
from recipelint.report.style import Stream
from recipelint.report.wrap import paragraph
from recipelint.ruleset import page as pages
from recipelint.ruleset.condition import plain_of
from recipelint.ruleset.explain import explain, fires, in_words
from recipelint.ruleset.load import Ruleset
from recipelint.ruleset.schema import SILENT, Example, Rule, RuleFix, Variant, expand_comment
from recipelint.ruleset.select import STABLE


def page(rule: Rule, ruleset: Ruleset, stream: Stream) -> str:
    """The page of a rule: Markdown, on a terminal fitted to its width."""
    text = block(pages.page(rule, ruleset))
    return for_terminal(text, stream, stream.width) if stream.width else text


def listing(rules: Sequence[Rule], stream: Stream) -> str:
    """A line for each rule, with its code, severity, name and what else there is to know; its summary below."""
    lines: list[str] = []
    width = max((len(one.code) for one in rules), default=0)
    for one in rules:
        lines.append(f"{one.code:{width}}  {one.severity.word:7}  {one.name}")
        if marks := _marks(one):
            fits = stream.width is None or len(lines[-1]) + len(marks) + 2 <= stream.width
            lines[-1:] = [f"{lines[-1]}  {marks}"] if fits else [lines[-1], f"{' ' * 7}{marks}"]
        lines += paragraph(one.summary, stream.width, " " * 7, " " * 7)
    return block("".join(f"{line}\n" for line in lines))


def _marks(rule: Rule) -> str:
    """Who may apply its fix, if it has one, and its status where that is not plain."""
    marks = [f"{rule.fix.applicability.word} fix"] if rule.fix else []
    marks += [] if rule.standing == STABLE else [rule.standing.removeprefix(f"{STABLE}, ")]
    return f"({'; '.join(marks)})" if marks else ""


def json(rules: Sequence[Rule]) -> str:
    """All that is known of rules."""
    return dump({"version": VERSION, "rules": [_rule(one) for one in rules]})


def _rule(rule: Rule) -> Json:
    return {
        "code": rule.code,
        "name": rule.name,
        "family": rule.family,
        "status": rule.status,
        "since": rule.since,
        "severity": rule.severity.word,
        "default": rule.default,
        "summary": rule.summary,
        "fires": list(fires(rule)),
        "when": plain_of(rule.when) if rule.when else None,
        "variants": [_variant(one) for one in rule.variants],
        "message": rule.message,
        "why": rule.why,
        "help": in_words(rule, rule.help),
        "url": rule.url,
        "references": list(rule.references),
        "fix": _fix(rule, rule.fix) if rule.fix else None,
        "examples": {
            "bad": [_example(rule, one) for one in rule.bad],
            "good": [_example(rule, one) for one in rule.good],
        },
        "page": None if rule.file else f"docs/rules/{rule.code}.md",
        "file": rule.file or None,
    }


def _variant(variant: Variant) -> Json:
    severity = variant.severity.word if variant.severity is not None else None
    return {
        "fires": explain(variant.when),
        "when": plain_of(variant.when),
        "severity": SILENT if variant.silent else severity,
        "message": variant.message,
        "applicability": variant.applicability.word if variant.applicability is not None else None,
    }


def _fix(rule: Rule, fix: RuleFix) -> Json:
    return {
        "title": in_words(rule, fix.title),
        "applicability": fix.applicability.word,
        "safety": pages.safety(fix),
        "set": dict(fix.set),
        "comment": fix.comment,
    }


def _example(rule: Rule, example: Example) -> Json:
    comment = rule.fix.comment_lines if rule.fix else ()
    return {
        "about": example.about,
        "path": example.path or None,
        "code": example.code,
        "line": example.line,
        "after": None if example.after is None else expand_comment(example.after, comment),
    }
