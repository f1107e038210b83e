"""``towers.market``: another name for the package ``market_env``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from towers.own_packages import alias

if TYPE_CHECKING:
    from market_env import *

alias(__name__, "market_env")
