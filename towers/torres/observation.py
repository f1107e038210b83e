"""``torres_env.observation``, for type checkers and editors: never run, see ``towers/own_packages.py``."""

from torres_env.observation import *
