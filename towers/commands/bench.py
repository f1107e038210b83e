"""``towers bench``."""

from __future__ import annotations

from rich.console import Console

from towers.errors import UserError


def bench(game: str, /, *, json: bool = False, seconds: float = 2.0) -> None:
    """Measure speed: random play in batches, one and two threads, PettingZoo, start, and yardsticks in the same run.

    Parameters
    ----------
    game
        name of the game
    json
        print one JSON object instead of tables
    seconds
        CPU seconds for each figure
    """
    from towers.bench import measure, show

    if not 0 < seconds < 3600:
        raise UserError(f"--seconds must be above 0 and below 3600, not {seconds}")
    figures = measure(game, seconds, quiet=json)
    if json:
        import json as text

        print(text.dumps(figures, indent=1))
    else:
        show(figures, Console())
