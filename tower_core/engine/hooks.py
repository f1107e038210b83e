"""The hooks that a game implements for the compiled loops: functions on its record, selected by the record's type.

===================================  ===============================================================================
``new_game(s, seed)``                start the game of a seed under the options in the record, up to the first decision
``apply(s, action)``                 play a legal action and the automatic moves after it, and update ``legal``
``observe(s, seat, at)``             write the observation of a seat at an address
``refresh(s)``                       recompute all derived fields after the other fields were set from outside
``potential(s, seat, kind)``         potential whose changes the dense rewards pay (default: 0)
``terminal_reward(s, seat, kind)``   the reward at the end (default: the utility of the ranking by ``score``)
``resample(s, seat, seed)``          redraw what is hidden from the seat (default: only the random stream)
===================================  ===============================================================================
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tower_core.engine.compiling import jit
from tower_core.engine.deferred import Later, before_compiling


def new_game(s: Any, seed: Any) -> None: ...
def apply(s: Any, action: Any) -> None: ...
def observe(s: Any, seat: Any, at: Any) -> None: ...
def potential(s: Any, seat: Any, kind: Any) -> Any: ...
def terminal_reward(s: Any, seat: Any, kind: Any) -> Any: ...
def refresh(s: Any) -> None: ...
def resample(s: Any, seat: Any, seed: Any) -> None: ...


def no_potential(s: Any, seat: Any, kind: Any) -> Any:
    return 0.0


def rank_utility(s: Any, seat: Any, kind: Any) -> Any:
    """1 for the first rank by ``score`` down to -1 for the last; ties share the average of their ranks."""
    better, equal = np.int64(0), np.int64(0)
    for other in range(s.num_players):
        better += np.int64(s.score[other]) > np.int64(s.score[seat])
        equal += np.int64(s.score[other]) == np.int64(s.score[seat])
    return 1.0 - 2.0 * (better + 0.5 * (equal - 1)) / np.float64(s.num_players - 1) if s.num_players > 1 else 0.0


def new_stream(s: Any, seat: Any, seed: Any) -> None:
    s.rng = seed


_DEFAULTS = {"potential": no_potential, "terminal_reward": rank_utility, "resample": new_stream}
_HOOKS = {hook.__name__: hook for hook in (new_game, apply, observe, potential, terminal_reward, refresh, resample)}


def implement(record: np.dtype[Any], **functions: Any) -> None:
    """Register the compiled *functions* (named like the hooks) for games stored in *record*.

    TypeError for missing hooks without a default, and for unknown names.
    """
    functions = {**{name: jit(function) for name, function in _DEFAULTS.items()}, **functions}
    if set(functions) != set(_HOOKS):
        missing, unknown = sorted(set(_HOOKS) - set(functions)), sorted(set(functions) - set(_HOOKS))
        raise TypeError(
            f"hooks of a game: missing {', '.join(missing) or 'none'}; unknown {', '.join(unknown) or 'none'}"
        )

    def register() -> None:
        record_type = Later("numba").from_dtype(record)
        for name, function in functions.items():
            _register(_HOOKS[name], function, record_type)

    before_compiling.append(register)


def _register(hook: Callable[..., Any], function: Any, record_type: Any) -> None:
    # Numba requires chooser and implementation to have exactly the hook's signature, so both are generated.
    arguments = ", ".join(hook.__code__.co_varnames[: hook.__code__.co_argcount])
    source = f"""
def implementation({arguments}):
    return function({arguments})

def choose({arguments}):
    return implementation if s == record_type else None
"""
    namespace: dict[str, Any] = {"function": function, "record_type": record_type}
    exec(source, namespace)
    options = Later("tower_core.engine.pipeline").INNER_OPTIONS
    Later("numba.extending").overload(hook, jit_options=options)(namespace["choose"])
