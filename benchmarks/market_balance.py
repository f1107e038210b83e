"""How games between equal players of the market game end: length, seats, and actions played.

    python benchmarks/market_balance.py --games 10000 --seed 1 > docs/notes/market_balance.md

``greedy`` plays every seat. Game number i is that of seed ``seed + i``; one core takes about a minute.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import agents
from market_env import actions as a
from market_env.components import CARDS, MAX_MATERIALS
from market_env.game import GAME
from market_env.packed_counts import excess, lane_of
from market_env.record import RECORD
from market_env.rules import MarketRules
from market_env.shop import asked
from tower_core.engine.intrinsics import U0, call_address, call_entry, carray, pointer
from tower_core.engine.loops import APPLY, NEW

_NEW, _APPLY = np.int64(NEW), np.int64(APPLY)
ROUND, WINNER, TRUNCATED = range(3)
TURNS, SHORT, FELT = range(3)
VERBS = {
    "END": (a.END, 1), "BUILD": (a.BUILD, 1), "BUY": (a.BUY, a.MAX_CIRCLES), "TRADE": (a.TRADE, a.KEEP - a.TRADE),
    "ENTER": (a.ENTER, a.CARD - a.ENTER), "LOOK": (a.LOOK, 1), "KEEP": (a.KEEP, 8), "DROP": (a.DROP, 8),
    "CARD": (a.CARD, 8), "HIRE": (a.HIRE, 3), "STEAL": (a.STEAL, 1), "PARDON": (a.PARDON, 1), "PAY": (a.PAY, 3),
    "TAKE": (a.TAKE, 3), "TARGET": (a.TARGET, 3), "MATERIAL": (a.MATERIAL, a.MARKET - a.MATERIAL),
    "MARKET": (a.MARKET, a.LIST - a.MARKET), "RETURN": (a.RETURN, a.MAX_CIRCLES), "LIST": (a.LIST, a.NUM_ACTIONS - a.LIST),
}  # fmt: skip


@njit
def play_games(
    entry: Any, record: Any, template: Any, player: Any, seed: Any, action_counts: Any, ends: Any, turns: Any
) -> None:
    """Play ``len(ends)`` games in the record at an address; count actions, results and shortages."""
    s = carray(pointer(record), (1,), RECORD)[0]
    start = carray(pointer(record), template.shape, np.uint8)
    stream = np.zeros(1, np.uint64)
    choose, options = player
    for game in range(len(ends)):
        start[:] = template
        call_entry(entry, _NEW, record, seed + game, np.int64(0))
        turn = -1
        while s.to_move >= 0:
            seat = np.int64(s.to_move)
            if 4 * np.int64(s.round) + seat != turn:
                turn = 4 * np.int64(s.round) + seat
                gone = U0
                for material in range(MAX_MATERIALS):
                    if s.starts[material] != U0:
                        gone |= s.exhausted & lane_of(material)
                turns[TURNS] += 1
                turns[SHORT] += gone != U0
                turns[FELT] += excess(asked(s, seat), s.materials[seat]) & gone != U0
            action = call_address(choose, record, stream.ctypes.data, options)
            action_counts[action] += 1
            call_entry(entry, _APPLY, record, action, np.int64(0))
        ends[game, ROUND] = s.round
        ends[game, WINNER] = s.winner
        ends[game, TRUNCATED] = s.truncated


@dataclass
class Played:
    """Statistics of games under the same rules."""

    name: str
    players: int
    action_counts: Any
    """int [actions]: how often each action was played"""
    ends: Any
    """int [games, 3]: rounds, winner or -1, truncated"""
    turns: Any

    @property
    def games(self) -> int:
        return len(self.ends)

    def won(self, seat: int) -> float:
        return float((self.ends[:, WINNER] == seat).mean())

    def per_game(self, first: int, count: int = 1) -> str:
        number = self.action_counts[first : first + count].sum() / self.games
        return f"{number:.1f}" if number >= 9.95 else f"{number:.2f}" if number else "–"


def play(name: str, players: int, rules: MarketRules, games: int, seed: int) -> Played:
    record = GAME.make_record(players, rules)
    native = agents.make("greedy", game="market").native
    assert native is not None
    action_counts, ends, turns = (
        np.zeros(a.NUM_ACTIONS, np.int64),
        np.zeros((games, 3), np.int64),
        np.zeros(3, np.int64),
    )
    template = record.copy().view(np.uint8).ravel()
    play_games(
        GAME.address, record.ctypes.data, template, (native.address, native.options), seed, action_counts, ends, turns
    )
    return Played(name, players, action_counts, ends, turns)


# ---------------------------------------------------------------------------------------------- the report
def table(head: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|", *("| " + " | ".join(row) + " |" for row in rows)]
    return "\n".join(lines) + "\n"


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def label(played: Played) -> list[str]:
    return [f"`{played.name}`", str(played.players)]


def length_row(played: Played) -> list[str]:
    rounds = played.ends[:, ROUND]
    low, high = np.quantile(rounds, (0.1, 0.9)).astype(int)
    seats = [percent(played.won(seat)) if seat < played.players else "" for seat in range(4)]
    turns, short, felt = played.turns
    actions = f"{played.action_counts.sum() / played.games:.0f}"
    truncated = percent(played.ends[:, TRUNCATED].mean())
    return [*label(played), f"{rounds.mean():.2f}", f"{low}–{high}", actions, truncated, *seats,
            percent(short / turns), percent(felt / turns)]  # fmt: skip


def usage(head: list[str], places: list[tuple[int, int]], played: list[Played]) -> str:
    rows = [[*label(one), *(one.per_game(*place) for place in places)] for one in played]
    return table(["rules", "players", *head], rows)


def report(games: int, seed: int) -> str:
    presets = ["base", "advanced", "apprentices", "guard", "full"]
    tables = [play(name, players, MarketRules.preset(name), games, seed) for name in presets for players in (2, 3, 4)]
    with_npc = [play("base, npc", players, MarketRules(npc=True), games, seed) for players in (2, 3)]
    solo = [(n, play("solo", 1, MarketRules.preset("solo", solo_npc_towers=n), games, seed)) for n in (3, 2, 1)]
    ahead = [
        (name, extra, play(name, 2, MarketRules.preset(name, first_tokens=(0, extra)), games, seed))
        for name in ("base", "full")
        for extra in range(5)
    ]
    everything = [*tables, *with_npc, solo[0][1]]
    rates = len(MarketRules().components.rates)
    solo_rows = [
        [str(n), percent(one.won(0)), percent(one.won(1)), percent(one.ends[:, TRUNCATED].mean()),
         f"{one.ends[:, ROUND].mean():.2f}"]
        for n, one in solo
    ]  # fmt: skip
    ahead_rows = [[f"`{name}`", str(extra), percent(one.won(0)), percent(one.won(1))] for name, extra, one in ahead]
    return f"""# Balance of the market game

