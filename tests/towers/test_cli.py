"""The command ``towers``: help, information, and one line with exit status 2 for every mistake of the user's."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from tower_core.registry import get_game
from towers import __version__
from towers.cli import app, run
from train.config import TrainArgs

COMMANDS = [
    "info",
    "train",
    "evaluate",
    "export",
    "compare",
    "arena",
    "bench",
    "replay",
    "serve",
    "play",
    "leaderboard",
]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Nothing that a command writes by default lands in the tree."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TOWERS_TRACEBACK", raising=False)


# ---------------------------------------------------------------------------------------------- help, info
@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_each_command(command, capsys):
    assert run([command, "--help"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert f"towers {command}" in out
    assert len(out.split()) > 10


def test_help_names_the_commands(capsys):
    for arguments in ([], ["--help"], ["-h"]):
        assert run(arguments) == 0
        out, err = capsys.readouterr()
        assert err == ""
        assert all(command in out for command in COMMANDS)


def test_every_command_is_tested():
    names = {name for name in app.resolved_commands() if not name.startswith("-")}
    assert set(COMMANDS) <= names


def test_help_of_train_tells_every_setting(capsys):
    run(["train", "--help"])
    out = capsys.readouterr().out
    for field in fields(TrainArgs):
        assert f"--{field.name.replace('_', '-')}" in out


def test_version(capsys):
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.strip() == __version__


def test_info(capsys):
    assert run(["info"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    for part in (
        "torres",
        "standard (default)",
        "digest_master",
        "662",
        "18×8×8",
        "torres_env/Torres-v0",
        "2–4",
        "outcome",
    ):
        assert part in out
    for part in ("torres-2p-v0", "market-full-4p-v0"):
        assert part in out
    for part in ("random", "passive", "greedy", "numba", "gymnasium", "towers"):
        assert part in out
    assert max(map(len, out.splitlines())) <= 80
    assert "…" not in out


@pytest.mark.parametrize("game", ["torres", "market"])
def test_info_of_a_game(game, capsys):
    """Every option, preset, verb and block of the observation, in lines of 80 signs; and the same as Markdown."""
    described = get_game(game)
    wanted = [field.name for field in fields(described.rules)] + list(described.presets)
    wanted += [verb.name for verb in described.actions.verbs]
    wanted += [block.name for part in described.observation for block in part.layout]
    assert run(["info", game]) == 0
    lines = capsys.readouterr().out.splitlines()
    words = {word.strip(":") for line in lines for word in line.split()}
    assert [name for name in wanted if name not in words] == []
    assert max(map(len, lines)) <= 80
    assert run(["info", game, "--markdown"]) == 0
    page = capsys.readouterr().out
    assert page.startswith(f"# {described.title}\n")
    assert [name for name in wanted if f"`{name}" not in page] == []


def test_info_of_a_benchmark(capsys):
    assert run(["info", "market-full-3p-v0"]) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    words = " ".join(out.split())
    assert "anchors random, passive, greedy, planner" in words
    assert "win rate against planner on the test seeds; one copy against 2, equal players win 33.3 %" in words
    assert (
        "test seeds 500 from 20000000" in words and "300 per pairing" in words and "rules full: advanced=True" in words
    )


# ---------------------------------------------------------------------------------------------- mistakes
MISTAKES = [
    (["nothing"], "nothing"),
    (["--nothing"], "--nothing"),
    (["info", "more"], "torres, or a benchmark such as market-2p-v0"),
    (["info", "--markdown"], "--markdown is for one game"),
    (["info", "torres-2p-v0", "--markdown"], "--markdown is for one game"),
    (["info", "torres", "more"], "more"),
    (["train"], "GAME"),
    (["train", "chess"], "unknown game 'chess'"),
    (["train", "torres\nchess"], "unknown game"),
    (["train", "torres", "--stepz", "3"], "--stepz"),
    (["train", "torres", "--decisions"], "--decisions"),
    (["train", "torres", "--decisions", "many"], "--decisions"),
    (["train", "torres", "--decisions", "-1"], "--decisions: must be an integer of at least 0"),
    (["train", "torres", "--minutes", "0"], "never end"),
    (["train", "torres", "--minutes", "nan"], "--minutes"),
    (["train", "torres", "--players", "9"], "num_players"),
    (["train", "torres", "--players", "two"], "--players"),
    (["train", "torres", "--rules", "chess"], "unknown preset 'chess'"),
    (["train", "torres", "--seed", "-1"], "--seed"),
    (["train", "torres", "--seed", "99999999999999999999"], "--seed"),
    (["train", "torres", "--seat", "7"], "--seat"),
    (["train", "torres", "--reward", "points"], "unknown reward 'points'"),
    (["train", "torres", "--opponents", "queen"], "unknown player 'queen'"),
    (["train", "torres", "--opponents", "random:0"], "weight"),
    (["train", "torres", "--opponents", "greedy:depth=2"], "greedy:depth=2"),
    (["train", "torres", "--against", "queen"], "unknown player 'queen'"),
    (["train", "torres", "--imitate", "queen"], "unknown player 'queen'"),
    (["train", "torres", "--width", "100000"], "--width"),
    (["train", "torres", "--envs", "0"], "--envs"),
    (["train", "torres", "--gamma", "2"], "--gamma"),
    (["train", "torres", "--resume", "nowhere"], "nowhere"),
    (["train", "torres", "--engine", "ray"], "--engine must be 'sb3' or 'rllib', not 'ray'"),
    (["train", "torres", "--num-workers", "3"], "--num-workers needs --engine rllib"),
    (["train", "torres", "--address", "auto"], "--address needs --engine rllib"),
    (["train", "torres", "--run", "/proc/nowhere/run", "--decisions", "9"], "/proc/nowhere"),
    (["train", "torres", "--run", "a\0b", "--decisions", "9"], "null"),
    (["evaluate"], "CHECKPOINT"),
    (["evaluate", "nowhere"], "there is no checkpoint nowhere"),
    (["evaluate", "a\nb"], "there is no checkpoint"),
    (["evaluate", "."], "holds no checkpoint"),
    (["evaluate", "/dev/null"], "/dev/null"),
    (["evaluate", "no.zip"], "not a checkpoint of towers"),
    (["evaluate", "no.zip", "--games", "0"], "--games must be at least 1"),
    (["evaluate", "no.zip", "--games", "all"], "--games"),
    (["evaluate", "no.zip", "--seed-set", "all"], "--seed-set must be one of development, test"),
    (["evaluate", "no.zip", "more"], "more"),
    (["arena"], "and players, or give --benchmark"),
    (["arena", "chess", "greedy"], "unknown game 'chess'"),
    (["arena", "torres"], "name the players"),
    (["arena", "torres", "greedy"], "needs an opponent"),
    (["arena", "torres", "greedy", "queen"], "unknown player 'queen'"),
    (["arena", "torres", "greedy", "greedy:depth=2"], "no option 'depth'"),
    (["arena", "torres", "greedy", "greedy:="], "key=value"),
    (["arena", "torres", "greedy", "checkpoint:nowhere"], "there is no checkpoint nowhere"),
    (["arena", "torres", "greedy", "random", "--anchor", "queen"], "unknown player 'queen'"),
    (["arena", "torres", "greedy", "random", "--players", "7"], "num_players"),
    (["arena", "torres", "greedy", "random", "--players", "1"], "at least 2 players"),
    (["arena", "market", "greedy", "random", "--rules", "solo"], "at least 2 players"),
    (["arena", "torres", "greedy", "random", "--rules", "chess"], "unknown preset"),
    (["arena", "torres", "greedy", "random", "--rules", "{"], "rules must be a dict such as"),
    (["arena", "torres", "greedy", "random", "--games", "0"], "games must be at least 1"),
    (["arena", "torres", "greedy", "random", "--timeout", "0"], "timeout"),
    (
        ["arena", "torres", "greedy", "random", "--isolate", "--jobs", "0"],
        "isolated players need processes of their own",
    ),
    (["arena", "torres", "greedy", "random", "--isolate", "--memory-limit", "0"], "--memory-limit must be from 0.1"),
    (["leaderboard", "check"], "name an entry"),
    (["arena", "torres", "greedy", "random", "--jobs", "-1"], "--jobs must be at least 0"),
    (["arena", "torres", "greedy", "random", "--seed", "-1"], "first seed must be from 0"),
    (["arena", "torres", "greedy", "random", "--seed-set", "all"], "--seed-set must be one of development, test"),
    (["arena", "torres", "greedy", "random", "--out", "no.zip"], "no.zip is not a results file"),
    (["arena", "torres", "greedy", "random", "--out", "."], "Is a directory"),
    (["arena", "torres", "greedy", "random", "--sprt", "20"], "sprt must be elo0,elo1 such as 0,20"),
    (["arena", "torres", "greedy", "random", "--sprt", "20,0"], "elo0 must be below elo1"),
    (["arena", "torres", "greedy", "random", "passive", "--sprt", "0,20"], "is of one pair of players"),
    (["arena", "torres", "greedy", "random", "--players", "3", "--sprt", "0,20"], "is of one pair of players"),
    (["arena", "torres", "greedy", "random", "--cpu-per-turn", "1ms"], "no player takes a budget of CPU time"),
    (["arena", "--benchmark", "torres-2p-v0", "--sprt", "0,20"], "a benchmark has a fixed number of games"),
    (["arena", "--benchmark", "chess-v0"], "unknown benchmark 'chess-v0'"),
    (["arena", "--benchmark", "torres-2p-v0", "--rules", "master"], "--rules is set by the benchmark"),
    (["arena", "--benchmark", "torres-2p-v0", "torres", "greedy"], "the benchmark sets the game: leave out 'torres'"),
    (["arena", "--benchmark", "torres-2p-v0", "--games", "3000"], "games must be at most 1000 per pairing"),
    (["bench"], "GAME"),
    (["bench", "chess"], "unknown game 'chess'"),
    (["bench", "torres", "--seconds", "0"], "--seconds"),
    (["bench", "torres", "--seconds", "-1"], "--seconds"),
    (["bench", "torres", "--seconds", "nan"], "--seconds"),
    (["bench", "torres", "--seconds", "soon"], "--seconds"),
    (["bench", "torres", "more"], "more"),
]


@pytest.mark.parametrize(("arguments", "told"), MISTAKES, ids=[" ".join(a).replace("\0", "0") for a, _ in MISTAKES])
def test_mistakes_are_one_line(arguments, told, capsys):
    Path("no.zip").write_text("no zip")
    assert run(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("towers: ")
    assert err.endswith("\n")
    assert err.count("\n") == 1
    assert told in err
    assert len(err) < 300
    assert sorted(os.listdir()) == ["no.zip"], "something was written"


def test_a_run_that_is_there_already(capsys):
    Path("here").mkdir()
    Path("here/args.json").write_text("{}")
    assert run(["train", "torres", "--run", "here", "--decisions", "9"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "towers: here already holds a run: choose another --run, or --resume it\n"


def test_what_is_missing_is_named(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "sb3_contrib", None)
    assert run(["train", "torres"]) == 2
    assert "training needs sb3_contrib: pip install 'tower-games-rl[train]'" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert run(["arena", "torres", "greedy", "random"]) == 2
    assert "the arena needs matplotlib: pip install 'tower-games-rl[arena]'" in capsys.readouterr().err


@pytest.mark.parametrize("how", ["asked", "resumed"])
def test_rllib_that_is_not_installed(how, monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(sys.modules, "ray", None)
    (tmp_path / "args.json").write_text(TrainArgs(engine="rllib").to_json())
    options = ["--engine", "rllib"] if how == "asked" else ["--resume", str(tmp_path)]
    assert run(["train", "torres", *options]) == 2
    error = capsys.readouterr().err
    assert "--engine rllib needs ray" in error
    assert "make rllib, then .venv-rllib/bin/towers train" in error
    assert error.count("\n") == 1


def test_ctrl_c(monkeypatch, capsys):
    def stop(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("towers.bench.measure", stop)
    assert run(["bench", "torres"]) == 2
    assert capsys.readouterr().err == "towers: stopped\n"


def test_too_little_memory(monkeypatch, capsys):
    def fill(*args, **kwargs):
        raise MemoryError

    monkeypatch.setattr("towers.bench.measure", fill)
    assert run(["bench", "torres"]) == 2
    assert "memory" in capsys.readouterr().err


def test_defects_are_not_hidden(monkeypatch):
    """A line is for mistakes of the user's; ours keep their traceback."""

    def fail(*args, **kwargs):
        raise ZeroDivisionError("a defect")

    monkeypatch.setattr("towers.bench.measure", fail)
    with pytest.raises(ZeroDivisionError):
        run(["bench", "torres"])
    monkeypatch.setenv("TOWERS_TRACEBACK", "1")
    with pytest.raises(ValueError, match="chess"):
        run(["train", "chess"])


