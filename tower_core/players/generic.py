"""Two baselines for every game: ``random`` plays uniformly random legal actions, ``passive`` passes whenever it can.

Both are one small kernel that calls the game's entry, so a new game needs no further compilation.
"""

from __future__ import annotations

import numpy as np

from tower_core.engine import loops
from tower_core.engine.compiling import Entry
from tower_core.engine.intrinsics import call_entry, carray, get_int, pointer, record_at
from tower_core.engine.random import GOLDEN
from tower_core.game import Game
from tower_core.players.native_player import STREAM, NativePlayer

CHOOSE = np.int64(loops.CHOOSE)
NO_ACTION = -1.0


def choose(record: int, stream_address: int, options: int) -> int:
    """The preferred action (first option) if it is legal, otherwise a random legal action."""
    stream = record_at(stream_address, STREAM)
    stream.rng += GOLDEN
    preferred = np.int64(carray(pointer(options), (1,), np.float64)[0])
    return call_entry(get_int(options + 8), CHOOSE, record, np.int64(stream.rng), preferred)  # type: ignore[no-any-return]


compile_generic = Entry(choose, ("tower_core.players",), "the generic players")
"""The compiled :func:`choose` and its address."""


def make_random(game: Game, seed: int = 0) -> NativePlayer:
    """Uniformly random legal actions."""
    return NativePlayer("random", game, seed, compile_generic, (NO_ACTION,))


def make_passive(game: Game, seed: int = 0) -> NativePlayer:
    """Passes whenever passing is legal, and otherwise plays at random."""
    passing = game.actions.passing
    return NativePlayer("passive", game, seed, compile_generic, (NO_ACTION if passing is None else float(passing),))
