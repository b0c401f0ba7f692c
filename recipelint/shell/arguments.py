"""The builtins that set and take the positional parameters and the shell's options: set, shift, getopts.

Once the script has set them, the arguments are no longer the launcher's own.
"""

from __future__ import annotations

import re

from recipelint.shell.declarations import Declarations, Result
from recipelint.shell.nodes import Simple
from recipelint.shell.numbers import whole
from recipelint.shell.state import World
from recipelint.shell.status import Undecided
from recipelint.shell.text import EMPTY, Text

SET_OPTIONS = {"errexit": "e", "nounset": "u", "pipefail": "p", "allexport": "a", "noglob": "f"}
SHOPT_OPTIONS = {name: name for name in ("extglob", "expand_aliases")}


class Arguments(Declarations):
    """Positional parameters and options."""

    def set_builtin(self, words: list[Text], world: World, node: Simple) -> Result:
        """`set -e`, `set -o pipefail`, `set -- WORDS`; options that change nothing here are dropped."""
        options = set(world.options)
        at = 0
        while at < len(words):
            word = words[at].s
            if word == "--":
                self.set_arguments(words[at + 1 :], world)
                break
            if not re.fullmatch(r"[-+][A-Za-z]+", word):
                given = words[at + (word == "-") :]
                if given:
                    self.set_arguments(given, world)
                break
            letters = set(word[1:])
            if "o" in letters and at + 1 < len(words):
                at += 1
                letters = letters - {"o"} | {SET_OPTIONS.get(words[at].s, "")}
            options = options | letters if word[0] == "-" else options - letters
            at += 1
        world.options = frozenset(options & {*"eupaf", *SHOPT_OPTIONS})
        return 0

    def shopt(self, words: list[Text], world: World, node: Simple) -> Result:
        """`shopt -s extglob`, and `shopt -so pipefail`, which is `set -o`; the others change nothing here."""
        flags = "".join(word.s[1:] for word in words if word.s.startswith("-"))
        table = SET_OPTIONS if "o" in flags else SHOPT_OPTIONS
        known = frozenset(table[word.s] for word in words if word.s in table)
        if "s" in flags:
            world.options |= known
        elif "u" in flags:
            world.options -= known
        elif "q" in flags and len(known) == len(words) - 1:
            return int(not known <= world.options)
        elif words:
            self.write(world, None, node)
            return Undecided(self.status_key(node), self.source_text(node))
        return 0

    def set_arguments(self, words: list[Text], world: World) -> None:
        """Put WORDS in the place of the arguments: what stands there from now on is not the user's to give."""
        self.charge(len(words) << 6)
        world.arguments = list(words)
        world.top = False

    def shift(self, words: list[Text], world: World, node: Simple) -> Result:
        """`shift N`; with none of the launcher's own arguments given there is nothing to shift, and no failure."""
        count = whole(words[0].s) if words and words[0].s.isdecimal() else 1
        if count > len(world.arguments):
            return 0 if world.top else 1
        world.arguments = world.arguments[count:]
        return 0

    def counter(self, world: World, name: str) -> int:
        """A counter of getopts; 1 where it holds no number."""
        text = self.read(world, name, None).text
        return int(text.s) if text is not None and text.s.isdecimal() and len(text.s) < 9 else 1

    def getopts(self, words: list[Text], world: World, node: Simple) -> Result:
        """One option of the arguments; OPTIND counts words, and a hidden variable the letters in one."""
        if len(words) < 2:
            return 2
        spec, name = words[0].s, words[1].s
        arguments = words[2:] if len(words) > 2 else world.arguments
        at, letter = self.counter(world, "OPTIND"), self.counter(world, "_OPTLETTER")
        word = arguments[at - 1] if 0 < at <= len(arguments) else None
        if word is None or not word.s.startswith("-") or word.s in ("-", "--"):
            self.assign(world, name, Text.of("?"))
            return 1
        option = word.s[letter : letter + 1]
        found = spec.find(option) if option and option != ":" else -1
        rest = word.slice(letter + 1, len(word.s)) if letter + 1 < len(word.s) else EMPTY
        if found >= 0 and spec[found + 1 : found + 2] == ":":
            missing = not rest.s and at >= len(arguments)
            if not rest.s:
                at += 1
                rest = arguments[at - 1] if at <= len(arguments) else EMPTY
            at, letter = at + 1, 1
            if missing:
                at -= 1
                return self.refused_option(world, name, ":" if spec[0] == ":" else "?", option, spec, at)
            self.assign(world, "OPTARG", rest)
        elif rest.s:
            letter += 1
        else:
            at, letter = at + 1, 1
        if found < 0:
            return self.refused_option(world, name, "?", option, spec, at, letter)
        if spec[found + 1 : found + 2] != ":":
            self.no_argument(world)
        self.assign(world, name, Text.of(option))
        self.assign(world, "OPTIND", Text.of(str(at)))
        self.assign(world, "_OPTLETTER", Text.of(str(letter)))
        return 0

    def refused_option(
        self, world: World, name: str, sign: str, option: str, spec: str, at: int, letter: int = 1
    ) -> Result:
        """An option that is none, or has no argument: OPTARG says which it is, if SPEC starts with a colon."""
        if spec.startswith(":"):
            self.assign(world, "OPTARG", Text.of(option))
        else:
            self.no_argument(world)
        self.assign(world, name, Text.of(sign))
        self.assign(world, "OPTIND", Text.of(str(at)))
        self.assign(world, "_OPTLETTER", Text.of(str(letter)))
        return 0

    def no_argument(self, world: World) -> None:
        """Take OPTARG away."""
        world.variables.pop("OPTARG", None)
        self.assigned.add("OPTARG")
