"""The classes of the game: state, batch, Gymnasium and PettingZoo environments."""

from connect_four.game import GAME
from tower_core.envs.faces import make_faces

ConnectFourState, ConnectFourBatch, ConnectFourEnv, ConnectFourVectorEnv, raw_env, env = make_faces(GAME, __name__)
