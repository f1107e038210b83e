"""Training on a Ray cluster of two workers: it plays elsewhere, it learns, copies join, checkpoints play here, runs go on."""

from __future__ import annotations

import copy
import csv
import io
import json
import os
import signal
from itertools import pairwise

import pytest
import torch
from ray.cluster_utils import Cluster
from rich.console import Console

from towers.cli import run as command
from train import checkpoint
from train.config import TrainArgs
from train.resume import engine_of
from train.rllib.run import RllibRun
from train.rllib.workers import Workers

SMALL = {
    "engine": "rllib",
    "num_workers": 2,
    "envs": 8,
    "rollout": 16,
    "decisions": 3000,
    "minutes": 0.0,
    "imitate_share": 0.3,
    "final_games": 4,
    "evaluate_games": 4,
    "evaluate_every": 0.0,
    "against": "random",
    "opponents": "self:1,league:2,greedy:1",
    "league_every": 800,
    "league_size": 2,
    "width": 4,
    "blocks": 1,
    "batch_size": 64,
    "epochs": 1,
    "threads": 1,
    "seed": 3,
}


NODE = {"num_cpus": 1, "object_store_memory": 100_000_000, "include_dashboard": False}


def fit(game, **settings):
    told = io.StringIO()
    run = RllibRun(game, TrainArgs(**(SMALL | settings)), Console(file=told, width=200))
    return run, run.fit(), told.getvalue()


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    """A run of Torres that Ctrl-C stops in its third update: the object, its results, what it said, its weights."""
    folder = tmp_path_factory.mktemp("runs") / "torres"
    iterate, calls = Workers.iterate, []

    def interrupted(self, rate):
        calls.append(rate)
        if len(calls) == 3:
            os.kill(os.getpid(), signal.SIGINT)
        return iterate(self, rate)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Workers, "iterate", interrupted)
        stopped = fit("torres", run=str(folder), width=5)
    assert len(calls) == 3
    steps = checkpoint.read_meta(folder / "latest.zip")["steps"]
    return *stopped, weights_of(folder / "latest.zip"), steps


@pytest.fixture(scope="module")
def resumed(stopped):
    """The same run, gone on with: the object, its results, what it said, what its learner began with."""
    begun, set_learner = [], Workers.set_learner

    def watched(self, policy):
        weights = torch.cat([value.ravel().float() for value in policy.state_dict().values()])
        begun.append((weights.clone(), copy.deepcopy(policy.optimizer.state_dict()["state"])))
        return set_learner(self, policy)

    told, folder = io.StringIO(), stopped[0].directory
    args = TrainArgs(decisions=3000, minutes=0.0, resume=str(folder))
    assert engine_of(args) == "rllib"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Workers, "set_learner", watched)
        run = RllibRun("torres", args, Console(file=told, width=200))
        return run, run.fit(), told.getvalue(), begun[0]


@pytest.fixture(scope="module")
def on_a_cluster(tmp_path_factory):
    """A run of the market game on a cluster that is there: two nodes with a CPU each, as Ray has them for tests."""
    cluster = Cluster(initialize_head=True, head_node_args=NODE)
    try:
        cluster.add_node(**NODE)
        cluster.wait_for_nodes()
        with pytest.raises(ValueError, match="--num-workers 3 needs 3 CPUs, but the cluster has 2"):
            fit("market", address=cluster.address, num_workers=3)
        return fit("market", run=str(tmp_path_factory.mktemp("runs") / "market"), address=cluster.address)
    finally:
        cluster.shutdown()


@pytest.fixture(params=["resumed", "on_a_cluster"])
def finished(request):
    """A finished run of either game: the object, its results, what it said."""
    return request.getfixturevalue(request.param)[:3]


def table(run):
    """The rows of all its sessions that tell of workers."""
    rows = []
    for path in sorted(run.directory.glob("progress*.csv")):
        with path.open() as file:
            rows += [row for row in csv.DictReader(file) if row.get("workers/1")]
    return rows


# ---------------------------------------------------------------------------------------------- a run
def test_a_run_writes_its_files(finished):
    run, (result,), told = finished
    names = {path.name for path in run.directory.iterdir()}
    wanted = {
        "args.json",
        "machine.json",
        "curve.jsonl",
        "curve.png",
        "latest.zip",
        "final.zip",
        "progress.csv",
        "league",
    }
    assert wanted <= names
    assert any(name.startswith("events.out.tfevents") for name in names)
    saved = TrainArgs.from_dict(json.loads((run.directory / "args.json").read_text()))
    assert (saved.engine, saved.opponents, saved.envs) == ("rllib", run.args.opponents, run.args.envs)
    assert (result.against, result.games) == ("random", 4)
    assert "final.zip" in told
    rows = run.curve.rows()
    assert [row["steps"] for row in rows] == sorted(row["steps"] for row in rows)
    assert len(rows) == 2  # after the imitation, and at the end
    assert 3000 <= rows[-1]["steps"] <= 3000 + 8 * 16 + 8


