"""``towers.torres``, ``towers.market``, ``towers.agents``, ``towers.train``: second names, and what hides the first ones."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from agents import names
from towers.own_packages import _MARK

ROOT = Path(__file__).resolve().parents[2]
NAMES = {"torres": "torres_env", "market": "market_env", "agents": "agents", "train": "train"}
PAGES = [
    *(ROOT / "docs").rglob("*.md"),
    ROOT / "README.md",
    ROOT / "seeds" / "README.md",
    *ROOT.glob("notebooks/*.ipynb"),
]


def python(*arguments: str, cwd: Path, root: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd, env={**os.environ, "PYTHONPATH": str(root)}, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


def test_both_names_are_one_module(child):
    done = child("\n".join(
        f"import towers.{name}, {package}; assert towers.{name} is {package}; print({package}.__spec__.name)"
        for name, package in NAMES.items()
    ))  # fmt: skip
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, list(NAMES.values()), "")


@pytest.mark.parametrize("first", ["towers.train", "train"])
def test_submodules_are_one_module_in_either_order(child, first):
    names = ["towers.train", "train"] if first == "towers.train" else ["train", "towers.train"]
    done = child(f"""
import sys
from {names[0]}.arena.report import grids as one
from {names[1]}.arena.report import grids as other
from {names[0]}.config import TrainArgs
import {names[1]}.config
assert one is other and {names[1]}.config.TrainArgs is TrainArgs
assert TrainArgs.__module__ == sys.modules["towers.train.config"].__name__ == "train.config"
assert sys.modules["towers.train.config"].__spec__.name == "train.config"
""")
    assert done.returncode == 0, done.stderr


def test_names_are_lazy(child):
    done = child("import sys, towers; print(sorted(set(sys.modules) & {'agents', 'train', 'numpy', 'torres_env'}))")
    assert done.stdout == "[]\n"
    done = child("import sys, towers.train, towers.agents; print('torch' in sys.modules, 'numba' in sys.modules)")
    assert done.stdout == "False False\n"


def test_what_is_not_there_is_not_found(child):
    done = child("import towers.train.nothing")
    assert done.stderr.splitlines()[-1] == "ModuleNotFoundError: No module named 'towers.train.nothing'"


def test_every_module_that_the_documents_import_is_known_to_type_checkers():
    text = "".join(page.read_text("utf-8") for page in PAGES)
    used = set(re.findall(rf"(?:from|import) towers\.((?:{'|'.join(NAMES)})(?:\.\w+)*)", text))
    assert len(used) > 10
    for name in used:
        path = ROOT / "towers" / name.replace(".", "/")
        assert path.with_suffix(".py").exists() or (path / "__init__.py").exists(), f"towers.{name}"
    for name, package in NAMES.items():
        for file in (ROOT / "towers" / name).rglob("*.py"):
            below = file.relative_to(ROOT / "towers" / name)
            module = ".".join((package, *below.with_suffix("").parts)).removesuffix(".__init__")
            assert f"from {module} import *\n" in file.read_text()
            assert (ROOT / package / below).exists()


# ------------------------------------------------------------------------------------------- what hides a package
def test_a_file_that_hides_a_package_is_named(tmp_path):
    file = tmp_path / "agents.py"
    file.write_text("raise SystemExit('must not run')")
    done = python("-c", "from towers.agents import make", cwd=tmp_path)
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"ImportError: {file} hides the package 'agents' of towers: ")
    done = python("-m", "towers", "info", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(f"towers: {file} hides the package 'agents' of towers: ")
    assert done.stderr.count("\n") == 1


def test_a_script_that_has_the_name_of_a_package_is_named(tmp_path):
    file = tmp_path / "train.py"
    file.write_text("from towers.train.vec_env import TowersVecEnv")
    done = python(str(file), cwd=tmp_path)
    assert done.stderr.splitlines()[-1].startswith(f"ImportError: {file} hides the package 'train' of towers: ")


def test_a_module_that_was_loaded_before_is_named(tmp_path):
    elsewhere = tmp_path / "elsewhere" / "train"
    elsewhere.mkdir(parents=True)
    (elsewhere / "__init__.py").write_text("")
    code = "import sys; sys.path.insert(0, 'elsewhere'); import train; import towers.train"
    done = python("-c", code, cwd=tmp_path)
    assert done.stderr.splitlines()[-1].startswith(
        f"ImportError: {elsewhere / '__init__.py'} hides the package 'train'"
    )


def test_another_distribution_that_wrote_over_ours_is_named(tmp_path):
    """Two distributions with one top-level name share its folder; the one that was installed last has ``__init__.py``."""
    ignored = shutil.ignore_patterns("__pycache__", "web")
    for package in ("towers", "agents"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=ignored)
    file = tmp_path / "agents" / "__init__.py"
    code = "import towers.own_packages as own; own.require_own('agents'); print('ours')"
    assert python("-c", code, cwd=tmp_path, root=tmp_path).stdout == "ours\n"
    file.write_text('"""Agents of somebody else."""\n')
    last = python("-c", code, cwd=tmp_path, root=tmp_path).stderr.splitlines()[-1]
    assert last.startswith(f"ImportError: {file} hides the package 'agents' of towers: ")


@pytest.mark.parametrize("package", NAMES.values())
def test_every_package_bears_the_mark(package):
    assert _MARK in (ROOT / package / "__init__.py").read_text("utf-8").split('"""')[1]


# --------------------------------------------------------------------------------------------------- python -m
def test_python_m_train_is_towers_train(tmp_path):
    help_text = python("-m", "towers", "train", "--help", cwd=tmp_path).stdout
    assert "towers train" in help_text
    for module in ("train", "towers.train"):
        done = python("-m", module, "--help", cwd=tmp_path)
        assert (done.returncode, done.stdout, done.stderr) == (0, help_text, "")
    done = python("-m", "train", "nonsense", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, "towers: unknown game 'nonsense': choose one of market, torres\n")


def test_python_m_agents_lists_players(tmp_path):
    done = python("-m", "agents", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    listed = [line for line in done.stdout.splitlines() if line.startswith("  ")]
    assert {line.split()[0] for line in listed} == set(names())
    assert all(len(line.split()) > 3 for line in listed)
