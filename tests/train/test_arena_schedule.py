"""Which games an arena plays: every line-up, all orders of seats, the same seeds."""

from __future__ import annotations

import pickle
from collections import Counter

import pytest

from torres_env import TorresRules
from torres_env.game import GAME
from train.arena.schedule import Match, line_ups, orders, schedule
from train.arena.settings import ArenaSettings, Guest, rules_name


def torres(*entrants, **options):
    return ArenaSettings("torres", entrants, **options)


def test_everybody_meets_everybody():
    matches = schedule(torres("random", "passive", "greedy", games=6, first_seed=100))
    met = Counter(frozenset(match.seats) for match in matches)
    assert met == dict.fromkeys(
        [frozenset(p) for p in (("random", "passive"), ("random", "greedy"), ("passive", "greedy"))], 6
    )
    assert Counter(match.seed for match in matches) == {100: 6, 101: 6, 102: 6}
    assert matches[:2] == [Match(100, ("random", "passive")), Match(100, ("passive", "random"))]
    assert len(set(matches)) == len(matches)


@pytest.mark.parametrize(("players", "orders_of_all"), [(3, 6), (4, 24)])
def test_more_seats_and_enough_players(players, orders_of_all):
    names = ["random", "passive", "greedy", "greedy:"][:players]
    matches = schedule(torres(*names, players=players, games=10))
    assert len(matches) == -(-10 // orders_of_all) * orders_of_all
    for seat in range(players):
        assert len(set(Counter(match.seats[seat] for match in matches).values())) == 1
    for seed in {match.seed for match in matches}:
        assert len({match.seats for match in matches if match.seed == seed}) == orders_of_all


def test_fewer_players_than_seats():
    settings = torres("random", "greedy", players=4, games=5)
    assert line_ups(settings) == [("random", "greedy", "greedy", "greedy"), ("greedy", "random", "random", "random")]
    matches = schedule(settings)
    assert len(matches) == 2 * 8
    for seed in {match.seed for match in matches}:
        lone = [
            match.seats.index("random") for match in matches if match.seed == seed and match.seats.count("random") == 1
        ]
        assert sorted(lone) == [0, 1, 2, 3]


def test_anchors():
    assert line_ups(torres("random", "passive", anchors=("greedy",))) == [("random", "greedy"), ("passive", "greedy")]
    assert line_ups(torres("greedy", anchors=("random", "passive", "greedy"))) == [
        ("greedy", "random"),
        ("greedy", "passive"),
    ]
    assert line_ups(torres("random", anchors=("random", "passive"))) == [("random", "passive")]
    # Two entrants that are both anchors are one pairing.
    both = line_ups(torres("random", "greedy", anchors=("greedy", "random")))
    assert both == [("random", "greedy")]
    three = line_ups(torres("random", "greedy", players=3, anchors=("greedy", "random")))
    assert three == [("random", "greedy", "greedy"), ("greedy", "random", "random")]


def test_guests_meet_whom_they_name():
    guests = Guest("greedy", "random", 2), Guest("greedy", "passive", 4)
    settings = torres("random", "passive", games=6, first_seed=7, guests=guests)
    assert list(settings.specs) == ["random", "passive", "greedy"]
    met = Counter(frozenset(match.seats) for match in schedule(settings))
    assert met == {
        frozenset(("random", "passive")): 6,
        frozenset(("random", "greedy")): 2,
        frozenset(("passive", "greedy")): 4,
    }
    assert schedule(settings)[:4] == [
        Match(7, ("random", "passive")),
        Match(7, ("passive", "random")),
        Match(7, ("greedy", "random")),
        Match(7, ("random", "greedy")),
    ]
    three = schedule(torres("random", "passive", players=3, games=1, guests=(Guest("greedy", "random", 4),)))
    alone = [match for match in three if "greedy" in match.seats]
    assert Counter(match.seats.index("greedy") for match in alone) == {0: 2, 1: 2, 2: 2}
    assert all(match.seats.count("random") == 2 for match in alone)


def test_more_guests_games_than_the_others():
    """The seeds go on where the others have stopped."""
    matches = schedule(torres("random", "passive", games=2, guests=(Guest("greedy", "random", 6),)))
    assert [match.seed - matches[0].seed for match in matches] == [0, 0, 0, 0, 1, 1, 2, 2]
    with pytest.raises(ValueError, match="games must be at most 4 per pairing, .*, not 6"):
        schedule(torres("random", "passive", games=2, seeds=2, guests=(Guest("greedy", "random", 6),)))


def test_a_player_against_itself():
    settings = torres("greedy", "greedy", games=2)
    assert settings.specs == {"greedy": "greedy", "greedy (2)": "greedy"}
    assert [match.seats for match in schedule(settings)] == [("greedy", "greedy (2)"), ("greedy (2)", "greedy")]


def test_orders_are_all_different():
    assert orders(("a", "b", "b")) == [("a", "b", "b"), ("b", "a", "b"), ("b", "b", "a")]
    assert len(orders(("a", "b", "c", "d"))) == 24


def test_more_games_begin_with_the_same():
    short, long = (schedule(torres("random", "greedy", games=games)) for games in (10, 20))
    assert long[: len(short)] == short


def test_settings_travel_to_other_processes():
    settings = torres("random", "greedy", rules={"card_list": []})
    assert settings.rules == TorresRules(card_list=())
    assert pickle.loads(pickle.dumps(settings)) == settings
    assert settings.identity()["rules"]["card_list"] == []


@pytest.mark.parametrize(
    ("names", "options", "told"),
    [
        ((), {}, "name the players"),
        (("greedy",), {}, "'greedy' needs an opponent"),
        (("greedy",), {"anchors": ("greedy",)}, "needs an opponent"),
        (("greedy", "random"), {"players": 1}, "at least 2 players"),
        (("greedy", "random"), {"players": 5}, "num_players"),
        (("greedy", "random"), {"games": 0}, "games must be at least 1"),
        (("greedy", "random"), {"first_seed": -1}, "first seed"),
        (("greedy", "random"), {"first_seed": 2**64}, "first seed"),
        (("greedy", "random"), {"timeout": 0.0}, "timeout"),
        (("greedy", "random"), {"timeout": float("nan")}, "timeout"),
        (("greedy", "random"), {"rules": "chess"}, "unknown preset"),
        (("greedy", "random"), {"guests": (Guest("greedy", "random", 2),)}, "'greedy': a guest"),
        (("greedy", "random"), {"guests": (Guest("passive", "passive", 2),)}, "'passive': a guest"),
        (("greedy", "random"), {"guests": (Guest("passive", "greedy", 0),)}, "games of 'passive' must be at least 1"),
    ],
)
def test_settings_that_cannot_be(names, options, told):
    with pytest.raises(ValueError, match=told):
        torres(*names, **options)


def test_a_set_has_an_end():
    assert len(schedule(torres("random", "greedy", games=20, seeds=10))) == 20
    with pytest.raises(ValueError, match="games must be at most 20 per pairing, .*, not 21"):
        schedule(torres("random", "greedy", games=21, seeds=10))


def test_rules_from_the_command_line():
    assert GAME.resolve_rules(None) == TorresRules()
    assert GAME.resolve_rules("master") == TorresRules.preset("master")
    without = GAME.resolve_rules(' {"card_list": [], "draw_choice": 1}')
    assert without == TorresRules(card_list=(), draw_choice=1)
    assert rules_name(GAME, without) == "draw_choice=1, card_list=[]"
    assert rules_name(GAME, TorresRules.preset("classic")) == "classic"
    for text, told in (
        ("{card_list}", "rules must be a dict such as"),
        ('{"cards": 3}', "unknown field 'cards'"),
        ("chess", "unknown preset"),
    ):
        with pytest.raises(ValueError, match=told):
            GAME.resolve_rules(text)
