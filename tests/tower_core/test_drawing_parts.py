"""What all drawings are made of, and their pixels."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from tower_core import drawing
from tower_core.drawing import PAPER, chip, chosen, clickable, header, ink_on, mixed, shortened, svg, text
from tower_core.pixels import FRAME_WIDTH, svg_to_png, svg_to_rgb


def page(*parts, width=100, height=50):
    return svg(width, height, "a <title> & more", PAPER["light"], parts)


def test_what_comes_from_outside_is_escaped():
    card = clickable(card='<">')
    root = ElementTree.fromstring(page(text(0, 9, "<b> & \"'", "#000000", 9), f"<g{card}/>"))
    inside = [element.text for element in root.iter() if element.text]
    assert inside == ["a <title> & more", "<b> & \"'"]
    assert [e.get("data-card") for e in root.iter() if e.get("data-card")] == ['<">']


def test_choices_are_told():
    assert chosen("theme", "dark", {"light": 1, "dark": 2}) == 2
    with pytest.raises(ValueError, match="unknown theme 'pink': choose one of light, dark"):
        chosen("theme", "pink", {"light": 1, "dark": 2})


@pytest.mark.parametrize(
    ("words", "width", "expected"), [("abc", 100, "abc"), ("abcdefgh", 30, "abcd…"), ("ab", 1, "…")]
)
def test_long_words_are_cut(words, width, expected):
    assert shortened(words, width, 10) == expected


def test_ink_stays_readable():
    assert (ink_on("#ffffff"), ink_on("#000000"), ink_on("#0072B2")) == ("#1d1d1d", "#ffffff", "#ffffff")
    assert mixed("#000000", "#ffffff", 0.5) == "#808080"


@pytest.mark.parametrize("kind", ["full", "outlined", "dashed", "struck", "waits"])
def test_chips_differ(kind):
    others = {"full", "outlined", "dashed", "struck", "waits"} - {kind}
    drawn = {other: chip(0, 0, 60, "card", PAPER["dark"], other) for other in (kind, *others)}
    assert all(drawn[kind] != drawn[other] for other in others)


@pytest.mark.parametrize("narrow", [False, True])
def test_headers_grow_with_their_lines(narrow):
    one = header(300, "head", ["line"], ["note"], PAPER["light"], narrow)
    three = header(300, "head", ["line", "line", ""], ["note", "note"], PAPER["light"], narrow)
    assert three[1] > one[1]
    assert three[0].count("<text") == 5, "an empty line takes no room"


def test_seats_and_themes_are_complete():
    assert len(drawing.SEATS) == len(drawing.SEAT_INKS) == len(drawing.LETTERS) == 4
    assert PAPER["light"].keys() == PAPER["dark"].keys()


# ---------------------------------------------------------------------------------------------- pixels
def test_pixels():
    pixels = svg_to_rgb(page(width=200, height=100))
    assert pixels.shape == (FRAME_WIDTH // 2, FRAME_WIDTH, 3)
    assert pixels.dtype == np.uint8
    assert (pixels == 255).all()
    assert svg_to_rgb(page(), width=None).shape == (50, 100, 3)
    assert svg_to_png(page()).startswith(b"\x89PNG")


@pytest.mark.parametrize("words", ["Wg8", "…", "−", "→", "★", "é"])
def test_text_is_drawn_with_the_font_that_comes_along(words):
    """Also on a machine without any font: the machine's are not looked at."""
    pixels = svg_to_rgb(page(text(5, 40, words, "#000000", 30)), width=None)
    assert (pixels < 128).any()


def test_bold_is_bold():
    plain, bold = (svg_to_rgb(page(text(5, 40, "Wg8", "#000000", 30, weight=w)), width=None) for w in (400, 700))
    assert bold.sum() < plain.sum()


def test_every_sign_of_the_drawings_is_in_the_font():
    """A missing one would be drawn as nothing at all."""
    blank = svg_to_rgb(page(text(5, 40, "\ue000", "#000000", 30)), width=None)
    for sign in re.findall(r"[^\x00-\x7f]", "…→★–−"):
        assert (svg_to_rgb(page(text(5, 40, sign, "#000000", 30)), width=None) != blank).any(), sign
