"""A trained network inside the tree search: ``agents.make("mcts:network=runs/x", game=…)``.

The value head predicts the reward of its run still to come. With what the reward has paid so far (the potential)
that is comparable between positions; a unit of the game turns it into that of the game's own evaluation, and *weight* mixes
the two.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from tower_core.engine.loops import POTENTIAL, TERMINAL_REWARD
from tower_core.game import Game
from train import checkpoint
from train.game_defaults import training_defaults
from train.player import CheckpointPlayer, LearnedPlayer
from train.shipped import shipped

_MILLIONTH = 1e-6  # unit of potentials and terminal rewards in the compiled entry
_MOST_BATCH = 1024


class NetworkEvaluator:
    """Values by a checkpoint's value head, turns by its policy: an agents.search.evaluated.Evaluator."""

    def __init__(
        self, game: Game, network: str, weight: float, unit: float, turns: int, prior: float, batch: int, every: bool
    ) -> None:
        self._learned = LearnedPlayer(game) if network == LearnedPlayer.name else None
        self.game, self.batch = game, batch
        self.turns, self.prior = turns, prior
        self._weight, self._unit, self._every = weight, unit, every
        self._ask(CheckpointPlayer(game, str(shipped(game.name)[0]) if self._learned else network))

    def _ask(self, player: CheckpointPlayer) -> None:
        """Let the network of *player* answer from now on."""
        self._player, self._policy = player, player.policy
        reward = player.meta.get("reward", "progress")
        if not isinstance(reward, str) or reward not in self.game.rewards:
            raise checkpoint.CheckpointError(f"{player.name} is damaged: there is no reward {reward!r}")
        self._kind, self._dense = self.game.reward_kind(reward), reward in self.game.dense_rewards

    def must_play(self, num_players: int, rules: Any) -> None:
        if self._learned is not None and not self._player.plays(num_players, rules):
            self._ask(self._learned.network_for(num_players, rules))
        self._player.must_play(num_players, rules)

    def value(self, records: NDArray[Any], rows: NDArray[np.uint8], values: NDArray[np.float64]) -> None:
        _, players, size = rows.shape
        to_move = records["to_move"].astype(np.int64)
        on, seats = np.flatnonzero(to_move >= 0), to_move[to_move >= 0]
        returns = self._paid(records, players)
        if len(on) and self._every:
            returns[on] += self._ahead(rows[on].reshape(-1, size)).reshape(-1, players)
        elif len(on):
            ahead = self._ahead(rows[on, seats])
            # What the seat to move is ahead of the others, they lose in equal parts.
            returns[on] -= (ahead / max(1, players - 1))[:, None]
            returns[on, seats] += ahead + ahead / max(1, players - 1)
        if players > 1:  # values are made zero-sum by subtracting the mean over seats
            returns -= returns.mean(1, keepdims=True)
        values *= 1.0 - self._weight
        values += self._weight * self._unit * returns

    def _paid(self, records: NDArray[Any], players: int) -> NDArray[np.float64]:
        """The reward of every seat so far [B, players]; that of the end included, where it is."""
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
    """The evaluator behind ``mcts:network=PATH``.

    *network*: checkpoint or run directory, or ``learned`` (the one that comes with the package); *weight*: share of the
    network in the value of a position (0 to 1), the rest is the game's own evaluation, and at 0 the network values
    nothing; *unit*: how much of its unit a reward of 1 is (both: None for what suits the game); *turns*: how many turns
    are drawn from the policy in the position asked about, for the search to look at; *prior*: share of the prior that
    goes by how often a turn was drawn (0 to 1); *batch*: most positions of one pass; *view*: ``all`` values what each
    seat sees of a position, ``mover`` only what the seat to move sees (quicker, but a network that hopes too much for
    itself then sways from turn to turn).
    ValueError says what is wrong with one.
    """
    if not isinstance(network, str):
        raise ValueError(f"mcts: network must name a checkpoint or run directory, not {network!r}")
    for name, value, most in (("weight", weight, 1), ("unit", unit, 1e6), ("prior", prior, 1)):
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= most:
            raise ValueError(f"mcts: {name} must be a number from 0 to {'1e6' if most == 1e6 else most}, not {value!r}")
    for name, value, least in (("batch", batch, 1), ("turns", turns, 0)):
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= _MOST_BATCH:
            raise ValueError(f"mcts: {name} must be a whole number from {least} to {_MOST_BATCH}, not {value!r}")
    if view not in ("mover", "all"):
        raise ValueError(f"mcts: view must be 'mover' or 'all', not {view!r}")
    defaults = training_defaults(game)
    weight = defaults.evaluator_weight if weight is None else weight
    unit = defaults.evaluator_unit if unit is None else unit
    if weight == 0:
        batch = 0
    return NetworkEvaluator(game, network, weight, unit, turns, prior, batch, view == "all")
