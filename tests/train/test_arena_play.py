"""One game of an arena: what players are shown, what they lose a game by, and that everything follows from the seeds."""

from __future__ import annotations

import random
import time

import pytest

from tower_core.players.protocol import mover_view
from tower_core.players.specs import player_maker
from tower_core.registry import get_game
from train.arena.play import derived_seed, play_match
from train.arena.schedule import Match

GAMES = [("torres", "standard", 2), ("torres", "classic", 3), ("market", "full", 2), ("market", "base", 3)]


class Scripted:
    """Plays what a function of the state says; keeps what it was shown."""

    name, native = "scripted", None

    def __init__(self, answer):
        self.answer, self.shown = answer, []

    def act(self, state):
        self.shown.append(state.clone())
        return self.answer(state)


def first(state):
    return state.legal_actions()[-1]


def play(game, answers, seed=5, rules=None, timeout=60.0, record=True):
    game = get_game(game)
    players = [Scripted(answer) for answer in answers]
    makers = [lambda seed, player=player: player for player in players]
    rules = game.resolve_rules(rules or game.default_rules)
    names = tuple(f"p{i}" for i in range(len(answers)))
    return play_match(game, rules, Match(seed, names), makers, timeout, record), players


# ---------------------------------------------------------------------------------------------- whole games
@pytest.mark.parametrize(("name", "rules", "players"), GAMES)
def test_the_game_of_the_seed(name, rules, players):
    """The actions, played once more on the state of that seed, give scores, places, moves and turns."""
    game = get_game(name)
    makers = [player_maker(spec, game) for spec in ("greedy", "random", "greedy")[:players]]
    match = Match(11, ("a", "b", "c")[:players])
    outcome = play_match(game, game.resolve_rules(rules), match, makers, 60.0, record=True)
    state = game.state_class()(players, rules, 11)
    movers = []
    for action in outcome.actions:
        movers.append(state.current_player())
        state.apply_action(action)
    assert state.is_terminal()
    assert outcome.fault is None
    assert outcome.scores == state.scores()
    assert [outcome.places.index(min(outcome.places))] == [state.ranking()[0][0]]
    assert outcome.moves == [movers.count(seat) for seat in range(players)]
    assert outcome.turns == [
        sum(b == seat and a != seat for a, b in zip([-1, *movers], movers, strict=False)) for seat in range(players)
    ]
    assert all(0 < slow <= total for slow, total in zip(outcome.slowest, outcome.seconds, strict=True))
    again = play_match(game, game.resolve_rules(rules), match, makers, 60.0, record=True)
    assert again.actions == outcome.actions
    other = play_match(game, game.resolve_rules(rules), Match(12, match.seats), makers, 60.0, record=True)
    assert other.actions != outcome.actions


def test_shared_places():
    """Two who only pass end level."""
    outcome, _ = play(
        "torres", [lambda state: state.legal_actions()[0]] * 2, rules={"card_list": [], "unique_scores": False}
    )
    assert outcome.scores[0] == outcome.scores[1]
    assert outcome.places == [1, 1]


def test_players_get_seeds_of_their_own():
    seen = []
    game = get_game("torres")

    def maker(seed):
        seen.append(seed)
        return Scripted(first)

    play_match(game, game.resolve_rules("standard"), Match(7, ("a", "b")), [maker, maker], 60.0)
    assert seen == [derived_seed(7, 0), derived_seed(7, 1)]
    assert len({derived_seed(seed, seat) for seed in range(500) for seat in range(4)}) == 2000
    assert all(0 <= derived_seed(seed, 0) < 2**32 for seed in range(100))


