"""A folder of rules is a stranger's: whatever stands in it ends in a clear line, and nothing outside of it is read."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from recipelint.ruleset import own_files
from recipelint.ruleset.document import RuleError
from recipelint.ruleset.load import load_for
from recipelint.ruleset.own_files import CASES, FRAMEWORKS, RULE, SETTINGS, contents
from recipelint.ruleset.own_files import own_files as find
from recipelint.settings import Settings, SettingsError, resolve
from tests.own_rules import RULE as FILE
from tests.own_rules import write_rule

BOMB = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration that names an empty folder `r`."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "r").mkdir()
    (tmp_path / "recipelint.toml").write_text('rules = ["r"]\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def message() -> str:
    """What is wrong with the rules of the configuration; empty if nothing is."""
    try:
        load_for(resolve({}))
    except RuleError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (BOMB, "r/x.yaml:1: anchors and aliases are not allowed"),
        ("a: 1\nb: &anchor 2\n", "r/x.yaml:2: anchors and aliases are not allowed"),
        ("a: " + "[" * 30000, "r/x.yaml:1: nested deeper than 24"),
        ("\n".join(" " * at + "a:" for at in range(200)), "r/x.yaml:25: nested deeper than 24"),
        ("a: " + "x" * 70000, "r/x.yaml: more than 65536 bytes"),
        ("a: !!python/object/apply:os.system [true]\n", "r/x.yaml:1: tags are not allowed"),
        ("a: 1\na: 2\n", 'r/x.yaml:2: duplicate key "a"'),
        (b"a: 1\nb: \xff\n", "r/x.yaml:2: not UTF-8"),
        (b"a\0: 1\n", "r/x.yaml: is binary"),
        (b"\xff\xfea\0", "r/x.yaml: is UTF-16; save it as UTF-8"),
        ("", "r/x.yaml:1: must be a mapping"),
        ("- a\n", "r/x.yaml:1: must be a mapping"),
        ("a: 1\n---\nb: 2\n", "r/x.yaml:3: more than one document"),
        ("? [a]\n: b\n", "r/x.yaml:1: a key must be text"),
        ("1: a\n", "r/x.yaml:1: a key must be text"),
        ('a: "\\ud800"\n', "r/x.yaml:1: half of a surrogate pair is no character"),
        ('a: "\\U99999999"\n', "r/x.yaml:1: has an escape that stands for no character"),
        ('a: "\\U00110000"\n', "r/x.yaml:1: has an escape that stands for no character"),
        ("a:\n\tb: c\n", "r/x.yaml:2: found character '\\t' that cannot start any token"),
        ("%YAML 9.9\n---\na: 1\n", "r/x.yaml:1: found incompatible YAML document (version 1.* is required)"),
        ("code: TEAM001\n", 'r/x.yaml:1: the file has no "name"'),
    ],
)
def test_files_that_are_no_rules(root: Path, data: str | bytes, said: str) -> None:
    (root / "r" / "x.yaml").write_bytes(data if isinstance(data, bytes) else data.encode())
    assert message() == said


def test_the_files_of_a_folder_hold_a_bounded_number_of_values(root: Path) -> None:
    write_rule(root / "r")
    assert message() == ""
    (root / "r" / "x.yaml").write_text("a: [" + "b, " * 20000 + "]")
    (root / "r" / "y.yaml").write_text("a: [" + "b, " * 20000 + "]")
    (root / "r" / "z.yaml").write_text("a: [" + "b, " * 20000 + "]")
    assert message() == "r/z.yaml:1: too many keys and values"


def fill(folder: Path, count: int, ending: str, size: int = 0) -> None:
    for number in range(count):
        (folder / f"x{number:05}{ending}").write_text("#" * size)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda r: os.mkfifo(r / FILE), f"r/{FILE}: is a FIFO, not a file"),
        (lambda r: (r / FILE).symlink_to("/etc/passwd"), f"r/{FILE}: is a symbolic link that leads out of ."),
        (lambda r: (r / FILE).symlink_to("../../x.yaml"), f"r/{FILE}: is a symbolic link that leads out of ."),
        (lambda r: (r / FILE).symlink_to(FILE), f"r/{FILE}: Too many levels of symbolic links"),
        (lambda r: (r / FILE).symlink_to("gone.yaml"), f"r/{FILE}: No such file or directory"),
        (lambda r: (r / "in").symlink_to("/etc"), "r/in: is a symbolic link to a folder; name that folder itself"),
        (lambda r: (r / "in").symlink_to("."), "r/in: is a symbolic link to a folder; name that folder itself"),
        (lambda r: (r / "a/b/c/d/e").mkdir(parents=True), "r/a/b/c/d/e: folders are nested deeper than 4"),
        (lambda r: fill(r, 10_000, ".yaml"), "r: more than 4000 files and folders"),
        (lambda r: fill(r, 10_000, ".md"), "r: more than 4000 files and folders"),
        (lambda r: fill(r, 501, ".yaml"), "r: more than 500 files"),
        (
            lambda r: fill(r, 20, ".yaml", 60000),
            "r/x00017.yaml: the files of the rules come to more than 1048576 bytes",
        ),
    ],
)
def test_folders_that_are_none(root: Path, make: Callable[[Path], object], said: str) -> None:
    make(root / "r")
    assert message().removeprefix("recipelint.toml: rules: ") == said


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("..", "is outside the folder of the configuration"),
        ("/etc", "is outside the folder of the configuration"),
        ("link", "is outside the folder of the configuration"),
        ("a\\u0000b", "is no path"),
    ],
)
def test_places_outside(root: Path, name: str, said: str) -> None:
    (root / "link").symlink_to("/etc")
    (root / "recipelint.toml").write_text(f'rules = ["{name}"]\n')
    with pytest.raises(SettingsError, match=r"recipelint\.toml: rules: .*" + said):
        resolve({})


def test_what_is_named_and_not_there(root: Path) -> None:
    (root / "notes.md").write_text("x")
    for name, said in (("gone", "gone: no such file or folder"), ("notes.md", "notes.md: a rule file ends in .yaml")):
        (root / "recipelint.toml").write_text(f'rules = ["{name}"]\n')
        assert message() == f"recipelint.toml: rules: {said}"
        with pytest.raises(RuleError, match=f"^--rules: {said}$"):
            load_for(resolve({"rules": (name,)}))


def test_an_empty_folder_and_links_inside(root: Path) -> None:
    assert message() == ""
    write_rule(root / "kept", cases=False).rename(root / "kept" / "rule.yaml")
    (root / "r" / FILE).symlink_to("../kept/rule.yaml")
    assert message() == ""
    assert "TEAM001" in load_for(resolve({})).rules
    # A folder of the command line is a world of its own: its links stay in it.
    (root / "kept" / FILE).symlink_to("../r/none.yaml")
    (root / "kept" / "rule.yaml").unlink()
    with pytest.raises(RuleError, match="is a symbolic link that leads out of kept"):
        load_for(resolve({"rules": ("kept",)}))


def test_kinds(root: Path) -> None:
    for name in (
        *("a.yaml", "in/b.yml", "in/deep/c.yaml", "settings.yaml", "in/settings.yaml", "frameworks/f.yaml"),
        *("in/frameworks/g.yaml", "tests/t.yaml", "in/tests/u.yaml", "a.cases.yaml", ".d.yaml", ".in/e.yaml", "f.json"),
    ):
        path = root / "r" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("a: 1\n")
    assert {(one.path.removeprefix("r/"), one.kind) for one in find("r", None)} == {
        ("a.yaml", RULE),
        ("in/b.yml", RULE),
        ("in/deep/c.yaml", RULE),
        ("in/settings.yaml", RULE),
        ("in/frameworks/g.yaml", RULE),
        ("settings.yaml", SETTINGS),
        ("frameworks/f.yaml", FRAMEWORKS),
        ("tests/t.yaml", CASES),
        ("in/tests/u.yaml", CASES),
        ("a.cases.yaml", CASES),
    }
    assert len(contents(("r", "r/a.yaml", "./r"), None).files) == 7
    assert len(contents(("r",), None, cases=True).files) == 10


def test_a_file_of_one_place_is_read_once(root: Path) -> None:
    write_rule(root / "r")
    assert load_for(Settings(rules=("r", f"r/{FILE}"), root=str(root))).rules["TEAM001"].file == f"r/{FILE}"


def test_limits_are_of_all_folders(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "ab":
        write_rule(root / name, code=f"TEAM{ord(name):03}", name=f"rule-{name}", cases=False)
    monkeypatch.setattr(own_files, "MAX_FILES", 1)
    with pytest.raises(RuleError, match=r"^b: more than 1 files$"):
        load_for(Settings(rules=("a", "b"), root=str(root)))
