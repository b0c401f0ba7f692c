"""The configuration of one launch: the file that its words name, what that builds on, and the words on top of it all.

A file that is missing, outside of the tree, or no configuration leaves unknown what it would say; nothing stands in for
it, but for the configurations of a trainer that its framework file lists.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from recipelint.recipe.configured import dotted_words, hydra_words
from recipelint.recipe.configured.document import NoDocument, document
from recipelint.recipe.configured.groups import Choice, Composer
from recipelint.recipe.configured.hydra_words import REMOVE, Override
from recipelint.recipe.configured.options import DOTTED, Given, given
from recipelint.recipe.configured.tree import (
    EMPTY_BRANCH,
    Branch,
    Listing,
    Merger,
    Node,
    Scalar,
    TooLarge,
    Unread,
    removed,
    replaced,
    word_of,
)
from recipelint.recipe.standing import Place
from recipelint.shell.paths import file_name, normal
from recipelint.shell.text import Text
from recipelint.source import SourceFile

MAX_CHAIN = 32
Read = Callable[[str], "SourceFile | None"]
Documents = dict[SourceFile, "Branch | str"]
"""What was read of files: the mapping, or why there is none."""


class Composed(NamedTuple):
    """A configuration as composed.

    named   the file that the words name; None where they name none
    files   all files that were read
    listed  the known configuration that stands in for a file that is not there, by its source; "" if none does
    """

    tree: Node
    named: SourceFile | None
    files: tuple[SourceFile, ...] = ()
    listed: str = ""


class Configurations:
    """Composes configurations from the files of one tree."""

    def __init__(self, read: Read, documents: Documents) -> None:
        self.read = read
        self.documents = documents

    def composed(
        self,
        configuration: Mapping[str, Any],
        style: str,
        known: Mapping[str, Any],
        words: Sequence[Text],
        place: Place,
    ) -> Composed:
        """The configuration of a launch with these words. KNOWN are those that the framework file lists, by name."""
        made = _Composition(self, configuration, style, known, words, place)
        try:
            return made.composed()
        except TooLarge:
            return Composed(Unread("the configuration is too large"), None)

    def document(self, source: SourceFile) -> Branch | Unread:
        """The mapping of a file, read once."""
        found = self.documents.get(source)
        if found is None:
            try:
                found = document(source)
            except NoDocument as error:
                found = f"{source.path} cannot be read: {error}"
            self.documents[source] = found
        return Unread(found) if isinstance(found, str) else found


class _Composition:
    def __init__(
        self,
        configurations: Configurations,
        configuration: Mapping[str, Any],
        style: str,
        known: Mapping[str, Any],
        words: Sequence[Text],
        place: Place,
    ) -> None:
        self.configurations = configurations
        self.configuration = configuration
        self.style = style
        self.known = known
        self.place = place
        self.merger = Merger()
        self.files: dict[SourceFile, None] = {}
        self.named: SourceFile | None = None
        self.listed = ""
        self.given: Given = given(configuration, style, words)
        if style == DOTTED:
            self.overrides = dotted_words.overrides(words, self.given.passed)
        else:
            left = [word for at, word in enumerate(words) if at not in self.given.passed]
            self.overrides = [one for one in map(hydra_words.override, left) if one is not None]

    def composed(self) -> Composed:
        tree, overrides = self.base()
        for one in overrides:
            if one.kind == REMOVE:
                tree = removed(tree, one.path)
            elif one.value is not None:
                tree = (
                    replaced(tree, one.path, one.value)
                    if self.style == DOTTED
                    else self.merger.put(tree, one.path, one.value)
                )
        return Composed(tree, self.named, tuple(self.files), self.listed)

    def base(self) -> tuple[Node, list[Override]]:
        """What the files say, and the words that are left for it."""
        if self.configuration["chain"] == "groups":
            return self.grouped()
        text = self.given.file
        if text is None:
            default = self.configuration.get("default")
            if default is None:
                return Unread("no configuration is given"), self.overrides
            return self.chain(self.default(str(default)), str(default), 0), self.overrides
        said = f"the file {self.said(text)}"
        path = self.place.path(text)
        tree = self.chain(path, said, 0)
        if path is not None:
            self.named = self.source(path)
        return tree, self.overrides

    def default(self, path: str) -> str | None:
        """The place of the file that counts where none is named."""
        base = {"tree": self.place.tree, "folder": self.place.folder, "root": ""}[
            self.configuration.get("relative_to", "root")
        ]
        return normal(posixpath.join(base, path)) if base is not None else None

    def said(self, text: Text) -> str:
        return text.s.encode("latin-1", "replace").decode("utf-8", "replace") if text.known else "of an unknown name"

    # --- files -------------------------------------------------------------------------------------

    def source(self, path: str) -> SourceFile | None:
        """A file of the tree, if it is what the launch would read."""
        if not self.place.stands(posixpath.basename(path)):
            return None
        return self.configurations.read(file_name(path))

    def opened(self, path: str | None, said: str) -> tuple[SourceFile, Branch] | Unread:
        source = self.source(path) if path is not None else None
        if source is None:
            return Unread(f"{said} is not in the repository")
        found = self.configurations.document(source)
        self.files[source] = None
        return found if isinstance(found, Unread) else (source, found)

    def chain(self, path: str | None, said: str, depth: int) -> Node:
        """A file with those that its `defaults` name below it, each found from the folder of the one that names it."""
        if depth > MAX_CHAIN or len(self.files) > MAX_CHAIN:
            return Unread("its chain of defaults is too long")
        found = self.opened(path, said)
        if isinstance(found, Unread) or path is None:
            return found if isinstance(found, Unread) else Unread(said)
        own = found[1]
        if self.configuration["chain"] != "paths" or "defaults" not in own.members:
            return own
        members = dict(own.members)
        listed = members.pop("defaults")
        parents = listed.items if isinstance(listed, Listing) else (listed,)
        tree: Node = EMPTY_BRANCH
        for parent in parents:
            if not isinstance(parent, Scalar) or not isinstance(parent.value, str) or parent.value.startswith("/"):
                below: Node = Unread("what it builds on is not in the repository")
            else:
                below = self.chain(
                    normal(posixpath.join(posixpath.dirname(path), parent.value)), f"the file {parent.value}", depth + 1
                )
            tree = self.merger.merged(tree, below) if not isinstance(below, Unread) else below
        return self.merger.merged(tree, own._replace(members=members))

    # --- groups ------------------------------------------------------------------------------------

    def grouped(self) -> tuple[Node, list[Override]]:
        """A configuration of Hydra, and the words that do not choose from a group."""
        default = str(self.configuration["default"])
        folder: str | None = posixpath.dirname(default)
        name = posixpath.basename(default).removesuffix(".yaml")
        if self.given.folder is not None:
            folder = self.folder(self.given.folder)
        if self.given.name is not None:
            if not self.given.name.known:
                return Unread("the name of the configuration is not known"), self.overrides
            name = posixpath.normpath(self.said(self.given.name).removesuffix(".yaml"))
        folders = [one for one in (folder, *(self.place.path(text) for text in self.given.also)) if one is not None]
        if self.given.name is not None or self.given.folder is not None:
            self.named = next((s for one in folders if (s := self.source(f"{one}/{name}.yaml")) is not None), None)
        folders += self.searched(folders, name)
        chosen = [one for one in self.overrides if self.chooses(one)]
        choices = [Choice(self.choice_key(one), self.option(one), one.kind == hydra_words.ADD) for one in chosen]
        composer = Composer(lambda wanted: self.load(folders, wanted, name), choices, self.merger)
        tree = composer.compose(name)
        left = [one for one in self.overrides if one not in chosen or self.choice_key(one) not in composer.keys]
        return tree, left

    def folder(self, text: Text) -> str | None:
        """The folder that `--config-path` names: absolute, or beside the file of the entry point."""
        if text.known and not text.s.startswith("/"):
            return normal(posixpath.join(str(self.configuration.get("beside", "")), text.s))
        return self.place.path(text)

    def searched(self, folders: Sequence[str], name: str) -> list[str]:
        """The further folders that the configuration itself names, as `file://` from where the launch is started."""
        for folder in folders:
            source = self.source(f"{folder}/{name}.yaml")
            found = self.configurations.document(source) if source is not None else None
            hydra = found.members.get("hydra") if isinstance(found, Branch) else None
            listed = hydra.members.get("searchpath") if isinstance(hydra, Branch) else None
            if isinstance(listed, Listing):
                texts = [one.word for one in listed.items if isinstance(one, Scalar)]
                found_ = [text.removeprefix("file://") for text in texts if text.startswith("file://")]
                packages = [
                    text.removeprefix("pkg://").replace(".", "/") for text in texts if text.startswith("pkg://")
                ]
                joined = [
                    normal(posixpath.join(self.place.folder, one))
                    for one in found_
                    if self.place.folder is not None and not one.startswith("/")
                ]
                return [one for one in (*joined, *packages) if one is not None]
        return []

    def load(
        self, folders: Sequence[str], wanted: str, primary: str
    ) -> tuple[SourceFile | None, Branch] | Unread | None:
        """The configuration of a name, from the first folder that has it, else from those that are known."""
        if wanted.startswith("../"):
            return None
        for folder in folders:
            path = normal(posixpath.join(folder, wanted + ".yaml"))
            if path is not None and self.source(path) is not None:
                return self.opened(path, wanted)
        own = posixpath.dirname(str(self.configuration["default"]))
        if wanted in self.known and not (wanted == primary and self.given.folder is not None and own not in folders):
            self.listed = self.listed or str(self.known[wanted]["source"])
            return None, listed(self.known[wanted]["values"])
        return None

    def chooses(self, one: Override) -> bool:
        """Whether a word may choose from a group."""
        if one.package is not None or "/" in one.key:
            return True
        return "." not in one.key and (one.value is None or isinstance(one.value, Scalar))

    def choice_key(self, one: Override) -> str:
        return one.key if one.package is None else f"{one.key}@{one.package}"

    def option(self, one: Override) -> str | None:
        if one.kind == REMOVE or not isinstance(one.value, Scalar) or one.value.value is None:
            return None
        return one.value.word


def listed(values: Mapping[str, Any]) -> Branch:
    """A known configuration as a tree; its values stand nowhere in the linted files."""
    tree: Node = EMPTY_BRANCH
    for key, value in values.items():
        tree = replaced(tree, key.split("."), Scalar(value, Text.of(word_of(value)), isinstance(value, str)))
    assert isinstance(tree, Branch)
    return tree
