"""A rule that is tried says how it fails: Noisy, Missing or Wrong; and a tree of a case reaches nothing outside."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from recipelint.ruleset.cases import Case, Failure, example_cases, file_cases
from recipelint.ruleset.document import Node, RuleError, read
from recipelint.ruleset.load import Ruleset, load
from recipelint.ruleset.own_check import read_own
from recipelint.ruleset.template import new_files
from recipelint.trying import tried
from tests.own_rules import CODE, NAME, write_rule


@pytest.fixture
def own(tmp_path: Path) -> Ruleset:
    write_rule(tmp_path)
    return read_own(load(), [str(tmp_path)], None).ruleset


def case(own: Ruleset, kind: str, text: str, **changes: Any) -> Case:
    return Case(own.rules[CODE], kind, "a case", text.encode(), **changes)


RUN = "torchrun -m molt.cli.train_sft "
BIG, SMALL = RUN + "--train.micro_batch_size 8\n", RUN + "--train.micro_batch_size 4\n"
COMMENT = "# More than 4 samples in a micro batch do not fit into memory.\n"
FIXED = (COMMENT + SMALL).encode()


@pytest.mark.parametrize(
    ("kind", "text", "changes", "word", "said"),
    [
        ("valid", SMALL, {}, "", ""),
        ("noop", SMALL, {}, "", ""),
        ("valid", BIG, {}, "Noisy", "TEAM001 is found on line 1, and nothing is wrong there"),
        ("noop", "\n" + BIG, {}, "Noisy", "TEAM001 is found on line 2, and nothing is wrong there"),
        ("valid", "echo ${x\n", {}, "Noisy", "SH001 is found on line 1, and nothing is wrong there"),
        ("invalid", BIG, {"lines": (1,)}, "", ""),
        ("invalid", BIG, {"lines": (2, 1)}, "", ""),
        ("invalid", SMALL, {"lines": (1,)}, "Missing", "nothing is found"),
        ("invalid", BIG, {"lines": (2,)}, "Wrong", "the finding stands on line 1, not on line 2"),
        ("invalid", BIG, {"lines": (2, 3)}, "Wrong", "the finding stands on line 1, not on line 2 or 3"),
        ("invalid", BIG + BIG, {"lines": (1,)}, "Noisy", "TEAM001 is found on line 2 as well: "),
        ("invalid", BIG + "echo ${x\n", {"lines": (1,)}, "Noisy", "SH001 is found on line 2 as well: "),
        ("invalid", BIG, {"lines": (1,), "confidence": "possible"}, "Wrong", "the finding is certain, not possible"),
        ("invalid", BIG, {"lines": (1,), "severity": "error"}, "Wrong", "the severity is warning, not error"),
        (
            "invalid",
            BIG,
            {"lines": (1,), "says": ("micro_batch_size 8", "9")},
            "Wrong",
            'it does not say "9", but: micro',
        ),
        ("invalid", BIG, {"lines": (1,), "note": True}, "Wrong", "there is a fix"),
        ("invalid", BIG, {"lines": (1,), "paths": ("gone.sh",)}, "Wrong", "gone.sh: no such file or folder"),
        ("fix", BIG, {"lines": (1,), "after": (FIXED,)}, "", ""),
        ("fix", BIG, {"lines": (1,), "after": (b"x\n", FIXED)}, "", ""),
        ("fix", BIG, {"lines": (1,), "after": (SMALL.encode(),)}, "Wrong", "--fix makes another text of it"),
        ("fix", SMALL, {"lines": (1,), "after": (FIXED,)}, "Missing", "nothing is found"),
        (
            "fix",
            "for n in 8; do\n" + RUN + '--train.micro_batch_size "$n"\ndone\n',
            {"lines": (1,), "after": (FIXED,)},
            "Wrong",
            "--fix leaves it as it is (not fixed: its value is a word of a loop; ",
        ),
    ],
)
def test_words(own: Ruleset, kind: str, text: str, changes: dict[str, Any], word: str, said: str) -> None:
    before = os.getcwd()
    failure = tried(case(own, kind, text, **changes), own) or Failure("", "")
    assert os.getcwd() == before
    assert failure.word == word
    assert failure.message.startswith(said)


def test_a_difference_is_shown(own: Ruleset) -> None:
    failure = tried(case(own, "fix", BIG, lines=(1,), after=(SMALL.encode(),)), own)
    assert failure is not None
    assert failure.lines[3:] == (f"+{COMMENT.rstrip()}", f" {SMALL.rstrip()}")


@pytest.mark.parametrize(
    ("applicability", "after", "said"),
    [
        ("safe", (), "--fix changes it, and no fixed text is recorded"),
        ("safe", (FIXED,), None),
        ("unsafe", (), None),
        ("display", (), None),
    ],
)
def test_the_fix_of_a_bad_example(
    tmp_path: Path, applicability: str, after: tuple[bytes, ...], said: str | None
) -> None:
    """What --fix does must be recorded."""
    write_rule(tmp_path, ("applicability: unsafe", f"applicability: {applicability}"))
    if applicability == "display":
        path = tmp_path / f"{CODE}-{NAME}.yaml"
        text = path.read_text()
        start, end = text.index("      after: |"), text.index("  good:")
        path.write_text(text[:start] + text[end:])
    own = read_own(load(), [str(tmp_path)], None).ruleset
    kind = "fix" if after else "invalid"
    failure = tried(case(own, kind, BIG, lines=(1,), after=after), own)
    assert (failure.message if failure else None) == said


def test_a_finding_elsewhere(own: Ruleset) -> None:
    files = {"examples/scripts/common.sh": b"SIZE=8\n"}
    text = f'source "$(dirname "$0")/common.sh"\n{RUN} --train.micro_batch_size $SIZE\n'
    failure = tried(case(own, "invalid", text, lines=(2,), files=files), own)
    assert failure == Failure("Wrong", "the finding stands on examples/scripts/common.sh:1, not on line 2")


def cases_of(own: Ruleset, *changes: tuple[str, str]) -> list[Case]:
    text = new_files(CODE, NAME, "team")[f"tests/{CODE}.yaml"]
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return file_cases(read("tests/x.yaml", text.encode()), own.rules)


def test_the_cases_of_a_file(own: Ruleset) -> None:
    found = cases_of(own)
    assert [(one.kind, one.name, one.place) for one in found] == [
        ("valid", "a value that nobody knows", "tests/x.yaml:6"),
        ("invalid", "a value of a loop", "tests/x.yaml:12"),
        ("fix", "a knob keeps its name", "tests/x.yaml:22"),
        ("noop", "a knob keeps its name", "tests/x.yaml:22"),
    ]
    assert found[1].note
    assert found[2].after[0].startswith(COMMENT.encode())
    assert [one.quiet for one in found] == [True, False, False, True]


def test_examples_stand_in_their_file(own: Ruleset, tmp_path: Path) -> None:
    rule = own.rules[CODE]
    document: Node = read(rule.file, Path(rule.file).read_bytes())
    lines = Path(rule.file).read_text().splitlines()
    found = list(example_cases(rule, document))
    assert [(one.kind, one.name) for one in found] == [("valid", "good example 1"), ("fix", "bad example 1")]
    assert [lines[int(one.place.rpartition(":")[2]) - 1].strip() for one in found] == [
        "- about: 4 fit.",
        "- about: The flag says so.",
    ]


@pytest.mark.parametrize(
    "path", ["../x.sh", "/etc/x.sh", "a/../../x.sh", ".git/config", "a//b", "./x", "a/./b", "a\nb", ""]
)
@pytest.mark.parametrize("key", ["path", "files", "paths"])
def test_a_tree_ends_at_its_edge(own: Ruleset, path: str, key: str) -> None:
    quoted = '"' + path.replace("\n", "\\n") + '"'
    value = {"path": quoted, "paths": f"[{quoted}]", "files": f"{{{quoted}: x}}"}[key]
    with pytest.raises(RuleError):
        cases_of(own, ("    line: 1\n    note: true", f"    line: 1\n    note: true\n    {key}: {value}"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("rule: TEAM001", "rule: TEAM002", 'rule is "TEAM002", not one of'),
        ("note: true", "note: false", "is true or left out"),
        ("note: true", "notes: true", 'unknown key "notes"; did you mean "note"?'),
        ("note: true", "confidence: sure", 'confidence is "sure", not one of certain, possible'),
        ("note: true", "newline: cr", 'newline is "cr", not one of crlf, lf'),
        ("note: true", "files: {a: x, a/b: y}", "a/b stands below a file"),
        ("note: true", "files: {a: [x]}", "must be text"),
        ("note: true", "files: {" + ", ".join(f"f{n}: x" for n in range(51)) + "}", "more than 50 files"),
        ("    line: 1\n    note", "    line: one\n    note", "must be a whole number"),
        ("    line: 1\n    note", "    line: []\n    note", "must be a list that is not empty"),
        ("    noop: |", "    nop: |", 'unknown key "nop"; did you mean "noop"?'),
        ("\nvalid:\n", "\nvlid:\n", 'unknown key "vlid"; did you mean "valid"?'),
    ],
)
def test_cases_that_cannot_be(own: Ruleset, old: str, new: str, message: str) -> None:
    with pytest.raises(RuleError) as caught:
        cases_of(own, (old, new))
    assert message in str(caught.value)
    assert caught.value.path == "tests/x.yaml"


def test_a_case_file_without_a_case_and_one_with_too_many(own: Ruleset) -> None:
    with pytest.raises(RuleError, match="there is no case"):
        file_cases(read("x.yaml", b"rule: TEAM001\n"), own.rules)
    many = "rule: TEAM001\nvalid:\n" + "- {name: a, code: b}\n" * 201
    with pytest.raises(RuleError, match="more than 200 cases"):
        file_cases(read("x.yaml", many.encode()), own.rules)
    one = "rule: SH001\nfix:\n- {name: a, before: b, line: 1, after: c, noop: d}\n"
    with pytest.raises(RuleError, match="SH001 has no fix"):
        file_cases(read("x.yaml", one.encode()), own.rules)


SEVERAL = """\
fix:
  title: set both
  applicability: safe
  set: {micro_batch_size: 4, packing: 'on', activation_checkpointing: none}
  comment: |
    Both.
