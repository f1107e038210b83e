"""Long comparisons of the games with their naive references: ``python -m tests.fuzz torres --seconds 600 --seed 1``.

Without a name all are played in turn. Ends after so many seconds or moves, whichever comes first, or at the third
disagreement (exit status 1). A disagreement is told with its seed: ``NAME --seed N --games 1`` plays that game again.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

TESTS = Path(__file__).resolve().parent
MOST_DISAGREEMENTS = 3


def torres() -> Callable[[int], int]:
    """A function that compares the game of a seed and returns its number of moves."""
    from torres_compare import STYLES, compare_game, random_rules

    from torres_env.rules import PRESETS

    def play(seed: int) -> int:
        chance = random.Random(seed)
        players = chance.randint(2, 4)
        rules = chance.choice(list(PRESETS)) if chance.random() < 0.4 else random_rules(chance, players)
        return compare_game(players, rules, seed, chance.choice(STYLES))

    return play


def market() -> Callable[[int], int]:
    from market_compare import compare_game, random_components, random_rules

    def play(seed: int) -> int:
        chance = random.Random(seed)
        players, rules = random_rules(chance, random_components(chance) if seed % 2 else None)
        return compare_game(players, rules, seed, chance)

    return play


GAMES = {"torres": torres, "market": market}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__.splitlines()[0])
    parser.add_argument("game", nargs="*", metavar="GAME", help=f"{', '.join(GAMES)} (default: all)")
    parser.add_argument("--seconds", type=float, default=60.0, help="stop after so long (default: 60)")
    parser.add_argument("--moves", type=int, default=2**62, help="stop after so many moves")
    parser.add_argument("--games", type=int, default=2**62, help="stop after so many games")
    parser.add_argument("--seed", type=int, default=None, help="seed of the first game (default: from the clock)")
    args = parser.parse_args(arguments)
    names = args.game or list(GAMES)
    if unknown := set(names) - set(GAMES):
        parser.error(f"unknown game {unknown.pop()!r}: choose among {', '.join(GAMES)}")
    sys.path[:0] = [str(TESTS.parent), str(TESTS), *(str(TESTS / f"{name}_env") for name in names)]
    players = {name: GAMES[name]() for name in names}
    seed = args.seed if args.seed is not None else time.time_ns() // 1000 % 2**40
    print(f"first seed {seed}", flush=True)
    moves, games = dict.fromkeys(names, 0), 0
    disagreements = 0
    end = time.monotonic() + args.seconds
    while time.monotonic() < end and sum(moves.values()) < args.moves and games < args.games:
        name = names[games % len(names)]
        try:
            moves[name] += players[name](seed + games)
        except Exception as error:
            disagreements += 1
            print(f"{name}, seed {seed + games}: {type(error).__name__}: {error}", flush=True)
            if disagreements == MOST_DISAGREEMENTS:
                break
        games += 1
    told = ", ".join(f"{count} moves of {name}" for name, count in moves.items())
    print(f"{games} games, {told}, {disagreements} disagreements")
    return 1 if disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
