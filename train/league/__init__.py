"""Self-play: the learner meets itself, its own earlier networks and fixed players, by weights that may change.

``shares`` parses the weights of the players, ``admission`` decides when a network joins, ``ratings`` rates everybody,
``league`` holds the networks and seats them in the batch.
"""

from __future__ import annotations

from train.league.league import League
from train.league.shares import LEAGUE, SELF, Share, needs_league, read_shares

__all__ = ["LEAGUE", "SELF", "League", "Share", "needs_league", "read_shares"]
