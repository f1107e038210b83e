"""The options of the compiled search functions of Torres: one array of numbers."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from agents.torres.evaluation import NUM_WEIGHTS
from agents.torres.weights import WEIGHTS as BUILT_IN
from tower_core.engine.compiling import jit
from tower_core.engine.intrinsics import carray, pointer
from tower_core.game import Game

# Places in the array: function to call; most turns; beam width with action cards and without; weight of the rivals with
# action cards and without; largest noise; weight of the gains to come in the last turn; seed of the noise (bits of a uint64);
# weights; address of the rules (bits).
KIND, KEEP, WIDTH, WIDTH_PLAIN, RIVAL, RIVAL_PLAIN, NOISE, OUTLOOK, SEED, WEIGHTS = range(10)
T = TypeVar("T")
SIZE = WEIGHTS + NUM_WEIGHTS + 1
CHOOSE, PROPOSE, EVALUATE = range(3)
MAX_WIDTH, MOST_NUMBER = 256, 1000


def make_options(
    game: Game,
    kind: int,
    keep: int,
    widths: tuple[int, int],
    rivals: tuple[float, float],
    noise: float,
    outlook: float,
    weights: Any = None,
) -> NDArray[np.float64]:
    """float64 [SIZE]. *widths*, *rivals*: with action cards and without; *weights*: [NUM_WEIGHTS], None: the built-in ones."""
    numbers = BUILT_IN if weights is None else np.asarray(weights, np.float64)
    values = np.array([kind, keep, *widths, *rivals, noise, outlook, 0.0, *numbers.tolist(), 0.0])
    values.view(np.int64)[-1] = game.address
    return values


def by_rules(value: T | None, usual: tuple[T, T]) -> tuple[T, T]:
    """A pair for :func:`make_options`: twice *value*, or *usual* if it is None."""
    return usual if value is None else (value, value)


@jit
def kind_of(options: Any) -> Any:
    return np.int64(carray(pointer(options), (1,), np.float64)[KIND])


@jit
def prepare(q: Any, s: Any, options: Any) -> Any:
    """Fill in a search (agents/torres/turns.py) of position *s* as the options say; returns the weights."""
    o = carray(pointer(options), (SIZE,), np.float64)
    q.entry = carray(pointer(options), (SIZE,), np.int64)[SIZE - 1]
    q.noise_seed = carray(pointer(options), (SIZE,), np.uint64)[SEED]
    q.keep = np.int64(o[KEEP])
    cards = s.card_list != 0
    q.width = np.int64(o[WIDTH] if cards else o[WIDTH_PLAIN])
    q.rival = o[RIVAL] if cards else o[RIVAL_PLAIN]
    q.noise = o[NOISE]
    q.outlook = o[OUTLOOK]
    return o[WEIGHTS : WEIGHTS + NUM_WEIGHTS]
