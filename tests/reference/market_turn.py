"""The course of play of the naive market game, written as generators.

Each generator yields a `Decision` where a player must say something and receives the text said. So the code
reads from top to bottom in the order in which a turn goes. "M 4" means section 4 of market.md.
"""

from __future__ import annotations

from collections.abc import Callable

from .market_cards import Cards, Steps, gems_in
from .market_parts import (
    APPRENTICES,
    Amounts,
    Components,
    Decision,
    Seat,
    Turn,
    add_gems,
    circle_name,
    covers,
    move,
    parse_circle,
)


class Play(Cards):
    def __init__(
        self,
        num_players: int,
        npc: bool,
        advanced: bool,
        apprentices: bool,
        guard: bool,
        solo_npc_towers: int,
        idle_draw: str,
        first_tokens: list[int] | None,
        components: Components,
        seed: int,
    ) -> None:
        super().__init__(num_players, npc, advanced, first_tokens, components, seed)
        self.with_apprentices = apprentices
        self.with_guard = guard
        self.is_solo = npc and num_players == 1
        self.solo_npc_towers = solo_npc_towers
        self.idle_draw = idle_draw
        self.turn_number = 1
        self.winner: Seat | None = None
        self.truncated = False

    # --- the game --------------------------------------------------------------------------------------

    def play(self) -> Steps:
        players, npc = self.seats[: self.num_players], self.seats[self.num_players :]
        while True:
            for seat in players:
                yield from self.player_turn(seat)
                if self.winner is not None:
                    return
            if self.turn_number == self.components.max_turns:  # M 11: after the hunt, before the NPC
                self.truncated = True
                return
            for seat in npc:
                self.npc_turn(seat)
                if self.winner is not None:
                    return
            self.turn_number += 1

    def player_turn(self, seat: Seat) -> Steps:
        self.turn = Turn()
        # M 3.1, also for a jailed player: "its own figures have come home as usual" (M 8).
        seat.bring_figures_home()
        seat.curfews = []
        for name, holder in self.apprentice_with.items():
            if holder == seat.number:
                self.apprentice_with[name] = None  # M 7: others can hire it again
        for _ in range(self.components.draw):
            self.draw_token(seat)
        if seat.jailed and seat.gems() < self.components.jail_gems:
            pass  # M 8: nothing more this turn but the hunt
        else:
            if seat.jailed:
                yield from self.pay_gems(seat, self.components.jail_gems, lambda: gems_in(seat.tokens))
                seat.jailed = seat.wanted = False
            yield from self.actions(seat)
        if self.winner is None:
            self.hunt(seat)

    def actions(self, seat: Seat) -> Steps:
        while True:
            text = yield Decision(seat.number, "action", lambda: self.action_options(seat))
            verb, _, what = text.partition(" ")
            if verb == "END":
                self.draw_when_idle(seat)
                return
            if verb == "PARDON":  # leaves at_start as it is: STEAL may follow (M 8)
                self.pay(seat, {"red": 1})
                seat.wanted = False
                continue
            self.turn.at_start = False
            if verb == "BUILD":
                yield from self.build(seat)
                return
            if verb != "HIRE":  # M 7: hiring is no action in the sense of M 3.4
                self.turn.stolen_or_acted = True
            if verb == "BUY":
                self.buy(seat, what)
            elif verb == "TRADE":
                rate = self.components.rates[int(what) - 1]
                move(seat.tokens, self.pile, rate.give)
                move(self.pile, seat.tokens, rate.get)
                self.leave_no_empty_bag()
            elif verb == "ENTER":
                yield from self.visit_black_market(seat, what)
            elif verb == "CARD":
                yield from self.play_card(seat, what)
            elif verb == "STEAL":
                for _ in range(self.components.steal_gems):
                    yield from self.take_one(seat)
                seat.wanted = True
            elif verb == "HIRE":
                yield from self.hire(seat, what)

    def action_options(self, seat: Seat) -> list[str]:
        options = ["END"]
        options += [f"BUY {circle_name(*circle)}" for circle in self.buyable_circles(seat)]
        if not seat.wanted:  # M 8
            options += [
                f"TRADE {number}"
                for number, rate in enumerate(self.components.rates, start=1)
                if covers(seat.tokens, rate.give) and covers(self.pile, rate.get)
            ]
        if not self.turn.visited_black_market:
            options += self.enter_options(seat)
        options += [f"CARD {name}" for name in sorted(set(seat.hand)) if self.card_is_possible(seat, name)]
        if self.with_apprentices:
            options += [f"HIRE {name}" for name in APPRENTICES if self.hire_is_possible(seat, name)]
        if self.with_guard and self.turn.at_start:
            if not seat.wanted and add_gems(self.pile) >= self.components.steal_gems:
                options.append("STEAL")
            if seat.wanted and seat.tokens["red"] > 0:
                options.append("PARDON")
        if self.can_build(seat):
            options.append("BUILD")
        return options

    def draw_when_idle(self, seat: Seat) -> None:
        """M 3.4, before the hunt."""
        if self.turn.stolen_or_acted:
            return
        possible = {option.split()[0] for option in self.action_options(seat)}
        if self.idle_draw == "always" or not possible & {"BUY", "BUILD", "ENTER", "CARD"}:
            for _ in range(self.components.draw_if_idle):
                self.draw_token(seat)

    # --- buying and building ---------------------------------------------------------------------------

    def buy(self, seat: Seat, name: str) -> None:
        market, number = parse_circle(name)
        if market not in (seat.worker, seat.runner):
            if seat.worker is None:
                seat.worker = market
            else:
                seat.runner = market  # M 7: the first BUY at a market other than the worker's
        self.pay(seat, self.price(market, number))
        self.take_material(seat, market, number)

    def build(self, seat: Seat) -> Steps:
        """M 5. Which pieces go is fixed before the first one is laid down."""
        for material in self.pieces_to_return(seat):
            yield from self.ask_return(seat, seat, material)
        seat.towers += 1
        assert seat.building_list is not None
        # The own list is discarded before the three are drawn, so that a refill in between contains it.
        self.list_discard.append(seat.building_list)
        seat.building_list = None
        if seat.towers == self.components.towers_to_win:
            self.winner = seat
            return
        yield from self.choose_list(seat, self.components.lists_after_building)

    # --- apprentices (M 7) -----------------------------------------------------------------------------

    def hire_is_possible(self, seat: Seat, name: str) -> bool:
        if seat.has_hired or self.apprentice_with[name] is not None:
            return False
        if name == "stand-in":
            return seat.gems() > 0 and bool(self.free_markets())
        if name == "bully":
            return bool(self.bully_fees(seat))
        return seat.tokens["red"] > 0

    def hire(self, seat: Seat, name: str) -> Steps:
        seat.has_hired = True
        self.apprentice_with[name] = seat.number
        if name == "stand-in":
            yield from self.pay_gems(seat, 1, lambda: gems_in(seat.tokens))
            seat.stand_in = yield from self.ask_market(seat, self.free_markets)
        elif name == "bully":
            yield from self.pay_gems(seat, 1, lambda: self.bully_fees(seat))
            market = yield from self.ask_market(seat, lambda: self.bully_markets(seat, seat.tokens))
            for other in self.others_on(seat, market):
                other.worker = None if other.worker == market else other.worker
                other.stand_in = None if other.stand_in == market else other.stand_in
                other.runner = None if other.runner == market else other.runner
            circle = yield from self.ask(
                seat,
                "BUY",
                lambda: [circle_name(*c) for c in self.affordable_circles(seat, market, seat.tokens)],
            )
            self.turn.stolen_or_acted = True
            self.buy(seat, circle)
        else:
            self.pay(seat, {"red": 1})
            self.turn.runner_hired = True

    # --- guard (M 8) and NPC (M 9) ---------------------------------------------------------------------

    def roll_die(self, fits: Callable[[int], bool]) -> int:
        """The die has as many sides as the component set has markets (I 2), in play or not."""
        while True:
            market = self.random.below(len(self.components.markets))
            if fits(market):
                return market

    def hunt(self, seat: Seat) -> None:
        """At the end of the turn of `seat`. Jailed players are wanted too, so they set the guard going."""
        if not any(other.wanted for other in self.seats):
            return
        self.guard = self.roll_die(lambda market: market in self.markets_in_play)
        arrested = [other for other in self.seats if other.wanted and other.worker == self.guard]
        for other in arrested:
            other.jailed = True
            other.worker = None
        if any(other is not seat for other in arrested):
            self.draw_reward_gem(seat)

    def npc_turn(self, npc: Seat) -> None:
        npc.bring_figures_home()
        free = self.free_markets()
        if not free:
            return
        market = self.roll_die(lambda rolled: rolled in free)
        missing = self.missing(npc)
        wanted = [n for n, material in enumerate(self.circles[market]) if material and missing[material] > 0]
        if wanted:
            # min() keeps the first of equals: ties go to the first circle.
            number = min(wanted, key=lambda n: self.worth(self.price(market, n)))
            self.take_material(npc, market, number)
            npc.worker = market
        if sum(self.missing(npc).values()) > 0:
            return
        for material, number in self.asked(npc).items():
            for _ in range(number):
                circles = self.return_circles(material)
                self.lay_down(npc, material, *circles[self.random.below(len(circles))])
        assert npc.building_list is not None
        self.list_discard.append(npc.building_list)
        npc.building_list = None
        if self.is_solo:
            npc.towers += 1
            if npc.towers == self.solo_npc_towers:
                self.winner = npc
                return
        npc.building_list = self.draw_list()

    def worth(self, price: Amounts) -> int:
        return sum(self.components.worth[gem] * number for gem, number in price.items())
