# make demo    lint, fix and lint again a copy of the fixture launchers
# make test    everything that must hold before a change lands
# make coverage  the tests, and which lines and branches they leave out
# make bench   recipelint beside shellcheck and bare Python (PATHS=… measures other launchers, JSON=… keeps the figures)
# make fuzz    what no change waits for: FUZZ_EXAMPLES launchers beside bash, FUZZ_MINUTES of hostile bytes (FUZZ=… names parts)
# make clean   remove what the others made

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PATHS ?=
JSON ?=
FUZZ ?=
FUZZ_EXAMPLES ?= 100000
FUZZ_MINUTES ?= 10
FUZZ_SEED ?= 0
RULES := $(shell find rules -name '*.yaml')
INDEX := recipelint/_rules.json

.PHONY: demo test lint types layers docs unit coverage bench fuzz clean
.DELETE_ON_ERROR:
.NOTPARALLEL:

demo: $(VENV)/.run $(INDEX)
	@RECIPELINT="$(abspath $(BIN))/recipelint" bash tests/demo.sh tests/fixtures/molt

test: lint types layers docs unit

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

layers: $(VENV)/.dev
	$(BIN)/lint-imports

docs: $(VENV)/.dev
	$(BIN)/python -m recipelint.ruleset.page --check docs/rules
	$(BIN)/python -m recipelint.ruleset.trainers_page --check docs/trainers.md
	$(BIN)/python -m recipelint.cli.manual --check docs/man/recipelint.1
	$(BIN)/python -m recipelint.ruleset.rule_schema --check schema

unit: $(VENV)/.dev $(INDEX)
	$(BIN)/python -m pytest --numprocesses=auto --dist=worksteal

coverage: $(VENV)/.dev $(INDEX)
	$(BIN)/python -m pytest --numprocesses=auto --dist=worksteal --cov --cov-report=term

bench: $(VENV)/.dev $(INDEX)
	$(compile)
	$(BIN)/python -m bench $(if $(JSON),--json $(JSON)) $(PATHS)

fuzz: $(VENV)/.dev $(INDEX)
	$(BIN)/python -m tests.fuzz --examples $(FUZZ_EXAMPLES) --minutes $(FUZZ_MINUTES) --seed $(FUZZ_SEED) $(FUZZ)

clean:
	rm -rf $(VENV) dist $(INDEX) .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis .fuzz .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# One environment for all: the program alone for the demo, the tools beside it for the rest.
install = $(PYTHON) -m venv $(VENV) && $(BIN)/python -m pip install -qq --disable-pip-version-check --editable

# Bytecode of the checkout, also where the environment forbids Python to write it on its own.
compile = $(BIN)/python -m compileall -q recipelint

$(VENV)/.run: pyproject.toml hatch_build.py
	$(install) .
	$(compile)
	@touch $@

$(VENV)/.dev: pyproject.toml hatch_build.py
	$(install) '.[dev]'
	$(compile)
	@touch $(VENV)/.run $@

# The install compiles the rules; this does it again when one was edited.
$(INDEX): $(RULES) | $(VENV)/.run
	$(BIN)/python -c 'from pathlib import Path; import recipelint.ruleset.compile as c; c.compile_index(Path("rules"), Path("$@"))'
