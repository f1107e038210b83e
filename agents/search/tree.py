"""A tree search over whole turns in compiled code, the same for every game.

A game plugs in with two compiled functions, called by their addresses:

``candidates(record, turns, options) -> count``
    Write the candidate turns of the seat to move, best first, as TURN entries at the address *turns*, at most
    ``most_turns``. A turn is a list of legal actions up to and including the one that ends it; its value is the game's
    estimate for the mover (used as a prior, so only differences matter).
``evaluate(record, values, options) -> 0``
    Write the value of a position, also a final one, for every seat (float64), in the same unit.

Every simulation walks down from the root (PUCT over the candidates, each seat for itself: max^n), expands one position,
plays some turns with cheap candidates (*playout*), evaluates, and adds the values to the nodes on its path. Hidden
information of the root's seat is resampled in several *worlds*; simulations take them in turn, either all together or
separately for each turn of the root (*paired*: the same luck for all). Worlds share the turns of the root; the nodes below
belong to one world, whose cards all seats know. Where a turn of the root is illegal in a world (another card is drawn), it
continues with the game's first candidate.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tower_core.engine import loops
from tower_core.engine.batch_structs import MAX_SEATS
from tower_core.engine.compiling import Entry, jit
from tower_core.engine.intrinsics import call_address, call_entry, carray, pointer, store_copy
from tower_core.players.protocol import Choice

MAX_TURNS = 64
TURN_LENGTH = 24
MAX_PATH = 256
APPLY, ILLEGAL = np.int64(loops.APPLY), np.int64(loops.ILLEGAL_ACTION)

TURN = np.dtype([("value", "f8"), ("length", "i8"), ("actions", "i8", (TURN_LENGTH,))], align=True)
NODE = np.dtype(
    [
        ("total", "f8", (MAX_SEATS,)),  # sums of the values of each seat
        ("prior", "f8"),
        ("value", "f8"),  # the game's estimate of the turn that leads here
        ("visits", "i4"),
        ("waiting", "i4"),  # simulations through this node that aren't valued yet
        ("first", "i4"),  # first child; the others follow
        ("count", "i2"),  # children, 0 before the expansion
        ("length", "i2"),
        ("actions", "i2", (TURN_LENGTH,)),  # the turn that leads here
        ("seat", "i1"),  # to move; set by the expansion
    ],
    align=True,
)
# A search: its settings, and addresses of its memory. Node 0 is the root.
PROBLEM = np.dtype(
    [
        ("entry", "i8"),  # the rules of the game
        ("size", "i8"),  # bytes of a record, a multiple of 64
        ("seats", "i8"),
        ("candidates", "i8"),
        ("evaluate", "i8"),
        ("wide", "i8"),  # options of the candidates at the root …
        ("narrow", "i8"),  # … below it …
        ("cheap", "i8"),  # … and in playouts
        ("values", "i8"),  # options of the evaluation
        ("worlds", "i8"),  # records, one per world
        ("world_count", "i8"),
        ("paired", "i8"),  # 1: every turn of the root meets the same worlds in the same order
        ("scratch", "i8"),  # one record
        ("turns", "i8"),  # TURN [most_turns]
        ("most_turns", "i8"),
        ("nodes", "i8"),  # NODE [capacity]
        ("capacity", "i8"),
        ("used", "i8"),
        ("below", "i8"),  # int64 [most_turns · worlds]: the node of each root turn in each world, 0 while there is none
        ("simulations", "i8"),  # done so far
        ("playout", "i8"),  # turns played before the evaluation
        ("explore", "f8"),  # weight of the exploration term
        ("scale", "f8"),  # unit of value differences
    ],
    align=True,
)


@jit
def copy_state(target: Any, source: Any, size: Any) -> None:
    for i in range(size // 64):
        store_copy(target + 64 * i, source + 64 * i)


@jit
def play_turn(problem: Any, node: Any, seat: Any, at: Any, turns: Any) -> Any:
    """Play the turn that leads to *node* on the record at *at*; returns the seat to move then."""
    to_move = seat
    for i in range(node.length):
        after = call_entry(problem.entry, APPLY, at, np.int64(node.actions[i]), np.int64(0))
        if after == ILLEGAL:
            call_address(problem.candidates, at, problem.turns, problem.cheap)
            after = call_entry(problem.entry, APPLY, at, turns[0].actions[0], np.int64(0))
        to_move = after
        if to_move != seat:
            break
    return to_move


@jit
def expand(problem: Any, nodes: Any, turns: Any, parent: Any, at: Any, options: Any, seat: Any) -> None:
    """Make the children of a node from the candidates of its position."""
    nodes[parent].seat = seat
    count = call_address(problem.candidates, at, problem.turns, options)
    if problem.used + count > problem.capacity:
        return
    best = turns[0].value
    total = 0.0
    for i in range(count):
        node = nodes[problem.used + i]
        node.visits = 0
        node.waiting = 0
        node.count = 0
        for p in range(MAX_SEATS):
            node.total[p] = 0.0
        node.value = turns[i].value
        node.prior = np.exp((turns[i].value - best) / problem.scale)
        total += node.prior
        node.length = turns[i].length
        for j in range(turns[i].length):
            node.actions[j] = turns[i].actions[j]
    for i in range(count):
        nodes[problem.used + i].prior /= total
    nodes[parent].first = problem.used
    nodes[parent].count = count
    problem.used += count


@jit
def select(problem: Any, nodes: Any, parent: Any) -> Any:
    """The child with the highest PUCT score for the mover.

    Simulations that wait for their value count as visits without one, so that those of a batch spread over the tree.
    """
    node = nodes[parent]
    seat, first = np.int64(node.seat), np.int64(node.first)
    seen, best_value = 0, -1e300
    for i in range(node.count):
        child = nodes[first + i]
        seen += child.visits + child.waiting
        if child.visits > 0:
            value = child.total[seat] / child.visits
            if value > best_value:
                best_value = value
    if seen == 0:
        return first
    if best_value == -1e300:
        best_value = 0.0
    root = np.sqrt(np.float64(seen))
    best, chosen = -1e300, first
    for i in range(node.count):
        child = nodes[first + i]
        # An unvisited child is worse than the best value by the difference of the candidates' estimates.
        value = best_value - (nodes[first].value - child.value)
        if child.visits > 0:
            value = child.total[seat] / child.visits
        score = value / problem.scale + problem.explore * child.prior * root / (1.0 + child.visits + child.waiting)
        if score > best:
            best, chosen = score, first + i
    return chosen


@jit
def play_out(problem: Any, turns: Any, at: Any, to_move: Any) -> None:
    """Play ``problem.playout`` turns, each the first of the cheap candidates."""
    for _ in range(problem.playout):
        if to_move < 0:
            return
        call_address(problem.candidates, at, problem.turns, problem.cheap)
        seat = to_move
        for i in range(turns[0].length):
            after = call_entry(problem.entry, APPLY, at, turns[0].actions[i], np.int64(0))
            if after == ILLEGAL:
                break
            to_move = after
            if to_move != seat:
                break


@jit
def world_node(problem: Any, nodes: Any, below: Any, turn: Any, world: Any) -> Any:
    """The node of a root turn in one world, made at first use; -1 if there is no room."""
    i = turn * problem.world_count + world
    if below[i] == 0:
        if problem.used >= problem.capacity:
            return np.int64(-1)
        below[i] = problem.used
        nodes[problem.used].count = 0
        nodes[problem.used].visits = 0
        nodes[problem.used].waiting = 0
        for p in range(MAX_SEATS):
            nodes[problem.used].total[p] = 0.0
        problem.used += 1
    return below[i]


@jit
def walk_down(problem: Any, nodes: Any, turns: Any, below: Any, path: Any) -> Any:
    """One simulation up to the position to evaluate, in the scratch record; returns the length of *path*."""
    child = select(problem, nodes, np.int64(0))
    number = np.int64(nodes[child].visits + nodes[child].waiting) if problem.paired else problem.simulations
    world = number % problem.world_count
    at = problem.scratch
    copy_state(at, problem.worlds + problem.size * world, problem.size)
    to_move = play_turn(problem, nodes[child], np.int64(nodes[0].seat), at, turns)
    path[0], path[1] = 0, child
    length = 2
    node = world_node(problem, nodes, below, child - np.int64(nodes[0].first), world)
    while node >= 0 and length < MAX_PATH:
        path[length] = node
        length += 1
        if to_move < 0:
            break
        if nodes[node].count == 0:
            expand(problem, nodes, turns, node, at, problem.narrow, to_move)
            if nodes[node].count == 0 or length == MAX_PATH:
                break
            node = np.int64(nodes[node].first)
            path[length] = node
            length += 1
            to_move = play_turn(problem, nodes[node], to_move, at, turns)
            break
        node = select(problem, nodes, node)
        to_move = play_turn(problem, nodes[node], to_move, at, turns)
    play_out(problem, turns, at, to_move)
    problem.simulations += 1
    return length


@jit
def add_up(problem: Any, nodes: Any, path: Any, length: Any, values: Any) -> None:
    """Add the values of a simulation to the nodes of its path."""
    for i in range(length):
        visited = nodes[path[i]]
        visited.visits += 1
        for p in range(problem.seats):
            visited.total[p] += values[p]


@jit
def make_root(problem: Any, nodes: Any, turns: Any) -> None:
    """Make the children of the root, if it has none yet."""
    if nodes[0].count == 0:
        problem.used = 1
        copy_state(problem.scratch, problem.worlds, problem.size)
        expand(problem, nodes, turns, np.int64(0), problem.scratch, problem.wide, np.int64(nodes[0].seat))


def search(problem_address: int, simulations: int, values_address: int) -> int:
    """Run simulations of a problem. *values_address*: float64 [MAX_SEATS], memory for one evaluation.

    The first call makes the children of the root. Returns their number.
    """
    problem = carray(pointer(problem_address), (1,), PROBLEM)[0]
    nodes = carray(pointer(problem.nodes), (problem.capacity,), NODE)
    turns = carray(pointer(problem.turns), (problem.most_turns,), TURN)
    below = carray(pointer(problem.below), (problem.most_turns * problem.world_count,), np.int64)
    values = carray(pointer(values_address), (MAX_SEATS,), np.float64)
    path = np.empty(MAX_PATH, np.int64)
    make_root(problem, nodes, turns)
    if nodes[0].count > 1:
        for _ in range(simulations):
            length = walk_down(problem, nodes, turns, below, path)
            call_address(problem.evaluate, problem.scratch, values_address, problem.values)
            add_up(problem, nodes, path, length, values)
    return np.int64(nodes[0].count)  # type: ignore[return-value]


def turns_of(turns: Any) -> list[Choice]:
    """Entries of TURN or NODE as choices, with their ``value``."""
    return [Choice(tuple(turn["actions"][: turn["length"]].tolist()), float(turn["value"])) for turn in turns]


compile_search = Entry(search, ("agents.search.tree",), "the tree search")
"""The compiled :func:`search` and its address."""
