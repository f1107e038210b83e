"""Compiled code stays within its rows and records: checked first, because stray writes corrupt other memory."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tower_core.engine.batch_structs import OVER, aligned
from tower_core.engine.loops import (
    ADVANCE,
    APPLY,
    ILLEGAL_ACTION,
    MASK,
    NEW,
    OBSERVE,
    REFRESH,
    RESAMPLE,
    TERMINAL_REWARD,
)
from tower_core.testing.setups import LONGEST, Setup, require

GUARD = 1 << 14
_FILLS = (0xA5, 0x5A)


class Guarded:
    """*size* bytes between two runs of *GUARD* bytes that must not be written."""

    def __init__(self, size: int, fill: int) -> None:
        self._all, self._size, self._fill = aligned(size + 2 * GUARD, np.uint8), size, fill
        self._all[:] = fill
        self.address = self._all.ctypes.data + GUARD

    @property
    def inside(self) -> NDArray[np.uint8]:
        return self._all[GUARD : GUARD + self._size]

    def check(self, what: str) -> None:
        before = np.flatnonzero(self._all[:GUARD] != self._fill)
        behind = np.flatnonzero(self._all[GUARD + self._size :] != self._fill)
        self._all[:GUARD] = self._all[GUARD + self._size :] = self._fill
        require(not before.size, f"{what} writes up to {GUARD - before.min(initial=GUARD)} bytes before its start")
        require(not behind.size, f"{what} writes up to {behind.max(initial=-1) + 1} bytes past its end")


class Rows:
    """Rows of one kind, each written over two different fills: a byte that keeps its fill was not written."""

    def __init__(self, what: str, size: int) -> None:
        self._what, self._rows = what, [Guarded(size, fill) for fill in _FILLS]

    def written(self, write: Any) -> NDArray[np.uint8]:
        """The contents of a row after ``write(address)``."""
        for row, fill in zip(self._rows, _FILLS, strict=True):
            row.inside[:] = fill
            write(row.address)
            row.check(self._what)
        one, other = (row.inside for row in self._rows)
        gaps = np.flatnonzero(one != other)
        require(
            not gaps.size,
            f"{self._what} leaves byte {gaps.min(initial=1 << 30)} of its row unwritten, or is not the same twice",
        )
        return one


def check_memory(setup: Setup) -> None:
    """Hooks write only their record, and exactly the rows of observations and masks; legal actions are valid."""
    game, entry = setup.game, setup.game.entry
    template = game.make_record(setup.players, setup.rules)
    record = Guarded(game.record.itemsize, _FILLS[0])
    copy = Guarded(game.record.itemsize, _FILLS[0])
    s = record.inside.view(game.record)
    seen, mask = Rows("observe", game.observation_size), Rows("the mask of legal actions", game.num_actions)
    both = Rows("a step", game.observation_size + game.num_actions)
    high = np.concatenate([part.bounds().ravel() for part in game.observation])
    names = [f"{part.name}[{i}]" for part in game.observation for i in range(part.size)]
    chance = random.Random(1)

    def run(op: int, where: Guarded, x: int, y: int, what: str) -> int:
        result = entry(op, where.address, x, y)
        where.check(what)
        return result

    def look() -> list[int]:
        """The legal actions, after checking the record."""
        mover = int(s["to_move"][0])
        require(mover == OVER or 0 <= mover < setup.players, f"to_move is {mover}, which is neither a seat nor {OVER}")
        require(s["num_players"][0] == setup.players, "a hook changes num_players")
        require(s["first_word"][0] == template["first_word"][0], "a hook changes first_word")
        first = int(template["first_word"][0])
        require(first == 64 or not int(s["legal"][0, 0]) >> first, "legal: a bit beyond the last action is set")
        legal = np.flatnonzero(mask.written(lambda at: entry(MASK, record.address, 0, at)))
        require(legal.size > 0 or mover == OVER, f"player_{mover} is to move and no action is legal")
        require(not legal.size or mover != OVER, "actions are legal after the end of the game")
        for seat in range(setup.players):
            row = seen.written(lambda at, seat=seat: entry(OBSERVE, record.address, seat, at))
            over = np.flatnonzero(row > high)
            require(not over.size, f"observe: {names[over[0]] if over.size else ''} is above its block's high")
        return legal.tolist()

    for seed in range(3):
        record.inside[:] = template.view(np.uint8).ravel()
        run(NEW, record, seed, 0, "new_game")
        moves, legal = 0, look()
        while legal:
            require(moves < LONGEST, f"a random game is not over after {LONGEST} actions")
            for wrong in (-1, game.num_actions, 2**62):
                require(run(APPLY, record, wrong, 0, "apply") == ILLEGAL_ACTION, f"action {wrong} is not rejected")
            if moves % 7 == 0:
                copy.inside[:] = record.inside
                run(RESAMPLE, copy, moves % setup.players, 5, "resample")
                copy.inside[:] = record.inside
                run(REFRESH, copy, 0, 0, "refresh")
            action, before = chance.choice(legal), record.inside.copy()
            run(APPLY, record, action, 0, "apply")
            require((record.inside != before).any(), f"apply: action {action} changes nothing")
            if moves % 7 == 0 and s["to_move"][0] >= 0:

                def advance(at: int, before: NDArray[np.uint8] = before, action: int = action) -> None:
                    copy.inside[:] = before
                    run(ADVANCE, copy, action, at, "apply")

                both.written(advance)
            moves, legal = moves + 1, look()
        for seat in range(setup.players):
            run(TERMINAL_REWARD, record, seat, 0, "terminal_reward")
