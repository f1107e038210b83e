"""The Chinese rule text of Torres, first part: material, setup, phase cards, castles. Preset ``classic`` follows it."""

from collections import Counter

import pytest
from positions import START, at, castles, heights, legal, moves, new_game, only, play, points, scored, words
from statements import statement, without_meaning

from torres_env import TorresRules, TorresState

QUIET = TorresRules.preset("classic", unspent_ap_scores=0)
PLAYERS = (2, 3, 4)


def passing(players: int, rules="classic"):
    """A game in which everybody passes: the last seat's stacks as each phase begins, and turns by phase and seat."""
    state = new_game(players, rules)
    stacks, turns = {}, Counter()
    while not state.is_terminal():
        now = state.position()
        if now["pending"]:
            play(state, "K " + now["king"])
            continue
        stacks.setdefault(now["phase"], now["stacks"][-1])
        turns[now["phase"], now["to_move"]] += 1
        play(state, "END")
    return stacks, turns


# ------------------------------------------------------------------------------------------------------ material
without_meaning("A1", "The game is Torres, by Michael Kiesling and Wolfgang Kramer", "a title")


@statement("A2", "Two to four people play")
def test_number_of_players():
    for players in PLAYERS:
        assert len(TorresState(players, "classic").scores()) == players
    for players in (0, 1, 5):
        with pytest.raises(ValueError, match="num_players"):
            TorresState(players, "classic")


without_meaning("A3", "It is for people of twelve and more, and takes an hour", "about people")


@statement("A4", "There is one board (the text does not give its size)", "published")
def test_board():
    assert len(TorresState(2, "classic").position()["height"]) == 64
    state = at("d4:1", "a1", "h8", king="d4", rules="classic")
    assert moves(state, "a1") == words("a2 b1")  # a corner


@statement("A5", "There are 92 blocks")
def test_blocks():
    later = {2: 2 * 24, 3: 3 * 16, 4: 4 * 12}  # blocks of the stacks of phases 2 and 3
    for players in PLAYERS:
        position = new_game(players, "classic").position()
        stacks = position["turn_stack"] + sum(map(sum, position["stacks"]))
        assert sum(position["height"]) + position["supply"] + stacks + later[players] == 92
        position["supply"] += later[players]
        TorresState.from_position(position)
        position["supply"] += 1
        with pytest.raises(ValueError, match="supply"):
            TorresState.from_position(position)


@statement("A6", "There are 24 knights, six in each of four colours")
def test_knights():
    rows = [" ".join(f"{column}{row}" for column in "abcdef") for row in (1, 2, 3, 4)]
    assert sum(map(len, at("h8:1", *rows, king="h8", rules="classic").position()["knights"])) == 24
    with pytest.raises(ValueError, match="knights"):
        at("h8:1", rows[0] + " g1", *rows[1:], king="h8", rules="classic")


@statement("A7", "There are four score markers, one for a player")
def test_score_markers():
    for players in PLAYERS:
        assert len(TorresState(players, "classic").position()["scores"]) == players


@statement("A8", "There is one king")
def test_one_king():
    state = new_game(2, "classic")
    assert [text for _, text in state.history() if text.startswith("K")] == ["K " + state.position()["king"]]
    assert only(state, "K") == set()


@statement("A9", "There are 40 action cards")
def test_action_cards():
    decks = TorresState(4, "classic").position()["decks"]
    assert [len(set(deck)) for deck in decks] == [10, 10, 10, 10]


without_meaning("A10", "There are four cards that sum up the rules", "an aid for people")


@statement("A11", "There are three phase cards, one for each number of players")
def test_phase_cards():
    deals = [tuple(map(tuple, passing(players)[0].values())) for players in PLAYERS]
    assert len(set(deals)) == 3


@statement("A12", "There are eight master cards (the text breaks off before it uses them)", "published", "master")
def test_master_cards():
    found = {TorresState(2, "master", seed).position()["master_card"] for seed in range(100)}
    assert len(found) == 8 and None not in found
    assert TorresState(2, "classic").position()["master_card"] is None


