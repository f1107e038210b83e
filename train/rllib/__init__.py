"""Training on RLlib: games in the processes of a Ray cluster, one network that learns from all of them.

``env`` adapts the PettingZoo environment, ``module`` wraps our networks as RLModules, ``league`` counts the games that the
workers report, ``workers`` runs RLlib's algorithm, ``cluster`` joins or starts Ray, ``run`` is the whole training run.
"""
