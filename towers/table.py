"""A game between people and players: seats, moves, undo, hints, and what each person may see.

Shared by the browser app (towers.web) and the terminal (``towers play``).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Self

from tower_core.engine.compiling import CompilingDisabledError
from tower_core.game import Game
from tower_core.imported import one_line
from tower_core.players import asking
from tower_core.players.asking import PlayerError
from tower_core.players.protocol import Choice, Judge, Player, Ranker, best_actions, mover_view, must_play
from tower_core.players.specs import by_label, label_of, make_player, player_names
from tower_core.registry import get_game
from train.statistics import percent

if TYPE_CHECKING:
    from tower_core.records import Record
    from tower_core.state import State

HUMAN = "human"
_DEFAULT_PLAYERS = ("planner", "greedy", "mcts", "random")
MOST_SEED = 2**63


class Table:
    """A game of *players*, one spec per seat: ``"human"``, or a player such as ``"greedy"``.

    ValueError for a game, rules, players or a seed that don't exist or don't fit together.
    """

    def __init__(self, game: str, players: Sequence[str], rules: Any = None, seed: int | None = None) -> None:
        self.game: Game = get_game(game)
        self.specs = tuple(players)
        seed = secrets.randbelow(MOST_SEED) if seed is None else seed
        self.state: State = self._first_state(rules, seed)
        self._players: dict[int, Player] = {}
        self._past: list[State] = []  # before each move
        self._given: Record | None = None
        by_label(self.specs)
        for seat, spec in enumerate(self.specs):
            if spec != HUMAN:
                player = self._players[seat] = make_player(spec, self.game, secrets.randbits(32))
                must_play(player, len(self.specs), self.state.rules)

    def _first_state(self, rules: Any, seed: int) -> State:
        if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**64:
            raise ValueError(f"the seed must be an integer from 0 to 2^64 - 1, not {seed!r}")
        state: State = self.game.state_class()(len(self.specs), self.game.resolve_rules(rules), seed)
        return state

    @classmethod
    def replay(cls, record: Record) -> Self:
        """A table that shows a record: no seat moves, nothing is hidden. RecordError if the record is wrong."""
        from tower_core.records import check, replay

        check(record)
        table = object.__new__(cls)
        table.game = record.game
        table.specs = record.names or tuple(f"player_{seat}" for seat in range(record.num_players))
        *table._past, table.state = replay(record)
        table._players = {}
        table._given = record
        return table

    @classmethod
    def of_record(cls, record: Record) -> Self:
        """The table of a record that :meth:`record` wrote, to continue the game. ValueError for other records."""
        if record.seed is None or not record.names:
            raise ValueError("the record has no seed or no players, so the game can't be continued")
        table = cls(record.game.name, record.names, record.rules, record.seed)
        for move in record.moves:
            table.play(move.action, move.seat)
        return table

    # ------------------------------------------------------------------------------------------ seats
    @property
    def is_replay(self) -> bool:
        """Whether the table shows a record."""
        return self._given is not None

    @property
    def humans(self) -> list[int]:
        """Seats of people."""
        return [] if self.is_replay else [seat for seat, spec in enumerate(self.specs) if spec == HUMAN]

    @property
    def names(self) -> list[str]:
        """Names of the players by seat: labels, or specs."""
        return [label_of(spec) for spec in self.specs]

    @property
    def to_move(self) -> int | None:
        """Seat to move; None at the end."""
        return None if self.state.is_terminal() else self.state.current_player()

    @property
    def human_to_move(self) -> bool:
        return self.to_move in self.humans

    @property
    def moves(self) -> int:
        """Number of moves so far."""
        return len(self._past)

    @property
    def is_open(self) -> bool:
        """Whether nothing is hidden: no person plays, or the game is over."""
        return not self.humans or self.state.is_terminal()

    # ------------------------------------------------------------------------------------------ moves
    def play(self, text: str, seat: int | None = None) -> str:
        """Play an action given as text; returns it in the canonical notation.

        ValueError with the reason if it is not legal, or if it is not *seat*'s turn.
        """
        if self.state.is_terminal():
            raise ValueError("the game is over")
        if seat is not None and seat != self.to_move:
            raise ValueError(f"player_{self.to_move} is to move, not player_{seat}")
        action = self.state.string_to_action(text)
        written = self.state.action_to_string(action)
        before = self.state.clone()
        self.state.apply_action(action)
        self._past.append(before)
        return written

    def thinker(self) -> Callable[[], str]:
        """A function that asks the player to move for its action, in the notation.

        It works on a copy, so the table may change meanwhile. It raises PlayerError if the player fails or answers an
        illegal action. ValueError if a person is to move.
        """
        seat = self.to_move
        if seat is None or seat not in self._players:
            raise ValueError("no player is to move")
        player, state = self._players[seat], self.state.clone()
        return lambda: ask(player, state)

    def hint(self, spec: str) -> Advice:
        """A player's advice for the seat to move (:func:`advise`)."""
        return advise(spec, self.state)

    @property
    def can_undo(self) -> bool:
        """Whether one person plays against players and has made a move."""
        return len(self.humans) == 1 and any(state.current_player() in self.humans for state in self._past)

    def undo(self) -> None:
        """Go back to the person's last decision. ValueError with several people, or before the first move."""
        if len(self.humans) != 1:
            raise ValueError("undo needs a game of one person against players")
        if not self.can_undo:
            raise ValueError("there is no move to undo")
        while True:
            self.state = self._past.pop()
            if self.human_to_move:
                return

    # ------------------------------------------------------------------------------------------ views
    def same_to_all_people(self) -> bool:
        """Whether all people see the same position."""
        views = [self.state.position(seat) for seat in self.humans]
        return all(view == views[0] for view in views)

    def past(self, moves: int) -> State:
        """The state after *moves* moves. ValueError if there are fewer."""
        if not 0 <= moves <= self.moves:
            raise ValueError(f"the game has {self.moves} moves, not {moves}")
        return self._past[moves] if moves < self.moves else self.state

    def points(self) -> list[list[int]]:
        """Points of every seat at the start and after each move."""
        return [list(state.scores()) for state in (*self._past, self.state)]

    def log(self, seat: int | None) -> list[tuple[int, str]]:
        """Seat and action of each move, "?" where it is hidden from *seat*; None sees all."""
        return self.state.history(seat)

    def legal(self) -> list[tuple[str, str]]:
        """Legal actions of the seat to move, each with its meaning."""
        if self.state.is_terminal():
            return []
        position = self.state.position(self.to_move)
        texts = map(self.state.action_to_string, self.state.legal_actions())
        return [(text, self.game.actions.describe(text, position)) for text in texts]

    def record(self) -> Record:
        """The game so far as a record, hidden information included."""
        return self._given or self.state.to_record(self.specs)


