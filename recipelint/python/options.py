"""Calls of `add_argument`: the flag that each adds, with its action and its type."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from recipelint.python.attributes import BUILTINS
from recipelint.python.containers import Containers
from recipelint.python.cost import spelling
from recipelint.python.parsers import Group, Option, Parser, Refused, Subparsers, option_of
from recipelint.python.schema import UNKNOWN
from recipelint.python.values import Class, External, Function, Value

ACTIONS = frozenset(
    "store store_true store_false store_const append append_const extend count help version parsers".split()
)
OPTION_STEPS = 30
"""What one flag costs, in steps: it is held on to."""
Given = Mapping[str, Value]


class Options(Containers):
    """Adds flags to parsers; one that cannot be read in full opens its parser."""

    def add_argument(
        self, receiver: Parser | Group, args: Sequence[Value], kwargs: Given, node: ast.Call, *, more: bool
    ) -> Value:
        """`add_argument` on a parser or a group."""
        parser = receiver if isinstance(receiver, Parser) else receiver.parser
        self.steps += OPTION_STEPS
        self.spend(len(parser.options) // 16 if parser.resolves else 1)
        if more:
            self.open(parser, "the arguments of add_argument are not known", node)
        words = [arg for arg in args if isinstance(arg, str)]
        if len(words) < len(args):
            self.open(parser, "the name of a flag is not known", node)
            return UNKNOWN
        action, extra = self._action(parser, kwargs.get("action", "store"), node)
        self._watch(kwargs.get("type"), parser, node)
        try:
            option = option_of(parser, words, kwargs, action, self._type(kwargs, node), self.location(node))
            option.exclusive = receiver.exclusive if isinstance(receiver, Group) else None
            option.open = option.open or extra or more
            if extra:
                option.type = option.type and "unknown"
                option.default = option.const = UNKNOWN
                option.choices = UNKNOWN if option.choices is None else option.choices
            if self.depth > parser.depth:
                option.open = True
                self.open(parser, f"whether there is {(option.names or [option.dest])[0]} is not known", node)
            parser.add(option)
        except Refused as error:
            self.open(parser, f"argparse would refuse this: {error}", node)
            return UNKNOWN
        return option

    def _action(self, parser: Parser, action: Value, node: ast.Call) -> tuple[str, bool]:
        """The name of an action, and whether it follows rules of its own."""
        if action is None:
            return "store", False
        if isinstance(action, str) and action in ACTIONS:
            return action, False
        if isinstance(action, External) and action.name == "argparse.BooleanOptionalAction":
            return "boolean_optional", False
        if not isinstance(action, Class):
            self.open(parser, "the action of a flag is not known", node)
            return "custom", True
        if not action.sure or _acts_on_parser(action):
            self.open(parser, f"what the action {action.node.name} does to the parser is not known", node)
        for function in action.scope.names.values():
            self._watch(function, parser, node)
        if action.bases == [External("argparse.Action")] and action.sure and not action.node.keywords:
            own = action.scope.names.get("__init__")
            if own is None and "__new__" not in action.scope.names:
                return "custom", False
            self.steps += 1 if own is None else sum(1 for _ in ast.walk(own.node))
            if isinstance(own, Function) and _passes_names_on(own):
                return "custom", True
        self.open(parser, f"the action {action.node.name} is not known", node)
        return "custom", True

    def _type(self, kwargs: Given, node: ast.Call) -> str | None:
        """The callable that turns words into values, as the source spells it."""
        value = kwargs.get("type")
        if value is None:
            return None
        if isinstance(value, External) and value.name.startswith("builtins."):
            return value.name.removeprefix("builtins.")
        if isinstance(value, str):
            return value
        if isinstance(value, External):
            return value.name
        written = next((keyword.value for keyword in node.keywords if keyword.arg == "type"), None)
        if isinstance(written, ast.Name) and isinstance(value, Function | Class):
            spelled = value.name if isinstance(value, Function) else value.node.name
            return "unknown" if spelled in BUILTINS else spelled
        if written is not None:
            self.spend(spelling(written))
            spelled = ast.unparse(written)[:200]
            return "unknown" if spelled in BUILTINS else spelled
        return value.name if isinstance(value, Function) else "unknown"

    def _watch(self, function: Value, parser: Parser, node: ast.AST) -> None:
        """A function that runs while the command line is read may change a parser that it names."""
        if isinstance(function, Function):
            self.watched.append((function, parser, node))

    def look_at_watched(self) -> None:
        """Open the parsers whose types and actions name a parser or a flag, by now."""
        for function, parser, node in self.watched:
            named = self.named(function)
            if any(isinstance(one, Parser | Group | Subparsers | Option) for one in named):
                self.open(parser, f"{function.name} may change the parser while it reads", node)

    def set_option(self, option: Option, name: str, value: Value, node: ast.AST) -> None:
        """An attribute of a flag is set after it was made."""
        if name in ("help", "metavar", "completer"):
            return
        self.steps += sum(len(parser.options) for parser in self.parsers)
        owner = next((parser for parser in self.parsers if option in parser.options), None)
        if name in ("default", "required", "choices") and owner is not None and self.depth <= owner.depth:
            if name == "default":
                option.default = value
                return
            if name == "choices":
                option.choices = value
                return
            if isinstance(value, bool):
                option.required = value
                return
        self.escape(option, node)


def _acts_on_parser(action: Class) -> bool:
    """Whether an action uses the parser that it is called with for more than an error, or ends the trainer."""
    call = action.scope.names.get("__call__")
    if not isinstance(call, Function):
        return False
    spec = call.node.args
    ordered = [arg.arg for arg in (*spec.posonlyargs, *spec.args)]
    name = ordered[1] if len(ordered) > 1 else ""
    nodes = list(ast.walk(call.node))
    errors = {
        id(one.func.value)
        for one in nodes
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and one.func.attr == "error"
    }
    uses = [one for one in nodes if isinstance(one, ast.Name) and one.id == name and id(one) not in errors]
    ends = [one for one in nodes if getattr(one, "attr", getattr(one, "id", "")) in ("exit", "_exit", "quit")]
    return not name or bool(uses or ends)


def _passes_names_on(function: Function) -> bool:
    """Whether an action's `__init__` hands its option strings to the base as they are."""
    node = function.node
    passed = {
        id(arg)
        for call in ast.walk(node)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "__init__"
        for arg in (*call.args, *(keyword.value for keyword in call.keywords))
    }
    return all(id(one) in passed for one in ast.walk(node) if isinstance(one, ast.Name) and one.id == "option_strings")
