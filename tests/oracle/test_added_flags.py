"""A flag that a fix adds stands between no flag and its value: bash hands both on, as shipped and with the knob set."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from .fixing import bash_n
from .sandbox import launches
from .shown import recipelint

RUN = "torchrun --standalone --nproc_per_node=8 -m molt.cli.train_sft "
PATH = "--model.model_name_or_path"
ADDED = ["--model.gradient_checkpoint", "none"]
KNOB = {"M": "/weights"}
LAUNCHERS = {
    "positional": (f"MODEL=${{1:-}}\n{RUN}{PATH} $MODEL --fsdp.ep_size 8\n", {}, ["/weights"]),
    "default": (f"MODEL=${{M:-}}\n{RUN}{PATH} $MODEL --fsdp.ep_size 8\n", KNOB, []),
    "quoted default": (f'MODEL=${{M:-""}}\n{RUN}{PATH} $MODEL --fsdp.ep_size 8\n', KNOB, []),
    "unset": (f"{RUN}{PATH} $M --fsdp.ep_size 8\n", KNOB, []),
    "itself": (f"M=${{M}}\n{RUN}{PATH} $M --fsdp.ep_size 8\n", KNOB, []),
    "last": (f"M=${{M:-}}\n{RUN}--fsdp.ep_size 8 {PATH} $M\n", KNOB, []),
    "arguments": (f'M=${{M:-}}\n{RUN}--fsdp.ep_size 8 \\\n  {PATH} $M "$@"\n', KNOB, []),
    "array": (
        f'M=${{M:-}}\nARGS=(\n  --fsdp.ep_size 8\n  {PATH}\n)\n{RUN}"${{ARGS[@]}}" $M\n',
        KNOB,
        [],
    ),
    "text": (f'M=${{M:-}}\nARGS="--fsdp.ep_size 8 {PATH} $M"\n{RUN}$ARGS\n', KNOB, []),
    "program": (f'M=${{M:-}}\nbash -c "{RUN}{PATH} $M --fsdp.ep_size 8"\n', KNOB, []),
    "inner program": (f"export M=${{M:-}}\nbash -c '{RUN}{PATH} $M --fsdp.ep_size 8'\n", KNOB, []),
}


@pytest.mark.parametrize("name", LAUNCHERS)
def test_value_stays_beside_its_flag(name: str, tmp_path: Path) -> None:
    text, env, args = LAUNCHERS[name]
    before, after = tmp_path / "before", tmp_path / "after"
    for tree in (before, after):
        tree.mkdir()
        (tree / "run.sh").write_text(text)
    recipelint(after, "check", "--fix", "run.sh")
    assert bash_n(after, Path("run.sh")) == (0, "")
    for given, passed in (({}, []), (env, args)):
        (old,), (new,) = (launches(tree, "run.sh", env=given, args=passed) for tree in (before, after))
        words = list(new.argv)
        at = words.index(ADDED[0])
        assert words[at : at + 2] == ADDED
        assert words[:at] + words[at + 2 :] == list(old.argv)
        # The words beside each other are beside each other still.
        pairs = list(pairwise(words))
        assert ((PATH, "/weights") in pairs) == bool(given or passed)


def test_noop_value_that_is_always_there(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text(f"{RUN}{PATH} /weights $EXTRA --fsdp.ep_size 8\n")
    recipelint(tmp_path, "check", "--fix", "run.sh")
    # After the value, as ever: what $EXTRA says of the mode still counts.
    assert f"{PATH} /weights {' '.join(ADDED)} $EXTRA --fsdp.ep_size 8\n" in (tmp_path / "run.sh").read_text()
