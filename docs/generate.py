"""Write what the documents tell of the code: the tables between their markers, and with ``--all`` pictures and figures.

    python docs/generate.py           write the tables anew
    python docs/generate.py --check   change nothing; name the documents that are stale and exit with status 1
    python docs/generate.py --all     also what is played for: the pictures and the measured figures (a minute)

A table stands between ``<!-- generated: NAME -->`` and ``<!-- end -->``, where NAME is a key of TABLES or MEASURED.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args, get_type_hints

DOCS = Path(__file__).resolve().parent
_PART = re.compile(r"(<!-- generated: (?P<name>[\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def table(head: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """A Markdown table."""
    titles = list(head)
    lines = ["| " + " | ".join(titles) + " |", "|" + "---|" * len(titles)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def code(value: Any) -> str:
    return f"`{value!r}`".replace("'", '"')


# ---------------------------------------------------------------------------------------------- Torres: the rules
def field_comments(rules: type) -> dict[str, str]:
    """The text under each field of a class of rules."""
    body = ast.parse(inspect.getsource(rules)).body[0].body  # type: ignore[attr-defined]
    comments = {}
    for field, text in pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
            comments[field.target.id] = text.value.value.replace("``", "`")  # type: ignore[union-attr]
    return comments


# Fields whose values no type tells.
_TORRES_VALUES = {
    "stacks": "`None`, or three phases, each a tuple of heights",
    "starting_cells": "tuple of cell names",
    "card_list": "tuple of card names",
}


def values_of(rules: Any, preset: str, name: str, hint: Any) -> str:
    """What a field may hold, as its own check tells it."""
    if hint is bool:
        return "`True`, `False`"
    choices = get_args(hint)
    if choices and all(isinstance(choice, str) for choice in choices):
        return ", ".join(code(choice) for choice in choices)
    try:
        rules.preset(preset, **{name: -1})
    except ValueError as error:
        low, high = re.search(r"from (\d+) to (\d+)", str(error)).groups()  # type: ignore[union-attr]
        return ("`None`, " if type(None) in choices else "") + f"{low}–{high}"
    raise AssertionError(f"{name}: no check of its range")


def torres_options() -> str:
    from torres_env import TorresRules

    hints, comments = get_type_hints(TorresRules), field_comments(TorresRules)
    rows = []
    for field in fields(TorresRules):
        name = field.name
        default = "the eight of section 2" if name == "starting_cells" else code(field.default)
        default = "all ten" if name == "card_list" else default
        values = _TORRES_VALUES.get(name) or values_of(TorresRules, "standard", name, hints[name])
        rows.append([f"`{name}`", values, default, comments[name]])
    return table(["field", "values", "default", "meaning"], rows)


def torres_presets() -> str:
    from torres_env.rules import PRESETS, TorresRules

    base = TorresRules()
    rows = []
    for field in fields(TorresRules):
        values = [getattr(rules, field.name) for rules in PRESETS.values()]
        usual = getattr(base, field.name)
        if any(value != usual for value in values):
            rows.append([f"`{field.name}`", *(code(v) if v == usual else f"**{code(v)}**" for v in values)])
    return table(["field", *(f"`{name}`" for name in PRESETS)], rows)


def torres_stacks() -> str:
    from torres_env.rules import DEFAULT_STACKS, STARTING_CELLS, TOTAL_BLOCKS

    rows = []
    for players, phases in DEFAULT_STACKS.items():
        supply = TOTAL_BLOCKS - len(STARTING_CELLS) - players * sum(map(sum, phases))
        rows.append([players, *(" ".join(map(str, phase)) for phase in phases), supply])
    return table(["players", "phase 1", "phase 2", "phase 3", "general supply"], rows)


# ---------------------------------------------------------------------------------------------- Torres: the interface
def torres_actions() -> str:
    from torres_env import actions as a

    rows = [
        (a.END, 1, "END", "end the turn", "–"),
        (a.BUY, 1, "BUY", "buy an action card", 1),
        (a.PICK, len(a.CARDS), "PICK name", "take one of the cards looked at", "–"),
        (a.PLAY, len(a.CARDS), "PLAY name", "play an action card", 0),
        (a.BLOCK, 64, "B d3", "block on a cell", 1),
        (a.KNIGHT, 64, "N e4", "new knight on a cell", 2),
        (a.MOVE, 64 * a.MAX_KNIGHTS, "M e4 e5", f"own knight number k to a cell: {a.MOVE} + 64·k + cell", 1),
        (a.TAKE, 64, "T d3", "take the top block of a cell (`relocate`)", "–"),
        (a.KING, 64, "K d3", "king to a cell", "–"),
    ]
    expected = 0
    for first, count, text, _, _ in rows:
        assert first == expected, text
        assert a.action_text(first, range(a.MAX_KNIGHTS)).split()[0] == text.split()[0]
        expected = first + count
    assert expected == a.NUM_ACTIONS
    numbers = [f"{first}" if count == 1 else f"{first}–{first + count - 1}" for first, count, *_ in rows]
    lines = [
        [place, f"`{text}`", meaning, cost] for place, (_, _, text, meaning, cost) in zip(numbers, rows, strict=True)
    ]
    cards = ", ".join(f"{i} `{card}`" for i, card in enumerate(a.CARDS))
    return table(["numbers", "text", "meaning", "AP"], lines) + (
        f"\nThere are {a.NUM_ACTIONS} actions. Numbers of cards, to be added to the first number of `PICK` and `PLAY`: "
        f"{cards}.\n"
    )


def torres_planes() -> str:
    from torres_env.observation import PLANES

    return PLANES.to_markdown("plane")


def torres_globals() -> str:
    from torres_env.observation import GLOBALS

    return GLOBALS.to_markdown()


def torres_sizes() -> str:
    from torres_env.observation import BOARD_SIZE, GLOBALS_SIZE, OBSERVATION_SIZE, PLANES

    rows = [
        ["`board`", f"[{PLANES.size}, 8, 8]", f"0–{BOARD_SIZE - 1}"],
        ["`globals`", f"[{GLOBALS_SIZE}]", f"{BOARD_SIZE}–{OBSERVATION_SIZE - 1}"],
    ]
    return table(["part", "shape (uint8)", "place in a flat row"], rows) + (
        f"\nA flat row has {OBSERVATION_SIZE} bytes.\n"
    )


_TORRES_REWARDS = {
    "outcome": "the utility of section 9: +1 for the first, −1 for the last",
    "margin": "own points minus those of the best other seat, divided by 100",
    "score": "own points gained since the last payment, divided by 100",
    "progress": "change of the lead, divided by 100, and the utility at the end. The lead counts points had "
    "and points that the next scoring would give if it came now",
}


def torres_rewards() -> str:
    from torres_env.game import GAME

    assert set(GAME.rewards) == set(_TORRES_REWARDS), "the rewards have changed: describe them in _TORRES_REWARDS"
    rows = [
        [f"`{name}`", "as it happens" if name in GAME.dense_rewards else "at the end", _TORRES_REWARDS[name]]
        for name in GAME.rewards
    ]
    return table(["`reward`", "paid", "what"], rows)


_TORRES_POSITION = {
    "game": "`torres`",
    "num_players": "2, 3 or 4",
    "rules": "all fields of the rules",
    "height": "64 numbers: blocks on each cell, by cell index",
    "knights": "per seat the cells of its knights, in the order in which they came onto the board",
    "king": "cell of the king; null before he is placed",
    "to_move": "seat to move; null at the end",
    "phase": "1, 2, 3; 0 during setup. A king move after phase p still reports p",
    "round": "round of the phase, from 1; 0 during setup",
    "ap": "action points left",
    "stacks": "per seat the heights of its stacks of this phase, without the stack of this turn; empty lists during setup",
    "turn_stack": "blocks left of the stack of this turn",
    "supply": "blocks in the general supply",
    "hands": "per seat the cards in hand, in table order",
    "decks": "per seat the cards in the deck, top first; cards being looked at are not in it",
    "discards": "per seat the cards played, in the order in which they were played",
    "scores": "per seat its points",
    "master_card": "name or null",
    "pending": "what the engine waits for: null, or a dict with `kind` (`king`, `pick` or a card's name), "
    "for `pick` the `cards`, for `relocate` the cell `taken`",
    "start_player": "starting player of the round",
    "buys": "cards bought in this turn",
    "card_played": "whether a card was played in this turn",
    "bought": "cards that the seat to move bought in this turn",
    "unseen": "per seat how many cards on top of its deck lie in an order that it does not know",
    "rng": "state of the random stream; not in `position(seat)`",
}


def torres_position() -> str:
    from torres_env import TorresState

    keys = list(TorresState().position())
    assert set(keys) == set(_TORRES_POSITION), "positions have changed: describe them in _TORRES_POSITION"
    return table(["key", "value"], [[f"`{key}`", _TORRES_POSITION[key]] for key in keys])


# ---------------------------------------------------------------------------------------------- what games share
_BATCH_ARRAYS = {
    "actions": "the actions of the next step; `sample_actions()` fills it",
    "observation": "what the seat to move sees, as one flat row",
    "action_mask": "1 where an action is legal for the seat to move",
    "to_move": "seat to move",
    "reward": "of every seat, for the last step",
    "done": "the game ended in the last step",
    "truncated": "it ended by its limit of turns",
    "final_observation": "rows of games that ended: the end as the learner sees it (seat 0 where every seat is asked)",
    "final_score": "rows of games that ended: points of every seat",
    "final_utility": "rows of games that ended: utilities of every seat, whatever `reward` pays",
}


def batch_arrays() -> str:
    from torres_env import TorresBatch
    from tower_core.batch import _BUFFERS

    assert set(_BUFFERS) == set(_BATCH_ARRAYS), "the arrays of a batch have changed: describe them in _BATCH_ARRAYS"
    batch = TorresBatch(num_envs=5, num_players=3)
    size, actions = batch.observation.shape[1], batch.action_mask.shape[1]
    names = {5: "N", 3: "players", size: "size", actions: "num_actions"}
    rows = []
    for name, meaning in _BATCH_ARRAYS.items():
        array = getattr(batch, name)
        rows.append([f"`{name}`", f"{array.dtype} [{', '.join(names[n] for n in array.shape)}]", meaning])
    return table(["array", "type", "meaning"], rows)


def hooks() -> str:
    from tower_core import hooks as module

    rows = re.findall(r"^(``.+?``) +(.+)$", module.__doc__ or "", re.MULTILINE)
    names = {call.strip("`").split("(")[0] for call, _ in rows}
    assert names == set(module._HOOKS), "the text of tower_core.hooks doesn't tell of every hook"
    return table(["hook", "what it does"], [[call.replace("``", "`"), meaning] for call, meaning in rows])


# ---------------------------------------------------------------------------------------------- the market game: rules
_MARKET_VALUES = {
    "first_tokens": "tuple of up to 4 numbers, 0–100",
    "components": "a file's path, a dict, a `Components`, or `None` for the default",
}


def market_options() -> str:
    from market_env import MarketRules

    hints, comments = get_type_hints(MarketRules), field_comments(MarketRules)
    rows = []
    for field in fields(MarketRules):
        name = field.name
        values = _MARKET_VALUES.get(name) or values_of(MarketRules, "base", name, hints[name])
        default = "the default set" if name == "components" else code(field.default)
        rows.append([f"`{name}`", values, default, comments[name]])
    return table(["field", "values", "default", "meaning"], rows)


def market_presets() -> str:
    from market_env.rules import PRESETS

    flags = ["advanced", "apprentices", "guard", "npc", "solo"]
    rows = [[f"`{name}`", *("yes" if fields.get(flag) else "–" for flag in flags)] for name, fields in PRESETS.items()]
    return table(["preset", *(f"`{flag}`" for flag in flags)], rows)


def market_limits() -> str:
    """The entries of a component set's file."""
    from market_env import component_parser
    from market_env import components as c

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
    return table(["entry", "what", "limits"], [[f"`{name}`", what, limits] for name, what, limits in rows])


