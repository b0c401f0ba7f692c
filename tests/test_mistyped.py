"""Comments that are meant to ignore findings and are written otherwise; and prose, which is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from recipelint.cli.commands import app
from recipelint.fix import Applicability, apply
from recipelint.mistyped import finding, mistyped
from recipelint.ruleset.load import load
from tests.outcomes import source

RULES = load()
RIGHT = "# recipelint: ignore[EP001]"
COMMAND = "torchrun -m molt.cli.train_sft --fsdp.ep_size 8\n"


def wanted(line: str) -> list[str]:
    return [one.wanted for one in mistyped(source(f"{line}\n"), lambda offset: True, RULES)]


def rewritten(line: str) -> str:
    """The line as the fix makes it."""
    file = source(f"{line}\n")
    (one,) = mistyped(file, lambda offset: True, RULES)
    found = finding(file, one, RULES)
    assert found.fix is not None
    assert found.fix.applicability is Applicability.UNSAFE
    return apply(file.data, found.fix.edits).decode().removesuffix("\n")


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("# recipelint ignore[EP001]", RIGHT),
        ("#recipelint ignore [EP001] why", f"{RIGHT} why"),
        ("# recipelint: ignore EP001", RIGHT),
        ("# recipelint: ignore EP001 known to work", f"{RIGHT} known to work"),
        ("# recipelint ignore EP001", RIGHT),
        ("# recipelint: ignore EP001, SH001", "# recipelint: ignore[EP001, SH001]"),
        ("# recipelint: disable=EP001", RIGHT),
        ("# recipelint: disable=EP001,SH001 why", "# recipelint: ignore[EP001, SH001] why"),
        ("# recipelint: ignore=EP001", RIGHT),
        ("# recipelint: ignore: EP001", RIGHT),
        ("# recipelint: noqa: EP001", RIGHT),
        ("# recipelint: ignore(EP001) why", f"{RIGHT} why"),
        ("# recipelint: ignored[EP001]", RIGHT),
        ("# recipelint-ignore[EP001]", RIGHT),
        ("# Recipelint: ignore[EP001] why", f"{RIGHT} why"),
        ("# RECIPELINT:IGNORE[ep001]", RIGHT),
        ("# recipelint: Ignore[moe]", "# recipelint: ignore[moe]"),
        ("# recipelint: ignore [EP001", RIGHT),
        ("# recipelint: disable-next-line EP001", RIGHT),
        ("# recipelint: disable-file=EP001", "# recipelint: ignore-file[EP001]"),
        ("# recipelint: ignore-files[EP001]", "# recipelint: ignore-file[EP001]"),
        ("echo  # recipelint: disable=EP001", f"echo  {RIGHT}"),
        ("# shellcheck disable=1 # recipelint: disable=EP001", f"# shellcheck disable=1 {RIGHT}"),
    ],
)
def test_what_is_nearly_right(line: str, right: str) -> None:
    assert rewritten(line) == right


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("# recipelint: ignroe[EP001]", RIGHT),
        ("# recipelint:[EP001]", RIGHT),
        ("# recipelint: disable=EP01", "# recipelint: ignore[EP01]"),
        ("# recipelint: disable", ""),
        ("# recipelint: noqa", ""),
        ("# recipelint: off", ""),
    ],
)
def test_what_is_meant_is_not_certain(line: str, right: str) -> None:
    file = source(f"{line}\n")
    (one,) = mistyped(file, lambda offset: True, RULES)
    assert one.wanted == right
    assert finding(file, one, RULES).fix is None


@pytest.mark.parametrize(
    "line",
    [
        RIGHT,
        "# recipelint: ignore-file[EP001] why",
        "# recipelint: ignore[EP01]",  # reported as what it is
        "# recipelint: ignore",
        "# recipelint ignores EP001 here, see #12",
        "# recipelint ignore EP001 comments are not wanted in this file",
        "# recipelint: see [EP001]",
        "# recipelint: see docs/rules/EP001.md",
        "# recipelint: EP001 is found here, and known",
        "# recipelint is silent: ignore[EP001] is not needed",
        "# recipelint: skip these launchers",
        "# recipelint: disable the cache first",
        "# recipelint: show",
        "# recipelint skip",
        "# recipelint finds nothing[EP001]",
        "# checked by recipelint: ignore EP001",
        "# write `# recipelint: disable=EP001`",
        "# flake8: noqa: EP001",
        "# recipelint disabled: EP001 (see the ticket)",
        "# recipelint[server]: installed for the editor",
        "# recipelint.ignore[0]",
        "recipelint ignore[EP001]",
        "echo a#recipelint ignore[EP001]",
    ],
)
def test_prose_and_what_is_right_is_left_alone(line: str) -> None:
    assert wanted(line) == []


def test_it_takes_no_longer_than_the_text_is_long() -> None:
    blanks = " " * 200_000
    for line in (f"# recipelint: ignore{blanks}x", f"#{blanks}recipelint{blanks}x", f"# recipelint: ignore a{blanks}="):
        assert wanted(line) == []


def test_who_knows_the_syntax_says_what_is_no_comment() -> None:
    file = source('echo "# recipelint: disable=EP001"\n# recipelint: disable=EP001\n')
    assert [one.span.start for one in mistyped(file, lambda offset: offset > 10, RULES)] == [35]


def check(*args: str) -> tuple[int, list[str]]:
    done = CliRunner().invoke(app, [*args, "--output-format", "concise", "-q"], catch_exceptions=False)
    return done.exit_code, done.stdout.splitlines()


def test_a_launcher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "a.sh"
    file.write_text(f"# recipelint: disable=EP001 known\n{COMMAND}cat <<'E'\n# recipelint: disable=EP001\nE\n")
    status, lines = check("a.sh")
    assert status == 1
    assert [line.split(" ")[:2] for line in lines] == [["a.sh:1:1:", "RL001"], ["a.sh:2:1:", "EP001"]]
    assert lines[0].endswith("this comment ignores nothing; did you mean `# recipelint: ignore[EP001]`?")
    assert check("--ignore", "RL001", "a.sh")[1] == lines[1:]
    assert len(check("--ignore", "EP001", "a.sh")[1]) == 1
    check("--select", "RL001,EP001", "--fixable", "RL001", "--fix", "--unsafe-fixes", "a.sh")
    assert file.read_text().startswith(f"{RIGHT} known\n{COMMAND}")
    assert check("a.sh") == (0, [])


def test_it_is_excused_as_others_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "a.sh"
    file.write_text("# recipelint: ignore[RL001]\n# recipelint: disable=EP001\necho\n")
    assert check("a.sh") == (0, [])
    file.write_text("# recipelint: disable=EP001\necho\n# recipelint: ignore-file[RL001]\n")
    assert check("a.sh") == (0, [])


@pytest.mark.parametrize("comment", ["# recipelint: disable=DOC001", "# recipelint ignore[DOC001]"])
def test_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, comment: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text(f"x = '{comment}'\n")
    assert check(".") == (0, [])
    (tmp_path / "a.py").write_text(f"x = 1  {comment}\n")
    status, (line,) = check(".")
    assert (status, line.split(" ")[:2]) == (1, ["a.py:1:8:", "RL001"])
