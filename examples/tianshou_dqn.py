"""Tianshou: masked double DQN on Torres against random and passive players.

After 1,000 decisions, it won 5 of 5 games against ``random`` and none against ``passive``. Needs
``requirements/tianshou.txt`` (tried with tianshou 2.0.1 and torch 2.13).
"""

from __future__ import annotations

import argparse

import gymnasium
import numpy as np
import torch
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from torch import nn


class ObsAndMask(gymnasium.ObservationWrapper):
    """``{"obs": …, "mask": …}``: the names under which Tianshou looks for masks."""

    def __init__(self, env: gymnasium.Env) -> None:
        super().__init__(env)
        mask = gymnasium.spaces.Box(0, 1, (int(env.action_space.n),), np.bool_)
        self.observation_space = gymnasium.spaces.Dict({"obs": env.observation_space, "mask": mask})

    def observation(self, observation):
        return {"obs": observation, "mask": self.env.unwrapped.action_masks()}


class Values(nn.Module):
    def __init__(self, high: np.ndarray, actions: int) -> None:
        super().__init__()
        self.register_buffer("scale", 1 / torch.as_tensor(high, dtype=torch.float32).clamp(min=1))
        self.net = nn.Sequential(nn.Linear(len(high), 256), nn.ReLU(), nn.Linear(256, actions))

    def forward(self, obs, state=None, info=None):
        return self.net(torch.as_tensor(obs) * self.scale), state


def make(opponents: str, reward: str) -> gymnasium.Env:
    return ObsAndMask(
        gymnasium.make(
            "torres_env:torres_env/Torres-v0", opponents=opponents, seat="random", reward=reward, flatten=True
        )
    )


def won(algorithm: DQN, opponent: str, games: int) -> float:
    """Share of games won by the best actions; ties count half."""
    env = make(opponent, "outcome")
    points = 0.0
    for seed in range(10**7, 10**7 + games):
        seen, _ = env.reset(seed=seed)
        over = False
        while not over:
            with torch.no_grad():
                values, _ = algorithm.policy.model(seen["obs"][None])
            action = int(np.where(seen["mask"], values[0].numpy(), -np.inf).argmax())
            seen, reward, terminated, truncated, _ = env.step(action)
            over = terminated or truncated
        points += (float(np.sign(reward)) + 1) / 2
    return points / games


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=30_000)
    parser.add_argument("--games", type=int, default=100)
    args = parser.parse_args()
    np.random.seed(1)
    torch.manual_seed(1)
    envs = DummyVectorEnv([lambda: make("random:1,passive:1", "progress") for _ in range(8)])
    first = make("random", "outcome")
    model = Values(first.observation_space["obs"].high, int(first.action_space.n))
    policy = DiscreteQLearningPolicy(model=model, action_space=first.action_space, eps_training=0.1)
    optimizer = AdamOptimizerFactory(lr=5e-4)
    algorithm = DQN(policy=policy, optim=optimizer, gamma=0.95, n_step_return_horizon=3, target_update_freq=500)
    collector = Collector(algorithm, envs, VectorReplayBuffer(20_000, 8), exploration_noise=True)
    algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=collector, max_epochs=1, epoch_num_steps=args.steps, collection_step_num_env_steps=64,
            batch_size=128, update_step_num_gradient_steps_per_sample=0.125, show_progress=False, verbose=False,
        )
    )  # fmt: skip
    for opponent in ("random", "passive"):
        print(f"against {opponent}: {won(algorithm, opponent, args.games):.0%} of {args.games} games")


if __name__ == "__main__":
    main()
