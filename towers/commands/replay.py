"""``towers replay``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from towers.errors import UserError

if TYPE_CHECKING:
    from tower_core.records import Record
    from train.arena.play import Outcome

_HELP = "Enter: next   b: back   NUMBER: go to that move   e: end   q: quit"


def replay(
    file: Path,
    /,
    *,
    game: int | None = None,
    seed: int | None = None,
    player: Annotated[Sequence[str], Parameter(negative="")] = (),
    move: int | None = None,
    list: bool = False,
    check: bool = False,
    gif: Path | None = None,
    html: Path | None = None,
    theme: str = "light",
    view: str = "flat",
    seconds: float = 0.6,
) -> int:
    """Step through recorded games in the terminal, verify them, or write one as an animation or a page.

    The file holds records, or results of an arena. --seed and --player choose among its games. Positions include the
    information that was hidden from the players.

    Parameters
    ----------
    file
        file of records (format: docs/records.md), or results file of ``towers arena``
    game
        number of the game in the file (default: the first of the chosen ones)
    seed
        only games of this seed
    player
        only games of this player; can be repeated
    move
        print the position after this number of moves and exit
    list
        print one line per game and exit
    check
        replay and verify the games; exit status 2 if one is wrong
    gif
        file for the game as an animation
    html
        file for the game as a self-contained page to step through, with a chart of the points
    theme
        colours of the animation: light or dark (the page follows the browser)
    view
        view of the board: flat, or another one of the game
    seconds
        seconds per move of the animation
    """
    pictures = gif is not None or html is not None
    if sum((move is not None, list, check)) > 1:
        raise UserError("choose one of --move, --list and --check")
    if pictures and (move is not None or list or check):
        raise UserError("--gif and --html can't be combined with --move, --list or --check")
    if any(out is not None and out.resolve() == file.resolve() for out in (gif, html)):
        raise UserError(f"{file} holds the records: choose another file for the pictures")
    if not 0.02 <= seconds <= 60:
        raise UserError(f"--seconds must be from 0.02 to 60, not {seconds:g}")
    if game is not None and game < 1:
        raise UserError(f"--game must be at least 1, not {game}")
    with _naming(file):
        games = _chosen(_games(file), game, seed, player)
        if check:
            _check_all(games)
        elif list:
            for one in games:
                print(f"{one.number}: {one.summary()}")
        else:
            record = next(games).load()
            if pictures:
                _draw(record, gif, html, theme, view, seconds)
            elif move is None:
                _step_through(record)
            else:
                _show(record, _move_number(record, move))
    return 0


@dataclass(frozen=True)
class _Game:
    """A game of the file, which is replayed only when it is needed."""

    number: int
    seed: int | None
    names: Sequence[str]
    summary: Callable[[], str]
    load: Callable[[], Record]
    check: Callable[[], object]


def _games(file: Path) -> Iterator[_Game]:
    """The games of a file of records, or of a results file of the arena."""
    from tower_core.records import check, read_records
    from train.arena.records import game_record, is_results_file
    from train.arena.results import read_results

    if not is_results_file(file):
        for number, record in enumerate(read_records(file), start=1):
            yield _Game(
                number,
                record.seed,
                record.names,
                partial(_summary, record),
                partial(_same, record),
                partial(check, record),
            )
        return
    head, outcomes = read_results(file)
    for number, outcome in enumerate(outcomes, start=1):
        load = partial(game_record, head, outcome, number + 1)
        yield _Game(number, outcome.seed, outcome.seats, partial(_outcome_summary, outcome), load, load)


def _same(record: Record) -> Record:
    return record


def _chosen(games: Iterable[_Game], game: int | None, seed: int | None, players: Sequence[str]) -> Iterator[_Game]:
    """The games with a number, a seed and players, where given; UserError if there is none."""
    number, found = 0, False
    for one in games:
        number = one.number
        if (
            (game is None or number == game)
            and (seed is None or one.seed == seed)
            and all(name in one.names for name in players)
        ):
            found = True
            yield one
    if not found and game is not None and game > number:
        raise UserError(f"--game must be at most {number}, the number of games in the file, not {game}")
    if not found:
        raise UserError("no game of the file has this number, seed and players: --list shows them")


@contextmanager
def _naming(file: Path) -> Iterator[None]:
    """Add the file name to errors of its records."""
    from tower_core.records import RecordError

    try:
        yield
    except RecordError as error:
        raise UserError(f"{file}: {error}") from error


def _move_number(record: Record, move: int) -> int:
    if not 0 <= move <= len(record.moves):
        raise UserError(f"--move must be from 0 to {len(record.moves)}, the number of moves, not {move}")
    return move


def _check_all(games: Iterable[_Game]) -> None:
    from tower_core.records import RecordError

    first_wrong = None
    for one in games:
        try:
            one.check()
        except RecordError as error:
            first_wrong = first_wrong or error
            print(f"{one.number}: {one.summary()}: wrong: {error}", flush=True)
        else:
            print(f"{one.number}: {one.summary()}: right", flush=True)
    if first_wrong:
        raise first_wrong


def _draw(record: Record, gif: Path | None, html: Path | None, theme: str, view: str, seconds: float) -> None:
    """Write the pictures of a game. Errors are raised before anything is written."""
    from tower_core.records import RecordError, state_at
    from towers.pictures.film import write_gif
    from towers.pictures.page import write_page

    try:
        state_at(record, 0).to_svg(theme, view=view)
    except RecordError:
        raise
    except ValueError as error:
        raise UserError(str(error)) from None
    if gif is not None:
        with _writing(gif):
            print(f"{gif}: {write_gif(record, gif, theme=theme, view=view, seconds=seconds)} frames")
    if html is not None:
        with _writing(html):
            print(f"{html}: {write_page(record, html, view=view)} positions")


@contextmanager
def _writing(out: Path) -> Iterator[None]:
    """Errors of writing a picture become one line."""
    try:
        yield
    except ImportError as error:
        raise UserError(str(error)) from None
    except OSError as error:
        raise UserError(f"{out} can't be written: {error.strerror or error}") from None


# ---------------------------------------------------------------------------------------------- text
def _summary(record: Record) -> str:
    from tower_core.records.text import nearest_preset

    preset, changes = nearest_preset(record.game, record.rules)
    rules = preset + (f" with other {', '.join(changes)}" if changes else "")
    names = record.names or [f"player_{seat}" for seat in range(record.num_players)]
    points = ", ".join(f"{name} {score}" for name, score in zip(names, record.scores, strict=True))
    return f"{record.game.name}, {rules}, {len(record.moves)} moves, {record.result}: {points}"


def _outcome_summary(outcome: Outcome) -> str:
    moves = f"seed {outcome.seed}, {sum(outcome.moves)} moves"
    if outcome.fault is not None:
        return (
            f"{moves}, {', '.join(outcome.seats)}: lost by {outcome.fault.kind} of {outcome.seats[outcome.fault.seat]}"
        )
    points = ", ".join(f"{name} {score}" for name, score in zip(outcome.seats, outcome.scores or (), strict=False))
    return f"{moves}, {'truncated' if outcome.truncated else 'finished'}: {points}"


def _show(record: Record, played: int) -> None:
    """Print the position after *played* moves, and the last of them."""
    from tower_core.records import state_at

    state = state_at(record, played)
    print(state)
    if played == 0:
        led = "start" + "".join(f"\n  {text}" for text in record.setup)
    else:
        last = record.moves[played - 1]
        name = f" ({record.names[last.seat]})" if record.names else ""
        led = f"player_{last.seat}{name}: {last.action}"
        if last.chance:
            led += f" {{{'; '.join(last.chance)}}}"
    print(f"move {played} of {len(record.moves)}: {led}")
    if played == len(record.moves):
        print(f"{record.result}: {', '.join(map(str, record.scores))}")


def _step_through(record: Record) -> None:
    """Step through the game with commands from the input."""
    print(_summary(record))
    last, played = len(record.moves), 0
    _show(record, played)
    print(_HELP)
    while True:
        try:
            command = input("> ").strip().lower()
        except EOFError:
            print()
            return
        if command in ("q", "quit"):
            return
        if command in ("", "n", "next"):
            wanted = played + 1
        elif command in ("b", "back"):
            wanted = played - 1
        elif command in ("e", "end"):
            wanted = last
        elif command.isdecimal() and len(command) < 10:
            wanted = int(command)
        else:
            print(_HELP)
            continue
        if 0 <= wanted <= last:
            played = wanted
            _show(record, played)
        else:
            print(f"the game has {last} moves" if wanted > last else "this is the start")
