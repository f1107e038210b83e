"""Material, setup, the random stream and the first turn (Rules sections 1 and 2)."""

import pytest
from positions import (
    CARDS,
    MASTER_CARDS,
    START,
    SplitMix64,
    castles,
    heights,
    legal,
    new_game,
    only,
    play,
    shuffled,
)

from torres_env import TorresRules, TorresState

PLAYERS = [2, 3, 4]


@pytest.mark.parametrize("n", PLAYERS)
def test_starting_blocks(n):
    # Rules section 2, step 1: eight castles of area 1.
    position = TorresState(num_players=n, rules="standard", seed=7).position()
    assert list(position["height"]) == heights(castles(*START))
    assert sum(position["height"]) == 8


@pytest.mark.parametrize("n", PLAYERS)
def test_position_during_setup(n):
    # interfaces.md section 1: during setup phase, round, ap and turn_stack are 0 and stacks empty.
    position = TorresState(num_players=n, rules="standard", seed=7).position()
    assert (position["phase"], position["round"], position["ap"], position["turn_stack"]) == (0, 0, 0, 0)
    assert [list(s) for s in position["stacks"]] == [[]] * n
    assert position["king"] is None and position["pending"] is None
    assert [list(k) for k in position["knights"]] == [[]] * n
    assert position["to_move"] == 0 and list(position["scores"]) == [0] * n


@pytest.mark.parametrize("n", PLAYERS)
def test_setup_order(n):
    # Rules section 2, steps 2-4: one knight each in order, then the last player's king, then player_0.
    state = TorresState(num_players=n, rules="standard", seed=7)
    left = list(START)
    for seat in range(n):
        assert state.current_player() == seat
        assert legal(state) == {"N " + c for c in left}
        assert state.position()["pending"] is None
        play(state, "N " + left.pop(0))
    assert state.current_player() == n - 1
    assert state.position()["pending"]["kind"] == "king"
    assert legal(state) == {"K " + c for c in left}
    play(state, "K e8")
    position = state.position()
    assert state.current_player() == 0 and position["to_move"] == 0
    assert (position["phase"], position["round"], position["ap"]) == (1, 1, 5)  # no AP were spent
    assert position["king"] == "e8" and position["pending"] is None
    assert [list(k) for k in position["knights"]] == [[c] for c in START[:n]]
    assert list(position["scores"]) == [0] * n


def test_setup_any_castle_in_any_order():
    # Rules section 2: any unoccupied castle block; the king likewise, not beside or under a knight.
    state = play(TorresState(num_players=2, rules="standard", seed=7), "N h4", "N d1")
    assert only(state, "K") == {"c3", "f3", "a5", "c6", "f6", "e8"}
    with pytest.raises(ValueError):
        state.string_to_action("K h4")
    with pytest.raises(ValueError):
        state.string_to_action("K a1")


@pytest.mark.parametrize(
    ("n", "turn_stack", "first", "others", "supply"),
    [
        # 92 - 8 - 2*36 = 12; 92 - 8 - 3*(10+8+8) = 6; 92 - 8 - 4*(8+6+6) = 4.
        (2, 3, [3, 3, 3], [3, 3, 3, 3], 12),
        (3, 3, [3, 2, 2], [3, 3, 2, 2], 6),
        (4, 2, [2, 2, 2], [2, 2, 2, 2], 4),
    ],
)
def test_stacks_and_supply_of_phase_1(n, turn_stack, first, others, supply):
    # Rules section 2, table of stacks; section 3: the tallest becomes the stack of the turn.
    position = new_game(n).position()
    assert position["turn_stack"] == turn_stack
    assert [list(s) for s in position["stacks"]] == [first] + [others] * (n - 1)
    assert position["supply"] == supply


