"""Plug-ins that fail: one line that names them where they are used, and all other games go on."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from distributions import write_distribution

RACE = (
    "from dataclasses import replace\nimport numpy as np\nfrom race import *\n"
    "from tower_core.engine.hooks import implement\n"
)
PLUGINS = {
    # name of the game: source of its module, beginning of the line
    "early": ("1 / 0", "game 'early' of early can't be loaded: ZeroDivisionError: division by zero"),
    "lacking": ("import nothing_of_that_name", "game 'lacking' requires nothing_of_that_name, which is not installed"),
    "number": ("GAME = 7", "game 'number' of number must be a tower_core.game.Game, not a int"),
    "unruly": (
        RACE + "class Bad(RaceRules):\n    @classmethod\n    def presets(cls): raise KeyError('oops')\n"
        "GAME = replace(GAME, name='unruly', rules=Bad)",
        "game 'unruly' of unruly can't be loaded: GameError: game 'unruly': rules: presets() failed: KeyError('oops')",
    ),
    "blind": (
        RACE + "fields = [(n, RECORD[n]) for n in RECORD.names if n != 'padding']\n"
        "RECORD = padded(np.dtype([*fields, ('more', 'u8')], align=True))\n"
        "@jit\ndef observe(s, seat, at):\n    store_byte(at, s.nothing)\n"
        "implement(RECORD, new_game=new_game, apply=apply, observe=observe, refresh=refresh)\n"
        "GAME = replace(GAME, name='blind', record=RECORD, kernels='blind', faces='blind', _compiled={})\n"
        "RaceState, RaceBatch, RaceEnv, RaceVectorEnv, raw_env, env = make_faces(GAME, __name__)",
        "game 'blind': blind fails: KeyError: 'nothing'",
    ),
}  # fmt: skip
AT_USE = {"blind"}
"""Fails when it is compiled; the others when they are loaded."""


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """Of a process in which all of these are installed, a package with two games, and one that claims a taken name."""
    folder = tmp_path_factory.mktemp("plugins")

    for name, (source, _) in PLUGINS.items():
        write_distribution(folder, name, f"[towers.games]\n{name} = {name}:GAME\n", source)
    write_distribution(folder, "thief", "[towers.games]\ntorres = race:GAME\n")
    both = RACE + "\n".join(f"{name.upper()} = replace(GAME, name={name!r})" for name in ("heads", "tails"))
    random = "random = tower_core.players.generic:make_random"
    players = "\n".join(f"[towers.players.{name}]\n{random}" for name in ("heads", "tails"))
    write_distribution(folder, "twins", f"[towers.games]\nheads = twins:HEADS\ntails = twins:TAILS\n{players}\n", both)
    race = os.path.join(os.path.dirname(__file__), os.pardir, "plugins")
    root = os.path.join(os.path.dirname(__file__), os.pardir, os.pardir)
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), race, root]), "TOWERS_QUIET": "1"}


def towers(environment, *arguments, **more):
    return subprocess.run(
        [sys.executable, "-m", "towers", *arguments], env=environment | more, capture_output=True, text=True,
        stdin=subprocess.DEVNULL, timeout=600, check=False,
    )  # fmt: skip


def test_info_goes_on(environment):
    done = towers(environment, "info")
    assert done.returncode == 0
    for title in ("Torres", "The market game", "Race"):
        assert f"\n{title}\n" in f"\n{done.stdout}"
    assert all(f"  name                {name}" in done.stdout for name in ("race", "heads", "tails", "torres"))
    lines = done.stderr.splitlines()
    assert "towers: 'torres' of thief is ignored: tower-games-rl already uses the name" in lines
    for name, (_, line) in PLUGINS.items():
        assert sum(one.startswith(f"towers: {line}") for one in lines) == (name not in AT_USE), done.stderr
    assert len(lines) == len(PLUGINS) - len(AT_USE) + 1


@pytest.mark.parametrize("name", ["early", *AT_USE])
def test_one_line_where_it_is_used(environment, name):
    done = towers(environment, "play", name, "--players", "random,random")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"towers: {PLUGINS[name][1]}") and done.stderr.count("\n") == 1


def test_the_server_offers_the_others(environment):
    code = "from towers.web.offer import find_offer; o = find_offer([]); print(*sorted(o.players)); print(*o.faults, sep='\\n')"
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    games, *faults = done.stdout.splitlines()
    assert games.split() == ["heads", "market", "race", "tails", "torres"]
    assert all(sum(one.startswith(line) for one in faults) == 1 for _, line in PLUGINS.values()), faults


@pytest.mark.parametrize("game", ["race", "market"])
def test_compiling_switched_off(environment, game, tmp_path):
    fresh = {"TOWERS_COMPILE": "1", "NUMBA_CACHE_DIR": str(tmp_path), "NUMBA_DISABLE_JIT": "1"}
    done = towers(environment, "play", game, "--players", "random,random", **fresh)
    assert done.returncode == 2
    assert done.stderr == "towers: games require compilation, but NUMBA_DISABLE_JIT is set: unset it\n"
