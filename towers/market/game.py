"""``market_env.game``, for type checkers and editors: never run, see ``towers/own_packages.py``."""

from market_env.game import *
