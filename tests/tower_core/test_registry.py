"""Games from elsewhere: whatever is wrong with one is said in a line that names it, and stops nothing else."""

from __future__ import annotations

from textwrap import dedent

import pytest

GAME = """
from dataclasses import dataclass
from tower_core import options
from tower_core.actions import ActionTable, Verb
from tower_core.engine.batch_structs import game_record
from tower_core.game import Game
from tower_core.observation import Block, Layout, Part

@dataclass(frozen=True)
class Rules(options.Rules):
    "None."

def make(name, **changes):
    fields = dict(
        name=name, title=name, package=__name__, prefix=name.title().replace("_", ""), record=game_record(3, 2, []),
        actions=ActionTable([Verb("A", (tuple("123"),))]), rules=Rules, seats=range(2, 3),
        observation=(Part("n", Layout([Block("n", 3, "numbers")]), (3,)),),
    )
    return Game(**{**fields, **changes})
"""
LOOK = """
import sys
sys.path[:0] = sys.argv[1:]
from tower_core.registry import get_game, usable_games
games, faults = usable_games()
print([game.name for game in games])
print(*faults, sep="\\n")
"""


@pytest.fixture
def installed(tmp_path, child):
    """Installs packages as folders with a ``dist-info``; returns what ``usable_games`` finds then: names, then faults."""

    def look(*packages):
        folders = []
        for i, (distribution, points, source) in enumerate(packages):
            folder = tmp_path / f"site{i}"
            info = folder / f"{distribution}.dist-info"
            info.mkdir(parents=True)
            (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
            (info / "entry_points.txt").write_text("[towers.games]\n" + "\n".join(points) + "\n")
            (folder / f"{points[0].split(' = ')[1].split(':')[0]}.py").write_text(dedent(source))
            folders.append(str(folder))
        done = child(LOOK, *folders)
        assert done.returncode == 0, done.stderr
        names, *faults = done.stdout.splitlines()
        return eval(names), [line for line in faults if line]

    return look


def test_a_package_with_two_games(installed):
    source = GAME + "ONE = make('one')\nTWO = make('two')\n"
    assert installed(("pair", ["one = pair:ONE", "two = pair:TWO"], source)) == (["market", "one", "torres", "two"], [])


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("raise RuntimeError('out of order\\nsecond line')", "RuntimeError: out of order"),
        ("import nowhere_to_be_found", "requires nowhere_to_be_found, which is not installed"),
        ("GAME = 5", "must be a tower_core.game.Game, not a int"),
        (GAME + "GAME = make('other')", "has the name 'other': both names must be the same"),
        (GAME + "GAME = make('bad', seats=range(1, 9))", "game 'bad': seats: must be a range"),
        ("GAME = (", "SyntaxError"),
        ("other = 1", "AttributeError"),
    ],
)
def test_a_plug_in_that_fails_is_named_and_stops_nothing(installed, source, reason):
    names, faults = installed(("broken", ["bad = broken:GAME"], source))
    assert names == ["market", "torres"]
    [fault] = faults
    assert "'bad'" in fault
    assert reason in fault


def test_a_name_that_two_distributions_claim(installed):
    one = ("first", ["toy = first:GAME"], GAME + "GAME = make('toy')")
    two = ("second", ["toy = second:GAME"], GAME + "GAME = make('toy')")
    names, faults = installed(one, two)
    assert names == ["market", "torres"]
    assert faults == ["game 'toy' is claimed by first and second: uninstall one of them"]


def test_the_suite_keeps_its_names(installed):
    names, faults = installed(("thief", ["torres = thief:GAME"], GAME + "GAME = make('torres')"))
    assert names == ["market", "torres"]
    assert faults == ["'torres' of thief is ignored: tower-games-rl already uses the name"]


def test_unknown_games_list_those_there_are():
    from tower_core.registry import get_game

    for name in ("", "chess", "Torres", "torres_env"):
        with pytest.raises(ValueError, match=r"unknown game .*market, .*torres"):
            get_game(name)
