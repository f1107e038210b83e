"""The text of a record: its form, and what each mistake in it is answered with."""

from __future__ import annotations

import dataclasses
import re

import pytest
from recorded_games import short_game

from market_env import MarketState
from torres_env import TorresRules, TorresState
from tower_core.records import RecordError, check, format_record, parse_records

SHORT = """\
towers record 1
game: market v0
version: 0.1.0
rules: guard
rule max_turns: 1
players: 2
player_0: Ada
player_1: greedy:1
seed: 3
result: truncated
scores: 0 0
returns: 0.0 0.0
ranking: player_0 = player_1
moves: 2
"""


TEXT = short_game()


def read(text):
    return list(parse_records(text.splitlines(keepends=True)))


# ---------------------------------------------------------------------------------------------- form
def test_the_text_of_a_record():
    assert TEXT.startswith(SHORT)
    body = TEXT.split("moves: ")[1].splitlines()
    assert body[1].startswith("setup: lists ")
    assert body[2].startswith("setup: cards ")
    assert re.fullmatch(r"setup: draw player_0( (green|blue|red|pass)){3}", body[3])
    assert re.fullmatch(r"1\. player_0: END \{draw player_1( (green|blue|red|pass)){3}\}", body[4])
    assert body[-2:] == ["2. player_1: END", "end"]


def test_remarks_empty_lines_and_line_ends_of_other_systems():
    [record] = read(TEXT)
    assert read("# a remark\n\n" + TEXT.replace("\n", "\n\n# {[ \n")) == [record]
    assert read(TEXT.replace("\n", "\r\n")) == [record]
    assert read(TEXT.removesuffix("\n")) == [record]
    assert read(f"{TEXT}\n{TEXT}") == [record, record]
    assert list(parse_records(TEXT.encode().splitlines())) == [record]


def test_moves_may_be_grouped_otherwise():
    state = TorresState(seed=1)
    for text in ("N c3", "N f6", "K h4", "B c2"):
        state.apply_action(state.string_to_action(text))
    text = str(state.to_record())
    assert text == format_record(state.to_record())
    assert "2. player_1: N f6, K h4\n" in text
    assert read(text.replace("N f6, K h4", "N f6\n3. player_1: K h4")) == read(text)


def test_rules_are_told_by_the_nearest_preset():
    rules = TorresRules.preset("digest", doors="straight", stacks=((1,), (1,), (1,)), action_points=7)
    text = format_record(TorresState(2, rules).to_record())
    head = text.split("players:")[0].splitlines()[3:]
    assert head == ["rules: digest", 'rule doors: "straight"', "rule stacks: [[1], [1], [1]]", "rule action_points: 7"]


