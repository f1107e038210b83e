"""Speed beside other libraries, in one run: ``make bench-peers`` prints a table for docs/speed.md.

Environment steps per second of CPU time, the best of three portions, with uniformly random legal actions. Every step gives
observation and mask where the library has them; finished games start anew.
"""

from __future__ import annotations

import argparse
import os
import platform
import time
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import gymnasium
import numpy as np

Portion = Callable[[], int]
_REPEATS = 3


def rate(portion: Portion, seconds: float) -> float:
    """Steps per second of CPU time, the best of three, after a warm-up."""
    portion()
    best = 0.0
    for _ in range(_REPEATS):
        done, start = 0, time.process_time()
        while (spent := time.process_time() - start) < seconds / _REPEATS:
            done += portion()
        best = max(best, done / spent)
    return best


# ---------------------------------------------------------------------------------------------- many games at once
def ours(name: str, envs: int) -> Portion:
    """The compiled loop: sampling, playing, observation and mask."""
    from tower_core.registry import get_game

    game = get_game(name)
    batch = game.batch_class()(envs, *game.measured)

    def portion() -> int:
        batch.random_play(100)
        return 100 * envs

    return portion


def ours_from_python(name: str, envs: int) -> Portion:
    from tower_core.registry import get_game

    game = get_game(name)
    batch = game.batch_class()(envs, *game.measured)

    def portion() -> int:
        batch.step(batch.sample_actions())
        return envs

    return portion


def pgx_game(name: str, envs: int) -> Portion:
    """A jitted loop of 50 steps over a batch, with auto-reset."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def play(state: Any, key: Any) -> Any:
        def one(_: int, carry: Any) -> Any:
            state, key, seen = carry
            key, now = jax.random.split(key)
            logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
            actions = jax.random.categorical(now, logits, axis=1)
            state = step(state, actions, jax.random.split(now, envs))
            return state, key, seen + state.observation.sum()  # or the compiler removes the observation

        return jax.lax.fori_loop(0, 50, one, (state, key, 0.0))

    carry = [jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), envs)), jax.random.PRNGKey(1)]

    def portion() -> int:
        carry[0], carry[1], seen = play(*carry)
        jax.block_until_ready(seen)
        return 50 * envs

    return portion


def cartpole(envs: int) -> Portion:
    vector = gymnasium.make_vec("CartPole-v1", num_envs=envs, vectorization_mode="sync")
    vector.reset(seed=0)
    actions = [vector.action_space.sample() for _ in range(32)]

    def portion() -> int:
        for action in actions:
            vector.step(action)
        return envs * len(actions)

    return portion


def native_vector(name: str, envs: int) -> Portion:
    """``make_vec``: all arrays are copies, as Gymnasium's are."""
    vector = gymnasium.make_vec(name, num_envs=envs, opponents="random", illegal="random")
    vector.reset(seed=0)
    actions = np.zeros(envs, np.int64)  # illegal ones are replaced by random legal ones inside

    def portion() -> int:
        for _ in range(16):
            vector.step(actions)
        return 16 * envs

    return portion


# ---------------------------------------------------------------------------------------------- one game
def openspiel(name: str) -> Portion:
    """C++ states called from Python: legal actions, observation tensor, apply."""
    import pyspiel

    game, rng = pyspiel.load_game(name), np.random.default_rng(0)

    def portion() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal() and steps < 1000:
            if state.is_chance_node():
                outcomes, probs = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(int(rng.choice(outcomes, p=probs)))
                continue
            state.observation_tensor(state.current_player())
            actions = state.legal_actions()
            state.apply_action(actions[int(rng.integers(len(actions)))])
            steps += 1
        return steps

    return portion


def pettingzoo(module: str, **options: Any) -> Portion:
    """The loop of PettingZoo's documentation."""
    env, rng = import_module(module).env(**options), np.random.default_rng(0)

    def portion() -> int:
        env.reset()
        steps = 0
        for _ in env.agent_iter():
            observation, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            mask = observation["action_mask"] if "action_mask" in observation else info["action_mask"]
            env.step(int(rng.choice(np.flatnonzero(mask))))
            steps += 1
        return steps

    return portion


