"""``towers serve``."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from towers.errors import UserError


def serve(*, host: str = "127.0.0.1", port: int = 8010, players: str = "", state: Path | None = None) -> int:
    """Play games in the browser against any players, or watch players play each other.

    Open the printed address: its token gives your browser access. Games are saved as records, so they survive a restart.

    Parameters
    ----------
    host
        address to listen on; with any but 127.0.0.1, other machines that have the token can connect
    port
        port to listen on
    players
        more players to offer, separated by spaces, such as "checkpoint:runs/x my.py:First"
    state
        folder for the games (default: towers/serve in $XDG_STATE_HOME or ~/.local/state)
    """
    try:
        import uvicorn

        from towers.web.app import make_app
        from towers.web.guard import LOOPBACK
        from towers.web.offer import find_offer
        from towers.web.store import Store
    except ModuleNotFoundError as error:
        raise UserError(f"the browser app needs {error.name}: pip install 'tower-games-rl[serve]'") from error
    if not 1 <= port <= 65535:
        raise UserError(f"--port must be from 1 to 65535, not {port}")
    found = find_offer(players.split())
    for fault in found.faults:
        print(f"towers: {fault}", file=sys.stderr)
    store = Store(state or _state_folder())
    token = store.token()
    outside = host not in ("127.0.0.1", "localhost", "::1")
    name = f"[{host}]" if ":" in host else host
    hosts = [*LOOPBACK, name] + ([*_own_names()] if outside else [])
    if outside:
        print(
            f"towers: listening on {host}: other machines can connect with the address below; the connection is not encrypted",
            file=sys.stderr,
        )
    print(f"open http://{'127.0.0.1' if host in ('0.0.0.0', '::') else name}:{port}/?token={token}", flush=True)
    print(f"games are saved in {store.folder}; Ctrl-C stops", flush=True)
    app = make_app(store, found.players, token, hosts, port)
    server = uvicorn.Server(
        uvicorn.Config(app, host=host, port=port, log_level="warning", server_header=False, ws="none")
    )
    try:
        server.run()
    except SystemExit as error:  # uvicorn exits if the address is taken
        raise UserError(f"--port: {host}:{port} is not available: choose another") from error
    except KeyboardInterrupt:
        pass
    print("stopped")
    return 0


def _state_folder() -> Path:
    home = os.environ.get("XDG_STATE_HOME")
    return (Path(home) if home else Path.home() / ".local" / "state") / "towers" / "serve"


def _own_names() -> list[str]:
    """Names and addresses of this machine."""
    import socket

    names = {socket.gethostname()}
    with suppress(OSError):
        names |= {str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None)}
    return sorted(f"[{name}]" if ":" in name else name for name in names)
