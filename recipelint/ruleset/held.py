"""Which rules a framework file says are known to hold for its trainers: checked, and told with what shows it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from recipelint.ruleset.document import Node, suggestion

_PATH = r"[\w./-]+(#L\d+(-L\d+)?)?"


def check_held(document: Node, codes: Collection[str]) -> None:
    """The `rules` of a framework file: each is one of CODES, and has its evidence. Raises RuleError."""
    for code, known in document["rules"].members() if "rules" in document else ():
        if code not in codes:
            known.fail(f'unknown rule "{code}"{suggestion(code, codes)}')
        known.keys({"source"}, {"entry_points"})
        if not re.fullmatch(_PATH, known["source"].text()):
            known["source"].link()
        entry_points = document["entry_points"].value
        for name in known["entry_points"].elements() if "entry_points" in known else ():
            if name.text() not in entry_points:
                name.fail(f'unknown entry point "{name.value}"{suggestion(name.value, entry_points)}')


def held_by(code: str, frameworks: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The frameworks that a rule is known to hold for, each with a link to what shows it, in Markdown."""
    found = []
    for framework in frameworks.values():
        known = framework.get("rules", {}).get(code)
        if known is None:
            continue
        source = known["source"]
        link = source if source.startswith("https://") else f"{framework['source']}/{source}"
        some = ", ".join(f"`{name}`" for name in known.get("entry_points", ()))
        found.append(f"[{framework['title']}]({link}){f' ({some})' if some else ''}")
    return found
