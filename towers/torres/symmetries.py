"""``torres_env.symmetries``, for type checkers and editors: never run, see ``towers/own_packages.py``."""

from torres_env.symmetries import *
