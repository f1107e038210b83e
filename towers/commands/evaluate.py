"""``towers evaluate``."""

from __future__ import annotations

from pathlib import Path

from towers.errors import UserError, need_training
from towers.terminal import console


def evaluate(
    checkpoint: str,
    /,
    *,
    against: str = "",
    games: int = 400,
    seed_set: str = "development",
    seed: int | None = None,
    players: int | None = None,
    rules: str | None = None,
    network: str = "",
) -> None:
    """Play a trained agent against opponents: each seed from every seat, choosing the most probable action.

    Parameters
    ----------
    checkpoint
        a checkpoint, or a run directory
    against
        opponents, separated by commas (default: those of random, passive and greedy that the game has)
    games
        games per opponent
    seed_set
        development or test; report figures on the test set once (``towers arena --benchmark NAME``)
    seed
        first seed, instead of a seed set
    players
        number of players; an error if the checkpoint is for another number (default: the checkpoint's)
    rules
        rules preset; an error if the checkpoint is for other rules (default: the checkpoint's)
    network
        the checkpoint's network, if it is of your own: FILE.py:CLASS (default: where you named it before)
    """
    need_training()
    from tower_core.players.specs import split_specs
    from train import checkpoint as checkpoints
    from train.arena.settings import first_seed
    from train.evaluate import evaluate_all, policy_chooser, results_table
    from train.game_defaults import training_defaults

    if games < 1:
        raise UserError(f"--games must be at least 1, not {games}")
    start = first_seed(seed_set, seed)
    file = checkpoints.find(Path(checkpoint))
    policy, meta, game = checkpoints.load_policy(file, network)
    wanted = game.resolve_rules(rules if rules is not None else meta["rules"])
    checkpoints.must_fit(file, meta, game, players if players is not None else meta["players"], wanted)
    opponents = split_specs(against or training_defaults(game).against)
    results = evaluate_all(
        policy_chooser(policy), game, opponents, games, players=meta["players"], rules=wanted, seed=start
    )
    seeds = f"{seed_set} seeds" if seed is None else f"seeds from {seed}"
    console().print(results_table(results, f"{game.title}: {file}, {seeds}"))
