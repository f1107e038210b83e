"""Make regret sets: positions from games of several players, their turns, and the labels of the turns.

Position *i* depends only on the settings and *i*, so any number of processes can make a set together, and an interrupted run
can be resumed.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from tower_core.players.asking import ask_choices
from tower_core.players.protocol import Player, Ranker
from tower_core.players.specs import make_player, player_maker
from tower_core.state import State
from train.arena.play import derived_seed, play_match
from train.arena.schedule import Match
from train.regret.labels import Labeller, Turn, Worlds, play_turn
from train.regret.sets import PHASES, Entry, Settings, stored

FEWEST, MOST = 4, 8
"""Turns of a position. With fewer than FEWEST, random ones are added, if there are different ones."""
_TRIES = 8
_MOST_GAMES = 1000


class Maker:
    """Makes the positions of a set."""

    def __init__(self, settings: Settings) -> None:
        self.settings, game = settings, settings.game_object
        self.game, self.rules = game, settings.rules_object
        player = make_player(settings.continuation, game)
        self.labeller = Labeller(game, settings.players, self.rules, player, settings.worlds)
        self._makers = {spec: player_maker(spec, game) for spec in settings.specs}

    def entry(self, i: int) -> Entry:
        """Position number *i*, with labelled turns."""
        settings = self.settings
        for state in self._states(i):
            worlds = Worlds(state, settings.worlds, settings.seed, i)
            turns = self._turns(state, worlds, i)
            if len(turns) > 1:
                position = state.position()
                del position["rules"]
                labels = [stored(by, turn, self.labeller.label(worlds, turn)) for by, turn in turns]
                return Entry(i, i % PHASES, position, labels)
        raise ValueError(f"found no choice between turns in {_MOST_GAMES} games")

    def _states(self, i: int) -> Iterator[State]:
        """Starts of turns in the phase of position *i*, each from a different game between players drawn from the sources."""
        settings, phase, state_class = self.settings, i % PHASES, self.game.state_class()
        for number in range(_MOST_GAMES):
            draw = derived_seed(settings.seed, i, number, 1)
            seats = [
                settings.sources[derived_seed(draw, seat) % len(settings.sources)] for seat in range(settings.players)
            ]
            makers = [self._makers[spec] for spec in seats]
            outcome = play_match(self.game, self.rules, Match(draw, tuple(seats)), makers, inf, record=True)
            if outcome.fault:
                raise ValueError(f"{seats[outcome.fault.seat]}: {outcome.fault.message}")
            starts = list(turn_starts(state_class(settings.players, self.rules, draw), outcome.actions or []))
            here = starts[len(starts) * phase // PHASES : len(starts) * (phase + 1) // PHASES]
            here = [state for state in here if len(state.legal_actions()) > 1]
            if here:
                # The position alone is stored: labels must not depend on the history.
                yield state_class.from_position(here[derived_seed(draw, 2) % len(here)].position())

    def _turns(self, state: State, worlds: Worlds, i: int) -> list[tuple[str, Turn]]:
        """Different turns, each with the name of the player that proposed it."""
        found: dict[bytes, tuple[str, Turn]] = {}

        def add(source: str, actions: list[int]) -> None:
            turn = worlds.turn(actions)
            if len(found) < MOST:
                found.setdefault(turn.key, (source, turn))

        seed, settings = self.settings.seed, self.settings
        for number, spec in enumerate(settings.proposers):
            add(spec, play_turn(state, self._player(spec, i), seed, i, number))
        if settings.ranked:
            for choice in ask_choices(self._ranker(i), state, derived_seed(seed, i, -1), settings.top):
                add(settings.ranked, self._completed(state, choice.actions, i))
        for number in range(_TRIES):
            if len(found) >= FEWEST:
                break
            add("random", play_turn(state, self._player("random", i), seed, i, -2 - number))
        return list(found.values())

    def _completed(self, state: State, actions: tuple[int, ...], i: int) -> list[int]:
        """A ranked turn, completed by the continuation player if the ranking omits its end."""
        seat, done, after = state.current_player(), list[int](), state.clone()
        for action in actions:
            if after.current_player() != seat or not after.legal_actions_mask()[action]:
                break  # it goes on as in the world that the player imagined
            after.apply_action(action)
            done.append(action)
        ended = after.current_player() != seat or done[-1:] == [self.game.actions.passing]
        if ended:
            return done
        return done + play_turn(after, self._player(self.settings.continuation, i), self.settings.seed, i, -1)

    def _player(self, spec: str, i: int) -> Player:
        """A player of a spec for position *i*."""
        return self._makers[spec](derived_seed(self.settings.seed, i, 3))

    def _ranker(self, i: int) -> Ranker:
        return self._player(self.settings.ranked, i)  # type: ignore[return-value]


def turn_starts(state: State, actions: list[int]) -> Iterator[State]:
    """Copies of the states of a game in which a turn starts: another seat is to move, or the mover has passed."""
    last, passed = -1, False
    for action in actions:
        if state.current_player() != last or passed:
            yield state.clone()
        last, passed = state.current_player(), action == state.game.actions.passing
        state.apply_action(action)
