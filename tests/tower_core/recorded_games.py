"""Games of any kind to be recorded: random rules, component sets, players, and play."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / "torres_env"), str(TESTS / "market_env")]

import market_compare  # noqa: E402
import torres_compare  # noqa: E402

from market_env import MarketRules, MarketState  # noqa: E402
from torres_env import TorresState  # noqa: E402
from tower_core.records import format_record  # noqa: E402

GAMES = ("torres", "market")


def some_game(game: str, seed: int, moves: int = 10**6) -> Any:
    """A game of random rules, played on at random for so many moves."""
    chance = random.Random(seed)
    if game == "torres":
        players = chance.randint(2, 4)
        state: Any = TorresState(players, torres_compare.random_rules(chance, players), seed)
    else:
        components = market_compare.random_components(chance) if chance.random() < 0.5 else None
        players, rules = market_compare.random_rules(chance, components)
        state = MarketState(players, rules, seed)
    play_on(state, chance, moves)
    return state


def play_on(state: Any, chance: random.Random, moves: int = 10**6) -> None:
    keen = chance.choice((0.3, 0.9))
    for _ in range(moves):
        if state.is_terminal():
            return
        texts = [state.action_to_string(action) for action in state.legal_actions()]
        state.apply_action(state.string_to_action(market_compare.choose(texts, chance, keen)))


def without_stream(state: Any) -> dict[str, Any]:
    position = state.position()
    del position["rng"]
    return position


def short_game() -> str:
    """The text of a whole game of two moves."""
    state = MarketState(2, MarketRules.preset("guard", max_turns=1), seed=3)
    for _ in range(2):
        state.apply_action(state.string_to_action("END"))
    return format_record(state.to_record(["Ada", "greedy:1"]))
