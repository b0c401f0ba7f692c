"""What a shell is told to run: by `-c` a text, by a word a script, else its standard input."""

from __future__ import annotations

from collections.abc import Sequence

from recipelint.shell.session import InnerShell, Other
from recipelint.shell.state import Environment
from recipelint.shell.text import Text


def called_shell(
    name: str, words: Sequence[Text], environment: Environment, valued: frozenset[str]
) -> InnerShell | Other:
    """The call of a shell by its WORDS, the first of which is its own; long options in VALUED take a value."""
    at, text, stdin, options = 1, False, False, set[str]()
    while at < len(words):
        word = words[at].s
        if word in ("--", "-"):
            at += 1
            break
        if not word.startswith(("-", "+")) or len(word) < 2:
            break
        if word.startswith("--"):
            at += 2 if word in valued else 1
            continue
        letters = word[1:]
        if word[0] == "-":
            text = text or "c" in letters
            options |= set(letters) & set("eu")
            stdin = stdin or "s" in letters
        takes = letters[-1] in "oO"
        if takes and word[0] == "-" and at + 1 < len(words):
            options |= {{"errexit": "e", "nounset": "u"}.get(words[at + 1].s, "")} - {""}
        at += 2 if takes else 1
    rest = words[at:]
    flags = frozenset(options)
    if text:
        if not rest:
            return Other()
        return InnerShell(environment, name, rest[0], None, tuple(rest[2:]), rest[1] if len(rest) > 1 else None, flags)
    if rest and not stdin:
        return InnerShell(environment, name, None, rest[0], tuple(rest[1:]), None, flags)
    return InnerShell(environment, name, arguments=tuple(rest), options=flags)
