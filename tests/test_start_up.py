"""A commit waits for the hook: what a run over one launcher loads, told without a clock; `make bench` has times."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.readme_blocks import FIXTURES, ROOT

HOOK = ["check", "--force-exclude", "--"]
CLEAN = "examples/scripts/slurm/sft_qwen3_4b.sh"
WRONG = "examples/scripts/slurm/sft_omni3_30b.sh"
HEAVY = """
    argparse asyncio bashlex click concurrent csv ctypes dataclasses difflib email fractions gzip html http
    importlib.metadata importlib.resources inspect libcst logging lzma multiprocessing pathlib pickle platform pygls
    random rich ruamel shutil socket ssl statistics subprocess tempfile tomli tomllib unittest urllib watchfiles xml
    yaml zipfile
""".split()
NOT_FOR_CHECK = """
    recipelint.checks.claims recipelint.checks.guard recipelint.fixer recipelint.logs recipelint.python.tree
    recipelint.report.diff recipelint.report.json_ recipelint.report.show recipelint.report.table
    recipelint.ruleset.compile recipelint.ruleset.document recipelint.ruleset.failures recipelint.verify
    recipelint.writing
""".split()


@pytest.fixture
def launchers(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FIXTURES, tmp_path / "molt"))


def loaded(code: str, folder: Path) -> set[str]:
    """The modules that are loaded when some code has run."""
    code = f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n{code}\nsys.stderr.write(' '.join(sys.modules))"
    given = {name: value for name, value in os.environ.items() if not name.startswith("RECIPELINT_")}
    given["XDG_CACHE_HOME"] = str(folder / ".cache")
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=given, capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


def hook(path: str, folder: Path) -> set[str]:
    """What the hook loads for one launcher."""
    start = f"sys.argv = {['recipelint', *HOOK, path]}\nfrom recipelint.cli import main\n"
    return loaded(f"{start}try:\n    main()\nexcept SystemExit as end:\n    assert end.code in (0, 1)", folder)


@pytest.mark.parametrize("path", [CLEAN, WRONG])
def test_the_hook_loads_nothing_that_one_launcher_does_not_need(path: str, launchers: Path) -> None:
    before = loaded("", launchers)
    ours = hook(path, launchers) - before
    assert "recipelint.linter" in ours
    assert not {name for name in ours for heavy in HEAVY if name == heavy or name.startswith(f"{heavy}.")}
    assert not ours & set(NOT_FOR_CHECK)


def test_the_hook_loads_no_library(launchers: Path) -> None:
    ours = hook(WRONG, launchers) - loaded("", launchers)
    assert {name.partition(".")[0] for name in ours} - set(sys.stdlib_module_names) == {"recipelint"}


def test_the_names_above_are_modules(tmp_path: Path) -> None:
    code = f"import importlib.util as u\nassert all(u.find_spec(name) for name in {NOT_FOR_CHECK})"
    assert loaded(code, tmp_path)
