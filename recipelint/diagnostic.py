"""What is said about a recipe: a diagnostic, how bad it is, how sure, and where."""

from __future__ import annotations

from enum import Enum, IntEnum

from recipelint.fix import Applicability, Fix
from recipelint.record import NamedTuple
from recipelint.source import Location

LONGEST = 2000
"""Characters of a text of a diagnostic: what a launcher holds may be huge, and each finding says it again."""
MOST = 100
"""Related places of a diagnostic."""


def several(noun: str) -> str:
    """The plural of a noun: `files`, `launches`, `processes`."""
    return noun + ("es" if noun.endswith(("ch", "x", "s")) else "s")


def shortened(text: str, longest: int) -> str:
    """TEXT, or its two ends if it is longer than LONGEST characters."""
    return text if len(text) <= longest else f"{text[: longest - longest // 3 - 1]}…{text[-(longest // 3) :]}"


class Severity(IntEnum):
    INFO = 0
    WARNING = 1
    ERROR = 2

    @property
    def word(self) -> str:
        return self.name.lower()


class Confidence(str, Enum):
    """CERTAIN when every feasible path to the launch matches, POSSIBLE when only some do."""

    CERTAIN = "certain"
    POSSIBLE = "possible"


class Label(NamedTuple):
    """A related place, and what there is to say of it."""

    location: Location
    text: str


class Diagnostic(NamedTuple):
    """One finding. `label` is said at `location`; `note` says why there is no fix, or why one was withdrawn."""

    code: str
    name: str
    severity: Severity
    confidence: Confidence
    location: Location
    message: str
    label: str = ""
    help: str = ""
    url: str = ""
    related: tuple[Label, ...] = ()
    fix: Fix | None = None
    note: str = ""
    about: tuple[tuple[object, ...], ...] = ()
    """The keys of the launches that it is about (`Launch.key`)."""
    launches: tuple[tuple[str, int], ...] = ()
    """Where each of these launches stands: a path, and the byte offset of its start."""
    disputes: tuple[str, ...] = ()
    """The settings of which the text at its place says what is not so: it contradicts a fix of them."""

    def held(self, note: str = "") -> Diagnostic:
        """The diagnostic with a fix that is only shown, and a note why."""
        fix = self.fix.at_most(Applicability.DISPLAY) if self.fix is not None else None
        return self._replace(fix=fix, note="; ".join(filter(None, (self.note, note))))

    def bounded(self) -> Diagnostic:
        """The diagnostic with texts that can be printed however many findings there are."""
        fix = self.fix
        return self._replace(
            message=shortened(self.message, LONGEST),
            label=shortened(self.label, LONGEST),
            help=shortened(self.help, LONGEST),
            note=shortened(self.note, LONGEST),
            related=tuple(Label(one.location, shortened(one.text, LONGEST)) for one in self.related[:MOST]),
            fix=fix._replace(title=shortened(fix.title, LONGEST)) if fix is not None else None,
        )

    @property
    def sort_key(self) -> tuple[str, int, int, str]:
        return self.location.path, self.location.span.start, self.location.span.end, self.code
