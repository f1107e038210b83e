"""Players implemented by one compiled function, which can also move inside batches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tower_core.engine.random import SplitMix64, to_u64
from tower_core.envs.batch import Batch
from tower_core.game import Game
from tower_core.players.protocol import Native, must_move
from tower_core.registry import get_game
from tower_core.state import State

STREAM = np.dtype([("rng", "u8")])
"""The memory at a compiled player's stream address: the state of a SplitMix64."""
_PLAYER_SALT = 0x5851F42D4C957F2D
Compile = Callable[[], tuple[Callable[..., int], int]]


class NativePlayer:
    """A player implemented by one compiled function ``choose(record, stream, options)``.

    *compiled* is a module's entry, which returns it with its address (tower_core.engine.compiling.Entry). The options are the
    *values* (float64), then the bits of the address of the game's entry, so that players don't compile the rules again.
    """

    def __init__(self, name: str, game: Game, seed: int, compiled: Compile, values: tuple[float, ...] = ()) -> None:
        self.name, self.game, self.seed = name, game, seed
        self._compiled, self._values = compiled, values
        self._options = np.array([*values, 0], np.float64)
        self._options.view(np.int64)[-1] = game.address
        # The stream for calls from Python; inside a batch, the player draws from the slot's stream.
        self._stream = np.array([SplitMix64(to_u64(seed) ^ _PLAYER_SALT).next()], np.uint64)
        self._choose, address = compiled()
        self.native: Native | None = Native(address, self._options.ctypes.data, self._options)

    def act(self, state: State) -> int:
        """A legal action for the seat to move. ValueError if the game is over or a different one."""
        must_move(self.name, self.game, state)
        return self._choose(state._address, self._stream.ctypes.data, self._options.ctypes.data)

    def act_on_batch(self, batch: Batch) -> NDArray[np.int64]:
        """int64 [N]: its action in every game of a batch, for the seat to move (-1 if the game is over)."""
        base, size = batch.games.ctypes.data, batch.games.itemsize
        stream, options = self._stream.ctypes.data, self._options.ctypes.data
        return np.array(
            [
                self._choose(base + size * i, stream, options) if to_move >= 0 else -1
                for i, to_move in enumerate(batch.to_move.tolist())
            ],
            np.int64,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        # Addresses are invalid in another process, so the player is rebuilt there with the same stream state.
        made_of = (type(self), self.name, self.game.name, self.seed, self._compiled, self._values)
        return _remake, (*made_of, int(self._stream[0]))

    def __repr__(self) -> str:
        return f"<player {self.name} of {self.game.name}>"


def _remake(
    kind: type[NativePlayer], name: str, game: str, seed: int, compiled: Compile, values: tuple[float, ...], stream: int
) -> NativePlayer:
    player = kind(name, get_game(game), seed, compiled, values)
    player._stream[0] = stream
    return player
