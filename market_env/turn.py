"""The course of a game in compiled code: setup, turns, hunt, NPC, building, apprentices.

Sections 2, 3, 5 and 7 to 11 of the rules; the black market is in blackmarket.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from market_env import parts, record
from market_env.actions import APPRENTICES
from market_env.blackmarket import ARCHITECT, SABOTAGE, draw_lists, finish_card
from market_env.draws import CIRCLES, draw_circle, roll_die, shuffle_deck
from market_env.packed_counts import count_gems, excess, one_piece, piece_count
from market_env.shop import RED_GEM, RUNNER_HIRE, STAND_IN_HIRE, asked, free_markets, pieces_to_return
from tower_core.engine.batch_structs import MAX_SEATS, OVER
from tower_core.engine.compiling import jit
from tower_core.engine.intrinsics import U0, U1, U64, bit, count_trailing_zeros


# ---------------------------------------------------------------------------------------------- setup
@jit
def set_up(s: Any, seed: Any) -> None:
    """Set up the game of a seed under the rules in the record, up to the first turn (section 2)."""
    s.rng = seed
    clear_game(s)
    circles = 6 * np.int64(s.markets)
    if s.advanced:
        # The list deck is still empty and serves as a buffer: a deck's top, the last entry, is number 0 of its shuffle.
        for i in range(circles):
            s.deck[record.LISTS, circles - 1 - i] = s.start[i]
        s.deck_size[record.LISTS] = circles
        shuffle_deck(s, record.LISTS, CIRCLES)
    for i in range(circles):
        s.holds[i] = s.deck[record.LISTS, circles - 1 - i] if s.advanced else s.start[i]
    lists = np.int64(s.lists)
    for i in range(lists):
        s.deck[record.LISTS, lists - 1 - i] = i
    s.deck_size[record.LISTS] = lists
    shuffle_deck(s, record.LISTS, record.LISTS)
    for k in range(np.int64(s.card_kinds) - 1, -1, -1):
        for _ in range(s.copies[s.card_order[k]]):
            parts.put_on_deck(s, record.CARD_DECK, np.int64(s.card_order[k]))
    shuffle_deck(s, record.CARD_DECK, record.CARD_DECK)
    find_materials(s)
    for p in range(np.int64(s.seats)):
        s.building_list[p] = parts.draw_from(s, record.LISTS)
    for p in range(np.int64(s.num_players)):
        parts.draw_tokens(s, p, np.int64(s.first_tokens[p]))


@jit
def clear_game(s: Any) -> None:
    for p in range(MAX_SEATS):
        s.tokens[p] = U0
        s.materials[p] = U0
        s.hand[p] = U0
        s.score[p] = 0
        s.building_list[p] = record.NO_LIST
        s.worker[p] = 0
        s.stand_in[p] = 0
        s.runner[p] = 0
        s.curfew[p] = 0
        s.wanted[p] = 0
        s.jailed[p] = 0
        s.has_hired[p] = 0
    for k in range(len(APPRENTICES)):
        s.apprentice[k] = -1
    for which in range(2):
        s.deck_size[which] = 0
        parts.clear_discard(s, which)
    for i in range(len(s.holds)):
        s.holds[i] = record.NO_MATERIAL
    s.pile = U0
    s.bag = s.bag_start
    s.to_return = U0
    s.known_size = 0
    s.known_by = 0
    s.shown_size = 0
    s.drawn_size = 0
    s.guard = 0
    s.round = 1
    s.to_move = 0
    s.winner = -1
    s.truncated = 0
    s.victim = 0
    s.chosen = 0


@jit
def find_discards(s: Any) -> None:
    """Compute the discard piles as sets."""
    s.discarded_lists = U0
    for i in range(s.discard_size[record.LISTS]):
        s.discarded_lists |= bit(np.int64(s.discard[record.LISTS, i]))
    s.discarded_cards = U0
    for i in range(s.discard_size[record.CARD_DECK]):
        s.discarded_cards += one_piece(np.int64(s.discard[record.CARD_DECK, i]))


@jit
def find_materials(s: Any) -> None:
    """Compute, from the circles, where each material lies and which are exhausted."""
    s.empty = U0
    s.exhausted = U0
    for m in range(len(s.on)):
        s.on[m] = U0
    for i in range(6 * np.int64(s.markets)):
        if s.holds[i] == record.NO_MATERIAL:
            s.empty |= bit(i)
        else:
            s.on[s.holds[i]] |= bit(i)
    for m in range(len(s.on)):
        if s.on[m] == U0:
            s.exhausted |= U64(127) << U64(8 * m)


# ---------------------------------------------------------------------------------------------- turns
@jit
def begin_turn(s: Any, p: Any) -> Any:
    """Bring figures home and draw tokens (3.1); False if the player is in jail, can't pay and has no decision."""
    s.to_move = p
    s.at_start = 1
    s.acted = 0
    s.visited = 0
    s.bribed = 0
    s.pending = record.NOTHING
    s.cause = record.NO_CAUSE
    s.left = 0
    s.worker[p] = 0
    s.stand_in[p] = 0
    s.runner[p] = 0
    s.curfew[p] = 0
    for k in range(len(APPRENTICES)):
        if s.apprentice[k] == p:
            s.apprentice[k] = -1
    parts.draw_tokens(s, p, np.int64(s.draw))
    if s.jailed[p]:
        if count_gems(s.tokens[p]) < s.jail_gems:
            return False
        s.cause = record.JAIL
        s.left = s.jail_gems
        s.pending = record.ASK_PAY
        if s.left == 0:
            leave_jail(s, p)
    return True


