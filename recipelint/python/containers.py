"""Lists, tuples, sets, dictionaries and comprehensions, and what their methods and the functions over them give."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from recipelint.python.cost import len_of
from recipelint.python.expressions import Expressions
from recipelint.python.schema import UNKNOWN
from recipelint.python.values import LENGTH_CAP, DictValue, ListValue, Scope, Value


class Containers(Expressions):
    """Keeps containers exact while it can: one that may have been changed is not known any more."""

    def _tuple(self, node: ast.Tuple, scope: Scope) -> Value:
        items = self._elements(node.elts, scope)
        return UNKNOWN if items is None else tuple(items)

    def _list(self, node: ast.List, scope: Scope) -> Value:
        items = self._elements(node.elts, scope)
        return UNKNOWN if items is None else ListValue(items, self.depth)

    def _set(self, node: ast.Set, scope: Scope) -> Value:
        items = self._elements(node.elts, scope)
        return UNKNOWN if items is None else ListValue(_distinct(items), self.depth)

    def _elements(self, nodes: Sequence[ast.expr], scope: Scope) -> list[Value] | None:
        items: list[Value] = []
        known = True
        for node in nodes:
            if not isinstance(node, ast.Starred):
                items.append(self.value(node, scope))
                continue
            value = self.value(node.value, scope)
            more = self.items(value)
            if more is None:
                self.escape(value, node)
                known = False
            items += more or []
        if not known or len(items) > LENGTH_CAP:
            self.escape(tuple(items), nodes[0])
            return None
        return items

    def _dict(self, node: ast.Dict, scope: Scope) -> Value:
        made = DictValue({}, self.depth)
        for key, value in zip(node.keys, node.values, strict=True):
            item = self.value(value, scope)
            if key is None:
                known = isinstance(item, DictValue) and item.known
                self.spend(len_of(item))
                made.items.update(item.items if known else {})
                made.known = made.known and known
                continue
            name = self.value(key, scope)
            if isinstance(name, str | int | float) or name is None:
                made.items[name] = item
            else:
                self.escape(item, node)
                made.known = False
        if not made.known:
            self.escape(made, node)
        return made

    # --- comprehensions --------------------------------------------------------------------------

    def _listcomp(self, node: ast.ListComp, scope: Scope) -> Value:
        made = self._comprehended(node.generators, scope, lambda inner: self.value(node.elt, inner), node)
        return UNKNOWN if made is None else ListValue(made, self.depth)

    def _generatorexp(self, node: ast.GeneratorExp, scope: Scope) -> Value:
        made = self._comprehended(node.generators, scope, lambda inner: self.value(node.elt, inner), node)
        return UNKNOWN if made is None else ListValue(made, self.depth)

    def _setcomp(self, node: ast.SetComp, scope: Scope) -> Value:
        made = self._comprehended(node.generators, scope, lambda inner: self.value(node.elt, inner), node)
        return UNKNOWN if made is None else ListValue(_distinct(made), self.depth)

    def _dictcomp(self, node: ast.DictComp, scope: Scope) -> Value:
        def pair(inner: Scope) -> Value:
            return self.value(node.key, inner), self.value(node.value, inner)

        pairs = self._comprehended(node.generators, scope, pair, node)
        return UNKNOWN if pairs is None else self.dictionary(pairs)

    def _comprehended(
        self, generators: list[ast.comprehension], scope: Scope, element: Callable[[Scope], Value], node: ast.AST
    ) -> list[Value] | None:
        made: list[Value] = []
        inner = Scope(scope.module, {}, scope)
        inner.inline = True

        def turn(left: list[ast.comprehension]) -> bool:
            if not left:
                made.append(element(inner))
                return len(made) <= LENGTH_CAP
            values = self.items(self.value(left[0].iter, inner))
            if values is None:
                return False
            for value in values:
                self.step(node)
                self.assign(left[0].target, value, inner)
                kept = [self.truth(self.value(test, inner)) for test in left[0].ifs]
                if None in kept or (all(kept) and not turn(left[1:])):
                    return False
            return True

        if turn(generators):
            return made
        self.escape(tuple(made), node)
        for generator in generators:
            self.assign(generator.target, UNKNOWN, inner)
        with self.undecided():
            self.escape(element(inner), node)
        return None

    # --- functions over them, and their methods --------------------------------------------------

    def dictionary(self, pairs: Sequence[Value]) -> Value:
        """The dictionary of pairs."""
        self.spend(len(pairs))
        made = DictValue({}, self.depth)
        for pair in pairs:
            if type(pair) is not tuple or len(pair) != 2 or not isinstance(pair[0], str | int | float | None):
                return UNKNOWN
            made.items[pair[0]] = pair[1]
        return made

    def collected(self, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """What list, tuple, set, dict, zip, enumerate, reversed and len make of values; UNKNOWN for others."""
        if name == "dict":
            given = args[0] if args else DictValue({}, self.depth)
            pairs = self.items(given)
            if isinstance(given, DictValue):
                pairs = list(given.items.items()) if given.known else None
            return UNKNOWN if pairs is None else self.dictionary([*pairs, *kwargs.items()])
        columns = [self.items(arg) for arg in args]
        self.spend(sum(map(len_of, args)))
        lists = [column for column in columns if column is not None]
        if len(lists) < len(columns) or (kwargs and name != "enumerate"):
            return UNKNOWN
        only = lists[0] if lists else []
        if name == "zip":
            return ListValue(list(zip(*lists, strict=False)), self.depth)
        if name == "enumerate":
            start = kwargs.get("start", 0)
            return ListValue(list(enumerate(only, start)), self.depth) if isinstance(start, int) else UNKNOWN
        if name in ("list", "iter"):
            return ListValue(only, self.depth)
        if name == "reversed":
            return ListValue(only[::-1], self.depth)
        if name in ("set", "frozenset"):
            return ListValue(_distinct(only), self.depth)
        return tuple(only) if name == "tuple" else len(only) if name == "len" else UNKNOWN

    def list_method(self, value: ListValue, name: str, args: list[Value], node: ast.AST) -> Value:
        """A method of a list or set; one that is not known here makes its content unknown."""
        self.spend(len(value.items) // 8 if name in ("copy", "index", "pop") else 1)
        if name in ("append", "add") and len(args) == 1:
            if self.changeable(value, node) and len(value.items) < LENGTH_CAP:
                value.items.append(args[0])
            else:
                self.escape((value, args[0]), node)
            return None
        more = self.items(args[0]) if name in ("extend", "update") and len(args) == 1 else None
        if more is not None:
            if self.changeable(value, node) and len(value.items) + len(more) <= LENGTH_CAP:
                value.items += more
            else:
                self.escape((value, *more), node)
            return None
        if name == "copy" and value.known:
            return ListValue(list(value.items), self.depth)
        if name == "index" and value.known and len(args) == 1:
            at = next((at for at, item in enumerate(value.items) if self.alike(item, args[0])), None)
            return UNKNOWN if at is None else at
        if name == "pop" and value.items and self.changeable(value, node) and args in ([], [0], [-1]):
            return value.items.pop(*args)
        self.escape((value, *args), node)
        return UNKNOWN

    def dict_method(
        self, value: DictValue, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """A method of a dictionary."""
        self.spend(len(value.items) if name in ("keys", "values", "items", "copy") else 1)
        if value.known and not args and name == "keys":
            return value  # a view: it grows with the dictionary
        if value.known and not args and name in ("values", "items"):
            return ListValue(list(getattr(value.items, name)()), self.depth)
        if value.known and name == "copy":
            return DictValue(dict(value.items), self.depth)
        if value.known and name == "get" and args and isinstance(args[0], str | int | float):
            return value.items.get(args[0], args[1] if len(args) > 1 else None)
        if name == "update":
            more = self.collected("dict", args, kwargs)
            if isinstance(more, DictValue) and self.changeable(value, node):
                value.items.update(more.items)
                return None
        if name == "pop" and args and isinstance(args[0], str | int | float) and self.changeable(value, node):
            return value.items.pop(args[0], args[1] if len(args) > 1 else UNKNOWN)
        if name == "setdefault" and len(args) == 2 and isinstance(args[0], str) and self.changeable(value, node):
            return value.items.setdefault(args[0], args[1])
        self.escape((value, *args, *kwargs.values()), node)
        return UNKNOWN


def _distinct(items: Sequence[Value]) -> list[Value]:
    """The items of a set, in the order of the source; those that are no literals are taken for different ones."""
    marks = ((type(item), item) if isinstance(item, str | int | float) else (id(item), None) for item in items)
    return list(dict(zip(marks, items, strict=True)).values())