# --------------------------------------------------------------------------------------------------------- setup
without_meaning("A13", "The board lies in the middle of the table", "about the table")


@statement("A14", "A player takes the six knights and the marker of its colour")
def test_reserve():
    state = new_game(2, TorresRules.preset("classic", action_points=100))
    for number in range(1, 6):
        assert len(state.position()["knights"][0]) == number
        play(state, "N " + min(only(state, "N")))
    assert len(state.position()["knights"][0]) == 6 and only(state, "N") == set()
    assert len(state.position()["knights"][1]) == 1


@statement("A15", "Each player shuffles its own cards into a face-down deck")
def test_decks():
    decks = [TorresState(2, "classic", seed).position()["decks"] for seed in range(5)]
    assert len({tuple(deck) for pair in decks for deck in pair}) == 10  # ten different orders
    assert len({frozenset(deck) for pair in decks for deck in pair}) == 1  # of the same ten cards
    for seat in (0, 1):
        assert TorresState(2, "classic").position(seat)["decks"] == [["?"] * 10, ["?"] * 10]


@statement("A16", "Markers start at the beginning of the score track")
def test_scores_at_the_start():
    for players in PLAYERS:
        assert points(new_game(players, "classic")) == [0] * players


@statement("A17", "Knights lie before their players at first")
def test_no_knight_is_on_the_board_at_first():
    assert TorresState(3, "classic").position()["knights"] == [[], [], []]


@statement("A18", "Eight blocks stand on the cells that bear a tower's picture (which ones is not said)", "published")
def test_starting_blocks():
    for players in PLAYERS:
        assert TorresState(players, "classic").position()["height"] == heights(castles(*START))


@statement("A19", "They are eight castles")
def test_eight_castles():
    # Beside each block there is ground only, so that none hangs together with another.
    high = TorresState(2, "classic").position()["height"]
    for cell in (cell for cell in range(64) if high[cell]):
        x, y = cell % 8, cell // 8
        around = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
        assert sum(high[8 * b + a] for a, b in around if 0 <= a < 8 and 0 <= b < 8) == 0
    assert sum(map(bool, high)) == 8


@statement("A20", "The phase card for that many players says how many blocks everybody gets for phase 1, in stacks")
def test_stacks_of_phase_1():
    position = new_game(3, "classic").position()
    assert position["stacks"] == [[3, 2, 2], [3, 3, 2, 2], [3, 3, 2, 2]] and position["turn_stack"] == 3


@statement("A21", "The youngest (player_0) first, then clockwise, all put a knight on a block without another")
def test_first_knights():
    state = TorresState(3, "classic")
    free = set(START)
    for seat, cell in enumerate(("c3", "h4", "d1")):
        assert state.current_player() == seat and legal(state) == {f"N {name}" for name in free}
        play(state, f"N {cell}")
        free.remove(cell)


@statement("A22", "The last of them puts the king on a block without a knight")
def test_the_king_is_placed():
    state = play(TorresState(3, "classic"), "N c3", "N h4", "N d1")
    assert state.current_player() == 2 and legal(state) == {f"K {cell}" for cell in set(START) - {"c3", "h4", "d1"}}
    assert play(state, "K e8").position()["king"] == "e8"


@statement("A23", "The youngest begins")
def test_who_begins():
    for players in PLAYERS:
        state = new_game(players, "classic")
        assert state.current_player() == 0 and state.position()["phase"] == state.position()["round"] == 1


# --------------------------------------------------------------------------------------------------- phase cards
without_meaning("A24", "Helmets on a phase card show its number of players", "a picture on a card")


@statement("A25", "A phase has as many turns for a player as it gets stacks")
def test_turns_are_stacks():
    _, turns = passing(2, TorresRules.preset("classic", stacks=((1,), (2, 2), (1, 0, 3))))
    assert turns == {(phase, seat): phase for phase in (1, 2, 3) for seat in (0, 1)}


