"""The report for a person: excerpts, underlines, remarks, totals."""

from __future__ import annotations

import re
import time

import pytest

from recipelint.diagnostic import Confidence, Label, Severity
from recipelint.fix import Applicability, Fix
from recipelint.outcome import Outcome
from recipelint.report.full import diagnostic_text, render
from recipelint.report.style import Stream
from recipelint.report.totals import fixes, totals
from recipelint.source import Location, SourceFile, Span
from tests.outcomes import at, between, diagnostic, launch, launcher, repaired, safe_fix, source, wrong

PLAIN = Stream()


def body(text: str) -> list[str]:
    """The rows of a report below its header."""
    return text.splitlines()[1:]


def test_places_of_a_file_and_of_another_are_shown_with_the_ways_out() -> None:
    file = source()
    common = source("export MOLT_MOE_DISPATCHER=hybridep\r\n", "slurm/common.sh")
    text = diagnostic_text(
        diagnostic(
            at(file, "full"),
            Label(at(file, "8"), "over 8 ranks"),
            Label(at(common, "hybridep"), "through hybridep"),
            Label(between(file, "torchrun", "full"), "this launch"),
            label="recomputes the dispatch",
            help="use none\nor torch",
            url="https://example.org/1",
            note="by hand",
            fix=safe_fix(at(file, "full")),
        ),
        PLAIN,
    )
    assert text == (
        "error[EP001] full-checkpointing-under-ep-dispatcher: full under hybridep\n"
        " --> slurm/sft.sh:6:31\n"
        "  |\n"
        '2 | EP_SIZE="${EP_SIZE:-8}"\n'
        "  |                     - over 8 ranks\n"
        "3 |\n"
        "4 | torchrun --nproc_per_node=8 -m molt.cli.train_sft \\\n"
        "  | ------------------------------------------------- this launch (lines 4-6)\n"
        '5 |   --fsdp.ep_size "$EP_SIZE" \\\n'
        "6 |   --model.gradient_checkpoint full\n"
        "  |                               ^^^^ recomputes the dispatch\n"
        "  |\n"
        " --> slurm/common.sh:1:28\n"
        "  |\n"
        "1 | export MOLT_MOE_DISPATCHER=hybridep\n"
        "  |                            -------- through hybridep\n"
        "  |\n"
        "  = help: use none\n"
        "          or torch\n"
        "  = fix (safe): set activation_checkpointing to none\n"
        "  = note: by hand\n"
        "  = see: https://example.org/1\n"
    )


def test_several_labels_of_a_line_hang_below_it_from_right_to_left() -> None:
    file = source("run --a 1 --b 22 --c 333\n")
    labels = (Label(at(file, "1"), "one"), Label(at(file, "22"), "two"))
    assert body(diagnostic_text(diagnostic(at(file, "333"), *labels, label="three"), PLAIN)) == [
        " --> slurm/sft.sh:1:22",
        "  |",
        "1 | run --a 1 --b 22 --c 333",
        "  |         -     --     ^^^ three",
        "  |         |     |",
        "  |         |     two",
        "  |         one",
    ]


def test_two_labels_at_one_column_share_a_connector() -> None:
    file = source("torchrun -m x\n")
    whole = Label(at(file, "torchrun -m x"), "this launch")
    assert body(diagnostic_text(diagnostic(at(file, "torchrun"), whole, label="absent"), PLAIN))[2:] == [
        "1 | torchrun -m x",
        "  | ^^^^^^^^----- this launch",
        "  | |",
        "  | absent",
    ]


def test_a_place_with_others_in_it_is_underlined_at_its_first_word_so_that_they_are_seen() -> None:
    file = source("srun torchrun -m x --ep 8 --ac full --dp 2\nsrun y \\\n  z\n")
    whole = Label(between(file, "srun torchrun", "--dp 2"), "this launch")
    inner = Label(at(file, "8"), "over 8 ranks")
    assert body(diagnostic_text(diagnostic(at(file, "full"), inner, whole, label="recomputes"), PLAIN))[2:] == [
        "1 | srun torchrun -m x --ep 8 --ac full --dp 2",
        "  | ----                    -      ^^^^ recomputes",
        "  | |                       |",
        "  | |                       over 8 ranks",
        "  | this launch",
    ]
    rest = Label(between(file, "srun y", "z"), "that launch")
    assert body(diagnostic_text(diagnostic(at(file, "full"), rest, Label(at(file, "y"), "why"), label="r"), PLAIN))[
        4:
    ] == [
        "2 | srun y \\",
        "  | ---- - why",
        "  | |",
        "  | that launch (lines 2-3)",
    ]


