"""The value of arithmetic expressions in a world.

An expression with an operand that cannot be known has no value: None, never a guess.
"""

from __future__ import annotations

from recipelint.shell.arithmetic import ArithmeticFault, Expression, UnknownOperand
from recipelint.shell.state import World
from recipelint.shell.text import Text
from recipelint.shell.variables import Variables


class Calculation(Variables):
    """Numbers from texts."""

    def number(self, text: Text, world: World, needs: set[str] | None = None) -> int | None:
        """The value of an expression; None if it cannot be known. NEEDS takes the knobs that count as shipped."""
        try:
            return self.calculated(text, world, needs)
        except (UnknownOperand, ArithmeticFault):
            return None

    def refused(self, text: Text, world: World) -> frozenset[str] | None:
        """If bash refuses an expression as shipped, the knobs whose want makes it so; else None."""
        needs: set[str] = set()
        try:
            self.calculated(text, world.fork(), needs)
        except ArithmeticFault:
            return frozenset(needs)
        except UnknownOperand:
            return None
        return None

    def calculated(self, text: Text, world: World, needs: set[str] | None) -> int:
        """The value of an expression. Raises ArithmeticFault and UnknownOperand."""

        def read(name: str, index: int | str | None) -> int:
            variable = world.variables.get(name)
            if index is not None and variable is not None and variable.items is not None:
                value = variable.items.get(index)
                return evaluate(value.s if value else "0")
            found = self.read(world, name, None)
            if found.text is None:
                if found.knob and needs is None:
                    raise UnknownOperand(name)
                if found.knob and needs is not None:
                    needs.add(name)
                return 0
            return evaluate(found.text.s)

        def write(name: str, index: int | str | None, value: int) -> None:
            if index is None:
                self.assign(world, name, Text.of(str(value)))
            else:
                self.assign_element(world, name, index, Text.of(str(value)), append=False)

        def keyed(name: str) -> bool:
            variable = world.variables.get(name)
            return variable is not None and "A" in variable.attributes

        depth = 0

        def evaluate(s: str) -> int:
            nonlocal depth
            s = s.replace('"', "")
            if needs is not None:
                s, missing = self.shipped(s, world.given)
                needs.update(missing)
            depth += 1
            if depth > 1:
                self.charge(1 << 10)
            if depth > 20:
                raise UnknownOperand("names that stand for each other")
            value = Expression(s, read, write, keyed).value()
            depth -= 1
            return value

        return evaluate(text.s)
