"""The arena: who is better, by how much, and how sure that is. Games between players, in processes of their own.

``run_arena(settings)`` plays what ``settings`` schedule and is not in the results file yet; ``tally`` counts.
"""

from __future__ import annotations

from train.arena.run import run_arena
from train.arena.settings import ArenaSettings
from train.arena.tally import Tally, tally

__all__ = ["ArenaSettings", "Tally", "run_arena", "tally"]
