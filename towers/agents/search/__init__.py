"""``agents.search``, for type checkers and editors: never run, see ``towers/own_packages.py``."""

from agents.search import *
