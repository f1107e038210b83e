"""A table on the server, shared by requests and a thread in which players think."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress

from towers.table import Advice, Table, advise

MOST_PACE = 60.0
FIRST_PACE = 0.6
"""Seconds before each move of a player, so that people can follow."""


class StaleError(Exception):
    """A request for an earlier position of the game."""


class Hosted:
    """A table with a lock, a version number that grows with every change, and a thread in which players think.

    *save* is called, with the lock held, after every change of the game.
    """

    def __init__(self, number: str, table: Table, save: Callable[[Hosted], None]) -> None:
        self.id = number
        self.table = table
        self.version = 1
        self.pace: float | None = FIRST_PACE
        """Seconds before each move of a player; None: paused."""
        self.trouble = ""
        """The fault of the player to move; "" if there is none."""
        self.unsaved = ""
        """Why the last change could not be saved; "" if it was."""
        self.seen_by: int | None = table.humans[0] if len(table.humans) == 1 else None
        """The seat of the person in front of the screen; None: unknown."""
        self.lock = threading.RLock()
        self._save = save
        self._thinking = False
        self._stop = threading.Event()

    # ------------------------------------------------------------------------------------------ people
    @property
    def curtain(self) -> int | None:
        """The seat whose person must take over the screen before the position is shown; None: it is shown."""
        table = self.table
        if table.is_open or len(table.humans) < 2 or table.same_to_all_people():
            return None
        if table.human_to_move and self.seen_by != table.to_move:
            return table.to_move
        return table.humans[0] if self.seen_by is None else None

    @property
    def viewer(self) -> int | None:
        """The seat whose view is shown; None: everything is shown."""
        table = self.table
        if table.is_open:
            return None
        if table.human_to_move and self.curtain is None:
            return table.to_move
        return table.humans[0] if self.seen_by is None else self.seen_by

    def sit(self, seat: int) -> None:
        """The person of *seat* takes over the screen. ValueError if another seat must."""
        with self.lock:
            if seat != self.curtain:
                raise ValueError(f"player_{seat} can't take over the screen now")
            self.seen_by = seat
            self._changed(saving=False)

    def play(self, text: str, version: int) -> str:
        """Play a person's move. StaleError if *version*, which the person saw, is out of date."""
        with self.lock:
            self._check(version)
            if not self.table.human_to_move and self.table.to_move is not None:
                raise ValueError("it is not your turn")
            if self.curtain is not None:
                raise ValueError(f"player_{self.curtain} must take over the screen first")
            mover = self.table.to_move
            written = self.table.play(text)
            self.seen_by = mover
            self._changed()
            return written

    def undo(self, version: int) -> None:
        with self.lock:
            self._check(version)
            self.table.undo()
            self.trouble = ""
            self._changed()

    def hint(self, spec: str) -> Advice:
        """A player's advice for the person to move. It may take long, so the lock isn't held."""
        with self.lock:
            self._check(self.version)
            if not self.table.human_to_move or self.curtain is not None:
                raise ValueError("hints are for the person to move")
            state = self.table.state.clone()
        return advise(spec, state)

    def set_pace(self, pace: float | None) -> None:
        with self.lock:
            self.pace = pace
            self.trouble = ""
            self._changed(saving=False)

    def _check(self, version: int) -> None:
        if self.table.is_replay:
            raise ValueError("this game is a record and can't be continued")
        if version != self.version:
            raise StaleError("the game has changed in the meantime")

    def _changed(self, saving: bool = True) -> None:
        self.version += 1
        if saving:
            try:
                self._save(self)
                self.unsaved = ""
            except OSError as error:  # the game continues
                self.unsaved = f"the game can't be saved: {error.strerror}"
        self.wake()

    # ------------------------------------------------------------------------------------------ players
    def wake(self) -> None:
        """Start the thread of the player to move, unless it runs."""
        with self.lock:
            if self._thinking or not self._player_to_move():
                return
            self._thinking = True
            threading.Thread(target=self._think, name=f"table {self.id}", daemon=True).start()

    def close(self) -> None:
        """Stop: no player moves any more."""
        self._stop.set()

    def _player_to_move(self) -> bool:
        table = self.table
        if table.is_replay or table.to_move is None or table.human_to_move:
            return False
        return self.pace is not None and not self.trouble and not self._stop.is_set()

    def _think(self) -> None:
        """Play moves of players until a person is to move, or the game is paused or closed."""
        while True:
            with self.lock:
                if not self._player_to_move():
                    self._thinking = False
                    return
                version, pace = self.version, self.pace or 0.0
            self._stop.wait(pace)
            self._one_move(version)

    def _one_move(self, version: int) -> None:
        # The game may change while a player thinks (undo, pause): it thinks on a copy, and its move is then dropped.
        with self.lock:
            if version != self.version or self._stop.is_set():
                return
            thinker = self.table.thinker()
        text, trouble = "", ""
        try:
            text = thinker()
        except ValueError as error:
            trouble = str(error)
        with self.lock:
            if version != self.version or self._stop.is_set():
                return
            if trouble:
                self.trouble = trouble
                self._changed(saving=False)
                return
            with suppress(ValueError):
                self.table.play(text)
                self._changed()
