"""``towers info``."""

from __future__ import annotations

import sys
from typing import Annotated

from cyclopts import Parameter

from tower_core.registry import SUITE
from towers.errors import UserError

_PACKAGES = (SUITE, "numpy", "numba", "gymnasium", "pettingzoo", "torch", "stable-baselines3", "sb3-contrib")


def info(game: str = "", /, *, markdown: Annotated[bool, Parameter(negative="")] = False) -> None:
    """Show the installed games, players, benchmarks and versions, or everything about one game.

    Parameters
    ----------
    game
        name of a game: show its rules with values and defaults, presets, actions, and observation
    markdown
        write the page of a game as Markdown
    """
    from tower_core.registry import get_game
    from towers.game_facts import to_markdown, to_text

    if game:
        print((to_markdown if markdown else to_text)(get_game(game)))
    elif markdown:
        raise UserError("--markdown is for one game: towers info GAME --markdown")
    else:
        _overview()


def _overview() -> None:
    from tower_core.players.specs import player_names
    from tower_core.registry import usable_games
    from towers.game_facts import facts
    from towers.terminal import paragraph, table_text
    from train.arena.benchmarks import benchmarks

    games, faults = usable_games()
    for game in games:
        print(f"{game.title}\n{table_text(['', ''], [[f'  {name}', words] for name, words in facts(game).items()])}\n")
    lists = {"players": player_names(), "benchmarks": list(benchmarks()), "versions": list(map(_version, _PACKAGES))}
    for name, words in lists.items():
        print(paragraph(f"{name}: {', '.join(words)}"))
    sys.stdout.flush()
    for fault in faults:
        print(f"towers: {fault}", file=sys.stderr)


def _version(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return f"{package} (not installed)"
