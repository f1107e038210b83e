"""What holds for every built-in player of every game: names and options, determinism, and eyes for its own seat only."""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest

import agents
from tower_core.players.protocol import Player
from tower_core.players.specs import make_player, player_maker
from tower_core.registry import game_names, get_game

# How each player is asked where its own way would take long or depend on the clock; others are asked by their names.
QUICK = {"mcts": "mcts:sims=16"}
# Needs a file: its tests are tests/train/test_checkpoints.py and the arena's.
FILED = {"checkpoint"}
SPECS = [QUICK.get(name, name) for name in agents.names() if name not in FILED]
KINDS = [
    ("torres", "standard", 2),
    ("torres", "standard", 3),
    ("torres", "standard", 4),
    ("torres", "master", 3),
    ("market", "base", 2),
    ("market", "full", 2),
    ("market", "full", 3),
    ("market", "full", 4),
    ("market", "base", 4),
]
# Networks play what they were trained for.
TRAINED = {("torres", "standard", 2), ("market", "base", 2), ("market", "full", 2)}
CASES = [(spec, *kind) for spec in SPECS for kind in KINDS if spec != "learned" or kind in TRAINED]


def moments(name, rules, players, count):
    """States of random games in which others hide something."""
    game, found = get_game(name), []
    for seed in range(100):
        chance = random.Random(seed)
        state = game.state_class()(players, rules, seed)
        for _ in range(chance.randrange(4, 100)):
            if not state.is_terminal():
                state.apply_action(chance.choice(state.legal_actions()[-12:]))
        if not state.is_terminal():
            found.append(state)
        if len(found) == count:
            return found
    raise AssertionError("too few states")


def test_the_built_in_players():
    assert {"random", "passive", "greedy"} <= set(SPECS)
    assert set(agents.names()) >= FILED
    assert set(game_names()) == {name for name, *_ in KINDS}


@pytest.mark.parametrize(("spec", "name", "rules", "players"), CASES)
def test_same_moves_where_the_seat_sees_the_same(spec, name, rules, players):
    """Asked on true states, with the same seed: whatever the cards, the random stream and the seed of the game are."""
    game, different = get_game(name), 0
    for state in moments(name, rules, players, 12):
        seat = state.current_player()
        chosen = make_player(spec, game, 4).act(state)
        assert state.legal_actions_mask()[chosen]
        for seed in (1001, 1002):
            other = state.resample_hidden(seat, seed)
            assert other.position(seat) == state.position(seat)
            different += {**other.position(), "rng": 0} != {**state.position(), "rng": 0}
            assert make_player(spec, game, 4).act(other) == chosen
        other = state.clone()
        other.reseed(7)
        assert make_player(spec, game, 4).act(other) == chosen
    assert different > 10 or rules == "master"


def test_a_player_that_peeks_would_be_found():
    """The states of the test above do tell a peeping player from an honest one."""
    for name, rules, players in KINDS:
        if rules != "master":
            states = moments(name, rules, players, 12)
            views = [(state, state.resample_hidden(state.current_player(), 1001)) for state in states]
            key = "decks" if name == "torres" else "card_deck" if rules == "full" else "list_deck"
            assert any(state.position()[key] != view.position()[key] for state, view in views)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("name", game_names())
def test_players_keep_the_protocol(spec, name):
    player = agents.make(spec, game=name, seed=3)
    assert isinstance(player, Player)
    assert isinstance(player.name, str)
    game = get_game(name)
    maker = player_maker(spec, game)
    played = []
    for seed in (3, 3):
        state, players = game.state_class()(2, game.default_rules, 1), [maker(seed), maker(seed + 1)]
        for _ in range(25):
            state.apply_action(players[state.current_player()].act(state))
        played.append(state.history())
    assert played[0] == played[1]


def test_no_copy_carries_the_seed_of_the_game():
    for name in game_names():
        state = get_game(name).state_class()(2, get_game(name).default_rules, 12345)
        assert state.resample_hidden(0, 6).seed == 6
        assert state.clone().seed == 12345


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("queen", "unknown player 'queen': choose one of"),
        ("", "unknown player ''"),
        ("greedy:depth=2", r"player 'greedy:depth=2' has no option 'depth'; it has: none"),
        ("random:deep", "has no option 'path'"),
        ("checkpoint:x=1", "'x'; it has: path"),
        ("checkpoint", "name the checkpoint"),
        ("greedy:a=1,a=2", "'a' is given twice"),
        ("greedy:a=1,b", "key=value, not 'b'"),
        ("greedy:=1", "key=value, not '=1'"),
        (7, "named by a text such as 'greedy', not 7"),
    ],
)
def test_specs_that_cannot_be(spec, told):
    with pytest.raises(ValueError, match=told):
        make_player(spec, get_game("torres"))


@pytest.fixture
def installed(monkeypatch):
    """Installs a factory as the only player, named ``mine``."""

    def install(factory):
        point = SimpleNamespace(name="mine", load=lambda: factory)
        monkeypatch.setattr("tower_core.players.specs.entry_points", lambda group: [point])

    return install


def test_options_reach_the_factory(installed):
    seen = []

    def factory(game, seed, sims=1, seconds=None, path=""):
        seen.append((game.name, seed, sims, seconds, path))

    installed(factory)
    game = get_game("torres")
    player_maker("mine:sims=20, seconds=0.5", game)(9)
    player_maker("mine:a/b.zip", game)(8)
    player_maker("mine:sims=many", game)(7)
    assert seen == [("torres", 9, 20, 0.5, ""), ("torres", 8, 1, None, "a/b.zip"), ("torres", 7, "many", None, "")]


def test_a_factory_may_take_any_option(installed):
    seen = {}
    installed(lambda game, seed, **options: seen.update(options))
    player_maker("mine:a=1,b=two", get_game("torres"))(1)
    assert seen == {"a": 1, "b": "two"}


def test_errors_of_a_factory_stay_its_own(installed):
    def factory(game, seed):
        raise TypeError("a defect")

    installed(factory)
    with pytest.raises(TypeError, match="a defect"):
        make_player("mine", get_game("torres"))
