"""The NumPy dtype of one game of Torres.

Sets of cells are uint64 words (bit i is cell i, ``a1`` first); sets of cards are bits in card-table order; ordered piles
of cards are nibbles of a uint64, the first in the lowest. Fields marked *derived* can be recomputed from the others.
"""

from __future__ import annotations

import numpy as np

from torres_env.actions import FIRST_CELL_ACTION, NUM_ACTIONS
from torres_env.card_table import CARDS
from torres_env.rules import MAX_KNIGHTS, MAX_STACKS
from tower_core.engine.batch_structs import MAX_SEATS, padded
from tower_core.game_checks import check_width

CARD_SPACE = 16  # maximum number of cards in sets and decks
MAX_HEIGHT = 46  # area 46, height 46 and 46 blocks below would take more blocks than there are
LEVELS = MAX_HEIGHT + 4
MAX_CASTLES = 32  # more don't fit without touching
LEGAL_WORDS = 1 + (NUM_ACTIONS - FIRST_CELL_ACTION) // 64

# Pending decisions (field ``pending``); a card's follow-up is FOLLOW_UP plus the card's index.
NOTHING, SETUP_BLOCK, SETUP_KNIGHT, KING, PICK, FOLLOW_UP = 0, 1, 2, 3, 4, 10
NO_CELL, NO_CARD = 255, 255

# A pile of all cards must leave one of its 16 nibbles free: shifts by a whole word are undefined.
check_width("Torres' action cards in a pile of 16 nibbles", len(CARDS), CARD_SPACE - 1, "nibbles")
check_width("Torres' sets of cards (record.hand)", len(CARDS), 16)
check_width("Torres' discards of all seats (record.discarded)", MAX_SEATS * len(CARDS), 63)
check_width("Torres' actions before those of cells, in the first legal word", FIRST_CELL_ACTION, 63)
check_width("Torres' knights of a seat (record.dirty)", MAX_KNIGHTS, 8)

RECORD = padded(
    np.dtype(
        [
            # legal actions of the seat to move (derived); see actions.py for the words
            ("legal", "u8", (LEGAL_WORDS,)),
            # the board
            ("level", "u8", (LEVELS,)),  # [h]: cells of height >= h (derived from height)
            ("castle", "u8", (MAX_CASTLES,)),  # cells of each castle (derived)
            ("knights", "u8", (MAX_SEATS,)),  # cells of each seat's knights (derived from knight)
            ("reach", "u8", (MAX_SEATS, MAX_KNIGHTS)),  # cells a knight reaches for 1 AP, ignoring pieces (derived)
            (
                "entry",
                "u8",
                (MAX_SEATS, MAX_KNIGHTS),
            ),  # cells for a new knight beside it, ignoring pieces (derived)
            (
                "knight_bit",
                "u8",
                (MAX_SEATS, MAX_KNIGHTS),
            ),  # each knight's cell as a set, empty without a knight (derived)
            ("occupied", "u8"),  # cells with a piece (derived)
            ("block_targets", "u8"),  # cells where a block may be placed, ignoring pieces (derived)
            # chance and cards
            ("rng", "u8"),
            ("deck", "u8", (MAX_SEATS,)),  # pile, top first
            ("discard", "u8", (MAX_SEATS,)),  # pile, as played
            ("discarded", "u8"),  # each seat's discards as a set of ten bits, seat 0 lowest (derived)
            ("looked", "u8"),  # pile: the cards that the buyer looks at, as drawn
            ("score", "i4", (MAX_SEATS,)),
            ("coming", "i4", (MAX_SEATS,)),  # points if scoring happened now (derived)
            ("unspent_ap_scores", "i4"),
            ("supply", "i4"),  # blocks of the general supply
            ("hand", "u2", (MAX_SEATS,)),  # set
            ("deck_cards", "u2", (MAX_SEATS,)),  # set (derived from deck)
            ("bought", "u2"),  # set: bought in this turn
            ("card_list", "u2"),  # set: in each deck
            ("height", "u1", (64,)),  # blocks on each cell
            ("area", "u1", (64,)),  # area of the castle of each cell, 0 on the ground (derived)
            ("castle_of", "u1", (64,)),  # index of the castle of each cell, 0 on the ground (derived)
            ("knight", "u1", (MAX_SEATS, MAX_KNIGHTS)),  # cell of each knight, in order of arrival
            ("knight_count", "u1", (MAX_SEATS,)),
            ("order", "u1", (MAX_SEATS,)),  # seats in the order of the current scoring (derived)
            ("dirty", "u1", (MAX_SEATS,)),  # knights whose reach and entry are outdated (derived)
            ("coming_dirty", "u1", (MAX_SEATS,)),  # seats whose coming points are outdated (derived)
            ("deck_size", "u1", (MAX_SEATS,)),
            ("deck_unseen", "u1", (MAX_SEATS,)),  # cards on top of the deck whose order its owner doesn't know
            ("discard_size", "u1", (MAX_SEATS,)),
            # heights of the stacks left in this phase, tallest first, padded with 0
            ("stack", "u1", (MAX_SEATS, MAX_STACKS)),
            ("stack_count", "u1", (MAX_SEATS,)),
            (
                "deck_place",
                "u1",
                (MAX_SEATS, CARD_SPACE),
            ),  # each card's place in the deck from 1, 0 if unknown (derived)
            ("blocks_left", "u1", (MAX_SEATS,)),  # blocks in the stacks left (derived)
            ("looked_size", "u1"),
            ("castle_count", "u1"),
            ("king", "u1"),  # cell, 255 before he is placed
            # the turn
            ("to_move", "i1"),
            ("truncated", "u1"),  # Torres never is
            ("first_word", "u1"),
            ("num_players", "u1"),
            ("phase", "u1"),  # 0 during setup
            ("round", "u1"),
            ("start_player", "u1"),  # of this round
            ("turn", "u1"),  # turns taken in this round
            ("ap", "u1"),
            ("turn_stack", "u1"),  # blocks left of the stack of this turn
            ("buys", "u1"),  # cards bought in this turn
            ("card_played", "u1"),
            ("pending", "u1"),
            ("taken", "u1"),  # relocate: the cell that the block was taken from, or 255
            ("master", "u1"),  # index of the master card, or 255
            # the rules
            ("doors", "u1"),  # 0 connected, 1 straight, 2 descending
            ("entry_level", "u1"),  # 255: none
            ("draw_choice", "u1"),
            ("end_when_spent", "u1"),
            ("buys_per_turn", "u1"),  # 255: no limit
            ("hands_open", "u1"),
            ("start_hand_all", "u1"),
            ("score_every", "u1"),
            ("king_level_bonus", "u1"),
            ("unique_scores", "u1"),
            ("king_random", "u1"),
            ("starter", "u1"),  # of a round: its index in torres_env.rules.STARTERS
            ("score_by_player", "u1"),  # 1: all steps of a scoring for one player after the other
            ("players_set_castles", "u1"),
            ("master_card", "u1"),
            ("max_stack", "u1"),
            ("action_points", "u1"),
            ("knights_per_player", "u1"),
            ("rounds", "u1", (3,)),  # stacks of each phase
            ("stacks", "u1", (3, MAX_STACKS)),  # their heights, tallest first
            ("starting_count", "u1"),
            ("starting_cell", "u1", (MAX_CASTLES,)),
        ],
        align=True,
    )
)
"""One game: about 2 KB."""
