"""Which sentences of the rules of Torres were exercised, told from what the naive reference does and forbids."""

from __future__ import annotations

from typing import Any

from reference.seen import Seen, watch
from reference.torres import NaiveTorres
from reference.torres_board import (
    CELLS,
    NEIGHBOURS,
    castle_by_cell,
    castles,
    castles_beside,
    cell_of,
    doors_targets,
    may_carry,
    reach,
    step_targets,
)
from reference.torres_rules import CARDS
from reference.torres_scoring import castle_points, king_points, master_points
from torres_labels import RULES

LOOK_EVERY = 6  # moves between looks at what is forbidden, which takes longer than the move itself


class TorresSeen(Seen):
    """``start`` a game, tell it every ``move`` after it was made, and its ``end``."""

    def __init__(self) -> None:
        super().__init__(RULES)
        self._moves = 0

    def start(self, naive: NaiveTorres) -> None:
        self.naive, self.rules_now, see = naive, naive.rules, self.see
        see("printed starting castles", self.rules_now["castle_setup"] == "printed")
        see("chance sets up the king", naive.king is not None)
        see("all cards in hand from the start", self.rules_now["start_hand"] == "all")
        see("fewer cards in the deck", any(0 < len(deck) < len(CARDS) for deck in naive.decks))
        own_stacks = self.rules_now["stacks"] is not None
        see("stacks of one's own" if own_stacks else f"stacks of the table, {naive.n} players")
        watch(naive, "_end_turn", before=self._turn_ends)
        watch(naive, "_store_leftovers", before=self._leftovers)
        watch(naive, "_begin_turn", before=self._stack_is_chosen)
        watch(naive, "_begin_round", before=self._round_begins)
        watch(naive, "_score_phase", before=self._scoring)
        watch(naive, "_end_phase", after=self._king_is_asked_for)
        watch(naive, "_pay_under", before=self._under_is_paid)
        add = naive._add_points

        def add_points(seat: int, points: int) -> None:
            expected = naive.points[seat] + points
            add(seat, points)
            self._marker(seat, points, naive.points[seat] - expected)

        naive._add_points = add_points  # type: ignore[method-assign]

    def move(self, before: dict[str, Any], text: str) -> None:
        """A move is about to be made; *before* is the reference's position."""
        self._said, self._ends = text, 0
        self._moves += 1
        verb, *words = text.split()
        kind = (before["pending"] or {}).get("kind")
        if verb == "K":
            setup = before["phase"] == 0
            stays = "the king stays" if words[0] == before["king"] else "the king moves"
            self.see("the last player sets up the king" if setup else stays)
        elif before["phase"] == 0:
            self._setup(verb)
        elif kind in (None, "recruit", "jump", "diagonal", "door"):
            {"B": self._block, "N": self._knight, "M": self._walk, "BUY": self._buy}.get(verb, self._other)(words, kind)
        elif verb == "PICK":
            cards = before["pending"]["cards"]
            self.see("PICK of the only card", len(cards) == 1)
            self.see("cards not picked go under the deck", len(cards) > 1)
        elif kind == "encore":
            self._card(words[0])
            self.see("encore of AP" if words[0] in ("ap6", "ap7") else "encore of a card with a follow-up")
        else:
            self._placed_by_card(verb, cell_of(words[0]), kind, before["pending"].get("taken"))
        if before["phase"] and not kind and self._moves % LOOK_EVERY == 0:
            self._forbidden(self.naive.legal())

    def end(self) -> None:
        naive, see = self.naive, self.see
        groups = naive.ranking()
        see("a shared win" if len(groups[0]) > 1 else "a sole winner")
        see("a shared rank", len(groups) < naive.n)
        points = naive.points
        see("cards in hand decide the ranking", len(set(points)) < len(groups))

    # ------------------------------------------------------------------------------------------ moves
    def _setup(self, verb: str) -> None:
        self.see("the players set up castles" if verb == "B" else "a knight is set up on a free castle block")
        if verb == "B":
            naive = self.naive
            height = list(naive.height)
            height[cell_of(self._said.split()[1])] = 1
            room = any(all(abs(c % 8 - s % 8) + abs(c // 8 - s // 8) >= 3 for s in CELLS if height[s]) for c in CELLS)
            self.see(
                "castle setup ends for lack of room", not room and sum(height) < len(naive.rules["starting_cells"])
            )

    def _block(self, words: list[str], kind: str | None) -> None:
        high = self.naive.height[cell_of(words[0])]
        self.see("B on a castle, not above its area" if high else "B on ground beside one castle")

    def _knight(self, words: list[str], kind: str | None) -> None:
        naive, cell = self.naive, cell_of(words[0])
        beside = [naive.height[n] for n in NEIGHBOURS[cell] if n in naive.knights[naive.to_move]]
        up = naive.height[cell] - max(beside)
        if kind == "recruit":
            self.see("recruit: one level up", up == 1)
        elif self.rules_now["entry_level"] is not None:
            self.see("N at a fixed entry level")
        else:
            self.see("N not above its neighbour", up == 0)
            self.see("N below its neighbour", up < 0)
            self.see("N measured by the highest of several neighbours", min(beside) < naive.height[cell])

    def _walk(self, words: list[str], kind: str | None) -> None:
        naive, (start, target) = self.naive, map(cell_of, words)
        height, occupied = naive.height, naive._occupied()
        up, doors = height[target] - height[start], self.rules_now["doors"]
        if kind:
            ordinary = doors_targets(height, occupied, start, "connected") | step_targets(height, occupied, start)
            self.see("door: exit where no ordinary passage leads", kind == "door" and target not in ordinary)
            return
        if target in step_targets(height, occupied, start):
            names = {1: "M one level up", 0: "M on one level", -1: "M one level down"}
            self.see(names.get(up, "M several levels down"))
            return
        self.see("doors: a passage")
        self.see("doors: several levels down", up < -1)
        self.see("doors: straight through a castle", doors == "straight")
        if doors == "straight":
            return
        self.see("doors: a passage that bends", target not in doors_targets(height, occupied, start, "straight"))
        self.see("doors: the level inside sinks", target not in doors_targets(height, occupied, start, "connected"))
        free = reach(NEIGHBOURS[start], lambda c: height[c] > height[start] and c not in occupied)
        if doors == "connected":
            self.see("doors: a passage under a piece", not any(n in free for n in NEIGHBOURS[target]))

    def _buy(self, words: list[str], kind: str | None) -> None:
        naive, choice = self.naive, self.rules_now["draw_choice"]
        left = len(naive.decks[naive.to_move])
        self.see("BUY of the top card" if choice == 1 else "BUY and PICK among several", choice == 1 or left > 1)
        self.see("BUY with fewer cards than may be looked at", left < choice)
        self.see("more than two BUY without a limit", self.rules_now["buys_per_turn"] is None and naive.buys >= 2)

    def _other(self, words: list[str], kind: str | None) -> None:
        if words:
            self._card(words[0])

    def _card(self, card: str) -> None:
        self.see(f"card {card}")

    def _placed_by_card(self, verb: str, cell: int, kind: str, taken: str | None) -> None:
        height = self.naive.height
        castle_at = castle_by_cell(height)
        if verb == "T":
            self.see("relocate: a castle vanishes", len(castle_at[cell]) == 1)
            return
        beside = castles_beside(castle_at, cell)
        if kind == "under":
            new = "under: ground beside a castle" if beside else "under: a new castle"
            self.see("under: a higher castle" if height[cell] else new)
        elif kind == "relocate":
            new = "relocate: beside a castle" if beside else "relocate: a new castle"
            self.see("relocate: onto a castle" if height[cell] else new)
            if taken is not None and len(castles(height)) == 5:
                self.see("relocate: six castles must stay", not height[cell_of(taken)])

    def _under_is_paid(self) -> None:
        naive = self.naive
        other = any(naive.stacks[naive.to_move])
        self.see("under: from another stack" if other else "under: from the stack of the turn")

    # ------------------------------------------------------------------------------------------ turns
    def _turn_ends(self) -> None:
        naive, see = self.naive, self.see
        self._ends += 1
        spent = naive.ap == 0 and self.rules_now["end_when_spent"]
        if self._ends > (1 if self._said == "END" else 0):
            only_end = naive._turn_actions() == {"END"}
            see("the turn ends by itself when only END is legal", only_end and not spent)
            see("the turn ends by itself when AP are spent", spent and not only_end)
            see("a whole turn passes by itself", self._ends > 1)
        if naive.ap:
            see("END scores the AP left" if self.rules_now["unspent_ap_scores"] else "AP left score nothing")

    def _leftovers(self, seat: int) -> None:
        naive = self.naive
        if naive.turn_stack:
            room = {h for h in naive.stacks[seat] if h < self.rules_now["max_stack"]}
            self.see("a leftover block goes onto another stack" if room else "a leftover block goes to the supply")
            self.see("a leftover block goes onto the tallest of unequal stacks", len(room) > 1)

    def _stack_is_chosen(self, seat: int) -> None:
        stacks = self.naive.stacks[seat]
        self.see("the tallest of unequal stacks is used", len(set(stacks)) > 1)
        self.see("a stack of height 0 gives a turn", not max(stacks))

    def _round_begins(self, number: int, first: int) -> None:
        naive = self.naive
        self.see("a new round", number > 1)
        self.see("a new phase", number == 1)
        if self.rules_now["start_player"] == "leader" and (naive.phase > 1 or number > 1):
            self.see("the leader starts a round")
            self.see("leaders tie: the first clockwise", naive.points.count(max(naive.points)) > 1)
        left = self.rules_now["start_player"] == "left" and (naive.phase > 1 or number > 1)
        self.see("the player to the left of the last starter starts a round", left)

    def _marker(self, seat: int, gained: int, moved_on: int) -> None:
        points = self.naive.points
        shared = points.count(points[seat]) > 1
        stays = not gained and shared and points[seat] and self.rules_now["unique_scores"]
        self.see("a marker without points stays, also on a shared number", stays)
        self.see("a marker moves on by 1", moved_on == 1)
        self.see("a marker moves on by several", moved_on > 1)
        self.see("markers share 0", shared and not points[seat] and self.rules_now["unique_scores"])
        self.see(
            "markers share a number where they may", shared and points[seat] and not self.rules_now["unique_scores"]
        )

    # ------------------------------------------------------------------------------------------ scoring
    def _scoring(self) -> None:
        naive, rules, see = self.naive, self.rules_now, self.see
        if naive.phase > 1:
            points = [naive.points[seat] for seat in naive._turn_order()]
            see("later phases score from the highest down", points != sorted(points, reverse=True))
        self._order_of_steps()
        for seat, own in enumerate(naive.knights):
            together = any(sum(k in castle for k in own) > 1 for castle in castles(naive.height))
            how = rules["castle_scoring"]
            see("castles score area × level", castle_points(naive.height, own, how))
            see(f"{'only the highest' if how == 'highest' else 'every'} knight of a castle scores", together)
            self._kings_bonus(own)
            if naive.master_card is not None:
                self._master(seat)

    def _order_of_steps(self) -> None:
        """The scoring that is to come, in both orders, on copies."""
        naive, see = self.naive, self.see
        by_steps = self.rules_now["scoring_order"] == "steps"
        see("steps for all players, one after the other" if by_steps else "all steps of a player together")
        after = []
        for order in ("steps", "player"):
            copy = NaiveTorres.from_position(self.rules_now | {"scoring_order": order}, naive.position())
            copy._score_phase()
            after.append((copy.scores(), copy.ranking()))
        see("the order of the steps changes the points", after[0][0] != after[1][0])
        see("the order of the steps changes who is ahead", after[0][1] != after[1][1])

    def _kings_bonus(self, own: list[int]) -> None:
        naive, how = self.naive, self.rules_now["king_bonus"]
        right = [k for k in own if king_points(naive.height, [k], naive.king, naive.phase, how)]
        near = [k for k in own if castle_by_cell(naive.height).get(k) == castle_by_cell(naive.height)[naive.king]]
        self.see(f"king's bonus on the {'phase' if how == 'phase_level' else 'king'}'s level", right)
        self.see("king's bonus once for several knights", len(right) > 1)
        self.see("no king's bonus on another level", near and not right)

    def _master(self, seat: int) -> None:
        naive, card, full = self.naive, self.naive.master_card, self.rules_now["knights_per_player"]
        points = master_points(card, naive.height, naive.knights, seat, naive.phase, full)
        self.see(f"master card {card}", points)
        if card in ("border", "diagonals"):
            unit = (2, 5, 10)[naive.phase - 1]
            alone = [[] if s != seat else own for s, own in enumerate(naive.knights)]
            without = master_points(card, naive.height, alone, seat, naive.phase, full) - unit  # nobody else has any
            everybody = [
                master_points(
                    card, naive.height, [own if s == other else [] for s in range(naive.n)], other, naive.phase, full
                )
                for other, own in enumerate(naive.knights)
            ]
            self.see("strictly the most: once more", points and points > without)
            self.see("a tie for the most: nothing more", points and everybody.count(max(everybody)) > 1)
        elif card in ("cluster", "stairs", "line", "plateau") and naive.phase == 3:
            self.see("all knights needed", len(naive.knights[seat]) < full)

    def _king_is_asked_for(self) -> None:
        points = self.naive.points
        if self.naive.pending:
            self.see("lowest points tie: the last in turn order", points.count(min(points)) > 1)

    # ------------------------------------------------------------------------------------------ what is forbidden
    def _forbidden(self, legal: set[str]) -> None:
        naive, see = self.naive, self.see
        seat, height, occupied = naive.to_move, naive.height, naive._occupied()
        castle_at = castle_by_cell(height)
        if naive.ap and naive.turn_stack:
            ground = [c for c in CELLS if not height[c] and c not in occupied]
            beside = {castles_beside(castle_at, c) for c in ground}
            full = any(height[c] >= len(castle_at[c]) and c not in occupied for c in castle_at)
            see("no B above the area", full)
            see("no B between two castles", max(beside, default=0) > 1)
            see("no B away from all castles", 0 in beside)
            see("no B under a piece", any(may_carry(height, castle_at, c) for c in occupied))
        own = naive.knights[seat]
        for k in own if naive.ap else ():
            see("no M onto a piece", any(n in occupied for n in NEIGHBOURS[k]))
            see("no M two levels up", any(height[n] > height[k] + 1 and n not in occupied for n in NEIGHBOURS[k]))
            if self.rules_now["doors"] == "straight":
                bent = doors_targets(height, occupied, k, "connected") - doors_targets(height, occupied, k, "straight")
                see("doors: no bend where they are straight", bent - step_targets(height, occupied, k))
        reserve = len(own) < self.rules_now["knights_per_player"]
        see("no N without a reserve", not reserve and naive.ap >= 2)
        see("no N for less than 2 AP", reserve and naive.ap == 1)
        if reserve and naive.ap >= 2 and self.rules_now["entry_level"] is None:
            above = (n for k in own for n in NEIGHBOURS[k] if height[n] > height[k] and n not in occupied)
            see("no N above its neighbours", any(f"N {'abcdefgh'[n % 8]}{n // 8 + 1}" not in legal for n in above))
        limit, deck = self.rules_now["buys_per_turn"], naive.decks[seat]
        see("no BUY beyond the limit", naive.ap and deck and limit is not None and naive.buys >= limit)
        see("no BUY without a deck", naive.ap and not deck and self.rules_now["start_hand"] == "none")
        ready = naive.hands[seat] - naive.bought
        see("one card a turn", naive.card_played and ready)
        see("a card bought in this turn waits", naive.bought and not naive.card_played)
        playable = {card for card in ready if f"PLAY {card}" in legal}
        see("no PLAY of a card without effect", ready - playable and not naive.card_played)
