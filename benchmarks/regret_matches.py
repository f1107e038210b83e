"""Does regret predict matches? Correlate and plot the regrets and arena results of the same players.

    towers bench regret SET A B C … --out regret.json
    towers arena GAME A B C … --games 10 --out games.jsonl
    python benchmarks/regret_matches.py regret.json games.jsonl picture.png

A player's match results are means over its games against all others: its share of wins, and its points minus those of
the best rival. Players must have the same names in both commands.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from tower_core.schema import read
from train.arena.results import read_results
from train.plots import regret_picture
from train.regret.measure import Regret


def match_results(path: Path) -> dict[str, tuple[float, float]]:
    """Share of wins and mean lead of each player, by label; games with a fault don't count."""
    found: dict[str, list[tuple[float, float]]] = {}
    for outcome in read_results(path)[1]:
        if outcome.scores is None:
            continue
        for seat, label in enumerate(outcome.seats):
            won = (outcome.places[seat] == 1) / outcome.places.count(1)
            rivals = [score for other, score in enumerate(outcome.scores) if other != seat]
            found.setdefault(label, []).append((won, outcome.scores[seat] - max(rivals)))
    return {label: tuple(np.mean(rows, axis=0).tolist()) for label, rows in found.items()}  # type: ignore[misc]


def correlations(
    regrets: Mapping[str, Regret], results: Mapping[str, tuple[float, float]]
) -> dict[str, tuple[float, float]]:
    """Pearson's and Spearman's coefficient of regret and match results, for wins and for points."""
    found = {}
    for which, name in enumerate(("share", "points")):
        x = np.array([getattr(regret, name)["all"].mean for regret in regrets.values()])
        y = np.array([results[player][which] for player in regrets])
        found[name] = float(np.corrcoef(x, y)[0, 1]), float(np.corrcoef(_ranks(x), _ranks(y))[0, 1])
    return found


def _ranks(values: np.ndarray) -> np.ndarray:
    """Ranks from 0; equal values share the mean of their ranks."""
    return np.array([((values < value).sum() + (values <= value).sum() - 1) / 2 for value in values])


def main() -> None:
    parser = argparse.ArgumentParser(description="Correlation of regret with match results.")
    parser.add_argument("regrets", type=Path, help="JSON of towers bench regret")
    parser.add_argument("games", type=Path, help="results file of towers arena")
    parser.add_argument("picture", type=Path, help="PNG file")
    args = parser.parse_args()
    figures = json.loads(args.regrets.read_text("utf-8"))
    results = match_results(args.games)
    measured = [read(Regret, each, "regret") for each in figures["regrets"]]
    regrets = {each.player: each for each in measured if each.player in results}
    title = f"{figures['game']}, {figures['players']} players"
    regret_picture(regrets, results, args.picture, title)
    for player, regret in sorted(regrets.items(), key=lambda item: item[1].share["all"].mean):
        won, lead = results[player]
        share, points = regret.share["all"], regret.points["all"]
        print(
            f"{player:32} {100 * share.mean:6.1f} ± {100 * share.error:.1f} % {points.mean:7.2f} ± {points.error:.2f} points"
            f" {100 * won:6.1f} % won {lead:+8.1f} points ahead"
        )
    for name, (pearson, spearman) in correlations(regrets, results).items():
        print(f"{title}, {name}: r = {pearson:.2f}, rank correlation {spearman:.2f} over {len(regrets)} players")


if __name__ == "__main__":
    main()
