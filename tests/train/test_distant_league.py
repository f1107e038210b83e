"""The league of a run whose games are played by workers: who may sit down there, and what their games count for."""

from __future__ import annotations

import pytest

from torres_env import TorresBatch
from torres_env.game import GAME
from train.checkpoint import build_policy
from train.league import read_shares
from train.league.admission import Admission
from train.league.league import LEARNER
from train.rllib.league import MAIN, DistantLeague, Place, Played
from train.vec_env import TowersVecEnv


def league_of(text, size=2, every=100):
    league = DistantLeague(read_shares(text), size, Admission(every, 0.0), "even", seed=1)
    batch = TorresBatch(2, 2, "standard", 1, league.table(0.0))
    league.sit_down(build_policy(GAME, 4, 1), TowersVecEnv(batch))
    return league


def test_places():
    league = league_of("self:1,league:0..2,greedy:3")
    league.begin(10, 0.5, lambda name: None)
    assert league.places(0.5) == [
        Place(MAIN, MAIN, 1.0),
        Place("league_0", "snapshot-10", 1.0),
        Place("league_1", "", 0.0),
        Place("", "greedy", 3.0),
    ]
    league.update(110, 1.0, lambda name: None)
    assert [place.weight for place in league.places(1.0)] == [1.0, 1.0, 1.0, 3.0]
    assert league.newest == 1
    assert league.network(1) is not league.network(0)


def test_who_replaces_an_imitated_player_has_no_place():
    league = DistantLeague(read_shares("self"), 2, Admission(0, 0.0), "even", seed=1, stand_in="greedy")
    assert league.places(0.0) == [Place(MAIN, MAIN, 1.0)]


def test_games_count():
    league = league_of("league:1,greedy:1")
    league.begin(10, 0.0, lambda name: None)
    league.count(
        [
            Played((MAIN, "snapshot-10"), 0, [1.0, -1.0], 80.0),
            Played(("snapshot-10", MAIN), 1, [0.0, 0.0], 80.0),
            Played((MAIN, "greedy"), 0, [-1.0, 1.0], 20.0),
            Played((MAIN, "snapshot-5"), 0, [-1.0, 1.0], 20.0),  # of a member that has made room
        ]
    )
    snapshot = league.snapshots[0]
    assert (snapshot.games, snapshot.won) == (2, 1.5)
    assert league.admission.won == 0.75
    assert league.ratings.of("greedy")[0] > 25 > league.ratings.of("snapshot-10")[0]
    assert league.ratings.of(LEARNER)[1] < 25 / 3
    assert "snapshot-5" not in league.ratings.to_dict()


@pytest.mark.parametrize(("utilities", "won"), [([1.0, -1.0], True), ([0.0, 0.0], False), ([-1.0, 1.0], False)])
def test_who_has_won(utilities, won):
    assert Played((MAIN, "greedy"), 0, utilities, 1.0).won is won
