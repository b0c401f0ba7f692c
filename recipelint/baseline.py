"""A baseline: the findings of a day, by fingerprint, so that those stay quiet and new ones do not.

A finding is in it or not by its fingerprint alone; the rest of an entry is for the people who review the file. An entry
is stale only if this run looked at everything that could have found it again.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from recipelint.diagnostic import Diagnostic
from recipelint.discovery import UnreadableFile
from recipelint.discovery import read as read_bytes
from recipelint.discovery.tree import enclosing
from recipelint.fingerprint import VERSION as FINGERPRINTS
from recipelint.fingerprint import fingerprints, place
from recipelint.outcome import Change, Outcome, Stale, Written
from recipelint.recipe.model import Launcher
from recipelint.settings import SettingsError

VERSION = 1
MAX_SIZE = 16 << 20
"""Bytes of a baseline: about fifty thousand findings."""
_CONFLICT = re.compile(rb"^(?:<{7}|>{7})(?: |\r?$)", re.MULTILINE)


class BaselineError(SettingsError):
    """A file that is no baseline of this version, or cannot be read or written."""


class Entry(NamedTuple):
    """A finding, as it was.

    path    from the root, with slashes
    via     the launchers that led to it, where it does not stand in the one launcher that does
    """

    path: str
    code: str
    fingerprint: str
    message: str
    via: tuple[str, ...] = ()

    @property
    def sources(self) -> tuple[str, ...]:
        """The files that must be looked at to find it again."""
        return self.via or (self.path,)


class Baseline(NamedTuple):
    """A baseline file: its path, the folder from which its paths count, and its entries in their order."""

    file: str
    root: str
    entries: tuple[Entry, ...]

    @property
    def known(self) -> frozenset[str]:
        return frozenset(one.fingerprint for one in self.entries)

    def differing(self, other: Baseline) -> frozenset[str]:
        """The real paths of the files of which one has a finding that the other does not have."""
        return frozenset(
            os.path.realpath(os.path.join(here.root, path))
            for here, there in ((self, other.known), (other, self.known))
            for entry in here.entries
            if entry.fingerprint not in there
            for path in (entry.path, *entry.via)
        )


class Seen(NamedTuple):
    """What a run looked at: files by their path from the root, folders by their real paths, and the rules."""

    files: frozenset[str]
    folders: tuple[str, ...]
    codes: frozenset[str]


def read(file: str) -> Baseline:
    """The baseline in a file; raises BaselineError."""
    return parsed(file, content(file))


def content(file: str) -> bytes:
    """The bytes of a baseline; raises BaselineError."""
    try:
        return read_bytes(file, MAX_SIZE)
    except UnreadableFile as error:
        raise BaselineError(f"{file}: {error.reason}") from error
    except FileNotFoundError as error:
        raise BaselineError(f"{file}: there is no such baseline; --write-baseline {file} makes it") from error
    except OSError as error:
        raise BaselineError(f"{file}: {error.strerror or error}") from error


def parsed(file: str, data: bytes) -> Baseline:
    """The baseline that a file with this content is; raises BaselineError."""
    import json

    try:
        return _baseline(file, json.loads(data))
    except (ValueError, RecursionError) as error:
        if _CONFLICT.search(data):
            raise BaselineError(
                f"{file}: has the conflict of a merge in it; take one side (git checkout --ours {file}), "
                "then write it again with --write-baseline"
            ) from error
        raise BaselineError(f"{file}: is no baseline: {error}") from error


def _baseline(file: str, found: Any) -> Baseline:
    if not isinstance(found, dict) or not isinstance(found.get("findings"), list) or "version" not in found:
        raise BaselineError(f"{file}: is no baseline of recipelint")
    if found["version"] != VERSION or isinstance(found["version"], bool):
        raise BaselineError(f"{file}: is of version {found['version']!r}; this recipelint reads version {VERSION}")
    if found.get("fingerprints") != FINGERPRINTS:
        raise BaselineError(f"{file}: has fingerprints of another kind; write it again with --write-baseline")
    root = found.get("root", ".")
    if not isinstance(root, str) or os.path.isabs(root) or "\0" in root:
        raise BaselineError(f"{file}: root must be a path from the folder of the file")
    entries = tuple(_entry(file, number, one) for number, one in enumerate(found["findings"], 1))
    return Baseline(file, os.path.realpath(os.path.join(os.path.dirname(file), root)), entries)


def _entry(file: str, number: int, found: Any) -> Entry:
    fields = ("path", "code", "fingerprint", "message")
    if not isinstance(found, dict) or not all(isinstance(found.get(name), str) for name in fields):
        raise BaselineError(f"{file}: finding {number} must have {', '.join(fields)}, as text")
    via = found.get("via", [])
    if not isinstance(via, list) or not all(isinstance(one, str) for one in via):
        raise BaselineError(f"{file}: via of finding {number} must be a list of paths")
    if any("\0" in path for path in (found["path"], *via)):
        raise BaselineError(f"{file}: a path of finding {number} is none")
    path, code, fingerprint, message = (found[name] for name in fields)
    return Entry(path, code, fingerprint, message, tuple(via))


# --- comparing -------------------------------------------------------------------------------------


def quiet(baseline: Baseline, diagnostics: Sequence[Diagnostic]) -> list[bool]:
    """Of each diagnostic of a run, sorted, whether it is in the baseline."""
    known = baseline.known
    return [name in known for name in fingerprints(diagnostics, baseline.root)]


def stale(baseline: Baseline, diagnostics: Sequence[Diagnostic], seen: Seen) -> tuple[Stale, ...]:
    """The entries that none of the diagnostics of a run is, although it looked where they were."""
    found = frozenset(fingerprints(diagnostics, baseline.root))
    return tuple(
        Stale(one.code, os.path.relpath(os.path.join(baseline.root, one.path)), one.message, one.fingerprint)
        for one in baseline.entries
        if one.fingerprint not in found and decidable(baseline, one, seen)
    )


def moved(gone: Sequence[Stale], new: Sequence[Diagnostic]) -> int:
    """How many stale entries of files that are not there any more say what new findings in other files say."""
    fresh = Counter((one.code, _without_lines(one.message).replace(one.location.path, "*")) for one in new)
    left = (one for one in gone if not os.path.lexists(one.path))
    old = Counter((one.code, one.message.replace(one.path, "*")) for one in left)
    return sum((old & fresh).values())


def decidable(baseline: Baseline, entry: Entry, seen: Seen) -> bool:
    """Whether a run would have found an entry again."""
    return entry.code in seen.codes and all(path in seen.files or _gone(baseline, path, seen) for path in entry.sources)


def _gone(baseline: Baseline, path: str, seen: Seen) -> bool:
    """Whether a file is not there any more, in a folder that was searched."""
    full = os.path.normpath(os.path.join(baseline.root, path))
    return not os.path.lexists(full) and any(full.startswith(folder.rstrip(os.sep) + os.sep) for folder in seen.folders)


# --- writing ---------------------------------------------------------------------------------------


def entries(diagnostics: Sequence[Diagnostic], launchers: Iterable[Launcher], root: str) -> tuple[Entry, ...]:
    """The entries of the diagnostics of a run, sorted; LAUNCHERS are all that were read."""
    by_launch: dict[object, set[str]] = {}
    by_file: dict[str, set[str]] = {}
    for launcher in launchers:
        path = launcher.source.path
        for launch in launcher.launches:
            by_launch.setdefault(launch.key, set()).add(path)
        for source in (launcher.source, *launcher.followed):
            by_file.setdefault(source.path, set()).add(path)

    def via(one: Diagnostic) -> tuple[str, ...]:
        stands = one.location.path
        if one.about:
            paths = set().union(*(by_launch.get(key, set()) for key in one.about))
        else:
            paths = by_file.get(stands, set())
            paths = {stands} if stands in paths else paths
        return tuple(sorted(place(path, real) for path in paths)) if paths - {stands} else ()

    real = os.path.realpath(root)
    names = fingerprints(diagnostics, root)
    return tuple(
        sorted(
            Entry(place(one.location.path, real), one.code, name, _without_lines(one.message), via(one))
            for one, name in zip(diagnostics, names, strict=True)
        )
    )


def _without_lines(message: str) -> str:
    """A message in which line numbers are stars, so that it stays when lines move."""
    return re.sub(r"(\blines? |\w:)\d+\b", r"\1*", message)


def renewed(file: str, root: str, outcome: Outcome, seen: Callable[[str], Seen]) -> Written:
    """Write the diagnostics of a run as the baseline of FILE; its paths count from ROOT, or as they did before.

    Entries that the run could not find again are kept as they are. Raises BaselineError.
    """
    text = content(file) if os.path.lexists(file) else None
    old = parsed(file, text) if text is not None else None
    base = old.root if old is not None else os.path.realpath(root)
    before = old.entries if old is not None else ()
    found = entries(outcome.diagnostics, outcome.launchers, base)
    fresh = {one.fingerprint for one in found}
    looked = seen(base)
    kept = [
        one for one in before if one.fingerprint not in fresh and not decidable(Baseline(file, base, ()), one, looked)
    ]
    new = Baseline(file, base, tuple(sorted((*found, *kept))))
    write(text, new)
    was, is_ = {one.fingerprint for one in before}, {one.fingerprint for one in new.entries}
    return Written(file, len(new.entries), len(is_ - was), len(was - is_))


def render(baseline: Baseline) -> bytes:
    """The file of a baseline: one line for each finding, ASCII, the same for the same findings."""
    from recipelint.report.json_ import line

    root = os.path.relpath(baseline.root, os.path.realpath(os.path.dirname(baseline.file) or "."))
    rows = [line(_plain(one)) for one in baseline.entries]
    body = ",".join(f"\n    {row}" for row in rows) + ("\n  " if rows else "")
    head = {"version": VERSION, "fingerprints": FINGERPRINTS, "root": root.replace(os.sep, "/")}
    first = "".join(f"  {line(key)}: {line(value)},\n" for key, value in head.items())
    return f'{{\n{first}  "findings": [{body}]\n}}\n'.encode()


def _plain(entry: Entry) -> Mapping[str, object]:
    found: dict[str, object] = entry._asdict()
    if not found.pop("via"):
        return found
    return {**found, "via": list(entry.via)}


def write(before: bytes | None, new: Baseline) -> None:
    """Put a baseline in place of the one that was read, or where nothing was; raises BaselineError."""
    from recipelint.holding import held
    from recipelint.writing import Refused, create_file, replace_file

    root = enclosing(os.path.dirname(os.path.abspath(new.file)))
    after = render(new)
    try:
        with held():
            if before is None:
                create_file(new.file, after, root)
            elif before != after:
                replace_file(Change(new.file, before, after), root)
    except Refused as error:
        raise BaselineError(f"{new.file}: {error}") from error
    except OSError as error:
        raise BaselineError(f"{new.file}: not written: {error.strerror or error}") from error
