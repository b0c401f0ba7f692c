"""Run a trainer up to the point where it reads its command line, and print the parser that it has built, as JSON.

Run as a script: `build.py ENTRY_POINT`, in the folder of the tree. What is printed is argparse's own view.
"""

from __future__ import annotations

import argparse
import json
import runpy
import sys
from typing import Any, NoReturn

WORDS = {
    "_StoreAction": "store",
    "_StoreTrueAction": "store_true",
    "_StoreFalseAction": "store_false",
    "_StoreConstAction": "store_const",
    "_AppendAction": "append",
    "_AppendConstAction": "append_const",
    "_ExtendAction": "extend",
    "_CountAction": "count",
    "_HelpAction": "help",
    "_VersionAction": "version",
    "_SubParsersAction": "parsers",
    "BooleanOptionalAction": "boolean_optional",
}


def literal(value: Any) -> Any:
    """A value as JSON: sequences are lists, and what is no literal says so."""
    if isinstance(value, list | tuple | range):
        return [literal(one) for one in value]
    if isinstance(value, dict):
        return {key: literal(one) for key, one in value.items()}
    if value is None or type(value) in (str, int, float, bool):
        return value
    return {"not a literal": True}


def spelled(kind: Any) -> str | None:
    return kind if kind is None or isinstance(kind, str) else getattr(kind, "__name__", "unnamed")


def choices(action: argparse.Action) -> Any:
    if action.choices is None:
        return None
    listed = [literal(one) for one in action.choices]
    return sorted(listed, key=repr) if isinstance(action.choices, set | frozenset) else listed


def described(parser: argparse.ArgumentParser, *, known_only: bool) -> dict[str, Any]:
    """A parser, with all that decides what it takes."""
    groups = {
        id(action): number
        for number, group in enumerate(parser._mutually_exclusive_groups)
        for action in group._group_actions
    }
    subcommands: dict[str, Any] = {}
    actions = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            subcommands = {name: described(one, known_only=known_only) for name, one in action.choices.items()}
        actions.append(
            {
                "names": list(action.option_strings) or [action.dest],
                "dest": action.dest,
                "action": WORDS.get(type(action).__name__, "custom"),
                "type": spelled(action.type),
                "nargs": action.nargs,
                "const": literal(action.const),
                "default": literal(action.default),
                "choices": choices(action),
                "required": action.required,
                "positional": not action.option_strings,
                "exclusive": groups.get(id(action)),
            }
        )
    return {
        "actions": actions,
        "allow_abbrev": parser.allow_abbrev,
        "known_only": known_only,
        "prefix_chars": parser.prefix_chars,
        "subcommands": subcommands,
    }


def main() -> None:
    entry_point = sys.argv[1]
    sys.argv[1:] = []

    def reads(parser: argparse.ArgumentParser, *_: Any, **__: Any) -> NoReturn:
        sys.stdout.write(json.dumps(described(parser, known_only=False)))
        sys.exit(0)

    def reads_some(parser: argparse.ArgumentParser, *_: Any, **__: Any) -> NoReturn:
        sys.stdout.write(json.dumps(described(parser, known_only=True)))
        sys.exit(0)

    argparse.ArgumentParser.parse_args = reads  # type: ignore[assignment,method-assign]
    argparse.ArgumentParser.parse_known_args = reads_some  # type: ignore[assignment,method-assign]
    sys.path.insert(0, ".")
    if entry_point.endswith(".py"):
        runpy.run_path(entry_point, run_name="__main__")
    else:
        runpy.run_module(entry_point, run_name="__main__")


if __name__ == "__main__":
    main()
