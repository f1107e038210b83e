"""Component sets: the default, users' own, and the ones that are refused (sections 1, 4 and 12)."""

import copy
import tomllib
from pathlib import Path

import pytest

from market_env import GAME, MarketRules, MarketState
from market_env.component_files import default_components, load
from market_env.components import Components, Shape

FILE = Path(load.__code__.co_filename).with_name("components.toml")


def raw():
    return copy.deepcopy(default_components().to_dict())


def refused(change, *words):
    components = raw()
    change(components)
    with pytest.raises(ValueError) as error:
        load(components)
    message = str(error.value)
    assert "\n" not in message and all(word in message for word in words), message


# --- the default ---
def test_the_default_set():
    components = default_components()
    assert components.name == "reconstructed" and components.materials == ("wood", "brick", "stone", "iron", "glass")
    assert components.shape == Shape(5, 6, 5, 20, 8, 24, 4)
    assert components.token_counts == (45, 30, 15, 10) and components.markets_by_seats == (4, 5, 6)
    assert load(FILE) == load(str(FILE)) == load(tomllib.loads(FILE.read_text("utf-8"))) == components


def test_a_set_can_be_written_and_read_again():
    assert load(raw()) == default_components() and hash(load(raw())) == hash(default_components())


def test_rules_take_a_set_as_file_dict_or_object(tmp_path):
    changed = raw()
    changed["name"] = "mine"
    path = tmp_path / "mine.toml"
    path.write_text(FILE.read_text("utf-8").replace('"reconstructed"', '"mine"'), "utf-8")
    sets = [MarketRules(components=source).components for source in (path, str(path), changed, load(changed))]
    assert all(isinstance(one, Components) and one == sets[0] and one.name == "mine" for one in sets)
    rules = MarketRules.preset("full", components=changed)
    assert MarketRules.from_dict(rules.to_dict()) == rules and rules.to_dict()["components"]["name"] == "mine"
    assert MarketRules().to_dict()["components"] is None


def test_actions_and_observations_are_the_same_for_every_set():
    small = raw()
    small["materials"] = ["clay"]
    for market in small["market"]:
        for circle in market["circles"]:
            circle["material"] = "clay"
    small["list"] = [{"clay": k} for k in (1, 2, 3, 4)]
    small["rate"] = []
    state = MarketState(2, MarketRules(components=small), 1)
    assert len(state.legal_actions_mask()) == GAME.num_actions == 151
    assert state.observation(0)["vector"].shape == GAME.observation_shapes[0][1]
    assert any(state.action_to_string(action).startswith("BUY") for action in state.legal_actions())


def test_numbers_of_the_set_reach_the_game():
    changed = raw()
    changed["rules"] |= {"draw": 5, "max_turns_per_player": 7, "towers_to_win": 1}
    state = MarketState(2, MarketRules(components=changed), 1)
    assert sum(state.position()["tokens"][0].values()) == 5 and state.rules.turns == 7
    assert MarketState(2, MarketRules(components=changed, max_turns=9), 1).rules.turns == 9


# --- refused ---
def test_what_is_no_set():
    for source in (3, ["x"], b"x"):
        with pytest.raises(ValueError, match="components"):
            load(source)
    with pytest.raises(ValueError, match="can't read '/no/such/file"):
        load("/no/such/file.toml")


