"""The classes of the game."""

from pebbles.game import GAME
from tower_core.envs.faces import make_faces

PebblesState, PebblesBatch, PebblesEnv, PebblesVectorEnv, raw_env, env = make_faces(GAME, __name__)
