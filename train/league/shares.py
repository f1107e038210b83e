"""Opponents and their weights over a run: ``self:2,league:0..2,greedy:1``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tower_core.players.specs import split_specs, weighted

SELF, LEAGUE = "self", "league"
_CHANGING = re.compile(r"(?P<spec>.+):(?P<first>[0-9.]*[0-9])\.\.(?P<last>[0-9.]*[0-9])")


@dataclass(frozen=True)
class Share:
    """A player's weight at the start (*first*) and end (*last*) of the run; in between it is interpolated."""

    spec: str
    first: float
    last: float

    def at(self, done: float) -> float:
        """The weight when a share *done* (0 to 1) of the run is over."""
        return self.first + (self.last - self.first) * done


def read_shares(text: str) -> list[Share]:
    """Parse a text such as ``self:2,league:0..2,greedy:1``. ValueError says what is wrong with it."""
    plain: list[str] = []
    ends: list[tuple[float, float] | None] = []
    for part in split_specs(text):
        changing = _CHANGING.fullmatch(part)
        if changing is None:
            plain.append(part)
            ends.append(None)
            continue
        try:
            first, last = float(changing["first"]), float(changing["last"])
        except ValueError:
            raise ValueError(f"opponents: a changing weight is written NAME:0..2, not {part!r}") from None
        plain.append(f"{changing['spec']}:{max(first, last)}")
        ends.append((first, last))
    shares = []
    for (spec, weight), range_ in zip(weighted(",".join(plain)), ends, strict=True):
        shares.append(Share(str(spec), *(range_ or (weight, weight))))
    for name in (SELF, LEAGUE):
        if sum(share.spec == name for share in shares) > 1:
            raise ValueError(f"opponents: {name!r} is named twice")
    for when, done in (("start", 0.0), ("end", 1.0)):
        if sum(share.at(done) for share in shares) <= 0:
            raise ValueError(f"opponents: at least one needs a weight above 0 at the {when} of the run")
    return shares


def needs_league(shares: Sequence[Share]) -> bool:
    """Whether a weight changes, or a network of the run itself plays."""
    return any(share.spec in (SELF, LEAGUE) or share.first != share.last for share in shares)
