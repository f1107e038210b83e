"""``towers watch``, and the trained network without PyTorch."""

from __future__ import annotations

import numpy as np
import pytest

from torres_env import TorresBatch
from torres_env.game import GAME
from towers.cli import run
from train.player import LearnedPlayer
from train.torres.learned import NumpyLearned

WITHOUT_TORCH = """
import sys
sys.modules["torch"] = None
from towers.cli import run
sys.exit(run(["watch", "torres", "--seed", "3", "--no-open", "--out", "page.html"]))
"""


def test_numpy_chooses_as_pytorch_does():
    batch = TorresBatch(32, seed=3)
    players = LearnedPlayer(GAME), NumpyLearned(GAME)
    for player in players:
        player.must_play(2, batch.rules)
    for _ in range(40):
        rows, masks = batch.observation, batch.action_mask.view(np.bool_)
        theirs, own = (player.act_on_rows(rows, masks) for player in players)
        assert (theirs == own).all()
        batch.step(batch.sample_actions())


def test_other_games_than_it_was_trained_for_are_refused():
    with pytest.raises(ValueError, match="learned was trained for 2 players under standard"):
        NumpyLearned(GAME).must_play(3, GAME.resolve_rules())


def test_a_game_without_pytorch(child, tmp_path):
    done = child(WITHOUT_TORCH)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("playing Torres, seed 3: learned, planner …\n")
    assert done.stdout.endswith("positions in page.html\n")
    assert "<script" in (tmp_path / "page.html").read_text("utf-8")


def test_people_are_not_asked(capsys):
    assert run(["watch", "torres", "--players", "human,greedy"]) == 2
    assert "towers play or towers serve" in capsys.readouterr().err
