"""Memory shared by Python and the compiled loops: one context per batch, one slot per game, a table of players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAX_SEATS = 4
MAX_MOVES = 4096  # moves of a game that a batch can keep
OVER = -4  # ``to_move`` of a finished game

# Settings of the batch loops, and addresses of the buffers.
CONTEXT = np.dtype(
    [
        ("games", "i8"),  # records of the games
        ("slots", "i8"),  # SLOT records, one per game
        ("actions", "i8"),  # int64 [n]: input of a step, output of a sample; negative leaves the game unchanged
        ("observation", "i8"),  # uint8 [n, observation size], for the seat to move
        ("mask", "i8"),  # uint8 [n, actions]: 1 where the action is legal for the seat to move
        ("to_move", "i8"),  # int8 [n]: seat to move, -4 when over
        ("reward", "i8"),  # float32 [n, seats]
        ("done", "i8"),  # uint8 [n]: 1 when the game ended in this step
        ("truncated", "i8"),  # uint8 [n]: 1 when it ended by the limit of turns
        ("final_observation", "i8"),  # uint8 [n, observation size]: the learner's last observation of a finished game
        ("final_score", "i8"),  # int32 [n, seats]: points at the end of the game that ended in this step
        ("final_utility", "i8"),  # float32 [n, seats]: utilities of the game that ended in this step
        ("players", "i8"),  # PLAYER records
        ("player_count", "i8"),
        ("learner", "i8"),  # -2: the caller plays every seat; -1: one seat, drawn per game; otherwise that seat
        ("reward_kind", "i8"),
        ("dense", "i8"),  # 1: the reward is also paid during the game
        ("illegal", "i8"),  # what an illegal action does: ILLEGAL_*
        ("autoreset", "i8"),  # 1: a finished game restarts in the same step
        ("repeat", "i8"),  # steps of one PLAY
        ("moves", "i8"),  # 0, or int32 [n, MAX_MOVES]: moves of each game so far, as action * MAX_SEATS + seat
        ("move_count", "i8"),  # int64 [n]: number of moves so far, also beyond MAX_MOVES
        ("final_moves", "i8"),  # the same of the last finished game, where games restart
        ("final_move_count", "i8"),
    ],
    align=True,
)

ILLEGAL_RANDOM, ILLEGAL_LOSE, ILLEGAL_RAISE = 1, 2, 0
ILLEGAL = {"raise": ILLEGAL_RAISE, "random": ILLEGAL_RANDOM, "lose": ILLEGAL_LOSE}

# Per-game data of a batch besides the game's record.
SLOT = np.dtype(
    [
        ("seed", "u8"),  # of the slot: its episode 0 is the game of that seed
        ("episode", "i8"),
        ("sampler", "u8"),  # stream of sample_actions
        ("rng", "u8"),  # stream of the players inside the batch, reseeded with every game
        ("potential", "f8", (MAX_SEATS,)),  # per seat, at the last reward
        ("opponent", "i4", (MAX_SEATS,)),  # index into the table of players
        ("learner", "i1"),
    ],
    align=True,
)

# A player inside the loops: a compiled ``int64 choose(record address, address of a stream, options)``.
PLAYER = np.dtype([("address", "i8"), ("options", "i8"), ("weight", "f8")], align=True)


def aligned(shape: int | tuple[int, ...], dtype: Any, boundary: int = 64) -> NDArray[Any]:
    """Zeros aligned to *boundary* bytes, so that records straddle as few cache lines as possible."""
    kind = np.dtype(dtype)
    size = int(np.prod(shape)) * kind.itemsize
    raw = np.zeros(size + boundary, np.uint8)
    offset = -raw.ctypes.data % boundary
    array: NDArray[Any] = raw[offset : offset + size].view(kind).reshape(shape)
    return array


def copied(record: NDArray[Any], boundary: int = 64) -> NDArray[Any]:
    """An aligned copy of contiguous records, as bytes: NumPy copies records field by field, which is ten times slower."""
    size = record.nbytes
    raw = np.empty(size + boundary, np.uint8)
    offset = -raw.ctypes.data % boundary
    raw[offset : offset + size] = np.ndarray(size, np.uint8, record.data)
    return np.ndarray(record.shape, record.dtype, raw, offset)


def game_record(num_actions: int, seats: int, own: Sequence[tuple[Any, ...]]) -> np.dtype[Any]:
    """The dtype of a game in progress: the fields that every game has, then its *own* (names, types, shapes).

    ``legal`` and ``first_word`` hold the legal actions, ``to_move`` the seat to move (OVER at the end), ``num_players``
    the players, ``truncated`` whether a limit of turns ended the game, ``rng`` the random stream, ``score`` int32 the
    points of up to *seats* players.
    """
    words = -(-num_actions // 64)
    shared = [
        ("legal", "u8", (words,)), ("rng", "u8"), ("score", "i4", (seats,)), ("first_word", "u1"), ("to_move", "i1"),
        ("num_players", "u1"), ("truncated", "u1"),
    ]  # fmt: skip
    return padded(np.dtype([*shared, *own], align=True))


def padded(dtype: np.dtype[Any], boundary: int = 64) -> np.dtype[Any]:
    """*dtype* with its fields sorted by alignment, widest first, and its size rounded up to a multiple of *boundary* bytes.

    This leaves no gaps between fields, whose bytes would not be copied with a record.
    """
    fields = [(name, dtype.fields[name][0]) for name in dtype.names]  # type: ignore[index, union-attr]
    fields.sort(key=lambda field: -field[1].alignment)
    spare = -sum(field.itemsize for _, field in fields) % boundary
    return np.dtype([*fields, *([("padding", "u1", (spare,))] if spare else [])], align=True)
