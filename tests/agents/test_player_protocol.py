"""What holds for every built-in player of every game: names, options, copies, whole games, eyes for its own seat only."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from player_moments import moments, small

import agents
from tower_core.engine.batch_structs import OVER
from tower_core.players.protocol import Player
from tower_core.players.specs import make_player, player_maker
from tower_core.registry import game_names, get_game

# Need a file: its tests are tests/train/test_checkpoints.py, test_foreign_networks.py and the arena's.
FILED = {"checkpoint", "onnx", "sb3"}
SPECS = [{"mcts": "mcts:sims=16"}.get(name, name) for name in agents.names() if name not in FILED]
SEARCHING = ("planner", "mcts")
BUILT_IN = ("random", "passive", "greedy", *SEARCHING)
GAMES = ("torres", "market")
KINDS = [
    ("torres", "standard", 2),
    ("torres", "standard", 3),
    ("torres", "standard", 4),
    ("torres", "classic", 3),
    ("torres", "digest", 3),
    ("torres", "master", 3),
    ("market", "base", 2),
    ("market", "base", 3),
    ("market", "base", 4),
    ("market", "full", 2),
    ("market", "full", 3),
    ("market", "full", 4),
]
# Networks play what they were trained for.
TRAINED = {("torres", "standard", 2), ("market", "base", 2), ("market", "full", 2)}
CASES = [(name, *kind) for name in (*BUILT_IN, "learned") for kind in KINDS if name != "learned" or kind in TRAINED]


def test_the_built_in_players():
    for name in GAMES:
        assert set(agents.names(name)) == {*BUILT_IN, "learned", *FILED}
    assert set(agents.names()) >= {*BUILT_IN, "learned", *FILED}
    assert set(GAMES) == {name for name, *_ in KINDS} <= set(game_names())


# ---------------------------------------------------------------------------------------------- hidden things
@pytest.mark.parametrize(("player", "name", "rules", "players"), CASES)
def test_same_moves_where_the_seat_sees_the_same(player, name, rules, players):
    """Asked on true states, with the same seed: whatever the cards, the random stream and the seed of the game are.

    Asking changes nothing.
    """
    different, make = 0, player_maker(small(name, player), get_game(name))
    for state in moments(name, rules, players, 8 if player in (*SEARCHING, "learned") else 16):
        before, record, seat = state.to_bytes(), state._record.tobytes(), state.current_player()
        chosen = make(4).act(state)
        assert state.to_bytes() == before
        assert state._record.tobytes() == record or player == "learned"  # it observes, which fills derived fields in
        assert state.legal_actions_mask()[chosen]
        for seed in (1001, 1002):
            other = state.resample_hidden(seat, seed)
            assert other.position(seat) == state.position(seat)
            different += {**other.position(), "rng": 0} != {**state.position(), "rng": 0}
            assert make(4).act(other) == chosen, state.action_to_string(chosen)
        other = state.clone()
        other.reseed(7)
        assert make(4).act(other) == chosen
    assert different > 10 or rules == "master"


def test_a_player_that_peeks_would_be_found():
    """The states of the test above do tell a peeping player from an honest one."""
    for name, rules, players in KINDS:
        if rules != "master":
            states = moments(name, rules, players)
            views = [(state, state.resample_hidden(state.current_player(), 1001)) for state in states]
            key = "decks" if name == "torres" else "card_deck" if rules == "full" else "list_deck"
            assert any(state.position()[key] != view.position()[key] for state, view in views)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("name", GAMES)
def test_players_keep_the_protocol(spec, name):
    """With their own options: the same moves from the same seeds."""
    player = agents.make(spec, game=name, seed=3)
    assert isinstance(player, Player)
    assert player.name == spec.partition(":")[0]
    game, played = get_game(name), []
    maker = player_maker(spec, game)
    for seed in (3, 3):
        state, players = game.state_class()(2, game.default_rules, 1), [maker(seed), maker(seed + 1)]
        for _ in range(25):
            state.apply_action(players[state.current_player()].act(state))
        played.append(state.history())
    assert played[0] == played[1]


def test_no_copy_carries_the_seed_of_the_game():
    for name in ("torres", "market"):
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
        ("checkpoint:x=1", "there is no checkpoint x=1"),
        ("checkpoint", "name the checkpoint"),
        ("greedy:a=1,a=2", "'a' is given twice"),
        ("greedy:a=1,b", "key=value, not 'b'"),
        ("greedy:=1", "key=value, not '=1'"),
        (7, "a player spec must be a string such as 'greedy', or a player, a class or a function, not 7"),
    ],
)
def test_specs_that_cannot_be(spec, told):
    with pytest.raises(ValueError, match=told):
        make_player(spec, get_game("torres"))


def test_options_reach_the_factory(installed):
    seen = []

    def factory(game, seed, sims=1, seconds=None, path=""):
        seen.append((game.name, seed, sims, seconds, path))
        return make_player("random", game, seed)

    installed("towers.players", mine=factory)
    game = get_game("torres")
    player_maker("mine:sims=20, seconds=0.5", game)(9)
    player_maker("mine:a/b.zip", game)(8)
    player_maker("mine:sims=many", game)(7)
    assert seen == [("torres", 9, 20, 0.5, ""), ("torres", 8, 1, None, "a/b.zip"), ("torres", 7, "many", None, "")]


def test_a_factory_may_take_any_option(installed):
    seen = {}
    installed("towers.players", mine=lambda game, seed, **options: seen.update(options) or make_player("random", game))
    player_maker("mine:a=1,b=two", get_game("torres"))(1)
    assert seen == {"a": 1, "b": "two"}


def test_an_error_of_a_factory_names_the_player(installed):
    def factory(game, seed):
        raise TypeError("a defect")

    installed("towers.players", mine=factory)
    with pytest.raises(ValueError, match="player 'mine' can't be made: TypeError: a defect"):
        make_player("mine", get_game("torres"))


# ---------------------------------------------------------------------------------------------- whole games
WHOLE = [(name, preset, n) for name in GAMES for preset in get_game(name).presets for n in get_game(name).seats
         if name == "torres" or (n == 1) == (preset == "solo")]  # fmt: skip


def rules_of(name, preset):
    """Rules under which no game takes long."""
    return get_game(name).rules.preset(preset, **({"max_turns": 25} if name == "market" else {}))


@pytest.mark.parametrize(("name", "preset", "players"), WHOLE)
def test_whole_games_are_legal(name, preset, players):
    """Asked from Python, where an illegal action raises, and inside batches, where the learner's game would go wrong."""
    game, rules = get_game(name), rules_of(name, preset)
    for first in range(0, len(BUILT_IN), players):
        table = [agents.make(small(name, BUILT_IN[(first + p) % len(BUILT_IN)]), name, seed=p) for p in range(players)]
        state = game.state_class()(players, rules, 2)
        while not state.is_terminal():
            state.apply_action(table[state.current_player()].act(state))
    opponents = dict.fromkeys((*BUILT_IN[:3], small(name, "planner")), 1)
    for learner in BUILT_IN[:3]:
        batch = game.batch_class()(2 * players, players, rules, 1000, opponents, seat=0, autoreset=False)
        player = agents.make(learner, name)
        while (batch.to_move >= 0).any():
            batch.step(player.act_on_batch(batch))
        assert np.isfinite(batch.final_utility).all() and (batch.games["to_move"] == OVER).all()


