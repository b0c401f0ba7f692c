"""The index says what the YAML says, is the same bytes everywhere, and is used only while it is fresh."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from recipelint.ruleset import load
from recipelint.ruleset.compile import build_index, compile_index
from recipelint.ruleset.document import RuleError
from recipelint.ruleset.index import read_index

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "rules"


def installed(folder: Path, index: bool = True) -> Path:
    """A copy of the package as a wheel has it, without the YAML."""
    shutil.copytree(ROOT / "recipelint", folder / "recipelint", ignore=shutil.ignore_patterns("__pycache__", "_rules*"))
    if index:
        compile_index(RULES, folder / "recipelint" / "_rules.json")
    return folder


def python(folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_index_and_the_yaml_are_the_same_rules(tmp_path: Path) -> None:
    compile_index(RULES, tmp_path / "index.json")
    index = read_index(str(tmp_path / "index.json"))
    assert index == build_index(RULES)
    assert index is not None
    assert load.ruleset_from(index) == load.load_folder(RULES) == load.load()


def test_the_index_is_deterministic(tmp_path: Path) -> None:
    copy = shutil.copytree(RULES, tmp_path / "rules")
    for number, file in enumerate(sorted(copy.rglob("*.yaml"), reverse=True)):
        os.utime(file, (number, number))
    compile_index(RULES, tmp_path / "one.json")
    compile_index(copy, tmp_path / "other.json")
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "other.json").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.json", "other.json", "rules"]


def test_a_wrong_file_writes_no_index(tmp_path: Path) -> None:
    copy = shutil.copytree(RULES, tmp_path / "rules")
    (copy / "settings.yaml").write_text("settings: {}\n")
    with pytest.raises(RuleError):
        compile_index(copy, tmp_path / "index.json")
    assert not (tmp_path / "index.json").exists()


def test_an_installed_package_reads_no_yaml(tmp_path: Path) -> None:
    code = (
        "import sys; from recipelint.ruleset.load import load; print(*load().rules); "
        "print(*sorted({name.split('.')[0] for name in sys.modules} & {'ruamel', 'click', 'rich'}))"
    )
    done = python(installed(tmp_path), code)
    assert done.stdout.splitlines()[0].split() == sorted(load.load_folder(RULES).rules), done.stderr
    assert done.stdout.splitlines()[1] == "", "something that reads YAML is imported"


def test_a_stranger_of_the_same_name_beside_an_installed_package(tmp_path: Path) -> None:
    installed(tmp_path)
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "settings.yaml").write_text("nothing of ours\n")
    assert python(tmp_path, "from recipelint.ruleset.load import load; load()").returncode == 0


def test_a_broken_installation(tmp_path: Path) -> None:
    done = python(installed(tmp_path, index=False), "from recipelint.ruleset.load import load; load()")
    assert "NoRules" in done.stderr


@pytest.mark.parametrize("text", ["", "{", "[]", '{"version": 0}'])
def test_an_index_that_cannot_be_used(tmp_path: Path, text: str) -> None:
    (tmp_path / "index.json").write_text(text)
    assert read_index(str(tmp_path / "index.json")) is None


def test_a_checkout_whose_rules_have_changed_reads_them_again(tmp_path: Path) -> None:
    installed(tmp_path)
    shutil.copytree(RULES, tmp_path / "rules")
    (tmp_path / "pyproject.toml").touch()
    code = (
        "import sys; from recipelint.ruleset.load import load; "
        "print(load().rules['EP001'].status, 'ruamel' in sys.modules)"
    )
    assert python(tmp_path, code).stdout == "stable False\n"
    for file in (tmp_path / "rules").rglob("EP001*"):
        file.write_text(file.read_text("utf-8").replace("status: stable", "status: preview"), "utf-8")
    assert python(tmp_path, code).stdout == "preview True\n"


def test_the_build_needs_nothing_but_ruamel(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from recipelint.ruleset.compile import compile_index; "
        f"compile_index(Path({str(RULES)!r}), Path({str(tmp_path / 'index.json')!r})); "
        "print(*sorted({name.split('.')[0] for name in sys.modules if 'site-packages' in "
        "(getattr(sys.modules[name], '__file__', '') or '')} - {'ruamel', 'sitecustomize'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not [name for name in done.stdout.split() if not name.startswith("_")]


def test_every_flag_of_a_setting_is_listed() -> None:
    molt = json.loads(json.dumps(load.load().frameworks["molt"]))
    for entry in molt["entry_points"].values():
        flags = {flag for group in entry["flags"].values() for flag in group}
        assert {setting["flag"] for setting in entry["settings"].values() if "flag" in setting} <= flags
