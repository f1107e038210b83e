"""The README as the package index shows it: links and pictures with absolute addresses, or as plain text without them."""

from __future__ import annotations

import re

_PICTURE = re.compile(r"<picture>.*?</picture>\n*", re.DOTALL)
_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)]+)\)")


def description(readme: str, base: str = "") -> str:
    """*readme* with its relative links below *base*, the address of the files of this version; "" drops the links."""
    text = _PICTURE.sub("", readme)
    if base:
        return _LINK.sub(lambda link: f"{link[1]}[{link[2]}]({base.rstrip('/')}/{link[3]})", text)
    return _LINK.sub(lambda link: link[2], text)


def relative_links(text: str) -> list[str]:
    """Targets of links and pictures that lead nowhere on another site."""
    sources = re.findall(r"(?:src|srcset)=\"(?![a-z]+:)([^\"]+)\"", text)
    return [link[2] for link in _LINK.findall(text)] + sources
