"""The reference of the command line, from the help of the commands."""

from __future__ import annotations

import re


def command_line() -> str:
    """Every command with its arguments and options."""
    from towers.cli import app

    text: str = app.generate_docs(output_format="markdown")
    text = text[text.index("\n## towers ") :]
    text = re.sub(r"(?m)^(towers [a-z ]*)-m \S+ ", r"\1", text)  # the program that generates this page
    text = re.sub(r"(?<=\S)\n +(?=\S)", " ", text)  # continuation lines of an option
    text = text.replace("**Parameters**", "**Options**")
    text = re.sub(r"(?<!`)``(?!`)", "`", text)
    text = re.sub(r" \*\[default: (\"\")?\]\*", "", text)
    return re.sub(r"\*\[default: (.+?)\]\*", r"(default: `\1`)", text).strip() + "\n"
