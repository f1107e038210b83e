"""Speed of a game, measured together with reference environments: ``towers bench GAME``."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import gymnasium
import numpy as np
from rich.console import Console
from rich.table import Table

from tower_core.game import Game
from tower_core.registry import get_game
from towers.table import player_problem

BATCHES = (1, 64, 256, 1024)
_REPEATS = 3


def measure(name: str, seconds: float, quiet: bool = False) -> dict[str, Any]:
    """All measurements of a game; speeds are steps per second of CPU time, the best of three."""
    game = get_game(name)

    def progress(what: str) -> None:
        if not quiet:
            print(f"{what} …", file=sys.stderr)

    figures: dict[str, Any] = {
        "game": name,
        "cores": os.cpu_count(),
        "rules": game.measured[1],
        "players": game.measured[0],
    }
    game.entry  # noqa: B018 (compiled before anything is timed)
    figures["bytes_per_game"] = game.record.itemsize
    progress("batches")
    figures["random_play"] = {n: _steps(_batch_play(game, n), seconds) for n in BATCHES}
    figures["python_loop"] = {n: _steps(_batch_loop(game, n), seconds) for n in BATCHES}
    progress("reference environments")
    figures["cartpole_sync64"] = _steps(_cartpole(), seconds)
    best = max(figures["random_play"][n] for n in BATCHES if n >= 64)
    figures["times_cartpole"] = best / figures["cartpole_sync64"]
    try:
        tictactoe = import_module("pettingzoo.classic.tictactoe_v3").raw_env()
        figures["tictactoe_aec"] = _steps(_tictactoe(tictactoe), seconds)
    except ImportError:  # without its extra
        figures["tictactoe_aec"] = None
    progress("PettingZoo and Gymnasium")
    figures["aec_raw_env"] = _steps(_aec(game, raw=True), seconds)
    figures["aec_env"] = _steps(_aec(game, raw=False), seconds)
    figures["gymnasium_env"] = _steps(_gym(game), seconds)
    if (os.cpu_count() or 1) > 1:
        progress("threads")
        figures["two_threads"] = _threads(game, seconds)
    progress("start-up")
    figures.update(_start(game))
    return figures


# ---------------------------------------------------------------------------------------------- measurements
Work = Iterator[int]
"""Sets up, and then yields the number of steps of each portion of work."""


def _steps(work: Work, seconds: float) -> float:
    """Steps per second of CPU time."""
    return _best(work, seconds, time.process_time)


def _best(work: Work, seconds: float, clock: Callable[[], float]) -> float:
    """Steps per second of *clock*: the best of some repeats, after a warm-up."""
    next(work)
    best = 0.0
    for _ in range(_REPEATS):
        done, start = 0, clock()
        while (spent := clock() - start) < seconds / _REPEATS:
            done += next(work)
        best = max(best, done / spent)
    return best


def _batch_play(game: Game, n: int, threads: int = 1, steps: int = 20_000) -> Work:
    batch = game.batch_class()(n, *game.measured, num_threads=threads)
    repeat = max(1, steps // n)
    while True:
        batch.random_play(repeat)
        yield repeat * n


def _batch_loop(game: Game, n: int) -> Work:
    batch = game.batch_class()(n, *game.measured)
    while True:
        batch.step(batch.sample_actions())
        yield n


def _cartpole() -> Work:
    vector = gymnasium.make_vec("CartPole-v1", num_envs=64, vectorization_mode="sync")
    vector.reset(seed=0)
    actions = [vector.action_space.sample() for _ in range(64)]
    while True:
        for action in actions:
            vector.step(action)
        yield 64 * len(actions)


def _play_aec(env: Any, choose: Callable[[Any], int]) -> int:
    """Play a game of *env* from its start; returns the number of steps."""
    steps = 0
    for _ in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        env.step(None if terminated or truncated else choose(observation))
        steps += 1
    return steps


def _aec(game: Game, *, raw: bool) -> Work:
    """Replays recorded actions, so that choosing them takes no time."""
    env = game.face("raw_env" if raw else "env")(*game.measured)
    actions: list[int] = []
    rng = np.random.default_rng(0)

    def record(seen: Any) -> int:
        actions.append(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
        return actions[-1]

    env.reset(seed=0)
    _play_aec(env, record)
    while True:
        env.reset(seed=0)
        chosen = iter(actions)
        yield _play_aec(env, lambda _, chosen=chosen: next(chosen))  # type: ignore[misc]


def _tictactoe(env: Any) -> Work:
    rng = np.random.default_rng(0)
    while True:
        env.reset()
        yield _play_aec(env, lambda seen: int(rng.choice(np.flatnonzero(seen["action_mask"]))))


def _gym(game: Game) -> Work:
    players, rules = game.measured
    env = game.face("Env")(num_players=players, rules=rules, opponents="random", illegal="random")
    env.reset(seed=0)
    while True:
        for _ in range(200):
            if any(env.step(0)[2:4]):
                env.reset()
        yield 200


def _threads(game: Game, seconds: float) -> float:
    """Speed-up of two threads over one in wall time, at the largest batch."""
    plays = [_batch_play(game, BATCHES[-1], threads, steps=400_000) for threads in (1, 2)]
    one, two = (_best(play, seconds, time.perf_counter) for play in plays)
    return two / one


_FIRST_STEP = """
import time; start = time.perf_counter()
from tower_core.registry import get_game
state = get_game("{name}").state_class()()
state.apply_action(state.legal_actions()[0])
print(time.perf_counter() - start)
"""
_EVERYTHING = """
from tower_core.players.specs import make_player
from tower_core.registry import get_game
make_player("{player}", get_game("{name}"))
"""


def _start(game: Game) -> dict[str, float]:
    """CPU seconds to compile rules and a player without a cache; wall seconds from import to first step with one."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder, "TOWERS_QUIET": "1", "TOWERS_COMPILE": "1"}

        def child(code: str) -> tuple[float, str]:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run(
                [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
            )
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout

        player = "random" if player_problem("greedy", game) else "greedy"
        everything = _EVERYTHING.format(name=game.name, player=player)
        cold, _ = child(everything)
        warm, _ = child(everything)
        first = _FIRST_STEP.format(name=game.name)
        child(first)
        return {"cold_compile_cpu_s": cold - warm, "warm_start_s": min(float(child(first)[1]) for _ in range(3))}


# ---------------------------------------------------------------------------------------------- output
def show(figures: dict[str, Any], console: Console) -> None:
    """Print the measurements as tables."""
    batches = Table(
        title=f"{figures['game']}: million steps/s of CPU time on one core "
        f"({figures['rules']}, {figures['players']} players; observation and mask at every step)",
        title_justify="left",
    )
    batches.add_column("parallel games")
    for n in figures["random_play"]:
        batches.add_column(str(n), justify="right")
    for row, key in (
        ("random play, native loop", "random_play"),
        ("step(sample_actions()) from Python", "python_loop"),
    ):
        batches.add_row(row, *[f"{rate / 1e6:.2f}" for rate in figures[key].values()])
    console.print(batches)
    rest = Table(title="other measurements", title_justify="left")
    rest.add_column("measurement")
    rest.add_column("result", justify="right")
    rows = [
        ("Gymnasium CartPole, SyncVectorEnv(64), steps/s", f"{figures['cartpole_sync64']:,.0f}"),
        ("best batch / CartPole", f"{figures['times_cartpole']:.1f} ×"),
        ("PettingZoo raw_env, steps/s (dict observations, copied)", f"{figures['aec_raw_env']:,.0f}"),
        ("PettingZoo env with wrappers, steps/s", f"{figures['aec_env']:,.0f}"),
        ("Gymnasium env against random, steps/s", f"{figures['gymnasium_env']:,.0f}"),
        ("speed-up of two threads", f"{figures.get('two_threads', 1):.2f} ×"),
        ("cold compile of rules and players, CPU seconds", f"{figures['cold_compile_cpu_s']:.1f}"),
        ("warm start, import to first step, seconds", f"{figures['warm_start_s']:.2f}"),
        ("bytes per game", f"{figures['bytes_per_game']:,}"),
    ]
    if figures.get("tictactoe_aec"):
        rows.insert(2, ("PettingZoo's tic-tac-toe raw_env, steps/s", f"{figures['tictactoe_aec']:,.0f}"))
    for what, figure in rows:
        rest.add_row(what, figure)
    console.print(rest)
