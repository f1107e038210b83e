"""Behaviour cloning of a player, the teacher, by any policy of MaskablePPO, which also learns the values of its games.

The teacher labels every decision of the learner. The games continue with the teacher's action or, now and then, a random
one, so that the learner also sees positions after a mistake.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import Tensor
from torch.nn import functional

from tower_core.players.asking import ask, ask_rows
from tower_core.players.native_player import NativePlayer
from tower_core.players.protocol import Player, RowsPlayer, must_play
from tower_core.players.specs import make_player
from train.networks import TowersPolicy
from train.vec_env import TowersVecEnv

_STRAY = 0.1  # share of random actions


@dataclass
class Imitated:
    """Statistics of one round."""

    samples: int
    loss: float
    agreement: float
    """share of decisions in which the policy's most probable action is the teacher's"""
    value_error: float


class Imitation:
    """Rounds of labelling and fitting in *env*, the learner's own environment. PlayerError where the teacher fails."""

    def __init__(
        self,
        env: TowersVecEnv,
        policy: MaskableActorCriticPolicy,
        teacher: str | Player,
        *,
        rollout: int,
        batch_size: int,
        gamma: float,
        seed: int,
        passes: int = 1,
        random: np.random.Generator | None = None,
        samples: int = 0,
    ) -> None:
        """*random* and *samples* are given where an interrupted imitation continues, with *env* as it was left."""
        self.env, self.policy = env, policy
        self._teacher, self._seed, self.samples = teacher, seed, samples
        self.rollout, self.batch_size, self.gamma, self.passes = rollout, batch_size, gamma, passes
        self.random = random or np.random.default_rng(seed)
        n, size = env.num_envs, env.batch.game.observation_size
        self._rows = np.zeros((rollout, n, size), np.uint8)
        self._masks = np.zeros((rollout, n, env.batch.game.num_actions), np.bool_)
        self._labels = np.zeros((rollout, n), np.int64)
        self._returns = np.zeros((rollout, n), np.float32)
        self._observation = env.batch.observation.copy() if random else env.reset()

    def round(self, learning_rate: float) -> Imitated:
        """Label ``rollout`` decisions of every game, then fit them in ``passes`` passes."""
        # A teacher may have a random stream: a new one for each round is the same after an interruption.
        self._label(make_player(self._teacher, self.env.batch.game, self._seed + self.samples))
        self.samples += self._labels.size
        return self._fit(learning_rate)

    def _answers(self, teacher: Player) -> NDArray[np.int64]:
        """The teacher's actions [N] for the present decisions."""
        batch = self.env.batch
        if isinstance(teacher, NativePlayer):
            return teacher.act_on_batch(batch)
        if isinstance(teacher, RowsPlayer):
            return ask_rows(teacher, batch.observation, self.env.action_masks(), batch.to_move)
        seeds = self.random.integers(2**63, size=batch.num_envs).tolist()
        return np.array([ask(teacher, batch.state(i), seed) for i, seed in enumerate(seeds)], np.int64)

    def _label(self, teacher: Player) -> None:
        """Fill the samples with ``rollout`` decisions of every game and the discounted returns after them."""
        env = self.env
        must_play(teacher, env.batch.num_players, env.batch.rules)
        dones = np.zeros_like(self._returns)
        for t in range(self.rollout):
            self._rows[t] = self._observation
            self._masks[t] = env.action_masks()
            self._labels[t] = self._answers(teacher)
            actions = self._labels[t].copy()
            stray = self.random.random(env.num_envs) < _STRAY
            actions[stray] = env.batch.sample_actions()[stray]
            env.step_async(actions)
            self._observation, self._returns[t], dones[t], _ = env.step_wait()
        with torch.no_grad():
            following = self.policy.predict_values(self._seen(self._observation)).cpu().numpy().ravel()
        for t in reversed(range(self.rollout)):
            following = self._returns[t] + self.gamma * following * (1 - dones[t])
            self._returns[t] = following

    def _fit(self, learning_rate: float) -> Imitated:
        policy = self.policy
        policy.set_training_mode(True)
        for group in policy.optimizer.param_groups:
            group["lr"] = learning_rate
        rows, masks = self._rows.reshape(-1, self._rows.shape[-1]), self._masks.reshape(-1, self._masks.shape[-1])
        labels, returns = self._labels.ravel(), self._returns.ravel()
        totals = np.zeros((self.passes, 3))
        for number, sums in enumerate(totals):
            order = self.random.permutation(len(rows))
            for start in range(0, len(order), self.batch_size):
                chosen = order[start : start + self.batch_size]
                samples = rows[chosen], masks[chosen], labels[chosen]
                if number:  # repeated samples memorise less as their images
                    samples = self._image(*samples)
                sums += len(chosen) * np.array(self._step(*samples, returns[chosen]))
        # Statistics of the first pass: later passes measure memorisation.
        loss, agreement, value_error = (totals[0] / len(rows)).tolist()
        return Imitated(len(rows), loss, agreement, value_error)

    def _image(self, rows: Any, masks: Any, labels: Any) -> tuple[Any, Any, Any]:
        """Samples under a random symmetry of the game, if it has any."""
        tables = self.env.batch.game.symmetry_tables()
        if tables is None:
            return rows, masks, labels
        k = int(self.random.integers(len(tables.ACTIONS)))
        return rows[:, tables.OBSERVATION[k]], masks[:, tables.ACTIONS[tables.INVERSE[k]]], tables.ACTIONS[k][labels]

    def _step(self, rows: Any, masks: Any, labels: Any, returns: Any) -> tuple[float, float, float]:
        policy = self.policy
        log_probs, values = self._outputs(rows, masks)
        wanted = torch.as_tensor(labels, device=policy.device)
        loss = functional.nll_loss(log_probs, wanted)
        value_loss = functional.mse_loss(values.ravel(), torch.as_tensor(returns, device=policy.device))
        policy.optimizer.zero_grad()
        (loss + 0.5 * value_loss).backward()
        torch.nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
        policy.optimizer.step()
        return loss.item(), (log_probs.argmax(1) == wanted).float().mean().item(), value_loss.item()

    def _outputs(self, rows: Any, masks: Any) -> tuple[Tensor, Tensor]:
        """Log-probabilities [B, num_actions] and values [B, 1]."""
        policy, seen = self.policy, self._seen(rows)
        if isinstance(policy, TowersPolicy):
            features = policy.extract_features(seen)
            return policy.log_probs(features, masks), policy.value_net(features)
        return policy.get_distribution(seen, masks).distribution.logits, policy.predict_values(seen)

    def _seen(self, rows: NDArray[np.uint8]) -> Any:
        """Rows [B, size] as the policy's observations: its space is the row, or the dict of its parts."""
        device = self.policy.device
        if isinstance(self.policy.observation_space, spaces.Dict):
            parts = self.env.batch.game.split(rows)
            return {name: torch.as_tensor(part, device=device) for name, part in parts.items()}
        return torch.as_tensor(rows, device=device)