def test_a_place_whose_first_word_has_another_in_it_is_underlined_up_to_that() -> None:
    file = source("A=8;run --x full\n")
    whole = Label(between(file, "A=8", "full"), "this")
    assert body(diagnostic_text(diagnostic(at(file, "full"), Label(at(file, "8"), "ranks"), whole), PLAIN))[3] == (
        "  | --- " + " " * 8 + "^^^^"
    )


def test_a_place_with_only_the_primary_one_in_it_is_underlined_as_it_is() -> None:
    file = source("run --x full --y\n")
    whole = Label(between(file, "run", "--y"), "this")
    assert body(diagnostic_text(diagnostic(at(file, "full"), whole), PLAIN))[3] == "  | --------^^^^---- this"


def test_a_place_inside_the_primary_one_is_seen() -> None:
    file = source("run --x full --y\n")
    found = diagnostic(between(file, "run", "--y"), Label(at(file, "full"), "full"), label="all of it")
    assert body(diagnostic_text(found, PLAIN))[3:] == [
        "  | ^^^^^^^^----^^^^ all of it",
        "  |         |",
        "  |         full",
    ]


def test_lines_far_apart_are_elided_and_one_between_is_shown() -> None:
    file = source("a\nb\nc\nd\ne\nf\n")
    text = diagnostic_text(diagnostic(at(file, "a"), Label(at(file, "c"), ""), Label(at(file, "f"), "")), PLAIN)
    assert [row.split(" | ")[-1] for row in body(text)[1:]] == ["  |", "a", "^", "b", "c", "-", "...", "f", "-"]


def test_line_numbers_share_one_gutter() -> None:
    file = source("x\n" * 100 + "y\n")
    text = diagnostic_text(diagnostic(at(file, "y"), Label(at(file, "x"), "")), PLAIN)
    assert body(text) == ["   --> slurm/sft.sh:101:1", "    |", "  1 | x", "    | -", "...", "101 | y", "    | ^"]


def test_tabs_and_wide_characters_keep_the_underline_below_its_word() -> None:
    file = source("\tx 名前😀e\u0301 full\n")
    row, mark = body(diagnostic_text(diagnostic(at(file, "full")), PLAIN))[2:4]
    assert row == "1 |     x 名前😀e\\u0301 full".replace("\\u0301", "\u0301")
    assert mark == "  |" + " " * (1 + 4 + 2 + 6 + 1 + 1) + "^^^^"


def test_a_span_at_the_end_without_a_newline_gets_a_caret() -> None:
    file = source("run")
    text = diagnostic_text(diagnostic(Location(file, Span(3, 3))), PLAIN)
    assert body(text) == [" --> slurm/sft.sh:1:4", "  |", "1 | run", "  |    ^"]


def test_an_empty_file_and_a_span_past_the_last_newline() -> None:
    empty = source("")
    assert body(diagnostic_text(diagnostic(Location(empty, Span(0, 0))), PLAIN))[2:] == ["1 |", "  | ^"]
    file = source("run\n")
    assert body(diagnostic_text(diagnostic(Location(file, Span(4, 4))), PLAIN))[2:] == ["2 |", "  | ^"]


def test_a_span_that_takes_its_newline_stays_on_its_line() -> None:
    file = source("one\ntwo\n")
    text = diagnostic_text(diagnostic(Location(file, Span(0, 4)), label="x"), PLAIN)
    assert body(text)[2:] == ["1 | one", "  | ^^^ x"]


