"""The page of the trainers that are known, in Markdown, made from the files in `rules/frameworks/` alone.

`python -m recipelint.ruleset.trainers_page docs/trainers.md` writes it; `--check` says whether it is up to date.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from recipelint.ruleset.load import Ruleset, load

Plain = Mapping[str, Any]

HEAD = """\
# Trainers

For these trainers recipelint knows how each setting is spelt, and what holds where a launch does not give it. Each
setting is a link to the line that shows it, at the revision that was read. Where a trainer's own source stands in the
repository of a launcher, the defaults are taken from there.

A launch of any other trainer is shown with its arguments, its environment and its launch geometry. Names that several
trainers have, as `train.py`, count only beside a flag that tells them apart, or where a file that only this trainer has
stands in the tree of the script: both are named below. A rule accuses only the trainers for which it is known to hold.
[own-rules.md](own-rules.md#settings-and-trainers-of-your-own) tells how to add one of your own.

Made from the files in `rules/frameworks/` by `python -m recipelint.ruleset.trainers_page docs/trainers.md`.
"""


def page(ruleset: Ruleset) -> str:
    """The whole page."""
    parts = [HEAD, *(part for name in sorted(ruleset.frameworks) for part in _framework(ruleset.frameworks[name]))]
    return "\n".join(part.rstrip("\n") + "\n" for part in parts)


def _framework(framework: Plain) -> Iterator[str]:
    yield f"## {framework['title']}"
    held = ", ".join(f"[{code}]({_link(framework, one)})" for code, one in sorted(framework.get("rules", {}).items()))
    rules = f"Rules that are known to hold: {held}." if held else "No rule is known to hold."
    yield f"Read at <{framework['source']}>; `framework` is `{framework['name']}`. {rules}"
    files = [one.get("configuration", {}).get("known_by") for one in (framework, *framework["entry_points"].values())]
    for file in dict.fromkeys(filter(None, files)):
        yield (
            f"A script, as `examples/….py`, is {framework['title']}'s only where `{file}` stands in the same tree; "
            "elsewhere it is a trainer that recipelint does not know."
        )
    groups: dict[str, tuple[Plain, list[str]]] = {}
    for name, entry in framework["entry_points"].items():
        key = json.dumps(entry["settings"], sort_keys=True)
        groups.setdefault(key, (entry, []))[1].extend(_names(name, entry))
    for entry, names in groups.values():
        yield f"{', '.join(names)}:"
        yield "\n".join(
            (
                "| setting | read from | default |",
                "|---|---|---|",
                *(_row(framework, setting, spec) for setting, spec in entry["settings"].items()),
            )
        )


def _names(name: str, entry: Plain) -> list[str]:
    told = f" with {' or '.join(f'`{flag}`' for flag in entry['told_by'])}" if "told_by" in entry else ""
    if "unless" in entry:
        told += f" without {' or '.join(f'`{flag}`' for flag in entry['unless'])}"
    return [f"`{one}`{told}" for one in entry.get("names", [name])]


def _row(framework: Plain, setting: str, spec: Plain) -> str:
    """How a setting is read, and its default, case by case."""
    cases = spec.get("cases", [spec])
    read = "; ".join(_read(case) for case in cases)
    defaults = list(dict.fromkeys(str(case.get("default", spec.get("default", ""))) for case in cases if _gives(case)))
    default = " or ".join(f"`{one}`" for one in defaults if one)
    if "default_setting" in spec:
        default = f"that of `{spec['default_setting']}`"
    return f"| [{setting}]({_link(framework, spec)}) | {read} | {default} |"


def _gives(case: Plain) -> bool:
    return "value" not in case


def _read(case: Plain) -> str:
    when = " and ".join(
        f"`{flag}`" if wanted is True else f"`{flag}` `{str(wanted).lower()}`"
        for flag, wanted in case.get("when", {}).items()
    )
    place = f"`{case['value']}`" if "value" in case else f"`{_place(case)}`"
    return f"{place} with {when}" if when else place


def _place(case: Plain) -> str:
    return str(case.get("flag") or case.get("environment") or case["key"])


def _link(framework: Plain, spec: Plain) -> str:
    source = str(spec["source"])
    return source if source.startswith("https://") else f"{framework['source']}/{source}"


def main(arguments: list[str]) -> int:
    """Write the page; with --check only say whether it is as it should be, and exit with 1 if it is not."""
    path = Path(arguments[-1]) if arguments and not arguments[-1].startswith("-") else None
    if path is None or arguments[:-1] not in ([], ["--check"]):
        print("usage: python -m recipelint.ruleset.trainers_page [--check] FILE", file=sys.stderr)
        return 2
    wanted = page(load())
    if path.is_file() and path.read_text("utf-8") == wanted:
        return 0
    if arguments[0] == "--check":
        print(f"{path} is not what the rules say; run python -m recipelint.ruleset.trainers_page {path}")
        return 1
    path.write_text(wanted, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
