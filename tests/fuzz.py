"""Long comparisons of the games with their naive references: ``python -m tests.fuzz torres --seconds 600 --seed 1``.

Without a name all are played in turn. Ends after so many seconds or moves, whichever comes first, or at the third
disagreement (exit status 1). A disagreement is told with its seed: ``NAME --seed N --games 1`` plays that game again.
At the end stands how often each sentence of the rules was exercised: its section, the count, what it says.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parent
FLAGS = ("advanced", "apprentices", "guard")
MOST_DISAGREEMENTS = 3
SHARE = {"torres": 105_000, "market": 100_000}
"""Moves in which every sentence of the rules is exercised, from seed 0 on; docs/correctness.md counts them."""


class TorresFuzz:
    """Compares the game of a seed: whole games, and every second time the last turns of a phase from a drawn position."""

    def __init__(self) -> None:
        from torres_seen import TorresSeen

        self.seen = TorresSeen()
        self.kinds: Counter[str] = Counter()

    def wanted(self) -> set[str]:
        """Kinds of games that a complete run plays."""
        from torres_env.rules import PRESETS

        return {f"{preset}, {n} players" for preset in (*PRESETS, "drawn rules") for n in (2, 3, 4)}

    def play(self, seed: int) -> int:
        """The number of moves that were compared."""
        from torres_compare import STYLES, compare_game, compare_late, random_rules

        from torres_env import TorresRules
        from torres_env.rules import PRESETS

        chance = random.Random(seed)
        players, style = chance.randint(2, 4), chance.choice(STYLES)
        preset = chance.choice(list(PRESETS)) if chance.random() < 0.4 else None
        self.kinds[f"{preset or 'drawn rules'}, {players} players"] += 1
        rules = TorresRules.preset(preset) if preset else random_rules(chance, players)
        if seed % 2:
            return compare_game(players, rules, seed, style, seen=self.seen)
        if seed % 4:  # what master cards score is seldom come by
            rules = replace(rules, master_card=True)
        return compare_late(players, rules, seed, style, self.seen)


class MarketFuzz:
    """Compares the game of a seed; odd seeds have a component set of their own."""

    def __init__(self) -> None:
        from market_seen import MarketSeen

        self.seen = MarketSeen()
        self.kinds: Counter[str] = Counter()

    def wanted(self) -> set[str]:
        """Kinds of games that a complete run plays: every combination of flags and number of players."""
        names = [
            "+".join(name for name, there in zip((*FLAGS, "npc"), on, strict=True) if there) or "base"
            for on in product((False, True), repeat=len(FLAGS) + 1)
        ]
        return {f"{name}, {n} players" for name in names for n in ((1, 2, 3) if "npc" in name else (2, 3, 4))}

    def play(self, seed: int) -> int:
        """The number of moves that were compared."""
        from market_compare import compare_game, random_components, random_rules

        chance = random.Random(seed)
        players, rules = random_rules(chance, random_components(chance) if seed % 2 else None)
        flags = [flag for flag in (*FLAGS, "npc") if getattr(rules, flag)]
        self.kinds[f"{'+'.join(flags) or 'base'}, {players} players"] += 1
        return compare_game(players, rules, seed, chance, self.seen)


GAMES: dict[str, Any] = {"torres": TorresFuzz, "market": MarketFuzz}


def prepare(names: list[str]) -> dict[str, Any]:
    """The players of the named games; their modules are found from now on."""
    sys.path[:0] = [str(TESTS.parent), str(TESTS), *(str(TESTS / f"{name}_env") for name in names)]
    return {name: GAMES[name]() for name in names}


def missing(player: Any) -> list[str]:
    """Sentences of the rules and kinds of games that a run has not exercised."""
    sentences = [label for label in player.seen.rules if not player.seen.counts[label]]
    return sentences + sorted(player.wanted() - player.kinds.keys())


def exercised(game: str) -> str:
    """A Markdown table: how often the share of a game exercises each sentence of its rules. Takes some minutes."""
    player = prepare([game])[game]
    moves = seed = 0
    while moves < SHARE[game]:
        moves += player.play(seed)
        seed += 1
    return player.seen.markdown() + f"\n{seed} games, {moves:,} moves, no disagreement.\n"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__.splitlines()[0])
    parser.add_argument("game", nargs="*", metavar="GAME", help=f"{', '.join(GAMES)} (default: all)")
    parser.add_argument("--seconds", type=float, default=60.0, help="stop after so long (default: 60)")
    parser.add_argument("--moves", type=int, default=2**62, help="stop after so many moves")
    parser.add_argument("--games", type=int, default=2**62, help="stop after so many games")
    parser.add_argument("--seed", type=int, default=None, help="seed of the first game (default: from the clock)")
    parser.add_argument("--complete", action="store_true", help="fail if a sentence of the rules was not exercised")
    args = parser.parse_args(arguments)
    names = args.game or list(GAMES)
    if unknown := set(names) - set(GAMES):
        parser.error(f"unknown game {unknown.pop()!r}: choose among {', '.join(GAMES)}")
    players = prepare(names)
    seed = args.seed if args.seed is not None else time.time_ns() // 1000 % 2**40
    print(f"first seed {seed}", flush=True)
    moves, games = dict.fromkeys(names, 0), 0
    disagreements = 0
    end = time.monotonic() + args.seconds
    while time.monotonic() < end and sum(moves.values()) < args.moves and games < args.games:
        name = names[games % len(names)]
        try:
            moves[name] += players[name].play(seed + games)
        except Exception as error:
            disagreements += 1
            print(f"{name}, seed {seed + games}: {type(error).__name__}: {error}", flush=True)
            if disagreements == MOST_DISAGREEMENTS:
                break
        games += 1
    for name, player in players.items():
        print(f"\nsentences of the rules of {name}: section, times exercised", *player.seen.lines(), sep="\n")
    counts = ", ".join(f"{count:,} moves of {name}" for name, count in moves.items())
    print(f"\n{games} games, {counts}, {disagreements} disagreements")
    left_out = (
        [f"{name}: {what}" for name, player in players.items() for what in missing(player)] if args.complete else []
    )
    for line in left_out:
        print(f"not exercised: {line}")
    return 1 if disagreements or left_out else 0


if __name__ == "__main__":
    sys.exit(main())
