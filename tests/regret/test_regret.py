"""Regret sets: labels, files, estimates, and the order of players."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path

import numpy as np
import pytest

from tower_core.players.specs import make_player
from tower_core.registry import get_game
from towers.cli import run
from train.arena.play import derived_seed
from train.regret.__main__ import make
from train.regret.labels import SHARE, Labeller, Worlds, play_turn
from train.regret.measure import Measurer, best_value
from train.regret.sets import RegretSetError, read_set

GAME = get_game("torres")
RULES = GAME.resolve_rules(None)
PUBLISHED = sorted((Path(__file__).parents[2] / "seeds" / "regret").glob("*.regret"))


def arguments(file: Path, **changed) -> Namespace:
    """A small set that takes few seconds: greedy plays the games to the end."""
    usual = {
        "game": "torres", "file": file, "players": 2, "rules": None, "positions": 12, "seed": 5, "worlds": 6,
        "continuation": "greedy", "source": ["random", "greedy"], "proposer": ["greedy", "random"],
        "ranked": "planner:width=2", "top": 2, "part": "0/1",
    }  # fmt: skip
    return Namespace(**{**usual, **changed})


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    file = tmp_path_factory.mktemp("regret") / "small.regret"
    make(arguments(file))
    return file


@pytest.mark.parametrize("players", [2, 3])
def test_labels_are_those_of_a_loop_in_python(players):
    """Share and lead are counted by hand from scores; the player has the world's own stream."""
    state, greedy = GAME.state_class()(players, RULES, 3), make_player("greedy", GAME)
    turn = play_turn(state, greedy, 0)
    worlds = Worlds(state, 4, 8, 1)
    label = Labeller(GAME, players, RULES, greedy, 4).label(worlds, worlds.turn(turn))
    seat = state.current_player()
    for i in range(4):
        world = state.resample_hidden(seat, derived_seed(8, 1, i))
        for action in turn:
            world.apply_action(action)
        greedy._stream[0] = worlds.streams[i]
        while not world.is_terminal():
            world.apply_action(greedy.act(world))
        first = world.ranking()[0]
        rivals = [score for other, score in enumerate(world.scores()) if other != seat]
        assert label.shares[i] == (12 // len(first) if seat in first else 0)
        assert label.leads[i] == world.scores()[seat] - max(rivals)


def test_a_turn_ends_with_the_first_action_that_reveals_something():
    state, player = GAME.state_class()(2, RULES, 3), make_player("random", GAME, 1)
    buy = GAME.actions.first("BUY")
    while buy not in state.legal_actions():
        state.apply_action(player.act(state))
    after = state.child(buy)
    turn = Worlds(state, 8, 0).turn([buy, after.legal_actions()[0]])
    assert turn.actions == (buy,)


def test_the_best_turn_is_valued_on_worlds_that_did_not_choose_it():
    # Each of five turns wins in one world, and has nothing in the others, which choose another one.
    assert best_value(np.eye(5), np.eye(5)) == 0.0
    clear = np.array([[0.0] * 7, [1.0] * 7])
    assert best_value(clear, clear) == 1.0


class Best:
    """Plays the stored turn with the highest mean lead, and passes when it has ended."""

    def __init__(self, regret_set) -> None:
        self.plans, self.rest = {}, []
        for i, entry in enumerate(regret_set.entries):
            best = max(entry.turns, key=lambda turn: sum(turn.leads))
            self.plans[seen(regret_set.state(i))] = best.actions

    def act(self, state):
        self.rest = list(self.plans.get(seen(state), self.rest)) or [state.legal_actions()[0]]
        return self.rest.pop(0)


def seen(state):
    return json.dumps(state.position(state.current_player()))


def test_players_are_ordered_by_strength_and_the_best_turn_has_no_regret(small):
    measurer = Measurer(read_set(small))
    players = ("random", "greedy", "planner:width=4", Best(measurer.set))
    random, greedy, planner, best = (measurer.measure(player) for player in players)
    assert random.points["all"].mean > greedy.points["all"].mean > planner.points["all"].mean
    assert best.points["all"].mean <= 0  # below 0 by the luck of the choice, since the labels chose it
    assert best.new == 0


def test_several_processes_and_an_interrupted_one_make_the_same_file(small, tmp_path):
    file = tmp_path / "parts.regret"
    make(arguments(file, part="0/2"))
    log = file.with_name("parts.regret.0of2.log")
    log.write_bytes(log.read_bytes()[:-40])
    make(arguments(file, part="0/2"))
    assert not file.exists()
    make(arguments(file, part="1/2"))
    assert file.read_bytes() == small.read_bytes()
    with pytest.raises(ValueError, match="other settings"):
        make(arguments(file, worlds=8))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: b"PK" + data, "is not a regret set"),
        (lambda data: data[:-20], "is damaged"),
        (lambda data: data[:-20] + bytes([data[-20] ^ 1]) + data[-19:], "is damaged"),
        (lambda data: data.replace(data[16:20], b"0000", 1), "is damaged"),
    ],
)
def test_damaged_files_are_one_line(small, tmp_path, capsys, damage, message):
    file = tmp_path / "damaged.regret"
    file.write_bytes(damage(small.read_bytes()))
    assert run(["bench", "regret", str(file), "random"]) == 2
    error = capsys.readouterr().err.strip()
    assert message in error
    assert "\n" not in error


def test_labels_that_come_out_differently_are_refused(small):
    found = read_set(small)
    found.entries[0].turns[0].leads[0] += 1
    with pytest.raises(RegretSetError, match="don't come out the same"):
        Measurer(found).measure("random")


def test_the_command_writes_its_figures_and_keeps_new_labels(small, tmp_path, capsys):
    cache, out = tmp_path / "cache.jsonl", tmp_path / "out.json"
    command = ["bench", "regret", str(small), "random", "--cache", str(cache), "--positions", "6", "--out", str(out)]
    assert run(command) == 0
    first = json.loads(out.read_text())
    assert "random" in capsys.readouterr().out
    assert len(cache.read_text().splitlines()) == 1 + first["regrets"][0]["new"]
    size = cache.stat().st_size
    assert run([*command, "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    for figures in (first, again):
        del figures["regrets"][0]["cpu"]
    assert again == first
    assert cache.stat().st_size == size


@pytest.mark.parametrize("file", PUBLISHED, ids=lambda file: file.stem)
def test_published_sets_hold(file):
    """Readable, a third of the positions in each phase, and the labels of a position come out the same."""
    found = read_set(file)
    assert [entry.phase for entry in found.entries] == [i % 3 for i in range(len(found.entries))]
    assert all(0 <= share <= SHARE for entry in found.entries for turn in entry.turns for share in turn.shares)
    Measurer(found).check(2)
