"""Which sentences of the rules a comparison has come upon, and how often: the tally that both games share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any


class Seen:
    """Counts by label. *rules* gives every label the section of the rules document in which its sentence stands."""

    def __init__(self, rules: Mapping[str, str]) -> None:
        self.rules = dict(rules)
        self.counts: Counter[str] = Counter()

    def see(self, label: str, when: object = True) -> None:
        """Count a label if something holds. KeyError for a label that no rule has."""
        if when:
            self.counts[label] += 1 if label in self.rules else self._unknown(label)

    def _unknown(self, label: str) -> int:
        raise KeyError(f"{label!r} is no label of a rule")

    def missing(self) -> list[str]:
        """Labels that were never seen."""
        return [label for label in self.rules if not self.counts[label]]

    def lines(self) -> list[str]:
        """One line a label: section, count, label."""
        return [f"{section:>4} {self.counts[label]:>9,}  {label}" for label, section in self.rules.items()]

    def markdown(self) -> str:
        """The same as a table."""
        rows = [f"| {section} | {label} | {self.counts[label]:,} |" for label, section in self.rules.items()]
        return "\n".join(["| section | sentence | times |", "|---|---|---|", *rows]) + "\n"


def watch(
    thing: Any,
    name: str,
    before: Callable[..., object] | None = None,
    after: Callable[..., object] | None = None,
) -> None:
    """Have a method of one object looked at: *before* and *after* get its arguments. What it does stays the same.

    So the rules can be counted where they act, and the references need not know of it.
    """
    method = getattr(thing, name)

    def watched(*arguments: Any) -> Any:
        if before is not None:
            before(*arguments)
        result = method(*arguments)
        if after is not None:
            after(*arguments)
        return result

    setattr(thing, name, watched)
