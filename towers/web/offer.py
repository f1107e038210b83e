"""The games and players that a server offers, and the faults of the others."""

from __future__ import annotations

from typing import NamedTuple

from tower_core.engine.compiling import CompilingDisabledError
from tower_core.game import Game
from tower_core.game_checks import GameError
from tower_core.players.specs import player_names
from tower_core.registry import usable_games
from towers.errors import UserError
from towers.game_facts import rules_page
from towers.table import default_player, default_seats, player_problem, seat_numbers


class Offer(NamedTuple):
    """The choices of pages, and what is missing from them."""

    players: dict[str, list[str]]
    """Specs of players by game."""
    faults: list[str]
    """A line for each game that can't be used."""


def find_offer(more: list[str]) -> Offer:
    """The usable games with the players that need no options, and *more* players by spec.

    UserError if no game can be used, or if one of *more* can't play any of them.
    """
    games, faults = usable_games()
    offer = Offer({}, faults)
    problems: dict[str, str] = {}
    for game in games:
        try:
            _try_out(game)
        except CompilingDisabledError:
            raise
        except Exception as error:
            faults.append(str(error) if isinstance(error, GameError) else f"game {game.name!r} fails: {error!r}")
            continue
        offer.players[game.name] = []
        for spec in [*player_names(game), *more]:
            if problem := player_problem(spec, game):  # it needs a path or a library, or plays other games
                problems[spec] = problem
            else:
                offer.players[game.name].append(spec)
    if not offer.players:
        raise UserError("; ".join(["no game can be used", *faults]))
    for spec in more:
        if not any(spec in specs for specs in offer.players.values()):
            raise UserError(f"--players: {spec}: {problems[spec]}")
    return offer


def _try_out(game: Game) -> None:
    """Compile a game and call what its pages will call, so that pages are fast and faults are found now."""
    for preset in game.presets:
        seat_numbers(game, game.resolve_rules(preset))
    state = game.state_class()(default_seats(game), game.resolve_rules(), 0)
    state.to_svg(seat=state.current_player())
    state.observation(0)
    rules_page(game)
    default_player(game.name)
