"""The command line: its commands, and their errors in one line."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from importlib import import_module
from typing import Any

from cyclopts import App, CycloptsError
from cyclopts.config import Dict

from towers import __version__
from towers.errors import UserError


def settings_from_file(app: Any, commands: tuple[str, ...], arguments: Any) -> None:
    """Settings from ``--config FILE``, which options on the command line override: a hook of cyclopts, called before
    arguments are converted. ValueError or OSError for a bad file.
    """
    option = next((argument for argument in arguments if "--config" in argument.names and argument.tokens), None)
    if option is None:
        return
    from train.config import read_config

    path = option.tokens[-1].value
    settings = asdict(read_config(path))
    values = {name.replace("_", "-"): value for name, value in settings.items() if value is not None}
    Dict(values, use_commands_as_keys=False, source=path)(app, commands, arguments)


app = App(
    name="towers",
    help="Board games for reinforcement learning: train agents, evaluate them, play against them, measure speed.",
    version=__version__,
    config=settings_from_file,
    suppress_keyboard_interrupt=False,  # `run` handles it
)

COMMANDS = (
    "info", "train", "evaluate", "export", "compare", "arena", "bench", "replay", "serve", "play", "watch", "dataset",
    "leaderboard",
)  # fmt: skip
for _name in COMMANDS:
    app.command(getattr(import_module(f"towers.commands.{_name}"), _name))


def run(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit status."""
    try:
        result = app(list(arguments), exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as error:
        return _complain(str(error))
    except (UserError, ValueError, OSError, ImportError) as error:
        if os.environ.get("TOWERS_TRACEBACK"):
            raise
        return _complain(_one_line(error))
    except RuntimeError as error:
        from tower_core.engine.compiling import CompilingDisabledError

        if not isinstance(error, CompilingDisabledError) or os.environ.get("TOWERS_TRACEBACK"):
            raise
        return _complain(str(error))
    except MemoryError:
        return _complain("out of memory: use fewer parallel games")
    except KeyboardInterrupt:
        return _complain("stopped")
    return result if isinstance(result, int) else 0


def _one_line(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        name = error.filename2 or error.filename  # of a renamed file the new name, which the user knows
        return f"{name}: {error.strerror}" if name else error.strerror
    return str(error)


def _complain(message: str) -> int:
    print("towers: " + " ".join(message.split()), file=sys.stderr)
    return 2
