"""``towers info``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from tower_core import SUITE
from towers.errors import UserError

if TYPE_CHECKING:
    from train.arena.benchmarks import Benchmark

_PACKAGES = (SUITE, "numpy", "numba", "gymnasium", "pettingzoo", "torch", "stable-baselines3", "sb3-contrib")


def info(name: str = "", /, *, markdown: Annotated[bool, Parameter(negative="")] = False) -> None:
    """Show the installed games, players, benchmarks and versions, or everything about one game or benchmark.

    Parameters
    ----------
    name
        a game: show its rules with values and defaults, presets, actions, and observation; or a benchmark: show what it pins
    markdown
        write the page of a game as Markdown
    """
    from tower_core.registry import get_game
    from towers.game_facts import to_markdown, to_text
    from train.arena.benchmarks import benchmarks

    if markdown and (not name or name in benchmarks()):
        raise UserError("--markdown is for one game: towers info GAME --markdown")
    if name in benchmarks():
        _benchmark(benchmarks()[name])
    elif name:
        try:
            game = get_game(name)
        except ValueError as error:
            raise UserError(f"{error}, or a benchmark such as {next(iter(benchmarks()))}") from None
        print((to_markdown if markdown else to_text)(game))
    else:
        _overview()


def _overview() -> None:
    from tower_core.players.specs import player_names
    from tower_core.registry import usable_games
    from towers.game_facts import facts
    from towers.terminal import paragraph, table_text
    from train.arena.benchmarks import benchmarks

    games, faults = usable_games()
    for game in games:
        print(f"{game.title}\n{table_text(['', ''], [[f'  {name}', words] for name, words in facts(game).items()])}\n")
    rows = [[f"  {name}", it.about] for name, it in benchmarks().items()]
    print(f"Benchmarks (towers info NAME)\n{table_text(['', ''], rows)}\n")
    lists = {"players": player_names(), "versions": list(map(_version, _PACKAGES))}
    for name, words in lists.items():
        print(paragraph(f"{name}: {', '.join(words)}"))
    sys.stdout.flush()
    for fault in faults:
        print(f"towers: {fault}", file=sys.stderr)


def _benchmark(it: Benchmark) -> None:
    """What a benchmark pins, and how to play it."""
    from towers.terminal import table_text
    from train.arena.settings import rules_name

    game = it.game_object
    rules = game.resolve_rules(it.rules)
    values = ", ".join(f"{name}={value!r}" for name, value in it.rules.items() if not isinstance(value, dict))
    guests = ", ".join(f"{guest.spec} ({guest.games} games against {guest.against})" for guest in it.guests)
    copies = (
        "" if it.players == 2 else f"; one copy against {it.players - 1}, equal players win {100 / it.players:.1f} %"
    )
    rows = {
        "game": game.name,
        "seats": str(it.players),
        "rules": f"{rules_name(game, rules)}: {values}",
        **{
            f"{name} seeds": f"{it.seeds} from {first}, openings {it.openings[name][:16]}… (SHA-256)"
            for name, first in it.first_seed.items()
        },
        "games": f"{it.games} per pairing, every seed in every order of seats",
        "headline": f"win rate against {it.headline} on the test seeds{copies}",
        "anchors": f"{', '.join(it.anchors)}: the opponents of your player",
        "built-in": f"{', '.join(it.entrants)} against each other; {guests}",
        "play": f"towers arena --benchmark {it.name} --seed-set test YOUR-PLAYER",
        "unofficial": "a run with other --games, --anchor or --timeout, or with development seeds",
    }
    print(f"{it.name}: {it.about}\n{table_text(['', ''], [[f'  {name}', words] for name, words in rows.items()])}")


def _version(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return f"{package} (not installed)"
