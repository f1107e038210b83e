"""One game of Torres as an object with OpenSpiel's method names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from torres_env.actions import ACTIONS
from torres_env.explain import why_illegal
from torres_env.game import GAME
from torres_env.hidden import knows_action
from torres_env.rules import TorresRules
from tower_core.position import HIDDEN
from tower_core.state import HIDDEN_ACTION, State, ranked


class TorresState(State):
    """A game of Torres: ``TorresState(num_players=2, rules="standard", seed=7)``.

    *rules* is a preset's name or a :class:`TorresRules`. ValueError if they don't support the number of players.

    In positions, ``rules`` (preset or fields), ``num_players``, ``hands``, ``decks``, ``discards``, ``master_card``,
    ``start_player``, ``buys``, ``card_played``, ``bought``, ``unseen`` and ``rng`` are optional. If END is the only legal
    action, the turn ends automatically, as in play.
    """

    game = GAME
    __slots__ = ()
    rules: TorresRules

    def __init__(self, num_players: int = 2, rules: str | TorresRules = "standard", seed: int = 0) -> None:
        super().__init__(num_players, rules, seed)

    def ranking(self) -> list[list[int]]:
        """Groups of seats, best first: by points, then by cards in hand (section 5)."""
        keys = [
            (score, int(hand).bit_count()) for score, hand in zip(self.scores(), self._record["hand"][0], strict=False)
        ]
        return ranked(keys)

    def _notation(self, seat: int) -> list[int]:
        return _knights(self._record, seat)

    def _texts(self, history: Sequence[tuple[int, int]]) -> list[tuple[int, str]]:
        return self._walk(history)[0]

    def _walk(self, history: Sequence[tuple[int, int]]) -> tuple[list[tuple[int, str]], list[list[int]]]:
        """A history as text, and the cells of each seat's knights after it."""
        knights: list[list[int]] = [[] for _ in range(self.num_players)]
        if self._origin is not None:
            knights = [_knights(self._origin, seat) for seat in range(self.num_players)]
        entries = []
        for seat, action in history:
            if action == HIDDEN_ACTION:
                entries.append((seat, HIDDEN))
                continue
            entries.append((seat, ACTIONS.text(action, knights[seat])))
            verb, places = ACTIONS.split(action)
            if verb.name == "N":
                knights[seat].append(places[0])
            elif verb.name == "M":
                knights[seat][places[0]] = places[1]
        return entries, knights

    def _history_fits(self) -> bool:
        return self._walk(self._history)[1] == [_knights(self._record, seat) for seat in range(self.num_players)]

    def _reason(self, action: int) -> str:
        return why_illegal(action, self.position(), self.rules)

    def _may_know(self, seat: int, mover: int, action: int) -> bool:
        return action == HIDDEN_ACTION or knows_action(
            self.rules.hands_open, seat, mover, ACTIONS.split(action)[0].name
        )

    def _check_possible(self) -> None:
        if not self.is_terminal() and not self.legal_actions_mask().any():
            raise ValueError("pending: no action of this kind is possible in this position")


def _knights(record: NDArray[Any], seat: int) -> list[int]:
    """Cells of a seat's knights, in slot order."""
    return record["knight"][0, seat, : record["knight_count"][0, seat]].tolist()  # type: ignore[no-any-return]
