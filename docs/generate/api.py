"""The reference of the public names, from their signatures and docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import tower_core.records

SECTIONS: dict[str, dict[str, str]] = {
    "state": {"TorresState, MarketState": "tower_core.state:State"},
    "environments": {
        "torres_v0.raw_env, market_v0.raw_env": "tower_core.envs.aec:TowerAEC",
        "torres_v0.env, market_v0.env": "tower_core.envs.checked_aec:CheckedAEC",
        'gymnasium.make("torres_env/Torres-v0")': "tower_core.envs.gym:TowerEnv",
        'gymnasium.make_vec("torres_env/Torres-v0")': "tower_core.envs.vector_env:TowerVectorEnv",
    },
    "batch": {
        "TorresBatch, MarketBatch": "tower_core.envs.batch:Batch",
        "tower_core.envs.spaces.flat_row": "tower_core.envs.spaces:flat_row",
    },
    "players": {
        "towers.agents.make": "agents:make",
        "towers.agents.names": "agents:names",
        "towers.agents.register": "agents:register",
        "towers.agents.search.playouts.random_playouts": "agents.search.playouts:random_playouts",
        "towers.agents.Player": "tower_core.players.protocol:Player",
        "tower_core.players.protocol.RowsPlayer": "tower_core.players.protocol:RowsPlayer",
        "tower_core.players.protocol.Native": "tower_core.players.protocol:Native",
        "tower_core.players.protocol.mover_view": "tower_core.players.protocol:mover_view",
        "tower_core.players.asking.PlayerError": "tower_core.players.asking:PlayerError",
    },
    "training": {
        "towers.train.fit": "train:fit",
        "towers.train.vec_env.TowersVecEnv": "train.vec_env:TowersVecEnv",
        "towers.train.rewards.Games": "train.rewards:Games",
        "towers.train.rewards.potential": "train.rewards:potential",
        "towers.train.behaviour_cloning.imitate": "train.behaviour_cloning:imitate",
        "towers.train.config.TrainArgs": "train.config:TrainArgs",
        "towers.train.run.Run": "train.run:Run",
        "towers.train.datasets.Decisions": "train.datasets:Decisions",
        "towers.train.evaluate.evaluate": "train.evaluate:evaluate",
        "towers.train.evaluate.evaluate_all": "train.evaluate:evaluate_all",
        "towers.train.evaluate.policy_chooser": "train.evaluate:policy_chooser",
        "towers.train.checkpoint.find": "train.checkpoint:find",
        "towers.train.checkpoint.load_policy": "train.checkpoint:load_policy",
        "train.export.export_onnx": "train.export:export_onnx",
        "towers.train.plots.curve_picture": "train.plots:curve_picture",
        "towers.train.plots.seeds_picture": "train.plots:seeds_picture",
        "towers.train.plots.arena_picture": "train.plots:arena_picture",
        "towers.train.plots.points_picture": "train.plots:points_picture",
    },
    "arena": {
        "towers.train.arena.ArenaSettings": "train.arena.settings:ArenaSettings",
        "towers.train.arena.run_arena": "train.arena.run:run_arena",
        "towers.train.arena.tally": "train.arena.tally:tally",
        "towers.train.arena.Tally": "train.arena.tally:Tally",
        "towers.train.arena.results.read_results": "train.arena.results:read_results",
        "towers.train.arena.benchmarks.benchmark": "train.arena.benchmarks:benchmark",
        "towers.train.arena.benchmarks.benchmark_settings": "train.arena.benchmarks:benchmark_settings",
    },
    "records": {f"tower_core.records.{name}": f"tower_core.records:{name}" for name in tower_core.records.__all__},
    "kit": {
        "tower_core.game.Game": "tower_core.game:Game",
        "tower_core.actions.Verb": "tower_core.actions:Verb",
        "tower_core.actions.ActionTable": "tower_core.actions:ActionTable",
        "tower_core.observation.Block": "tower_core.observation:Block",
        "tower_core.observation.Layout": "tower_core.observation:Layout",
        "tower_core.observation.Part": "tower_core.observation:Part",
        "tower_core.options.Rules": "tower_core.options:Rules",
        "tower_core.kernels.implement": "tower_core.kernels:implement",
        "tower_core.envs.faces.make_faces": "tower_core.envs.faces:make_faces",
        "tower_core.testing.setups_of": "tower_core.testing:setups_of",
        "tower_core.testing.run_check": "tower_core.testing:run_check",
        "tower_core.testing.check_game": "tower_core.testing:check_game",
    },
}
"""Titles and places of the names of each part of docs/api.md."""


def section(name: str) -> str:
    """The entries of a section."""
    return "\n".join(_entry(title, place) for title, place in SECTIONS[name].items())


def _entry(title: str, place: str) -> str:
    module, _, name = place.partition(":")
    item = getattr(import_module(module), name)
    lines = [f"### {title}"]
    if not getattr(item, "_is_protocol", False):
        lines.append(f"```py\n{_signature(name, item)}\n```")  # "python" is for blocks that run
    lines.append(_prose(inspect.getdoc(item) or ""))
    if inspect.isclass(item) and (members := [f"- {member}" for member in _members(item)]):
        lines.append("\n".join(members))
    return "\n\n".join(lines) + "\n"


def _signature(name: str, item: Any, bound: bool = False) -> str:
    try:
        signature = inspect.signature(item)
    except ValueError:
        return name
    values = [value for value in signature.parameters.values() if not value.name.startswith("_")][1 if bound else 0 :]
    parts = [re.sub(r"<.*>$", "…", re.sub(r": '(.*?)'(?= = |$)", r": \1", str(value))) for value in values]
    kinds = [value.kind for value in values]
    if inspect.Parameter.KEYWORD_ONLY in kinds and inspect.Parameter.VAR_POSITIONAL not in kinds:
        parts.insert(kinds.index(inspect.Parameter.KEYWORD_ONLY), "*")
    if inspect.Parameter.POSITIONAL_ONLY in kinds:
        parts.insert(len(kinds) - kinds[::-1].index(inspect.Parameter.POSITIONAL_ONLY), "/")
    result = signature.return_annotation
    after = "" if result in (inspect.Signature.empty, None) or inspect.isclass(item) else f" -> {result}"
    line = f"{name}({', '.join(parts)}){after}"
    return line if bound or len(line) <= 110 else f"{name}(\n    " + ",\n    ".join(parts) + f",\n){after}"


def _members(kind: type[Any]) -> Iterator[str]:
    """The documented public methods and properties of a class of this suite, in the order of its source."""
    for name, member in vars(kind).items():
        function = member.__func__ if isinstance(member, (classmethod, staticmethod)) else member
        if name.startswith("_") or name in getattr(kind, "__dataclass_fields__", ()) or not function.__doc__:
            continue
        text = " ".join(_prose(inspect.getdoc(function) or "").split())
        if isinstance(member, property):
            yield f"`{name}`: {text}"
        elif inspect.isfunction(function):
            yield f"`{_signature(name, function, not isinstance(member, staticmethod))}`: {text}"


def _prose(text: str) -> str:
    """A docstring as Markdown."""
    text = re.sub(r":\w+:`~?([^`]+)`", r"`\1`", text).replace("``", "`")
    text = re.sub(r"(?m)^=+ .*=\n(.+\n)=+ .*=\n((?:.+\n)+?)=+ .*=$", _table, text)
    return re.sub(
        r"::\n\n((?:    .*(?:\n|$)|\n)+)", lambda m: ":\n\n```py\n" + inspect.cleandoc(m[1]) + "\n```\n", text
    )


def _table(match: re.Match[str]) -> str:
    rows = [re.split(r" {2,}", line.strip()) for line in (match[1] + match[2]).splitlines()]
    rows.insert(1, ["---"] * len(rows[0]))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


TABLES: dict[str, Callable[[], str]] = {
    f"api-{name}": (lambda name=name: section(name))  # type: ignore[misc]
    for name in SECTIONS
}
