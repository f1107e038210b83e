"""The page that ``towers replay --html`` writes, opened from the disk in a real Chromium."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from market_env import MarketState
from torres_env import TorresState
from tower_core.records import write_records
from towers.cli import run

MOVES = 30
GAMES = {"torres": lambda: TorresState(2, seed=3), "market": lambda: MarketState(3, "full", seed=3)}


@pytest.fixture(params=GAMES)
def address(request, tmp_path):
    """Of the page of a recorded game, opened by nothing but its file."""
    state = GAMES[request.param]()
    for k in range(MOVES):
        legal = state.legal_actions()
        state.apply_action(legal[k * 7 % len(legal)])
    write_records(tmp_path / "games.txt", [state.to_record(["Ada", "<b>Bob</b>", "Eve"][: state.num_players])])
    assert run(["replay", str(tmp_path / "games.txt"), "--html", str(tmp_path / "game.html")]) == 0
    return (tmp_path / "game.html").as_uri()


@pytest.fixture
def page(chromium, address):
    """The page; a complaint of its own, or a request to anywhere but its file, fails the test."""
    context = chromium.new_context(viewport={"width": 1200, "height": 900})
    context.set_default_timeout(10_000)
    page = context.new_page()
    problems: list[str] = []
    asked: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address)
    expect(page.locator("#board > svg")).to_be_visible()
    yield page
    context.close()
    assert problems == []
    assert asked == [address]


def at(page):
    return page.locator("#count").inner_text()


def test_buttons_keys_and_the_list_step_through_the_game(page):
    assert at(page) == f"0 / {MOVES}"
    first = page.locator("#board").inner_html()
    page.get_by_role("button", name="next move").click()
    assert at(page) == f"1 / {MOVES}"
    assert page.locator("#board").inner_html() != first
    for key, wanted in [("ArrowRight", 2), ("ArrowLeft", 1), ("End", MOVES), ("ArrowRight", MOVES), ("Home", 0)]:
        page.keyboard.press(key)
        assert at(page) == f"{wanted} / {MOVES}"
    assert page.locator("#board").inner_html() == first
    page.get_by_role("button", name="to the end").click()
    assert at(page) == f"{MOVES} / {MOVES}"
    page.locator("#moves button").nth(7).click()
    assert at(page) == f"7 / {MOVES}"
    expect(page.locator("#moves [aria-current]")).to_have_count(1)
    page.keyboard.press(" ")
    expect(page.locator("#count")).to_have_text(f"8 / {MOVES}")  # it plays
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="play")).to_be_visible()


def test_points_over_time(page):
    """A line for each player, and a mark that goes with the move; a click leads there."""
    chart = page.get_by_role("img", name="points over the game")
    players = page.locator("#legend span").all_inner_texts()
    expect(chart.locator("polyline")).to_have_count(len(players))
    assert players[1].strip() == "<b>Bob</b>"
    assert len(chart.locator("polyline").first.get_attribute("points").split()) == MOVES + 1
    box = chart.bounding_box()
    for share, wanted in [(0.0, 0), (292 / 300, MOVES), ((30 + 262 / 2) / 300, MOVES // 2)]:
        chart.click(position={"x": share * box["width"] + 0.5, "y": 30})
        assert at(page) == f"{wanted} / {MOVES}"
        mark = float(chart.locator("line[stroke-dasharray]").get_attribute("x1"))
        assert mark == pytest.approx(30 + 262 * wanted / MOVES)


def test_dark_narrow_and_a_link_to_a_move(page):
    light = page.locator("#board").inner_html()
    page.emulate_media(color_scheme="dark")
    expect(page.locator("#board > svg > rect")).to_have_attribute("fill", "#14161a")
    assert page.locator("#board").inner_html() != light
    page.set_viewport_size({"width": 400, "height": 800})
    expect(page.locator("#board > svg")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    page.evaluate("location.hash = '#12'")
    expect(page.locator("#count")).to_have_text(f"12 / {MOVES}")