@jit
def leave_jail(s: Any, p: Any) -> None:
    s.jailed[p] = 0
    s.wanted[p] = 0
    s.pending = record.NOTHING
    s.cause = record.NO_CAUSE


@jit
def end_turn(s: Any, p: Any) -> None:
    """The hunt, and everything automatic up to the next turn with a decision, or the end (sections 3, 8, 11)."""
    while True:
        hunt(s, p)
        p += 1
        if p == s.num_players:
            if s.round == s.max_turns:
                s.truncated = 1
                end_game(s)
                return
            if s.seats > s.num_players:
                npc_turn(s, p)
                if s.winner >= 0:
                    end_game(s)
                    return
            s.round += 1
            p = np.int64(0)
        if begin_turn(s, p):
            return


@jit
def end_game(s: Any) -> None:
    s.to_move = OVER
    s.pending = record.NOTHING
    s.cause = record.NO_CAUSE


@jit
def hunt(s: Any, p: Any) -> None:
    """Move the royal guard at the end of a player's turn if anybody is wanted (section 8)."""
    wanted = False
    for q in range(np.int64(s.num_players)):
        if s.wanted[q]:
            wanted = True
    if not wanted:
        return
    market = roll_die(s, (U1 << U64(s.markets)) - U1)
    s.guard = 1 << market
    reward = False
    for q in range(np.int64(s.num_players)):
        if s.wanted[q] and s.worker[q] == s.guard:
            s.jailed[q] = 1
            s.worker[q] = 0
            if q != p:
                reward = True
    if reward:
        parts.draw_reward(s, p)


# ---------------------------------------------------------------------------------------------- the NPC
@jit
def npc_turn(s: Any, npc: Any) -> None:
    """Play the whole turn of the NPC (section 9)."""
    s.worker[npc] = 0
    free = free_markets(s)
    if free == U0:
        return
    market = roll_die(s, free)
    circle = cheapest_needed(s, npc, market)
    if circle >= 0:
        parts.take_piece(s, npc, circle)
        s.worker[npc] = 1 << market
    need = asked(s, npc)
    if excess(need, s.materials[npc]) != U0:
        return
    while need != U0:
        material = count_trailing_zeros(need) >> 3
        parts.lay_down(s, npc, material, draw_circle(s, parts.return_circles(s, material)))
        need -= one_piece(material)
    parts.to_discard(s, record.LISTS, np.int64(s.building_list[npc]))
    s.building_list[npc] = record.NO_LIST
    if s.solo:
        s.score[npc] += 1
        if s.score[npc] == s.solo_npc_towers:
            s.winner = npc
            return
    s.building_list[npc] = parts.draw_from(s, record.LISTS)


