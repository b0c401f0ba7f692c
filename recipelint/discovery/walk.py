"""The files that the given paths stand for, launchers and Python files, in order, each once."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator

from recipelint.discovery.globs import Layers, ignored, layer_of_file, layers_above, matcher
from recipelint.discovery.reading import has_shell_shebang
from recipelint.record import NamedTuple
from recipelint.regular import kind
from recipelint.settings import Settings

EXTENSIONS = (".sh", ".bash", ".slurm", ".sbatch", ".job", ".pbs")
PYTHON = ".py"
OTHER_LANGUAGES = (".yaml", ".yml", ".json", ".toml", ".md", ".ipynb")
MISSING = "no such file or folder"
BROKEN = "is a symbolic link that leads nowhere"
NEVER = frozenset({".git", ".hg", ".svn"})


class DiscoveredFile(NamedTuple):
    """A file to lint: its path as the user would write it, and whether it was named."""

    path: str
    explicit: bool


Unreadable = tuple[str, str]
"""A path, and why it could not be read."""


class Discovery(NamedTuple):
    """The files to lint, what could not be read, and the files and folders (with a slash) that are excluded."""

    files: list[DiscoveredFile]
    unreadable: list[Unreadable]
    excluded: list[str]


Met = Callable[[str, bool], object]
"""Told each folder that is met, by its real path, and whether it is walked; the others are ignored or excluded."""


def discover(settings: Settings, met: Met = lambda folder, walked: None) -> Discovery:
    """The files of `settings.paths`. `-` is no file: whoever reads stdin adds it."""
    matches = matcher(settings.exclude, settings.root)
    left_out: dict[str, None] = {}

    def excluded(path: str) -> bool:
        if matches(path):
            left_out[path] = None
            return True
        return False

    found: dict[str, DiscoveredFile] = {}
    unreadable: list[Unreadable] = []
    for path in settings.paths:
        if path == "-":
            continue
        try:
            mode = os.stat(path).st_mode
        except (OSError, ValueError) as error:
            unreadable.append((path, BROKEN if _is_broken_link(path, error) else reason(error)))
            continue
        if settings.force_exclude and excluded(path + "/" * stat.S_ISDIR(mode)):
            continue
        if stat.S_ISDIR(mode):
            files = _walk(path, excluded, unreadable, met)
        elif not stat.S_ISREG(mode):
            unreadable.append((path, kind(mode)))
            continue
        elif path.lower().endswith(OTHER_LANGUAGES) and not has_shell_shebang(path, follow=True):
            unreadable.append((path, "is neither a shell script nor Python"))
            continue
        else:
            files = iter([DiscoveredFile(path, explicit=True)])
        for file in files:
            key = os.path.abspath(file.path)
            if key not in found or file.explicit:
                found[key] = file
    return Discovery(list(found.values()), unreadable, list(left_out))


def reason(error: OSError | ValueError) -> str:
    """Why a path could not be read, in a few words: `no such file or folder`."""
    if isinstance(error, FileNotFoundError):
        return MISSING
    if isinstance(error, IsADirectoryError):
        return "is a folder"
    text = error.strerror if isinstance(error, OSError) else None
    return (text or str(error)).lower()


def _is_broken_link(path: str, error: OSError | ValueError) -> bool:
    return isinstance(error, FileNotFoundError) and os.path.islink(path)


def _walk(
    root: str, excluded: Callable[[str], bool], unreadable: list[Unreadable], met: Met
) -> Iterator[DiscoveredFile]:
    """The files to lint below a folder, sorted by the parts of their paths; as deep as paths can be."""
    full = os.path.realpath(root)
    layers = layers_above(full)
    if ignored(layers, full, is_folder=True):
        layers = ()  # it was asked for by name
    prefix = "" if os.path.normpath(root) == "." else os.path.join(root, "")
    met(full, True)
    open_folders = [_Folder.open(root, prefix, full, layers, unreadable)]
    while open_folders:
        folder = open_folders[-1]
        entry = next(folder.entries, None)
        if entry is None:
            open_folders.pop()
            continue
        if entry.is_symlink() or entry.name in NEVER:
            continue
        path, below = folder.prefix + entry.name, os.path.join(folder.full, entry.name)
        if entry.is_dir(follow_symlinks=False):
            walked = not ignored(folder.layers, below, is_folder=True) and not excluded(path + "/")
            met(below, walked)
            if walked:
                open_folders.append(_Folder.open(path, path + "/", below, folder.layers, unreadable))
        elif _is_read(entry) and not ignored(folder.layers, below, is_folder=False) and not excluded(path):
            if entry.is_file(follow_symlinks=False):
                yield DiscoveredFile(path, explicit=False)
            else:
                unreadable.append((path, kind(entry.stat(follow_symlinks=False).st_mode)))


class _Folder(NamedTuple):
    """A folder being walked: what is left of it, what stands before its names, its absolute path, what git ignores."""

    entries: Iterator[os.DirEntry[str]]
    prefix: str
    full: str
    layers: Layers

    @staticmethod
    def open(path: str, prefix: str, full: str, layers: Layers, unreadable: list[Unreadable]) -> _Folder:
        try:
            with os.scandir(path) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            unreadable.append((path, reason(error)))
            found = []
        if any(entry.name == ".gitignore" for entry in found):
            own = layer_of_file(full, os.path.join(full, ".gitignore"))
            layers = (*layers, own) if own else layers
        return _Folder(iter(found), prefix, full, layers)


def _is_read(entry: os.DirEntry[str]) -> bool:
    """By its extension, else, where it has none, by its shebang."""
    if entry.name.endswith((*EXTENSIONS, PYTHON)):
        return True
    return "." not in entry.name and entry.is_file(follow_symlinks=False) and has_shell_shebang(entry.path)
