"""What do the documents tell of the rules of a game: fields with values, default and meaning?"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Mapping
from dataclasses import fields
from itertools import pairwise
from typing import Any, get_args, get_type_hints

from docs.generate.markdown import code, table


def options(rules: type, values: Mapping[str, str], defaults: Mapping[str, str]) -> str:
    """The fields of a class of rules. *values* and *defaults* are in words, where the code can't tell them."""
    hints, comments = get_type_hints(rules), _comments(rules)
    rows = []
    for field in fields(rules):
        name = field.name
        allowed = values.get(name) or _allowed(rules, name, hints[name])
        rows.append([f"`{name}`", allowed, defaults.get(name) or code(field.default), comments[name]])
    return table(["field", "values", "default", "meaning"], rows)


def _comments(rules: type) -> dict[str, str]:
    """The text under each field of a class of rules."""
    body = ast.parse(inspect.getsource(rules)).body[0].body  # type: ignore[attr-defined]
    comments = {}
    for field, text in pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
            comments[ast.unparse(field.target)] = str(text.value.value).replace("``", "`")
    return comments


def _allowed(rules: Any, name: str, hint: Any) -> str:
    """What a field may hold, as its own check tells it."""
    if hint is bool:
        return "`True`, `False`"
    choices = get_args(hint)
    if choices and all(isinstance(choice, str) for choice in choices):
        return ", ".join(code(choice) for choice in choices)
    try:
        rules(**{name: -1})
    except ValueError as error:
        low, high = re.search(r"from (\d+) to (\d+)", str(error)).groups()  # type: ignore[union-attr]
        return ("`None`, " if type(None) in choices else "") + f"{low}–{high}"
    raise AssertionError(f"{name}: no check of its range")
