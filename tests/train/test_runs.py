"""Training runs from beginning to end, as small as they can be: files, going on, refusals, a full disk."""

from __future__ import annotations

import copy
import csv
import io
import json
import shutil
import signal
import zipfile

import gymnasium
import numpy as np
import pytest
import torch
from rich.console import Console
from sb3_contrib import MaskablePPO

from torres_env import TorresBatch, TorresRules
from torres_env.game import GAME
from tower_core.players.asking import PlayerError
from train import checkpoint
from train.behaviour_cloning import Imitation, imitate
from train.callbacks import Clock, Curve
from train.checkpoint import CheckpointError
from train.config import TrainArgs
from train.game_defaults import training_defaults
from train.run import Run
from train.vec_env import TowersVecEnv

SMALL = {
    "envs": 16,
    "rollout": 8,
    "decisions": 2000,
    "minutes": 0.0,
    "imitate_share": 0.2,
    "final_games": 4,
    "evaluate_games": 4,
    "evaluate_every": 0.0,
    "against": "random,passive",
    "opponents": "random:1,passive:1",
    "width": 4,
    "blocks": 1,
    "batch_size": 64,
    "epochs": 1,
    "threads": 1,
    "seed": 3,
}


def fit(game="torres", **settings):
    printed = io.StringIO()
    run = Run(game, TrainArgs(**(SMALL | settings)), Console(file=printed, width=200))
    return run, run.fit(), printed.getvalue()


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A finished run: the object, its results, what it said."""
    return fit(run=str(tmp_path_factory.mktemp("runs") / "first"))


@pytest.fixture
def folder(finished, tmp_path):
    """A copy of its directory."""
    shutil.copytree(finished[0].directory, tmp_path / "run")
    return tmp_path / "run"


# ---------------------------------------------------------------------------------------------- a run
def test_a_run_writes_its_files(finished):
    run, results, printed = finished
    names = {path.name for path in run.directory.iterdir()}
    wanted = {"args.json", "machine.json", "curve.jsonl", "curve.png", "latest.zip", "final.zip", "progress.csv"}
    assert wanted <= names
    assert any(name.startswith("events.out.tfevents") for name in names)
    assert not [name for name in names if name.endswith(".partial")]
    assert TrainArgs.from_dict(json.loads((run.directory / "args.json").read_text())) == run.args
    assert json.loads((run.directory / "machine.json").read_text())["versions"]["torch"] == torch.__version__
    assert [result.against for result in results] == ["random", "passive"]
    assert all(result.games == 4 for result in results)
    for part in ("run directory", "after imitating greedy", "final.zip", "learning curve", "tensorboard"):
        assert part in printed


def test_the_curve(finished):
    rows = finished[0].curve.rows()
    assert len(rows) == 2  # after the imitation, and at the end
    assert 0.2 * 2000 <= rows[0]["steps"] <= 0.2 * 2000 + 16 * 8
    assert 2000 <= rows[-1]["steps"] <= 2000 + 16 * 8
    assert set(rows[-1]["results"]) == {"random", "passive"}
    assert rows[0]["seconds"] <= rows[-1]["seconds"]


def test_the_checkpoint(finished):
    run = finished[0]
    meta = checkpoint.read_meta(run.directory / "final.zip")
    assert meta["steps"] == run.clock.steps == run.model.num_timesteps
    assert meta["rules"] == TorresRules().to_dict()
    assert (meta["game"], meta["players"], meta["width"], meta["blocks"]) == ("torres", 2, 4, 1)
    policy, _, _ = checkpoint.load_policy(run.directory)
    for name, value in run.model.policy.state_dict().items():
        assert torch.equal(policy.state_dict()[name], value), name


def test_the_log(finished):
    rows = list(csv.DictReader((finished[0].directory / "progress.csv").open()))
    assert any(row.get("train/loss") for row in rows)
    assert any(row.get("imitation/loss") for row in rows)
    learned = [float(row["train/learning_rate"]) for row in rows if row.get("train/learning_rate")]
    peak = learned.index(max(learned))
    assert learned[: peak + 1] == sorted(learned[: peak + 1])
    assert learned[peak:] == sorted(learned[peak:], reverse=True)
    assert 0 < learned[-1] < learned[peak] <= training_defaults(GAME).learning_rate


def test_one_seed_is_one_run(tmp_path):
    """With a limit of steps alone, everything follows from the seed."""
    weights = []
    for name, seed in (("a", 5), ("b", 5), ("c", 6)):
        run, _, _ = fit(run=str(tmp_path / name), decisions=400, seed=seed, against="random", final_games=2)
        weights.append(torch.cat([value.float().ravel() for value in run.model.policy.state_dict().values()]))
    assert torch.equal(weights[0], weights[1])
    assert not torch.equal(weights[0], weights[2])


def test_without_imitation_and_with_other_rules(tmp_path):
    settings = {"imitate": "", "players": 3, "rules": "digest", "reward": "outcome", "seat": "2", "decisions": 300}
    run, results, printed = fit(run=str(tmp_path / "run"), **settings)
    assert "imitating" not in printed
    assert results[0].games == 6
    meta = checkpoint.read_meta(run.directory / "final.zip")
    assert meta["players"] == 3
    assert meta["rules"] == TorresRules.preset("digest").to_dict()
    assert (run.model.env.batch.learner == 2).all()


# ---------------------------------------------------------------------------------------------- imitation
def test_imitation_lowers_the_loss():
    """Against that of guessing among the legal actions, for the games' positions differ from round to round."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    env = TowersVecEnv(TorresBatch(32, 2, seed=1, opponents="random"))
    imitation = Imitation(
        env, checkpoint.build_policy(GAME, 8, 1), "greedy", rollout=8, batch_size=64, gamma=0.99, seed=1
    )
    gained, agreed = [], []
    for _ in range(20):
        result = imitation.round(1e-2)
        assert result.samples == 256
        assert 0 <= result.agreement <= 1
        assert result.value_error >= 0
        guessing = np.log(imitation._masks.sum(axis=-1))
        gained.append(guessing.mean() - result.loss)
        agreed.append(result.agreement - (1 / imitation._masks.sum(axis=-1)).mean())
    assert np.mean(gained[:2]) < 0.2
    assert np.mean(gained[-5:]) > 0.4
    assert np.mean(agreed[-5:]) > np.mean(agreed[:2]) + 0.1


