"""Laws that hold in every game: 2,000 random games for every preset and number of players, checked with NumPy.

Points, the number of castles and the end of games are looked at after every step, everything else after every 97th.
"""

from __future__ import annotations

import numpy as np
import pytest

from torres_env import TorresBatch
from torres_env.actions import ACTIONS
from torres_env.record import FOLLOW_UP, KING, MAX_HEIGHT, NO_CELL, PICK, SETUP_BLOCK, SETUP_KNIGHT
from torres_env.rules import CARDS, PRESETS

SLOTS = 400
GAMES = 2_000
SAMPLED = 97
UNDER, RELOCATE = FOLLOW_UP + CARDS.index("under"), FOLLOW_UP + CARDS.index("relocate")
# A turn has at most 7 action points (with ap7), each for one action and a PICK, four actions of a card, and END.
ACTIONS_PER_TURN = 7 * 2 + 4 + 1
CELLS = np.arange(64)
ONE = np.uint64(1)


def bits(words):
    """Sets of cells as booleans [..., 64]."""
    return (words[..., None] >> CELLS.astype(np.uint64) & ONE).astype(bool)


def pile_sets(piles, sizes):
    """Piles of cards [...] as counts per card [..., 10]."""
    counts = np.zeros((*piles.shape, 10), np.int64)
    for i in range(10):
        card = (piles >> np.uint64(4 * i) & np.uint64(15)).astype(np.int64)
        counts += (card[..., None] == np.arange(10)) & (i < sizes)[..., None]
    return counts


def card_sets(words):
    return (words[..., None].astype(np.int64) >> np.arange(10) & 1).astype(np.int64)


def castles_of(height):
    """Per cell the lowest cell of its castle (64 on the ground), from the heights alone: labels spread until they rest."""
    built = (height > 0).reshape(-1, 8, 8)
    labels = np.where(built, CELLS.reshape(8, 8), 64)
    while True:
        wide = np.pad(labels, ((0, 0), (1, 1), (1, 1)), constant_values=64)
        near = np.minimum.reduce([wide[:, :-2, 1:-1], wide[:, 2:, 1:-1], wide[:, 1:-1, :-2], wide[:, 1:-1, 2:], labels])
        spread = np.where(built, near, 64)
        if (spread == labels).all():
            return labels.reshape(-1, 64)
        labels = spread


def check_board(games):
    """Castles, areas and heights; what is derived fits the heights."""
    height = games["height"].astype(np.int64)
    labels = castles_of(height)
    sizes = np.zeros((len(games), 65), np.int64)
    np.add.at(sizes, (np.arange(len(games))[:, None], labels), 1)
    area = np.where(height > 0, np.take_along_axis(sizes, labels, axis=1), 0)
    assert (height <= area).all(), "a cell is higher than its castle's area"
    assert (games["area"] == area).all()
    assert (games["castle_count"] == (labels == CELLS).sum(axis=1)).all()
    for level in (0, 1, 2, 3):
        assert (bits(games["level"][:, level]) == (height >= level)).all()
    castles = bits(games["castle"])
    assert (castles.sum(axis=1) == (height > 0)).all(), "castles are apart and cover the built cells"
    own = np.take_along_axis(castles, games["castle_of"].astype(np.int64)[:, None], axis=1)[:, 0]
    assert (own[height > 0]).all(), "each built cell knows its castle"
    assert (games["castle_of"][height == 0] == 0).all()
    wide = np.pad(labels.reshape(-1, 8, 8), ((0, 0), (1, 1), (1, 1)), constant_values=64)
    near = np.stack([wide[:, :-2, 1:-1], wide[:, 2:, 1:-1], wide[:, 1:-1, :-2], wide[:, 1:-1, 2:]]).reshape(4, -1, 64)
    lowest, highest = near.min(axis=0), np.where(near == 64, -1, near).max(axis=0)
    targets = np.where(height > 0, height < np.minimum(area, MAX_HEIGHT + 1), (lowest < 64) & (lowest == highest))
    assert (bits(games["block_targets"]) == targets).all(), "blocks go on castles and beside exactly one"


def check_material(games, players):
    """92 blocks, knights and cards are all still there."""
    n = players
    waiting = np.arange(3) >= games["phase"][:, None]  # phases whose stacks haven't come yet
    to_come = n * (games["stacks"].astype(np.int64).sum(axis=2) * waiting).sum(axis=1)
    in_stacks = (games["stack"] * (np.arange(games["stack"].shape[2]) < games["stack_count"][..., None])).sum(
        axis=(1, 2)
    )
    unset = np.where(games["pending"] == SETUP_BLOCK, games["starting_count"].astype(int) - games["castle_count"], 0)
    in_hand = games["turn_stack"].astype(np.int64) + (games["taken"] != NO_CELL) + unset
    blocks = games["height"].sum(axis=1, dtype=np.int64) + games["supply"] + in_stacks + to_come + in_hand
    assert (blocks == 92).all(), np.unique(blocks)
    assert (games["supply"] >= 0).all()

    count = games["knight_count"][:, :n].astype(np.int64)
    here = np.arange(6) < count[..., None]
    cells = np.where(here, games["knight"][:, :n], 64).reshape(len(games), -1)
    king = np.where(games["king"] == NO_CELL, 64, games["king"])[:, None]
    pieces = np.zeros((len(games), 65), np.int64)
    np.add.at(pieces, (np.arange(len(games))[:, None], np.concatenate([cells, king], axis=1)), 1)
    assert (pieces[:, :64] <= 1).all(), "two pieces on a cell"
    assert (bits(games["occupied"]) == (pieces[:, :64] == 1)).all()
    assert (bits(games["knights"][:, :n]).sum(axis=2) == count).all()
    assert (count <= games["knights_per_player"][:, None]).all()
    on_block = np.take_along_axis(
        np.pad(games["height"], ((0, 0), (0, 1)), constant_values=1), king.astype(int), axis=1
    )
    assert (on_block > 0).all(), "the king stands on a block"

    cards = card_sets(games["hand"][:, :n]) + pile_sets(games["deck"][:, :n], games["deck_size"][:, :n])
    cards += pile_sets(games["discard"][:, :n], games["discard_size"][:, :n])
    looked = pile_sets(games["looked"], games["looked_size"])
    mover = games["to_move"].astype(np.int64)
    cards[np.arange(len(games)), mover] += looked
    assert (cards == card_sets(games["card_list"])[:, None]).all(), "every card is in one place"
    assert (games["looked_size"] > 0).tolist() == (games["pending"] == PICK).tolist()


