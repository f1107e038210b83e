"""States of both games at any moment, for tests of what holds for all of them; and ways to tell states apart."""

from __future__ import annotations

import hashlib
import random

from hypothesis import strategies as st

from market_env import MarketRules, MarketState
from torres_env import TorresRules, TorresState
from torres_env.rules import PRESETS
from tower_core.state import State

GAMES = ("torres", "market")
MARKET_PRESETS = ("base", "advanced", "apprentices", "guard", "full", "solo", "full+npc")


def market_rules(name: str) -> MarketRules:
    preset, _, more = name.partition("+")
    return MarketRules.preset(preset, **({"npc": True} if more else {}))


def played(state: State, moves: int, chance: random.Random, keen: float = 0.8) -> State:
    """Random play; END (number 0 in both games) rarely where there is more to do."""
    for _ in range(moves):
        legal = state.legal_actions()
        if not legal:
            break
        others = legal[1:] if legal[0] == 0 and len(legal) > 1 and chance.random() < keen else legal
        state.apply_action(chance.choice(others))
    return state


def torres_state(preset: str, players: int, seed: int, moves: int) -> State:
    return played(TorresState(players, TorresRules.preset(preset), seed), moves, random.Random(seed))


def market_state(name: str, players: int, seed: int, moves: int) -> State:
    rules = market_rules(name)
    players = 1 if name == "solo" else max(2, min(players, 3 if rules.npc else 4))
    return played(MarketState(players, rules, seed), moves, random.Random(seed))


_seeds = st.integers(0, 2**64 - 1)
TORRES = st.builds(torres_state, st.sampled_from(list(PRESETS)), st.integers(2, 4), _seeds, st.integers(0, 320))
MARKET = st.builds(market_state, st.sampled_from(MARKET_PRESETS), st.integers(2, 4), _seeds, st.integers(0, 250))
STATES = TORRES | MARKET


def game_digest(game: str, seed: int) -> str:
    """A digest of one whole random game: what happened and how it looked on the way."""
    found = hashlib.blake2b(digest_size=16)
    if game == "torres":
        state = torres_state(list(PRESETS)[seed % len(PRESETS)], 2 + seed % 3, seed, 0)
    else:
        state = market_state(MARKET_PRESETS[seed % len(MARKET_PRESETS)], 2 + seed % 3, seed, 0)
    chance = random.Random(seed)
    while not state.is_terminal():
        played(state, 1, chance)
        found.update(repr((state.position(), state.legal_actions_mask().tobytes())).encode())
        for seat in range(state.num_players):
            found.update(b"".join(part.tobytes() for part in state.observation(seat).values()))
    found.update(repr(state.history()).encode())
    return found.hexdigest()
