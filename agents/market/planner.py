"""``planner`` of the market game: searches the lines of its turn and plays out the best of them, in compiled code.

It plans again at every action, on copies with resampled hidden information: its choice depends only on what the seat knows,
its seed and its options.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.market.evaluation import NPC_FEATURES, NUM_FEATURES, fill_probs
from agents.market.greedy import greedy_action
from agents.market.plan import BASKET, HOLDING, MAX_BASKETS, MAX_HOLDINGS, scale_weights
from agents.market.plan import NUM_WEIGHTS as NUM_GREEDY
from agents.market.playouts import halve_lines, play_on, rank_lines, try_lines
from agents.market.turns import (
    LINE,
    MAX_LENGTH,
    MAX_LINES,
    MAX_WIDTH,
    RECORD_SIZE,
    SEEN,
    copy_record,
    find_lines,
    turn_of,
)
from agents.market.weights import GREEDY, GUARD, PLAIN, SOLO, WEIGHTS
from agents.search.paced import PacedPlayer
from agents.search.tree import MAX_TURNS, TURN, TURN_LENGTH, turns_of
from market_env.components import MAX_MARKETS, MAX_MATERIALS
from market_env.record import RECORD
from tower_core.engine.batch_structs import MAX_SEATS
from tower_core.engine.compiling import Entry, jit
from tower_core.engine.intrinsics import call_entry, carray, pointer, smaller
from tower_core.engine.loops import APPLY, RESAMPLE, count_legal, nth_legal
from tower_core.engine.random import GOLDEN, SplitMix64, mix, to_i64
from tower_core.game import Game
from tower_core.options import check_whole
from tower_core.players.native_player import STREAM
from tower_core.players.protocol import Choice, must_move
from tower_core.state import State

# Places in the options; after them the weights of greedy, three sets of weights of the evaluation, and the bits of the
# address of the rules.
WIDTH, LINES, SAMPLES, TURNS, GREEDY_AT = range(1, 6)  # the kind comes first
NUM_WEIGHTS = NUM_FEATURES + NPC_FEATURES
EVALUATION_AT = GREEDY_AT + NUM_GREEDY
ENTRY_AT = EVALUATION_AT + 3 * NUM_WEIGHTS
# Kinds: play; for the tree search, propose lines and evaluate a position; list the lines in the order of preference.
PLAN, PROPOSE, JUDGE, RANK = range(4)
PERCENT = 100.0  # probabilities are in percent in the tree search
MOST_SAMPLES, MOST_TURNS = 1_000_000, 1_000
assert MAX_LINES <= MAX_TURNS
assert MAX_LENGTH <= TURN_LENGTH
FIRST_SAMPLES = np.int64(3)  # resampled games in which every line is played to the end of its turn


@jit
def weights_for(s: Any, given: Any) -> Any:
    """The weights of the evaluation for the rules of a game."""
    which = SOLO if s.solo else GUARD if s.guard_hunts else PLAIN
    begin = EVALUATION_AT + NUM_WEIGHTS * which
    return given[begin : begin + NUM_WEIGHTS]


@jit
def make_brain(s: Any, given: Any) -> Any:
    """The working memory of greedy and the evaluation: see agents/market/turns.py."""
    w = np.empty(NUM_GREEDY, np.float64)
    scale_weights(s, given[GREEDY_AT:EVALUATION_AT], w)
    scratch = np.empty(MAX_HOLDINGS, HOLDING), np.empty(MAX_BASKETS, BASKET)
    return (
        np.empty(MAX_MATERIALS, np.float64),
        w,
        scratch,
        weights_for(s, given),
        np.empty(MAX_MARKETS, np.uint64),
        np.empty(NUM_FEATURES, np.float64),
        np.empty(MAX_SEATS, np.float64),
    )


@jit
def first_lines(at: Any, p: Any, entry: Any, width: Any, lines: Any, boards: Any, seed: Any, brain: Any) -> Any:
    """Write the lines of a turn, played to its end, best first; returns their number. The empty line is greedy's turn."""
    root = boards.ctypes.data + RECORD_SIZE * (2 * width + 1)
    copy_record(root, at)
    call_entry(entry, RESAMPLE, root, p, np.int64(seed))
    lines[0].length = 0
    beam, seen = np.empty(2 * width, LINE), np.empty(SEEN, np.uint64)
    count = find_lines(boards[2 * width + 1], root, entry, width, lines[1:], beam, boards, seen, brain) + 1
    for i in range(count):
        lines[i].total = 0.0
        lines[i].count = 0
    try_lines(at, p, entry, lines, count, FIRST_SAMPLES, np.int64(1), seed, boards, brain)
    rank_lines(lines, count)
    for i in range(count):
        lines[i].total = 0.0
        lines[i].count = 0
    return count


