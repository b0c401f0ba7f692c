"""What is shipped: the two distributions, an install of the wheel, the checkout's `make demo`."""

from __future__ import annotations

import ast
import re
import shutil
import sys
import tarfile
import zipfile
from importlib.metadata import requires
from pathlib import Path

import recipelint
from tests.shipped import ROOT, run

FIXTURES = ROOT / "tests" / "fixtures" / "molt"
WRONG = "examples/scripts/slurm/sft_omni3_30b.sh"
OPTIONAL = {"watchfiles"}
"""What is imported only where an extra is installed."""


def test_wheel_holds_the_package_and_the_compiled_rules(distributions: tuple[Path, Path]) -> None:
    names = zipfile.ZipFile(distributions[1]).namelist()
    assert {"recipelint/_rules.json", "recipelint/py.typed", "recipelint/cli/__init__.py"} <= set(names)
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    assert f"recipelint-{recipelint.__version__}.data/data/share/man/man1/recipelint.1" in names
    strange = [
        n for n in names if not re.match(r"recipelint(-[\d.]+\.(dist-info|data))?/", n) or n.endswith((".yaml", ".yml"))
    ]
    assert not strange


def test_sdist_holds_every_source_file(checkout: Path, distributions: tuple[Path, Path]) -> None:
    with tarfile.open(distributions[0]) as archive:
        shipped = {name.partition("/")[2] for name in archive.getnames()}
    assert set(run("git", "ls-files", cwd=checkout).splitlines()) - shipped == set()
    assert "recipelint/_rules.json" not in shipped


def test_installed_wheel_lints_without_reading_yaml(installed: Path, tmp_path: Path) -> None:
    shutil.copytree(FIXTURES, tmp_path, dirs_exist_ok=True)
    script = (
        "import sys\n"
        "from recipelint.ruleset.load import load\n"
        "assert 'EP001' in load().rules\n"
        "assert not [name for name in sys.modules if name.startswith('ruamel')]\n"
    )
    run(installed / "python", "-c", script, cwd=tmp_path)
    assert run(installed / "recipelint", "--version", cwd=tmp_path).split()[-1] == recipelint.__version__
    assert "EP001" in run(installed / "python", "-m", "recipelint", WRONG, cwd=tmp_path, status=1)
    run(installed / "recipelint", "--fix", WRONG, cwd=tmp_path)
    run(installed / "recipelint", WRONG, cwd=tmp_path)
    assert (installed.parent / "share" / "man" / "man1" / "recipelint.1").is_file()


def test_fresh_clone_makes_its_demo(checkout: Path, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    run("git", "clone", "--quiet", checkout, clone)
    first = run("make", "demo", f"PYTHON={sys.executable}", cwd=clone)
    assert "EP001" in first
    assert (clone / "recipelint" / "_rules.json").exists()
    second = run("make", "--dry-run", "demo", cwd=clone)
    assert "venv" not in second.replace(f"{clone}/.venv/bin", "")
    assert run("git", "status", "--porcelain", cwd=clone) == ""


SERVER = {"pygls", "lsprotocol"}
"""What the extra of that name brings; nothing but the package of that name imports it."""


def test_the_dependencies_are_what_is_imported() -> None:
    declared = {
        re.split(r"[^\w-]", line)[0].removesuffix("-yaml")
        for line in requires("recipelint") or ()
        if "extra ==" not in line
    }
    imported: set[str] = set()
    for path in (ROOT / "recipelint").rglob("*.py"):
        found: set[str] = set()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found.update(alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module.partition(".")[0])
        imported |= found - SERVER if path.parent.name == "server" else found
    assert imported - set(sys.stdlib_module_names) - {"recipelint"} - OPTIONAL | {"tomli"} == declared
