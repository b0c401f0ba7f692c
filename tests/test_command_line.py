"""check-command and run: the verdict on a command line and the present environment, and what is started by it."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from recipelint.report.command import pasteable

ROOT = Path(__file__).parent.parent
RECIPELINT = [sys.executable, "-m", "recipelint"]
# Keeps its words, its environment and its dispositions, NUL by NUL, and copies its standard input.
STUB = """#!/bin/bash
{ printf '%s\\0' "$0" "$@"; } > "$RECORD.words"
cat /proc/self/environ > "$RECORD.environ"
grep SigIgn /proc/self/status > "$RECORD.signals"
cat
echo said >&2
exit 7
"""
TRAIN = ["torchrun", "--standalone", "--nproc_per_node=4", "-m", "molt.cli.train_sft"]
FLAGS = ["--model.model_name_or_path", "/models/moe", "--fsdp.ep_size", "4", "--model.gradient_checkpoint", "full"]
WRONG = [*TRAIN, *FLAGS, "--model.lora.target_modules", "*_proj", "*experts"]
CURED = [word if word != "full" else "none" for word in WRONG]


class Done(NamedTuple):
    status: int
    out: str
    err: str


class Place:
    """A working directory in a repository, with stubs of torchrun and python3 first in the PATH."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.record = folder / "record"
        (folder / "bin").mkdir()
        (folder / "repo" / ".git").mkdir(parents=True)
        self.repo = folder / "repo"
        for name in ("torchrun", "python3"):
            self.program(folder / "bin" / name, STUB)
        self.env = {
            "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "RECORD": str(self.record),
            "HOME": str(folder),
            "LC_ALL": "C.UTF-8",
        }

    def program(self, path: Path, text: str, mode: int = 0o755) -> None:
        path.write_text(text)
        path.chmod(mode)

    def do(
        self, *args: str | bytes, env: Mapping[str, str] | None = None, cwd: Path | None = None, stdin: bytes = b""
    ) -> Done:
        done = subprocess.run(
            [*RECIPELINT, *args],
            env={**self.env, **(env or {})},
            cwd=cwd or self.repo,
            input=stdin,
            capture_output=True,
        )
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    def words(self) -> list[bytes] | None:
        """The words, after its name, that a stub was started with."""
        file = self.folder / "record.words"
        return file.read_bytes().split(b"\0")[1:-1] if file.exists() else None


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


# --- the verdict -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dashes", [["--"], []])
def test_a_command_that_cannot_run_is_refused_with_its_cure(place: Place, dashes: list[str]) -> None:
    done = place.do("check-command", *dashes, *WRONG)
    assert done.status == 1
    assert "error[EP001]" in done.out
    assert "<command line>:1:" in done.out
    assert shlex.split(done.out.splitlines()[-1]) == CURED
    assert "#" not in done.out.splitlines()[-1]
    assert done.err == ""


def test_the_cure_has_nothing_wrong_with_it(place: Place) -> None:
    done = place.do("check-command", "--", *CURED)
    assert done == Done(0, "No problems in 1 launch\n", "")


def test_an_absent_flag_is_added(place: Place) -> None:
    done = place.do("check-command", "-q", "--", *TRAIN, "--model.model_name_or_path", "/m", "--fsdp.ep_size", "4")
    added = ["--model.model_name_or_path", "/m", "--model.gradient_checkpoint", "none", "--fsdp.ep_size", "4"]
    assert done.status == 1
    assert shlex.split(done.out.splitlines()[-1]) == [*TRAIN, *added]


def test_inside_a_string_that_another_shell_reads(place: Place) -> None:
    done = place.do("check-command", "--", "srun", "-N1", "bash", "-lc", shlex.join(WRONG))
    assert done.status == 1
    assert shlex.split(done.out.splitlines()[-1]) == ["srun", "-N1", "bash", "-lc", shlex.join(CURED)]


@pytest.mark.parametrize(("dispatcher", "status"), [("torch", 0), ("deepep", 1), ("uccl_ep", 0), ("", 1)])
def test_the_present_environment_counts(place: Place, dispatcher: str, status: int) -> None:
    assert place.do("check-command", "--", *WRONG, env={"MOLT_MOE_DISPATCHER": dispatcher}).status == status


def test_env_adds_to_the_present_environment_and_goes_over_it(place: Place) -> None:
    args = ("check-command", "--env", "MOLT_MOE_DISPATCHER=torch", "--", *WRONG)
    assert place.do(*args, env={"MOLT_MOE_DISPATCHER": "hybridep"}).status == 0


def test_an_option_after_the_dashes_is_the_commands(place: Place) -> None:
    assert place.do("check-command", "--", *WRONG, "--env", "MOLT_MOE_DISPATCHER=torch").status == 1
    assert place.do("check-command", *WRONG, "--exit-zero").status == 1
    assert place.do("check-command", "--exit-zero", *WRONG).status == 0


