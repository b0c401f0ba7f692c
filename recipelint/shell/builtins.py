"""The builtins by their names.

A builtin changes the world that it is given, and answers with a status or with the worlds that it leaves.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from recipelint.shell.aliases import Aliases
from recipelint.shell.declarations import Field, Result
from recipelint.shell.nodes import Simple
from recipelint.shell.state import World
from recipelint.shell.status import AsShipped, Undecided, needs_of, truth
from recipelint.shell.text import Text, join

IGNORED = frozenset(
    "wait ulimit umask bind disown jobs fg bg times enable help complete compopt suspend "
    "caller dirs history fc logout".split()
)
UNDECIDED = frozenset(("type", "hash", "kill", "compgen"))


class Builtins(Aliases):
    """Everything that `command -V` calls a shell builtin."""

    def builtin(self, name: str, fields: list[Field], world: World, node: Simple) -> Result | None:
        """Run builtin NAME, or a text tool whose output is known; None if it is neither."""
        method = BUILTINS.get(name)
        if method is not None:
            return method(self, fields, world, node)
        words = [field for field in fields if isinstance(field, Text)]
        method_of_words = WORD_BUILTINS.get(name)
        if method_of_words is not None:
            return method_of_words(self, words, world, node)
        if name in IGNORED:
            return 0
        if name in UNDECIDED:
            self.write(world, None)
            return Undecided(self.status_key(node), self.source_text(node))
        return None

    def command(self, words: list[Text], world: World, node: Simple) -> Result:
        """`command NAME …` runs it past functions; `command -v NAME` asks what the machine has."""
        query = False
        while words and re.fullmatch(r"-[pvV]+", words[0].s):
            query = query or "v" in words[0].s.lower()
            words = words[1:]
        if not query:
            return self.run_words(words, world, node, functions=False) if words else 0
        name = words[0].s if words else ""
        if name in world.functions or name in BUILTINS or name in WORD_BUILTINS or name in IGNORED:
            self.write(world, Text.of(name + "\n"))
            return 0
        self.write(world, None, node)
        return Undecided(f"command -v {name}", self.source_text(node))

    def test(self, words: list[Text], world: World, node: Simple) -> Result:
        """`test` and `[ ]`."""
        if self.command_name(node) == "[":
            if not words or words[-1].s != "]":
                return 2
            words = words[:-1]
        present, needs = list[Text](), frozenset[str]()
        for word in words:
            # An unquoted knob that nobody sets is no word: `[ $MODE = full ]` is `[ = full ]`.
            shipped, missing = self.shipped(word.s, world.given)
            if missing and not shipped and self.is_many(word):
                needs |= missing
            else:
                present.append(word)
        status = self.test_words(present, world, self.source_text(node))
        if not needs or isinstance(status, Undecided):
            return status
        return AsShipped(truth(status) is True, needs | needs_of(status))

    def let(self, words: list[Text], world: World, node: Simple) -> Result:
        """`let`: success if the last expression is not 0."""
        number: int | None = 0
        for word in words:
            number = self.number(word, world)
        if number is None:
            return Undecided(self.status_key(node), self.source_text(node))
        return int(number == 0)

    def cd(self, words: list[Text], world: World, node: Simple) -> Result:
        """`cd`, `pushd` and `popd`, which succeed; the folder stays known only where its place in the tree is."""
        words = [word for word in words if not re.fullmatch(r"-[LPe@n]+|--", word.s)]
        if self.command_name(node) == "popd" or (words and words[0].s == "-"):
            world.cwd = None
        elif words:
            world.cwd = self.path_text(words[0], world)
        else:
            world.cwd = None
        return 0

    def pwd(self, words: list[Text], world: World, node: Simple) -> Result:
        """`pwd`: known as a place, never as a text."""
        if world.cwd is None:
            self.write(world, None, node)
        else:
            self.write(world, join([self.place("$(pwd)", world.cwd, "PWD", self.here), Text.of("\n")]))
        return 0

    def echo_builtin(self, words: list[Text], world: World, node: Simple) -> Result:
        if world.output is not None:
            self.write(world, self.echo(words))
        return 0

    def printf_builtin(self, words: list[Text], world: World, node: Simple) -> Result:
        """`printf`, and `printf -v NAME`, which may set an element of an array."""
        target = None
        if len(words) > 2 and words[0].s == "-v":
            target, words = words[1].s, words[2:]
        if words and words[0].s == "--":
            words = words[1:]
        if target is None and world.output is None:
            return 0
        text = self.printf(words)
        if target is None:
            self.write(world, text, node)
        else:
            name, bracket, key = target.partition("[")
            if text is not None and "\0" in text.s:  # no value has it
                text = text.slice(0, text.s.index("\0"))
            value = text if text is not None else self.derived("${" + name + "}", self.here, self.here)
            if bracket and key.rstrip("]").isdecimal():
                self.assign_element(world, name, int(key.rstrip("]")), value, append=False)
            else:
                self.assign(world, name, value)
        return 0

    def succeed(self, words: list[Text], world: World, node: Simple) -> Result:
        return 0

    def fail(self, words: list[Text], world: World, node: Simple) -> Result:
        return 1


BUILTINS = dict.fromkeys(("declare", "typeset", "local", "export", "readonly"), Builtins.declare)
WORD_BUILTINS: dict[str, Callable[[Builtins, list[Text], World, Simple], Result]] = {
    ":": Builtins.succeed,
    "true": Builtins.succeed,
    "false": Builtins.fail,
    "unset": Builtins.unset_builtin,
    "set": Builtins.set_builtin,
    "shopt": Builtins.shopt,
    "shift": Builtins.shift,
    "getopts": Builtins.getopts,
    "exit": Builtins.exit,
    "return": Builtins.return_builtin,
    "break": Builtins.break_builtin,
    "continue": Builtins.break_builtin,
    "eval": Builtins.eval,
    "source": Builtins.source,
    ".": Builtins.source,
    "command": Builtins.command,
    "builtin": Builtins.command,
    "exec": Builtins.exec,
    "trap": Builtins.trap,
    "alias": Builtins.alias,
    "unalias": Builtins.unalias,
    "test": Builtins.test,
    "[": Builtins.test,
    "let": Builtins.let,
    "cd": Builtins.cd,
    "pushd": Builtins.cd,
    "popd": Builtins.cd,
    "pwd": Builtins.pwd,
    "echo": Builtins.echo_builtin,
    "printf": Builtins.printf_builtin,
    "read": Builtins.read_builtin,
    "mapfile": Builtins.mapfile,
    "readarray": Builtins.mapfile,
}
