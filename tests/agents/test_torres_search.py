"""The players of Torres that search: best turns worked out elsewhere, every rule set, budgets, hidden cards, options."""

from __future__ import annotations

import hashlib
import random

import numpy as np
import pytest

import agents
from agents.search import player as search_player
from agents.search.playouts import random_playouts
from agents.torres.options import SIZE
from torres_env import TorresBatch, TorresRules, TorresState

NAMES = ("planner:width=3", "mcts:sims=6,worlds=2,playout=1,root=4,branch=3,root_width=3,width=2")


def played(state, players):
    while not state.is_terminal():
        state.apply_action(players[state.current_player()].act(state))
    return state


def moments(count, preset="standard", seats=3, steps=130):
    """States at random moments of games in which cards are bought and played."""
    states = []
    for seed in range(count):
        chance = random.Random(seed)
        state = TorresState(seats, preset, seed)
        for _ in range(chance.randrange(steps)):
            if state.is_terminal():
                break
            legal = state.legal_actions()
            cards = [action for action in legal if 0 < action < 22]
            state.apply_action(chance.choice(cards if cards and chance.random() < 0.4 else legal))
        if not state.is_terminal():
            states.append(state)
    return states


# ---------------------------------------------------------------------------------------------- the best turn
def last_turn(heights, knights, king, ap=5, turn_stack=3, **fields):
    """Player 1 has the last turn of the game; *heights*: blocks by cell name."""
    height = [0] * 64
    for cell, blocks in heights.items():
        height["abcdefgh".index(cell[0]) + 8 * (int(cell[1]) - 1)] = blocks
    position = {
        "rules": fields.pop("rules", "standard"), "num_players": 2, "height": height, "knights": knights, "king": king,
        "to_move": 1, "start_player": 0, "phase": 3, "round": 4, "ap": ap, "stacks": [[], []],
        "turn_stack": turn_stack, "supply": 10, "scores": [100, 90], "master_card": None, "pending": None,
        "hands": [[], []], "discards": [[], []], "decks": [[], []],
    }  # fmt: skip
    return TorresState.from_position(position | fields)


STEPS = {"a1": 1, "b1": 2, "c1": 3, "d1": 2, "a2": 1, "b2": 1, "h8": 1, "g8": 1}


def best_lead(state):
    """The best lead of player 1 at the end, by trying every order of everything."""
    best, seen, waiting = -(10**9), set(), [state]
    while waiting:
        now = waiting.pop()
        for action in now.legal_actions():
            after = now.clone()
            after.apply_action(action)
            if after.is_terminal():
                best = max(best, after.scores()[1] - after.scores()[0])
                continue
            told = after.position()
            key = str([told[name] for name in ("height", "ap", "turn_stack", "hands", "pending")])
            key += str(sorted(told["knights"][1]))
            if key not in seen:
                seen.add(key)
                waiting.append(after)
    return best


LAST_TURNS = {
    "climb": last_turn(STEPS, [["h8"], ["a1"]], "g8", ap=2, turn_stack=0),
    "build under the tower": last_turn(STEPS, [["h8"], ["b1"]], "g8", ap=2, turn_stack=1),
    "nothing to gain but points": last_turn({"a1": 1, "h8": 1, "f6": 1}, [["h8"], ["a1"]], "f6", ap=2, turn_stack=0),
    "jump": last_turn(
        {"a1": 1, "a2": 3, "b1": 1, "b2": 1, "h8": 1, "f6": 1}, [["h8"], ["a1"]], "f6", ap=1, turn_stack=0,
        hands=[[], ["jump"]],
    ),
    "two points more": last_turn(STEPS, [["h8"], ["a1"]], "g8", ap=1, turn_stack=0, hands=[[], ["ap7"]]),
    "relocate": last_turn(
        STEPS, [["h8"], ["d1"]], "g8", ap=1, turn_stack=0, hands=[[], ["relocate"]]
    ),
    # c2 is 2 points more for the castle, a2 keeps the knight on the border for the master card.
    "master card": last_turn(
        {"b2": 1, "a2": 1, "c2": 2, "h8": 1, "f6": 1}, [["h8"], ["b2"]], "f6", ap=1, turn_stack=0,
        rules="master", master_card="border",
    ),
}  # fmt: skip


