"""`recipelint show` for a person."""

from __future__ import annotations

import pytest

from recipelint.outcome import Outcome
from recipelint.recipe.model import EnvironmentValue, Setting
from recipelint.report import words
from recipelint.report.show import render
from recipelint.report.style import Stream
from tests.outcomes import argument, at, diagnostic, launch, launcher, settings, source

PLAIN = Stream()


def test_a_launch_in_full() -> None:
    file = source()
    common = source("export X=1\n", "lib/common.sh")
    one = launch(
        file,
        wrappers=("srun", "bash", "torchrun"),
        when=('[ "$MODE" = sft ]',),
        argv=(
            *map(argument, ("--fsdp.ep_size", "8", "--text", "it's", "--betas", "0.9", "-1", "--bare")),
            argument("--out"),
            argument("/x/${SLURM_JOB_ID}", unknown=True),
            argument("$@", unknown=True, many=True),
        ),
        env={"Z": EnvironmentValue(None), "A": EnvironmentValue("${HOME}/x y", True), "E": EnvironmentValue("")},
        settings={
            **settings(file),
            "packing": Setting("packing", None, "assigned", "PACK", at(common, "1"), ("on", "off")),
            "model": Setting("model", None, "unknown", None, at(file, "torchrun")),
        },
    )
    assert render(Outcome((launcher(file, one, needs=("$1", "MODEL")), launcher(common))), PLAIN) == (
        "slurm/sft.sh\n"
        "  needs $1, MODEL\n"
        "\n"
        "  molt.cli.train_sft (molt), line 4, through srun > bash > torchrun\n"
        "    when\n"
        '      [ "$MODE" = sft ]\n'
        "    arguments\n"
        "      --fsdp.ep_size 8\n"
        "      --text 'it'\\''s'\n"
        "      --betas 0.9 -1\n"
        "      --bare\n"
        "    ? --out /x/${SLURM_JOB_ID}  (unknown)\n"
        "    ? $@  (unknown, may be none or several)\n"
        "    environment\n"
        '    ? A="${HOME}/x y"  (unknown)\n'
        "      E=\n"
        "      Z removed\n"
        "    settings\n"
        "      expert_parallel_size      8          default of EP_SIZE, sft.sh:2\n"
        "      activation_checkpointing  full       literal, sft.sh:6\n"
        "      moe_dispatcher            hybridep   molt's default when MOLT_MOE_DISPATCHER is unset\n"
        "      packing                   on or off  assigned, lib/common.sh:1, PACK overrides it\n"
        "      model                     unknown    sft.sh:4\n"
        "\n"
        "lib/common.sh\n"
        "  launches nothing that recipelint knows\n"
    )


def test_an_unknown_trainer_without_words_on_some_paths() -> None:
    file = source()
    one = launch(file, framework=None, wrappers=(), argv=(), env={}, certain=False)
    assert render(Outcome((launcher(file, one),)), PLAIN) == (
        "slurm/sft.sh\n"
        "\n"
        "  molt.cli.train_sft (a trainer that recipelint does not know), line 4\n"
        "    only on some paths through the script\n"
        "    arguments\n"
        "      none\n"
    )


def test_a_launch_in_a_followed_file_names_it() -> None:
    file = source()
    text = render(Outcome((launcher(source("source slurm/sft.sh\n", "run.sh"), launch(file)),)), PLAIN)
    assert "  molt.cli.train_sft (molt), slurm/sft.sh:4, through torchrun\n" in text


def test_an_incomplete_file_says_so_and_why() -> None:
    file = source("((\n")
    found = diagnostic(at(file, "(("), code="SH001", name="unread", message="cannot be read")
    rows = render(Outcome((launcher(file, complete=False, diagnostics=(found,)),)), PLAIN).splitlines()
    assert rows[:3] == [
        "slurm/sft.sh",
        "  no launch was found",
        "  could not be read in full: a launch may be missing or incomplete",
    ]
    assert rows[3].startswith("  error[SH001] ")
    assert rows[6] == "  1 | (("
    narrow = render(Outcome((launcher(file, complete=False, diagnostics=(found,)),)), Stream(width=50)).splitlines()
    assert max(map(len, narrow[3:])) <= 50


