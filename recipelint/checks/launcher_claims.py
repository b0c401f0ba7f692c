"""DOC002: a comment of a launcher that says of dispatchers and checkpointing what is not so.

Only in launchers that spread experts over ranks with a known trainer, and only by sentences that cannot be read
otherwise; which dispatcher is in use is what every such launch gets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from recipelint.checks import Context
from recipelint.commenting import Commenter
from recipelint.diagnostic import Label
from recipelint.finding import Finding
from recipelint.fix import Edit, Fix
from recipelint.prose.blocks import Block, Line, Paragraph, Sentence, blocks, comments_of
from recipelint.prose.claims import Claim, Phrases
from recipelint.prose.rewrite import WIDEST, drop, fill, replace
from recipelint.recipe.build import Recipes, Resolved
from recipelint.record import NamedTuple
from recipelint.ruleset.match import origin_words, value_words
from recipelint.source import Location, SourceFile

CODE = "DOC002"
DISPATCHER, MODE, EXPERTS = "moe_dispatcher", "activation_checkpointing", "expert_parallel_size"

LONGEST = 480
"""A longer sentence, in characters, is not replaced."""


class Facts(NamedTuple):
    """What is so in one launcher.

    used      the dispatcher that all launches get as shipped; empty where that is not known, or not one
    default   that of the trainer when nothing is set; empty where the trainers differ
    failing   the dispatchers under which full checkpointing is known to fail
    settable  the dispatchers that the launcher names outside of its comments: one of them may be in use on another way
    """

    recipes: Recipes
    launches: tuple[Resolved, ...]
    used: str
    default: str
    failing: tuple[str, ...]
    settable: frozenset[str] = frozenset()


class Place(NamedTuple):
    """A sentence, in its paragraph and block."""

    block: Block
    paragraph: Paragraph
    sentence: Sentence


def check(context: Context) -> Iterator[Finding]:
    """The false claims of the launchers that may be changed."""
    phrases = Phrases(context.ruleset.comments)
    written = {
        line
        for rule in context.ruleset.rules.values()
        if rule.fix is not None
        for comment in (rule.fix.comment, *(one.comment or "" for one in rule.variants))
        for line in comment.splitlines()
    }
    for recipes in context.recipes:
        source = recipes.source
        if source.path not in context.linted or not phrases.mentioned(source.text):
            continue
        facts = facts_of(recipes, phrases)
        if facts is None or any(trouble.code == "SH001" for trouble in recipes.evaluation.troubles):
            continue
        comments = comments_of(source, context.layouts.of(source).is_comment)
        facts = facts._replace(settable=frozenset(phrases.names_in(code(source, comments))))
        for block in blocks(source, comments, written):
            yield from findings(context, phrases, facts, block)


def code(source: SourceFile, comments: Sequence[Line | None]) -> str:
    """The text of a launcher without its comments."""
    text, at = [], 0
    for line in filter(None, comments):
        text.append(source.text[at : line.hash])
        at = line.end
    return "".join(text) + source.text[at:]


def facts_of(recipes: Recipes, phrases: Phrases) -> Facts | None:
    """What is so in a launcher; None if none of its launches is known to spread experts."""
    launches = []
    for resolved in recipes.resolved:
        settings = resolved.launch.settings
        size = settings[EXPERTS].value if EXPERTS in settings else None
        if (
            resolved.entry is not None
            and CODE in resolved.entry.rules
            and DISPATCHER in settings
            and isinstance(size, int)
            and size > 1
        ):
            launches.append(resolved)
    if not launches:
        return None
    found = [resolved.launch.settings[DISPATCHER] for resolved in launches]
    values = {str(one.value) if one.value is not None and not one.choices else "" for one in found}
    sure = len(values) == 1 and not any(one.source == "environment" for one in found)
    sure = sure and not any(resolved.unread for resolved in launches)
    defaults = {str(r.entry.settings[DISPATCHER].get("default", "")) for r in launches if r.entry is not None}
    used = values.pop() if sure else ""
    failing = tuple(
        name
        for name, unless in phrases.fails_unless.items()
        if not any(may_be(resolved, setting, "yes") for resolved in launches for setting in unless)
    )
    return Facts(recipes, tuple(launches), used, defaults.pop() if len(defaults) == 1 else "", failing)


def may_be(resolved: Resolved, name: str, value: str) -> bool:
    """Whether a setting of a launch is, or on some way is, of a value."""
    setting = resolved.launch.settings.get(name)
    return setting is not None and value in (setting.choices or (setting.value,))


def findings(context: Context, phrases: Phrases, facts: Facts, block: Block) -> Iterator[Finding]:
    """The findings of one block of comments."""
    for paragraph in block:
        told = phrases.truth(facts.failing) in " ".join(sentence.text for sentence in paragraph.sentences)
        for sentence in paragraph.sentences:
            place = Place(block, paragraph, sentence)
            false = [claim for claim in phrases.claims(sentence) if is_false(claim, phrases, facts, place)]
            if not false:
                continue
            found = finding(context, phrases, facts, place, false, told)
            yield found
            told = told or (found.fix is not None and any(claim.form.of for claim in false))


def is_false(claim: Claim, phrases: Phrases, facts: Facts, place: Place) -> bool:
    """Whether a claim is known to be wrong in this launcher."""
    if claim.form.of:
        return claim.name in facts.failing or claim.name not in phrases.fails_unless
    if not facts.used or claim.name == facts.used or claim.name in facts.settable:
        return False
    if claim.form.kind == "default":
        return bool(facts.default) and claim.name != facts.default
    text = place.sentence.text
    if claim.form.alone == "comment":
        text = " ".join(one.text for paragraph in place.block for one in paragraph.sentences)
    return not claim.form.alone or phrases.names_in(text) == {claim.name}


def finding(context: Context, phrases: Phrases, facts: Facts, place: Place, false: list[Claim], told: bool) -> Finding:
    """The finding for the false claims of a sentence; TOLD: its paragraph already has the truth."""
    source, settings = facts.recipes.source, facts.launches[0].launch.settings
    general = [claim for claim in false if claim.form.of]
    first = facts.launches[0].launch
    got = f"{value_words(settings[DISPATCHER])} ({origin_words(settings[DISPATCHER])})"
    if general:
        got = f"{MODE} {value_words(settings[MODE])} under {got}" if MODE in settings else got
    fields = {
        "claims": enumerated(list(dict.fromkeys(claim.form.says.format(claimed=claim.name) for claim in false))),
        "line": str(first.location.start.line),
        "got": got,
    }
    fix, note = None, ""
    rule = context.ruleset.rules[CODE].fix
    if rule is not None:
        edits, note = edits_of(context, phrases, facts, place, false, told)
        fix = Fix(rule.title, rule.applicability, edits) if edits else None
    return Finding(
        CODE,
        Location(source, place.sentence.span),
        fields,
        label="this is not so",
        related=tuple(related(facts, bool(general))),
        fix=fix,
        note=note,
        disputes=tuple(dict.fromkeys(claim.form.setting for claim in false if claim.form.setting)),
    )


def enumerated(phrases: list[str]) -> str:
    """`a`; `a, and b`; `a, b, and c`."""
    return ", and ".join(filter(None, (", ".join(phrases[:-1]), phrases[-1])))


def related(facts: Facts, general: bool) -> Iterator[Label]:
    """What decides the settings that the claims are about, and the launch."""
    launch = facts.launches[0].launch
    for name in (MODE, DISPATCHER) if general else (DISPATCHER,):
        setting = launch.settings.get(name)
        if setting is not None and setting.location is not None:
            yield Label(setting.location, f"{name} is {value_words(setting)}")
    yield Label(launch.location, f"{launch.entry_point} is launched here")


# --- what to write instead -------------------------------------------------------------------------


def edits_of(
    context: Context, phrases: Phrases, facts: Facts, place: Place, false: list[Claim], told: bool
) -> tuple[tuple[Edit, ...], str]:
    """The edits that make a sentence true, or why there are none.

    A wrong name becomes the right one. A sentence with a general claim becomes another, or goes where its paragraph has
    that one already.
    """
    source = facts.recipes.source
    names = {claim.start: claim for claim in false}.values()
    if not any(claim.form.of for claim in false):
        if any(claim.form.kind == "default" and facts.default != facts.used for claim in false):
            return (), f"not fixed: the trainer's default is {facts.default}, and the launches get {facts.used}"
        if not any(
            one.form.of and is_false(one, phrases, facts, place) for one in claims_with(phrases, facts, place, names)
        ):
            return tuple(
                Edit(source.path, at, at + claim.end - claim.start, facts.used.encode())
                for claim in names
                for at in (place.sentence.offset(claim.start),)
            ), ""
    if len(place.sentence.text) > LONGEST:
        return (), "not fixed: the sentence says much else"
    text = "" if told else phrases.truth(facts.failing)
    if text and facts.used:
        text += " " + phrases.here.format_map({DISPATCHER: facts.used})
    if not place.paragraph.lines[0].behind:
        return (replace(source, place.paragraph, place.sentence, text),), ""
    lines = tuple(fill(text.split(), "# ", "# ", WIDEST)) if text else ()
    commenter = Commenter(context.layouts, facts.recipes.evaluation.session.units)
    return (
        *commenter.comment(source, place.paragraph.lines[0].hash, lines),
        drop(source, place.paragraph, place.sentence),
    ), ""


def claims_with(phrases: Phrases, facts: Facts, place: Place, names: Iterable[Claim]) -> list[Claim]:
    """What the sentence would claim with the dispatcher in use in the place of some names."""
    text = place.sentence.text
    for claim in sorted(names, key=lambda one: -one.start):
        text = text[: claim.start] + facts.used + text[claim.end :]
    return phrases.claims(place.sentence._replace(text=text))
