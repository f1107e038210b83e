"""Parts of the naive market game: random stream, component set, and what one seat owns.

"M 4" in a comment means section 4 of the rules document market.md, "I 2" section 2 of interfaces.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

GEMS = ("green", "blue", "red")
TOKENS = (*GEMS, "pass")  # the order in which a drawn token is counted (I 2)
APPRENTICES = ("stand-in", "bully", "runner")
LETTERS = "abcdef"

Amounts = dict[str, int]  # how many of each token, or of each material
MASK64 = 2**64 - 1


class SplitMix64:
    """The one random stream of a game (I 2)."""

    def __init__(self, seed: int) -> None:
        self.state = seed & MASK64

    def next(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK64
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK64
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        return ((self.next() >> 32) * n) >> 32

    def shuffle(self, items: list[Any]) -> None:
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]


@dataclass(frozen=True)
class Circle:
    """What is printed on one circle of a market."""

    start_material: str | None
    price: Amounts


@dataclass(frozen=True)
class Rate:
    give: Amounts
    get: Amounts


class Components:
    """The parsed component file, under names that say what is meant. It is not checked."""

    def __init__(self, raw: dict[str, Any]) -> None:
        rules = raw["rules"]
        self.materials: list[str] = list(raw["materials"])
        self.token_counts: Amounts = {gem: raw["gems"][gem]["count"] for gem in GEMS}
        self.token_counts["pass"] = raw["passes"]["count"]
        self.worth: Amounts = {gem: raw["gems"][gem]["worth"] for gem in GEMS}
        self.towers_to_win: int = rules["towers_to_win"]
        self.draw: int = rules["draw"]
        self.draw_if_idle: int = rules["draw_if_idle"]
        self.lists_after_building: int = rules["lists_after_building"]
        self.hand_limit: int = rules["black_market_hand"]
        self.offer: int = rules["black_market_offer"]
        self.markets_by_seats: dict[int, int] = {int(k): v for k, v in rules["markets_by_seats"].items()}
        self.jail_gems: int = rules["jail_gems"]
        self.steal_gems: int = rules["steal_gems"]
        self.max_turns: int = rules["max_turns_per_player"]
        self.entries: list[Amounts] = [dict(entry) for entry in raw["black_market_entry"]]
        self.rates = [Rate(dict(rate["give"]), dict(rate["get"])) for rate in raw["rate"]]
        self.markets = [
            [Circle(circle.get("material"), dict(circle["price"])) for circle in market["circles"]]
            for market in raw["market"]
        ]
        self.lists: list[Amounts] = [dict(asked) for asked in raw["list"]]
        self.card_copies: dict[str, int] = {card["name"]: card["copies"] for card in raw["black_market_card"]}
        self.card_fee: dict[str, int] = {card["name"]: card["fee"] for card in raw["black_market_card"]}


@dataclass
class Seat:
    """What belongs to one player, or to the NPC (its `worker` is the NPC's standing figure)."""

    number: int
    name: str  # as in `TARGET name`
    is_npc: bool
    tokens: Amounts
    materials: Amounts
    building_list: int | None = None  # index into the component file's lists
    hand: list[str] = field(default_factory=list)
    towers: int = 0
    # Markets count from 0 in this program and from 1 in texts and in position(). None: at home.
    worker: int | None = None
    stand_in: int | None = None
    runner: int | None = None
    curfews: list[int] = field(default_factory=list)  # markets on which this seat laid a curfew marker
    wanted: bool = False
    jailed: bool = False
    has_hired: bool = False  # once in the whole game (M 7)

    def gems(self) -> int:
        return sum(self.tokens[gem] for gem in GEMS)

    def figures(self) -> list[int]:
        """The markets on which figures of this seat stand (M 4: worker, standing NPC, stand-in, runner)."""
        return [market for market in (self.worker, self.stand_in, self.runner) if market is not None]

    def bring_figures_home(self) -> None:
        self.worker = self.stand_in = self.runner = None


@dataclass
class Turn:
    """What has happened in the turn of the player who is on turn."""

    at_start: bool = True  # nothing but PARDON has been done: STEAL and PARDON are possible (M 8)
    stolen_or_acted: bool = False  # BUY, TRADE, ENTER, CARD or STEAL was done: no idle draw (M 3.4)
    visited_black_market: bool = False
    bribed: bool = False
    runner_hired: bool = False


@dataclass(frozen=True)
class Decision:
    """A question to a player. The options are worked out anew whenever somebody asks."""

    seat: int
    kind: str
    options: Callable[[], list[str]]


def covers(owned: Amounts, wanted: Amounts) -> bool:
    return all(owned[key] >= number for key, number in wanted.items())


def move(source: Amounts, target: Amounts, amounts: Amounts) -> None:
    for key, number in amounts.items():
        assert source[key] >= number, (source, amounts)
        source[key] -= number
        target[key] += number


def add_gems(amounts: Amounts) -> int:
    return sum(amounts[gem] for gem in GEMS)


def circle_name(market: int, circle: int) -> str:
    return f"{market + 1}{LETTERS[circle]}"


def parse_circle(name: str) -> tuple[int, int]:
    return int(name[:-1]) - 1, LETTERS.index(name[-1])
