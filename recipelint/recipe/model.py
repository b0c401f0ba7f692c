"""A recipe as resolved: what one launch gives its trainer, and where each value is decided."""

from __future__ import annotations

from recipelint.diagnostic import Diagnostic
from recipelint.record import NamedTuple
from recipelint.shell.text import Text
from recipelint.source import Location, SourceFile

SettingValue = int | str | None
"""None: unknown, or absent where a setting has no default."""


class Argument(NamedTuple):
    """A word that the trainer gets. `many`: it may be no word, or several."""

    text: str
    unknown: bool
    many: bool
    value: Text


class EnvironmentValue(NamedTuple):
    """A variable of the trainer's environment; `text` is None where the launcher removes it."""

    text: str | None
    unknown: bool = False


class Setting(NamedTuple):
    """A canonical setting of one launch.

    source     literal, default, assigned, environment, trainer-default, derived or unknown
    override   the environment variable that would change it, if any
    location   the text that decides it; for a trainer's default, None
    read_from  for a trainer's default, what says so: its source, as path:line, or the framework file
    choices    the values it may have, where it is one of several known ones
    detail     how to say where the value comes from: "molt's default when MOLT_MOE_DISPATCHER is unset"
    spelled    the flag, variable or key by which this trainer has it
    operands   for a derived one, the settings that it follows from
    """

    name: str
    value: SettingValue
    source: str
    override: str | None = None
    location: Location | None = None
    choices: tuple[SettingValue, ...] = ()
    detail: str = ""
    read_from: str = ""
    spelled: str = ""
    operands: tuple[Setting, ...] = ()


class Launch(NamedTuple):
    """One call of a trainer, as resolved. Equal calls (loop turns, worlds) are one launch."""

    entry_point: str
    framework: str | None
    wrappers: tuple[str, ...]
    location: Location
    """The command in the launcher: from its first word to its last."""
    trainer: Location
    """The word that starts the trainer: `torchrun`, `python3`."""
    certain: bool
    when: tuple[str, ...]
    argv: tuple[Argument, ...]
    env: dict[str, EnvironmentValue]
    settings: dict[str, Setting]
    rules: frozenset[str] = frozenset()
    """The codes of the rules about settings that are known to hold for its trainer."""

    @property
    def key(self) -> tuple[object, ...]:
        """What tells it from other launches of the run."""
        return self.location.key, self.trainer.key, self.when, tuple(argument.text for argument in self.argv)

    @property
    def condition(self) -> str:
        """How a note says when it is run; only for one with `when`."""
        return "only if " + ", or ".join(self.when)


class Launcher(NamedTuple):
    """A shell launcher as read. `complete` is False when a stretch could not be read or a budget ran out."""

    source: SourceFile
    complete: bool
    diagnostics: tuple[Diagnostic, ...]
    launches: tuple[Launch, ...]
    needs: tuple[str, ...] = ()
    """What a user must give before it can run: `$1`, `MODEL_PATH`."""
    followed: tuple[SourceFile, ...] = ()
    """The other files that were read on the way."""

    @property
    def known(self) -> tuple[Launch, ...]:
        """The launches of trainers that some framework file describes."""
        return tuple(launch for launch in self.launches if launch.framework is not None)
