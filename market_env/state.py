"""One market game as an object with OpenSpiel's method names."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from market_env.actions import ACTIONS, Table
from market_env.explain import why_illegal
from market_env.game import GAME
from market_env.hidden import knows_action
from market_env.record import ASK_PAY
from market_env.rules import MarketRules, resolve
from tower_core.state import HIDDEN_ACTION, State, ranked


class MarketState(State):
    """A market game: ``MarketState(num_players=2, rules="base", seed=7)``.

    *rules* is a preset's name or a :class:`MarketRules`; *num_players* defaults to 2, or 1 in the solo game. ValueError if
    the rules don't support the number of players.

    In positions, ``rules`` (preset or fields), ``num_players``, ``turn_state``, ``known_cards`` and ``rng`` are optional. A PAY
    or RETURN with only one choice is played automatically. There may be fewer parts than in the component set.
    """

    game = GAME
    __slots__ = ()
    rules: MarketRules

    def __init__(self, num_players: int | None = None, rules: str | MarketRules = "base", seed: int = 0) -> None:
        rules = resolve(rules)
        super().__init__(rules.default_players if num_players is None else num_players, rules, seed)

    def ranking(self) -> list[list[int]]:
        """Groups of seats, best first: by towers (section 11)."""
        return ranked(self.scores())

    def returns(self) -> NDArray[np.float64]:
        """float [num_players]: utilities, 1 for the first rank down to -1 for the last; solo 1 won, -1 lost."""
        if not self._record["solo"][0]:
            return super().returns()
        winner = int(self._record["winner"][0])
        return np.array([1.0 if winner == 0 else -1.0 if winner > 0 else 0.0])

    def _notation(self, seat: int) -> Table:
        return Table(seat, self.num_players, self.rules.npc, self.rules.components.materials)

    def _reason(self, action: int) -> str:
        return why_illegal(action, self.position(), self.rules)

    def _may_know(self, seat: int, mover: int, action: int) -> bool:
        closed = bool(self._record["closed"][0])
        return action == HIDDEN_ACTION or knows_action(closed, seat, mover, ACTIONS.split(action)[0].name)

    def _check_possible(self) -> None:
        """ValueError if the pending decision has no answer, now or after its fee is paid."""
        probe = self.clone()
        while probe._record["pending"][0] == ASK_PAY and probe.legal_actions():
            probe.apply_action(probe.legal_actions()[0])
        if not probe.is_terminal() and not probe.legal_actions():
            raise ValueError("pending: no action of this kind is possible in this position")
