"""A short comparison of each game with its reference; ``make fuzz`` plays the long ones, in which every rule occurs."""

from __future__ import annotations

import pytest

from tests.fuzz import SHARE, main, missing, prepare


@pytest.mark.parametrize("game", SHARE)
def test_no_disagreement(game, capsys):
    assert main([game, "--seed", "0", "--moves", "5000", "--seconds", "3000"]) == 0
    assert "0 disagreements" in capsys.readouterr().out.splitlines()[-1]


@pytest.mark.parametrize("game", SHARE)
def test_a_short_run_is_not_complete(game, capsys):
    assert main([game, "--seed", "0", "--games", "2", "--complete"]) == 1
    assert f"not exercised: {game}: " in capsys.readouterr().out


def test_what_is_missing_is_named():
    player = prepare(["torres"])["torres"]
    everything = missing(player)
    assert len(everything) == len(player.seen.rules) + len(player.wanted())
    label = next(iter(player.seen.rules))
    player.seen.counts[label] += 1
    player.kinds["standard, 3 players"] += 1
    assert {*everything} - {*missing(player)} == {label, "standard, 3 players"}
