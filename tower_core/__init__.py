"""Ground floor: what every game of the suite shares and nothing of any one of them.

A game hands a :class:`tower_core.game.Game` to the classes here and gets its faces back: an OpenSpiel-style state, a
PettingZoo environment, Gymnasium environments and a batch of games on raw arrays.
"""
