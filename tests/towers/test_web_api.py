"""The browser app over HTTP: who may talk to it, what is checked, and that nothing hidden reaches a client."""

from __future__ import annotations

import json
import time

import pytest
from starlette.testclient import TestClient

from torres_env import TorresRules
from tower_core.registry import get_game
from towers.web.app import make_app
from towers.web.guard import LOOPBACK
from towers.web.store import Store
from train import checkpoint

PORT = 8010
HOME = f"http://127.0.0.1:{PORT}"
TOKEN = "t" * 40


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "state")


def client_of(store, more=(), **options):
    basic = ["greedy", "random", "passive"]
    app = make_app(store, {"torres": [*basic, *more], "market": basic}, TOKEN, LOOPBACK, PORT)
    return TestClient(app, base_url=HOME, **options)


@pytest.fixture
def client(store):
    with client_of(store) as client:
        client.get(f"/?token={TOKEN}")
        yield client


def new(client, game="torres", players=("human", "greedy"), rules=None, seed=3):
    content = {"game": game, "players": list(players), "seed": seed} | ({"rules": rules} if rules else {})
    answer = client.post("/api/games", json=content)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


def view(client, number):
    return client.get(f"/api/games/{number}").json()


def until(client, number, wanted):
    """The view of a game once it is as wanted; machines think in the meantime."""
    for _ in range(1000):
        seen = view(client, number)
        if wanted(seen):
            return seen
        time.sleep(0.02)
    raise AssertionError(f"it did not come to that: {seen}")


def move(client, number, text, version):
    return client.post(f"/api/games/{number}/move", json={"action": text, "version": version})


# ---------------------------------------------------------------------------------------------- who may talk to it
def test_the_token_opens_the_page(store):
    with client_of(store) as client:
        assert client.get("/").status_code == 403
        assert client.get("/?token=wrong").status_code == 403
        assert client.get("/api/games").status_code == 403
        answer = client.get(f"/?token={TOKEN}", follow_redirects=False)
        assert answer.status_code == 303 and answer.headers["location"] == "/"
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=strict" in cookie
        page = client.get("/")
        assert page.status_code == 200 and TOKEN not in page.text
        assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
        assert client.get("/api/games").json() == {"games": []}


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1:9999"},
        {"Host": ""},
        {"Origin": "http://evil.example"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_pages_of_others_are_refused(client, headers):
    number = new(client)
    for answer in (
        client.get(f"/api/games/{number}", headers=headers),
        client.post("/api/games", json={"game": "torres", "players": ["human", "greedy"]}, headers=headers),
        client.delete(f"/api/games/{number}", headers=headers),
    ):
        assert answer.status_code == 403
    assert len(client.get("/api/games").json()["games"]) == 1


def test_its_own_pages_are_heard(client):
    headers = {"Origin": HOME, "Sec-Fetch-Site": "same-origin"}
    assert client.get("/api/games", headers=headers).status_code == 200
    home = {"Host": f"localhost:{PORT}", "Origin": f"http://localhost:{PORT}"}
    assert client.get("/api/games", headers=home).status_code == 200
    assert client.get("/api/games", headers=home | {"Origin": HOME}).status_code == 403


def test_a_form_of_another_kind_is_refused(client):
    text = json.dumps({"game": "torres", "players": ["human", "greedy"]})
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        answer = client.post("/api/games", content=text, headers={"Content-Type": kind})
        assert answer.status_code == 415


def test_files_of_the_page(client):
    for name, kind in (("main.js", "text/javascript"), ("style.css", "text/css"), ("icon.svg", "image/svg+xml")):
        answer = client.get(f"/static/{name}")
        assert answer.status_code == 200 and answer.headers["content-type"].startswith(kind)
    assert "5 action points" in client.get("/rules/torres").text
    assert "build three towers" in client.get("/rules/market").text
    for path in ("/static/nothing.js", "/static/..%2Fapp.py", "/rules/chess", "/static/%2e%2e/app.py", "/nothing"):
        assert client.get(path).status_code == 404


# ---------------------------------------------------------------------------------------------- what is checked
@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ({}, "game must be a text"),
        ({"game": "chess", "players": ["human"]}, "unknown game"),
        ({"game": ["torres"], "players": ["human", "greedy"]}, "game must be a text"),
        ({"game": "torres"}, "players must be a list"),
        ({"game": "torres", "players": ["human"]}, "num_players"),
        ({"game": "torres", "players": ["human"] * 5}, "players must be a list"),
        ({"game": "torres", "players": ["human", "checkpoint:/etc/passwd"]}, "unknown player"),
        ({"game": "torres", "players": ["human", 7]}, "unknown player"),
        ({"game": "torres", "players": ["human", "greedy"], "rules": "odd"}, "rules must be one of"),
        ({"game": "market", "players": ["human", "greedy"], "rules": {"components": "/etc/passwd"}}, "rules must be"),
        ({"game": "torres", "players": ["human", "greedy"], "seed": "1"}, "seed must be"),
        ({"game": "torres", "players": ["human", "greedy"], "seed": 2**64}, "seed must be"),
    ],
)
def test_games_that_cannot_be(client, content, reason):
    answer = client.post("/api/games", json=content)
    assert answer.status_code == 400
    assert reason in answer.json()["error"] and "\n" not in answer.json()["error"]


