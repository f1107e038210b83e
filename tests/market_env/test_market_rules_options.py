"""The options of MarketRules and their presets (section 12)."""

import pytest

from market_env import MarketRules, MarketState


@pytest.mark.parametrize(
    ("name", "flags"),
    [
        ("base", set()),
        ("advanced", {"advanced"}),
        ("apprentices", {"apprentices"}),
        ("guard", {"guard"}),
        ("full", {"advanced", "apprentices", "guard"}),
        ("solo", {"npc", "solo"}),
    ],
)
def test_presets(name, flags):
    rules = MarketRules.preset(name)
    assert {flag for flag in ("advanced", "apprentices", "guard", "npc", "solo") if getattr(rules, flag)} == flags
    assert rules.idle_draw == "unable" and rules.first_tokens == (0, 0, 0, 0) and rules.solo_npc_towers == 3
    assert rules.turns == 100 and MarketRules.from_dict(rules.to_dict()) == rules
    assert MarketState(rules=name).num_players == (1 if name == "solo" else 2)


def test_every_flag_combines_with_every_other():
    rules = MarketRules.preset("base", npc=True, guard=True)
    assert rules.npc and rules.guard and not rules.advanced
    full_solo = MarketRules.preset("full", solo=True, solo_npc_towers=1)
    assert full_solo.npc and full_solo.advanced and MarketState(rules=full_solo).num_players == 1


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("advanced", 1), ("guard", "yes"), ("npc", None), ("solo", 0), ("idle_draw", "never"), ("idle_draw", 3),
        ("solo_npc_towers", 0), ("solo_npc_towers", 10), ("solo_npc_towers", True), ("first_tokens", 3),
        ("first_tokens", (0, 0, 0, 0, 0)), ("first_tokens", (-1,)), ("first_tokens", (0, "2")), ("max_turns", 0),
        ("max_turns", 1.5), ("components", 7),
    ],
)  # fmt: skip
def test_nonsense_is_refused_by_name(field, value):
    with pytest.raises(ValueError, match=field):
        MarketRules(**{field: value})


def test_unknown_names():
    with pytest.raises(ValueError, match="unknown preset 'deluxe': choose one of base, advanced"):
        MarketRules.preset("deluxe")
    with pytest.raises(ValueError, match="unknown field 'guards'"):
        MarketRules.preset("base", guards=True)
    with pytest.raises(ValueError, match="rules must be"):
        MarketState(2, 5)


def test_solo_without_the_npc_is_refused():
    with pytest.raises(ValueError, match="npc"):
        MarketRules.preset("solo", npc=False)


@pytest.mark.parametrize(
    ("players", "rules", "allowed"),
    [
        (1, "base", False), (2, "base", True), (4, "base", True), (5, "base", False), (0, "base", False),
        (1, "solo", True), (2, "solo", False), ("2", "base", False), (2.0, "base", False), (True, "solo", False),
    ],
)  # fmt: skip
def test_numbers_of_players(players, rules, allowed):
    if allowed:
        assert MarketState(players, rules).num_players == players
    else:
        with pytest.raises(ValueError, match="num_players"):
            MarketState(players, rules)


@pytest.mark.parametrize(("players", "allowed"), [(1, True), (2, True), (3, True), (4, False)])
def test_numbers_of_players_with_the_npc(players, allowed):
    rules = MarketRules(npc=True)
    if allowed:
        assert len(MarketState(players, rules).position()["lists"]) == players + 1
    else:
        with pytest.raises(ValueError, match="num_players must be from 1 to 3 with the NPC"):
            MarketState(players, rules)


def test_first_tokens_may_be_shorter_than_the_seats():
    rules = MarketRules(first_tokens=(0, 2))
    position = MarketState(3, rules, seed=1).position()
    assert [sum(tokens.values()) for tokens in position["tokens"]] == [3, 2, 0]


def test_rules_are_hashable_and_frozen():
    assert hash(MarketRules.preset("full")) == hash(MarketRules.preset("full"))
    with pytest.raises(AttributeError):
        MarketRules().guard = True
