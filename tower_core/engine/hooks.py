"""What a game gives to the compiled loops: seven functions on its record, chosen by the record's type at compile time.

=============================  =====================================================================================
``new_game(s, seed)``          start the game of a seed under the options in the record, up to the first decision
``apply(s, action)``           play a legal action and what follows by itself; ``legal`` is up to date afterwards
``observe(s, seat, at)``       write the observation of a seat at an address
``potential(s, seat, kind)``         what the dense rewards pay the changes of
``terminal_reward(s, seat, kind)``   the reward at the end
``refresh(s)``                 recompute everything derived, after the plain fields were filled from outside
``resample(s, seat, seed)``    redraw what the seat can't know
=============================  =====================================================================================
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba.extending import overload

from tower_core.engine.pipeline import INNER_OPTIONS


def new_game(s: Any, seed: Any) -> None: ...
def apply(s: Any, action: Any) -> None: ...
def observe(s: Any, seat: Any, at: Any) -> None: ...
def potential(s: Any, seat: Any, kind: Any) -> Any: ...
def terminal_reward(s: Any, seat: Any, kind: Any) -> Any: ...
def refresh(s: Any) -> None: ...
def resample(s: Any, seat: Any, seed: Any) -> None: ...


_HOOKS = {hook.__name__: hook for hook in (new_game, apply, observe, potential, terminal_reward, refresh, resample)}


def implement(record: np.dtype[Any], **functions: Any) -> None:
    """Make the compiled *functions* (named as the hooks) those of the games kept in *record*."""
    if set(functions) != set(_HOOKS):
        raise TypeError(f"a game implements {', '.join(_HOOKS)}")
    record_type = numba.from_dtype(record)
    for name, function in functions.items():
        _register(_HOOKS[name], function, record_type)


def _register(hook: Callable[..., Any], function: Any, record_type: Any) -> None:
    # Numba wants chooser and implementation to have the hook's very signature, so both are written out here.
    arguments = ", ".join(hook.__code__.co_varnames[: hook.__code__.co_argcount])
    source = f"""
def implementation({arguments}):
    return function({arguments})

def choose({arguments}):
    return implementation if s == record_type else None
"""
    namespace: dict[str, Any] = {"function": function, "record_type": record_type}
    exec(source, namespace)
    overload(hook, jit_options=INNER_OPTIONS)(namespace["choose"])
