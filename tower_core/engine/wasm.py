"""Convert a WebAssembly object file to a module with exports that a browser can instantiate, without a linker.

The object file of machine_code.py is self-contained, so its addresses need no relocation: its data start at address 0. It
imports ``env.__linear_memory``, ``env.__indirect_function_table``, ``env.__stack_pointer`` and some functions. A call to
another kernel by address is a call through the table.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

_CUSTOM, _IMPORT, _EXPORT, _ELEMENT = 0, 2, 7, 9
_SYMBOL_TABLE, _FUNCTION, _UNDEFINED, _EXPLICIT_NAME = 8, 0, 0x10, 0x40
_HEAD = b"\0asm\1\0\0\0"


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def number(self) -> int:
        """An unsigned LEB128."""
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def take(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size : self.at]

    def text(self) -> str:
        return self.take(self.number()).decode()


def _number(value: int) -> bytes:
    out = bytearray()
    while True:
        out.append(value & 127 | (128 if value > 127 else 0))
        value >>= 7
        if not value:
            return bytes(out)


def _sections(code: bytes) -> Iterator[tuple[int, bytes]]:
    if not code.startswith(_HEAD):
        raise ValueError("not a WebAssembly file")
    reader = _Reader(code)
    reader.at = len(_HEAD)
    while reader.at < len(code):
        kind = reader.number()
        yield kind, reader.take(reader.number())


def _functions(linking: _Reader) -> dict[str, int]:
    """Names and indices of the functions that an object file defines."""
    found = {}
    linking.number()  # version
    while linking.at < len(linking.data):
        kind, size = linking.number(), linking.number()
        end = linking.at + size
        for _ in range(linking.number() if kind == _SYMBOL_TABLE else 0):
            symbol, flags = linking.number(), linking.number()
            if symbol == 1:  # data
                linking.text()
                if not flags & _UNDEFINED:
                    linking.number(), linking.number(), linking.number()
                continue
            index = linking.number()
            if symbol != 3 and (not flags & _UNDEFINED or flags & _EXPLICIT_NAME):  # not a section
                name = linking.text()
                if symbol == _FUNCTION and not flags & _UNDEFINED:
                    found[name] = index
        linking.at = end
    return found


def module(code: bytes, names: Collection[str]) -> bytes:
    """The module of an object file, with the functions *names* as exports."""
    kept, functions = [], {}
    for kind, body in _sections(code):
        if kind != _CUSTOM:
            kept.append((kind, body))
            continue
        reader = _Reader(body)
        if reader.text() == "linking":
            functions = _functions(reader)
    exports = b"".join(
        _number(len(name)) + name.encode() + bytes([_FUNCTION]) + _number(functions[name]) for name in names
    )
    first_after = next(i for i, (kind, _) in enumerate(kept) if kind in (_ELEMENT, 10, 12))
    kept.insert(first_after, (_EXPORT, _number(len(names)) + exports))
    return _HEAD + b"".join(bytes([kind]) + _number(len(body)) + body for kind, body in kept)
