"""Hyperlinks: where they are written, what they lead to, and that no text can break out of one."""

from __future__ import annotations

import os
import re
import socket
from pathlib import Path
from urllib.parse import unquote_to_bytes, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recipelint.cli.hyperlinks import host, known
from recipelint.outcome import Outcome
from recipelint.report import concise, full, links, show, totals
from recipelint.report.style import Stream
from tests.outcomes import at, diagnostic, launcher, repaired, source, wrong

LINK = re.compile(r"\x1b\]8;;([!-~]+)\x1b\\([^\x1b]+)\x1b\]8;;\x1b\\")
"""A whole hyperlink, whose address is of printable ASCII and not empty."""
LINKED, BARE = Stream(colour=True, width=80, host="box"), Stream(colour=True, width=80)


def found_in(text: str) -> dict[str, str]:
    """The texts of the links, and where each leads."""
    return {m[2]: m[1] for m in LINK.finditer(text)}


def test_a_code_leads_to_its_reference_and_a_place_to_the_line_of_the_file() -> None:
    issue = "https://github.com/NVIDIA-NeMo/Automodel/issues/3325"
    one = wrong().diagnostics[0]._replace(url=issue)
    place = f"file://box{os.getcwd()}/slurm/sft.sh#6"
    for text in (full.diagnostic_text(one, LINKED), concise.line(one, LINKED)):
        assert found_in(text) == {"EP001": issue, "slurm/sft.sh:6:31": place}
        assert text.count("\x1b]8;;") == 4
    bare = one._replace(url="")
    assert found_in(concise.line(bare, LINKED)) == {"slurm/sft.sh:6:31": place}


def test_what_was_fixed_and_what_is_shown_lead_to_the_file() -> None:
    here = os.getcwd()
    fixed = repaired()
    lines = [(one.path, one.line) for one in fixed.fixed]
    assert list(found_in(totals.fixes(fixed, LINKED, made=True)).values()) == [
        f"file://box{here}/{path}#{line}" for path, line in lines
    ]
    assert lines
    file = source()
    shown = show.render(Outcome((launcher(file),)), LINKED)
    assert found_in(shown) == {file.path: f"file://box{here}/{file.path}#1"}


def test_links_take_no_cells_and_change_nothing_else() -> None:
    outcome = wrong()
    for render in (full.render, concise.render, show.render):
        assert LINK.sub(r"\2", render(outcome, LINKED)) == render(outcome, BARE)
    narrow = Stream(colour=True, width=44, host="box")
    assert LINK.sub(r"\2", full.render(outcome, narrow)) == full.render(outcome, Stream(colour=True, width=44))


def test_standard_input_is_no_file_and_other_schemes_are_no_pages() -> None:
    assert LINKED.place("<stdin>:1", "<stdin>", 1) == "<stdin>:1"
    for url in ("", "javascript:alert(1)", "file:///etc/passwd", "ftp://a/b", " https://a"):
        assert LINKED.link("EP001", url) == "EP001"
    assert LINKED.link("EP001", "https://a/" + "a" * links.LONGEST) == "EP001"
    assert BARE.link("EP001", "https://a") == BARE.place("EP001", "a.sh", 1) == "EP001"


@given(st.text(st.characters(exclude_characters="\0"), min_size=1, max_size=60))
def test_an_address_is_of_printable_ascii_whatever_it_is_made_of(text: str) -> None:
    web = links.web("https://example.org/" + text)
    assert re.fullmatch(r"https://[!-~]+", web)
    assert "::" not in web
    assert "##" not in web
    path = text.encode("utf-8", "surrogatepass").decode("utf-8", "surrogateescape")
    file = links.file("./" + path, 7, "box")
    assert re.fullmatch(r"file://box/[\w.~%/-]+#7", file, re.ASCII)
    assert unquote_to_bytes(urlsplit(file).path) == os.fsencode(os.path.abspath("./" + path))


