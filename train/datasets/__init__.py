"""Games of players as datasets of decisions, for offline learning (docs/how_to/dataset.md)."""

from __future__ import annotations

from train.datasets.arrays import Decisions, write_arrays
from train.datasets.games import Episode, play_episodes
from train.datasets.minari import write_minari

__all__ = ["Decisions", "Episode", "play_episodes", "write_arrays", "write_minari"]
