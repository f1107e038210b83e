"""User errors, reported in one line."""

from __future__ import annotations

from importlib.util import find_spec


class UserError(Exception):
    """A user error; its message is the line that the command prints."""


def need(what: str, extra: str, *modules: str) -> None:
    """UserError where a library is not installed that *what* needs; *extra*: the extra of the distribution with it."""
    for module in modules:
        if find_spec(module) is None:
            raise UserError(f"{what} needs {module}: pip install 'tower-games-rl[{extra}]'")


def need_training() -> None:
    """UserError where the libraries for training are not installed."""
    need("training", "train", "sb3_contrib", "tensorboard", "torch")
