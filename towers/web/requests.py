"""Checked requests: JSON bodies with the right fields, and errors in one line."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from starlette.exceptions import HTTPException
from starlette.requests import Request

from tower_core.registry import get_game
from tower_core.schema import read
from towers.table import HUMAN, Table
from towers.web.hosted import MOST_PACE
from towers.web.store import MOST_RECORD
from towers.web.view import THEMES, Look

_MOST_BODY = 2 * MOST_RECORD
_PACE: Any = Annotated[float, Meta(ge=0, le=MOST_PACE)] | None


async def body(request: Request) -> dict[str, Any]:
    """The JSON object of a request. HTTPException 400, 413 or 415 if there is none."""
    if request.headers.get("content-type", "").split(";")[0].strip() != "application/json":
        raise HTTPException(415, "the request must be JSON")
    data = b""
    async for chunk in request.stream():
        data += chunk
        if len(data) > _MOST_BODY:
            raise HTTPException(413, f"the request is too long: at most {_MOST_BODY} bytes")
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise HTTPException(400, "the request is not valid JSON") from error
    if not isinstance(content, dict):
        raise HTTPException(400, "the request must be a JSON object")
    return content


def text(content: dict[str, Any], name: str, longest: int = 200) -> str:
    """A text field. ValueError if it is something else."""
    value = content.get(name)
    if not isinstance(value, str) or len(value) > longest:
        raise ValueError(f"{name} must be a text of at most {longest} characters")
    try:
        value.encode()
    except UnicodeEncodeError as error:  # half a surrogate pair, which JSON lets through
        raise ValueError(f"{name} contains a character that is not valid Unicode") from error
    return value


def whole(content: dict[str, Any], name: str) -> int:
    """A field with an integer. ValueError if it is something else."""
    return read(int, content.get(name), name)


def pace(content: dict[str, Any]) -> float | None:
    """Seconds between moves, or None (null) for a pause. ValueError if it is neither."""
    seconds: float | None = read(_PACE, content.get("pace", ""), "pace")
    return seconds


def look(request: Request) -> Look:
    """The drawing options of a request. ValueError for unknown ones."""
    theme, narrow = request.query_params.get("theme", "light"), request.query_params.get("narrow", "0")
    if theme not in THEMES:
        raise ValueError(f"theme must be one of {', '.join(THEMES)}")
    if narrow not in ("0", "1"):
        raise ValueError("narrow must be 0 or 1")
    return Look(theme, narrow == "1")


def new_table(content: dict[str, Any], allowed: Mapping[str, Sequence[str]]) -> Table:
    """The table of a request; its players must be *allowed* for its game. ValueError says what is wrong."""
    game = get_game(_known(text(content, "game"), allowed))
    try:
        rules = game.rules.from_outside(content.get("rules", game.default_rules))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"rules must be one of {', '.join(game.presets)}, optionally with fields: {error}") from error
    players = content.get("players")
    if not isinstance(players, list) or not 1 <= len(players) <= max(game.seats):
        raise ValueError(f"players must be a list of {min(game.seats)} to {max(game.seats)} names")
    for name in players:
        check_player(name, allowed[game.name], HUMAN)
    return Table(game.name, players, rules, content.get("seed"))


def _known(game: str, allowed: Mapping[str, Sequence[str]]) -> str:
    if game not in allowed:
        raise ValueError(f"unknown game {game!r}: choose one of {', '.join(allowed)}")
    return game


def check_player(name: Any, allowed: Sequence[str], *others: str) -> None:
    """ValueError if a page may not choose this player; specs with files come from the command line only."""
    if not isinstance(name, str) or name not in (*allowed, *others):
        raise ValueError(f"unknown player {name!r}: choose one of {', '.join(dict.fromkeys((*others, *allowed)))}")