@statement("A26", "Two players: four stacks of 3 and four turns in each of the three phases, 12 blocks")
def test_two_players():
    stacks, turns = passing(2)
    assert stacks == {1: [3, 3, 3, 3], 2: [3, 3, 3, 3], 3: [3, 3, 3, 3]}
    assert turns == {(phase, seat): 4 for phase in (1, 2, 3) for seat in (0, 1)}


@statement("A27", "Three players: 10 blocks as 3, 3, 2, 2 in phase 1, then 8 as 3, 3, 2")
def test_three_players():
    stacks, turns = passing(3)
    assert stacks == {1: [3, 3, 2, 2], 2: [3, 3, 2], 3: [3, 3, 2]}
    assert turns == {(phase, seat): 4 if phase == 1 else 3 for phase in (1, 2, 3) for seat in (0, 1, 2)}


@statement("A28", "Four players: 8 blocks as four 2s in phase 1, then 6 as three 2s")
def test_four_players():
    stacks, turns = passing(4)
    assert stacks == {1: [2, 2, 2, 2], 2: [2, 2, 2], 3: [2, 2, 2]}
    assert turns == {(phase, seat): 4 if phase == 1 else 3 for phase in (1, 2, 3) for seat in (0, 1, 2, 3)}


# ------------------------------------------------------------------------------------------------------- castles
@statement("A29", "A castle is blocks that hang together")
def test_castle():
    # c3, d3 and d4 hang together; e5 touches d4 by a corner only.
    state = scored("c3:1 d3:1 d4:1 e5:1 h8:1", "c3", "e5", king="h8", rules=QUIET)
    assert points(state) == [3, 1]


@statement("A30", "A knight on the board is on level 0, on one block on level 1, and so on")
def test_levels():
    # Area 3; levels 1, 2, 3 and the ground.
    state = scored("c3:1 d3:2 e3:3 h8:1", "c3", "d3", "e3", "f3", king="h8", rules=QUIET)
    assert points(state) == [3, 6, 9, 0]


@statement("A31", "A single block is a castle too")
def test_single_block():
    assert points(scored("c3:1 h8:1", "c3", "a1", king="h8", rules=QUIET)) == [1, 0]


@statement("A32", "Blocks only make castles larger: beside a block or on top of one, never alone")
def test_blocks_extend_castles():
    state = at("c3:1 d3:1 h8:1", "a1", "a8", king="h8", rules="classic")
    assert only(state, "B") == words("c3 d3 b3 c2 c4 d2 d4 e3 g8 h7")  # h8: the king, and higher than its area


@statement("A33", "A castle is no higher than it has cells on the ground: with three, three levels")
def test_height_limit():
    state = play(at("c3:2 d3:1 e3:1 h8:1", "a1", "a8", king="h8", rules="classic"), "B c3")
    assert "c3" not in only(state, "B") and words("d3 e3") <= only(state, "B")
    play(state, "B f3")  # area 4
    assert "c3" in only(state, "B")


@statement("A34", "A block never joins castles")
def test_castles_never_join():
    state = at("c3:1 e3:1 h8:1", "a1", "a8", king="h8", rules="classic")
    assert "d3" not in only(state, "B") and words("b3 f3 c4 e4") <= only(state, "B")


@statement("A35", "So a strip one cell wide between two castles stays empty")
def test_strip_between_castles():
    state = at("c1:1 c2:1 c3:1 e1:1 e2:1 e3:1 h8:1", "a1", "a8", king="h8", rules="classic")
    assert only(state, "B") & words("d1 d2 d3") == set() and words("b1 b2 b3 f1 f2 f3") <= only(state, "B")


@statement("A36", "Castles may touch by their corners")
def test_corners_may_touch():
    state = play(at("c3:1 d5:1 h8:1", "a1", "a8", king="h8", rules="classic"), "B c4")
    assert "c4" in only(state, "B")  # area 2 with c3
    assert "d5" not in only(state, "B")  # still of area 1
