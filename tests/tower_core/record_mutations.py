"""Changes of records as damage, slips and malice make them, drawn from a random source."""

from __future__ import annotations

import json
import random
import re

HUGE = ("9" * 30, "-1", "1e999", "0" * 5000, "18446744073709551616", "99999999", "NaN", "\u0662", "0x10", "1_000")
STRANGE = (
    "", " ", "\x00", "\x1b[2J", "\u202e", "\ud7ff", "{", "}", ";", ",", "# ", "end", "null", "[[[[", "player_9", "setup: ",
    "..", "true", "é", "\r", "\ufeff", "rule components: \"/dev/zero\"", "start: {}",
)  # fmt: skip
_WORDS = re.compile(r"[\w.-]+")


def mutate(text: str, chance: random.Random) -> bytes:
    """The text with one to three changes."""
    data = text.encode()
    for _ in range(chance.randint(1, 3)):
        data = chance.choice(CHANGES)(data, chance)
    return data


def _bytes(data: bytes, chance: random.Random) -> bytes:
    """Some bytes become others."""
    changed = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        if changed:
            changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def _cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _hole(data: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(len(data) + 1)
    return data[:place] + data[place + chance.randint(1, 40) :]


def _insert(data: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(len(data) + 1)
    return data[:place] + chance.choice((*STRANGE, *HUGE)).encode() + data[place:]


def _lines(data: bytes, chance: random.Random) -> bytes:
    """A line vanishes, comes twice, or changes places with another."""
    lines = data.splitlines(keepends=True)
    if len(lines) < 2:
        return data
    a, b = chance.sample(range(len(lines)), 2)
    kind = chance.randrange(3)
    if kind == 0:
        del lines[a]
    elif kind == 1:
        lines.insert(b, lines[a])
    else:
        lines[a], lines[b] = lines[b], lines[a]
    return b"".join(lines)


def _word(data: bytes, chance: random.Random) -> bytes:
    """A word becomes another word of the same text: what is said is well-formed, and wrong."""
    text = data.decode(errors="replace")
    words = list(_WORDS.finditer(text))
    if not words:
        return data
    old, new = chance.choice(words), chance.choice(words)
    return (text[: old.start()] + new[0] + text[old.end() :]).encode()


def _number(data: bytes, chance: random.Random) -> bytes:
    """A number becomes a neighbour, or something that is too large or no number."""
    text = data.decode(errors="replace")
    numbers = list(re.finditer(r"\d+", text))
    if not numbers:
        return data
    old = chance.choice(numbers)
    near = str(abs(int(old[0][:15]) + chance.choice((-1, 1))))
    return (text[: old.start()] + chance.choice((near, near, chance.choice(HUGE))) + text[old.end() :]).encode()


def _json(data: bytes, chance: random.Random) -> bytes:
    """A value within a JSON line becomes another."""
    lines = data.decode(errors="replace").split("\n")
    places = [i for i, line in enumerate(lines) if line.startswith(("rule ", "start: "))]
    if not places:
        return data
    i = chance.choice(places)
    name, _, value = lines[i].partition(": ")
    try:
        content = json.loads(value)
    except (ValueError, RecursionError):
        return data
    lines[i] = f"{name}: {json.dumps(_changed(content, chance))}"
    return "\n".join(lines).encode(errors="replace")


def _changed(value, chance: random.Random):
    if isinstance(value, dict) and value and chance.random() < 0.9:
        name = chance.choice(list(value))
        if chance.random() < 0.1:
            return {key: entry for key, entry in value.items() if key != name}
        return {**value, name: _changed(value[name], chance)}
    if isinstance(value, list) and value and chance.random() < 0.9:
        i = chance.randrange(len(value))
        return [*value[:i], _changed(value[i], chance), *value[i + 1 :]]
    return chance.choice(
        (None, True, False, 0, 1, 2, -1, 7, 2.0, 1e300, 2**70, "", "a", "?", [], {}, [[]], {"a": 1}, [None])
    )


CHANGES = (_bytes, _cut, _hole, _insert, _lines, _word, _word, _number, _number, _json)
