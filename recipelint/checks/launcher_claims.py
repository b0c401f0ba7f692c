"""DOC002: a comment of a launcher that says of dispatchers and checkpointing what is not so.

Only in launchers that spread experts over ranks with a known trainer, and only by sentences that cannot be read
otherwise; which dispatcher is in use is what every such launch gets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from recipelint.checks import Context
from recipelint.commenting import Commenter
from recipelint.diagnostic import Label
from recipelint.finding import Finding
from recipelint.fix import Edit, Fix
from recipelint.prose.blocks import Block, Line, Paragraph, Sentence, blocks, comments_of
from recipelint.prose.claims import Claim, Phrases
from recipelint.prose.rewrite import WIDEST, drop, fill, replace
from recipelint.recipe.build import Recipes, Resolved
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
    settable  the dispatchers that the launcher names outside of its comments: one of them may be in use on another way
    """

    recipes: Recipes
    launches: tuple[Resolved, ...]
    used: str
    default: str
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
        for line in rule.fix.comment.splitlines()
    }
    for recipes in context.recipes:
        source = recipes.source
        if source.path not in context.linted or not phrases.mentioned(source.text):
            continue
        facts = facts_of(recipes)
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


def facts_of(recipes: Recipes) -> Facts | None:
    """What is so in a launcher; None if none of its launches is known to spread experts."""
    launches = []
    for resolved in recipes.resolved:
        settings = resolved.launch.settings
        size = settings[EXPERTS].value if EXPERTS in settings else None
        if resolved.entry is not None and DISPATCHER in settings and isinstance(size, int) and size > 1:
            launches.append(resolved)
    if not launches:
        return None
    found = [resolved.launch.settings[DISPATCHER] for resolved in launches]
    values = {str(one.value) if one.value is not None and not one.choices else "" for one in found}
    sure = len(values) == 1 and not any(one.source == "environment" for one in found)
    sure = sure and not any(resolved.unread for resolved in launches)
    defaults = {str(r.entry.settings[DISPATCHER].get("default", "")) for r in launches if r.entry is not None}
    used = values.pop() if sure else ""
    return Facts(recipes, tuple(launches), used, defaults.pop() if len(defaults) == 1 else "")


def findings(context: Context, phrases: Phrases, facts: Facts, block: Block) -> Iterator[Finding]:
    """The findings of one block of comments."""
    for paragraph in block:
        told = phrases.truth in " ".join(sentence.text for sentence in paragraph.sentences)
        for sentence in paragraph.sentences:
            place = Place(block, paragraph, sentence)
            false = [claim for claim in phrases.claims(sentence) if is_false(claim, phrases, facts, place)]
            if not false:
                continue
            wrong = [claim for claim in false if claim.form.of]
            yield finding(context, phrases, facts, place, false, told)
            told = told or bool(wrong)


def is_false(claim: Claim, phrases: Phrases, facts: Facts, place: Place) -> bool:
    """Whether a claim is known to be wrong in this launcher."""
    if claim.form.of:
        return True
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
    if not any(claim.form.of for claim in false):
        if any(claim.form.kind == "default" and facts.default != facts.used for claim in false):
            return (), f"not fixed: the trainer's default is {facts.default}, and the launches get {facts.used}"
        return tuple(
            Edit(source.path, at, at + claim.end - claim.start, facts.used.encode())
            for claim in {claim.start: claim for claim in false}.values()
            for at in (place.sentence.offset(claim.start),)
        ), ""
    if len(place.sentence.text) > LONGEST:
        return (), "not fixed: the sentence says much else"
    text = "" if told else phrases.truth
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
