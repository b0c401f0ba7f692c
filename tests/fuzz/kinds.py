"""The kinds of files that recipelint reads, what a hostile one of each stands among, and the commands that read it."""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path
from typing import NamedTuple

from recipelint.ruleset.template import new_files
from tests.own_rules import CODE, NAME, RULE

SEEDS = Path(__file__).parent / "seeds"
ROOT = Path(__file__).parent.parent.parent
FIXTURES = ROOT / "tests" / "fixtures"
FOLDERS = {"shell": FIXTURES / "shapes", "python": FIXTURES / "trainers", "packed": SEEDS / "log"}
"""Where inputs to begin with are, beside SEEDS."""
LAUNCHER = b"""#!/bin/bash
#SBATCH --nodes=2
# EP8 under hybridep; full checkpointing is safe here.
GRAD_CHECKPOINT="${GRAD_CHECKPOINT-full}"
srun bash -lc "torchrun --nproc_per_node=8 -m molt.cli.train_sft --model.model_name_or_path /m --fsdp.ep_size 8 \\
  --model.gradient_checkpoint $GRAD_CHECKPOINT"
torchrun train.py --size 8 --mode fast
"""
TRAINER = b"""import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--size", type=int, default=1)
parser.add_argument("--mode", choices=["fast", "slow"])
args = parser.parse_args()
"""
CONFIGURED = b'baseline = "known.json"\n'
CHECK = ("check", "--output-format")


class Kind(NamedTuple):
    """FILE has the hostile bytes, OTHERS stand beside it; each of COMMANDS reads it. WORDS: what its language knows."""

    file: str
    others: dict[str, bytes]
    commands: tuple[tuple[str, ...], ...]
    words: tuple[bytes, ...]


def _words(text: str) -> tuple[bytes, ...]:
    return tuple(word.encode().replace(b"_", b" ").replace(b"\\n", b"\n") for word in text.split())


SHELL_WORDS = _words(
    r"""$( ${ $(( )) (( ) } { } [[ ]] ` ' " \ \\n ; ;; & && || | < > <<E <<'E' <<-E <<< <( >( # = * ? ! ~ , .. $' ${a:-
    ${#a} ${a[@]} ${!a} ${a//x/y} ${a^^} ${a@Q} {a,b} {1..9} {1..1000000000} a=( a+= if_ then_ else_ elif_ fi\n do_
    done\n for_x_in_ while_ until_ case_x_in_ esac\n a)_ f()_{_ function_f_ !_ time_ export_ local_ declare_-A_
    readonly_ set_--_ set_-e eval_ bash_-c_ bash_-lc_ source_ exec_ trap_ printf_-v_a_ %q %s read_ shift_ return_
    break_ continue_ exit_ unset_ torchrun_ srun_ sbatch_--wrap_ docker_run_ ray_job_submit_--_ xargs_ ssh_h_
    env_-i_ uv_run_ -m_molt.cli.train_sft_ --fsdp.ep_size_ 8 --model.gradient_checkpoint_ full none
    MOLT_MOE_DISPATCHER= hybridep torch $@ $* $# $0 $? \n E\n #_recipelint:_ignore[EP001] #_recipelint:_ignore-file
    #SBATCH_--nodes=2"""
)
RULE_WORDS = _words(
    r"""code:_ name:_ when:\n message:_" {model} {} {a.b} fix:\n set:\n &a *a <<:_ !!python/object: !!binary --- ... | >
    -_ ?_ [ ] { } "_ ' # %YAML_1.2 greater_than:_ one_of:_ equals:_ present:_ absent:_ not:_ any:_ all:_ divides:_
    examples:\n bad:\n good:\n labels:_ severity:_error references:_ \n __ ____ null ~ true 1e999 0x7fffffffffffffff
    .inf 2001-01-01"""
)
PYTHON_WORDS = _words(
    r"""def_f(a):\n class_A:\n import_ from_x_import_* if_ else:\n for_i_in_ range(9) while_ lambda_x:_ yield_ await_
    async_ with_ try:\n except_ raise_ return_ @ ( ) [ ] { } : = == += := ** // \n ____ " ''' \" f"{ } #_ \ parser.
    add_argument( add_subparsers( parse_args() "--x", type=int default= choices= nargs="*" action= const=
    required=True dest= parents=[ None True 10**9 x_*_10**9 gradient_checkpoint ep_size hybridep deepep
    CheckpointError ignore_router_for_ac match_x:\n case_ global_ nonlocal_ del_ assert_"""
)
LOG_WORDS = _words(
    r"""\n \r [rank0]:_ (Worker_pid=1,_ip=::1)_ torch.utils.checkpoint.CheckpointError:
    Recomputed_values_for_the_following_tensors saved_metadata: recomputed_metadata: {'shape': torch.Size([ ])
    'dtype': torch.bfloat16 'device': device(type='cuda',_index=0)} tensor_at_position_ Watchdog_caught
    collective_operation_timeout:_WorkNCCL(SeqNum= OpType= (ms)= hybrid_ep/extension/allgather.cu:97 SIGABRT
    Train_epoch_[ |_1/2 hidden_size world_size dispatcher ========== ---------- 9999999999999999999 # \x00"""
)
TOML_WORDS = _words(
    r"""[ ] [[ ]] = " ' \""" ''' { } . , # \n select ignore rules exclude paths baseline severity per-file-ignores env
    fail-level automodel fixable extend-select ["ALL"] "EP001" true 1e999 0xffffffffffffffffffff 1979-05-27 \ud800
    tool.recipelint output-format inf nan"""
)
JSON_WORDS = _words(
    r"""{ } [ ] : , " \ \ud800 null true 1e999 -0 NaN version fingerprints root findings path code fingerprint message
    via .. / \u0000 \n"""
)
FIX = ("check", "--fix", "--unsafe-fixes", "--output-format", "concise", ".")

