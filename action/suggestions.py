"""Takes from an artifact only what suggestions need; who opened the pull request may have written all of it.

What is passed on is written anew: places, and the text that is suggested. A message becomes Markdown that is only text,
so that it mentions nobody, links nowhere, and is no workflow command in a log. What has not the shape is left out.
"""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

from action.runner import output, say
from recipelint.report.markdown import ends_fence, harmless
from recipelint.report.plain import is_shown, neutralise

FILE = "recipelint.rdjson"
MOST_BYTES, MOST = 4 << 20, 100
LONGEST_MESSAGE, LONGEST_TEXT, LONGEST_PATH = 1_000, 20_000, 500
LARGEST = (1 << 31) - 1
CODE = re.compile(r"[A-Z]{1,10}[0-9]{3}")
CODE_SPAN = re.compile(r"\A(`+) ?(.*?) ?\1\Z")
SEVERITIES = ("ERROR", "WARNING", "INFO")


class Refused(Exception):
    """What a diagnostic of an honest recipelint does not look like."""


def main(folder: str) -> int:
    path = Path(folder, FILE)
    if not path.is_file() or path.is_symlink():
        say("notice", "the run kept no suggestions")
        return 0
    if path.stat().st_size > MOST_BYTES:
        say("warning", "the suggestions are too large, and are not posted")
        return 0
    try:
        found = json.loads(path.read_bytes())["diagnostics"]
        if not isinstance(found, list):
            raise TypeError
    except (ValueError, KeyError, TypeError, RecursionError):
        say("warning", "the suggestions are no rdjson, and are not posted")
        return 0
    taken = [made for one in found if (made := honest(one))][:MOST]
    if len(taken) < len(found):
        say("notice", f"{len(found) - len(taken)} findings without a suggestion that can be posted")
    made = {"source": {"name": "recipelint"}, "diagnostics": taken}
    file = Path(os.environ["RUNNER_TEMP"], "recipelint-taken.rdjson")
    file.write_text(json.dumps(made), "utf-8")
    output(file=str(file), suggestions=len(taken))
    return 0


def honest(one: Any) -> dict[str, Any] | None:
    """A diagnostic written anew; None if it is not of the shape that recipelint gives one."""
    try:
        return diagnostic(one)
    except (Refused, KeyError, TypeError, ValueError, AttributeError):
        return None


def diagnostic(one: Any) -> dict[str, Any]:
    """A diagnostic written anew. Raises Refused, or what comes of another shape."""
    code, severity = one["code"]["value"], one.get("severity", "WARNING")
    (given,) = one["suggestions"]
    if not CODE.fullmatch(code) or severity not in SEVERITIES:
        raise Refused
    path = _path(one["location"]["path"])
    where = _range(one["location"]["range"])
    return {
        "message": _message(_string(one["message"], LONGEST_MESSAGE)),
        "severity": severity,
        "code": {"value": code},
        "location": {"path": path, "range": where},
        "suggestions": [{"range": _lines(given["range"]), "text": _text(given["text"])}],
        "original_output": neutralise(f"{path}:{where['start']['line']}: {code}"),
    }


def _message(text: str) -> str:
    """A message of paragraphs, each as text; one that is a code span already is not put into another."""
    paragraphs = (CODE_SPAN.sub(r"\2", part.strip()) for part in text.split("\n") if part.strip())
    return "\n\n".join(harmless(neutralise(part)) for part in paragraphs)


def _path(path: Any) -> str:
    """A path in the repository."""
    text = _string(path, LONGEST_PATH)
    if not is_shown(text) or text.startswith("/") or ".." in text.split("/"):
        raise Refused
    return text


def _range(given: Any) -> dict[str, dict[str, int]]:
    made = {end: _position(given[end]) for end in ("start", "end") if end in given}
    if "start" not in made:
        raise Refused
    return made


def _lines(given: Any) -> dict[str, dict[str, int]]:
    """Whole lines: of parts of them reviewdog would make others, with text that is not looked at here."""
    made = _range(given)
    if any("column" in end for end in made.values()):
        raise Refused
    return made


def _position(given: Any) -> dict[str, int]:
    made = {name: given[name] for name in ("line", "column") if name in given}
    if "line" not in made or not all(type(n) is int and 0 < n <= LARGEST for n in made.values()):
        raise Refused
    return made


def _text(given: Any) -> str:
    """What is suggested; with nothing in it that a reader would not see, or that would be read as Markdown."""
    text = _string(given, LONGEST_TEXT)
    if ends_fence(text) or not all(char in "\n\t" or is_shown(char) for char in text):
        raise Refused
    return text


def _string(given: Any, longest: int) -> str:
    if not isinstance(given, str) or len(given) > longest:
        raise Refused
    return given


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
