"""``towers``: one program for training, evaluation, speed and information."""

from __future__ import annotations

import os
import sys

# Threads of the network that wait by spinning take the core from whoever has work: on a busy machine they make training
# several times slower. Must be said before the library that starts them is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")


def main() -> None:
    """Run the command line. A user's mistake is one line on stderr and exit status 2."""
    try:
        from towers.cli import run
    except ModuleNotFoundError as error:
        if error.name not in ("cyclopts", "rich"):
            raise
        print("towers: the command line needs two libraries: pip install 'towers[cli]'", file=sys.stderr)
        sys.exit(2)
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
