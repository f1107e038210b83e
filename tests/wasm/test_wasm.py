"""The kernels as WebAssembly, in Node: every record of replayed games and every choice of players as natively."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tower_core.players.native_player import NativePlayer
from tower_core.players.specs import make_player
from tower_core.registry import get_game

FOLDER = Path(__file__).resolve().parent
PLAYERS = ("random", "passive", "greedy", "planner")


def played(game, count):
    """Random games under all presets and numbers of players, and choices of players on the way."""
    games, choices = [], []
    kinds = [(players, preset) for preset in game.presets for players in game.seats]
    for i in range(count):
        players, preset = kinds[i % len(kinds)]
        try:
            state = game.state_class()(players, preset, seed=i)
        except ValueError:  # a preset for other numbers of players
            continue
        first, random = state._record.tobytes().hex(), make_player("random", game, i)
        while not state.is_terminal():
            if len(state.history()) % 60 == 7:
                player = make_player(PLAYERS[len(choices) % len(PLAYERS)], game, i)
                assert isinstance(player, NativePlayer)
                choices.append(
                    {"player": player.name, "name": player._compiled.name, "record": state._record.tobytes().hex(),
                     "stream": player._stream.tobytes().hex(), "options": player._options.tobytes().hex(),
                     "action": player.act(state)}
                )  # fmt: skip
            state.apply_action(random.act(state))
        games.append({"first": first, "actions": state.history(), "last": state._record.tobytes().hex()})
    return {"rules": f"rules.{game.name}", "size": game.record.itemsize, "played": games, "choices": choices}


@pytest.mark.parametrize("name", ["torres", "market"])
def test_games_in_node_are_the_native_ones(name, tmp_path):
    game = get_game(name)
    module, games = tmp_path / "game.wasm", tmp_path / "games.json"
    subprocess.run([sys.executable, "-m", "tower_core.ahead", name, "--wasm", str(module)], check=True)
    expected = played(game, 100)
    games.write_text(json.dumps(expected))
    done = subprocess.run(
        ["node", str(FOLDER / "replay.mjs"), str(module), str(games)], capture_output=True, text=True, check=True
    )
    found = json.loads(done.stdout)
    print(name, module.stat().st_size, found)
    assert (found["games"], found["choices"]) == (len(expected["played"]), len(expected["choices"]))
    assert found["moves"] > 5_000 and found["choices"] > 80
    assert (found["records"], found["other"]) == (0, {})