def test_the_climb_by_hand():
    """From a1 over b1 to c1, level 3 of a castle of area 6: 18 points; the rival has 2 for h8."""
    state = played(LAST_TURNS["climb"].clone(), [None, agents.make("planner:noise=0", game="torres")])
    assert [text for _, text in state.history()] == ["M a1 b1", "M b1 c1"]
    assert state.scores() == [102, 108]


def test_the_jump_by_hand():
    """The card leads to the tower of level 3 at once, and the point is kept: 90 + 1 + 4 · 3."""
    state = played(LAST_TURNS["jump"].clone(), [None, agents.make("planner:noise=0", game="torres")])
    assert [text for _, text in state.history()][:2] == ["PLAY jump", "M a1 a2"]
    assert state.scores()[1] == 103


@pytest.mark.parametrize("spec", ["planner:noise=0", "mcts:sims=40,noise=0"])
@pytest.mark.parametrize("name", LAST_TURNS)
def test_the_last_turn_is_played_best(name, spec):
    state = LAST_TURNS[name]
    wanted = best_lead(state)
    player = agents.make(spec, game="torres")
    after = played(state.clone(), [None, player])
    assert after.scores()[1] - after.scores()[0] == wanted


@pytest.mark.parametrize("seat", [0, 1])
def test_a_beam_of_one_builds_the_steps_that_it_climbs_last(seat):
    """Two blocks on b1 and a step up to level 3 are worth 6 points and cost 3; each block beside the castle is worth 2.

    In either seat: after its last turn of the game, a seat counts what its castles score.
    """
    state = last_turn(
        {"a1": 2, "b1": 1, "c1": 1, "a2": 1, "b2": 1, "c2": 1, "h8": 1, "g6": 1}, [["h8"], ["a1"]], "g6", ap=3, turn_stack=2,
        rules=TorresRules(card_list=()).to_dict(),
    )  # fmt: skip
    wanted = best_lead(state)
    assert wanted == 90 + 18 - 101
    if seat == 0:
        position = state.position()
        position["knights"].reverse()
        position["scores"].reverse()
        position["stacks"] = [[], [0]]
        state = TorresState.from_position(position | {"to_move": 0})
    players = [agents.make("passive", game="torres")] * 2
    players[seat] = agents.make("planner:width=1,noise=0", game="torres")
    scores = played(state, players).scores()
    assert scores[seat] == 108


def test_the_master_card_turns_the_last_move():
    """On c2 the castle of three gives 6 points instead of 3; on a2 the knight is on the border at the third scoring."""
    state = LAST_TURNS["master card"]
    without = TorresState.from_position(
        state.position() | {"rules": TorresRules.preset("master", master_card=False).to_dict(), "master_card": None}
    )
    planner = agents.make("planner:noise=0", game="torres")
    moves = [position.action_to_string(planner.act(position)) for position in (state, without)]
    assert moves == ["M b2 a2", "M b2 c2"]


@pytest.mark.parametrize("spec", ["planner:noise=0", "mcts:sims=40,noise=0"])
def test_the_king_goes_where_the_own_knight_stands_right(spec):
    """Before phase 2 the own knight is on level 2 of one castle, the rival's on level 2 of another."""
    heights = {"a1": 1, "b1": 2, "c1": 1, "h8": 2, "g8": 1, "f8": 1, "d5": 1}
    between = {"phase": 1, "turn_stack": 0, "ap": 0, "pending": {"kind": "king"}}
    state = last_turn(heights, [["h8"], ["b1"]], "d5", **between)
    assert state.action_to_string(agents.make(spec, game="torres").act(state)) in ("K a1", "K c1")


def test_castles_begin_where_there_is_room():
    """The first block on an empty board stands in the middle."""
    state = TorresState(2, TorresRules(castle_setup="players"), 1)
    chosen = state.action_to_string(agents.make("planner:noise=0", game="torres").act(state))
    assert chosen.split()[-1] in ("d4", "e4", "d5", "e5")


def test_planner_takes_what_is_worth_most_when_it_picks():
    state = next(state for state in moments(60) if "PICK" in state.action_to_string(state.legal_actions()[-1]))
    texts = [state.action_to_string(action) for action in state.legal_actions()]
    chosen = state.action_to_string(agents.make("planner", game="torres").act(state))
    order = ["ap7", "jump", "door", "under", "relocate", "extra", "encore", "diagonal", "ap6", "recruit"]
    assert chosen == min(texts, key=lambda text: order.index(text.split()[1]))


