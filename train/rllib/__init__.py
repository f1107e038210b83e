"""The same training on RLlib: games on the processes of a Ray cluster, one network that learns from all of them.

``env`` puts a PettingZoo environment in front of RLlib, ``module`` our networks into its modules, ``league`` counts what
the workers' reports, ``workers`` is the traffic with them, ``run`` a training run from beginning to end. Only ``workers``,
``env`` and ``module`` import Ray.
"""