def test_a_short_primary_span_is_underlined_on_each_of_its_lines() -> None:
    file = source("  a \\\n\n  b c\n")
    text = diagnostic_text(diagnostic(between(file, "a", "b"), label="this"), PLAIN)
    assert body(text)[2:] == ["1 |   a \\", "  |   ^", "2 |", "3 |   b c", "  |   ^ this"]


def test_a_long_span_shows_its_first_line_and_says_how_far_it_goes() -> None:
    file = source("a \\\nb \\\nc \\\nd \\\ne\n")
    text = diagnostic_text(diagnostic(between(file, "a", "e"), label="this"), PLAIN)
    assert body(text)[2:] == ["1 | a \\", "  | ^ this (lines 1-5)"]


def test_a_long_line_is_cut_around_the_places_and_the_words_stay_above_their_marks() -> None:
    file = source("a" * 300 + " full " + "b" * 300 + " 8\n")
    text = diagnostic_text(diagnostic(at(file, "full"), Label(at(file, "8"), "ranks"), label="here"), Stream(width=80))
    rows = body(text)[2:]
    assert [row.startswith("1 | ...") for row in rows] == [True, False, True, False]
    assert all(len(row) <= 80 for row in rows)
    assert rows[0].index("full") == rows[1].index("^^^^ here")
    assert rows[2].index("8") == rows[3].index("- ranks")


def test_a_huge_line_is_cut_before_it_is_laid_out() -> None:
    file = source("a" * 4_000_000 + " full " + "b" * 3_000_000)
    began = time.perf_counter()
    rows = body(diagnostic_text(diagnostic(at(file, "full"), label="here"), PLAIN))[2:]
    assert time.perf_counter() - began < 1
    assert rows[0].index("full") == rows[1].index("^^^^ here")
    assert rows[0].startswith("1 | ...")
    assert rows[0].endswith("...")


def test_hostile_text_comes_out_harmless_and_the_marks_still_fit() -> None:
    file = source("x='\x1b]0;t\x07' ::error::\u202e ##[group]${a##vso[x]} full\n", "a\x1b[31m/::warning::.sh")
    found = diagnostic(at(file, "full"), message="m\x1b[2J ::error::", label="l\r::debug::", help="##[group]")
    text = diagnostic_text(found, PLAIN)
    assert text.isascii()
    assert text.replace("\n", "").isprintable()
    assert "::" not in text
    assert "##" not in text
    rows = body(text)
    assert rows[2].index("full") == rows[3].index("^^^^")


def test_bytes_that_are_no_text_are_shown_as_such() -> None:
    file = SourceFile("x.sh", b"a=\xff\xfe full\n")
    rows = body(diagnostic_text(diagnostic(at(file, "full")), PLAIN))
    assert rows[2:] == ["1 | a=\ufffd\ufffd full", "  |      ^^^^"]


def test_a_byte_order_mark_takes_no_room() -> None:
    file = source("\ufefffull\n")
    assert body(diagnostic_text(diagnostic(at(file, "full")), PLAIN))[2:] == ["1 | full", "  | ^^^^"]


def test_a_place_that_is_named_twice_is_shown_once() -> None:
    file = source("full\n")
    same = Label(at(file, "full"), "here")
    assert body(diagnostic_text(diagnostic(at(file, "full"), same, same, label="here"), PLAIN))[2:] == [
        "1 | full",
        "  | ^^^^ here",
    ]


def test_a_possible_finding_says_so() -> None:
    text = diagnostic_text(diagnostic(at(source(), "full"), confidence=Confidence.POSSIBLE), PLAIN)
    assert text.startswith("possible error[EP001] ")


def test_colour_only_adds_escapes() -> None:
    outcome = wrong()
    coloured = render(outcome, Stream(colour=True))
    assert "\x1b[1;31m^^^^\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == render(outcome, PLAIN)


