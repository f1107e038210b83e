"""Self-play: the learner meets itself, past copies of itself and scripted players, with weights that may change.

``shares`` parses the weights, ``admission`` decides when a copy joins, ``ratings`` rates all players, ``league`` holds the
copies and seats them in the batch.
"""

from __future__ import annotations

from train.league.league import League
from train.league.shares import LEAGUE, SELF, Share, needs_league, read_shares

__all__ = ["LEAGUE", "SELF", "League", "Share", "needs_league", "read_shares"]
