"""The tables, figures and pictures of docs/market.md."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from docs.generate.figures import Figures, won
from docs.generate.pictures import played
from docs.generate.tables import Words, tables
from market_env import MarketState, component_parser
from market_env import components as c
from market_env.component_files import default_components
from market_env.game import GAME
from tower_core.state import State
from towers.game_facts import markdown_table

_VALUES = {
    "first_tokens": "tuple of up to 4 numbers, 0–100",
    "components": "a file's path, a dict, a `Components`, or `None` for the default",
}
_DEFAULTS = {"components": "the default set"}
_REWARDS = {
    "outcome": "the utility of section 11: +1 for the first, −1 for the last",
    "win": "+1 for the winner, −1/(n − 1) for each other player; 0 for all if nobody has won. Solo as `outcome`",
    "progress": "the change of towers and of the satisfied share of the own list, divided by the towers that win, "
    "and the utility at the end",
}
_POSITION = {
    "game": "`market`",
    "num_players": "1–4",
    "rules": "all fields of the rules; `components` is null for the default set",
    "circles": "per market in play six materials; null for an empty circle",
    "workers": "per seat the market of its worker, or of the standing NPC; null: at home",
    "figures": "`stand-in` and `runner`: per seat a market or null; `curfew`: per seat the markets of its markers",
    "tokens": "per seat its tokens by kind",
    "pile": "tokens of the collector's pile",
    "bag": "tokens in the bag",
    "materials": "per seat its materials by name",
    "lists": "per seat the number of its list in the set, from 0; null where there is none",
    "list_deck": "lists, top first",
    "list_discard": "lists, as discarded",
    "hands": "per seat its black-market cards, in table order",
    "card_deck": "cards, top first; cards being looked at are not in it",
    "card_discard": "cards, as discarded",
    "towers": "per seat its towers",
    "wanted": "per seat whether it is wanted",
    "jailed": "per seat whether it is in jail",
    "guard": "market of the guard; null: in the jail",
    "apprentices": "`with`: the seat that each is with, or null; `has_hired`: per seat whether it has hired",
    "to_move": "seat to move; null at the end",
    "turn": "number of the turn of every player, from 1",
    "turn_state": "`at_start`: only `PARDON` has been done; `acted`: no idle draw any more; `visited_black_market`; `bribed`",
    "pending": "the open decision: null, or a dict with `kind`, `for` (card, apprentice, `steal`, `jail`, `build` or `visit`) "
    "and, as needed, `left`, `entries`, `cards`, `target`, `pieces`, `market`, `lists`",
    "known_cards": "null, or the `seat` that put back the top `count` cards of the deck",
    "rng": "state of the random stream; not in `position(seat)`",
}


_ACTIONS = (
    "`TARGET` is the seat 1, 2 or 3 places after the own one, and its text names it: `TARGET player_1`, `TARGET npc`. "
    "`MATERIAL` goes by the place in the component set, and by its name: `MATERIAL wood`. `LIST keep` keeps the own list."
)
WORDS = Words(_REWARDS, _POSITION, _VALUES, _DEFAULTS, _ACTIONS)


def limits() -> str:
    """The entries of a component file and their limits."""
    rules = "; ".join(f"`{name}` {low}–{high}" for name, (low, high) in component_parser.RULE_LIMITS.items())
    rows = [
        ("name", "a text", "may be left out"),
        ("materials", "list of names", f"1–{c.MAX_MATERIALS} words of small letters, digits, `-` and `_`"),
        ("gems", "for each colour `count` and `worth`", f"count 0–{c.MAX_TOKENS}, worth 1–{c.MAX_WORTH}"),
        ("passes", "`count`", f"0–{c.MAX_TOKENS}"),
        ("rules", "numbers by name", f"{rules}; `markets_by_seats`: for 2, 3 and 4 seats 1–{c.MAX_MARKETS}, never fewer"
         " for more seats"),
        ("black_market_entry", "one table for each entry: a kind of token and its number",
         f"0–{len(c.ENTRIES)} entries of different kinds, 1–{c.MAX_PRICE} tokens"),
        ("rate", "one table for each rate: `give` and `get`, gems by colour",
         f"0–{c.MAX_RATES} rates, 0–{c.MAX_PRICE} gems of a colour"),
        ("market", "one table for each market: `name` (may be left out) and `circles`, each with `material` and `price`",
         f"1–{c.MAX_MARKETS} markets of {c.CIRCLES} circles, 0–{c.MAX_PRICE} gems of a colour"),
        ("list", "one table for each list: materials and their number", f"{c.MIN_LISTS}–{c.MAX_LISTS} lists, none empty"),
        ("black_market_card", "one table for each card: `name`, `copies`, `fee`",
         f"cards of section 4, each once; {c.MAX_CARDS} copies in all; fee 0–{c.MAX_FEE}"),
    ]  # fmt: skip
    assert tuple(name for name, *_ in rows) == component_parser.ENTRY_NAMES
    return markdown_table(["entry", "what", "limits"], [[f"`{name}`", what, limits] for name, what, limits in rows])


def _gems(amounts: Iterable[int]) -> str:
    return " ".join(f"{number} {gem}" for number, gem in zip(amounts, c.GEMS, strict=True) if number)


def component_set() -> str:
    """The default component set."""
    parts = default_components()
    gems = ", ".join(f"{count} {gem} (worth {worth})" for gem, (count, worth) in zip(c.GEMS, parts.gems, strict=True))
    rates = "; ".join(f"{i}: {_gems(rate.give)} for {_gems(rate.get)}" for i, rate in enumerate(parts.rates, start=1))
    entries = ", ".join(f"{number} {kind}" for kind, number in parts.entries)
    facts = markdown_table(
        ["what", "in the default set"],
        [["bag", f"{gems}, {parts.passes} passes"], ["rates", rates], ["entries", entries],
         *([f"`{name}`", number] for name, number in parts.rules),
         ["markets with 2, 3, 4 seats", ", ".join(map(str, parts.markets_by_seats))]],
    )  # fmt: skip
    markets = markdown_table(
        ["market", *"abcdef"],
        [
            [
                f"{m} {market.name}",
                *(f"{parts.materials[circle.material]}: {_gems(circle.price)}" for circle in market.circles),
            ]
            for m, market in enumerate(parts.markets, start=1)
        ],
    )
    assert all(len(market.circles) == c.CIRCLES for market in parts.markets)
    lists = markdown_table(
        ["list", *parts.materials, "pieces"],
        [[i, *(number or "–" for number in asked), sum(asked)] for i, asked in enumerate(parts.lists)],
    )
    cards = markdown_table(
        ["card", "copies", "fee"], [[f"`{card.name}`", card.copies, card.fee] for card in parts.cards]
    )
    return f"{facts}\n{markets}\n{lists}\n{cards}"


def picture() -> list[tuple[str, State, str]]:
    """A three-player game in its sixth round, played by ``greedy``."""

    def found(position: dict[str, Any]) -> bool:
        return (position["turn"], position["to_move"]) == (6, 1)

    return [("market", played(MarketState(num_players=3, rules="full", seed=5), found), "flat")]


TABLES: dict[str, Callable[[], str]] = {**tables(GAME, WORDS), "limits": limits, "set": component_set}
FIGURES = Figures(
    (("random", "passive"), ("greedy", "passive"), ("greedy", "random"), ("greedy", "greedy")),
    {"games won": won, "rounds": lambda it: f"{it.rounds:.1f}"},
)
