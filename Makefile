# On a fresh machine: `make watch`, `make quickstart` and `make test`. Needs Python 3.11 or newer, and no compiler.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
VENV_RLLIB ?= .venv-rllib
VENV_OPENSPIEL ?= .venv-openspiel
PY ?= 3.13
VENV_PY = .venv-py$(PY)
# What needs no extra but the command line: rules, interfaces, records, players.
OTHER_PYTHON = tests/golden tests/agents tests/tower_core tests/torres_env tests/market_env
WITH_EXTRAS = tests/tower_core/test_peers.py tests/tower_core/test_player_faults.py
MINUTES ?= 9
RUN ?= runs/quickstart

.PHONY: help watch quickstart install test test-browser test-python test-arm test-examples rllib test-rllib test-openspiel lint fuzz bench \
	bench-peers docs results leaderboard objects dist clean

help:  ## show the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

$(VENV)/.cli: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt -e '.[cli]'
	@touch $@

$(VENV)/.train: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt -e '.[train]'
	@touch $@ $(VENV)/.cli

$(VENV)/.dev: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt -e '.[dev]'
	@touch $@ $(VENV)/.train $(VENV)/.cli

# RLlib wants an older gymnasium than the rest: an environment of its own.
$(VENV_RLLIB)/.rllib: pyproject.toml constraints-rllib.txt
	$(PYTHON) -m venv $(VENV_RLLIB)
	$(VENV_RLLIB)/bin/python -m pip install --quiet --constraint constraints-rllib.txt -e '.[rllib]' pytest hypothesis
	@touch $@

$(VENV_OPENSPIEL)/.openspiel: pyproject.toml constraints-openspiel.txt
	$(PYTHON) -m venv $(VENV_OPENSPIEL)
	$(VENV_OPENSPIEL)/bin/python -m pip install --quiet --constraint constraints-openspiel.txt -e '.[openspiel]' pytest hypothesis
	@touch $@

# Environments of their own, for libraries that the suite doesn't need: requirements/NAME.txt.
.venv-%/.installed: requirements/%.txt pyproject.toml
	$(PYTHON) -m venv .venv-$*
	.venv-$*/bin/python -m pip install --quiet --requirement $<
	@touch $@

.venv-py%/.tests: pyproject.toml
	$(or $(INTERPRETER),python$*) -m venv .venv-py$*
	.venv-py$*/bin/python -m pip install --quiet -e '.[cli,render]' pytest hypothesis
	@touch $@

watch: $(VENV)/.cli  ## install and show a game of Torres: the trained network against the planner
	$(BIN)/towers watch torres

quickstart: $(VENV)/.train  ## install, train an agent for Torres, evaluate it, say where the curve is
	@test ! -e $(RUN) || { echo "$(RUN) exists: remove it, or choose another with make quickstart RUN=runs/NAME"; exit 2; }
	$(BIN)/towers train torres --minutes $(MINUTES) --run $(RUN)
	$(BIN)/towers evaluate $(RUN) --against random,passive,greedy --games 200
	@echo "learning curve: $(RUN)/curve.png"

install: $(VENV)/.dev  ## everything for development, into $(VENV)

test: $(VENV)/.dev  ## the whole test suite, but for the browser, RLlib, OpenSpiel and the examples
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder --ignore=tests/browser --ignore=tests/rllib --ignore=tests/openspiel --ignore=tests/examples

test-browser: $(VENV)/.dev  ## the browser app in a real Chromium (found by name, or by TOWERS_CHROMIUM=PATH)
	$(BIN)/python -m pytest tests/browser

test-python: $(VENV_PY)/.tests  ## rules, interfaces and players on another Python: make test-python PY=3.13 (INTERPRETER=PATH)
	$(VENV_PY)/bin/python -m pytest $(OTHER_PYTHON) $(WITH_EXTRAS:%=--ignore=%)

test-arm: $(VENV)/.cli  ## play hashed games on aarch64 under qemu-user and here (Debian, qemu-user)
	$(BIN)/python -m tests.machines --arm

test-examples: $(VENV)/.dev .venv-torchrl/.installed .venv-tianshou/.installed $(VENV_RLLIB)/.rllib  ## every example, briefly
	$(BIN)/python -m pytest tests/examples

rllib: $(VENV_RLLIB)/.rllib  ## what towers train --engine rllib needs, into $(VENV_RLLIB)

test-rllib: $(VENV_RLLIB)/.rllib  ## training on RLlib, on a Ray cluster of two workers on this machine
	$(VENV_RLLIB)/bin/python -m pytest tests/rllib

test-openspiel: $(VENV_OPENSPIEL)/.openspiel  ## the games in OpenSpiel: its own simulation test, its bots
	$(VENV_OPENSPIEL)/bin/python -m pytest tests/openspiel "tests/docs/test_docs.py" -k "openspiel"

lint: $(VENV)/.dev  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

fuzz: $(VENV)/.dev  ## compare the games with their references: every rule first, then new games for SECONDS (default 600)
	$(BIN)/python -m tests.fuzz torres --seed 0 --moves 105000 --seconds 3600 --complete
	$(BIN)/python -m tests.fuzz market --seed 0 --moves 100000 --seconds 3600 --complete
	$(BIN)/python -m tests.fuzz --seconds $(or $(SECONDS),600)

bench: $(VENV)/.dev  ## speed, with yardsticks
	$(BIN)/towers bench torres

bench-peers: .venv-peers/.installed  ## speed beside pgx, OpenSpiel, PettingZoo and Gymnasium, in one run
	.venv-peers/bin/python benchmarks/peers.py

docs: $(VENV)/.dev  ## regenerate the tables in docs/
	$(BIN)/python -m docs.generate

results: $(VENV)/.dev  ## play the built-in players on the published benchmarks, write docs/results.md
	rm -rf runs/results
	$(BIN)/python docs/results.py

leaderboard: $(VENV)/.train  ## play the suite's own players anew, write their entries of the leaderboard and its page
	rm -rf runs/leaderboard
	set -e; version=$$($(BIN)/towers --version); for it in torres-2p-v0 market-2p-v0; do for player in greedy planner learned; do \
	  name=$$player-$$version; results=runs/leaderboard/$$it-$$player.jsonl; \
	  $(BIN)/towers arena --benchmark $$it --seed-set test $$name=$$player --out $$results; \
	  rm -f leaderboard/$$it/$$name.toml; \
	  $(BIN)/towers leaderboard enter $$results --name $$name --get "pip install tower-games-rl" --authors tower-games-rl; \
	done; done
	$(BIN)/towers leaderboard page

objects: $(VENV)/.dev  ## machine code of all games and players for named processors, as the wheel ships it
	$(BIN)/python -m tower_core.ahead

dist: .venv-release/.installed  ## build and check what is published, into dist/: make dist BASE=https://…/blob/v0.1.0
	.venv-release/bin/python -m release --base '$(BASE)'

clean:  ## remove the virtual environments, caches and runs
	rm -rf .venv* $(VENV) $(VENV_RLLIB) $(VENV_OPENSPIEL) runs build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
