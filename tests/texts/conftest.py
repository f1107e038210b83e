"""The builders of positions stand beside each game's own tests."""

from __future__ import annotations

import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / "torres_env"), str(TESTS / "market_env")]
