"""An agent that plays by text alone: ``python examples/text_agent.py torres`` (or another installed game).

``TextPlayer`` turns a function from text to text into a player. A wrong answer is asked for again, with the reason.
``Script`` stands where a language model would be: it reads the legal moves from the text, and now and then it errs.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from random import Random

from tower_core.players.asking import ask
from tower_core.players.specs import make_player
from tower_core.registry import get_game
from tower_core.state import State

TASK = """You play {title} as player_{seat}. Answer with one legal move on the last line, such as: {example}
In the list of moves, X and Y stand for the words after "=".

"""
TRIES = 3


class TextPlayer:
    """A player that asks *answer* for a move, up to three times; after that it plays the first legal action."""

    native = None

    def __init__(self, answer: Callable[[str], str], name: str = "text") -> None:
        self.answer, self.name = answer, name
        self.wrong: list[str] = []
        """the reason of each wrong answer"""

    def act(self, state: State) -> int:
        seat = state.current_player()
        example = state.action_to_string(state.legal_actions()[0])
        prompt = TASK.format(title=state.game.title, seat=seat, example=example) + state.to_text(seat)
        for _ in range(TRIES):
            lines = self.answer(prompt).strip().splitlines() or [""]
            try:
                return state.string_to_action(lines[-1].strip(" .`*"))
            except ValueError as reason:
                self.wrong.append(str(reason))
                prompt += f"\n\nYour answer was {lines[-1]!r}. {reason}. Answer with a legal move."
        return state.legal_actions()[0]


def moves_in(text: str) -> list[tuple[str, str]]:
    """The legal moves of a text of ``State.to_text(seat)``, each with what it does."""
    moves = []
    for line in text.partition("Legal moves:\n")[2].split("\n\n")[0].splitlines():
        notation, _, meaning = line.partition(": ")
        listed = re.search(r"; [X-Z ]+ = (.*)$", meaning)
        if not listed:
            moves.append((notation, meaning))
            continue
        verb, meaning = notation.split()[0], meaning[: listed.start()]
        for part in listed[1].split(", "):
            first, _, last = part.rpartition(": ")
            moves += [(" ".join([verb, *first.split(), word]), meaning) for word in last.split()]
    return moves


class Script:
    """Prefers moves by their verbs; every *errs*-th answer is wrong."""

    ORDER = ("BUILD", "BUY", "KEEP", "PICK", "PLAY", "CARD", "N", "M", "B", "LOOK", "ENTER")

    def __init__(self, seed: int = 0, errs: int = 10) -> None:
        self._random, self._errs, self._answers = Random(seed), errs, 0

    def __call__(self, prompt: str) -> str:
        self._answers += 1
        if self._errs and self._answers % self._errs == 0:
            return "I would put a block on z9."
        moves = [move for move, _ in moves_in(prompt)]
        for verb in self.ORDER:
            wanted = [move for move in moves if move.split()[0] == verb]
            if wanted and self._random.random() < 0.7:
                moves = wanted
                break
        return f"Let me think.\n{self._random.choice(moves)}."


def play(name: str, opponent: str, seed: int) -> tuple[float, TextPlayer]:
    """One game; the text agent's return and the agent."""
    game = get_game(name)
    agent = TextPlayer(Script(seed))
    state = game.state_class()(num_players=2, seed=seed)
    players = [agent, make_player(opponent, game, seed)]
    while not state.is_terminal():
        mover = players[(state.current_player() + seed) % 2]
        state.apply_action(ask(mover, state, seed))
    return state.player_return(seed % 2), agent


def main(name: str = "torres", opponent: str = "random", games: str = "10") -> None:
    state = get_game(name).state_class()(num_players=2, seed=0)
    print(state.to_text(0), end="\n\n")
    results = [play(name, opponent, seed) for seed in range(int(games))]
    wrong = [reason for _, agent in results for reason in agent.wrong]
    print(f"{sum(value > 0 for value, _ in results)} of {games} games won against {opponent}")
    print(f"{len(wrong)} wrong answers, such as: {wrong[0] if wrong else '-'}")


if __name__ == "__main__":
    main(*sys.argv[1:])
