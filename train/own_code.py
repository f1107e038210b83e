"""The network and reward of a run where they are the user's own: found, tried, remembered, and copied to the run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from traceback import extract_tb

from tower_core.game import Game
from tower_core.imported import one_line, source_file, split_named
from tower_core.players.specs import code_of
from train import checkpoint
from train.config import TrainArgs
from train.named_code import copy_source, digest, is_named, is_remembered, named_again, recall, remember
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

    @contextmanager
    def naming_network(self) -> Iterator[None]:
        """Errors from the file of a network of the user's own: ValueError with its name, one line."""
        try:
            yield
        except Exception as error:
            network = self.specs.get("network")
            split = split_named(network) if network else None
            file = source_file(split[0]) if split else None
            if file is None or all(Path(frame.filename) != file for frame in extract_tb(error.__traceback__)):
                raise
            raise ValueError(f"network {network!r} fails: {one_line(error)}") from error

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


def name_player(spec: str, option: str, earlier: Earlier | None, given: str) -> None:
    """Note the player of *option*, if it is the user's own code.

    The settings of a resumed run (*earlier*) may come from elsewhere: ValueError for code that the user hasn't named before,
    unless *given*, the option's present value, names it.
    """
    code = code_of(spec)
    if code is None:
        return
    found = source_file(code.rpartition(":")[0])
    if earlier is not None and spec not in given and not (found and is_remembered(code, "player")):
        raise ValueError(
            f"{earlier.file} needs the player {spec}, which has changed or which you haven't named here: repeat {option}"
        )
    if found:
        remember(code, "player")


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