def test_both_workers_play_in_processes_of_their_own(finished):
    run = finished[0]
    about = json.loads((run.directory / "machine.json").read_text())
    processes = {worker["process"] for worker in about["workers"]}
    assert [worker["worker"] for worker in about["workers"]] == [1, 2]
    assert len(processes | {os.getpid()}) == 3
    assert about["versions"]["ray"]
    rows = table(run)
    assert len(rows) > 5
    for worker in (1, 2):
        assert all(int(row[f"workers/{worker}"]) > 0 for row in rows)


def test_nobody_plays_an_illegal_action(finished):
    """It would raise in the worker, which would have to be started anew."""
    assert {row["workers/restarts"] for row in table(finished[0])} == {"0"}


def test_copies_join_and_play(finished):
    run = finished[0]
    files = sorted(int(path.stem) for path in (run.directory / "league").iterdir())
    assert len(files) == 3  # with two places: the first has made room
    league = run.curve.rows()[-1]["league"]
    assert list(league["members"]) == [f"league/{steps}.zip" for steps in files[1:]]
    assert any(row["league/won"] for row in table(run))  # games against copies have ended
    assert set(league["players"]) == {"greedy"}
    assert league["rating"][1] < 25 / 3
    weights = [weights_of(run.directory / "league" / f"{steps}.zip") for steps in files]
    weights.append(weights_of(run.directory / "final.zip"))
    for before, after in pairwise(weights):
        assert not torch.equal(before, after)


def weights_of(path):
    policy, _, _ = checkpoint.load_policy(path)
    return torch.cat([value.ravel().float() for value in policy.state_dict().values()])


def test_what_was_learned_plays_here(finished, capsys):
    run = finished[0]
    name = run.game.name
    assert command(["evaluate", str(run.directory), "--against", "random", "--games", "4"]) == 0
    copy = min((run.directory / "league").iterdir())
    players = [f"checkpoint:{run.directory}", f"checkpoint:{copy}", "random"]
    assert command(["arena", name, *players, "--games", "4", "--jobs", "0"]) == 0
    assert "error" not in capsys.readouterr().err


# ---------------------------------------------------------------------------------------------- going on
def test_a_stopped_run_says_how_to_go_on(stopped):
    run, results, told, _, steps = stopped
    assert results == []
    assert "after imitating greedy" in told
    assert f"resume with towers train torres --resume {run.directory}" in told
    assert 900 < steps < 3000


def test_it_goes_on_where_it_was(stopped, resumed):
    weights, memory = resumed[3]
    assert torch.equal(weights, stopped[3])
    assert len({float(state["step"]) for state in memory.values()}) == 1  # Adam's counters of all parameters
    assert sum(float(state["exp_avg"].abs().sum()) for state in memory.values()) > 0
    assert resumed[0].args.width == 5
    assert checkpoint.read_meta(resumed[0].directory / "final.zip")["steps"] >= 3000


# ---------------------------------------------------------------------------------------------- a cluster that is there
def test_workers_play_on_the_machines_of_a_cluster(on_a_cluster):
    run = on_a_cluster[0]
    about = json.loads((run.directory / "machine.json").read_text())
    assert len({worker["node"] for worker in about["workers"]}) == 2


# ---------------------------------------------------------------------------------------------- mistakes
@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--num-workers", "0"], "--num-workers: must be an integer of at least 1, not 0"),
        (["--address", "127.0.0.1:1"], "no Ray cluster answers at 127.0.0.1:1: start one with ray start --head"),
        (["--address", "ray://here:10001"], "--address must be 'auto' or HOST:PORT, not 'ray://here:10001'"),
        (["--opponents", "nobody"], "unknown player 'nobody'"),
    ],
)
def test_mistakes_are_one_line(options, told, tmp_path, capsys):
    line = ["train", "torres", "--engine", "rllib", "--run", str(tmp_path / "run"), *options]
    assert command(line) == 2
    error = capsys.readouterr().err.strip().splitlines()[-1]
    assert error.startswith("towers: ")
    assert told in error
    assert not (tmp_path / "run").exists()
