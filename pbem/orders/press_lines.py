"""The first line of a press: ``PRESS TO S, R``, ``PRESS TO ALL ANONYMOUSLY``, ``PRESS TO ALL AS The
Old Fox``."""

from __future__ import annotations

import re
from dataclasses import dataclass

_PRESS = re.compile(r"PRESS ++TO:?+ ++([\w,&'./ -]++)(:?+)(.*+)", re.IGNORECASE)
_AS = re.compile(r" AS ", re.IGNORECASE)
_WORD = "REPORT"
_REPORT = re.compile(rf"{_WORD}(?![\w'-])[.:!,]*+(?P<said>.*+)", re.IGNORECASE)
_KEYS = 41
_KEY_LENGTH = 20
_PEN_LENGTH = 80
_UNNAMED = ("ANONYMOUS", "ANONYMOUSLY")


@dataclass(frozen=True, slots=True)
class Opening:
    """What the line says."""

    to: tuple[str, ...]
    anonymous: bool = False
    pen_name: str = ""


def opening(bare: str) -> Opening | None:
    """Return what ``PRESS TO ...`` says, or None. A name of several words comes word by word."""
    line, pen_name = _without_pen_name(bare)
    if not (found := _PRESS.fullmatch(line)) or (found[3] and not found[2]):
        return None
    keys = found[1].upper().replace(",", " ").replace("&", " ").split()
    anonymous = len(keys) > 1 and keys[-1] in _UNNAMED
    keys = keys[:-1] if anonymous else keys
    named = [key for at, key in enumerate(keys) if key != "AND" or at in (0, len(keys) - 1)]
    if not 0 < len(named) <= _KEYS or max(map(len, named)) > _KEY_LENGTH:
        return None
    return Opening(tuple(dict.fromkeys(named)), anonymous and not pen_name, pen_name)


def reported(words: str) -> str | None:
    text = words.lstrip()
    first, _, below = text.partition("\n")
    if not (found := _REPORT.fullmatch(first.strip())):
        return None
    said = found["said"].strip()
    if not said or text.startswith(_WORD):
        return f"{said}\n{below}".strip()
    return None  # "Report from the north"


def inline(line: str, bare: str) -> str:
    """Return the words after its colon."""
    if opening(bare) is None:
        return ""
    head, _, words = line.partition(":")
    return (words.partition(":")[2] if head.upper().endswith("TO") else words).strip()


def _without_pen_name(bare: str) -> tuple[str, str]:
    begins = _AS.search(bare, len("PRESS TO "))
    if begins is None or ":" in bare[len("PRESS TO:") : begins.start()]:
        return bare, ""
    name, colon, words = bare[begins.end() :].partition(":")
    said = [word for word in name.replace('"', " ").split() if word.upper() not in _UNNAMED]
    pen_name = " ".join(said)[:_PEN_LENGTH]
    return (bare[: begins.start()] + colon + words, pen_name) if pen_name else (bare, "")
