"""User errors, reported in one line."""

from __future__ import annotations


class UserError(Exception):
    """A user error; its message is the line that the command prints."""


def need_training() -> None:
    """UserError where the libraries for training are not installed."""
    try:
        import sb3_contrib  # noqa: F401
        import tensorboard  # noqa: F401
        import torch  # noqa: F401
    except ModuleNotFoundError as error:
        raise UserError(f"training needs {error.name}: pip install 'tower-games-rl[train]'") from error


def need_rllib() -> None:
    """UserError where Ray is not installed."""
    try:
        import ray.rllib  # noqa: F401
    except ModuleNotFoundError as error:
        raise UserError(
            f"--engine rllib needs {error.name}, which is installed in its own environment: "
            "make rllib, then .venv-rllib/bin/towers train"
        ) from error
