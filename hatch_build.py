"""Puts the compiled rule index into the wheel, so that an installed recipelint reads no YAML.

An editable install gets it too: in the checkout, beside the package, where version control ignores it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

INDEX = "recipelint/_rules.json"


class RuleIndexHook(BuildHookInterface[Any]):
    """Compiles rules/ into `recipelint/_rules.json` before a wheel is put together."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        sys.path.insert(0, self.root)  # the package is not installed yet
        try:
            from recipelint.ruleset.compile import compile_index
        finally:
            sys.path.remove(self.root)
        compile_index(Path(self.root, "rules"), Path(self.root, INDEX))
        build_data["artifacts"].append(INDEX)