# ---------------------------------------------------------------------------------------------- what is refused
MISTAKES = [
    ("towers record 1", "towers record 2", 1, "format '2', but this version reads 1"),
    ("towers record 1", "PGN", 1, "a record must start with 'towers record 1', not 'PGN'"),
    ("game: market v0", "game: chess v0", 2, "game 'chess' is not installed"),
    ("game: market v0", "game: market v1", 2, "is of 'market v1', but the installed game is 'market v0'"),
    ("game: market v0", "game: torres v0", 4, "unknown preset 'guard': choose one of standard"),
    ("version: 0.1.0", "version: new one", 3, "invalid version"),
    ("version: 0.1.0\n", "", 3, "expected a line 'version: …', not 'rules: guard'"),
    ("rules: guard", "rules: master", 4, "unknown preset"),
    ("rule max_turns: 1", "rule turns: 1", 5, "'turns' is an unknown or repeated rule"),
    ("rule max_turns: 1", "rule max_turns: 1\nrule max_turns: 1", 6, "is an unknown or repeated rule"),
    ("rule max_turns: 1", "rule max_turns: one", 5, "not valid JSON"),
    ("rule max_turns: 1", "rule max_turns: NaN", 5, "NaN is not a number"),
    ("rule max_turns: 1", "rule max_turns: " + "9" * 5000, 5, "not valid JSON"),
    ("rule max_turns: 1", "rule max_turns: " + "[" * 100_000, 5, "not valid JSON"),
    ("rule max_turns: 1", "rule max_turns: 0", 5, "max_turns must be an integer from 1 to 10000"),
    ("rule max_turns: 1", "rule max_turns: true", 5, "max_turns must be"),
    ("rule max_turns: 1", 'rule components: "/dev/zero"', 5, "components: must not be a text"),
    ("rule max_turns: 1", 'rule components: {"name": "a", "name": "b"}', 5, "a name appears twice"),
    ("rule max_turns: 1", 'rule components: {"name": "a"}', 5, "'materials' is missing"),
    ("rule max_turns: 1", "rule first_tokens: [1]", 5, "first_tokens: must be written"),
    ("players: 2", "players: 9", 6, "not an integer from 1 to 4"),
    ("players: 2", "players: 1", 6, "num_players must be from 2 to 4"),
    ("players: 2", "players: " + "2" * 5000, 6, "not an integer"),
    ("players: 2", "players: ٢", 6, "not an integer"),
    ("players: 2", "players: 02", 6, "not an integer"),
    ("player_1: greedy:1\n", "", 8, "expected a line 'player_1: …', not 'seed: 3'"),
    ("player_0: Ada\n", "", 7, "expected a line 'result: …'"),
    ("player_0: Ada", "player_0: " + "A" * 201, 7, "invalid name"),
    ("player_0: Ada", "player_0: \x1b[2J", 7, "unprintable characters"),
    ("seed: 3", "seed: 18446744073709551616", 9, "not an integer from 0 to 18446744073709551615"),
    ("seed: 3", "seed: 3\nstart: {}", 10, "has no seed"),
    ("seed: 3", "start: []", 9, "a start must be a JSON object"),
    ("seed: 3", 'start: {"rules": "base"}', 9, "rules must only be in the lines above"),
    ("result: truncated", "result: won", 10, "result must be one of finished, truncated, unfinished, not 'won'"),
    ("scores: 0 0", "scores: 0", 11, "expected 2 values, not 1"),
    ("scores: 0 0", "scores: 0 zero", 11, "'zero' is not an integer"),
    ("returns: 0.0 0.0", "returns: 0 0.0", 12, "'0' is not a number such as 0.5"),
    ("returns: 0.0 0.0", "returns: nan 0.0", 12, "'nan' is not a number"),
    ("ranking: player_0 = player_1", "ranking: player_0", 13, "is not a ranking of 2 players"),
    ("ranking: player_0 = player_1", "ranking: player_0 = player_0", 13, "is not a ranking"),
    ("ranking: player_0 = player_1", "ranking: player_0 = player_1 ", 13, "is not a ranking"),
    ("moves: 2", "moves: 3", 20, "expected a line such as '3. player_0: …', not 'end'"),
    ("moves: 2", "moves: 1", 19, "expected 'end' after 1 moves"),
    ("moves: 2", "moves: 9999999999", 14, "not an integer"),
    ("2. player_1: END", "3. player_1: END", 19, "starts with move 3, but the next move is 2"),
    ("2. player_1: END", "2. player_1: END,", 19, "not a list of actions"),
    ("2. player_1: END", "2. player_1: END, ", 19, "expected an action after the last comma"),
    ("2. player_1: END", "2. player_1: END, END", 19, "more moves than the 2"),
    ("2. player_1: END", "2. player_1: END {die 1", 19, "not a list of actions"),
    ("2. player_1: END", "2. player_1: " + "END, " * 250_000, 19, "longer than 1000000 bytes"),
    ("end\n", "", 19, "the text ends inside a record; the last line of a record is 'end'"),
    ("end\n", "end\nend\n", 21, "a record must start with 'towers record 1', not 'end'"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line", "reason"), MISTAKES)
def test_mistakes_of_form(old, new, line, reason):
    assert TEXT.count(old) == 1
    with pytest.raises(RecordError) as error:
        read(TEXT.replace(old, new))
    assert error.value.line == line, error.value
    assert str(error.value).startswith(f"line {line}: ")
    assert reason in str(error.value)


WRONG = [
    ("seed: 3", "seed: 4", 17, "start: the seed gives 'lists"),
    ("result: truncated", "result: finished", 10, "result: the record has finished, but the game gives truncated"),
    ("scores: 0 0", "scores: 1 0", 11, "scores: the record has [1, 0], but the game gives [0, 0]"),
    ("returns: 0.0 0.0", "returns: 1.0 -1.0", 12, "returns: the record has [1.0, -1.0]"),
    ("ranking: player_0 = player_1", "ranking: player_0 > player_1", 13, "ranking: the record has"),
    ("rule max_turns: 1", "rule max_turns: 2", 19, "move 2, player_1, 'END': a chance outcome is missing"),
    ("2. player_1: END", "2. player_0: END", 19, "player_1 is to move"),
    ("2. player_1: END", "2. player_1: end", 19, "this action must be written 'END'"),
    ("2. player_1: END", "2. player_1: BUILD", 19, "move 2, player_1, 'BUILD': "),
    ("2. player_1: END", "2. player_1: FLY", 19, "unknown action 'FLY'"),
    ("2. player_1: END", "2. player_1: END {die 1}", 19, "'die 1' is impossible here"),
    ("2. player_1: END", "2. player_1: END {dice 1}", 19, "'dice 1' is not a chance outcome"),
    ("setup: cards ", "setup: cards permit ", 17, "'cards permit"),
    ("setup: lists ", "setup: lists 0 0 ", 17, "is impossible here"),
    ("setup: lists ", "setup: lists  ", 17, "'' must be one of 0"),
    ("setup: draw player_0", "setup: draw player_1", 17, "is impossible here"),
]


@pytest.mark.parametrize(("old", "new", "line", "reason"), WRONG)
def test_games_that_were_not_played_so(old, new, line, reason):
    """Well-formed, and wrong: this is seen when it is played again."""
    assert TEXT.count(old) == 1
    [record] = read(TEXT.replace(old, new))
    with pytest.raises(RecordError) as error:
        check(record)
    assert error.value.line == line, error.value
    assert reason in str(error.value)


def test_what_comes_after_the_end_of_the_game():
    text = TEXT.replace("moves: 2", "moves: 3").replace("\nend", "\n3. player_0: END\nend")
    with pytest.raises(RecordError, match="line 20: move 3, player_0, 'END': the game is over"):
        check(read(text)[0])


POSITIONS = [
    ({"supply": 92}, "supply: "),
    ({"supply": None}, "supply: "),
    ({"hight": []}, "hight: is not a field of a position"),
    ({"start_player": ...}, "start_player: the position must be complete and at a decision: expected 0"),
    ({"master_card": "line"}, "master_card: "),
    ({"rng": 2**64}, "rng: must be an integer"),
]


@pytest.mark.parametrize(("changes", "reason"), POSITIONS)
def test_starts_from_positions_that_cannot_be(changes, reason):
    record = TorresState.from_position(TorresState(seed=4).position()).to_record()
    position = {name: value for name, value in {**record.position, **changes}.items() if value is not ...}
    [record] = read(format_record(dataclasses.replace(record, position=position)))
    with pytest.raises(RecordError, match=f"^line 6: start: {reason}"):
        check(record)


def test_a_position_has_no_setup():
    text = format_record(TorresState.from_position(TorresState(seed=4).position()).to_record())
    [record] = read(text.replace("moves: 0\n", "moves: 0\nsetup: king d1\n"))
    with pytest.raises(RecordError, match="^line 6: start: a game from a position must not have setup lines"):
        check(record)


def test_a_position_in_which_something_still_happens_by_itself():
    """The fee of a smuggler with one colour to pay it: what would be drawn then no record has told."""
    position = MarketState(seed=1).position()
    for kind, number in position["tokens"][0].items():
        position["bag"][kind] += number
    position["bag"]["green"] -= 3
    position["tokens"][0] = {"green": 3}
    position["card_deck"].remove("smuggler")
    position["pending"] = {"kind": "pay", "for": "smuggler", "left": 1}
    position["turn_state"] |= {"at_start": False, "acted": True}
    state = MarketState.from_position(position)
    assert state.position()["pending"] is None
    record = state.to_record()
    given = {name: value for name, value in position.items() if name not in ("game", "rules", "num_players")}
    with pytest.raises(RecordError, match="the position must be complete and at a decision"):
        check(dataclasses.replace(record, position=given))
    assert check(record).position() == state.position()
