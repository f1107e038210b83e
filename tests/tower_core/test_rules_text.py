"""Rules in one text: a preset's name, also with fields."""

from __future__ import annotations

import pytest

from market_env import MarketRules, MarketState
from market_env.rules import resolve as market
from market_env.rules import solo_levels
from torres_env import TorresBatch, TorresRules, TorresState, torres_v0
from torres_env.game import GAME

torres = GAME.resolve_rules


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("standard", TorresRules()),
        ("standard:doors=straight", TorresRules(doors="straight")),
        ("classic:draw_choice=2,buys_per_turn=null", TorresRules.preset("classic", draw_choice=2, buys_per_turn=None)),
        ("standard:card_list=[], unique_scores=false", TorresRules(card_list=(), unique_scores=False)),
        (
            'standard:stacks=[[2,3],[2,2],[1]],starting_cells=["a1","c3","h8"]',
            TorresRules(stacks=((2, 3), (2, 2), (1,)), starting_cells=("a1", "c3", "h8")),
        ),
        ("standard:unique_scores=False,buys_per_turn=None", TorresRules(unique_scores=False, buys_per_turn=None)),
        ("standard:doors='straight'", TorresRules(doors="straight")),
        ("standard:card_list=(ap6, 'jump', \"door\",)", TorresRules(card_list=("ap6", "jump", "door"))),
        ("standard:stacks=((2,3),(2,2),(1,)),max_stack=3", TorresRules(stacks=((2, 3), (2, 2), (1,)))),
        ('{"card_list": [], "draw_choice": 1}', TorresRules(card_list=(), draw_choice=1)),
        (" {'doors': 'straight', unique_scores: False}", TorresRules(doors="straight", unique_scores=False)),
        ("{}", TorresRules()),
    ],
)
def test_torres(text, rules):
    assert torres(text) == rules
    assert TorresState(2, text).rules == rules


def test_market():
    assert market("solo:solo_npc_towers=1,max_turns=9") == MarketRules.preset("solo", solo_npc_towers=1, max_turns=9)
    assert MarketState(rules="solo:solo_npc_towers=2").rules.solo_npc_towers == 2


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("standard:", "preset:field=value"),
        ("standard:doors", "preset:field=value"),
        ("standard:=3", "preset:field=value"),
        ("standard:gates=straight", "gates"),
        ("standard:doors=round", "doors must be one of"),
        ("standard:draw_choice=many", "draw_choice must be an integer"),
        ("chess:doors=straight", "unknown preset 'chess'"),
        ("", "unknown preset ''"),
        (":doors=straight", "unknown preset ''"),
        ("standard:doors=straight,doors=connected", "doors is given twice"),
        ("standard:unique_scores=no", "unique_scores must be True or False"),
        ("standard:draw_choice=nan", "draw_choice must be an integer"),
        ("standard:draw_choice=" + "9" * 5000, "draw_choice must be an integer"),
        ("{doors", "rules must be a dict such as"),
        ("{" * 10**5, "rules must be a dict such as"),
        ("{'gates': 1}", "unknown field 'gates'"),
        ("[1]", "unknown preset"),
    ],
)
def test_complaints(text, told):
    with pytest.raises(ValueError, match=told):
        torres(text)


def test_every_face_takes_the_notation():
    text, rules = "classic:unique_scores=False", TorresRules.preset("classic", unique_scores=False)
    assert torres_v0.raw_env(rules=text).rules == TorresBatch(1, rules=text).rules == rules
    position = TorresState().position() | {"rules": text}
    assert TorresState.from_position(position).rules == rules


def test_only_the_user_may_name_a_file():
    text = "base:components=/etc/passwd"
    with pytest.raises(ValueError, match="is not a valid TOML file"):
        market(text)
    for outside in (text, "{'components': '/etc/passwd'}", {"components": "/etc/passwd"}):
        with pytest.raises(ValueError, match="not the name of a file"):
            MarketRules.from_outside(outside)
        with pytest.raises(ValueError, match="^rules: .*not the name of a file"):
            MarketState.from_position(MarketState().position() | {"rules": outside})


def test_levels_of_the_solo_game():
    levels = solo_levels(MarketRules.preset("solo"))
    assert [(name, rules.solo_npc_towers) for name, rules in levels.items()] == [
        ("NPC to 3", 3), ("NPC to 2", 2), ("NPC to 1", 1),
    ]  # fmt: skip
    assert solo_levels(MarketRules()) == {}
