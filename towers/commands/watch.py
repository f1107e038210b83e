"""``towers watch``."""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from towers.errors import UserError


def watch(
    game: str,
    /,
    *,
    players: str = "",
    rules: str | None = None,
    seed: int | None = None,
    out: Path | None = None,
    open: Annotated[bool, Parameter(negative="--no-open")] = True,
) -> int:
    """Play a game between players and open it in the browser as a page to step through.

    Without a display, the page is only written.

    Parameters
    ----------
    game
        name of the game (see ``towers info``)
    players
        players by seat, separated by commas (default: learned against the game's default player, where there is a network)
    rules
        rules preset, optionally with fields (default: the game's default preset)
    seed
        seed of the game (default: random)
    out
        page to write (default: runs/watch/GAME-SEED.html)
    open
        open the page if there is a display
    """
    from tower_core.registry import get_game
    from towers.commands.play import split_players
    from towers.pictures.page import write_page
    from towers.table import HUMAN, Table, default_player, default_seats

    described = get_game(game)
    seed = secrets.randbelow(10**6) if seed is None else seed
    if players:
        seats = split_players(players)
        if HUMAN in seats:
            raise UserError("--players: people can't take part here: use towers play or towers serve")
        table = Table(game, seats, rules, seed)
    else:
        rest = [default_player(game)] * (default_seats(described, described.resolve_rules(rules)) - 1)
        try:
            table = Table(game, ["learned", *rest], rules, seed)
        except ValueError:
            table = Table(game, [default_player(game), *rest], rules, seed)
    print(f"playing {described.title}, seed {seed}: {', '.join(table.specs)} …", flush=True)
    while table.to_move is not None:
        table.play(table.thinker()())
    page = out or Path("runs", "watch", f"{game}-{seed}.html")
    page.parent.mkdir(parents=True, exist_ok=True)
    positions = write_page(table.record(), page)
    points = ", ".join(f"{spec} {score}" for spec, score in zip(table.specs, table.state.scores(), strict=True))
    print(f"{points}: {positions} positions in {page}")
    if open and _has_display():
        import webbrowser

        webbrowser.open(page.resolve().as_uri())
    return 0


def _has_display() -> bool:
    """Whether a browser can open a window; in a terminal alone, one might start there instead."""
    return sys.platform in ("darwin", "win32") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
