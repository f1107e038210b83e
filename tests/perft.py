"""How many sequences of legal actions there are from a position, by their length: numbers to compare implementations by.

    python -m tests.perft                    count every start anew and compare with the table (docs/perft.json)
    python -m tests.perft --write            write the table instead
    python -m tests.perft torres --depth 4   one game, not so deep

A start is a game, a number of players, rules, a seed, and how many random moves were made before: move by move the legal
action with index below(number of legal actions), by number, of the stream of the game's seed + 1. Chance is in the seed,
so the counts are the same for every implementation.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tower_core.engine.random import SplitMix64

TABLE = Path(__file__).resolve().parents[1] / "docs" / "perft.json"
_CHUNK = 20_000  # games expanded at once


@dataclass(frozen=True)
class Start:
    """Where counting begins."""

    game: str
    players: int
    rules: str
    seed: int = 7
    moves: int = 0
    depth: int = 4  # of the published counts

    @property
    def name(self) -> str:
        return f"{self.game} {self.rules} {self.players} players, seed {self.seed}, after {self.moves} moves"


STARTS = (
    *(Start("torres", players, "standard", depth=6) for players in (2, 3, 4)),
    Start("torres", 2, "classic", depth=6),
    Start("torres", 3, "digest", depth=6),
    Start("torres", 2, "master", depth=4),
    Start("torres", 4, "digest_master", depth=6),
    *(Start("torres", 2, rules, 11, 90, 4) for rules in ("standard", "classic", "digest", "master", "digest_master")),
    Start("torres", 3, "standard", 3, 140, 4),
    Start("torres", 4, "master", 5, 180, 4),
    *(Start("market", 2, rules, depth=8) for rules in ("base", "advanced", "apprentices", "guard", "full")),
    Start("market", 3, "full", depth=8),
    Start("market", 4, "full", depth=8),
    Start("market", 1, "solo", depth=8),
    Start("market", 2, "full+npc", depth=8),
    *(Start("market", players, "full", 5, 60, 7) for players in (2, 3, 4)),
    Start("market", 3, "guard+npc", 9, 80, 7),
    Start("market", 1, "solo", 3, 50, 7),
)


def rules_of(start: Start) -> Any:
    """The rules of a start; of the market game ``+npc`` after a preset adds the NPC."""
    preset, _, more = start.rules.partition("+")
    if start.game == "torres":
        from torres_env import TorresRules

        return TorresRules.preset(preset)
    from market_env import MarketRules

    return MarketRules.preset(preset, **({"npc": True} if more else {}))


def reached(start: Start) -> tuple[Any, list[str]]:
    """The state that a start means, and the texts of the moves before it."""
    from tower_core.registry import get_game

    state = get_game(start.game).state_class()(start.players, rules_of(start), start.seed)
    stream, texts = SplitMix64(start.seed + 1), []
    for _ in range(start.moves):
        legal = state.legal_actions()
        action = legal[stream.below(len(legal))]
        texts.append(state.action_to_string(action))
        state.apply_action(action)
    return state, texts


# ---------------------------------------------------------------------------------------------- counted by the kernels
class Kernels:
    """Counts with batches: all positions of a depth are stepped by one compiled call."""

    def __init__(self, start: Start) -> None:
        from tower_core.registry import get_game

        self.state, _ = reached(start)
        self.batch_class = get_game(start.game).batch_class()
        self.rules = rules_of(start)

    def counts(self, depth: int) -> list[int]:
        """The number of sequences of length 1, 2, … *depth*."""
        found = [0] * depth
        self._add(self.state._record, found, 0)
        return found

    def _add(self, games: Any, found: list[int], at: int) -> None:
        masks = self._masks(games)
        found[at] += int(masks.sum())
        if at + 1 == len(found):
            return
        which, actions = np.nonzero(masks)
        for low in range(0, len(which), _CHUNK):
            cut = slice(low, low + _CHUNK)
            self._add(self._stepped(games[which[cut]], actions[cut]), found, at + 1)

    def _batch(self, games: Any) -> Any:
        batch = self.batch_class(len(games), self.state.num_players, self.rules, autoreset=False)
        batch.games[:] = games
        batch.refresh()
        batch.action_mask[games["to_move"] < 0] = 0  # of a game that is over nothing is written
        return batch

    def _masks(self, games: Any) -> Any:
        return self._batch(games).action_mask

    def _stepped(self, games: Any, actions: Any) -> Any:
        batch = self._batch(games)
        batch.step(actions)
        return batch.games


# ---------------------------------------------------------------------------------------------- counted by the references
class Naive:
    """Counts with the naive references, text by text."""

    def __init__(self, start: Start) -> None:
        self.start = start
        self.state, self.texts = reached(start)

    def counts(self, depth: int) -> list[int]:
        """The number of sequences of length 1, 2, … *depth*."""
        found = [0] * depth
        self._add([], found)
        return found

    def _add(self, texts: list[str], found: list[int]) -> None:
        legal = self._after(texts).legal()
        found[len(texts)] += len(legal)
        if len(texts) + 1 < len(found):
            for text in sorted(legal):
                self._add([*texts, text], found)

    def _after(self, texts: list[str]) -> Any:
        """The game anew, for one reference cannot be copied."""
        if self.start.game == "torres":
            from reference.torres import NaiveTorres

            rules = {name: getattr(self.state.rules, name) for name in self.state.rules.__dataclass_fields__}
            naive: Any = NaiveTorres.from_position(rules, self.state.position())
        else:
            from market_compare import reference_of

            naive = reference_of(self.start.players, self.state.rules, self.start.seed)
            texts = self.texts + texts
        for text in texts:
            naive.apply(text)
        return naive


def published() -> dict[str, list[int]]:
    """The table: counts by the name of a start."""
    found: dict[str, list[int]] = json.loads(TABLE.read_text("utf-8"))
    return found


def markdown() -> str:
    """The table as Markdown."""
    deepest = max(start.depth for start in STARTS)
    lines = ["| game | rules | players | seed | moves before | " + " | ".join(map(str, range(1, deepest + 1))) + " |"]
    lines.append("|" + "---|" * (5 + deepest))
    table = published()
    for start in STARTS:
        counts = [f"{count:,}" for count in table[start.name]] + [""] * (deepest - start.depth)
        cells = (start.game, f"`{start.rules}`", start.players, start.seed, start.moves, *counts)
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.perft", description=__doc__.splitlines()[0])
    parser.add_argument("game", nargs="?", help="torres or market (default: both)")
    parser.add_argument("--depth", type=int, default=99, help="count no deeper than that")
    parser.add_argument("--write", action="store_true", help=f"write {TABLE.name}")
    args = parser.parse_args()
    known = {} if args.write or not TABLE.exists() else published()
    table, wrong = {}, 0
    for start in STARTS:
        if args.game not in (None, start.game):
            continue
        begun = time.perf_counter()
        counts = Kernels(start).counts(min(args.depth, start.depth))
        same = counts == known.get(start.name, counts)[: len(counts)]
        wrong += not same
        table[start.name] = counts
        print(
            f"{start.name}: {counts} ({time.perf_counter() - begun:.1f} s){'' if same else ' OTHER THAN PUBLISHED'}",
            flush=True,
        )
    if args.write:
        TABLE.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
