"""What external commands do, by `rules/launchers.yaml`: trainers, wrappers, shells, Ray, and all the rest."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase

from recipelint.lazily import regex
from recipelint.recipe.options import Options, split_options
from recipelint.recipe.passing import (
    Rules,
    input_is_closed,
    joined,
    opaque_option,
    option_with,
    passed_environment,
    reads_script,
    runtime_variables,
    with_input,
)
from recipelint.recipe.programs import Programs, by_name
from recipelint.recipe.shells import called_shell
from recipelint.shell.quote import shell_join
from recipelint.shell.session import Action, Inner, InnerShell, Other
from recipelint.shell.state import Environment
from recipelint.shell.text import EMPTY, Text, join
from recipelint.shell.unknown import EXTRA, INPUT, Kind, Unknown, Unknowns

XARGS_PLAIN = frozenset(("-n", "--max-args", "-P", "--max-procs", "-t", "--verbose", "-I", "--replace"))
"""Options of xargs that change nothing but how many words a call gets, and where."""
ASSIGNMENT = regex(r"[A-Za-z_]\w*=")


class Launchers(Programs):
    """The commands of a launcher, as the evaluator asks for them."""

    def __init__(
        self, data: Rules, watched: frozenset[str] = frozenset(), replacing: frozenset[str] = frozenset()
    ) -> None:
        self.watched = watched
        self.replacing = replacing
        super().__init__(data)
        machine: list[str] = data["machine_variables"]
        self._machine = frozenset(name for name in machine if "*" not in name)
        self._machine_prefixes = tuple(name[:-1] for name in machine if name.endswith("*"))
        self._silent = frozenset(data["silent"])
        self._readers = frozenset(data["readers"])
        self._undecided = frozenset(data["undecided"])
        self._path_scripts: list[str] = data["environment_scripts"]
        self._downloaders = frozenset(data["downloaders"])
        self._path_commands = frozenset(data["environment_commands"])
        self._wrappers = by_name(data["wrappers"])
        self._ray: Rules = data["ray"]
        self._shells = frozenset(data["shells"]["names"])
        self._shell_values = frozenset(data["shells"]["value"])

    def is_machine_variable(self, name: str) -> bool:
        return name in self._machine or name.startswith(self._machine_prefixes)

    def sets_paths_only(self, script: str = "", command: str = "") -> bool:
        return command in self._path_commands or any(fnmatchcase(script, p) for p in self._path_scripts if script)

    def installs(self, command: str) -> bool:
        return command in self._downloaders

    def bind(self, unknowns: Unknowns) -> None:
        """Use the unknown pieces of one evaluation."""
        self.unknowns = unknowns

    # --- the question ------------------------------------------------------------------------------

    def resolve(self, words: Sequence[Text], environment: Environment, ray: Environment | None) -> Action:
        """What the command of WORDS does."""
        given = [word for word in words if not self.vanishes(word)]
        if not given:
            return Other()
        name = given[0].s.rpartition("/")[2]
        rest = given[1:]
        if name in self._shells:
            return called_shell(name, given, environment, self._shell_values)
        program = self.program(name)
        if program is not None:
            shipped = self.trainer(*program, given[0], rest, environment)
            return shipped if len(given) == len(words) else self.meant(shipped, program, words, environment)
        if name in self._wrappers:
            return self.wrapper(*self._wrappers[name], name, rest, environment)
        if name in self._commands:
            return self.command(name, given[0], rest)
        if name in self._ray["names"]:
            return self.ray(rest, environment, ray)
        return Other(name not in self._undecided, name in self._silent, name in self._readers)

    # --- wrappers ----------------------------------------------------------------------------------

    def wrapper(self, key: str, entry: Rules, name: str, words: list[Text], environment: Environment) -> Action:
        """A command that runs another one."""
        if entry.get("subcommands") and (not words or words[0].s not in entry["subcommands"]):
            return Other(silent=name in self._silent)
        opaque = words[0].s if words and words[0].s in entry.get("running", ()) else ""
        if entry.get("subcommands"):
            words = words[1:]
        options, rest, _ = split_options(words, self.grammar(entry))
        if entry.get("again") and rest:
            further, after, _ = split_options(rest[1:], self.grammar(entry))
            options, rest = Options((*options.given, *further.given)), [rest[0], *after]
        if rest and rest[0].s == "-" and "-" in entry.get("drop", ()):
            options, rest = Options((*options.given, ("-", None))), rest[1:]
        opaque = opaque_option(entry, options) or opaque
        passed = passed_environment(entry, options, environment)
        if entry.get("assignments"):
            while rest and ASSIGNMENT.match(rest[0].s):
                variable, _, _ = rest[0].s.partition("=")
                passed[variable] = (
                    rest[0].slice(len(variable) + 1, len(rest[0].s)) if len(rest[0].s) > len(variable) + 1 else EMPTY
                )
                rest = rest[1:]
        closed = input_is_closed(entry, options)
        given = options.given
        shell = InnerShell(
            passed, name, opaque=opaque, closed=closed, batch=entry.get("batch", False), kind=key, given=given
        )
        for option in entry.get("text", ()):
            texts = options.values(option)
            if texts:
                return shell._replace(text=texts[-1])
        for option in entry.get("words", ()):
            texts = options.values(option)
            if texts:
                return shell._replace(text=join([Text.of(f"{name} "), texts[-1], Text.of(" "), shell_join(rest)]))
        if entry.get("script") and not option_with(entry.get("program", ()), options):
            if rest and rest[0].s != "-":
                return shell._replace(script=rest[0], arguments=tuple(rest[1:]))
            return self.fed(shell, rest[1:])
        rest = rest[entry.get("skip", 0) :]
        if rest and rest[0].s == "--":
            rest = rest[1:]
        if any(options.has(option) for option in entry.get("module", ())):
            rest = [Text.of("python"), Text.of("-m"), *rest]
        if rest and rest[0].s in entry.get("command_text", ()) and len(rest) > 1:
            return shell._replace(text=rest[1])
        if not rest and reads_script(entry, options):
            return self.fed(shell, [])
        for at, word in enumerate(rest):
            if word.s in entry.get("components", ()):
                rest, given = rest[:at], (*given, (word.s, None))
                break
        if entry.get("python") and rest and rest[0].s.endswith(".py"):
            # uv and the like run a script with Python.
            place = rest[0].first_origin
            rest = [Text.of("python3", place) if place is not None else Text.of("python3"), *rest]
        if entry.get("join") and rest:
            return shell._replace(text=joined(rest))
        if entry.get("extra") and rest:
            return self.fed_words(options, rest, passed, name)._replace(kind=key)
        if not rest:
            return Other()
        return Inner(tuple(rest), passed, name, opaque=opaque, closed=closed, kind=key, given=given)

    def fed_words(self, options: Options, words: list[Text], passed: Environment, name: str) -> Inner:
        """A command that gets the words of the standard input: all, so many a call, or each line at a place."""
        plain = all(option in XARGS_PLAIN for option, _ in options.given)
        places = [value.s for option in ("-I", "--replace") for value in options.values(option)]
        counts = [value.s for option in ("-n", "--max-args") for value in options.values(option)]
        if places and plain and places[-1] and not counts:
            return Inner(tuple(words), passed, name, place=places[-1])
        if places:
            unknown = Text.of(self.unknowns.character(INPUT))
            return Inner(tuple(with_input(word, places[-1], unknown) for word in words), passed, name)
        if plain and all(re.fullmatch("[1-9][0-9]{0,5}", count) for count in counts):
            return Inner(tuple(words), passed, name, takes_input=int(counts[-1]) if counts else True)
        return Inner((*words, Text.of(self.unknowns.character(EXTRA))), passed, name)

    def fed(self, shell: InnerShell, arguments: list[Text]) -> InnerShell:
        """A wrapper's shell that reads its standard input; its `$0` is the machine's."""
        unknown = Text.of(self.unknowns.character(Unknown("${0}", Kind.MACHINE, "0")))
        return shell._replace(arguments=tuple(arguments), name=unknown)

    # --- Ray ---------------------------------------------------------------------------------------

    def ray(self, words: list[Text], environment: Environment, started: Environment | None) -> Action:
        names = [word.s for word in words]
        if names[: len(self._ray["start"])] == self._ray["start"]:
            return Other(starts_ray=True)
        submit = self._ray["submit"]
        if names[: len(submit)] != submit:
            return Other()
        options, rest, _ = split_options(words[len(submit) :], self.grammar(self._ray))
        if rest and rest[0].s == "--":
            rest = rest[1:]
        passed = dict(environment if started is None else started)
        opaque = opaque_option(self._ray, options)
        for option in self._ray["runtime_environment"]:
            for value in options.values(option):
                found = runtime_variables(value)
                if found is None:
                    opaque = opaque or option
                passed |= found or {}
        return InnerShell(passed, "ray", text=shell_join(list(rest)), opaque=opaque) if rest else Other()
