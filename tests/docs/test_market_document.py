"""The document of the market game tells of the code: sections, tables in the code's order, pictures, numbers."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MARKET = (ROOT / "docs" / "market.md").read_text("utf-8")


def first_column(section: str) -> list[str]:
    """Names in the first column of the tables after a heading."""
    body = MARKET.split(f"\n## {section}\n")[1].split("\n## ")[0].split("\n# ")[0]
    return re.findall(r"^\| `([\w-]+)` \|", body, re.MULTILINE)


def test_sections_have_the_numbers_that_the_code_refers_to():
    assert [int(number) for number in re.findall(r"^## (\d+)\. ", MARKET, re.MULTILINE)] == list(range(1, 13))


def test_tables_stand_in_the_code_s_order():
    from market_env.actions import APPRENTICES, CARDS

    assert tuple(first_column("4. Actions")) == CARDS
    assert tuple(first_column("7. Apprentices")) == APPRENTICES


def test_every_field_of_a_position_is_told():
    from market_env import MarketState

    assert first_column("Positions") == list(MarketState().position())


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_picture_is_an_svg(theme):
    root = ElementTree.parse(ROOT / "docs" / "images" / f"market-{theme}.svg").getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"


def test_the_numbers_in_the_text():
    from market_env import MarketRules
    from market_env.actions import ACTIONS, NUM_ACTIONS
    from market_env.components import MIN_LISTS

    assert f"| actions | {NUM_ACTIONS}, " in MARKET
    assert ACTIONS.parse("BUY 2d") == 32
    assert MIN_LISTS == 4
    components = MarketRules().components
    given = {
        "towers_to_win": 3,
        "draw": 3,
        "draw_if_idle": 2,
        "lists_after_building": 3,
        "jail_gems": 3,
        "steal_gems": 2,
    }
    assert {name: components.rule(name) for name in given} == given
    assert sum(components.token_counts[:3]) == 90
    assert components.token_counts[3] == 10
    assert components.markets_by_seats == (4, 5, 6)
