"""The PettingZoo face, written once for every game: an AEC environment over a state."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from tower_core.engine.batch_structs import OVER
from tower_core.engine.loops import ADVANCE, ILLEGAL_ACTION, MASK, OBSERVE
from tower_core.engine.random import episode_seed_of, fresh_seed, to_u64
from tower_core.envs.rendering import check_render_mode, render_state
from tower_core.envs.rewards import Rewards
from tower_core.envs.rows import Rows
from tower_core.envs.spaces import ObservationFormat
from tower_core.game import Game

_ADVANCE, _ILLEGAL = int(ADVANCE), int(ILLEGAL_ACTION)


class TowerAEC(AECEnv[str, dict[str, Any], int]):
    """One game as a PettingZoo environment (the ``raw_env``: an illegal action raises and changes nothing).

    An observation is ``{"observation": …, "action_mask": int8 [num_actions]}``; ``info["action_mask"]`` is the same
    mask. The mask is all zero for an agent that is not to move.
    """

    game: ClassVar[Game]
    metadata: dict[str, Any]

    def __init__(
        self,
        num_players: int | None = None,
        rules: Any = None,
        reward: str = "outcome",
        render_mode: str | None = None,
        *,
        flatten: bool = False,
        dtype: str = "uint8",
    ) -> None:
        super().__init__()
        game = self.game
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self._rewards_of = Rewards(game, reward)
        self._format = ObservationFormat(game, flatten=flatten, dtype=dtype)
        self._seed: int | None = None
        self._episode = 0
        self._no_mask = np.zeros(game.num_actions, np.int8)
        self._rows = Rows(game, self._format)
        self.rules = game.resolve_rules(rules)
        self._template = game.make_record(game.players_of(num_players, self.rules), self.rules)
        self.state_object = game.state_class()._start(self._template, self.rules, 0)
        self.possible_agents = [f"player_{seat}" for seat in range(self.state_object.num_players)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        self._player = OVER
        space = spaces.Dict(
            {
                "observation": self._format.space,
                "action_mask": spaces.Box(0, 1, (game.num_actions,), np.int8),
            }
        )
        self._observation_spaces = dict.fromkeys(self.possible_agents, space)
        self._action_spaces = {agent: spaces.Discrete(game.num_actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._action_spaces[agent]

    @property
    def state(self) -> Any:
        """The game as an object (``TorresState`` or its like); it goes on with the environment."""
        return self.state_object

    # ------------------------------------------------------------------------------------------ play
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start the game of *seed*; without one, the next game after the last."""
        if seed is not None:
            self._seed, self._episode = to_u64(seed), 0
        elif self._seed is None:
            self._seed, self._episode = fresh_seed(), 0
        else:
            self._episode += 1
        self.state_object = self.game.state_class()._start(
            self._template, self.rules, episode_seed_of(self._seed, self._episode)
        )
        self._begin()

    def _begin(self) -> None:
        agents = self.possible_agents
        self.agents = agents.copy()
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self._infos: dict[str, dict[str, Any]] = {}
        self._skip_agent_selection = None
        self._rewards_of.begin(self.state_object)
        self._connect()
        self.agent_selection = agents[self._player]

    def _connect(self) -> None:
        """Keep at hand what every step needs."""
        state = self.state_object
        self._entry, self._address, self._history = state._entry, state._address, state._history
        self._player = state._player
        # What the seat to move sees, until somebody takes it away.
        self._seen: dict[str, Any] | None = None
        # With a reward at the end only and nothing to show, a step that doesn't end the game has little to do.
        self._simple = not self._rewards_of.dense and self.render_mode != "human"

    @property
    def infos(self) -> dict[str, dict[str, Any]]:  # type: ignore[override]
        """Per agent ``{"action_mask": int8 [num_actions]}``, all zero for those that are not to move.

        Made when first asked for, and anew after every step: what was handed out before stays as it was.
        """
        mover = self.possible_agents[self._player] if self._player >= 0 else None
        for agent in self.agents:
            if agent not in self._infos:
                mask = self._no_mask.copy()
                if agent == mover:
                    self._entry(MASK, self._address, 0, mask.ctypes.data)
                self._infos[agent] = {"action_mask": mask}
        return self._infos

    def step(self, action: int | None) -> None:  # type: ignore[override]
        player = self._player
        if player < 0:
            self._was_dead_step(action)  # type: ignore[arg-type]
            return
        if type(action) is not int:
            action = _whole(action)
        row, seen = self._rows.take()
        try:
            after = self._entry(_ADVANCE, self._address, action, row)
        except OverflowError:  # beyond 64 bits
            after = _ILLEGAL
        if after == _ILLEGAL:
            raise ValueError(self.state_object.explain(action))
        self._seen = seen
        self._infos = {}
        self._history.append((player, action))
        self.state_object._player = self._player = after
        if after >= 0 and self._simple:
            if after != player:
                self.agent_selection = self.possible_agents[after]
        else:
            self._settle(self.possible_agents[player])

    def _settle(self, agent: str) -> None:
        """Rewards, the end, and whose turn it is: the slow way."""
        self._cumulative_rewards[agent] = 0.0
        paid = self._rewards_of.pay(self.state_object)
        for name, seat in self._seat_of.items():
            self.rewards[name] = paid[seat]
        over = self._player == OVER
        if over:
            self._seen = None  # nobody is to move: nothing was written
            truncated = self.state_object.is_truncated()
            self.terminations = dict.fromkeys(self.agents, not truncated)
            self.truncations = dict.fromkeys(self.agents, truncated)
        else:
            self.agent_selection = self.possible_agents[self._player]
        self._accumulate_rewards()
        if over:
            self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def _see(self) -> dict[str, Any]:
        """What the seat to move sees, for one taker: what the step wrote, or written once more."""
        seen = self._seen
        if seen is None:
            row, seen = self._rows.take()
            self._entry(OBSERVE, self._address, self._player, row)
            self._entry(MASK, self._address, 0, row + self.game.observation_size)
        self._seen = None
        return self._rows.finish(seen)

    def observe(self, agent: str) -> dict[str, Any]:
        """What *agent* sees now: fresh arrays."""
        seat = self._seat_of[agent]
        if seat == self._player:
            return self._see()
        row = np.empty(self.game.observation_size, np.uint8)
        self._entry(OBSERVE, self._address, seat, row.ctypes.data)
        return {"observation": self._format.read(row), "action_mask": self._no_mask.copy()}

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        agent = self.agent_selection
        observation = self._seen if observe else None
        if observation is not None:  # the way of every step
            self._seen = None
            self._rows.finish(observation)
            info = {"action_mask": observation["action_mask"]}
            if self._infos:
                info = self.infos[agent]
            else:
                self._infos[agent] = info
        else:
            observation = self.observe(agent) if observe else None
            info = self.infos[agent]
        return (
            observation,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            info,
        )

    # ------------------------------------------------------------------------------------------ render
    def render(self) -> Any:
        """``ansi``: a text; ``rgb_array``: uint8 [height, width, 3]; ``human``: the text on the terminal."""
        return render_state(self.state_object, self.render_mode)

    def close(self) -> None:
        pass

    # ------------------------------------------------------------------------------------------ copies
    def __getstate__(self) -> dict[str, Any]:
        left_out = ("_entry", "_address", "_history", "_rows", "_seen")
        return {name: value for name, value in self.__dict__.items() if name not in left_out}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._rows = Rows(self.game, self._format)
        self._connect()


def _whole(action: Any) -> int:
    if isinstance(action, (np.integer, np.ndarray)) and np.ndim(action) == 0 and np.asarray(action).dtype.kind in "iu":
        return int(action)
    if isinstance(action, int) and not isinstance(action, bool):
        return int(action)
    raise ValueError(f"an action is a whole number, not {action!r}")


def wrap(env: TowerAEC, illegal: str) -> AECEnv[str, dict[str, Any], int]:
    """The wrappers of PettingZoo's classic environments; *illegal* says what an illegal action does."""
    from tower_core.envs.illegal import RandomIllegalWrapper

    if illegal not in ("lose", "random", "raise"):
        raise ValueError(f"illegal must be 'lose', 'random' or 'raise', not {illegal!r}")
    wrapped: Any = env
    if illegal == "lose":
        wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    elif illegal == "random":
        wrapped = RandomIllegalWrapper(wrapped)
    if illegal != "random":
        wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)