def test_of_launches_that_are_nearly_alike_only_what_differs_is_printed() -> None:
    file = source()
    common = tuple(map(argument, ("--a", "1", "--b", "2", "--c", "3", "--d", "4")))
    known = settings(file)
    deepep = known["moe_dispatcher"]._replace(value="deepep")
    first = launch(file, argv=(*common, argument("--lr"), argument("1")), settings=known)
    second = launch(
        file,
        argv=(*common, argument("--lr"), argument("${LR}", unknown=True)),
        env={"MOLT_MOE_DISPATCHER": EnvironmentValue("deepep")},
        settings={**known, "moe_dispatcher": deepep},
        when=("A",),
    )
    same, other = launch(file, argv=(*first.argv,), settings=known), launch(file, argv=(argument("--x"),))
    text = render(Outcome((launcher(file, first, second, same, other),)), PLAIN)
    head = "  molt.cli.train_sft (molt), line 4, through torchrun"
    assert text.partition("unset\n")[2] == (
        "\n"
        f"{head}: as above, but\n"
        "    when\n"
        "      A\n"
        "    arguments\n"
        "    - --lr 1\n"
        "    + --lr ${LR}  (unknown)\n"
        "    environment\n"
        "    - MOLT_MOE_DISPATCHER=hybridep\n"
        "    + MOLT_MOE_DISPATCHER=deepep\n"
        "    settings\n"
        "      moe_dispatcher  deepep  molt's default when MOLT_MOE_DISPATCHER is unset\n"
        "\n"
        f"{head}: as above\n"
        "\n"
        f"{head}\n"
        "    arguments\n"
        "      --x\n"
        "    environment\n"
        "      MOLT_MOE_DISPATCHER=hybridep\n"
    )


def test_a_place_is_named_once() -> None:
    file = source()
    one = Setting("model", "x", "literal", None, at(file, "8"), detail="set at line 2")
    assert words.origin(one, "slurm/sft.sh") == "sft.sh:2"
    assert words.origin(one._replace(detail="X set at line 2"), "slurm/sft.sh") == "X, sft.sh:2"
    assert words.origin(one._replace(detail="set at line 3"), "slurm/sft.sh") == "set at line 3, sft.sh:2"


def test_hostile_text_comes_out_harmless() -> None:
    evil = "\x1b[31m::error::\u202e"
    file = source(path=f"{evil}.sh")
    one = launch(
        file,
        entry_point=evil,
        wrappers=(evil,),
        when=(evil,),
        argv=(argument(evil), argument(f"--{evil} ${{{evil}}}", unknown=True)),
        env={evil: EnvironmentValue(evil)},
        settings={"model": Setting("model", evil, "default", evil, at(file, "8"), detail="")},
    )
    text = render(Outcome((launcher(file, one, needs=(evil,)),)), PLAIN)
    assert text.replace("\n", "").isprintable()
    assert "::" not in text


@pytest.mark.parametrize(
    ("text", "unknown", "shown"),
    [
        ("", False, "''"),
        ("a b", False, "'a b'"),
        ("$X", False, "'$X'"),
        ("${X}", True, "${X}"),
        ("${X} y", True, '"${X} y"'),
        ("lr=1e-5,[a]", False, "lr=1e-5,[a]"),
    ],
)
def test_word(text: str, unknown: bool, shown: str) -> None:
    assert words.word(text, unknown=unknown) == shown


def test_hydra_words_stand_alone() -> None:
    argv = list(map(argument, ("--config", "x", "a.b=c", "+a=1", "~d", "rest")))
    assert [[one.text for one in line] for line in words.lines(argv)] == [
        ["--config", "x"],
        ["a.b=c"],
        ["+a=1"],
        ["~d"],
        ["rest"],
    ]


def test_an_absent_setting_and_the_words_of_its_source() -> None:
    assert words.value(Setting("packing", None, "trainer-default")) == "absent"
    assert words.value(Setting("packing", None, "literal", choices=(None, "on"))) == "unknown or on"
    assert words.source(Setting("packing", None, "trainer-default")) == "the trainer's default"
    assert words.source(Setting("packing", "on", "default")) == "default"
    assert words.source(Setting("packing", "on", "environment")) == "the environment"


@pytest.mark.parametrize("settled", [True, False])
def test_turns_of_a_sweep(settled: bool) -> None:
    """Each turn but the first is told by what is different, where half of its few words are."""
    file = source()
    turns = [
        launch(
            file,
            argv=tuple(map(argument, ("--lr", lr, "--tp", tp, "--x"))),
            env={},
            settings=settings(file) if settled else {},
        )
        for lr in ("1", "2", "3")
        for tp in ("1", "2")
    ]
    text = render(Outcome((launcher(file, *turns),)), PLAIN)
    assert text.count(": as above, but\n") == (5 if settled else 2 + 1)
    assert "    arguments\n    - --tp 1\n    + --tp 2\n" in text


def test_noop_launch_of_which_nothing_is_the_same() -> None:
    file = source()
    turns = [launch(file, argv=(argument("--lr"), argument(lr)), env={}, settings={}) for lr in ("1", "2")]
    assert "as above" not in render(Outcome((launcher(file, *turns),)), PLAIN)
