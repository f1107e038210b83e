"""All faces of a game in one call: its state, batch, Gymnasium environments and PettingZoo environments.

::

    ConnectFourState, ConnectFourBatch, ConnectFourEnv, ConnectFourVectorEnv, raw_env, env = make_faces(GAME, __name__)

A game with more to say of a class, such as the types of its options, writes that class out.
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
    """The faces of a game, in the order in which a module names them."""

    state: type[State]
    batch: type[Batch]
    env: type[TowerEnv]
    vector_env: type[TowerVectorEnv]
    raw_env: type[TowerAEC]
    wrapped: type[CheckedAEC]


def make_faces(game: Game, module: str, state: type[State] = State) -> Faces:
    """The faces of *game* for a *module* that holds them under these names, so that they can be pickled.

    *state*: the base of its state class, where the game has one of its own.
    """

    def make(base: type[Any], name: str, **attributes: Any) -> Any:
        text = f"{game.title}: see {base.__module__}.{base.__name__} for the options."
        return type(name, (base,), {"game": game, "__module__": module, "__doc__": text, **attributes})

    batch = make(Batch, f"{game.prefix}Batch")
    raw_env = make(TowerAEC, "raw_env", metadata=aec_metadata(game))
    return Faces(
        make(state, f"{game.prefix}State", __slots__=()),
        batch,
        make(TowerEnv, f"{game.prefix}Env", batch_class=batch),
        make(TowerVectorEnv, f"{game.prefix}VectorEnv", batch_class=batch),
        raw_env,
        type("env", (CheckedAEC, raw_env), {"__module__": module, "__doc__": CheckedAEC.__doc__}),
    )


def aec_metadata(game: Game) -> dict[str, Any]:
    """What PettingZoo's ``metadata`` say of a game."""
    return {**RENDERING, "name": f"{game.name}_{game.version}", "is_parallelizable": False}
