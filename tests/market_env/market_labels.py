"""The sentences of the rules of the market game that comparisons count: short labels by section of docs/market.md."""

from __future__ import annotations

from reference.market_parts import APPRENTICES

from market_env.components import CARDS

_LABELS = {
    "2": """circles hold what is printed
        later seats begin with tokens
        2 seats
        3 seats
        4 seats""",
    "3": """figures come home
        a curfew is lifted
        tokens are drawn
        the pile is poured while the tokens of a turn are drawn
        the pile is poured while tokens are drawn for waiting
        a token is drawn after the pile was poured in the same draw
        nothing is left to be drawn
        the pile is poured by a price
        the pile is poured by an entry
        the pile is poured by a fee
        a fee is partly paid while the bag is empty
        the pile is poured by a trade
        waiting draws tokens where none of BUY, BUILD, ENTER, CARD is legal
        waiting draws tokens though a TRADE is legal
        waiting draws tokens though STEAL is legal
        waiting draws nothing where a BUY is legal
        waiting draws nothing where only BUILD of the four is legal
        waiting draws nothing where only ENTER of the four is legal
        waiting draws nothing where only CARD of the four is legal
        waiting always draws tokens
        END after acting draws nothing
        END is explicit though nothing else is legal
        PAY with one answer is given by itself
        RETURN with one answer is given by itself
        a choice with one answer is asked for
        the list deck is refilled
        the card deck is refilled""",
    "4": """the first BUY puts the worker
        BUY again where the worker stands
        no BUY at a second market
        no BUY where a worker stands
        no BUY where the NPC stands
        no BUY where a stand-in stands
        no BUY where a runner stands
        no BUY under a curfew
        no BUY of what cannot be paid
        no BUY of what cannot be used
        equal circles count once
        TRADE
        no TRADE for what the pile lacks
        ENTER pass
        ENTER green
        ENTER blue
        ENTER red
        ENTER again
        no ENTER beyond the offer
        no ENTER beyond the cards there are
        one visit a turn
        LOOK
        LOOK at fewer cards than offered
        KEEP
        DROP before KEEP
        cards not kept go back on top"""
    + "".join(f"\n card {card}" for card in CARDS)
    + """
        a fee of chosen colours
        a card is played in the turn in which it was kept
        no card without the gems for its fee
        no card without an effect
        the pile is poured while smuggled tokens are drawn
        levy: not for a wanted player
        levy: gems of the fee may be taken
        sabotage of the NPC
        permit where somebody stands
        permit under a curfew
        bribe: into an occupied market
        bribe: not once the worker stands
        architect: a new list
        architect: the own list is kept
        curfew: not where a figure stands""",
    "5": """BUILD
        RETURN among several circles
        equal circles for RETURN count once
        LIST among several
        fewer lists than asked for
        BUY of a piece that stands in
        BUILD with pieces that stand in
        no BUILD while a missing material lies in the city
        surplus stays with the player""",
    "6": """circles are filled at random
        RETURN onto a foreign circle""",
    "7": "\n".join(f"HIRE {name}" for name in APPRENTICES)
    + """
        the pile is poured by a hire
        one hire in the game
        no HIRE of an apprentice that is taken
        bully: workers go home
        bully: the NPC goes home
        bully: a stand-in goes home
        bully: no fee that leaves him without effect
        runner: BUY at a second market
        runner: BUY at both markets""",
    "8": """STEAL
        PARDON
        STEAL after PARDON
        no STEAL after another action
        no STEAL from too small a pile
        no STEAL for a wanted player
        no TRADE for a wanted player
        no BUY for a wanted player beside the guard
        the guard moves
        the hunt's die is rolled again
        an arrest of another
        an arrest of oneself alone
        a gem for an arrest
        the pile is poured before a reward
        the pile is poured after a reward
        the pile is poured by a pardon
        a prisoner pays
        the pile is poured by a prisoner's payment
        a prisoner cannot pay""",
    "9": """the NPC takes a material
        the NPC lies down
        the NPC finds no free market
        the NPC's die is rolled again
        the NPC takes the cheapest of several
        the NPC satisfies its list""",
    "10": """solo won
        solo lost
        the NPC puts up a tower""",
    "11": """a winner
        truncated
        a shared rank""",
}
RULES = {label.strip(): section for section, text in _LABELS.items() for label in text.splitlines()}
