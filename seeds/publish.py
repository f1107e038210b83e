"""Write the published benchmarks: ``seeds/NAME.json``, and the copies included in the package.

    python seeds/publish.py           write all files
    python seeds/publish.py --check   change nothing; name the files that would change and exit with status 1

Published files don't change: a changed benchmark gets the next version in its name.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from tower_core.registry import get_game
from train.arena.benchmarks import openings
from train.arena.settings import SEED_SETS

SEEDS = Path(__file__).resolve().parent
COPIES = SEEDS.parent / "train" / "arena" / "published"
SEEDS_PER_SET = 500
BASICS = ("random", "passive", "greedy")
# The headline: the strongest anchor at the time of publication, by all options that later versions may change.
PLANNERS = {"torres": "planner:width=32,rival=0.45,outlook=0", "market": "planner"}
# Other players, and their games against the headline's player: slow ones play fewer.
GUESTS: dict[str, tuple[tuple[str, int], ...]] = {
    "torres-2p-v0": (("planner", 400), ("mcts:sims=1000", 100)),  # about a second per turn
    "torres-nocards-2p-v0": (("planner", 400), ("mcts", 20)),
    "torres-3p-v0": (("planner", 300), ("mcts:sims=100", 21)),
    "torres-4p-v0": (("planner", 240), ("mcts:sims=100", 20)),
    "torres-master-2p-v0": (("planner", 400), ("mcts:sims=100", 20)),
    "torres-master-4p-v0": (("planner", 240), ("mcts:sims=100", 20)),
    "market-2p-v0": (("mcts", 40),),
    "market-full-2p-v0": (("mcts", 100),),
    "market-full-3p-v0": (("mcts", 21),),
    "market-full-4p-v0": (("mcts", 20),),
}

# name: (game, players, rules, games per pairing, description)
BENCHMARKS: dict[str, tuple[str, int, Any, int, str]] = {
    "torres-2p-v0": ("torres", 2, "standard", 400, "Torres, two players, standard rules"),
    "torres-3p-v0": ("torres", 3, "standard", 300, "Torres, three players, standard rules"),
    "torres-4p-v0": ("torres", 4, "standard", 240, "Torres, four players, standard rules"),
    "torres-nocards-2p-v0": (
        "torres",
        2,
        {"card_list": []},
        400,
        "Torres, two players, standard rules, no action cards",
    ),
    "torres-master-2p-v0": ("torres", 2, "master", 400, "Torres, two players, master version: open hands, master card"),
    "torres-master-4p-v0": (
        "torres",
        4,
        "master",
        240,
        "Torres, four players, master version: open hands, master card",
    ),
    "market-2p-v0": ("market", 2, "base", 400, "The market game, two players, base rules"),
    "market-full-2p-v0": ("market", 2, "full", 400, "The market game, two players, all expansions"),
    "market-full-3p-v0": ("market", 3, "full", 300, "The market game, three players, all expansions"),
    "market-full-4p-v0": ("market", 4, "full", 240, "The market game, four players, all expansions"),
}


def all_fields(rules: Any) -> dict[str, Any]:
    """All fields of the rules as JSON values, including the package's component set, which might change."""
    fields = dict(rules.to_dict())
    if "components" in fields:
        fields["components"] = rules.components.to_dict()
    return fields


def contents() -> dict[str, str]:
    """Contents of each file, by name."""
    texts = {}
    for name, (game_name, players, wanted, games, about) in BENCHMARKS.items():
        game, headline = get_game(game_name), PLANNERS[game_name]
        rules = game.resolve_rules(wanted)
        sets = {
            seed_set: {
                "first_seed": first,
                "openings_sha256": openings(game, players, rules, range(first, first + SEEDS_PER_SET)),
            }
            for seed_set, first in SEED_SETS.items()
        }
        content = {
            "name": name,
            "about": about,
            "game": game_name,
            "players": players,
            "rules": all_fields(rules),
            "games": games,
            "entrants": (*BASICS, headline),
            "guests": [{"player": spec, "against": headline, "games": number} for spec, number in GUESTS[name]],
            "anchors": (*BASICS, headline),
            "headline": headline,
            "seeds": SEEDS_PER_SET,
            "sets": sets,
        }
        texts[f"{name}.json"] = json.dumps(content, indent=2) + "\n"
    return texts


def stale() -> list[Path]:
    """Files that differ from what this program would write."""
    wanted = {folder / name: text for name, text in contents().items() for folder in (SEEDS, COPIES)}
    there = {*SEEDS.glob("*.json"), *COPIES.glob("*.json")}
    return sorted(
        path for path in there | set(wanted) if not path.exists() or path.read_text("utf-8") != wanted.get(path)
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing")
    if parser.parse_args().check:
        for path in stale():
            print(f"stale: {path}", file=sys.stderr)
        return bool(stale())
    for name, text in contents().items():
        for folder in (SEEDS, COPIES):
            (folder / name).write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
