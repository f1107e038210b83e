"""One game as an object, with the method names of OpenSpiel's ``State``.

A state is a thin wrapper around one record; games add notation, positions and drawings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from tower_core import saved_states
from tower_core.drawing import PAPER, chosen, text_sheet
from tower_core.engine.batch_structs import OVER, copied
from tower_core.engine.loops import APPLY, ILLEGAL_ACTION, MASK, NEW, OBSERVE, REFRESH, RESAMPLE, TERMINAL_REWARD
from tower_core.engine.random import to_i64, to_u64
from tower_core.game import Game
from tower_core.move_list import list_moves
from tower_core.position import HIDDEN
from tower_core.schema import shown
from tower_core.worlds import drawn_world

HIDDEN_ACTION = -1
_MOST_SHOWN = 8  # legal actions listed in an error message


class State:
    """A game in progress.

    Seats are ``0 … num_players - 1``; ``current_player()`` is -4 at the end. States are independent of each other;
    ``clone()`` also copies the random stream.
    """

    game: ClassVar[Game]
    __slots__ = (
        "_address", "_entry", "_history", "_origin", "_player", "_record", "_reseeded", "num_players", "rules", "seed",
    )  # fmt: skip

    def __init__(self, num_players: int | None = None, rules: Any = None, seed: int = 0) -> None:
        game = self.game
        self.rules = game.resolve_rules(rules)
        self._adopt(game.make_record(game.players_of(num_players, self.rules), self.rules))
        self.seed = to_u64(seed)
        self._player = self._entry(NEW, self._address, to_i64(seed), 0)

    def _adopt(self, record: NDArray[Any]) -> None:
        self._record = record
        self._address = record.ctypes.data
        self._entry = self.game.entry
        self.num_players = int(record["num_players"][0])
        self._history: list[tuple[int, int]] = []
        self._origin: NDArray[Any] | None = None  # the record where the history starts; None: the game of the seed
        self._reseeded: tuple[tuple[int, int], ...] = ()  # (moves so far, new seed) of each reseed()

    @classmethod
    def _start(cls, template: NDArray[Any], rules: Any, seed: int) -> Self:
        """The game of *seed*, from a record that holds only the rules."""
        state = object.__new__(cls)
        state.rules = rules
        state._adopt(copied(template))
        state.seed = to_u64(seed)
        state._player = state._entry(NEW, state._address, to_i64(seed), 0)
        return state

    # ------------------------------------------------------------------------------------------ the game
    def current_player(self) -> int:
        """Seat to move; -4 when the game is over."""
        return self._player

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._player == OVER

    def is_truncated(self) -> bool:
        """Whether the game ended by its limit of turns."""
        return bool(self._record["truncated"][0]) and self.is_terminal()

    def legal_actions(self, seat: int | None = None) -> list[int]:
        """Legal action numbers of the seat to move, ascending; empty at the end, and for a *seat* that is not to move."""
        return np.flatnonzero(self.legal_actions_mask(seat)).tolist()  # type: ignore[no-any-return]

    def legal_actions_mask(self, seat: int | None = None) -> NDArray[np.bool_]:
        """bool [num_actions]: True where an action is legal for the seat to move; all False for another *seat*."""
        mask = np.zeros(self.game.num_actions, np.uint8)
        if seat is not None:
            self._check_seat(seat)
        if seat is None or seat == self._player:
            self._entry(MASK, self._address, 0, mask.ctypes.data)
        return mask.view(np.bool_)

    def num_distinct_actions(self) -> int:
        """Number of actions of the game, legal or not."""
        return self.game.num_actions

    def is_chance_node(self) -> bool:
        """Always False: chance acts inside actions."""
        return False

    def apply_action(self, action: int) -> None:
        """Play an action of the seat to move. If it is illegal, ValueError with the reason, and nothing changes."""
        number = as_action(action)
        player = self._player
        after = self._entry(APPLY, self._address, number, 0)
        if after == ILLEGAL_ACTION:
            raise ValueError(self.explain(number))
        self._player = after
        self._history.append((player, number))

    def child(self, action: int) -> Self:
        """The state after an action; this one is unchanged. ValueError with the reason if the action is illegal."""
        other = self.clone()
        other.apply_action(action)
        return other

    def returns(self) -> NDArray[np.float64]:
        """float [num_players]: utilities, 1 for the first rank down to -1 for the last; zeros before the end."""
        values = np.zeros(self.num_players)
        if self.is_terminal() and self.num_players == 1:
            values[0] = self._entry(TERMINAL_REWARD, self._address, 0, 0) / 1e6
        elif self.is_terminal():
            place = 0
            for group in self.ranking():
                rank = place + (len(group) + 1) / 2
                for seat in group:
                    values[seat] = 1 - 2 * (rank - 1) / (self.num_players - 1)
                place += len(group)
        return values

    def rewards(self) -> NDArray[np.float64]:
        """float [num_players]: what the last action paid, which is :meth:`returns`: only the end pays."""
        return self.returns()

    def player_return(self, seat: int) -> float:
        """The utility of a seat; 0 before the end."""
        self._check_seat(seat)
        return float(self.returns()[seat])

    def scores(self) -> list[int]:
        """Points of each seat."""
        return self._record["score"][0, : self.num_players].tolist()  # type: ignore[no-any-return]

    def ranking(self) -> list[list[int]]:
        """Groups of seats that share a rank, best first; by points unless the game overrides it."""
        return ranked(self.scores())

    def history(self, seat: int | None = None) -> list[tuple[int, str]]:
        """(seat, action string) of every decision so far; "?" for an action hidden from *seat*, or by resampling."""
        return self._texts(self._history if seat is None else self._known_history(seat))

    def _texts(self, history: Sequence[tuple[int, int]]) -> list[tuple[int, str]]:
        texts = self.game.actions
        return [
            (seat, HIDDEN if action == HIDDEN_ACTION else texts.text(action, self._notation(seat)))
            for seat, action in history
        ]

    def _known_history(self, seat: int) -> list[tuple[int, int]]:
        """The history without the actions that *seat* may not know."""
        self._check_seat(seat)
        return [entry if self._may_know(seat, *entry) else (entry[0], HIDDEN_ACTION) for entry in self._history]

    # ------------------------------------------------------------------------------------------ text
    def _notation(self, seat: int) -> Any:
        """Context for the words of a seat's actions (ActionTable.words_of); by default None."""
        return None

    def action_to_string(self, *action: int) -> str:
        """``action_to_string(action)``: the notation of an action of the seat to move; ``(seat, action)``: of any seat."""
        if len(action) not in (1, 2):
            raise TypeError(f"action_to_string() takes an action, or a seat and an action, not {len(action)} arguments")
        seat = max(self._player, 0) if len(action) == 1 else action[0]
        self._check_seat(seat)
        return self.game.actions.text(as_action(action[-1]), self._notation(seat))

    def string_to_action(self, text: str) -> int:
        """The legal action of a text. ValueError with the reason if there is none."""
        number = self.parse_action(text)
        if not self.legal_actions_mask()[number]:
            raise ValueError(self.explain(number))
        return number

    def parse_action(self, text: str) -> int:
        """The number of an action's text in this position, legal or not. ValueError if it can't be parsed."""
        return self.game.actions.parse(text, self._notation(max(self._player, 0)))

    def explain(self, action: int) -> str:
        """One line that says why an action is illegal in this state."""
        number = as_action(action)
        if not 0 <= number < self.game.num_actions:
            return f"action {number} is out of range: actions are numbers from 0 to {self.game.num_actions - 1}"
        if self.is_terminal():
            return f"action {number}: the game is over"
        return f"{self.action_to_string(number)} is not legal here: {self._reason(number)}"

    def _reason(self, action: int) -> str:
        """Why an illegal action is illegal; by default lists the legal ones."""
        legal = self.legal_actions()
        first = ", ".join(self.action_to_string(number) for number in legal[:_MOST_SHOWN])
        more = f" and {len(legal) - _MOST_SHOWN} more" if len(legal) > _MOST_SHOWN else ""
        return f"choose one of {first}{more}"

    # ------------------------------------------------------------------------------------------ copies
    def clone(self) -> Self:
        """An independent copy, random stream and history included."""
        return self._copy(self._history.copy())

    def _copy(self, history: list[tuple[int, int]]) -> Self:
        other = object.__new__(type(self))
        record = copied(self._record)
        other._record = record
        other._address = record.ctypes.data
        other._entry = self._entry
        other._player = self._player
        other._history = history
        other._origin = self._origin
        other._reseeded = self._reseeded
        other.num_players = self.num_players
        other.rules = self.rules
        other.seed = self.seed
        return other

    def __copy__(self) -> Self:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.clone()

    def reseed(self, seed: int) -> None:
        """Continue with a new random stream."""
        self._record["rng"] = np.uint64(to_u64(seed))
        self._reseeded += ((len(self._history), to_u64(seed)),)

    def resample_hidden(self, seat: int, seed: int) -> Self:
        """A state that *seat* can't distinguish from this one: everything hidden from it is redrawn."""
        other = self._copy(self._known_history(seat))
        other.seed = to_u64(seed)  # the game's seed would reveal every deck
        other._player = other._entry(RESAMPLE, other._address, seat, to_i64(seed))
        return other

    def _may_know(self, seat: int, mover: int, action: int) -> bool:
        """Whether *seat* knows which action *mover* played."""
        return True

    def _check_seat(self, seat: int) -> None:
        if isinstance(seat, bool) or not isinstance(seat, (int, np.integer)) or not 0 <= seat < self.num_players:
            raise ValueError(f"seat must be from 0 to {self.num_players - 1}, not {seat!r}")

    # ------------------------------------------------------------------------------------------ positions
    def observation(self, seat: int) -> dict[str, NDArray[np.uint8]]:
        """What *seat* sees, as in the environments: a dict of uint8 arrays."""
        return self.game.split(self._row(seat))

    def _row(self, seat: int) -> NDArray[np.uint8]:
        """What *seat* sees, as one row [size]."""
        self._check_seat(seat)
        row = np.empty(self.game.observation_size, np.uint8)
        self._entry(OBSERVE, self._address, int(seat), row.ctypes.data)
        return row

    def position(self, seat: int | None = None) -> dict[str, Any]:
        """Everything as a JSON-able dict; with a seat, what that seat may know ("?" for what is hidden)."""
        if seat is not None:
            self._check_seat(seat)
        return self.game.to_position(self.game, self._record, self.rules, seat)

    @classmethod
    def from_position(cls, position: Mapping[str, Any], *, seat: int | None = None, seed: int = 0) -> Self:
        """The state of a position, which need not be reachable. ValueError names the wrong field.

        With a *seat*, *position* is what that seat may know (``position(seat)``); everything hidden from the seat, and the
        random stream, are drawn from *seed*.
        """
        if seat is not None:
            return drawn_world(cls, position, seat, to_u64(seed))  # type: ignore[no-any-return]
        state = cls._from_record(*cls.game.from_position(cls.game, position))
        state._refresh()
        state._check_possible()
        return state

    def _check_possible(self) -> None:
        """ValueError if the game can't continue from a position."""
        if not self.is_terminal() and not self.legal_actions_mask().any():
            raise ValueError("to_move: no action is legal in this position")

    @classmethod
    def _from_record(cls, record: NDArray[Any], rules: Any) -> Self:
        """A state around a record whose derived fields are up to date; its history starts here."""
        state = object.__new__(cls)
        state.rules = rules
        state.seed = 0
        state._adopt(record)
        state._begin_here()
        return state

    def _begin_here(self) -> None:
        """Start the history at the current position."""
        self._player = int(self._record["to_move"][0])
        self._history = []
        self._origin = copied(self._record)

    def _refresh(self) -> None:
        """Compute the derived fields and play automatic moves up to the next decision, where the history starts."""
        self._entry(REFRESH, self._address, 0, 0)
        self._begin_here()

    def _start_state(self) -> Self | None:
        """The state where the history starts; None if it is the game of the seed."""
        if self._origin is None:
            return None
        return self._from_record(copied(self._origin), self.rules)

    # ------------------------------------------------------------------------------------------ game records
    def to_record(self, names: Sequence[str] = ()) -> Any:
        """The game so far as a record (tower_core.records); *names*: one per seat, or none.

        ValueError for a state that doesn't follow from its start, such as a resampled one.
        """
        from tower_core.records import record_of

        return record_of(self, names)

    # ------------------------------------------------------------------------------------------ bytes
    def to_bytes(self) -> bytes:
        """The complete state: position, random stream, history."""
        return saved_states.dump(self)

    @classmethod
    def from_bytes(cls, data: bytes | bytearray | memoryview) -> Self:
        """The inverse of :meth:`to_bytes`. ValueError for bytes that are foreign, truncated or damaged."""
        return saved_states.load(cls, data)  # type: ignore[no-any-return]

    def _history_fits(self) -> bool:
        """Whether a history read from bytes is consistent with the position, as far as a quick check can tell."""
        return True

    def __reduce__(self) -> tuple[Any, tuple[bytes]]:
        return type(self).from_bytes, (self.to_bytes(),)

    # ------------------------------------------------------------------------------------------ pictures
    def to_text(self, seat: int | None = None) -> str:
        """The board as text for a terminal; with a *seat*, what it may know, briefly, and the moves if it is to move.

        A line of moves gives the notation, which :meth:`string_to_action` reads, and the meaning. X and Y stand for the
        words that the line lists.
        """
        if seat is None:
            return self._text(self.position())
        brief = self._brief(self.position(seat))
        if seat != self._player:
            return brief
        return f"{brief}\nLegal moves:\n{list_moves(self)}"

    def board_text(self, seat: int | None = None) -> str:
        """The board as text for a terminal; with a *seat*, only what it may know."""
        return self._text(self.position(seat))

    def _brief(self, position: dict[str, Any]) -> str:
        """A position as text in few characters; by default as for a terminal."""
        brief = getattr(self.game.drawing_module(), "brief", self._text)
        return brief(position)  # type: ignore[no-any-return]

    def _text(self, position: dict[str, Any]) -> str:
        """A position as text; by default a list of its fields."""
        drawing = self.game.drawing_module()
        if drawing is not None:
            return drawing.text(position)  # type: ignore[no-any-return]
        header = ("game", "rules", "num_players", "rng")
        return "\n".join(f"{name}: {value}" for name, value in position.items() if name not in header)

    def __str__(self) -> str:
        return self.to_text()

    def to_svg(self, theme: str = "light", *, view: str = "flat", narrow: bool = False, seat: int | None = None) -> str:
        """A picture of the position as SVG text; with a *seat*, only what that seat may know.

        *theme* is ``light`` or ``dark``; *narrow* is for a width of 400 pixels; every game has the view ``flat``,
        and may have others. ValueError lists the valid themes and views.
        """
        drawing, colours = self.game.drawing_module(), chosen("theme", theme, PAPER)
        position, last = self.position(seat), self._last(seat)
        if drawing is not None:
            return drawing.draw(position, theme, view, narrow, last)  # type: ignore[no-any-return]
        chosen("view", view, {"flat": None})
        return text_sheet(self.game.title, self._text(position).splitlines(), last, colours)

    def _last(self, seat: int | None) -> tuple[int, str] | None:
        """Seat and text of the last action, ``"?"`` if *seat* may not know it; None at the start."""
        if not self._history:
            return None
        known = seat is None or self._may_know(seat, *self._history[-1])
        return self.history()[-1] if known else (self._history[-1][0], "?")

    def _repr_html_(self) -> str:
        return self.to_svg()

    def __repr__(self) -> str:
        turn = "over" if self.is_terminal() else f"player_{self._player} to move"
        return f"<{type(self).__name__}: {self.num_players} players, {turn}, scores {self.scores()}>"


def ranked(keys: Sequence[Any]) -> list[list[int]]:
    """Groups of seats with the same key, highest key first."""
    return [[seat for seat, key in enumerate(keys) if key == rank] for rank in sorted(set(keys), reverse=True)]


def as_action(action: Any) -> int:
    """An action as a plain integer within the range of compiled code. ValueError for anything but an integer."""
    if isinstance(action, np.ndarray) and not action.ndim:
        action = action.item()  # such as what SB3's predict() returns
    if isinstance(action, (bool, np.bool_)) or not isinstance(action, (int, np.integer)):
        raise ValueError(f"action must be an integer, not {shown(action)}")
    return int(max(min(int(action), 2**62), -(2**62)))
