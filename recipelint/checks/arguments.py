"""ARG001 to ARG007: what a trainer's parser refuses at start-up, or takes for something else than it looks like."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from recipelint.checks import Context
from recipelint.checks.values import value_findings
from recipelint.checks.words import Parsed, parsed
from recipelint.diagnostic import Label
from recipelint.finding import Finding
from recipelint.fix import Applicability
from recipelint.recipe.spoken import Occurrence, Refusal

SHOWN = 4
"""So many names are listed in a message."""


def check(context: Context) -> Iterable[Finding]:
    """What is wrong with the words of each launch."""
    for one in parsed(context.recipes):
        history = removed_flags(context, one)
        for refusal in one.line.refusals:
            if refusal.kind in ("unknown", "ambiguous"):
                yield from unknown(one, refusal, history)
            elif refusal.kind == "missing":
                if not one.resolved.forwards and not mentioned(one, refusal):
                    yield from missing(one, refusal)
            elif not one.awaits_user(refusal.at, context.layouts):
                yield from count(one, refusal)
        yield from value_findings(one)
        yield from repeated(one)
        yield from abbreviated(one)


def removed_flags(context: Context, one: Parsed) -> dict[str, dict[str, str]]:
    """The flags that the trainer once had, by name: what the framework file says of them."""
    entry = one.resolved.entry
    if entry is None:
        return {}
    return {removed["flag"]: removed for removed in context.ruleset.frameworks[entry.framework].get("history", ())}


# --- ARG001 ------------------------------------------------------------------------------------------------


def unknown(one: Parsed, refusal: Refusal, history: dict[str, dict[str, str]]) -> Iterator[Finding]:
    """A flag that the trainer does not have, or an abbreviation of several."""
    assert refusal.at is not None
    if one.schema.known_only and refusal.kind == "unknown":
        return
    spelled = one.words[refusal.at].text.partition("=")[0]
    fix, hint = None, ""
    if refusal.names:
        hint = f": it could be {listing(refusal.names)}"
    elif spelled in history:
        past = history[spelled]
        hint = f": {past['note']}"
        if "replacement" in past and past["replacement"].split(" ")[0] in one.schema.options:
            fix = one.rewritten(
                refusal.at, 0, len(spelled), past["replacement"], f"write {past['replacement']}", Applicability.SAFE
            )
    else:
        from difflib import get_close_matches

        near = get_close_matches(spelled, one.schema.options, 1, 0.8)
        if near:
            hint = f": did you mean {near[0]}?"
            fix = one.rewritten(refusal.at, 0, len(spelled), near[0], f"write {near[0]}", Applicability.UNSAFE)
    yield one.finding("ARG001", one.place(refusal.at), {"flag": spelled, "hint": hint}, fix)


def listing(words: Iterable[str]) -> str:
    """Some words of a list, and how many more there are."""
    found = list(words)
    shown = found[:SHOWN]
    if len(found) > SHOWN:
        return f"{', '.join(shown)} or {plural(len(found) - SHOWN)}"
    return " or ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))


def plural(count: int) -> str:
    return "another one" if count == 1 else f"{count} others"


# --- ARG004, ARG005 ----------------------------------------------------------------------------------------

WANTED = {"?": "at most one", "+": "at least one", "A...": "at least one"}


def count(one: Parsed, refusal: Refusal) -> Iterator[Finding]:
    """A flag with too few words after it, or words that belong to none."""
    assert refusal.at is not None
    flag = refusal.flag
    if refusal.kind == "stray":
        if one.schema.known_only:
            return
        word = one.words[refusal.at].text
        if flag is None:
            what = f"the word {word!r} belongs to no flag"
        else:
            what = f"{flag.called} takes {wanted(flag.nargs)}, and {word!r} is one word too many"
    else:
        assert flag is not None
        what = f"{flag.called} takes {wanted(flag.nargs)}, and gets {refusal.given or 'none'}"
    yield one.finding("ARG004", one.place(refusal.at), {"what": what})


def wanted(nargs: int | str | None) -> str:
    """How many values a flag takes, in words."""
    if nargs is None or nargs == 1:
        return "one value"
    if isinstance(nargs, int):
        return f"{nargs} values" if nargs else "no value"
    return f"{WANTED.get(nargs, 'any number of')} value{'s' if nargs not in WANTED else ''}"


def mentioned(one: Parsed, refusal: Refusal) -> bool:
    """Whether the launcher has the flag in its text, and no way that was followed gives it: it waits for the user."""
    assert refusal.flag is not None
    if refusal.flag.positional:
        return False
    names = refusal.flag.names
    sources = [one.recipes.source, *one.recipes.evaluation.session.followed.values()]
    site = one.resolved.launch.trainer.key
    given = (word.s.partition("=")[0] for r in one.recipes.resolved if r.launch.trainer.key == site for word in r.words)
    return any(name in source.text for source in sources for name in names) and set(names).isdisjoint(given)


def missing(one: Parsed, refusal: Refusal) -> Iterator[Finding]:
    """A required flag that no word gives."""
    assert refusal.flag is not None
    yield one.finding("ARG005", one.place(None), {"flag": refusal.flag.called})


# --- ARG006, ARG007 ----------------------------------------------------------------------------------------


def repeated(one: Parsed) -> Iterator[Finding]:
    """A flag with one value that is given several, of which the last counts."""
    groups: dict[str, list[Occurrence]] = {}
    for use in one.line.occurrences:
        if use.flag.action == "store" and not use.flag.positional and use.values and one.known(use):
            groups.setdefault(use.flag.dest, []).append(use)
    for uses in groups.values():
        said = [" ".join(value for _, value in one.values(use)) for use in uses]
        dead = [(use, value) for use, value in zip(uses, said, strict=True) if value != said[-1]]
        if not dead:
            continue
        found = one.finding(
            "ARG006",
            one.place(dead[0][0].at),
            {
                "flag": uses[-1].name,
                "value": quoted(said[-1]),
                "dead": listing(dict.fromkeys(quoted(v) for _, v in dead)),
            },
        )
        related = (
            *(Label(one.place(use.at), f"{quoted(value)} is without effect") for use, value in dead[1:]),
            Label(one.place(uses[-1].at), f"{quoted(said[-1])} is what counts"),
        )
        yield found._replace(label="this is without effect", related=related)


def quoted(value: str) -> str:
    return value if value and " " not in value else repr(value)


def abbreviated(one: Parsed) -> Iterator[Finding]:
    """A flag that is written as a prefix of its name."""
    for use in one.line.occurrences:
        if use.name and use.spelled != use.name and use.name.startswith(use.spelled):
            fix = one.rewritten(use.at, 0, len(use.spelled), use.name, f"write {use.name}", Applicability.SAFE)
            fields = {"flag": use.spelled, "full": use.name}
            yield one.finding("ARG007", one.place(use.at), fields, fix)
