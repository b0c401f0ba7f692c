"""Calls on argparse's own objects: making a parser, adding to it, reading the command line with it."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from recipelint.python.machine import Ended, Parsed
from recipelint.python.options import Options
from recipelint.python.parsers import Group, Option, Parser, Refused, Subparsers, option_of
from recipelint.python.schema import UNKNOWN
from recipelint.python.values import External, ListValue, Value

SHOWING = frozenset("format_help format_usage get_default print_help print_usage register".split())
ENDING = frozenset(["error", "exit"])
READING = {
    "parse_args": False,
    "parse_intermixed_args": False,
    "parse_args_into_dataclasses": False,
    "parse_known_args": True,
    "parse_known_intermixed_args": True,
}
LEVEL_CAP = 10
Given = Mapping[str, Value]


class Arguments(Options):
    """Applies calls to parsers; a call that cannot be read in full opens the parser."""

    def new_parser(self, args: Sequence[Value], kwargs: Given, node: ast.Call, *, more: bool) -> Parser:
        """What `argparse.ArgumentParser` makes."""
        parser = Parser(self.depth, self.location(node))
        parser.home = self.importing
        self.spend(20)
        self.parsers.append(parser)
        self.configure(parser, args, kwargs, node, more=more)
        return parser

    def configure(self, parser: Parser, args: Sequence[Value], given: Given, node: ast.Call, *, more: bool) -> None:
        """The arguments of `ArgumentParser` taken into account."""
        kwargs = dict(given)
        kwargs.update(zip(("prog", "usage", "description", "epilog", "parents"), args, strict=False))
        if more:
            self.open(parser, "the arguments of the parser are not known", node)
        for name in ("prefix_chars", "allow_abbrev", "add_help", "conflict_handler", "fromfile_prefix_chars"):
            if not isinstance(kwargs.get(name), str | int | None):
                self.open(parser, f"{name} is not known", node)
                del kwargs[name]
        if kwargs.get("fromfile_prefix_chars") is not None:
            self.open(parser, "arguments may come from files (fromfile_prefix_chars)", node)
        parser.prefix_chars = str(kwargs.get("prefix_chars", "-")) or "-"
        parser.allow_abbrev = bool(kwargs.get("allow_abbrev", True))
        parser.resolves = kwargs.get("conflict_handler") == "resolve"
        parser.argument_default = kwargs.get("argument_default")
        if kwargs.get("add_help", True):
            mark = "-" if "-" in parser.prefix_chars else parser.prefix_chars[0]
            words = [f"{mark}h", f"{mark}{mark}help"]
            parser.add(option_of(parser, words, {"default": "==SUPPRESS=="}, "help", None, self.location(node)))
        parents = kwargs.get("parents", ())
        for parent in self.items(parents) or ([UNKNOWN] if self.items(parents) is None else []):
            if isinstance(parent, Parser):
                try:
                    self.spend(4 * len(parent.options) + len(parent.defaults) + len(parent.reasons))
                    parser.adopt(parent)
                except Refused as error:
                    self.open(parser, f"argparse would refuse this: {error}", node)
            else:
                self.open(parser, "a parent of the parser is not known", node)

    def parser_method(
        self, receiver: Value, name: str, args: list[Value], kwargs: Given, node: ast.Call, *, more: bool
    ) -> Value:
        """A method of a parser, of a group, or of what `add_subparsers` gave."""
        parser: Parser = receiver if isinstance(receiver, Parser) else receiver.parser
        if isinstance(receiver, Subparsers):
            if name == "add_parser":
                return self._add_parser(receiver, args, kwargs, node, more=more)
        elif name == "add_argument":
            return self.add_argument(receiver, args, kwargs, node, more=more)
        elif name == "add_argument_group":
            return Group(parser, receiver.exclusive if isinstance(receiver, Group) else None)
        elif name == "add_mutually_exclusive_group":
            return Group(parser, parser.new_group())
        elif name == "set_defaults":
            return self._set_defaults(parser, kwargs, node, more=more)
        elif name == "add_subparsers" and receiver is parser:
            return self._add_subparsers(parser, kwargs, node, more=more)
        elif name in READING and receiver is parser:
            return self.reads(parser, name, args, kwargs, node)
        elif name == "__init__" and receiver is parser:
            return self.configure(parser, args, kwargs, node, more=more)
        if name in ENDING:
            raise Ended
        if name not in SHOWING or (name == "register" and (args[:1] != ["type"] or not _is_new_type(args[1:2]))):
            self.open(parser, f"{name} does what is not known here", node)
            self.escape((*args, *kwargs.values()), node)
        return UNKNOWN

    def _set_defaults(self, parser: Parser, kwargs: Given, node: ast.AST, *, more: bool) -> None:
        self.steps += len(parser.options)
        sure = self.depth <= parser.depth
        names = {option.dest for option in parser.options} if more else set(kwargs)
        parser.set_defaults({name: kwargs.get(name, UNKNOWN) if sure and not more else UNKNOWN for name in names})
        if more:
            self.open(parser, "which defaults are set is not known", node)

    def _add_subparsers(self, parser: Parser, kwargs: Given, node: ast.Call, *, more: bool) -> Value:
        dest = kwargs.get("dest", "==SUPPRESS==")
        option = Option([dest if isinstance(dest, str) else ""], str(dest), "parsers", self.location(node))
        option.positional = True
        option.nargs, option.choices = "A...", ()
        option.required = kwargs.get("required", False) is True
        if (
            more
            or self.depth > parser.depth
            or not all(isinstance(kwargs.get(name), str | int | None) for name in ("dest", "required"))
        ):
            self.open(parser, "the subcommands are not known in full", node)
        if kwargs.get("parser_class") is not None or "action" in kwargs:
            self.open(parser, "the subcommands have a class of their own", node)
        parser.options.append(option)
        return Subparsers(parser, option)

    def _add_parser(
        self, receiver: Subparsers, args: list[Value], given: Given, node: ast.Call, *, more: bool
    ) -> Value:
        aliases = self.items(given.get("aliases", ()))
        names = [*(args[:1] or [given.get("name")]), *(aliases or [])]
        kwargs = {name: value for name, value in given.items() if name not in ("aliases", "name", "help")}
        made = self.new_parser([], kwargs, node, more=more)
        made.main = False
        if receiver.parser.cls is not None:
            self.open(made, f"it is made as a {receiver.parser.cls.node.name}", node)
        if self.depth > receiver.parser.depth or aliases is None or not all(isinstance(name, str) for name in names):
            self.open(receiver.parser, "a subcommand is not known", node)
            return made
        made.level = receiver.parser.level + 1
        if made.level > LEVEL_CAP:
            self.open(receiver.parser, "its subcommands are nested too deeply", node)
            return made
        self.steps += len(receiver.parser.subcommands)
        receiver.parser.subcommands.update(dict.fromkeys(names, made))
        receiver.option.choices = tuple(receiver.parser.subcommands)
        return made

    def reads(self, parser: Parser, name: str, args: Sequence[Value], kwargs: Given, node: ast.AST) -> Value:
        """The command line is read. Raises Parsed if that is certain, and what is unknown is refused."""
        tolerant = READING[name]
        if name == "parse_args_into_dataclasses":
            tolerant = kwargs.get("return_remaining_strings", False) is not False
            self._args_file(parser, args, kwargs, node)
        words = args[0] if args else kwargs.get("args")
        if isinstance(words, ListValue) and words.known:
            return (UNKNOWN, UNKNOWN) if tolerant else UNKNOWN
        if words is not None and words != External("sys.argv[1:]"):
            self.open(parser, "it parses words that are not known to be the command line", node)
        if len(args) > 1 or kwargs.get("namespace") is not None:
            self.open(parser, "it parses into a namespace that may hold other defaults", node)
        if parser.home is not None and parser.home is not self.importing:
            self.open(parser, f"other modules may add to the parser of {parser.home.name}", node)
        if self.depth or self.doubt:
            self.open(parser, "whether the command line is parsed here is not known", node)
        self.look_at_watched()
        if "intermixed" in name:
            self.open(parser, f"{name} takes positionals between flags", node)
        self.readers.append((parser, tolerant))
        if not tolerant and not self.depth and not self.doubt:
            raise Parsed
        return (UNKNOWN, UNKNOWN) if tolerant else UNKNOWN

    def _args_file(self, parser: Parser, args: Sequence[Value], kwargs: Given, node: ast.AST) -> None:
        """HfArgumentParser also takes arguments from a file beside the script, or one that is named."""
        beside = self.entry.rpartition(".")[0] + ".args"
        if len(args) > 1 or set(kwargs) - {"args", "return_remaining_strings"} or self.modules.read(beside):
            self.open(parser, "arguments may come from a file", node)

    def set_attribute(self, parser: Parser, name: str, value: Value, node: ast.AST) -> None:
        """An attribute of a parser is set."""
        if name in ("prog", "usage", "description", "epilog", "formatter_class"):
            return
        if name.startswith("_") or name in (
            "prefix_chars",
            "allow_abbrev",
            "conflict_handler",
            "argument_default",
            "fromfile_prefix_chars",
            "add_help",
            *READING,
            "add_argument",
            "error",
            "exit",
        ):
            self.open(parser, f"{name} of the parser is set", node)
            self.escape(value, node)
            return
        self.bind(parser.names, name, value)


def _is_new_type(names: list[Value]) -> bool:
    """Whether a type is registered under a name that stands for no callable of Python's own."""
    return len(names) == 1 and isinstance(names[0], str) and names[0] not in ("int", "float", "str")
