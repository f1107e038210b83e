"""Machine code that a package ships: used without Numba, on every level of this processor, and only with its own source."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tower_core.engine.machine_code import TARGETS, shipped_targets

ROOT = Path(__file__).resolve().parents[2]
LEVELS = [target.name for target in shipped_targets()]
PLAY = """
import hashlib, sys
from tower_core.players.specs import make_player
from tower_core.registry import get_game
game = get_game("connect_four")
digest = hashlib.sha256()
for player in ("random", "passive"):
    batch = game.batch_class()(16, seed=5, opponents={player: 1})
    for _ in range(100):
        batch.step(batch.sample_actions())
        digest.update(batch.observation.tobytes() + batch.action_mask.tobytes() + batch.reward.tobytes())
state, player = game.state_class()(seed=1), make_player("mcts:sims=20", game, 3)
while not state.is_terminal():
    state.apply_action(player.act(state))
print(digest.hexdigest(), state.history(), "numba" in sys.modules)
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder with a copy of the packages and an installed plug-in, whose machine code and the suite's own it ships."""
    folder = tmp_path_factory.mktemp("site")
    made = shutil.ignore_patterns("__pycache__", "*.kernel")
    for source in ("tower_core", "agents", "examples/connect_four/connect_four"):
        shutil.copytree(ROOT / source, folder / Path(source).name, ignore=made)
    about = folder / "tower_games_connect_four-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: tower-games-connect-four\nVersion: 1\n")
    players = "\n".join(f"{name} = {module}" for name, module in (
        ("own_random", "tower_core.players.generic:make_random"), ("own_mcts", "agents.search.mcts:make_mcts")))  # fmt: skip
    (about / "entry_points.txt").write_text(
        f"[towers.games]\nconnect_four = connect_four.game:GAME\n[towers.players.connect_four]\n{players}\n"
    )
    flags = [f"--target={name}" for name in ("aarch64", *LEVELS)]
    done = run(folder, "-m", "tower_core.ahead", "connect_four", *flags)
    assert done.returncode == 0, done.stderr
    return folder


def run(folder, *arguments, **variables):
    cleared = {name: value for name, value in os.environ.items() if name not in ("TOWERS_QUIET", "TOWERS_COMPILE")}
    environment = {**cleared, "PYTHONPATH": str(folder), "NUMBA_CACHE_DIR": str(folder / "cache"), **variables}
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def compiled(site):
    done = run(site, "-c", PLAY, TOWERS_COMPILE="1")
    assert "compiling the rules of Connect Four" in done.stderr
    assert done.stdout.endswith("True\n")
    return done.stdout.removesuffix("True\n")


def test_levels_of_this_processor():
    """Linux says which there are: x86-64-v2 and better have the feature popcnt, v3 avx2 and bmi2, v4 avx512bw."""
    assert platform.system() == "Linux"
    flags = set(Path("/proc/cpuinfo").read_text().split())
    wanted = {"x86-64-v4": {"avx512bw", "avx2"}, "x86-64-v3": {"avx2", "bmi2"}, "x86-64-v2": {"popcnt", "sse4_2"}}
    own = [name for name, needs in wanted.items() if needs <= flags]
    assert (own or ["aarch64"]) == LEVELS


@pytest.mark.parametrize("level", LEVELS)
def test_each_level_plays_the_games_of_compiled_code_without_numba(level, site, compiled, tmp_path):
    shutil.copytree(site, tmp_path / "site", ignore=shutil.ignore_patterns("cache"))
    for path in (tmp_path / "site").rglob("*.kernel"):
        if not path.name.endswith(f"-{level}.kernel"):
            path.unlink()
    done = run(tmp_path / "site", "-c", PLAY)
    assert (done.stdout, done.stderr) == (f"{compiled}False\n", "")
    assert not list((tmp_path / "site" / "cache").rglob("*.kernel"))


def test_what_does_not_fit_is_compiled(site, compiled, tmp_path):
    shutil.copytree(site, tmp_path / "site")
    rules = sorted((tmp_path / "site" / "connect_four" / "machine_code").glob(f"*-{LEVELS[0]}.kernel"))
    for path in rules:
        path.write_bytes(path.read_bytes()[:-1])
    damaged = run(tmp_path / "site", "-c", PLAY)
    assert damaged.stdout.startswith(compiled)
    assert damaged.stderr.count("RuntimeWarning") == 1 and f"{rules[0]} is damaged" in damaged.stderr
    with (tmp_path / "site" / "connect_four" / "drawing.py").open("a") as file:
        file.write("\n# an edit\n")
    edited = run(tmp_path / "site", "-c", PLAY)
    assert edited.stdout == f"{compiled}True\n"
    assert "compiling the rules of Connect Four" in edited.stderr and "RuntimeWarning" not in edited.stderr


def test_machine_code_of_another_processor_is_built_here(site):
    [path] = (site / "connect_four" / "machine_code").glob("*-aarch64.kernel")
    from tower_core.engine.kernel_files import read

    code = read(path)
    assert code is not None and code[:4] == b"\x7fELF" and int.from_bytes(code[18:20], "little") == 183  # EM_AARCH64
    assert TARGETS["aarch64"].triple.startswith("aarch64")


IMPORT = """
import pkgutil, sys
from importlib import import_module
for name in ("torres_env", "market_env", "agents", "tower_core.players", "tower_core.envs"):
    package = import_module(name)
    for module in pkgutil.walk_packages(package.__path__, name + "."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
print("numba" in sys.modules)
"""


def test_games_and_players_import_without_numba():
    assert run(ROOT, "-c", IMPORT).stdout == "False\n"
