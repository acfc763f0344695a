"""Make text from outside safe for a terminal, a log or a JSON document.

Letters, names, subjects, order files and other servers' words may hold escape sequences (titles,
colours, the clipboard), C1 controls, bidirectional overrides and other invisible characters. They
are written out (``\\x1b``), so that readers see them.
"""

from __future__ import annotations

import json
import unicodedata
from typing import Any

_LINE_ENDS = ("Zl", "Zp")


def shown(text: str) -> str:
    """Return a text of several lines: newlines and tabs stay, whatever else is no character to be
    seen is written out."""
    if text.isprintable() or text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(char if char in "\n\t" or _seen(char) else _written(char) for char in text)


def one_line(text: str) -> str:
    """Return the text on one line, made safe. A line break is written out too, so no text can pose
    as a line of ours."""
    return (
        text
        if text.isprintable()
        else "".join(char if _seen(char) else _written(char) for char in text)
    )


def document(value: Any) -> str:
    """Return a JSON document of the contract: readable, with every C0, C1 and invisible character
    escaped."""
    plain = json.dumps(value, ensure_ascii=False, indent=1)
    if plain.replace("\n", "").isprintable():
        return plain
    return "".join(
        char if char == "\n" or _seen(char) else json.dumps(char)[1:-1] for char in plain
    )


def _seen(char: str) -> bool:
    """Return whether a character only shows itself: no control, format, private or unassigned one,
    no line end."""
    category = unicodedata.category(char)
    return category[0] != "C" and category not in _LINE_ENDS


def _written(char: str) -> str:
    code = ord(char)
    return (
        f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"
    )