def _gems(amounts: Iterable[int]) -> str:
    from market_env.components import GEMS

    return " ".join(f"{number} {gem}" for number, gem in zip(amounts, GEMS, strict=True) if number)


def market_set() -> str:
    """The default component set."""
    from market_env.components import CIRCLES, GEMS, default_components

    c = default_components()
    gems = ", ".join(f"{count} {gem} (worth {worth})" for gem, (count, worth) in zip(GEMS, c.gems, strict=True))
    rates = "; ".join(f"{i}: {_gems(rate.give)} for {_gems(rate.get)}" for i, rate in enumerate(c.rates, start=1))
    entries = ", ".join(f"{number} {kind}" for kind, number in c.entries)
    facts = table(
        ["what", "in the default set"],
        [["bag", f"{gems}, {c.passes} passes"], ["rates", rates], ["entries", entries],
         *([f"`{name}`", number] for name, number in c.rules),
         ["markets with 2, 3, 4 seats", ", ".join(map(str, c.markets_by_seats))]],
    )  # fmt: skip
    markets = table(
        ["market", *"abcdef"],
        [
            [
                f"{m} {market.name}",
                *(f"{c.materials[circle.material]}: {_gems(circle.price)}" for circle in market.circles),
            ]
            for m, market in enumerate(c.markets, start=1)
        ],
    )
    assert all(len(market.circles) == CIRCLES for market in c.markets)
    lists = table(
        ["list", *c.materials, "pieces"],
        [[i, *(number or "–" for number in asked), sum(asked)] for i, asked in enumerate(c.lists)],
    )
    cards = table(["card", "copies", "fee"], [[f"`{card.name}`", card.copies, card.fee] for card in c.cards])
    return f"{facts}\n{markets}\n{lists}\n{cards}"


