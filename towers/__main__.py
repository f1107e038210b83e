"""The ``towers`` command."""

from __future__ import annotations

import sys

from towers.own_packages import require_own

try:
    for package in ("agents", "train"):
        require_own(package)
except ImportError as error:
    print(f"towers: {error}", file=sys.stderr)
    sys.exit(2)

from train.thread_policy import wait_briefly

wait_briefly()


def main() -> None:
    """Run the command line. User errors are one line on stderr and exit status 2."""
    try:
        from towers.cli import run
        from towers.terminal import set_up
    except ModuleNotFoundError as error:
        if error.name not in ("cyclopts", "rich"):
            raise
        print(f"towers: the command line needs {error.name}: pip install 'tower-games-rl[cli]'", file=sys.stderr)
        sys.exit(2)
    set_up()
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
