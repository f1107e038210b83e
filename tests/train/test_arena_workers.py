"""Games in processes: players that hang, die, fail or cheat lose their games, and the arena goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from distributions import write_distribution

from train.arena import ArenaSettings, run_arena
from train.arena.schedule import Match
from train.arena.workers import play_all

ROOT = Path(__file__).resolve().parents[2]
# What a player of an arena may do wrong, all of it at its third action.
MISCHIEF = """
import fcntl
import os
import socket
import stat
import subprocess
import time


class Mischief:
    name, native = "mischief", None

    def __init__(self, game, seed=0, how="play"):
        self.how, self.asked = how, 0

    def act(self, state):
        self.asked += 1
        if self.asked == 3:
            if self.how == "hang":
                while True:
                    time.sleep(1)
            if self.how == "die":
                os._exit(7)
            if self.how == "fail":
                raise RuntimeError("no idea")
            if self.how == "cheat":
                return 661
            if self.how == "write":
                open("written", "w")
            if self.how == "allocate":
                bytearray(10**10)
            if self.how == "connect":
                socket.create_connection(("127.0.0.1", 9))
            if self.how == "fork":
                os.fork()
            if self.how == "run":
                subprocess.run(["true"])
            if self.how == "kill":
                os.kill(os.getppid(), 9)
            if self.how == "own":  # a file whose signals go to the arena
                fcntl.fcntl(0, fcntl.F_SETOWN, os.getppid())
            if self.how == "forge":  # a message to the arena
                for number in range(3, 64):
                    try:
                        if stat.S_ISSOCK(os.fstat(number).st_mode):
                            os.write(number, b"\\0\\0\\0\\5hello")
                    except OSError:
                        pass
        return state.legal_actions()[0]
"""


@pytest.fixture
def mischief(tmp_path, monkeypatch):
    """The player ``mischief:how=…`` is installed, here and in processes begun here."""
    write_distribution(tmp_path / "packages", "mischief", "[towers.players]\nmischief = mischief:Mischief\n", MISCHIEF)
    monkeypatch.syspath_prepend(tmp_path / "packages")


def test_processes_play_the_same_games_as_this_one(mischief):
    settings = ArenaSettings("torres", ("random", "greedy", "mischief"), games=2)
    here, there = run_arena(settings, jobs=0), run_arena(settings, jobs=2)
    assert here.games == there.games == 6
    for label, entrant in here.entrants.items():
        other = there.entrants[label]
        assert (entrant.wins, entrant.points, entrant.moves) == (other.wins, other.points, other.moves)
        assert entrant.rating == other.rating
    assert here.pairings == there.pairings


def test_every_fault_is_survived(mischief):
    """In one process after another, each replaced where it had to be ended."""
    hang, die, fail, cheat = (f"mischief:how={how}" for how in ("hang", "die", "fail", "cheat"))
    settings = ArenaSettings("torres", (hang, die, fail, cheat, "passive"), timeout=3.0)
    lost = [((hang, "passive"), 0, "timeout", "no answer in time"), (("passive", die), 1, "died", "exit status 7")]
    lost += [((fail, "passive"), 0, "error", "RuntimeError: no"), (("passive", cheat), 1, "illegal", "")]
    matches = [Match(3, seats) for seats, *_ in lost] + [Match(3, ("passive", "passive"))]
    *outcomes, last = play_all(settings, matches, 1)
    for outcome, (seats, seat, kind, message) in zip(outcomes, lost, strict=True):
        assert outcome.seats == list(seats)
        assert (outcome.fault.seat, outcome.fault.kind) == (seat, kind)
        assert message in outcome.fault.message
        assert outcome.places[seat] == 2
        assert outcome.places[1 - seat] == 1
    assert last.fault is None


def test_isolated_players(mischief, tmp_path, monkeypatch):
    """What they do to the machine is refused, and loses the game."""
    monkeypatch.chdir(tmp_path)
    lost = {
        "write": ("error", "PermissionError: [Errno 13] Permission denied: 'written'"),
        "connect": ("error", "OSError: [Errno 100] Network is down"),
        "fork": ("error", "PermissionError: [Errno 1] Operation not permitted"),
        "run": ("error", "PermissionError: [Errno 1] Operation not permitted"),
        "kill": ("error", "PermissionError: [Errno 1] Operation not permitted"),
        "own": ("error", "PermissionError: [Errno 1] Operation not permitted"),
        "allocate": ("error", "MemoryError"),
        "play": None,
        "forge": ("died", "its process ended with exit status -9"),
    }
    settings = ArenaSettings("torres", (*(f"mischief:how={how}" for how in lost), "greedy"))
    matches = [Match(3, (f"mischief:how={how}", "greedy")) for how in lost]
    outcomes = play_all(settings, matches, 1, memory=2 * 10**9)
    faults = [outcome.fault and (outcome.fault.kind, outcome.fault.message) for outcome in outcomes]
    assert dict(zip(lost, faults, strict=True)) == lost
    (tmp_path / "my.py").write_text("open('written', 'w')\nclass My: ...\n")
    with pytest.raises(ValueError, match="my.py can't be imported: PermissionError"):
        run_arena(ArenaSettings("torres", ("my.py:My", "greedy")), jobs=1, memory=2 * 10**9)
    assert not (tmp_path / "written").exists()


def test_players_are_made_before_any_game(tmp_path, monkeypatch):
    source = "def broken(game, seed, missing='weights'):\n    raise FileNotFoundError(missing)\n"
    write_distribution(tmp_path / "packages", "broken", "[towers.players]\nbroken = broken:broken\n", source)
    monkeypatch.syspath_prepend(tmp_path / "packages")
    with pytest.raises(ValueError, match="player 'broken' can't be made: FileNotFoundError: weights"):
        run_arena(ArenaSettings("torres", ("greedy", "broken")), tmp_path / "games.jsonl", jobs=1)
    assert not (tmp_path / "games.jsonl").exists()


def test_a_defect_is_told(monkeypatch, mischief):
    """A process that can't play at all is no player's loss."""
    settings = ArenaSettings("torres", ("mischief", "greedy"), games=2)
    monkeypatch.undo()  # the processes don't find the player any more
    with pytest.raises(RuntimeError, match="unknown player 'mischief'"):
        next(iter(play_all(settings, [None], 1)))


def test_ctrl_c_and_on_again(tmp_path):
    """Stopped in the middle, exit status 2 and one line; the same command goes on with what is missing."""
    results = tmp_path / "games.jsonl"
    command = [
        sys.executable,
        "-m",
        "towers",
        "arena",
        "torres",
        "greedy",
        "random",
        "--games",
        "100000",
        "--jobs",
        "1",
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    program = subprocess.Popen(
        [*command, "--out", str(results)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env=environment,
    )
    while program.poll() is None and (not results.exists() or results.read_text().count("\n") < 4):
        time.sleep(0.05)
    program.send_signal(signal.SIGINT)
    out, err = program.communicate()
    assert program.returncode == 2
    assert "win rate" in out
    assert err.count("\n") == 1
    assert "to resume, repeat the command" in err
    before = results.read_text()
    assert before.endswith("\n")
    tally = run_arena(ArenaSettings("torres", ("greedy", "random"), games=before.count("\n") + 3), results, jobs=0)
    after = results.read_text()
    assert after.startswith(before)
    assert tally.games == after.count("\n") - 1
    assert 3 <= len(after.removeprefix(before).splitlines()) <= 5
