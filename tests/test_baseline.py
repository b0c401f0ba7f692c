"""The baseline: what it keeps quiet, what it calls stale and what not, and what may stand in its file."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from recipelint import run
from recipelint.baseline import BaselineError, read, render
from recipelint.discovery import discover
from recipelint.outcome import Outcome
from recipelint.settings import Settings, resolve

FULL = """#!/bin/bash
torchrun -m molt.cli.train_sft --model.model_name_or_path /m \\
  --fsdp.ep_size 8 \\
  --model.gradient_checkpoint full
"""
NONE = FULL.replace("full", "none")
IGNORED = FULL.replace("torchrun", "# recipelint: ignore[EP001] known\ntorchrun")
FILE = "baseline.json"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two wrong launchers, a.sh and sub/b.sh, and a right one."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "sub").mkdir()
    for name, text in {"a.sh": FULL, "sub/b.sh": FULL, "right.sh": NONE}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(*paths: str, baseline: str = FILE, **settings: Any) -> Outcome:
    given = Settings(paths=paths or (".",), baseline=baseline, **settings)
    return run.check(given, discover(given)[0])


def write(*paths: str, file: str = FILE, **settings: Any) -> Outcome:
    return check(*paths, baseline="", write_baseline=file, **settings)


def found(outcome: Outcome) -> tuple[list[str], list[str], list[str]]:
    """The files with a new finding, with a quiet one, and with a stale entry."""
    return (
        [one.location.path for one in outcome.diagnostics],
        [one.location.path for one in outcome.baselined],
        [one.path for one in outcome.stale],
    )


def entries() -> list[dict[str, Any]]:
    plain = json.loads(Path(FILE).read_text())
    assert list(plain) == ["version", "fingerprints", "root", "findings"]
    listed: list[dict[str, Any]] = plain["findings"]
    return listed


def test_old_findings_are_quiet_and_new_ones_are_not(tree: Path) -> None:
    written = write().written
    assert written is not None
    assert (written.findings, written.added, written.removed) == (2, 2, 0)
    assert found(check()) == ([], ["a.sh", "sub/b.sh"], [])
    (tree / "c.sh").write_text(FULL)
    (tree / "a.sh").write_text(FULL.replace("torchrun", "# moved\n\ntorchrun"))
    assert found(check()) == (["c.sh"], ["a.sh", "sub/b.sh"], [])


def test_the_file(tree: Path) -> None:
    write()
    assert [(one["path"], one["code"], len(one["fingerprint"])) for one in entries()] == [
        ("a.sh", "EP001", 32),
        ("sub/b.sh", "EP001", 32),
    ]
    assert "the first backward pass fails" in entries()[0]["message"]
    first = Path(FILE).read_bytes()
    assert first.count(b"\n    {") == 2, "a line for each finding"
    (tree / "a.sh").write_text(FULL.replace("torchrun", "# moved\n\ntorchrun"))
    write()
    assert Path(FILE).read_bytes() == first


def test_a_fixed_finding_is_stale(tree: Path) -> None:
    write()
    (tree / "a.sh").write_text(NONE)
    outcome = check()
    assert found(outcome) == ([], ["sub/b.sh"], ["a.sh"])
    assert outcome.stale[0].code == "EP001"
    done = write().written
    assert done is not None
    assert (done.findings, done.added, done.removed) == (1, 0, 1)


@pytest.mark.parametrize(
    ("paths", "settings"),
    [
        pytest.param(("sub",), {}, id="another folder"),
        pytest.param(("right.sh",), {}, id="another file"),
        pytest.param((".",), {"ignore": ("EP001",)}, id="a rule that is off"),
        pytest.param((".",), {"exclude": ("a.sh",)}, id="an excluded file"),
    ],
)
def test_what_was_not_looked_at_is_not_stale(tree: Path, paths: tuple[str, ...], settings: dict[str, Any]) -> None:
    write()
    (tree / "a.sh").write_text(NONE)
    assert check(*paths, **settings).stale == ()
    before = Path(FILE).read_bytes()
    write(*paths, **settings)
    assert Path(FILE).read_bytes() == before, "nor is it lost when the baseline is written again"


def test_an_unreadable_file_is_not_stale(tree: Path) -> None:
    write()
    (tree / "a.sh").write_bytes(b"\0")
    outcome = check()
    assert (len(outcome.unreadable), outcome.stale) == (1, ())


def test_a_file_that_is_gone_is_stale_where_its_folder_was_searched(tree: Path) -> None:
    write()
    (tree / "sub" / "b.sh").unlink()
    assert found(check())[2] == ["sub/b.sh"]
    assert found(check("sub"))[2] == ["sub/b.sh"]
    assert found(check("a.sh"))[2] == []


def test_a_finding_that_a_comment_ignores_is_stale(tree: Path) -> None:
    write()
    (tree / "a.sh").write_text(IGNORED)
    assert found(check()) == ([], ["sub/b.sh"], ["a.sh"])


def test_equal_findings_are_counted(tree: Path) -> None:
    write()
    (tree / "a.sh").write_text(FULL + FULL.partition("\n")[2])
    assert found(check("a.sh")) == (["a.sh"], ["a.sh"], [])


def test_a_finding_in_a_sourced_file_hangs_on_the_launchers_that_lead_to_it(tree: Path) -> None:
    (tree / "a.sh").write_text(
        '#!/bin/bash\nsource "$(dirname "$0")/sub/common.sh"\ntorchrun -m molt.cli.train_sft --fsdp.ep_size 8 \\\n'
        "  --model.model_name_or_path /m --model.gradient_checkpoint $MODE\n"
    )
    (tree / "sub" / "common.sh").write_text("MODE=full\n")
    write()
    (entry,) = (one for one in entries() if one["path"] == "sub/common.sh")
    assert entry["via"] == ["a.sh"]
    assert found(check("sub/common.sh")) == ([], [], [])
    assert found(check("a.sh")) == ([], ["sub/common.sh"], [])
    (tree / "sub" / "common.sh").write_text("MODE=none\n")
    assert found(check("sub/common.sh"))[2] == []
    assert found(check("a.sh"))[2] == ["sub/common.sh"]


def test_fixes_leave_quiet_findings_alone(tree: Path) -> None:
    write("a.sh")
    outcome = check(fix=True)
    assert [one.path for one in outcome.fixed] == ["sub/b.sh"]
    assert (tree / "a.sh").read_text() == FULL
    assert found(outcome) == ([], ["a.sh"], [])


def test_comments_are_written_for_new_findings_alone(tree: Path) -> None:
    write("a.sh")
    outcome = check(add_ignore=True)
    assert [one.path for one in outcome.ignored] == ["sub/b.sh"]
    assert (tree / "a.sh").read_text() == FULL


def test_it_holds_from_every_folder(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write()
    monkeypatch.chdir(tree / "sub")
    assert found(check("..", baseline="../baseline.json"))[:2] == ([], ["../a.sh", "../sub/b.sh"])
    (tree / "a.sh").write_text(NONE)
    assert found(check("..", baseline="../baseline.json"))[2] == ["../a.sh"]
    before = (tree / FILE).read_bytes()
    (tree / "a.sh").write_text(FULL)
    write("..", file="../baseline.json")
    assert (tree / FILE).read_bytes() == before


def test_paths_count_from_the_repository_wherever_the_file_is(tree: Path) -> None:
    (tree / "ci").mkdir()
    write(file="ci/known.json")
    plain = json.loads((tree / "ci" / "known.json").read_text())
    assert (plain["root"], plain["findings"][0]["path"]) == ("..", "a.sh")
    assert found(check(baseline="ci/known.json"))[0] == []


def test_the_configuration_names_it(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write()
    (tree / "recipelint.toml").write_text('baseline = "baseline.json"\nfail-on-stale = true\n')
    monkeypatch.chdir(tree / "sub")
    settings = resolve({"paths": (".",)})
    assert (settings.baseline, settings.fail_on_stale) == ("../baseline.json", True)
    assert resolve({"baseline": ""}).baseline == ""


def finding(text: str) -> str:
    """A baseline with one finding."""
    return f'{{"version": 1, "fingerprints": "v1", "findings": [{text}]}}'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is no baseline: Expecting value"),
        ("<<<<<<< HEAD\n", "has the conflict of a merge in it; take one side (git checkout --ours baseline.json)"),
        ('{"version": 1,\r\n>>>>>>> other\r\n', "has the conflict of a merge in it"),
        (">>>>>>>>", "is no baseline: Expecting value"),
        ("[]", "is no baseline of recipelint"),
        ('{"findings": []}', "is no baseline of recipelint"),
        ('{"version": 2, "findings": []}', "is of version 2; this recipelint reads version 1"),
        ('{"version": true, "findings": []}', "is of version True"),
        ('{"version": 1, "findings": []}', "has fingerprints of another kind"),
        ("[" * 100_000, "is no baseline: "),
        ("\0", "is binary"),
        ('{"version": 1, "fingerprints": "v1", "root": "/", "findings": []}', "root must be a path"),
        (finding("1"), "finding 1 must have path, code, fingerprint, message, as text"),
        (finding('{"path": 1, "code": "", "fingerprint": "", "message": ""}'), "finding 1 must have"),
        (finding('{"path": "\\u0000", "code": "", "fingerprint": "", "message": ""}'), "a path of finding 1 is none"),
        (
            finding('{"path": "", "code": "", "fingerprint": "", "message": "", "via": "x"}'),
            "via of finding 1 must be a list of paths",
        ),
    ],
)
def test_what_is_no_baseline_is_refused_and_never_overwritten(tree: Path, text: str, message: str) -> None:
    Path(FILE).write_bytes(text.encode())
    with pytest.raises(BaselineError) as caught:
        check()
    assert str(caught.value).startswith(f"{FILE}: {message}")
    with pytest.raises(BaselineError, match=f"^{FILE}: "):
        write()
    assert Path(FILE).read_bytes() == text.encode()


def test_a_file_that_is_none(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BaselineError, match=r"there is no such baseline; --write-baseline baseline\.json makes it"):
        check()
    Path("folder").mkdir()
    with pytest.raises(BaselineError, match=r"^folder: is a folder$"):
        check(baseline="folder")
    os.mkfifo("fifo")
    with pytest.raises(BaselineError, match=r"^fifo: is a FIFO"):
        check(baseline="fifo")
    with pytest.raises(BaselineError, match=r"^gone/x\.json: not written: No such file"):
        write(file="gone/x.json")
    monkeypatch.setattr("recipelint.baseline.MAX_SIZE", 1 << 20)
    Path(FILE).write_text(" " * ((1 << 20) + 1))
    with pytest.raises(BaselineError, match="is larger than 1 MiB"):
        check()


def test_no_symbolic_link_is_written_through(tree: Path) -> None:
    write(file="real.json")
    before = Path("real.json").read_bytes()
    Path(FILE).symlink_to("real.json")
    (tree / "c.sh").write_text(FULL)
    with pytest.raises(BaselineError, match="not written: it is a symbolic link"):
        write()
    assert Path("real.json").read_bytes() == before


@pytest.mark.parametrize("there", [False, True])
def test_no_folder_that_leads_elsewhere_is_written_to(there: bool, tree: Path, tmp_path_factory: Any) -> None:
    away = tmp_path_factory.mktemp("away")
    (away / ".git").mkdir()
    (tree / "linked").symlink_to(away)
    if there:
        write("a.sh")
        (away / FILE).write_bytes((tree / FILE).read_bytes())
    with pytest.raises(BaselineError, match="not written: it is reached through a folder that leads elsewhere"):
        write(".", file=f"linked/{FILE}")
    assert sorted(os.listdir(away)) == [".git", *[FILE] * there]
    (tree / "inside").symlink_to("sub")
    write(".", file=f"inside/{FILE}")
    assert (tree / "sub" / FILE).is_file()


def test_what_is_read_is_what_was_written(tree: Path) -> None:
    (tree / "odd ::error::\u202e\n.sh").write_text(FULL)
    write()
    data = Path(FILE).read_bytes()
    assert data.isascii()
    assert b"::" not in data
    assert render(read(FILE)) == data
    assert len(found(check())[1]) == 3


def test_nothing_found(tree: Path) -> None:
    write("right.sh")
    assert entries() == []
    assert Path(FILE).read_text().endswith('"findings": []\n}\n')
    assert found(check("right.sh")) == ([], [], [])
