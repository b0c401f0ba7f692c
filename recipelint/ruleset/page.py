"""The page of a rule, in Markdown, made from the files in `rules/` alone.

`python -m recipelint.ruleset.page docs/rules` writes all pages; with `--check` it says which are not up to date.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from recipelint.fix import Applicability
from recipelint.ruleset.condition import AllOf, AnyOf, Comparison, Condition, Not, Operand, Reference
from recipelint.ruleset.load import Ruleset, load
from recipelint.ruleset.package import package_settings
from recipelint.ruleset.schema import Example, Rule, expand_comment

INDEX = "README.md"

_WORDS = {
    "equals": "is",
    "one_of": "is",
    "greater_than": "is greater than",
    "less_than": "is less than",
    "at_least": "is at least",
    "at_most": "is at most",
    "divides": "divides",
    "present": "is given",
    "absent": "is not given",
    "overridable": "is a default that the environment overrides",
}
UNUSED = "RL001"
"""The rule whose findings stand on comments that ignore: it is ignored in these themselves."""
_CERTAINTY = (
    "A setting that cannot be known matches nothing. One that is wrong on some ways through the launcher and right on "
    "others makes the finding `possible` instead of `certain`."
)
_SAFETY = {
    Applicability.SAFE: (
        "Safe: `--fix` applies it. A recipe that cannot run has no behaviour to keep. Where only some ways through the "
        "launcher match, or another launch uses the same text and is right, the fix is unsafe and needs "
        "`--unsafe-fixes`. It is written only if the launcher, evaluated again, differs in nothing else."
    ),
    Applicability.UNSAFE: (
        "Unsafe: it changes what a recipe that runs does. `--fix` leaves it alone, `--unsafe-fixes` applies it."
    ),
    Applicability.DISPLAY: "It is shown, and never applied.",
}


def page(rule: Rule, ruleset: Ruleset | None = None) -> str:
    """The whole page of a rule; RULESET says what its settings mean, that of this program if it is not given."""
    lines = [line.rstrip() for part in _parts(rule, ruleset or load()) for line in (*part.splitlines(), "")]
    return "\n".join(lines)


def _parts(rule: Rule, ruleset: Ruleset) -> Iterator[str]:
    yield f"# {rule.code}: {rule.name}"
    facts = [rule.severity.word, rule.status, f"family `{rule.family}`", f"since {rule.since}"]
    if not rule.default:
        facts.append("off unless selected")
    if rule.fix:
        facts.append(f"fix: {rule.fix.applicability.word}")
    yield " · ".join(facts)
    yield "## What it does"
    yield f"{rule.summary}."
    yield "## When it fires"
    yield from _when(rule, ruleset)
    yield "## Why this is wrong" if rule.when else "## Why it is reported"
    yield rule.why.strip()
    for title, examples in (("Bad", rule.bad), ("Good", rule.good)):
        if examples:
            yield f"## {title}"
            for example in examples:
                yield from _example(rule, example)
    yield "## What to do"
    yield f"{rule.help[0].upper()}{rule.help[1:]}."
    if rule.fix:
        yield "## Fix safety"
        yield f"The fix: {rule.fix.title}. {rule.fix.safety or _SAFETY[rule.fix.applicability]}"
    yield "## How to ignore it"
    yield from _ignoring(rule)
    if rule.url or rule.references:
        yield "## References"
        yield "\n".join(f"- <{link}>" for link in dict.fromkeys((rule.url, *rule.references)) if link)


def _when(rule: Rule, ruleset: Ruleset) -> Iterator[str]:
    if rule.when is None:
        yield rule.fires or "While a launcher is read, not for a recipe: it has no condition on settings."
        return
    parts = rule.when.parts if isinstance(rule.when, AllOf) else (rule.when,)
    yield "All of these hold for one launch:" if len(parts) > 1 else "This holds for a launch:"
    yield "\n".join(f"- {explain(part)}" for part in parts)
    yield _CERTAINTY
    yield from _variants(rule)
    yield "| setting | what it is | where it is read |\n|---|---|---|\n" + "\n".join(
        f"| `{name}` | {ruleset.settings[name]['means']} | {', '.join(_spellings(name, ruleset))} |"
        for name in dict.fromkeys(_spoken_of(rule, rule.when))
    )


def _variants(rule: Rule) -> Iterator[str]:
    """What the rule says otherwise, and where."""
    if not rule.variants:
        return
    yield "It says something else where one of these holds; the first that does counts:"
    rows = []
    for variant in rule.variants:
        said = ["silent"] if variant.silent else []
        if variant.severity is not None:
            said.append(variant.severity.word)
        if variant.applicability is not None:
            said.append(f"the fix is {variant.applicability.word}")
        if not variant.silent and variant.severity is None:
            said.append(f"{rule.severity.word}, in other words")
        rows.append(f"- {explain(variant.when)}: {', '.join(said)}")
    yield "\n".join(rows)


def _spoken_of(rule: Rule, when: Condition) -> Iterator[str]:
    """The settings that a rule asks about or points at, in its order."""
    yield from _settings(when)
    yield from (label.setting for label in rule.labels)
    for variant in rule.variants:
        yield from _settings(variant.when)


def _spellings(name: str, ruleset: Ruleset) -> list[str]:
    found: dict[str, None] = {}
    for framework in ruleset.frameworks.values():
        for entry in framework["entry_points"].values():
            setting: Mapping[str, object] = entry["settings"].get(name, {})
            if setting:
                found[f"`{setting.get('flag') or setting['environment']}` ({framework['title']})"] = None
    for package in ruleset.packages.values():
        if name in package_settings(package):
            found[f"the requirement for `{package['distribution']}`"] = None
    return list(found) or ["nowhere yet"]


def _example(rule: Rule, example: Example) -> Iterator[str]:
    if example.about:
        yield example.about
    language = "python" if example.path.endswith(".py") else "bash"
    if example.path:
        yield f"`{example.path}`:"
    yield f"```{language}\n{example.code.rstrip()}\n```"
    if example.line is not None:
        yield f"The finding stands on line {example.line}."
    if example.after is not None and rule.fix:
        yield "After `--fix`:" if rule.fix.applicability is Applicability.SAFE else "After `--fix --unsafe-fixes`:"
        yield f"```{language}\n{expand_comment(example.after, rule.fix.comment_lines).rstrip()}\n```"


def _ignoring(rule: Rule) -> Iterator[str]:
    codes, reason = rule.code, "why this is right here"
    if rule.code == UNUSED:
        yield "In the comment that ignores nothing, beside what it names, with the reason:"
        language, codes, reason = "bash", f"EP001, {rule.code}", "why this stays"
    elif any(example.path.endswith(".py") for example in rule.bad):
        yield "On the line above a statement or above the comment on it, with the reason; it covers both, however long:"
        language = "python"
    else:
        yield "On the line above a command, with the reason; it covers the whole logical command:"
        language = "bash"
    yield f"```{language}\n# recipelint: ignore[{codes}] {reason}\n```"
    yield f"For a whole file `# recipelint: ignore-file[{rule.code}]`; for a run `--ignore {rule.code}`; for a project:"
    yield f'```toml\n[tool.recipelint]\nignore = ["{rule.code}"]\n```'


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
        return f"`{test.setting}` {_WORDS[test.operator]}"
    return f"`{test.setting}` {_WORDS[test.operator]} {_explain_operand(test.operand)}"


def _explain_operand(operand: Operand | Reference) -> str:
    if isinstance(operand, Reference):
        return f"`{operand.setting}`"
    if isinstance(operand, tuple):
        return " or ".join(f"`{value}`" for value in operand)
    return f"`{operand}`"


def _settings(condition: Condition) -> list[str]:
    """The settings of a condition, in its order."""
    if isinstance(condition, Comparison):
        other = [condition.operand.setting] if isinstance(condition.operand, Reference) else []
        return [condition.setting, *other]
    if isinstance(condition, Not):
        return _settings(condition.part)
    return [name for part in condition.parts for name in _settings(part)]


def pages(ruleset: Ruleset) -> dict[str, str]:
    """Every file of docs/rules by its name."""
    rows = ["# Rules", "", "Made from the files in `rules/` by `python -m recipelint.ruleset.page docs/rules`.", ""]
    rows += ["| code | name | severity | fix | what |", "|---|---|---|---|---|"]
    found = {}
    for rule in ruleset.rules.values():
        fix = rule.fix.applicability.word if rule.fix else ""
        rows.append(f"| [{rule.code}]({rule.code}.md) | {rule.name} | {rule.severity.word} | {fix} | {rule.summary} |")
        found[f"{rule.code}.md"] = page(rule, ruleset)
    return {INDEX: "\n".join(rows) + "\n", **found}


def drift(folder: Path, wanted: Mapping[str, str]) -> list[str]:
    """The files of a folder that are not as wanted: missing, changed, or left over."""
    present = {path.name: path.read_text("utf-8") for path in folder.glob("*.md")} if folder.is_dir() else {}
    return sorted(name for name in present.keys() | wanted.keys() if present.get(name) != wanted.get(name))


def main(arguments: list[str]) -> int:
    """Write the pages to a folder; with --check only say which are not as they should be, and exit with 1."""
    folder = Path(arguments[-1]) if arguments and not arguments[-1].startswith("-") else None
    if folder is None or arguments[:-1] not in ([], ["--check"]):
        print("usage: python -m recipelint.ruleset.page [--check] FOLDER", file=sys.stderr)
        return 2
    wanted = pages(load())
    stale = drift(folder, wanted)
    if arguments[0] == "--check":
        for name in stale:
            print(f"{folder / name} is not what the rules say; run python -m recipelint.ruleset.page {folder}")
        return 1 if stale else 0
    folder.mkdir(parents=True, exist_ok=True)
    for name in stale:
        if name in wanted:
            (folder / name).write_text(wanted[name], encoding="utf-8", newline="\n")
        else:
            (folder / name).unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
