"""The command `flags`: from what a user calls a trainer to its file, and what that takes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from recipelint.cli.options import UserError

if TYPE_CHECKING:
    from recipelint.python.schema import Schema


def schema_for(entry_point: str) -> Schema:
    """The schema of a module, looked for from the working directory's repository, or of a path. Raises UserError."""
    from recipelint.discovery.tree import reader
    from recipelint.python.trainer import schema_of
    from recipelint.run import enclosing

    named = entry_point
    here = os.path.realpath(os.getcwd())
    root = enclosing(here)
    if entry_point.endswith(".py") or os.sep in entry_point:
        real = os.path.realpath(entry_point)
        root = enclosing(os.path.dirname(real))
        if reason := _unreadable(real):
            raise UserError(f"{entry_point}: {reason}")
        if not os.path.isfile(real) or not real.startswith(root.rstrip(os.sep) + os.sep):
            raise UserError(f"{entry_point}: no such file{_near_path(entry_point)}")
        named = os.path.relpath(real, root)
        if not named.endswith(".py"):
            raise UserError(f"{entry_point}: is no Python file")
    schema = schema_of(named, reader(root))
    if schema is None and named == entry_point and here != root:
        schema = schema_of(named, reader(here))
    if schema is None:
        for base in (root, os.path.join(root, "src"), here):
            place = os.path.join(base, *named.split(".")) + ".py"
            if reason := _unreadable(place):
                raise UserError(f"{os.path.relpath(place)}: {reason}")
        raise UserError(f"there is no trainer {entry_point!r} in {_shown(root)}{_near_module(entry_point, root)}")
    return schema._replace(entry_point=entry_point)


def _unreadable(path: str) -> str:
    """Why a file that is there cannot be read; empty if it can, or is not there."""
    from recipelint.discovery.reading import UnreadableFile, read

    try:
        read(path)
    except UnreadableFile as error:
        return error.reason
    except IsADirectoryError:
        return "is a folder"
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return ""
    except OSError as error:
        return (error.strerror or "cannot be read").lower()
    return ""


def _shown(root: str) -> str:
    return os.path.relpath(root) if root != os.path.realpath(os.getcwd()) else "this folder"


def _near_path(path: str) -> str:
    from recipelint.settings import suggestion

    folder = os.path.dirname(path)
    names = [name for name in _names(folder or ".") if name.endswith(".py")]
    return suggestion(path, [os.path.join(folder, name) for name in names])


def _near_module(name: str, root: str) -> str:
    """A module of the same package whose name is near."""
    from recipelint.settings import suggestion

    package = name.rpartition(".")[0]
    known: list[str] = []
    for base in (root, os.path.join(root, "src")):
        folder = os.path.join(base, *package.split(".")) if package else base
        known += [stem for file in _names(folder) if (stem := file.removesuffix(".py")) != file]
    return suggestion(name, [f"{package}.{stem}" if package else stem for stem in known])


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))[:1000]
    except (OSError, ValueError):
        return []
