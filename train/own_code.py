"""The network and reward of a run where they are the user's own: found, tried, remembered, and copied to the run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tower_core.game import Game
from train import checkpoint
from train.config import TrainArgs
from train.named_code import copy_source, digest, is_named, named_again, recall, remember
from train.networks import network_name
from train.resume import Earlier
from train.rewards import OwnReward, Potential, load_reward
from train.vec_env import TowersVecEnv


@dataclass(frozen=True)
class OwnCode:
    """*network*: a name, or a spec that can be imported from here; *reward*: None for a reward of the game."""

    network: str
    reward: OwnReward | Potential | None
    specs: dict[str, str]
    """The user's own code: its spec by "network" or "reward"."""

    def digests(self) -> dict[str, str]:
        """SHA-256 of each source, for checkpoints."""
        return {what: digest(spec, what) for what, spec in self.specs.items()}

    def copy_to(self, folder: Path) -> None:
        for what, spec in self.specs.items():
            copy_source(spec, what, folder)


def find_code(game: Game, args: TrainArgs, given: TrainArgs, earlier: Earlier | None) -> OwnCode:
    """Network and reward of the complete settings *args*; *given* are those that the user has just given.

    A resumed run (*earlier*) uses its own code only where the user has named it before, or names it again. ValueError, one
    line, for anything that fails.
    """
    specs = {}
    if earlier is None:
        network = network_name(game, args.network)
    else:
        network = network_name(game, checkpoint.own_network(earlier.file, earlier.meta, given.network))
    if is_named(network):
        checkpoint.build_policy(game, args.width, args.blocks, network)
        remember(network, "network")
        specs["network"] = network
    if not is_named(args.reward):
        game.reward_kind(args.reward)
        return OwnCode(network, None, specs)
    specs["reward"] = spec = args.reward if earlier is None else _earlier_reward(earlier, args.reward, given.reward)
    reward = load_reward(spec)
    _try(game, args, reward)
    remember(spec, "reward")
    return OwnCode(network, reward, specs)


def _earlier_reward(earlier: Earlier, reward: str, given: str) -> str:
    wanted, user = str(earlier.meta.get("code", {}).get("reward", "")), str(earlier.file)
    if given:
        return named_again(reward, given, wanted, "reward", user)
    return recall(reward, wanted, "reward", user, "name it with --reward FILE.py:FUNCTION")


def _try(game: Game, args: TrainArgs, reward: OwnReward | Potential) -> None:
    """One step of four games with the reward."""
    batch = game.batch_class()(4, args.players, game.resolve_rules(args.rules or None), 0, "random")
    env = TowersVecEnv(batch, reward)
    env.reset()
    env.step(batch.sample_actions().copy())
    env.close()