class Stubborn:
    """A teacher asked from Python, game by game: always the first legal action."""

    name, native = "stubborn", None

    def act(self, state):
        return state.legal_actions()[0]


def test_any_player_can_teach():
    env = TowersVecEnv(TorresBatch(4, 3, seed=1, opponents="random"))
    policy = checkpoint.build_policy(GAME, 2, 0)
    imitation = Imitation(env, policy, Stubborn(), rollout=4, batch_size=8, gamma=0.9, seed=1)
    imitation.round(1e-3)
    for t in range(4):
        np.testing.assert_array_equal(imitation._labels[t], imitation._masks[t].argmax(axis=1))


def test_repeated_samples_are_images():
    """Under all eight symmetries; legal actions stay legal, and nothing is lost."""
    env = TowersVecEnv(TorresBatch(4, 3, seed=1, opponents="random"))
    imitation = Imitation(
        env, checkpoint.build_policy(GAME, 2, 0), "greedy", rollout=4, batch_size=8, gamma=0.9, seed=1
    )
    imitation.round(1e-3)
    samples = imitation._rows[-1], imitation._masks[-1], imitation._labels[-1]
    images = [imitation._image(*samples) for _ in range(40)]
    assert len({rows.tobytes() for rows, _, _ in images}) == 8
    for rows, masks, labels in images:
        assert masks[np.arange(4), labels].all()
        assert (rows.sum(axis=1) == samples[0].sum(axis=1)).all()
        assert (masks.sum(axis=1) == samples[1].sum(axis=1)).all()


class Loser(Stubborn):
    """Answers an action that is never legal during setup."""

    name = "loser"

    def act(self, state):
        return 0


