"""A batch in the middle of its games as plain data, and back: positions that are checked, never raw memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tower_core.engine.batch_structs import MAX_SEATS, SLOT, copied
from tower_core.envs.batch import Batch

Held = tuple[NDArray[Any], NDArray[Any]]
"""Games and slots of a batch at some moment."""


def hold_batch(batch: Batch) -> Held:
    """A copy of games and slots, quickly made; :func:`save_batch` tells it later."""
    return copied(batch.games), copied(batch.slots)


def save_batch(batch: Batch, held: Held | None = None) -> dict[str, Any]:
    """Games and slots of a batch, now or when they were *held*, as JSON-able values.

    Players, rules and settings are left to whoever makes the batch.
    """
    games, slots = held or (batch.games, batch.slots)
    state_class = type(batch).game.state_class()
    positions = []
    for i in range(batch.num_envs):
        position = state_class._from_record(copied(games[i : i + 1]), batch.rules).position()
        del position["rules"]
        positions.append(position)
    return {"positions": positions, "slots": {name: slots[name].tolist() for name in SLOT.names}}  # type: ignore[union-attr]


def restore_batch(batch: Batch, saved: Mapping[str, Any]) -> None:
    """Put saved games into a batch with the same settings, which then goes on as the other would have.

    ValueError when they don't fit it or are damaged; the batch is as it was then.
    """
    state_class, rules, n = type(batch).game.state_class(), batch.rules.to_dict(), batch.num_envs
    try:
        states = [state_class.from_position({**position, "rules": rules}) for position in saved["positions"]]
        slots = np.zeros(n, SLOT)
        for name in SLOT.names:  # type: ignore[union-attr]
            slots[name] = np.array(saved["slots"][name], SLOT[name].base).reshape(slots[name].shape)
    except (TypeError, LookupError, OverflowError, AttributeError) as error:
        raise ValueError(f"the saved games are damaged: {error}") from error
    if len(states) != n or any(state.num_players != batch.num_players for state in states):
        raise ValueError(f"the saved games are not {n} games of {batch.num_players} players")
    opponents, learners = slots["opponent"], slots["learner"]
    lowest = 0 if batch.players else -2
    known = (opponents >= 0) & (opponents < max(len(batch.players), 1))
    if not known.all() or not np.isfinite(slots["potential"]).all():
        raise ValueError("the saved games are damaged: somebody plays them who isn't there")
    if (learners < lowest).any() or (learners >= min(batch.num_players, MAX_SEATS)).any():
        raise ValueError("the saved games are damaged: a learner has no seat")
    for i, state in enumerate(states):
        batch.games[i] = state._record[0]
    batch.slots[:] = slots
    batch.refresh()
