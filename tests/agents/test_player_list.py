"""``python -m agents``: a list of players for all games and one for each game, plug-ins that fail included."""

from __future__ import annotations

import sys

import agents.__main__


def listed(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["agents"])
    agents.__main__.main()
    groups, title = {}, ""
    for line in capsys.readouterr().out.splitlines():
        if line.startswith("  "):
            name, _, text = line.strip().partition("  ")
            groups[title][name] = text.strip()
        else:
            title = line
            groups[title] = {}
    return groups


def make_bold(game, seed=0):
    """Plays boldly, in every
    position. A second sentence.

    A second paragraph.
    """


def test_players_of_all_games_and_of_each(monkeypatch, capsys, installed):
    installed("towers.players", bold=make_bold)
    installed("towers.players.torres", lost="nowhere_at_all:make", broken="agents:no_such_name")
    groups = listed(monkeypatch, capsys)
    assert {"all games", "market", "torres"} <= set(groups)
    assert set(groups["all games"]) == {"bold", "checkpoint", "learned", "mcts", "onnx", "passive", "random", "sb3"}
    assert groups["all games"]["bold"] == "Plays boldly, in every position"
    assert set(groups["market"]) == {"greedy", "mcts", "planner"}
    assert set(groups["torres"]) == {"broken", "greedy", "learned", "lost", "mcts", "planner"}
    assert groups["torres"]["lost"] == "unusable: player 'lost' requires nowhere_at_all, which is not installed"
    assert groups["torres"]["broken"].startswith("unusable: player 'broken' of plugin")
    assert "can't be loaded: AttributeError" in groups["torres"]["broken"]
    assert all(
        text and "``" not in text and ":func:" not in text for group in groups.values() for text in group.values()
    )


def test_two_packages_that_claim_one_name(monkeypatch, capsys, installed):
    installed("towers.players", bold=make_bold)
    installed("towers.players", bold=make_bold)
    assert listed(monkeypatch, capsys)["all games"]["bold"].startswith("unusable: player 'bold' is claimed by plugin")