def imitate(
    policy: MaskableActorCriticPolicy,
    env: TowersVecEnv,
    teacher: str | Player = "greedy",
    *,
    decisions: int,
    learning_rate: float = 2e-3,
    rollout: int = 16,
    batch_size: int = 1024,
    gamma: float = 0.995,
    seed: int = 1,
    passes: int = 1,
) -> list[Imitated]:
    """Behaviour cloning of *teacher* by *policy*, that of any MaskablePPO (``model.policy``), in *env*.

    Labels at least *decisions* decisions, ``rollout × env.num_envs`` per round, and returns the statistics of the rounds.
    *learning_rate* decays to 10 %; *gamma* discounts the rewards that the values learn; *passes* over each round. The policy
    gets a new optimizer afterwards, ready for ``model.learn``. PlayerError where the teacher fails.
    """
    imitation = Imitation(
        env, policy, teacher, rollout=rollout, batch_size=batch_size, gamma=gamma, seed=seed, passes=passes
    )
    rate = policy.optimizer.param_groups[0]["lr"]
    rounds = []
    while imitation.samples < decisions:
        rounds.append(imitation.round(learning_rate * max(0.1, 1 - imitation.samples / decisions)))
    forget_moments(policy, rate)
    return rounds


def forget_moments(policy: MaskableActorCriticPolicy, learning_rate: float) -> None:
    """Give the policy a new optimizer: Adam's moments belong to imitation's loss."""
    policy.optimizer = policy.optimizer_class(policy.parameters(), lr=learning_rate, **policy.optimizer_kwargs)