def test_a_hostile_name_cannot_break_out() -> None:
    path = "a\x1b\\\x1b]8;;https://evil\x07\n::error::x ;#\udcff.sh"
    found = diagnostic(at(source(path=path), "full"))._replace(url="https://e/\x1b\\\n\x07\u202e")
    for text in (full.diagnostic_text(found, LINKED), concise.line(found, LINKED)):
        assert len(found_in(text)) == 2
        rest = re.sub(r"\x1b\[[\d;]*m", "", LINK.sub(r"\2", text))
        assert "\x1b" not in rest
        assert "\x07" not in text
        assert "::" not in text


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, False),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, False),
        ({"TERM": "xterm-kitty"}, True),
        ({"TERM": "foot"}, True),
        ({"TERM": "alacritty"}, True),
        ({"TERM": "dumb", "VTE_VERSION": "7003"}, False),
        ({"VTE_VERSION": "7003"}, True),
        ({"VTE_VERSION": "5000"}, False),
        ({"VTE_VERSION": "x"}, False),
        ({"KONSOLE_VERSION": "220400"}, True),
        ({"WT_SESSION": "2ae3"}, True),
        ({"TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.4.19"}, True),
        ({"TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.0.15"}, False),
        ({"TERM_PROGRAM": "iTerm.app"}, False),
        ({"TERM_PROGRAM": "WezTerm", "TERM_PROGRAM_VERSION": "20240203-110809-5046fc22"}, True),
        ({"TERM_PROGRAM": "vscode", "TERM_PROGRAM_VERSION": "1.94.2"}, True),
        ({"TERM_PROGRAM": "ghostty", "TERM_PROGRAM_VERSION": "1.0.1"}, True),
        ({"TERM_PROGRAM": "Apple_Terminal", "TERM_PROGRAM_VERSION": "453"}, False),
        ({"TERM": "tmux-256color", "TMUX": "/tmp/x", "VTE_VERSION": "7003"}, False),
        ({"TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.3a", "TMUX": "/tmp/x"}, False),
        ({"TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.4", "TMUX": "/tmp/x"}, True),
        ({"TERM": "screen", "STY": "1", "VTE_VERSION": "7003"}, False),
        ({"TERM": "xterm-kitty", "CI": "true"}, False),
    ],
)
def test_terminals(environ: dict[str, str], expected: bool) -> None:
    assert known(environ) is expected


def test_where_they_are_wanted() -> None:
    kitty = {"TERM": "xterm-kitty"}
    here = socket.gethostname()
    assert host(kitty, terminal=True) == here
    assert host(kitty, terminal=False) is None
    assert host({"FORCE_HYPERLINK": "1"}, terminal=False) == here
    assert host({**kitty, "FORCE_HYPERLINK": "0"}, terminal=True) is None
    assert host({**kitty, "FORCE_HYPERLINK": ""}, terminal=True) == here
    assert host({"FORCE_HYPERLINK": "1", "TERM_PROGRAM": "vscode"}, terminal=True) == ""
    assert host({"WT_SESSION": "1", "WSL_DISTRO_NAME": "Ubuntu"}, terminal=True) == "wsl$/Ubuntu"
    assert host({"WT_SESSION": "1", "WSL_DISTRO_NAME": "a\x1bb"}, terminal=True) == ""


def test_they_follow_colour(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from recipelint.cli.terminal import stream_of

    monkeypatch.setenv("FORCE_HYPERLINK", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    assert stream_of("auto").host is None
    assert stream_of("never").host is None
    assert stream_of("always").host is not None


def test_a_terminal_gets_them(tmp_path: Path) -> None:
    """The program on a terminal of its own, that says it is kitty, and on one of which nothing is known."""
    import sys

    import pexpect

    (tmp_path / "a.sh").write_text("torchrun -m molt.cli.train_sft --fsdp.ep_size 8\n")
    program = str(Path(sys.executable).with_name("recipelint"))
    for term, expected in (("xterm-kitty", ["a.sh:1:1", "EP001"]), ("xterm", [])):
        env = {"PATH": os.environ["PATH"], "TERM": term}
        done = pexpect.run(f"{program} --output-format concise a.sh", cwd=str(tmp_path), env=env, encoding="utf-8")
        assert sorted(found_in(done), key=str.lower) == expected, done
