"""RLlib's PPO with our networks and environments, and the calls to its workers."""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec

from tower_core.game import Game
from train.config import TrainArgs
from train.networks import TowersPolicy
from train.rllib.env import TowersEnv, module_of
from train.rllib.league import MAIN, Place, Played, league_module
from train.rllib.module import FrozenModule, LearningModule

_SAMPLE_SECONDS = 600.0  # limit for a worker's share of a rollout


@dataclass(frozen=True)
class Report:
    """A worker's number, host, Ray node and process; the learner's decisions and games since its last report."""

    worker: int
    host: str
    node: str
    process: int
    decisions: int
    games: list[Played]


class Workers:
    """RLlib's PPO with the settings of *args*. *members*: size of the league; *seed*: of games and sampling."""

    def __init__(
        self,
        game: Game,
        args: TrainArgs,
        rules: Any,
        network: str,
        places: Sequence[Place],
        *,
        members: int,
        seed: int,
    ) -> None:
        games = max(1, -(-args.envs // args.num_workers))
        size = {"game": game.name, "network": network, "width": args.width, "blocks": args.blocks}
        modules = {MAIN: RLModuleSpec(module_class=LearningModule, model_config=size)}
        modules |= {
            league_module(k): RLModuleSpec(module_class=FrozenModule, model_config=size) for k in range(members)
        }
        rollout = games * args.num_workers * args.rollout
        config = (
            PPOConfig()
            .api_stack(enable_rl_module_and_learner=True, enable_env_runner_and_connector_v2=True)
            .environment(
                TowersEnv,
                env_config={
                    "game": game.name,
                    "players": args.players,
                    "rules": rules.to_dict(),
                    "reward": args.reward,
                    "seat": args.seat,
                    "places": list(places),
                    "members": members,
                },
                disable_env_checking=True,
            )
            .env_runners(
                num_env_runners=args.num_workers,
                num_envs_per_env_runner=games,
                rollout_fragment_length=args.rollout,
                sample_timeout_s=_SAMPLE_SECONDS,
            )
            .learners(num_learners=0)
            .multi_agent(policies=set(modules), policy_mapping_fn=module_of, policies_to_train=[MAIN])
            .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=modules))
            .training(
                train_batch_size_per_learner=rollout,
                minibatch_size=min(args.batch_size, rollout),
                num_epochs=args.epochs,
                lr=args.learning_rate,
                gamma=args.gamma,
                lambda_=args.gae_lambda,
                entropy_coeff=args.entropy,
                # The other settings are MaskablePPO's.
                clip_param=0.2,
                vf_loss_coeff=0.5,
                vf_clip_param=float("inf"),
                use_kl_loss=False,
                grad_clip=0.5,
                grad_clip_by="global_norm",
            )
            # Replace lost workers, but stop where each new one fails again.
            .fault_tolerance(restart_failed_env_runners=True, num_consecutive_env_runner_failures_tolerance=3)
            .debugging(seed=seed % 2**31, log_level="ERROR")
        )
        self.algorithm = config.build_algo()

    # ------------------------------------------------------------------------------------------ networks
    def set_learner(self, policy: TowersPolicy) -> None:
        """Continue from the weights and optimizer state of *policy*."""
        self._set_module(MAIN, policy)
        self._learner(partial(_set_optimizer, state=policy.optimizer.state_dict()))

    def get_learner(self, policy: TowersPolicy) -> None:
        """Copy the learned weights and the optimizer state into *policy*."""
        weights, optimizer = self._learner(_get_learner)
        policy.load_state_dict(weights)
        policy.optimizer.load_state_dict(optimizer)

    def set_member(self, member: int, policy: TowersPolicy) -> None:
        """Set the network of a league member."""
        self._set_module(league_module(member), policy)

    def _set_module(self, module: str, policy: TowersPolicy) -> None:
        weights = {name: value.detach().cpu().clone() for name, value in policy.state_dict().items()}
        put = partial(_set_weights, module=module, weights=weights)
        self._learner(put)
        # The local runner plays no games: restarted workers get their networks from it.
        self.algorithm.env_runner_group.foreach_env_runner(put)

    def _learner(self, function: Any) -> Any:
        return self.algorithm.learner_group.foreach_learner(function).result_or_errors[0].get()

    # ------------------------------------------------------------------------------------------ playing and learning
    def iterate(self, learning_rate: float) -> dict[str, float]:
        """One rollout of all workers and the update from it; losses by name."""
        self._learner(partial(_set_rate, rate=learning_rate))
        losses = self.algorithm.train().get("learners", {}).get(MAIN, {})
        names = ("policy_loss", "vf_loss", "entropy", "vf_explained_var")
        return {name: float(losses[name]) for name in names if np.isscalar(losses.get(name))}

    def exchange(self, places: Sequence[Place]) -> list[Report]:
        """Send the players from now on to all workers; returns their reports."""
        group = self.algorithm.env_runner_group
        reports: list[Report] = group.foreach_env_runner(
            partial(_exchange, places=list(places)), local_env_runner=False
        )
        return reports

    @property
    def restarts(self) -> int:
        """Number of worker restarts."""
        return int(self.algorithm.env_runner_group.num_remote_worker_restarts())

    def close(self) -> None:
        self.algorithm.stop()


# Functions that run on workers: at module level, so that Ray pickles them by name.
def _exchange(runner: Any, places: list[Place]) -> Report:
    decisions, games = 0, []
    for env in runner.env.envs:
        env.unwrapped.set_places(places)
        more, ended = env.unwrapped.take()
        decisions += more
        games += ended
    node = ray.get_runtime_context().get_node_id()
    return Report(runner.worker_index, socket.gethostname(), node, os.getpid(), decisions, games)


def _set_weights(owner: Any, module: str, weights: dict[str, torch.Tensor]) -> None:
    owner.module[module].unwrapped().policy.load_state_dict(weights)


def _get_learner(learner: Any) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
    policy = learner.module[MAIN].unwrapped().policy
    return policy.state_dict(), _optimizer(learner).state_dict()


def _set_optimizer(learner: Any, state: dict[str, Any]) -> None:
    _optimizer(learner).load_state_dict(state)


def _set_rate(learner: Any, rate: float) -> None:
    for group in _optimizer(learner).param_groups:
        group["lr"] = rate


def _optimizer(learner: Any) -> Any:
    ((_, optimizer),) = learner.get_optimizers_for_module(MAIN)
    return optimizer
