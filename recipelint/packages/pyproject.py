"""pyproject.toml: dependencies of the project, its extras and groups, and where uv and Poetry say to take them from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from recipelint import toml
from recipelint.packages.model import PLACE, RANGE, Package, Pin, Requirement, located
from recipelint.packages.requirement import linked, normal, read, reference, version, versions
from recipelint.source import SourceFile

MAX_ITEMS = 5000
MAX_BYTES = 256 * 1024


class Unreadable(Exception):
    """A file that is no TOML, or one that nobody writes."""


def requirements(source: SourceFile, package: Package) -> list[Requirement]:
    """What the project asks of the package; the sources of uv and Poetry stand before what they replace."""
    if not package.names(source):
        return []
    try:
        table = parse(source)
    except Unreadable:
        return []
    listed = [Requirement(pin, located(source, text)) for text in stated(table) if (pin := read(text, package))]
    sources = [Requirement(pin, located(source, text)) for pin, text in uv_sources(table, package)]
    poetry = [Requirement(pin, located(source, text)) for pin, text in poetry_dependencies(table, package)]
    return sources or [*listed, *poetry]


def files(source: SourceFile) -> list[str]:
    """The requirements files from which setuptools takes the dependencies."""
    if b"dynamic" not in source.data:
        return []
    try:
        dynamic = at(parse(source), "tool", "setuptools", "dynamic", "dependencies", "file")
    except Unreadable:
        return []
    return [name for name in (dynamic if isinstance(dynamic, list) else [dynamic])[:8] if isinstance(name, str)]


def parse(source: SourceFile) -> dict[str, Any]:
    """The file as a table; raises Unreadable."""
    if len(source.data) > MAX_BYTES:
        raise Unreadable(f"is larger than {MAX_BYTES >> 10} KiB")
    try:
        return toml.loads(source.data)
    except ValueError as error:
        raise Unreadable(str(error)) from None


def at(table: object, *keys: str) -> Any:
    """The value under nested keys; None where there is none."""
    for key in keys:
        table = table.get(key) if isinstance(table, Mapping) else None
    return table


def stated(table: Mapping[str, Any]) -> Iterator[str]:
    """The requirement texts of the standard tables."""
    lists = [at(table, "project", "dependencies")]
    for group in (at(table, "project", "optional-dependencies"), at(table, "dependency-groups")):
        lists += list(group.values()) if isinstance(group, Mapping) else []
    for one in lists[:MAX_ITEMS]:
        yield from (text for text in (one if isinstance(one, list) else [])[:MAX_ITEMS] if isinstance(text, str))


def uv_sources(table: Mapping[str, Any], package: Package) -> Iterator[tuple[Pin, str]]:
    """The entries of [tool.uv.sources] for the package, each with a text to find it by."""
    for name, value in named(at(table, "tool", "uv", "sources"), package):
        for entry in value if isinstance(value, list) else [value]:
            if isinstance(entry, Mapping):
                yield sourced(entry, name)


def poetry_dependencies(table: Mapping[str, Any], package: Package) -> Iterator[tuple[Pin, str]]:
    """Poetry's own tables, the groups included; a bare version is that version, a caret is a range."""
    poetry = at(table, "tool", "poetry")
    groups = at(poetry, "group")
    tables = [at(poetry, "dependencies"), at(poetry, "dev-dependencies")]
    tables += [at(group, "dependencies") for group in (groups.values() if isinstance(groups, Mapping) else ())]
    for one in tables:
        for name, value in named(one, package):
            if isinstance(value, str):
                bare = value[:1].isdecimal() and not set(value) & set("*,|<>=~^ ")
                yield (version(value) if bare else versions(value)), name
            elif isinstance(value, Mapping):
                given = value.get("version")
                if isinstance(given, str) and not {"git", "path", "url"} & value.keys():
                    yield versions(given), name
                else:
                    yield sourced(value, name)


def named(table: object, package: Package) -> Iterator[tuple[str, Any]]:
    """The members of a table that are about the package."""
    for name, value in table.items() if isinstance(table, Mapping) else ():
        if isinstance(name, str) and normal(name) == package.distribution:
            yield name, value


def sourced(entry: Mapping[str, Any], name: str) -> tuple[Pin, str]:
    """What a source table asks for, and the text by which to find it."""
    if isinstance(entry.get("git"), str):
        ref = next((entry[key] for key in ("rev", "tag", "branch") if isinstance(entry.get(key), str)), "")
        return reference(ref), ref or name
    if isinstance(entry.get("url"), str):
        return linked(entry["url"]), entry["url"]
    if isinstance(entry.get("path"), str):
        return Pin(PLACE, entry["path"]), entry["path"]
    return Pin(RANGE, "any version"), name
