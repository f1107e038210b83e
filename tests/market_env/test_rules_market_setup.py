"""Setup, ends and rewards (sections 2, 11 and 12)."""

from collections import Counter

import pytest
from market_positions import Table, W, legal, play

from market_env import GAME, MarketRules, MarketState
from market_env.components import TOKENS
from tower_core.engine.random import SplitMix64
from tower_core.envs.rewards import Rewards

BUILT = ("1a", "1b", "3a", "3c", "1e")


# --- setup ---
@pytest.mark.parametrize("advanced", [False, True])
def test_setup_uses_the_stream_in_the_stated_order(advanced):
    rules = MarketRules(advanced=advanced, first_tokens=(0, 1, 2))
    position = MarketState(3, rules, seed=99).position()
    stream, components = SplitMix64(99), rules.components
    pieces = [components.materials[circle.material] for market in components.markets[:5] for circle in market.circles]
    if advanced:
        stream.shuffle(pieces)
    lists, cards = list(range(20)), [card.name for card in components.cards for _ in range(3)]
    stream.shuffle(lists)
    stream.shuffle(cards)
    bag = [kind for kind, count in zip(TOKENS, (45, 30, 15, 10), strict=True) for _ in range(count)]
    drawn = [bag.pop(stream.below(len(bag))) for _ in range(6)]  # first tokens in seat order, then player_0's draw
    assert sum(position["circles"], []) == pieces
    assert position["lists"] == lists[:3] and position["list_deck"] == lists[3:] and position["card_deck"] == cards
    owned = [Counter(drawn[3:]), Counter(drawn[:1]), Counter(drawn[1:3])]
    assert [Counter(tokens) for tokens in position["tokens"]] == owned
    assert position["rng"] == stream.state and position["turn"] == 1 and position["to_move"] == 0
    assert position["pile"] == dict.fromkeys(TOKENS, 0)


@pytest.mark.parametrize(
    ("players", "npc", "markets"),
    [(2, False, 4), (1, True, 4), (3, False, 5), (2, True, 5), (4, False, 6), (3, True, 6)],
)
def test_markets_and_seats(players, npc, markets):
    position = MarketState(players, MarketRules(npc=npc)).position()
    assert len(position["circles"]) == markets
    assert len(position["lists"]) == players + npc and len(set(position["lists"])) == players + npc
    assert len(position["list_deck"]) == 20 - players - npc
    assert position["guard"] is None and not any(position["wanted"] + position["jailed"])


# --- ends ---
def test_a_game_is_truncated_when_the_last_player_ends_its_last_turn():
    state = play(MarketState(2, MarketRules(max_turns=2), 1), "END", "END", "END")
    assert not state.is_terminal() and state.position()["turn"] == 2
    play(state, "END")
    assert state.is_terminal() and state.is_truncated() and legal(state) == set()
    assert state.returns().tolist() == [0.0, 0.0] and state.ranking() == [[0, 1]] and state.current_player() == -4


def test_truncation_comes_after_the_hunt_and_before_the_npc():
    table = Table(2, guard=True, npc=True, max_turns=5).acted().set(turn=5, to_move=1).flags("wanted", 0)
    state = play(table.state(), "END")
    assert state.is_truncated() and state.position()["guard"] is not None and state.position()["workers"][2] is None


def test_ranking_by_towers_shares_ranks_and_utilities():
    table = Table(4, max_turns=1).acted().set(towers=[1, 2, 0, 1], to_move=3)
    state = play(table.state(), "END")
    assert state.ranking() == [[1], [0, 3], [2]]
    assert state.returns().tolist() == pytest.approx([0.0, 1.0, -1.0, 0.0])


def test_no_returns_before_the_end():
    state = Table(3).set(towers=[2, 1, 0]).state()
    assert state.returns().tolist() == [0.0] * 3 and state.scores() == [2, 1, 0]


# --- rewards ---
def paid(reward, state, *texts):
    rewards = Rewards(GAME, reward)
    rewards.begin(state)
    totals = []
    for text in texts:
        play(state, text)
        totals.append([round(value, 5) for value in rewards.pay(state)])
    return totals


def winning(players=3, **more):
    return Table(players, **more).asks(0, **W).take(0, *BUILT).set(towers=[2, 1, 0, 0][:players])


def test_outcome_reward_comes_once_at_the_end():
    assert paid("outcome", winning().state(), "BUILD", "RETURN 1a", "RETURN 3a") == [[0, 0, 0], [0, 0, 0], [1, 0, -1]]


def test_win_reward():
    assert paid("win", winning(4).state(), "BUILD", "RETURN 1a", "RETURN 3a")[-1] == [1, *[-round(1 / 3, 5)] * 3]
    truncated = Table(2, max_turns=1).acted().set(towers=[2, 1], to_move=1).state()
    assert paid("win", truncated, "END") == [[0, 0]]
    assert truncated.returns().tolist() == [1.0, -1.0]


@pytest.mark.parametrize("reward", ["win", "outcome"])
def test_solo_rewards(reward):
    solo = Table(1, "solo").asks(0, **W).take(0, *BUILT).set(towers=[2, 0])
    assert paid(reward, solo.state(), "BUILD", "RETURN 1a", "RETURN 3a")[-1] == [1]
    lost = Table(1, "solo", solo_npc_towers=1).acted().asks(1, **W).take(1, "1a", "1b", "3a", "3b").curfew(0, 1, 2, 3)
    assert paid(reward, lost.state(), "END") == [[-1]]
    over = Table(1, "solo", max_turns=1).acted()
    assert paid(reward, over.state(), "END") == [[0]]


def test_progress_reward_is_the_change_of_towers_and_share_of_the_list():
    state = Table().asks(0, **W).tokens(0, green=2).state()  # the list asks for five pieces
    assert paid("progress", state, "BUY 1a") == [[round(1 / 5 / 3, 5), 0]]
    state = winning(2).state()
    gains = paid("progress", state, "BUILD", "RETURN 1a", "RETURN 3a")
    # BUILD alone changes nothing; then two wood; then the rest, the tower (no new list) and the utility.
    assert [own for own, _ in gains] == pytest.approx([0, -2 / 5 / 3, -3 / 5 / 3 + 1 / 3 + 1], abs=1e-4)
    assert [other for _, other in gains] == [0, 0, -1]


def test_pieces_that_stand_in_count_for_the_share():
    rewards = Rewards(GAME, "progress")
    ready = Table().asks(0, **W).take(0, "3a", "3b", "1e", "2a", "2b").take(1, "1a", "1b", "4f").state()
    rewards.begin(ready)
    assert "BUILD" in legal(ready) and rewards._potential[0] == pytest.approx(1 / 3, abs=1e-5)
    short = Table().asks(0, **W).take(0, "3a", "3b", "1e", "2a", "2b").state()
    rewards.begin(short)
    assert rewards._potential[0] == pytest.approx(3 / 5 / 3, abs=1e-5)  # wood is not exhausted


def test_progress_sums_to_the_standing_and_utility():
    state = MarketState(2, MarketRules.preset("full", max_turns=40), 3)
    rewards = Rewards(GAME, "progress")
    rewards.begin(state)
    start, total, chance = rewards._potential, [0.0, 0.0], SplitMix64(1)
    while not state.is_terminal():
        actions = state.legal_actions()
        state.apply_action(actions[chance.below(len(actions))])
        total = [a + b for a, b in zip(total, rewards.pay(state), strict=True)]
    ends = [a - b + u for a, b, u in zip(rewards._potential, start, state.returns(), strict=True)]
    assert total == pytest.approx(ends, abs=1e-3)
