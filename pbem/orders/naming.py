"""Check a player's name. Names that look alike are equal (Unicode Technical Standard 39)."""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

from pbem.orders.mailwords import WORDS, peel
from pbem.orders.spelling import is_number

LONGEST = 30
"""In characters."""
_OF_US = frozenset(("referee", "gamesmaster", "gamemaster"))
_WORDS_OF_US = frozenset(
    ("gm", "moderator", "admin", "administrator", "postmaster", "organiser", "newcomer")
)
_RESERVED = ("nobody", "anonymous", "all", "everybody", "everyone", "you", "house")
_SIGNS = frozenset(" -'’.")
_UNSEEN = frozenset("\u115f\u1160")
"""Not drawn."""
_MOST_MARKS = 2
_EAST_ASIAN = frozenset(("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"))
"""Written together."""
_LINKS = re.compile(r"www\.|\w\.\w{2}|https?\b|@", re.IGNORECASE)


class NotAName(ValueError):
    """The reason: a sentence without full stop."""


def checked(written: str, taken: Iterable[str] = ()) -> str:
    """Return a name as printed. Raise :class:`NotAName` if invalid or like one of ``taken``."""
    name = " ".join(unicodedata.normalize("NFKC", written).strip(' \t"“”„«»').split())
    if why := _why_none(name):
        raise NotAName(why)
    for other in taken:
        if name == other:
            raise NotAName(f"{name} is taken already")
        if skeleton(name) == skeleton(other):
            raise NotAName(f"{name} looks like {other}, which is taken already")
    if len(_scripts(name)) > 1:
        raise NotAName("a name is written in the letters of one script")
    marks = ("M" if unicodedata.category(char)[0] == "M" else " " for char in name)
    if max(map(len, "".join(marks).split()), default=0) > _MOST_MARKS:
        raise NotAName(f"a letter of a name has {_MOST_MARKS} marks at most")
    return name


def _why_none(name: str) -> str:
    if not any(map(str.isalpha, name)):
        return "a name has letters"
    if len(name) > LONGEST:
        return f"a name has {LONGEST} characters at most, with its blanks"
    if _LINKS.search(name):
        return "a name cannot be the address of a page or a mailbox"
    odd = (char for char in name if not (char in _SIGNS or is_number(char)))
    if any(unicodedata.category(char)[0] not in "LM" or char in _UNSEEN for char in odd):
        return "a name has letters, figures, blanks and the signs - ' . only"
    return taken_for_us(name)


def taken_for_us(name: str) -> str:
    """Return why a name looks like the referee's, or ""."""
    if peel(name).text != name or skeleton(name) in _words_for_us():
        return f"{name} is a word for the referee"
    if skeleton(name.partition(" ")[0]) in _words_for_us():
        return f"{name} begins as a line for the referee does"
    whole, words = skeleton(name), set(map(skeleton, name.split()))
    ours = any(skeleton(us) in whole for us in _OF_US)
    ours = ours or not {whole, *words}.isdisjoint(map(skeleton, _WORDS_OF_US))
    everybody = whole == skeleton("players") and " " not in name
    if ours or everybody or whole in map(skeleton, _RESERVED):
        return f"{name} could be taken for the referee or for everybody"
    return ""


@cache
def _words_for_us() -> frozenset[str]:
    return frozenset(map(skeleton, WORDS))


def _scripts(name: str) -> set[str]:
    found = {unicodedata.name(char, "").split(" ")[0] for char in name if char.isalpha()}
    found -= {"MODIFIER"}  # signs such as the okina, which many have
    return {"CJK" if script in _EAST_ASIAN else script for script in found}


def skeleton(name: str) -> str:
    """Return what a name looks like: l, i and 1 are one, rn is m."""
    pairs = _pairs()
    plain = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", name))
    alike = "".join(pairs.get(char, char) for char in plain)
    bare = unicodedata.normalize("NFKD", alike.casefold())
    letters = "".join(char for char in bare if char.isalnum())
    return letters.replace("l", "i").replace("rn", "m").replace("vv", "w")


def lookalike(text: str) -> str:
    """Return the script of Cyrillic or Greek letters in a text, or ""."""
    odd = next((char for char in text if "\u0370" <= char < "\u0530"), "")
    return unicodedata.name(odd, "").partition(" ")[0].title() if odd else ""


def latin(name: str) -> str:
    pairs = _pairs()
    return "".join(char if char.isascii() else pairs.get(char, char) for char in name)


@cache
def _pairs() -> dict[str, str]:
    from confusable_homoglyphs.confusables import confusables_data  # noqa: PLC0415  reads 1 MB

    found = {
        char: others[0]["c"].strip("\u200e")
        for char, others in confusables_data.items()
        if len(others) == 1
    }
    return {
        char: other for char, other in found.items() if found.get(other) != char or other < char
    }
