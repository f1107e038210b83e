"""Hidden information doesn't reach a seat that may not know it."""

from __future__ import annotations

import random
from typing import Any

from tower_core.players.protocol import mover_view
from tower_core.testing.setups import Setup, differences, observed, play, require


def _shown(state: Any, seat: int) -> dict[str, Any]:
    """Everything that is visible to a seat."""
    return {
        f"observation({seat})": observed(state, seat),
        f"position({seat})": state.position(seat),
        f"to_text({seat})": state.to_text(seat),
        f"to_svg(seat={seat})": state.to_svg(seat=seat),
        "scores()": state.scores(),
        "ranking()": state.ranking(),
        "current_player()": state.current_player(),
        "legal_actions()": state.legal_actions() if state.current_player() in (seat, -4) else None,
    }


def check_hidden_information(setup: Setup) -> None:
    """A seat can't distinguish a state from those that resample_hidden draws for it, and those are valid games."""
    varied = False
    for state in setup.samples():
        written = state.to_bytes()
        for seat in range(setup.players):
            shown = _shown(state, seat)
            for draw in (2**40 + 1, 2**63 + 5):
                other = state.resample_hidden(seat, draw)
                wrong = differences(shown, _shown(other, seat))
                require(not wrong, f"resample_hidden({seat}) changes {wrong}, or that reveals hidden information")
                twice = state.resample_hidden(seat, draw)
                require(other.position() == twice.position(), f"resample_hidden({seat}): one seed gives two states")
                again = other.resample_hidden(seat, draw)
                require(again.position() == twice.position(), f"resample_hidden({seat}) depends on what is hidden")
                require(other.seed != state.seed or state.seed == draw, "resample_hidden() keeps the seed of the game")
                require(
                    state.is_terminal() or other.position()["rng"] != state.position()["rng"],
                    f"resample_hidden({seat}) keeps the random stream",
                )
                varied |= _public(other) != _public(state)
                again = type(state).from_position(other.position())
                require(
                    again.position() == other.position(), f"resample_hidden({seat}): the position doesn't come back"
                )
                play(other, random.Random(4), 60)
        if not state.is_terminal():
            view = mover_view(state, 3)
            require(view.legal_actions() == state.legal_actions(), "the mover's view has other legal actions")
        require(state.to_bytes() == written, "resample_hidden() changes the state")
        if not setup.game.hidden:
            for seat in range(setup.players):
                open_ = state.position(seat) == _public(state)
                require(open_, f"position({seat}) hides something, but the game has hidden=False")
    require(setup.game.hidden or not varied, "resample_hidden() changes a position, but the game has hidden=False")


def _public(state: Any) -> dict[str, Any]:
    return {name: value for name, value in state.position().items() if name != "rng"}
