"""The PettingZoo AEC environment, shared by all games."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from tower_core.engine.batch_structs import OVER
from tower_core.engine.loops import ADVANCE, ILLEGAL_ACTION, MASK, OBSERVE
from tower_core.engine.random import episode_seed_of, fresh_seed, to_u64
from tower_core.envs.rendering import check_render_mode, render_state
from tower_core.envs.rewards import Rewards
from tower_core.envs.rows import Rows
from tower_core.envs.spaces import ObservationFormat
from tower_core.game import Game
from tower_core.position import position_in
from tower_core.state import as_action

_ADVANCE, _ILLEGAL = int(ADVANCE), int(ILLEGAL_ACTION)


class TowerAEC(AECEnv[str, dict[str, Any], int]):
    """One game as a PettingZoo environment (the ``raw_env``: an illegal action raises and leaves the game unchanged).

    An observation is ``{"observation": …, "action_mask": int8 [num_actions]}``; ``info["action_mask"]`` is the same mask,
    all zero for agents that are not to move. With ``mask_in="info"``, the observation is just the content of "observation",
    and the mask is only in ``info``. ``game_state`` is the live game object (such as ``TorresState``); it changes with every
    step.
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
        mask_in: str = "observation",
    ) -> None:
        super().__init__()
        if mask_in not in ("observation", "info"):
            raise ValueError(f"mask_in must be 'observation' or 'info', not {mask_in!r}")
        self._bare = mask_in == "info"
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
        self.game_state = game.state_class()._start(self._template, self.rules, 0)
        self.possible_agents = [f"player_{seat}" for seat in range(self.game_state.num_players)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        self._player = OVER
        space = self._format.space
        if not self._bare:
            mask = spaces.Box(0, 1, (game.num_actions,), np.int8)
            space = spaces.Dict({"observation": space, "action_mask": mask})
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: spaces.Discrete(game.num_actions) for agent in self.possible_agents}
        bounds = np.concatenate([part.bounds().ravel() for part in game.observation])
        high = np.tile(bounds, (len(self.possible_agents), 1))
        self.state_space = spaces.Box(np.zeros_like(high), high, dtype=np.uint8)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def state(self) -> NDArray[np.uint8]:
        """uint8 [players, size]: the observations of all seats, one per row. Described by ``state_space``.

        It contains everything that some player knows, but not what nobody knows, such as the order of the decks.
        """
        rows = np.empty(self.state_space.shape, np.uint8)  # type: ignore[arg-type]
        for seat, row in enumerate(rows):
            self._entry(OBSERVE, self._address, seat, row.ctypes.data)
        return rows

    # ------------------------------------------------------------------------------------------ play
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start the game of *seed*; without a seed, the next game of the current seed.

        ``options={"position": …}`` starts from a position (``state.position()``); if it has no ``rng``, the random stream
        comes from the seed. ValueError names the wrong field.
        """
        placed = self._placed(options)
        if seed is not None:
            self._seed, self._episode = to_u64(seed), 0
        elif self._seed is None:
            self._seed, self._episode = fresh_seed(), 0
        else:
            self._episode += 1
        self.game_state = self.game.state_class()._start(
            self._template, self.rules, episode_seed_of(self._seed, self._episode)
        )
        if placed is not None:
            if options is not None and "rng" not in options["position"]:
                placed.reseed(int(self.game_state._record["rng"][0]))
                placed._begin_here()
            self.game_state = placed
        self._begin()

    def _placed(self, options: dict[str, Any] | None) -> Any:
        """The state of ``options["position"]``; None if absent."""
        position = position_in(options)
        if position is None:
            return None
        given = {"num_players": len(self.possible_agents), "rules": self.rules, **position}
        state = self.game.state_class().from_position(given)
        if state.num_players != len(self.possible_agents) or state.rules != self.rules or state.is_terminal():
            raise ValueError("position: must be a game in progress with this environment's players and rules")
        return state

    def _begin(self) -> None:
        agents = self.possible_agents
        self.agents = agents.copy()
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self._infos: dict[str, dict[str, Any]] = {}
        self._skip_agent_selection = None
        self._rewards_of.begin(self.game_state)
        self._connect()
        self.agent_selection = agents[self._player]
        if self.render_mode == "human":
            self.render()

    def _connect(self) -> None:
        """Cache what every step needs."""
        state = self.game_state
        self._entry, self._address, self._history = state._entry, state._address, state._history
        self._player = state._player
        # The observation of the seat to move, until it is handed out.
        self._seen: dict[str, Any] | None = None
        # Fast path: without dense rewards and rendering, a step that doesn't end the game has little to do.
        self._simple = not self._rewards_of.dense and self.render_mode != "human"

    @property
    def infos(self) -> dict[str, dict[str, Any]]:  # type: ignore[override]
        """Per agent ``{"action_mask": int8 [num_actions]}``, all zero for agents that are not to move.

        Built lazily, with new arrays after every step; arrays handed out before stay unchanged.
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
            action = as_action(action)
        row, seen = self._rows.take()
        try:
            after = self._entry(_ADVANCE, self._address, action, row)
        except OverflowError:  # beyond 64 bits
            after = _ILLEGAL
        if after == _ILLEGAL:
            self._refuse(action)
            return
        self._seen = seen
        self._infos = {}
        self._history.append((player, action))
        self.game_state._player = self._player = after
        if after >= 0 and self._simple:
            if after != player:
                self.agent_selection = self.possible_agents[after]
        else:
            self._settle(self.possible_agents[player])

    def _refuse(self, action: int) -> None:
        """Handle an illegal action."""
        raise ValueError(self.game_state.explain(action))

    def _settle(self, agent: str) -> None:
        """The slow path of a step: rewards, end of the game, selected agent."""
        self._cumulative_rewards[agent] = 0.0
        paid = self._rewards_of.pay(self.game_state)
        for name, seat in self._seat_of.items():
            self.rewards[name] = paid[seat]
        over = self._player == OVER
        if over:
            self._seen = None  # nobody is to move, so the step wrote nothing
            truncated = self.game_state.is_truncated()
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
        """The observation of the seat to move, once: as the step wrote it, or written again."""
        seen = self._seen
        if seen is None:
            row, seen = self._rows.take()
            self._entry(OBSERVE, self._address, self._player, row)
            self._entry(MASK, self._address, 0, row + self.game.observation_size)
        self._seen = None
        return self._rows.finish(seen)

    def observe(self, agent: str) -> Any:
        """The current observation of *agent*, in new arrays."""
        seat = self._seat_of[agent]
        if seat == self._player:
            seen = self._see()
            return seen["observation"] if self._bare else seen
        row = np.empty(self.game.observation_size, np.uint8)
        self._entry(OBSERVE, self._address, seat, row.ctypes.data)
        observation = self._format.read(row)
        return observation if self._bare else {"observation": observation, "action_mask": self._no_mask.copy()}

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        agent = self.agent_selection
        seen = self._seen if observe else None
        observation: Any = seen
        if seen is not None:  # fast path
            self._seen = None
            self._rows.finish(seen)
            info = {"action_mask": seen["action_mask"]}
            if self._infos:
                info = self.infos[agent]
            else:
                self._infos[agent] = info
            if self._bare:
                observation = seen["observation"]
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
        """``ansi``: a string; ``rgb_array``: uint8 [height, width, 3]; ``human``: prints to the terminal."""
        return render_state(self.game_state, self.render_mode)

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