How games between equal players go: length, advantage of the first seat, use of actions and cards, for every preset. Written by
`python benchmarks/market_balance.py --games {games} --seed {seed}`.

`greedy` plays every seat, with the default component set. Each row is {games:,} games, of the seeds from
{seed} on; shares are accurate to within about {100 / games**0.5:.1f} points. The figures hold for
this player; stronger players may give different results.

## Length, seats, shortages

"Rounds" is the mean number of rounds, "10–90 %" the range of the middle four fifths of the games. "Actions" counts the
decisions of players. "Seat 1" is `player_0`, and so on: shares of games won. The last two columns are shares of turns:
"shortage" counts turns that start while some material is on no circle, "felt" turns in which the player to move also lacks such
a material.

{
        table(
            [
                "rules",
                "players",
                "rounds",
                "10–90 %",
                "actions",
                "truncated",
                "seat 1",
                "seat 2",
                "seat 3",
                "seat 4",
                "shortage",
                "felt",
            ],
            [length_row(one) for one in everything],
        )
    }
The first seat has an advantage, most of all with two players. `first_tokens` compensates for it. Two players, with extra tokens
for the second:

{table(["rules", "extra tokens", "seat 1", "seat 2"], ahead_rows)}
## Solo

{table(["`solo_npc_towers`", "won", "lost", "truncated", "rounds"], solo_rows)}
## Actions

Counts per game, all players together. A `PAY` or `RETURN` with only one possible answer is automatic and not counted.

{usage(list(VERBS), list(VERBS.values()), everything)}
## Black-market cards

Cards played per game, all players together.

{usage(list(CARDS), [(a.CARD + k, 1) for k in range(len(CARDS))], everything)}
## Apprentices

Apprentices hired per game, all players together.

{
        usage(
            list(a.APPRENTICES),
            [(a.HIRE + k, 1) for k in range(3)],
            [p for p in tables if p.name in ("apprentices", "full")],
        )
    }
`greedy` never hires the stand-in.

## Rates of the collector

Uses per game, all players together.

{usage([f"rate {k + 1}" for k in range(rates)], [(a.TRADE + k, 1) for k in range(rates)], everything)}"""


def main() -> int:
    parser = argparse.ArgumentParser(description="Balance of the market game between equal players, as Markdown.")
    parser.add_argument("--games", type=int, default=10_000, help="games of each kind (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first game (default: %(default)s)")
    options = parser.parse_args()
    if options.games < 1:
        parser.error("--games must be at least 1")
    print(report(options.games, options.seed), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
