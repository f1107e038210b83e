"""A package with players, as an installer leaves it in a folder: modules and the list of their entry points."""

from __future__ import annotations

from pathlib import Path

# What a player of an arena may do wrong, all of it at its third action.
MISCHIEF = """
import os
import socket
import stat
import subprocess
import time


class Mischief:
    name, native = "mischief", None

    def __init__(self, game, seed=0, how="play"):
        self.how, self.asked = how, 0

    def act(self, state):
        self.asked += 1
        if self.asked == 3:
            if self.how == "hang":
                while True:
                    time.sleep(1)
            if self.how == "die":
                os._exit(7)
            if self.how == "fail":
                raise RuntimeError("no idea")
            if self.how == "cheat":
                return 661
            if self.how == "write":
                open("written", "w")
            if self.how == "allocate":
                bytearray(10**10)
            if self.how == "connect":
                socket.create_connection(("127.0.0.1", 9))
            if self.how == "fork":
                os.fork()
            if self.how == "run":
                subprocess.run(["true"])
            if self.how == "kill":
                os.kill(os.getppid(), 9)
            if self.how == "forge":  # a message to the arena
                for number in range(3, 64):
                    try:
                        if stat.S_ISSOCK(os.fstat(number).st_mode):
                            os.write(number, b"\\0\\0\\0\\5hello")
                    except OSError:
                        pass
        return state.legal_actions()[0]
"""


def install(folder: Path, module: str, source: str, entry_points: dict[str, str]) -> None:
    """Put a module and the description of its distribution into *folder*, which must be on the path."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{module}.py").write_text(source)
    described = folder / f"{module}-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    lines = [f"{name} = {target}" for name, target in entry_points.items()]
    (described / "entry_points.txt").write_text("\n".join(["[towers.players]", *lines]) + "\n")
