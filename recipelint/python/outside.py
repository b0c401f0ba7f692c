"""Calls of what is not in the tree: Python's own functions, methods of values, argparse, and everything else.

What is outside gets no say over anything but what it is given.
"""

from __future__ import annotations

import ast

from recipelint.python import cost, pure
from recipelint.python.arguments import Arguments
from recipelint.python.dataclass import add_dataclasses
from recipelint.python.machine import Ended
from recipelint.python.parsers import Group, Parser, Subparsers
from recipelint.python.schema import UNKNOWN
from recipelint.python.values import Bound, Class, DictValue, Function, ListValue, Super, Value

ENDINGS = frozenset(["sys.exit", "os._exit", "os.abort", "builtins.exit", "builtins.quit"])
HARMLESS = ("builtins.", "logging.", "warnings.", "os.path.", "os.environ", "os.getenv", "time.", "datetime.")
RUNNING = frozenset(["eval", "exec", "globals", "locals"])
REPLACING = ("os.exec", "sys._getframe", "sys.settrace", "runpy.", "unittest.mock.", "inspect.", "gc.")
HF_PARSERS = frozenset(["transformers.HfArgumentParser", "transformers.hf_argparser.HfArgumentParser"])
COLLECTING = frozenset("dict enumerate frozenset iter len list reversed set tuple zip".split())


class Frame:
    """A call under way: what it may have returned so far."""

    def __init__(self, function: Function, receiver: Value) -> None:
        self.function = function
        self.receiver = receiver
        self.returned: list[Value] = []


class Outside(Arguments):
    """Gives the values of such calls."""

    frames: list[Frame]

    def import_named(self, args: list[Value], node: ast.AST) -> Value:
        raise NotImplementedError

    def _unknown(self, what: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """A call of what is not known: it may change what it is given, and call the functions among that."""
        self.escape((*args, *kwargs.values()), node, f"{what} that is not in the tree")
        for function in self.functions(args, kwargs):
            self.perhaps(function, [], {}, node, more=True)
        return UNKNOWN

    def perhaps(
        self, function: Value, args: list[Value], kwargs: dict[str, Value], node: ast.AST, *, more: bool
    ) -> Value:
        """A call that may not happen."""
        ways = [lambda: self.call(function, args, kwargs, node, more=more), lambda: UNKNOWN]
        return self.merged(self.either(ways, node), node)

    def _method(
        self, function: Bound, args: list[Value], kwargs: dict[str, Value], node: ast.AST, *, more: bool
    ) -> Value:
        receiver, name = function.receiver, function.name
        if isinstance(receiver, Parser | Group | Subparsers) and isinstance(node, ast.Call):
            return self.parser_method(receiver, name, args, kwargs, node, more=more)
        if more:
            self.escape((receiver, *args, *kwargs.values()), node)
            return UNKNOWN
        if isinstance(receiver, ListValue):
            return self.list_method(receiver, name, args, node)
        if isinstance(receiver, DictValue):
            return self.dict_method(receiver, name, args, kwargs, node)
        self.spend(cost.method(receiver, name, (*args, *kwargs.values())))
        result = pure.method(receiver, name, args, kwargs, self.depth)
        if result is UNKNOWN:
            self.escape((*args, *kwargs.values()), node)
        return result

    def _external(self, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST, *, more: bool) -> Value:
        """A call of something outside of the tree."""
        if name == "argparse.ArgumentParser" and isinstance(node, ast.Call):
            return self.new_parser(args, kwargs, node, more=more)
        if name in HF_PARSERS and isinstance(node, ast.Call):
            rest = {key: value for key, value in kwargs.items() if key != "dataclass_types"}
            parser = self.new_parser([], rest, node, more=more)
            add_dataclasses(self, parser, args[0] if args else kwargs.get("dataclass_types"), node)
            return parser
        if name in ENDINGS:
            raise Ended
        if name.startswith(("sys.argv.", "sys.argv[1:].")):
            self.open_all("the trainer changes its command line", node)
        if name.startswith(REPLACING) or any(
            isinstance(arg, str) and arg.startswith(("sys.argv", "argparse.")) for arg in args
        ):
            self.open_all(f"{name} may read or change the command line", node)
        if name in ("importlib.import_module", "builtins.__import__"):
            return self.import_named(args, node)
        if name.startswith("sys.path."):
            self.modules.search(node)
        builtin = name.removeprefix("builtins.")
        if name.startswith("builtins.") and not more:
            return self._builtin(builtin, args, kwargs, node)
        if name.startswith(HARMLESS) and not self.functions(args, kwargs):
            return UNKNOWN
        return self._unknown(name, args, kwargs, node)

    def _builtin(self, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        if name in RUNNING:
            self.open_all(f"{name} may change anything", node)
            return UNKNOWN
        if name == "super":
            return self._super(args)
        if name in COLLECTING:
            return self._collected(name, args, kwargs, node)
        if name in ("getattr", "hasattr", "setattr"):
            return self._by_name(name, args, node)
        self.spend(sum(map(cost.weight, (*args, *kwargs.values()))))
        if name in ("print", "isinstance", "id", "type", "repr", "str"):
            return pure.function(name, args, kwargs, self.depth) if name in ("repr", "str") else UNKNOWN
        if self.functions(args, kwargs):
            return self._unknown(name, args, kwargs, node)
        result = pure.function(name, args, kwargs, self.depth)
        if result is UNKNOWN:
            self.escape((*args, *kwargs.values()), node)
        return result

    def _collected(self, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        result = self.collected(name, args, kwargs)
        if result is UNKNOWN and name != "len":
            self.escape((*args, *kwargs.values()), node)
        return result

    def _by_name(self, name: str, args: list[Value], node: ast.AST) -> Value:
        """getattr, hasattr and setattr."""
        key = args[1] if len(args) > 1 else UNKNOWN
        if name == "hasattr" or not args:
            return UNKNOWN
        if name == "setattr" and isinstance(key, str) and len(args) == 3:
            self.set_attribute_of(args[0], key, args[2], node)
            return None
        if name == "setattr" and isinstance(args[0], Class):
            args[0].loose = True
        if not isinstance(key, str) or name == "setattr" or len(args) > 2:
            self.escape(tuple(args), node)
            return UNKNOWN
        return self.attribute(args[0], key, node)

    def _super(self, args: list[Value]) -> Value:
        frame = self.frames[-1] if self.frames else None
        if frame is None or frame.function.owner is None:
            return UNKNOWN
        cls = args[0] if args and isinstance(args[0], Class) else frame.function.owner
        return Super(frame.receiver, cls)
