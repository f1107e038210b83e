"""``python -m train GAME …`` runs ``towers train GAME …``.

Imports point down, so the command, which lies in ``towers``, is found by its entry point.
"""

from __future__ import annotations

import sys
from importlib.metadata import entry_points


def main() -> None:
    """Run ``towers train`` with the arguments of this process."""
    command = next(iter(entry_points(group="console_scripts", name="towers")), None)
    if command is None:
        print("train: the command towers is not installed: pip install 'tower-games-rl[train]'", file=sys.stderr)
        sys.exit(2)
    sys.argv[:1] = ["towers", "train"]
    command.load()()


if __name__ == "__main__":
    main()