def test_wrappers_come_for_free(place: Place) -> None:
    assert place.do("check-command", "--", "env", "MOLT_MOE_DISPATCHER=torch", *WRONG).status == 0
    assert place.do("check-command", "--", "nohup", "env", "-u", "MOLT_MOE_DISPATCHER", *WRONG).status == 1


def test_select_ignore_and_fail_level(place: Place) -> None:
    assert place.do("check-command", "--ignore", "EP001", "--", *WRONG).status == 0
    assert place.do("check-command", "--select", "SH", "--", *WRONG).status == 0
    assert place.do("check-command", "--select", "EP002x", "--", *WRONG).status == 2
    assert place.do("check-command", "--fail-level", "error", "--", *WRONG).status == 1


def test_the_configuration_of_the_working_directory_counts(place: Place) -> None:
    (place.repo / "recipelint.toml").write_text('ignore = ["EP001"]\n')
    assert place.do("check-command", "--", *WRONG).status == 0
    assert place.do("check-command", "--isolated", "--", *WRONG).status == 1


def test_the_revision_of_automodel_may_be_given(place: Place) -> None:
    assert place.do("check-command", "--automodel", "a3aa09bc", "--", *WRONG).out.startswith("error[EP001]")
    done = place.do("run", "--automodel", "67393519", "--fail-level", "error", "--", *WRONG)
    assert (done.status, done.err.splitlines()[0].split(":")[0]) == (
        7,
        "warning[EP001] full-checkpointing-under-ep-dispatcher",
    )


def test_variables_and_arguments_of_the_configuration_are_not_those_of_the_command(place: Place) -> None:
    config = 'args = ["--model.gradient_checkpoint", "none"]\n[env]\nMOLT_MOE_DISPATCHER = "torch"\n'
    (place.repo / "recipelint.toml").write_text(config)
    assert place.do("check-command", "--", *WRONG).status == 1
    assert (place.do("run", "--", *WRONG).status, place.words()) == (1, None)


def test_a_launcher_is_followed_from_where_the_command_stands(place: Place) -> None:
    scripts = place.repo / "examples" / "scripts"
    scripts.mkdir(parents=True)
    (scripts / "x.sh").write_text('source "$(dirname "$0")/../common.sh"\n' + shlex.join(TRAIN) + " $ARGS\n")
    (place.repo / "examples" / "common.sh").write_text(f'ARGS="{" ".join(FLAGS[:4])} ${{EXTRA:-}}"\n')
    absolute = str(scripts / "x.sh")
    for cwd, script in ((place.repo, "examples/scripts/x.sh"), (scripts.parent, "scripts/x.sh"), (scripts, absolute)):
        done = place.do("check-command", "--output-format", "concise", "--", "bash", script, cwd=cwd)
        assert done.status == 1, script
        assert "x.sh:2:" in done.out
        clean = {"EXTRA": "--model.gradient_checkpoint none"}
        assert place.do("check-command", "--", "bash", script, cwd=cwd, env=clean).status == 0


def test_an_absolute_path_through_a_symbolic_link_is_followed(place: Place) -> None:
    (place.repo / "x.sh").write_text(shlex.join(WRONG) + "\n")
    (place.folder / "link").symlink_to(place.repo)
    link = place.folder / "link"
    assert place.do("check-command", "--", "bash", f"{link}/x.sh", env={"PWD": str(link)}).status == 1


def test_a_launcher_outside_the_tree_is_not_read(place: Place) -> None:
    (place.folder / "x.sh").write_text(shlex.join(WRONG) + "\n")
    done = place.do("check-command", "--", "bash", str(place.folder / "x.sh"))
    assert done.status == 0
    assert "launches no trainer that recipelint knows" in done.err


def test_an_ignore_comment_of_a_followed_launcher_counts(place: Place) -> None:
    (place.repo / "x.sh").write_text("# recipelint: ignore[EP001] the image has the fix\n" + shlex.join(WRONG) + "\n")
    assert place.do("check-command", "--", "bash", "x.sh").status == 0


def test_what_is_wrong_with_a_comment_keeps_no_command_from_running(place: Place) -> None:
    comments = "# recipelint: ignore[EP001] there is nothing to ignore\n# full checkpointing is safe under hybridep\n"
    (place.repo / "x.sh").write_text(comments + shlex.join(WRONG) + "\n")
    torch = {"MOLT_MOE_DISPATCHER": "torch"}
    assert place.do("check", "--env", "MOLT_MOE_DISPATCHER=torch", "x.sh").status == 1
    assert place.do("run", "--", "bash", "x.sh", env=torch) == Done(7, "", "said\n")


def test_a_command_without_a_known_trainer(place: Place) -> None:
    done = place.do("check-command", "--", "ls", "-l")
    assert done == Done(0, "", "recipelint: this command launches no trainer that recipelint knows\n")


@pytest.mark.parametrize("command", ["check-command", "run"])
@pytest.mark.parametrize("words", [[], ["--"], ["A=1", *WRONG], ["--no-such-option", *WRONG]])
def test_what_is_no_command_is_an_error(place: Place, command: str, words: list[str]) -> None:
    done = place.do(command, *words)
    assert done.status == 2
    assert done.err.startswith("recipelint: error: ")
    assert place.words() is None


