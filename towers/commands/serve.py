"""``towers serve``."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from towers.errors import UserError


def serve(*, host: str = "127.0.0.1", port: int = 8010, players: str = "", state: Path | None = None) -> int:
    """Play either game in the browser, against any players, or watch players play each other.

    Open the address that is printed: its token lets your browser in, and nobody else's pages. Games are kept in a folder,
    one record each, so they outlive a restart.

    Parameters
    ----------
    host
        address to listen on; anything but 127.0.0.1 lets other machines in, if they know the token
    port
        port to listen on
    players
        further players by spec, with spaces between them, such as "checkpoint:runs/x"
    state
        folder of the games; by default towers/serve in $XDG_STATE_HOME or ~/.local/state
    """
    try:
        import uvicorn

        from towers.web.app import make_app
        from towers.web.guard import LOOPBACK
        from towers.web.store import Store
    except ModuleNotFoundError as error:
        raise UserError(f"the browser app needs {error.name}: pip install 'towers[serve]'") from error
    if not 1 <= port <= 65535:
        raise UserError(f"--port must be from 1 to 65535, not {port}")
    seated = _players(players.split())
    store = Store(state or _state_folder())
    token = store.token()
    outside = host not in ("127.0.0.1", "localhost", "::1")
    name = f"[{host}]" if ":" in host else host
    hosts = [*LOOPBACK, name] + ([*_own_names()] if outside else [])
    if outside:
        print(
            f"towers: listening on {host}: other machines reach this server, and who has the address below plays here; "
            "the connection is not encrypted",
            file=sys.stderr,
        )
    print(f"open http://{'127.0.0.1' if host in ('0.0.0.0', '::') else name}:{port}/?token={token}", flush=True)
    print(f"games are kept in {store.folder}; Ctrl-C stops", flush=True)
    app = make_app(store, seated, token, hosts, port)
    server = uvicorn.Server(
        uvicorn.Config(app, host=host, port=port, log_level="warning", server_header=False, ws="none")
    )
    try:
        server.run()
    except SystemExit as error:  # uvicorn's way of telling that the address is taken
        raise UserError(f"--port: {host}:{port} can't be listened on: choose another") from error
    except KeyboardInterrupt:
        pass
    print("stopped")
    return 0


def _players(more: list[str]) -> dict[str, list[str]]:
    """Per game the specs of the players that pages may seat: those without need of a file, and *more*."""
    from tower_core.players.specs import make_player, player_names
    from tower_core.registry import game_names, get_game

    for game in game_names():
        get_game(game).entry  # noqa: B018 (compiles it now, so that no page waits for it)
    found: dict[str, list[str]] = {game: [] for game in game_names()}
    for spec in [*player_names(), *more]:
        problem = ""
        for game, specs in found.items():
            try:
                make_player(spec, get_game(game))
            except ValueError as error:  # it needs a file, or a library that isn't here, or plays another game
                problem = str(error)
            else:
                specs.append(spec)
        if spec in more and not any(spec in specs for specs in found.values()):
            raise UserError(f"--players: {spec}: {problem}")
    return found


def _state_folder() -> Path:
    home = os.environ.get("XDG_STATE_HOME")
    return (Path(home) if home else Path.home() / ".local" / "state") / "towers" / "serve"


def _own_names() -> list[str]:
    """Names and addresses under which other machines know this one."""
    import socket

    names = {socket.gethostname()}
    with suppress(OSError):
        names |= {str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None)}
    return sorted(f"[{name}]" if ":" in name else name for name in names)