def check_turn(games, mask):
    """Whoever is to move has something to choose, and what is counted down is not below nothing."""
    assert (mask.sum(axis=1) >= 1).all()
    normal = (games["phase"] > 0) & (games["pending"] != KING)
    turns = games["rounds"][np.arange(len(games)), np.maximum(games["phase"].astype(int) - 1, 0)]
    assert (games["round"][normal] <= turns[normal]).all()
    assert (games["turn_stack"] <= games["max_stack"]).all()
    assert (games["ap"] <= games["action_points"] + 2).all()
    setup = np.isin(games["pending"], (SETUP_BLOCK, SETUP_KNIGHT))
    assert (games["phase"][setup] == 0).all()
    assert (games["score"][setup] == 0).all()


def check_castle_count(before, after, pending, action):
    """Castles come only from setup, `under` and `relocate`, and go only by taking a block for `relocate`."""
    change = after - before
    block, take = (
        (action >= ACTIONS.first(verb)) & (action < ACTIONS.first(verb) + ACTIONS[verb].count) for verb in "BT"
    )
    assert (np.abs(change) <= 1).all()
    assert (change[pending == SETUP_BLOCK] == 1).all()
    founding = block & ((pending == SETUP_BLOCK) | (pending == UNDER) | (pending == RELOCATE))
    assert founding[change == 1].all(), "a castle was founded by something else"
    assert take[change == -1].all(), "a castle vanished by something else"


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("preset", PRESETS)
def test_random_games(preset, players):
    batch = TorresBatch(SLOTS, players, preset, seed=31, illegal="random")  # which spares it a look at every action
    games = batch.games
    turns = players * int(games["rounds"][0].sum())
    longest = turns * ACTIONS_PER_TURN + 8 + players + 3
    score = games["score"][:, :players].copy()
    knights = games["knight_count"].copy()
    castles, pending = games["castle_count"].astype(np.int64), games["pending"].copy()
    age = np.zeros(SLOTS, np.int64)
    finished = step = 0
    while finished < GAMES:
        actions = batch.sample_actions()
        batch.step(actions)
        step += 1
        done = batch.done
        age += 1
        assert (age <= longest).all(), "a game does not end"
        # The end of a game: its points are kept, its slot has begun the next.
        assert (batch.final_score[done] >= score[done]).all()
        assert (batch.to_move >= 0).all()
        on = ~done
        assert (games["score"][:, :players][on] >= score[on]).all(), "points fell"
        assert (games["knight_count"][on] >= knights[on]).all(), "a knight left the board"
        now = games["castle_count"].astype(np.int64)
        check_castle_count(castles[on], now[on], pending[on], actions[on])
        score[...] = games["score"][:, :players]
        knights[...], pending[...], castles = games["knight_count"], games["pending"], now
        age[done] = 0
        finished += int(done.sum())
        if step % SAMPLED == 0 or step < 12:
            check_board(games)
            check_material(games, players)
            check_turn(games, batch.action_mask)
    assert batch.slots["episode"].sum() == finished
    assert (batch.slots["episode"] >= 3).all(), "some slot's games hardly ever end"


def test_the_end_is_final():
    """Without new games, every game stops at the end of phase 3 and nothing moves any more."""
    batch = TorresBatch(200, 4, "master", seed=5, autoreset=False)
    for _ in range(4 * 10 * ACTIONS_PER_TURN + 15):
        before = batch.to_move.copy()
        batch.step(batch.sample_actions())
        assert (batch.done == ((before >= 0) & (batch.to_move < 0))).all()
    assert (batch.to_move == -4).all()
    assert (batch.games["phase"] == 3).all()
    assert (batch.games["round"] == 3).all()
    assert (batch.final_score == batch.games["score"]).all()
    check_board(batch.games)
    frozen = batch.games.copy()
    batch.step(batch.sample_actions())
    assert not batch.done.any()
    assert frozen.tobytes() == batch.games.tobytes()


def test_the_checks_can_fail():
    """Each law notices a record that breaks it."""
    batch = TorresBatch(50, 3, "standard", seed=3)
    batch.random_play(60)
    check_board(batch.games)
    check_material(batch.games, 3)
    whole = batch.games.copy()
    for field, value in (("height", 40), ("castle_count", 1), ("area", 60)):
        batch.games[field][7] = value
        with pytest.raises(AssertionError):
            check_board(batch.games)
        batch.games[:] = whole
    for field, value in (("supply", 13), ("king", whole["knight"][9, 1, 0]), ("hand", 1023), ("turn_stack", 77)):
        batch.games[field][9] = value
        with pytest.raises(AssertionError):
            check_material(batch.games, 3)
        batch.games[:] = whole
    check_material(batch.games, 3)
