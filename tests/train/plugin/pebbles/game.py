"""The description of the game: three actions, one to four seats, fifteen bytes of observation."""

from dataclasses import dataclass

from pebbles.kernels import MOST, RECORD
from tower_core.actions import ActionTable, Verb
from tower_core.game import Game
from tower_core.observation import Block, Layout, Part
from tower_core.options import Rules


@dataclass(frozen=True)
class PebblesRules(Rules):
    """There are no options."""


GAME = Game(
    name="pebbles",
    title="Pebbles",
    package="pebbles",
    record=RECORD,
    actions=ActionTable([Verb("TAKE", (["1", "2", "3"],), "takes {0} pebbles")]),
    observation=(Part("pile", Layout([Block("pebbles", MOST + 1, "whether so many are left")]), (MOST + 1,)),),
    rules=PebblesRules,
    seats=range(1, 5),
    prefix="Pebbles",
)
