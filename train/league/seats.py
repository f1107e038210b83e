"""The run's own networks as players inside its batch."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tower_core.players.protocol import Native
from tower_core.state import State
from train.networks import TowersPolicy


class NetworkSeat:
    """A place in the batch's table of players where a network sits; *policy* may be put there later and replaced.

    It draws its actions from the network's probabilities: games of the most probable action alone are all alike.
    """

    native: Native | None = None

    def __init__(self, name: str, random: np.random.Generator, policy: TowersPolicy | None = None) -> None:
        self.name, self.policy, self._random = name, policy, random

    def must_play(self, num_players: int, rules: Any) -> None:
        """The run's own networks play the run's own games."""

    def act_on_rows(self, rows: NDArray[np.uint8], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Actions [B] for what the seats to move see [B, size], in one pass of the network."""
        if self.policy is None:
            raise ValueError(f"nobody sits at {self.name!r} yet")
        return self.policy.choose_rows(rows, masks, self._random)

    def act(self, state: State) -> int:
        """One action for the seat to move."""
        row = np.concatenate([part.ravel() for part in state.observation(state.current_player()).values()])
        return int(self.act_on_rows(row[None], state.legal_actions_mask()[None])[0])
