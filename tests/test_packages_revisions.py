"""What the table knows of a revision, and that it knows nothing of what it does not list."""

from __future__ import annotations

from pathlib import Path

import pytest

from recipelint.packages.model import BRANCH, COMMIT, PLACE, RANGE, VERSION, Pin
from recipelint.packages.revisions import given, revision, said
from recipelint.settings import Settings
from recipelint.source import SourceFile
from tests.packages import PACKAGE

ALL = set(PACKAGE.features)
ROUTER, TOPK, EQUAL = "saves_router_projection", "saves_topk", "equalizes_token_counts"
MOLT_PINS = """
    8243f27fe 5d23e6c103171a79bf38eca1d3f8b9a06131f226 601ee76614f41df94513133df34fd939c589faf1
    3a9b01107e03423a628a5101285a63dec5f62db7 c4e4c8d17472dc16a34fda22e5132215aefebf13
    14eb6dc9f29ac4ae204e821771f10b8fc4d43421 9af3b45a8fefd817e9ff562e8e8780d54e8cf68e
    66c72a99c6a21bda5ea50dc56d7d1410528b19ef a3aa09bcc6f141457dce3a519465d46849838688
""".split()


def has(pin: Pin) -> set[str]:
    return {name for name, there in revision(pin, PACKAGE).features.items() if there}


@pytest.mark.parametrize("commit", MOLT_PINS)
def test_the_pins_of_molt_up_to_64b6e44_save_the_router_alone(commit: str) -> None:
    known = revision(Pin(COMMIT, commit), PACKAGE)
    assert known.features == {name: name == ROUTER for name in PACKAGE.features}


@pytest.mark.parametrize(
    ("pin", "features"),
    [
        (Pin(VERSION, "0.4.0"), set()),
        (Pin(VERSION, "0.5.0"), {ROUTER}),
        (Pin(VERSION, "0.5"), {ROUTER}),
        (Pin(VERSION, "0.6.0"), {ROUTER, TOPK}),
        (Pin(VERSION, "0.7.0"), ALL),
        (Pin(COMMIT, "518ea28045a3bd0ff8591820082db0ddf222c481"), {ROUTER, TOPK}),
        (Pin(COMMIT, "518ea28"), {ROUTER, TOPK}),
        (Pin(COMMIT, "5c4616c6" + "0" * 32), {ROUTER, TOPK, EQUAL}),
    ],
)
def test_what_is_listed(pin: Pin, features: set[str]) -> None:
    assert revision(pin, PACKAGE).listed
    assert has(pin) == features


def test_what_the_table_leaves_open_is_unknown() -> None:
    known = revision(Pin(COMMIT, "5c4616c6"), PACKAGE).features
    assert "reuses_deepep_handle" not in known


@pytest.mark.parametrize(
    "pin",
    [
        Pin(COMMIT, "518ea28045a3bd0ff8591820082db0ddf222c482"),
        Pin(COMMIT, "518ea2"),
        Pin(COMMIT, "0" * 40),
        Pin(VERSION, "0.5.1"),
        Pin(VERSION, "0.7.0rc1"),
        Pin(VERSION, "0.7.0+local"),
        Pin(RANGE, ">=0.7.0"),
        Pin(BRANCH, "main"),
        Pin(BRANCH, "r0.5.0"),
        Pin(PLACE, "../Automodel"),
    ],
)
def test_what_is_not_listed(pin: Pin) -> None:
    known = revision(pin, PACKAGE)
    assert (known.listed, known.features) == (False, {})


def test_how_a_pin_is_said() -> None:
    assert said(Pin(COMMIT, "518ea28045a3bd0ff8591820082db0ddf222c481")) == "518ea280"
    assert said(Pin(RANGE, ">=0.5,\n  <0.6")) == ">=0.5, <0.6"
    assert len(said(Pin(BRANCH, "x" * 4000))) == 81


@pytest.mark.parametrize(
    ("text", "pin"),
    [
        ("a3aa09bc", Pin(COMMIT, "a3aa09bc")),
        ("0.5.0", Pin(VERSION, "0.5.0")),
        ("v0.5.0", Pin(VERSION, "0.5.0")),
        ("==0.5.0", Pin(VERSION, "0.5.0")),
        (">=0.5.0", Pin(RANGE, ">=0.5.0")),
        ("main", Pin(BRANCH, "main")),
    ],
)
def test_what_a_user_names(text: str, pin: Pin) -> None:
    assert given(text) == pin


TRAIN = "torchrun -m molt.cli.train_sft --fsdp.ep_size 8\n"


@pytest.mark.parametrize(
    ("before", "env", "value", "choices"),
    [
        ("", {}, "0.7.0", ()),
        ("EXTRA_PYTHONPATH=\n", {}, "0.7.0", ()),
        ("EXTRA_PYTHONPATH=$EXTRA_PYTHONPATH\n", {}, "0.7.0", ()),
        ("OTHER=/opt/Automodel\n", {}, "0.7.0", ()),
        ("EXTRA_PYTHONPATH=/opt/Automodel\n", {}, None, None),
        ("EXTRA_PYTHONPATH=$HOME/Automodel\n", {}, None, None),
        ("export EXTRA_PYTHONPATH=/opt/Automodel; bash -c 'EXTRA_PYTHONPATH=; exec ' && ", {}, None, None),
        ("EXTRA_PYTHONPATH=/opt/Automodel ", {}, None, None),
        ("f() { local EXTRA_PYTHONPATH=/opt/Automodel; true; }; f\n", {}, "0.7.0", ()),
        ("EXTRA_PYTHONPATH=/opt/Automodel; unset EXTRA_PYTHONPATH\n", {}, "0.7.0", ()),
        ("", {"EXTRA_PYTHONPATH": "/opt/Automodel"}, None, None),
        ("EXTRA_PYTHONPATH=$(find / -name Automodel)\n", {}, "0.7.0", ("yes", None)),
        ("[ -d /opt/Automodel ] && EXTRA_PYTHONPATH=/opt/Automodel\n", {}, "0.7.0", ("yes", None)),
    ],
)
def test_what_a_launcher_puts_before_it(
    before: str,
    env: dict[str, str],
    value: str | None,
    choices: tuple[str | None, ...] | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from recipelint import run

    monkeypatch.chdir(tmp_path)
    Path("requirements.txt").write_text("nemo-automodel==0.7.0\n")
    outcome = run.resolve(Settings(env=tuple(env.items())), [SourceFile("a.sh", (before + TRAIN).encode())])
    (launch,) = outcome.launchers[0].launches
    assert launch.settings["automodel_revision"].value == value
    feature = launch.settings.get("automodel_equalizes_token_counts")
    assert (None if feature is None else feature.choices) == choices


def test_a_launcher_of_another_trainer_has_no_revision() -> None:
    from recipelint import run

    source = SourceFile("a.sh", b"python train.py --x 1\ntorchrun -m molt.cli.train_sft --fsdp.ep_size 8\n")
    other, molt = run.resolve(Settings(automodel="0.5.0"), [source]).launchers[0].launches
    assert "automodel_revision" not in other.settings
    found = molt.settings["automodel_revision"]
    assert (found.value, found.source, found.location, found.detail) == (
        "0.5.0",
        "assigned",
        None,
        "given with automodel",
    )