@jit
def plan(s: Any, at: Any, entry: Any, given: Any, seed: Any, lines: Any) -> Any:
    """Write the lines of the turn in the order of preference; returns their number. The empty line becomes greedy's action."""
    p, width = np.int64(s.to_move), np.int64(given[WIDTH])
    brain = make_brain(s, given)
    boards = np.empty(2 * width + 2, RECORD)
    found = first_lines(at, p, entry, width, lines, boards, seed, brain)
    count = smaller(found, np.int64(given[LINES]))
    samples, turns = np.int64(given[SAMPLES]), np.int64(given[TURNS])
    halve_lines(at, p, entry, lines, count, samples, turns, mix(seed), boards, brain)
    for i in range(found):
        if lines[i].length == 0:
            lines[i].actions[0] = greedy_action(s, brain[0], brain[1], brain[2])
            lines[i].length = 1
    return found


@jit
def greedy_line(s: Any, at: Any, entry: Any, line: Any, boards: Any, brain: Any) -> None:
    """Write greedy's line, with chance as it comes; it may end before a very long turn does."""
    work, before = boards[0], turn_of(s)
    copy_record(boards.ctypes.data, at)
    line.length = 0
    line.value = 0.0
    line.total = 0.0
    line.count = 0
    while line.length < MAX_LENGTH and work.to_move >= 0 and turn_of(work) == before:
        action = greedy_action(work, brain[0], brain[1], brain[2])
        line.actions[line.length] = action
        line.length += 1
        call_entry(entry, APPLY, boards.ctypes.data, action, np.int64(0))


@jit
def list_lines(s: Any, at: Any, entry: Any, given: Any, lines: Any, boards: Any, brain: Any) -> Any:
    """Write the lines of a turn from a resampled position of the tree search, best first; returns their number.

    With *samples* they are played out in further resampled games; without, they are valued by their outcome here. With
    *width* 0 the only line is greedy's.
    """
    p, width = np.int64(s.to_move), np.int64(given[WIDTH])
    if width == 0:
        greedy_line(s, at, entry, lines[0], boards, brain)
        return np.int64(1)
    beam, seen = np.empty(2 * width, LINE), np.empty(SEEN, np.uint64)
    count = find_lines(s, at, entry, width, lines, beam, boards, seen, brain)
    if count == 0:  # a pending decision with more actions than a line holds
        greedy_line(s, at, entry, lines[0], boards, brain)
        count = np.int64(1)
    for i in range(count):
        lines[i].total = 0.0
        lines[i].count = 0
    samples, turns = np.int64(given[SAMPLES]), np.int64(given[TURNS])
    if samples > 0:
        try_lines(at, p, entry, lines, count, samples, turns, mix(s.rng), boards, brain)
    rank_lines(lines, count)
    return count


@jit
def propose(s: Any, at: Any, entry: Any, given: Any, turns_at: Any) -> Any:
    """Write the lines of the turn for the tree search (agents/search/tree.py); returns their number."""
    brain = make_brain(s, given)
    boards, lines = np.empty(2 * np.int64(given[WIDTH]) + 2, RECORD), np.empty(np.int64(given[LINES]), LINE)
    count = list_lines(s, at, entry, given, lines, boards, brain)
    write_turns(lines, count, carray(pointer(turns_at), (MAX_LINES,), TURN))
    return count


@jit
def write_turns(lines: Any, count: Any, found: Any) -> None:
    for i in range(count):
        found[i].value = PERCENT * lines[i].value
        found[i].length = lines[i].length
        for j in range(lines[i].length):
            found[i].actions[j] = lines[i].actions[j]


