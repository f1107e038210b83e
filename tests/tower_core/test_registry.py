"""Games from elsewhere: whatever is wrong with one is said in a line that names it, and stops nothing else."""

from __future__ import annotations

import pytest
from distributions import write_distribution

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


FAULTY = {
    "fails": ("raise RuntimeError('out of order\\nsecond line')", "RuntimeError: out of order"),
    "lacks": ("import nowhere_to_be_found", "requires nowhere_to_be_found, which is not installed"),
    "number": ("GAME = 5", "must be a tower_core.game.Game, not a int"),
    "renamed": (GAME + "GAME = make('other')", "has the name 'other': both names must be the same"),
    "crowd": (GAME + "GAME = make('crowd', seats=range(1, 9))", "game 'crowd': seats: must be a range"),
    "syntax": ("GAME = (", "SyntaxError"),
    "empty": ("other = 1", "AttributeError"),
}
"""Source and reason by the game's name."""


def test_what_is_wrong_is_named_and_stops_nothing(tmp_path, child):
    """Packages as folders with a ``dist-info``, all installed at once; one has two games, two claim a name, one takes ours."""
    packages = [(f"{name}_package", [f"{name} = {name}_package:GAME"], source) for name, (source, _) in FAULTY.items()]
    packages += [(name, [f"toy = {name}:GAME"], GAME + "GAME = make('toy')") for name in ("first", "second")]
    packages.append(("pair", ["one = pair:ONE", "two = pair:TWO"], GAME + "ONE = make('one')\nTWO = make('two')\n"))
    packages.append(("thief", ["torres = thief:GAME"], GAME + "GAME = make('torres')"))
    for name, points, source in packages:
        write_distribution(tmp_path / name, name, "\n".join(["[towers.games]", *points, ""]), source)
    done = child(LOOK, *(str(tmp_path / name) for name, *_ in packages))
    assert done.returncode == 0, done.stderr
    names, *faults = done.stdout.splitlines()
    assert names == "['market', 'one', 'torres', 'two']"
    assert len(faults) == len(FAULTY) + 2
    assert "game 'toy' is claimed by first and second: uninstall one of them" in faults
    assert "'torres' of thief is ignored: tower-games-rl already uses the name" in faults
    for name, (_, reason) in FAULTY.items():
        [fault] = [line for line in faults if f"'{name}'" in line.split(":")[0]]
        assert reason in fault


def test_unknown_games_list_those_there_are():
    from tower_core.registry import get_game

    for name in ("", "chess", "Torres", "torres_env"):
        with pytest.raises(ValueError, match=r"unknown game .*market, .*torres"):
            get_game(name)