@pytest.mark.parametrize("player", BUILT_IN)
@pytest.mark.parametrize("name", GAMES)
def test_one_seed_plays_one_way(name, player):
    game, played = get_game(name), {}
    for seed in (1, 1, 2, -1):
        state = game.state_class()(3, rules_of(name, game.default_rules), 9)
        table = agents.make(small(name, player), name, seed=seed)
        while not state.is_terminal():
            state.apply_action(table.act(state))
        played.setdefault(seed, set()).add(tuple(state.history()))
    assert [len(games) for games in played.values()] == [1, 1, 1]
    # In the market game greedy and passive draw nothing.
    drawn = player not in ("greedy", "passive") if name == "market" else True
    assert len(set.union(*played.values())) == (3 if drawn else 1)


# ---------------------------------------------------------------------------------------------- copies, batches, the end
@pytest.mark.parametrize("how", [copy.deepcopy, lambda player: pickle.loads(pickle.dumps(player))])
@pytest.mark.parametrize("player", BUILT_IN)
@pytest.mark.parametrize("name", GAMES)
def test_copies_go_on_where_the_player_is(name, player, how):
    states, first = moments(name, get_game(name).default_rules, 2, 20), agents.make(small(name, player), name, seed=6)
    before = [first.act(state) for state in states]
    other = how(first)
    assert repr(other) == repr(first)
    after = [first.act(state) for state in states]
    assert [other.act(state) for state in states] == after
    assert before != after or player != "random"


