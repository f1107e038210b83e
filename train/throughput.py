"""How fast training is, beside a plain script in the style of sb3-contrib's documentation, in one process and in turns.

Both play the same games against the same opponents, with the same network, and learn from as many decisions with the same
gradient steps. The plain script has 8 Gymnasium environments in a ``DummyVecEnv`` with ``ActionMasker`` and ``Monitor``.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from typing import Any

import gymnasium
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.wrappers import ActionMasker
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv

from tower_core.game import Game, get_game
from train.buffer import RowsBuffer
from train.config import TrainArgs
from train.learn import Spent, learn
from train.networks import TowersPolicy, network_name, policy_kwargs
from train.networks.policy import HeadedPolicy
from train.vec_env import TowersVecEnv

PLAIN_ENVS = 8


@dataclass
class Speed:
    """*frames* decisions in *seconds*, and the shares of those: games, forward passes and buffers, updates."""

    frames: int
    seconds: float
    env: float
    forward: float
    update: float

    @property
    def rate(self) -> float:
        """Decisions a second."""
        return self.frames / self.seconds


class _Keep(BaseCallback):
    def _on_step(self) -> bool:
        return True


class _Timed:
    """A model whose time in its environment is counted."""

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
        """What was done so far was to get warm."""
        self.frames, self.env_seconds, self.spent = 0, 0.0, Spent(self._clock)

    def speed(self) -> Speed:
        seconds = self.spent.rollout + self.spent.update
        env = self.env_seconds / seconds
        return Speed(self.frames, seconds, env, self.spent.rollout / seconds - env, self.spent.update / seconds)


def measure_training(name: str, seconds: float, args: TrainArgs) -> dict[str, Any]:
    """Decisions a second of ours and of the plain script, *seconds* or more of each.

    ``args``: envs, rollout, batch_size, epochs, threads, network and its size, players, rules, opponents, reward. One
    thread is measured in CPU time, so that other work on the machine counts little; several by the clock.
    """
    game = get_game(name)
    args = args.suited(name)
    args.check()
    # So that both learn from the same number of decisions.
    samples = max(args.envs * args.rollout // PLAIN_ENVS, 1) * PLAIN_ENVS
    threads = args.threads or os.cpu_count() or 1
    clock = time.process_time if threads == 1 else time.perf_counter
    with _threads(threads):
        ours = _model(TowersPolicy, _ours(game, args), args, args.rollout)
        plain = _model(HeadedPolicy, _plain(game, args), args, samples // PLAIN_ENVS)
        sides = {"ours": _Timed(ours, args.envs * args.rollout, clock), "plain": _Timed(plain, samples, clock)}
        for side in sides.values():
            side.cycle()
            side.forget()
        while any(side.spent.rollout + side.spent.update < seconds for side in sides.values()):
            for side in sides.values():
                side.cycle()
        for side in sides.values():
            side.model.env.close()
    speeds = {which: side.speed() for which, side in sides.items()}
    figures: dict[str, Any] = {"game": name, "network": network_name(name, args.network), "width": args.width}
    figures |= {"envs": args.envs, "plain_envs": PLAIN_ENVS, "samples": samples, "batch_size": args.batch_size}
    figures |= {"threads": threads}
    figures |= {which: {"rate": speed.rate, **asdict(speed)} for which, speed in speeds.items()}
    return figures | {"times_plain": speeds["ours"].rate / speeds["plain"].rate}


@contextmanager
def _threads(number: int) -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(number)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _ours(game: Game, args: TrainArgs) -> VecEnv:
    rules = game.resolve_rules(args.rules or game.default_rules)
    return TowersVecEnv(
        game.batch_class()(args.envs, args.players, rules, args.seed, args.opponents, reward=args.reward)
    )


def _plain(game: Game, args: TrainArgs) -> VecEnv:
    import_module(game.package)  # registers it with Gymnasium

    def make() -> Any:
        env = gymnasium.make(
            game.gym_id,
            num_players=args.players,
            rules=args.rules or None,
            opponents=args.opponents,
            reward=args.reward,
            flatten=True,
        )
        return Monitor(ActionMasker(env, lambda one: one.unwrapped.action_masks()))

    return DummyVecEnv([make] * PLAIN_ENVS)


def _model(policy: type[HeadedPolicy], env: VecEnv, args: TrainArgs, steps: int) -> MaskablePPO:
    name = env.get_attr("batch")[0].game.name if isinstance(env, TowersVecEnv) else env.envs[0].unwrapped.game.name
    make = partial(MaskablePPO, rollout_buffer_class=RowsBuffer) if policy is TowersPolicy else MaskablePPO
    return make(
        policy,
        env,
        policy_kwargs=policy_kwargs(name, args.width, args.blocks, args.network),
        n_steps=steps,
        batch_size=args.batch_size,
        n_epochs=args.epochs,
        learning_rate=args.ppo_learning_rate,
        gamma=args.gamma,
        gae_lambda=args.gae_lambda,
        ent_coef=args.entropy,
        seed=args.seed,
        device="cpu",
    )