# ---------------------------------------------------------------------------------------------- … and the interface
def market_actions() -> str:
    from market_env import actions as a

    rows = [
        (a.END, 1, "END", "end the turn"),
        (a.BUILD, 1, "BUILD", "build a tower"),
        (a.LOOK, 1, "LOOK", "look at the cards of the black market"),
        (a.STEAL, 1, "STEAL", "take gems out of the pile and be wanted"),
        (a.PARDON, 1, "PARDON", "pay a red gem and be wanted no more"),
        (a.HIRE, len(a.APPRENTICES), "HIRE bully", "hire an apprentice: " + ", ".join(a.APPRENTICES)),
        (a.ENTER, len(a.ENTRIES), "ENTER pass", "pay an entry to the black market: " + ", ".join(a.ENTRIES)),
        (a.CARD, len(a.CARDS), "CARD levy", "play a black-market card"),
        (a.PAY, len(a.GEMS), "PAY blue", "pay one gem of a fee"),
        (a.BUY, a.MAX_CIRCLES, "BUY 2d", "buy on a circle"),
        (a.TRADE, a.MAX_RATES, "TRADE 1", "trade with the tax collector, by the number of the rate"),
        (a.KEEP, len(a.CARDS), "KEEP levy", "keep one of the cards looked at"),
        (a.DROP, len(a.CARDS), "DROP levy", "drop a card of the hand"),
        (a.RETURN, a.MAX_CIRCLES, "RETURN 2d", "lay a material on an empty circle"),
        (a.TAKE, len(a.GEMS), "TAKE red", "take one gem out of the pile"),
        (a.TARGET, 3, "TARGET player_1", "the seat 1, 2 or 3 places after the own one (the text names it; `npc` too)"),
        (a.MATERIAL, a.MAX_MATERIALS, "MATERIAL wood", "one material of the target, by its place in the set"),
        (a.MARKET, a.MAX_MARKETS, "MARKET 2", "a market"),
        (a.LIST, a.MAX_LIST_CHOICE, "LIST 1", "one of the lists drawn"),
        (a.LIST_KEEP, 1, "LIST keep", "the own list"),
    ]
    expected = 0
    for first, count, text, _ in rows:
        assert first == expected, text
        assert a.verb_of(first)[0] == a.verb_of(first + count - 1)[0] == text.split()[0], text
        expected = first + count
    assert expected == a.NUM_ACTIONS
    numbers = [f"{first}" if count == 1 else f"{first}–{first + count - 1}" for first, count, *_ in rows]
    lines = [[place, f"`{text}`", meaning] for place, (_, _, text, meaning) in zip(numbers, rows, strict=True)]
    cards = ", ".join(f"{i} `{card}`" for i, card in enumerate(a.CARDS))
    return table(["numbers", "text", "meaning"], lines) + (
        f"\nThere are {a.NUM_ACTIONS} actions. Numbers of cards, to be added to the first number of `CARD`, `KEEP` and "
        f"`DROP`: {cards}.\n"
    )


