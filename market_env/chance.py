"""Recording and replaying the chance outcomes of the market game.

===========================  ===========================================================
``circles wood brick …``     materials of the circles in play, market by market
``lists 4 0 …``              the list deck, shuffled, top first (numbers as in positions)
``cards levy permit …``      the deck of black-market cards, shuffled, top first
``draw player_0 green red``  tokens that a player drew, in order
``gem player_0 red``         a gem taken at random for a player
``die 3``                    the market finally shown by the die
``circle 2d``                where the NPC's material was laid
===========================  ===========================================================
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from market_env.actions import CIRCLE_NAMES
from market_env.components import CARDS, GEMS, MAX_LISTS, MAX_MARKETS, TOKENS
from market_env.draws import CIRCLE, CIRCLES, DIE, GEM, TOKEN
from market_env.record import CARD_DECK, LISTS
from market_env.rules import MarketRules
from market_env.state import MarketState
from tower_core.engine.batch_structs import MAX_SEATS
from tower_core.records import scripted
from tower_core.records.scripted import Row, ScriptError

_ALONE = (
    int(DIE),
    *range(int(GEM), int(GEM) + MAX_SEATS),
)  # one outcome per text; other outcomes share a text in a row
BEGINNINGS = {
    "lists": (int(LISTS), tuple(map(str, range(MAX_LISTS)))),
    "cards": (int(CARD_DECK), CARDS),
    "die": (int(DIE), tuple(map(str, range(1, MAX_MARKETS + 1)))),
    "circle": (int(CIRCLE), CIRCLE_NAMES),
    **{f"draw player_{seat}": (int(TOKEN) + seat, TOKENS) for seat in range(MAX_SEATS)},
    **{f"gem player_{seat}": (int(GEM) + seat, GEMS) for seat in range(MAX_SEATS)},
}
"""First words of the texts: the code of the outcome, and the names of its values."""
Table = dict[str, tuple[int, tuple[str, ...]]]


def deal(
    rules: MarketRules, num_players: int, seed: int, given: Sequence[str] | None = None
) -> tuple[MarketState, list[str]]:
    """The initial state for a seed, and the outcomes its stream draws; see tower_core.chance."""
    state = MarketState(num_players, rules, seed)
    return state, _with_texts(rules, given, lambda given: scripted.deal(state, seed, given))


def play(state: MarketState, action: int, given: Sequence[str] | None = None) -> list[str]:
    """Apply a legal action; see tower_core.chance."""
    return _with_texts(state.rules, given, lambda given: scripted.play(state, action, given))


def _with_texts(
    rules: MarketRules, given: Sequence[str] | None, run: Callable[[Sequence[Row] | None], list[Row]]
) -> list[str]:
    table: Table = {**BEGINNINGS, "circles": (int(CIRCLES), rules.components.materials)}
    rows = None if given is None else _rows(given, table)
    try:
        return _texts(run(rows), table)
    except ScriptError as error:
        if not rows or error.place >= len(rows):
            raise ValueError("a chance outcome is missing") from None
        raise ValueError(f"{_texts([rows[error.place]], table)[0]!r} is impossible here") from None


def _texts(rows: Sequence[Row], table: Table) -> list[str]:
    """Outcomes as texts: consecutive outcomes that differ only in value share one text."""
    begins = {code: (beginning, names) for beginning, (code, names) in table.items()}
    texts = []
    for code, group in groupby(rows, key=lambda row: row[0]):
        beginning, names = begins[code]
        values = [names[value] for _, value in group]
        parts = [[value] for value in values] if code in _ALONE else [values]
        texts += [" ".join((beginning, *part)) for part in parts]
    return texts


def _rows(texts: Sequence[str], table: Table) -> list[Row]:
    """The inverse of :func:`_texts`; ValueError for any other form."""
    rows: list[Row] = []
    for text in texts:
        words = text.split(" ")
        head = 2 if words[0] in ("draw", "gem") else 1
        beginning = " ".join(words[:head])
        if beginning not in table:
            raise ValueError(f"{text[:80]!r} is not a chance outcome: expected one of {', '.join(table)} first")
        code, names = table[beginning]
        for word in words[head:]:
            if word not in names:
                raise ValueError(f"{text[:80]!r}: {word[:40]!r} must be one of {', '.join(names)}")
            rows.append((code, names.index(word)))
    if _texts(rows, table) != list(texts):
        raise ValueError(f"{'; '.join(texts)[:80]!r} must be written {'; '.join(_texts(rows, table))[:80]!r}")
    return rows
