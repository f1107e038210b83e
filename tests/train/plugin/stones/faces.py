"""The classes of the game."""

from stones.game import GAME
from tower_core.envs.faces import make_faces

StonesState, StonesBatch, StonesEnv, StonesVectorEnv, raw_env, env = make_faces(GAME, __name__)
