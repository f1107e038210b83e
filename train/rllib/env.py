"""RLlib's environment of a game: the PettingZoo environment, whose scripted players move inside ``step``.

The player of each seat is drawn at the start of a game. A seat that a network plays is an agent of the environment, named
after network and seat: ``main@0``, ``league_2@1``. The name determines the RLModule that decides.
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
class _Seat:
    """Who plays a seat of the current game: a *module*, or a scripted *player* if *module* is empty."""

    module: str
    name: str
    player: Player | None
    paid: float = 0.0
    """reward that its agent has not received yet"""
    acted: bool = False


class TowersEnv(MultiAgentEnv):  # type: ignore[misc]
    """One game. *config*: ``game``, ``players``, ``rules`` (a dict), ``reward``, ``seat`` ("random" or a number) of the
    learner, ``places`` (the players of the other seats), ``members`` (number of league members).

    An observation is ``{"observation": uint8 [size], "action_mask": int8 [num_actions]}``. An illegal action raises
    ValueError, a faulty scripted player PlayerError. Rewards until an agent's next move come with its next observation;
    rewards before its first move come with those after that move.
    """

    def __init__(self, config: Any) -> None:
        super().__init__()
        self.game = get_game(config["game"])
        self._worker = int(getattr(config, "worker_index", 0))
        rules = self.game.resolve_rules(config["rules"])
        self.aec = self.game.face("raw_env")(config["players"], rules, config["reward"], flatten=True)
        self._names = self.aec.possible_agents
        self._seat: str = config["seat"]
        modules = [MAIN, *(league_module(k) for k in range(config["members"]))]
        self.possible_agents = [agent_name(name, seat) for name in modules for seat in range(config["players"])]
        space, actions = self.aec.observation_space(self._names[0]), self.aec.action_space(self._names[0])
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = dict.fromkeys(self.possible_agents, actions)
        self._scripted: dict[str, Player] = {}
        self.set_places(config["places"])
        self._random = np.random.default_rng()
        self._ended: list[Played] = []
        self._decisions = 0

    # ------------------------------------------------------------------------------------------ its worker
    def set_places(self, places: Sequence[Place]) -> None:
        """Set the players of the other seats from the next game on."""
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
            self._draw_seats()
            self._play_scripted()
            if self._mover() != OVER:
                break
        agent = self._agent(self._mover())
        return {agent: self._see(self._mover())}, {agent: {}}

    def _draw_seats(self) -> None:
        players = len(self._names)
        self._learner = int(self._random.integers(players)) if self._seat == "random" else int(self._seat)
        self._seats: list[_Seat] = []
        for seat in range(players):
            if seat == self._learner:
                self._seats.append(_Seat(MAIN, MAIN, None))
                continue
            place = self._places[int(self._random.choice(len(self._places), p=self._odds))]
            self._seats.append(_Seat(place.module, place.name, self._scripted.get(place.name)))
        self.agents = [self._agent(number) for number, seat in enumerate(self._seats) if seat.module]

    def step(self, action_dict: dict[str, Any]) -> tuple[ByAgent, ByAgent, ByAgent, ByAgent, ByAgent]:
        seat = self._mover()
        agent = self._agent(seat)
        if list(action_dict) != [agent]:
            raise ValueError(f"it is the turn of {agent} alone, not of {', '.join(action_dict) or 'nobody'}")
        self._act(seat, int(action_dict[agent]))
        self._seats[seat].acted = True
        self._decisions += self._seats[seat].module == MAIN
        self._play_scripted()
        if self._mover() == OVER:
            return self._final_step()
        following = self._mover()
        agent, mover = self._agent(following), self._seats[following]
        rewards = {}
        if mover.acted:
            rewards[agent], mover.paid = mover.paid, 0.0
        not_over = {"__all__": False}
        return {agent: self._see(following)}, rewards, not_over, not_over, {agent: {}}

    def _final_step(self) -> tuple[ByAgent, ByAgent, ByAgent, ByAgent, ByAgent]:
        state = self.aec.game_state
        truncated = state.is_truncated()
        utilities = [float(value) for value in state.returns()]
        names = tuple(seat.name for seat in self._seats)
        self._ended.append(Played(names, self._learner, utilities, float(state.scores()[self._learner])))
        acted = {self._agent(number): number for number, seat in enumerate(self._seats) if seat.module and seat.acted}
        return (
            {agent: self._see(number) for agent, number in acted.items()},
            {agent: self._seats[number].paid for agent, number in acted.items()},
            {**dict.fromkeys(acted, not truncated), "__all__": not truncated},
            {**dict.fromkeys(acted, truncated), "__all__": truncated},
            {agent: {} for agent in acted},
        )

    def _play_scripted(self) -> None:
        while (seat := self._mover()) != OVER and not self._seats[seat].module:
            player = self._seats[seat].player
            assert player is not None
            self._act(seat, ask(player, self.aec.game_state, int(self._random.integers(2**63))))

    def _act(self, seat: int, action: int) -> None:
        self.aec.step(action)
        for name, each in zip(self._names, self._seats, strict=True):
            each.paid += self.aec.rewards[name]

    # ------------------------------------------------------------------------------------------ parts
    def _mover(self) -> int:
        return int(self.aec.game_state.current_player())

    def _agent(self, seat: int) -> str:
        return agent_name(self._seats[seat].module, seat)

    def _see(self, seat: int) -> Any:
        return self.aec.observe(self._names[seat])
