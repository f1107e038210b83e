"""``towers.train``: another name for the package ``train``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from towers.own_packages import alias

if TYPE_CHECKING:
    from train import *

alias(__name__, "train")
