"""The action table of a game: the source of action numbers, notation, parsing, help texts and documentation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import prod
from typing import Any

_MOST_LISTED, _FEW = 16, 4  # words that an error message and a table list one by one


@dataclass(frozen=True)
class Verb:
    """Actions of one kind, such as ``B d3``: a word followed by one word from each list in *arguments*.

    Actions are numbered in the order of the arguments; the last one varies fastest.
    """

    name: str
    arguments: tuple[Sequence[str], ...] = ()
    meaning: str = ""
    """What it does, briefly; ``{0}`` stands for the first argument."""
    passes: bool = False
    """Whether it passes; the player ``passive`` chooses it."""
    cost: str = ""
    """What it costs."""

    @property
    def count(self) -> int:
        return prod(len(words) for words in self.arguments)


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words) if len(words) <= _FEW else f"{words[0]} … {words[-1]}"


class ActionTable:
    """Verbs in order; ``table.first("B")`` is the number of a verb's first action.

    ValueError for a verb that is repeated or has no actions, and for arguments that contain spaces or are repeated.
    """

    def __init__(self, verbs: Sequence[Verb]) -> None:
        self.verbs = tuple(verbs)
        self._by_name = {verb.name: i for i, verb in enumerate(self.verbs)}
        if len(self._by_name) != len(self.verbs) or not self.verbs:
            raise ValueError(
                f"actions: expected at least one verb and no verb twice, not {[v.name for v in self.verbs]}"
            )
        for verb in self.verbs:
            for words in ((verb.name,), *verb.arguments):
                if not words or len(set(words)) < len(words) or any(word.split() != [word] for word in words):
                    raise ValueError(
                        f"actions: {verb.name!r} must have distinct words without spaces, not {list(words)}"
                    )
        self._starts = [0, *accumulate(verb.count for verb in self.verbs)]

    def __len__(self) -> int:
        return self._starts[-1]

    def __getitem__(self, name: str) -> Verb:
        return self.verbs[self._by_name[name]]

    def first(self, name: str) -> int:
        """The number of the first action of a verb."""
        return self._starts[self._by_name[name]]

    @property
    def passing(self) -> int | None:
        """Number of the action that passes; None if the game has none."""
        return next((self.first(verb.name) for verb in self.verbs if verb.passes), None)

    def split(self, action: int) -> tuple[Verb, tuple[int, ...]]:
        """The verb of an action and the index of each of its arguments. ValueError if *action* is out of range."""
        if not 0 <= action < len(self):
            raise ValueError(f"action must be from 0 to {len(self) - 1}, not {action}")
        i = next(i for i, end in enumerate(self._starts[1:]) if action < end)
        rest, places = action - self._starts[i], []
        for words in reversed(self.verbs[i].arguments):
            rest, place = divmod(rest, len(words))
            places.append(place)
        return self.verbs[i], tuple(reversed(places))

    def number(self, name: str, places: Sequence[int] = ()) -> int:
        """The number of an action from its verb and the indices of its arguments."""
        verb, rest = self[name], 0
        for words, place in zip(verb.arguments, places, strict=True):
            rest = rest * len(words) + place
        return self.first(name) + rest

    def words_of(self, verb: Verb, place: int, context: Any) -> Sequence[str]:
        """The words for an argument in a position; override this where the words depend on the position.

        *context* is the result of ``State._notation``, or None without a position. There may be fewer words than in the table
        if the position has fewer pieces, seats or names.
        """
        return verb.arguments[place]

    def unknown_word(self, verb: Verb, place: int, word: str, known: Sequence[str]) -> str:
        """The error message for a word that isn't among those *known*."""
        listed = ", ".join(known) if len(known) <= _MOST_LISTED else f"{known[0]} to {known[-1]}"
        return f"{verb.name} must be followed by one of {listed}, not {word}"

    def text(self, action: int, context: Any = None) -> str:
        """The notation of an action; falls back to the table's words where the position has none."""
        verb, places = self.split(action)
        words = [verb.name]
        for i, place in enumerate(places):
            known = self.words_of(verb, i, context)
            words.append(known[place] if place < len(known) else verb.arguments[i][place])
        return " ".join(words)

    def parse(self, text: str, context: Any = None) -> int:
        """The action number of a text, legal or not. ValueError with the reason if it can't be parsed."""
        if not isinstance(text, str):
            raise ValueError(f"an action must be a string such as {self.example!r}, not {text!r}")
        name, *given = text.split() or [""]
        if name.upper() not in self._by_name:
            raise ValueError(f"unknown action {text!r}: it must start with one of {', '.join(self._by_name)}")
        verb = self[name.upper()]
        if len(given) != len(verb.arguments):
            raise ValueError(f"{text!r}: {verb.name} takes {len(verb.arguments)} argument(s), not {len(given)}")
        places = []
        for i, word in enumerate(given):
            known = [known.lower() for known in self.words_of(verb, i, context)]
            if word.lower() not in known:
                raise ValueError(f"{text!r}: {self.unknown_word(verb, i, word, known)}")
            places.append(known.index(word.lower()))
        return self.number(verb.name, places)

    @property
    def example(self) -> str:
        """The notation of an example action, with arguments if possible."""
        verb = max(self.verbs, key=lambda verb: bool(verb.arguments) and not verb.passes)
        return self.text(self.first(verb.name) + verb.count // 3)

    def describe(self, text: str, position: Any = None) -> str:
        """What an action does, briefly; *position* is the position as seen by the player to move."""
        name, *given = text.split()
        return self[name.upper()].meaning.format(*given)

    def to_markdown(self) -> str:
        """A Markdown table, with a cost column if any action has a cost."""
        costs = any(verb.cost for verb in self.verbs)
        lines = ["| numbers | action | meaning |" + " cost |" * costs, "|---|---|---|" + "---|" * costs]
        for verb in self.verbs:
            start, end = self.first(verb.name), self.first(verb.name) + verb.count - 1
            words = " ".join([verb.name, *(_listed(words) for words in verb.arguments)])
            shown = verb.meaning.format(*("…" for _ in verb.arguments)) + f" | {verb.cost or '–'}" * costs
            lines.append(f"| {start if start == end else f'{start}–{end}'} | `{words}` | {shown} |")
        return "\n".join(lines) + "\n"
