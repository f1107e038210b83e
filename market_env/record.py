"""The NumPy dtype of one market game.

Circles are numbered 6 · market + letter; sets of circles and of markets are bits of a word. Several small counts share one
uint64 (packed_counts.py): *tokens* are four lanes of 16 bits (green, blue, red, pass), *pieces* eight lanes of 8 bits, one
for each material or for each kind of black-market card. Seats are the players, then the NPC. Fields marked *derived* can
be recomputed from the others.
"""

from __future__ import annotations

import numpy as np

from market_env.actions import MAX_CIRCLES
from market_env.components import (
    CARDS,
    ENTRIES,
    GEMS,
    MAX_CARDS,
    MAX_LIST_CHOICE,
    MAX_LISTS,
    MAX_MARKETS,
    MAX_MATERIALS,
    MAX_OFFER,
    MAX_PRICE,
    MAX_RATES,
    MAX_TOKENS,
    MAX_TURNS,
    MAX_WORTH,
)
from tower_core.engine.batch_structs import MAX_SEATS, padded
from tower_core.game_checks import check_width

LEGAL_WORDS = 3
DECK_SPACE = 64  # the longest of list deck and card deck

# Packed values and the bounds they rely on: the MAX_… numbers of components.py.
check_width("kinds of black-market cards, one byte each (record.hand)", len(CARDS), 8, "bytes")
check_width("MAX_MATERIALS, one byte each (record.materials)", MAX_MATERIALS, 8, "bytes")
check_width("pieces of a material, all circles together (record.materials)", MAX_CIRCLES, 127, "pieces")
check_width("MAX_CARDS, of one kind in a byte (record.discarded_cards)", MAX_CARDS, 127, "cards")
check_width("MAX_TOKENS, one byte in observations", MAX_TOKENS, 255, "tokens")
check_width("MAX_TOKENS and MAX_PRICE, in 15 bits each (record.tokens)", max(MAX_TOKENS, MAX_PRICE), 0x7FFF, "tokens")
check_width("MAX_LISTS in a set (record.discarded_lists)", MAX_LISTS, 64)
check_width("MAX_CIRCLES in a set (record.on)", MAX_CIRCLES, 64)
check_width("MAX_MARKETS in a set (record.worker)", MAX_MARKETS, 8)
check_width(
    "MAX_LISTS, MAX_CARDS or MAX_CIRCLES in a deck", max(MAX_LISTS, MAX_CARDS, MAX_CIRCLES), DECK_SPACE, "cards"
)
check_width("MAX_TURNS (record.max_turns)", MAX_TURNS, 0xFFFF, "turns")
check_width("MAX_PRICE and MAX_WORTH (record.worth)", len(GEMS) * MAX_PRICE * MAX_WORTH, 0xFFFF, "points")

# Pending decisions (field ``pending``), and their causes (field ``cause``: a card, or one of these).
KINDS = ("", "enter", "drop", "keep", "pay", "take", "target", "material", "return", "buy", "market", "list")
(
    NOTHING, ASK_ENTER, ASK_DROP, ASK_KEEP, ASK_PAY, ASK_TAKE, ASK_TARGET, ASK_MATERIAL, ASK_RETURN, ASK_BUY,
    ASK_MARKET, ASK_LIST,
) = range(len(KINDS))  # fmt: skip
CAUSES = (*CARDS, "stand-in", "bully", "steal", "jail", "build", "visit")
STAND_IN, BULLY, STEAL, JAIL, BUILD, VISIT = range(len(CARDS), len(CAUSES))
NO_CAUSE, NO_MATERIAL, NO_LIST = 255, 255, 255
LISTS, CARD_DECK = np.int64(0), np.int64(1)  # the two decks

