"""``train.arena.records``, for type checkers and editors: never run, see ``towers/own_packages.py``."""

from train.arena.records import *
