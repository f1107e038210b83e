"""The built-in weights of the evaluation (agents/torres/evaluation.py), in points.

They started as a guess and were tuned by stochastic approximation (SPSA): two copies, perturbed in opposite directions, played
some games with and without action cards, and the weights moved a little towards the better one (benchmarks/tune_torres.py).
"""

from __future__ import annotations

import numpy as np

# Per phase and feature: the weight with no turn left before the scoring, and its change per turn left.
_PHASES = (
    (  # phase 1
        (0.000, 0.000),  # ONE
        (3.053, 0.046),  # CASTLES
        (0.591, 0.291),  # REACH
        (1.011, -0.167),  # ROYAL
        (-0.167, 0.319),  # COURT
        (0.248, 0.395),  # AREAS
        (2.502, 0.943),  # LEVELS
        (-0.317, 0.028),  # HOMES
        (3.195, 0.110),  # KNIGHTS
        (-0.199, -0.221),  # ROOM
        (0.194, -0.028),  # SHARED
        (0.689, 0.051),  # HAND
        (0.249, 0.053),  # HIGHER
        (0.279, 0.073),  # MOBILITY
        (-0.093, -0.013),  # HEADROOM
    ),
    (  # phase 2
        (0.000, 0.000),  # ONE
        (1.910, 0.215),  # CASTLES
        (0.658, 0.206),  # REACH
        (0.795, -0.021),  # ROYAL
        (-0.441, 0.192),  # COURT
        (0.228, 0.170),  # AREAS
        (-1.199, 0.235),  # LEVELS
        (4.606, 0.380),  # HOMES
        (1.665, 0.471),  # KNIGHTS
        (0.165, 0.066),  # ROOM
        (-0.260, -0.080),  # SHARED
        (0.657, -0.042),  # HAND
        (0.142, 0.019),  # HIGHER
        (-0.622, 0.230),  # MOBILITY
        (-0.199, 0.012),  # HEADROOM
    ),
    (  # phase 3
        (0.000, 0.000),  # ONE
        (0.994, 0.112),  # CASTLES
        (0.395, 0.117),  # REACH
        (1.295, -0.098),  # ROYAL
        (0.643, 0.297),  # COURT
        (-0.200, 0.395),  # AREAS
        (1.476, 0.137),  # LEVELS
        (1.224, 0.567),  # HOMES
        (-1.637, -0.128),  # KNIGHTS
        (0.014, 0.069),  # ROOM
        (-0.231, -0.040),  # SHARED
        (0.065, 0.023),  # HAND
        (-0.152, 0.023),  # HIGHER
        (-0.023, 0.118),  # MOBILITY
        (-0.054, -0.039),  # HEADROOM
    ),
)
WEIGHTS = np.array(_PHASES).reshape(-1)
"""float64 [NUM_WEIGHTS]"""
