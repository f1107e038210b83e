"""The ASGI application: its routes and their handlers."""

from __future__ import annotations

import os
import traceback
from collections.abc import Awaitable, Callable, Mapping, Sequence
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from tower_core.imported import one_line
from tower_core.players.specs import label_of, player_names
from tower_core.registry import get_game
from towers.game_facts import rules_page
from towers.table import HUMAN, default_player, seat_numbers
from towers.web import requests
from towers.web.guard import Guard
from towers.web.hosted import Hosted, StaleError
from towers.web.store import MOST_RECORD, Store, UnknownGameError
from towers.web.view import game_view, past_view, record_text, summary

_KINDS = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
Endpoint = Callable[[Request], Awaitable[Response]]


def make_app(
    store: Store, players: Mapping[str, Sequence[str]], token: str, hosts: Sequence[str], port: int
) -> ASGIApp:
    """The application for the games of *store*. Pages may choose people and *players* (specs by game) only."""
    return Guard(_Api(store, players).starlette(), token, hosts, port)


class _Api:
    def __init__(self, store: Store, players: Mapping[str, Sequence[str]]) -> None:
        self.store = store
        self.players = players
        # Players that may evaluate positions: networks, and players from the command line.
        plain = set(player_names()) - {"learned"}
        self.advisers = {game: [spec for spec in specs if spec not in plain] for game, specs in players.items()}

    def starlette(self) -> Starlette:
        game = "/api/games/{id}"
        return Starlette(
            routes=[
                Route("/", _static_page, methods=["GET"]),
                Route("/static/{name}", _static_file, methods=["GET"]),
                Route("/rules/{name}", self._reading(self.rules), methods=["GET"]),
                Route("/api/setup", self._reading(self.setup), methods=["GET"]),
                Route("/api/games", self._reading(self.games), methods=["GET"]),
                Route("/api/games", self._writing(self.create), methods=["POST"]),
                Route("/api/records", self._writing(self.open_record), methods=["POST"]),
                Route(game, self._reading(self.show), methods=["GET"]),
                Route(game, self._reading(self.delete), methods=["DELETE"]),
                Route(game + "/move", self._writing(self.move), methods=["POST"]),
                Route(game + "/undo", self._writing(self.undo), methods=["POST"]),
                Route(game + "/hint", self._writing(self.hint), methods=["POST"]),
                Route(game + "/seat", self._writing(self.seat), methods=["POST"]),
                Route(game + "/pace", self._writing(self.pace), methods=["POST"]),
                Route(game + "/record", self._reading(self.record), methods=["GET"]),
                Route(game + "/at/{moves:int}", self._reading(self.past), methods=["GET"]),
            ],
            exception_handlers={HTTPException: _http_error},
        )

    # ------------------------------------------------------------------------------------------ endpoints
    def _reading(self, handle: Callable[[Request], Response]) -> Endpoint:
        async def endpoint(request: Request) -> Response:
            return await run_in_threadpool(_with_errors, lambda: handle(request))

        return endpoint

    def _writing(self, handle: Callable[[Request, dict[str, Any]], Response]) -> Endpoint:
        async def endpoint(request: Request) -> Response:
            content = await requests.body(request)
            return await run_in_threadpool(_with_errors, lambda: handle(request, content))

        return endpoint

    def _game(self, request: Request) -> Hosted:
        return self.store.get(request.path_params["id"])

    def _view(self, request: Request, hosted: Hosted) -> Response:
        advisers = self.advisers.get(hosted.table.game.name, [])
        return JSONResponse({**game_view(hosted, requests.look(request)), "advisers": advisers})

    # ------------------------------------------------------------------------------------------ lists
    def setup(self, request: Request) -> Response:
        """The games with their presets, numbers of players, and players to choose from."""
        games = [get_game(name) for name in self.players]
        return JSONResponse(
            {
                "games": [
                    {
                        "name": game.name,
                        "title": game.title,
                        "presets": {name: seat_numbers(game, game.resolve_rules(name)) for name in game.presets},
                        "defaultRules": game.default_rules,
                        "players": [HUMAN, *self.players[game.name]],
                        "opponent": default_player(game.name),
                    }
                    for game in games
                ]
            }
        )

    def rules(self, request: Request) -> Response:
        """Short rules of a game, as a fragment of HTML."""
        name = request.path_params["name"]
        if name not in self.players:
            return _error(404, "there is no such page")
        return HTMLResponse(rules_page(get_game(name)))

    def games(self, request: Request) -> Response:
        found = []
        for number in self.store.ids():
            try:
                found.append(summary(self.store.get(number)))
            except UnknownGameError:  # deleted meanwhile
                continue
            except ValueError as error:  # a damaged file stays where it is
                found.append({"id": number, "damaged": str(error)})
        return JSONResponse({"games": found})

    def create(self, request: Request, content: dict[str, Any]) -> Response:
        return JSONResponse({"id": self.store.add(requests.new_table(content, self.players)).id}, 201)

    def open_record(self, request: Request, content: dict[str, Any]) -> Response:
        return JSONResponse({"id": self.store.open_record(requests.text(content, "text", MOST_RECORD)).id}, 201)

    # ------------------------------------------------------------------------------------------ one game
    def show(self, request: Request) -> Response:
        hosted = self._game(request)
        if request.query_params.get("since") == str(hosted.version):
            return Response(status_code=204)
        return self._view(request, hosted)

    def delete(self, request: Request) -> Response:
        self.store.delete(request.path_params["id"])
        return Response(status_code=204)

    def move(self, request: Request, content: dict[str, Any]) -> Response:
        hosted = self._game(request)
        hosted.play(requests.text(content, "action"), requests.whole(content, "version"))
        return self._view(request, hosted)

    def undo(self, request: Request, content: dict[str, Any]) -> Response:
        hosted = self._game(request)
        hosted.undo(requests.whole(content, "version"))
        return self._view(request, hosted)

    def hint(self, request: Request, content: dict[str, Any]) -> Response:
        hosted = self._game(request)
        game = hosted.table.game.name
        spec = requests.text(content, "player") if "player" in content else default_player(game)
        requests.check_player(spec, self.players.get(game, []), default_player(game))
        advice = hosted.hint(spec)
        return JSONResponse({"player": label_of(spec), "action": advice.action, "opinion": advice.opinion()})

    def seat(self, request: Request, content: dict[str, Any]) -> Response:
        hosted = self._game(request)
        hosted.sit(requests.whole(content, "seat"))
        return self._view(request, hosted)

    def pace(self, request: Request, content: dict[str, Any]) -> Response:
        hosted = self._game(request)
        hosted.set_pace(requests.pace(content))
        return self._view(request, hosted)

    def record(self, request: Request) -> Response:
        hosted = self._game(request)
        name = f'attachment; filename="{hosted.table.game.name}-{hosted.id}.txt"'
        return PlainTextResponse(record_text(hosted), headers={"Content-Disposition": name})

    def past(self, request: Request) -> Response:
        hosted = self._game(request)
        return JSONResponse(past_view(hosted, request.path_params["moves"], requests.look(request)))


def _with_errors(handle: Callable[[], Response]) -> Response:
    """The response, or an error in one line."""
    try:
        return handle()
    except UnknownGameError:
        return _error(404, "there is no such game")
    except StaleError as error:
        return _error(409, str(error))
    except ValueError as error:
        return _error(400, str(error))
    except Exception as error:  # in a game's own code, such as its drawing
        if os.environ.get("TOWERS_TRACEBACK"):
            traceback.print_exc()
        return _error(500, f"the game failed: {one_line(error)}")


def _error(status: int, reason: str) -> Response:
    return JSONResponse({"error": reason}, status)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _error(error.status_code, error.detail)


# ---------------------------------------------------------------------------------------------- static files
async def _static_page(request: Request) -> Response:
    return _file("static", "index.html")


async def _static_file(request: Request) -> Response:
    return _file("static", request.path_params["name"])


def _file(folder: str, name: str) -> Response:
    """A file of the package. Names are compared with the folder's entries, so no path leads out of it."""
    for entry in files("towers.web").joinpath(folder).iterdir():
        kind = _KINDS.get(name.rpartition(".")[2])
        if entry.name == name and kind:
            return Response(entry.read_bytes(), media_type=kind)
    return _error(404, "there is no such page")
