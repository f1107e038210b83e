"""All classes of a game in one call: its state, batch, Gymnasium environments and PettingZoo environments.

::

    ConnectFourState, ConnectFourBatch, ConnectFourEnv, ConnectFourVectorEnv, raw_env, env = make_faces(GAME, __name__)

A game that customises a class, for instance with typed options, writes that class out instead.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tower_core.envs.aec import TowerAEC
from tower_core.envs.batch import Batch
from tower_core.envs.checked_aec import CheckedAEC
from tower_core.envs.gym import TowerEnv
from tower_core.envs.rendering import RENDERING
from tower_core.envs.vector_env import TowerVectorEnv
from tower_core.game import Game
from tower_core.state import State


class Faces(NamedTuple):
    """The classes of a game, in the order in which a module assigns them."""

    state: type[State]
    batch: type[Batch]
    env: type[TowerEnv]
    vector_env: type[TowerVectorEnv]
    raw_env: type[TowerAEC]
    wrapped: type[CheckedAEC]


def make_faces(game: Game, module: str, state: type[State] = State) -> Faces:
    """The classes of *game*, for a *module* that holds them under these names, so that they can be pickled.

    *state*: base of the state class, if the game has its own.
    """

    def make(base: type[Any], name: str, **attributes: Any) -> Any:
        text = f"{game.title}: see {base.__module__}.{base.__name__} for the options."
        return type(name, (base,), {"game": game, "__module__": module, "__doc__": text, **attributes})

    raw_env = make(TowerAEC, "raw_env", metadata=aec_metadata(game))
    return Faces(
        make(state, f"{game.prefix}State", __slots__=()),
        make(Batch, f"{game.prefix}Batch"),
        make(TowerEnv, f"{game.prefix}Env"),
        make(TowerVectorEnv, f"{game.prefix}VectorEnv"),
        raw_env,
        type("env", (CheckedAEC, raw_env), {"__module__": module, "__doc__": CheckedAEC.__doc__}),
    )


def aec_metadata(game: Game) -> dict[str, Any]:
    """PettingZoo's ``metadata`` for a game."""
    return {**RENDERING, "name": f"{game.name}_{game.version}", "is_parallelizable": False}
