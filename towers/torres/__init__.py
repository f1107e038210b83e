"""``towers.torres``: another name for the package ``torres_env``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from towers.own_packages import alias

if TYPE_CHECKING:
    from torres_env import *

alias(__name__, "torres_env")