MANY: dict[str, Callable[[], Portion]] = {
    "Torres, compiled loop, 64 games": lambda: ours("torres", 64),
    "market game, compiled loop, 64 games": lambda: ours("market", 64),
    "Torres, `step(sample_actions())`, 64 games": lambda: ours_from_python("torres", 64),
    "market game, `step(sample_actions())`, 64 games": lambda: ours_from_python("market", 64),
    "Torres, `make_vec`, 64 games against `random`": lambda: native_vector("torres_env:torres_env/Torres-v0", 64),
    "market game, `make_vec`, 64 games against `random`": lambda: native_vector("market_env:market_env/Market-v0", 64),
    "Gymnasium CartPole, `SyncVectorEnv(64)`": lambda: cartpole(64),
    "pgx othello, 256 games": lambda: pgx_game("othello", 256),
    "pgx go 9×9, 256 games": lambda: pgx_game("go_9x9", 256),
    "pgx backgammon, 256 games": lambda: pgx_game("backgammon", 256),
    "pgx chess, 64 games": lambda: pgx_game("chess", 64),
}
ONE: dict[str, Callable[[], Portion]] = {
    "OpenSpiel othello, from Python": lambda: openspiel("othello"),
    "OpenSpiel go 9×9, from Python": lambda: openspiel("go(board_size=9)"),
    "OpenSpiel backgammon, from Python": lambda: openspiel("backgammon"),
    "OpenSpiel chess, from Python": lambda: openspiel("chess"),
    "PettingZoo loop: Torres, `env()`": lambda: pettingzoo("torres_env.torres_v0"),
    "PettingZoo loop: market game, `env()`": lambda: pettingzoo("market_env.market_v0", num_players=2),
    "PettingZoo loop: tic-tac-toe": lambda: pettingzoo("pettingzoo.classic.tictactoe_v3"),
    "PettingZoo loop: connect four": lambda: pettingzoo("pettingzoo.classic.connect_four_v3"),
    "PettingZoo loop: go 9×9": lambda: pettingzoo("pettingzoo.classic.go_v5", board_size=9),
    "PettingZoo loop: chess": lambda: pettingzoo("pettingzoo.classic.chess_v6"),
    "PettingZoo loop: leduc hold'em": lambda: pettingzoo("pettingzoo.classic.leduc_holdem_v4"),
}
LIBRARIES = ("numba", "numpy", "gymnasium", "pettingzoo", "open_spiel", "pgx", "jax", "pufferlib")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="CPU seconds for each line")
    parser.add_argument("--skip", default="", help="names to leave out, separated by commas, such as 'pgx chess'")
    args = parser.parse_args()
    skipped = tuple(filter(None, args.skip.split(",")))
    print(_machine())
    print("\n| environment | steps per CPU second |\n|---|---:|")
    for name, prepare in {**MANY, **ONE}.items():
        if skipped and name.startswith(skipped):
            continue
        try:
            print(f"| {name} | {rate(prepare(), args.seconds):,.0f} |", flush=True)
        except Exception as error:  # a library that is missing or fails must not hide the others
            print(
                f"| {name} | – ({type(error).__name__}: {str(error).splitlines()[0][:80] if str(error) else ''}) |",
                flush=True,
            )


def _machine() -> str:
    cpu = Path("/proc/cpuinfo")
    lines = cpu.read_text().splitlines() if cpu.exists() else []
    model = next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.processor()
    )
    found = []
    for name in LIBRARIES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"{name} not installed")
    versions = f"Python {platform.python_version()}, {', '.join(found)}"
    return f"{model}, {os.cpu_count()} cores; {versions}; load {os.getloadavg()[0]:.1f}"


if __name__ == "__main__":
    main()
