"""``market_env.component_files``, for type checkers and editors: never run, see ``towers/own_packages.py``."""

from market_env.component_files import *
