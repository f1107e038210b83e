"""The kit (tower_core.testing): every game passes it, and each check finds what it is for."""

from __future__ import annotations

import importlib
import json
import pickle
import pickletools
import random
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tower_core.registry import get_game
from tower_core.testing import CHECKS, CheckFailed, Setup, check_game, run_check, setups_of
from tower_core.testing.agreement import faces_of, trace

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path += [str(HERE / folder) for folder in ("dice", "faulty")]


@pytest.fixture(scope="session", autouse=True)
def connect_four(tmp_path_factory):
    """The example, installed as anybody would: pip builds a wheel from a copy of its folder and unpacks it."""
    source, target = tmp_path_factory.mktemp("source") / "connect_four", tmp_path_factory.mktemp("site")
    shutil.copytree(ROOT / "examples" / "connect_four", source)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*command, "--target", str(target), str(source)], check=True)
    sys.path.append(str(target))
    return target


# Every preset and every number of players; the golden games and the references have their combinations.
SETUPS = [
    Setup(get_game(name), players, get_game(name).resolve_rules(rules))
    for name, players, rules in (
        ("torres", 2, "standard"), ("torres", 3, "classic"), ("torres", 2, "digest"), ("torres", 3, "digest_master"),
        ("torres", 4, "master"), ("market", 2, "base"), ("market", 2, "advanced"), ("market", 3, "apprentices"),
        ("market", 3, "guard"), ("market", 2, "full:npc=true"), ("market", 4, "full"), ("market", 1, "solo"),
        ("dice_run", 1, "standard"), ("dice_run", 1, "long"), ("faulty_calls", 2, "sound"),
    )
]  # fmt: skip


@pytest.mark.parametrize("name", ["torres", "market", "dice_run"])
def test_no_preset_and_no_number_of_players_is_left_out(name):
    game = get_game(name)
    setups = [setup for setup in SETUPS if setup.game is game]
    assert all(game.resolve_rules(preset) in [setup.rules for setup in setups] for preset in game.presets)
    assert {setup.players for setup in setups} == set(game.seats)


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_a_game_passes(setup, check):
    run_check(check, setup)


def drawn(name, seed):
    """Rules drawn at random; of the market game with a component set of its own."""
    sys.path[:0] = [str(ROOT / "tests" / f"{name}_env")]
    compare, chance = importlib.import_module(f"{name}_compare"), random.Random(seed)
    if name == "torres":
        return Setup(get_game(name), 2 + seed, compare.random_rules(chance, 2 + seed))
    return Setup(get_game(name), *compare.random_rules(chance, compare.random_components(chance)))


@pytest.mark.parametrize("check", ["memory", "copies", "positions", "hidden information"])
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", ["torres", "market"])
def test_drawn_rules_pass(name, seed, check):
    run_check(check, drawn(name, seed))


def test_the_example_passes():
    check_game(get_game("connect_four"))


FAULTS = [
    ("past the row", "memory", r"observe writes up to 3 bytes past its end"),
    ("gap in the row", "memory", r"observe leaves byte 4 of its row unwritten"),
    ("above high", "memory", r"observe: numbers\[1\] is above its block's high"),
    ("past the record", "memory", r"apply writes up to \d+ bytes past its end"),
    ("bit beyond", "memory", r"legal: a bit beyond the last action is set"),
    ("nothing legal", "memory", r"player_1 is to move and no action is legal"),
    ("same seat", "memory", r"to_move is 2, which is neither a seat nor -4"),
    ("legal after refresh", "positions", r"from_position\(position\(\)\): legal_actions\(\) differs"),
    ("derived", "positions", r"refresh computes a different odd than play"),
    ("seen", "hidden information", r"resample_hidden\(0\) changes observation\(0\)"),
    ("own secret", "hidden information", r"resample_hidden\(0\) changes observation\(0\), position\(0\)"),
    ("stream", "hidden information", r"resample_hidden\(0\) keeps the random stream"),
    ("reward", "turns and returns", r"terminal_reward of seat 0 is -?1.0, but returns\(\) give -?1.0"),
    ("position", "hidden information", r"resample_hidden\(0\) changes position\(0\)"),
    ("svg", "drawing", r"to_svg\(\) is no XML: mismatched tag"),
    ("crash", "foreign positions", r"IndexError instead of a ValueError"),
    ("mutates", "foreign positions", r"from_position\(\) changes the dict that it is given"),
]


