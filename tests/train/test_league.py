"""The league's parts: weights, who joins when, who is drawn, ratings, and what a new run is told of them."""

from __future__ import annotations

import numpy as np
import pytest

from torres_env import TorresBatch
from torres_env.game import GAME
from train import checkpoint
from train.league import League, Share, needs_league, read_shares
from train.league.admission import Admission
from train.league.league import LEARNER
from train.league.ratings import RunningRatings
from train.vec_env import Ended, TowersVecEnv


# ---------------------------------------------------------------------------------------------- shares
def test_shares():
    shares = read_shares("self:2,league:0..2,greedy:1..0.5,checkpoint:a/b.zip:3,random")
    assert shares == [
        Share("self", 2, 2),
        Share("league", 0, 2),
        Share("greedy", 1, 0.5),
        Share("checkpoint:a/b.zip", 3, 3),
        Share("random", 1, 1),
    ]
    assert [share.at(0.5) for share in shares] == [2, 1, 0.75, 3, 1]
    assert needs_league(shares)
    assert needs_league(read_shares("greedy:1..2"))
    assert not needs_league(read_shares("greedy:3,passive:1,random:1"))
    assert read_shares("self:0..1,greedy:1..0")[0].at(0) == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("self:0..1", "at the start"),
        ("self:1..0", "at the end"),
        ("greedy:0", "weight"),
        ("self:1,self:2", "'self' is named twice"),
        ("league:-1..2", "convert|weight|league"),
        ("league:1...2.3..4", r"0\.\.2"),
    ],
)
def test_shares_that_cannot_be(text, told):
    with pytest.raises(ValueError, match=told):
        read_shares(text)


# ---------------------------------------------------------------------------------------------- joining
def test_joining_by_decisions():
    admission = Admission(100, 0.0)
    assert admission.due(7)
    admission.admitted(7)
    assert [admission.due(steps) for steps in (7, 106, 107)] == [False, False, True]
    assert not Admission(0, 0.0).to_dict()["won"]


def test_joining_by_games_won():
    admission = Admission(0, 0.6)
    admission.admitted(0)
    for _ in range(199):
        admission.played(1.0)
    assert admission.won == 1.0
    assert not admission.due(10**9)  # too few games to know
    admission.played(1.0)
    assert admission.due(10**9)
    other = Admission(0, 0.6)
    other.restore(admission.to_dict())
    assert other.due(1)
    for _ in range(100):
        admission.played(0.0)
    assert admission.won == 0.5
    assert not admission.due(10**9)
    other.admitted(5)
    assert other.won is None


# ---------------------------------------------------------------------------------------------- ratings
def test_ratings():
    ratings = RunningRatings()
    assert ratings.of("a") == ratings.of("b") == (25.0, pytest.approx(25 / 3))
    for _ in range(40):
        ratings.played(["a", "b", "c"], [1, 0, -1])
        ratings.played(["a", "a"], [1, -1])  # against itself: nothing is learned
    assert ratings.of("a")[0] > ratings.of("b")[0] > ratings.of("c")[0]
    assert ratings.of("a")[1] < 7
    ratings.begin("copy", "a")
    assert ratings.of("copy") == ratings.of("a")
    again = RunningRatings()
    again.restore(ratings.to_dict())
    for table in (ratings, again):
        table.played(["b", "copy"], [0.5, 0.5])
    assert again.to_dict() == ratings.to_dict()
    for damage in ({"a": [float("nan"), 1]}, {"a": [1, 0]}, {"a": [1]}):
        with pytest.raises(ValueError, match=r"\w"):
            again.restore(damage)


# ---------------------------------------------------------------------------------------------- the whole
def make(text="self:1,league:3,greedy:2", size=2, choice="even", every=1, stand_in="greedy"):
    league = League(read_shares(text), size, Admission(every, 0.0), choice, 1, stand_in)
    batch = TorresBatch(8, 2, None, 1, league.table(0.0), seat=0)
    league.sit_down(checkpoint.build_policy(GAME, 2, 0), TowersVecEnv(batch))
    return league


def ended(league, opponent, learner_wins, decisions=1):
    league.watch(
        Ended(
            np.array([[0, opponent, 0, 0]], np.int32),
            np.array([0], np.int8),
            np.array([[1, -1] if learner_wins else [-1, 1]], np.float32),
            np.array([decisions]),
        )
    )


