"""Questions with their answers, the choice of lists, the black market and its cards, for market_turn.py.

Each generator yields a `Decision` where a player must say something and receives the text said.
"M 4" means section 4 of market.md.
"""

from __future__ import annotations

from collections.abc import Callable, Generator

from .market_parts import GEMS, Amounts, Decision, Seat, add_gems, circle_name, covers, move, parse_circle
from .market_state import Table

Steps = Generator[Decision, str, None]
Answer = Generator[Decision, str, str]


class Cards(Table):
    # --- small questions -------------------------------------------------------------------------------

    def ask(self, seat: Seat, verb: str, choices: Callable[[], list[str]]) -> Answer:
        """Ask for `verb choice`; the answer is the choice. PAY and RETURN answer themselves (M 3)."""
        if verb in ("PAY", "RETURN") and len(choices()) == 1:
            return choices()[0]
        text = yield Decision(seat.number, verb.lower(), lambda: [f"{verb} {choice}" for choice in choices()])
        return text.partition(" ")[2]

    def pay_gems(self, seat: Seat, number: int, colours: Callable[[], list[str]]) -> Steps:
        """One payment, gem by gem: the bag is looked at when it is whole (M 3.1)."""
        for _ in range(number):
            colour = yield from self.ask(seat, "PAY", colours)
            move(seat.tokens, self.pile, {colour: 1})
        self.leave_no_empty_bag()

    def take_one(self, seat: Seat) -> Steps:
        colour = yield from self.ask(seat, "TAKE", lambda: gems_in(self.pile))
        move(self.pile, seat.tokens, {colour: 1})

    def ask_return(self, seat: Seat, owner: Seat, material: str) -> Steps:
        """`seat` chooses the circle to which a piece of `owner` goes back."""
        name = yield from self.ask(
            seat, "RETURN", lambda: [circle_name(*circle) for circle in self.merged_return_circles(material)]
        )
        self.lay_down(owner, material, *parse_circle(name))

    def ask_market(self, seat: Seat, markets: Callable[[], list[int]]) -> Generator[Decision, str, int]:
        number = yield from self.ask(seat, "MARKET", lambda: [str(market + 1) for market in markets()])
        return int(number) - 1

    # --- materials and lists (M 5) ---------------------------------------------------------------------

    def take_material(self, seat: Seat, market: int, number: int) -> None:
        material = self.circles[market][number]
        assert material is not None
        self.circles[market][number] = None
        seat.materials[material] += 1

    def choose_list(self, seat: Seat, number: int) -> Steps:
        """Draw lists and keep one; a seat that still has its own list (architect) may keep that (M 4, M 5)."""
        self.drawn_lists = self.draw_up_to(number, self.list_deck, self.list_discard)
        options = [str(i) for i in range(1, len(self.drawn_lists) + 1)]
        if seat.building_list is not None:
            options.append("keep")
        answer = yield from self.ask(seat, "LIST", lambda: options)
        if answer != "keep":
            if seat.building_list is not None:
                self.list_discard.append(seat.building_list)  # M 5: the own list first
            seat.building_list = self.drawn_lists.pop(int(answer) - 1)
        self.list_discard += self.drawn_lists
        self.drawn_lists = []

    # --- black market (M 4) ----------------------------------------------------------------------------

    def enter_options(self, seat: Seat) -> list[str]:
        most = min(self.components.offer, len(self.card_deck) + len(self.card_discard))
        if self.entries_paid >= most:
            return []
        return [f"ENTER {next(iter(entry))}" for entry in self.components.entries if covers(seat.tokens, entry)]

    def pay_entry(self, seat: Seat, name: str) -> None:
        entry = next(entry for entry in self.components.entries if name in entry)
        self.pay(seat, entry)
        self.entries_paid += 1

    def visit_black_market(self, seat: Seat, first_entry: str) -> Steps:
        self.turn.visited_black_market = True
        self.pay_entry(seat, first_entry)
        while True:
            text = yield Decision(seat.number, "enter", lambda: ["LOOK", *self.enter_options(seat)])
            if text == "LOOK":
                break
            self.pay_entry(seat, text.partition(" ")[2])
        self.shown_cards = self.draw_up_to(self.components.offer, self.card_deck, self.card_discard)
        while self.entries_paid > 0:
            if len(seat.hand) >= self.components.hand_limit:
                name = yield from self.ask(seat, "DROP", lambda: sorted(set(seat.hand)))
                seat.hand.remove(name)
                self.card_discard.append(name)
            name = yield from self.ask(seat, "KEEP", lambda: sorted(set(self.shown_cards)))
            self.shown_cards.remove(name)
            seat.hand.append(name)  # of two copies the one that lay higher, which shows in what goes back
            self.entries_paid -= 1
        self.card_deck[:0] = self.shown_cards
        self.shown_cards = []

    # --- black-market cards (M 4) ----------------------------------------------------------------------

    def card_is_possible(self, seat: Seat, name: str) -> bool:
        fee = self.components.card_fee[name]
        if seat.gems() < fee:
            return False
        if name == "smuggler":
            return sum(self.bag.values()) + sum(self.pile.values()) + fee > 0
        if name == "levy":
            return not seat.wanted and add_gems(self.pile) >= 2
        if name == "pickpocket":
            return bool(self.pickpocket_targets(seat))
        if name == "sabotage":
            return bool(self.sabotage_targets(seat))
        if name == "permit":
            return bool(self.permit_circles(seat))
        if name == "bribe":
            return seat.worker is None
        if name == "architect":
            return bool(self.list_deck or self.list_discard)
        if name == "curfew":
            return bool(self.free_markets())
        raise ValueError(f"unknown card {name}")

    def pickpocket_targets(self, seat: Seat) -> list[str]:
        return [s.name for s in self.seats if s is not seat and not s.is_npc and s.gems() > 0]

    def sabotage_targets(self, seat: Seat) -> list[str]:
        return [s.name for s in self.seats if s is not seat and sum(s.materials.values()) > 0]

    def permit_circles(self, seat: Seat) -> list[str]:
        """Wherever, whoever or whatever stands there; equal circles still count once."""
        return [circle_name(*c) for market in self.markets_in_play for c in self.usable_circles(seat, market)]

    def seat_named(self, name: str) -> Seat:
        return next(seat for seat in self.seats if seat.name == name)

    def play_card(self, seat: Seat, card: str) -> Steps:
        seat.hand.remove(card)
        self.card_in_play = card
        yield from self.pay_gems(seat, self.components.card_fee[card], lambda: gems_in(seat.tokens))
        if card == "smuggler":
            for _ in range(3):
                self.draw_token(seat)
        elif card == "levy":
            for _ in range(2):
                yield from self.take_one(seat)
        elif card == "pickpocket":
            name = yield from self.ask(seat, "TARGET", lambda: self.pickpocket_targets(seat))
            self.move_random_gem(self.seat_named(name).tokens, seat)
        elif card == "sabotage":
            name = yield from self.ask(seat, "TARGET", lambda: self.sabotage_targets(seat))
            victim = self.seat_named(name)
            material = yield from self.ask(
                seat, "MATERIAL", lambda: [m for m in self.components.materials if victim.materials[m] > 0]
            )
            yield from self.ask_return(seat, victim, material)
        elif card == "permit":
            name = yield from self.ask(seat, "BUY", lambda: self.permit_circles(seat))
            self.take_material(seat, *parse_circle(name))
        elif card == "bribe":
            self.turn.bribed = True
        elif card == "architect":
            yield from self.choose_list(seat, 3)
        elif card == "curfew":
            market = yield from self.ask_market(seat, self.free_markets)
            seat.curfews.append(market)
        self.card_in_play = None
        self.card_discard.append(card)


def gems_in(amounts: Amounts) -> list[str]:
    return [gem for gem in GEMS if amounts[gem] > 0]
