"""The browser app as a person uses it, in a real headless Chromium."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.server import free_port, serving

TRIES = 1500


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("state")) as server:
        yield server


@pytest.fixture
def page(chromium, server):
    """A page of a fresh browser that knows the token; a complaint of the page's own fails the test."""
    context = chromium.new_context(viewport={"width": 1200, "height": 900})
    context.set_default_timeout(10_000)
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(server.address)
    yield page
    context.close()
    assert problems == []


def start(page, game, players, rules=None, seed="3"):
    """A game by the form of the first page."""
    page.locator("#game").select_option(game)
    if rules:
        page.locator("#preset").select_option(rules)
    page.locator("#number").select_option(str(len(players)))
    for seat, name in enumerate(players):
        page.locator(f"#seat-{seat}").select_option(name)
    page.locator("#seed").fill(seed)
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".board > svg")).to_be_visible()


def game_id(page):
    return page.url.rpartition("/")[2]


def by_hand(page, script):
    """Run a script in the page that sends requests of its own: `post` gives a status, `game` is the game's address."""
    head = """const post = async (path, content) => (await fetch(path,
      {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(content)})).status;"""
    return page.evaluate(f"async (id) => {{ const game = `/api/games/${{id}}`; {head} {script} }}", game_id(page))


# What a person would click next: an entry of a menu, then a lit place or the end of the turn by turns, then any button.
NEXT = """(onBoard) => {
  if (document.querySelector(".status .line").textContent.startsWith("The game is over")) return "over";
  const first = onBoard ? ".spot.target" : "[data-action=BUILD]";
  const wanted = [".menu button", first, "[data-action=END]", ".choices:not(.small) .choice", ".spot.target"];
  const found = wanted.map((one) => document.querySelector(one)).find(Boolean);
  if (!found) return "wait";
  found.scrollIntoView({block: "nearest"});
  const box = found.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}"""


def click_to_the_end(page, clicks):
    """Real clicks of the mouse where `NEXT` says, at most so many; how many were made before the game was over."""
    made = 0
    for _ in range(TRIES):
        where = page.evaluate(NEXT, made % 2 == 0)
        if where == "over" or made == clicks:
            return made
        if where != "wait":
            page.mouse.click(*where)
            made += 1
        page.wait_for_timeout(40)
    raise AssertionError(f"the game does not end: {page.locator('.table').inner_text()}")


@pytest.mark.parametrize("game", ["torres", "market"])
def test_a_whole_game_by_clicking(page, game):
    """Places and buttons in turn, with a refresh in between, until the end; then its record."""
    start(page, game, ["human", "greedy"])
    by_hand(page, "await post(`${game}/pace`, {pace: 0})")
    assert click_to_the_end(page, 10) == 10
    before = page.locator(".log li").count()
    page.reload()
    expect(page.locator(".board > svg")).to_be_visible()
    assert page.locator(".log li").count() >= before > 4
    assert click_to_the_end(page, TRIES) > 10
    expect(page.get_by_role("link", name="Save record")).to_be_visible()
    last = page.locator(".steps .dim").inner_text()
    page.get_by_role("button", name="Back", exact=True).click()
    expect(page.locator(".steps .dim")).not_to_have_text(last)
    expect(page.locator(".points polyline")).to_have_count(2)
    page.locator(".points").click(position={"x": 3, "y": 20})
    expect(page.locator(".steps .dim")).to_have_text(re.compile(r"^0 of"))
    page.get_by_role("slider").focus()
    for _ in range(3):  # it keeps the focus
        page.keyboard.press("ArrowRight")
    expect(page.locator(".steps .dim")).to_have_text(re.compile(r"^3 of"))


def test_a_game_from_elsewhere(page):
    """Without drawing and help: by buttons, the key that passes, and the page of rules made from its description."""
    start(page, "race", ["human", "random"])
    page.get_by_role("button", name="STEP 6").click()
    expect(page.locator(".log li").last).to_contain_text("STEP 6")
    expect(page.locator(".line")).to_have_text("Your turn.")
    page.keyboard.press("e")
    expect(page.locator(".log")).to_contain_text("WAIT")
    page.keyboard.press("r")
    expect(page.locator("dialog")).to_contain_text("Steps to go.")
    page.keyboard.press("Escape")
    assert click_to_the_end(page, TRIES) > 0
    expect(page.get_by_role("link", name="Save record")).to_be_visible()
    page.goto(page.url.partition("#")[0])
    expect(page.locator("#game")).to_have_value("race")  # the game that was started last


MATCHES = """async ([action, ...data]) => {
  const { spotsOf, isSpot } = await import("/static/actions.js");
  const spots = data.filter(isSpot).map((one) => ({ data: one }));
  const { from, to } = spotsOf(action, spots);
  return [from, to].map((found) => found.map((spot) => data.indexOf(spot.data)));
}"""


