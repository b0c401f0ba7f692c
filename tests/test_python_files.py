"""Python files in a run: which are looked into, how they count, what ignores findings, and what verifies a fix."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from recipelint import run
from recipelint.discovery import discover
from recipelint.fix import CodeChange
from recipelint.outcome import Outcome
from recipelint.python.verify import difference
from recipelint.settings import Settings

CLAIM = "# ignore_router_for_ac=True prevents CheckpointError.\nconfig = Config(ignore_router_for_ac=True)\n"
RIGHT = "#!/bin/bash\ntorchrun -m molt.cli.train_sft --model.model_name_or_path /m\n"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(*paths: str, **options: object) -> Outcome:
    settings = Settings(paths=paths or (".",), **options)  # type: ignore[arg-type]
    return run.check(settings, discover(settings).files)


def recipelint(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "recipelint", *words]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)


def test_files_of_both_languages_are_counted(tree: Path) -> None:
    (tree / "a.sh").write_text(RIGHT)
    (tree / "b.py").write_text("print()\n")
    (tree / "c.py").write_text(CLAIM)
    outcome = check()
    assert (outcome.files, len(outcome.launchers), len(outcome.python), outcome.passed) == (3, 1, 1, 1)
    assert (
        recipelint("--exit-zero").stdout.splitlines()[-1]
        == "Found 1 warning in 3 files, 1 launch; 1 fixable with --fix"
    )
    assert recipelint("b.py").stdout == "No problems in 1 file, 0 launches\n"


def test_show_and_table_say_nothing_of_python(tree: Path) -> None:
    (tree / "a.sh").write_text(RIGHT)
    (tree / "c.py").write_text(CLAIM)
    for command in ("show", "table"):
        alone, both = recipelint(command, "a.sh"), recipelint(command, "a.sh", "c.py")
        assert (both.returncode, both.stdout, both.stderr) == (0, alone.stdout, "")
        assert "c.py" not in recipelint(command, ".").stdout


def test_a_file_with_the_shebang_of_a_shell_is_a_launcher_whatever_it_is_called(tree: Path) -> None:
    (tree / "launch.py").write_text(RIGHT)
    outcome = check()
    assert [len(launcher.launches) for launcher in outcome.launchers] == [1]
    assert recipelint("show", "launch.py").stdout.startswith("launch.py\n")


def test_python_that_nobody_named_may_be_huge_or_no_text(tree: Path) -> None:
    (tree / "huge.py").write_bytes(b"#" * (2 * 1024 * 1024 + 1))
    (tree / "data.py").write_bytes(b"\0")
    outcome = check()
    assert (outcome.files, outcome.unreadable) == (2, ())
    assert [one.reason for one in check("huge.py", "data.py").unreadable] == ["is larger than 2 MiB", "is binary"]


def test_standard_input_can_be_python(tree: Path) -> None:
    done = recipelint("-", "--stdin-filename", "pkg/a.py", "--fix", stdin=CLAIM)
    assert done.returncode == 0
    assert done.stdout.startswith("# ignore_router_for_ac=True keeps")
    assert done.stdout.endswith("config = Config(ignore_router_for_ac=True)\n")


def test_an_ignore_that_hides_nothing_is_reported_and_removed(tree: Path) -> None:
    (tree / "a.py").write_text('x = "# recipelint: ignore[DOC001]"\ny = 1  # recipelint: ignore[DOC001] why\n')
    outcome = check()
    assert [(one.code, one.location.start.line) for one in outcome.diagnostics] == [("RL001", 2)]
    assert not check(fix=True).diagnostics
    assert (tree / "a.py").read_text() == 'x = "# recipelint: ignore[DOC001]"\ny = 1\n'


def test_the_configuration_can_leave_it_out(tree: Path) -> None:
    (tree / "a.py").write_text(CLAIM)
    assert not check(per_file_ignores=(("*.py", ("DOC001",)),)).diagnostics
    assert not check(ignore=("python",)).diagnostics
    assert check(exclude=("*.py",)).files == 0


def test_a_file_in_which_no_rule_looks_for_anything_is_not_parsed(tree: Path) -> None:
    for number in range(50):
        (tree / f"m{number}.py").write_text("def broken(:\n")
    code = (
        "import sys; from recipelint import run; from recipelint.discovery import discover; "
        "from recipelint.settings import Settings; s = Settings(paths=('.',)); "
        "print(run.check(s, discover(s).files).files, *sorted({'libcst', 'tokenize', 'recipelint.python.tree', "
        "'recipelint.checks.guard', 'recipelint.checks.claims'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split()[0] == "50"
    assert not {"libcst", "recipelint.python.tree", "recipelint.checks.guard"} & set(done.stdout.split())


def test_libcst_is_imported_for_a_fix_alone(tree: Path) -> None:
    (tree / "a.py").write_text(CLAIM)
    for fix in (False, True):
        code = (
            "import sys; from recipelint import run; from recipelint.discovery import discover; "
            f"from recipelint.settings import Settings; s = Settings(paths=('.',), fix={fix}); "
            "print(len(run.check(s, discover(s).files).diagnostics), 'libcst' in sys.modules)"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout.split() == (["0", "True"] if fix else ["1", "False"])


F = CodeChange("a.py", "check")


@pytest.mark.parametrize(
    ("before", "after", "declared"),
    [
        ("x = 1\n", "x = 1  # one\n", []),
        ("x = 1\n", "\n\n# one\nx=1", []),
        ("a = parse()\n", "def check(a):\n    return a\n\n\na = parse()\ncheck(a)\n", [F]),
        ("from m import a, b\nb(a)\n", "from m import a, check, b\nb(a)\ncheck(a)\n", [F]),
        ("from m import a\na()\n", "from m import (\n    a,\n    check,\n)\na()\n", [F]),
        ("a()\n", "a()\nfrom m import check\ncheck(a)\n", [F]),
        ("def f():\n    'one'\n    return 1\n", "def f():\n    'two'\n    return 1\n", [CodeChange("a.py")]),
    ],
)
def test_what_a_fix_declares_may_come(before: str, after: str, declared: list[CodeChange]) -> None:
    assert difference(before.encode(), after.encode(), declared) == ""


@pytest.mark.parametrize(
    ("before", "after", "declared"),
    [
        ("x = 1\n", "x = 2\n", []),
        ("x = 1\n", "x = 1\ncheck(x)\n", []),
        ("x = 1\n", "x = 1\nother(x)\n", [F]),
        ("x = 1\n", "x = 1\ny = check(x)\n", [F]),
        ("x = 1\n", "import check\nx = 1\n", [F]),
        ("x = 1\n", "x = = 1\n", []),
        ("x = 1\n", "return 1\n", [F]),
        ("def f():\n    'one'\n    return 1\n", "def f():\n    'two'\n    return 1\n", []),
        ("def f():\n    'one'\n    return 'a'\n", "def f():\n    'two'\n    return 'b'\n", [CodeChange("a.py")]),
        ("from m import a\n", "from n import a, check\n", [F]),
    ],
)
def test_what_it_does_not_declare_may_not(before: str, after: str, declared: list[CodeChange]) -> None:
    assert difference(before.encode(), after.encode(), declared) != ""