@pytest.mark.parametrize("name", GAMES)
def test_a_plan_goes_on_in_a_copy(name):
    """In the middle of a turn that was searched as a whole."""
    game = get_game(name)
    state, player = game.state_class()(2, game.default_rules, 4), agents.make(small(name, "mcts"), name, seed=3)
    for _ in range(31):
        state.apply_action(player.act(state))
    other, twin = pickle.loads(pickle.dumps(player)), state.clone()
    for _ in range(12):
        state.apply_action(player.act(state))
        twin.apply_action(other.act(twin))
    assert twin.history() == state.history()


@pytest.mark.parametrize("name", GAMES)
def test_act_on_batch_asks_every_game(name):
    batch = get_game(name).batch_class()(6, 2, seed=3, autoreset=False)
    batch.random_play(30)
    batch.games["to_move"][4] = OVER
    batch.to_move[4] = OVER
    actions = agents.make("greedy", name, seed=2).act_on_batch(batch)
    assert actions.dtype == np.int64
    assert actions[4] == -1
    player = agents.make("greedy", name, seed=2)
    assert [player.act(batch.state(i)) for i in range(4)] == actions[:4].tolist()


@pytest.mark.parametrize("player", BUILT_IN)
@pytest.mark.parametrize("name", GAMES)
def test_the_end_and_another_game(name, player):
    asked = agents.make(small(name, player), name)
    other = next(game for game in GAMES if game != name)
    with pytest.raises(ValueError, match=f"this {player} plays {name}, not {other}"):
        asked.act(get_game(other).state_class()(2))
    state, passive = (
        get_game(name).state_class()(2, rules_of(name, get_game(name).default_rules), 1),
        agents.make("passive", name),
    )
    while not state.is_terminal():
        state.apply_action(passive.act(state))
    with pytest.raises(ValueError, match="the game is over"):
        asked.act(state)


@pytest.mark.parametrize(
    ("name", "spec", "message"),
    [
        ("torres", "planner:width=0", "planner: width must be an integer from 1 to 256, not 0"),
        ("torres", "planner:width=1.5", "width must be an integer"),
        ("torres", "planner:rival=-1", "planner: rival must be a number from 0 to 1000, not -1"),
        ("torres", "planner:noise=much", "noise must be a number"),
        ("torres", "planner:depth=3", "has no option 'depth'; it has: width"),
        ("torres", "mcts:sims=0", "mcts: sims must be an integer from 1"),
        ("torres", "mcts:seconds=0", "mcts: seconds must be a number from 0.001 to 1000000, not 0"),
        ("torres", "mcts:worlds=none", "worlds must be an integer"),
        ("torres", "mcts:root=65", "root must be an integer from 1 to 64"),
        ("torres", "mcts:cheap=0", "cheap must be an integer"),
        ("torres", "mcts:rival=x", "rival must be a number"),
        ("torres", "mcts:depth=3", "mcts has no option 'depth'; it has: sims"),
        ("market", "planner:width=0", "planner: width must be an integer from 1 to 64, not 0"),
        ("market", "planner:width=65", "width must be an integer from 1 to 64"),
        ("market", "planner:lines=100", "lines must be an integer from 1 to 64"),
        ("market", "planner:samples=many", "samples must be an integer from 1 to 1000000, not 'many'"),
        ("market", "planner:samples=2.5", "samples must be an integer"),
        ("market", "planner:turns=0", "turns must be an integer from 1 to 1000"),
        ("market", "planner:depth=3", "has no option 'depth'; it has: width"),
        ("market", "mcts:root=0", "mcts: root must be an integer from 1 to 64, not 0"),
        ("market", "mcts:branch=65", "branch must be an integer from 1 to 64"),
        ("market", "mcts:root_width=100", "root_width must be an integer from 1 to 64"),
        ("market", "mcts:width=few", "width must be an integer from 0 to 64, not 'few'"),
        ("market", "mcts:turns=-1", "turns must be an integer from 0 to 1000"),
        ("market", "mcts:rival=1", "mcts has no option 'rival'; it has: sims"),
    ],
)
def test_wrong_options_are_refused(name, spec, message):
    with pytest.raises(ValueError, match=message):
        agents.make(spec, name)
