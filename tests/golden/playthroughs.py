"""Golden playthroughs: games kept as records, with remarks that tell positions and observations on the way.

``python -m tests.golden`` plays them anew and writes the files beside this one. The remarks hold what is legal, the
points, and hashes of the position and of what every seat observes, so that a change of behaviour is found at the first
place where it shows.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from market_env import MarketRules, MarketState
from market_env.component_files import default_components
from torres_env import TorresRules, TorresState
from torres_env.rules import PRESETS
from tower_core.engine.random import SplitMix64
from tower_core.records import Record, format_record, replay

FOLDER = Path(__file__).resolve().parent
EVERY = 25
"""Moves from one remark to the next."""


# ---------------------------------------------------------------------------------------------- the games
def small_components() -> dict[str, Any]:
    """The default set with fewer parts and a lower goal: a short game in which decks and bag run out."""
    components = default_components().to_dict()
    components["name"] = "small"
    components["gems"] = {gem: {**entry, "count": 6} for gem, entry in components["gems"].items()}
    components["passes"] = {"count": 3}
    components["list"] = components["list"][:6]
    components["rules"] |= {"towers_to_win": 2, "max_turns_per_player": 40}
    components["black_market_card"] = [{**card, "copies": 1} for card in components["black_market_card"]]
    return components


def _torres() -> dict[str, TorresState]:
    return {
        f"torres_{preset}_{players}": TorresState(players, preset, seed=players)
        for preset in PRESETS
        for players in (2, 3, 4)
    }


def _market() -> dict[str, MarketState]:
    games = {
        f"market_{preset}_{players}": MarketState(players, preset, seed=players)
        for preset in ("base", "advanced", "apprentices", "guard", "full")
        for players in (2, 3, 4)
    }
    for towers in (3, 2, 1):
        games[f"market_solo_{towers}_towers"] = MarketState(1, MarketRules.preset("solo", solo_npc_towers=towers))
    for players in (1, 2, 3):
        games[f"market_full_npc_{players}"] = MarketState(players, MarketRules.preset("full", npc=True), seed=players)
    games["market_components_3"] = MarketState(3, MarketRules.preset("full", components=small_components()), seed=3)
    games["market_truncated_2"] = MarketState(2, MarketRules(max_turns=3, idle_draw="always", first_tokens=(0, 2)))
    return games


def _from_the_middle(state: Any, moves: int) -> Any:
    """A game that starts from a position, and whose random stream nobody knows."""
    play(state, moves)
    state = type(state).from_position(state.position())
    state.reseed(5)
    return state


def beginnings() -> dict[str, Any]:
    """The start of each game by the name of its file."""
    games: dict[str, Any] = {**_torres(), **_market()}
    games["torres_position_2"] = _from_the_middle(TorresState(2, TorresRules(doors="descending"), seed=9), 60)
    games["market_position_3"] = _from_the_middle(MarketState(3, "guard", seed=9), 60)
    return games


# ---------------------------------------------------------------------------------------------- playing
def play(state: Any, moves: int = 10**6) -> None:
    """Play on by a stream of numbers: mostly at random, with a liking for what makes things happen."""
    stream = SplitMix64(state.seed + 1)
    for _ in range(moves):
        if state.is_terminal():
            return
        texts = [state.action_to_string(action) for action in state.legal_actions()]
        state.apply_action(state.string_to_action(_choose(texts, stream)))


def _choose(texts: list[str], stream: SplitMix64) -> str:
    liked = [text for text in texts if text.startswith(("BUILD", "BUY", "N ", "PLAY", "CARD", "HIRE", "STEAL"))]
    if "BUILD" in liked:
        return "BUILD"
    if liked and stream.below(2):
        return liked[stream.below(len(liked))]
    if "END" in texts and stream.below(4) == 0:
        return "END"
    others = [text for text in texts if text != "END"] or texts
    return others[stream.below(len(others))]


# ---------------------------------------------------------------------------------------------- text
def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]


def remark(state: Any, moves: int) -> list[str]:
    """What is told of a state between the moves."""
    position = state.position()
    del position["rules"]
    texts = [state.action_to_string(action) for action in state.legal_actions()]
    hashes = [_hash(json.dumps(position, sort_keys=True).encode())]
    for seat in range(state.num_players):
        hashes.append(_hash(b"".join(array.tobytes() for array in state.observation(seat).values())))
    return [
        f"# after {moves} moves: scores {state.scores()}, position {hashes[0]}, observations {' '.join(hashes[1:])}",
        f"# legal: {', '.join(texts) or 'nothing'}",
    ]


def text_of(record: Record) -> str:
    """The record with its remarks: where a line of moves begins, at the earliest after so many moves, and at the end."""
    states = list(replay(record))
    lines, due = [], 0
    for line in format_record(record).splitlines():
        number = line.split(".")[0]
        if number.isdecimal() and int(number) > due:
            lines += remark(states[int(number) - 1], int(number) - 1)
            due = int(number) - 1 + EVERY
        if line == "end":
            lines += remark(states[-1], len(record.moves))
        lines.append(line)
    return "".join(f"{line}\n" for line in lines)


def make(name: str) -> str:
    """The text of the playthrough of that name, played anew."""
    state = beginnings()[name]
    play(state)
    return text_of(state.to_record())
