"""Training speed, measured against a plain script in the style of sb3-contrib's documentation.

The two run alternately in processes of their own. Both play the same games against the same opponents, with the same network,
and learn from the same number of decisions with the same gradient steps. The plain script has 8 Gymnasium environments in a
``DummyVecEnv`` with ``ActionMasker`` and ``Monitor``, PyTorch's modules and memory order, and MaskablePPO's default optimiser.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from typing import Any

import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.wrappers import ActionMasker
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv

from tower_core.game import Game
from tower_core.registry import get_game
from train.config import TrainArgs
from train.game_defaults import with_game_defaults
from train.networks import TowersPolicy, network_name, policy_kwargs
from train.networks.policy import HeadedPolicy
from train.ppo import RowsBuffer, Spent, learn, ppo_settings
from train.provenance import keep_memory
from train.thread_policy import usual_waiting
from train.vec_env import TowersVecEnv

PLAIN_ENVS = 8


@dataclass
class Speed:
    """*frames* decisions in *seconds*, and the shares of environment, forward passes (with buffers) and updates."""

    frames: int
    seconds: float
    env: float
    forward: float
    update: float

    @property
    def rate(self) -> float:
        """Decisions per second."""
        return self.frames / self.seconds


class _Keep(BaseCallback):
    def _on_step(self) -> bool:
        return True


class _Timed:
    """A model with a timer around its environment."""

    def __init__(self, model: MaskablePPO, frames: int, clock: Callable[[], float]) -> None:
        self.model, self._frames, self._clock = model, frames, clock
        self.forget()
        env: VecEnv = model.env
        for name in ("step", "env_method"):
            setattr(env, name, self._counted(getattr(env, name)))

    def _counted(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **kwargs: Any) -> Any:
            start = self._clock()
            try:
                return call(*args, **kwargs)
            finally:
                self.env_seconds += self._clock() - start

        return counted

    def cycle(self) -> None:
        """One rollout and one update."""
        once = iter((True, False))
        learn(self.model, _Keep(), lambda: next(once), self.spent)
        self.frames += self._frames

    def forget(self) -> None:
        """Reset the timers after a warm-up."""
        self.frames, self.env_seconds, self.spent = 0, 0.0, Spent(self._clock)

    def speed(self) -> Speed:
        seconds = self.spent.rollout + self.spent.update
        env = self.env_seconds / seconds
        return Speed(self.frames, seconds, env, self.spent.rollout / seconds - env, self.spent.update / seconds)


def measure_training(name: str, seconds: float, args: TrainArgs) -> dict[str, Any]:
    """Decisions per second of ours and of the plain script, measured for at least *seconds* each.

    ``args``: envs, rollout, batch_size, epochs, threads, network and its size, players, rules, opponents, reward. One
    thread is measured in CPU time, so that other work on the machine counts little; several in wall time.

    It starts processes, so a script must call it under ``if __name__ == "__main__":``.
    """
    game = get_game(name)
    args = with_game_defaults(args, game)
    args.check()
    network_name(game, args.network)
    # So that both learn from the same number of decisions.
    samples = max(args.envs * args.rollout // PLAIN_ENVS, 1) * PLAIN_ENVS
    threads = args.threads or os.cpu_count() or 1
    sides: dict[str, _Side] = {}
    try:
        for which in ("ours", "plain"):
            sides[which] = _Side(which, name, args, samples, threads)
        for side in sides.values():
            side.cycle(warm=True)
        while any(side.speed.seconds < seconds for side in sides.values()):
            for side in sides.values():
                side.cycle()
    finally:
        for side in sides.values():
            side.end()
    speeds = {which: side.speed for which, side in sides.items()}
    figures: dict[str, Any] = {"game": name, "network": args.network, "width": args.width}
    figures |= {"envs": args.envs, "plain_envs": PLAIN_ENVS, "samples": samples, "batch_size": args.batch_size}
    figures |= {"threads": threads}
    figures |= {which: {"rate": speed.rate, **asdict(speed)} for which, speed in speeds.items()}
    return figures | {"times_plain": speeds["ours"].rate / speeds["plain"].rate}


class _Side:
    """One of the two, in a process of its own, so that they share no memory."""

    speed: Speed

    def __init__(self, which: str, *about: Any) -> None:
        start = multiprocessing.get_context("spawn")
        self._pipe, theirs = start.Pipe()
        self._process = start.Process(target=_serve, args=(theirs, which, *about), daemon=True)
        # towers sets a thread policy, a plain script doesn't.
        with usual_waiting() if which == "plain" else nullcontext():
            self._process.start()
        theirs.close()
        self._answer()

    def cycle(self, warm: bool = False) -> None:
        """Run one more rollout and update; *warm*: without counting it."""
        self._pipe.send(warm)
        self.speed = self._answer()

    def _answer(self) -> Any:
        try:
            answer = self._pipe.recv()
        except EOFError:
            self._process.join()
            raise RuntimeError(
                f"the measured process ended (exit status {self._process.exitcode}); a script must measure under"
                " `if __name__ == '__main__':`"
            ) from None
        if isinstance(answer, Exception):
            raise answer
        return answer

    def end(self) -> None:
        self._process.kill()  # it may be in the middle of a cycle, as after Ctrl-C, and needs no clean-up
        self._process.join()
        self._pipe.close()


def _serve(pipe: Connection, which: str, name: str, args: TrainArgs, samples: int, threads: int) -> None:
    """The main function of a process: a cycle for every message from *pipe*, until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles Ctrl-C
    try:
        timed = _timed(which, name, args, samples, threads)
        answer: Any = None
        while True:
            pipe.send(answer)
            warm = pipe.recv()
            timed.cycle()
            answer = timed.speed()
            if warm:
                timed.forget()
    except (EOFError, BrokenPipeError):
        return
    except Exception as error:
        pipe.send(error)