def market_vector() -> str:
    from market_env.observation import OBSERVATION_SIZE, VECTOR

    return VECTOR.to_markdown() + f"\nThe vector has {OBSERVATION_SIZE} entries.\n"


_MARKET_REWARDS = {
    "outcome": "the utility of section 11: +1 for the first, −1 for the last",
    "win": "+1 for the winner, −1/(n − 1) for each other player; 0 for all if nobody has won. Solo as `outcome`",
    "progress": "the change of towers and of the satisfied share of the own list, divided by the towers that win, "
    "and the utility at the end",
}


def market_rewards() -> str:
    from market_env.game import GAME

    assert set(GAME.rewards) == set(_MARKET_REWARDS)
    rows = [
        [f"`{name}`", "as it happens" if name in GAME.dense_rewards else "at the end", _MARKET_REWARDS[name]]
        for name in GAME.rewards
    ]
    return table(["`reward`", "paid", "what"], rows)


_MARKET_POSITION = {
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
    "pending": "what is asked: null, or a dict with `kind`, `for` (card, apprentice, `steal`, `jail`, `build` or `visit`) "
    "and what else is needed: `left`, `entries`, `cards`, `target`, `pieces`, `market`, `lists`",
    "known_cards": "null, or the `seat` that put back the top `count` cards of the deck",
    "rng": "state of the random stream; not in `position(seat)`",
}


