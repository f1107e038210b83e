"""Recording games, replaying records, and verifying them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tower_core.records.model import Move, Record, RecordError
from tower_core.records.reader import FOREIGN, short
from tower_core.records.text import FINISHED, TRUNCATED, UNFINISHED

_OF_THE_HEADER = ("game", "num_players", "rules")
_LOST = "this state can't be recorded: the game ended by an illegal action (batch.record(i) gives the moves before it)"
_NOT_RECORDABLE = "this state can't be recorded: it doesn't follow from its start by its moves and its random stream"


# ---------------------------------------------------------------------------------------------- game -> record
def record_of(state: Any, names: Sequence[str] = ()) -> Record:
    """The record of a game so far; ValueError for a state that doesn't follow from its start, such as a resampled one."""
    game, chance = state.game, state.game.chance()
    start = state._start_state()
    position = None
    setup: list[str] = []
    if start is None:
        again, setup = chance.deal(state.rules, state.num_players, state.seed)
    else:
        again, position = start, _without_header(start.position())
    streams = dict(state._reseeded)
    moves = []
    for i, (seat, action) in enumerate(state._history):
        if i in streams:
            again.reseed(streams[i])
        if again.current_player() != seat or action not in again.legal_actions():
            raise ValueError(_NOT_RECORDABLE)
        text = again.action_to_string(action)
        moves.append(Move(seat, text, tuple(chance.play(again, action))))
    if len(moves) in streams:
        again.reseed(streams[len(moves)])
    if again.position() != state.position():
        raise ValueError(_LOST if state.is_terminal() and not again.is_terminal() else _NOT_RECORDABLE)
    if streams and position is not None:
        del position["rng"]  # some chance outcomes came from other streams
    over = state.is_terminal()
    return Record(
        game=game,
        rules=state.rules,
        num_players=state.num_players,
        moves=tuple(moves),
        result=_result(state),
        scores=tuple(state.scores()),
        returns=tuple(state.returns().tolist()) if over else (),
        ranking=_ranking(state) if over else (),
        names=tuple(names),
        seed=None if streams or position is not None else state.seed,
        position=position,
        setup=tuple(setup),
    )


def _result(state: Any) -> str:
    return UNFINISHED if not state.is_terminal() else TRUNCATED if state.is_truncated() else FINISHED


def _ranking(state: Any) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(group) for group in state.ranking())


def _without_header(position: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in position.items() if name not in _OF_THE_HEADER}


# ---------------------------------------------------------------------------------------------- record -> game
def replay(record: Record) -> Iterator[Any]:
    """Iterate over independent states of a recorded game: the start, then the state after each move.

    Chance outcomes come from the record, not from a seed. RecordError names the line of a move that is impossible.
    """
    state = _start(record, streamed=False)
    yield state.clone()
    for _ in _moves(record, state):
        yield state.clone()


def state_at(record: Record, moves: int) -> Any:
    """The state after *moves* moves (or the last one, if there are fewer)."""
    state = _start(record, streamed=False)
    if moves > 0:
        for played in _moves(record, state):
            if played == moves:
                break
    return state


def check(record: Record) -> Any:
    """Verify a record completely and return its final state; RecordError names the wrong line.

    If the record has a seed (or a start with its random stream), all chance outcomes must match that stream.
    """
    state = _start(record, record.streamed)
    for _ in _moves(record, state, record.streamed):
        pass
    _same(record, "result", record.result, _result(state))
    _same(record, "scores", list(record.scores), state.scores())
    if state.is_terminal():
        _same(record, "returns", list(record.returns), state.returns().tolist())
        _same(record, "ranking", record.ranking, _ranking(state))
    return state


def _same(record: Record, part: str, recorded: Any, found: Any) -> None:
    if recorded != found:
        raise RecordError(record.line_of(part), f"{part}: the record has {recorded}, but the game gives {found}")


def _moves(record: Record, state: Any, streamed: bool = False) -> Iterator[int]:
    """Play a record's moves in *state*, and yield the number of moves after each.

    With *streamed*, every chance outcome must match the random stream.
    """
    chance = record.game.chance()
    for i, move in enumerate(record.moves):
        try:
            action = _action(state, move)
            drawn = tuple(chance.play(state, action, move.chance))
        except FOREIGN as error:
            raise RecordError(move.line, _at(i, move) + str(error)) from error
        if streamed and drawn != move.chance:
            raise RecordError(move.line, _at(i, move) + _unlike_stream(move.chance, drawn))
        yield i + 1


def _at(i: int, move: Move) -> str:
    return f"move {i + 1}, player_{move.seat}, {short(move.action)}: "


def _unlike_stream(recorded: Sequence[str], drawn: Sequence[str]) -> str:
    for expected, given in zip(recorded, drawn, strict=False):
        if expected != given:
            return f"the seed gives {short(given)}, not {short(expected)}"
    return "the seed gives other chance outcomes"


def _action(state: Any, move: Move) -> int:
    mover = state.current_player()
    if mover != move.seat:
        raise ValueError("the game is over" if state.is_terminal() else f"player_{mover} is to move")
    action: int = state.string_to_action(move.action)
    written = state.action_to_string(action)
    if written != move.action:
        raise ValueError(f"this action must be written {written!r}")
    return action


def _start(record: Record, streamed: bool) -> Any:
    try:
        if record.position is not None:
            return _placed(record)
        state, drawn = record.game.chance().deal(
            record.rules, record.num_players, record.seed if record.seed is not None else 0, record.setup
        )
    except FOREIGN as error:
        line = record.line_of("setup" if record.position is None else "start")
        raise RecordError(line, f"start: {error}") from error
    if streamed and tuple(drawn) != record.setup:
        raise RecordError(record.line_of("setup"), "start: " + _unlike_stream(record.setup, drawn))
    if record.seed is None:
        state._begin_here()  # without its seed, the game can't be its own start
    return state


def _placed(record: Record) -> Any:
    """The start position of a record, which must be written exactly as ``position()`` does."""
    assert record.position is not None
    if record.setup:
        raise ValueError("a game from a position must not have setup lines")
    given = dict(record.position)
    header = {"game": record.game.name, "num_players": record.num_players, "rules": record.rules}
    state = record.game.state_class().from_position({**given, **header})
    found = _without_header(state.position())
    given.setdefault("rng", found["rng"])
    for name in given:
        if name not in found:
            raise ValueError(f"{name}: is not a field of a position")
    for name in found:
        if name not in given or given[name] != found[name]:
            raise ValueError(f"{name}: the position must be complete and at a decision: expected {found[name]!r}")
    return state
