"""A PettingZoo wrapper that plays a random legal action in place of an illegal one."""

from __future__ import annotations

from typing import Any

from pettingzoo.utils.wrappers.base import BaseWrapper

from tower_core.engine.random import SplitMix64


class RandomIllegalWrapper(BaseWrapper[str, dict[str, Any], int]):
    """``illegal="random"``: the draw depends on the game's seed and the number of illegal actions before."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        super().reset(seed=seed, options=options)
        self._stream = SplitMix64(self.unwrapped.state.seed ^ 0xE7037ED1A0B428DB)

    def step(self, action: int | None) -> None:  # type: ignore[override]
        env: Any = self.unwrapped
        agent = env.agent_selection
        if action is not None and not (env.terminations[agent] or env.truncations[agent]):
            legal = env.state.legal_actions()
            if action not in legal:
                action = legal[self._stream.below(len(legal))]
        super().step(action)  # type: ignore[arg-type]
