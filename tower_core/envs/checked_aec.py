"""The PettingZoo environment for users, with the checks of PettingZoo's wrapped classic environments.

These are the checks of ``OrderEnforcingWrapper``, ``AssertOutOfBoundsWrapper`` and ``TerminateIllegalWrapper``, with the
same messages, in one class: three wrapper layers would take three quarters of a step's time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from pettingzoo.utils.env import AECIterable
from pettingzoo.utils.env_logger import EnvLogger

from tower_core.engine.random import SplitMix64
from tower_core.envs.aec import TowerAEC

ILLEGAL = ("lose", "random", "raise")
_SALT = 0xE7037ED1A0B428DB
_AFTER_RESET = frozenset(
    (
        "rewards",
        "terminations",
        "truncations",
        "infos",
        "agent_selection",
        "num_agents",
        "agents",
        "_cumulative_rewards",
    )
)


class CheckedAEC(TowerAEC):
    """Base class to put before a game's ``raw_env``: ``class env(CheckedAEC, raw_env)``.

    *illegal*: "lose" (the game ends, -1 for the offender), "random" (a legal action drawn from the game's seed is played
    instead) or "raise" (ValueError with the reason; nothing changes). Unless *illegal* is "random", an action outside the
    action space is an AssertionError, as in PettingZoo.
    """

    def __init__(
        self,
        num_players: int | None = None,
        rules: Any = None,
        reward: str = "outcome",
        render_mode: str | None = None,
        illegal: str = "lose",
        **options: Any,
    ) -> None:
        if illegal not in ILLEGAL:
            raise ValueError(f"illegal must be 'lose', 'random' or 'raise', not {illegal!r}")
        given = {"num_players": num_players, "rules": rules}
        super().__init__(
            **{name: value for name, value in given.items() if value is not None},
            reward=reward, render_mode=render_mode, **options,
        )  # fmt: skip
        self._illegal = illegal
        self._has_reset = self._has_updated = self._lost = self._going = False
        self._beyond = self.game.num_actions
        del self.agents

    def __getattr__(self, name: str) -> Any:
        if name in _AFTER_RESET:
            raise AttributeError(f"{name} cannot be accessed before reset")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    @property
    def infos(self) -> dict[str, dict[str, Any]]:  # type: ignore[override]
        if not self._has_reset:
            raise AttributeError("infos cannot be accessed before reset")
        return super().infos

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._lost = False
        super().reset(seed, options)
        self._has_reset = self._has_updated = True
        self._stream = SplitMix64(self.game_state.seed ^ _SALT)

    def _begin(self) -> None:
        self._going = True
        super()._begin()

    def step(self, action: int | None) -> None:  # type: ignore[override]
        self._has_updated = True
        if not self._going:
            if not self._has_reset:
                EnvLogger.error_step_before_reset()
            if not self.agents:
                EnvLogger.warn_step_after_terminated_truncated()
                return
        if type(action) is not int or not 0 <= action < self._beyond:
            self._check_kind(action)
        if self._lost:
            self._was_dead_step(action)  # type: ignore[arg-type]
            return
        super().step(action)

    def _settle(self, agent: str) -> None:
        super()._settle(agent)
        self._going = self._player >= 0

    def _check_kind(self, action: Any) -> None:
        agent = self.agent_selection
        if action is None and (self.terminations[agent] or self.truncations[agent]):
            return
        if self._illegal != "random" and not self.action_spaces[agent].contains(action):
            raise AssertionError("action is not in action space")  # not assert: checked with python -O too

    def _refuse(self, action: int) -> None:
        if self._illegal == "raise":
            super()._refuse(action)
        if self._illegal == "random":
            legal = self.game_state.legal_actions()
            super().step(legal[self._stream.below(len(legal))])
            return
        EnvLogger.warn_on_illegal_move()
        loser = self.agent_selection
        self._cumulative_rewards[loser] = 0
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.rewards[loser] = -1.0
        self._accumulate_rewards()
        self._deads_step_first()
        self._lost, self._going = True, False

    def observe(self, agent: str) -> Any:
        if not self._has_reset:
            EnvLogger.error_observe_before_reset()
        return super().observe(agent)

    def state(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        if not self._has_reset:
            EnvLogger.error_state_before_reset()
        return super().state()

    def render(self) -> Any:
        if not self._has_reset and not hasattr(self, "agents"):
            EnvLogger.error_render_before_reset()
        return super().render()

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable[str, Any, Any]:
        if not self._has_reset:
            EnvLogger.error_agent_iter_before_reset()
        return _Turns(self, max_iter)


class _Turns(AECIterable[str, Any, Any]):
    """Iterates over the agents in turn order."""

    def __iter__(self) -> Iterator[str]:  # type: ignore[override]
        env: Any = self.env
        for _ in range(min(self.max_iter, 2**62)):
            if not env.agents:
                return
            if not env._has_updated:
                raise AssertionError("need to call step() or reset() in a loop over `agent_iter`")
            env._has_updated = False
            yield env.agent_selection
