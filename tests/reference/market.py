"""A naive market game, written from the rules alone, to check the fast one against.

The parts are in market_parts.py, the table and the questions about it in market_state.py, the cards in
market_cards.py, the course of a turn in market_turn.py. Slow and plain on purpose. It trusts its arguments: a
component set is not validated. "M 11" means section 11 of market.md, "I 1" section 1 of interfaces.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .market_parts import Components, Decision, Seat
from .market_turn import Play


class NaiveMarket:
    """A game cannot be copied (its course is a generator); apply the same texts to a new one of the same seed."""

    def __init__(
        self,
        num_players: int,
        *,
        advanced: bool = False,
        apprentices: bool = False,
        guard: bool = False,
        npc: bool = False,
        solo: bool = False,
        solo_npc_towers: int = 3,
        idle_draw: str = "unable",
        first_tokens: Sequence[int] | None = None,
        components: dict[str, Any],
        seed: int,
    ) -> None:
        if solo and num_players != 1:
            raise ValueError("solo takes exactly one player")
        npc = npc or solo
        if not (1 if npc else 2) <= num_players <= (3 if npc else 4):
            raise ValueError(f"{num_players} players, npc={npc}: seats must be 2 to 4")
        if idle_draw not in ("unable", "always"):
            raise ValueError(f"idle_draw {idle_draw!r}")
        self.play = Play(
            num_players,
            npc,
            advanced,
            apprentices,
            guard,
            solo_npc_towers,
            idle_draw,
            list(first_tokens or []),
            Components(components),
            seed,
        )
        self._steps = self.play.play()
        self._decision: Decision | None = next(self._steps)

    # --- playing ---------------------------------------------------------------------------------------

    def legal(self) -> set[str]:
        return set(self._decision.options()) if self._decision else set()

    def apply(self, text: str) -> None:
        if text not in self.legal():
            raise ValueError(f"{text!r} is not legal; legal are {sorted(self.legal())}")
        try:
            self._decision = self._steps.send(text)
        except StopIteration:
            self._decision = None

    def current_player(self) -> int:
        return self._decision.seat if self._decision else -4

    # --- end and reward (M 11) -------------------------------------------------------------------------

    def is_terminal(self) -> bool:
        return self._decision is None

    def is_truncated(self) -> bool:
        return self.play.truncated

    def players(self) -> list[Seat]:
        return [seat for seat in self.play.seats if not seat.is_npc]

    def towers(self) -> list[int]:
        """Of the players; the NPC's are in position()."""
        return [seat.towers for seat in self.players()]

    def ranking(self) -> list[list[int]]:
        """The winner first, then by towers; equal towers share a rank. The winner alone has all towers."""
        towers = self.towers()
        return [[s for s, own in enumerate(towers) if own == height] for height in sorted(set(towers), reverse=True)]

    def returns(self) -> list[float]:
        n = len(self.players())
        if not self.is_terminal():
            return [0.0] * n
        if self.play.is_solo:
            if self.play.winner is None:
                return [0.0]
            return [-1.0 if self.play.winner.is_npc else 1.0]
        utility = [0.0] * n
        better = 0
        for group in self.ranking():
            average_rank = better + (len(group) + 1) / 2
            for seat in group:
                utility[seat] = 1 - 2 * (average_rank - 1) / (n - 1)
            better += len(group)
        return utility

    # --- position (I 1) --------------------------------------------------------------------------------

    def position(self) -> dict[str, Any]:
        """Everything, JSON-able. "Per seat" includes the NPC, last. Markets count from 1, lists from 0 (their
        place in the component file). `workers` has the NPC's standing figure in its seat. While a question is
        open, cards and lists in the air are in `pending` only."""
        play = self.play
        return {
            "circles": [list(market) for market in play.circles],
            "workers": [_market(seat.worker) for seat in play.seats],
            "figures": {
                "stand-in": [_market(seat.stand_in) for seat in play.seats],
                "runner": [_market(seat.runner) for seat in play.seats],
                "curfew": [sorted(market + 1 for market in seat.curfews) for seat in play.seats],
            },
            "tokens": [dict(seat.tokens) for seat in play.seats],
            "pile": dict(play.pile),
            "bag": dict(play.bag),
            "materials": [dict(seat.materials) for seat in play.seats],
            "lists": [seat.building_list for seat in play.seats],
            "list_deck": list(play.list_deck),
            "list_discard": list(play.list_discard),
            "hands": [list(seat.hand) for seat in play.seats],
            "card_deck": list(play.card_deck),
            "card_discard": list(play.card_discard),
            "towers": [seat.towers for seat in play.seats],
            "wanted": [seat.wanted for seat in play.seats],
            "jailed": [seat.jailed for seat in play.seats],
            "guard": _market(play.guard),
            "apprentices": {
                "with": dict(play.apprentice_with),
                "has_hired": [seat.has_hired for seat in play.seats],
            },
            "to_move": self._decision.seat if self._decision else None,
            "turn": play.turn_number,
            "turn_state": {
                "at_start": play.turn.at_start,
                "acted": play.turn.stolen_or_acted,
                "visited_black_market": play.turn.visited_black_market,
                "bribed": play.turn.bribed,
                "runner_hired": play.turn.runner_hired,
            },
            "pending": self._pending(),
            "random": play.random.state,
        }

    def _pending(self) -> dict[str, Any] | None:
        if self._decision is None or self._decision.kind == "action":
            return None
        return {
            "kind": self._decision.kind,
            "card": self.play.card_in_play,
            "shown_cards": list(self.play.shown_cards),
            "entries_paid": self.play.entries_paid,
            "drawn_lists": list(self.play.drawn_lists),
        }


def _market(market: int | None) -> int | None:
    return None if market is None else market + 1
