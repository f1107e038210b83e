"""Runs that play against themselves, at every seat and number of players; interrupted ones that come to the same end."""

from __future__ import annotations

import base64
import io
import json
import shutil

import numpy as np
import pytest
import torch
from rich.console import Console

from market_env import MarketBatch
from torres_env import TorresBatch
from train import checkpoint
from train.behaviour_cloning import Imitation
from train.callbacks import RunCallback
from train.checkpoint import CheckpointError
from train.config import TrainArgs
from train.league.league import NetworkSeat
from train.run import Run
from train.vec_env import TowersVecEnv

BATCHES = {"torres": TorresBatch, "market": MarketBatch}
SMALL = {
    "opponents": "self:1,league:0..2,greedy:1",
    "envs": 16,
    "rollout": 8,
    "decisions": 1000,
    "minutes": 0.0,
    "imitate_share": 0.3,
    "final_games": 2,
    "evaluate_games": 2,
    "evaluate_every": 0.0,
    "against": "passive",
    "league_every": 200,
    "league_size": 2,
    "width": 2,
    "blocks": 0,
    "batch_size": 64,
    "epochs": 1,
    "threads": 1,
}


def fit(game, **settings):
    run = Run(game, TrainArgs(**(SMALL | settings)), Console(file=io.StringIO(), width=200))
    run.fit()
    return run


@pytest.mark.parametrize(("game", "players"), [("torres", 2), ("torres", 4), ("market", 3)])
def test_reward_reaches_every_seat(game, players):
    """At every seat the learner is paid the utility of its games, won and lost, when networks play the others."""
    torch.set_num_threads(1)
    chance = np.random.default_rng(1)
    batch = BATCHES[game](48, players, None, 2, [NetworkSeat("self", chance)])
    policy = checkpoint.build_policy(batch.game, 2, 0)
    batch.players[0].policy = policy
    env = TowersVecEnv(batch)
    env.reset()
    paid = {seat: [] for seat in range(players)}
    # A market game of untrained networks is long; each step is one decision of every learner.
    for _ in range(4000):
        env.step_async(policy.choose_rows(batch.observation, batch.action_mask, chance))
        _, rewards, dones, infos = env.step_wait()
        assert not rewards[~dones].any()
        for i in np.flatnonzero(dones):
            episode = infos[i]["episode"]
            assert rewards[i] == episode["utility"] == episode["r"]
            paid[episode["seat"]].append(float(rewards[i]))
        if all(values and min(values) < 0 < max(values) for values in paid.values()):
            break
    assert all(min(values) < 0 < max(values) for values in paid.values()), paid


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A finished run of each game, with three players."""
    folder = tmp_path_factory.mktemp("self-play")
    return {game: fit(game, run=str(folder / game), players=3) for game in BATCHES}


@pytest.mark.parametrize("game", BATCHES)
def test_a_run_against_itself(played, game):
    run = played[game]
    rows = run.curve.rows()
    league = rows[-1]["league"]
    assert len(league["members"]) == 2
    assert set(league["players"]) == {"greedy"}
    files = sorted((run.directory / "league").glob("*.zip"), key=lambda path: int(path.stem))
    assert len(files) >= 3
    assert [f"league/{path.name}" for path in files[-2:]] == list(league["members"])
    for path in files:  # a member is a checkpoint like any other, without the means to learn on
        policy, meta, _ = checkpoint.load_policy(path)
        assert meta["steps"] == int(path.stem)
    assert not torch.equal(next(policy.parameters()), next(run.model.policy.parameters()))
    table = (run.directory / "progress.csv").read_text()
    for name in ("league/rating", "league/size", "league/best_member"):
        assert name in table.splitlines()[0]


@pytest.mark.parametrize("game", BATCHES)
@pytest.mark.parametrize("phase", ["imitating", "learning"])
def test_an_interrupted_run_comes_to_the_same_end(played, game, phase, tmp_path, monkeypatch):
    """Same seed, one thread, a limit of steps: stopped in the middle and taken up, weights and league are the same."""
    whole, folder, calls = played[game], tmp_path / "run", []

    def stop_after(number, call):
        def stopping(self, *args):
            calls.append(1)
            if len(calls) == number:
                run.clock.interrupted = True
            return call(self, *args)

        return stopping

    if phase == "imitating":
        monkeypatch.setattr(Imitation, "round", stop_after(2, Imitation.round))
    else:
        monkeypatch.setattr(RunCallback, "_on_step", stop_after(21, RunCallback._on_step))
    run = Run(game, TrainArgs(**(SMALL | {"run": str(folder), "players": 3})), Console(file=io.StringIO()))
    assert run.fit() == []
    monkeypatch.undo()
    stopped = checkpoint.read_meta(folder / "latest.zip")
    assert 0 < stopped["steps"] < 1000
    assert stopped["imitated"] == (phase == "learning")
    again = fit(game, resume=str(folder))
    assert again.clock.steps == whole.clock.steps
    for name, value in whole.model.policy.state_dict().items():
        assert torch.equal(again.model.policy.state_dict()[name], value), name
    expected, found = (model.policy.optimizer.state_dict()["state"] for model in (whole.model, again.model))
    assert all(torch.equal(found[k]["exp_avg"], expected[k]["exp_avg"]) for k in expected)
    assert again.league.to_dict() == whole.league.to_dict()


def test_a_schedule_without_networks_needs_no_league_of_copies(tmp_path):
    run = fit("torres", run=str(tmp_path / "run"), opponents="random:1..0,passive:0..1", decisions=300, imitate="")
    assert not (run.directory / "league").exists()
    assert run.league.report()["members"] == {}
    weights = run.env.batch._table["weight"].tolist()
    assert weights == pytest.approx([0, 1])


STREAMS = {
    "torch": base64.b64encode(torch.get_rng_state().numpy().tobytes()).decode(),
    "numpy": ["MT19937", [1] * 624, 0, 0, 0.0],
    "python": [3, [1] * 625, None],
}


def damaged(folder, **changes):
    """The run's checkpoint with another progress."""
    import zipfile

    file = folder / "latest.zip"
    with zipfile.ZipFile(file) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    saved = json.loads(entries["progress.json"])
    entries["progress.json"] = json.dumps(saved | changes).encode()
    with zipfile.ZipFile(file, "w") as archive:
        for name, value in entries.items():
            archive.writestr(name, value)


@pytest.mark.parametrize(
    "changes",
    [
        {"batch": {}},
        {"games": {}},
        {"starts": [True]},
        {"league": None},
        {"imitation": 5},
        {"streams": STREAMS | {"torch": "AAAA"}},
        {"streams": STREAMS | {"numpy": ["MT19937", [1], 0, 0, 0.0]}},
        {"streams": STREAMS | {"numpy": ["MT19937", [1] * 624, 10**6, 0, 0.0]}},
        {"streams": STREAMS | {"python": [3, [1], None]}},
    ],
)
def test_damaged_progress_is_told(played, tmp_path, changes):
    folder = tmp_path / "run"
    shutil.copytree(played["torres"].directory, folder)
    damaged(folder, **changes)
    kept = np.random.get_state()[1].copy()
    with pytest.raises(CheckpointError, match="damaged"):
        fit("torres", resume=str(folder), decisions=1200)
    assert len(np.random.get_state()[1]) == len(kept)
    np.random.random(1000)  # whatever was tried, the stream is sound


def test_a_lost_member_is_told(played, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(played["torres"].directory, folder)
    shutil.rmtree(folder / "league")
    with pytest.raises(CheckpointError, match="there is no checkpoint"):
        fit("torres", resume=str(folder), decisions=1200)
