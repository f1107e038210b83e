"""Training defaults of Torres (docs/training.md has the measurements)."""

from __future__ import annotations

from train.game_defaults import TrainingDefaults

DEFAULTS = TrainingDefaults(
    network="conv",
    # Without `passive` among the opponents, agents may learn to pass.
    opponents="greedy:3,passive:1,random:1",
    imitate="greedy",
    reward="progress",
    against="random,passive,greedy",
    learning_rate=6e-4,
    evaluator_weight=1.0,
    evaluator_unit=50.0,  # points
)
