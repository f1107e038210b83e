"""The arithmetic of evaluations: win rates, intervals, seats, and the same games for each."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from rich.console import Console

import agents
from torres_env import TorresRules
from torres_env.game import GAME
from train.evaluate import EVALUATION_SEED, Result, evaluate, results_table
from train.plots import curve_picture
from train.statistics import block_interval, wilson, win_shares


@pytest.mark.parametrize(
    ("rate", "games", "low", "high"),
    [
        (0.8, 10, 0.4902, 0.9433),
        (0.0, 20, 0.0, 0.1611),
        (1.0, 20, 0.8389, 1.0),
        (0.5, 100, 0.4038, 0.5962),
        (0.5, 1, 0.0546, 0.9454),
    ],
)
def test_wilson(rate, games, low, high):
    """Values of the Wilson score interval at 95 %, from tables."""
    found = wilson(rate, games)
    assert found == pytest.approx((low, high), abs=2e-4)


def test_wilson_narrows():
    widths = [high - low for low, high in (wilson(0.3, games) for games in (10, 100, 1000, 10_000))]
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] == pytest.approx(2 * 1.96 * (0.3 * 0.7 / 10_000) ** 0.5, rel=0.01)


def test_win_shares():
    utility = [[1, 0, -1], [0.5, 0.5, -1], [0, 0, 0], [-1, 0, 1]]
    shares = win_shares(np.array(utility, np.float32))
    np.testing.assert_allclose(shares, [[1, 0, 0], [0.5, 0.5, 0], [1 / 3, 1 / 3, 1 / 3], [0, 0, 1]])
    assert win_shares(np.array([[1.0], [-1.0]])).tolist() == [[1], [0]]


def first_legal(batch):
    return batch.action_mask.argmax(axis=1).astype(np.int64)


def last_legal(batch):
    return (661 - batch.action_mask[:, ::-1].argmax(axis=1)).astype(np.int64)


@pytest.mark.parametrize(("players", "rules"), [(2, "standard"), (3, "classic"), (4, "master")])
@pytest.mark.parametrize("choose", [first_legal, last_legal])
def test_against_games_played_one_by_one(players, rules, choose):
    """The same seeds, seats and opponents in the single environment, and the sums made by hand."""
    rules = TorresRules.preset(rules)
    result = evaluate(choose, GAME, "random", 7, players=players, rules=rules)
    each = -(-7 // players)
    wins, utilities, scores, theirs, by_seat, by_game = 0.0, [], [], [], [], []
    for seat in range(players):
        env = gymnasium.make("torres_env/Torres-v0", num_players=players, rules=rules, opponents="random", seat=seat)
        won = []
        for k in range(each):
            env.reset(seed=EVALUATION_SEED + k)
            over = False
            while not over:
                _, reward, over, _, info = env.step(int(choose(env.unwrapped.batch)[0]))
            utilities.append(reward)
            scores.append(info["scores"][seat])
            theirs.append(np.delete(info["scores"], seat).mean())
            won.append(1.0 if reward == 1 else 0.5 if reward == pytest.approx(1 - 1 / (players - 1)) else 0.0)
        by_seat.append(float(np.mean(won)))
        wins += sum(won)
        by_game += won
    assert result.games == each * players
    assert result.against == "random"
    assert result.wins == pytest.approx(wins)
    assert result.rate == pytest.approx(wins / len(utilities))
    assert result.utility == pytest.approx(np.mean(utilities))
    assert result.score == pytest.approx(np.mean(scores))
    assert result.their_score == pytest.approx(np.mean(theirs))
    assert result.by_seat == pytest.approx(by_seat)
    assert result.blocks == {EVALUATION_SEED + k: (sum(by_game[k::each]), players) for k in range(each)}
    assert result.interval == block_interval(list(result.blocks.values()))


def test_games_are_rounded_up_to_the_seats():
    rules = TorresRules()
    for games, expected in ((1, 3), (3, 3), (4, 6), (6, 6)):
        assert evaluate(first_legal, GAME, "passive", games, players=3, rules=rules).games == expected


def test_sides_that_are_alike_share_the_games():
    greedy = agents.make("greedy", seed=1, game="torres")
    result = evaluate(greedy.act_on_batch, GAME, "greedy", 100, players=2, rules=TorresRules())
    assert 0.3 < result.rate < 0.7
    assert abs(result.utility) < 0.4
    assert result.score == pytest.approx(result.their_score, rel=0.15)


def test_same_seed_same_result():
    rules = TorresRules()
    runs = [evaluate(first_legal, GAME, "greedy", 6, players=2, rules=rules, seed=seed) for seed in (1, 1, 2)]
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]


def test_shared_first_ranks_are_half_a_win():
    """Two players who only pass end level where nothing tells them apart."""
    rules = TorresRules(card_list=(), unique_scores=False)
    passive = agents.make("passive", seed=1, game="torres")
    result = evaluate(passive.act_on_batch, GAME, "passive", 40, players=2, rules=rules)
    assert result.rate == 0.5
    assert result.utility == 0
    assert result.by_seat == [0.5, 0.5]
    assert result.score == result.their_score


def test_tables_and_pictures(tmp_path):
    result = Result("greedy", 200, 150.0, 0.5, 88.25, 60.0, [0.8, 0.7])
    console = Console(record=True, width=120)
    console.print(results_table([result], "Torres"))
    text = console.export_text()
    for part in ("greedy", "200", "75.0 %", "68.6–80.5 %", "88", "60", "80 % / 70 %"):
        assert part in text
    row = {
        "steps": 10,
        "seconds": 1.0,
        "results": {"greedy": {"rate": 0.5, "games": 4, "score": 9.0, "their_score": 8.0}},
    }
    picture = curve_picture([row, row | {"steps": 20}], tmp_path / "curve.png", "Torres")
    assert picture.read_bytes().startswith(b"\x89PNG")
