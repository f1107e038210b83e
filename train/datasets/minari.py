"""Datasets in the format of Minari: one episode for each seat of a game."""

from __future__ import annotations

import errno
import json
import os
import shutil
import warnings
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces

from tower_core.envs.spaces import ObservationFormat
from tower_core.game import Game
from train.datasets.games import Episode

_EPISODES = 200
"""Episodes in memory at once."""
_SPARE = 2**24
"""Bytes to leave for HDF5's own tables."""


def write_minari(
    folder: Path, name: str, game: Game, episodes: Iterable[Episode], description: dict[str, Any]
) -> tuple[int, int]:
    """Write dataset *name* below *folder*; returns the numbers of episodes and decisions.

    ModuleNotFoundError without Minari. Observations are ``{"observation": …, "action_mask": int8}``, as PettingZoo's. Options
    of an episode are its seat and score; ``description`` is under "towers" in the metadata of the dataset.
    """
    import minari
    from minari.data_collector import EpisodeBuffer

    form = ObservationFormat(game)
    mask = spaces.Box(0, 1, (game.num_actions,), np.int8)
    space = spaces.Dict({"observation": form.space, "action_mask": mask})

    def buffer(episode: Episode) -> Any:
        last = np.arange(len(episode.action)) == len(episode.action) - 1
        return EpisodeBuffer(
            seed=episode.seed,
            options={"seat": episode.seat, "score": episode.score, "utility": episode.utility},
            observations={
                "observation": form.read_many(episode.observation),
                "action_mask": episode.action_mask.astype(np.int8),
            },
            actions=episode.action,
            rewards=episode.reward,
            terminations=last & (not episode.truncated),
            truncations=last & episode.truncated,
        )

    def buffers(part: list[Episode]) -> list[Any]:
        size = sum(each.observation.nbytes + each.action_mask.nbytes + 16 * len(each.action) for each in part)
        if shutil.disk_usage(folder).free < 1.25 * size + _SPARE:  # HDF5 ends the process on a full disk
            raise OSError(errno.ENOSPC, f"no space left for the next {size / 1e6:.1f} MB of the dataset", str(folder))
        return [buffer(episode) for episode in part]

    before = os.environ.get("MINARI_DATASETS_PATH")
    os.environ["MINARI_DATASETS_PATH"] = str(folder.resolve())
    try:
        rest = iter(episodes)
        with warnings.catch_warnings(action="ignore", category=UserWarning):  # no author, no environment
            dataset = minari.create_dataset_from_buffers(
                name, buffers(list(islice(rest, _EPISODES))), observation_space=space,
                action_space=spaces.Discrete(game.num_actions), algorithm_name=description["player"],
                description=f"{game.title}: games of {description['player']} at every seat", jpeg_encoding=False,
            )  # fmt: skip
        while part := list(islice(rest, _EPISODES)):
            dataset.storage.update_episodes(buffers(part))
        dataset.storage.update_metadata({"towers": json.dumps(description)})
        loaded = minari.load_dataset(name)
    finally:
        if before is None:
            del os.environ["MINARI_DATASETS_PATH"]
        else:
            os.environ["MINARI_DATASETS_PATH"] = before
    return loaded.total_episodes, loaded.total_steps
