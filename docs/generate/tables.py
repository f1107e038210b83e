"""The tables of all games: options, presets, actions, observation, rewards, positions; batches and hooks.

Entries come from the code, their meanings from the game's module or from here; an assertion checks that they match.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import partial

from tower_core.engine import hooks as hooks_module
from tower_core.envs.batch import _BUFFERS
from tower_core.game import Game
from tower_core.observation import Part
from tower_core.registry import usable_games
from towers.game_facts import code, markdown_table, option_rows


@dataclass(frozen=True)
class Words:
    """Texts that are not in a game's code: meanings of rewards and position keys, values and defaults of options, by name."""

    rewards: Mapping[str, str]
    position: Mapping[str, str]
    values: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, str] = field(default_factory=dict)
    actions: str = ""
    """A remark on the actions."""


_MOST_WORDS = 16


def tables(game: Game, words: Words) -> dict[str, Callable[[], str]]:
    """The tables of a game by name."""
    return {
        "options": lambda: markdown_table(
            ["field", "values", "default", "meaning"], option_rows(game.rules, words.values, words.defaults)
        ),
        "presets": lambda: presets(game),
        "actions": lambda: actions(game, words.actions),
        **{part.name: partial(observation, part) for part in game.observation},
        "rewards": lambda: rewards(game, words.rewards),
        "position": lambda: position(game, words.position),
    }


def presets(game: Game) -> str:
    """The options in which presets differ, bold where they differ from the default."""
    plain, known = game.rules(), game.rules.presets().values()
    rows = []
    for option in fields(game.rules):
        usual = getattr(plain, option.name)
        values = [getattr(rules, option.name) for rules in known]
        if any(value != usual for value in values):
            rows.append([f"`{option.name}`", *(code(v) if v == usual else f"**{code(v)}**" for v in values)])
    return markdown_table(["field", *(f"`{name}`" for name in game.presets)], rows)


def actions(game: Game, remark: str) -> str:
    """The actions, a remark, and the numbers of arguments that are words, where there are few."""
    verbs: dict[tuple[str, ...], list[str]] = {}
    for verb in game.actions.verbs:
        for words in verb.arguments:
            if len(words) <= _MOST_WORDS and not all(word.isdecimal() for word in words):
                verbs.setdefault(tuple(words), []).append(f"`{verb.name}`")
    lines = [
        f"- {', '.join(dict.fromkeys(names))}: {', '.join(f'{i} `{word}`' for i, word in enumerate(words))}"
        for words, names in verbs.items()
    ]
    count = f"There are {game.num_actions} actions.{remark and f' {remark}'}"
    more = " An action's number is the first number of its verb plus the place of its argument:\n" if lines else ""
    return "\n".join([game.actions.to_markdown(), count + more, *lines]) + "\n"


def observation(part: Part) -> str:
    """The blocks of one part of an observation."""
    index = "index" if len(part.shape) == 1 else "plane"
    return f"{part.layout.to_markdown(index)}\n`{part.name}` is uint8 {list(part.shape)}: {part.size} bytes.\n"


def rewards(game: Game, meanings: Mapping[str, str]) -> str:
    assert set(game.rewards) == set(meanings), "the rewards have changed: describe them"
    rows = [
        [f"`{name}`", "as it happens" if name in game.dense_rewards else "at the end", meanings[name]]
        for name in game.rewards
    ]
    return markdown_table(["`reward`", "paid", "what"], rows)


def position(game: Game, meanings: Mapping[str, str]) -> str:
    keys = list(game.state_class()().position())
    assert set(keys) == set(meanings), "positions have changed: describe them"
    return markdown_table(["key", "value"], [[f"`{key}`", meanings[key]] for key in keys])


_BATCH_ARRAYS = {
    "actions": "the actions of the next step; `sample_actions()` fills it",
    "observation": "what the seat to move sees, as one flat row",
    "action_mask": "1 where an action is legal for the seat to move",
    "to_move": "seat to move",
    "reward": "of every seat, for the last step",
    "done": "the game ended in the last step",
    "truncated": "it ended by its limit of turns",
    "final_observation": "rows of games that ended: the final position as the learner sees it (seat 0 without a learner)",
    "final_score": "rows of games that ended: points of every seat",
    "final_utility": "rows of games that ended: utilities of every seat, whatever `reward` pays",
}


def batch_arrays() -> str:
    assert set(_BUFFERS) == set(_BATCH_ARRAYS), "the arrays of a batch have changed: describe them in _BATCH_ARRAYS"
    game = next(game for game in usable_games()[0] if 3 in game.seats)
    batch = game.batch_class()(num_envs=5, num_players=3)
    size, actions = batch.observation.shape[1], batch.action_mask.shape[1]
    names = {5: "N", 3: "players", size: "size", actions: "num_actions"}
    rows = []
    for name, meaning in _BATCH_ARRAYS.items():
        array = getattr(batch, name)
        rows.append([f"`{name}`", f"{array.dtype} [{', '.join(names[n] for n in array.shape)}]", meaning])
    return markdown_table(["array", "type", "meaning"], rows)


def hooks() -> str:
    rows = re.findall(r"^(``.+?``) +(.+)$", hooks_module.__doc__ or "", re.MULTILINE)
    names = {call.strip("`").split("(")[0] for call, _ in rows}
    assert names == set(hooks_module._HOOKS), "the docstring of tower_core.engine.hooks must describe every hook"
    return markdown_table(["hook", "what it does"], [[call.replace("``", "`"), meaning] for call, meaning in rows])