RECORD = padded(
    np.dtype(
        [
            # legal actions of the seat to move (derived); see actions.py for the words
            ("legal", "u8", (LEGAL_WORDS,)),
            # circles and markets
            ("on", "u8", (MAX_MATERIALS,)),  # circles that hold each material (derived from holds)
            ("empty", "u8"),  # circles in play that hold nothing (derived)
            ("exhausted", "u8"),  # pieces: 127 in the lane of every material that no circle holds (derived)
            # what seats own
            ("tokens", "u8", (MAX_SEATS,)),  # tokens
            ("materials", "u8", (MAX_SEATS,)),  # pieces
            ("hand", "u8", (MAX_SEATS,)),  # pieces: black-market cards
            ("pile", "u8"),  # tokens of the tax collector
            ("bag", "u8"),  # tokens
            ("to_return", "u8"),  # pieces that a building or sabotage still has to return
            ("rng", "u8"),
            ("script", "u8"),  # address of a script of chance outcomes, 0 in play (see tower_core.engine.forced_chance)
            ("score", "i4", (MAX_SEATS,)),  # towers
            ("round", "u2"),  # turns started by player_0
            ("holds", "u1", (MAX_CIRCLES,)),  # material on each circle, or 255
            # decks: the top is the last entry; discard piles: first discarded first
            ("deck", "u1", (2, DECK_SPACE)),  # lists; kinds of cards
            ("discard", "u1", (2, DECK_SPACE)),
            ("discarded_lists", "u8"),  # set of the lists in their discard pile (derived)
            ("discarded_cards", "u8"),  # pieces: the cards in theirs (derived)
            ("deck_size", "u1", (2,)),
            ("discard_size", "u1", (2,)),
            ("known_size", "u1"),  # number of cards on top of the card deck known to the seat that put them back
            ("known_by", "u1"),  # that seat
            ("building_list", "u1", (MAX_SEATS,)),  # 255: none
            ("shown", "u1", (MAX_OFFER,)),  # cards being looked at, as drawn
            ("shown_size", "u1"),
            ("drawn", "u1", (MAX_LIST_CHOICE,)),  # lists to choose from, as drawn
            ("drawn_size", "u1"),
            # figures, as bits of the markets they are on
            ("worker", "u1", (MAX_SEATS,)),  # of the NPC: its standing figure
            ("stand_in", "u1", (MAX_SEATS,)),
            ("runner", "u1", (MAX_SEATS,)),
            ("curfew", "u1", (MAX_SEATS,)),  # markets on which the seat laid a curfew marker
            ("guard", "u1"),  # 0: in the jail
            ("wanted", "u1", (MAX_SEATS,)),
            ("jailed", "u1", (MAX_SEATS,)),
            ("apprentice", "i1", (3,)),  # seat that each apprentice is with, or -1
            ("has_hired", "u1", (MAX_SEATS,)),
            # the turn
            ("to_move", "i1"),
            ("winner", "i1"),  # -1: nobody
            ("truncated", "u1"),
            ("at_start", "u1"),  # nothing but PARDON has been played in this turn
            ("acted", "u1"),  # BUY, TRADE, ENTER, CARD or STEAL was done: no idle draw
            ("visited", "u1"),  # the black market
            ("bribed", "u1"),
            ("pending", "u1"),
            ("cause", "u1"),
            ("left", "u1"),  # remaining PAY or TAKE decisions, or unused entries paid for the black market
            ("victim", "u1"),  # of sabotage
            ("chosen", "u1"),  # the bully's market, as a bit
            # the rules
            ("first_word", "u1"),
            ("num_players", "u1"),
            ("seats", "u1"),  # players, and the NPC
            ("markets", "u1"),  # in play
            ("advanced", "u1"),
            ("apprentices", "u1"),
            ("guard_hunts", "u1"),
            ("solo", "u1"),
            ("closed", "u1"),  # players' lists are closed
            ("idle_always", "u1"),
            ("first_tokens", "u1", (MAX_SEATS,)),
            ("solo_npc_towers", "u1"),
            ("max_turns", "u2"),
            # the component set
            ("bag_start", "u8"),  # tokens
            ("price", "u8", (MAX_CIRCLES,)),  # tokens
            ("twins", "u8", (MAX_CIRCLES,)),  # earlier circles of the same market with the same price
            ("starts", "u8", (MAX_MATERIALS,)),  # circles in play whose starting material it is
            ("need", "u8", (MAX_LISTS,)),  # pieces that each list asks for
            ("entry", "u8", (len(ENTRIES),)),  # tokens of each entry to the black market; 0: there is none
            ("give", "u8", (MAX_RATES,)),  # tokens
            ("get", "u8", (MAX_RATES,)),
            ("worth", "u2", (MAX_CIRCLES,)),  # of the price, as the NPC sees it
            ("gem_worth", "u1", (len(GEMS),)),  # used by scripted players
            ("start", "u1", (MAX_CIRCLES,)),  # material that a circle starts with
            ("copies", "u1", (len(CARDS),)),
            ("fee", "u1", (len(CARDS),)),
            ("card_order", "u1", (len(CARDS),)),  # kinds of cards in the order of the file
            ("card_kinds", "u1"),
            ("lists", "u1"),
            ("rates", "u1"),
            ("die", "u1"),  # sides of the die: markets of the set, in play or not
            ("draw", "u1"),
            ("draw_if_idle", "u1"),
            ("lists_after_building", "u1"),
            ("hand_limit", "u1"),
            ("offer", "u1"),
            ("jail_gems", "u1"),
            ("steal_gems", "u1"),
            ("towers_to_win", "u1"),
        ],
        align=True,
    )
)
"""One game: about 2.3 KB."""