@jit
def cheapest_needed(s: Any, npc: Any, market: Any) -> Any:
    """The first of the cheapest circles whose material the NPC's list lacks; -1 if there is none."""
    missing = excess(asked(s, npc), s.materials[npc])
    best, worth = np.int64(-1), np.int64(1_000_000)
    for circle in range(6 * market, 6 * market + 6):
        material = np.int64(s.holds[circle])
        if material == record.NO_MATERIAL or piece_count(missing, material) == 0:
            continue
        if s.worth[circle] < worth:
            best, worth = np.int64(circle), np.int64(s.worth[circle])
    return best


# ---------------------------------------------------------------------------------------------- building
@jit
def begin_building(s: Any, p: Any) -> None:
    """BUILD: determine the pieces to return before the first one is returned (section 5)."""
    s.to_return = pieces_to_return(s, p)
    s.cause = record.BUILD
    s.pending = record.ASK_RETURN


@jit
def return_piece(s: Any, p: Any, circle: Any) -> None:
    """Lay the next piece on a circle: for a building, or for the victim of ``sabotage``."""
    material = count_trailing_zeros(s.to_return) >> 3
    owner = np.int64(s.victim) if s.cause == SABOTAGE else p
    parts.lay_down(s, owner, material, circle)
    s.to_return -= one_piece(material)
    if s.to_return != U0:
        return
    if s.cause == SABOTAGE:
        finish_card(s)
        return
    s.score[p] += 1
    parts.to_discard(s, record.LISTS, np.int64(s.building_list[p]))
    s.building_list[p] = record.NO_LIST
    if s.score[p] == s.towers_to_win:
        s.winner = p
        end_game(s)
    else:
        draw_lists(s, np.int64(s.lists_after_building))


@jit
def choose_list(s: Any, p: Any, choice: Any) -> None:
    """LIST: keep one of the lists drawn, or the own one (-1); discard the others, the own list first."""
    if choice >= 0:
        if s.building_list[p] != record.NO_LIST:
            parts.to_discard(s, record.LISTS, np.int64(s.building_list[p]))
        s.building_list[p] = s.drawn[choice]
    for i in range(np.int64(s.drawn_size)):
        if i != choice:
            parts.to_discard(s, record.LISTS, np.int64(s.drawn[i]))
    s.drawn_size = 0
    if s.cause == ARCHITECT:
        finish_card(s)
    else:
        end_turn(s, p)


# ---------------------------------------------------------------------------------------------- buying, apprentices
@jit
def buy(s: Any, p: Any, circle: Any) -> None:
    """Pay and take the material of a circle; place the worker, or at a second market the runner (sections 4, 7)."""
    market = np.int64(1) << (circle // 6)
    if s.worker[p] == 0:
        s.worker[p] = market
    elif s.worker[p] != market:
        s.runner[p] = market
    parts.pay_pile(s, p, s.price[circle])
    parts.take_piece(s, p, circle)
    s.acted = 1
    s.pending = record.NOTHING
    s.cause = record.NO_CAUSE


@jit
def hire(s: Any, p: Any, apprentice: Any) -> None:
    s.has_hired[p] = 1
    s.apprentice[apprentice] = p
    if apprentice != RUNNER_HIRE:
        s.cause = record.STAND_IN if apprentice == STAND_IN_HIRE else record.BULLY
        s.left = 1
        s.pending = record.ASK_PAY
    else:
        parts.pay_pile(s, p, RED_GEM)


@jit
def send_home(s: Any, p: Any, market: Any) -> None:
    """The bully: others' figures leave a market, and the player must buy there."""
    others = ~(1 << market)
    for q in range(np.int64(s.seats)):
        if q != p:
            s.worker[q] &= others
            s.stand_in[q] &= others
            s.runner[q] &= others
    s.chosen = 1 << market
    s.pending = record.ASK_BUY
