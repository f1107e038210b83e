"""Games played for a dataset: one episode for each seat of a game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tower_core.game import Game
from tower_core.players.asking import ask
from tower_core.players.protocol import must_play
from tower_core.players.specs import make_player
from train.arena.play import derived_seed


@dataclass
class Episode:
    """What one seat saw and did in one game; T decisions, and the end.

    A reward is everything that the seat is paid from its decision to its next one, or to the end of the game.
    """

    seed: int
    seat: int
    observation: NDArray[np.uint8]
    """[T + 1, size]; the last row is the end of the game"""
    action_mask: NDArray[np.bool_]
    """[T + 1, num_actions]; the last row is False"""
    action: NDArray[np.int64]
    """[T]"""
    reward: NDArray[np.float32]
    """[T]"""
    truncated: bool
    score: int
    utility: float


def play_episodes(
    game: Game, player: str, games: int, *, players: int | None, rules: Any, reward: str, seed: int
) -> Iterator[Episode]:
    """Play the games of ``seed, seed + 1, …`` with *player* at every seat.

    ValueError for players or rules that don't fit; PlayerError if the player fails.
    """
    batch = game.batch_class()(1, players, rules, reward=reward, autoreset=False)
    played = make_player(player, game, seed)
    must_play(played, batch.num_players, batch.rules)
    seats = range(batch.num_players)
    for number in range(seed, seed + games):
        batch.reset_slot(0, number)
        moves: list[list[tuple[NDArray[np.uint8], NDArray[np.bool_], int]]] = [[] for _ in seats]
        rewards: list[list[float]] = [[] for _ in seats]
        early = [0.0 for _ in seats]  # paid before a seat's first decision: part of its reward
        count = 0
        while (seat := int(batch.to_move[0])) >= 0:
            action = ask(played, batch.state(0), derived_seed(number, seat, count))
            mask = batch.action_mask[0].astype(np.bool_)
            moves[seat].append((batch.observation[0].copy(), mask, action))
            rewards[seat].append(early[seat])
            early[seat] = 0.0
            batch.step(np.array([action]))
            count += 1
            for other in seats:
                if rewards[other]:
                    rewards[other][-1] += float(batch.reward[0, other])
                else:
                    early[other] += float(batch.reward[0, other])
        state = batch.state(0)
        for seat in seats:
            if moves[seat]:
                rows, masks, actions = zip(*moves[seat], strict=True)
                end = np.concatenate([part.ravel() for part in state.observation(seat).values()])
                yield Episode(
                    number, seat, np.stack([*rows, end]), np.stack([*masks, np.zeros_like(masks[0])]),
                    np.array(actions), np.array(rewards[seat], np.float32), bool(batch.truncated[0]),
                    int(batch.final_score[0, seat]), float(batch.final_utility[0, seat]),
                )  # fmt: skip
