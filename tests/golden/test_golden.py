"""The golden playthroughs: none is missing, and all of them still happen, to the last point."""

from __future__ import annotations

import pytest
from playthroughs import EVERY, FOLDER, beginnings, make, text_of

from market_env.game import GAME as MARKET
from torres_env.game import GAME as TORRES
from tower_core.records import check, parse_records, read_records

FILES = sorted(FOLDER.glob("*.txt"))


@pytest.fixture(scope="module")
def starts():
    return beginnings()


def test_every_game_has_its_file(starts):
    assert {path.stem for path in FILES} == set(starts)


def test_every_preset_and_number_of_players_is_played(starts):
    played = {(state.game.name, state.rules, state.num_players) for state in starts.values()}
    for game in (TORRES, MARKET):
        for preset in game.presets:
            rules = game.resolve_rules(preset)
            for players in game.seats:
                try:
                    rules.for_players(players)
                except ValueError:
                    continue
                assert (game.name, rules, players) in played, (preset, players)


def test_the_npc_and_all_levels_of_the_solo_game_are_played(starts):
    market = [state for state in starts.values() if state.game is MARKET and state.rules.npc]
    assert {state.num_players for state in market} == {1, 2, 3}
    assert {state.rules.solo_npc_towers for state in market if state.rules.solo} == {1, 2, 3}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_playthrough(path):
    text = path.read_text("utf-8")
    [record] = read_records(path)
    state = check(record)
    assert state.is_terminal()
    assert text_of(record) == text, "if this change of behaviour is meant: python -m tests.golden"


def test_they_are_made_by_the_script():
    for name in ("torres_digest_2", "market_solo_1_towers", "market_position_3"):
        assert make(name) == (FOLDER / f"{name}.txt").read_text("utf-8")


def test_remarks_come_often():
    for path in FILES:
        text = path.read_text("utf-8")
        [record] = parse_records(text.splitlines())
        longest_line = 40
        assert text.count("# after ") >= 1 + len(record.moves) // (EVERY + longest_line)
        assert f"# after {len(record.moves)} moves: scores {list(record.scores)}" in text


def test_all_kinds_of_chance_appear():
    told = set()
    for path in FILES:
        [record] = read_records(path)
        told |= {text.split()[0] for move in record.moves for text in move.chance}
        told |= {text.split()[0] for text in record.setup}
    assert told == {"king", "deck", "master", "circles", "lists", "cards", "draw", "gem", "die", "circle"}