@pytest.mark.parametrize("n", PLAYERS)
def test_decks_at_the_start(n):
    # Rules section 2: every player's own deck of ten; no card in hand or on the discard pile.
    position = TorresState(num_players=n, rules="standard", seed=3).position()
    assert [sorted(d) for d in position["decks"]] == [sorted(CARDS)] * n
    assert [list(h) for h in position["hands"]] == [[]] * n
    assert [list(d) for d in position["discards"]] == [[]] * n
    assert position["master_card"] is None


@pytest.mark.parametrize("seed", [0, 1, 7, 123456789, 2**63 + 5, 2**64 - 1])
@pytest.mark.parametrize("n", PLAYERS)
def test_deck_order_from_the_seed(n, seed):
    # interfaces.md section 2: standard draws nothing before the decks, seat by seat.
    stream = SplitMix64(seed)
    expected = [shuffled(stream, CARDS) for _ in range(n)]
    position = TorresState(num_players=n, rules="standard", seed=seed).position()
    assert [list(d) for d in position["decks"]] == expected


@pytest.mark.parametrize("seed", range(6))
def test_digest_random_king(seed):
    # Rules section 2, step 3 (digest): the king first, at random; interfaces.md section 2: before the decks.
    stream = SplitMix64(seed)
    king = START[stream.below(8)]
    decks = [shuffled(stream, CARDS) for _ in range(3)]
    state = TorresState(num_players=3, rules="digest", seed=seed)
    position = state.position()
    assert position["king"] == king
    assert [list(d) for d in position["decks"]] == decks
    left = [c for c in START if c != king]
    for seat in range(3):
        assert state.current_player() == seat
        assert legal(state) == {"N " + c for c in left}
        play(state, "N " + left.pop())
    position = state.position()  # no K action: player_0 begins at once
    assert (position["to_move"], position["phase"], position["round"], position["ap"]) == (0, 1, 1, 5)
    assert position["pending"] is None and position["king"] == king


@pytest.mark.parametrize("seed", range(6))
def test_master_card_draw(seed):
    # interfaces.md section 2: full hands are not shuffled, so the master card is the first draw.
    expected = MASTER_CARDS[SplitMix64(seed).below(8)]
    position = TorresState(num_players=2, rules="master", seed=seed).position()
    assert position["master_card"] == expected
    assert [list(h) for h in position["hands"]] == [list(CARDS)] * 2  # hands are in the order of the card table
    assert [list(d) for d in position["decks"]] == [[], []]


@pytest.mark.parametrize("seed", range(4))
def test_order_of_all_draws(seed):
    # interfaces.md section 2: king, then decks, then the master card.
    rules = TorresRules(king_setup="random", master_card=True)
    stream = SplitMix64(seed)
    king = START[stream.below(8)]
    decks = [shuffled(stream, CARDS) for _ in range(2)]
    card = MASTER_CARDS[stream.below(8)]
    position = TorresState(num_players=2, rules=rules, seed=seed).position()
    assert (position["king"], [list(d) for d in position["decks"]], position["master_card"]) == (king, decks, card)


def test_random_king_follows_the_configured_cells():
    # interfaces.md section 2: below(number of starting cells), in the order given.
    cells = ("h8", "a1", "d4")
    for seed in range(6):
        rules = TorresRules(king_setup="random", starting_cells=cells)
        assert TorresState(num_players=2, rules=rules, seed=seed).position()["king"] == cells[SplitMix64(seed).below(3)]


def test_nothing_is_random_afterwards():
    # interfaces.md section 2: the stream does not move after the creation.
    state = TorresState(num_players=2, rules="standard", seed=11)
    before = state.position()["rng"]
    play(state, "N d1", "N c3", "K e8", "BUY")
    play(state, sorted(legal(state))[0], "END", "END")
    assert state.position()["rng"] == before


@pytest.mark.parametrize("n", [1, 5])
def test_number_of_players(n):
    # Rules section 2: players 2-4.
    with pytest.raises(ValueError):
        TorresState(num_players=n, rules="standard", seed=7)
