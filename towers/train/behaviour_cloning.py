"""``train.behaviour_cloning``, for type checkers and editors: never run, see ``towers/own_packages.py``."""

from train.behaviour_cloning import *
