"""An arena as a picture: who beats whom how often, and the ratings with their uncertainty."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from train.arena.tally import Tally


def arena_picture(tally: Tally, path: Path, title: str) -> Path:
    """Write the cross-table and the ratings as PNG; *path* is replaced at once, not half."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    entrants = [entrant for entrant in tally.entrants.values() if entrant.seats and entrant.rating]
    entrants.sort(key=lambda entrant: -entrant.rating.mu)  # type: ignore[union-attr]
    names = [entrant.label for entrant in entrants]
    size = len(names)
    rates = np.full((size, size), np.nan)
    for row, first in enumerate(names):
        for column, second in enumerate(names):
            pairing = tally.ahead(first, second)
            if pairing is not None:
                rates[row, column] = 100 * pairing.rate
    figure, (cross, ratings) = plt.subplots(
        1, 2, figsize=(7 + 0.8 * size, 2.6 + 0.55 * size), constrained_layout=True, width_ratios=(3, 2)
    )
    cross.imshow(np.ma.masked_invalid(rates), cmap="RdBu", vmin=0, vmax=100, aspect="auto")
    for row, column in np.argwhere(~np.isnan(rates)):
        value = rates[row, column]
        colour = "white" if abs(value - 50) > 30 else "black"
        cross.text(column, row, f"{value:.1f}", ha="center", va="center", color=colour)
    cross.set_xticks(range(size), names, rotation=30, ha="right")
    cross.set_yticks(range(size), names)
    cross.set_title("row beats column, % of games" if tally.players == 2 else "row ends before column, % of games")
    for place, entrant in enumerate(entrants):
        assert entrant.rating is not None
        ratings.errorbar(
            entrant.rating.mu, place, xerr=1.96 * entrant.rating.sigma, fmt="o", color="#0072B2", capsize=4
        )
    ratings.set_yticks(range(size), names)
    ratings.set_ylim(size - 0.5, -0.5)
    ratings.set_title("rating (OpenSkill) with 95 % interval")
    ratings.grid(axis="x", alpha=0.3)
    for axes in (cross, ratings):
        axes.spines[["top", "right"]].set_visible(False)
    figure.suptitle(title)
    part = path.with_name(f".{path.name}.part")
    figure.savefig(part, dpi=130, format="png")
    plt.close(figure)
    os.replace(part, path)
    return path
