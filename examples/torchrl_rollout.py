"""TorchRL: Torres through its wrappers for Gymnasium and PettingZoo, with masked random actions.

Random play loses every game against ``greedy``. Needs ``requirements/torchrl.txt`` (tried with torchrl 0.14.1 and torch 2.13).
The masks are in the tensordicts, where ``MaskedCategorical`` of a TorchRL policy reads them.
"""

from __future__ import annotations

import argparse
import time

import gymnasium
import torch
from tensordict.nn import TensorDictModule
from torchrl.envs import GymWrapper, MarlGroupMapType, PettingZooWrapper
from torchrl.modules import MaskedCategorical

from torres_env import torres_v0


class MaskInObservation(gymnasium.ObservationWrapper):
    """The mask beside the observation, where TorchRL looks for it."""

    def __init__(self, env: gymnasium.Env) -> None:
        super().__init__(env)
        mask = gymnasium.spaces.Box(0, 1, (int(env.action_space.n),), "int8")
        self.observation_space = gymnasium.spaces.Dict({"observation": env.observation_space, "action_mask": mask})

    def observation(self, observation):
        return {"observation": observation, "action_mask": self.env.unwrapped.action_masks().astype("int8")}


def choose(mask: torch.Tensor) -> torch.Tensor:
    """A legal action; any for seats that are not to move. Here the logits of a network would be."""
    legal = mask.bool()
    return MaskedCategorical(logits=torch.zeros(mask.shape), mask=legal | ~legal.any(-1, keepdim=True)).sample()


def one_learner(steps: int) -> float:
    """Random actions against greedy; returns the mean reward of finished games."""
    made = gymnasium.make("torres_env:torres_env/Torres-v0", opponents="greedy", flatten=True)
    env = GymWrapper(MaskInObservation(made), categorical_action_encoding=True)

    policy = TensorDictModule(choose, in_keys=["action_mask"], out_keys=["action"])
    rollout = env.rollout(steps, policy, break_when_any_done=False)
    done = rollout["next", "done"]
    return float(rollout["next", "reward"].sum() / done.sum().clamp(min=1))


def all_seats(steps: int) -> int:
    """A game of three players, all of them random; returns the number of decisions."""
    game = torres_v0.env(num_players=3, flatten=True)
    env = PettingZooWrapper(game, use_mask=True, group_map=MarlGroupMapType.ALL_IN_ONE_GROUP)

    policy = TensorDictModule(choose, in_keys=[("agents", "action_mask")], out_keys=[("agents", "action")])
    return len(env.rollout(steps, policy))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=2000)
    steps = parser.parse_args().steps
    torch.manual_seed(1)
    start = time.perf_counter()
    print(
        f"against greedy, at random: mean reward {one_learner(steps):.2f}, {steps / (time.perf_counter() - start):.0f} steps/s"
    )
    print(f"three seats: {all_seats(steps)} decisions in one game")


if __name__ == "__main__":
    main()
