"""Conditions and templates in words, and what the page of a rule says of when it fires."""

from __future__ import annotations

from recipelint.diagnostic import several
from recipelint.ruleset.condition import (
    FORMULAS,
    OPERATORS,
    AllOf,
    AnyOf,
    Comparison,
    Condition,
    Formula,
    Not,
    Operand,
    Reference,
    named,
)
from recipelint.ruleset.schema import Rule


def fires(rule: Rule) -> tuple[str, ...]:
    """When a rule fires: the phrases that must all hold, or the sentence of a builtin rule."""
    if rule.when is None:
        return (rule.fires or "While a launcher is read, not for a recipe: it has no condition on settings.",)
    parts = rule.when.parts if isinstance(rule.when, AllOf) else (rule.when,)
    return tuple(explain(part) for part in parts)


def in_words(rule: Rule, template: str) -> str:
    """A help or a title of a rule, with what each placeholder means in its place: no finding fills it."""
    return template.format_map(_Meanings(rule.placeholders))


_ENDINGS = {
    "_origin": "where {} comes from",
    "_place": "the place of {}",
    "_arithmetic": "the value of {}",
    "_name": "{}",
}


_SIGNS = {"product": "times", "quotient": "divided by"}


class _Meaning(str):
    """What a placeholder stands for; with a noun, so many of it."""

    __slots__ = ()

    def __format__(self, noun: str) -> str:
        return f"as many {several(noun)} as {self!s}" if noun else str(self)


class _Meanings(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return _Meaning(self.words(key))

    def words(self, key: str) -> str:
        for ending, words in _ENDINGS.items():
            if key.endswith(ending):
                return words.format(key.removesuffix(ending))
        for kind, sign in FORMULAS.items():
            if sign in key:
                return f" {_SIGNS[kind]} ".join(key.split(sign))
        return f"the value of {key}"


def explain(condition: Condition) -> str:
    """A condition as a phrase."""
    if isinstance(condition, Comparison):
        return _explain_test(condition)
    if isinstance(condition, Not):
        return f"not: {explain(condition.part)}"
    word = " or " if isinstance(condition, AnyOf) else " and "
    return word.join(
        f"({explain(part)})" if isinstance(part, AllOf | AnyOf) else explain(part) for part in condition.parts
    )


def _explain_test(test: Comparison) -> str:
    if test.operand is True:
        return f"`{test.setting}` {OPERATORS[test.operator]}"
    return f"`{test.setting}` {OPERATORS[test.operator]} {_explain_operand(test.operand)}"


def _explain_operand(operand: Operand | Reference | Formula) -> str:
    if isinstance(operand, Formula):
        sign = " × " if operand.kind == "product" else " / "
        return sign.join(f"`{name}`" for name in operand.settings)
    if isinstance(operand, Reference):
        return f"`{operand.setting}`"
    if isinstance(operand, tuple):
        return " or ".join(f"`{value}`" for value in operand)
    return f"`{operand}`"


def settings_of(condition: Condition) -> list[str]:
    """The settings of a condition, in its order."""
    if isinstance(condition, Comparison):
        return [condition.setting, *named(condition.operand)]
    if isinstance(condition, Not):
        return settings_of(condition.part)
    return [name for part in condition.parts for name in settings_of(part)]