"""


def test_a_fix_of_several_settings(tmp_path: Path) -> None:
    """One comment, above the first; what is there is changed, what is not is added, what is right stays."""
    path = write_rule(tmp_path, cases=False)
    text = path.read_text()
    start, end = text.index("# Leave it out"), text.index("why: |")
    text = text[:start] + SEVERAL + text[end:]
    start, end = text.index("      after: |"), text.index("  good:")
    path.write_text(text[:start] + text[end:])
    own = read_own(load(), [str(tmp_path)], None).ruleset
    head, tail = "A=(\n  --data.max_len 8\n", '  --fsdp.ep_size 1\n)\ntorchrun -m molt.cli.train_sft "${A[@]}"\n'
    before = head + "  --model.gradient_checkpoint full\n  --train.micro_batch_size 8\n" + tail
    after = (
        head
        + "  --model.gradient_checkpoint none\n  # Both.\n  --train.micro_batch_size 4\n"
        + tail.replace("1\n)", "1\n  --fsdp.packing_samples\n)")
    )
    assert tried(case(own, "fix", before, lines=(4,), after=(after.encode(),)), own) is None
    right = before.replace("full", "none").replace("  --fsdp", "  --fsdp.packing_samples\n  --fsdp")
    after = right.replace("  --train.micro_batch_size 8", "  # Both.\n  --train.micro_batch_size 4")
    assert tried(case(own, "fix", right, lines=(4,), after=(after.encode(),)), own) is None
