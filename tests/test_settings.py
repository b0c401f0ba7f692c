"""The configuration file, the command line over it, and what is refused."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Any

import pytest

from recipelint.diagnostic import Severity
from recipelint.keys import glob_and_rules
from recipelint.settings import Choice, Settings, SettingsError, assignment, find, read, resolve


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git repository with a folder `scripts`, the working directory."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "scripts").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_without_a_configuration(root: Path) -> None:
    assert resolve({}) == Settings(root=str(root))
    assert resolve({}).paths == (".",)


def test_every_key(root: Path) -> None:
    (root / "recipelint.toml").write_text(
        """\
paths = ["scripts", "scripts/a.sh"]
select = ["EP"]
extend-select = ["SH"]
ignore = ["EP002"]
preview = true
severity = { EP001 = "warning", moe = "info" }
fixable = ["ALL"]
extend-fixable = ["EP001"]
unfixable = ["SH003"]
baseline = "scripts/known.json"
fail-on-stale = true
env = { EP_SIZE = 8, MODE = "sft" }
args = ["sft"]
fail-level = "error"
automodel = " a3aa09bc "
rules = ["ci/rules", "one.yaml"]
exclude = ["old/"]
force-exclude = true
[per-file-ignores]
"scripts/*.sh" = ["EP001"]
"""
    )
    assert resolve({}) == Settings(
        paths=("scripts", "scripts/a.sh"),
        select=("EP",),
        extend_select=("SH",),
        ignore=("EP002",),
        per_file_ignores=(("scripts/*.sh", ("EP001",)),),
        preview=True,
        severity=(("EP001", Severity.WARNING), ("moe", Severity.INFO)),
        fixable=("ALL",),
        extend_fixable=("EP001",),
        unfixable=("SH003",),
        baseline="scripts/known.json",
        fail_on_stale=True,
        env=(("EP_SIZE", "8"), ("MODE", "sft")),
        args=("sft",),
        fail_level=Severity.ERROR,
        automodel="a3aa09bc",
        rules=("ci/rules", "one.yaml"),
        exclude=("old/",),
        force_exclude=True,
        root=str(root),
    )


def test_the_command_line_wins(root: Path) -> None:
    (root / "recipelint.toml").write_text(
        'paths = ["scripts"]\nselect = ["EP"]\nenv = {A = "1", B = "2"}\nfail-level = "error"\n'
    )
    given: dict[str, Any] = {"paths": ("x.sh",), "select": ("SH",), "env": (("B", "3"),), "fail_level": Severity.INFO}
    settings = resolve(given)
    assert (settings.paths, settings.select, settings.fail_level) == (("x.sh",), ("SH",), Severity.INFO)
    assert settings.env == (("A", "1"), ("B", "3"))


def test_paths_of_the_configuration_are_seen_from_the_working_directory(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "recipelint.toml").write_text('paths = ["scripts", "."]\n')
    monkeypatch.chdir(root / "scripts")
    assert resolve({}).paths == (".", "..")


@pytest.mark.parametrize("path", ["..", "/", "../x", "scripts/../..", "link"])
def test_paths_of_the_configuration_stay_in_its_folder(root: Path, path: str) -> None:
    (root / "link").symlink_to(root.parent)
    (root / "recipelint.toml").write_text(f'paths = ["{path}"]\n')
    with pytest.raises(SettingsError, match=r"recipelint\.toml: paths: .* is outside the folder of the configuration"):
        resolve({})


def test_the_nearest_configuration_counts(root: Path) -> None:
    (root / "pyproject.toml").write_text("[tool.recipelint]\n")
    (root / "scripts" / "pyproject.toml").write_text("[tool.other]\nname = 'recipelint'\n")
    assert find("scripts/x.sh") == str(root / "pyproject.toml")
    (root / "recipelint.toml").write_text("")
    assert find("scripts") == str(root / "recipelint.toml")
    (root / "scripts" / "recipelint.toml").write_text("")
    assert find("scripts") == str(root / "scripts" / "recipelint.toml")
    assert find("-") == str(root / "recipelint.toml")
    assert find("-", "scripts/new.sh") == str(root / "scripts" / "recipelint.toml")


def test_the_search_ends_at_the_root_of_the_repository(root: Path) -> None:
    inner = root / "scripts" / "inner"
    inner.mkdir()
    (inner / ".git").write_text("gitdir: elsewhere\n")
    (root / "recipelint.toml").write_text("")
    assert find(str(inner)) is None


def test_isolated_and_config(root: Path) -> None:
    (root / "recipelint.toml").write_text('select = ["EP"]\n')
    (root / "scripts" / "other.toml").write_text('select = ["SH"]\n')
    assert resolve({}, isolated=True).select == ()
    settings = resolve({}, config="scripts/other.toml")
    assert (settings.select, settings.root) == (("SH",), str(root / "scripts"))
    with pytest.raises(SettingsError, match=r"nowhere\.toml: No such file"):
        resolve({}, config="nowhere.toml")


def test_pyproject_is_read_from_its_table(root: Path) -> None:
    (root / "pyproject.toml").write_text('[tool.recipelint]\nselect = ["EP001"]\n[project]\nname = "x"\n')
    assert resolve({}).select == ("EP001",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("selct = []", "recipelint.toml: there is no key 'selct'; did you mean 'select'?"),
        ("zzz = 1", "recipelint.toml: there is no key 'zzz'"),
        ("SELECT = []", "recipelint.toml: there is no key 'SELECT'; did you mean 'select'?"),
        (
            "[tool.recipelint]\nselect = []",
            "recipelint.toml: there is no key 'tool'; leave out the [tool.recipelint] heading in recipelint.toml",
        ),
        ("select = 'EP001'", "recipelint.toml: select: must be a list of strings"),
        ("select = [1]", "recipelint.toml: select: must be a list of strings"),
        ("per-file-ignores = []", "recipelint.toml: per-file-ignores: must be a table"),
        ("per-file-ignores = {'a' = 'b'}", "recipelint.toml: per-file-ignores.a: must be a list of strings"),
        ("env = {A = true}", "recipelint.toml: env.A: must be a string"),
        ("env = {'A-B' = '1'}", "recipelint.toml: env: 'A-B' is not the name of a variable"),
        ("force-exclude = 1", "recipelint.toml: force-exclude: must be true or false"),
        ("rules = 'ci/rules'", "recipelint.toml: rules: must be a list of strings"),
        ("automodel = 0.7", "recipelint.toml: automodel: must be a commit or a version, as text"),
        ("automodel = ' '", "recipelint.toml: automodel: must be a commit or a version, as text"),
        ('automodel = "a\\u0007b"', "recipelint.toml: automodel: must be a commit or a version, as text"),
        ("severity = []", "recipelint.toml: severity: must be a table"),
        ("severity = {EP001 = 'high'}", "recipelint.toml: severity.EP001: must be one of info, warning, error"),
        (
            "severity = {EP001 = 'off'}",
            "recipelint.toml: severity.EP001: must be info, warning or error; ignore turns a rule off",
        ),
        ("preview = 'yes'", "recipelint.toml: preview: must be true or false"),
        ("baseline = ''", "recipelint.toml: baseline: must be a path"),
        ("baseline = 1", "recipelint.toml: baseline: must be a path"),
        (
            "baseline = '../known.json'",
            "recipelint.toml: baseline: '../known.json' is outside the folder of the configuration",
        ),
        ("extend-select = 'EP'", "recipelint.toml: extend-select: must be a list of strings"),
        ("fail-level = 1", "recipelint.toml: fail-level: must be one of info, warning, error"),
        (
            "fail-level = 'warn'",
            "recipelint.toml: fail-level: must be one of info, warning, error; did you mean 'warning'?",
        ),
    ],
)
def test_what_is_wrong_is_named(root: Path, text: str, message: str) -> None:
    (root / "recipelint.toml").write_text(text)
    with pytest.raises(SettingsError) as caught:
        resolve({})
    assert str(caught.value) == message


def test_what_is_wrong_in_pyproject_is_named_with_its_table(root: Path) -> None:
    (root / "pyproject.toml").write_text("[tool.recipelint]\npathes = []\n")
    with pytest.raises(SettingsError) as caught:
        resolve({})
    assert str(caught.value) == "pyproject.toml: [tool.recipelint]: there is no key 'pathes'; did you mean 'paths'?"
    (root / "pyproject.toml").write_text("[tool]\nrecipelint = 1\n")
    with pytest.raises(SettingsError, match=r"\[tool.recipelint\]: must be a table"):
        resolve({})


@pytest.mark.parametrize("data", [b"x = [", b"x = '\xff'", b"x = " + b"[" * 5000])
def test_a_file_that_is_no_toml(root: Path, data: bytes) -> None:
    (root / "recipelint.toml").write_bytes(data)
    with pytest.raises(SettingsError, match=r"^recipelint\.toml: "):
        resolve({})


@pytest.mark.parametrize(("count", "length", "said"), [(1001, 9, "more than 1000 globs"), (1, 1001, "longer than")])
def test_globs_are_bounded(root: Path, count: int, length: int, said: str) -> None:
    globs = [f"{at:0{length}}" for at in range(count)]
    for text in (f"exclude = {globs}", f"per-file-ignores = {{{', '.join(f'{one!r} = []' for one in globs)}}}"):
        (root / "recipelint.toml").write_text(text)
        with pytest.raises(SettingsError, match=rf"^recipelint\.toml: [a-z-]+: .*{said}"):
            resolve({})
    globs = [f"{at:09}" for at in range(1000)]
    (root / "recipelint.toml").write_text(f"exclude = {globs}")
    assert resolve({}).exclude == tuple(globs)


def test_selectors_know_what_gave_them(root: Path) -> None:
    (root / "recipelint.toml").write_text('select = ["EP"]\nignore = ["SH"]\nper-file-ignores = {"*.sh" = ["RL"]}\n')
    assert list(resolve({"select": ("A", "B")}).selectors()) == [
        ("--select", "A"),
        ("--select", "B"),
        ("recipelint.toml: per-file-ignores.*.sh", "RL"),
    ]
    assert list(resolve({"ignore": ("A",), "unfixable": ("B",)}).selectors()) == [
        ("recipelint.toml: select", "EP"),
        ("recipelint.toml: ignore", "SH"),
        ("--ignore", "A"),
        ("--unfixable", "B"),
        ("recipelint.toml: per-file-ignores.*.sh", "RL"),
    ]
    assert list(Settings(select=("EP",)).selectors()) == [("select", "EP")]


def test_variables_of_the_command_line_are_known(root: Path) -> None:
    (root / "recipelint.toml").write_text('env = {A = "1"}\n')
    origins = dict(resolve({"env": (("B", "3"),)}).origins)
    assert ("env.A" in origins, origins["env.B"]) == (False, "--env")


def test_a_broken_pyproject_without_our_table_is_not_our_business(root: Path) -> None:
    (root / "pyproject.toml").write_text("x = [")
    assert resolve({}) == Settings(root=str(root))


def test_a_configuration_that_cannot_be_opened(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "pyproject.toml").write_text("[tool.recipelint]\n")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(SettingsError, match=r"^pyproject\.toml: Permission denied$"):
        find(".")
    with pytest.raises(SettingsError, match=r"^pyproject\.toml: Permission denied$"):
        read("pyproject.toml")


@pytest.mark.parametrize(
    ("glob", "seen"),
    [("old", "old"), ("old/", "old/"), ("a/b.sh", "/scripts/a/b.sh"), ("/x", "/scripts/x"), ("a/b/", "/scripts/a/b/")],
)
def test_globs_of_the_command_line_start_from_the_working_directory(
    root: Path, monkeypatch: pytest.MonkeyPatch, glob: str, seen: str
) -> None:
    (root / "recipelint.toml").write_text("")
    monkeypatch.chdir(root / "scripts")
    assert resolve({"exclude": (glob,)}).exclude == (seen,)


def test_an_absolute_glob_inside_the_root(root: Path) -> None:
    (root / "recipelint.toml").write_text("")
    assert resolve({"exclude": (os.path.join(root, "scripts", "a.sh"),)}).exclude == ("/scripts/a.sh",)


def test_assignment() -> None:
    assert assignment("A=b=c") == ("A", "b=c")
    assert assignment("A=") == ("A", "")
    for wrong in ("A", "=b", "1A=b", "A-B=c", "A\n=b"):
        with pytest.raises(SettingsError, match="is not of the form NAME=VALUE"):
            assignment(wrong)


def test_a_selection_of_the_command_line_replaces_that_of_the_configuration(root: Path) -> None:
    (root / "recipelint.toml").write_text(
        'select = ["EP"]\nextend-select = ["SH"]\nignore = ["EP002"]\nfixable = ["EP"]\nunfixable = ["EP001"]\n'
    )
    settings = resolve({"select": ("RL",), "fixable": ("RL001",)})
    assert settings.selection == (Choice(("RL",)), Choice())
    assert settings.fixes == (Choice(("RL001",)), Choice())


def test_what_the_command_line_adds_goes_over_the_configuration(root: Path) -> None:
    (root / "recipelint.toml").write_text('select = ["EP"]\nignore = ["EP002"]\nunfixable = ["EP001"]\n')
    settings = resolve({"extend_select": ("EP002",), "ignore": ("EP001",), "extend_fixable": ("EP001",)})
    assert settings.selection == (Choice(("EP",), (), ("EP002",)), Choice((), ("EP002",), ("EP001",)))
    assert settings.fixes == (Choice((), (), ("EP001",)), Choice((), ("EP001",), ()))
    (root / "recipelint.toml").write_text("")
    assert resolve({"ignore": ("EP001",)}).ignore == ("EP001",)


def test_keys_on_the_command_line_go_over_the_file(root: Path) -> None:
    (root / "recipelint.toml").write_text(
        'select = ["EP"]\nenv = {A = "1", B = "2"}\n[severity]\nEP001 = "info"\nEP = "info"\n'
    )
    pieces = ["select = ['SH']", 'env.B = "3"', 'severity.EP001 = "error"', "severity.SH = 'info'"]
    settings = resolve({"env": (("A", "4"),)}, pieces=pieces)
    assert (settings.select, dict(settings.env)) == (("SH",), {"A": "4", "B": "3"})
    assert dict(settings.severity) == {"EP001": Severity.ERROR, "EP": Severity.INFO, "SH": Severity.INFO}
    assert (settings.origin("select"), settings.origin("env")) == ("--config: select", "--env")
    assert resolve({"select": ("RL",)}, pieces=pieces).select == ("RL",), "an option goes over them"
    alone = resolve({}, isolated=True, pieces=["preview = true"])
    assert (alone.preview, alone.select, alone.configuration) == (True, (), "")


@pytest.mark.parametrize(
    ("piece", "message"),
    [
        ("select", "--config: 'select' is neither a file nor KEY = VALUE in TOML: "),
        ("select = EP", "--config: 'select = EP' is neither a file nor KEY = VALUE in TOML: "),
        ("selct = []", "--config: there is no key 'selct'; did you mean 'select'?"),
        ("paths = ['..']", "--config: paths: '..' is outside the folder of the configuration"),
    ],
)
def test_a_wrong_key_on_the_command_line(root: Path, piece: str, message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        resolve({}, pieces=[piece])
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("piece", "meant"),
    [
        ("fail-level=info", """'fail-level="info"'"""),
        ("fail-level = 'info", """'fail-level="info"'"""),
        ("select=EP001,moe", """'select=["EP001", "moe"]'"""),
        ("preview=True", "preview=true"),
        ("env.A=b", """'env.A="b"'"""),
        ("severity.EP001=info", """'severity.EP001="info"'"""),
        ("fail-level=loud", ""),
        ("selct=EP001", ""),
        ("select", ""),
    ],
)
def test_a_key_whose_value_lacks_its_quotes(root: Path, piece: str, meant: str) -> None:
    with pytest.raises(SettingsError, match="is neither a file nor KEY = VALUE in TOML") as caught:
        resolve({}, pieces=[piece])
    before, hint, said = str(caught.value).partition("; did you mean ")
    assert hint + said == (f"; did you mean {meant}?" if meant else ""), before
    if meant:
        resolve({}, pieces=shlex.split(meant))


def test_globs_with_rules() -> None:
    assert glob_and_rules(["a/*.sh:EP001, EP002,b.sh:moe", "a/*.sh:SH"]) == (
        ("a/*.sh", ("EP001", "EP002", "SH")),
        ("b.sh", ("moe",)),
    )
    for wrong in ("EP001", ":EP001", "a.sh:", "EP001,a.sh:EP001"):
        with pytest.raises(SettingsError, match="is not of the form GLOB:RULE"):
            glob_and_rules([wrong])


def test_globs_with_rules_start_from_the_working_directory(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "recipelint.toml").write_text('per-file-ignores = {"a.sh" = ["EP"]}\n')
    monkeypatch.chdir(root / "scripts")
    more = (("a/b.sh", ("SH",)), ("c.sh", ("RL",)))
    assert resolve({"extend_per_file_ignores": more}).file_ignores == (
        ("a.sh", ("EP",)),
        ("/scripts/a/b.sh", ("SH",)),
        ("c.sh", ("RL",)),
    )
    assert resolve({"per_file_ignores": more}).file_ignores[0] == ("/scripts/a/b.sh", ("SH",))
