"""What recipelint makes of the open documents: files of one configuration together, each diagnostic at its place.

It is asked by one thread only, and always of a snapshot.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from recipelint.baseline import BaselineError
from recipelint.diagnostic import Diagnostic
from recipelint.linter import Result
from recipelint.server.configuration import NOTHING, Asked, excluded, linter, settings_for
from recipelint.server.documents import Document, Snapshot
from recipelint.server.live import Live, Pathless
from recipelint.settings import Settings
from recipelint.source import SourceFile


class Judged(NamedTuple):
    """One open document in the files that are linted with it; None for one that is not linted."""

    document: Document
    name: str
    live: Live
    result: Result
    diagnostics: tuple[Diagnostic, ...]
    """Those of all the files."""

    @property
    def source(self) -> SourceFile | None:
        return self.live.originals.get(self.name)


class Analysis:
    """The open documents, by configuration.

    problems    what is wrong with the configurations, in the client's settings too
    unreadable  the documents that are no text of a bearable size, each with its reason
    """

    def __init__(self) -> None:
        self.asked: Asked = NOTHING
        self.problems: tuple[str, ...] = ()
        self.unreadable: tuple[str, ...] = ()
        self._settings: dict[str | None, tuple[Settings, str]] = {}
        self._lives: dict[tuple[Settings, bool], Live] = {}
        self._broken: dict[tuple[Settings, bool], str] = {}

    def ask(self, asked: Asked) -> None:
        """Take other settings from the client."""
        self.asked = asked
        self.forget()

    def forget(self) -> None:
        """Something on the disk changed: read it all again when it is needed."""
        self._settings.clear()
        self._lives.clear()
        self._broken.clear()

    def settings(self, path: str | None) -> tuple[Settings, str]:
        """The settings of a file, by its folder: those next to each other have the same."""
        folder = os.path.dirname(path) if path is not None else None
        if folder not in self._settings:
            self._settings[folder] = settings_for(path, self.asked)
        return self._settings[folder]

    def judge(self, snapshot: Snapshot) -> dict[str, Judged]:
        """Lint what is open, by URI."""
        groups: dict[tuple[Settings, bool], list[Document]] = {}
        problems: dict[str, None] = dict.fromkeys(self.asked.problems)
        unreadable: list[str] = []
        for document in snapshot.documents.values():
            if not document.linted:
                continue
            settings, problem = self.settings(document.path)
            if problem:
                problems.setdefault(problem)
            if document.path is None or not excluded(document.path, settings):
                groups.setdefault((settings, document.path is None), []).append(document)
        self._lives = {key: live for key, live in self._lives.items() if key in groups}
        buffers = snapshot.buffers
        found: dict[str, Judged] = {}
        for key, documents in groups.items():
            live = self._lives.get(key)
            if live is None:
                live, problem = made(*key)
                self._lives[key] = live
                self._broken |= {key: problem} if problem else {}
            if key in self._broken:
                problems.setdefault(self._broken[key])
            names = {one.uri: one.name for one in documents}
            live.update({names[one.uri]: one.data for one in documents}, buffers)
            result, diagnostics = live.lint({}), live.diagnostics
            unreadable += [f"{one.path}: {one.reason}" for one in live.unreadable]
            found |= {one.uri: Judged(one, names[one.uri], live, result, diagnostics) for one in documents}
        self.problems, self.unreadable = tuple(problems), tuple(unreadable)
        return found


def made(settings: Settings, pathless: bool) -> tuple[Live, str]:
    """The run for some settings, and what is wrong with the baseline, without which it then does."""
    kind = Pathless if pathless else Live
    try:
        return kind(linter(settings), settings, with_baseline=not pathless), ""
    except BaselineError as error:
        return kind(linter(settings), settings, with_baseline=False), str(error)


def by_uri(judged: dict[str, Judged], snapshot: Snapshot) -> Iterator[tuple[str, str | None, Diagnostic]]:
    """Each diagnostic that there is, with the open document that it stands in, or the path of a file that is not open.

    Files of two configurations that source the same one both find what is wrong there; it is told once.
    """
    told: set[object] = set()
    lives = {id(one.live): one for one in judged.values()}
    uris = snapshot.uris
    for one in lives.values():
        pathless = isinstance(one.live, Pathless)
        names = {other.name: uri for uri, other in judged.items() if other.live is one.live}
        for diagnostic in one.diagnostics:
            path = diagnostic.location.path
            uri = names.get(path)
            if uri is None and not pathless:
                uri = uris.get(os.path.realpath(path))
            key = (uri or path, diagnostic.code, *diagnostic.location.key[1:], diagnostic.message)
            if key not in told and (uri is not None or not pathless):
                told.add(key)
                yield uri or "", None if uri else path, diagnostic