@pytest.mark.parametrize(
    "entry", ["from towers.__main__ import main; main()", "import runpy; runpy.run_module('towers')"]
)
def test_the_program(child, entry):
    """Exit status and streams of the real thing."""
    code = f"import sys; sys.argv = ['towers', *sys.argv[1:]]; {entry}"
    if "runpy" in entry:
        code = code.replace("run_module('towers')", "run_module('towers', run_name='__main__')")
    done = child(code, "bench", "chess")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "towers: unknown game 'chess': choose one of market, torres\n"
    done = child(code, "--help")
    assert done.returncode == 0
    assert "train" in done.stdout


def test_without_the_libraries_of_the_command_line(child):
    code = "import sys; sys.modules['cyclopts'] = None; from towers.__main__ import main; main()"
    done = child(code)
    assert done.returncode == 2
    assert done.stderr == "towers: the command line needs cyclopts: pip install 'tower-games-rl[cli]'\n"


def test_help_is_quick(child):
    """It loads neither the compiler nor the networks."""
    code = "import sys; from towers.cli import run; run(['--help']); print([m for m in ('torch', 'numba') if m in sys.modules])"
    assert child(code).stdout.splitlines()[-1] == "[]"


# ---------------------------------------------------------------------------------------------- work
TRAIN = "train torres --decisions 300 --minutes 0 --envs 16 --rollout 8 --width 2 --blocks 0 --batch-size 64 --epochs 1"
TRAIN += " --threads 1 --evaluate-games 2 --final-games 4 --against random --opponents passive --run mine"


