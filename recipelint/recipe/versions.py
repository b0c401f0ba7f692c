"""The revisions of packages as settings of a launch, so that rules can ask about them like about any other.

Of a revision that the launcher may replace, each feature is what the table says or unknown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from recipelint.packages.installed import Installed
from recipelint.packages.model import BRANCH, COMMIT, CONFLICT, PLACE, RANGE, VERSION, Requirement
from recipelint.recipe.model import Setting
from recipelint.shell.text import Text
from recipelint.shell.unknown import Kind, Unknowns
from recipelint.source import Location

KINDS = {
    COMMIT: "pinned",
    VERSION: "pinned",
    RANGE: "a range",
    BRANCH: "a branch",
    PLACE: "a place, not a revision",
    CONFLICT: "the requirements do not agree",
}


def version_settings(
    installed: Installed, replacing: Sequence[Mapping[str, Text]], unknowns: Unknowns
) -> dict[str, Setting]:
    """The settings of one package, for calls with these WATCHED variables."""
    package, revision = installed.package, installed.revision
    name = f"{package.name}_revision"
    replaced = [None if installed.giver else replacement(package.replaced_by, one, unknowns) for one in replacing]
    sure = [one for one in replaced if one is not None and one[2]]
    some = next((one for one in replaced if one is not None), None)
    if some is not None and len(sure) == len(replaced):
        detail = f"{some[0]} puts another {package.title} before the installed one"
        return {name: Setting(name, None, "unknown", None, some[1], (), detail)}
    if revision is None:
        detail = f"no requirement for {package.distribution} was found"
        return {name: Setting(name, None, "unknown", None, None, (), detail)}
    location = installed.requirement.location if installed.requirement is not None else None
    detail = told(installed.requirement) if installed.requirement is not None else f"given with {installed.giver}"
    if some is not None:
        detail += f", unless {some[0]} puts another before it"
    source = "literal" if location is not None else "assigned"
    settings = {name: Setting(name, revision.said, source, None, location, (), detail)}
    for feature, has in revision.features.items():
        key, value, known = f"{package.name}_{feature}", "yes" if has else "no", f"known of {revision.said}"
        if some is None:
            settings[key] = Setting(key, value, source, None, location, (), known)
        else:
            settings[key] = Setting(key, None, "unknown", None, location, (value, None), known)
    return settings


def told(requirement: Requirement) -> str:
    """How a revision is asked for, and who asks for another one."""
    from recipelint.packages.revisions import said

    others = [f"{one.location.path} has {said(one.pin)}" for one in requirement.others]
    return KINDS[requirement.pin.kind] + (f", though {' and '.join(others)}" if others else "")


def replacement(
    names: Sequence[str], replacing: Mapping[str, Text], unknowns: Unknowns
) -> tuple[str, Location | None, bool] | None:
    """The variable by which a call replaces the package, where it is set, and whether it surely does."""
    for name in names:
        text = replacing.get(name)
        if text is None:
            continue
        pieces = list(unknowns.pieces(text.s))
        if len(pieces) == len(text.s) and all(p.kind is Kind.KNOB and not p.shipped for p in pieces):
            continue
        sure = len(pieces) < len(text.s) or any(p.kind in (Kind.MACHINE, Kind.REQUIRED) for p in pieces)
        origin = text.first_origin
        return name, origin.location if origin is not None else None, sure
    return None