def market_position() -> str:
    from market_env import MarketState

    keys = list(MarketState().position())
    assert set(keys) == set(_MARKET_POSITION)
    return table(["key", "value"], [[f"`{key}`", _MARKET_POSITION[key]] for key in keys])


# ---------------------------------------------------------------------------------------------- played for
def duel(
    learner: str, opponents: str, games: int, num_players: int = 2, seed: int = 20_000
) -> tuple[float, float, float]:
    """Mean points of *learner* and of the others, and the share of games it wins alone; every seat equally often."""
    import numpy as np

    import agents
    from torres_env import TorresBatch

    results = []
    for seat in range(num_players):
        batch = TorresBatch(games // num_players, num_players, seed=seed, opponents=opponents, seat=seat)
        player: Any = agents.make(learner, seed=1)
        running = np.ones(batch.num_envs, np.bool_)
        while running.any():
            batch.step(np.where(running, player.act_on_batch(batch), -1))
            for i in np.flatnonzero(batch.done & running):
                others = np.delete(batch.final_score[i], seat)
                results.append((batch.final_score[i, seat], others.mean(), batch.reward[i, seat] == 1))
            running &= ~batch.done
    own, other, won = np.array(results, float).mean(axis=0)
    return float(own), float(other), float(won)


def torres_figures() -> str:
    games, rows = 1000, []
    for learner, opponent in (
        ("random", "random"), ("passive", "random"), ("passive", "passive"), ("greedy", "passive"), ("greedy", "greedy"),
    ):  # fmt: skip
        own, other, won = duel(learner, opponent, games)
        rows.append([f"`{learner}`", f"`{opponent}`", f"{own:.0f}", f"{other:.0f}", f"{won:.0%}".replace("%", " %")])
    return table(["player", "against", "its points", "the other's", "games won"], rows)


def market_figures() -> str:
    """How the built-in players fare against each other."""
    import numpy as np

    import agents
    from market_env import MarketBatch

    pairs = (("random", "passive"), ("greedy", "passive"), ("greedy", "random"), ("greedy", "greedy"))
    rows = []
    for learner, opponent in pairs:
        shares, rounds = [], []
        for seat in range(2):
            batch = MarketBatch(500, 2, seed=20_000, opponents=opponent, seat=seat, autoreset=False)
            player: Any = agents.make(learner, game="market", seed=1)
            while (batch.to_move >= 0).any():
                batch.step(player.act_on_batch(batch))
            shares.append(batch.final_utility[:, seat] == 1)
            rounds.append(batch.games["round"])
        won = f"{np.mean(shares):.0%}".replace("%", " %")
        rows.append([f"`{learner}`", f"`{opponent}`", won, f"{np.mean(rounds):.1f}"])
    return table(["player", "against", "games won", "rounds"], rows)


def torres_picture() -> Any:
    """A game eleven rounds in, played by ``greedy`` in both seats, in the middle of a turn."""
    from torres_env import TorresState

    def found(position: dict[str, Any]) -> bool:
        return (position["phase"], position["round"], position["to_move"], position["ap"]) == (3, 3, 1, 3)

    return _played(TorresState(num_players=2, seed=179), found)


def market_picture() -> Any:
    """A game of three in its sixth round, played by ``greedy`` in all seats."""
    from market_env import MarketState

    def found(position: dict[str, Any]) -> bool:
        return (position["turn"], position["to_move"]) == (6, 1)

    return _played(MarketState(num_players=3, rules="full", seed=5), found)


def _played(state: Any, found: Callable[[dict[str, Any]], bool]) -> Any:
    """A game played by ``greedy`` in all seats up to a position that is looked for."""
    import agents

    players = [agents.make("greedy", game=state.game.name, seed=seat) for seat in range(state.num_players)]
    while not state.is_terminal() and not found(state.position()):
        state.apply_action(players[state.current_player()].act(state))
    return state


def write_pictures() -> None:
    for game, picture in (("torres", torres_picture), ("market", market_picture)):
        state = picture()
        for theme in ("light", "dark"):
            (DOCS / "images" / f"{game}-{theme}.svg").write_text(state.to_svg(theme) + "\n", encoding="utf-8")
            if game == "torres":
                castles = state.to_svg(theme, view="isometric")
                (DOCS / "images" / f"{game}-isometric-{theme}.svg").write_text(castles + "\n", encoding="utf-8")


TABLES: dict[str, Callable[[], str]] = {
    "torres-stacks": torres_stacks,
    "torres-options": torres_options,
    "torres-presets": torres_presets,
    "torres-actions": torres_actions,
    "torres-planes": torres_planes,
    "torres-globals": torres_globals,
    "torres-sizes": torres_sizes,
    "torres-rewards": torres_rewards,
    "torres-position": torres_position,
    "market-options": market_options,
    "market-presets": market_presets,
    "market-limits": market_limits,
    "market-set": market_set,
    "market-actions": market_actions,
    "market-vector": market_vector,
    "market-rewards": market_rewards,
    "market-position": market_position,
    "batch-arrays": batch_arrays,
    "hooks": hooks,
}
"""Tables that the code determines."""
MEASURED: dict[str, Callable[[], str]] = {"torres-figures": torres_figures, "market-figures": market_figures}
"""Tables that are played for; ``--check`` leaves them alone."""


def renewed(text: str, measured: bool = False) -> str:
    """A document with its tables written anew."""

    def part(match: re.Match[str]) -> str:
        name = match["name"]
        if name in MEASURED and not measured:
            return match[0]
        known = {**TABLES, **MEASURED}
        if name not in known:
            raise SystemExit(f"generate.py: no table is called {name!r}: choose one of {', '.join(known)}")
        return f"{match[1]}\n{known[name]()}\n{match[3]}"

    return _PART.sub(part, text)


def stale() -> list[Path]:
    """Documents whose tables don't tell of the code as it is."""
    return [path for path in sorted(DOCS.glob("*.md")) if (text := path.read_text("utf-8")) != renewed(text)]


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the generated parts of the documents.")
    parser.add_argument(
        "--check", action="store_true", help="change nothing, exit with status 1 when a document is stale"
    )
    parser.add_argument("--all", action="store_true", help="also play for the pictures and the measured figures")
    options = parser.parse_args()
    if options.check:
        old = stale()
        for path in old:
            print(f"{path.name} is stale: run python docs/generate.py", file=sys.stderr)
        return 1 if old else 0
    for path in sorted(DOCS.glob("*.md")):
        text = path.read_text("utf-8")
        new = renewed(text, measured=options.all)
        if new != text:
            path.write_text(new, encoding="utf-8")
            print(f"{path.name} written")
    if options.all:
        write_pictures()
        print("images written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