def test_train_and_evaluate(capsys):
    assert run(TRAIN.split()) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "run directory: mine" in out
    assert "win rate" in out
    assert Path("mine/curve.png").stat().st_size > 1000
    assert run(["evaluate", "mine", "--against", "random, passive", "--games", "6", "--seed", "3"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "95 % interval" in out and "final.zip, seeds from 3" in out
    assert run(["evaluate", "mine", "--against", "random", "--games", "2"]) == 0
    assert "final.zip, development seeds" in capsys.readouterr().out
    assert run(["evaluate", "mine", "--against", "random", "--games", "2", "--seed-set", "test"]) == 0
    assert "final.zip, test seeds" in capsys.readouterr().out
    assert [line.split()[0] for line in out.splitlines()[2:] if line] == ["random", "passive"]
    for arguments, told in (
        (["--players", "3"], "trained for 2 players, not 3"),
        (["--rules", "classic"], "other rules: doors, draw_choice"),
        (["--rules", "chess"], "unknown preset"),
        (["--against", "queen"], "unknown player 'queen'"),
        (["--against", ","], "unknown player ''"),
    ):
        assert run(["evaluate", "mine", *arguments]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert told in err
    assert run(["arena", "torres", "checkpoint:mine", "random", "--games", "2", "--jobs", "0", "--out", "a.jsonl"]) == 0
    assert "checkpoint:mine" in capsys.readouterr().out
    assert "fault" not in Path("a.jsonl").read_text()
    assert run(["train", "torres", "--resume", "mine", "--players", "3"]) == 2
    assert "another --players" in capsys.readouterr().err
    assert run(["train", "torres", "--resume", "mine", "--decisions", "600", "--minutes", "0"]) == 0
    assert "final.zip" in capsys.readouterr().out


def test_seeds_one_after_the_other(capsys):
    assert run([*TRAIN.replace("mine", "runs/mine").split(), "--seeds", "2", "--seed", "5"]) == 0
    out, err = capsys.readouterr()
    assert err == "" and out.count("run directory: runs/mine-seed") == 2
    assert "mean over seeds" in out and "runs/mine-seeds.png" in out
    assert {path.name for path in Path("runs").iterdir()} == {"mine-seed5", "mine-seed6", "mine-seeds.png"}
    assert json.loads(Path("runs/mine-seed6/args.json").read_text())["seed"] == 6
    assert run(["train", "torres", "--resume", "runs/mine-seed5", "--seeds", "2"]) == 2
    assert "resume each run on its own" in capsys.readouterr().err


def test_arena(capsys):
    """Beginning, going on with more, a picture and Markdown; then a checkpoint among the players."""
    command = ["arena", "torres", "greedy", "random", "--jobs", "0", "--out", "mine/games.jsonl"]
    assert run([*command, "--games", "4", "--markdown", "mine.md"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    for part in ("greedy – random", "win rate", "points a game", "results: mine/games.jsonl", "within this table only"):
        assert part in out
    assert out.startswith("Torres, 2 players, standard, development seeds, towers ") and "cite: " not in out
    assert "Torres, 2 players, standard: 4 games, development seeds" in Path("mine.md").read_text("utf-8")
    assert Path("mine/games.png").read_bytes().startswith(b"\x89PNG")
    before = Path("mine/games.jsonl").read_text()
    assert run([*command, "--games", "6", "--no-record"]) == 0
    head, *lines = map(json.loads, Path("mine/games.jsonl").read_text().splitlines())
    assert ["actions" in line for line in lines] == [True] * 4 + [False] * 2
    assert Path("mine/games.jsonl").read_text().startswith(before) and head["version"] == __version__
    assert run([*command, "--rules", "master"]) == 2
    assert "holds games with other rules" in capsys.readouterr().err
    assert sorted(os.listdir()) == ["mine", "mine.md"]


def test_arena_on_a_benchmark(capsys):
    assert run(["arena", "--benchmark", "market-2p-v0", "greedy", "--games", "2", "--jobs", "0"]) == 0
    out = capsys.readouterr().out
    assert "greedy – passive" in out
    reasons = "development seeds instead of test seeds, 2 games per pairing instead of 400"
    assert out.startswith("market-2p-v0, development seeds, towers ") and f"\nunofficial: {reasons}\n" in out
    assert "\nunofficial: greedy wins " in out and "cite: " not in out
    (results,) = Path("runs/arena").glob("market-*.jsonl")
    seeds = {json.loads(line)["seed"] for line in results.read_text().splitlines()[1:]}
    assert seeds == {10_000_000}
    assert (
        run(["arena", "--benchmark", "market-2p-v0", "--seed-set", "test", "--games", "2", "--jobs", "0", "--out", "t"])
        == 0
    )
    assert "passive – random" not in capsys.readouterr().out
    assert {json.loads(line)["seed"] for line in Path("t").read_text().splitlines()[1:]} == {20_000_000}


def test_arena_until_decided_and_over_budgets(capsys):
    assert run(["arena", "torres", "greedy", "random", "--sprt", "0,100", "--jobs", "0", "--out", "a.jsonl"]) == 0
    assert "accepted H1: the Elo difference of greedy from random is above 0 (" in " ".join(
        capsys.readouterr().out.split()
    )
    command = (
        "arena torres planner --anchor greedy --cpu-per-turn 2ms,4ms --games 2 --jobs 0 --out b.jsonl --markdown b.md"
    )
    assert run(command.split()) == 0
    out = capsys.readouterr().out
    assert "budget kept" in out and "Elo differences from greedy with its own budget" in " ".join(out.split())
    text = Path("b.md").read_text("utf-8")
    assert text.count("| budget kept |") == 2 and "| planner | 2 ms |" in text
    assert Path("b.png").read_bytes().startswith(b"\x89PNG")


def test_arena_stopped(monkeypatch, capsys):
    from train.arena import run as arena_run

    play = arena_run.play_all

    def play_two(*arguments):
        games = play(*arguments)
        yield next(games)
        yield next(games)
        raise KeyboardInterrupt

    monkeypatch.setattr(arena_run, "play_all", play_two)
    assert run(["arena", "torres", "greedy", "random", "--games", "10", "--jobs", "0", "--out", "a.jsonl"]) == 2
    out, err = capsys.readouterr()
    assert "greedy – random" in out
    assert err == "towers: stopped after 2 games; to resume, repeat the command with --out a.jsonl\n"


KEYS = {
    "game", "cores", "rules", "players", "bytes_per_game", "random_play", "python_loop", "cartpole_sync64", "times_cartpole",
    "tictactoe_aec", "aec_raw_env", "aec_env", "gymnasium_env", "cold_compile_cpu_s", "warm_start_s",
}  # fmt: skip


def test_bench(capsys, third_game):
    """Slow: it compiles a game from nothing, in a process of its own."""
    assert run(["bench", "race", "--json", "--seconds", "0.05"]) == 0
    out, err = capsys.readouterr()
    figures = json.loads(out)
    assert err == ""
    assert KEYS <= figures.keys() <= KEYS | {"two_threads"}
    assert figures["game"] == "race"
    for name in ("random_play", "python_loop"):
        assert list(figures[name]) == ["1", "64", "256", "1024"]
        assert all(rate > 1000 for rate in figures[name].values())
    assert figures["bytes_per_game"] % 64 == 0
    assert figures["times_cartpole"] == pytest.approx(
        max(rate for n, rate in figures["random_play"].items() if n != "1") / figures["cartpole_sync64"]
    )
    assert figures["cold_compile_cpu_s"] > 1
    assert 0 < figures["warm_start_s"] < 60


def test_bench_tables(monkeypatch, capsys):
    figures = dict.fromkeys(KEYS, 2.0) | {"game": "torres", "rules": "standard", "players": 2, "bytes_per_game": 1728}
    figures |= {name: {1: 1e6, 64: 2e6} for name in ("random_play", "python_loop")}
    monkeypatch.setattr("towers.bench.measure", lambda *args, **kwargs: figures)
    assert run(["bench", "torres"]) == 0
    out = capsys.readouterr().out
    assert "CartPole" in out
    assert "1,728" in out


def test_the_installed_script():
    script = Path(sys.executable).with_name("towers")
    done = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == __version__
