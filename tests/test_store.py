"""What is kept on the disk is taken only as it was put there, by this user, under that name; nothing of it fails."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from recipelint import store
from recipelint.store import DAY, KEPT, SUFFIX, Store
from tests.readme_blocks import ROOT

VALUE = {"a": [1, 2.5, None, True, "\udc80\u202e"], "b": {"c": []}}


@pytest.fixture
def kept(tmp_path: Path) -> Store:
    return Store(str(tmp_path / "c"), str(tmp_path / "c"))


def entry(kept: Store, name: str) -> Path:
    return Path(kept.path(name))


def test_a_value_comes_back_also_to_another_run(kept: Store) -> None:
    assert kept
    assert kept.get("one") is None
    kept.put("one", VALUE)
    assert kept.get("one") == VALUE
    assert Store(kept.folder, kept.folder).get("one") == VALUE
    assert stat.S_IMODE(entry(kept, "one").stat().st_mode) == 0o600
    assert stat.S_IMODE(os.stat(os.path.join(kept.folder, "key")).st_mode) == 0o600


def test_the_newer_value_counts_and_nothing_else_is_left(kept: Store) -> None:
    kept.put("one", 1)
    kept.put("one", 2)
    assert kept.get("one") == 2
    assert sorted(os.listdir(kept.folder)) == [".gitignore", "CACHEDIR.TAG", "key", f"one{SUFFIX}", "swept"]


@pytest.mark.parametrize(
    "harm",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data[:20],
        lambda data: data + b" ",
        lambda data: data.replace(b"1", b"2"),
        lambda data: b"0" * 40 + data[40:],
        lambda data: b"\0" * 100,
        lambda data: data.partition(b"\n")[2],
    ],
)
def test_what_is_damaged_is_not_there(kept: Store, harm: object) -> None:
    kept.put("one", [1, 1])
    path = entry(kept, "one")
    path.write_bytes(harm(path.read_bytes()))  # type: ignore[operator]
    assert kept.get("one") is None
    kept.put("one", [3])
    assert kept.get("one") == [3]


def test_an_entry_under_another_name_is_not_there(kept: Store) -> None:
    kept.put("one", 1)
    entry(kept, "two").write_bytes(entry(kept, "one").read_bytes())
    assert kept.get("two") is None


def test_an_entry_with_the_seal_of_another_secret_is_not_there(kept: Store, tmp_path: Path) -> None:
    theirs = Store(kept.folder, str(tmp_path / "theirs"))
    theirs.put("one", "poison")
    assert theirs.get("one") == "poison"
    assert kept.get("one") is None


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o606])
def test_a_secret_that_others_can_read_seals_nothing(kept: Store, mode: int) -> None:
    kept.put("one", 1)
    os.chmod(os.path.join(kept.folder, "key"), mode)
    other = Store(kept.folder, kept.folder)
    assert not other
    assert other.get("one") is None


@pytest.mark.parametrize("data", [b"", b"short", b"x" * 33])
def test_a_secret_of_another_size_seals_nothing(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "key").write_bytes(data)
    (tmp_path / "key").chmod(0o600)
    assert not Store(str(tmp_path), str(tmp_path))
    assert (tmp_path / "key").read_bytes() == data


def test_symbolic_links_are_not_followed(kept: Store, tmp_path: Path) -> None:
    kept.put("one", 1)
    real = tmp_path / "elsewhere"
    os.rename(kept.path("one"), real)
    os.symlink(real, kept.path("one"))
    assert kept.get("one") is None
    before = real.read_bytes()
    kept.put("one", 2)
    assert (real.read_bytes(), kept.get("one")) == (before, 2)
    assert not entry(kept, "one").is_symlink()


def test_a_fifo_holds_nobody_up(kept: Store) -> None:
    os.mkfifo(kept.path("one"))
    assert kept.get("one") is None


@pytest.mark.parametrize("folder", ["file", "file/below", "missing\0", "/proc/nowhere"])
def test_a_folder_that_cannot_be_used_keeps_nothing(tmp_path: Path, folder: str) -> None:
    (tmp_path / "file").write_text("")
    used = Store(str(tmp_path / folder) if "\0" not in folder else str(tmp_path), str(tmp_path / folder))
    used.put("one", 1)
    assert not used
    assert used.get("one") is None
    assert os.listdir(tmp_path) == ["file"] or "\0" in folder


def test_after_a_write_that_failed_nothing_more_is_kept(kept: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    kept.put("one", 1)
    assert not kept
    assert [name for name in os.listdir(kept.folder) if SUFFIX in name] == []


def test_once_a_day_what_nobody_asked_for_goes(kept: Store) -> None:
    for name in ("old", "used", "new"):
        kept.put(name, name)
    (Path(kept.folder) / "theirs").write_text("not ours")
    long_ago = store.now() - KEPT - 10
    for path in (kept.path("old"), kept.path("used"), os.path.join(kept.folder, "theirs")):
        os.utime(path, (long_ago, long_ago))
    assert kept.get("used") == "used"
    again = Store(kept.folder, kept.folder)
    assert again.get("old") == "old"  # the day is not over
    os.utime(kept.path("old"), (long_ago, long_ago))
    yesterday = store.now() - DAY - 10
    os.utime(os.path.join(kept.folder, "swept"), (yesterday, yesterday))
    again = Store(kept.folder, kept.folder)
    assert [again.get(name) for name in ("old", "used", "new")] == [None, "used", "new"]
    assert (Path(kept.folder) / "theirs").exists()


def test_runs_at_the_same_time_do_not_harm_each_other(kept: Store) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\nfrom recipelint.store import Store\n"
        f"kept = Store({kept.folder!r}, {kept.folder!r})\n"
        "for turn in range(200):\n"
        "    kept.put('one', ['x' * 5000, 'x' * 5000])\n"
        "    found = kept.get('one')\n"
        "    assert found is None or found == ['x' * 5000, 'x' * 5000]\n"
        "assert kept"
    )
    running = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(4)]
    assert [one.wait() for one in running] == [0] * 4
    assert kept.get("one") == ["x" * 5000] * 2


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"XDG_CACHE_HOME": "/x", "HOME": "/h"}, "/x/recipelint"),
        ({"XDG_CACHE_HOME": "relative", "HOME": "/h"}, "/h/.cache/recipelint"),
        ({"HOME": "/h"}, "/h/.cache/recipelint"),
        ({"HOME": "relative"}, ""),
        ({}, ""),
    ],
)
@pytest.mark.skipif(sys.platform == "darwin", reason="another folder there")
def test_the_folder_of_the_user(environment: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "environ", environment)
    assert store.user_folder() == expected


def test_a_name_tells_parts_apart() -> None:
    assert len({store.digest(*parts) for parts in ([b"ab", b"c"], [b"a", b"bc"], [b"abc"], [b"abc", b""])}) == 4
