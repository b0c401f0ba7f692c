"""Comments that ignore findings, and those that hide nothing."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from recipelint import fix as fixes
from recipelint import suppress
from recipelint.diagnostic import Diagnostic, Severity
from recipelint.fix import Applicability
from recipelint.ruleset.load import load
from recipelint.source import SourceFile
from recipelint.suppress import Suppression, apply, find, unused
from tests.outcomes import at, diagnostic, source

RULES = load()
COMMANDS = """\
# recipelint: ignore[EP001] known to work
torchrun \\
  --model.gradient_checkpoint full
echo full  # recipelint: ignore[EP001]
echo full
"""


def extent(file: SourceFile) -> dict[int, tuple[int, int]]:
    """The logical commands of a file whose only continuation is the backslash."""
    found: dict[int, tuple[int, int]] = {}
    lines = file.text.split("\n")
    first = 1
    for number, line in enumerate(lines, 1):
        if not line.endswith("\\"):
            found.update(dict.fromkeys(range(first, number + 1), (first, number)))
            first = number + 1
    return found


def left(
    file: SourceFile, *found: Diagnostic, active: Collection[str] = ("EP001", "SH001")
) -> tuple[list[int], tuple[Suppression, ...]]:
    """The lines of the diagnostics that are kept, and the idle suppressions."""
    kept, idle = apply(found, file, find(file), extent(file).__getitem__, RULES, active)
    return [one.location.start.line for one in kept], idle


def fixed(file: SourceFile, suppression: Suppression) -> str:
    found = unused(file, suppression, RULES)
    assert found.fix is not None
    assert found.fix.applicability is Applicability.SAFE
    return fixes.apply(file.data, found.fix.edits).decode()


def test_a_comment_covers_the_next_logical_command_or_that_of_its_line() -> None:
    file = source(COMMANDS)
    found = [diagnostic(at(file, "full", turn)) for turn in (1, 2, 3)]
    assert left(file, *found) == ([5], ())


def test_what_is_found_in_a_comment() -> None:
    file = source(COMMANDS)
    first, second = find(file)
    assert (first.codes, first.line, first.own_line, first.file_wide) == (("EP001",), 1, True, False)
    assert first.reason == "known to work"
    assert (second.line, second.own_line, second.reason) == (4, False, "")
    assert file.data[second.span.start : second.span.end] == b"# recipelint: ignore[EP001]"


def test_a_file_without_the_word_is_not_scanned() -> None:
    assert find(source("echo # recipe lint: ignore[EP001]\n")) == ()


@pytest.mark.parametrize(
    ("line", "codes"),
    [
        ("# recipelint: ignore[EP001, SH001] x", ("EP001", "SH001")),
        ("#recipelint:ignore[EP001,EP001]", ("EP001",)),
        ("# shellcheck disable=1 # recipelint: ignore[moe]", ("moe",)),
        ("echo;# recipelint: ignore [EP]", ("EP",)),
        ("\t# recipelint: ignore-file[ EP001 ]\r", ("EP001",)),
        ("# recipelint: ignore", ()),
        ("# recipelint: ignore[]", ()),
        ("echo a#recipelint: ignore[EP001]", None),
        ("# recipelint: ignored[EP001]", None),
        ("# recipelint: ignore-files[EP001]", None),
        ("# recipelint: show", None),
    ],
)
def test_forms(line: str, codes: tuple[str, ...] | None) -> None:
    assert [one.codes for one in find(source(f"{line}\n"))] == ([] if codes is None else [codes])


def test_who_knows_the_syntax_may_say_what_is_no_comment() -> None:
    file = source('echo "# recipelint: ignore[EP001]"\n# recipelint: ignore[EP001]\n')
    assert [one.line for one in find(file, lambda offset: offset > 10)] == [2]


def test_ignore_file_covers_the_whole_file_but_no_other() -> None:
    file, other = source("full\n# recipelint: ignore-file[EP001] reason\nfull\n"), source("full\n", "other.sh")
    found = [diagnostic(at(file, "full")), diagnostic(at(file, "full", 2)), diagnostic(at(other, "full"))]
    kept, idle = apply(found, file, find(file), extent(file).__getitem__, RULES, ["EP001"])
    assert (kept, idle) == ((found[2],), ())


@pytest.mark.parametrize("selector", ["EP001", "full-checkpointing-under-ep-dispatcher", "EP", "moe", "ALL"])
def test_selectors(selector: str) -> None:
    file = source(f"full # recipelint: ignore[{selector}]\n")
    assert left(file, diagnostic(at(file, "full"))) == ([], ())


def test_another_rule_is_not_hidden() -> None:
    file = source("full # recipelint: ignore[SH001]\n")
    lines, idle = left(file, diagnostic(at(file, "full")))
    assert (lines, [one.codes for one in idle]) == ([1], [("SH001",)])


def test_blank_and_comment_lines_may_stand_between() -> None:
    file = source("# recipelint: ignore[EP001]\n\n  # more\nfull\nfull\n")
    assert left(file, *(diagnostic(at(file, "full", turn)) for turn in (1, 2))) == ([5], ())


def test_the_comments_before_the_command_are_covered_too() -> None:
    file = source("full\n# recipelint: ignore[EP001]\n# full\n\nfull\n# recipelint: ignore[EP001]\n# full\n")
    assert left(file, *(diagnostic(at(file, "full", turn)) for turn in (1, 2, 3, 4))) == ([1], ())


def test_a_comment_at_the_end_of_the_file_covers_nothing() -> None:
    file = source("full\n# recipelint: ignore[EP001]")
    lines, idle = left(file, diagnostic(at(file, "full")))
    assert (lines, len(idle)) == ([1], 1)


def test_an_ignore_of_a_rule_that_was_not_looked_for_is_left_alone() -> None:
    file = source("echo # recipelint: ignore[EP001]\n")
    assert left(file, active=["SH001"]) == ([], ())
    assert len(left(file, active=["EP001"])[1]) == 1


@pytest.mark.parametrize("comment", ["ignore[EP001, RL001]", "ignore[EP001]\n# recipelint: ignore-file[RL001]"])
def test_an_idle_ignore_may_be_excused(comment: str) -> None:
    assert left(source(f"echo # recipelint: {comment}\n")) == ([], ())


def test_the_rule_says_that_it_has_a_fix() -> None:
    rule = RULES.rules["RL001"]
    assert rule.fix is not None
    assert rule.fix.applicability is Applicability.SAFE


def test_an_idle_ignore_is_a_finding() -> None:
    file = source("echo # recipelint: ignore[EP001] why\n")
    ((found,),) = [tuple(unused(file, one, RULES) for one in left(file)[1])]
    assert (found.code, found.name, found.severity) == ("RL001", "unused-ignore", Severity.WARNING)
    assert found.message == "nothing here to ignore for EP001"
    assert (found.location.start.column, found.location.end.column) == (6, 37)
    assert found.fix is not None
    assert found.fix.title == "remove the comment"


def test_a_misspelt_code_is_named() -> None:
    file = source("full # recipelint: ignore[EP01]\n")
    lines, (idle,) = left(file, diagnostic(at(file, "full")))
    assert lines == [1]
    found = unused(file, idle, RULES)
    assert (found.message, found.note, found.fix) == (
        'nothing here to ignore for EP01; unknown rule selector "EP01"; did you mean "EP001"?',
        "",
        None,
    )


def test_a_comment_that_names_nothing_hides_nothing() -> None:
    file = source("full # recipelint: ignore\n")
    lines, (idle,) = left(file, diagnostic(at(file, "full")))
    found = unused(file, idle, RULES)
    assert lines == [1]
    assert found.message == "nothing here to ignore for any rule: it names none"
    assert found.fix is None
    assert "ignore[EP001]" in found.help


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a\n  # recipelint: ignore[EP001] x\nb\n", "a\nb\n"),
        ("a\r\n# recipelint: ignore[EP001]\r\nb\r\n", "a\r\nb\r\n"),
        ("a \t # recipelint: ignore[EP001]\r\nb\n", "a\r\nb\n"),
        ("a # note # recipelint: ignore[EP001] x\nb\n", "a # note\nb\n"),
        ("# note # recipelint: ignore[EP001]\n", "# note\n"),
        ("a\n# recipelint: ignore[EP001]", "a"),
        ("a\r\n# recipelint: ignore[EP001]", "a"),
        ("# recipelint: ignore[EP001]", ""),
        ("# recipelint: ignore[EP001] ré\n训\n", "训\n"),
    ],
)
def test_the_fix_removes_the_comment_and_nothing_else(before: str, after: str) -> None:
    file = source(before)
    ((idle,),) = [left(file)[1]]
    assert fixed(file, idle) == after


def test_the_fix_keeps_the_codes_that_hide_something() -> None:
    file = source("full # recipelint: ignore[SH001, EP001,SH002] why\n")
    lines, (idle,) = left(file, diagnostic(at(file, "full")), active=["EP001", "SH001", "SH002"])
    assert (lines, idle.codes, idle.used) == ([], ("SH001", "SH002"), ("EP001",))
    found = unused(file, idle, RULES)
    assert found.message == "nothing here to ignore for SH001, SH002"
    assert found.fix is not None
    assert found.fix.title == "remove SH001, SH002 from the comment"
    assert fixed(file, idle) == "full # recipelint: ignore[EP001] why\n"


def test_each_comment_looks_at_what_it_covers_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of comments in a file of thousands of findings: not each of the one for each of the other."""
    asked = []
    real = suppress._within

    def within(one: Diagnostic, file: SourceFile, first: int, last: int) -> bool:
        asked.append(one)
        return real(one, file, first, last)

    monkeypatch.setattr(suppress, "_within", within)
    count = 300
    file = source("# recipelint: ignore[EP001]\necho full\n" * count + "echo full\n")
    found = [diagnostic(at(file, "full", turn)) for turn in range(1, count + 2)]
    lines, idle = left(file, *found)
    assert (lines, idle) == ([2 * count + 1], ())
    assert len(asked) <= 2 * count


def test_a_finding_is_covered_where_its_launches_are() -> None:
    other = source("echo full\n", "lib.sh")
    file = source("# recipelint: ignore[EP001]\ntorchrun a\ntorchrun b\n")
    first, second = ((file.path, at(file, word).span.start) for word in ("torchrun a", "torchrun b"))
    for launches, kept in (((first,), 0), ((second,), 1), ((first, second), 1), ((second, first), 1), ((), 1)):
        assert len(left(file, diagnostic(at(other, "full"), launches=launches))[0]) == kept
