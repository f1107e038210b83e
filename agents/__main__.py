"""``python -m agents``: the installed players."""

from __future__ import annotations

import argparse
from importlib.metadata import entry_points

from tower_core.players.specs import PLAYERS_GROUP


def main() -> None:
    """Print the name of each player and what it does."""
    argparse.ArgumentParser(prog="python -m agents", description="List the installed players.").parse_args()
    points = sorted(entry_points(group=PLAYERS_GROUP))
    width = max((len(point.name) for point in points), default=0)
    for point in points:
        try:
            text = (point.load().__doc__ or "").strip().partition("\n")[0].partition(". ")[0].rstrip(".")
        except ModuleNotFoundError as error:
            text = f"needs {error.name}, which is not installed"
        print(f"{point.name:{width}}  {text.replace('``', '')}")


if __name__ == "__main__":
    main()
