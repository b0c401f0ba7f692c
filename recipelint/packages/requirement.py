"""One requirement, as pip takes it: a name with versions, or a link (PEP 508, and git links without a name).

A text that is about another package, or is no requirement, is None.
"""

from __future__ import annotations

import re

from recipelint.lazily import regex
from recipelint.packages.model import BRANCH, COMMIT, PLACE, RANGE, VERSION, Package, Pin

MAX_LENGTH = 4096
_NAMED = regex(r"([A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?)[ \t]*(?:\[[^\[\]]{0,500}\])?[ \t]*(.*)", re.DOTALL)
_COMMIT = regex(r"[0-9a-fA-F]{7,40}\Z")
_RELEASE = regex(r"v?([0-9]{1,6}(?:\.[0-9]{1,6}){1,4})\Z")
_EXACT = regex(r"={2,3}[ \t]*([^\s*,;]{1,60})\Z")
_EGG = regex(r"[#&]egg=([A-Za-z0-9._-]+)")
_WHEEL = regex(r"/([A-Za-z0-9_.]+)-([0-9][^-/]*)-[^/]*\.whl\Z")


def read(text: str, package: Package) -> Pin | None:
    """What a requirement asks of the package."""
    text = text.strip()
    if len(text) > MAX_LENGTH:
        return None
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:/|[./~]|[\w.-]+/", text):  # a link, or the path of a folder
        return linked(text) if about(text, package) else None
    named = _NAMED.match(text)
    if named is None or normal(named[1]) != package.distribution:
        return None
    rest = named[2].strip()
    if rest.startswith("@"):
        return linked(rest[1:].strip())
    return versions(re.split(r"[;#]|[ \t]--", rest, maxsplit=1)[0])


def about(link: str, package: Package) -> bool:
    """Whether a link without a name is to the package: by the name after `#egg=`, else by its last part."""
    egg = _EGG.search(link, max(link.find("#"), 0)) if "#" in link else None
    if egg is not None:
        return normal(egg[1]) == package.distribution
    path = re.split(r"[\s;#?]", link, maxsplit=1)[0]
    wheel = _WHEEL.search(path)
    if wheel is not None:
        return normal(wheel[1]) == package.distribution
    path = taken_apart(path)[0] if path.startswith("git+") else path
    return (
        path.rstrip("/").removesuffix(".git").rpartition("/")[2].lower()
        == package.repository.rpartition("/")[2].lower()
    )


def linked(link: str) -> Pin:
    """What a link asks for: `git+https://…@REF`, a wheel, or a place whose content nobody knows."""
    link = re.split(r"\s", link, maxsplit=1)[0]
    path = link.partition("#")[0]
    if not path.startswith("git+"):
        wheel = _WHEEL.search(path)
        return version(wheel[2]) if wheel is not None else Pin(PLACE, re.sub(r"//[^/@]*@", "//", path))
    return reference(taken_apart(path)[1])


def taken_apart(link: str) -> tuple[str, str]:
    """The repository of a git link, without its host, and the reference after its `@`; the host may hold one too."""
    _, _, path = link.partition("://")[2].partition("/")
    repository, _, ref = path.partition("@")
    return f"/{repository}", ref


def reference(ref: str) -> Pin:
    """What a git reference names: a commit, the tag of a version, or something that moves."""
    ref = ref.removeprefix("refs/tags/")
    if _COMMIT.match(ref):
        return Pin(COMMIT, ref.lower())
    if _RELEASE.match(ref):
        return version(ref)
    return Pin(BRANCH, ref.removeprefix("refs/heads/") or "the default branch")


def versions(specifier: str) -> Pin:
    """What a version specifier admits: one version, or a range."""
    text = specifier.strip().removeprefix("(").removesuffix(")").strip()
    exact = _EXACT.match(text)
    return version(exact[1]) if exact else Pin(RANGE, text or "any version")


def version(text: str) -> Pin:
    """One version; without the `v` of a tag."""
    return Pin(VERSION, text.removeprefix("v"))


def normal(name: str) -> str:
    """A distribution's name as an index compares it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()
