"""Programs that start a trainer, by `rules/launchers.yaml`: which of their words is the entry point.

What the user has not given is none of the words as shipped; what is meant with it is told beside that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

from recipelint.recipe.missing import awaited, vanishes
from recipelint.recipe.options import Grammar, split_options
from recipelint.recipe.passing import Rules
from recipelint.shell.calls import Trainer
from recipelint.shell.session import Action, Inner, Other
from recipelint.shell.state import Environment
from recipelint.shell.text import EMPTY, Text
from recipelint.shell.unknown import Unknowns


def by_name(table: Rules) -> dict[str, tuple[str, Rules]]:
    """Entries by each of their names; a pattern stays one."""
    found: dict[str, tuple[str, Rules]] = {}
    for key, entry in table.items():
        for name in (entry or {}).get("names", [key]):
            found[name] = (key, entry or {})
    return found


class Programs:
    """torchrun, python and their like, and the commands that are trainers themselves."""

    def __init__(self, data: Rules) -> None:
        self.data = data
        self._programs = by_name(data["programs"])
        self._patterns = [name for name in self._programs if "*" in name]
        self._modules = {m: (k, e) for k, e in data["programs"].items() for m in e.get("modules", [])}
        self._not_trainers = frozenset(data["programs"]["python"]["not_trainers"])
        self._commands: Mapping[str, list[str]] = data["commands"]
        self._grammars: dict[int, Grammar] = {}
        self.unknowns = Unknowns()

    def program(self, name: str) -> tuple[str, Rules] | None:
        found = self._programs.get(name)
        if found is None and self._patterns:
            pattern = next((p for p in self._patterns if fnmatchcase(name, p)), None)
            found = self._programs[pattern] if pattern else None
        return found

    def trainer(
        self,
        kind: str,
        entry: Rules,
        program: Text,
        words: list[Text],
        environment: Environment,
        outer: tuple[str, ...] = (),
        sure: bool = False,
    ) -> Action:
        """A program whose words lead to an entry point; SURE: an unknown word is it, and none of the options."""
        if entry.get("subcommands"):
            if not words or words[0].s not in entry["subcommands"]:
                return Other()
            words = words[1:]
        grammar = self.grammar(entry)
        options, rest, module = split_options(
            words, grammar, stop=frozenset(entry["module"]) | frozenset(entry.get("none", ())), sure=sure
        )
        wrappers = outer if kind == "python" else (*outer, kind)
        if module is not None and module.s in entry.get("none", ()):
            return Other()
        if kind == "python" and any(name.startswith("--") and name not in grammar.value for name, _ in options.given):
            return Other()  # an option of a script that is missing: Python refuses it
        if module is not None:
            name, rest = (rest[0], rest[1:]) if rest else (EMPTY, [])
            if name.s in self._modules:
                inner, inner_entry = self._modules[name.s]
                return self.trainer(inner, inner_entry, program, list(rest), environment, wrappers, sure)
            if kind == "python" and not self._not_trainers.isdisjoint((name.s, name.s.partition(".")[0])):
                return Other()
            return Trainer(name, tuple(rest), program, wrappers, kind, options.given)
        if not rest:
            return Other()
        if any(options.has(name) for name in entry.get("inner", ())):
            return Inner(tuple(rest), environment, kind, kind=kind, given=options.given)
        return Trainer(rest[0], tuple(rest[1:]), program, wrappers, kind, options.given)

    def command(self, name: str, program: Text, words: list[Text]) -> Action:
        """A trainer that is a command with subcommands."""
        subcommands = self._commands[name]
        if not subcommands:
            return Trainer(Text.of(name), tuple(words), program, ())
        if not words or words[0].s not in subcommands:
            return Other()
        return Trainer(Text.of(f"{name} {words[0].s}"), tuple(words[1:]), program, ())

    def meant(
        self, shipped: Action, program: tuple[str, Rules], words: Sequence[Text], environment: Environment
    ) -> Action:
        """A program some of whose words vanish: what it starts SHIPPED, and what is meant."""
        named = isinstance(shipped, Trainer)
        all_words, missing = found = awaited(words, self.vanishes, named)
        if not missing:
            return shipped
        name, rest = all_words[0], list(all_words[1:])
        meant = found.trainer(self.trainer(*program, name, rest, environment), shipped)
        if not named and (program[0] == "python" or meant is None):
            meant = found.trainer(self.trainer(*program, name, rest, environment, sure=True), shipped)
        if isinstance(shipped, Other):
            if program[0] == "python":
                return meant or shipped
            wrappers = meant.wrappers if meant is not None else (program[0],)
            shipped = Trainer(EMPTY, (), name, wrappers, program[0])
        if not isinstance(shipped, Trainer):
            return shipped
        if meant is not None and meant.entry_point.s == shipped.entry_point.s:
            return shipped._replace(arguments=meant.arguments, missing=missing)
        return shipped._replace(missing=missing, meant=meant)

    def vanishes(self, word: Text) -> bool:
        return vanishes(word, self.unknowns)

    def grammar(self, entry: Rules) -> Grammar:
        found = self._grammars.get(id(entry))
        if found is None:
            found = self._grammars[id(entry)] = Grammar.of(entry)
        return found
