"""What a run is told of each package: by the user, else by the repository around a launcher.

What reads requirements is loaded only when a launcher is met whose trainer runs on a package.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from recipelint.packages.model import Package, Reader, Requirement
from recipelint.record import NamedTuple

if TYPE_CHECKING:
    from recipelint.packages.find import Finder
    from recipelint.packages.revisions import Revision


class Installed(NamedTuple):
    """A package as a launcher would find it: its revision, and where that was read or who gave it.

    revision  None where nothing says what it is
    giver     what the user gave it with (`--automodel`, a key of the configuration); empty if it was read
    """

    package: Package
    revision: Revision | None
    requirement: Requirement | None = None
    giver: str = ""


class Installations:
    """Packages by name. GIVEN are the revisions that the user names, each with what named it."""

    def __init__(self, packages: Mapping[str, Mapping[str, Any]], named: Mapping[str, tuple[str, str]]) -> None:
        self.packages = {name: Package(plain) for name, plain in packages.items()}
        self.named = named
        self._finders: dict[str, Finder] = {}

    @property
    def replacing(self) -> frozenset[str]:
        """The variables by which a launcher replaces some package."""
        return frozenset(variable for package in self.packages.values() for variable in package.replaced_by)

    def of(self, name: str, place: str | None, open_file: Reader) -> Installed:
        """The package of a NAME for a launcher at PLACE in the tree that OPEN_FILE reads."""
        from recipelint.packages.find import Finder
        from recipelint.packages.revisions import given, revision

        package = self.packages[name]
        if name in self.named:
            text, giver = self.named[name]
            return Installed(package, revision(given(text), package), giver=giver)
        finder = self._finders.setdefault(name, Finder(package))
        requirement = finder.requirement(place, open_file)
        if requirement is None:
            return Installed(package, None)
        return Installed(package, revision(requirement.pin, package), requirement)
