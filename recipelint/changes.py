"""What has changed since a revision: whether reading a path would have come to something else there.

The work tree is held against the commit where the revision and HEAD parted, so what is staged, unstaged or untracked
counts alike; an untracked file that git ignores does not. Where one cannot be sure, something has changed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from functools import cached_property

from recipelint.git import LINK, MODULE, OPTION, Entry, Repository, blob
from recipelint.regular import NotAFile, opened
from recipelint.settings import SettingsError

MAX_LINKS = 40
"""Symbolic links on the way to one file, as Linux has it."""


class Base:
    """A repository as it was; `commit` is None where all of it is new, or IGNORED by the repository around it."""

    def __init__(self, repository: Repository, commit: str | None, *, ignored: bool = False) -> None:
        self.repository = repository
        self.commit = commit
        self.ignored = ignored

    @cached_property
    def entries(self) -> dict[str, Entry]:
        return self.repository.entries(self.commit) if self.commit is not None else {}

    @cached_property
    def folders(self) -> frozenset[str]:
        """The folders that held a file."""
        found: set[str] = set()
        for path in self.entries:
            folder = path.rpartition("/")[0]
            while folder and folder not in found:
                found.add(folder)
                folder = folder.rpartition("/")[0]
        return frozenset(found)


class Changes:
    """The changes since REVISION in the repositories that FOLDERS, real paths, are in. Raises SettingsError.

    In each of them the revision is looked up. A submodule is held against the commit that the repository around it
    named for it; a repository in another one that does not track it is new.
    """

    def __init__(self, revision: str, folders: Iterable[str]) -> None:
        self.revision = revision
        self._roots: dict[str, str | None] = {}
        self._bases: dict[str, Base] = {}
        self._changed: dict[tuple[str, str], bool] = {}
        self.outside: list[str] = []
        for folder in folders:
            root = self.root(folder)
            if root is None:
                self.outside.append(folder)
            elif root not in self._bases:
                self._bases[root] = self.own(root)

    def place(self, root: str, place: str) -> bool:
        """Whether a place, from the root of a repository, reads otherwise now: also if a file came or went."""
        key = root, place
        if key not in self._changed:
            self._changed[key] = "\0" not in place and self.walk(root, place)
        return self._changed[key]

    def file(self, path: str) -> bool:
        """Whether a file, or a symbolic link that leads to it, has changed. Raises SettingsError outside of git."""
        folder, name = os.path.split(os.path.abspath(path))
        named = os.path.join(os.path.realpath(folder), name)
        return any(
            self.place(root, os.path.relpath(one, root))
            for one in (os.path.realpath(path), named)
            for root in (self.located(os.path.dirname(one)),)
        )

    def knows(self, path: str) -> bool:
        """Whether a path is in one of the repositories of the changes."""
        return self.root(os.path.dirname(os.path.realpath(path))) in self._bases

    def before(self, path: str) -> bytes | None:
        """What a file was, if it was one."""
        real = os.path.realpath(path)
        root = self.located(os.path.dirname(real))
        base = self.base(root)
        then = base.entries.get(os.path.relpath(real, root))
        return base.repository.content(then) if then is not None else None

    def below(self, folder: str) -> bool:
        """Whether any file in a folder has changed, came or went."""
        folder = os.path.realpath(folder)
        root = self.located(folder)
        start = "" if folder == root else os.path.relpath(folder, root) + "/"
        places = {path for path in self.base(root).entries if path.startswith(start)}
        for at, folders, names in os.walk(folder):
            folders[:] = [name for name in folders if name != ".git"]
            places |= {os.path.relpath(os.path.join(at, name), root) for name in names}
        return any(self.place(root, place) for place in places)

    def meet(self) -> None:
        """Raises SettingsError if a folder is in no repository, and none was met in it."""
        for folder in self.outside:
            if not any(root.startswith(folder.rstrip("/") + "/") for root in self._bases):
                self.located(folder)

    def located(self, folder: str) -> str:
        """The repository that a folder is in. Raises SettingsError."""
        root = self.root(folder)
        if root is None:
            raise SettingsError(f"{OPTION}: {os.path.relpath(folder)} is in no git repository")
        return root

    # --- repositories ------------------------------------------------------------------------------

    def root(self, folder: str) -> str | None:
        """The innermost repository around a folder."""
        if folder not in self._roots:
            parent = os.path.dirname(folder)
            if os.path.lexists(os.path.join(folder, ".git")):
                self._roots[folder] = folder
            else:
                self._roots[folder] = self.root(parent) if parent != folder else None
        return self._roots[folder]

    def own(self, root: str) -> Base:
        repository = Repository(root)
        return Base(repository, repository.base(self.revision))

    def base(self, root: str) -> Base:
        """What a repository is held against."""
        if root not in self._bases:
            around = self.root(os.path.dirname(root))
            if around is None:
                self._bases[root] = self.own(root)
            else:
                entry = self.base(around).entries.get(os.path.relpath(root, around))
                named = entry.id if entry is not None and entry.mode == MODULE else None
                repository = Repository(root)
                # A commit that was not fetched cannot be looked into: all of the submodule counts as new.
                commit = repository.commit(named) if named else None
                ignored = entry is None and self.base(around).repository.ignored(root)
                self._bases[root] = Base(repository, commit, ignored=ignored)
        return self._bases[root]

    # --- paths -------------------------------------------------------------------------------------

    def walk(self, root: str, place: str) -> bool:
        """Whether anything on the way from a repository's root to a place, or there, is another."""
        at, left, links = root, place.split("/")[::-1], 0
        while left:
            name = left.pop()
            if name in ("", "."):
                continue
            if name == "..":
                at = os.path.dirname(at)
                if not f"{at}/".startswith(f"{root}/"):
                    return False  # it leads outside, where nothing is read
                continue
            within = self.root(at) or root
            base, path = self.base(within), os.path.join(at, name)
            inner = os.path.relpath(path, within)
            then = base.entries.get(inner)
            try:
                mode = os.lstat(path).st_mode
            except (OSError, ValueError):
                return self.gone(base, inner, left)
            if stat.S_ISDIR(mode):
                if then is not None and then.mode != MODULE:
                    return True
                if inner not in base.folders and self.root(path) != path and self.moved(base, inner, then):
                    return True
                at = path
            elif stat.S_ISLNK(mode):
                target = os.readlink(path)
                links += 1
                if self.differs(base, inner, then, os.fsencode(target), link=True) or links > MAX_LINKS:
                    return True
                if os.path.isabs(target):
                    if not f"{target}/".startswith(f"{root}/"):
                        return False
                    at, target = root, os.path.relpath(target, root)
                left += target.split("/")[::-1]
            elif left or not stat.S_ISREG(mode):
                return then is not None  # what is no file, or goes on behind one, cannot be read
            else:
                return self.differs(base, inner, then, content(path), link=False)
        return False

    def differs(self, base: Base, inner: str, then: Entry | None, data: bytes | None, *, link: bool) -> bool:
        """Whether a file or a link with this content, or with one that cannot be read, is not what it was."""
        if base.ignored:
            return False
        if then is None:
            known = base.commit is None or inner in base.folders or inner in base.repository.index
            return known or not base.repository.ignored(os.path.join(base.repository.root, inner))
        return data is None or (then.mode == LINK) != link or blob(data, then.id) != then.id

    def gone(self, base: Base, inner: str, left: list[str]) -> bool:
        """Whether what is not there now was there then; LEFT are the further parts of the path, the next one last."""
        for end in range(len(left) + 1):
            path = os.path.normpath("/".join([inner, *left[::-1][:end]]))
            then = base.entries.get(path)
            if then is not None:
                staged = base.repository.index.get(path)
                return staged is None or not staged.absent or staged.entry != then
        return False

    def moved(self, base: Base, inner: str, then: Entry | None) -> bool:
        """Whether a folder is a submodule, not checked out, that is to be at another commit, or was one."""
        staged = base.repository.index.get(inner)
        return (None if staged is None else staged.entry) != then


def content(path: str) -> bytes | None:
    """The bytes of a file; None if it cannot be read."""
    try:
        with opened(path) as stream:
            return stream.read()
    except (OSError, NotAFile):
        return None