def test_json_has_the_command_and_the_cure(place: Place) -> None:
    found = json.loads(place.do("check-command", "--output-format", "json", "--", *WRONG).out)
    assert [one["code"] for one in found["diagnostics"]] == ["EP001"]
    assert found["command"]["argv"] == WRONG
    assert found["cure"] == {"argv": CURED, "text": shlex.join(CURED), "fixes": ["EP001"], "applicability": "safe"}
    (edit,) = found["diagnostics"][0]["fix"]["edits"]
    assert found["command"]["text"].encode()[edit["start"] : edit["end"]] == b"full"
    assert json.loads(place.do("check-command", "--output-format", "json", "--", *CURED).out)["cure"] is None


# --- words that are hostile ------------------------------------------------------------------------------------------

HOSTILE = [
    b"a\nb",
    b"\x1b[2J\x1b]0;x\x07",
    b"::error::x",
    b"\xff\xfe",
    "é\u202e".encode(),
    b"",
    b"'\"\\$(id)`id`",
    b"~",
    b"#",
]


def test_hostile_words_are_inert_in_the_output(place: Place) -> None:
    done = place.do("check-command", "--", *WRONG, "--data.dataset", *HOSTILE)
    assert done.status == 1
    assert all(char.isprintable() or char == "\n" for char in done.out + done.err)
    assert "::error" not in done.out


def test_the_cure_can_be_pasted_whatever_is_in_it(place: Place) -> None:
    words = [os.fsdecode(word) for word in HOSTILE]
    done = subprocess.run(["bash", "-c", f"printf '%s\\0' {pasteable(words)}"], capture_output=True, check=True)
    assert done.stdout.split(b"\0")[:-1] == HOSTILE


def test_hostile_words_arrive_as_they_were_given(place: Place) -> None:
    done = place.do("run", "--", *CURED, *HOSTILE, b"--", b"--env")
    assert done.status == 7
    assert place.words() == [*(word.encode() for word in CURED[1:]), *HOSTILE, b"--", b"--env"]


# --- run -------------------------------------------------------------------------------------------------------------


def test_run_starts_nothing_that_cannot_run(place: Place) -> None:
    done = place.do("run", "--", *WRONG)
    assert (done.status, done.out) == (1, "")
    assert "error[EP001]" in done.err
    assert shlex.split(done.err.splitlines()[-1]) == CURED
    assert place.words() is None


def test_run_takes_the_place_of_recipelint(place: Place) -> None:
    given = {"MOLT_MOE_DISPATCHER": "torch", "EMPTY": "", "ODD": "é\n\udcff"}
    done = place.do("run", *WRONG, env=given, stdin=b"in\0put")
    assert done == Done(7, "in\0put", "said\n")
    assert place.words() == [word.encode() for word in WRONG[1:]]
    found = dict(entry.split(b"=", 1) for entry in (place.folder / "record.environ").read_bytes().split(b"\0") if entry)
    expected = {os.fsencode(name): os.fsencode(value) for name, value in {**place.env, **given}.items()}
    # The stub's shell sets these for the program that reads them.
    assert {name: value for name, value in found.items() if name not in (b"PWD", b"SHLVL", b"_", b"OLDPWD")} == expected


def test_run_adds_no_locale_and_ignores_no_signal(place: Place) -> None:
    place.env.pop("LC_ALL")
    assert place.do("run", "--", *CURED).status == 7
    assert b"LC_CTYPE" not in (place.folder / "record.environ").read_bytes()
    ignored = int((place.folder / "record.signals").read_text().split()[1], 16)
    assert not ignored & (1 << (signal.SIGPIPE - 1) | 1 << (signal.SIGXFSZ - 1)), "those that Python ignores"


def test_run_starts_what_it_does_not_know_and_says_so(place: Place) -> None:
    done = place.do("run", "--", "python3", "train.py")
    assert (done.status, done.err) == (7, "recipelint: this command launches no trainer that recipelint knows\nsaid\n")
    assert place.words() == [b"train.py"]
    assert place.do("run", "-q", "--", "python3", "train.py").err == "said\n"


def test_run_fails_as_a_shell_would(place: Place) -> None:
    place.program(place.repo / "plain", "", 0o644)
    for word, status, said in (
        ("no-such-program", 127, "command not found"),
        ("./no-such-program", 127, "No such file or directory"),
        ("", 127, "command not found"),
        ("./plain", 126, "Permission denied"),
        ("./", 126, "Permission denied"),
    ):
        done = place.do("run", "-q", "--", word)
        assert (done.status, done.out) == (status, ""), word
        assert done.err == f"recipelint: {word}: {said}\n"


def test_run_has_no_env_option(place: Place) -> None:
    done = place.do("run", "--env", "MOLT_MOE_DISPATCHER=torch", *WRONG)
    assert (done.status, place.words()) == (2, None)
    assert place.do("run", "env", "MOLT_MOE_DISPATCHER=torch", *WRONG).status == 7
