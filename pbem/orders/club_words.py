"""Words that anyone may write: how to find, join, watch and leave games."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pbem.acts.needs import Needs, Word

_KEY = re.compile(r"[A-Za-z0-9][\w.-]{0,39}")
_ADDRESS = re.compile(r"[^\s<>@,;:\"']{1,64}@[^\s<>@,;:\"']{1,190}")
_AROUND = "<>[]\"'"
_SAID = frozenset(("OUT", "IT", "THIS", "THAT", "ME", "US", "HIM", "HER", "THEM", "YOU", "OVER"))
"""Speech: "Watch this!"."""
_LONGEST_NAME, _LONGEST_LIST = 200, 200  # characters
_NAME_ENDS = re.compile(
    r"[,;:!?()]|(?<=\w\w\w)\.(?= )|\.? (?:thanks|thank you|thx|please|pls|cheers|best|regards"
    r"|danke|bitte|merci|gracias)\b",
    re.IGNORECASE,
)
SIGNON, SIGNOFF, PREFER, SEAT = "SIGNON", "SIGNOFF", "PREFER", "SEAT"
GAMES, WATCH, UNWATCH, INVITE = "GAMES", "WATCH", "UNWATCH", "INVITE"
PRACTICE = "PRACTICE"
ZINE, LISTED = "ZINE", "LISTED"
ON, OFF = "ON", "OFF"
STOP = "STOP"


@dataclass(frozen=True, slots=True)
class Signing:
    """A SIGNON, each text as written, or ""."""

    game: str
    """In small letters."""
    name: str = ""
    """Behind AS."""
    prefer: str = ""
    """The line PREFER below."""
    seat: str = ""
    """The line SEAT below."""


_MAILTO = re.compile(r"<(?:mailto:)?([^<>\s]+)>|\bmailto:", re.IGNORECASE)


def addresses(written: str) -> str:
    """Return words with each address once, as mail programs write them: `a@b <mailto:a@b>`."""
    words = _MAILTO.sub(r" \1 ", written).split()
    return " ".join(w for at, w in enumerate(words) if "@" not in w or w not in words[:at])


def called(written: str) -> str:
    """Return a name without what follows it: it ends at punctuation or a polite word."""
    return _NAME_ENDS.split(written, maxsplit=1)[0].strip(" .")


def _game(rest: str) -> str | None:
    words = rest.split()
    if len(words) > 1 and words[0].upper() in ("GAME", "THE"):
        words = words[1:]
    word = words[0].strip(_AROUND) if len(words) == 1 else ""
    return word if _KEY.fullmatch(word) and word.upper() not in _SAID else None


def _game_or_all(rest: str) -> str | None:
    return _game(rest) if rest.strip() else ""


def _switch(rest: str) -> str | None:
    word = rest.strip(" .!").upper()
    return word if word in ("", ON, OFF) else None


def _signon(rest: str) -> str | None:
    words = rest.split()
    at = next((at for at, word in enumerate(words) if word.upper() == "AS"), len(words))
    game, name = _game(" ".join(words[:at])), called(" ".join(words[at + 1 :]))
    if game is None or len(name) > _LONGEST_NAME or (at < len(words) and not name):
        return None
    return f"{game} AS {name}" if name else game


def _invite(rest: str) -> str | None:
    words = addresses(rest).split()
    address = words[0].strip(_AROUND) if words else ""
    if not _ADDRESS.fullmatch(address):
        return None
    if len(words) == 1:
        return address
    game = _game(" ".join(words[2:])) if words[1].upper() == "TO" else None
    return f"{address} TO {game}" if game else None


HEARD: Final[Mapping[str, Word]] = {
    GAMES: Word(_game_or_all, Needs.NOTHING),
    SIGNON: Word(_signon, Needs.NOTHING),
    SIGNOFF: Word(_game_or_all, Needs.NOTHING),
    WATCH: Word(_game, Needs.NOTHING),
    UNWATCH: Word(_game_or_all, Needs.PROVEN),
    INVITE: Word(_invite, Needs.PROVEN),
    PRACTICE: Word(_game_or_all, Needs.NOTHING),
    ZINE: Word(_switch, Needs.NOTHING),
    LISTED: Word(_switch, Needs.NOTHING),
}
ANYBODY = frozenset(HEARD)
NEEDS: Final[Mapping[str, Needs]] = {
    **{name: word.needs for name, word in HEARD.items()},
    PREFER: Needs.NOTHING,
    SEAT: Needs.NOTHING,
    STOP: Needs.PROVEN,
}
WISHES = frozenset((PREFER, SEAT))
"""Below a SIGNON."""
USES: Final[Mapping[str, str]] = {
    SIGNON: "SIGNON has the key of a game behind it, and how you want to be called: SIGNON autumn"
    " AS Sophie",
    SIGNOFF: "SIGNOFF has the key of a game behind it: SIGNOFF autumn",
    WATCH: "WATCH has the key of a game behind it: WATCH autumn",
    UNWATCH: "UNWATCH has the key of a game behind it: UNWATCH autumn",
    PRACTICE: "PRACTICE has the name of a rule-set behind it: PRACTICE coalition",
    ZINE: "ZINE has ON or OFF behind it: ZINE ON",
    LISTED: "LISTED has ON or OFF behind it: LISTED ON",
    INVITE: "INVITE has an address behind it: INVITE ann@mail.example TO autumn",
}


def wish(piece: str) -> tuple[str, str] | None:
    """Return word and rest of a PREFER or SEAT line, or None."""
    word, *rest = piece.replace(":", " ", 1).split() or [""]
    said = " ".join(rest).rstrip(" .!")
    known = word.upper() in WISHES and 0 < len(said) <= _LONGEST_LIST
    return (word.upper(), said) if known else None


def signing(argument: str, prefer: str | None = None, seat: str | None = None) -> Signing:
    game, _, name = argument.partition(" AS ")
    return Signing(game.lower(), name, prefer or "", seat or "")
