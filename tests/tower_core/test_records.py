"""Games written down, read and played again: with and without the seed, from the start and from positions."""

from __future__ import annotations

import dataclasses
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded_games import GAMES, play_on, some_game, without_stream

from market_env import MarketBatch, MarketState, market_v0
from torres_env import TorresBatch, TorresState, torres_v0
from tower_core.records import RecordError, check, format_record, parse_records, replay, state_at

STATES = {"torres": TorresState, "market": MarketState}
seeds = st.integers(0, 2**64 - 1)


def again(record):
    [found] = parse_records(format_record(record).splitlines(keepends=True))
    return found


# ---------------------------------------------------------------------------------------------- round trips
@pytest.mark.parametrize("game", GAMES)
@given(seed=seeds, moves=st.sampled_from((0, 3, 40, 10**6)))
@settings(max_examples=20)
def test_write_read_replay(game, seed, moves):
    """The same bytes of the state, and where nobody knows the seed the same but for the stream."""
    state = some_game(game, seed, moves)
    record = state.to_record([f"name {seat}" for seat in range(state.num_players)])
    found = again(record)
    assert found == record
    end = check(found)
    assert end.to_bytes() == state.to_bytes()
    assert end.to_record(record.names) == record
    blind = check(again(dataclasses.replace(record, seed=None)))
    assert without_stream(blind) == without_stream(state)
    assert blind.history() == state.history()


@pytest.mark.parametrize("game", GAMES)
@given(seed=seeds)
@settings(max_examples=8)
def test_from_a_position(game, seed):
    """A game that goes on from a position begins its record there; its stream is told with the position."""
    state = STATES[game].from_position(some_game(game, seed, 30).position())
    play_on(state, random.Random(seed), 40)
    record = state.to_record()
    assert record.seed is None and not record.setup and record.streamed
    assert check(again(record)).to_bytes() == state.to_bytes()
    position = {name: value for name, value in record.position.items() if name != "rng"}
    blind = dataclasses.replace(record, position=position)
    assert not blind.streamed
    assert without_stream(check(again(blind))) == without_stream(state)


@pytest.mark.parametrize("game", GAMES)
@given(seed=seeds, places=st.lists(st.integers(0, 40), max_size=3))
@settings(max_examples=8)
def test_new_streams(game, seed, places):
    """After `reseed` the seed no longer tells what chance does, and the record has none."""
    state = some_game(game, seed, 0)
    chance = random.Random(seed)
    for place in sorted(places):
        play_on(state, chance, place - len(state.history()))
        state.reseed(chance.getrandbits(64))
    play_on(state, chance, 20)
    record = state.to_record()
    assert (record.seed is None) == bool(places)
    assert without_stream(check(again(record))) == without_stream(state)
    loaded = type(state).from_bytes(state.to_bytes())
    assert loaded.to_record() == record
    assert loaded.to_bytes() == state.to_bytes()


@pytest.mark.parametrize("game", GAMES)
def test_states_on_the_way(game):
    state = some_game(game, 10, 30)
    record = state.to_record()
    states = list(replay(record))
    assert [len(entry.history()) for entry in states] == list(range(31))
    for k in (0, 7, 30):
        assert state_at(record, k).to_bytes() == states[k].to_bytes()
    assert state_at(record, 31).to_bytes() == states[-1].to_bytes() == state.to_bytes()
    states[3].apply_action(states[3].legal_actions()[0])
    assert states[4].to_bytes() == state_at(record, 4).to_bytes(), "the states are independent"


def test_result():
    state = some_game("market", 5)
    while state.is_truncated():
        state = some_game("market", state.seed + 1)
    record = state.to_record()
    assert record.result == "finished"
    assert record.scores == tuple(state.scores()) and record.returns == tuple(state.returns())
    assert record.ranking == tuple(map(tuple, state.ranking()))
    state = MarketState(rules=dataclasses.replace(state.rules.preset("base"), max_turns=1))
    play_on(state, random.Random(1))
    assert state.to_record().result == "truncated"
    state = TorresState()
    record = state.to_record()
    assert (record.result, record.scores, record.returns, record.ranking) == ("unfinished", (0, 0), (), ())


# ---------------------------------------------------------------------------------------------- where states come from
@pytest.mark.parametrize("module", [torres_v0, market_v0], ids=GAMES)
def test_environments(module):
    env = module.env()
    env.reset(seed=11)
    for _ in range(25):
        mask = env.last()[0]["action_mask"]
        env.step(int(mask.nonzero()[0][-1]))
    state = env.unwrapped.game_state
    assert check(again(state.to_record())).to_bytes() == state.to_bytes()


@pytest.mark.parametrize("make", [TorresBatch, MarketBatch], ids=GAMES)
def test_batches(make):
    """A state out of a batch has no history; its record begins where it was taken."""
    batch = make(4, seed=3)
    batch.random_play(20)
    state = batch.state(2)
    play_on(state, random.Random(2), 10)
    record = state.to_record()
    assert len(record.moves) == 10
    assert without_stream(check(again(record))) == without_stream(state)


@pytest.mark.parametrize("game", GAMES)
def test_a_resampled_state_has_no_record(game):
    state = some_game(game, 4, 0)
    while state.resample_hidden(0, 5).position() == state.position():
        state = some_game(game, state.seed + 1, 0)
    for moves in (0, 4):
        other = state.resample_hidden(0, 5)
        play_on(other, random.Random(0), moves)
        with pytest.raises(ValueError, match="can't be recorded"):
            other.to_record()
    assert check(state.to_record()).position() == state.position()


def test_clones_keep_what_a_record_needs():
    state = some_game("market", 3, 10)
    state.reseed(9)
    play_on(state, random.Random(3), 10)
    assert state.clone().to_record() == state.to_record()


# ---------------------------------------------------------------------------------------------- what the seed gives
@pytest.mark.parametrize("game", GAMES)
def test_a_wrong_seed_is_found(game):
    record = some_game(game, 23, 30).to_record()
    wrong = again(dataclasses.replace(record, seed=22))
    with pytest.raises(RecordError, match=r"line \d+: start: the seed gives '.*', not '"):
        check(wrong)
    assert without_stream(state_at(wrong, 30)) == without_stream(state_at(record, 30)), "and replayed nevertheless"


def test_a_draw_that_the_seed_does_not_give_is_found():
    state = MarketState(seed=1)
    state.apply_action(state.string_to_action("END"))
    record = state.to_record()
    [drawn] = record.moves[0].chance
    words = drawn.split()
    other = next(gem for gem in ("green", "blue") if gem != words[2])
    changed = " ".join([*words[:2], other, *words[3:]])
    moves = (dataclasses.replace(record.moves[0], chance=(changed,)),)
    wrong = dataclasses.replace(record, moves=moves)
    with pytest.raises(RecordError, match=f"move 1, player_0, 'END': the seed gives '{drawn}', not '{changed}'"):
        check(wrong)
    end = check(dataclasses.replace(wrong, seed=None))
    assert end.position()["tokens"][1] != state.position()["tokens"][1]


@pytest.mark.parametrize(
    "names", [["a"], ["a", "b", "c"], ["a", ""], ["a", " b"], ["a", "b\n"], ["a", "b\x1b[2J"], [1, 2], ["a", "b" * 201]]
)
def test_names_that_no_line_can_hold(names):
    with pytest.raises(ValueError, match="^names: "):
        TorresState().to_record(names)
