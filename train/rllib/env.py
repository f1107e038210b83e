"""RLlib's face of a game: the PettingZoo environment, with scripted players inside and networks outside.

Who plays which seat is drawn when a game begins. A seat that a network plays is an agent of the environment, named by
the network and the seat: ``main@0``, ``league_2@1``. So the name alone says which of RLlib's modules decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from ray.rllib.env.multi_agent_env import MultiAgentEnv

from tower_core.engine.batch_structs import OVER
from tower_core.players.asking import ask
from tower_core.players.protocol import Player
from tower_core.players.specs import make_player
from tower_core.registry import get_game
from train.rllib.league import MAIN, Place, Played, league_module

ByAgent: TypeAlias = dict[str, Any]


def agent_name(module: str, seat: int) -> str:
    return f"{module}@{seat}"


def module_of(agent: str, episode: Any = None, **_: Any) -> str:
    """The module that decides for an agent (RLlib's ``policy_mapping_fn``)."""
    return agent.partition("@")[0]


@dataclass
class _Sitting:
    """Who plays a seat of the present game: a *module*, or a scripted *player* if that is empty."""

    module: str
    name: str
    player: Player | None
    paid: float = 0.0
    """reward that its agent has not received yet"""
    acted: bool = False


class TowersEnv(MultiAgentEnv):  # type: ignore[misc]
    """One game. *config*: ``game``, ``players``, ``rules`` (a dict), ``reward``, ``seat`` ("random" or a number) of the
    learner, ``places`` (who plays the other seats), ``members`` (of the league).

    An observation is ``{"observation": uint8 [size], "action_mask": int8 [num_actions]}``. An illegal action raises
    ValueError. What happens until an agent moves again is paid with its next observation, what happens before its first
    move with what follows that move.
    """

    def __init__(self, config: Any) -> None:
        super().__init__()
        self.game = get_game(config["game"])
        self._worker = int(getattr(config, "worker_index", 0))
        rules = self.game.resolve_rules(config["rules"])
        self.aec = self.game.face("raw_env")(config["players"], rules, config["reward"], flatten=True)
        self._pieces = self.aec.possible_agents
        self._seat: str = config["seat"]
        modules = [MAIN, *(league_module(k) for k in range(config["members"]))]
        self.possible_agents = [agent_name(name, seat) for name in modules for seat in range(config["players"])]
        space, actions = self.aec.observation_space(self._pieces[0]), self.aec.action_space(self._pieces[0])
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = dict.fromkeys(self.possible_agents, actions)
        self._scripted: dict[str, Player] = {}
        self.set_places(config["places"])
        self._random = np.random.default_rng()
        self._ended: list[Played] = []
        self._decisions = 0

    # ------------------------------------------------------------------------------------------ its worker
    def set_places(self, places: Sequence[Place]) -> None:
        """Who plays the other seats from the next game on."""
        for place in places:
            if not place.module and place.name not in self._scripted:
                self._scripted[place.name] = make_player(place.name, self.game, self._worker)
        weights = np.array([place.weight for place in places])
        self._places, self._odds = list(places), weights / weights.sum()

    def take(self) -> tuple[int, list[Played]]:
        """Decisions of the learner since the last call, and the games that have ended."""
        taken = self._decisions, self._ended
        self._decisions, self._ended = 0, []
        return taken

    # ------------------------------------------------------------------------------------------ play
    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[ByAgent, ByAgent]:
        first: int | None = None
        if seed is not None:
            # RLlib's seeds of neighbouring workers overlap.
            self._random = np.random.default_rng([seed, self._worker])
            first = int(self._random.integers(2**63))
        while True:
            self.aec.reset(first)
            first = None
            self._sit_down()
            self._let_scripted_play()
            if self._mover() != OVER:
                break
        agent = self._agent(self._mover())
        return {agent: self._see(self._mover())}, {agent: {}}

    def _sit_down(self) -> None:
        players = len(self._pieces)
        self._learner = int(self._random.integers(players)) if self._seat == "random" else int(self._seat)
        self._table: list[_Sitting] = []
        for seat in range(players):
            if seat == self._learner:
                self._table.append(_Sitting(MAIN, MAIN, None))
                continue
            place = self._places[int(self._random.choice(len(self._places), p=self._odds))]
            self._table.append(_Sitting(place.module, place.name, self._scripted.get(place.name)))
        self.agents = [self._agent(seat) for seat, sitting in enumerate(self._table) if sitting.module]

    def step(self, action_dict: dict[str, Any]) -> tuple[ByAgent, ByAgent, ByAgent, ByAgent, ByAgent]:
        seat = self._mover()
        agent = self._agent(seat)
        if list(action_dict) != [agent]:
            raise ValueError(f"it is the turn of {agent} alone, not of {', '.join(action_dict) or 'nobody'}")
        self._act(seat, int(action_dict[agent]))
        self._table[seat].acted = True
        self._decisions += self._table[seat].module == MAIN
        self._let_scripted_play()
        if self._mover() == OVER:
            return self._final_step()
        following = self._mover()
        agent, sitting = self._agent(following), self._table[following]
        rewards = {}
        if sitting.acted:
            rewards[agent], sitting.paid = sitting.paid, 0.0
        nobody = {"__all__": False}
        return {agent: self._see(following)}, rewards, nobody, nobody, {agent: {}}

    def _final_step(self) -> tuple[ByAgent, ByAgent, ByAgent, ByAgent, ByAgent]:
        state = self.aec.state
        truncated = state.is_truncated()
        utilities = [float(value) for value in state.returns()]
        names = tuple(sitting.name for sitting in self._table)
        self._ended.append(Played(names, self._learner, utilities, float(state.scores()[self._learner])))
        acted = {
            self._agent(seat): seat for seat, sitting in enumerate(self._table) if sitting.module and sitting.acted
        }
        return (
            {agent: self._see(seat) for agent, seat in acted.items()},
            {agent: self._table[seat].paid for agent, seat in acted.items()},
            {**dict.fromkeys(acted, not truncated), "__all__": not truncated},
            {**dict.fromkeys(acted, truncated), "__all__": truncated},
            {agent: {} for agent in acted},
        )

    def _let_scripted_play(self) -> None:
        while (seat := self._mover()) != OVER and not self._table[seat].module:
            player = self._table[seat].player
            assert player is not None
            self._act(seat, ask(player, self.aec.state, int(self._random.integers(2**63))))

    def _act(self, seat: int, action: int) -> None:
        self.aec.step(action)
        for piece, sitting in zip(self._pieces, self._table, strict=True):
            sitting.paid += self.aec.rewards[piece]

    # ------------------------------------------------------------------------------------------ parts
    def _mover(self) -> int:
        return int(self.aec.state.current_player())

    def _agent(self, seat: int) -> str:
        return agent_name(self._table[seat].module, seat)

    def _see(self, seat: int) -> Any:
        return self.aec.observe(self._pieces[seat])
