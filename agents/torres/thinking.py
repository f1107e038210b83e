"""The compiled search functions of Torres behind one entry, so that they are compiled together.

The first option selects the function: ``CHOOSE`` an action (see tower_core.players.protocol.Native), or, for the tree search
(agents/search/tree.py), ``PROPOSE`` turns or ``EVALUATE`` a position.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.search.tree import MAX_TURNS, TURN
from agents.torres.beam import SEARCH, record_at
from agents.torres.candidates import propose, value_seats
from agents.torres.options import CHOOSE, EVALUATE, kind_of, prepare
from agents.torres.turns import hidden_copy
from torres_env.record import RECORD
from tower_core.engine.batch_structs import MAX_SEATS
from tower_core.engine.compiling import Entry, jit
from tower_core.engine.intrinsics import address_of, carray, pointer
from tower_core.engine.loops import count_legal, nth_legal
from tower_core.engine.random import GOLDEN, mix
from tower_core.players.native_player import STREAM


# Arrays are arguments because a record alone wouldn't keep its array alive.
@jit
def choose(record: Any, stream_address: Any, options: Any, searches: Any, copies: Any, turns: Any) -> Any:
    """The first action of the best turn, found on a copy with resampled hidden information."""
    s = record_at(record)
    stream = carray(pointer(stream_address), (1,), STREAM)[0]
    stream.rng += GOLDEN
    if count_legal(s) == 1:
        return nth_legal(s, np.int64(0))
    q = searches[0]
    w = prepare(q, s, options)
    q.noise_seed = mix(stream.rng)
    copy = address_of(copies)
    hidden_copy(q.entry, copy, record, np.int64(s.to_move), q.noise_seed)
    propose(q, copy, turns, w)
    return turns[0].actions[0]


@jit
def answer_search(record: Any, x: Any, options: Any, searches: Any) -> Any:
    """Candidates or evaluation for the tree search."""
    q = searches[0]
    w = prepare(q, record_at(record), options)
    if kind_of(options) == EVALUATE:
        value_seats(q, record, carray(pointer(x), (MAX_SEATS,), np.float64), w)
        return np.int64(0)
    return propose(q, record, carray(pointer(x), (MAX_TURNS,), TURN), w)


def think(record: int, x: int, options: int) -> int:
    if kind_of(options) == CHOOSE:
        return choose(record, x, options, np.zeros(1, SEARCH), np.empty(1, RECORD), np.empty(1, TURN))  # type: ignore[no-any-return]
    return answer_search(record, x, options, np.zeros(1, SEARCH))  # type: ignore[no-any-return]


compile_thinking = Entry(think, ("torres_env", "agents.search.tree", "agents.torres"), "the planner of Torres")
"""The compiled :func:`think` and its address."""
