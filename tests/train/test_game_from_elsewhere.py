"""A game of another distribution in training: defaults, a run, its evaluation, export, arena. Nothing here knows the game."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import torch
from distributions import write_distribution
from rich.console import Console

import agents
from tower_core import registry
from tower_core.registry import PluginError, get_game
from train import checkpoint
from train.arena import ArenaSettings, run_arena
from train.config import TrainArgs
from train.evaluate import evaluate_all, policy_chooser
from train.export import export_onnx
from train.game_defaults import training_defaults, with_game_defaults
from train.networks import network_class, network_names
from train.run import Run
from train.vec_env import TowersVecEnv

torch.set_num_threads(1)
PLUGIN = str(Path(__file__).parent / "plugin")
SMALL = TrainArgs(
    envs=32, rollout=16, batch_size=128, minutes=0.0, decisions=30_000, width=4, blocks=1, threads=1, final_games=200,
    evaluate_every=0.0, learning_rate=3e-3,
)  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def pebbles():
    """The distribution on the path, as if installed."""
    sys.path.insert(0, PLUGIN)
    get_game.cache_clear()
    yield get_game("pebbles")
    sys.path.remove(PLUGIN)
    get_game.cache_clear()


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A finished run: its directory and results."""
    folder = tmp_path_factory.mktemp("runs") / "pebbles"
    run = Run("pebbles", TrainArgs(**{**vars(SMALL), "run": str(folder), "players": 2}), Console(file=io.StringIO()))
    return run, run.fit()


def test_a_game_that_declares_nothing_has_generic_defaults(pebbles):
    args = with_game_defaults(TrainArgs(), pebbles)
    assert (args.opponents, args.imitate, args.against) == ("random", "", "random")  # no passing, no teacher
    assert (args.players, args.network, args.reward) == (1, "mlp", "outcome")
    assert network_names(pebbles) == ["mlp"]
    # What is given stays.
    given = TrainArgs(players=3, opponents="self:1", imitate="random", against="passive", learning_rate=0.5)
    filled = with_game_defaults(given, pebbles)
    assert (filled.players, filled.opponents, filled.imitate) == (3, "self:1", "random")
    assert (filled.against, filled.learning_rate) == ("passive", 0.5)


def test_it_learns_to_beat_random_play(finished):
    """Who leaves a multiple of four pebbles wins; random play seldom does so."""
    run, results = finished
    assert [result.against for result in results] == ["random"]
    assert results[0].rate >= 0.95
    assert run.network == "mlp" and run.args.imitate == ""


def test_from_the_run_to_evaluation_arena_and_export(finished, pebbles, tmp_path):
    folder = finished[0].directory
    policy, meta, game = checkpoint.load_policy(folder)
    assert game is pebbles and meta["network"] == "mlp"
    (result,) = evaluate_all(policy_chooser(policy), game, ["random"], 100, players=2, rules=meta["rules"], seed=7)
    assert result.rate >= 0.9
    settings = ArenaSettings("pebbles", (f"checkpoint:{folder}", "random"), games=60)
    tally = run_arena(settings, tmp_path / "results.jsonl", jobs=0)
    assert tally.entrants[f"checkpoint:{folder}"].rate >= 0.9
    assert not any(entrant.faults for entrant in tally.entrants.values())
    session = onnxruntime.InferenceSession(export_onnx(folder, tmp_path / "net.onnx"))
    batch = game.batch_class()(4, 2, None, 1)
    logits, _ = session.run(None, {"observation": batch.observation})
    masked = np.where(batch.action_mask.astype(bool), logits, -np.inf)
    assert masked.argmax(1).tolist() == policy.choose_rows(batch.observation, batch.action_mask).tolist()


def test_a_run_goes_on_with_a_league(tmp_path):
    """Its games in progress are kept as positions, its copies sit in the batch."""
    settings = {
        **vars(SMALL),
        "decisions": 2048,
        "players": 3,
        "opponents": "self:1,league:1,random:1",
        "final_games": 6,
    }
    settings |= {"run": str(tmp_path / "run"), "league_every": 500}
    first = Run("pebbles", TrainArgs(**settings), Console(file=io.StringIO()))
    first.fit()
    assert first.league is not None and sum(s is not None for s in first.league.snapshots) >= 2
    again = Run(
        "pebbles", TrainArgs(resume=str(tmp_path / "run"), decisions=3072, minutes=0.0), Console(file=io.StringIO())
    )
    again.fit()
    assert again.clock.steps == 3072


