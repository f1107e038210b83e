"""Registration, text and drawings."""

from __future__ import annotations

import importlib
import pickle
from xml.etree import ElementTree

import gymnasium
import pettingzoo.env_registry.registration as pettingzoo_registry

from tower_core.drawing import PAPER
from tower_core.registry import game_names, get_game
from tower_core.testing.environments import gym_name
from tower_core.testing.setups import Setup, one_line, require


def check_registration(setup: Setup) -> None:
    """The game, its classes and its environments are found by name or id."""
    game = setup.game
    require(game.name in game_names(), f"no installed package has the entry point {game.name!r} in towers.games")
    require(get_game(game.name) is game, "its entry point gives another game")
    require(pickle.loads(pickle.dumps(game)) is game, "unpickling gives another object")
    for name in ("State", "Batch", "Env", "VectorEnv", "raw_env"):
        face = game.face(name)
        home = importlib.import_module(face.__module__)
        require(getattr(home, face.__name__, None) is face, f"{face.__module__} doesn't contain {face.__name__}")
        require(face.game is game, f"{face.__name__} belongs to another game")
    require(gymnasium.make(gym_name(setup)).spec is not None, "its id is not registered with Gymnasium")
    require(game.gym_id in pettingzoo_registry.aec_registry, "its id is not registered with PettingZoo")
    shifts, scales = game.row_scales()
    require(shifts.shape == scales.shape == (game.observation_size,), "row_scales() don't match the observation size")
    require((scales > 0).all(), "row_scales() contain zeros or negative scales")


def check_drawing(setup: Setup) -> None:
    """Drawings are well-formed SVG in both themes, for every seat and for spectators, and don't change the state."""
    for state in setup.samples(2, 4):
        written = state.to_bytes()
        require(str(state) and str(state) == state.to_text(), "str() and to_text() differ")
        for seat in (None, *range(setup.players)):
            for theme in PAPER:
                for narrow in (False, True):
                    picture = state.to_svg(theme, narrow=narrow, seat=seat)
                    try:
                        root = ElementTree.fromstring(picture)
                    except ElementTree.ParseError as error:
                        require(False, f"to_svg() is no XML: {error}")
                    require(root.tag == "{http://www.w3.org/2000/svg}svg", f"to_svg() draws a {root.tag}")
                    for element in root.iter():
                        text = element.get("data-action")
                        if text is not None and not state.is_terminal():
                            number = state.parse_action(text)
                            require(0 <= number < setup.game.num_actions, f"data-action {text!r} is no action")
        for options in ({"theme": "pink"}, {"view": "upside down"}):
            try:
                state.to_svg(**options)  # type: ignore[arg-type]
            except ValueError as error:
                one_line(error, f"to_svg({options})")
            else:
                require(False, f"to_svg({options}) is not rejected")
        require(state._repr_html_() == state.to_svg(), "_repr_html_() and to_svg() differ")
        require(state.to_bytes() == written, "drawing changes the state")
