"""The page of a rule, in Markdown, made from the files in `rules/` alone.

`python -m recipelint.ruleset.page docs/rules` writes all pages; with `--check` it says which are not up to date.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any

from recipelint.fix import Applicability
from recipelint.recipe.entry_point import keys_of
from recipelint.ruleset.condition import Condition
from recipelint.ruleset.explain import explain, fires, in_words, settings_of
from recipelint.ruleset.held import held_by
from recipelint.ruleset.load import Ruleset, load
from recipelint.ruleset.package import package_settings
from recipelint.ruleset.schema import Example, Rule, RuleFix, expand_comment

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
    if rule.file:
        facts.append(f"from `{rule.file}`")
    yield " · ".join(facts)
    yield "## What it does"
    yield f"{rule.summary}."
    yield "## When it fires"
    yield from _when(rule, ruleset)
    yield from _known(rule, ruleset)
    yield "## Why this is wrong" if rule.when else "## Why it is reported"
    yield rule.why.strip()
    for title, examples in (("Bad", rule.bad), ("Good", rule.good)):
        if examples:
            yield f"## {title}"
            for example in examples:
                yield from _example(rule, example)
    yield "## What to do"
    cure = in_words(rule, rule.help)
    yield f"{cure[0].upper()}{cure[1:]}."
    if rule.fix:
        yield "## Fix safety"
        yield f"The fix: {in_words(rule, rule.fix.title)}. {safety(rule.fix)}"
    yield "## How to ignore it"
    yield from _ignoring(rule)
    yield "## Options"
    yield "\n".join(f"- {line}" for line in _options(rule, ruleset))
    if rule.url or rule.references:
        yield "## References"
        yield "\n".join(f"- <{link}>" for link in dict.fromkeys((rule.url, *rule.references)) if link)


def _when(rule: Rule, ruleset: Ruleset) -> Iterator[str]:
    parts = fires(rule)
    if rule.when is None:
        yield parts[0]
        return
    yield "All of these hold for one launch:" if len(parts) > 1 else "This holds for a launch:"
    yield "\n".join(f"- {part}" for part in parts)
    yield _CERTAINTY
    yield from _variants(rule)
    yield "| setting | what it is | where it is read |\n|---|---|---|\n" + "\n".join(
        f"| `{name}` | {ruleset.settings[name]['means']} | {', '.join(_spellings(name, rule, ruleset))} |"
        for name in dict.fromkeys(_spoken_of(rule, rule.when))
    )


def _known(rule: Rule, ruleset: Ruleset) -> Iterator[str]:
    """For which trainers the rule is known to hold, where that is asked."""
    known = held_by(rule.code, ruleset.frameworks)
    if known:
        said = " and ".join(filter(None, (", ".join(known[:-1]), known[-1])))
        yield f"It is known to hold for {said}, and judges no launch of another trainer."
    elif rule.when is not None and rule.file:
        yield "It judges the launches of every trainer that has these settings."
    elif rule.when is not None:
        yield "It is not known to hold for any trainer, and judges no launch yet."


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
    yield from settings_of(when)
    yield from (label.setting for label in rule.labels)
    for variant in rule.variants:
        yield from settings_of(variant.when)


def _judged(rule: Rule, ruleset: Ruleset) -> list[Mapping[str, Any]]:
    """The frameworks whose launches the rule judges."""
    return [one for one in ruleset.frameworks.values() if rule.file or rule.code in one.get("rules", {})]


def _spellings(name: str, rule: Rule, ruleset: Ruleset) -> list[str]:
    found: dict[str, None] = {}
    for framework in _judged(rule, ruleset):
        for entry in framework["entry_points"].values():
            setting: Mapping[str, Any] = entry["settings"].get(name, {})
            for spelled in spellings(setting) if setting else ():
                found[f"`{spelled}` ({framework['title']})"] = None
    for package in ruleset.packages.values():
        if name in package_settings(package):
            found[f"the requirement for `{package['distribution']}`"] = None
    facts = ruleset.settings.get(name, {})
    if "launch" in facts:
        found["the options of torchrun, srun and the like, and of the scheduler"] = None
    for kind, operands in facts.get("derived", {}).items():
        found[(" × " if kind == "product" else " / ").join(f"`{one}`" for one in operands)] = None
    return list(found) or ["nowhere yet"]


def spellings(setting: Mapping[str, Any]) -> list[str]:
    """How a trainer spells a setting: its flag, its variable, or the keys of its configuration."""
    flags = [str(case["flag"]) for case in setting.get("cases", ()) if "flag" in case]
    return flags or keys_of(setting) or [str(setting.get("flag") or setting["environment"])]


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
    yield "Or for some files of it:"
    yield f'```toml\n[tool.recipelint.per-file-ignores]\n"examples/debug/*" = ["{rule.code}"]\n```'


def _options(rule: Rule, ruleset: Ruleset) -> Iterator[str]:
    """What of the configuration the rule depends on."""
    if rule.status == "preview" or not rule.default:
        why = "a preview rule" if rule.status == "preview" else "off by default"
        yield f"`select` (`--select {rule.code}`): it is {why}, and on only where it is selected"
    yield "`select`, `ignore`, `per-file-ignores`: whether it is looked for, and where"
    if rule.when is None:
        return
    spoken = dict.fromkeys(_spoken_of(rule, rule.when))
    variables = [variable for name in spoken for variable in _variables(name, rule, ruleset)]
    if variables:
        said = " and ".join(f"`{variable}`" for variable in dict.fromkeys(variables))
        verb = "count" if len(set(variables)) > 1 else "counts"
        yield f"`env` (`--env NAME=VALUE`): the variables that launchers are resolved with; {said} {verb} here"
    for package in ruleset.packages.values():
        if spoken.keys() & package_settings(package).keys():
            name = package["name"]
            yield f"`{name}` (`--{name} REV`): the {package['title']} that the launchers run with"


def _variables(name: str, rule: Rule, ruleset: Ruleset) -> Iterator[str]:
    for framework in _judged(rule, ruleset):
        for entry in framework["entry_points"].values():
            if "environment" in entry["settings"].get(name, {}):
                yield entry["settings"][name]["environment"]


def safety(fix: RuleFix) -> str:
    """Who may apply a fix, and why."""
    return fix.safety or _SAFETY[fix.applicability]


def main(arguments: list[str]) -> int:
    """The pages of all rules, written or checked: see `pages`."""
    from recipelint.ruleset import pages

    return pages.main(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
