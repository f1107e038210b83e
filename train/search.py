"""A trained network inside the tree search: ``agents.make("mcts:network=runs/x", game=…)``.

The value head predicts the reward to come. Adding the reward so far (the potential) makes positions comparable; *unit*
converts the sum to the unit of the game's own evaluation, and *weight* mixes the two.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from tower_core.engine.loops import POTENTIAL, TERMINAL_REWARD
from tower_core.game import Game
from tower_core.options import check_number, check_whole
from train import checkpoint
from train.game_defaults import training_defaults
from train.named_code import is_named, recall
from train.player import CheckpointPlayer, LearnedPlayer
from train.rewards import Games, Potential, load_reward
from train.shipped import shipped

_MILLIONTH = 1e-6  # unit of potentials and terminal rewards in the compiled entry
_MOST_BATCH = 1024


class NetworkEvaluator:
    """An agents.search.evaluated.Evaluator: values from a checkpoint's value head, turns from its policy."""

    def __init__(
        self, game: Game, network: str, weight: float, unit: float, turns: int, prior: float, batch: int, every: bool
    ) -> None:
        self._learned = LearnedPlayer(game) if network == LearnedPlayer.name else None
        self.game, self.batch = game, batch
        self.turns, self.prior = turns, prior
        self._weight, self._unit, self._every = weight, unit, every
        self._use(CheckpointPlayer(game, str(shipped(game.name)[0]) if self._learned else network))

    def _use(self, player: CheckpointPlayer) -> None:
        """Use the network of *player* from now on."""
        self._player, self._policy = player, player.policy
        reward = player.meta.get("reward", "progress")
        self._potential = None
        if isinstance(reward, str) and is_named(reward):
            self._potential = self._own_potential(player, reward)
            reward = "outcome"
        if not isinstance(reward, str) or reward not in self.game.rewards:
            raise checkpoint.CheckpointError(f"{player.name} is damaged: there is no reward {reward!r}")
        self._kind, self._dense = self.game.reward_kind(reward), reward in self.game.dense_rewards

    def _own_potential(self, player: CheckpointPlayer, spec: str) -> Potential | None:
        """The potential of a network's own reward. CheckpointError for another reward, unless its values have no weight."""
        if not self._weight:
            return None
        wanted = str(player.meta.get("code", {}).get("reward", ""))
        try:
            reward = load_reward(
                recall(spec, wanted, "reward", player.name, "search with weight=0, which doesn't need it")
            )
        except ValueError as error:
            raise checkpoint.CheckpointError(str(error)) from error
        if not isinstance(reward, Potential):
            raise checkpoint.CheckpointError(
                f"{player.name} was trained with the reward {spec}, which is no potential, so its values of different"
                " positions can't be compared: search with weight=0"
            )
        return reward

    def must_play(self, num_players: int, rules: Any) -> None:
        if self._learned is not None and not self._player.plays(num_players, rules):
            self._use(self._learned.network_for(num_players, rules))
        self._player.must_play(num_players, rules)

    def value(self, records: NDArray[Any], rows: NDArray[np.uint8], values: NDArray[np.float64]) -> None:
        _, players, size = rows.shape
        to_move = records["to_move"].astype(np.int64)
        on, seats = np.flatnonzero(to_move >= 0), to_move[to_move >= 0]
        returns = self._paid(records, players)
        if self._potential is not None:
            for p in range(players):
                seats = np.full(len(records), p)
                games = Games(self.game, records, rows[:, p], seats, returns[:, p].astype(np.float32))
                returns[:, p] += self._potential.value(games)
        if len(on) and self._every:
            returns[on] += self._ahead(rows[on].reshape(-1, size)).reshape(-1, players)
        elif len(on):
            ahead = self._ahead(rows[on, seats])
            # Zero-sum: the other seats lose the mover's value in equal parts.
            returns[on] -= (ahead / max(1, players - 1))[:, None]
            returns[on, seats] += ahead + ahead / max(1, players - 1)
        if players > 1:  # values are made zero-sum by subtracting the mean over seats
            returns -= returns.mean(1, keepdims=True)
        values *= 1.0 - self._weight
        values += self._weight * self._unit * returns

    def _paid(self, records: NDArray[Any], players: int) -> NDArray[np.float64]:
        """The reward of every seat so far [B, players], terminal rewards included."""
        entry, at, size = self.game.entry, records.ctypes.data, records.itemsize
        paid = np.zeros((len(records), players))
        for i, over in enumerate((records["to_move"] < 0).tolist()):
            for p in range(players):
                if self._dense:
                    paid[i, p] = entry(POTENTIAL, at + i * size, p, self._kind)
                if over:
                    paid[i, p] += entry(TERMINAL_REWARD, at + i * size, p, self._kind)
        return paid * _MILLIONTH

    def _ahead(self, rows: NDArray[np.uint8]) -> NDArray[np.float64]:
        """The reward to come [B] for observations [B, size]."""
        with torch.inference_mode():
            values = self._policy.value_net(self._policy.extract_features(torch.from_numpy(rows)))
        return values.numpy().ravel().astype(np.float64)  # type: ignore[no-any-return]

    def choose(
        self, rows: NDArray[np.uint8], masks: NDArray[np.bool_], random: np.random.Generator
    ) -> NDArray[np.int64]:
        actions: NDArray[np.int64] = self._policy.choose_rows(rows, masks, random)
        return actions


def make_network(
    game: Game,
    network: str,
    weight: float | None = None,
    unit: float | None = None,
    turns: int = 24,
    prior: float = 0.5,
    batch: int = 16,
    view: str = "all",
) -> NetworkEvaluator:
    """The evaluator behind ``mcts:network=PATH``. ValueError names a wrong option.

    *network*: checkpoint or run directory, or ``learned`` (the packaged network). *weight* (0 to 1): share of the network in
    a position's value; the rest is the game's own evaluation. *unit*: a reward of 1 in the unit of that evaluation (None
    for *weight* or *unit*: the game's default). *turns*: number of turns sampled from the policy at the root, as further
    candidates. *prior* (0 to 1): share of these samples in the prior. *batch*: most positions per forward pass. *view*:
    ``all`` evaluates each seat's view of a position; ``mover`` only that of the seat to move, which is faster, but with an
    optimistic network the values swing from turn to turn.
    """
    if not isinstance(network, str):
        raise ValueError(f"mcts: network must name a checkpoint or run directory, not {network!r}")
    for name, value, most in (("weight", weight, 1), ("unit", unit, 1_000_000), ("prior", prior, 1)):
        if value is not None:
            check_number(f"mcts: {name}", value, 0, most)
    check_whole("mcts: batch", batch, 1, _MOST_BATCH)
    check_whole("mcts: turns", turns, 0, _MOST_BATCH)
    if view not in ("mover", "all"):
        raise ValueError(f"mcts: view must be 'mover' or 'all', not {view!r}")
    defaults = training_defaults(game)
    weight = defaults.evaluator_weight if weight is None else weight
    unit = defaults.evaluator_unit if unit is None else unit
    if weight == 0:
        batch = 0
    return NetworkEvaluator(game, network, weight, unit, turns, prior, batch, view == "all")
