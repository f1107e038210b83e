"""The sections "Where the texts leave it open" and the options are in step."""

from __future__ import annotations

import ast
import re
from dataclasses import fields
from pathlib import Path

import pytest

from market_env import MarketRules
from market_env.rules import PRESETS as MARKET_PRESETS
from torres_env import TorresRules
from torres_env.rules import PRESETS as TORRES_PRESETS

DOCS = Path(__file__).resolve().parents[2] / "docs"
GAMES = {"torres": (TorresRules, TORRES_PRESETS), "market": (MarketRules, MARKET_PRESETS)}
MARKS = {"text", "reading", "published", "reconstructed"}


def section(game: str) -> str:
    text = (DOCS / f"{game}.md").read_text("utf-8")
    return text.split("\n## Where the texts leave it open\n")[1].split("\n# ")[0]


def rows(game: str) -> list[list[str]]:
    """Cells of the table of open points: point, text, what is played, mark, option."""
    lines = section(game).split("| point |")[1].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]


@pytest.mark.parametrize("game", GAMES)
def test_every_row_is_marked(game):
    assert len(rows(game)) > 20
    for row in rows(game):
        assert len(row) == 5 and all(row), row
        assert set(re.findall(r"\w+", row[3])) & MARKS, row


@pytest.mark.parametrize("game", GAMES)
def test_options_that_are_named_exist_and_take_the_value(game):
    rules, _ = GAMES[game]
    names = {field.name for field in fields(rules)}
    for row in rows(game):
        for span in re.findall(r"`([^`]+)`", row[4]):
            name, _, value = span.partition("=")
            if name in {"classic", "digest", "digest_master", "master"}:
                continue
            assert name in names, span
            if value:
                assert getattr(rules(**{name: ast.literal_eval(value)}), name) == ast.literal_eval(value)


@pytest.mark.parametrize("game", GAMES)
def test_every_option_has_a_row(game):
    named = {name for row in rows(game) for name in re.findall(r"`(\w+)", row[4])}
    assert [field.name for field in fields(GAMES[game][0]) if field.name not in named] == []


def test_every_preset_of_torres_says_which_document_it_follows():
    listed = re.findall(r"^\| `(\w+)` \|", section("torres").split("| point |")[0], re.MULTILINE)
    assert listed == list(TORRES_PRESETS)


def test_what_differs_between_the_documents_is_as_the_rows_say():
    standard, classic, digest = (TORRES_PRESETS[name] for name in ("standard", "classic", "digest"))
    assert (classic.doors, digest.doors, standard.doors) == ("straight", "connected", "connected")
    assert (classic.draw_choice, digest.draw_choice, standard.draw_choice) == (1, 1, 3)
    assert (digest.buys_per_turn, standard.buys_per_turn) == (None, 2)
    assert (digest.entry_level, classic.entry_level) == (1, None)
    assert (digest.king_setup, TORRES_PRESETS["digest_master"].king_setup) == ("random", "last_player")
    assert MarketRules().turns == 100
