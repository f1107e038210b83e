"""Play by text alone: the text holds every legal move, in few characters, and wrong answers are asked for again."""

from __future__ import annotations

import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

from market_env import MarketState
from torres_env import TorresState
from tower_core.players.specs import make_player

PATH = Path(__file__).resolve().parents[2] / "examples" / "text_agent.py"
EXAMPLE = SimpleNamespace(**runpy.run_path(str(PATH)))
# The second: characters at most, as a part of those of a terminal's board and a line for each legal action.
STARTS = [
    (TorresState(seed=3), 0.35),
    (TorresState(4, "digest_master", seed=3), 0.55),
    (MarketState(3, "full", seed=3), 0.85),
    (MarketState(rules="solo", seed=3), 0.85),
]


@pytest.mark.parametrize(("start", "part"), STARTS)
def test_the_text_holds_every_legal_move(start, part):
    state, player = start.clone(), make_player("random", start.game, 1)
    shown = plain = 0
    while not state.is_terminal():
        seat = state.current_player()
        text = state.to_text(seat)
        moves = EXAMPLE.moves_in(text)
        assert sorted(state.string_to_action(move) for move, _ in moves) == state.legal_actions()
        assert all(meaning for _, meaning in moves)
        others = [other for other in range(state.num_players) if other != seat]
        assert not any("Legal moves" in state.to_text(other) for other in others)
        shown += len(text)
        position = state.position(seat)
        lines = [f"{move}: {state.game.actions.describe(move, position)}" for move, _ in moves]
        plain += len(state.board_text(seat)) + len("\n".join(lines))
        state.apply_action(player.act(state))
    assert "Legal moves" not in state.to_text(0)
    assert shown < part * plain


def test_moves_of_one_meaning_share_a_line():
    state = TorresState(seed=3)
    assert state.to_text(0).splitlines()[-2:] == [
        "Legal moves:",
        "N X: a new knight on X; X = d1 c3 f3 h4 a5 c6 f6 e8",
    ]
    for move in ("N d1", "N f3", "K h4"):
        state.apply_action(state.string_to_action(move))
    state.apply_action(state.string_to_action("M d1 c1"))
    lines = state.to_text(0).splitlines()
    assert lines[0] == "Phase 1, round 1: player_0 (A) to move, 4 AP, 3 blocks"
    assert lines[8] == "1 . . .A 1 . . . ."
    assert lines[-1] == "M X Y: move the knight from X to Y (1 AP); X Y = c1: b1 d1 e1 c2 d2"
    assert "END: end the turn: 4 AP left score 4" in lines


@pytest.mark.parametrize("answer", ["m D1 c1", "I move.\n`M d1 c1`", "**M d1 c1.**\n"])
def test_answers_that_are_understood(answer):
    state = TorresState(seed=3)
    for move in ("N d1", "N f3", "K h4"):
        state.apply_action(state.string_to_action(move))
    agent = EXAMPLE.TextPlayer(lambda prompt: answer)
    assert state.action_to_string(agent.act(state)) == "M d1 c1"
    assert agent.wrong == []


def test_wrong_answers_are_asked_for_again_with_the_reason():
    state, prompts = TorresState(seed=3), []
    answers = iter(["N a1", "", "N c3"])

    def answer(prompt):
        prompts.append(prompt)
        return next(answers)

    agent = EXAMPLE.TextPlayer(answer)
    assert state.action_to_string(agent.act(state)) == "N c3"
    assert prompts[1].startswith(prompts[0])
    assert "Your answer was 'N a1'. N a1 is not legal here: " in prompts[1]
    assert "Your answer was ''. unknown action ''" in prompts[2]
    stubborn = EXAMPLE.TextPlayer(lambda prompt: "N a1")
    assert stubborn.act(state) == state.legal_actions()[0]
    assert len(stubborn.wrong) == 3


@pytest.mark.parametrize("name", ["torres", "market"])
def test_the_script_plays(name, capsys):
    EXAMPLE.main(name, "random", "2")
    won, wrong = capsys.readouterr().out.splitlines()[-2:]
    assert won.endswith("of 2 games won against random")
    assert int(wrong.split()[0]) > 10
