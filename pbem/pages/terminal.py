"""Make text from outside safe for terminals, logs and JSON.

Escape sequences, C1 controls, bidirectional overrides and invisible characters are written out
(``\\x1b``).
"""

import json
import unicodedata
from typing import Any

_LINE_ENDS = ("Zl", "Zp")


def shown(text: str) -> str:
    """Return text safe; newlines and tabs stay."""
    if text.isprintable() or text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(char if char in "\n\t" or _seen(char) else _written(char) for char in text)


def one_line(text: str) -> str:
    """Return text safe on one line, so that it cannot pose as ours."""
    if text.isprintable():
        return text
    return "".join(char if _seen(char) else _written(char) for char in text)


def document(value: Any) -> str:
    """Return readable JSON with invisible characters escaped."""
    plain = json.dumps(value, ensure_ascii=False, indent=1)
    if plain.replace("\n", "").isprintable():
        return plain
    return "".join(
        char if char == "\n" or _seen(char) else json.dumps(char)[1:-1] for char in plain
    )


def _seen(char: str) -> bool:
    category = unicodedata.category(char)
    return category[0] != "C" and category not in _LINE_ENDS


def _written(char: str) -> str:
    code = ord(char)
    return (
        f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"
    )
