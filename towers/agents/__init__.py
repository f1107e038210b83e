"""``towers.agents``: another name for the package ``agents``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from towers.own_packages import alias

if TYPE_CHECKING:
    from agents import *

alias(__name__, "agents")