KINDS = {
    "shell": Kind(
        "run.sh",
        {"train.py": TRAINER, "common.sh": b"EP=8\nsource run.sh\n"},
        (
            (*CHECK, "json", "--preview", "."),
            ("show", "--output-format", "json", "."),
            ("table", "."),
            ("check", "--diff", "."),
            FIX,
            FIX,
            ("check", "--add-ignore", "."),
        ),
        SHELL_WORDS,
    ),
    "rules": Kind(
        f"ci/{RULE}",
        {"recipelint.toml": b'rules = ["ci"]\n', "run.sh": LAUNCHER},
        (("rule", "--all"), (*CHECK, "json", "."), ("rules", "check"), FIX),
        RULE_WORDS,
    ),
    "python": Kind(
        "train.py",
        {"run.sh": LAUNCHER},
        (("flags", "train.py"), (*CHECK, "json", "--select", "ALL", ".", "train.py"), ("show", "."), FIX),
        PYTHON_WORDS,
    ),
    "log": Kind(
        "train.log", {}, (("diagnose", "train.log"), ("diagnose", "--output-format", "json", "train.log")), LOG_WORDS
    ),
    "packed": Kind("train.log.gz", {}, (("diagnose", "train.log.gz"),), LOG_WORDS),
    "toml": Kind(
        "recipelint.toml",
        {"run.sh": LAUNCHER},
        ((*CHECK, "json", "."), ("check", "--show-settings", "."), ("check", "--diff", ".")),
        TOML_WORDS,
    ),
    "baseline": Kind(
        "known.json",
        {"run.sh": LAUNCHER, "recipelint.toml": CONFIGURED},
        ((*CHECK, "json", "."), ("check", "--write-baseline", "known.json", ".")),
        JSON_WORDS,
    ),
}


def text(kind: str, data: bytes) -> bytes:
    """The bytes of the file: packed, where what is packed is to be hostile too."""
    return gzip.compress(data, 1, mtime=0) if kind == "packed" and not data.startswith(b"\x1f\x8b") else data


@cache
def seeds(kind: str) -> tuple[bytes, ...]:
    """The first inputs of a kind."""
    if kind == "rules":
        rule, *_ = new_files(CODE, NAME, "team").values()
        return rule[1].encode(), *(path.read_bytes() for path in sorted((ROOT / "rules" / "moe").iterdir()))
    folder = FOLDERS.get(kind, SEEDS / kind)
    own = (LAUNCHER,) if kind == "shell" else (TRAINER,) if kind == "python" else ()
    return *own, *(path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file())
