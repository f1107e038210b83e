"""The suite's conformance checks, for games from other packages: ``check_game(GAME)``.

They need no test runner: a failure is a :class:`CheckFailed` that describes it in one sentence. With pytest, one test per
check reports all failures at once::

    @pytest.mark.parametrize("check", CHECKS)
    @pytest.mark.parametrize("setup", setups_of(GAME), ids=str)
    def test_game(setup, check):
        run_check(check, setup)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tower_core.game import Game
from tower_core.testing.agreement import (
    check_copies_of_faces,
    check_rewards,
    check_same_games,
    check_seeds,
    check_threads,
    check_vector,
)
from tower_core.testing.environments import check_gymnasium, check_pettingzoo
from tower_core.testing.hidden import check_hidden_information
from tower_core.testing.hostile import check_bytes, check_foreign_positions
from tower_core.testing.memory import check_memory
from tower_core.testing.records import check_records
from tower_core.testing.setups import CheckFailed, Setup, setups_of
from tower_core.testing.showing import check_drawing, check_registration
from tower_core.testing.states import check_actions, check_copies, check_positions, check_turns_and_returns

__all__ = ["CHECKS", "CheckFailed", "Setup", "check_game", "run_check", "setups_of"]

CHECKS: dict[str, Callable[[Setup], None]] = {
    "memory": check_memory,
    "registration": check_registration,
    "turns and returns": check_turns_and_returns,
    "actions": check_actions,
    "copies": check_copies,
    "positions": check_positions,
    "hidden information": check_hidden_information,
    "bytes": check_bytes,
    "foreign positions": check_foreign_positions,
    "drawing": check_drawing,
    "records": check_records,
    "same games": check_same_games,
    "seeds": check_seeds,
    "rewards": check_rewards,
    "PettingZoo": check_pettingzoo,
    "Gymnasium": check_gymnasium,
    "vector": check_vector,
    "copies of faces": check_copies_of_faces,
    "threads": check_threads,
}
"""Checks by name, in order: ``memory`` comes first, because a game that fails it corrupts the process."""


def run_check(name: str, setup: Setup) -> None:
    """Run one check. CheckFailed describes the failure, including unexpected exceptions."""
    try:
        CHECKS[name](setup)
    except Exception as error:
        kind = "" if isinstance(error, CheckFailed) else f"{type(error).__name__}: "
        raise CheckFailed(f"{setup}: {name}: {kind}{error}") from error


def check_game(game: Game, setups: Iterable[Setup] | None = None) -> None:
    """Run every check of a game: for every preset and number of players, or for the given *setups*."""
    for setup in setups_of(game) if setups is None else setups:
        for name in CHECKS:
            run_check(name, setup)
