"""`towers replay --gif` and `--html`: what is in the files, and every mistake in one line."""

from __future__ import annotations

import base64
import json
import re
import zlib

import pytest
from PIL import Image

from market_env import MarketState
from torres_env import TorresState
from tower_core.records import write_records
from towers.cli import run


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.delenv("TOWERS_TRACEBACK", raising=False)
    games = []
    for state, names in ((TorresState(2, seed=3), ["Ada", "</script><b>Bob"]), (MarketState(3, "guard", seed=3), [])):
        for k in range(6):
            legal = state.legal_actions()
            state.apply_action(legal[k % len(legal)])
        games.append(state.to_record(names))
    path = tmp_path / "games.txt"
    write_records(path, games)
    return path


def content(page):
    packed = re.search(r'id="data">([^<]*)</script>', page)[1]
    return json.loads(zlib.decompress(base64.b64decode(packed)))


@pytest.mark.parametrize("game", ["1", "2"])
def test_page(file, tmp_path, game, capsys):
    out = tmp_path / "game.html"
    assert run(["replay", str(file), "--game", game, "--html", str(out)]) == 0
    assert capsys.readouterr().out == f"{out}: 7 positions\n"
    page = out.read_text("utf-8")
    assert "src=" not in page and "href=" not in page and "$" not in re.sub(r"\$\{", "", page), "it needs no other file"
    game = content(page)
    assert len(game["steps"]) == 7
    assert game["steps"][0]["action"] == "start"
    for step in game["steps"]:
        assert all(step[theme + width].startswith("<svg ") for theme in ("light", "dark") for width in ("", "-narrow"))
        assert len(step["scores"]) == len(game["names"]) == len(game["colours"])


def test_names_are_no_markup(file, tmp_path):
    out = tmp_path / "game.html"
    assert run(["replay", str(file), "--html", str(out)]) == 0
    page = out.read_text("utf-8")
    assert "<b>Bob" not in page and "&lt;b&gt;Bob" in page
    assert content(page)["names"] == ["Ada", "</script><b>Bob"]


def test_animation(file, tmp_path, capsys):
    out = tmp_path / "game.gif"
    arguments = ["--gif", str(out), "--view", "isometric", "--theme", "dark", "--seconds", "0.2"]
    assert run(["replay", str(file), *arguments]) == 0
    assert capsys.readouterr().out == f"{out}: 7 frames\n"
    with Image.open(out) as film:
        assert film.n_frames == 7
        assert film.width == 720
        assert film.info["duration"] == 200
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.gif", "games.txt"]


def test_small_pieces_keep_their_colours(file, tmp_path):
    """Tokens and materials are told apart by colour, too, however few pixels they have."""
    out = tmp_path / "game.gif"
    assert run(["replay", str(file), "--game", "2", "--gif", str(out)]) == 0
    with Image.open(out) as film:
        film.seek(film.n_frames - 1)
        there = {colour for _, colour in film.convert("RGB").getcolors(100_000)}
    for wanted in ((0x2E, 0x9E, 0x5B), (0x2F, 0x6F, 0xD0), (0xD0, 0x34, 0x3F), (0x8A, 0x6F, 0xB0), (0x00, 0x72, 0xB2)):
        assert any(max(abs(a - b) for a, b in zip(wanted, colour, strict=True)) <= 4 for colour in there)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--gif", "x.gif", "--list"], "--gif and --html can't be combined with --move, --list or --check"),
        (["--html", "x.html", "--move", "2"], "--gif and --html can't be combined with"),
        (["--gif", "x.gif", "--theme", "pink"], "unknown theme 'pink': choose one of light, dark"),
        (["--game", "2", "--html", "x.html", "--view", "isometric"], "unknown view 'isometric': choose one of flat"),
        (["--gif", "x.gif", "--seconds", "0"], "--seconds must be from 0.02 to 60"),
        (["--html", "none/x.html"], "none/x.html can't be written: No such file"),
        (["--gif", "none/x.gif"], "none/x.gif can't be written: No such file"),
        (["--gif", "games.txt"], "holds the records: choose another file"),
    ],
)
def test_mistakes(file, tmp_path, monkeypatch, capsys, arguments, words):
    monkeypatch.chdir(tmp_path)
    before = file.read_bytes()
    assert run(["replay", "games.txt", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err and err.startswith("towers: ") and err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["games.txt"]
    assert file.read_bytes() == before


def test_a_game_that_cannot_go_on(file, tmp_path, capsys):
    file.write_text(file.read_text("utf-8").replace("1. player_0: N ", "1. player_0: B ", 1), "utf-8")
    out = tmp_path / "game.html"
    assert run(["replay", str(file), "--html", str(out)]) == 2
    assert re.match(r"towers: .*games\.txt: line \d+: move 1, player_0, 'B ", capsys.readouterr().err)
    assert not out.exists()
