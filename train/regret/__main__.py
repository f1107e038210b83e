"""``python -m train.regret GAME FILE``: make a regret set (docs/regret.md)."""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict
from pathlib import Path

from tower_core.registry import get_game
from tower_core.schema import read
from train.regret.make import Maker
from train.regret.sets import Entry, Settings, write_set


def main() -> None:
    """Make the positions of a set that are not in its log yet, then write the set if all are there."""
    parser = argparse.ArgumentParser(prog="python -m train.regret", description="Make a regret set.")
    parser.add_argument("game", help="name of the game")
    parser.add_argument("file", type=Path, help="file of the set; FILE.*.log beside it keep the finished positions")
    parser.add_argument("--players", type=int, help="number of players (default: that of the rules)")
    parser.add_argument("--rules", help="rules preset, optionally with fields (default: the game's default)")
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--worlds", type=int, default=16, help="resampled games per turn")
    parser.add_argument("--continuation", default="planner", help="compiled player that plays the games to the end")
    parser.add_argument("--source", nargs="+", default=["random", "greedy", "planner"], help="players of the games")
    parser.add_argument("--proposer", nargs="+", default=["greedy", "random"], help="players that propose one turn")
    parser.add_argument("--ranked", default="planner", help="player whose best turns are proposed; '' for none")
    parser.add_argument("--top", type=int, default=3, help="number of its turns")
    parser.add_argument("--part", default="0/1", help="K/N: this process makes every N-th position, from number K on")
    args = parser.parse_args()
    try:
        make(args)
    except ValueError as error:
        print(f"train.regret: {error}", file=sys.stderr)
        sys.exit(2)


def make(args: argparse.Namespace) -> None:
    game = get_game(args.game)
    rules = game.resolve_rules(args.rules)
    settings = Settings(
        args.game,
        game.players_of(args.players, rules),
        json.loads(json.dumps(rules.to_dict())),
        args.seed,
        args.worlds,
        args.continuation,
        tuple(args.source),
        tuple(args.proposer),
        args.ranked,
        args.top,
    )
    part, _, parts = args.part.partition("/")
    head = json.dumps(asdict(settings))
    own = args.file.with_name(f"{args.file.name}.{part}of{parts}.log")
    start_log(own, head)
    done = finished(args.file, head)
    maker, start = Maker(settings), time.process_time()
    wanted = [i for i in range(int(part), args.positions, int(parts)) if i not in done]
    with own.open("a", encoding="utf-8") as file:
        for count, i in enumerate(wanted, 1):
            entry = maker.entry(i)
            file.write(json.dumps(asdict(entry)) + "\n")
            file.flush()
            seconds = (time.process_time() - start) / count
            print(f"position {i}: {len(entry.turns)} turns, {seconds:.2f} CPU s per position", file=sys.stderr)
    done = finished(args.file, head)
    if all(i in done for i in range(args.positions)):
        write_set(args.file, settings, [done[i] for i in range(args.positions)])
        print(f"{args.file}: {args.positions} positions, {args.file.stat().st_size:,} bytes")


def start_log(log: Path, head: str) -> None:
    """Create the log of a process, or cut off an incomplete last line of an existing one."""
    log.parent.mkdir(parents=True, exist_ok=True)
    data = log.read_bytes() if log.exists() else b""
    log.write_bytes(data[: data.rfind(b"\n") + 1] or head.encode() + b"\n")


def finished(path: Path, head: str) -> dict[int, Entry]:
    """The positions by number in the logs of all processes. ValueError if a log has other settings."""
    done = {}
    for log in sorted(path.parent.glob(f"{path.name}.*.log")):
        found, *lines = log.read_text("utf-8").split("\n")
        if found != head:
            raise ValueError(f"{log} belongs to a set with other settings: delete it, or choose another file")
        done.update(
            {entry.number: entry for line in lines[:-1] for entry in [read(Entry, json.loads(line), "position")]}
        )
    return done


if __name__ == "__main__":
    main()
