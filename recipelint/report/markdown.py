"""Text that is shown as Markdown: it stays plain text, and mentions nobody.

What Markdown leaves alone, on GitHub and GitLab too, stays as it is; any other text stands in a code span, in which no
link, image, mention, reference or HTML works. Backslashes and entities would not do: services look for mentions and
bare links after those have been undone.
"""

from __future__ import annotations

import re

from recipelint.report.plain import neutralise

_HARMLESS = re.compile(r"(?:[^\W_]|(?<=[^\W_])_(?=[^\W_])|[ .,;?!()/+=%×'\"-]|:(?=[\s\d]|\Z))*\Z")
_REFERENCE = re.compile(r"//|www\.|\bGH-\d|\b[0-9a-f]{7,}\b|[!%][\w\"]", re.IGNORECASE)
_BLOCK = re.compile(r"\s*(?:[-+=/]|\d+[.)])|\s{4}")
"""A list, a rule, a heading's line, indented code; and what GitLab takes for an order, as `/close`."""
_FENCE = re.compile(r"(?:^ {1,3}|\r {0,3})```", re.MULTILINE)
_TICKS = re.compile("`+")


def harmless(text: str) -> str:
    """One line of TEXT as Markdown that shows it as it is."""
    return text if _plain(text) and not _BLOCK.match(text) else code(text)


def cell(text: str) -> str:
    """TEXT as a cell of a table, neutralised; a bar needs a backslash there, also in a code span."""
    text = neutralise(text)
    return text if _plain(text) else code(text).replace("|", "\\|")


def code(text: str) -> str:
    """One line of TEXT as a code span."""
    fence = "`" * (max(map(len, _TICKS.findall(text)), default=0) + 1)
    padding = " " if text.startswith(("`", " ")) or text.endswith(("`", " ")) else ""
    return f"{fence}{padding}{text}{padding}{fence}"


def target(url: str) -> str:
    """The address of a link, without what would end it there."""
    from urllib.parse import quote

    return quote(url, safe=":/?#@!$&'*+,;=%")


def ends_fence(text: str) -> bool:
    """Whether a line would end the fence that reviewdog puts around a suggestion; it does not see an indented one."""
    return bool(_FENCE.search(text))


def _plain(text: str) -> bool:
    return bool(_HARMLESS.match(text)) and not _REFERENCE.search(text)