def test_a_game_of_one_player(tmp_path):
    settings = {**vars(SMALL), "decisions": 512, "run": str(tmp_path / "run"), "final_games": 4}
    (result,) = Run("pebbles", TrainArgs(**settings), Console(file=io.StringIO())).fit()
    assert (result.against, result.games, result.score) == ("alone", 4, 1.0)  # it always takes the last stone


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_vector_environment(pebbles, players):
    env = TowersVecEnv(pebbles.batch_class()(5, players, None, 3, "random"))
    assert env.observation_space.shape == (15,) and env.action_space.n == 3
    assert env.reset().shape == (5, 15)
    ended = 0
    for _ in range(40):
        masks = env.action_masks()
        assert masks.shape == (5, 3) and masks.any(1).all()
        env.step_async(masks.argmax(1))
        _, rewards, dones, infos = env.step_wait()
        ended += int(dones.sum())
        assert all(
            info["episode"]["utility"] == reward
            for info, reward, done in zip(infos, rewards, dones, strict=True)
            if done
        )
    assert ended > 5


# ---------------------------------------------------------------------------------------------- additions by entry points
@pytest.fixture
def addition(tmp_path, monkeypatch):
    """``addition(text, points)``: a further distribution with one module, ``pebbles_more``."""

    def add(code: str, points: str) -> None:
        write_distribution(tmp_path, "pebbles_more", points, code)
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(sys.modules, "pebbles_more", raising=False)

    return add


def test_a_network_and_training_defaults_of_its_own(pebbles, addition, tmp_path):
    addition(
        "from train.game_defaults import TrainingDefaults\n"
        "from train.networks.mlp import MlpFeatures\n"
        "class Wide(MlpFeatures):\n"
        "    def __init__(self, observation_space, game, width, blocks):\n"
        "        super().__init__(observation_space, game, 2 * width, blocks)\n"
        "DEFAULTS = TrainingDefaults(network='wide', opponents='random:3,passive:1', imitate='random', reward='outcome')\n",
        "[towers.training]\npebbles = pebbles_more:DEFAULTS\n[towers.networks.pebbles]\nwide = pebbles_more:Wide\n",
    )
    assert network_names(pebbles) == ["wide", "mlp"]
    args = with_game_defaults(TrainArgs(), pebbles)
    assert (args.opponents, args.imitate, args.network) == ("random:3,passive:1", "random", "wide")
    policy = checkpoint.build_policy(pebbles, 3, 0)
    assert policy.features_extractor.hidden == 8 * 6
    meta = {"game": "pebbles", "players": 2, "rules": {}, "network": "wide", "width": 3, "blocks": 0}
    checkpoint.save(tmp_path / "a.zip", meta | {"steps": 0, "seconds": 0.0}, policy)
    again, _, _ = checkpoint.load_policy(tmp_path / "a.zip")
    assert type(again.features_extractor).__name__ == "Wide"
    assert agents.make(f"checkpoint:{tmp_path / 'a.zip'}", "pebbles").act(pebbles.state_class()(2, None, 1)) in (
        0,
        1,
        2,
    )


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        ("raise RuntimeError('out of order')", "'pebbles' of pebbles_more can't be loaded: RuntimeError: out of order"),
        (
            "DEFAULTS = {'opponents': 'random'}",
            "'pebbles': pebbles_more:DEFAULTS must be a .*TrainingDefaults, not a dict",
        ),
        ("", "'pebbles' of pebbles_more can't be loaded: AttributeError"),
    ],
)
def test_training_defaults_that_cannot_be_used_are_named(pebbles, addition, code, complaint):
    addition(code, "[towers.training]\npebbles = pebbles_more:DEFAULTS\n")
    with pytest.raises(PluginError, match=complaint):
        training_defaults(pebbles)
    assert training_defaults(get_game("torres")).network == "conv"  # other games go on


def test_a_network_that_cannot_be_used_is_named(pebbles, addition):
    addition("class Net: pass\n", "[towers.networks.pebbles]\nnet = pebbles_more:Net\n")
    with pytest.raises(PluginError, match="'net': pebbles_more:Net must be a features extractor class"):
        network_class(pebbles, "net")
    assert registry.names("towers.networks.pebbles") == ["net"]
