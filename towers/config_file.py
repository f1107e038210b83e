"""``--config FILE``: settings from a file, which options on the command line override."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from cyclopts.config import Dict


def settings_from_file(app: Any, commands: tuple[str, ...], arguments: Any) -> None:
    """A configuration hook of cyclopts, called before arguments are converted. ValueError or OSError for a bad file."""
    option = next((argument for argument in arguments if "--config" in argument.names and argument.tokens), None)
    if option is None:
        return
    from train.config import read_config

    path = option.tokens[-1].value
    settings = asdict(read_config(path))
    values = {name.replace("_", "-"): value for name, value in settings.items() if value is not None}
    Dict(values, use_commands_as_keys=False, source=path)(app, commands, arguments)
