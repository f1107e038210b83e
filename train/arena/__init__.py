"""The arena compares players: win rates, ratings and their intervals, from games in worker processes.

``run_arena(settings)`` plays the scheduled games that the results file does not have yet; ``tally`` counts the outcomes.
"""

from __future__ import annotations

from train.arena.run import run_arena
from train.arena.settings import ArenaSettings
from train.arena.tally import Tally, tally

__all__ = ["ArenaSettings", "Tally", "run_arena", "tally"]