# ---------------------------------------------------------------------------------------------- all rules
@pytest.mark.parametrize(
    "fields",
    [{"action_points": 30}, {"card_list": ()}, {"max_stack": 9, "stacks": ((9,), (9, 0), (1,))}, {"knights_per_player": 1}],
)  # fmt: skip
def test_whole_games_under_odd_rules(fields):
    players = [agents.make(spec, seed=1, game="torres") for spec in NAMES]
    played(TorresState(2, TorresRules.preset("standard", **fields), 5), players)


def test_planner_sits_in_batches():
    batch = TorresBatch(4, 2, seed=1, opponents="planner:width=3", autoreset=False)
    passive = agents.make("passive", game="torres")
    while (batch.to_move >= 0).any():
        batch.step(passive.act_on_batch(batch))
    seats = np.arange(4), 1 - batch.learner
    assert (batch.final_score[seats] > batch.final_score[np.arange(4), batch.learner]).all()


def test_planner_beats_greedy():
    for seat in range(2):
        batch = TorresBatch(3, 2, "standard", 77, "greedy", seat=seat, autoreset=False)
        planner = agents.make("planner:width=8", seed=seat, game="torres")
        while (batch.to_move >= 0).any():
            batch.step(planner.act_on_batch(batch))
        assert (batch.final_utility[:, seat] > 0).all()


# ---------------------------------------------------------------------------------------------- the same again
FROZEN = "planner:width=32,rival=0.45,outlook=0"
GOLDEN = {
    ("standard", 2, 1): "1795539c93eb8a33",
    ("no cards", 2, 1): "75862b4f956f3bb0",
    ("standard", 2, 4): "a31e3e45019bd1de",
    ("master", 2, 1): "adcf3730f8f6a176",
    ("digest", 3, 1): "8d24e2c0c0984149",
    ("classic", 4, 1): "f6c8948703bd4a1f",
}


@pytest.mark.parametrize(("preset", "seats", "games"), GOLDEN)
def test_the_planner_of_the_benchmarks_plays_as_it_always_did(preset, seats, games):
    """The digest of all actions of games against itself, as recorded before ``outlook``; faster with a narrow beam."""
    spec = FROZEN if (preset, games) in (("standard", 1), ("no cards", 1)) else FROZEN.replace("width=32", "width=4")
    batch = TorresBatch(
        games, seats, TorresRules(card_list=()) if preset == "no cards" else preset, 31, autoreset=False
    )
    player, digest = agents.make(spec, seed=3, game="torres"), hashlib.sha256()
    while (batch.to_move >= 0).any():
        actions = player.act_on_batch(batch)
        digest.update(actions.tobytes())
        batch.step(actions)
    assert digest.hexdigest()[:16] == GOLDEN[preset, seats, games]


def test_the_temper_of_mcts_suits_the_rules():
    """Without the option: 0.6 where there are action cards, 1 where there are none."""
    small = "mcts:sims=4,worlds=2,playout=1,root=6,branch=2,root_width=3,width=2,cheap=2"

    def game(rules, spec):
        return played(
            TorresState(2, rules, 8),
            [agents.make(spec, seed=1, game="torres"), agents.make("greedy", seed=2, game="torres")],
        ).history()

    for rules, rival, other in (("standard", 0.6, 0.2), (TorresRules(card_list=()), 1, 0.2)):
        usual = game(rules, small)
        assert usual == game(rules, f"{small},rival={rival}")
        assert usual != game(rules, f"{small},rival={other}")


def test_the_beams_of_mcts_suit_the_rules():
    """Without the options: 8 and 2 where there are action cards, 24 and 8 where there are none."""
    for rules, own, other in (
        ("standard", "width=8,cheap=2", "width=24,cheap=8"),
        (TorresRules(card_list=()), "width=24,cheap=8", "width=8,cheap=2"),
    ):
        state = played_until_phase(TorresState(2, rules, 3))
        values = []
        for beams in ("", f",{own}", f",{other}"):
            player = agents.make(f"mcts:sims=12,root=4,root_width=4{beams}", seed=1, game="torres")
            player.act(state)
            values.append(player._nodes["total"][0].tolist() + player._nodes["value"].tolist())
        assert values[0] == values[1]
        assert values[0] != values[2]


