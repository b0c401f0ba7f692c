"""What was asked for: the command line over `[tool.recipelint]` or recipelint.toml, checked and frozen."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from recipelint.configuration import FILE, MAX_SIZE, PYPROJECT, TABLE, find, inline, read, search
from recipelint.diagnostic import Severity
from recipelint.keys import KEYS, SettingsError, assignment, revision, suggestion
from recipelint.record import NamedTuple

__all__ = [
    "FILE",
    "KEYS",
    "MAX_SIZE",
    "PYPROJECT",
    "TABLE",
    "Choice",
    "Settings",
    "SettingsError",
    "assignment",
    "find",
    "read",
    "resolve",
    "revision",
    "suggestion",
]


class Choice(NamedTuple):
    """Selectors of rules: only these, these too, not these."""

    only: tuple[str, ...] = ()
    extend: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


NOTHING = Choice()
CHOICES = {
    "over_selection": ("select", "extend_select", "ignore"),
    "over_fixes": ("fixable", "extend_fixable", "unfixable"),
}
"""The fields of which the command line's are a layer of their own over those of the configuration."""
ASIDE = frozenset({"configuration", "consulted", "origins", "cache_dir", "cache"})
"""The fields that say where settings come from or what is kept: they make no other settings."""


class Settings(NamedTuple):
    """Everything a run depends on, beside the files.

    paths             as the user wrote them; `-` is standard input
    over_selection    what the command line adds to the selection of a configuration; its --select replaces that
    over_fixes        the same of the rules whose fixes may be made
    per_file_ignores  a glob, as in .gitignore and relative to `root`, and the selectors it ignores
    preview           whether rules in preview are on as the others are
    severity          a selector, and the severity of the findings of what it selects
    env, args         the environment and the arguments to resolve launchers for
    automodel         the revision of AutoModel that the launchers run with; empty: what the repository says
    rules             the files and folders of a team's own rules
    fail_level        the lowest severity that makes the exit status 1
    outputs           further reports: a format, and the file for it, or `-`
    verify_fixes      whether to say of each fix, though none is made, whether it would be withdrawn
    fail_on_stale     whether an entry of the baseline that is no longer found makes it 1
    root              the folder of the configuration file, else the working directory
    configuration     that file, if there is one
    exclude           globs as in .gitignore, relative to `root`
    changed_since     a revision: only what a change since then reaches is looked at; empty: everything
    consulted         the absolute paths of the configuration files that were looked for, whether there or not
    add_ignore        whether to write a comment that ignores each finding, for this `reason`
    baseline          the file with the findings that stay quiet; empty: none
    write_baseline    the file to write what is found into
    cache_dir         the folder for what is kept between runs; empty: that of the user
    cache             that folder, and the one with the secret that seals its entries; None: nothing is kept
    origins           what gave each setting that was given: `--select`, `recipelint.toml: ignore`; and for each
                      variable NAME of the command line, as `env.NAME`, `--env`
    """

    paths: tuple[str, ...] = (".",)
    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    over_selection: Choice = NOTHING
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    extend_per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    preview: bool = False
    severity: tuple[tuple[str, Severity], ...] = ()
    fixable: tuple[str, ...] = ()
    extend_fixable: tuple[str, ...] = ()
    unfixable: tuple[str, ...] = ()
    over_fixes: Choice = NOTHING
    env: tuple[tuple[str, str], ...] = ()
    args: tuple[str, ...] = ()
    fail_level: Severity = Severity.WARNING
    fail_on_stale: bool = False
    fix: bool = False
    diff: bool = False
    unsafe_fixes: bool = False
    add_ignore: bool = False
    reason: str = ""
    baseline: str = ""
    write_baseline: str = ""
    statistics: bool = False
    output_format: str = "full"
    outputs: tuple[tuple[str, str], ...] = ()
    verify_fixes: bool = False
    color: str = "auto"
    quiet: bool = False
    root: str = "."
    configuration: str = ""
    exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    stdin_filename: str = "<stdin>"
    automodel: str = ""
    changed_since: str = ""
    consulted: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    origins: tuple[tuple[str, str], ...] = ()
    cache_dir: str = ""
    cache: tuple[str, str] | None = None

    def __eq__(self, other: object) -> bool:
        """Whether both ask for the same, wherever it was written and whatever is kept."""
        return isinstance(other, Settings) and self._asked() == other._asked()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._asked())

    def _asked(self) -> tuple[object, ...]:
        return tuple(value for name, value in zip(self._fields, self, strict=True) if name not in ASIDE)

    @property
    def selection(self) -> tuple[Choice, Choice]:
        """Which rules are on: a layer, and one that goes over it."""
        return Choice(self.select, self.extend_select, self.ignore), self.over_selection

    @property
    def fixes(self) -> tuple[Choice, Choice]:
        """Which rules' fixes may be made: a layer, and one that goes over it."""
        return Choice(self.fixable, self.extend_fixable, self.unfixable), self.over_fixes

    @property
    def file_ignores(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Every glob with the selectors that are ignored in its files."""
        return self.per_file_ignores + self.extend_per_file_ignores

    def origin(self, name: str) -> str:
        """What gave a setting; empty where it is the default."""
        return dict(self.origins).get(name, "")

    def selectors(self) -> Iterator[tuple[str, str]]:
        """Every selector of rules, after what gave it."""
        origins = dict(self.origins)
        for over, names in CHOICES.items():
            for name, above in zip(names, getattr(self, over), strict=True):
                yield from ((origins.get(name, name), selector) for selector in getattr(self, name))
                yield from ((f"--{_dashed(name)}", selector) for selector in above)
        for name in ("per_file_ignores", "extend_per_file_ignores"):
            for glob, selectors in getattr(self, name):
                yield from ((f"{origins.get(name, name)}.{glob}", selector) for selector in selectors)
        yield from ((origins.get("severity", "severity"), selector) for selector, _ in self.severity)


def resolve(
    given: Mapping[str, Any], *, config: str | None = None, isolated: bool = False, pieces: Sequence[str] = ()
) -> Settings:
    """The settings of a command line: GIVEN (fields of Settings that were given) over the configuration.

    CONFIG names the configuration file; without it the nearest is looked for, unless ISOLATED. PIECES of TOML go over
    what it says. Raises SettingsError.
    """
    given = dict(given)
    values: dict[str, Any] = {"root": os.getcwd()}
    consulted = [config] if config is not None else []
    if config is None and not isolated:
        consulted, config = search(next(iter(given.get("paths", ())), "."), given.get("stdin_filename"))
    values["consulted"] = tuple(map(os.path.abspath, consulted))
    if config is not None:
        values.update(read(config))
    if pieces:
        values = _joined(values, inline(pieces, values["root"]))
    env = {**dict(values.get("env", ())), **dict(given.get("env", ()))}
    for over, names in CHOICES.items():
        if names[0] in given:
            for name in names:
                values.pop(name, None)
        elif any(values.get(name) for name in names):
            values[over] = Choice((), *(given.pop(name, ()) for name in names[1:]))
    options = {name: "--" + _dashed(name) for name in given}
    options.update({f"env.{name}": "--env" for name, _ in given.get("env", ())})
    values["origins"] = tuple({**dict(values.get("origins", ())), **options}.items())
    values.update(given)
    values["env"] = tuple(env.items())
    if "exclude" in given:
        values["exclude"] = tuple(_from_root(glob, values["root"]) for glob in given["exclude"])
    for name in ("per_file_ignores", "extend_per_file_ignores"):
        if name in given:
            values[name] = tuple((_from_root(glob, values["root"]), rules) for glob, rules in given[name])
    return Settings(**values)


def _dashed(name: str) -> str:
    return name.replace("_", "-")


def _joined(values: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """VALUES with those of OVER, whose tables are added to the ones that there are."""
    tables = ("per_file_ignores", "severity", "env", "origins")
    return {
        **values,
        **{
            name: tuple({**dict(values.get(name, ())), **dict(value)}.items()) if name in tables else value
            for name, value in over.items()
        },
    }


def _from_root(glob: str, root: str) -> str:
    """A glob of the command line, which starts from the working directory if it is anchored, as seen from ROOT."""
    if "/" not in glob.removesuffix("/"):
        return glob
    folder = "/" if glob.endswith("/") else ""
    full = os.path.abspath(glob if glob.startswith(root) else glob.lstrip("/"))
    return "/" + os.path.relpath(full, root) + folder
