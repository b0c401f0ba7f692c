"""What git knows of a repository, asked of git itself: the only processes that linting starts, and only if it is asked.

Nothing that the repository configures is run: of the commands used here none needs a filter, a diff or text driver, or
the network, and hooks and the file system monitor are off. Paths are absolute, and as the system spells them.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import cached_property
from typing import NamedTuple

from recipelint.settings import SettingsError

TIMEOUT = 120
"""Seconds for one command of git; the longest lists the files of a revision."""
OPTION = "--changed-since"
LINK, MODULE = "120000", "160000"
_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?\Z")
_CONFIG = (
    "core.fsmonitor=",  # the empty word switches it off in every version; before 2.36, `false` was a command
    "core.hooksPath=" + os.devnull,
    "safe.bareRepository=explicit",
)
# GIT_DIR, GIT_INDEX_FILE and the like are set in hooks and name the repository of the commit under way; a file's own
# repository counts. What says how git itself is to be run stays.
_KEPT = re.compile(r"GIT_(?:EXEC_PATH|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|PARAMETERS|KEY_\d+|VALUE_\d+))\Z")


class Entry(NamedTuple):
    """A file, a symbolic link or a submodule of a revision, or of the index."""

    mode: str
    id: str


class Staged(NamedTuple):
    """An entry of the index; `absent`: a sparse checkout leaves it out of the work tree."""

    entry: Entry
    absent: bool


class Repository:
    """The repository whose work tree stands at ROOT, a real path."""

    def __init__(self, root: str) -> None:
        self.root = root

    # --- revisions ---------------------------------------------------------------------------------

    def base(self, revision: str) -> str:
        """The commit from which on changes count: where HEAD and a revision parted. Raises SettingsError."""
        commit = self.commit(revision)
        if commit is None:
            if not self.run("rev-parse", "--git-dir").ok:
                raise self.error(self.run("rev-parse", "--git-dir").complaint)
            raise self.error(f"there is no revision {revision!r}{self.depth}")
        if self.commit("HEAD") is None:
            raise self.error("HEAD is no commit yet")
        found = self.run("merge-base", commit, "HEAD")
        parted = found.text.split("\n")[0]
        if not _ID.match(parted):
            raise self.error(found.complaint or f"{revision!r} and HEAD have no commit in common{self.depth}")
        return parted

    def commit(self, revision: str) -> str | None:
        """The commit that a revision names, if it names one here."""
        if not revision or revision.startswith("-") or not revision.isprintable():
            return None
        name = revision
        for ending in ("", "^{commit}"):  # in two steps: to `:/text` nothing may be added
            found = self.run("rev-parse", "--verify", "--quiet", "--end-of-options", name + ending)
            name = found.text.strip().rpartition("\n")[2]
            if not found.ok or not _ID.match(name):
                return None
        return name

    @property
    def depth(self) -> str:
        """What to do where the history is cut off."""
        if self.run("rev-parse", "--is-shallow-repository").text.strip() != "true":
            return ""
        return "; the clone is shallow: fetch the whole history (fetch-depth: 0, or git fetch --unshallow)"

    # --- files -------------------------------------------------------------------------------------

    def entries(self, commit: str) -> dict[str, Entry]:
        """The files of a commit, by their path from the root."""
        listed = self.checked("ls-tree", "-r", "-z", "--full-tree", commit)
        entries: dict[str, Entry] = {}
        for line in listed.split("\0")[:-1]:
            facts, _, path = line.partition("\t")
            mode, _, name = facts.split(" ")
            entries[path] = Entry(mode, name)
        return entries

    def content(self, entry: Entry) -> bytes:
        """The bytes of a file of a revision."""
        return os.fsencode(self.checked("cat-file", "blob", entry.id))

    @cached_property
    def index(self) -> dict[str, Staged]:
        """The files that git tracks, by their path from the root."""
        entries: dict[str, Staged] = {}
        for line in self.checked("ls-files", "-z", "-t", "--stage").split("\0")[:-1]:
            facts, _, path = line.partition("\t")
            tag, mode, name, _ = facts.split(" ")
            entries[path] = Staged(Entry(mode, name), tag == "S")
        return entries

    def ignored(self, path: str) -> bool:
        """Whether git leaves an untracked file alone. PATH is absolute: it is no pattern."""
        return self.run("check-ignore", "-q", "--", path).ok

    # --- processes ---------------------------------------------------------------------------------

    def checked(self, *words: str) -> str:
        """What a command prints. Raises SettingsError if it fails."""
        done = self.run(*words)
        if not done.ok:
            raise self.error(done.complaint or f"git {words[0]} failed")
        return done.text

    def run(self, *words: str) -> Done:
        """Run a command of git in the work tree."""
        git = executable()
        if git is None:
            raise SettingsError(f"{OPTION}: there is no git on the PATH")
        settings = [word for one in _CONFIG for word in ("-c", one)]
        try:
            done = subprocess.run(
                [git, "--no-pager", "-C", self.root, *settings, *words],
                env=environment(self.root),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=TIMEOUT,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise self.error(f"git took longer than {TIMEOUT} seconds") from error
        except OSError as error:
            raise SettingsError(f"{OPTION}: git cannot be run: {error.strerror}") from error
        return Done(done.returncode == 0, os.fsdecode(done.stdout), os.fsdecode(done.stderr))

    def error(self, what: str) -> SettingsError:
        shown = os.path.relpath(self.root)
        return SettingsError(f"{OPTION}: {what}" if shown == "." else f"{OPTION}: {shown}: {what}")


class Done(NamedTuple):
    """What came of a command."""

    ok: bool
    text: str
    said: str

    @property
    def complaint(self) -> str:
        """The first thing that git has against it."""
        lines = [line for line in self.said.split("\n") if line.strip()]
        chosen = next((line for line in lines if line.startswith("fatal:")), lines[0] if lines else "")
        return f"git: {chosen.removeprefix('fatal:').strip()}" if chosen else ""


def executable() -> str | None:
    """Where git is; a PATH that depends on the working directory could name a program of the repository."""
    folders = [folder for folder in os.environ.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(folder)]
    return shutil.which("git", path=os.pathsep.join(folders)) if folders else None


def environment(root: str) -> dict[str, str]:
    """The caller's environment, but that the repository at ROOT counts, and that git asks for nothing."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or _KEPT.match(name)}
    return {
        **kept,
        "GIT_CEILING_DIRECTORIES": os.path.dirname(root),
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        # A git that does not know the former: a repository's own protocol.NAME.allow stands above any protocol.allow.
        "GIT_ALLOW_PROTOCOL": "none",
        "LC_ALL": "C",
    }


def blob(data: bytes, like: str) -> str:
    """The id of a file with this content, hashed as the id LIKE was."""
    import hashlib

    new = hashlib.sha1 if len(like) == 40 else hashlib.sha256
    return new(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
