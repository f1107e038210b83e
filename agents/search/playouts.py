"""The tree search's plug for any game: single actions as turns, and random playouts as values.

Both call the game's entry by its address, so one compilation serves all games.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.search.player import Plug
from agents.search.tree import TURN, copy_state
from tower_core.engine import loops
from tower_core.engine.batch_structs import MAX_SEATS, aligned
from tower_core.engine.compiling import Entry, jit
from tower_core.engine.intrinsics import call_entry, carray, pointer, record_at
from tower_core.engine.random import GOLDEN, SplitMix64, below, mix, to_u64
from tower_core.game import Game
from tower_core.options import check_whole
from tower_core.state import State

CHOOSE, MASK, PLAYOUT = np.int64(loops.CHOOSE), np.int64(loops.MASK), np.int64(loops.PLAYOUT)
TERMINAL_REWARD = np.int64(loops.TERMINAL_REWARD)
PROPOSE, DRAW, EVALUATE = range(3)  # kinds of task: legal actions, one random legal action, values of the seats
MOST_ACTIONS = 1 << 10  # candidates in a position; a random sample if more are legal
MOST_PLAYOUTS = 1_000_000
NUM_ACTIONS_LIMIT = 1 << 15  # nodes keep actions in 16 bits
_PROBES = 4
# A request to the compiled function, with addresses of its memory.
TASK = np.dtype(
    [
        ("kind", "i8"),
        ("entry", "i8"),  # the rules of the game
        ("size", "i8"),  # bytes of a record
        ("num_actions", "i8"),
        ("most", "i8"),  # actions proposed
        ("seats", "i8"),
        ("playouts", "i8"),
        ("scratch", "i8"),  # one record
        ("mask", "i8"),  # uint8 [num_actions]
        ("rng", "u8"),
    ]
)


@jit
def propose(task: Any, record: Any, turns: Any) -> Any:
    """All legal actions in random order, or a random sample of ``task.most`` (reservoir sampling)."""
    call_entry(task.entry, MASK, record, np.int64(0), task.mask)
    mask = carray(pointer(task.mask), (task.num_actions,), np.uint8)
    count, seen = np.int64(0), np.int64(0)
    for action in range(task.num_actions):
        if mask[action] == 0:
            continue
        seen += 1
        place = below(task, seen)
        if count < task.most:
            turns[count].value = 0.0
            turns[count].length = 1
            turns[count].actions[0] = turns[place].actions[0]
            count += 1
        if place < count:
            turns[place].actions[0] = action
    return count


@jit
def draw(task: Any, record: Any, turns: Any) -> Any:
    task.rng += GOLDEN
    turns[0].value = 0.0
    turns[0].length = 1
    turns[0].actions[0] = call_entry(task.entry, CHOOSE, record, np.int64(task.rng), np.int64(-1))
    return np.int64(1)


@jit
def evaluate(task: Any, record: Any, values: Any) -> None:
    """Write the mean utility of each seat over random games from the record at an address."""
    for p in range(task.seats):
        values[p] = 0.0
    for _ in range(task.playouts):
        task.rng += GOLDEN
        copy_state(task.scratch, record, task.size)
        call_entry(task.entry, PLAYOUT, task.scratch, np.int64(mix(task.rng)), np.int64(0))
        for p in range(task.seats):
            values[p] += (
                np.float64(call_entry(task.entry, TERMINAL_REWARD, task.scratch, np.int64(p), np.int64(0))) / 1e6
            )
    for p in range(task.seats):
        values[p] /= np.float64(task.playouts)


def work(record: int, x: int, task_address: int) -> int:
    """Candidates or evaluation for the tree search (agents/search/tree.py); *x*: the address of turns or values."""
    task = record_at(task_address, TASK)
    if task.kind == EVALUATE:
        evaluate(task, record, carray(pointer(x), (MAX_SEATS,), np.float64))
        return 0
    turns = carray(pointer(x), (task.most,), TURN)
    return draw(task, record, turns) if task.kind == DRAW else propose(task, record, turns)  # type: ignore[no-any-return]


compile_work = Entry(work, ("agents.search.tree", "agents.search.playouts"), "random playouts")
"""The compiled :func:`work` and its address."""


def _tasks(game: Game, playouts: int, most: int) -> tuple[NDArray[Any], list[NDArray[Any]]]:
    """TASK [3], one of each kind, and the arrays that they point to."""
    scratch, mask = aligned(1, game.record), np.zeros(game.num_actions, np.uint8)
    tasks = np.zeros(3, TASK)
    for kind in (PROPOSE, DRAW, EVALUATE):
        tasks[kind] = (
            kind,
            game.address,
            game.record.itemsize,
            game.num_actions,
            most,
            0,
            playouts,
            scratch.ctypes.data,
            mask.ctypes.data,
            0,
        )
    return tasks, [scratch, mask]


def make_plug(game: Game, playouts: int = 1) -> Plug:
    """Every legal action is a turn, with equal priors; *playouts*: random games to value a position.

    ValueError for a wrong number, and for a game with too many actions.
    """
    check_whole("mcts: playouts", playouts, 1, MOST_PLAYOUTS)
    if game.num_actions > NUM_ACTIONS_LIMIT:
        raise ValueError(
            f"mcts: at most {NUM_ACTIONS_LIMIT} actions are supported, and {game.name} has {game.num_actions}"
        )
    most = min(game.num_actions, MOST_ACTIONS)
    tasks, memory = _tasks(game, playouts, most)
    address = compile_work()[1]

    def prepare(record: NDArray[Any], seed: int) -> None:
        stream = SplitMix64(seed)
        tasks["seats"] = record["num_players"][0]
        tasks["rng"] = [stream.next() for _ in tasks]

    def uses_chance(record: NDArray[Any]) -> bool:
        """Whether random games from a record use its random stream."""
        scratch = memory[0]
        for seed in range(_PROBES):
            scratch[:] = record
            game.entry(PLAYOUT, scratch.ctypes.data, seed, 0)
            if scratch["rng"][0] != record["rng"][0]:
                return True
        return False

    wide, quick, values = (tasks[i : i + 1] for i in range(3))
    return Plug(
        address,
        address,
        wide,
        wide,
        quick,
        values,
        None,
        prepare,
        paired=True,
        uses_chance=uses_chance,
        most_turns=most,
    )


def random_playouts(state: State, count: int, seed: int = 0) -> NDArray[np.float64]:
    """float64 [num_players]: the mean utility of each seat over *count* random games from a state.

    The state does not change. Its hidden information is used as it is: resample it first if it must not be known.
    ValueError unless *count* is an integer from 1 to 1,000,000.
    """
    check_whole("count", count, 1, MOST_PLAYOUTS)
    tasks, _memory = _tasks(state.game, count, 0)
    tasks["seats"], tasks["rng"] = state.num_players, SplitMix64(to_u64(seed)).next()
    values = np.zeros(MAX_SEATS)
    compile_work()[0](state._address, values.ctypes.data, tasks[EVALUATE:].ctypes.data)
    return values[: state.num_players]
