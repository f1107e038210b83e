"""``train.arena.citation``, for type checkers and editors: never run, see ``towers/own_packages.py``."""

from train.arena.citation import *
