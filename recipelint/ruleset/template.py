"""The text of a new rule and of its cases: a rule that holds as it stands, to be changed into the one that is meant."""

from __future__ import annotations

from recipelint.ruleset.rule_schema import CASES_FILE, RULE_FILE

TESTS = "tests"

_RULE = """\
# yaml-language-server: $schema=@SCHEMA@
code: @CODE@
name: @NAME@
family: @FAMILY@
status: stable
since: 0.1.0
severity: warning
summary: A micro batch of more than 4 samples

# All of these must hold for a launch. `recipelint table --help` lists the settings.
when:
  micro_batch_size: {greater_than: 4}

message: "micro_batch_size {micro_batch_size} ({micro_batch_size_origin}): more than 4 do not fit into memory"
help: set micro_batch_size to 4
labels:
  micro_batch_size: more than 4 do not fit

# Leave it out where there is no cure that a program could write.
fix:
  title: set micro_batch_size to 4
  applicability: unsafe
  set: {micro_batch_size: 4}
  comment: |
    More than 4 samples in a micro batch do not fit into memory.

why: |
  Say here why it is wrong, where that was seen, and what it costs.

# Each is run by `recipelint rules check`: a finding on `line`, and `after` is what the fix makes of it.
examples:
  bad:
    - about: The flag says so.
      line: 3
      code: |
        torchrun -m molt.cli.train_sft \\
          --model.model_name_or_path /models/base \\
          --train.micro_batch_size 8
      after: |
        @comment
        torchrun -m molt.cli.train_sft \\
          --model.model_name_or_path /models/base \\
          --train.micro_batch_size 4
  good:
    - about: 4 fit.
      code: |
        torchrun -m molt.cli.train_sft \\
          --model.model_name_or_path /models/base \\
          --train.micro_batch_size 4
"""

_CASES = """\
# yaml-language-server: $schema=@SCHEMA@
rule: @CODE@

# The rule is silent, and --fix changes nothing.
valid:
  - name: a value that nobody knows
    code: |
      torchrun -m molt.cli.train_sft --train.micro_batch_size "$(cat batch)"

# A finding on `line` that --fix leaves alone.
invalid:
  - name: a value of a loop
    code: |
      for size in 8; do
        torchrun -m molt.cli.train_sft --train.micro_batch_size "$size"
      done
    line: 1
    note: true

# --fix makes `after` of `before`, and leaves `noop` as it is.
fix:
  - name: a knob keeps its name
    before: |
      BATCH="${BATCH:-8}"
      torchrun -m molt.cli.train_sft --train.micro_batch_size "$BATCH"
    line: 1
    after: |
      @comment
      BATCH="${BATCH:-4}"
      torchrun -m molt.cli.train_sft --train.micro_batch_size "$BATCH"
    noop: |
      BATCH="${BATCH:-4}"
      torchrun -m molt.cli.train_sft --train.micro_batch_size "$BATCH"
"""


def new_files(code: str, name: str, family: str) -> dict[str, str]:
    """The files of a new rule, by their path in the folder of the rules."""
    words = {"CODE": code, "NAME": name, "FAMILY": family}
    return {
        f"{code}-{name}.yaml": _filled(_RULE, {**words, "SCHEMA": RULE_FILE}),
        f"{TESTS}/{code}.yaml": _filled(_CASES, {**words, "SCHEMA": f"../{CASES_FILE}"}),
    }


def _filled(text: str, words: dict[str, str]) -> str:
    for mark, word in words.items():
        text = text.replace(f"@{mark}@", word)
    return text
