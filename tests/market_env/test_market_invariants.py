"""What holds in every state of every game: parts are neither lost nor made, and the faces tell what is true."""

import random
from collections import Counter

import pytest
from market_compare import choose, random_components, random_rules
from market_positions import legal

from market_env import GAME, MarketBatch, MarketState
from market_env.actions import NUM_ACTIONS
from market_env.components import CARDS, TOKENS
from market_env.observation import VECTOR
from market_env.record import RECORD


def test_the_record_is_small():
    assert RECORD.itemsize <= 4096 and RECORD.itemsize % 64 == 0


def check(state):
    position, components = state.position(), state.rules.components
    for k, kind in enumerate(TOKENS):
        held = [tokens[kind] for tokens in [*position["tokens"], position["pile"], position["bag"]]]
        assert min(held) >= 0 and sum(held) == components.token_counts[k]
    markets = components.markets[: len(position["circles"])]
    printed = Counter(components.materials[circle.material] for market in markets for circle in market.circles)
    found = Counter(material for row in position["circles"] for material in row if material)
    for owned in position["materials"]:
        found.update({material: number for material, number in owned.items() if number})
    assert found == printed
    pending = position["pending"] or {}
    lists = [number for number in position["lists"] if number is not None]
    lists += position["list_deck"] + position["list_discard"] + pending.get("lists", [])
    assert sorted(lists) == list(range(len(components.lists)))
    cards = sum(position["hands"], []) + position["card_deck"] + position["card_discard"] + pending.get("cards", [])
    cards += [pending["for"]] if pending.get("for") in CARDS else []
    assert Counter(cards) == +Counter({card.name: card.copies for card in components.cards})
    limit = components.rule("black_market_hand")
    assert all(len(hand) <= limit for hand in position["hands"])
    if not any(position["bag"].values()) and any(position["pile"].values()):
        assert pending["kind"] == "pay"  # a fee that is not yet whole
    check_figures(state, position)
    check_faces(state, position)


def check_figures(state, position):
    workers, figures, hired = position["workers"], position["figures"], position["apprentices"]["with"]
    for seat in range(len(workers)):
        if position["jailed"][seat]:
            assert position["wanted"][seat] and workers[seat] is None
        elif position["wanted"][seat] and workers[seat] is not None:
            assert workers[seat] != position["guard"]
    holders = [seat for seat in hired.values() if seat is not None]
    assert len(holders) == len(set(holders))
    for name in ("stand-in", "runner"):
        assert all(market is None or hired[name] == seat for seat, market in enumerate(figures[name]))
    standing = [*workers, *figures["stand-in"], *figures["runner"]]
    closed = sum(figures["curfew"], [])
    assert len(closed) == len(set(closed)) and not set(closed) & set(standing)
    if state.rules.npc:
        npc = state.num_players
        assert not any(position["tokens"][npc].values()) and not position["hands"][npc]
        assert state.num_players == 1 or not position["towers"][npc]


def crowded(position):
    """Markets on which several seats have figures."""
    figures = position["figures"]
    of_seats = zip(position["workers"], figures["stand-in"], figures["runner"], strict=True)
    counts = Counter(market for own in of_seats for market in set(own) - {None})
    return {market for market, count in counts.items() if count > 1}


def check_faces(state, position):
    mask = state.legal_actions_mask()
    assert mask.shape == (NUM_ACTIONS,) and mask.any() != state.is_terminal()
    texts = [state.action_to_string(action) for action in state.legal_actions()]
    assert [state.string_to_action(text) for text in texts] == state.legal_actions()
    for seat in range(state.num_players):
        vector = state.observation(seat)["vector"]
        assert vector.shape == GAME.observation_shapes[0][1]
        part = {block.name: vector[block.start : block.stop].tolist() for block in VECTOR}
        seats = len(position["lists"])
        order = [(seat + j) % seats for j in range(seats)]
        tokens = [position["tokens"][p][kind] for p in order for kind in TOKENS]
        assert part["tokens"] == tokens + [0] * (16 - len(tokens))
        assert part["towers"] == [position["towers"][p] for p in order] + [0] * (4 - seats)
        assert part["hand"] == [position["hands"][seat].count(card) for card in CARDS]
        assert part["card_deck"] == [len(position["card_deck"])] and part["list_deck"] == [len(position["list_deck"])]
        assert sum(part["pending"]) == 1 and sum(part["cause"]) == (position["pending"] is not None)
        circles = [part[f"circles_{m}"] for m in range(8)]
        flat = sum(position["circles"], [])
        for m, material in enumerate(state.rules.components.materials):
            assert circles[m] == [int(held == material) for held in flat] + [0] * (36 - len(flat))
        workers = [position["workers"][p] for p in order]
        assert part["workers"] == [int(w == m) for w in workers for m in range(1, 7)] + [0] * (24 - 6 * seats)
        if position["to_move"] is not None:
            assert order[part["to_move"].index(1)] == position["to_move"]
            if position["to_move"] == seat and position["pending"] is None:
                assert part["can_build"][0] == any(text == "BUILD" for text in legal(state))


@pytest.mark.parametrize("seed", range(14))
def test_parts_are_conserved_and_observations_are_true(seed):
    chance = random.Random(1000 + seed)
    players, rules = random_rules(chance, random_components(chance) if seed % 2 else None)
    state, shared = MarketState(players, rules, seed), set()
    while not state.is_terminal():
        check(state)
        bribed = state.position()["turn_state"]["bribed"]
        state.apply_action(state.string_to_action(choose(sorted(legal(state)), chance, 0.6)))
        now = crowded(state.position())
        assert now <= shared or bribed, "seats share a market only by bribe"
        shared = now
    check(state)
    assert not state.legal_actions_mask().any()


@pytest.mark.parametrize(("players", "rules"), [(2, "base"), (4, "full"), (1, "solo"), (3, "guard:npc=true")])
def test_towers_never_fall(players, rules):
    """2,000 games. A game with a winner is over, and has no other."""
    batch = MarketBatch(500, players, rules, seed=1)
    need = batch.rules.components.rule("towers_to_win")
    games, before = 0, batch.games["score"].copy()
    while games < 2_000:
        batch.step(batch.sample_actions())
        score, going = batch.games["score"], ~batch.done
        assert (score[going] >= before[going]).all()
        assert (score[:, : batch.num_players] < need).all()
        final = batch.final_score[batch.done & ~batch.truncated]
        assert ((final == need).sum(axis=1) <= 1).all()
        games += int(batch.done.sum())
        before = score.copy()
