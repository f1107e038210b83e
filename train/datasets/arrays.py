"""Datasets as plain NumPy files: a description in JSON, and compressed arrays in parts."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import count, islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tower_core.game import Game
from tower_core.registry import get_game
from train.datasets.games import Episode

FORMAT = 1
DESCRIPTION = "dataset.json"
_ARRAYS = ("observation", "action_mask", "action", "reward", "seed", "seat", "truncated", "score", "utility")
_EPISODES = 200
"""Episodes in one file."""


def write_arrays(folder: Path, episodes: Iterable[Episode], description: dict[str, Any]) -> int:
    """Write episodes into *folder*; returns the number of decisions. The description is written last.

    Rows are the decisions of an episode followed by its end, which has action -1 and reward 0.
    """
    decisions, numbers = 0, count()
    rest = iter(episodes)
    while part := list(islice(rest, _EPISODES)):
        lengths = np.array([len(episode.action) + 1 for episode in part])
        per_row: dict[str, Any] = {
            name: np.repeat([getattr(episode, name) for episode in part], lengths)
            for name in ("seed", "seat", "truncated", "score", "utility")
        }
        np.savez_compressed(
            folder / f"{next(numbers):05}.npz",
            observation=np.concatenate([episode.observation for episode in part]),
            action_mask=np.packbits(np.concatenate([episode.action_mask for episode in part]), axis=1),
            action=np.concatenate([np.append(episode.action, -1) for episode in part]).astype(np.int16),
            reward=np.concatenate([np.append(episode.reward, 0) for episode in part]).astype(np.float32),
            **per_row,
        )
        decisions += int(lengths.sum()) - len(part)
    text = json.dumps({"format": FORMAT, **description, "decisions": decisions}, indent=1)
    (folder / DESCRIPTION).write_text(text + "\n", "utf-8")
    return decisions


def _read(folder: Path) -> dict[str, NDArray[Any]]:
    """The arrays of all parts. ValueError if one can't be read."""
    parts: list[dict[str, NDArray[Any]]] = []
    for path in sorted(folder.glob("*.npz")):
        try:
            with np.load(path, allow_pickle=False) as part:
                parts.append({name: part[name] for name in _ARRAYS})
        except Exception as error:  # NumPy raises many kinds for damaged files
            raise ValueError(f"{path} is damaged: it can't be read") from error
    try:
        return {name: np.concatenate([part[name] for part in parts]) for name in _ARRAYS}
    except ValueError as error:
        raise ValueError(f"{folder} is damaged: its files don't belong together") from error


class Decisions:
    """A dataset of plain arrays in memory; ``len()`` is the number of decisions.

    ``description`` has game, rules, players, player, reward and seeds. ValueError for a folder that is not a complete dataset.
    """

    def __init__(self, folder: str | Path) -> None:
        folder = Path(folder)
        try:
            self.description: dict[str, Any] = json.loads((folder / DESCRIPTION).read_text("utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise ValueError(f"{folder} is not a complete dataset: {DESCRIPTION} can't be read") from error
        if not isinstance(self.description, dict) or self.description.get("format") != FORMAT:
            raise ValueError(f"{folder} has a format that this version can't read")
        self.game: Game = get_game(str(self.description.get("game")))
        self.rows: dict[str, NDArray[Any]] = _read(folder)
        self._must_fit(folder)
        self._decisions = np.flatnonzero(self.rows["action"] >= 0)
        if len(self) != self.description.get("decisions"):
            raise ValueError(f"{folder} is damaged: {len(self)} decisions, not {self.description.get('decisions')}")

    def _must_fit(self, folder: Path) -> None:
        """ValueError for arrays that are not those of the game."""
        rows, game = self.rows, self.game
        count = len(rows["action"])
        shapes: dict[str, tuple[int, ...]] = dict.fromkeys(_ARRAYS, (count,))
        shapes |= {"observation": (count, game.observation_size), "action_mask": (count, -(-game.num_actions // 8))}
        for name, shape in shapes.items():
            kinds = "u" if len(shape) == 2 else "biuf"
            if rows[name].shape != shape or rows[name].dtype.kind not in kinds:
                found = f"{rows[name].dtype} of shape {rows[name].shape}"
                raise ValueError(f"{folder} is damaged: {name} is {found}, but {game.name} needs the shape {shape}")
        action = rows["action"]
        if not count or action.dtype.kind != "i" or action[-1] != -1 or not (action < game.num_actions).all():
            raise ValueError(f"{folder} is damaged: its actions are not those of complete games of {game.name}")

    def __len__(self) -> int:
        return len(self._decisions)

    def __getitem__(self, places: Any) -> dict[str, NDArray[Any]]:
        """The decisions at *places* (int [B], or a slice).

        Observations uint8 [B, size] and masks bool [B, num_actions], each also of the seat's next decision; action, reward,
        seat, seed; ``done``: the game ended before its next decision; ``utility`` and ``score``: what it came to.
        """
        now = self._decisions[places]
        following = now + 1
        return {
            "observation": self.rows["observation"][now],
            "action_mask": self._masks(now),
            "action": self.rows["action"][now].astype(np.int64),
            "reward": self.rows["reward"][now],
            "next_observation": self.rows["observation"][following],
            "next_action_mask": self._masks(following),
            "done": self.rows["action"][following] < 0,
            **{name: self.rows[name][now] for name in ("seat", "seed", "truncated", "score", "utility")},
        }

    def sample(self, random: np.random.Generator, size: int) -> dict[str, NDArray[Any]]:
        """*size* decisions drawn uniformly, with replacement."""
        return self[random.integers(len(self), size=size)]

    def _masks(self, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        return np.unpackbits(self.rows["action_mask"][rows], axis=1, count=self.game.num_actions).astype(np.bool_)
