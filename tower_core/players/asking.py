"""Asking a player, and checking what it answers: a fault of a player is named, never swallowed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tower_core.players.protocol import Player, RowsPlayer, mover_view
from tower_core.state import State, as_action


class PlayerError(ValueError):
    """A player that failed or gave an answer that can't be played; the message names the player and its seat."""


def ask(player: Player, state: State, seed: int) -> int:
    """The legal action of a player for the seat to move, which sees a :func:`mover_view` drawn from *seed*.

    PlayerError for an illegal action, for anything but a whole number, and for whatever the player raises (chained).
    """
    if state.is_terminal():
        raise PlayerError(f"{name_of(player)} is asked, but the game is over")
    seat = state.current_player()
    try:
        answer = player.act(mover_view(state, seed))
    except Exception as error:
        raise PlayerError(_failed(player, f"as player_{seat}", error)) from error
    try:
        action = as_action(answer)
    except ValueError as error:
        raise PlayerError(f"{name_of(player)} answered {answer!r} as player_{seat}: {error}") from None
    if not 0 <= action < state.game.num_actions or not state.legal_actions_mask()[action]:
        raise PlayerError(f"{name_of(player)} answered {action} as player_{seat}: {state.explain(action)}")
    return action


def ask_rows(
    player: RowsPlayer, rows: NDArray[np.uint8], masks: NDArray[np.bool_], seats: NDArray[Any]
) -> NDArray[np.int64]:
    """Legal actions (int64 [B]) of a player for many games, for the *seats* [B] to move. PlayerError as :func:`ask`."""
    try:
        answers = np.asarray(player.act_on_rows(rows, masks))
    except Exception as error:
        raise PlayerError(_failed(player, f"in {len(rows)} games", error)) from error
    if answers.shape != (len(rows),) or answers.dtype.kind not in "iu":
        raise PlayerError(
            f"{name_of(player)} must answer {len(rows)} whole numbers, not {answers.dtype} of shape {answers.shape}"
        )
    known = (answers >= 0) & (answers < masks.shape[1])
    wrong = np.flatnonzero(~known | ~masks[np.arange(len(rows)), np.where(known, answers, 0)])
    if len(wrong):
        action, seat = int(answers[wrong[0]]), int(seats[wrong[0]])
        raise PlayerError(f"{name_of(player)} answered {action} as player_{seat}: the action is not legal")
    return answers.astype(np.int64)


def name_of(player: Any) -> str:
    """How a message names a player, also one that keeps the protocol badly."""
    return f"player {getattr(player, 'name', None) or type(player).__name__!s}"


def _failed(player: Any, where: str, error: Exception) -> str:
    reason = str(error).partition("\n")[0]
    return f"{name_of(player)} failed {where}: {type(error).__name__}{': ' + reason if reason else ''}"
