"""Torres once more, slow and plain, from torres.md alone: the yardstick for the fast implementation.

"Section n" means a section of torres.md. Cells are indices inside and names in texts and positions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from . import torres_board as board
from .torres_board import cell_of, name
from .torres_rules import BLOCKS, CARDS, MASTER_CARDS, PHASES, PRESETS, STACKS, SplitMix64
from .torres_scoring import castle_points, king_points, master_points

__all__ = ["CARDS", "MASTER_CARDS", "PRESETS", "NaiveTorres", "SplitMix64"]

TERMINAL = -4
MOVE_CARDS: dict[str, Callable[..., set[int]]] = {
    "jump": board.jump_targets,
    "diagonal": board.diagonal_targets,
    "door": board.castle_door_targets,
}


def _in_table_order(cards) -> list[str]:
    return sorted(cards, key=CARDS.index)


class NaiveTorres:
    def __init__(self, num_players: int, rules: Mapping[str, object], seed: int) -> None:
        """Section 2, and the order of random draws of interfaces.md 2."""
        self._prepare(num_players, rules)
        cards = _in_table_order(rules["card_list"])
        random = SplitMix64(seed)
        if rules["castle_setup"] == "printed":
            for cell in rules["starting_cells"]:
                self.height[cell_of(cell)] = 1
        if rules["king_setup"] == "random":
            cells = rules["starting_cells"]
            self.king = cell_of(cells[random.below(len(cells))])
        for seat in range(num_players):
            if rules["start_hand"] == "all":
                self.hands[seat] = set(cards)
            else:
                deck = list(cards)
                random.shuffle(deck)
                self.decks[seat] = deck
        if rules["master_card"]:
            self.master_card = MASTER_CARDS[random.below(len(MASTER_CARDS))]
        in_stacks = num_players * sum(sum(phase) for phase in self.stack_table)
        self.supply = BLOCKS - len(rules["starting_cells"]) - in_stacks

    def _prepare(self, num_players: int, rules: Mapping[str, object]) -> None:
        """An empty board and empty hands."""
        self.n = num_players
        self.rules = dict(rules)
        self.stack_table = rules["stacks"] or STACKS[num_players]
        self.height = [0] * 64
        self.knights: list[list[int]] = [[] for _ in range(num_players)]
        self.king: int | None = None
        self.to_move: int | None = 0
        self.phase = self.round = self.ap = self.turn_stack = self.supply = 0
        self.stacks: list[list[int]] = [[] for _ in range(num_players)]
        self.hands: list[set[str]] = [set() for _ in range(num_players)]
        self.decks: list[list[str]] = [[] for _ in range(num_players)]
        self.discards: list[list[str]] = [[] for _ in range(num_players)]
        self.points = [0] * num_players
        self.master_card: str | None = None
        # What is asked for beyond a normal turn, in the form that position() shows.
        self.pending: dict | None = None
        self.start_player = 0
        self.buys = 0
        self.card_played = False
        self.bought: set[str] = set()
        self._legal: set[str] | None = None

    # --- looking at the game -----------------------------------------------------------------------------

    def current_player(self) -> int:
        return TERMINAL if self.to_move is None else self.to_move

    def is_terminal(self) -> bool:
        return self.to_move is None

    def scores(self) -> list[int]:
        return list(self.points)

    def ranking(self) -> list[list[int]]:
        """Section 5, End: by points, then by cards in hand."""
        value = {seat: (self.points[seat], len(self.hands[seat])) for seat in range(self.n)}
        return [[s for s in value if value[s] == v] for v in sorted(set(value.values()), reverse=True)]

    def returns(self) -> list[float]:
        """Section 9, the default reward; nothing before the end."""
        utility = [0.0] * self.n
        if self.is_terminal():
            better = 0
            for group in self.ranking():
                average_rank = better + (1 + len(group)) / 2
                for seat in group:
                    utility[seat] = 1 - 2 * (average_rank - 1) / (self.n - 1)
                better += len(group)
        return utility

    def position(self) -> dict:
        return {
            "height": list(self.height),
            "knights": [[name(k) for k in knights] for knights in self.knights],
            "king": None if self.king is None else name(self.king),
            "to_move": self.to_move,
            "phase": self.phase,
            "round": self.round,
            "ap": self.ap,
            "stacks": [sorted(stacks, reverse=True) for stacks in self.stacks],
            "turn_stack": self.turn_stack,
            "supply": self.supply,
            "hands": [_in_table_order(hand) for hand in self.hands],
            "decks": [list(deck) for deck in self.decks],
            "discards": [list(pile) for pile in self.discards],
            "scores": list(self.points),
            "master_card": self.master_card,
            "pending": _copied(self.pending),
            "start_player": self.start_player,
            "buys": self.buys,
            "card_played": self.card_played,
            "bought": _in_table_order(self.bought),
        }

    @classmethod
    def from_position(cls, rules: Mapping[str, object], position: Mapping) -> NaiveTorres:
        """The position as it is, even where the engine itself would have run on to the next turn."""
        self = cls.__new__(cls)
        self._prepare(len(position["knights"]), rules)
        self.height = list(position["height"])
        self.knights = [[cell_of(k) for k in knights] for knights in position["knights"]]
        self.king = None if position["king"] is None else cell_of(position["king"])
        for field in ("to_move", "phase", "round", "ap", "turn_stack", "supply", "master_card"):
            setattr(self, field, position[field])
        # During setup, and while the king is moved, there are no stacks: [] will do for all seats together.
        self.stacks = [list(stacks) for stacks in position["stacks"]] or self.stacks
        self.hands = [set(hand) for hand in position["hands"]]
        self.decks = [list(deck) for deck in position["decks"]]
        self.discards = [list(pile) for pile in position["discards"]]
        self.points = list(position["scores"])
        self.pending = _copied(position["pending"])
        self.start_player = position.get("start_player", 0)
        self.buys = position.get("buys", 0)
        self.card_played = position.get("card_played", False)
        self.bought = set(position.get("bought", ()))
        return self

    def _occupied(self) -> set[int]:
        cells = {k for knights in self.knights for k in knights}
        return cells if self.king is None else cells | {self.king}

    def _free_castle_cells(self) -> set[int]:
        return {c for c in board.CELLS if self.height[c] >= 1} - self._occupied()

    # --- legal actions -----------------------------------------------------------------------------------

    def legal(self) -> set[str]:
        if self._legal is None:
            self._legal = self._compute_legal()
        return set(self._legal)

    def _compute_legal(self) -> set[str]:
        if self.to_move is None:
            return set()
        if self.pending is not None:
            return self._answers()
        if self._founding():
            return {f"B {name(c)}" for c in board.founding_cells(self.height)}
        if self.phase == 0:
            return {f"N {name(c)}" for c in self._free_castle_cells()}
        return self._turn_actions()

    def _founding(self) -> bool:
        """Section 7: whether the players are still setting up castles. It ends early where none fits any more."""
        return (
            self.phase == 0
            and self.rules["castle_setup"] == "players"
            and not any(self.knights)
            and sum(self.height) < len(self.rules["starting_cells"])
            and bool(board.founding_cells(self.height))
        )

    def _turn_actions(self) -> set[str]:
        """Section 3."""
        seat = self.to_move
        found = {"END"}
        if self.ap >= 1:
            if self.turn_stack > 0:
                found |= self._builds()
            found |= self._moves()
            limit = self.rules["buys_per_turn"]
            if self.decks[seat] and (limit is None or self.buys < limit):
                found.add("BUY")
        if self._can_pay_knight():
            cells = board.entry_cells(self.height, self._occupied(), self.knights[seat], self.rules["entry_level"])
            found |= {f"N {name(c)}" for c in cells}
        if not self.card_played:
            found |= {f"PLAY {card}" for card in self.hands[seat] - self.bought if self._can_carry_out(card)}
        return found

    def _builds(self) -> set[str]:
        return {f"B {name(c)}" for c in board.build_cells(self.height, self._occupied())}

    def _moves(self) -> set[str]:
        occupied = self._occupied()
        found = set()
        for k in self.knights[self.to_move]:
            targets = board.step_targets(self.height, occupied, k)
            targets |= board.doors_targets(self.height, occupied, k, self.rules["doors"])
            found |= {f"M {name(k)} {name(t)}" for t in targets}
        return found

    def _can_pay_knight(self) -> bool:
        return self.ap >= 2 and len(self.knights[self.to_move]) < self.rules["knights_per_player"]

    def _answers(self) -> set[str]:
        """The actions that the pending question takes."""
        kind = self.pending["kind"]
        if kind == "king":
            cells = self._free_castle_cells()
            if self.king is not None:
                cells.add(self.king)  # section 5: it may stay
            return {f"K {name(c)}" for c in cells}
        if kind == "pick":
            return {f"PICK {card}" for card in self.pending["cards"]}
        return self._follow_ups(kind, self.pending.get("taken"))

    def _can_carry_out(self, card: str) -> bool:
        """Section 6, last paragraph: a card is playable when its first follow-up exists."""
        if card in ("ap6", "ap7"):
            return True
        if card == "relocate":  # the same as below, without trying every cell
            return any(True for _ in board.take_cells(self.height, self._occupied()))
        return bool(self._follow_ups(card))

    def _follow_ups(self, card: str, taken: str | None = None) -> set[str]:
        """Section 6: what may come after PLAY of the card (for relocate: after T, if `taken` is a cell)."""
        occupied = self._occupied()
        own = self.knights[self.to_move]
        if card in MOVE_CARDS:
            return {f"M {name(k)} {name(t)}" for k in own for t in MOVE_CARDS[card](self.height, occupied, k)}
        if card == "under":
            if self.turn_stack == 0 and not any(self.stacks[self.to_move]):
                return set()
            return {f"B {name(c)}" for c in board.under_cells(self.height, own)}
        if card == "extra":
            return self._builds() if self.supply > 0 else set()
        if card == "relocate" and taken is None:
            return {f"T {name(c)}" for c in board.take_cells(self.height, occupied)}
        if card == "relocate":
            return {f"B {name(c)}" for c in board.put_cells(self.height, occupied, cell_of(taken))}
        if card == "recruit":
            if not self._can_pay_knight():
                return set()
            return {f"N {name(c)}" for c in board.recruit_cells(self.height, occupied, own, 1)}
        if card == "encore":
            inner = set(self.discards[self.to_move]) - {"encore"}
            return {f"PLAY {c}" for c in inner if self._can_carry_out(c)}
        raise ValueError(f"nothing follows on {card!r}")

    # --- playing -----------------------------------------------------------------------------------------

    def apply(self, text: str) -> None:
        if text not in self.legal():
            raise ValueError(f"{text!r} is not legal here")
        verb, *words = text.split()
        if self.pending is not None:
            self._answer(verb, words)
        elif self.phase == 0:
            self._set_up(verb, words)
        else:
            self._act(verb, words)
        self._legal = None
        self._run_on()

    def _run_on(self) -> None:
        """Section 3: turns that end by themselves, one after the other if need be."""
        while self.to_move is not None and self.phase > 0 and self.pending is None:
            spent = self.rules["end_when_spent"] and self.ap == 0
            if not spent and self.legal() != {"END"}:
                return
            self._end_turn()
            self._legal = None

    def _set_up(self, verb: str, words: list[str]) -> None:
        """Sections 2 and 7: castles if the players found them, then a knight each, then the king."""
        cell = cell_of(words[0])
        if verb == "B":
            self.height[cell] = 1
            if self._founding():
                self.to_move = (self.to_move + 1) % self.n
            else:
                self.supply += len(self.rules["starting_cells"]) - sum(self.height)
                self.to_move = 0
            return
        self.knights[self.to_move].append(cell)
        if self.to_move < self.n - 1:
            self.to_move += 1
        elif self.king is None:
            self.pending = {"kind": "king"}  # asked of the last player
        else:
            self._begin_phase(1)

    def _act(self, verb: str, words: list[str]) -> None:
        """An action of a normal turn (section 3)."""
        seat = self.to_move
        if verb == "END":
            self._end_turn()
        elif verb == "B":
            self.ap -= 1
            self.turn_stack -= 1
            self.height[cell_of(words[0])] += 1
        elif verb == "N":
            self._new_knight(words[0])
        elif verb == "M":
            self.ap -= 1
            self._move_knight(*words)
        elif verb == "BUY":
            self._buy()
        elif verb == "PLAY":
            self.card_played = True
            self.hands[seat].remove(words[0])
            self.discards[seat].append(words[0])
            self._start_card(words[0])

    def _new_knight(self, cell: str) -> None:
        self.ap -= 2
        self.knights[self.to_move].append(cell_of(cell))

    def _move_knight(self, start: str, target: str) -> None:
        knights = self.knights[self.to_move]
        knights[knights.index(cell_of(start))] = cell_of(target)

    def _buy(self) -> None:
        self.ap -= 1
        self.buys += 1
        deck = self.decks[self.to_move]
        if self.rules["draw_choice"] == 1:
            self._take_card(deck.pop(0))
        else:
            looked_at = deck[: self.rules["draw_choice"]]
            del deck[: len(looked_at)]
            self.pending = {"kind": "pick", "cards": looked_at}

    def _take_card(self, card: str) -> None:
        self.hands[self.to_move].add(card)
        self.bought.add(card)

    def _start_card(self, card: str) -> None:
        if card in ("ap6", "ap7"):
            self.ap += {"ap6": 1, "ap7": 2}[card]
            self.pending = None
        elif card == "relocate":
            self.pending = {"kind": card, "taken": None}
        else:
            self.pending = {"kind": card}

    def _answer(self, verb: str, words: list[str]) -> None:
        """A follow-up that was asked for."""
        question, self.pending = self.pending, None
        kind = question["kind"]
        if kind == "king":
            self.king = cell_of(words[0])
            self._begin_phase(self.phase + 1)
        elif kind == "pick":
            self._take_card(words[0])
            self.decks[self.to_move] += [card for card in question["cards"] if card != words[0]]
        elif kind == "encore":
            self._start_card(words[0])  # the inner card stays in the discard pile
        elif kind in MOVE_CARDS:
            self._move_knight(*words)
        elif kind == "recruit":
            self._new_knight(words[0])
        elif verb == "T":
            self.height[cell_of(words[0])] -= 1
            self.pending = {"kind": kind, "taken": words[0]}
        else:  # under, extra, and the second half of relocate: a block that costs no AP
            self.height[cell_of(words[0])] += 1
            if kind == "extra":
                self.supply -= 1
            elif kind == "under":
                self._pay_under()

    def _pay_under(self) -> None:
        """Section 6: the block for `under` comes from the lowest other stack that has one."""
        others = self.stacks[self.to_move]
        lowest = min((h for h in others if h > 0), default=None)
        if lowest is None:
            self.turn_stack -= 1
        else:
            others[others.index(lowest)] -= 1

    # --- turns, rounds, phases (sections 3, 4, 5) --------------------------------------------------------

    def _begin_phase(self, phase: int) -> None:
        # Before phase 1 no round has been played: player_0 starts, whatever the option.
        first = 0 if phase == 1 else self._next_starter()
        self.phase = phase
        self.stacks = [list(self.stack_table[phase - 1]) for _ in range(self.n)]
        self._begin_round(1, first)

    def _begin_round(self, number: int, first: int) -> None:
        self.round = number
        self.start_player = first
        self._begin_turn(first)

    def _begin_turn(self, seat: int) -> None:
        self.to_move = seat
        self.ap = self.rules["action_points"]
        self.turn_stack = max(self.stacks[seat])
        self.stacks[seat].remove(self.turn_stack)

    def _turn_order(self) -> list[int]:
        """Section 1: clockwise from the starting player of the current or latest round."""
        return [(self.start_player + i) % self.n for i in range(self.n)]

    def _next_starter(self) -> int:
        if self.rules["start_player"] == "fixed":
            return 0
        if self.rules["start_player"] == "left":
            return self._turn_order()[1]
        return max(self._turn_order(), key=lambda seat: self.points[seat])  # max() keeps the first of equals

    def _end_turn(self) -> None:
        seat = self.to_move
        self._add_points(seat, self.ap * self.rules["unspent_ap_scores"])
        self._store_leftovers(seat)
        self.ap = self.buys = 0
        self.card_played = False
        self.bought = set()
        following = (seat + 1) % self.n
        if following != self.start_player:
            self._begin_turn(following)
        elif self.round < len(self.stack_table[self.phase - 1]):
            self._begin_round(self.round + 1, self._next_starter())
        else:
            self._end_phase()

    def _store_leftovers(self, seat: int) -> None:
        """Section 3: every block left goes onto the tallest other stack with room, or else to the supply."""
        others = self.stacks[seat]
        for _ in range(self.turn_stack):
            room = [h for h in others if h < self.rules["max_stack"]]
            if room:
                others[others.index(max(room))] += 1
            else:
                self.supply += 1
        self.turn_stack = 0

    def _end_phase(self) -> None:
        self._score_phase()
        if self.phase == PHASES:
            self.to_move = None
        else:
            # The player with the fewest points moves the king; of equals the last in turn order, so look backwards.
            self.to_move = min(reversed(self._turn_order()), key=lambda seat: self.points[seat])
            self.pending = {"kind": "king"}

    def _score_phase(self) -> None:
        order = self._turn_order()
        if self.phase > 1:
            before = list(self.points)
            order.sort(key=lambda seat: -before[seat])  # a stable sort: equals stay in turn order
        if self.rules["scoring_order"] == "player":
            for seat in order:
                self._add_points(seat, self._step(1, seat) + self._step(2, seat))
                self._add_points(seat, self._step(3, seat))
        else:
            for step in (1, 2, 3):
                for seat in order:
                    self._add_points(seat, self._step(step, seat))

    def _step(self, step: int, seat: int) -> int:
        """What a step of the scoring gives a seat (section 5): the board stays the same throughout."""
        own = self.knights[seat]
        if step == 1:
            return castle_points(self.height, own, self.rules["castle_scoring"])
        if step == 2:
            return king_points(self.height, own, self.king, self.phase, self.rules["king_bonus"])
        if self.master_card is None:
            return 0
        full = self.rules["knights_per_player"]
        return master_points(self.master_card, self.height, self.knights, seat, self.phase, full)

    def _add_points(self, seat: int, points: int) -> None:
        """Add and let the marker come to rest (section 5, unique_scores); without points it does not move."""
        self.points[seat] += points
        if points and self.rules["unique_scores"]:
            others = {self.points[s] for s in range(self.n) if s != seat}
            while self.points[seat] != 0 and self.points[seat] in others:
                self.points[seat] += 1


def _copied(pending: Mapping | None) -> dict | None:
    if pending is None:
        return None
    return {key: list(value) if isinstance(value, (list, tuple)) else value for key, value in pending.items()}