@pytest.mark.parametrize(
    ("text", "data", "places"),
    [
        ("DROP d", [{"action": "DROP d"}, {"action": "DROP e"}, {"cell": "d"}], [[], [0]]),
        (
            "DROP d",
            [{"cell": "e"}, {"cell": "d", "height": "3"}, {"column": "d"}, {"cell": "d", "seat": "0"}],
            [[], [1, 2]],
        ),
        ("M e4 e5", [{"cell": "e5"}, {"cell": "e4"}, {"cell": "e6"}], [[1], [0]]),
        ("M e4 e5", [{"cell": "e5"}], [[], [0]]),
        ("PILE 2", [{"pile": "2"}, {"height": "2"}, {"list": "2"}, {"cell": "2"}], [[], [0, 3]]),
        ("END", [{"cell": "END"}], [[], []]),
    ],
)
def test_elements_of_an_action(page, text, data, places):
    verb, *words = text.split()
    assert page.evaluate(MATCHES, [{"text": text, "verb": verb.lower(), "words": words}, *data]) == places


def test_hint_undo_and_keys(page):
    start(page, "torres", ["human", "greedy"])
    page.keyboard.press("h")
    expect(page.locator(".hint b")).to_contain_text("N ")
    expect(page.locator("svg .hinted")).to_have_count(1)
    page.locator("#theme").click()  # the page is drawn anew, the hint stays
    expect(page.locator(".hint b")).to_contain_text("N ")
    expect(page.locator("svg .hinted")).to_have_count(1)
    spot = page.locator(".spot.target").first
    spot.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".log li").last).to_contain_text("N ")
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    page.keyboard.press("u")
    expect(page.locator(".log li")).to_have_count(0)
    page.locator("#typed").fill("B d3")
    page.keyboard.press("Enter")
    expect(page.locator("#message")).to_contain_text("B d3 is not legal here")
    page.locator("h2, body").first.click()
    page.get_by_role("button", name="Rules").click()
    expect(page.locator("dialog")).to_contain_text("Torres in short")


def test_illegal_requests_by_hand(page):
    """What the page would never send is refused, and the game is as it was."""
    start(page, "torres", ["human", "greedy"])
    told = by_hand(
        page,
        """
        const view = await (await fetch(game)).json();
        const statuses = [
          await post(`${game}/move`, {action: "B d3", version: view.version}),
          await post(`${game}/move`, {action: "N d1", version: 0}),
          await post(`${game}/seat`, {seat: 1}),
          await post("/api/games", {game: "torres", players: ["checkpoint:/x", "human"]}),
          (await fetch(`${game}/record`)).status,
        ];
        return [statuses, (await (await fetch(game)).json()).moves];
        """,
    )
    assert told == [[400, 409, 400, 400, 400], 0]


def test_another_site_gets_nothing(chromium, server, page, tmp_path):
    """A page of another origin, in the same browser: it can read nothing and change nothing."""
    start(page, "torres", ["human", "greedy"])
    home = server.address.partition("/?")[0]
    other = page.context.new_page()
    with serving(tmp_path / "other", free_port()) as foreign:
        other.goto(foreign.address)
        refused = other.evaluate(
            """async (home) => {
              const tries = [fetch(`${home}/api/games`, {credentials: "include"}),
                fetch(`${home}/api/games`, {method: "POST", credentials: "include", mode: "no-cors", body: "{}"})];
              return (await Promise.allSettled(tries)).map((one) => one.status);
            }""",
            home,
        )
    assert refused == ["rejected", "rejected"]


def test_two_games_in_two_tabs(page):
    start(page, "torres", ["human", "greedy"])
    other = page.context.new_page()
    other.goto(page.url.partition("#")[0])
    start(other, "market", ["human", "greedy"])
    page.locator(".spot.target").first.click()
    other.locator(".choice", has_text="END").click()
    expect(page.locator(".log li").last).to_contain_text("N ")
    expect(other.locator(".log li").last).to_contain_text("END")
    assert game_id(page) != game_id(other)
    page.goto(page.url.partition("#")[0])
    expect(page.locator(".row")).not_to_have_count(0)


def test_a_narrow_screen(page):
    page.set_viewport_size({"width": 400, "height": 800})
    for game in ("torres", "market"):
        page.goto(page.url.partition("#")[0])
        start(page, game, ["human", "greedy"])
        assert page.evaluate("document.documentElement.scrollWidth") <= 400
        box = (
            page.locator(".spot.target").first.bounding_box()
            if game == "torres"
            else page.locator(".choice").first.bounding_box()
        )
        assert min(box["width"], box["height"]) >= 30
