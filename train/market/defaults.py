"""Training defaults of the market game (docs/training.md has the measurements)."""

from __future__ import annotations

from train.game_defaults import TrainingDefaults

DEFAULTS = TrainingDefaults(
    network="circles",
    # Games against players weaker than `greedy` are won early and teach nothing.
    opponents="greedy:9,random:1",
    imitate="greedy",
    reward="progress",
    against="random,passive,greedy",
    learning_rate=1e-3,
    evaluator_weight=0.0,
    evaluator_unit=45.0,  # hundredths of a chance to win
)
