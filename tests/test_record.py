"""Named tuples are what `typing.NamedTuple` makes of the same class."""

from __future__ import annotations

import copy
import pickle
import typing

import pytest

from recipelint.record import NamedTuple


class Ours(NamedTuple):
    """A doc."""

    one: int
    two: str = "b"
    three: tuple[str, ...] = ()

    @property
    def both(self) -> str:
        return f"{self.one}{self.two}"

    @classmethod
    def made(cls, one: int) -> Ours:
        return cls(one)


class Theirs(typing.NamedTuple):
    """A doc."""

    one: int
    two: str = "b"
    three: tuple[str, ...] = ()


@pytest.mark.parametrize(
    "name", "_fields _field_defaults __match_args__ __slots__ __doc__ __module__ __bases__".split()
)
def test_it_is_the_named_tuple_that_typing_makes(name: str) -> None:
    assert getattr(Ours, name) == getattr(Theirs, name)


def test_it_is_called_what_it_is_called() -> None:
    assert (Ours.__name__, Ours.__qualname__, repr(Ours(1))) == ("Ours", "Ours", "Ours(one=1, two='b', three=())")
    assert not hasattr(Ours(1), "__dict__")


def test_methods_defaults_and_copies() -> None:
    assert (Ours.made(2).both, Ours(1)._replace(two="c").both) == ("2b", "1c")
    assert pickle.loads(pickle.dumps(Ours(3))) == copy.copy(Ours(3)) == Ours(3)
    with pytest.raises(AttributeError):
        Ours(1).one = 2  # type: ignore[misc]
    with pytest.raises(TypeError):
        Ours()  # type: ignore[call-arg]


def test_annotations_can_be_looked_up() -> None:
    assert typing.get_type_hints(Ours) == {**typing.get_type_hints(Theirs), "one": int}
