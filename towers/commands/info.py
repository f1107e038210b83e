"""``towers info``."""

from __future__ import annotations

from rich.console import Console


def info() -> None:
    """Show the installed games with their presets, rewards and sizes, the players, the benchmarks, and versions."""
    from importlib.metadata import PackageNotFoundError, version

    from rich.table import Table

    from tower_core.players.specs import player_names
    from tower_core.registry import game_names, get_game
    from train.arena.benchmarks import benchmarks

    console = Console()
    games = Table(title="games", title_justify="left")
    for column in ("name", "players", "presets", "rewards", "actions", "observation", "Gymnasium id"):
        games.add_column(column)
    for name in game_names():
        game = get_game(name)
        parts = ", ".join(f"{part} {'×'.join(map(str, shape))}" for part, shape in game.observation_shapes)
        games.add_row(
            name, f"{game.seats[0]}–{game.seats[-1]}", ", ".join(game.presets), ", ".join(game.rewards),
            str(game.num_actions), parts, game.gym_id,
        )  # fmt: skip
    console.print(games)
    console.print("players: " + ", ".join(player_names()))
    console.print("benchmarks: " + ", ".join(benchmarks()))
    versions = []
    for package in ("towers", "numpy", "numba", "gymnasium", "pettingzoo", "torch", "stable-baselines3", "sb3-contrib"):
        try:
            versions.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            versions.append(f"{package} (not installed)")
    console.print("versions: " + ", ".join(versions))
