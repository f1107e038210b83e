"""A game without drawing or help, with 7 actions and 1 to 4 seats, in everything that the roof has."""

from __future__ import annotations

import builtins

import pytest
from starlette.testclient import TestClient

from tower_core.records import check, read_records
from towers.cli import run
from towers.web.app import make_app
from towers.web.guard import LOOPBACK
from towers.web.store import Store

pytestmark = pytest.mark.usefixtures("third_game")


def test_info(capsys):
    assert run(["info"]) == 0
    assert "race/Race-v0" in capsys.readouterr().out
    assert run(["info", "race"]) == 0
    out = capsys.readouterr().out
    for line in (
        "goal    1–100           12       Steps to go.",
        "short     goal=4",
        "0–5      STEP 1 … 6",
        "6        WAIT",
    ):
        assert line in out.splitlines()
    assert run(["info", "race", "--markdown"]) == 0
    assert '| `mood` | `"calm"`, `"wild"` | `"calm"` | Changes nothing. |' in capsys.readouterr().out


@pytest.mark.parametrize("seats", ["human", "human,random", "random,human,random,random"])
def test_play(seats, monkeypatch, capsys, tmp_path):
    lines = iter(["?", "? STEP", "hint", "STEP 7", *["step 6"] * 9])
    monkeypatch.setattr(builtins, "input", lambda prompt: next(lines))
    path = tmp_path / "games.txt"
    assert (
        run(["play", "race", "--players", seats, "--rules", "standard:goal=7", "--seed", "1", "--save", str(path)]) == 0
    )
    out = capsys.readouterr().out
    assert "STEP must be followed by one of 1, 2, 3, 4, 5, 6, not 7" in out
    [record] = read_records(path)
    check(record)
    assert max(record.scores) >= 7


def test_play_without_options_is_against_a_player(monkeypatch, capsys):
    monkeypatch.setattr(builtins, "input", lambda prompt: "quit")
    assert run(["play", "race"]) == 0
    assert "player_0: human, player_1: " in capsys.readouterr().out


def test_replay(tmp_path, capsys):
    path = tmp_path / "games.txt"
    assert run(["play", "race", "--players", "random,random", "--seed", "1", "--save", str(path)]) == 0
    assert run(["replay", str(path), "--check"]) == 0
    assert run(["replay", str(path), "--html", str(tmp_path / "g.html"), "--gif", str(tmp_path / "g.gif")]) == 0
    assert (tmp_path / "g.gif").read_bytes().startswith(b"GIF8")
    assert "<title>Race: random, random</title>" in (tmp_path / "g.html").read_text("utf-8")


def test_browser_app(tmp_path):
    app = make_app(Store(tmp_path), {"race": ["random"]}, "t" * 40, LOOPBACK, 8010)
    with TestClient(app, base_url="http://127.0.0.1:8010") as client:
        client.get(f"/?token={'t' * 40}")
        [offered] = client.get("/api/setup").json()["games"]
        assert (offered["players"], offered["presets"]) == (
            ["human", "random"],
            {"standard": [1, 2, 3, 4], "short": [1, 2, 3, 4]},
        )
        assert "Steps to go." in client.get("/rules/race").text
        content = {"game": "race", "players": ["human"], "rules": "short", "seed": 1}
        game = f"/api/games/{client.post('/api/games', json=content).json()['id']}"
        view = client.get(game).json()
        assert view["svg"].startswith("<svg") and view["cards"] == []
        assert view["legal"][2] == {"text": "STEP 3", "help": "", "verb": "step", "words": ["3"], "passes": False}
        assert view["legal"][6] == {"text": "WAIT", "help": "", "verb": "wait", "words": [], "passes": True}
        hint = client.post(f"{game}/hint", json={}).json()
        assert hint["action"] in [action["text"] for action in view["legal"]]
        view = client.post(f"{game}/move", json={"action": "STEP 3", "version": view["version"]}).json()
        view = client.post(f"{game}/undo", json={"version": view["version"]}).json()
        assert view["moves"] == 0
        for _ in range(2):
            view = client.post(f"{game}/move", json={"action": "STEP 3", "version": view["version"]}).json()
        assert view["over"] and view["points"] == [[0], [3], [6]]
        record = client.get(f"{game}/record").text
        assert client.post("/api/records", json={"text": record}).status_code == 201
