"""The builtins that change the shell's own state; the rest of them succeed and change nothing that matters here."""

from __future__ import annotations

import re
from typing import Union

from recipelint.shell.conditions import needs_of, truth
from recipelint.shell.nodes import Array, Assignment, Simple, Unit
from recipelint.shell.output import Output
from recipelint.shell.state import AsShipped, Status, Undecided, Variable, World
from recipelint.shell.text import EMPTY, Text, join
from recipelint.shell.unknown import Kind, Unknown, command_label

Field = Union[Text, Assignment]
Result = Union[int, Undecided, AsShipped, list[World]]
NAMED = re.compile(r"[A-Za-z_]\w*")
SET_OPTIONS = {"errexit": "e", "nounset": "u", "pipefail": "p", "allexport": "a", "noglob": "f"}
IGNORED = frozenset(
    "wait trap ulimit umask alias unalias bind disown jobs fg bg times enable help complete compopt shopt suspend "
    "caller dirs history fc logout".split()
)
UNDECIDED = frozenset(("type", "hash", "kill", "compgen"))


class Builtins(Output):
    """Everything that `command -V` calls a shell builtin."""

    def run_unit(self, unit: Unit, world: World) -> list[World]:
        raise NotImplementedError

    def run_words(self, words: list[Text], world: World, node: Simple, functions: bool) -> list[World]:
        raise NotImplementedError

    def source_file(self, path: Text, arguments: list[Text], world: World) -> list[World]:
        raise NotImplementedError

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

    def status_key(self, node: Simple) -> str:
        return f"status {node.unit.origin(node.start, node.end)}"

    def source_text(self, node: Simple) -> str:
        return node.unit.text.s[node.start : node.end]

    # --- variables ---------------------------------------------------------------------------------

    def apply(self, assignment: Assignment, world: World, exported: bool = False) -> None:
        """One assignment."""
        name, value = assignment.name, assignment.value
        self.assigned.add(name)
        if isinstance(value, Array):
            self.assign_elements(name, value, assignment.append, world)
        elif assignment.index is not None:
            variable = world.variables.get(name)
            text = self.word_text(value, world)
            key = self.single(assignment.index, world)
            if variable is not None and "A" in variable.attributes:
                self.assign_element(world, name, key.s, text, assignment.append)
                return
            number = self.number(key, world)
            if number is None:
                unknown = self.unknown(Unknown("${" + name + "}", Kind.DERIVED, many=True))
                self.assign_array(world, name, {0: unknown})
            else:
                self.assign_element(world, name, number, text, assignment.append)
        else:
            text = self.word_text(value, world)
            if not text.s and not any(origin.source for _, origin in text.runs):
                text = self.placed_empty(text, value.start, value.end, value.unit)
            self.assign(world, name, text, assignment.append, exported)

    def placed_empty(self, text: Text, start: int, end: int, unit: Unit) -> Text:
        """An empty value with the place of `''`, `""` or nothing, where a value could be written."""
        source = unit.text.s[start:end]
        if source not in ("", "''", '""') or unit.source is None:
            return text
        return Text.of("", unit.slice(start, end).runs[0][1])

    def assign_elements(self, name: str, array: Array, append: bool, world: World) -> None:
        variable = world.variables.get(name)
        old: dict[int | str, Text] = {}
        if append and variable is not None:
            old = dict(variable.items or {}) if variable.items is not None else {}  # type: ignore[arg-type]
            if variable.items is None and variable.value is not None:
                old = {0: variable.value}
        if variable is not None and "A" in variable.attributes:
            keyed = {str(k): v for k, v in old.items()}
            for index, word in array.elements:
                if index is not None:
                    keyed[self.single(index, world).s] = self.word_text(word, world)
            self.assign_array(world, name, keyed, "A")
            return
        items: dict[int, Text] = {int(k): v for k, v in old.items()}
        at = max(items, default=-1) + 1
        for index, word in array.elements:
            if index is not None:
                at = self.number(self.single(index, world), world) or 0
                items[at] = self.word_text(word, world)
                at += 1
            else:
                for field in self.fields([word], world):
                    items[at] = field
                    at += 1
        self.assign_array(world, name, dict(sorted(items.items())))

    def declare(self, fields: list[Field], world: World, node: Simple) -> Result:
        command = self.command_name(node)
        flags, names = "", list[Field]()
        for field in fields:
            if isinstance(field, Text) and re.fullmatch(r"[-+][A-Za-z]+", field.s) and not names:
                flags += field.s[1:] if field.s[0] == "-" else "".join("+" + c for c in field.s[1:])
            else:
                names.append(field)
        if "f" in flags or "F" in flags or "p" in flags:
            return 0
        local = command == "local" or (command in ("declare", "typeset") and world.frames and "g" not in flags)
        exported = command == "export" and "n" not in flags or ("x" in flags and "+x" not in flags)
        for field in names:
            name = field.name if isinstance(field, Assignment) else field.s.partition("=")[0].removesuffix("+")
            if not NAMED.fullmatch(name):
                continue
            value = self.field_assignment(field)
            if local:
                self.make_local(name, world)
            self.declare_one(name, field, value, flags, command, exported, world)
        return 0

    def field_assignment(self, field: Field) -> Text | None:
        """The value of `NAME=value` as one expanded word."""
        if isinstance(field, Assignment) or "=" not in field.s:
            return None
        return field.slice(field.s.index("=") + 1, len(field.s)) if not field.s.endswith("=") else EMPTY

    def declare_one(
        self, name: str, field: Field, value: Text | None, flags: str, command: str, exported: bool, world: World
    ) -> None:
        attributes = "".join(c for c in flags if c in "ilun" and "+" + c not in flags)
        if "A" in flags:
            attributes += "A"
        elif "a" in flags:
            attributes += "a"
        if command == "export" and "n" in flags:
            self.export(world, name, False)
            return
        if attributes:
            old = world.variables.get(name, Variable())
            merged = "".join(dict.fromkeys(old.attributes + attributes))
            items = old.items if old.items is not None or not set("Aa") & set(attributes) else {}
            world.variables[name] = old._replace(attributes=merged, items=items)
        if isinstance(field, Assignment):
            self.apply(field, world, exported)
        elif value is not None:
            self.assigned.add(name)
            self.assign(world, name, value, field.s.partition("=")[0].endswith("+"), exported)
        elif command in ("declare", "typeset", "local") and name not in world.variables:
            self.assigned.add(name)
        if exported:
            self.export(world, name, True)

    def command_name(self, node: Simple) -> str:
        first = node.words[0] if node.words else None
        return (
            first.literal.s if first is not None and not isinstance(first, Assignment) and first.literal else "declare"
        )

    def make_local(self, name: str, world: World) -> None:
        """Remember what NAME was outside of the running function."""
        if world.frames and name not in world.frames[-1]:
            frames = list(world.frames)
            frames[-1] = {**frames[-1], name: world.variables.pop(name, None)}
            world.frames = tuple(frames)

    def unset_builtin(self, words: list[Text], world: World, node: Simple) -> Result:
        functions = False
        for word in words:
            if word.s.startswith("-"):
                functions = "f" in word.s
            elif functions:
                world.functions = {k: v for k, v in world.functions.items() if k != word.s}
            elif "[" in word.s:
                name, _, key = word.s.rstrip("]").partition("[")
                variable = world.variables.get(name)
                if variable is not None and variable.items is not None:
                    items = {k: v for k, v in variable.items.items() if str(k) != key}
                    world.variables[name] = variable._replace(items=items)
            else:
                self.unset(world, word.s)
        return 0

    def set_builtin(self, words: list[Text], world: World, node: Simple) -> Result:
        options = set(world.options)
        at = 0
        while at < len(words):
            word = words[at].s
            if word == "--":
                self.set_arguments(words[at + 1 :], world)
                break
            if not re.fullmatch(r"[-+][A-Za-z]+", word):
                if word != "-":
                    self.set_arguments(words[at:], world)
                break
            letters = set(word[1:])
            if "o" in letters and at + 1 < len(words):
                at += 1
                letters = letters - {"o"} | {SET_OPTIONS.get(words[at].s, "")}
            options = options | letters if word[0] == "-" else options - letters
            at += 1
        world.options = frozenset(options & set("eupaf"))
        return 0

    def set_arguments(self, words: list[Text], world: World) -> None:
        world.arguments = list(words)
        world.top = False

    def shift(self, words: list[Text], world: World, node: Simple) -> Result:
        count = int(words[0].s) if words and words[0].s.isdigit() else 1
        if count > len(world.arguments):
            return 0 if world.top else 1
        world.arguments = world.arguments[count:]
        return 0

    def getopts(self, words: list[Text], world: World, node: Simple) -> Result:
        """One option of the arguments; OPTIND counts words, and a hidden variable the letters in one."""
        if len(words) < 2:
            return 2
        spec, name = words[0].s, words[1].s
        arguments = words[2:] if len(words) > 2 else world.arguments
        at = int((self.read(world, "OPTIND", None).text or Text.of("1")).s or "1")
        letter = int((self.read(world, "_OPTLETTER", None).text or Text.of("1")).s or "1")
        word = arguments[at - 1] if 0 < at <= len(arguments) else None
        if word is None or not word.s.startswith("-") or word.s in ("-", "--"):
            self.assign(world, name, Text.of("?"))
            return 1
        option = word.s[letter : letter + 1]
        found = spec.find(option) if option and option != ":" else -1
        rest = word.slice(letter + 1, len(word.s)) if letter + 1 < len(word.s) else EMPTY
        if found >= 0 and spec[found + 1 : found + 2] == ":":
            if not rest.s:
                at += 1
                rest = arguments[at - 1] if at <= len(arguments) else EMPTY
            self.assign(world, "OPTARG", rest)
            at, letter = at + 1, 1
        elif rest.s:
            letter += 1
        else:
            at, letter = at + 1, 1
        self.assign(world, name, Text.of(option if found >= 0 else "?"))
        self.assign(world, "OPTIND", Text.of(str(at)))
        self.assign(world, "_OPTLETTER", Text.of(str(letter)))
        return 0

    # --- flow --------------------------------------------------------------------------------------

    def exit(self, words: list[Text], world: World, node: Simple) -> Result:
        self.leave("exit", words, world)
        return world.status

    def return_builtin(self, words: list[Text], world: World, node: Simple) -> Result:
        self.leave("return", words, world)
        return world.status

    def leave(self, how: str, words: list[Text], world: World) -> None:
        status: Status = world.status
        if words and words[0].s.isdigit():
            status = int(words[0].s) & 0xFF
        world.status = status
        # Where a path ends well matters: a launch before that place may have been passed by.
        well = how == "exit" and status == 0 and self.here.source is self.root
        world.flow = (how, self.here.start if well else 0)

    def break_builtin(self, words: list[Text], world: World, node: Simple) -> Result:
        world.flow = (self.command_name(node), int(words[0].s) if words and words[0].s.isdigit() else 1)
        return 0

    def eval(self, words: list[Text], world: World, node: Simple) -> Result:
        pieces: list[Text] = []
        for at, word in enumerate(words):
            if at:
                pieces.append(Text(" ", ((1, word.runs[0][1]),)) if word.runs else Text.of(" "))
            pieces.append(word)
        return self.run_unit(Unit(join(pieces)), world) if pieces else 0

    def source(self, words: list[Text], world: World, node: Simple) -> Result:
        return self.source_file(words[0], words[1:], world) if words else 2

    def command(self, words: list[Text], world: World, node: Simple) -> Result:
        """`command NAME …` runs it past functions; `command -v NAME` asks what the machine has."""
        query = False
        while words and re.fullmatch(r"-[pvV]+", words[0].s):
            query = query or "v" in words[0].s.lower()
            words = words[1:]
        if not query:
            return self.run_words(words, world, node, functions=False) if words else 0
        name = words[0].s if words else ""
        if name in world.functions or name in BUILTINS or name in IGNORED:
            self.write(world, Text.of(name + "\n"))
            return 0
        self.write(world, None, command_label(self.source_text(node)))
        return Undecided(f"command -v {name}", self.source_text(node))

    def exec(self, words: list[Text], world: World, node: Simple) -> Result:
        while words and words[0].s.startswith("-"):
            words = words[2:] if words[0].s == "-a" else words[1:]
        if not words:
            return 0
        results = self.run_words(words, world, node, functions=False)
        for result in results:
            result.flow = ("exit", self.here.start if self.here.source is self.root else 0)
        return results

    # --- the rest ----------------------------------------------------------------------------------

    def test(self, words: list[Text], world: World, node: Simple) -> Result:
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
        number: int | None = 0
        for word in words:
            number = self.number(word, world)
        if number is None:
            return Undecided(self.status_key(node), self.source_text(node))
        return int(number == 0)

    def cd(self, words: list[Text], world: World, node: Simple) -> Result:
        words = [word for word in words if not re.fullmatch(r"-[LPe@n]+|--", word.s)]
        if self.command_name(node) == "popd" or (words and words[0].s == "-"):
            world.cwd = None
        elif words:
            world.cwd = self.path_text(words[0], world)
        else:
            world.cwd = None
        return 0

    def pwd(self, words: list[Text], world: World, node: Simple) -> Result:
        if world.cwd is None:
            self.write(world, None, "$(pwd)")
        else:
            self.write(world, join([self.place("$(pwd)", world.cwd, "PWD", self.here), Text.of("\n")]))
        return 0

    def echo_builtin(self, words: list[Text], world: World, node: Simple) -> Result:
        if world.output is not None:
            self.write(world, self.echo(words))
        return 0

    def printf_builtin(self, words: list[Text], world: World, node: Simple) -> Result:
        target = None
        if len(words) > 2 and words[0].s == "-v":
            target, words = words[1].s, words[2:]
        if words and words[0].s == "--":
            words = words[1:]
        if target is None and world.output is None:
            return 0
        text = self.printf(words)
        if target is None:
            self.write(world, text, command_label(self.source_text(node)))
        else:
            name, bracket, key = target.partition("[")
            value = text if text is not None else self.derived("${" + name + "}", self.here, self.here)
            if bracket and key.rstrip("]").isdigit():
                self.assign_element(world, name, int(key.rstrip("]")), value, append=False)
            else:
                self.assign(world, name, value)
        return 0

    def read_words(self, words: list[Text], world: World, node: Simple) -> Result:
        return self.read_builtin(words, world)

    def mapfile_words(self, words: list[Text], world: World, node: Simple) -> Result:
        return self.mapfile(words, world)

    def succeed(self, words: list[Text], world: World, node: Simple) -> Result:
        return 0

    def fail(self, words: list[Text], world: World, node: Simple) -> Result:
        return 1


BUILTINS = {name: Builtins.declare for name in ("declare", "typeset", "local", "export", "readonly")}
WORD_BUILTINS = {
    ":": Builtins.succeed,
    "true": Builtins.succeed,
    "false": Builtins.fail,
    "unset": Builtins.unset_builtin,
    "set": Builtins.set_builtin,
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
    "test": Builtins.test,
    "[": Builtins.test,
    "let": Builtins.let,
    "cd": Builtins.cd,
    "pushd": Builtins.cd,
    "popd": Builtins.cd,
    "pwd": Builtins.pwd,
    "echo": Builtins.echo_builtin,
    "printf": Builtins.printf_builtin,
    "read": Builtins.read_words,
    "mapfile": Builtins.mapfile_words,
    "readarray": Builtins.mapfile_words,
}