def _timed(which: str, name: str, args: TrainArgs, samples: int, threads: int) -> _Timed:
    torch.set_num_threads(threads)
    clock = time.process_time if threads == 1 else time.perf_counter
    game = get_game(name)
    if which == "ours":
        keep_memory()
        return _Timed(_model(TowersPolicy, _ours(game, args), args, args.rollout), args.envs * args.rollout, clock)
    return _Timed(_model(HeadedPolicy, _plain(game, args), args, samples // PLAIN_ENVS), samples, clock)


def _ours(game: Game, args: TrainArgs) -> VecEnv:
    rules = game.resolve_rules(args.rules or None)
    return TowersVecEnv(
        game.batch_class()(args.envs, args.players, rules, args.seed, args.opponents, reward=args.reward)
    )


def _plain(game: Game, args: TrainArgs) -> VecEnv:
    env_class = game.face("Env")

    def make() -> Any:
        env = env_class(
            num_players=args.players,
            rules=args.rules or None,
            opponents=args.opponents,
            reward=args.reward,
            flatten=True,
        )
        return Monitor(ActionMasker(env, lambda one: one.unwrapped.action_masks()))

    return DummyVecEnv([make] * PLAIN_ENVS)


def _model(policy: type[HeadedPolicy], env: VecEnv, args: TrainArgs, steps: int) -> MaskablePPO:
    game = env.batch.game if isinstance(env, TowersVecEnv) else env.envs[0].unwrapped.game
    options = policy_kwargs(game, args.width, args.blocks, args.network)
    if policy is TowersPolicy:
        buffer: Any = RowsBuffer
    else:
        buffer = None  # the library's
        del options["optimizer_kwargs"]
    return MaskablePPO(
        policy,
        env,
        rollout_buffer_class=buffer,
        policy_kwargs=options,
        n_steps=steps,
        learning_rate=args.learning_rate,
        **ppo_settings(args),
    )
