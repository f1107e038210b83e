"""Playing the same game in the package and in the naive reference, and comparing everything after every move."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

from market_env import MarketRules, MarketState
from market_env.components import CARDS, CIRCLES, GEMS

sys.path.insert(0, str(Path(__file__).parents[1]))

from market_seen import MarketSeen
from reference.market import NaiveMarket

FLAGS = ("advanced", "apprentices", "guard")


def random_components(chance: random.Random) -> dict[str, Any]:
    """A component set within the limits: other numbers, names, cards, rates and lists than the default."""
    materials = ["wood", "brick", "stone", "iron", "glass", "clay", "straw", "sand"][: chance.randint(1, 8)]
    by_seats = sorted(chance.randint(1, 6) for _ in range(3))
    markets = [
        {
            "name": f"m{i}",
            "circles": [
                {
                    "material": chance.choice(materials),
                    "price": {g: chance.randint(0, 2) for g in GEMS if chance.random() < 0.6},
                }
                for _ in range(CIRCLES)
            ],
        }
        for i in range(max(chance.randint(1, 6), by_seats[-1]))
    ]
    there = [c["material"] for market in markets[: by_seats[0]] for c in market["circles"]]
    lists = []
    for _ in range(chance.choice((4, 5, 8, 20, 64))):
        asked = chance.sample(there, chance.randint(1, min(5, len(there))))
        lists.append({m: asked.count(m) for m in set(asked)})
    worth = {gem: chance.randint(1, 6) for gem in GEMS}
    counts = (1, 2, 3, 4) if chance.random() < 0.25 else (0, 3, 10, 40)  # few gems: the bag runs out again and again
    rates = []
    for _ in range(chance.randint(0, 12)):
        give, get = ({g: chance.randint(0, 3) for g in GEMS} for _ in range(2))
        get = {} if chance.random() < 0.1 else get
        if sum(give[g] * worth[g] for g in GEMS) > sum(get.get(g, 0) * worth[g] for g in GEMS):
            rates.append({"give": give, "get": get})
    cards = chance.sample(CARDS, chance.choice((0, 1, 1, 2, 4, len(CARDS), len(CARDS))))
    entries = chance.sample(("pass", *GEMS), chance.randint(0, 4))
    return {
        "name": "random",
        "materials": materials,
        "gems": {gem: {"count": chance.choice(counts), "worth": worth[gem]} for gem in GEMS},
        "passes": {"count": chance.choice((0, 2, 10, 30))},
        "rules": {
            "towers_to_win": chance.randint(1, 4),
            "draw": chance.randint(0, 5),
            "draw_if_idle": chance.randint(0, 3),
            "lists_after_building": chance.randint(1, 7),
            "black_market_hand": chance.randint(1, 4),
            "black_market_offer": chance.randint(1, 4),
            "markets_by_seats": dict(zip(("2", "3", "4"), by_seats, strict=True)),
            "jail_gems": chance.randint(0, 4),
            "steal_gems": chance.randint(1, 3),
            "max_turns_per_player": chance.choice((3, 20, 40)),
        },
        "black_market_entry": [{kind: chance.randint(1, 3)} for kind in entries],
        "rate": rates,
        "market": markets,
        "list": lists,
        "black_market_card": [{"name": c, "copies": chance.randint(0, 4), "fee": chance.randint(0, 2)} for c in cards],
    }


def random_rules(chance: random.Random, components: dict[str, Any] | None = None) -> tuple[int, MarketRules]:
    """A number of players and rules of any kind."""
    npc = chance.random() < 0.4
    players = chance.randint(1, 3) if npc else chance.randint(2, 4)
    rules = MarketRules(
        **{flag: chance.random() < 0.5 for flag in FLAGS},
        npc=npc,
        solo_npc_towers=chance.randint(1, 3),
        idle_draw=chance.choice(("unable", "always")),
        first_tokens=tuple(chance.choice((0, 0, 3)) for _ in range(4)),
        max_turns=chance.choice((None, None, 5)),
        components=components,
    )
    return players, rules


def reference_of(players: int, rules: MarketRules, seed: int) -> NaiveMarket:
    components = rules.components.to_dict()
    components["rules"]["max_turns_per_player"] = rules.turns
    return NaiveMarket(
        players,
        advanced=rules.advanced,
        apprentices=rules.apprentices,
        guard=rules.guard,
        npc=rules.npc,
        solo_npc_towers=rules.solo_npc_towers,
        idle_draw=rules.idle_draw,
        first_tokens=rules.first_tokens[:players],
        components=components,
        seed=seed,
    )


def expected_position(naive: NaiveMarket) -> dict[str, Any]:
    """The reference's position in the form of the package's, as far as both have it."""
    position = naive.position()
    position["hands"] = [sorted(hand, key=CARDS.index) for hand in position["hands"]]
    position["rng"] = position.pop("random")
    del position["turn_state"]["runner_hired"]
    pending = position.pop("pending")
    position["question"] = (
        None if pending is None else (pending["kind"], pending["card"], pending["shown_cards"], pending["drawn_lists"])
    )
    return position


def found_position(state: MarketState) -> dict[str, Any]:
    position = state.position()
    pending = position.pop("pending")
    for name in ("game", "num_players", "rules", "known_cards"):
        del position[name]
    position["question"] = None
    if pending is not None:
        card = pending["for"] if pending["for"] in CARDS else None
        position["question"] = (pending["kind"], card, pending.get("cards", []), pending.get("lists", []))
    return position


def choose(legal: list[str], chance: random.Random, keen: float) -> str:
    """A random action; with *keen* above 0 one that makes things happen."""
    if chance.random() < keen:
        if "BUILD" in legal:
            return "BUILD"
        buys = [text for text in legal if text.startswith("BUY")]
        if buys and chance.random() < 0.5:
            return chance.choice(buys)
        plots = [text for text in legal if text.startswith(("CARD", "HIRE"))]
        if plots and chance.random() < 0.4:
            return chance.choice(plots)
        others = [text for text in legal if text != "END"]
        if others:
            return chance.choice(others)
    return chance.choice(legal)


def compare_game(
    players: int, rules: MarketRules, seed: int, chance: random.Random, seen: MarketSeen | None = None
) -> int:
    """Play one game of a seed in both and compare; returns the number of moves. *seen* counts the rules exercised."""
    state, naive = MarketState(players, rules, seed), reference_of(players, rules, seed)
    keen = chance.choice((0.0, 0.5, 0.9))
    trail: list[str] = []
    if seen is not None:
        seen.start(naive)
    try:
        while True:
            legal = compare(state, naive)
            if state.is_terminal():
                assert state.is_truncated() == naive.is_truncated()
                if seen is not None:
                    seen.end()
                return len(trail)
            text = choose(legal, chance, keen)
            trail.append(text)
            state.apply_action(state.string_to_action(text))
            if seen is not None:
                seen.move(naive.position(), legal, text)
            naive.apply(text)
    except AssertionError as error:
        raise AssertionError(f"{error}\n{players} players, {rules}, seed {seed}, after {trail}") from error


def compare(state: MarketState, naive: NaiveMarket) -> list[str]:
    """Assert that both are in the same position; returns the legal actions as texts."""
    assert state.current_player() == naive.current_player()
    legal = [state.action_to_string(action) for action in state.legal_actions()]
    expected_legal = naive.legal()
    only_here, only_there = set(legal) - expected_legal, expected_legal - set(legal)
    assert not only_here and not only_there, f"only here {only_here}, only there {only_there}"
    assert len(legal) == len(set(legal)), "a text stands for two actions"
    found, expected = found_position(state), expected_position(naive)
    different = {key: (found.get(key), value) for key, value in expected.items() if found.get(key) != value}
    assert found == expected, f"found and expected: {different}"
    assert state.scores() == naive.towers()
    assert state.ranking() == naive.ranking()
    assert state.returns().tolist() == naive.returns()
    return legal