class RowsTeacher(Stubborn):
    """A teacher asked once for all games: always the last legal action."""

    def __init__(self):
        self.checked = []

    def must_play(self, num_players, rules):
        self.checked.append((num_players, rules))

    def act_on_rows(self, rows, masks):
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


def test_a_teacher_asked_by_rows():
    env = TowersVecEnv(TorresBatch(4, 3, seed=1, opponents="random"))
    teacher = RowsTeacher()
    imitation = Imitation(env, checkpoint.build_policy(GAME, 2, 0), teacher, rollout=4, batch_size=8, gamma=0.9, seed=1)
    imitation.round(1e-3)
    last = GAME.num_actions - 1 - imitation._masks[..., ::-1].argmax(axis=-1)
    np.testing.assert_array_equal(imitation._labels, last)
    assert teacher.checked == [(3, env.batch.rules)]


def test_a_teacher_that_fails_is_named():
    env = TowersVecEnv(TorresBatch(4, 3, seed=1, opponents="random"))
    imitation = Imitation(env, checkpoint.build_policy(GAME, 2, 0), Loser(), rollout=4, batch_size=8, gamma=0.9, seed=1)
    with pytest.raises(PlayerError, match="player loser returned 0 as player_"):
        imitation.round(1e-3)


def _agreement(policy):
    """With the teacher, in the same 640 positions for every policy."""
    env = TowersVecEnv(TorresBatch(16, 2, seed=77, opponents="random"))
    return Imitation(env, policy, "greedy", rollout=40, batch_size=64, gamma=0.99, seed=9).round(1e-9).agreement


@pytest.mark.parametrize("policy", ["MlpPolicy", "MultiInputPolicy"])
def test_any_policy_of_maskable_ppo_can_imitate(policy):
    """With rows or the dict of their parts as observations; it then learns on from reward."""
    env = TowersVecEnv(TorresBatch(16, 2, seed=1, opponents="random"))
    dicts = gymnasium.make("torres_env/Torres-v0", opponents="random")
    learner = MaskablePPO(policy, env if policy == "MlpPolicy" else dicts, n_steps=8, batch_size=64, seed=1)
    untrained = copy.deepcopy(learner.policy)
    rounds = imitate(learner.policy, env, "greedy", decisions=4000, rollout=8, batch_size=64)
    assert len(rounds) == 32 and sum(result.samples for result in rounds) == 4096
    assert learner.policy.optimizer.param_groups[0]["lr"] == 3e-4 and not learner.policy.optimizer.state
    if policy == "MlpPolicy":
        learner.learn(128)
    assert _agreement(learner.policy) > _agreement(untrained) + 0.08


# ---------------------------------------------------------------------------------------------- limits
@pytest.mark.parametrize(
    ("settings", "limit"),
    [({}, 10), ({"minutes": 3}, 3), ({"decisions": 5}, 0), ({"decisions": 5, "minutes": 3}, 3), ({"minutes": 0}, 0)],
)
def test_a_limit_in_decisions_alone_lifts_that_in_minutes(settings, limit):
    assert TrainArgs(**settings).limit_minutes == limit


def test_whole_rollouts_are_announced(finished):
    """Four rounds of imitation of 128 decisions reach 400, twelve rollouts of 128 the rest."""
    run, _, printed = finished
    assert "2,000 decisions are rounded up to 2,048: rollouts have 128" in printed
    assert run.clock.steps == 2048


def test_a_resumed_run_keeps_its_limits(folder):
    run = Run("torres", TrainArgs(resume=str(folder)), Console(file=io.StringIO()))
    assert (run.args.decisions, run.args.minutes) == (2000, 0.0)


# ---------------------------------------------------------------------------------------------- going on
def test_resume_goes_on(finished, folder):
    before = checkpoint.read_meta(folder / "latest.zip")
    run, results, printed = fit(resume=str(folder), decisions=2600)
    after = checkpoint.read_meta(folder / "latest.zip")
    assert before["steps"] < 2600 <= after["steps"] < 2600 + 2 * 16 * 8
    assert after["seconds"] > 0
    assert run.directory == folder
    assert run.args.envs == 16
    assert "imitating" not in printed  # that is done
    rows = run.curve.rows()
    assert len(rows) == len(finished[0].curve.rows()) + 1
    assert rows[-1]["steps"] == after["steps"]
    assert len(results) == 2


