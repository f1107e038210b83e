"""The share of the long comparison that every test run plays: at least 200,000 moves, every rule, every kind of game."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz import SHARE
from torres_env.rules import PRESETS

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def results():
    """Both games at once, each in a process of its own."""
    processes = {}
    for game, moves in SHARE.items():
        command = [
            sys.executable,
            "-m",
            "tests.fuzz",
            game,
            "--moves",
            str(moves),
            "--seconds",
            "3000",
            "--seed",
            "0",
        ]
        processes[game] = subprocess.Popen(
            [*command, "--json"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
    ends = {game: process.communicate() for game, process in processes.items()}
    for game, (_, err) in ends.items():
        assert processes[game].returncode in (0, 1), err
    return {game: json.loads(out) | {"told": err} for game, (out, err) in ends.items()}


def test_no_disagreement(results):
    for game, result in results.items():
        assert result["disagreements"] == 0, result["told"]
        assert result["moves"][game] >= SHARE[game]
    assert sum(result["moves"][game] for game, result in results.items()) >= 200_000


@pytest.mark.parametrize("game", SHARE)
def test_every_sentence_of_the_rules_was_exercised(results, game):
    counts = results[game]["seen"][game]
    assert len(counts) > 90
    assert [label for label, count in counts.items() if not count] == []


def test_every_preset_of_torres_and_number_of_players(results):
    wanted = {f"{preset}, {n} players" for preset in (*PRESETS, "drawn rules") for n in (2, 3, 4)}
    assert wanted - results["torres"]["kinds"]["torres"].keys() == set()


def test_every_combination_of_flags_of_the_market_game_and_number_of_players(results):
    flags = ("advanced", "apprentices", "guard", "npc")
    wanted = set()
    for on in itertools.product((False, True), repeat=4):
        names = "+".join(flag for flag, there in zip(flags, on, strict=True) if there) or "base"
        wanted |= {f"{names}, {n} players" for n in ((1, 2, 3) if on[-1] else (2, 3, 4))}
    assert wanted - results["market"]["kinds"]["market"].keys() == set()
