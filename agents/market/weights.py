"""The weights of ``greedy`` and of the planner's evaluation (features, then three of the NPC).

The weights of ``greedy`` (agents/market/plan.py) were tuned by games against variants of itself. Those of the evaluation
(agents/market/evaluation.py) were fitted as a conditional logit model to the winners of games of ``greedy`` against itself (2,
3 and 4 players), with a few random actions for variety. The first two sets were then fitted again to 10,000 to 20,000 turns
of two-player games of the planner against itself (``full``, ``base``), with a penalty on the squared change.
"""

from __future__ import annotations

GREEDY = (  # in worth of gems (of the default set: 2, 3 and 6)
    0.18,  # RICH: bonus of a piece per worth of gems held
    2.0,  # SCARCE: bonus of a piece, divided by the number of circles that hold it
    10.0,  # EXHAUSTED: a piece of a material that no circle holds
    1.0,  # FINISH: bonus for being able to build in this turn
    1.5,  # WAIT: a token drawn in an idle turn, relative to one of the bag
    4.0,  # PASS: a pass
    6.0,  # ENTRY: highest price of an entry to the black market
    9.0,  # WANTED: cost of being wanted
    3.0,  # HIRE: least gain of an apprentice
    2.0,  # PROFIT: least gain of smuggler and levy, highest fee of pickpocket
    10.0,  # PERMIT: least worth of its piece
    6.0,  # PERMIT_FINISH: bonus if the piece satisfies the list
    4.0,  # BRIBE: least gain
    20.0,  # ARCHITECT: least cost of the own list
    # cards: smuggler, levy, pickpocket, sabotage, permit, bribe, architect, curfew
    6.0, 8.0, 9.0, 6.5, 5.5, 2.0, 4.0, 3.0,
)  # fmt: skip

GUARD, PLAIN, SOLO = range(3)  # rules with the royal guard, rules without, the solo game
NPC_NAMES = ("npc", "npc_towers", "npc_missing")
# fmt: off
WEIGHTS: dict[str, tuple[float, float, float]] = {
    "towers": (-3.975, -4.637, -2.319),
    "last": (1.926, 2.137, 0.519),
    "missing": (-0.361, -0.423, -0.582),
    "cost": (-0.026, -0.084, 0.212),
    "deficit": (-0.168, -0.112, -0.157),
    "spare": (0.206, 0.070, 0.068),
    "gone": (-0.073, -0.330, -0.286),
    "visits": (0.011, -0.098, -0.117),
    "reach": (0.010, 0.020, -0.053),
    "ready": (-0.017, 0.231, 0.128),
    "finish": (0.224, 0.260, -0.101),
    "now": (-0.050, -0.101, 0.115),
    "last_now": (2.406, 4.142, 1.637),
    "last_missing": (-0.045, -0.120, 0.009),
    "last_deficit": (-0.137, -0.100, -0.007),
    "last_visits": (-0.255, -0.304, -0.221),
    "last_ready": (-0.040, 0.000, 0.005),
    "last_finish": (0.040, 0.389, 1.010),
    "surplus": (0.455, 0.517, 0.734),
    "passes": (0.368, 0.315, 0.264),
    "red": (0.026, 0.107, -0.023),
    "gems": (0.097, 0.164, 0.041),
    "wanted": (-0.659, 0.000, 0.000),
    "jailed": (-0.280, 0.000, 0.000),
    "hired": (-0.315, -0.062, 0.000),
    "order": (0.082, 0.090, 0.000),
    "smuggler": (0.309, 0.385, 0.248),
    "levy": (0.250, 0.534, 0.283),
    "pickpocket": (0.604, 0.565, -0.071),
    "sabotage": (0.606, 0.534, 0.773),
    "permit": (0.557, 0.598, 0.134),
    "bribe": (0.118, 0.185, 0.378),
    "architect": (0.103, 0.119, 0.029),
    "curfew": (-0.077, 0.171, 0.286),
    "npc": (0.000, 0.000, 1.913),
    "npc_towers": (0.000, 0.000, -4.941),
    "npc_missing": (0.000, 0.000, -0.952),
}
# fmt: on
