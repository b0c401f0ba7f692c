"""The verdict on a command line: its findings as check reports them, and the command that has none of them.

The cure can be pasted into a shell as it is printed, whatever bytes are in its words, and it is inert on the way.
"""

from __future__ import annotations

import os
import re
import shlex
from collections import Counter
from collections.abc import Sequence

from recipelint.diagnostic import Severity
from recipelint.fix import Applicability
from recipelint.outcome import Judged
from recipelint.report import concise, full, json_
from recipelint.report.plain import inert, marker_indexes, neutralise
from recipelint.report.style import BOLD, GREEN, Stream, plural

NOT_JUDGED = "this command launches no trainer that recipelint knows"


def text(judged: Judged, stream: Stream, *, short: bool, quiet: bool) -> str:
    """The report for a person: SHORT has one line a finding."""
    outcome = judged.outcome
    made = concise.render(outcome, stream) if short else full.render(outcome, stream)
    if not quiet:
        made += totals(judged, stream)
    return made + cure(judged, stream)


def totals(judged: Judged, stream: Stream) -> str:
    """How much was found, in how many launches; nothing where nothing was judged."""
    outcome = judged.outcome
    launches = plural(outcome.judged, "launch")
    undecided = len({key for key, _, _ in outcome.undecided})
    where = f"{launches}, {undecided} undecided" if undecided else launches
    if outcome.diagnostics:
        counts = Counter(one.severity for one in outcome.diagnostics)
        found = " and ".join(
            plural(counts[severity], severity.word) for severity in reversed(Severity) if counts[severity]
        )
        return f"{stream.paint(f'Found {found}', BOLD)} in {where}\n"
    return f"{stream.paint('No problems', GREEN)} in {where}\n" if judged.judged else ""


def cure(judged: Judged, stream: Stream) -> str:
    """The corrected command line; nothing where there is none."""
    if not judged.cure:
        return ""
    codes = " and ".join(map(neutralise, judged.cured))
    head = f"A guess at what was meant ({codes}, unsafe):" if judged.guessed else f"The command with {codes} fixed:"
    return f"\n{stream.paint(head, BOLD)}\n\n{pasteable(judged.cure)}\n"


def pasteable(words: Sequence[str]) -> str:
    """WORDS as a shell reads them; a word that could not be printed as it is stands in `$'…'`."""
    return inert(" ".join(map(_quoted, words)))


def _quoted(word: str) -> str:
    plain = shlex.quote(word)
    if neutralise(plain) == plain:
        return plain
    markers = marker_indexes(word)
    return "$'" + "".join(_escaped(char, at in markers) for at, char in enumerate(word)) + "'"


def _escaped(char: str, marker: bool) -> str:
    if char in "\\'":
        return "\\" + char
    if char.isprintable() and not marker:
        return char
    return re.sub(r"..", r"\\x\g<0>", os.fsencode(char).hex())


def json(judged: Judged) -> str:
    """The JSON of check with the command, and the cure or null."""
    return json_.dump(
        {
            **json_.check_json(judged.outcome),
            "command": _command_json(judged.words),
            "cure": _cure_json(judged) if judged.cure else None,
        }
    )


def _cure_json(judged: Judged) -> json_.Json:
    applicability = Applicability.UNSAFE if judged.guessed else Applicability.SAFE
    return {**_command_json(judged.cure), "fixes": list(judged.cured), "applicability": applicability.word}


def _command_json(words: Sequence[str]) -> json_.Json:
    return {"text": shlex.join(words), "argv": list(words)}
