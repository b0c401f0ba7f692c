"""The statement that sets a variable, as the file has it: where to point, and how to export it."""

from __future__ import annotations

from recipelint.commenting import Layouts
from recipelint.fix import Edit
from recipelint.recipe.build import Recipes
from recipelint.record import NamedTuple
from recipelint.shell.nodes import Simple
from recipelint.shell.text import Text
from recipelint.shell.words import Array, Assignment
from recipelint.source import Location, Span


class Place(NamedTuple):
    """Where a variable is set; `command` and `assignment` where one statement of the file does it."""

    location: Location
    assignment: Assignment | None = None
    command: Simple | None = None


def place_of(layouts: Layouts, recipes: Recipes, name: str, value: Text) -> Place | None:
    """The assignment of NAME that holds its value's text, or the only one in that file; else the value's own place."""
    origin = value.first_origin
    source = origin.source if origin is not None and origin.source is not None else recipes.source
    sets = [(one, command) for one, command in layouts.of(source).assignments if one.name == name]
    if origin is not None and origin.source is not None:
        around = [pair for pair in sets if pair[0].start <= origin.start < pair[0].end]
        sets = around or (sets if len(sets) == 1 else [])
    if len(sets) == 1:
        one, command = sets[0]
        return Place(Location(source, Span(one.start, one.end)), one, command)
    if origin is None or origin.location is None:
        return None
    return Place(origin.location)


def exported_edit(place: Place) -> Edit | None:
    """`export ` before a statement that is this one assignment and nothing else."""
    one, command = place.assignment, place.command
    if one is None or command is None or command.words or command.redirections or len(command.assignments) != 1:
        return None
    if isinstance(one.value, Array) or one.index is not None or one.append:
        return None
    return Edit(place.location.path, one.start, one.start, b"export ")
