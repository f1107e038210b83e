"""The sentences of the rules of Torres that comparisons count: short labels by section of docs/torres.md."""

from __future__ import annotations

from reference.torres_rules import CARDS, MASTER_CARDS

_LABELS = {
    "2": """printed starting castles
        a knight is set up on a free castle block
        the last player sets up the king
        chance sets up the king
        stacks of the table, 2 players
        stacks of the table, 3 players
        stacks of the table, 4 players""",
    "3": """B on a castle, not above its area
        B on ground beside one castle
        no B above the area
        no B between two castles
        no B away from all castles
        no B under a piece
        N not above its neighbour
        N below its neighbour
        N measured by the highest of several neighbours
        N at a fixed entry level
        no N above its neighbours
        no N for less than 2 AP
        no N without a reserve
        M on one level
        M one level up
        M one level down
        M several levels down
        no M two levels up
        no M onto a piece
        doors: a passage
        doors: a passage that bends
        doors: a passage under a piece
        doors: straight through a castle
        doors: no bend where they are straight
        doors: the level inside sinks
        doors: several levels down
        BUY of the top card
        BUY and PICK among several
        BUY with fewer cards than may be looked at
        PICK of the only card
        cards not picked go under the deck
        more than two BUY without a limit
        no BUY beyond the limit
        no BUY without a deck
        one card a turn
        a card bought in this turn waits
        no PLAY of a card without effect
        END scores the AP left
        AP left score nothing
        the turn ends by itself when only END is legal
        the turn ends by itself when AP are spent
        a whole turn passes by itself
        the tallest of unequal stacks is used
        a stack of height 0 gives a turn
        a leftover block goes onto another stack
        a leftover block goes onto the tallest of unequal stacks
        a leftover block goes to the supply""",
    "4": """a new round
        a new phase
        the leader starts a round
        leaders tie: the first clockwise
        the player to the left of the last starter starts a round""",
    "5": """castles score area × level
        only the highest knight of a castle scores
        every knight of a castle scores
        later phases score from the highest down
        steps for all players, one after the other
        all steps of a player together
        the order of the steps changes the points
        the order of the steps changes who is ahead
        king's bonus on the phase's level
        king's bonus on the king's level
        king's bonus once for several knights
        no king's bonus on another level
        the king moves
        the king stays
        lowest points tie: the last in turn order
        a marker moves on by 1
        a marker moves on by several
        a marker without points stays, also on a shared number
        markers share 0
        markers share a number where they may
        cards in hand decide the ranking
        a shared rank""",
    "6": "\n".join(f"card {card}" for card in CARDS)
    + """
        door: exit where no ordinary passage leads
        under: a higher castle
        under: ground beside a castle
        under: a new castle
        under: from another stack
        under: from the stack of the turn
        relocate: onto a castle
        relocate: beside a castle
        relocate: a new castle
        relocate: a castle vanishes
        relocate: six castles must stay
        recruit: one level up
        encore of a card with a follow-up
        encore of AP""",
    "7": """the players set up castles
        castle setup ends for lack of room
        all cards in hand from the start
        stacks of one's own
        fewer cards in the deck""",
    "8": "\n".join(f"master card {card}" for card in MASTER_CARDS)
    + """
        strictly the most: once more
        a tie for the most: nothing more
        all knights needed""",
    "9": """a sole winner
        a shared win""",
}
RULES = {label.strip(): section for section, text in _LABELS.items() for label in text.splitlines()}
