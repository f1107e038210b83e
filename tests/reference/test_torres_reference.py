"""Checks of the naive Torres itself: laws that hold in every game, and the finer sentences of torres.md by hand."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from .torres import CARDS, PRESETS, NaiveTorres, SplitMix64
from .torres_board import castles, cell_of, name
from .torres_rules import STACKS
from .torres_scoring import master_points

GAMES = 25


def check_laws(game: NaiveTorres, rules: Mapping, at_rest: bool) -> None:
    height = game.height
    later = game.stack_table[game.phase :] if game.phase else game.stack_table
    blocks = sum(height) + game.supply + game.turn_stack + sum(map(sum, game.stacks))
    blocks += game.n * sum(map(sum, later))
    question = game.pending or {}
    blocks += question.get("taken") is not None
    if game._founding():
        blocks += len(rules["starting_cells"]) - sum(height)
    assert blocks == 92
    assert min(height) >= 0 and game.supply >= 0 and game.turn_stack >= 0 and game.ap >= 0

    for castle in castles(height):
        assert max(height[c] for c in castle) <= len(castle)
    pieces = [k for knights in game.knights for k in knights] + ([] if game.king is None else [game.king])
    assert len(pieces) == len(set(pieces))
    assert game.king is None or height[game.king] >= 1
    assert all(len(knights) <= rules["knights_per_player"] for knights in game.knights)

    for seat in range(game.n):
        cards = [*game.hands[seat], *game.decks[seat], *game.discards[seat]]
        if question.get("kind") == "pick" and seat == game.to_move:
            cards += question["cards"]
        assert sorted(cards) == sorted(rules["card_list"])
        assert all(h <= rules["max_stack"] for h in game.stacks[seat])
    if rules["unique_scores"]:
        standing = [p for p in game.points if p != 0]
        assert len(standing) == len(set(standing))
    if at_rest:
        # A normal turn that goes on offers more than END, and END always.
        assert "END" in game.legal() and len(game.legal()) > 1
        assert not (rules["end_when_spent"] and game.ap == 0)


def play_random(preset: str, players: int, seed: int) -> NaiveTorres:
    rules = PRESETS[preset]
    chooser = random.Random(f"{preset} {players} {seed}")
    game = NaiveTorres(players, rules, seed)
    scores = game.scores()
    for _ in range(2000):
        if game.is_terminal():
            break
        check_laws(game, rules, at_rest=game.phase > 0 and game.pending is None)
        if chooser.random() < 0.01:
            again = NaiveTorres.from_position(rules, game.position())
            assert again.position() == game.position() and again.legal() == game.legal()
        game.apply(chooser.choice(sorted(game.legal())))
        assert all(new >= old for new, old in zip(game.scores(), scores, strict=True))
        scores = game.scores()
    check_laws(game, rules, at_rest=False)
    assert game.is_terminal() and game.legal() == set() and game.current_player() == -4
    rounds = len(game.stack_table[2])
    at_end = game.position()
    assert (at_end["to_move"], at_end["phase"], at_end["round"]) == (None, 3, rounds)
    assert at_end["ap"] == at_end["turn_stack"] == 0 and at_end["stacks"] == [[]] * players
    assert sum(game.returns()) == pytest.approx(0)
    return game


@pytest.mark.parametrize("players", (2, 3, 4))
@pytest.mark.parametrize("preset", PRESETS)
def test_random_games_keep_the_laws(preset: str, players: int) -> None:
    scores = [s for seed in range(GAMES) for s in play_random(preset, players, seed).scores()]
    if preset == "standard":
        assert 11 <= sum(scores) / len(scores) <= 20


@pytest.mark.parametrize("players", (2, 3, 4))
def test_passing_scores_about_70_in_standard(players: int) -> None:
    scores = []
    for seed in range(10):
        game, chooser = NaiveTorres(players, PRESETS["standard"], seed), random.Random(seed)
        while not game.is_terminal():
            legal = game.legal()
            game.apply("END" if "END" in legal else chooser.choice(sorted(legal)))
        scores += game.scores()
    rounds = sum(map(len, STACKS[players]))
    assert rounds * 5 + 3 <= sum(scores) / len(scores) <= rounds * 5 + 20


def test_same_seed_same_game() -> None:
    assert play_random("master", 3, 5).position() == play_random("master", 3, 5).position()


def test_stream() -> None:
    assert SplitMix64(0).next() == 0xE220A8397B1DCDAF  # the published first value for seed 0


# --- by hand -----------------------------------------------------------------------------------------------


def make(preset: str = "standard", heights: Mapping[str, int] | None = None, **fields: object) -> NaiveTorres:
    """A turn of seat 0 in round 1 of phase 1, with fields overridden; `rules` overrides options."""
    rules = PRESETS[preset] | fields.pop("rules", {})
    heights = {"a1": 1} if heights is None else heights
    board = [0] * 64
    for cell, h in heights.items():
        board[cell_of(cell)] = h
    position = {
        "height": board,
        "knights": [[], []],
        "king": next(iter(heights)),
        "to_move": 0,
        "phase": 1,
        "round": 1,
        "ap": 5,
        "stacks": [[3, 3, 3], [3, 3, 3, 3]],
        "turn_stack": 3,
        "supply": 12,
        "hands": [[], []],
        "decks": [[], []],
        "discards": [[], []],
        "scores": [0, 0],
        "master_card": None,
        "pending": None,
    }
    return NaiveTorres.from_position(rules, position | fields)


def targets(game: NaiveTorres, verb: str) -> set[str]:
    """The last words of all legal actions with this verb."""
    return {text.split()[-1] for text in game.legal() if text.split()[0] == verb}


def row(y: int, text: str) -> dict[str, int]:
    """Heights of a row, from column a."""
    return {name((y - 1) * 8 + x): int(c) for x, c in enumerate(text) if c != "."}


def test_blocks_extend_one_castle_and_never_join_or_found() -> None:
    game = make(heights=row(1, "11.1"), king="d1")
    assert targets(game, "B") == {"a1", "b1", "a2", "b2", "d2", "e1"}


def test_new_knight_levels() -> None:
    heights = row(1, "121") | row(2, "132")
    standard = make(heights=heights, king="c2", knights=[["b1", "a2"], []])
    assert targets(standard, "N") == {"a1", "a3", "c1"}  # b2 is higher than b1
    digest = make("digest", heights=heights, king="c2", knights=[["b1", "a2"], []])
    assert targets(digest, "N") == {"a1", "c1"}


def test_doors() -> None:
    heights = row(2, ".1.1") | row(3, ".112")
    for doors, expected in {
        "straight": {"c2"},  # east under b2; nothing higher lies north or south
        "connected": {"b1", "a3", "b4", "c4", "d4", "c2", "e3", "e2", "d1"},
    }.items():
        game = make(heights=heights, king="d3", knights=[["a2"], []], rules={"doors": doors})
        steps = {"a1", "a3", "b2"}
        assert targets(game, "M") == expected | steps


def test_doors_may_sink_only_where_descending() -> None:
    # The knight stands at level 1, goes in under b1 (2) and, sinking to the ground, under c1 (1).
    heights = row(1, "1221")
    connected = {"a2", "b2", "c2", "d1"}
    for doors, expected in {"connected": connected, "descending": connected | {"d2", "e1"}}.items():
        game = make(heights=heights, king="b1", knights=[["a1"], []], rules={"doors": doors})
        assert targets(game, "M") == expected
    game = make(heights=row(1, "1221"), king="c1", knights=[["d1"], []], rules={"doors": "straight"})
    assert targets(game, "M") == {"d2", "e1", "a1"}


def test_starting_cell_is_no_exit_and_pieces_above_do_not_matter() -> None:
    game = make(heights=row(1, ".11"), king="b1", knights=[["a1"], ["c1"]])
    assert targets(game, "M") == {"a2", "b2", "c2", "d1"}


def test_leftover_blocks() -> None:
    game = make(heights={"a1": 1}, stacks=[[2, 1, 0], [3] * 4], turn_stack=3, knights=[["h8"], []])
    game.apply("END")
    assert game.position()["stacks"][0] == [3, 3, 0]
    game = make(heights={"a1": 1}, stacks=[[3], [3, 3]], turn_stack=2, supply=4, knights=[["h8"], []])
    game.apply("END")
    assert game.position()["supply"] == 6 and game.scores() == [5, 0]
    assert game.position()["turn_stack"] == 3 and game.position()["stacks"][1] == [3]


def test_bought_card_waits_and_goes_round_the_deck() -> None:
    game = make(decks=[["ap6", "jump", "ap7", "under"], []], knights=[["a2"], []])
    game.apply("BUY")
    assert game.position()["pending"] == {"kind": "pick", "cards": ["ap6", "jump", "ap7"]}
    assert game.position()["decks"][0] == ["under"]
    assert game.legal() == {"PICK ap6", "PICK jump", "PICK ap7"}
    game.apply("PICK jump")
    assert game.position()["decks"][0] == ["under", "ap6", "ap7"]
    game.apply("BUY")
    game.apply("PICK ap7")
    assert "BUY" not in game.legal() and not targets(game, "PLAY")
    assert game.position()["bought"] == ["ap7", "jump"] and game.position()["ap"] == 3


def test_turn_ends_by_itself_with_the_points() -> None:
    game = make(turn_stack=1, ap=1, knights=[["h8"], ["c3"]])
    game.apply("B a2")
    assert game.current_player() == 1 and game.scores() == [0, 0]
    # Seat 1 is hemmed in and has no block and no card: its turn passes at once and is worth 5 points.
    stuck = make(ap=0, knights=[["g8", "h7"], ["h8"]], stacks=[[3], [0]], turn_stack=0)
    stuck.apply("END")
    assert stuck.current_player() == 0 and stuck.scores() == [0, 5] and stuck.position()["round"] == 2
    digest = make("digest", turn_stack=0, ap=1, hands=[["ap6"], []], knights=[["h8"], ["c3"]])
    digest.apply("M h8 h7")
    assert digest.current_player() == 1
    standard = make(turn_stack=0, ap=1, hands=[["ap6"], []], knights=[["h8"], ["c3"]])
    standard.apply("M h8 h7")
    assert standard.legal() == {"END", "PLAY ap6"}


def test_digest_turn_waits_for_the_card() -> None:
    heights = row(1, "12")
    game = make("digest", heights=heights, king="a1", ap=2, hands=[["recruit"], []], knights=[["a2"], []])
    game.apply("PLAY recruit")
    assert game.current_player() == 0 and targets(game, "N") == {"b2", "a3"}
    game.apply("N a3")
    assert game.current_player() == 1


def test_move_cards() -> None:
    heights = row(1, "1311") | row(2, "122")
    game = make(heights=heights, king="c1", hands=[["jump", "diagonal", "door"], []], knights=[["a1"], []])
    game.apply("PLAY jump")
    assert game.legal() == {"M a1 b1"} and game.position()["pending"] == {"kind": "jump"}
    game.apply("M a1 b1")
    assert game.position()["ap"] == 5 and not targets(game, "PLAY")
    game = make(heights=heights, king="c1", hands=[["diagonal"], []], knights=[["a1"], []])
    game.apply("PLAY diagonal")
    assert game.legal() == {"M a1 b2"}
    game = make(heights=heights, king="c1", hands=[["door"], []], knights=[["a1"], []])
    game.apply("PLAY door")
    # c2 and d1 have no higher neighbour, so no door leads there; b2 is higher than the knight, and one does.
    assert targets(game, "M") == {"a2", "a3", "b2", "b3", "c3", "d2", "e1"}


def test_under() -> None:
    heights = {"a1": 1, "c1": 1}
    knights = [["a2", "b1", "a1", "h8"], []]  # beside one castle, between two, full castle, alone
    game = make(heights=heights, king="c1", hands=[["under"], []], knights=knights, stacks=[[3, 1, 0], [3]])
    game.apply("PLAY under")
    assert targets(game, "B") == {"a2", "h8"}
    game.apply("B h8")
    assert game.position()["stacks"][0] == [3, 0, 0] and game.position()["turn_stack"] == 3
    assert game.height[cell_of("h8")] == 1 and game.position()["discards"][0] == ["under"]
    last = make(heights=heights, king="c1", hands=[["under"], []], knights=knights, stacks=[[0], [3]])
    last.apply("PLAY under")
    last.apply("B a2")
    assert last.position()["turn_stack"] == 2
    none = make(heights=heights, king="c1", hands=[["under"], []], knights=knights, stacks=[[0], [3]], turn_stack=0)
    assert "PLAY under" not in none.legal()


def test_extra_needs_the_supply() -> None:
    game = make(hands=[["extra"], []], knights=[["h8"], []], supply=0)
    assert "PLAY extra" not in game.legal()
    game = make(hands=[["extra"], []], knights=[["h8"], []], supply=1)
    game.apply("PLAY extra")
    assert targets(game, "B") == {"a2", "b1"}
    game.apply("B b1")
    assert game.position()["supply"] == 0 and game.position()["turn_stack"] == 3


def test_relocate() -> None:
    # a castle of three in a line with a peak of 2, and a single block; the king is on d4.
    heights = row(1, "112") | {"d4": 1, "g7": 1}
    game = make(heights=heights, king="d4", hands=[["relocate"], []], knights=[["h1"], []])
    game.apply("PLAY relocate")
    # not b1 (splits); a1: 2 cells remain and c1 is 2 high: allowed
    assert targets(game, "T") == {"a1", "c1", "g7"}
    game.apply("T g7")
    assert game.position()["pending"] == {"kind": "relocate", "taken": "g7"}
    # three castles before: the block must found a new one, and not where it was
    assert "g7" not in targets(game, "B") and "a2" not in targets(game, "B") and "g8" in targets(game, "B")
    assert "d5" not in targets(game, "B") and "h1" not in targets(game, "B")
    game.apply("B g8")
    assert len(castles(game.height)) == 3 and game.position()["ap"] == 5


def test_relocate_counts_castles_up_to_six() -> None:
    seven = {"a1": 1, "c1": 1, "e1": 1, "g1": 1, "a4": 1, "c4": 1, "e4": 1}
    game = make(heights=seven, king="a1", hands=[["relocate"], []], knights=[["h8"], []])
    game.apply("PLAY relocate")
    game.apply("T e4")
    assert "b4" not in targets(game, "B")  # two castles beside
    assert {"a2", "a5", "e4", "h7"} & targets(game, "B") == {"a2", "a5", "h7"}


def test_encore() -> None:
    game = make(heights=row(1, "13"), king="b1", hands=[["encore", "ap6"], []], discards=[["recruit", "ap7"], []])
    assert "PLAY encore" in game.legal()
    game.apply("PLAY encore")
    assert game.position()["pending"] == {"kind": "encore"} and game.legal() == {"PLAY ap7"}
    game.apply("PLAY ap7")
    assert game.position()["ap"] == 7 and game.position()["discards"][0] == ["recruit", "ap7", "encore"]
    assert game.position()["hands"][0] == ["ap6"] and not targets(game, "PLAY")
    assert "PLAY encore" not in make(hands=[["encore"], []], discards=[["encore"], []], knights=[["h8"], []]).legal()
    inner = make(hands=[["encore"], []], discards=[["recruit"], []], knights=[["h8"], []])
    inner.apply("PLAY encore")
    inner.apply("PLAY recruit")
    assert inner.position()["pending"] == {"kind": "recruit"} and targets(inner, "N") == {"g8", "h7"}


def last_turn(preset: str = "standard", **fields: object) -> NaiveTorres:
    """The last turn of a phase, of seat 1, about to END with no AP."""
    setting = {"to_move": 1, "round": 4, "ap": 0, "stacks": [[], []], "turn_stack": 0}
    return make(preset, **(setting | fields))


def test_scoring_and_markers() -> None:
    heights = row(1, "12") | {"h8": 1}
    game = last_turn(heights=heights, king="h8", knights=[["a1", "b1"], ["a2"]])
    game.apply("END")
    assert game.scores() == [4, 0]
    assert game.current_player() == 1 and game.position()["pending"] == {"kind": "king"}
    assert game.legal() == {"K h8"}
    position = game.position()
    assert (position["phase"], position["round"], position["ap"], position["stacks"]) == (1, 4, 0, [[], []])
    game.apply("K h8")
    assert game.position()["phase"] == 2 and game.current_player() == 0 and game.position()["turn_stack"] == 3
    digest = last_turn("digest", heights=heights, king="h8", knights=[["a1", "b1"], []], ap=1, turn_stack=1)
    digest.apply("END")
    assert digest.scores() == [6, 0]


def test_kings_bonus() -> None:
    heights = row(1, "122") | row(2, "1")
    fields = {"heights": heights, "phase": 2, "king": "c1", "knights": [["a1"], ["b1"]]}
    game = last_turn(**fields)
    game.apply("END")
    assert game.scores() == [4, 18]
    royal = last_turn("digest", **(fields | {"king": "a2", "ap": 1}))
    royal.apply("END")
    assert royal.scores() == [14, 8]


def test_later_phases_score_the_leader_first() -> None:
    # Seat 0 is to get 4 points; where seat 1 still stands on 6, the marker is pushed on to 7.
    heights = row(1, "21") | row(2, "11") | {"h8": 1, "h7": 1}
    fields = {"heights": heights, "king": "h8", "knights": [["b1"], ["h7"]], "scores": [2, 6]}
    for phase, expected in ((1, [7, 6 + 2 + 5]), (2, [6, 6 + 2])):
        game = last_turn(phase=phase, **fields)
        game.apply("END")
        assert game.scores() == expected
    # The points for AP left are pushed on as well.
    game = last_turn(to_move=0, start_player=1, ap=2, scores=[3, 5], knights=[["h8"], ["h7"]])
    game.apply("END")
    assert game.scores() == [6, 5]


def test_order_of_the_steps() -> None:
    # Seat 0 scores 4 in the castle and 5 with the king, seat 1 scores 2. steps: 1 + 4 is taken, so 6; then seat 1
    # 5 + 2; then seat 0 6 + 5. player: 1 + 9, then 5 + 2.
    heights = row(1, "21") | row(2, "11") | {"h8": 1, "h7": 1}
    fields = {"heights": heights, "king": "a1", "knights": [["b1"], ["h7"]], "scores": [1, 5]}
    for order, expected in (("steps", [11, 7]), ("player", [10, 7])):
        game = last_turn(rules={"scoring_order": order}, **fields)
        game.apply("END")
        assert game.scores() == expected
    # Without points a marker stays, also beside another.
    game = last_turn(**(fields | {"knights": [["c5"], ["d5"]], "scores": [7, 7]}))
    game.apply("END")
    assert game.scores() == [7, 7]


def test_fewest_points_of_equals_is_the_last_in_turn_order() -> None:
    game = last_turn("digest", knights=[["h8"], ["h7"]], ap=1)
    game.apply("END")
    assert game.current_player() == 1
    game = last_turn("digest", knights=[["h8"], ["h7"]], ap=1, start_player=1, to_move=0)
    game.apply("END")
    assert game.current_player() == 0


def test_leader_starts() -> None:
    fields = {"round": 2, "stacks": [[3], [3]], "knights": [["h8"], ["h7"]], "ap": 0, "turn_stack": 0}
    for start, scores, starter in ((0, [3, 4], 1), (0, [4, 3], 0), (0, [0, 0], 0), (1, [0, 0], 1)):
        last = 1 - start
        game = make("master", to_move=last, start_player=start, scores=scores, **fields)
        game.apply("END")
        assert game.position()["round"] == 3 and game.current_player() == starter
        assert game.position()["start_player"] == starter
    for start, starter in ((0, 1), (1, 0)):
        left = {"start_player": "left"}
        game = make("master", rules=left, to_move=1 - start, start_player=start, scores=[9, 9], **fields)
        game.apply("END")
        assert game.current_player() == game.position()["start_player"] == starter


def test_ties_and_returns() -> None:
    game = last_turn("digest", phase=3, hands=[["ap6"], []], knights=[["h8"], ["h7"]])
    game.apply("END")
    assert game.is_terminal() and game.ranking() == [[0], [1]] and game.returns() == [1.0, -1.0]
    game = last_turn("digest", phase=3, knights=[["h8"], ["h7"]])
    game.apply("END")
    assert game.ranking() == [[0, 1]] and game.returns() == [0.0, 0.0]


def test_master_cards() -> None:
    height = [0] * 64
    for cell, h in (row(1, "111") | row(3, "1234") | {"h8": 1, "h5": 1}).items():
        height[cell_of(cell)] = h

    def value(card: str, own: str, other: str = "", phase: int = 3) -> int:
        knights = [[cell_of(c) for c in own.split()], [cell_of(c) for c in other.split()]]
        return master_points(card, height, knights, 0, phase, 4)

    assert value("border", "a1 b2 h5", "c3", 1) == 6 and value("border", "a1 h5", "a3 b1", 2) == 10
    assert value("border", "b2") == 0 and value("diagonals", "d5 e5 c1", "a1") == 30
    assert value("spread", "a1 a3 h8 h5 h4", phase=1) == 5 and value("spread", "a1 a3 h8 h5", phase=2) == 0
    assert value("cluster", "a1 a2 a3 b2") == 40 and value("cluster", "a1 a2 a3") == 0
    assert value("cluster", "a1 a2 a3 b2", phase=2) == 0 and value("cluster", "a1 a2 b3 c3") == 0
    assert value("stairs", "a5 a3 b3 c3") == 40 and value("stairs", "a3 b3 c3 d3") == 40
    assert value("stairs", "a5 a6 b3 c3") == 0
    assert value("line", "a3 c3 g3 h3") == 50 and value("line", "b1 b3 b7 b8") == 50
    assert value("line", "a1 b3 b7 b8") == 0
    assert value("square", "b2 e2 b5 e5") == 50 and value("square", "b2 e2 b5 e4") == 0
    assert value("square", "g7 h7 g8 h8 a1") == 50 and value("square", "h1 a2 h2 a3") == 0
    assert value("plateau", "a1 b1 a3 h8") == 50 and value("plateau", "e4 e5 f7 g7") == 50
    assert value("plateau", "a1 b1") == 0


def test_setup_by_the_players() -> None:
    game = NaiveTorres(3, PRESETS["master"], 1)
    assert len(game.legal()) == 64
    game.apply("B d4")
    assert game.current_player() == 1
    assert not {"B d6", "B e5", "B d4"} & game.legal() and {"B e6", "B d7"} <= game.legal()
    chooser = random.Random(3)
    while sum(game.height) < 8:
        game.apply(chooser.choice(sorted(game.legal())))
    assert game.current_player() == 0 and len(targets(game, "N")) == 8 and game.position()["pending"] is None


def test_setup_ends_when_no_castle_fits() -> None:
    rules = PRESETS["master"] | {"starting_cells": tuple(name(c) for c in range(30))}
    game = NaiveTorres(2, rules, 1)
    before = game.position()["supply"]
    while targets(game, "B"):
        game.apply(min(game.legal()))
    standing = sum(game.height)
    assert 8 <= standing < 30 and game.position()["supply"] == before + 30 - standing
    assert game.current_player() == 0
    again = NaiveTorres.from_position(rules, game.position())
    assert again.legal() == game.legal() and targets(again, "N")


def test_setup_of_digest_and_hands() -> None:
    game = NaiveTorres(2, PRESETS["digest"], 3)
    assert game.position()["king"] in PRESETS["digest"]["starting_cells"] and len(game.legal()) == 7
    game = NaiveTorres(2, PRESETS["digest_master"], 3)
    assert game.position()["king"] is None and len(game.legal()) == 8
    assert game.position()["hands"] == [list(CARDS)] * 2 and game.position()["decks"] == [[], []]
    for verb in ("N", "N", "K"):
        action = min(game.legal())
        assert action.startswith(verb)
        game.apply(action)
    assert game.position()["phase"] == 1 and game.current_player() == 0 and "BUY" not in game.legal()
