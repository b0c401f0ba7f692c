"""The flags that HfArgumentParser makes of the fields of dataclasses.

The rules are those of https://github.com/huggingface/transformers/blob/002496228f0c34cb032547b6ed7293d538e1c521/src/transformers/hf_argparser.py
(`_parse_dataclass_field`).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from recipelint.python.cost import spelling
from recipelint.python.options import OPTION_STEPS
from recipelint.python.parsers import Parser, Refused, option_of
from recipelint.python.schema import UNKNOWN
from recipelint.python.values import Class, External, Function, ListValue, Member, Scope, Value

if TYPE_CHECKING:
    from recipelint.python.outside import Outside

MISSING = object()
LISTS = ("builtins.list", "typing.List")
UNIONS = ("typing.Optional", "typing.Union")
SCALARS = ("builtins.bool", "builtins.float", "builtins.int", "builtins.str")


class Kind(NamedTuple):
    """What an annotation comes to: a scalar's name, "choice", "list" or "other"; `optional` if it may be None."""

    word: str
    type: str | None
    optional: bool = False
    choices: tuple[Value, ...] = ()


def add_dataclasses(machine: Outside, parser: Parser, types: Value, node: ast.AST) -> None:
    """Give PARSER the flags of one dataclass or several."""
    many = [types] if isinstance(types, Class) else machine.items(types)
    for cls in many if many is not None else [UNKNOWN]:
        if isinstance(cls, Class):
            _add(machine, parser, cls, node)
        else:
            machine.open(parser, "a dataclass that it parses is not in the tree", node)


def _add(machine: Outside, parser: Parser, cls: Class, node: ast.AST) -> None:
    fields: dict[str, tuple[Class, ast.AnnAssign]] = {}
    if not cls.sure or not any(isinstance(one, Class) and one.dataclass for one in cls.lineage):
        machine.open(parser, f"{cls.node.name} is not known to be a dataclass", node)
    for one in reversed(cls.lineage):
        if not isinstance(one, Class):
            if one != External("builtins.object"):
                machine.open(parser, f"{cls.node.name} has fields of a class that is not in the tree", node)
            continue
        for statement in one.node.body if one.dataclass else ():
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                fields[statement.target.id] = (one, statement)
    outer = machine.module
    for name, (owner, statement) in fields.items():
        machine.module = owner.scope.module
        try:
            _add_field(machine, parser, name, owner, statement)
        except Refused as error:
            machine.open(parser, f"argparse would refuse this: {error}", statement)
        finally:
            machine.module = outer


def _add_field(machine: Outside, parser: Parser, name: str, owner: Class, statement: ast.AnnAssign) -> None:
    machine.steps += OPTION_STEPS
    machine.step(statement)
    scope = Scope(owner.scope.module, owner.scope.names, owner.scope.parent)
    kind = _kind(machine, statement.annotation, scope)
    if kind.word == "class variable":
        return
    default, extra = _default(machine, statement, scope)
    if extra is None:
        machine.open(parser, f"the field {name} is given in a way that is not known", statement)
        extra = {}
    if extra.pop("init", True) is False:
        return
    said = extra.pop("aliases", ListValue([], 0))
    aliases = [said] if isinstance(said, str) else machine.items(said)
    made_new = extra.pop("default_factory", False)
    extra.pop("help", None)
    if aliases is None or extra or kind.word == "other":
        machine.open(parser, f"how the field {name} is parsed is not known", statement)
    words = [f"--{name}", *([f"--{name.replace('_', '-')}"] if "_" in name else []), *(aliases or [])]
    given: dict[str, Value] = {}
    if kind.word == "choice":
        given["choices"] = kind.choices
    if kind.word == "bool":
        if not kind.optional or default not in (None, MISSING):
            given = {"nargs": "?", "const": True, "default": False if default is MISSING else default}
        elif default is None:
            given["default"] = None
    else:
        given["nargs"] = "+" if kind.word == "list" else None
        given["required"] = default is MISSING
        given["default"] = default.value if isinstance(default, Member) else default
        if default is MISSING or (kind.word == "list" and not made_new):
            given["default"] = None
    location = machine.location(statement)
    option = option_of(parser, words, given, "store", kind.type, location)
    option.open = kind.word == "other"
    parser.add(option)
    if kind.word == "bool" and default is True:
        negative = [f"--no_{name}", *([f"--no-{name.replace('_', '-')}"])]
        parser.add(option_of(parser, negative, {"dest": name, "default": False}, "store_false", None, location))