def test_a_terminal_gets_long_lines_in_several() -> None:
    found = diagnostic(
        at(source(), "full"),
        name="a-name",
        message="one two three four five six seven eight",
        help="one two three four five six seven\neight nine ten eleven twelve",
        url="https://example.org/a-link-that-is-longer-than-the-terminal",
        note="short",
    )
    rows = diagnostic_text(found, Stream(width=40)).splitlines()
    assert rows[:3] == [
        "error[EP001] a-name: one two three four",
        "             five six seven eight",
        " --> slurm/sft.sh:6:31",
    ]
    assert rows[-5:] == [
        "  = help: one two three four five six",
        "          seven",
        "          eight nine ten eleven twelve",
        "  = note: short",
        "  = see: https://example.org/a-link-that-is-longer-than-the-terminal",
    ]
    coloured = diagnostic_text(found, Stream(colour=True, width=40))
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured).splitlines() == rows
    named = diagnostic_text(found._replace(name="a-name-that-takes-most-of-a-line"), Stream(width=40)).splitlines()
    assert named[:2] == ["error[EP001] a-name-that-takes-most-of-a-line:", "    one two three four five six seven"]


def test_totals_count_by_severity_and_name_the_option_that_fixes() -> None:
    file = source()
    unsafe = Fix("t", Applicability.UNSAFE, ())
    found = (
        diagnostic(at(file, "full"), fix=safe_fix(at(file, "full"))),
        diagnostic(at(file, "full"), fix=unsafe),
        diagnostic(at(file, "full"), severity=Severity.WARNING),
        diagnostic(at(file, "full"), severity=Severity.INFO, fix=Fix("t", Applicability.DISPLAY, ())),
    )
    outcome = Outcome((launcher(file, launch(file)), launcher(file)), found)
    head = "Found 2 errors, 1 warning and 1 info in 2 files, 1 launch"
    assert totals(outcome, PLAIN, made=False, unsafe=False) == (
        f"{head}; 1 fixable with --fix, 1 more with --fix --unsafe-fixes\n"
    )
    assert totals(outcome, PLAIN, made=False, unsafe=True) == f"{head}; 2 fixable with --fix --unsafe-fixes\n"


@pytest.mark.parametrize(
    ("fix", "ending"),
    [
        (None, "1 launch"),
        (Fix("t", Applicability.SAFE, ()), "1 launch; 1 fixable with --fix"),
        (Fix("t", Applicability.UNSAFE, ()), "1 launch; 1 fixable with --fix --unsafe-fixes"),
    ],
)
def test_totals_of_one_finding(fix: Fix | None, ending: str) -> None:
    file = source()
    outcome = Outcome((launcher(file, launch(file)),), (diagnostic(at(file, "full"), fix=fix),))
    assert totals(outcome, PLAIN, made=False, unsafe=False) == f"Found 1 error in 1 file, {ending}\n"


def test_totals_without_findings() -> None:
    assert totals(Outcome(), PLAIN, made=False, unsafe=False) == "No launchers were read\n"
    assert totals(repaired(), PLAIN, made=True, unsafe=False) == (
        "Fixed 1 problem in 1 file\nNo problems in 1 file, 1 launch\n"
    )
    assert totals(repaired(), PLAIN, made=False, unsafe=False) == (
        "Would fix 1 problem in 1 file\nWould leave no problems in 1 file, 1 launch\n"
    )
    left = repaired()._replace(diagnostics=wrong().diagnostics)
    assert totals(left, PLAIN, made=False, unsafe=True) == (
        "Would fix 1 problem in 1 file\nWould leave 1 error in 1 file, 1 launch; 1 fixable with --fix --unsafe-fixes\n"
    )
    assert totals(Outcome(excluded=("a.sh",)), PLAIN, made=False, unsafe=False) == "1 file excluded\n"


def test_fixes_name_file_and_line() -> None:
    assert fixes(repaired(), PLAIN, made=True) == "fixed slurm/sft.sh:6: EP001 set activation_checkpointing to none\n"
    assert fixes(repaired(), PLAIN, made=False).startswith("would fix slurm/sft.sh:6: ")
    outcome = repaired()
    noted = outcome._replace(fixed=(outcome.fixed[0]._replace(note="line 3 says otherwise"),))
    assert fixes(noted, PLAIN, made=True).endswith(
        ": EP001 set activation_checkpointing to none; line 3 says otherwise\n"
    )