@pytest.mark.parametrize(("fault", "check", "finding"), FAULTS)
def test_a_fault_is_found_and_named(fault, check, finding):
    game = get_game("faulty_calls")
    with pytest.raises(CheckFailed, match=f"^faulty_calls, 2 players, rules {fault}: {check}: .*{finding}") as caught:
        run_check(check, Setup(game, 2, game.resolve_rules(fault)))
    assert len(str(caught.value).splitlines()) == 1


def test_every_fault_is_tried():
    assert {fault for fault, _, _ in FAULTS} | {"sound"} == set(get_game("faulty_calls").presets)


def test_the_kit_needs_no_test_runner(child):
    code = """
import builtins, sys
def refuse(name, *rest, real=builtins.__import__):
    if name.split(".")[0] in ("pytest", "hypothesis", "torch", "stable_baselines3", "resvg_py", "PIL"):
        raise ModuleNotFoundError(name, name=name)
    return real(name, *rest)
builtins.__import__ = refuse
sys.path.append(sys.argv[1])
from tower_core.registry import get_game
from tower_core.testing import check_game, setups_of
check_game(get_game("dice_run"), setups_of(get_game("dice_run"))[:1])
print("passed")
"""
    done = child(code, str(HERE / "dice"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["passed"]


# ---------------------------------------------------------------------------------------------- pickles
CHILD = """
import json, pickle, sys
sys.path += {path!r}
from tower_core.testing.agreement import trace
with open(sys.argv[1], "rb") as file:
    faces = pickle.load(file)
print(json.dumps({{name: trace(face, 100, 2) for name, face in faces.items()}}))
"""


@pytest.mark.parametrize("name", ["torres", "market"])
def test_pickles_play_on_in_another_process(name, child, tmp_path):
    game = get_game(name)
    faces = faces_of(setups_of(game)[0])
    file = tmp_path / "faces.pickle"
    file.write_bytes(pickle.dumps(faces))
    done = child(CHILD.format(path=[path for path in sys.path if path]), str(file))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {kind: trace(face, 100, 2) for kind, face in faces.items()}


def test_traces_tell_games_apart():
    setup = setups_of(get_game("dice_run"))[0]
    assert trace(faces_of(setup)["Env"], 60, 2) != trace(faces_of(setup)["Env"], 60, 3)


@pytest.mark.parametrize("name", ["torres", "market", "dice_run"])
def test_pickle_runs_nothing_but_from_bytes(name):
    """A pickled state names one function and holds bytes."""
    state = get_game(name).state_class()(seed=1)
    named = [argument for opcode, argument, _ in pickletools.genops(pickle.dumps(state, 2)) if opcode.name == "GLOBAL"]
    assert all(one.split()[0] in (type(state).__module__, "builtins", "__builtin__", "_codecs") for one in named), named


# ---------------------------------------------------------------------------------------------- rows of a batch
@pytest.mark.parametrize("name", ["connect_four", "dice_run", "torres"])
def test_a_batch_stays_in_its_rows(name):
    """Masks of 7, 2 and 662 bytes, observations of 84, 5 and 1,356: nothing is written around the arrays."""
    game = get_game(name)
    batch = game.batch_class()(5, seed=1, opponents="random")
    kept = {}
    for array in ("action_mask", "observation", "final_observation"):
        old = getattr(batch, array)
        whole = np.full(old.size + 2 * 256, 0xA5, np.uint8)
        kept[array] = whole
        setattr(batch, array, whole[256 : 256 + old.size].reshape(old.shape))
    batch._connect()
    batch.random_play(400)
    assert batch.slots["episode"].any()
    for array, whole in kept.items():
        assert (whole[:256] == 0xA5).all(), array
        assert (whole[-256:] == 0xA5).all(), array
    assert set(np.unique(batch.action_mask)) <= {0, 1}
