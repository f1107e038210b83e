"""``towers dataset``."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

from towers.errors import UserError, need


def dataset(
    game: str,
    /,
    *,
    player: str = "planner",
    games: int = 100,
    out: Path,
    players: int | None = None,
    rules: str | None = None,
    reward: str = "outcome",
    seed: int = 0,
    format: str = "",
) -> None:
    """Play games and write every decision as a dataset for offline learning.

    Parameters
    ----------
    game
        name of the game (see ``towers info``)
    player
        player of all seats
    games
        number of games
    out
        folder to write; it must not exist, or be empty
    players
        number of players in a game (default: the game's)
    rules
        rules preset, optionally with fields (default: the game's default preset)
    reward
        reward of the environments, such as outcome
    seed
        seed of the first game; the others follow
    format
        minari or arrays (default: minari where it is installed)
    """
    from tower_core.records.model import installed_version
    from tower_core.registry import get_game
    from train.datasets import play_episodes, write_arrays, write_minari

    described = get_game(game)
    format = format or ("minari" if find_spec("minari") else "arrays")
    if format not in ("minari", "arrays"):
        raise UserError(f"--format must be minari or arrays, not {format}")
    if format == "minari":
        need("--format minari", "minari", "minari")
    if games < 1:
        raise UserError(f"--games must be at least 1, not {games}")
    if not 0 <= seed <= 2**63 - games:
        raise UserError(f"--seed must be from 0 to 2^63 - {games}, not {seed}")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UserError(f"--out: {out} exists already: choose another folder")
    settled = described.resolve_rules(rules)
    number = described.players_of(players, settled)
    described.make_record(number, settled)  # ValueError unless they fit, before anything is written
    description = {
        "game": game, "rules": settled.to_dict(), "players": number, "player": player, "reward": reward,
        "first_seed": seed, "games": games, "version": installed_version(),
    }  # fmt: skip
    episodes = play_episodes(described, player, games, players=number, rules=settled, reward=reward, seed=seed)
    out.mkdir(parents=True, exist_ok=True)
    if format == "arrays":
        print(
            f"{games} games, {write_arrays(out, episodes, description)} decisions: train.datasets.Decisions({str(out)!r})"
        )
        return
    name = f"{game}/{re.sub(r'[^A-Za-z0-9_.]+', '_', player)}-v0"
    count, decisions = write_minari(out, name, described, episodes, description)
    print(f"{games} games, {count} episodes, {decisions} decisions")
    print(f"to load: MINARI_DATASETS_PATH={out}, then minari.load_dataset({name!r})")
