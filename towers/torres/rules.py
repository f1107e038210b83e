"""``torres_env.rules``, for type checkers and editors: never run, see ``towers/own_packages.py``."""

from torres_env.rules import *
