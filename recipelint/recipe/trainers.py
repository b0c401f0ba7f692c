"""The trainers of one tree: what each accepts, and what an absent flag or variable means, from their own sources.

The source outranks the framework file, which holds where the source is not there, or cannot be read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from recipelint.python.schema import UNKNOWN, Flag, Literal, Reader, Schema
from recipelint.reads import Memo, Reads
from recipelint.recipe.entry_point import EntryPoint
from recipelint.recipe.frameworks import Frameworks, meaning

if TYPE_CHECKING:
    from recipelint.python.environment import Default
    from recipelint.python.kept import Schemas
    from recipelint.recipe.configured.compose import Documents


class Trainers:
    """What was read of the trainers of one tree; each is read once. KEPT has what earlier runs read."""

    def __init__(self, frameworks: Frameworks, reader: Reader, kept: Schemas | None = None) -> None:
        self.frameworks = frameworks
        self.kept = kept
        self.reads = Reads.of(reader)
        self._schemas: Memo[tuple[str, str | None], Schema | None] = Memo()
        self._read: Memo[tuple[str, bool], Schema] = Memo()
        self._entry_points: Memo[tuple[str, str, str, str | None], EntryPoint] = Memo()
        self._environments: Memo[str, Mapping[str, Default]] = Memo()
        self.documents: Documents = {}
        """What was read of the trainers' configurations."""

    def key(self, said: str, near: str | None) -> tuple[str, str | None]:
        """A module is the same for every launcher; a script's path is looked for from the launcher's folder too."""
        return said, near if "/" in said or said.endswith(".py") else None

    def schema(self, said: str, near: str | None) -> Schema | None:
        """The command line of a module or a script's path; None if its source is not there. NEAR: the launcher."""

        def work() -> Schema | None:
            from recipelint.python.trainer import schema_of

            return schema_of(said, self.reads, near, self._read, self.kept)

        return self._schemas.of(self.key(said, near), self.reads, work)

    def entry_point(self, known: EntryPoint, source: str | None, near: str | None) -> EntryPoint:
        """An entry point of a framework, as the source here has it: a module or a script's path, None for neither."""
        if source is None:
            return known

        def work() -> EntryPoint:
            return self.read(known, self.schema(source, near))

        return self._entry_points.of((known.framework, known.name, *self.key(source, near)), self.reads, work)

    def read(self, known: EntryPoint, schema: Schema | None) -> EntryPoint:
        """An entry point with what the source says."""
        settings: dict[str, Mapping[str, Any]] = {}
        read_from = dict(known.read_from)
        flags = schema.options if schema else {}
        for name, spec in known.settings.items():
            if "cases" in spec and known.configuring is None:
                settings[name] = {**spec, "cases": [one_of_cases(spec, one, flags) for one in spec["cases"]]}
                continue
            found = self.from_environment(spec) if "environment" in spec else from_flag(spec, flags)
            settings[name], place = found or (spec, "")
            if place:
                read_from[name] = place
        return known.having(settings, schema=combined(known.schema, schema), read_from=read_from)

    def from_environment(self, spec: Mapping[str, Any]) -> tuple[Mapping[str, Any], str] | None:
        """A setting that a variable gives, with the default of the source."""
        path = str(spec["source"]).partition("#")[0]
        found = self.environment(path).get(spec["environment"])
        if found is None:
            return None
        # Where it was a word and is None now, what the trainer makes of that stands elsewhere.
        default = UNKNOWN if found.value is None and "default" in spec else found.value
        return with_default(spec, default), f"{path}:{found.line}"

    def environment(self, path: str) -> Mapping[str, Default]:
        """The variables that a file of the tree reads; none where it is not there."""

        def work() -> Mapping[str, Default]:
            source = self.reads(path)
            if source is None:
                return {}
            from recipelint.python.environment import environment_defaults

            return environment_defaults(source)

        return self._environments.of(path, self.reads, work)


def from_flag(spec: Mapping[str, Any], flags: Mapping[str, Flag]) -> tuple[Mapping[str, Any], str] | None:
    """A setting that a flag gives, with the default and the const of the source, and the flag's first name."""
    flag = flags.get(spec.get("flag", ""))
    if flag is None or flag.open:
        return None
    place = f"{flag.location.path}:{flag.location.start.line}"
    made = dict(with_default(spec, flag.default)) | {"flag": flag.names[0]}
    const: Literal = True if flag.action in ("store_true", "boolean_optional") else flag.const
    if flag.most == 0 or flag.nargs in ("?", "*"):
        made["const"] = value_of(spec, const)
    return made, place


def one_of_cases(spec: Mapping[str, Any], case: Mapping[str, Any], flags: Mapping[str, Flag]) -> Mapping[str, Any]:
    """A case of a setting that several flags decide, with the default of the source."""
    found = from_flag({**spec, **case}, flags) if "flag" in case else None
    if found is None:
        return case
    own = {key: value for key, value in case.items() if key != "default"}
    return own | {key: found[0][key] for key in ("flag", "default", "const", "unread") if key in found[0]}


def with_default(spec: Mapping[str, Any], default: Literal) -> Mapping[str, Any]:
    """A setting's spelling with another default; one that cannot be read is none, and `unread`."""
    made = {key: value for key, value in spec.items() if key != "default"}
    if default is UNKNOWN:
        return made | {"unread": True}
    value = value_of(spec, default)
    return made if value is None else made | {"default": value}


def value_of(spec: Mapping[str, Any], found: Literal) -> str | int | None:
    """What a setting is for a value of the source."""
    if found is None or found is UNKNOWN:
        return None
    if isinstance(found, bool):
        return switched(spec, found)
    return meaning(spec, str(found)) if isinstance(found, str | int | float) else None


def switched(spec: Mapping[str, Any], on: bool) -> str | int:
    """What a setting is where its switch is on or off: as the framework file has it with a bare flag, or without."""
    word = meaning(spec, "true" if on else "false")
    if word in spec.get("values", {}):
        return str(word)
    const: str | int = spec.get("const", "on")
    default: str | int = spec.get("default", "off")
    return const if on else "off" if default == const else default


def combined(listed: Schema, read: Schema | None) -> Schema:
    """The flags that were read, or with an open schema those of the framework file beside them."""
    if read is None or not read.flags:
        return listed
    if read.complete:
        return read
    names = {name for flag in read.flags for name in flag.names}
    flags = (*read.flags, *(flag for flag in listed.flags if flag.names[0] not in names))
    # What looks like an abbreviation of one of these may be a flag that is on neither list.
    return read._replace(flags=flags, allow_abbrev=read.allow_abbrev and listed.allow_abbrev)
