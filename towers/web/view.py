"""The data that the server sends to pages: only what the person at the screen may know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from tower_core.drawing import SEATS
from tower_core.players.specs import label_of
from towers.table import HUMAN, default_player
from towers.web.hosted import Hosted

if TYPE_CHECKING:
    from tower_core.game import Game
    from tower_core.state import State

THEMES = ("light", "dark")


class Look(NamedTuple):
    """Options of drawings."""

    theme: str
    narrow: bool


def game_view(hosted: Hosted, look: Look) -> dict[str, Any]:
    """A game for its page, JSON-able."""
    with hosted.lock:
        table, state = hosted.table, hosted.table.state
        curtain, viewer = hosted.curtain, hosted.viewer
        shown = curtain is None
        yours = shown and table.human_to_move
        legal = table.legal() if yours else []
        return {
            **_head(hosted),
            "version": hosted.version,
            "viewer": viewer,
            "curtain": curtain,
            "yourTurn": yours,
            "svg": _svg(state, look, viewer) if shown else "",
            "log": table.log(viewer) if shown else [],
            "points": table.points() if table.is_open else [],
            "legal": [_action(table.game, text, meaning) for text, meaning in legal],
            "cards": _hand(hosted, viewer) if shown and viewer is not None else [],
            "canUndo": table.can_undo and not table.is_replay,
            "canRecord": table.is_open,
            "isReplay": table.is_replay,
            "machines": len(table.humans) < len(table.specs) and not table.is_replay,
            "pace": hosted.pace,
            "trouble": hosted.trouble or hosted.unsaved,
            "hintFrom": default_player(table.game.name),
        }


def past_view(hosted: Hosted, moves: int, look: Look) -> dict[str, Any]:
    """The position after *moves* moves. ValueError while the game has hidden information."""
    with hosted.lock:
        require_open(hosted)
        state = hosted.table.past(moves)
        return {"svg": _svg(state, look, None), "moves": moves, "scores": state.scores()}


def record_text(hosted: Hosted) -> str:
    """The record of a game. ValueError while the game has hidden information."""
    from tower_core.records import format_record

    with hosted.lock:
        require_open(hosted)
        return format_record(hosted.table.record())


def summary(hosted: Hosted) -> dict[str, Any]:
    """A game for the list of games."""
    with hosted.lock:
        return _head(hosted)


def require_open(hosted: Hosted) -> None:
    if not hosted.table.is_open:
        raise ValueError("records and earlier positions are available when the game is over")


def _head(hosted: Hosted) -> dict[str, Any]:
    table, state = hosted.table, hosted.table.state
    over = state.is_terminal()
    return {
        "id": hosted.id,
        "game": table.game.name,
        "title": table.game.title,
        "rules": preset_name(hosted),
        "players": [
            {"seat": seat, "name": label_of(spec), "human": spec == HUMAN, "score": score, "colour": SEATS[seat]}
            for seat, (spec, score) in enumerate(zip(table.specs, state.scores(), strict=False))
        ],
        "moves": table.moves,
        "toMove": table.to_move,
        "over": over,
        "truncated": over and state.is_truncated(),
        "ranking": state.ranking() if over else [],
        "returns": state.returns().tolist() if over else [],
        "isReplay": table.is_replay,
    }


def preset_name(hosted: Hosted) -> str:
    """The nearest preset of the rules, marked if options differ."""
    from tower_core.records.text import nearest_preset

    preset, changes = nearest_preset(hosted.table.game, hosted.table.state.rules)
    return preset + (" (changed)" if changes else "")


def _svg(state: State, look: Look, seat: int | None) -> str:
    return state.to_svg(look.theme, narrow=look.narrow, seat=seat)


def _action(game: Game, text: str, meaning: str) -> dict[str, Any]:
    """A legal action. Its verb and words match it with elements of the drawing (static/actions.js)."""
    verb, *words = text.split()
    return {
        "text": text,
        "help": meaning,
        "verb": verb.lower(),
        "words": words,
        "passes": game.actions[verb].passes,
    }


def _hand(hosted: Hosted, viewer: int) -> list[dict[str, str]]:
    """The viewer's cards with their help, in games with hands and help."""
    table = hosted.table
    card_help = table.game.card_help
    names = table.state.position(viewer)["hands"][viewer] if card_help else []
    return [{"name": name, "help": card_help.get(name, "")} for name in names]