@jit
def judge(at: Any, entry: Any, given: Any, values_at: Any) -> None:
    """Write every player's probability to win, in percent, after some turns of greedy."""
    boards = np.empty(1, RECORD)
    s = boards[0]
    copy_record(boards.ctypes.data, at)
    brain = make_brain(s, given)
    if s.to_move >= 0 and given[TURNS] > 0.0:
        play_on(s, boards.ctypes.data, entry, np.int64(given[TURNS]), brain)
    values = carray(pointer(values_at), (MAX_SEATS,), np.float64)
    fill_probs(s, np.int64(s.to_move), brain, values)
    for q in range(np.int64(s.num_players)):
        values[q] *= PERCENT


def choose(record: int, stream_address: int, options: int) -> int:
    """The planner's action. The other kinds write to *stream_address*; PROPOSE and RANK return the number of lines.

    RANK takes its seed from the length of the first line there.
    """
    s = carray(pointer(record), (1,), RECORD)[0]
    given = carray(pointer(options), (ENTRY_AT,), np.float64)
    entry = carray(pointer(options), (ENTRY_AT + 1,), np.int64)[ENTRY_AT]
    if given[0] == PROPOSE:
        return propose(s, record, entry, given, stream_address)  # type: ignore[no-any-return]
    if given[0] == JUDGE:
        judge(record, entry, given, stream_address)
        return 0
    lines = np.empty(MAX_LINES, LINE)
    if given[0] == RANK:
        turns = carray(pointer(stream_address), (MAX_LINES,), TURN)
        count = plan(s, record, entry, given, np.uint64(turns[0].length), lines)
        write_turns(lines, count, turns)
        return count  # type: ignore[no-any-return]
    stream = carray(pointer(stream_address), (1,), STREAM)[0]
    stream.rng += GOLDEN
    if count_legal(s) == 1:
        return nth_legal(s, np.int64(0))  # type: ignore[no-any-return]
    plan(s, record, entry, given, mix(stream.rng), lines)
    return np.int64(lines[0].actions[0])  # type: ignore[return-value]


compile_planner = Entry(choose, ("market_env", "agents.search.tree", "agents.market"), "the planner of the market game")
"""The compiled :func:`choose` and its address."""


def all_weights() -> tuple[float, ...]:
    """The weights in the order of the options: greedy's, then the three sets of the evaluation."""
    sets = (weights[which] for which in (GUARD, PLAIN, SOLO) for weights in WEIGHTS.values())
    return (*GREEDY, *sets)


class Planner(PacedPlayer):
    """Beam search over the lines of a turn, then playouts of the best ones by greedy; their number follows a CPU budget."""

    effort_at, most_effort = (SAMPLES,), MOST_SAMPLES

    unit = "% to win"
    """mean probability to win after the playouts; lines given up early have had fewer"""

    def rank(self, state: State, n: int) -> list[Choice]:
        """The *n* lines (at most 64) that it prefers, up to the next chance event, hidden card or the end of the turn; the
        preferred one first. It leaves the player's random stream as it is.
        """
        check_whole("n", n, 1, 1_000_000)
        must_move(self.name, self.game, state)
        options, turns = self._options.copy(), np.zeros(MAX_LINES, TURN)
        options[0], turns[0]["length"] = (
            RANK,
            to_i64(SplitMix64(int(self._stream[0])).next()),
        )  # that of the next action
        count = self._choose(state._address, turns.ctypes.data, options.ctypes.data)
        return list(dict.fromkeys(turns_of(turns[:count])))[:n]


def make_planner(
    game: Game,
    seed: int = 0,
    width: int = 12,
    lines: int = 12,
    samples: int = 192,
    turns: int = 2,
    cpu: float | None = None,
) -> Planner:
    """Beam search over the lines of a turn, then playouts of the best ones by greedy.

    *width*: positions kept at each step of the beam (1 to 64); *lines*: lines that are played out (1 to 64); *samples*:
    total number of playouts; *turns*: length of a playout in turns, the player's own included; *cpu*: seconds of CPU time per
    turn, from which *samples* follows. ValueError names a wrong option.
    """
    for name, value, most in (
        ("width", width, MAX_WIDTH),
        ("lines", lines, MAX_LINES),
        ("samples", samples, MOST_SAMPLES),
        ("turns", turns, MOST_TURNS),
    ):
        check_whole(f"planner: {name}", value, 1, most)
    values = (PLAN, width, lines, samples, turns, *all_weights())
    return Planner("planner", game, seed, compile_planner, values).with_cpu(cpu)
