"""The fenced blocks of README.md and of the pages in docs, and what their commands really print.

`console` blocks hold `$ command` lines, each followed by its output, both streams as they come. The commands of
all blocks of a page run in one copy of the fixture launchers, in their order. A `…` alone on a line stands for
lines that the page leaves out. `python tests/readme_blocks.py --update` writes the real output into the pages, of which
some may be named; one with a `…` is left as it is, if it still fits. docs/tutorial.md is run by `tests/tutorial.py`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
JSON = ROOT / "docs" / "json.md"
PAGES = (README, *sorted((ROOT / "docs").glob("*.md")))
EVERY_PAGE = (README, *sorted((ROOT / "docs").rglob("*.md")))
TUTORIAL = ROOT / "docs" / "tutorial.md"
FIXTURES = ROOT / "tests" / "fixtures" / "molt"
FENCE = re.compile(r"^```(?P<language>\w+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
OMITTED = "…\n"


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and the offset of that text in the page.

    `file`: what it is to be saved as, where the sentence before it ends in that name: "Put this into `x.yaml`:".
    """

    language: str
    body: str
    start: int
    file: str = ""


@dataclass(frozen=True)
class Step:
    """A command of a console block, and the output that the page shows for it."""

    command: str
    output: str

    def fits(self, real: str) -> bool:
        """Whether the page shows what the command really prints."""
        pattern = r"(?:.*\n)*".join(re.escape(part) for part in self.output.split(OMITTED))
        return re.fullmatch(pattern, real) is not None


def every_block(page: str) -> list[Block]:
    """The blocks, in the order of the page."""
    return [
        Block(found["language"], found["body"], found.start("body"), name[1] if name else "")
        for found in FENCE.finditer(page)
        for name in [re.search(r"`([^`\s]+)`:\n\n\Z", page[: found.start()])]
    ]


def blocks(page: str, language: str) -> list[Block]:
    """The blocks of one language, in the order of the page."""
    return [block for block in every_block(page) if block.language == language]


def steps(body: str) -> Iterator[Step]:
    """The commands of a console block; one that ends in a backslash goes on in the next line."""
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command = re.match(r"(?:.*\\\n)*.*\n", part)
        assert command is not None, part
        yield Step(command[0].rstrip("\n"), part[command.end() :])


def run(command: str, folder: Path) -> str:
    """What a command prints, without colour, run by bash in a folder; recipelint is that of this environment."""
    keep = {name: os.environ[name] for name in ("HOME", "TMPDIR") if name in os.environ}
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**keep, "PATH": path, "LC_ALL": "C.UTF-8", "COLUMNS": "100"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return done.stdout


def outputs(file: Path, scratch: Path) -> Iterator[str]:
    """What the commands of a page print, in their order."""
    page = file.read_text("utf-8")
    if file == TUTORIAL:
        from tests import tutorial

        yield from (printed for _, printed in tutorial.session(page, *tutorial.ground(scratch)))
    else:
        folder = Path(shutil.copytree(FIXTURES, scratch / "molt"))
        yield from (run(step.command, folder) for block in blocks(page, "console") for step in steps(block.body))


def updated(page: str, printed: Iterator[str]) -> str:
    """The page with what each command printed after it."""
    pieces, at = [], 0
    for block in blocks(page, "console"):
        pieces.append(page[at : block.start])
        for step, real in zip(steps(block.body), printed, strict=False):
            kept = OMITTED in step.output and step.fits(real)
            pieces.append(f"$ {step.command}\n{step.output if kept else real}")
        at = block.start + len(block.body)
    return "".join(pieces) + page[at:]


def main() -> None:
    sys.path.insert(0, str(ROOT))
    words = sys.argv[1:]
    named = {Path(word).resolve() for word in words if word != "--update"}
    for file in PAGES:
        if named and file not in named:
            continue
        page = file.read_text("utf-8")
        with tempfile.TemporaryDirectory() as scratch:
            new = updated(page, outputs(file, Path(scratch)))
        if "--update" in words:
            file.write_text(new, "utf-8")
        elif new != page:
            sys.exit(f"{file.name} shows other output than the program; --update writes the real one")


if __name__ == "__main__":
    main()
