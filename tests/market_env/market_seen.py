"""Which sentences of the rules of the market game were exercised, told from what the naive reference does and forbids."""

from __future__ import annotations

from typing import Any

from market_labels import RULES
from reference.market import NaiveMarket
from reference.market_parts import Seat, add_gems, covers, parse_circle
from reference.seen import Seen, watch

LOOK_EVERY = 4  # moves between looks at what is forbidden


class MarketSeen(Seen):
    """``start`` a game, tell it every ``move`` before it is made, and its ``end``."""

    def __init__(self) -> None:
        super().__init__(RULES)
        self._moves = 0

    def start(self, naive: NaiveMarket) -> None:
        self.naive, self.play = naive, naive.play
        play, see = self.play, self.see
        see("circles are filled at random" if play.advanced else "circles hold what is printed")
        see(f"{len(play.seats)} seats")
        see("later seats begin with tokens", any(sum(seat.tokens.values()) for seat in play.seats[1:]))
        self._occasion, self._verb, self._waiting = "", "", False
        self._draw: tuple[int, int, str] | None = None  # the draw going on: move, seat, what for
        self._poured_in: tuple[int, int, str] | None = None  # the draw in which the pile was poured last
        self._payer = 0
        watch(play, "pour_pile_into_bag", before=self._pour)
        watch(play, "draw_token", before=self._token, after=self._token_drawn)
        watch(play, "draw_from", before=self._refill)
        watch(play, "ask", before=self._question)
        watch(play, "ask_return", before=self._piece_returns)
        watch(play, "player_turn", before=self._turn)
        watch(play, "draw_when_idle", before=self._idle, after=self._idle_is_over)
        watch(play, "build", before=self._build)
        watch(play, "hunt", before=self._before_hunt, after=self._after_hunt)
        watch(play, "draw_reward_gem", before=self._reward, after=self._token_drawn)
        watch(play, "move_random_gem", before=self._gem)
        watch(play, "npc_turn", before=self._before_npc, after=self._after_npc)
        roll = play.roll_die

        def roll_die(fits: Any) -> int:
            state = play.random.state
            market = roll(fits)
            gone = (play.random.state - state) % 2**64
            why = "the hunt's die is rolled again" if self._hunting else "the NPC's die is rolled again"
            see(why, gone != 0x9E3779B97F4A7C15)
            return market

        play.roll_die = roll_die  # type: ignore[method-assign]
        self._hunting, self._kept, self._pardoned = False, set[str](), False

    def move(self, before: dict[str, Any], legal: list[str], text: str) -> None:
        """A move is about to be made; *before* is the reference's position."""
        self._moves += 1
        play, see = self.play, self.see
        seat = play.seats[before["to_move"]]
        verb, _, what = text.partition(" ")
        self._verb, self._payer = verb, seat.number
        kind = (before["pending"] or {}).get("kind")
        card = (before["pending"] or {}).get("card")
        if len(legal) == 1:
            see(
                "END is explicit though nothing else is legal"
                if verb == "END"
                else "a choice with one answer is asked for"
            )
        if kind is None and self._moves % LOOK_EVERY == 0:
            self._forbidden(seat, legal)
        if verb == "BUY":
            self._buy(seat, what, kind, card)
        elif verb == "TRADE":
            see("TRADE")
        elif verb == "ENTER":
            see(text)
            see("ENTER again", kind == "enter")
        elif verb == "LOOK":
            see("LOOK")
            see(
                "LOOK at fewer cards than offered", len(play.card_deck) + len(play.card_discard) < play.components.offer
            )
            see("no ENTER beyond the offer", play.entries_paid == play.components.offer)
            few = play.entries_paid == len(play.card_deck) + len(play.card_discard) < play.components.offer
            see("no ENTER beyond the cards there are", few)
        elif verb == "DROP":
            see("DROP before KEEP")
        elif verb == "KEEP":
            see("KEEP")
            see("cards not kept go back on top", len(play.shown_cards) > play.entries_paid == 1)
            self._kept.add(what)
        elif verb == "CARD":
            see(f"card {what}")
            see("a card is played in the turn in which it was kept", what in self._kept)
            total = add_gems(play.pile)
            see("levy: gems of the fee may be taken", what == "levy" and total < 2 + play.components.card_fee["levy"])
        elif verb == "PAY":
            see("a fee of chosen colours", card is not None)
            open_fee = any(play.pile.values()) and not any(play.bag.values())
            see("a fee is partly paid while the bag is empty", open_fee)
        elif verb == "TARGET":
            see("sabotage of the NPC", what == "npc")
        elif verb == "RETURN":
            market, number = parse_circle(what)
            see("RETURN among several circles")
            self._returned(market, number)
        elif verb == "LIST":
            see("LIST among several", len(legal) > 1)
            if card == "architect":
                see("architect: the own list is kept" if what == "keep" else "architect: a new list")
        elif verb == "HIRE":
            see(text)
            if what == "bully":
                fees = [gem for gem in ("blue", "red") if seat.tokens[gem]]
                see("bully: no fee that leaves him without effect", len(play.bully_fees(seat)) < len(fees))
        elif verb == "MARKET" and card is None and self._hired(seat) == "bully":
            self._bullied(seat, int(what) - 1)
        elif verb in ("STEAL", "PARDON"):
            see(text)
            see("STEAL after PARDON", verb == "STEAL" and self._pardoned)
            self._pardoned = verb == "PARDON"

    def end(self) -> None:
        naive, play, see = self.naive, self.play, self.see
        see("truncated", play.truncated)
        if play.is_solo and play.winner is not None:
            see("solo lost" if play.winner.is_npc else "solo won")
        see("a winner", play.winner is not None and not play.is_solo)
        see("a shared rank", len(naive.ranking()) < play.num_players)

    # ------------------------------------------------------------------------------------------ moves
    def _buy(self, seat: Seat, what: str, kind: str | None, card: str | None) -> None:
        play, see = self.play, self.see
        market, number = parse_circle(what)
        material = play.circles[market][number]
        see("BUY of a piece that stands in", material is not None and not play.missing(seat)[material])
        if card == "permit":
            see("permit where somebody stands", play.others_on(seat, market))
            see("permit under a curfew", play.has_curfew(market))
        elif kind is None:
            see("the first BUY puts the worker", seat.worker is None)
            see("BUY again where the worker stands", market == seat.worker)
            second = seat.worker is not None and market != seat.worker
            see("runner: BUY at a second market", second and seat.runner is None)
            see("runner: BUY at both markets", seat.runner is not None)
            see("bribe: into an occupied market", seat.worker is None and play.others_on(seat, market))

    def _returned(self, market: int, number: int) -> None:
        printed = self.play.components.markets[market][number].start_material
        self.see("RETURN onto a foreign circle", self.play.advanced and printed != self._piece)

    def _hired(self, seat: Seat) -> str | None:
        return next((name for name, holder in self.play.apprentice_with.items() if holder == seat.number), None)

    def _bullied(self, seat: Seat, market: int) -> None:
        for other in self.play.others_on(seat, market):
            self.see("bully: the NPC goes home" if other.is_npc else "bully: workers go home", other.worker == market)
            self.see("bully: a stand-in goes home", other.stand_in == market)

    # ------------------------------------------------------------------------------------------ what happens by itself
    def _token(self, seat: Seat) -> None:
        play = self.play
        self.see("tokens are drawn" if any(play.bag.values()) else "nothing is left to be drawn")
        what = "tokens are drawn for waiting" if self._waiting else "the tokens of a turn are drawn"
        what = "smuggled tokens are drawn" if play.card_in_play == "smuggler" else what
        self._occasion = f"while {what}"
        draw = (self._moves, seat.number, what)
        self.see(
            "a token is drawn after the pile was poured in the same draw",
            draw == self._poured_in and any(play.bag.values()),
        )
        self._draw = draw

    def _token_drawn(self, seat: Seat) -> None:
        self._occasion, self._draw = "", None

    def _reward(self, seat: Seat) -> None:
        self.see("a gem for an arrest", any(self.play.bag.values()))
        self._occasion = "before a reward"

    def _gem(self, source: Any, seat: Seat) -> None:
        if self._occasion == "before a reward":
            self._occasion = "after a reward"

    def _pour(self) -> None:
        """Tells by what the pile is poured: a draw or reward that goes on, or else a payment."""
        play = self.play
        if not any(play.pile.values()):
            return
        self._poured_in = self._draw
        payer = play.seats[self._payer]
        by_verb = {"BUY": "a price", "ENTER": "an entry", "TRADE": "a trade", "PARDON": "a pardon"}
        fee = "a prisoner's payment" if payer.jailed else "a fee" if play.card_in_play else "a hire"
        self.see(f"the pile is poured {self._occasion or 'by ' + by_verb.get(self._verb, fee)}")

    def _refill(self, deck: list[Any], discard: list[Any]) -> None:
        of_lists = deck is self.play.list_deck
        self.see("the list deck is refilled" if of_lists else "the card deck is refilled", not deck and discard)
        self.see("fewer lists than asked for", of_lists and not deck and not discard)

    def _question(self, seat: Seat, verb: str, choices: Any) -> None:
        options = choices()
        if verb in ("PAY", "RETURN"):
            self.see(f"{verb} with one answer is given by itself", len(options) == 1)
        if verb == "RETURN":
            everywhere = len(self.play.return_circles(self._piece))
            self.see("equal circles for RETURN count once", everywhere > len(options))

    def _piece_returns(self, seat: Seat, owner: Seat, material: str) -> None:
        self._piece = material

    def _turn(self, seat: Seat) -> None:
        self._kept, self._pardoned, self._payer = set(), False, seat.number
        self.see("figures come home", seat.figures())
        self.see("a curfew is lifted", seat.curfews)
        if seat.jailed:
            gems, components = seat.gems(), self.play.components
            self.see("a prisoner pays", gems >= components.jail_gems)
            self.see("a prisoner cannot pay", gems + components.draw < components.jail_gems)

    def _idle(self, seat: Seat) -> None:
        play, see = self.play, self.see
        if play.turn.stolen_or_acted:
            see("END after acting draws nothing")
        elif play.idle_draw == "always":
            see("waiting always draws tokens")
        else:
            self._waits(play.action_options(seat))
        self._waiting = True

    def _idle_is_over(self, seat: Seat) -> None:
        self._waiting = False

    def _waits(self, options: list[str]) -> None:
        verbs, see = {text.split()[0] for text in options}, self.see
        able = verbs & {"BUY", "BUILD", "ENTER", "CARD"}
        if not able:
            see("waiting draws tokens where none of BUY, BUILD, ENTER, CARD is legal")
            see("waiting draws tokens though a TRADE is legal", "TRADE" in verbs)
            see("waiting draws tokens though STEAL is legal", "STEAL" in verbs)
        elif "BUY" in able:
            see("waiting draws nothing where a BUY is legal")
        elif len(able) == 1:
            see(f"waiting draws nothing where only {able.pop()} of the four is legal")

    def _build(self, seat: Seat) -> None:
        play = self.play
        self.see("BUILD")
        missing = sum(play.missing(seat).values())
        self.see("BUILD with pieces that stand in", missing)
        self.see("surplus stays with the player", sum(play.surplus(seat).values()) > missing)

    def _before_hunt(self, seat: Seat) -> None:
        self._hunting = True
        self._free = {other.number for other in self.play.seats if not other.jailed}
        self.see("the guard moves", any(other.wanted for other in self.play.seats))

    def _after_hunt(self, seat: Seat) -> None:
        self._hunting = False
        arrested = {other.number for other in self.play.seats if other.jailed} & self._free
        self.see("an arrest of another", arrested - {seat.number})
        self.see("an arrest of oneself alone", arrested == {seat.number})

    def _before_npc(self, npc: Seat) -> None:
        play = self.play
        self._npc = (npc.building_list, sum(npc.materials.values()), npc.towers, npc.worker)
        others = [s for s in play.seats if s is not npc]
        free = [m for m in play.markets_in_play if not play.has_curfew(m) and not any(m in s.figures() for s in others)]
        self.see("the NPC finds no free market", not free)
        self._npc_free, self._npc_missing = free, play.missing(npc)
        self._npc_circles = [list(market) for market in play.circles]

    def _after_npc(self, npc: Seat) -> None:
        see, (_, _, towers, _) = self.see, self._npc
        see("the NPC takes a material" if npc.worker is not None else "the NPC lies down", self._npc_free)
        if npc.worker is not None:
            row = self._npc_circles[npc.worker]
            lacked = [number for number, material in enumerate(row) if material and self._npc_missing[material]]
            worths = {self.play.worth(self.play.price(npc.worker, number)) for number in lacked}
            see("the NPC takes the cheapest of several", len(worths) > 1)
        see("the NPC satisfies its list", npc.building_list != self._npc[0])
        see("the NPC puts up a tower", npc.towers > towers)

    # ------------------------------------------------------------------------------------------ what is forbidden
    def _forbidden(self, seat: Seat, legal: list[str]) -> None:
        play, see, said = self.play, self.see, set(legal)
        buys = {text for text in said if text.startswith("BUY")}
        for market in play.markets_in_play:
            payable = play.affordable_circles(seat, market, seat.tokens)
            if seat.worker is None and payable and not any(text[4] == str(market + 1) for text in buys):
                for other in play.others_on(seat, market):
                    whose = "the NPC" if other.is_npc else "a worker"
                    see(f"no BUY where {whose} stands", other.worker == market)
                    see("no BUY where a stand-in stands", other.stand_in == market)
                    see("no BUY where a runner stands", other.runner == market)
                see("no BUY under a curfew", play.has_curfew(market))
                see("no BUY for a wanted player beside the guard", seat.wanted and play.guard == market)
            usable = play.usable_circles(seat, market)
            see(
                "no BUY at a second market",
                seat.worker not in (None, market) and payable and not play.others_on(seat, market),
            )
            see("no BUY of what cannot be paid", len(usable) > len(payable))
            different = play.different_circles(market)
            see("no BUY of what cannot be used", len(different) > len(usable))
            see("equal circles count once", sum(m is not None for m in play.circles[market]) > len(different))
        for rate in play.components.rates:
            if covers(seat.tokens, rate.give):
                see("no TRADE for a wanted player", seat.wanted)
                see("no TRADE for what the pile lacks", not seat.wanted and not covers(play.pile, rate.get))
        see("one visit a turn", play.turn.visited_black_market and play.enter_options(seat))
        for card in set(seat.hand):
            fee = play.components.card_fee[card]
            see("no card without the gems for its fee", seat.gems() < fee)
            see("no card without an effect", seat.gems() >= fee and f"CARD {card}" not in said)
        see("levy: not for a wanted player", "levy" in seat.hand and seat.wanted and add_gems(play.pile) >= 2)
        see("bribe: not once the worker stands", "bribe" in seat.hand and seat.worker is not None)
        if play.card_in_play is None and "curfew" in seat.hand:
            see("curfew: not where a figure stands", any(play.has_figure(m) for m in play.markets_in_play))
        if play.with_apprentices:
            see("one hire in the game", seat.has_hired)
            hired = any(holder is not None for holder in play.apprentice_with.values())
            see("no HIRE of an apprentice that is taken", hired and not seat.has_hired)
        if play.with_guard:
            enough = add_gems(play.pile) >= play.components.steal_gems
            see("no STEAL after another action", not play.turn.at_start and enough and not seat.wanted)
            see("no STEAL from too small a pile", play.turn.at_start and not enough and not seat.wanted)
            see("no STEAL for a wanted player", play.turn.at_start and enough and seat.wanted)
        missing = {material: number for material, number in play.missing(seat).items() if number}
        spare = sum(play.surplus(seat).values()) >= sum(missing.values())
        see("no BUILD while a missing material lies in the city", missing and spare and not play.can_build(seat))
