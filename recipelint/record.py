"""Named tuples that are made quickly: what `typing.NamedTuple` makes, without a compilation for each annotation.

A start makes more than a hundred of them, and compiling each annotation only to keep it took a tenth of a short run.
"""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:

    class _Maker(type):
        """Makes a named tuple of a class's annotations, with its defaults and methods."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = body.pop("__annotations__", {})
            defaults = [body.pop(field) for field in fields if field in body]
            made = namedtuple(name, fields, defaults=defaults, module=body.pop("__module__"))
            made.__annotations__ = fields
            for key, value in body.items():
                setattr(made, key, value)
            return made

    class NamedTuple(metaclass=_Maker):
        """The base to write; the class that is made is a tuple, and has not this one among its bases."""
