"""Everything the games share, and nothing that belongs to one of them.

A game describes itself as a :class:`tower_core.game.Game`; this package derives its OpenSpiel-style state, PettingZoo
environment, Gymnasium environments and batch on raw arrays from that description.
"""

SUITE = "tower-games-rl"
"""Name of the suite's distribution, whose entry-point names take precedence."""