def _default(machine: Outside, statement: ast.AnnAssign, scope: Scope) -> tuple[Value, dict[str, Value] | None]:
    """The default of a field, and what its metadata says; None where that is not known."""
    node = statement.value
    if node is None:
        return MISSING, {}
    if not isinstance(node, ast.Call) or machine.value(node.func, scope) != External("dataclasses.field"):
        known = not isinstance(node, ast.Call)
        return machine.value(node, scope), {} if known else None
    default: Value = MISSING
    extra: dict[str, Value] = {}
    for keyword in node.keywords:
        if keyword.arg == "metadata":
            read = _metadata(machine, keyword.value, scope)
            if read is None:
                return UNKNOWN, None
            extra.update(read)
        elif keyword.arg == "init":
            extra["init"] = machine.value(keyword.value, scope)
        elif keyword.arg == "default":
            default = machine.value(keyword.value, scope)
        elif keyword.arg == "default_factory":
            made = machine.value(keyword.value, scope)
            extra["default_factory"] = True
            default = machine.call(made, [], {}, node) if isinstance(made, Function | External) else UNKNOWN
        elif keyword.arg is None:
            return UNKNOWN, None
    return default, extra


def _metadata(machine: Outside, node: ast.expr, scope: Scope) -> dict[str, Value] | None:
    if not isinstance(node, ast.Dict):
        return None
    result: dict[str, Value] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
            return None
        result[key.value] = machine.value(value, scope)
    return result


def _kind(machine: Outside, node: ast.expr, scope: Scope) -> Kind:
    """What an annotation means to HfArgumentParser."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        machine.spend(len(node.value[:500]))
        try:
            node = ast.parse(node.value[:500], mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return Kind("other", None)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _union(machine, [node.left, node.right], scope)
    outer = machine.value(node.value if isinstance(node, ast.Subscript) else node, scope)
    word = outer.name if isinstance(outer, External) else ""
    if not isinstance(node, ast.Subscript):
        if word == "typing.ClassVar":
            return Kind("class variable", None)
        if word in SCALARS:
            return Kind(word.removeprefix("builtins."), _spelled(machine, node))
        members = machine.items(outer) if isinstance(outer, Class) else None
        if members is not None:
            return _choice(tuple(member.value for member in members))
        return Kind("other", _spelled(machine, node))
    inner = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
    if word == "typing.Literal":
        return _choice(tuple(machine.value(one, scope) for one in inner))
    if word in UNIONS:
        return _union(machine, [*inner, *([ast.Constant(None)] if word == "typing.Optional" else [])], scope)
    if word in LISTS and len(inner) == 1:
        of = _kind(machine, inner[0], scope)
        return Kind("list", of.type) if of.word in ("int", "float", "str") else Kind("other", _spelled(machine, node))
    return Kind("class variable" if word == "typing.ClassVar" else "other", _spelled(machine, node))


def _spelled(machine: Outside, node: ast.expr) -> str:
    machine.spend(spelling(node))
    return ast.unparse(node)[:200]


def _choice(values: tuple[Value, ...]) -> Kind:
    """A choice of texts or of numbers; words are compared with how a choice is written."""
    for type_, spelled in ((str, None), (int, "int")):
        if all(type(value) is type_ for value in values):
            return Kind("choice", spelled, choices=values)
    return Kind("choice", "unknown", choices=(UNKNOWN,))


def _union(machine: Outside, parts: list[ast.expr], scope: Scope) -> Kind:
    """One type or None, the only union whose rules are followed here."""
    inner = [part for part in parts if not (isinstance(part, ast.Constant) and part.value is None)]
    if len(inner) != 1 or len(parts) != 2:
        return Kind("other", None)
    kind = _kind(machine, inner[0], scope)
    return kind._replace(optional=True) if not kind.optional else Kind("other", None)
