"""A card more in the table of Torres: in a copy of the package it is played in all faces, or refused when it is imported."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LAST = '    Card("encore", "repeats a card that you have already played", follow_up="PLAY"),\n'
FEINT = '    Card("feint", "3 more action points in this turn", ap=3),\n'
GAMES = """
import random
import numpy as np
import gymnasium
import torres_env
from test_observation import check
from torres_compare import compare, equal_arrays, reference_of
from torres_env import TorresBatch, TorresState, torres_v0
from torres_env.actions import ACTIONS

assert torres_env.__file__.startswith(COPY), torres_env.__file__
# Two actions and twice eleven cards come before the cells; two more actions than with ten cards.
assert len(ACTIONS) == 664 and ACTIONS.first("PLAY") == 13 and ACTIONS.first("B") == 24
assert (ACTIONS.text(12), ACTIONS.text(23), ACTIONS.text(24)) == ("PICK feint", "PLAY feint", "B a1")
assert ACTIONS.describe("PLAY feint") == "3 more action points in this turn"
assert all(ACTIONS.parse(ACTIONS.text(number)) == number for number in range(24))
played = again = 0
for num_players, rules in ((2, "standard"), (3, "digest_master"), (4, "master"), (4, "standard")):
    state = TorresState(num_players, rules, seed=num_players)
    naive, chance = reference_of(state, num_players), random.Random(num_players)
    while texts := compare(state, naive):
        wanted = [text for text in ("PLAY feint", "PLAY encore") if text in texts]
        wanted = wanted or [text for text in texts if text.startswith(("BUY", "PICK", "PLAY"))]
        text = chance.choice(sorted(wanted if wanted and chance.random() < 0.7 else texts))
        before, pending = state.position()["ap"], state.position()["pending"]
        state.apply_action(state.string_to_action(text))
        naive.apply(text)
        if text == "PLAY feint" and state.position()["ap"] > 0:
            assert state.position()["ap"] == before + 3
            played += pending is None
            again += pending is not None
        if chance.random() < 0.2:
            for seat in range(num_players):
                check(state, seat)
                other = state.resample_hidden(seat, chance.getrandbits(60))
                assert other.position(seat) == state.position(seat)
                equal_arrays(other.observation(seat), state.observation(seat))
            assert TorresState.from_bytes(state.to_bytes()).position() == state.position()
assert played > 5 and again > 0, (played, again)
batch = TorresBatch(8, 4, "master", opponents="random", illegal="raise")
for _ in range(200):
    batch.step(batch.sample_actions())
assert batch.action_mask.shape == (8, 664)
env = torres_v0.env()
env.reset(seed=1)
assert env.observe("player_0")["action_mask"].shape == (664,)
assert gymnasium.make("torres_env/Torres-v0", opponents="random").action_space.n == 664
print("played")
"""
REFERENCE = (
    ("torres_rules.py", '"recruit", "encore")', '"recruit", "encore", "feint")', 1),
    ("torres.py", 'card in ("ap6", "ap7")', 'card in ("ap6", "ap7", "feint")', 2),
    ("torres.py", '{"ap6": 1, "ap7": 2}', '{"ap6": 1, "ap7": 2, "feint": 3}', 1),
)


def replaced(path: Path, old: str, new: str, times: int = 1) -> None:
    text = path.read_text("utf-8")
    assert text.count(old) == times, f"{path.name} has {old!r} {text.count(old)} times"
    path.write_text(text.replace(old, new), "utf-8")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A folder with a copy of the package, its reference and its tests, which come before the others on the path."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "torres_env", tmp_path / "torres_env", ignore=ignored)
    shutil.copytree(ROOT / "tests" / "reference", tmp_path / "reference", ignore=ignored)
    return tmp_path


def run(copy: Path, code: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(map(str, (copy, ROOT, ROOT / "tests" / "torres_env", ROOT / "tests")))
    return subprocess.run(
        [sys.executable, "-c", f"COPY = {str(copy)!r}\n{code}"],
        capture_output=True, text=True, cwd=copy, env={**os.environ, "PYTHONPATH": path}, check=False, timeout=400,
    )  # fmt: skip


def test_a_card_of_action_points_needs_one_line(copy):
    replaced(copy / "torres_env" / "card_table.py", LAST, LAST + FEINT)
    for name, old, new, times in REFERENCE:
        replaced(copy / "reference" / name, old, new, times)
    done = run(copy, GAMES)
    assert done.returncode == 0 and done.stdout == "played\n", done.stderr


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            '    Card("feint", "3 more action points", ap=3, follow_up="M"),\n',
            "'feint': must have either action points",
        ),
        ('    Card("feint", "nothing"),\n', "'feint': must have either action points"),
        ('    Card("feint", "a knight moves", follow_up="M"),\n', "'feint': the follow-up M has no effect"),
        (
            '    Card("feint", "much", ap=16),\n',
            "action points of the card 'feint': needs 5 bits, but only 4 are available",
        ),
        ("".join(FEINT.replace("feint", f"feint{i}") for i in range(6)), "needs 16 nibbles, but only 15 are available"),
        ("".join(FEINT.replace("feint", f"feint{i}") for i in range(5)), "cleared by one store: needs 66 bytes"),
        (FEINT * 2, "action card 'feint': is in the table twice"),
    ],
)
def test_what_can_not_be_played_is_refused_in_one_line(copy, lines, message):
    replaced(copy / "torres_env" / "card_table.py", LAST, LAST + lines)
    done = run(copy, "import torres_env.game")
    assert done.returncode == 1 and message in done.stderr.splitlines()[-1], done.stderr