# ---------------------------------------------------------------------------------------------- what they see
@pytest.mark.parametrize(("name", "rules", "players"), GAMES)
def test_players_see_what_their_seat_may_know(name, rules, players):
    """The true position of the seat; hidden parts, random stream and seed are others."""
    truth = []
    game = get_game(name)

    def answer(state):
        return random.Random(len(truth)).choice(state.legal_actions())

    outcome, table = play(name, [answer] * players, rules=rules)
    state = game.state_class()(players, rules, 5)
    asked = [0] * players
    different = 0
    for action in outcome.actions:
        seat = state.current_player()
        shown = table[seat].shown[asked[seat]]
        asked[seat] += 1
        assert shown.position(seat) == state.position(seat)
        assert shown.current_player() == seat
        assert shown.seed != state.seed
        assert shown.position()["rng"] != state.position()["rng"]
        different += {**shown.position(), "rng": 0} != {**state.position(), "rng": 0}
        state.apply_action(action)
    assert different > len(outcome.actions) / 3


@pytest.mark.parametrize(("name", "rules", "players"), GAMES)
def test_indistinguishable_games_look_the_same(name, rules, players):
    """To the last byte: so whoever is deterministic plays the same in them."""
    game, checked = get_game(name), 0
    for seed in range(12):
        chance = random.Random(seed)
        state = game.state_class()(players, rules, seed)
        for _ in range(chance.randrange(5, 90)):
            if not state.is_terminal():
                state.apply_action(chance.choice(state.legal_actions()))
        if state.is_terminal():
            continue
        seat = state.current_player()
        for other_seed in range(3):
            other = state.resample_hidden(seat, 1000 + other_seed)
            assert other.to_bytes() != state.to_bytes()
            assert mover_view(other, 99).to_bytes() == mover_view(state, 99).to_bytes()
            checked += 1
        assert mover_view(state, 98).to_bytes() != mover_view(state, 99).to_bytes()
    assert checked > 15


def test_what_a_player_does_to_its_state_stays_there():
    def meddle(state):
        action = first(state)
        state.apply_action(action)
        return action

    meddled, _ = play("torres", [meddle, meddle])
    plain, _ = play("torres", [first, first])
    assert meddled.actions == plain.actions
    assert meddled.fault is None


# ---------------------------------------------------------------------------------------------- faults
def fail(state):
    raise RuntimeError("no\nidea")


def leave(state):
    raise SystemExit(3)


def mute(state):
    class Mute(Exception):
        def __str__(self):
            raise RuntimeError("no text")

    raise Mute


@pytest.mark.parametrize(
    ("answer", "kind", "message"),
    [
        (lambda state: 661, "illegal", "."),
        (lambda state: -1, "illegal", "."),
        (lambda state: 10**30, "illegal", "."),
        (lambda state: None, "illegal", "must be an integer"),
        (lambda state: "END", "illegal", "must be an integer"),
        (lambda state: True, "illegal", "must be an integer"),
        (fail, "error", "RuntimeError: no"),
        (leave, "error", "SystemExit"),
        (mute, "error", "Mute"),
    ],
)
@pytest.mark.parametrize("seat", [0, 2])
def test_faults_lose_the_game(answer, kind, message, seat):
    answers = [first] * 3
    answers[seat] = answer
    outcome, _ = play("torres", answers)
    assert outcome.fault.seat == seat
    assert outcome.fault.kind == kind
    assert message in outcome.fault.message or message == "."
    assert "\n" not in outcome.fault.message
    assert outcome.places == [3 if p == seat else 1 for p in range(3)]
    assert outcome.scores is None


def test_who_is_late_loses():
    """The first to be asked, so that no other can be late before it."""

    def late(state):
        time.sleep(0.02)
        return first(state)

    outcome, _ = play("torres", [late, first], timeout=0.01)
    assert (outcome.fault.seat, outcome.fault.kind) == (0, "timeout")
    assert "the limit is 0.01 s" in outcome.fault.message
    assert outcome.places == [2, 1]


def test_a_player_that_cannot_be_made():
    game = get_game("torres")

    def maker(seed):
        raise ValueError("no weights")

    outcome = play_match(game, game.resolve_rules("standard"), Match(7, ("a", "b")), [maker, maker], 60.0)
    assert outcome.fault.seat == 0
    assert outcome.fault.message == "ValueError: no weights"


def test_ctrl_c_is_no_fault():
    def stop(state):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play("torres", [stop, first])
