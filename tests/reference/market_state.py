"""The table of the naive market game: where everything lies, and the questions the rules ask about it.

Nothing here decides whose turn it is; market.py does. "M 4" means section 4 of market.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .market_parts import (
    APPRENTICES,
    GEMS,
    TOKENS,
    Amounts,
    Components,
    Seat,
    SplitMix64,
    Turn,
    add_gems,
    covers,
    move,
)


class Table:
    def __init__(
        self,
        num_players: int,
        npc: bool,
        advanced: bool,
        first_tokens: list[int] | None,
        components: Components,
        seed: int,
    ) -> None:
        self.components = components
        self.advanced = advanced
        self.random = SplitMix64(seed)
        self.num_players = num_players
        self.has_npc = npc
        materials = components.materials
        self.seats = [
            Seat(
                number,
                "npc" if number == num_players else f"player_{number}",
                number == num_players,
                dict.fromkeys(TOKENS, 0),
                dict.fromkeys(materials, 0),
            )
            for number in range(num_players + npc)
        ]
        self.market_count = components.markets_by_seats[len(self.seats)]
        self.markets_in_play = range(self.market_count)
        self.bag: Amounts = dict(components.token_counts)
        self.pile: Amounts = dict.fromkeys(TOKENS, 0)
        self.guard: int | None = None  # None: in the jail (M 8)
        self.apprentice_with: dict[str, int | None] = dict.fromkeys(APPRENTICES)
        self.turn = Turn()
        # What lies neither in a deck nor in a hand nor in a discard pile while a player is being asked:
        self.card_in_play: str | None = None
        self.shown_cards: list[str] = []
        self.drawn_lists: list[int] = []
        self.entries_paid = 0
        self._set_up(first_tokens or [])

    def _set_up(self, first_tokens: list[int]) -> None:
        """M 2, in the order in which interfaces.md section 2 uses the random stream."""
        printed = [self.components.markets[market] for market in self.markets_in_play]
        self.circles: list[list[str | None]] = [[circle.start_material for circle in market] for market in printed]
        if self.advanced:
            pieces = [piece for market in self.circles for piece in market]
            self.random.shuffle(pieces)
            left = iter(pieces)
            self.circles = [[next(left) for _ in market] for market in printed]
        self.list_deck = list(range(len(self.components.lists)))
        self.list_discard: list[int] = []
        self.random.shuffle(self.list_deck)
        self.card_deck = [name for name, copies in self.components.card_copies.items() for _ in range(copies)]
        self.card_discard: list[str] = []
        self.random.shuffle(self.card_deck)
        for seat in self.seats:
            seat.building_list = self.draw_list()
        for seat, number in zip(self.seats[: self.num_players], first_tokens, strict=False):  # M 12
            for _ in range(number):
                self.draw_token(seat)

    # --- draws -----------------------------------------------------------------------------------------

    def pour_pile_into_bag(self) -> None:
        move(self.pile, self.bag, dict(self.pile))

    def leave_no_empty_bag(self) -> None:
        """M 3.1: after the draw of one token, and after a whole payment."""
        if sum(self.bag.values()) == 0:
            self.pour_pile_into_bag()

    def draw_token(self, seat: Seat) -> None:
        """M 3.1: where bag and pile are empty, a draw draws nothing."""
        total = sum(self.bag.values())
        if total > 0:
            move(self.bag, seat.tokens, {count_off(self.bag, TOKENS, self.random.below(total)): 1})
            self.leave_no_empty_bag()

    def pay(self, seat: Seat, tokens: Amounts) -> None:
        """A payment in one go."""
        move(seat.tokens, self.pile, tokens)
        self.leave_no_empty_bag()

    def draw_reward_gem(self, seat: Seat) -> None:
        """M 8: drawn among the bag's gems; the pile is poured in first when the bag holds no gem, passes or not."""
        if add_gems(self.bag) == 0:
            self.pour_pile_into_bag()
        self.move_random_gem(self.bag, seat)
        self.leave_no_empty_bag()

    def move_random_gem(self, source: Amounts, seat: Seat) -> None:
        total = add_gems(source)
        if total > 0:
            move(source, seat.tokens, {count_off(source, GEMS, self.random.below(total)): 1})

    def draw_from(self, deck: list[Any], discard: list[Any]) -> Any | None:
        """M 3: a deck is refilled only when a card must be drawn and it is empty."""
        if not deck:
            deck.extend(discard)
            discard.clear()
            self.random.shuffle(deck)
        return deck.pop(0) if deck else None

    def draw_list(self) -> int | None:
        return self.draw_from(self.list_deck, self.list_discard)

    def draw_up_to(self, number: int, deck: list[Any], discard: list[Any]) -> list[Any]:
        drawn = [self.draw_from(deck, discard) for _ in range(number)]
        return [card for card in drawn if card is not None]

    # --- materials, lists, shortage (M 5) --------------------------------------------------------------

    def asked(self, seat: Seat) -> Amounts:
        """What the own list asks for, of every material."""
        assert seat.building_list is not None
        asked = self.components.lists[seat.building_list]
        return {material: asked.get(material, 0) for material in self.components.materials}

    def is_exhausted(self, material: str) -> bool:
        return all(material not in market for market in self.circles)

    def missing(self, seat: Seat) -> Amounts:
        return {material: max(0, n - seat.materials[material]) for material, n in self.asked(seat).items()}

    def surplus(self, seat: Seat) -> Amounts:
        return {material: max(0, seat.materials[material] - n) for material, n in self.asked(seat).items()}

    def missing_exhausted(self, seat: Seat) -> int:
        return sum(n for material, n in self.missing(seat).items() if self.is_exhausted(material))

    def can_use(self, seat: Seat, material: str) -> bool:
        """M 4 and 5: the list asks for more of it, or the piece can stand in for an exhausted one."""
        if self.missing(seat)[material] > 0:
            return True
        return sum(self.surplus(seat).values()) < self.missing_exhausted(seat)

    def can_build(self, seat: Seat) -> bool:
        missing = sum(self.missing(seat).values())
        return missing == self.missing_exhausted(seat) and sum(self.surplus(seat).values()) >= missing

    def pieces_to_return(self, seat: Seat) -> list[str]:
        """The pieces that a building uses up, in the order of the materials, stand-ins among them (M 5)."""
        assert self.can_build(seat)
        asked, surplus = self.asked(seat), self.surplus(seat)
        stand_ins_needed = sum(self.missing(seat).values())
        pieces: list[str] = []
        for material in self.components.materials:
            stand_ins = min(surplus[material], stand_ins_needed)
            stand_ins_needed -= stand_ins
            pieces += [material] * (min(asked[material], seat.materials[material]) + stand_ins)
        return pieces

    def return_circles(self, material: str) -> list[tuple[int, int]]:
        """The empty circles on which a returned piece may be laid, equal ones not merged (M 5, M 6)."""
        return [
            (market, number)
            for market, number in self.all_circles()
            if self.circles[market][number] is None
            and (self.advanced or self.components.markets[market][number].start_material == material)
        ]

    def merged_return_circles(self, material: str) -> list[tuple[int, int]]:
        """M 5: empty circles of one market with the same price count once. In the base game those offered
        all have the starting material of the piece, so that it need not be compared."""
        kept: list[tuple[int, int]] = []
        for market, number in self.return_circles(material):
            if not any(m == market and self.price(m, n) == self.price(market, number) for m, n in kept):
                kept.append((market, number))
        return kept

    def lay_down(self, seat: Seat, material: str, market: int, number: int) -> None:
        assert seat.materials[material] > 0 and self.circles[market][number] is None
        seat.materials[material] -= 1
        self.circles[market][number] = material

    # --- circles and markets (M 4) ---------------------------------------------------------------------

    def all_circles(self) -> Iterator[tuple[int, int]]:
        for market in self.markets_in_play:
            for number in range(len(self.circles[market])):
                yield market, number

    def price(self, market: int, number: int) -> Amounts:
        return self.components.markets[market][number].price

    def different_circles(self, market: int) -> list[tuple[int, int]]:
        """The circles of a market that hold something; of equal ones only the first (M 4)."""
        kept: list[tuple[int, int]] = []
        for number, material in enumerate(self.circles[market]):
            if material is not None and not any(
                self.circles[market][n] == material and self.price(market, n) == self.price(market, number)
                for _, n in kept
            ):
                kept.append((market, number))
        return kept

    def usable_circles(self, seat: Seat, market: int) -> list[tuple[int, int]]:
        return [(m, n) for m, n in self.different_circles(market) if self.can_use(seat, self.circles[m][n] or "")]

    def affordable_circles(self, seat: Seat, market: int, tokens: Amounts) -> list[tuple[int, int]]:
        """The circles of a market that a seat with these tokens can pay and use, whoever stands there."""
        return [(m, n) for m, n in self.usable_circles(seat, market) if covers(tokens, self.price(m, n))]

    def has_curfew(self, market: int) -> bool:
        return any(market in seat.curfews for seat in self.seats)

    def has_figure(self, market: int) -> bool:
        return any(market in seat.figures() for seat in self.seats)

    def others_on(self, seat: Seat, market: int) -> list[Seat]:
        return [other for other in self.seats if other is not seat and market in other.figures()]

    def free_markets(self) -> list[int]:
        """No figure, own ones included, and no curfew; the guard is no figure (M 4 curfew, M 7, M 9)."""
        return [m for m in self.markets_in_play if not self.has_figure(m) and not self.has_curfew(m)]

    def let_in(self, seat: Seat, market: int) -> bool:
        """What neither bribe nor bully nor runner gets around: curfew, and the guard for a wanted player."""
        return not self.has_curfew(market) and not (seat.wanted and self.guard == market)

    def may_buy_at(self, seat: Seat, market: int) -> bool:
        """May the seat, which is on turn, buy at the market at all, price and use apart?"""
        if market in (seat.worker, seat.runner):
            return True
        free = self.let_in(seat, market) and not self.others_on(seat, market)
        if seat.worker is None:
            return free or (self.turn.bribed and self.let_in(seat, market))
        return free and self.turn.runner_hired and seat.runner is None  # M 7: no bribe for the runner

    def buyable_circles(self, seat: Seat) -> list[tuple[int, int]]:
        return [
            circle
            for market in self.markets_in_play
            if self.may_buy_at(seat, market)
            for circle in self.affordable_circles(seat, market, seat.tokens)
        ]

    def bully_markets(self, seat: Seat, tokens: Amounts) -> list[int]:
        """M 7: markets where others' figures stand and this seat, holding these tokens, could buy without them."""
        if seat.worker is not None:
            return []
        return [
            market
            for market in self.markets_in_play
            if self.others_on(seat, market)
            and self.let_in(seat, market)
            and self.affordable_circles(seat, market, tokens)
        ]

    def bully_fees(self, seat: Seat) -> list[str]:
        fees = []
        for gem in ("blue", "red"):
            if seat.tokens[gem] > 0:
                left = dict(seat.tokens)
                left[gem] -= 1
                if self.bully_markets(seat, left):
                    fees.append(gem)
        return fees


def count_off(amounts: Amounts, order: tuple[str, ...], index: int) -> str:
    """The kind of the piece with this index when all pieces are laid out in the given order (I 2)."""
    for kind in order:
        if index < amounts[kind]:
            return kind
        index -= amounts[kind]
    raise AssertionError("index beyond the pieces")
