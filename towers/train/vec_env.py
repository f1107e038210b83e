"""``train.vec_env``, for type checkers and editors: never run, see ``towers/own_packages.py``."""

from train.vec_env import *