def test_a_simulation_goes_on_with_the_best_turn_of_the_position_that_it_adds():
    player = agents.make("mcts:sims=1,worlds=1,playout=0,root=4,branch=3,root_width=3,width=2", game="torres")
    player.act(played_until_phase(TorresState(2, TorresRules(card_list=()), 3)))
    nodes, visited = player._nodes, []
    tried = next(node for node in nodes[1:5] if node["visits"])
    below = nodes[5]
    visited = [nodes[0], tried, below, nodes[below["first"]]]
    assert below["count"] > 1
    assert [int(node["visits"]) for node in visited] == [1, 1, 1, 1]
    assert len({node["total"].tobytes() for node in visited[1:]}) == 1
    assert int(player._nodes["visits"].sum()) == 4


def test_mcts_looks_at_one_world_where_nothing_is_hidden():
    for preset, worlds in (("master", 1), ("standard", 3)):
        player = agents.make("mcts:sims=4,worlds=3,root=4,root_width=2", game="torres")
        state = moments(12, preset)[-1]
        player.act(state)
        assert player._problem["world_count"][0] == worlds


# ---------------------------------------------------------------------------------------------- budgets
def test_sims_are_a_budget_of_the_turn():
    player = agents.make("mcts:sims=20,root_width=2,width=2,root=6,branch=3", game="torres")
    state = played_until_phase(TorresState(2, TorresRules(card_list=()), 3))
    player.act(state)
    assert player.simulations == 16
    state.apply_action(state.string_to_action("END"))
    state.apply_action(state.string_to_action("END"))
    player.act(state)
    assert player.simulations == 16


def played_until_phase(state):
    passive = agents.make("passive", game="torres")
    while state.position()["phase"] == 0:
        state.apply_action(passive.act(state))
    return state


def test_seconds_are_kept(monkeypatch):
    """By a clock that every look at it moves on by 10 ms: the search ends with its share of the time."""
    now = [0.0]

    def clock():
        now[0] += 0.01
        return now[0]

    monkeypatch.setattr(search_player.time, "perf_counter", clock)
    player = agents.make("mcts:seconds=0.3,playout=0,root_width=2,width=2,root=6,branch=3", game="torres")
    player.act(played_until_phase(TorresState(2, TorresRules(card_list=()), 3)))
    share = 0.3 * search_player.FIRST_SHARE
    assert share <= now[0] <= share + 0.03
    assert player.simulations > 64


def test_the_leaves_of_a_search_differ():
    """At most a few of the turns proposed leave the knights and the hand alike."""
    state = moments(12, TorresRules(card_list=()), seats=2)[4]
    player = agents.make("mcts:sims=2,root=24", game="torres")
    player.act(state)
    ends = {}
    children = player._nodes[1 : 1 + int(player._nodes[0]["count"])]
    for child in children:
        after = state.clone()
        for action in child["actions"][: child["length"]].tolist():
            after.apply_action(action)
        knights = str(sorted(after.position()["knights"][state.current_player()]))
        ends[knights] = ends.get(knights, 0) + 1
    assert len(children) > 12
    assert max(ends.values()) <= 4


# ---------------------------------------------------------------------------------------------- parts
def test_random_playouts():
    state = moments(9)[3]
    before = state.to_bytes()
    first = random_playouts(state, 200, seed=5)
    assert first.shape == (3,)
    assert abs(first.sum()) < 1e-6
    assert (random_playouts(state, 200, seed=5) == first).all()
    assert (random_playouts(state, 200, seed=6) != first).any()
    assert state.to_bytes() == before
    with pytest.raises(ValueError, match="count"):
        random_playouts(state, 0)


def test_random_playouts_favour_who_is_ahead():
    ahead = LAST_TURNS["nothing to gain but points"].position()
    ahead["scores"] = [300, 0]
    assert random_playouts(TorresState.from_position(ahead), 50).tolist() == [1.0, -1.0]


def test_options_hold_all_that_they_say():
    assert len(agents.make("planner", game="torres")._options) == SIZE
