"""Players asked from Python inside batches: many games at once, with the same rewards as players in the compiled loops."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from market_env import MarketBatch
from torres_env import TorresBatch
from tower_core.engine.intrinsics import record_at
from tower_core.engine.loops import count_legal, nth_legal
from tower_core.players.protocol import Native, RowsPlayer
from tower_core.players.python_opponents import PythonOpponents

BATCHES = {"torres": TorresBatch, "market": MarketBatch}


class Rows:
    """Highest legal action of every game that it is asked about."""

    name, native = "rows", None

    def __init__(self):
        self.asked = []

    def must_play(self, num_players, rules):
        if num_players == 4:
            raise ValueError("not with four")

    def act_on_rows(self, rows, masks):
        self.asked.append(len(rows))
        assert rows.shape[0] == masks.shape[0] and rows.dtype == np.uint8 and masks.dtype == np.bool_
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(1)

    def act(self, state):
        raise AssertionError("it is to be asked by rows")


class OneByOne:
    """The same player without rows."""

    name, native = "one by one", None

    def act(self, state):
        return state.legal_actions()[-1]


def play(batch, steps):
    """Random play of the learner; yields rewards, ends and whose seat it was."""
    outside = PythonOpponents(batch)
    outside.settle(np.ones(batch.num_envs, np.bool_))
    chance = np.random.default_rng(0)
    for _ in range(steps):
        seats = batch.learner.copy()
        batch.step(np.array([chance.choice(np.flatnonzero(mask)) for mask in batch.action_mask]))
        outside.settle()
        yield outside.reward.copy(), outside.done.copy(), seats, batch.observation.copy()


@pytest.mark.parametrize("game", BATCHES)
def test_rows_are_asked_once_for_all_games_that_wait(game):
    player = Rows()
    assert isinstance(player, RowsPlayer)
    many, single = (BATCHES[game](12, 3, None, 4, opponents) for opponents in (player, OneByOne()))
    for (a, b, *_), (c, d, *_) in zip(play(many, 60), play(single, 60), strict=True):
        np.testing.assert_array_equal(a, c)
        np.testing.assert_array_equal(b, d)
    assert max(player.asked) > 4
    assert sum(player.asked) > 2 * len(player.asked)


def test_who_cannot_play_is_refused():
    with pytest.raises(ValueError, match="not with four"):
        PythonOpponents(TorresBatch(2, 4, opponents=["random", Rows()]))


class Compiled:
    """The same player in the compiled loops."""

    name = "compiled"

    def __init__(self, record):
        @numba.cfunc("int64(int64, int64, int64)")
        def highest(address, stream, options):
            game = record_at(address, record)
            return nth_legal(game, count_legal(game) - 1)

        self.native = Native(highest.address, keep=highest)

    def act(self, state):
        raise AssertionError("it sits in the loops")


@pytest.mark.parametrize("game", BATCHES)
def test_rewards_are_those_of_compiled_opponents(game):
    """Also what opponents do in a new game before the learner moves is paid to its first action there, and not to the end
    of the game before.
    """
    kind = BATCHES[game]
    fast, slow = (
        kind(16, 3, None, 6, player, reward="progress") for player in (Compiled(kind.game.record), OneByOne())
    )
    ended = 0
    for (a, b, seat, rows), (c, d, also, others) in zip(play(fast, 250), play(slow, 250), strict=True):
        np.testing.assert_array_equal(seat, also)
        np.testing.assert_array_equal(rows, others)
        np.testing.assert_array_equal(b, d)
        np.testing.assert_allclose(a, c, atol=1e-6)
        ended += b.sum()
    assert ended > 5


def test_new_weights_hold_from_the_next_game_on():
    batch = TorresBatch(40, 2, None, 1, "random:1,passive:0", seat=0)
    assert (batch.slots["opponent"] == 0).all()
    batch.set_weights([0, 2])
    assert (batch.slots["opponent"] == 0).all()
    batch.reset()
    assert (batch.slots["opponent"][:, :2] == 1).all()
    for weights in ([1], [1, -1], [0, 0], [1, float("nan")]):
        with pytest.raises(ValueError, match="weights"):
            batch.set_weights(weights)
