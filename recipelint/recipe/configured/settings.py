"""Settings that a configuration gives: read at a key, or at the key of the first case that holds.

A case is a mapping of keys to values that must all be there. Where one of them is unknown, so is the setting.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from recipelint.recipe.configured.compose import Composed
from recipelint.recipe.configured.interpolation import Values, Variable
from recipelint.recipe.configured.tree import MISSING, Branch, Listing, Node, Scalar, Unread, at, location_of
from recipelint.recipe.entry_point import keys_of
from recipelint.recipe.model import Setting
from recipelint.shell.text import Text

Valued = Callable[[str, Mapping[str, Any], Text], Setting]
"""A setting that a text gives."""


class Configured:
    """The settings of one launch, from its configuration."""

    def __init__(
        self, composed: Composed, title: str, rules: str, variable: Variable, valued: Valued, *, keys: bool = True
    ) -> None:
        """RULES is the framework file; KEYS as for Values."""
        self.composed = composed
        self.title = title
        self.rules = rules
        self.values = Values(composed.tree, variable, keys=keys)
        self.valued = valued
        self.files = frozenset(composed.files)

    def setting(self, name: str, spec: Mapping[str, Any]) -> Setting:
        """One setting; SPEC is how the framework file spells it."""
        chosen, place = self.case(spec)
        key = next(reversed(keys_of(spec)), "")
        if isinstance(chosen, Mapping):
            key = str(chosen["key"]) if "key" in chosen else next(reversed(chosen.get("when", {})), key)
        return self.of_case(name, spec, chosen, place)._replace(spelled=key)

    def of_case(
        self, name: str, spec: Mapping[str, Any], chosen: Mapping[str, Any] | Unread | None, place: Node | None
    ) -> Setting:
        """A setting by the case that holds."""
        if isinstance(chosen, Unread):
            return self.unread(name, chosen)
        if chosen is None:
            return self.absent(name, spec, "")
        if "value" in chosen:
            return self.given(name, spec, chosen, place)
        key = str(chosen["key"])
        node = self.values.value(key.split("."))
        if node is None or (isinstance(node, Scalar) and node.value is None and not self.means_null(spec)):
            return self.absent(name, {**spec, "default": chosen.get("default", spec.get("default"))}, key, node)
        if isinstance(node, Scalar) and node.value == MISSING:
            node = Unread(f"{key} must be given")
        if isinstance(node, Unread) and not node.text.s:
            return self.unread(name, node)
        if isinstance(node, Branch | Listing):
            return self.unread(name, Unread(f"{key} is no single value"))
        return self.read(name, spec, node)

    def case(self, spec: Mapping[str, Any]) -> tuple[Mapping[str, Any] | Unread | None, Node | None]:
        """The case that holds, and the last of the values that it asks for; Unread where that cannot be known."""
        if "cases" not in spec:
            return spec, None
        for case in spec["cases"]:
            place: Node | None = None
            holds = True
            for key, wanted in case.get("when", {}).items():
                node = self.values.value(key.split("."))
                if isinstance(node, Unread):
                    return Unread(
                        f"{key} is unknown: {node.reason}" if node.reason else f"{key} is unknown", node.text
                    ), None
                word = node.word.lower() if isinstance(node, Scalar) else "null" if node is None else None
                holds = holds and word == Scalar(wanted).word.lower()
                place = node if holds else None
            if holds:
                return case, place
        return None, None

    def means_null(self, spec: Mapping[str, Any]) -> bool:
        return any("null" in words for words in spec.get("values", {}).values())

    # --- values ------------------------------------------------------------------------------------

    def read(self, name: str, spec: Mapping[str, Any], node: Scalar | Unread) -> Setting:
        """The setting of a value: one that stands in a word or a file, or in a configuration that is known."""
        text = node.text
        if isinstance(node, Scalar):
            word = node.word.encode("utf-8", "replace").decode("latin-1")
            if word != text.s:
                origin = text.first_origin
                text = Text.of(word, origin) if origin is not None else Text.of(word)
        elif text.known:
            return self.unread(name, node)
        setting = self.valued(name, spec, text)
        origin = text.first_origin
        if origin is None or origin.source is None:
            return self.default(setting, self.composed.listed or self.rules)
        if origin.source not in self.files:
            return setting
        if self.composed.named is None and setting.location is not None:
            return self.default(setting, f"{setting.location.path}:{setting.location.start.line}")
        return setting._replace(detail=f"given in {' '.join(origin.source.path.split())}")

    def default(self, setting: Setting, read_from: str) -> Setting:
        """A value of a configuration that the launch does not name."""
        if setting.value is None:
            return setting
        return setting._replace(
            source="trainer-default", location=None, detail=f"{self.title}'s default", read_from=read_from
        )

    def given(self, name: str, spec: Mapping[str, Any], case: Mapping[str, Any], place: Node | None) -> Setting:
        """A value that a case has by itself: decided where the last of what it asks for is."""
        if not isinstance(place, Scalar):
            return Setting(
                name, case["value"], "trainer-default", None, None, (), f"{self.title}'s default", self.rules
            )
        found = self.read(name, {"type": "text"}, place)
        return found._replace(value=case["value"]) if found.value is not None else found

    def absent(self, name: str, spec: Mapping[str, Any], key: str, node: Node | None = None) -> Setting:
        """A setting of which the configuration says nothing, or null."""
        detail = f"{self.title}'s default without {key}" if key else f"{self.title}'s default"
        location = location_of(node)
        if location is not None and self.composed.named is None and location.source in self.files:
            location = None
        return Setting(name, spec.get("default"), "trainer-default", None, location, (), detail, self.rules)

    def unread(self, name: str, node: Unread) -> Setting:
        return Setting(name, None, "unknown", None, location_of(node), (), node.reason or "unknown")

    def raw(self, key: str) -> Node | None:
        """What stands at a key as it is written."""
        return at(self.composed.tree, key.split("."))
