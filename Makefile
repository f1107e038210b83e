# Two commands on a fresh machine: `make quickstart` and `make test`. Needs Python 3.11 or newer and a C compiler.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
VENV_RLLIB ?= .venv-rllib
VENV_OPENSPIEL ?= .venv-openspiel
MINUTES ?= 9
RUN ?= runs/quickstart

.PHONY: help quickstart install test test-browser rllib test-rllib test-openspiel lint fuzz bench docs results clean

help:  ## show the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

$(VENV)/.train: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt -e '.[train]'
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt -e '.[dev]'
	@touch $@ $(VENV)/.train

# RLlib wants an older gymnasium than the rest: an environment of its own.
$(VENV_RLLIB)/.rllib: pyproject.toml constraints-rllib.txt
	$(PYTHON) -m venv $(VENV_RLLIB)
	$(VENV_RLLIB)/bin/python -m pip install --quiet --constraint constraints-rllib.txt -e '.[rllib]' pytest hypothesis
	@touch $@

$(VENV_OPENSPIEL)/.openspiel: pyproject.toml constraints-openspiel.txt
	$(PYTHON) -m venv $(VENV_OPENSPIEL)
	$(VENV_OPENSPIEL)/bin/python -m pip install --quiet --constraint constraints-openspiel.txt -e '.[openspiel]' pytest hypothesis
	@touch $@

quickstart: $(VENV)/.train  ## install, train an agent for Torres, evaluate it, say where the curve is
	@test ! -e $(RUN) || { echo "$(RUN) exists: remove it, or choose another with make quickstart RUN=runs/NAME"; exit 2; }
	$(BIN)/towers train torres --minutes $(MINUTES) --run $(RUN)
	$(BIN)/towers evaluate $(RUN) --against random,passive,greedy --games 200
	@echo "learning curve: $(RUN)/curve.png"

install: $(VENV)/.dev  ## everything for development, into $(VENV)

test: $(VENV)/.dev  ## the whole test suite, but for the browser, RLlib and OpenSpiel
	$(BIN)/python -m pytest -n auto --dist loadfile --ignore=tests/browser --ignore=tests/rllib --ignore=tests/openspiel

test-browser: $(VENV)/.dev  ## the browser app in a real Chromium (found by name, or by TOWERS_CHROMIUM=PATH)
	$(BIN)/python -m pytest tests/browser

rllib: $(VENV_RLLIB)/.rllib  ## what towers train --engine rllib needs, into $(VENV_RLLIB)

test-rllib: $(VENV_RLLIB)/.rllib  ## training on RLlib, on a Ray cluster of two workers on this machine
	$(VENV_RLLIB)/bin/python -m pytest tests/rllib

test-openspiel: $(VENV_OPENSPIEL)/.openspiel  ## the games in OpenSpiel: its own simulation test, its bots
	$(VENV_OPENSPIEL)/bin/python -m pytest tests/openspiel

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

docs: $(VENV)/.dev  ## regenerate the tables in docs/
	$(BIN)/python -m docs.generate

results: $(VENV)/.dev  ## play the built-in players on the published benchmarks, write docs/results.md
	rm -rf runs/results
	$(BIN)/python docs/results.py

clean:  ## remove the virtual environments, caches and runs
	rm -rf $(VENV) $(VENV_RLLIB) $(VENV_OPENSPIEL) runs build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