def test_a_file_that_is_no_toml(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text("name = ", "utf-8")
    with pytest.raises(ValueError, match="is not a valid TOML file"):
        load(path)


@pytest.mark.parametrize(
    "entry",
    ["materials", "gems", "passes", "rules", "black_market_entry", "rate", "market", "list", "black_market_card"],
)
def test_missing_entries(entry):
    refused(lambda c: c.pop(entry), "components", f"'{entry}' is missing")


def test_missing_parts_of_entries():
    refused(lambda c: c["rules"].pop("draw"), "rules", "'draw' is missing")
    refused(lambda c: c["rules"]["markets_by_seats"].pop("3"), "markets_by_seats", "'3' is missing")
    refused(lambda c: c["gems"].pop("blue"), "gems", "'blue' is missing")
    refused(lambda c: c["gems"]["red"].pop("worth"), "gems: red", "'worth' is missing")
    refused(lambda c: c["rate"][1].pop("get"), "rate 2", "'get' is missing")
    refused(lambda c: c["market"][2].pop("circles"), "market 3", "'circles' is missing")
    refused(lambda c: c["market"][2]["circles"][3].pop("price"), "market 3: circle d", "'price' is missing")
    refused(lambda c: c["black_market_card"][0].pop("fee"), "black_market_card 1", "'fee' is missing")


def test_unknown_entries_materials_gems_and_cards():
    refused(lambda c: c.update(cricle=1), "components", "'cricle'")
    refused(lambda c: c["rules"].update(drow=1), "rules", "'drow'")
    refused(lambda c: c["market"][0]["circles"][1].update(material="straw"), "market 1: circle b", "'straw'", "wood")
    refused(lambda c: c["list"][4].update(straw=1), "list 5", "'straw'")
    refused(lambda c: c["market"][0]["circles"][1]["price"].update(pink=1), "market 1: circle b: price", "'pink'")
    refused(lambda c: c["market"][0]["circles"][1]["price"].update({"pass": 1}), "price", "'pass'")
    refused(lambda c: c["rate"][0]["give"].update(gold=1), "rate 1: give", "'gold'")
    refused(lambda c: c["black_market_entry"].append({"gold": 1}), "black_market_entry", "0 to 4")
    refused(lambda c: c["black_market_entry"].__setitem__(0, {"gold": 1}), "black_market_entry 1", "'gold'")
    refused(lambda c: c["black_market_card"][2].update(name="thief"), "black_market_card 3", "'thief'")


def test_wrong_numbers():
    refused(lambda c: c["market"][1]["circles"][0]["price"].update(green=-1), "market 2: circle a: price: green", "-1")
    refused(lambda c: c["market"][1]["circles"][0]["price"].update(green=1.5), "price: green", "1.5")
    refused(lambda c: c["gems"]["green"].update(count=251), "gems: green: count", "250")
    refused(lambda c: c["gems"]["green"].update(worth=0), "gems: green: worth", "from 1")
    refused(lambda c: c["passes"].update(count=-1), "passes: count")
    refused(lambda c: c["rules"].update(black_market_offer=5), "rules: black_market_offer", "1 to 4")
    refused(lambda c: c["rules"].update(lists_after_building=0), "rules: lists_after_building")
    refused(lambda c: c["rules"].update(draw=True), "rules: draw", "True")
    refused(lambda c: c["black_market_card"][0].update(copies=60), "black_market_card", "copies in all")
    refused(lambda c: c["list"][0].update(wood=-2), "list 1: wood")
    refused(lambda c: c["black_market_entry"].__setitem__(0, {"green": 6}), "black_market_entry 2", "already")
    refused(lambda c: c["black_market_entry"].__setitem__(0, {"pass": 1, "red": 1}), "black_market_entry 1", "one kind")


def test_wrong_counts():
    refused(lambda c: c["market"][4]["circles"].pop(), "market 5: circles", "must have 6", "5")
    refused(lambda c: c["market"].append(c["market"][0]), "market", "1 to 6", "7")
    refused(lambda c: c.update(list=c["list"][:3]), "list", "4 to 64", "3")
    refused(lambda c: c["rules"].update(markets_by_seats={"2": 4, "3": 5, "4": 7}), "markets_by_seats: 4")
    refused(lambda c: c.update(market=c["market"][:5]), "markets_by_seats", "6 markets with 4 seats", "5")
    refused(lambda c: c["rules"].update(markets_by_seats={"2": 5, "3": 4, "4": 6}), "markets_by_seats", "decrease")
    refused(lambda c: c.update(materials=[]), "materials", "1 to 8")
    refused(lambda c: c["materials"].append("wood"), "materials", "repeat")
    refused(lambda c: c["materials"].append("two words"), "materials", "'two words'")
    refused(lambda c: c["list"].append({}), "list 21", "at least one")
    refused(lambda c: c["black_market_card"].__setitem__(1, c["black_market_card"][0]), "black_market_card 2", "twice")
    refused(lambda c: c.update(rate=[c["rate"][0]] * 13), "rate", "0 to 12")


def test_a_list_that_the_markets_of_two_seats_cannot_meet():
    # Wood lies on three circles of the first four markets, on a fourth of the fifth.
    refused(lambda c: c["list"][0].update(wood=4), "list 1", "4 wood", "first 4 markets have 3")
    refused(lambda c: c["rules"]["markets_by_seats"].update({"2": 1}), "list 1", "brick")


def test_rates_on_which_trades_could_go_on_for_ever():
    def rates(*pairs):
        return lambda c: c.update(rate=[{"give": give, "get": get} for give, get in pairs])

    refused(rates(({"green": 1}, {"blue": 1})), "rate 1", "gain worth")
    refused(rates(({"green": 1}, {"green": 1})), "rate 1", "for ever")
    refused(rates(({}, {})), "rate 1", "for ever")
    refused(rates(({"green": 3}, {"red": 1}), ({"red": 2}, {"green": 6})), "rate 1 and 2", "for ever")
    # Three that lead back: 3 green -> 2 blue, 2 blue -> 1 red, 1 red -> 3 green.
    circle = (({"green": 3}, {"blue": 2}), ({"blue": 2}, {"red": 1}), ({"red": 1}, {"green": 3}))
    refused(rates(*circle), "rate 1 and 2 and 3", "for ever")
    # A mix used unequally often: twice the first, once the second and the third.
    mixed = (({"green": 3}, {"blue": 2}), ({"blue": 4}, {"red": 1, "green": 3}), ({"red": 1}, {"green": 3}))
    refused(rates(*mixed), "for ever")
    components = raw()
    rates(*circle[:2], ({"red": 1}, {"green": 2}))(components)
    assert len(load(components).rates) == 3  # the third loses worth


def test_trades_of_the_default_set_end():
    # Every rate loses worth or keeps it; the keeping ones can't be undone.
    components = default_components()
    kept = [rate for rate in components.rates if components.worth(rate.give) == components.worth(rate.get)]
    assert len(kept) == 2 and all(
        components.worth(rate.give) >= components.worth(rate.get) for rate in components.rates
    )
