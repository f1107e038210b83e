"""The value of a turn: it is played in worlds sampled for the player to move, and compiled players finish these games.

All turns of a position are played in the same worlds, with the same random streams for chance and players.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tower_core.engine.batch_structs import copied
from tower_core.engine.loops import APPLY, ILLEGAL_ACTION, OBSERVE, TERMINAL_REWARD
from tower_core.engine.random import SplitMix64
from tower_core.game import Game
from tower_core.players.asking import ask
from tower_core.players.protocol import Player, native_of
from tower_core.state import State
from train.arena.play import derived_seed
from train.statistics import win_shares

SHARE = 12
"""Win shares are stored in twelfths, so that a win shared by two, three or four is a whole number."""


@dataclass(frozen=True)
class Turn:
    """A turn up to its end, or to the first action that reveals something to the mover: the rest depends on the world.

    *after*: the records of the worlds after it; *key*: equal for turns that lead to the same positions.
    """

    actions: tuple[int, ...]
    after: NDArray[Any]
    key: bytes


@dataclass(frozen=True)
class Label:
    """Results of a turn for its player, by world: win *shares* (uint8 [W], in twelfths), and points minus those of the best
    rival (*leads*, int32 [W]; with one player its points)."""

    shares: NDArray[np.uint8]
    leads: NDArray[np.int32]


def play_turn(state: State, player: Player, *seed: int) -> list[int]:
    """The actions of a player's turn: until another seat is to move, it passes, or the game ends. PlayerError if it fails.

    For every action it gets a copy in which everything hidden from its seat is resampled with *seed*.
    """
    state, seat, actions = state.clone(), state.current_player(), list[int]()
    while state.current_player() == seat:
        actions.append(ask(player, state, derived_seed(*seed, len(actions))))
        state.apply_action(actions[-1])
        if actions[-1] == state.game.actions.passing:
            break
    return actions


class Worlds:
    """*count* worlds that the player to move can't distinguish; *seed* determines hidden information and chance."""

    def __init__(self, state: State, count: int, *seed: int) -> None:
        self.game, self.seat = state.game, state.current_player()
        drawn = [state.resample_hidden(self.seat, derived_seed(*seed, i))._record for i in range(count)]
        self.records = np.concatenate(drawn)
        self.streams = np.array([SplitMix64(derived_seed(*seed, i, 0)).next() for i in range(count)], np.uint64)
        self._names = [name for name in self.game.record.names or () if name != "padding"]

    def turn(self, actions: Sequence[int]) -> Turn:
        """Play a turn in every world. ValueError for an illegal action or one after the end of the turn."""
        game, after = self.game, copied(self.records)
        size, rows = after.itemsize, np.empty((len(after), game.observation_size), np.uint8)
        for count, action in enumerate(actions, 1):
            for i in range(len(after)):
                if game.entry(APPLY, after.ctypes.data + size * i, int(action), 0) == ILLEGAL_ACTION:
                    raise ValueError(f"action {action} is not legal as number {count} of the turn")
                game.entry(OBSERVE, after.ctypes.data + size * i, self.seat, rows[i].ctypes.data)
            if (after["to_move"] != self.seat).any() or action == game.actions.passing or (rows != rows[0]).any():
                break
        key = b"".join(after[name].tobytes() for name in self._names)
        return Turn(tuple(map(int, actions[:count])), after, key)


class Labeller:
    """Labels turns with the compiled *player* at all seats; *batch*: one with at least as many slots as worlds."""

    def __init__(self, game: Game, num_players: int, rules: Any, player: Player, count: int) -> None:
        if native_of(player) is None:
            raise ValueError("the player that continues the games must be a compiled one")
        self.game = game
        self._batch = game.batch_class()(count, num_players, rules, 0, player, seat=0, autoreset=False)

    def label(self, worlds: Worlds, turn: Turn) -> Label:
        final = self._batch.play_out(turn.after, worlds.streams)
        return results(self.game, final, worlds.seat)


def results(game: Game, final: NDArray[Any], seat: int) -> Label:
    """The results of finished games for a seat."""
    seats = int(final["num_players"][0])
    places = [final.ctypes.data + final.itemsize * i for i in range(len(final))]
    utility = np.array([[game.entry(TERMINAL_REWARD, at, p, 0) for p in range(seats)] for at in places]) / 1e6
    scores = final["score"][:, :seats].astype(np.int32)
    rivals = np.delete(scores, seat, axis=1).max(axis=1) if seats > 1 else np.int32(0)
    return Label(np.rint(SHARE * win_shares(utility)[:, seat]).astype(np.uint8), scores[:, seat] - rivals)
