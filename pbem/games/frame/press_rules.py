"""Press limits and names; and whether press without END PRESS hides orders: in doubt hold it."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from pbem.games.frame.events import Seat
from pbem.orders import splitter
from pbem.orders.asking import GENEROUS
from pbem.orders.characters import first_word, plain
from pbem.orders.language import Language
from pbem.orders.mailwords import END_PRESS, WORDS, Press, peel, stripped
from pbem.orders.muting import order_lines
from pbem.orders.sentences import GOODBYE
from pbem.orders.spelling import nearest
from pbem.text import thousands

FREE, OPEN, SILENT = "all", "open", "none"
MODES = (FREE, OPEN, SILENT)
"""All, only signed press to everybody, or none."""
MOST_LINES, MOST_CHARACTERS = 400, 20_000
"""Of one press."""
_MARKS = "-*_~\u2022>|[](){}#:.\"' \t0123456789"
_ENDS = " \t.!*_~"
_LIKENESS = 0.7


def not_words(language: Language, press: Press) -> list[str]:
    """Return lines that look like orders or words; [] after END PRESS."""
    return [] if press.closed else list(_meant(language, press.text))


def _meant(language: Language, text: str) -> Iterator[str]:
    lines = text.split("\n")
    left, orders = peel(text).text.split("\n"), set(order_lines(language, text))
    for number, (line, rest) in enumerate(zip(lines, left, strict=True), 1):
        asks = line != rest and not _wonders(line)
        if asks or number in orders or any(_nearly(language, piece) for piece in line.split(";")):
            yield line.strip()


def _wonders(line: str) -> bool:
    """Return whether it is talk ("Help me please")."""
    word = first_word(line)
    if word == "WHY":
        return not line.lstrip().startswith("WHY ")
    said = line.split()
    told = any("0" <= char <= "9" for char in line) or said[0].startswith(word)
    return word in GENEROUS and len(said) > 1 and not told


def _nearly(language: Language, piece: str) -> bool:
    """Return whether it is a slip of an order, or shouts a word of one."""
    said = plain(piece).lstrip(_MARKS).rstrip(_ENDS)
    first = first_word(said)
    shouted = len(first) > 1 and said.startswith(first)
    if first in language.words:
        return shouted or language.reads(said) or len(said[: language.reach(said)].split()) > 1
    if first in WORDS:
        return shouted
    slip = shouted and len(first) > 2 and nearest(first, (*language.words, *WORDS), _LIKENESS)
    return bool(slip or splitter.mended(language, said, language.words))


_TELEPHONE = re.compile(r"(?<![\w+])[+0][0-9(][0-9 ()/.-]{6,20}[0-9]")
_WORD = re.compile(r"[^\W\d_]++")
_WORDS_TOO = (
    "april art bill chance chase dawn dean drew faith frank grace grant guy hope ivy jack joy june"
    " law major mark may miles pat price ray rich rob rose sue summer wade will young"
)
"""Names that are ordinary words."""
_LEAST = 3  # letters of a name that tells its writer
_SENT = re.compile(r"(?:sent|get outlook|gesendet|envoy\S+) (?:from|for|von|de\w*)\b.{1,40}")


def unsigned(text: str, names: Collection[str]) -> str:
    """Return a text without the signature below it. names: of its writer."""
    own = frozenset(word for name in names for word in _plain_words(name))
    lines = text.rstrip().split("\n")
    at = len(lines)
    while at and _is_signature(lines[at - 1], own):
        at -= 1
    if any(line.strip() for line in lines[at:]):
        while at and (not lines[at - 1].strip() or GOODBYE.issuperset(_plain_words(lines[at - 1]))):
            at -= 1
    return "\n".join(lines[:at]).rstrip()


def _is_signature(line: str, own: frozenset[str]) -> bool:
    bare = line.strip().lower()
    called = bare.lstrip("abcdefghijklmnopqrstuvwxyz.: ")
    if not bare or _TELEPHONE.fullmatch(called) or _SENT.fullmatch(bare):
        return True
    words = _plain_words(bare)
    return bare in own or ("@" in bare and " " not in bare) or bool(words and own.issuperset(words))


def _plain_words(line: str) -> list[str]:
    return [word for part in line.lower().split() if (word := part.strip(",.;:!-*_()"))]


def of_writer(text: str, names: Collection[str]) -> str:
    """Return the name of its writer, or the telephone, that a text shows; "" if none."""
    if found := _TELEPHONE.search(text.lower()):
        return found[0].strip()
    own = [word for name in names for word in _WORD.findall(name) if len(word) >= _LEAST]
    return next((word for word in own if _names_writer(word, text, own)), "")


def _names_writer(word: str, text: str, own: Collection[str]) -> bool:
    """Return whether a text has this name of its writer. One that is a word too ("Will") counts
    within a sentence, beside another of theirs, or alone."""
    found = list(_WORD.finditer(text))
    for at, one in enumerate(found):
        if one[0] not in (word, word.upper()):
            continue
        before, after = text[: one.start()].rstrip("\"'(*_-> \t"), text[one.end() :].lstrip(" ,.")
        begins = before.endswith("\n\n") or before.rstrip()[-1:] in ".!?:;"
        alone = before[-1:] in "\n" and after[:1] in "\n"
        beside = {two[0] for two in found[max(at - 1, 0) : at + 2]} - {one[0]}
        within = one[0] == word and not begins
        if word.lower() not in _WORDS_TOO.split() or within or alone or beside.intersection(own):
            return True
    return False


def byline(author: Seat, *, anonymous: bool, pen_name: str) -> str:
    """Return the shown author, "" for the gamesmaster."""
    if pen_name:
        return f'"{pen_name}" (a pen-name)'
    return "an anonymous player" if anonymous else author or "the gamesmaster"


def forbidden(mode: str, *, to_all: bool, signed: bool) -> str:
    """Return why ``mode`` forbids it; "" if not."""
    if mode == SILENT:
        return "this game is played without press between its players"
    if mode == OPEN and not (to_all and signed):
        return "in this game press goes to ALL, and under its writer's own seat"
    return ""


def too_long(text: str) -> str:
    """Return why it is too long; "" if not."""
    lines = text.count("\n") + 1
    if lines <= MOST_LINES and len(text) <= MOST_CHARACTERS:
        return ""
    has = f"{thousands(lines)} lines and {thousands(len(text))} characters"
    most = f"{MOST_LINES} lines and {thousands(MOST_CHARACTERS)} characters"
    return f"it has {has}; a press has {most} at most"


def answer(text: str) -> tuple[Press, int]:
    """Return words up to END PRESS, and the lines below."""
    lines = text.split("\n")
    end = next((at for at, line in enumerate(lines) if END_PRESS.fullmatch(stripped(line))), None)
    words = "\n".join(lines[:end]).strip("\n")
    below = lines[end + 1 :] if end is not None else []
    made = Press((), False, words if words.strip() else "", 1, closed=end is not None)
    return made, sum(1 for line in below if line.strip())


EVERYBODY = "ALL"
_ALL = frozenset(("ALL", "EVERYBODY", "EVERYONE", "PLAYERS", "ALL PLAYERS"))


def addressed(words: Sequence[str], called: Mapping[Seat, Sequence[str]]) -> list[str]:
    """Return seats named by key, name or unique part; ALL for everybody. Unknown words stay.
    ``words``: capitals."""
    named = _names(called)
    said = [word for word in words if word != "THE" or word in named]
    found, at = list[str](), 0
    while at < len(said):
        runs = range(min(len(said), at + _WORDS_OF_A_NAME), at, -1)
        end = next((end for end in runs if " ".join(said[at:end]) in named), at + 1)
        found.append(named.get(" ".join(said[at:end]), said[at]))
        at = end
    return found


_WORDS_OF_A_NAME = 4


def _names(called: Mapping[Seat, Sequence[str]]) -> dict[str, str]:
    names: dict[str, set[Seat]] = {}
    for seat, given in called.items():
        for whole in (" ".join(name.upper().split()) for name in given):
            for name in {whole, *whole.split()} - {""}:
                names.setdefault(name, set()).add(seat)
    unique = {name: next(iter(seats)) for name, seats in names.items() if len(seats) == 1}
    return {**unique, **dict.fromkeys(_ALL, EVERYBODY), **{seat.upper(): seat for seat in called}}