def test_the_teacher_sits_in_until_the_imitation_is_over():
    league = make()
    league.imitating = True
    assert league.weights(0.0) == [0, 0, 0, 2, 4]  # self, two members, greedy, who stands in
    ended(league, 3, learner_wins=True)  # the learner plays the teacher's moves: that is no game of its own
    assert league.ratings.to_dict() == {}
    files = []
    league.begin(0, 0.0, files.append)
    assert files == ["league/0.zip"]
    assert league.weights(0.0) == [1, 3, 0, 2, 0]
    assert league._env.batch._table["weight"].tolist() == [1, 3, 0, 2, 0]


def test_the_oldest_makes_room():
    league, files = make(), []
    for steps in (0, 5, 9):
        assert league.update(steps, 0.0, files.append)
    assert files == ["league/0.zip", "league/5.zip", "league/9.zip"]
    assert [snapshot.name for snapshot in league.snapshots] == ["snapshot-9", "snapshot-5"]
    assert league.weights(0.0) == [1, 1.5, 1.5, 2, 0]
    assert not league.update(9, 0.0, files.append)
    assert set(league.ratings.to_dict()) == {"snapshot-5", "snapshot-9"}


def test_members_are_copies_that_learn_no_more():
    league = make()
    league.update(0, 0.0, lambda name: None)
    learner, member = league._self.policy, league._seats[0].policy
    assert not any(part.requires_grad for part in member.parameters())
    before = [part.clone() for part in member.parameters()]
    for part in learner.parameters():
        part.data.add_(1.0)
    assert all((a == b).all() for a, b in zip(before, member.parameters(), strict=True))


def test_who_beats_the_learner_is_drawn_more():
    league = make(choice="hard")
    for steps in (0, 5):
        league.update(steps, 0.0, lambda name: None)
    league._env.ticks = 1
    for _ in range(30):
        ended(league, 1, learner_wins=True)
        ended(league, 2, learner_wins=False)
    weights = league.weights(0.0)
    assert weights[1] + weights[2] == pytest.approx(3)
    assert weights[2] > 8 * weights[1] > 0
    assert league.report()["members"]["league/0.zip"]["rate"] == 1.0
    assert league.ratings.of("snapshot-5")[0] > league.ratings.of(LEARNER)[0] > league.ratings.of("snapshot-0")[0]
    assert league.figures()["league/won"] == 0.5
    assert league.figures()["league/size"] == 2


def test_games_that_began_before_a_member_sat_down_do_not_count():
    league = make()
    league._env.ticks = 100
    league.update(0, 0.0, lambda name: None)
    league._env.ticks = 130
    ended(league, 1, learner_wins=True, decisions=31)
    assert league.snapshots[0].games == 0
    ended(league, 1, learner_wins=True, decisions=30)
    assert (league.snapshots[0].games, league.snapshots[0].won) == (1, 1.0)


def test_a_league_comes_back():
    league, other = make(), make()
    for steps in (0, 5, 9):
        league.update(steps, 0.0, lambda name: None)
    league._env.ticks = 1
    ended(league, 1, learner_wins=True)
    ended(league, 3, learner_wins=False)
    loaded = []

    def load(name):
        loaded.append(name)
        return checkpoint.build_policy(GAME, 2, 0)

    other.restore(league.to_dict(), load)
    assert loaded == ["league/9.zip", "league/5.zip"]
    assert other.to_dict() == league.to_dict()
    assert other.report() == league.report()
    assert set(other.report()["players"]) == {"greedy"}


@pytest.mark.parametrize(
    "change",
    [
        {"snapshots": []},
        {"snapshots": [5, None]},
        {"snapshots": [{"steps": "../../x", "since": 0, "won": 0, "games": 0}, None]},
        {"ratings": {"a": [0, 0]}},
        {"ratings": None},
        {"admission": {}},
        {"random": {"state": 3}},
    ],
)
def test_damaged_leagues_are_refused(change):
    league = make()
    with pytest.raises(ValueError, match=r"\w"):
        league.restore(league.to_dict() | change, lambda name: pytest.fail("no file of a damaged league is read"))
