"""``train.arena.results``, for type checkers and editors: never run, see ``towers/own_packages.py``."""

from train.arena.results import *
