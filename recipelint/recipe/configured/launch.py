"""The settings of one launch that its trainer's configuration gives, put together from all that decides them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from recipelint.recipe.configured.compose import Configurations, Documents, Read
from recipelint.recipe.configured.settings import Configured
from recipelint.recipe.configured.tree import Node, Scalar, Unread
from recipelint.recipe.entry_point import EntryPoint
from recipelint.recipe.frameworks import Resolver
from recipelint.recipe.standing import Place
from recipelint.shell.text import Text

Environment = Callable[[str], "Text | None"]
"""A variable as the trainer has it: an empty text where nobody sets it, None where nobody can know."""


def configured(
    entry: EntryPoint,
    words: Sequence[Text],
    place: Place,
    read: Read,
    documents: Documents,
    resolver: Resolver,
    environment: Environment,
) -> Configured:
    """The configuration of a launch with these words, ready to be asked for settings."""
    configuring = entry.configuring
    assert configuring is not None
    composed = Configurations(read, documents).composed(
        configuring.file, configuring.style, configuring.known, words, place
    )
    rules = f"rules/frameworks/{entry.framework}.yaml"
    keys = configuring.file.get("braces", "keys") == "keys"

    def variable(name: str, default: str | None) -> Node:
        text = environment(name)
        if text is None:
            return Unread(f"{name} is the machine's")
        if not text.known:
            return Unread("", text)
        if text.s:
            return Scalar(text.s.encode("latin-1").decode("utf-8", "replace"), text, True)
        return Unread(f"{name} is not set") if default is None else Scalar(default.strip("'\""), quoted=True)

    return Configured(composed, entry.title, rules, variable, resolver.valued, keys=keys)
