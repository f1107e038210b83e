"""Asks a player for an action and validates it: every failure names the player."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tower_core.imported import one_line
from tower_core.players.protocol import Choice, Player, Ranker, RowsPlayer, mover_view, player_name
from tower_core.schema import shown
from tower_core.state import State, as_action


class PlayerError(ValueError):
    """A player failed or returned an invalid action; the message names the player and its seat."""


def ask(player: Player, state: State, seed: int) -> int:
    """A player's legal action for the seat to move, from a :func:`mover_view` drawn from *seed*.

    PlayerError for an illegal action, for anything but an integer, and for any exception of the player (chained).
    """
    if state.is_terminal():
        raise PlayerError(f"{name_of(player)} can't act: the game is over")
    seat = state.current_player()
    try:
        answer = player.act(mover_view(state, seed))
    except (Exception, SystemExit) as error:
        raise PlayerError(_failed(player, f"as player_{seat}", error)) from error
    return _checked(player, state, answer)


def ask_choices(player: Ranker, state: State, seed: int, n: int) -> list[Choice]:
    """A player's *n* preferred choices for the seat to move, each legal at first. Errors as :func:`ask`."""
    if state.is_terminal():
        raise PlayerError(f"{name_of(player)} can't act: the game is over")
    try:
        choices = player.rank(mover_view(state, seed), n)
    except (Exception, SystemExit) as error:
        raise PlayerError(_failed(player, f"as player_{state.current_player()}", error)) from error
    try:
        found = [Choice(tuple(map(as_action, choice.actions)), float(choice.value)) for choice in choices]
        firsts = [choice.actions[0] for choice in found]
    except (AttributeError, TypeError, LookupError, ValueError):
        raise PlayerError(f"{name_of(player)} must rank a list of Choice, not {shown(choices)}") from None
    if not found:
        raise PlayerError(f"{name_of(player)} ranked nothing as player_{state.current_player()}")
    for first in firsts:
        _checked(player, state, first)
    return found


def _checked(player: Any, state: State, answer: Any) -> int:
    """An answer as a legal action. PlayerError if it is none."""
    seat = state.current_player()
    try:
        action = as_action(answer)
    except ValueError as error:
        raise PlayerError(f"{name_of(player)} returned {shown(answer)} as player_{seat}: {error}") from None
    if not 0 <= action < state.game.num_actions or not state.legal_actions_mask()[action]:
        raise PlayerError(f"{name_of(player)} returned {action} as player_{seat}: {state.explain(action)}")
    return action


def ask_rows(
    player: RowsPlayer, rows: NDArray[np.uint8], masks: NDArray[np.bool_], seats: NDArray[Any]
) -> NDArray[np.int64]:
    """A player's legal actions (int64 [B]) in many games, for the *seats* [B] to move. PlayerError as in :func:`ask`."""
    given = masks.copy()  # a player may overwrite what it gets
    try:
        answers = np.asarray(player.act_on_rows(rows, given))
    except (Exception, SystemExit) as error:
        raise PlayerError(_failed(player, f"in {len(rows)} games", error)) from error
    if answers.shape != (len(rows),) or answers.dtype.kind not in "iu":
        raise PlayerError(
            f"{name_of(player)} must return {len(rows)} integers, not {answers.dtype} of shape {answers.shape}"
        )
    known = (answers >= 0) & (answers < masks.shape[1])
    wrong = np.flatnonzero(~known | ~masks[np.arange(len(rows)), np.where(known, answers, 0)])
    if len(wrong):
        action, seat = int(answers[wrong[0]]), int(seats[wrong[0]])
        raise PlayerError(f"{name_of(player)} returned {action} as player_{seat}: the action is not legal")
    return answers.astype(np.int64)


def name_of(player: Any) -> str:
    """A player's name for messages."""
    return f"player {player_name(player)}"


def _failed(player: Any, where: str, error: BaseException) -> str:
    return f"{name_of(player)} failed {where}: {one_line(error)}"
