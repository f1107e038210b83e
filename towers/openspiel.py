"""The installed games for OpenSpiel: after ``import towers.openspiel``, ``pyspiel.load_game("towers_torres")``.

Parameters: ``players``; ``rules`` as text; ``seed`` (-1: from the operating system). A loaded game deals the games of
``episode_seed(seed, 0)``, ``episode_seed(seed, 1)``, …, one for each initial state that is played.
"""

from __future__ import annotations

import json
import secrets
import warnings
from typing import Any, ClassVar
from urllib.parse import quote, unquote

import numpy as np

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise ModuleNotFoundError("towers.openspiel needs OpenSpiel: pip install open_spiel", name="pyspiel") from error

from tower_core.engine.random import episode_seed_of
from tower_core.game import Game
from tower_core.registry import usable_games
from tower_core.state import State

PREFIX = "towers_"
_DEAL = 0
_MOST_ACTIONS = 1_000_000  # OpenSpiel wants a bound; rules without a limit of turns have none


def _game_type(game: Game, players: int) -> Any:
    kinds = pyspiel.GameType
    return kinds(
        short_name=PREFIX + game.name,
        long_name=game.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.SAMPLED_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION if game.hidden else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if players > 1 else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=max(game.seats),
        min_num_players=min(game.seats),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={"players": _default_players(game), "rules": game.default_rules, "seed": -1},
    )


def _default_players(game: Game) -> int:
    return game.players_of(None, game.resolve_rules())


class TowersGame(pyspiel.Game):  # type: ignore[misc]
    """A game under given rules. ValueError for rules or a number of players that it doesn't have."""

    game: ClassVar[Game]

    def __init__(self, params: dict[str, Any]) -> None:
        game = self.game
        players = params["players"]
        rules = game.resolve_rules(unquote(params["rules"]))
        game.make_record(players, rules)
        self.rules = rules
        self._seed = params["seed"] if params["seed"] != -1 else secrets.randbits(64)
        self._dealt = 0
        info = pyspiel.GameInfo(
            num_distinct_actions=game.num_actions,
            max_chance_outcomes=1,
            num_players=players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if players > 1 else None,
            max_game_length=_MOST_ACTIONS,
        )
        # OpenSpiel writes the parameters as name=value, separated by commas.
        super().__init__(_game_type(game, players), info, params | {"rules": quote(params["rules"], safe=":")})

    def new_initial_state(self, _text: str | None = None) -> TowersState:
        return TowersState(self)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> TowersObserver:
        return TowersObserver(self, kind, params)

    def max_chance_nodes_in_history(self) -> int:
        return 1

    def __reduce__(self) -> tuple[Any, ...]:
        # OpenSpiel's own form wants the random stream of a sampled stochastic game, which a Python game can't give it.
        return _load, (str(self), self._seed, self._dealt)

    def next_seed(self) -> int:
        """The seed of the next game."""
        self._dealt += 1
        return episode_seed_of(self._seed, self._dealt - 1)


def _load(text: str, seed: int, dealt: int) -> TowersGame:
    game: TowersGame = pyspiel.load_game(text)
    game._seed, game._dealt = seed, dealt
    return game


def _load_state(game: TowersGame, text: str) -> TowersState:
    return game.deserialize_state(text)  # type: ignore[no-any-return]


class TowersState(pyspiel.State):  # type: ignore[misc]
    """A game in progress, around ``game_state``, a tower_core.state.State (None before the first chance node).

    The first node is a chance node, whose only outcome deals the next game; later chance acts inside actions.
    """

    def __init__(self, game: TowersGame) -> None:
        super().__init__(game)
        self.game_state: State | None = None

    def current_player(self) -> int:
        return pyspiel.PlayerId.CHANCE if self.game_state is None else self.game_state.current_player()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(_DEAL, 1.0)]

    def _legal_actions(self, seat: int) -> list[int]:
        return self._started().legal_actions(seat)

    def _apply_action(self, action: int) -> None:
        if self.game_state is None:
            game = self.get_game()
            self.game_state = game.game.state_class()(game.num_players(), game.rules, game.next_seed())
        else:
            self.game_state.apply_action(action)

    def _action_to_string(self, seat: int, action: int) -> str:
        return "deal" if self.game_state is None or seat < 0 else self.game_state.action_to_string(seat, action)

    def is_terminal(self) -> bool:
        return self.game_state is not None and self.game_state.is_terminal()

    def returns(self) -> list[float]:
        return [0.0] * self.num_players() if self.game_state is None else self.game_state.returns().tolist()  # type: ignore[no-any-return]

    def string_to_action(self, *text: Any) -> int:
        """The legal action of a text (``text`` or ``seat, text``). ValueError with the reason if there is none."""
        return self._started().string_to_action(text[-1])

    def resample_from_infostate(self, seat: int, sampler: Any) -> TowersState:
        """A state that *seat* can't distinguish from this one; *sampler()* draws numbers from [0, 1)."""
        other: TowersState = self.clone()
        other.game_state = self._started().resample_hidden(seat, int(sampler() * 2**53))
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        return _load_state, (self.get_game(), self.serialize())

    def _started(self) -> State:
        if self.game_state is None:
            raise ValueError("the game is not dealt yet: this is a chance node")
        return self.game_state

    def __str__(self) -> str:
        return "not dealt yet" if self.game_state is None else str(self.game_state)


class TowersObserver:
    """What a seat sees: ``tensor`` float32 [size] with the values of our observation, ``dict`` its parts.

    As text: the position that the seat knows, and with perfect recall also the actions that it has seen.
    """

    def __init__(self, game: TowersGame, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"observers have no parameters, not {params}")
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise ValueError(
                "observers show what one seat may know: public_info=True and PrivateInfoType.SINGLE_PLAYER"
            )
        self._recall = kind.perfect_recall
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        if not self._recall:
            self.tensor = np.zeros(game.game.observation_size, np.float32)
            self.dict = game.game.split(self.tensor)

    def set_from(self, state: TowersState, seat: int) -> None:
        if self.tensor is None:
            raise ValueError("there is no tensor with perfect recall: use the observation tensor")
        if state.game_state is None:
            self.tensor.fill(0)
            return
        for name, part in state.game_state.observation(seat).items():
            self.dict[name][...] = part

    def string_from(self, state: TowersState, seat: int) -> str:
        if state.game_state is None:
            return ""
        position = state.game_state.position(seat)
        known = {name: position[name] for name in position.keys() - {"game", "rules", "num_players"}}
        if self._recall:
            known["history"] = state.game_state.history(seat)
        return json.dumps(known, sort_keys=True, separators=(",", ":"))


def register_games() -> None:
    """Register every installed game; those that fail to load are skipped with a warning."""
    games, faults = usable_games()
    for fault in faults:
        warnings.warn(fault, stacklevel=2)
    registered = set(pyspiel.registered_names())
    for game in games:
        if PREFIX + game.name not in registered:
            # OpenSpiel frees what it registers after Python has ended: a class survives that, a function doesn't.
            pyspiel.register_game(
                _game_type(game, _default_players(game)), type(game.prefix, (TowersGame,), {"game": game})
            )


register_games()
