"""Saving and restoring a batch in mid-game, as validated positions instead of raw memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tower_core.engine.batch_structs import MAX_SEATS, SLOT, copied
from tower_core.envs.batch import Batch

Held = tuple[NDArray[Any], NDArray[Any]]
"""A snapshot of a batch: its games and slots."""


def hold_batch(batch: Batch) -> Held:
    """Take a snapshot of games and slots; fast, because :func:`save_batch` converts it later."""
    return copied(batch.games), copied(batch.slots)


def save_batch(batch: Batch, held: Held | None = None) -> dict[str, Any]:
    """Games and slots of a batch, or of the snapshot *held*, as JSON-able values.

    Players, rules and settings are not included: the caller recreates the batch.
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
    """Load saved games into a batch with the same settings, which then continues exactly as the saved one.

    ValueError if they don't fit or are damaged; the batch is unchanged then.
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
        raise ValueError("the saved games are damaged: opponents or potentials are out of range")
    if (learners < lowest).any() or (learners >= min(batch.num_players, MAX_SEATS)).any():
        raise ValueError("the saved games are damaged: a learner's seat is out of range")
    for i, state in enumerate(states):
        batch.games[i] = state._record[0]
    batch.slots[:] = slots
    batch.refresh()
