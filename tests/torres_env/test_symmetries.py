"""A game and its images under the board's symmetries are the same game."""

from __future__ import annotations

import numpy as np
import pytest

from torres_env import TorresState
from torres_env.rules import TorresRules
from torres_env.symmetries import ACTIONS, CELLS, INVERSE, NUM_SYMMETRIES, OBSERVATION, mirrored_position

RULES = [
    (2, TorresRules()),
    (3, TorresRules.preset("digest_master")),
    (4, TorresRules.preset("classic", king_setup="random", start_player="leader")),
    (2, TorresRules(castle_setup="players", master_card=True, doors="descending", entry_level=1)),
]


def flat(state, seat):
    return np.concatenate([part.ravel() for part in state.observation(seat).values()])


def image_of(state, symmetry):
    return TorresState.from_position(mirrored_position(state.position(), symmetry))


@pytest.mark.parametrize(("players", "rules"), RULES)
def test_mirrored_games_are_the_same_game(players, rules):
    state = TorresState(players, rules, seed=players)
    images = [image_of(state, symmetry) for symmetry in range(NUM_SYMMETRIES)]
    rng = np.random.default_rng(players)
    while True:
        mask, position = state.legal_actions_mask(), state.position()
        for symmetry, image in enumerate(images):
            assert image.position() == mirrored_position(position, symmetry)
            np.testing.assert_array_equal(image.legal_actions_mask(), mask[ACTIONS[INVERSE[symmetry]]])
            assert (image.scores(), image.returns().tolist()) == (state.scores(), state.returns().tolist())
            for seat in range(players):
                np.testing.assert_array_equal(flat(image, seat), flat(state, seat)[OBSERVATION[symmetry]])
        if state.is_terminal():
            break
        # Blocks, new knights and cards more often than the many moves of knights.
        legal = state.legal_actions()
        verbs = [state.action_to_string(action).split()[0] for action in legal]
        verb = rng.choice(sorted(set(verbs) - {"END"}) or ["END"])
        action = rng.choice([action for action, other in zip(legal, verbs, strict=True) if other == verb])
        state.apply_action(action)
        for symmetry, image in enumerate(images):
            image.apply_action(ACTIONS[symmetry][action])


def test_cells_by_hand():
    """d1 turns to h4, then to e8 and a5; its mirror image is e1."""
    d1, h4, e8, a5, e1 = 3, 31, 60, 32, 4
    assert CELLS[:5, d1].tolist() == [d1, h4, e8, a5, e1]
    assert len({tuple(row) for row in CELLS}) == NUM_SYMMETRIES
    for symmetry in range(NUM_SYMMETRIES):
        assert CELLS[INVERSE[symmetry]][CELLS[symmetry]].tolist() == list(range(64))


def test_the_printed_castles_turn_into_themselves():
    """So turned games are games of the standard rules; mirror images aren't."""
    start = TorresState().position()["height"]
    same = [mirrored_position(TorresState().position(), symmetry)["height"] == start for symmetry in range(8)]
    assert same == [True] * 4 + [False] * 4
