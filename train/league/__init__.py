"""Self-play: the learner meets itself, its own earlier networks and fixed players, by weights that may change.

``shares`` reads who plays with what weight, ``seats`` are the players inside the batch, ``admission`` decides when a
network joins, ``ratings`` measures everybody, ``league`` holds it together.
"""

from __future__ import annotations

from train.league.league import League
from train.league.shares import LEAGUE, SELF, Share, needs_league, read_shares

__all__ = ["LEAGUE", "SELF", "League", "Share", "needs_league", "read_shares"]
