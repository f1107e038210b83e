"""The default component set has no symmetry: its markets, gems and materials can't be exchanged for each other."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

from market_env.component_files import default_components

COMPONENTS = default_components()


def test_no_market_is_another_with_other_gems():
    """Already the prices of the circles differ, whatever gems are exchanged."""
    prices = [[circle.price for circle in market.circles] for market in COMPONENTS.markets]
    original = [Counter(market) for market in prices]
    for gems in permutations(range(3)):
        images = [Counter(tuple(price[gem] for gem in gems) for price in market) for market in prices]
        same = {(i, j) for i, image in enumerate(images) for j, market in enumerate(original) if image == market}
        assert same == ({(i, i) for i in range(len(prices))} if gems == (0, 1, 2) else set())


def test_no_material_is_another():
    """No exchange of materials keeps the building lists."""
    order, lists = range(len(COMPONENTS.materials)), Counter(COMPONENTS.lists)
    kept = [p for p in permutations(order) if Counter(tuple(need[i] for i in p) for need in COMPONENTS.lists) == lists]
    assert kept == [tuple(order)]
