"""What do the documents tell of the faces that games share: actions, rewards, positions, batches, hooks?

What a thing means is told in words by the game's file or here; which things there are comes from the code, and an
assertion stops the run where words and code are no longer about the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from docs.generate.markdown import table
from torres_env import TorresBatch
from tower_core.engine import hooks as hooks_module
from tower_core.envs.batch import _BUFFERS
from tower_core.game import Game


def actions(game: Game, cards: Sequence[str], verbs: str, notes: str) -> str:
    """The game's table of actions, and the numbers of its cards."""
    numbers = ", ".join(f"{i} `{card}`" for i, card in enumerate(cards))
    return game.actions.to_markdown() + (
        f"\nThere are {game.num_actions} actions. {notes} Numbers of cards, to be added to the first number of {verbs}: "
        f"{numbers}.\n"
    )


def rewards(game: Game, meanings: Mapping[str, str]) -> str:
    assert set(game.rewards) == set(meanings), "the rewards have changed: describe them"
    rows = [
        [f"`{name}`", "as it happens" if name in game.dense_rewards else "at the end", meanings[name]]
        for name in game.rewards
    ]
    return table(["`reward`", "paid", "what"], rows)


def position(game: Game, meanings: Mapping[str, str]) -> str:
    keys = list(game.state_class()().position())
    assert set(keys) == set(meanings), "positions have changed: describe them"
    return table(["key", "value"], [[f"`{key}`", meanings[key]] for key in keys])


_BATCH_ARRAYS = {
    "actions": "the actions of the next step; `sample_actions()` fills it",
    "observation": "what the seat to move sees, as one flat row",
    "action_mask": "1 where an action is legal for the seat to move",
    "to_move": "seat to move",
    "reward": "of every seat, for the last step",
    "done": "the game ended in the last step",
    "truncated": "it ended by its limit of turns",
    "final_observation": "rows of games that ended: the end as the learner sees it (seat 0 where every seat is asked)",
    "final_score": "rows of games that ended: points of every seat",
    "final_utility": "rows of games that ended: utilities of every seat, whatever `reward` pays",
}


def batch_arrays() -> str:
    assert set(_BUFFERS) == set(_BATCH_ARRAYS), "the arrays of a batch have changed: describe them in _BATCH_ARRAYS"
    batch = TorresBatch(num_envs=5, num_players=3)
    size, actions = batch.observation.shape[1], batch.action_mask.shape[1]
    names = {5: "N", 3: "players", size: "size", actions: "num_actions"}
    rows = []
    for name, meaning in _BATCH_ARRAYS.items():
        array = getattr(batch, name)
        rows.append([f"`{name}`", f"{array.dtype} [{', '.join(names[n] for n in array.shape)}]", meaning])
    return table(["array", "type", "meaning"], rows)


def hooks() -> str:
    rows = re.findall(r"^(``.+?``) +(.+)$", hooks_module.__doc__ or "", re.MULTILINE)
    names = {call.strip("`").split("(")[0] for call, _ in rows}
    assert names == set(hooks_module._HOOKS), "the text of tower_core.engine.hooks doesn't tell of every hook"
    return table(["hook", "what it does"], [[call.replace("``", "`"), meaning] for call, meaning in rows])
