"""A table on the server: several requests and a thinking thread share it, and it tells when it has changed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress

from towers.table import Advice, Table, advise

MOST_PACE = 60.0
FIRST_PACE = 0.6
"""Seconds between the moves of machines, so that people can follow."""


class StaleError(Exception):
    """Something was asked for a position that is no longer there."""


class Hosted:
    """A table with a lock, a version that grows with every change, and a thread in which machines think.

    *save* is called, with the lock held, after every change of the game.
    """

    def __init__(self, number: str, table: Table, save: Callable[[Hosted], None]) -> None:
        self.id = number
        self.table = table
        self.version = 1
        self.pace: float | None = FIRST_PACE
        """Seconds between machines' moves; None: they wait."""
        self.trouble = ""
        """What is wrong with a player that can't go on."""
        self.unsaved = ""
        """Why the last change is not on the disk."""
        self.seen_by: int | None = table.humans[0] if len(table.humans) == 1 else None
        """The person in front of the screen; None: not known."""
        self.lock = threading.RLock()
        self._save = save
        self._thinking = False
        self._stop = threading.Event()

    # ------------------------------------------------------------------------------------------ people
    @property
    def curtain(self) -> int | None:
        """The seat that must take over the screen before anything is shown; None: what is shown may be seen."""
        table = self.table
        if table.is_open or len(table.humans) < 2 or table.same_to_all_people():
            return None
        if table.human_to_move and self.seen_by != table.to_move:
            return table.to_move
        return table.humans[0] if self.seen_by is None else None

    @property
    def viewer(self) -> int | None:
        """The seat whose view is shown; None: everything is."""
        table = self.table
        if table.is_open:
            return None
        if table.human_to_move and self.curtain is None:
            return table.to_move
        return table.humans[0] if self.seen_by is None else self.seen_by

    def sit(self, seat: int) -> None:
        """The person of *seat* is in front of the screen now. ValueError for any but the one who is waited for."""
        with self.lock:
            if seat != self.curtain:
                raise ValueError(f"player_{seat} is not waited for")
            self.seen_by = seat
            self._changed(saving=False)

    def play(self, text: str, version: int) -> str:
        """A person's move, made on what it saw as *version*."""
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
        """What a player would do now for the person to move. It may take long, so the lock isn't held."""
        with self.lock:
            self._check(self.version)
            if not self.table.human_to_move or self.curtain is not None:
                raise ValueError("a hint is for a person who is to move")
            state = self.table.state.clone()
        return advise(spec, state)

    def set_pace(self, pace: float | None) -> None:
        with self.lock:
            self.pace = pace
            self.trouble = ""
            self._changed(saving=False)

    def _check(self, version: int) -> None:
        if self.table.is_replay:
            raise ValueError("this is a record: it can't be played on")
        if version != self.version:
            raise StaleError("the game has gone on meanwhile")

    def _changed(self, saving: bool = True) -> None:
        self.version += 1
        if saving:
            try:
                self._save(self)
                self.unsaved = ""
            except OSError as error:  # the game goes on all the same
                self.unsaved = f"the game can't be saved: {error.strerror}"
        self.wake()

    # ------------------------------------------------------------------------------------------ machines
    def wake(self) -> None:
        """Let the player whose turn it is think, if it doesn't yet."""
        with self.lock:
            if self._thinking or not self._machine_to_move():
                return
            self._thinking = True
            threading.Thread(target=self._think, name=f"table {self.id}", daemon=True).start()

    def close(self) -> None:
        """No machine makes a move any more."""
        self._stop.set()

    def _machine_to_move(self) -> bool:
        table = self.table
        if table.is_replay or table.to_move is None or table.human_to_move:
            return False
        return self.pace is not None and not self.trouble and not self._stop.is_set()

    def _think(self) -> None:
        """Moves of machines, one after the other, until a person is to move or somebody says stop."""
        while True:
            with self.lock:
                if not self._machine_to_move():
                    self._thinking = False
                    return
                version, pace = self.version, self.pace or 0.0
            self._stop.wait(pace)
            self._one_move(version)

    def _one_move(self, version: int) -> None:
        # The game may change while a player thinks (undo, pause): then its move is dropped. So it thinks on a copy.
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
