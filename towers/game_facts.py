"""Reference of a game, generated from its ``Game``: rules, actions and observation as text, Markdown and HTML.

Used by ``towers info GAME``, the documents' tables, and the rules page of games without one of their own.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from html import escape
from itertools import pairwise
from typing import Any, get_args, get_type_hints

from tower_core import registry
from tower_core.game import Game
from tower_core.players.specs import player_names

Row = list[str]


@dataclass
class Section:
    """A title and a table whose cells may contain ``code`` in backquotes."""

    title: str
    head: Row
    rows: list[Row]


def sections(game: Game) -> list[Section]:
    """The reference of a game."""
    found = [
        Section(game.title, ["", ""], list(map(list, facts(game).items()))),
        Section("Rules", ["option", "values", "default", "meaning"], option_rows(game.rules)),
        Section("Presets", ["preset", "options"], preset_rows(game)),
        Section("Actions", *_table(game.actions.to_markdown())),
    ]
    for part in game.observation:
        rows = [
            [place, f"`{name}`", values, meaning]
            for place, name, meaning, values in _table(part.layout.to_markdown())[1]
        ]
        title = f"Observation `{part.name}`: uint8 {list(part.shape)}"
        found.append(Section(title, ["index", "name", "values", "meaning"], rows))
    return found


def facts(game: Game) -> dict[str, str]:
    """The properties of a game by name, each as a short text."""
    rewards = [f"{name} ({'as it happens' if name in game.dense_rewards else 'at the end'})" for name in game.rewards]
    shapes = [f"{part} {'×'.join(map(str, shape))}" for part, shape in game.observation_shapes]
    networks = [*registry.names("towers.networks"), *registry.names(f"towers.networks.{game.name}")]
    texts = {
        "name": game.name,
        "seats": f"{game.seats[0]}–{game.seats[-1]}" if len(game.seats) > 1 else str(game.seats[0]),
        "presets": ", ".join(f"{name} (default)" if name == game.default_rules else name for name in game.presets),
        "rewards": ", ".join(rewards),
        "actions": str(game.num_actions),
        "observation": f"{', '.join(shapes)}; {game.observation_size} bytes",
        "hidden information": "yes" if game.hidden else "no",
        "turn limit": "yes" if game.has_truncation else "no",
        "players": ", ".join(player_names(game)),
        "networks": ", ".join(sorted(set(networks))),
        "Gymnasium": game.gym_id,
    }
    return {name: text for name, text in texts.items() if text}


# ---------------------------------------------------------------------------------------------- rows
def option_rows(rules: type, values: Mapping[str, str] = {}, defaults: Mapping[str, str] = {}) -> list[Row]:
    """The options of a game. *values* and *defaults*: texts that replace the generated ones."""
    hints, comments = _hints(rules), _comments(rules)
    rows = []
    for option in fields(rules):
        name = option.name
        default = option.default if option.default_factory is MISSING else option.default_factory()
        allowed = values.get(name) or _allowed(rules, name, hints.get(name, option.type))
        rows.append([f"`{name}`", allowed, defaults.get(name) or code(default), comments.get(name, "")])
    return rows


def preset_rows(game: Game) -> list[Row]:
    """The presets with the options that differ from the defaults."""
    plain, rows = game.rules(), []
    for name, rules in game.rules.presets().items():
        changed = [
            f"{option.name}={getattr(rules, option.name)!r}"
            for option in fields(rules)
            if getattr(rules, option.name) != getattr(plain, option.name)
        ]
        rows.append([f"`{name}`", ", ".join(f"`{words}`" for words in changed) or "the defaults"])
    return rows


def _table(markdown: str) -> tuple[Row, list[Row]]:
    """The head and the rows of a Markdown table."""
    head, _, *rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in markdown.splitlines()]
    return head, [row for row in rows if row]


def code(value: Any) -> str:
    """A value as code; for a dataclass only its type."""
    return f"`{type(value).__name__}(…)`" if is_dataclass(value) else f"`{value!r}`".replace("'", '"')


def _hints(rules: type) -> dict[str, Any]:
    try:
        return get_type_hints(rules)
    except Exception:  # names that exist for type checkers only
        return {}


def _comments(rules: type) -> dict[str, str]:
    """The docstring of each field of a rules class, inherited ones included; {} without source code."""
    comments: dict[str, str] = {}
    for kind in reversed(rules.__mro__[:-1]):
        try:
            [tree] = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
        except (OSError, TypeError, SyntaxError, ValueError):
            continue
        for option, text in pairwise(getattr(tree, "body", [])):
            if (
                isinstance(option, ast.AnnAssign)
                and isinstance(text, ast.Expr)
                and isinstance(text.value, ast.Constant)
            ):
                comments[ast.unparse(option.target)] = " ".join(str(text.value.value).replace("``", "`").split())
    return comments


def _allowed(rules: Any, name: str, hint: Any) -> str:
    """Values of a field: its choices, the range named by its check's error, or else its type."""
    if hint is bool:
        return "`True`, `False`"
    choices = get_args(hint)
    if choices and all(isinstance(choice, str) for choice in choices):
        return ", ".join(code(choice) for choice in choices)
    if hint is int or int in choices:
        try:
            rules(**{name: -1})
        except Exception as error:
            if limits := re.search(r"from (\d+) to (\d+)", str(error)):
                return ("`None`, " if type(None) in choices else "") + f"{limits[1]}–{limits[2]}"
    return hint.__name__ if isinstance(hint, type) and not choices else str(hint).replace("typing.", "")


# ---------------------------------------------------------------------------------------------- pages
def markdown_table(head: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """A Markdown table."""
    titles = list(head)
    lines = ["| " + " | ".join(titles) + " |", "|" + "---|" * len(titles)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def to_markdown(game: Game) -> str:
    """The sections as a page in Markdown."""
    parts = [
        f"{'#' if i == 0 else '##'} {section.title}\n\n{markdown_table(section.head, section.rows)}"
        for i, section in enumerate(sections(game))
    ]
    return "\n".join(parts)


def to_text(game: Game) -> str:
    """The sections as text for a terminal."""
    from towers.terminal import table_text

    def plain(words: str) -> str:
        return words.replace("`", "")

    return "\n\n".join(
        f"{plain(section.title)}\n\n" + table_text(section.head, [list(map(plain, row)) for row in section.rows])
        for section in sections(game)
    )


def to_html(game: Game) -> str:
    """The sections as a fragment of HTML."""

    def shown(words: str) -> str:
        return re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(words, quote=False))

    def row(cells: Row, tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{shown(cell)}</{tag}>" for cell in cells) + "</tr>"

    return "".join(
        f"<h3>{shown(section.title)}</h3><table>{row(section.head, 'th') if any(section.head) else ''}"
        f"{''.join(row(cells, 'td') for cells in section.rows)}</table>"
        for section in sections(game)
    )


def rules_page(game: Game) -> str:
    """Short rules as a fragment of HTML: ``rules.html`` of the game's package, or else its sections."""
    from importlib.util import find_spec
    from pathlib import Path

    spec = find_spec(game.package)
    for folder in (spec and spec.submodule_search_locations) or ():
        page = Path(folder) / "rules.html"
        if page.is_file():
            return page.read_text("utf-8")
    return to_html(game)
