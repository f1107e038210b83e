"""The fit of the market game's evaluation: it finds what is there, and describes players as the planner sees them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from agents.market.evaluation import FEATURES, NUM_FEATURES
from benchmarks import fit_market
from benchmarks.fit_market import Turns, fit, loss, play
from market_env import MarketRules


def made_up(weights, n, seed=1):
    """Turns of three players whose winner is drawn by the model itself."""
    chance = np.random.default_rng(seed)
    x = chance.normal(size=(n, 3, NUM_FEATURES))
    z = x @ weights
    won = (z + chance.gumbel(size=z.shape)).argmax(1)  # by their chances
    return Turns(x, np.eye(3)[won], np.arange(n) % 5 == 0)


def test_the_loss_of_a_turn():
    x = np.zeros((1, 2, NUM_FEATURES))
    x[0, 0, 3] = math.log(3)  # three times the chance of the other
    turns, weights = Turns(x, np.array([[1.0, 0.0]]), np.array([False])), np.zeros(NUM_FEATURES)
    assert loss(weights, turns, ~turns.kept_out) == pytest.approx(math.log(2))
    weights[3] = 1
    assert loss(weights, turns, ~turns.kept_out) == pytest.approx(-math.log(3 / 4))


def test_weights_are_found_again_and_a_large_penalty_holds_the_old_ones():
    true = np.linspace(-1, 1, NUM_FEATURES)
    turns, start = made_up(true, 4000), np.zeros(NUM_FEATURES)
    assert np.abs(fit(start, turns, 0.0) - true).max() < 0.3
    assert np.abs(fit(start, turns, 1e6) - start).max() < 1e-3
    kept = Turns(turns.features, np.where(turns.kept_out[:, None], 1 / 3, turns.share), turns.kept_out)
    assert np.array_equal(fit(start, kept, 0.0), fit(start, turns, 0.0))  # games kept out have no say


def test_games_are_described_turn_by_turn():
    turns = play(MarketRules.preset("full"), 3, 6, "greedy", 7)
    assert turns.features.shape == (len(turns.share), 3, NUM_FEATURES)
    assert turns.share.sum(1) == pytest.approx(1)
    towers = turns.features[:, :, FEATURES.index("towers")]
    assert (towers[0] == 3).all() and towers.min() == 1
    again = play(MarketRules.preset("full"), 3, 6, "greedy", 7)
    assert np.array_equal(again.features, turns.features) and np.array_equal(again.share, turns.share)


def test_the_program(capsys):
    assert fit_market.main(["--rules", "base", "--games", "10", "--player", "greedy"]) == 0
    out = capsys.readouterr().out
    assert "kept out" in out and "towers" in out
    with pytest.raises(SystemExit):
        fit_market.main(["--rules", "solo"])
    assert "solo game" in capsys.readouterr().err
