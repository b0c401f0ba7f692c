"""What a user steers check with, through the program itself: modes, listings, statistics, comments, the baseline."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from recipelint.cli.commands import app
from recipelint.settings import Settings, read, resolve

LAUNCH = """#!/bin/bash
torchrun -m molt.cli.train_sft --model.model_name_or_path /m --fsdp.ep_size 8 --model.gradient_checkpoint full
"""
PYTHON = """\
def moe_config(ep_size):
    # ignore_router_for_ac=True: the router's output is kept, so no token changes its expert when the layer is
    # recomputed; otherwise the row counts differ between the passes and the backward ends in a CheckpointError.
    return MoEParallelizerConfig(ignore_router_for_ac=True) if ep_size > 1 else None
"""


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "a.sh").write_text(LAUNCH)
    (tmp_path / "b.sh").write_text(LAUNCH.replace("full", "none"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def invoke(*args: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(app, list(args), input=stdin, catch_exceptions=False)


def refused(*args: str) -> str:
    """What is said of words that are refused."""
    from click import ClickException

    with pytest.raises(ClickException) as caught:
        app.main(list(args), standalone_mode=False)
    assert caught.value.exit_code == 2
    return caught.value.format_message()


# --- selection -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "wrong", "right"),
    [
        ("preview=false", "EP001 error", "ok"),
        ('ignore=["EP001"]', "EP001 ignored", "ok"),
        ('ignore=["ALL"]', "EP001 ignored", "ok"),
        ('per-file-ignores={"a.sh"=["EP"]}', "EP001 ignored", "ok"),
        ('select=["SH"]', "EP001 not selected", "ok"),
        ('select=["SH"]\nignore=["moe"]', "EP001 ignored", "ok"),
        ('select=["EP"]\nignore=["SH"]', "EP001 error", "ok"),
    ],
)
def test_no_recipe_is_ok_because_nobody_looked(tree: Path, key: str, wrong: str, right: str) -> None:
    (tree / "recipelint.toml").write_text(key)
    rows = json.loads(invoke("table", "--format=json").stdout)["rows"]
    assert [row["verdict"]["text"] for row in rows] == [wrong, right]
    verdict = rows[0]["verdict"]
    assert verdict["ignored"] == (["EP001"] if "ignored" in wrong else [])
    assert verdict.get("not_selected") == (["EP001"] if "not selected" in wrong else None)
    assert f"| {wrong} |" in invoke("table", "--format=markdown").stdout
    assert invoke("check", "--exit-zero", "--output-format=concise").stdout.count("EP001") == (wrong == "EP001 error")


def test_what_a_rule_that_is_off_would_need_is_undecided_all_the_same(tree: Path) -> None:
    (tree / "a.sh").write_text(LAUNCH.replace("size 8", 'size "$(nproc)"'))
    table = invoke("table", "--config", 'ignore=["EP001"]', "--columns=verdict", "a.sh").stdout
    assert table.splitlines() == ["verdict", "EP001 undecided"]


def test_what_a_comment_ignores_is_ignored_though_its_rule_is_not_selected(tree: Path) -> None:
    (tree / "a.sh").write_text(LAUNCH.replace("torchrun", "# recipelint: ignore[EP001] padded\ntorchrun"))
    table = invoke("table", "--config", 'select=["RL", "SH"]', "--columns=verdict", "a.sh").stdout
    assert table.splitlines() == ["verdict", "EP001 ignored"]


@pytest.mark.parametrize(
    ("args", "status"),
    [
        ((), 1),
        (("--ignore", "EP001"), 0),
        (("--extend-select", "EP003", "--select", "SH"), 0),
        (("--per-file-ignores", "a.sh:EP001"), 0),
        (("--per-file-ignores", "b.sh:EP001"), 1),
        (("--per-file-ignores", "./a.sh:SH,EP"), 0),
        (("--extend-per-file-ignores", "*.sh:moe"), 0),
        (("--config", "ignore=['EP001']"), 0),
        (("--isolated", "--config", "severity.EP001='info'"), 0),
        (("--config", "severity.EP001='info'", "--fail-level", "info"), 1),
        (("--exit-zero",), 0),
    ],
)
def test_what_is_selected_decides_the_status(tree: Path, args: tuple[str, ...], status: int) -> None:
    assert invoke(*args).exit_code == status


def test_the_command_line_goes_over_what_the_configuration_ignores(tree: Path) -> None:
    (tree / "recipelint.toml").write_text('ignore = ["EP001"]\n')
    assert invoke().exit_code == 0
    assert invoke("--select", "EP001").exit_code == 1
    assert invoke("--extend-select", "EP001").exit_code == 1
    assert invoke("--ignore", "SH").exit_code == 0


def test_a_selector_of_nothing_says_what_gave_it(tree: Path) -> None:
    (tree / "recipelint.toml").write_text('unfixable = ["QQ"]\n[severity]\nEP01 = "info"\n')
    assert refused("a.sh") == "recipelint.toml: unfixable: there is no rule 'QQ'"
    assert refused("--fixable", "ALL", "a.sh").startswith("recipelint.toml: severity: there is no rule 'EP01'; did you")
    assert refused("--isolated", "--extend-per-file-ignores", "a.sh:QQ") == (
        "--extend-per-file-ignores.a.sh: there is no rule 'QQ'"
    )


def test_more_than_one_file_of_configuration(tree: Path) -> None:
    assert refused("--config", "a.toml", "--config", "b.toml") == "--config names more than one file"
    assert "exclude each other" in refused("--isolated", "--config", "a.toml")
    (tree / "odd=name.toml").write_text('ignore = ["EP001"]\n')
    assert invoke("--config", "odd=name.toml").exit_code == 0


# --- fixes -----------------------------------------------------------------------------------------


def test_what_is_not_fixable_is_left_and_not_counted(tree: Path) -> None:
    result = invoke("--fix", "--unfixable", "EP001", "--output-format", "json")
    found = json.loads(result.stdout)
    assert (result.exit_code, found["summary"]["fixed"], found["summary"]["errors"]) == (1, 0, 1)
    assert found["diagnostics"][0]["fix"]["applicability"] == "display"
    assert found["diagnostics"][0]["note"].endswith("the fix is only shown: EP001 is not among the rules to fix")
    assert (tree / "a.sh").read_text() == LAUNCH
    assert "fixable" not in invoke("--fixable", "SH").stdout.splitlines()[-1]
    assert "1 fixable with --fix" in invoke("--fixable", "EP").stdout
    assert invoke("--fix", "--fixable", "EP001").exit_code == 0
    assert "none" in (tree / "a.sh").read_text()


# --- showing ---------------------------------------------------------------------------------------


def test_files_are_shown_one_a_line(tree: Path) -> None:
    (tree / "odd ::error::\n.sh").write_text("")
    (tree / "notes.txt").write_text("")
    result = invoke("--show-files")
    assert (result.exit_code, result.stdout) == (0, "a.sh\nb.sh\nodd :\\x3aerror:\\x3a\\n.sh\n")
    names = json.loads(invoke("--show-files", "--output-format", "json").stdout)["files"]
    assert names == ["a.sh", "b.sh", "odd ::error::\n.sh"]
    assert invoke("--show-files", "--exclude", "a.sh", "-", "b.sh", "--stdin-filename", "c.sh").stdout == "b.sh\nc.sh\n"
    missing = invoke("--show-files", "gone.sh")
    assert (missing.exit_code, missing.stdout) == (2, "")
    assert "gone.sh: no such file" in missing.stderr


def test_only_what_changed_is_shown(tree: Path) -> None:
    git = ("git", "-c", "user.name=n", "-c", "user.email=e@e", "-c", "init.defaultBranch=main")
    (tree / ".git").rmdir()
    for args in (("init", "-q"), ("add", "."), ("commit", "-qm", "first")):
        subprocess.run([*git, *args], check=True)
    assert invoke("--show-files", "--changed-since", "HEAD").stdout == ""
    (tree / "b.sh").write_text(LAUNCH)
    assert invoke("--show-files", "--changed-since", "HEAD").stdout == "b.sh\n"


def test_shown_settings_are_a_configuration(tree: Path) -> None:
    (tree / "recipelint.toml").write_text(
        'paths = ["a.sh"]\nselect = ["EP"]\nbaseline = "known.json"\n'
        'env = {A = "x::y \\u202e\\u001b[1m\\\\\\"", B = ""}\nfail-level = "error"\nautomodel = "0.7.0"\n'
        '[per-file-ignores]\n"b.sh" = ["EP001"]\n[severity]\nEP001 = "info"\n'
    )
    result = invoke("--show-settings", "--unfixable", "EP001", "--config", "preview = true", "--exclude", "old/")
    assert result.exit_code == 0
    shown = result.stdout
    assert "::" not in shown
    assert re.search("[\x1b\u202e]", shown) is None
    assert 'select = ["EP"]  # recipelint.toml: select\n' in shown
    assert 'unfixable = ["EP001"]  # --unfixable\n' in shown
    assert "preview = true  # --config: preview\n" in shown
    assert "args = []  # the default\n" in shown
    assert "# EP001 info (recipelint.toml: severity), not fixed  full-checkpointing-under-ep-dispatcher\n" in shown
    asked = resolve({"unfixable": ("EP001",), "exclude": ("old/",)}, pieces=["preview = true"])
    (tree / "shown.toml").write_text(shown)
    again = read("shown.toml")
    for name in ("root", "origins", "configuration"):
        again.pop(name)
    assert Settings(**again, root=asked.root) == asked


def test_shown_settings_for_programs(tree: Path) -> None:
    (tree / "recipelint.toml").write_text('ignore = ["EP001"]\n')
    args = ("--show-settings", "--output-format", "json", "--extend-select", "EP003", "--ignore", "SH")
    found = json.loads(invoke(*args).stdout)
    assert found["configuration"] == "recipelint.toml"
    assert found["settings"]["ignore"] == {"value": ["EP001"], "from": "recipelint.toml: ignore"}
    assert found["settings"]["severity"] == {"value": {}, "from": "the default"}
    assert found["added"] == {"extend-select": ["EP003"], "ignore": ["SH"]}
    codes = {rule["code"]: rule for rule in found["rules"]}
    assert codes["EP003"] == {
        "code": "EP003",
        "name": "right-only-by-an-overridable-default",
        "severity": "info",
        "fixable": True,
    }
    assert not {"EP001", "SH001"} & set(codes)
    assert '# --extend-select adds: ["EP003"]\n' in invoke(*args[:1], *args[3:]).stdout


# --- statistics ------------------------------------------------------------------------------------


def test_statistics(tree: Path) -> None:
    (tree / "c.sh").write_text(LAUNCH + "# recipelint: ignore[EP002]\n")
    result = invoke("--statistics")
    assert result.exit_code == 1
    assert result.stdout == (
        "2  EP001  [*] full-checkpointing-under-ep-dispatcher\n"
        "1  RL001  [*] unused-ignore\n"
        "Found 2 errors and 1 warning in 3 files, 3 launches; 3 fixable with --fix\n"
    )
    found = json.loads(invoke("--statistics", "--output-format", "json", "--unfixable", "RL001").stdout)
    assert found["statistics"] == [
        {"code": "EP001", "name": "full-checkpointing-under-ep-dispatcher", "count": 2, "fixable": 2},
        {"code": "RL001", "name": "unused-ignore", "count": 1, "fixable": 0},
    ]
    assert "diagnostics" not in found
    assert found["summary"]["errors"] == 2
    fixed = invoke("--statistics", "--fix", "--unfixable", "RL001").stdout
    assert fixed.endswith(
        "1  RL001  [ ] unused-ignore\nFixed 2 problems in 2 files\nFound 1 warning in 3 files, 3 launches\n"
    )
    assert invoke("--statistics", "b.sh").stdout == "No problems in 1 file, 1 launch\n"


def test_statistics_mark_what_only_some_fixes_cure(tree: Path) -> None:
    (tree / "c.sh").write_text(
        "#!/bin/bash\nif [ -e /x ]; then M=full; else M=none; fi\n"
        "torchrun -m molt.cli.train_sft --model.model_name_or_path /m --fsdp.ep_size 8 --model.gradient_checkpoint $M\n"
    )
    assert invoke("--statistics").stdout.startswith("2  EP001  [-] ")
    assert invoke("--statistics", "--unsafe-fixes").stdout.startswith("2  EP001  [*] ")


# --- comments --------------------------------------------------------------------------------------


def test_comments_are_written(tree: Path) -> None:
    result = invoke("--add-ignore=known to work")
    assert (result.exit_code, result.stdout) == (
        0,
        "ignored a.sh:2: EP001\n\nWrote 1 comment in 1 file\nNo problems in 2 files, 2 launches\n",
    )
    said = "# recipelint: ignore[EP001] known to work\n"
    assert (tree / "a.sh").read_text() == LAUNCH.replace("torchrun", f"{said}torchrun")
    again = invoke("--add-ignore")
    assert (again.exit_code, again.stdout) == (0, "No problems in 2 files, 2 launches\n")


def test_comments_for_programs_and_for_standard_input(tree: Path) -> None:
    found = json.loads(invoke("--add-ignore", "--reason", "x", "--output-format", "json").stdout)
    assert found["ignores"] == [{"path": "a.sh", "line": 2, "codes": ["EP001"]}]
    result = invoke("--add-ignore", "-", stdin=LAUNCH)
    assert result.stdout == LAUNCH.replace("torchrun", "# recipelint: ignore[EP001]\ntorchrun")
    assert "Wrote 1 comment" in result.stderr


def test_what_cannot_be_written_stays_a_finding(tree: Path) -> None:
    (tree / "link.sh").symlink_to("a.sh")
    (tree / "sub").mkdir()
    (tree / "c.sh").write_text('#!/bin/bash\nfor i in 1 2; do\n  source "$(dirname "$0")/sub/d.sh"\ndone\n')
    (tree / "sub" / "d.sh").write_text(LAUNCH)
    result = invoke("--add-ignore", "link.sh")
    assert result.exit_code == 2
    assert "link.sh: not written: it is a symbolic link" in result.stderr
    assert "EP001" in result.stdout
    assert (tree / "a.sh").read_text() == LAUNCH
    result = invoke("--add-ignore", "c.sh")
    assert (result.exit_code, (tree / "sub" / "d.sh").read_text()) == (1, LAUNCH), "it was not given"


def test_a_byte_order_mark_is_no_place(tree: Path) -> None:
    """Bash takes it for a part of the first word, so that no comment can stand before that."""
    text = "\ufeffecho; " + LAUNCH.partition("\n")[2]
    (tree / "a.sh").write_text(text, "utf-8")
    result = invoke("--add-ignore")
    assert (result.exit_code, "EP001" in result.stdout, "ignored" in result.stdout) == (1, True, False)
    assert (tree / "a.sh").read_text("utf-8") == text


@pytest.mark.parametrize(
    ("head", "reason", "status"),
    [
        ("", "weil es so ist: ä", 0),
        ("# -*- coding: latin-1 -*-\n", "weil es so ist: ä", 1),
        ("#!/usr/bin/env python\n# coding: ascii\n", "so", 0),
        ("#!/usr/bin/env python\n# coding: ascii\n", "ä", 1),
    ],
)
def test_python(tree: Path, head: str, reason: str, status: int) -> None:
    text = head + PYTHON
    (tree / "args.py").write_bytes(text.encode("ascii"))
    assert "DOC001" in invoke("--select", "DOC001", "args.py").stdout
    result = invoke("--select", "DOC001", "--add-ignore", "--reason", reason, "args.py")
    assert result.exit_code == status
    new = (tree / "args.py").read_text("utf-8")
    assert [line for line in new.splitlines() if "recipelint" not in line] == text.splitlines()
    assert ("recipelint" in new) == (status == 0)
    compile(new.encode(), "args.py", "exec")


@pytest.mark.parametrize("reason", ["", "  ", "a\nb", "\x1b[1m", "\u202e", "a\\"])
def test_a_reason_is_one_line_of_text(tree: Path, reason: str) -> None:
    said = "must be text in one line, without a backslash at its end"
    assert refused("--add-ignore", "--reason", reason) == f"Invalid value for '--reason': {said}"
    assert refused(f"--add-ignore={reason}") == f"Invalid value for '--add-ignore': {said}"


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (
            ("--add-ignore", "two words", "."),
            "two words: no such file or folder; nothing is written; a reason is given as --add-ignore='two words'",
        ),
        (("--add-ignore", "."), ""),
        (("--add-ignore", ".", "gone.sh"), "gone.sh: no such file or folder; nothing is written"),
        (("--write-baseline", "known.json", ".", "gone"), "gone: no such file or folder; nothing is written"),
        (("--write-baseline", "known.json", "."), ""),
    ],
)
def test_nothing_is_written_where_a_path_is_not_there(tree: Path, args: tuple[str, ...], said: str) -> None:
    before = {path: path.read_bytes() for path in tree.rglob("*") if path.is_file()}
    result = invoke(*args)
    after = {path: path.read_bytes() for path in tree.rglob("*") if path.is_file()}
    if said:
        assert (result.exit_code, result.stderr, after) == (2, f"Error: {said}\n", before)
    else:
        assert (result.exit_code, result.stderr) == (0, "")
        assert after != before


def test_what_is_there_is_fixed_where_another_path_is_not(tree: Path) -> None:
    result = invoke("--fix", ".", "gone.sh")
    assert (result.exit_code, "gone.sh: no such file or folder" in result.stderr) == (2, True)
    assert (tree / "a.sh").read_text() != LAUNCH


def test_a_reason_that_is_another_options_value(tree: Path) -> None:
    assert invoke("--arg", "--add-ignore=x", "a.sh").exit_code == 1
    assert (tree / "a.sh").read_text() == LAUNCH
    assert "gone" in invoke("--", "--add-ignore=gone").stderr


# --- the baseline ----------------------------------------------------------------------------------


def test_a_baseline(tree: Path) -> None:
    assert invoke("--write-baseline", "known.json").stdout == (
        "Wrote 1 finding to known.json, 1 new\n"
        'next: name it in the configuration: baseline = "known.json"; or give --baseline known.json\n'
    )
    assert invoke("--write-baseline", "known.json", "-q").stdout == "Wrote 1 finding to known.json\n"
    result = invoke("--baseline", "known.json")
    assert (result.exit_code, result.stdout) == (0, "No new problems in 2 files, 2 launches; 1 in the baseline\n")
    (tree / "c.sh").write_text(LAUNCH)
    result = invoke("--baseline", "known.json", "--output-format", "concise")
    assert result.exit_code == 1
    assert result.stdout.startswith("c.sh:2:")
    assert result.stdout.endswith("Found 1 error in 3 files, 3 launches; 1 fixable with --fix; 1 in the baseline\n")


def test_what_is_stale(tree: Path) -> None:
    invoke("--write-baseline", "known.json")
    (tree / "a.sh").write_text(LAUNCH.replace("full", "none"))
    result = invoke("--baseline", "known.json")
    assert result.exit_code == 0
    assert result.stdout.startswith("stale a.sh: EP001 is in known.json, and no longer found: expert_parallel_size 8 ")
    assert result.stdout.endswith("No problems in 2 files, 2 launches; 1 stale in the baseline\n")
    assert invoke("--baseline", "known.json", "--fail-on-stale").exit_code == 1
    assert invoke("--baseline", "known.json", "--fail-on-stale", "--exit-zero").exit_code == 0
    found: dict[str, Any] = json.loads(invoke("--baseline", "known.json", "--output-format", "json").stdout)
    assert [(one["code"], one["path"]) for one in found["stale"]] == [("EP001", "a.sh")]
    assert (found["summary"]["baselined"], found["summary"]["stale"]) == (0, 1)
    done = json.loads(invoke("--write-baseline", "known.json", "--output-format", "json").stdout)
    assert done["baseline"] == {"path": "known.json", "findings": 0, "added": 0, "removed": 1}


def test_a_file_that_was_moved(tree: Path) -> None:
    invoke("--write-baseline", "known.json")
    (tree / "sub").mkdir()
    (tree / "a.sh").rename(tree / "sub" / "b.sh")
    hint = (
        "1 stale entry says what is new under another path; if files were moved, write the baseline again: "
        "--write-baseline known.json"
    )
    result = invoke("--baseline", "known.json")
    assert result.exit_code == 1
    assert hint in result.stdout.splitlines()
    (tree / "a.sh").write_text((tree / "b.sh").read_text())  # it was changed, and is still there
    assert hint not in invoke("--baseline", "known.json").stdout
    (tree / "a.sh").unlink()
    (tree / "sub" / "b.sh").unlink()  # it is gone, and nothing is new
    assert hint not in invoke("--baseline", "known.json").stdout


def test_a_baseline_of_the_configuration(tree: Path) -> None:
    (tree / "recipelint.toml").write_text('baseline = "known.json"\n')
    assert refused("a.sh").startswith("known.json: there is no such baseline")
    assert invoke("--write-baseline", "known.json").stdout == "Wrote 1 finding to known.json, 1 new\n"
    other = invoke("--write-baseline", "sub dir.json").stdout
    assert other.endswith("baseline = \"sub dir.json\"; or give --baseline 'sub dir.json'\n")
    outside = invoke("--write-baseline", "../known.json").stdout
    assert outside.splitlines()[-1] == "next: give --baseline ../known.json"
    assert invoke().exit_code == 0
    assert invoke("--no-baseline").exit_code == 1
    table = invoke("table", "--columns", "recipe,verdict").stdout
    assert "EP001 in the baseline" in table
    command = ("torchrun", *LAUNCH.split()[2:])
    assert invoke("check-command", "--", *command).exit_code == 1
    assert invoke("show").exit_code == 0


def test_an_unusable_baseline(tree: Path) -> None:
    (tree / "x.json").write_text("{")
    assert refused("--baseline", "x.json").startswith("x.json: is no baseline: ")
    assert refused("--write-baseline", "a.sh").startswith("a.sh: is no baseline: ")
    assert (tree / "a.sh").read_text() == LAUNCH


@pytest.mark.parametrize(
    ("args", "pair"),
    [
        (("--fix", "--diff"), "--fix and --diff"),
        (("--fix", "--add-ignore"), "--fix and --add-ignore"),
        (("--add-ignore", "--write-baseline", "x"), "--add-ignore and --write-baseline"),
        (("--show-files", "--show-settings"), "--show-files and --show-settings"),
        (("--statistics", "--show-files"), "--statistics and --show-files"),
        (("--statistics", "--add-ignore"), "--statistics and --add-ignore"),
        (("--baseline", "x", "--no-baseline"), "--baseline and --no-baseline"),
        (("--baseline", "x", "--write-baseline", "x"), "--baseline and --write-baseline"),
    ],
)
def test_what_excludes_each_other(tree: Path, args: tuple[str, ...], pair: str) -> None:
    assert refused(*args) == f"{pair} exclude each other"


def test_what_needs_another_option(tree: Path) -> None:
    assert refused("--reason", "x") == "--reason is for --add-ignore"
    assert refused("--write-baseline", "x", "-") == "--write-baseline is for files, not for standard input"
