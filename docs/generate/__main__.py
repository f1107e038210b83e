"""The command that writes the generated parts of the documents.

python -m docs.generate           write the tables
python -m docs.generate --check   write nothing; list stale documents and exit with status 1
python -m docs.generate --all     also write the pictures and the measurements (some minutes)
"""

from __future__ import annotations

import argparse
import sys

from docs.generate.documents import GAMES, stale, write
from docs.generate.pictures import write_pictures


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m docs.generate", description="Write the generated parts of docs/.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with status 1 if a document is stale")
    parser.add_argument("--all", action="store_true", help="also write the pictures and the measurements")
    options = parser.parse_args()
    if options.check:
        old = stale()
        for path in old:
            print(f"{path.name} is stale: run python -m docs.generate", file=sys.stderr)
        return 1 if old else 0
    for path in write(measured=options.all):
        print(f"{path.name} written")
    if options.all:
        for module in GAMES.values():
            write_pictures(module.picture())
        print("images written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
