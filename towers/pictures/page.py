"""A recorded game as a self-contained HTML page to step through: pictures, moves and points."""

from __future__ import annotations

import base64
import json
import zlib
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tower_core.drawing import SEATS
from tower_core.files import replacing

if TYPE_CHECKING:
    from tower_core.records import Record

_TITLE, _CHART, _DATA = "$TITLE", "$CHART", "$DATA"


def write_page(record: Record, path: Path, *, view: str = "flat") -> int:
    """Write the game to *path* atomically; returns the number of positions."""
    from html import escape

    content = _content(record, view)
    packed = base64.b64encode(zlib.compress(json.dumps(content).encode(), 9)).decode()
    template = (files("towers.pictures") / "page.html").read_text("utf-8")
    # The chart is the browser app's module, here inlined into the page's script.
    chart = (files("towers.web") / "static" / "points.js").read_text("utf-8").replace("export function", "function")
    page = template.replace(_CHART, chart).replace(_DATA, packed).replace(_TITLE, escape(content["title"]))
    with replacing(path) as partial:
        partial.write_text(page, "utf-8")
    return len(content["steps"])


def _content(record: Record, view: str) -> dict[str, Any]:
    """The page's data. The pictures are similar, so that they compress well together."""
    from tower_core.records import replay

    names = list(record.names) or [f"player_{seat}" for seat in range(record.num_players)]
    steps = []
    for played, state in enumerate(replay(record)):
        move = record.moves[played - 1] if played else None
        steps.append(
            {
                "seat": move.seat if move else None,
                "action": move.action if move else "start",
                "chance": list(move.chance if move else record.setup),
                "scores": state.scores(),
            }
            | {
                theme + ("-narrow" if narrow else ""): state.to_svg(theme, view=view, narrow=narrow)
                for theme in ("light", "dark")
                for narrow in (False, True)
            }
        )
    return {
        "title": f"{record.game.title}: {', '.join(names)}",
        "names": names,
        "colours": SEATS[: record.num_players],
        "result": record.result,
        "steps": steps,
    }
