"""The scopes of running functions: what each one's locals hide, and the assignments before its name.

The variables of a world are those that can be seen; a frame has for each name of its function what lies below. An
assignment before a function's name makes a variable of the function, with habits of its own: `local` keeps its value,
`unset` takes it away and shows what lies below, and once it is marked by `export` or `readonly` it stays after the
function's end, in the caller and in all that called it (variables.c of bash 5.2: att_tempvar, att_propagate).
"""

from __future__ import annotations

from collections.abc import Mapping

from recipelint.shell.state import Variable, World

TEMPORARY, LOCAL, STAYS = "t", "v", "p"
"""Letters among a variable's attributes: assigned before the function's name, made local since, to stay."""


def enter(world: World, before: Mapping[str, Variable | None]) -> None:
    """Begin a function, before whose name stand assignments that hide BEFORE."""
    for name in before:
        variable = world.variables.get(name)
        if variable is not None:
            world.variables[name] = marked(variable, TEMPORARY)
    world.frames = (*world.frames, dict(before))


def leave(world: World) -> None:
    """End the innermost function: what its locals hid is seen again."""
    *outer, frame = world.frames
    for name, hidden in frame.items():
        variable = world.variables.get(name)
        if variable is not None and STAYS in variable.attributes:
            if outer and name not in outer[-1]:
                outer[-1] = {**outer[-1], name: hidden}
            world.variables[name] = variable if outer else marked(variable)
        else:
            put(world, name, hidden)
    world.frames = tuple(outer)


def make_local(world: World, name: str) -> None:
    """NAME is a variable of the running function from now on."""
    if not world.frames:
        return
    *outer, frame = world.frames
    old = world.variables.get(name)
    if name in frame:
        if old is not None and TEMPORARY in old.attributes:
            world.variables[name] = marked(old, TEMPORARY + LOCAL)
        return
    world.frames = (*outer, {**frame, name: old})
    if old is not None and TEMPORARY in old.attributes:
        world.variables[name] = marked(old)
    else:
        put(world, name, Variable(exported=True) if old is not None and old.exported else None)


def mark_staying(world: World, name: str) -> None:
    """`export NAME` and its like: what was assigned before a function's name stays after it."""
    variable = world.variables.get(name)
    if variable is not None and TEMPORARY in variable.attributes:
        world.variables[name] = variable._replace(attributes=variable.attributes.replace(STAYS, "") + STAYS)


def uncover(world: World, name: str) -> bool:
    """Take the NAME of the innermost function that has one away, if it does not stay there as unset."""
    for at in range(len(world.frames) - 1, -1, -1):
        if name not in world.frames[at]:
            continue
        variable = world.variables.get(name)
        attributes = variable.attributes if variable is not None else ""
        if at == len(world.frames) - 1 and (TEMPORARY not in attributes or LOCAL in attributes):
            return False
        rest = dict(world.frames[at])
        put(world, name, rest.pop(name))
        world.frames = (*world.frames[:at], rest, *world.frames[at + 1 :])
        return True
    return False


def at_the_bottom(world: World, name: str) -> int | None:
    """The frame that hides the global variable of a name; None where that can be seen."""
    return next((at for at, frame in enumerate(world.frames) if name in frame), None)


def exchange(world: World, name: str, at: int) -> None:
    """Exchange the NAME that can be seen and what a frame hides."""
    seen, frame = world.variables.get(name), world.frames[at]
    put(world, name, frame[name])
    world.frames = (*world.frames[:at], {**frame, name: seen}, *world.frames[at + 1 :])


def marked(variable: Variable, marks: str = "") -> Variable:
    """A variable with these of the three letters, and no other."""
    rest = "".join(letter for letter in variable.attributes if letter not in TEMPORARY + LOCAL + STAYS)
    kept = STAYS if marks and STAYS in variable.attributes else ""
    return variable._replace(attributes=rest + marks + kept)


def put(world: World, name: str, variable: Variable | None) -> None:
    if variable is None:
        world.variables.pop(name, None)
    else:
        world.variables[name] = variable