def test_resume_starts_from_the_saved_weights(folder):
    """Nothing left to do: the network is the one that was saved."""
    run, _, _ = fit(resume=str(folder), decisions=1)
    for name, value in checkpoint.load_policy(folder / "latest.zip")[0].state_dict().items():
        assert torch.equal(run.model.policy.state_dict()[name], value)
    assert run.model.policy.optimizer.state_dict()["state"]


@pytest.mark.parametrize(
    "changes", [{"players": 3}, {"rules": "digest"}, {"envs": 8}, {"seed": 4}, {"width": 8}, {"run": "x"}]
)
def test_resume_refuses_other_settings(folder, changes):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(CheckpointError, match=f"another --{next(iter(changes))}"):
        fit(resume=str(folder), **changes)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_resume_takes_the_same_settings_given_again(folder):
    run = Run(
        "torres", TrainArgs(resume=str(folder), rules="standard", envs=16, decisions=9), Console(file=io.StringIO())
    )
    assert run.args.rollout == 8
    assert run.args.decisions == 9


def test_resume_refuses_other_games(folder):
    with pytest.raises(CheckpointError, match="is a run of torres, not of market"):
        fit("market", resume=str(folder))


@pytest.mark.parametrize(("entry", "value"), [("players", 3), ("rules", "classic"), ("width", 8)])
def test_resume_refuses_settings_that_do_not_fit_the_checkpoint(folder, entry, value):
    """Somebody edited args.json."""
    settings = json.loads((folder / "args.json").read_text())
    (folder / "args.json").write_text(json.dumps(settings | {entry: value}))
    given = TrainArgs(resume=str(folder), decisions=2600, minutes=0.0)
    with pytest.raises(CheckpointError, match=r"trained for|other rules|weights don.t fit"):
        Run("torres", given, Console(file=io.StringIO())).fit()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"speed": 3}', '{"envs": "many"}', "null"])
def test_resume_refuses_damaged_settings(folder, text):
    (folder / "args.json").write_text(text)
    with pytest.raises(CheckpointError, match=r"args\.json"):
        fit(resume=str(folder))


def test_resume_refuses_what_is_no_run(tmp_path, folder):
    with pytest.raises(CheckpointError, match="there is no checkpoint"):
        fit(resume=str(tmp_path / "nowhere"))
    (folder / "latest.zip").write_bytes(b"no zip")
    with pytest.raises(CheckpointError, match="not a checkpoint of towers"):
        fit(resume=str(folder))


def test_resume_from_the_final_checkpoint_alone(folder):
    (folder / "latest.zip").unlink()
    run, _, _ = fit(resume=str(folder), decisions=1)
    assert (folder / "latest.zip").exists()
    assert run.clock.steps >= 2000


# ---------------------------------------------------------------------------------------------- refusals, full disk
def test_a_directory_that_holds_a_run_is_refused(finished):
    with pytest.raises(FileExistsError, match="already holds a run"):
        fit(run=str(finished[0].directory))


