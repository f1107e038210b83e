"""Rules in one text: a preset's name, also with fields."""

from __future__ import annotations

import pytest

from market_env import MarketRules, MarketState
from market_env.rules import resolve as market
from market_env.rules import solo_levels
from torres_env import TorresRules, TorresState
from torres_env.rules import resolve as torres


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
        ("standard:draw_choice=many", "draw_choice must be a whole number"),
        ("chess:doors=straight", "unknown preset 'chess'"),
    ],
)
def test_complaints(text, told):
    with pytest.raises(ValueError, match=told):
        torres(text)


def test_levels_of_the_solo_game():
    levels = solo_levels(MarketRules.preset("solo"))
    assert [(name, rules.solo_npc_towers) for name, rules in levels.items()] == [
        ("NPC to 3", 3), ("NPC to 2", 2), ("NPC to 1", 1),
    ]  # fmt: skip
    assert solo_levels(MarketRules()) == {}
