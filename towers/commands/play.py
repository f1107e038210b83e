"""``towers play``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from towers.errors import UserError

if TYPE_CHECKING:
    from tower_core.players.asking import PlayerError
    from towers.table import Table

_HELP = """Type an action, such as {example}.
  ?       legal actions and their meaning    ? VERB  only those of that verb
  board   show the board                     log     last moves
  hint    what {hint} would do               undo    back to your last decision
  save FILE   append the game's record to a file (hidden information included)
  help    this text                          quit    stop"""
_LINES = 8
_QUIT = ("quit", "q", "exit")


def play(
    game: str,
    /,
    *,
    players: str | None = None,
    rules: str | None = None,
    seed: int | None = None,
    hint: str | None = None,
    save: Path | None = None,
) -> int:
    """Play a game in the terminal against any players, or watch players play each other.

    Parameters
    ----------
    game
        name of the game (see ``towers info``)
    players
        players by seat, separated by commas: human, a player with its options, or your own as ``FILE.py:CLASS`` (default:
        human against the game's default player)
    rules
        rules preset, optionally with fields (default: the game's default preset)
    seed
        seed of the game (default: random)
    hint
        player that gives hints (default: the game's default player)
    save
        file to which the game's record is appended at the end
    """
    from tower_core.registry import get_game
    from towers.table import HUMAN, Table, default_player, default_seats

    described = get_game(game)
    if players is None:
        opponents = default_seats(described, described.resolve_rules(rules)) - 1
        seats = [HUMAN, *[default_player(game) for _ in range(opponents)]]
    else:
        seats = split_players(players)
    table = Table(game, seats, rules, seed)
    adviser = hint or default_player(game)
    if adviser == HUMAN:
        raise UserError("--hint must be a player's name, not human")
    _check_players([*table.specs, adviser], table)
    if save is not None and save.is_dir():
        raise UserError(f"--save: {save} is a folder, not a file")
    try:
        finished = _run(table, adviser)
    except KeyboardInterrupt:
        print()
        finished = False
    finally:
        if save is not None and table.moves:
            _save(table, save)
    if not finished:
        print("stopped")
    return 0


def split_players(text: str) -> list[str]:
    """Split a text into specs of players. ValueError for an empty one."""
    from tower_core.players.specs import split_specs

    specs = split_specs(text)
    if not all(specs):
        raise ValueError("--players: a name is missing; use commas between names, such as human,greedy")
    return specs


def _check_players(specs: Sequence[str], table: Table) -> None:
    from tower_core.players.specs import make_player
    from towers.table import HUMAN

    for spec in specs:
        if spec != HUMAN:
            make_player(spec, table.game)


# ---------------------------------------------------------------------------------------------- the game
def _run(table: Table, adviser: str) -> bool:
    """Play to the end; False if the user stops before."""
    from tower_core.players.asking import PlayerError

    print(_names(table))
    help_shown = False
    while table.to_move is not None:
        if not table.human_to_move:
            mover = table.to_move
            try:
                table.play(table.thinker()())
            except PlayerError as error:
                if not _after_fault(table, error):
                    return False
                continue
            print(f"player_{mover} ({table.names[mover]}): {_last_move(table)}", flush=True)
            continue
        if len(table.humans) > 1 and not table.same_to_all_people() and not _hand_over(table):
            return False
        _show(table)
        if not help_shown:
            print(_help(table, adviser))
            help_shown = True
        if not _decision(table, adviser):
            return False
    _show(table)
    print(_outcome(table))
    return True


def _hand_over(table: Table) -> bool:
    """With several people at one screen, wait for the next one. False at the end of the input."""
    mover = table.to_move
    past = table.log(None)
    if past and past[-1][0] == mover:
        return True
    print("\n" * 40 + f"player_{mover}, press Enter when the screen is yours")
    return _ask("") is not None


def _after_fault(table: Table, error: PlayerError) -> bool:
    """What to do about a player that failed: True to go on, False to stop. Raises the error at the end of the input."""
    print(error)
    while True:
        line = _ask("retry, undo, save FILE or quit> ")
        if line is None:
            raise error
        word, _, rest = line.partition(" ")
        try:
            if word.lower() in _QUIT:
                return False
            if word.lower() == "undo":
                table.undo()
                return True
            if word.lower() in ("", "retry"):
                return True
            if word.lower() == "save":
                _save_as(table, rest.strip())
        except (ValueError, OSError) as refusal:
            print(f"  {refusal}")


def _decision(table: Table, adviser: str) -> bool:
    """Commands of a person until they have moved or undone a move; False to stop."""
    from tower_core.players.asking import PlayerError
    from tower_core.players.specs import label_of

    while True:
        line = _ask(f"player_{table.to_move}> ")
        if line is None or line.lower() in _QUIT:
            return False
        word, _, rest = line.partition(" ")
        word, rest = word.lower(), rest.strip()
        try:
            if word.startswith("?"):
                _show_legal(table, (word[1:] or rest).upper())
            elif word in ("", "help"):
                print(_help(table, adviser))
            elif word in ("board", "log"):
                _show(table) if word == "board" else _show_log(table)
            elif word == "hint":
                advice = table.hint(adviser)
                print(f"{label_of(adviser)} would play {advice.action}: {dict(table.legal())[advice.action]}")
                if opinion := advice.opinion():
                    print(opinion)
            elif word == "save":
                _save_as(table, rest)
            elif word == "undo":
                table.undo()
                return True
            else:
                table.play(line)
                return True
        except (PlayerError, OSError) as error:
            print(f"  {error}")
        except ValueError as error:
            print(f"  {error}\n  (? lists the legal actions)")


def _help(table: Table, adviser: str) -> str:
    return _HELP.format(example=table.legal()[0][0], hint=adviser)


def _ask(prompt: str) -> str | None:
    """A line of input; None at its end."""
    try:
        return input(prompt).strip()
    except EOFError:
        print()
        return None


# ---------------------------------------------------------------------------------------------- output
def _names(table: Table) -> str:
    seats = ", ".join(f"player_{seat}: {name}" for seat, name in enumerate(table.names))
    return f"{table.game.title}, seed {table.state.seed}. {seats}" if table.is_open else f"{table.game.title}. {seats}"


def _show(table: Table) -> None:
    """The board as the seat to move sees it; all of it at the end."""
    print()
    print(table.state.board_text(None if table.is_open else table.to_move))


def _last_move(table: Table) -> str:
    """The last move; "?" if it is hidden from a person at this screen."""
    views = [None] if table.is_open else table.humans
    seen = {table.log(viewer)[-1][1] for viewer in views}
    return seen.pop() if len(seen) == 1 else "?"


def _show_log(table: Table) -> None:
    for seat, text in table.log(table.to_move)[-_LINES:]:
        print(f"  player_{seat}: {text}")


def _show_legal(table: Table, verb: str) -> None:
    """Print the legal actions by verb: few with their meaning, many in one line."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for text, words in table.legal():
        groups.setdefault(text.split()[0], []).append((text, words))
    if verb and verb not in groups:
        print(f"  no {verb} is legal here; legal verbs: {', '.join(groups)}")
        return
    for name, actions in groups.items():
        if verb and name != verb:
            continue
        if not verb and len(actions) > _LINES:
            print(
                f"  {name}: {', '.join(text.removeprefix(name).strip() for text, _ in actions)}   (? {name} explains)"
            )
            continue
        for text, words in actions:
            print(f"  {text:<16} {words}".rstrip())


def _outcome(table: Table) -> str:
    state = table.state
    scores = ", ".join(f"player_{seat} ({table.names[seat]}) {score}" for seat, score in enumerate(state.scores()))
    cut = "ended by the turn limit: " if state.is_truncated() else ""
    first = " and ".join(f"player_{seat}" for seat in state.ranking()[0])
    if table.state.num_players == 1:
        return f"{cut}{'won' if state.returns()[0] > 0 else 'not won'}: {scores}"
    return f"{cut}{first} {'share the win' if len(state.ranking()[0]) > 1 else 'wins'}: {scores}"


def _save_as(table: Table, name: str) -> None:
    _save(table, Path(name)) if name else print("save needs the name of a file: save game.txt")


def _save(table: Table, path: Path) -> None:
    from tower_core.records import append_record

    append_record(path, table.record())
    print(f"record saved to {path}")