def ask(player: Player, state: State) -> str:
    """The action of a player in the notation. PlayerError if the player fails or answers an illegal action."""
    return state.action_to_string(asking.ask(player, state, secrets.randbits(64)))


_MOST_CHOICES = 5
_PROBABILITY = "probability"


@dataclass(frozen=True)
class Advice:
    """The action that a player advises, and its evaluation of the position if it has one."""

    action: str
    value: float | None = None
    """the expected return"""
    choices: tuple[tuple[str, float], ...] = ()
    """its preferred turns or actions with their values, the preferred one first"""
    unit: str = ""
    """unit of these values"""

    def opinion(self) -> str:
        """The evaluation as text; "" without one."""
        parts = [] if self.value is None else [f"expected return {self.value:+.2f}"]
        if self.unit == _PROBABILITY:
            parts.append("probabilities: " + ", ".join(f"{text} {percent(prob)}" for text, prob in self.choices))
        elif self.choices:
            parts.append(f"{self.unit}: " + " · ".join(f"{text} ({value:.3g})" for text, value in self.choices))
        return "; ".join(parts)


def advise(spec: str, state: State) -> Advice:
    """A player's advice for the seat to move, from what that seat knows.

    ValueError if there is no such player, if it fails (PlayerError), or if the game is over.
    """
    if state.is_terminal():
        raise ValueError("the game is over")
    if spec == HUMAN:
        raise ValueError("a hint needs a player, not human")
    player = make_player(spec, state.game, secrets.randbits(32))
    if isinstance(player, Ranker) and not isinstance(player, Judge):
        choices = asking.ask_choices(player, state, secrets.randbits(64), _MOST_CHOICES)
        return Advice(state.action_to_string(choices[0].actions[0]), None, _texts(state, choices), player.unit)
    action = ask(player, state)
    if not isinstance(player, Judge):
        return Advice(action)
    try:
        value, probs = player.judge(mover_view(state, secrets.randbits(64)))
        value, texts = float(value), _texts(state, best_actions(probs, _MOST_CHOICES))
    except Exception as error:
        raise PlayerError(f"{asking.name_of(player)} can't evaluate the position: {one_line(error)}") from error
    return Advice(action, value, texts, _PROBABILITY)


def _texts(state: State, choices: Sequence[Choice]) -> tuple[tuple[str, float], ...]:
    return tuple((", ".join(map(state.action_to_string, choice.actions)), choice.value) for choice in choices)


@cache
def default_player(game: str) -> str:
    """The opponent and adviser if none is given: the first usable one of a short list."""
    names = player_names(get_game(game))
    for name in _DEFAULT_PLAYERS:
        if name in names and not player_problem(name, get_game(game)):
            return name
    raise ValueError(f"no default player of {game} is usable: name one of {', '.join(names) or '(none is installed)'}")


def player_problem(spec: str, game: Game) -> str:
    """Why a player can't be made for a game; "" if it can. Factories of other packages may raise anything."""
    try:
        make_player(spec, game)
    except CompilingDisabledError:
        raise
    except Exception as error:
        return str(error) or repr(error)
    return ""


def seat_numbers(game: Game, rules: Any) -> list[int]:
    """Numbers of players that *rules* allow."""
    fitting = []
    for number in game.seats:
        with suppress(ValueError):
            rules.for_players(number)
            fitting.append(number)
    return fitting


def default_seats(game: Game, rules: Any = None) -> int:
    """The number of players if none is given: two, or the fewest that the rules allow."""
    numbers = seat_numbers(game, game.resolve_rules(rules))
    return 2 if 2 in numbers else numbers[0]
