"""What an editor shows of the place under the cursor: the value, where it comes from, and the launches it reaches.

The text is Markdown, in which what the launcher says is inert.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from recipelint.ignoring import Sources
from recipelint.report import words
from recipelint.report.markdown import target
from recipelint.ruleset.load import Ruleset
from recipelint.ruleset.schema import Rule
from recipelint.server.facts import BARE, Fact, decided, of_variable, of_word
from recipelint.server.live import Live
from recipelint.server.markdown import code, plain
from recipelint.server.places import Exported, Seen, Thing, Word, reached
from recipelint.source import SourceFile, Span
from recipelint.suppress import Suppression, find, meant

SHOWN = 8
"""So many values or launches are shown; of the rest, the number."""


def text(things: Sequence[Thing], path: str) -> str:
    """What there is to say of some things at one place of a file."""
    facts: list[Fact] = []
    seen: list[Seen] = []
    for thing in things:
        if isinstance(thing, Seen):
            seen.append(thing)
        else:
            facts.append(fact_of(thing, path))
    blocks = [*by_value(facts, path)] if facts else [block for one in merged(seen) for block in variable(one, path)]
    return "\n\n".join(blocks)


def fact_of(thing: Word | Exported, path: str) -> Fact:
    """What a launch gets there."""
    if isinstance(thing, Word):
        return of_word(thing.recipes, thing.resolved, thing.at, path)
    return of_variable(thing.recipes, thing.resolved, thing.name, path)


def by_value(facts: Sequence[Fact], path: str) -> Iterator[str]:
    """Each flag or variable with its value, and below it the launches that get it."""
    groups: dict[tuple[str, str, str], dict[str, Fact]] = {}
    for one in facts:
        groups.setdefault((one.called, one.value, one.origin), {}).setdefault(launch(one, path), one)
    for (called, value, origin), found in list(groups.items())[:SHOWN]:
        first = next(iter(found.values()))
        yield head(code(called), value, origin)
        if first.setting is not None:
            is_ = words.value(first.setting)
            yield f"the setting {code(first.setting.name)}" + (f", {code(is_)}" if is_ != first.value else "")
        yield listed(list(found))
    if len(groups) > SHOWN:
        yield f"and {len(groups) - SHOWN} more"


def head(called: str, value: str, origin: str) -> str:
    return f"{called}: {BARE}" if origin == BARE else f"{called} = {code(value)}  \n{plain(origin)}"


def launch(one: Fact, path: str) -> str:
    """`molt.cli.train_sft, line 113, only if …`."""
    made = one.launch.launch
    place = made.location
    line = f"line {place.start.line}" if place.path == path else f"{plain(place.path)}:{place.start.line}"
    condition = f", {plain(made.condition)}" if made.when else "" if made.certain else ", on some paths only"
    return f"{code(made.entry_point)}, {line}{condition}"


def listed(lines: Sequence[str]) -> str:
    """A list, the end of a long one told as a number."""
    rows = [f"- {line}" for line in lines[:SHOWN]]
    if len(lines) > SHOWN:
        rows.append(f"- and {len(lines) - SHOWN} more")
    return "\n".join(rows)


# --- variables of the shell ----------------------------------------------------------------------------------


def merged(seen: Sequence[Seen]) -> list[Seen]:
    """The same variable, seen by several launchers, once."""
    return list({(one.recipes.source.path, one.sighting.name): one for one in seen}.values())[:SHOWN]


def variable(one: Seen, path: str) -> Iterator[str]:
    """A variable's values at one place, and what each launch makes of them."""
    unknowns = one.recipes.evaluation.session.unknowns
    rows = []
    for value in one.sighting.values[:SHOWN]:
        shown = " ".join(words.word(unknowns.display(text.s), unknown=not text.known) for text in value)
        origin = decided(value[0], unknowns, path) if len(value) == 1 else f"{len(value)} words"
        rows.append(head(code("$" + one.sighting.name), shown, origin))
    if one.sighting.more or len(one.sighting.values) > SHOWN:
        rows.append("and more")
    yield "\n\n".join(rows)
    found: dict[str, None] = {}
    for thing in reached(one.recipes, [text for value in one.sighting.values for text in value]):
        fact = fact_of(thing, path)
        found.setdefault(f"{code(fact.called)} of {launch(fact, path)}")
    if found:
        yield "reaches\n\n" + listed(list(found))


# --- comments that ignore ------------------------------------------------------------------------------------


def ignore_at(live: Live, source: SourceFile, offset: int) -> Suppression | None:
    """The comment that ignores at a byte offset."""
    from recipelint.commenting import Layouts

    result = live.lint({})
    python = tuple(file for file in result.python if file.source is source)
    shell = {} if python else {source.path: source}
    for _, is_comment, _ in Sources(shell, Layouts(), python).comments():
        for one in find(source, is_comment):
            if one.span.start <= offset <= one.span.end:
                return one
    return None


def ignored(one: Suppression, ruleset: Ruleset) -> str:
    """What the rules are that a comment ignores."""
    rules = [ruleset.rules[code] for selector in one.codes for code in sorted(meant(ruleset, selector))]
    unknown = [selector for selector in one.codes if not meant(ruleset, selector)]
    lines = [about(rule) for rule in rules[:SHOWN]]
    lines += [f"{code(selector)} is no rule" for selector in unknown[:SHOWN]]
    if len(rules) > SHOWN:
        lines.append(f"and {len(rules) - SHOWN} more")
    return "\n\n".join(lines) or "ignores nothing: it names no rule, as in `# recipelint: ignore[EP001] reason`"


def about(rule: Rule) -> str:
    """A rule in two lines."""
    return f"**{rule.code}** [{plain(rule.name)}]({target(rule.url)})  \n{plain(rule.summary)}"


def span_of(things: Sequence[Thing]) -> Span | None:
    """Where the things stand."""
    return things[0].span if things else None
