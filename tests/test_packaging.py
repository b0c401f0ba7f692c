"""What is shipped: the two distributions, an install of the wheel, the checkout's `make demo`, the pre-commit hooks."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.metadata import requires
from pathlib import Path

import pytest

import recipelint

ROOT = Path(__file__).parent.parent
FIXTURES = ROOT / "tests" / "fixtures" / "molt"
WRONG = "examples/scripts/slurm/sft_omni3_30b.sh"
PIP = ("-m", "pip", "install", "-qq", "--disable-pip-version-check")
NOT_SHIPPED = shutil.ignore_patterns(".git", ".venv", ".*_cache", ".hypothesis", "__pycache__", "dist", "_rules.json")


def run(*argv: str | Path, cwd: Path | None = None, status: int = 0) -> str:
    """What a command prints; it must end with the given status. No variable of an outer make or git reaches it."""
    env = {k: v for k, v in os.environ.items() if not re.match(r"MAKE|MFLAGS|GIT_|VIRTUAL_ENV|PYTHON|COV_", k)}
    done = subprocess.run(argv, cwd=cwd, env=env, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == status, f"{argv} → {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def install(folder: Path, *what: str | Path) -> Path:
    """A new environment with something installed; its folder of programs."""
    run(sys.executable, "-m", "venv", folder)
    run(folder / "bin" / "python", *PIP, *what)
    return folder / "bin"


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources as a fresh clone would have them, committed."""
    folder = Path(shutil.copytree(ROOT, tmp_path_factory.mktemp("checkout") / "recipelint", ignore=NOT_SHIPPED))
    git = ("git", "-c", "user.name=Test", "-c", "user.email=test@example.invalid", "-c", "commit.gpgsign=false")
    run("git", "init", "--quiet", cwd=folder)
    run("git", "add", ".", cwd=folder)
    run(*git, "commit", "--quiet", "--message=A checkout", cwd=folder)
    return folder


@pytest.fixture(scope="module")
def distributions(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The sdist, and the wheel that is built from it."""
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--outdir", out, cwd=checkout)
    return next(out.glob("*.tar.gz")), next(out.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(distributions: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment that has nothing but the wheel and what it asks for."""
    return install(tmp_path_factory.mktemp("installed") / "venv", distributions[1])


def test_wheel_holds_the_package_and_the_compiled_rules(distributions: tuple[Path, Path]) -> None:
    names = zipfile.ZipFile(distributions[1]).namelist()
    assert {"recipelint/_rules.json", "recipelint/py.typed", "recipelint/cli/__init__.py"} <= set(names)
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    strange = [
        n for n in names if not re.match(r"recipelint(-[\d.]+\.dist-info)?/", n) or n.endswith((".yaml", ".yml"))
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


def test_fresh_checkout_makes_its_demo(checkout: Path) -> None:
    first = run("make", "demo", f"PYTHON={sys.executable}", cwd=checkout)
    assert "EP001" in first
    assert (checkout / "recipelint" / "_rules.json").exists()
    second = run("make", "--dry-run", "demo", cwd=checkout)
    assert "venv" not in second.replace(f"{checkout}/.venv/bin", "")
    assert run("git", "status", "--porcelain", cwd=checkout) == ""


@pytest.mark.parametrize("hook", ["recipelint", "recipelint-fix"])
def test_pre_commit_hook_stops_a_wrong_recipe(
    hook: str, checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path.parent / "pre-commit"))
    folder = Path(shutil.copytree(FIXTURES, tmp_path / "repository"))
    run("git", "init", "--quiet", cwd=folder)
    run("git", "add", ".", cwd=folder)
    report = run(sys.executable, "-m", "pre_commit", "try-repo", checkout, hook, "--all-files", cwd=folder, status=1)
    if hook == "recipelint":
        assert "EP001" in report
        assert run("git", "diff", "--name-only", cwd=folder) == ""
    else:
        assert "files were modified by this hook" in report
        assert WRONG in run("git", "diff", "--name-only", cwd=folder).splitlines()


def test_pre_commit_hook_checks_a_folder_whatever_is_in_the_commit(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As README.md has it for launchers that source a common file; and what is excluded stays out of every hook."""
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path.parent / "pre-commit"))
    folder = Path(shutil.copytree(FIXTURES, tmp_path / "repository"))
    commit = run("git", "rev-parse", "HEAD", cwd=checkout).strip()
    config = folder / ".pre-commit-config.yaml"
    hooks = "hooks: [{id: recipelint, args: [examples/scripts], pass_filenames: false}]"
    config.write_text(f"repos:\n- {{repo: '{checkout}', rev: {commit}, {hooks}}}\n")
    (folder / "common.sh").touch()
    run("git", "init", "--quiet", cwd=folder)
    run("git", "add", ".", cwd=folder)
    precommit = (sys.executable, "-m", "pre_commit", "run")
    assert WRONG in run(*precommit, "--files", "common.sh", cwd=folder, status=1)
    config.write_text(config.read_text().replace(hooks, "hooks: [{id: recipelint}]"))
    assert WRONG in run(*precommit, "--files", WRONG, cwd=folder, status=1)
    (folder / "recipelint.toml").write_text('exclude = ["slurm/"]\n')
    assert "1 file excluded" in run(*precommit, "--verbose", "--files", WRONG, cwd=folder)


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
    assert imported - set(sys.stdlib_module_names) - {"recipelint"} | {"tomli"} == declared