def test_a_run_starts_from_weights(finished, tmp_path):
    """Instead of imitating; with the optimizer, the games and the count of decisions of a new run."""
    settings = {"start": str(finished[0].directory), "width": 4, "decisions": 128}
    began = Run("torres", TrainArgs(**(SMALL | settings | {"run": str(tmp_path / "run")})), Console(file=io.StringIO()))
    began._prepare()
    began.clock = Clock(128, 0)
    began._make()
    for name, value in finished[0].model.policy.state_dict().items():
        assert torch.equal(began.model.policy.state_dict()[name], value), name
    began.env.close()
    run, _, printed = fit(run=str(tmp_path / "other"), **settings)
    assert "imitating" not in printed
    assert run.clock.steps == 128
    assert not torch.equal(
        run.model.policy.value_net.net[0].weight, finished[0].model.policy.value_net.net[0].weight
    )  # it learned
    # It goes on without the file that it started from.
    (tmp_path / "other" / "args.json").write_text(
        json.dumps(json.loads((tmp_path / "other" / "args.json").read_text()) | {"start": "gone.zip"})
    )
    again, _, printed = fit(resume=str(tmp_path / "other"), decisions=256)
    assert again.clock.steps == 256
    assert "imitating" not in printed


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"width": 8}, "another network: use --network conv --width 4 --blocks 1 to start from it"),
        ({"network": "mlp"}, "another network"),
        ({"players": 3}, "2 players, not 3"),
        ({"rules": "digest"}, "other rules"),
        ({"start": "nowhere"}, "no checkpoint nowhere"),
    ],
)
def test_weights_that_do_not_fit_are_refused(finished, tmp_path, settings, complaint):
    with pytest.raises(CheckpointError, match=complaint):
        fit(run=str(tmp_path / "run"), **({"start": str(finished[0].directory)} | settings))
    assert not (tmp_path / "run").exists()


# tests/towers/test_cli.py has those that the command line refuses.
BAD = [
    {"seat": "first"}, {"learning_rate": -1.0}, {"imitate_learning_rate": float("inf")}, {"imitate_learning_rate": 0.0},
    {"gamma": float("nan")}, {"minutes": float("inf")}, {"entropy": float("nan")}, {"evaluate_every": -1.0}, {"seed": 2**32},
    {"imitate_share": 2.0}, {"imitate_passes": 0}, {"width": 0},
]  # fmt: skip


@pytest.mark.parametrize("settings", BAD)
def test_bad_settings_are_refused_before_anything_is_written(tmp_path, settings):
    with pytest.raises(ValueError, match=r"[a-z]"):
        fit(run=str(tmp_path / "run"), **settings)
    assert not (tmp_path / "run").exists()


def test_a_full_disk_leaves_the_earlier_checkpoint(folder, monkeypatch):
    before = (folder / "latest.zip").read_bytes()

    def fail(*args, **kwargs):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(zipfile.ZipFile, "writestr", fail)
    with pytest.raises(OSError, match="No space left"):
        fit(resume=str(folder), decisions=2200)
    monkeypatch.undo()
    assert (folder / "latest.zip").read_bytes() == before
    assert not list(folder.glob("*.partial"))
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler  # Ctrl-C is the terminal's again
    fit(resume=str(folder), decisions=2200)


def test_a_run_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(OSError, match="file"):
        fit(run=str(tmp_path / "file" / "run"))


def test_ctrl_c_saves_and_tells_how_to_go_on(tmp_path, monkeypatch):
    catch = Clock.catch_interrupts

    def interrupted(self):
        catch(self)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Clock, "catch_interrupts", interrupted)
    run, results, printed = fit(run=str(tmp_path / "run"))
    assert results == []
    assert f"--resume {run.directory}" in " ".join(printed.split())
    assert (run.directory / "latest.zip").exists()
    assert not (run.directory / "final.zip").exists()
    monkeypatch.undo()
    _, results, printed = fit(resume=str(run.directory), decisions=500)
    assert "after imitating greedy" in printed  # it had not come to that
    assert len(results) == 2


# ---------------------------------------------------------------------------------------------- clock, curve
def test_the_clock():
    clock = Clock(1000, 0.0)
    assert clock.share == 0
    clock.steps = 400
    assert clock.share == 0.4
    assert not clock.over
    clock.steps = 1000
    assert clock.over
    resumed = Clock(0, 1.0, steps_before=500, seconds_before=45.0)
    assert resumed.steps == 500
    assert 0.75 <= resumed.share < 0.8
    resumed.interrupted = True
    assert resumed.over


def test_the_curve_survives_empty_lines(tmp_path):
    curve = Curve(tmp_path / "curve.jsonl")
    assert curve.rows() == []
    curve.add(5, 1.26, [])
    with curve.path.open("a") as file:
        file.write("\n")
    curve.add(9, 2.0, [])
    assert [(row["steps"], row["seconds"]) for row in curve.rows()] == [(5, 1.3), (9, 2.0)]
