"""The games in OpenSpiel: its simulation test, its bots, its copies; seeds, rules and seats as everywhere else."""

from __future__ import annotations

import pickle
import runpy
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import evaluate_bots, ismcts, mcts
from open_spiel.python.bots import uniform_random
from open_spiel.python.tests import games_sim_test

import towers.openspiel
from torres_env import TorresState
from tower_core.engine.random import episode_seed_of

ROOT = Path(__file__).resolve().parents[2]
PLUGINS = ROOT / "tests" / "plugins"
GAMES = [
    "towers_torres(seed=1)",
    "towers_torres(players=4,rules=digest_master,seed=1)",
    "towers_market(seed=1)",
    "towers_market(players=3,rules=full,seed=1)",
    "towers_market(players=1,rules=solo,seed=1)",
]


def dealt(name: str):
    state = pyspiel.load_game(name).new_initial_state()
    state.apply_action(0)
    return state


@pytest.mark.parametrize("name", GAMES)
def test_openspiels_simulations(name):
    game = pyspiel.load_game(name)
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)
    games_sim_test.GamesSimTest().sim_game(game, check_pyspiel_serialization=False)


def test_a_plug_in_is_registered(monkeypatch):
    monkeypatch.syspath_prepend(str(PLUGINS))
    towers.openspiel.register_games()
    game = pyspiel.load_game("towers_race(players=3)")
    assert (game.num_players(), game.num_distinct_actions()) == (3, 7)
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


def test_seeds_give_the_games_of_the_suite():
    game = pyspiel.load_game("towers_torres(seed=5)")
    states = [game.new_initial_state() for _ in range(2)]
    assert states[0].is_chance_node()
    for episode, state in enumerate(states):
        state.apply_action(0)
        assert state.game_state.position() == TorresState(seed=episode_seed_of(5, episode)).position()


def test_rules_as_text():
    params = {"rules": "classic:unique_scores=false,draw_choice=2", "players": 3}
    game = pyspiel.load_game("towers_torres", params)
    again = pyspiel.load_game(str(game))
    assert game.rules == again.rules == TorresState(3, params["rules"]).rules
    assert again.num_players() == 3


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("towers_torres(players=9)", "num_players must be 2, 3 or 4"),
        ("towers_torres(rules=chess)", "unknown preset 'chess'"),
        ("towers_market(rules=solo)", "num_players must be 1 in the solo game"),
    ],
)
def test_mistakes(name, message):
    with pytest.raises(ValueError, match=message):
        pyspiel.load_game(name)


@pytest.mark.parametrize("name", ["torres", "market"])
def test_its_bots_play_its_state_and_ours(name):
    random = np.random.RandomState(0)
    game = pyspiel.load_game(f"towers_{name}(seed=2)")
    evaluator = mcts.RandomRolloutEvaluator(1, random, max_length=5)
    bots = [mcts.MCTSBot(game, 1.4, 3, evaluator, random_state=random), uniform_random.UniformRandomBot(1, random)]
    assert sorted(evaluate_bots.evaluate_bots(game.new_initial_state(), bots, random)) in ([-1, 1], [0, 0])
    ours = game.game.state_class()(seed=2)
    while not ours.is_terminal():
        ours.apply_action(bots[ours.current_player()].step(ours))


@pytest.mark.parametrize("name", GAMES)
def test_information_set_search(name):
    """A resampled state looks the same to the seat; nothing that it can't know is in its strings and tensors."""
    state = dealt(name)
    random = np.random.RandomState(4)
    for _ in range(40):
        state.apply_action(int(random.choice(state.legal_actions())))
    seat = state.current_player()
    other = state.resample_from_infostate(seat, pyspiel.UniformProbabilitySampler(0.0, 1.0))
    assert other.game_state.to_bytes() != state.game_state.to_bytes()
    assert other.information_state_string(seat) == state.information_state_string(seat)
    assert other.observation_string(seat) == state.observation_string(seat)
    ours = np.concatenate([part.ravel() for part in state.game_state.observation(seat).values()])
    assert state.observation_tensor(seat) == other.observation_tensor(seat) == ours.tolist()
    evaluator = mcts.RandomRolloutEvaluator(1, random, max_length=5)
    bot = ismcts.ISMCTSBot(
        game=state.get_game(), evaluator=evaluator, uct_c=1.4, max_simulations=3, random_state=random
    )
    assert bot.step(state) in state.legal_actions()


def test_pickles():
    state = dealt("towers_market(players=3,rules=full,seed=9)")
    for _ in range(30):
        state.apply_action(state.legal_actions()[-1])
    again = pickle.loads(pickle.dumps(state))
    assert again.history() == state.history()
    assert again.game_state.to_bytes() == state.game_state.to_bytes()
    games = [state.get_game(), again.get_game()]
    following = [game.new_initial_state() for game in games]
    for one in following:
        one.apply_action(0)
    assert following[0].game_state.seed == following[1].game_state.seed == episode_seed_of(9, 1)


def test_actions_as_text():
    state = dealt("towers_torres(seed=7)")
    action = state.string_to_action("N c3")
    assert state.action_to_string(action) == "N c3"
    with pytest.raises(ValueError, match="'z9' is not a cell"):
        state.string_to_action("N z9")


def test_the_interpreter_ends_well(child):
    """OpenSpiel frees the registered games after Python has ended."""
    done = child("import towers.openspiel, pyspiel; pyspiel.load_game('towers_torres').new_initial_state()")
    assert (done.returncode, done.stderr) == (0, "")


def test_the_example_plays_a_game(capsys):
    returns = runpy.run_path(str(ROOT / "examples" / "openspiel_bots.py"))["main"]("torres", "3")
    assert capsys.readouterr().out.splitlines()[-1].startswith(f"MCTSBot {returns:+.0f}, ")