def test_bodies_that_are_no_requests(client):
    for body, status in ((b"{", 400), (b"[]", 400), (b"\xff", 400), (b"[" * 100_000, 400), (b" " * 2_000_001, 413)):
        answer = client.post("/api/games", content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code == status
        assert answer.json()["error"]
    half = client.post("/api/records", content=rb'{"text": "\ud800"}', headers={"Content-Type": "application/json"})
    assert (half.status_code, half.json()["error"]) == (400, "text contains a character that is not valid Unicode")


def test_wrong_moves_change_nothing(client):
    number = new(client)
    before = view(client, number)
    for content, status in (
        ({"action": "B d3", "version": before["version"]}, 400),
        ({"action": "N a1", "version": before["version"]}, 400),
        ({"action": "x" * 300, "version": before["version"]}, 400),
        ({"action": 86, "version": before["version"]}, 400),
        ({"action": "N d1"}, 400),
        ({"action": "N d1", "version": before["version"] - 1}, 409),
    ):
        answer = client.post(f"/api/games/{number}/move", json=content)
        assert answer.status_code == status, answer.text
    assert view(client, number) == before
    for path in ("/api/games/nothing", "/api/games/aaaaaaaaaa", "/api/games/..%2Ftoken"):
        assert client.get(path).status_code == 404
    for query in ("theme=pink", "narrow=2"):
        assert client.get(f"/api/games/{number}?{query}").status_code == 400


def test_nobody_moves_for_a_machine(client):
    number = new(client, players=("greedy", "human"))
    client.post(f"/api/games/{number}/pace", json={"pace": None})
    seen = view(client, number)
    if seen["toMove"] == 0:
        assert not seen["legal"]
        answer = move(client, number, "N d1", seen["version"])
        assert (answer.status_code, answer.json()["error"]) == (400, "it is not your turn")
    for pace in (-1, 1e9, "fast", True):
        assert client.post(f"/api/games/{number}/pace", json={"pace": pace}).status_code == 400


def test_a_learned_player_gives_hints_with_its_opinion(store, tmp_path):
    path = tmp_path / "final.zip"
    meta = {"game": "torres", "players": 2, "rules": TorresRules().to_dict(), "width": 2, "blocks": 1}
    checkpoint.save(path, meta | {"steps": 5, "seconds": 1.0}, checkpoint.build_policy(get_game("torres"), 2, 1))
    with client_of(store, [f"checkpoint:{path}"]) as client:
        client.get(f"/?token={TOKEN}")
        number = new(client)
        [adviser] = view(client, number)["advisers"]
        answer = client.post(f"/api/games/{number}/hint", json={"player": adviser}).json()
        three = client.post("/api/games", json={"game": "torres", "players": ["human", "human", adviser]})
    assert three.status_code == 400
    assert "2 players under standard, not for 3 players" in three.json()["error"]
    assert answer["player"] == f"checkpoint:{path}"
    assert answer["opinion"].startswith("expected return ") and answer["action"] in answer["opinion"]


def test_a_learned_player_is_offered_in_its_game_only(store):
    learned = "checkpoint:torres"
    with client_of(store, [learned]) as client:
        client.get(f"/?token={TOKEN}")
        offered = {game["name"]: game["players"] for game in client.get("/api/setup").json()["games"]}
        number = new(client, "market")
        refused = client.post(f"/api/games/{number}/hint", json={"player": learned})
        table = client.post("/api/games", json={"game": "market", "players": ["human", learned]})
        assert view(client, number)["advisers"] == []
    assert learned in offered["torres"] and learned not in offered["market"]
    assert refused.status_code == table.status_code == 400
    assert refused.json()["error"] == f"unknown player '{learned}': choose one of planner, greedy, random, passive"


def test_undo_and_hints(client):
    number = new(client)
    first = view(client, number)
    answer = client.post(f"/api/games/{number}/hint", json={}).json()
    assert answer["action"] in [action["text"] for action in first["legal"]]
    assert first["advisers"] == [] and answer["opinion"].startswith(f"points: {answer['action']}")
    assert client.post(f"/api/games/{number}/hint", json={"player": "checkpoint:/x"}).status_code == 400
    client.post(f"/api/games/{number}/pace", json={"pace": 0})
    now = view(client, number)
    assert move(client, number, answer["action"], now["version"]).status_code == 200
    later = until(client, number, lambda seen: seen["yourTurn"])
    assert later["canUndo"]
    back = client.post(f"/api/games/{number}/undo", json={"version": later["version"]}).json()
    assert (back["log"], back["svg"]) == (first["log"], first["svg"])
    assert client.post(f"/api/games/{number}/undo", json={"version": back["version"]}).status_code == 400


def test_nothing_new_is_short(client):
    number = new(client)
    seen = view(client, number)
    assert client.get(f"/api/games/{number}?since={seen['version']}").status_code == 204
    assert client.get(f"/api/games/{number}?since=0").status_code == 200


# ---------------------------------------------------------------------------------------------- what is hidden
def advance(hosted, moves):
    """Play on the server's side, so that there is something to hide."""
    table = hosted.table
    for _ in range(moves):
        if table.to_move is None:
            break
        table.play(table.hint("greedy").action if table.human_to_move else table.thinker()())
    hosted.version += 1


@pytest.mark.parametrize(("game", "rules"), [("torres", "standard"), ("market", "full")])
def test_what_is_hidden_makes_no_difference(store, client, game, rules):
    """Everything that a client is told is the same in states that its seat can't tell apart."""
    number = new(client, game, ("human", "greedy"), rules)
    hosted = store.get(number)
    client.post(f"/api/games/{number}/pace", json={"pace": None})
    different = 0
    for _ in range(6):
        advance(hosted, 13)
        if hosted.table.to_move is None:
            break
        seen = view(client, number)
        truth = hosted.table.state
        hosted.table.state = truth.resample_hidden(0, 12345)
        different += hosted.table.state.position() != truth.position()
        assert view(client, number) == seen
        hosted.table.state = truth
    assert different > 2


def test_records_wait_for_the_end(store, client):
    number = new(client)
    hosted = store.get(number)
    client.post(f"/api/games/{number}/pace", json={"pace": None})
    advance(hosted, 5)
    for path in ("record", "at/1"):
        answer = client.get(f"/api/games/{number}/{path}")
        assert answer.status_code == 400 and "available when the game is over" in answer.json()["error"]
    assert view(client, number)["points"] == []
    advance(hosted, 1000)
    seen = view(client, number)
    assert seen["over"]
    assert len(seen["points"]) == seen["moves"] + 1
    assert (seen["points"][0], seen["points"][-1]) == ([0, 0], [player["score"] for player in seen["players"]])
    answer = client.get(f"/api/games/{number}/record")
    assert answer.text.startswith("towers record 1") and "attachment" in answer.headers["content-disposition"]
    assert client.get(f"/api/games/{number}/at/0").json()["scores"] == [0, 0]
    assert client.get(f"/api/games/{number}/at/9999").status_code == 400

    opened = client.post("/api/records", json={"text": answer.text}).json()["id"]
    seen = view(client, opened)
    assert seen["isReplay"] and seen["over"] and seen["log"] == view(client, number)["log"]
    assert client.get(f"/api/games/{opened}/record").text == answer.text
    assert move(client, opened, "END", seen["version"]).status_code == 400
    for text in ("", "hello", answer.text.replace("scores: ", "scores: 9"), "x" * 1_000_001):
        answer = client.post("/api/records", json={"text": text})
        assert answer.status_code == 400 and "\n" not in answer.json()["error"]


def test_people_at_one_screen(store, client):
    """What one holds is not sent until the other has handed over the screen."""
    number = new(client, "market", ("human", "human"), "full")  # closed lists
    seen = view(client, number)
    assert (seen["curtain"], seen["svg"], seen["legal"], seen["log"]) == (0, "", [], [])
    assert move(client, number, "END", seen["version"]).status_code == 400
    assert client.post(f"/api/games/{number}/seat", json={"seat": 1}).status_code == 400
    seen = client.post(f"/api/games/{number}/seat", json={"seat": 0}).json()
    assert seen["curtain"] is None and seen["legal"] and not seen["canUndo"]
    seen = move(client, number, "END", seen["version"]).json()
    assert (seen["curtain"], seen["svg"]) == (1, "")
    assert client.post(f"/api/games/{number}/hint", json={}).status_code == 400
    assert client.post(f"/api/games/{number}/seat", json={"seat": 1}).json()["yourTurn"]


def test_no_curtain_where_nothing_is_hidden(client):
    seen = view(client, new(client, "torres", ("human", "human"), "master"))
    assert seen["curtain"] is None and seen["yourTurn"]


# ---------------------------------------------------------------------------------------------- what is kept
def test_games_outlive_the_server(store, client):
    number = new(client)
    seen = view(client, number)
    move(client, number, "N d1", seen["version"])
    before = until(client, number, lambda seen: seen["yourTurn"])
    again = Store(store.folder)
    with client_of(again) as other:
        other.get(f"/?token={TOKEN}")
        after = view(other, number)
        assert after["log"] == before["log"] and after["svg"] == before["svg"] and after["legal"] == before["legal"]
        assert [game["id"] for game in other.get("/api/games").json()["games"]] == [number]
    assert again.token() == store.token() != TOKEN


def test_a_damaged_file_stays_and_is_told(store, client):
    number = new(client)
    path = store.folder / f"{number}.txt"
    damaged = path.read_text().replace("game: torres", "game: chess")
    path.write_text(damaged)
    with client_of(Store(store.folder)) as other:
        other.get(f"/?token={TOKEN}")
        [entry] = other.get("/api/games").json()["games"]
        assert entry["id"] == number and "is not a game of this server" in entry["damaged"]
        assert other.get(f"/api/games/{number}").status_code == 400
    assert path.read_text() == damaged


def test_delete(store, client):
    number = new(client)
    assert client.delete(f"/api/games/{number}").status_code == 204
    assert client.get(f"/api/games/{number}").status_code == 404
    assert client.delete(f"/api/games/{number}").status_code == 404
    assert not list(store.folder.glob("*.txt"))


def test_a_player_that_fails_is_told_and_goes_on_when_asked(store, client):
    number = new(client, players=("greedy", "greedy"))
    client.post(f"/api/games/{number}/pace", json={"pace": None})

    class Wrong:
        name, native = "wrong", None

        def act(self, state):
            return -1

    table = store.get(number).table
    right = dict(table._players)
    table._players = {0: Wrong(), 1: Wrong()}
    client.post(f"/api/games/{number}/pace", json={"pace": 0})
    seen = until(client, number, lambda seen: seen["trouble"])
    assert seen["trouble"].startswith("player wrong returned -1 as player_")
    table._players = right
    client.post(f"/api/games/{number}/pace", json={"pace": 0})
    assert until(client, number, lambda seen: seen["over"])["trouble"] == ""
