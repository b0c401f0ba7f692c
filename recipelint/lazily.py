"""Regular expressions that are compiled when they are first used: a run needs few of those that there are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from re import compile as _compile

    regex = _compile
else:

    class regex:
        """Stands for the compiled pattern. A method is looked up once, and is then as quick as the pattern's own."""

        def __init__(self, pattern: str | bytes, flags: int = 0) -> None:
            self._given = pattern, flags

        def __getattr__(self, name: str) -> Any:
            found = getattr(re.compile(*self._given), name)
            setattr(self, name, found)
            return found
