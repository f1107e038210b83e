"""``python -m agents``: the installed players, those of all games and those of each game."""

from __future__ import annotations

import argparse
import inspect

from tower_core import registry
from tower_core.players.specs import PLAYERS_GROUP


def main() -> None:
    """List the players of all games, then those of each game, one line per player."""
    argparse.ArgumentParser(prog="python -m agents", description="List the installed players.").parse_args()
    groups = {"all games": PLAYERS_GROUP} | {game: f"{PLAYERS_GROUP}.{game}" for game in registry.game_names()}
    names = {title: registry.names(group) for title, group in groups.items()}
    width = max((len(name) for listed in names.values() for name in listed), default=0)
    for title, listed in names.items():
        if listed:
            print(title)
        for name in listed:
            print(f"  {name:{width}}  {_summary(groups[title], name)}")


def _summary(group: str, name: str) -> str:
    """The first sentence of a factory's docstring, or why the factory can't be used."""
    try:
        point = registry.find(group, name, "player")
        assert point is not None  # the name is one of the group's
        text = inspect.getdoc(registry.load(point, "player")) or ""
    except registry.PluginError as error:
        return f"unusable: {error}"
    sentence = " ".join(text.partition("\n\n")[0].split()).partition(". ")[0]
    return sentence.rstrip(".").replace("``", "")


if __name__ == "__main__":
    main()
