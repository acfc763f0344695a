"""Words for the referee as people write them.

HELP and its like may stand in a sentence. A word that acts (WAIT, QUIT) must stand alone and not
ask: not "Wait?".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final

from pbem.acts.needs import Needs, Word
from pbem.orders import club_words
from pbem.orders.characters import first_word
from pbem.orders.dates import looks_like_days
from pbem.orders.spelling import is_number


@dataclass(frozen=True, slots=True)
class Asked:
    """A word for the referee."""

    name: str
    argument: str = ""


_HEAD = re.compile(
    r"(?:(please),?+ ++)?+([A-Za-z]++)(?![^ ,:;.!?\u2026])(.*)", re.IGNORECASE | re.DOTALL
)
_ENDING = " .!?;:,\u2026"
_AROUND = ".,;:!?()\"'"
_POLITE = frozenset(("PLEASE", "PLS", "PLZ", "THANKS", "THX", "CHEERS", "REFEREE"))
_ASKING = _POLITE.union(["ME", "US", "NOW", "AGAIN", "NEEDED", "WANTED"])
_ABOUT = frozenset(["ABOUT", "ON", "OF", "FOR", "WITH", "CONCERNING", "REGARDING", "THE", "MY"])
_OF_ORDER = _ABOUT.union(["ORDER", "ORDERS", "HOW", "TO"])
_OF_GAME = _ASKING.union(
    [
        "OF",
        "THE",
        "GAME",
        "MY",
        "A",
        "CURRENT",
        "REPORT",
        "UPDATE",
        "SO",
        "FAR",
        "AS",
        "IT",
        "STANDS",
    ]
)
_OF_BULLETIN = _ASKING.union(
    ["BULLETIN", "PERIOD", "NUMBER", "NO", "NR", "OF", "THE", "FOR", "FROM", "LAST"]
)
_OF_LETTER = _POLITE.union(["ONLY", "THIS", "THESE", "THE", "MY", "LETTER", "MAIL", "ORDERS"])
_OF_MAILS = _POLITE.union(["ONLY", "TEXT", "MAIL", "MAILS", "MY"])
_OF_RULES = _ABOUT.union(["PARAGRAPH", "PARAGRAPHS", "PARA", "RULE", "RULES", "SECTION", "§", "§§"])
_TRIAL = re.compile(
    r"(?:(?:please|pls|plz|kindly|just|only|merely|but|first|can you|could you|would you|will you"
    r"|this is|these are|it is|it's|i am|i'm|as|for|to|a|an)[ ,]++)*+"
    r"(?:check(?:ing)?(?: +(?:this|these|it|them|only|first|(?:my|the) orders?"
    r"|(?:if|whether) (?:this|these|it|they)\b).*)?"
    r"|(?:test|testing|trial|dry[ -]run)(?: +(?:only|this|these|it|them|run|letter|orders?)\b.*)?"
    r"|what (?:if|would happen)(?: (?:if )?i)?(?: (?:did|do|sent|send|gave|ordered|wrote)\b.*"
    r"|(?: with)? (?:this|these|that|it)\b.*|)"
    r"|(?:do not|don't) (?:store|save|record|file|enter|count) (?:this|these|it|them)\b.*)",
    re.IGNORECASE,
)
NAME = "NAME"
_CALLED = re.compile(
    r"(?:please,? +)?(?:my name is|call me) +([^\W\d_].{0,80})", re.IGNORECASE | re.DOTALL
)
_KEY = re.compile(r"[A-Za-z0-9][\w.-]{0,63}")
_CODE = re.compile(r"[A-Za-z0-9-]{4,80}")
_ZONE = re.compile(r"[\w/+: -]{1,60}")
_LAST = frozenset(["ORDERS", "LETTER", "MAIL", "MESSAGE"])
_SEARCH, _QUESTION = 100, 200  # characters


def asked(piece: str) -> Asked | None:
    if _TRIAL.fullmatch(piece.rstrip(_ENDING)):
        return Asked("CHECK")
    if called := _CALLED.fullmatch(piece):
        argument = _name(f"IS {_curt(called[1].rstrip(_ENDING))}")
        return None if argument is None else Asked(NAME, argument)
    found = _HEAD.fullmatch(piece)
    if not found:
        return None
    please, word, behind = found.groups()
    name = word.upper()
    known = HEARD.get(name)
    if known is None or (please and name not in GENEROUS) or (name == NAME != word):
        return None
    rest = behind.rstrip(_ENDING)
    ending = behind[len(rest) :].replace("\u2026", "...").replace(" ", "")
    rest = _curt(rest.lstrip(" ,:"))
    if name not in GENEROUS and ("?" in ending or ".." in ending):
        return None
    argument = known.hear(rest)
    return None if argument is None else Asked(name, argument)


def _curt(rest: str) -> str:
    words = rest.split()
    while words and (last := words[-1].strip(_AROUND).upper()):
        thanked = last == "YOU" and len(words) > 1 and words[-2].strip(_AROUND).upper() == "THANK"
        if not (thanked or last in _POLITE):
            break
        del words[-2 if thanked else -1 :]
    return " ".join(words).rstrip(_ENDING)


def _words(rest: str, noise: Collection[str]) -> list[str]:
    words = (word.strip(_AROUND) for word in rest.split())
    return [word for word in words if word and word.upper() not in noise]


def _nothing(noise: Collection[str]) -> Callable[[str], str | None]:
    return lambda rest: None if _words(rest, noise) else ""


def _help(rest: str) -> str | None:
    words = _words(rest, _ASKING | _OF_ORDER)
    return None if len(words) > 1 else " ".join(words)


def _history(rest: str) -> str | None:
    words = [word.lstrip("#") for word in _words(rest, _OF_BULLETIN)]
    if len(words) > 1:
        return None
    return "" if not words else words[0] if is_number(words[0]) and len(words[0]) < 7 else None


def _search(rest: str) -> str | None:
    words = rest.lstrip("\u00a7 ").split()
    while words and words[0].strip(_AROUND).upper() in _OF_RULES:
        words.pop(0)
    said = " ".join(words).strip(",")
    return said if len(said) <= _SEARCH else None


def _question(rest: str) -> str | None:
    return rest if len(rest) <= _QUESTION else None


def _days(rest: str) -> str | None:
    return rest if looks_like_days(rest) else None


_DEPUTY_ENDS = frozenset(("END", "ENDS", "OFF", "NONE", "STOP"))


def _deputy(rest: str) -> str | None:
    words = _words(club_words.addresses(rest), _POLITE.union(("IS", "MY", "THE")))
    if not words:
        return ""
    if len(words) == 1 and words[0].upper() in _DEPUTY_ENDS:
        return "END"
    named = list(dict.fromkeys(word.lower() for word in words if "@" in word))
    days = " ".join(word for word in words if "@" not in word)
    if len(named) != 1 or (days and not looks_like_days(days)):
        return None
    return f"{named[0]} {days}".strip()


def _name(rest: str) -> str | None:
    """None for a sentence ("Name your price") and for an order (NAME "The Party")."""
    name = rest.removeprefix("IS ")
    begins = name[:1].isalpha() and not name[:1].islower()
    return rest if begins and club_words.called(name) == name else None


def _one(form: re.Pattern[str]) -> Callable[[str], str | None]:
    def heard(rest: str) -> str | None:
        word = rest.strip("<>\"'")
        return word if form.fullmatch(word) else None

    return heard


def _period(rest: str) -> str | None:
    words = _words(rest, _POLITE)
    return words[0] if len(words) == 1 and is_number(words[0]) and len(words[0]) < 7 else None


def _back(rest: str) -> str | None:
    """CANCEL takes these words back too."""
    words = [word.upper() for word in _words(rest, _POLITE.union(("MY", "THE")))]
    return words[0] if len(words) == 1 and words[0] in ("READY", "WAIT", "QUIT") else None


def _zone(rest: str) -> str | None:
    return rest if len(rest.split()) < _SHORT and (not rest or _ZONE.fullmatch(rest)) else None


def _receipts(rest: str) -> str | None:
    words = [word.upper() for word in _words(rest, _POLITE)]
    return {(): "", ("USUAL",): "", ("AS", "USUAL"): "", ("ALL",): "ALL"}.get(tuple(words))


def _switch(rest: str) -> str | None:
    words = [word.upper() for word in _words(rest, _POLITE)]
    return " ".join(words) if words in ([], ["ON"], ["OFF"]) else None


def _mute(rest: str) -> str | None:
    words = [word.strip(_AROUND) for word in rest.split()]
    return " ".join(words) if len(words) < _SHORT and len(rest) <= _SEARCH else None


def _end(rest: str) -> str | None:
    words = [word.upper() for word in _words(rest, ("OF", "MY", "THE", "THIS"))]
    return "" if not words or (len(words) == 1 and words[0] in _LAST) else None


HEARD: Final[Mapping[str, Word]] = {
    "HELP": Word(_help, Needs.NOTHING),
    "STATUS": Word(_nothing(_OF_GAME), Needs.NOTHING),
    "ORDERS": Word(_nothing(_ASKING), Needs.NOTHING),
    "HISTORY": Word(_history, Needs.NOTHING),
    "BOARD": Word(_nothing(_OF_GAME), Needs.NOTHING),
    "WHY": Word(_question, Needs.NOTHING),
    "RULES": Word(_search, Needs.NOTHING),
    "RULINGS": Word(_nothing(_OF_GAME), Needs.NOTHING),
    "TABLES": Word(_search, Needs.NOTHING),
    "CHECK": Word(_nothing(_OF_LETTER), Needs.NOTHING),
    "READY": Word(_nothing(_POLITE), Needs.LEVEL),
    "WAIT": Word(_nothing(_POLITE), Needs.LEVEL),
    "QUIT": Word(_nothing(_POLITE), Needs.LEVEL),
    "CANCEL": Word(_back, Needs.LEVEL),
    "ABSENT": Word(_days, Needs.LEVEL),
    "DEPUTY": Word(_deputy, Needs.LEVEL),
    "GAME": Word(_one(_KEY), Needs.NOTHING),
    "PERIOD": Word(_period, Needs.NOTHING),
    "CONFIRM": Word(_one(_CODE), Needs.NOTHING),
    "ZONE": Word(_zone, Needs.LEVEL),
    NAME: Word(_name, Needs.LEVEL),
    "RECEIPTS": Word(_receipts, Needs.LEVEL),
    "PLAIN": Word(_nothing(_OF_MAILS), Needs.LEVEL),
    "HTML": Word(_nothing(_OF_MAILS), Needs.LEVEL),
    "CALENDAR": Word(_switch, Needs.LEVEL),
    "PROTEST": Word(_question, Needs.LEVEL),
    "MUTE": Word(_mute, Needs.LEVEL),
    "AGAIN": Word(_nothing(_POLITE), Needs.PROVEN),
    "END": Word(_end, Needs.NOTHING),
    **club_words.HEARD,
}
FRAMES = frozenset(("GAME", "PERIOD", "END", "CONFIRM"))
READING = frozenset(
    name
    for name, word in HEARD.items()
    if word.needs is Needs.NOTHING and name not in FRAMES | club_words.ANYBODY
)
"""A seat's words that change nothing, answered without proof."""
PICTURED = frozenset(("BOARD",))  # needs the game's proof
GENEROUS = READING - {"CHECK"} | {club_words.GAMES}
"""Also heard as a question, or after a please."""

_USES = {
    "HELP": "HELP stands on a line of its own, or with one order's word behind it",
    "STATUS": "STATUS stands on a line of its own",
    "ORDERS": "ORDERS stands on a line of its own",
    "HISTORY": "HISTORY stands on a line of its own, or with one number: HISTORY 3",
    "BOARD": "BOARD stands on a line of its own",
    "RULES": "RULES has a paragraph or a word behind it: RULES 16",
    "RULINGS": "RULINGS stands on a line of its own",
    "TABLES": "TABLES has the name of a table behind it",
    "CHECK": "CHECK stands on a line of its own, and then the whole letter is only tried",
    "READY": "READY stands on a line of its own",
    "WAIT": "WAIT stands on a line of its own, and keeps this period open to its deadline",
    "QUIT": "QUIT stands on a line of its own, and asks for another player in your place",
    "ABSENT": "ABSENT has a first and a last day: ABSENT 10 March TO 20 March",
    "DEPUTY": "DEPUTY has an address behind it, and a first and a last day:"
    " DEPUTY ann@example.org FROM 1 July TO 20 July; DEPUTY END ends it",
    "PERIOD": "PERIOD has one number behind it: PERIOD 7",
    "GAME": "GAME has the key of one game behind it, as it stands in our subjects in [brackets]",
    "CONFIRM": "CONFIRM has the code from our mail behind it, and nothing else",
    "ZONE": "ZONE has the name of a time zone behind it: ZONE Europe/Paris",
    NAME: "NAME has your new name behind it: NAME Nora",
    "RECEIPTS": "RECEIPTS ALL or RECEIPTS stands on a line of its own",
    "PLAIN": "PLAIN stands on a line of its own, and ends the HTML in your mails",
    "HTML": "HTML stands on a line of its own, and brings your mails as HTML too",
    "CALENDAR": "CALENDAR ON or CALENDAR OFF stands on a line of its own",
    "PROTEST": "PROTEST has behind it, on one line, what was adjudicated wrongly; or OFF",
    "ASK": "ASK has GAMESMASTER behind it, and your question, up to its question mark",
    "MUTE": "MUTE has a seat behind it, whose press you want no more; and OFF to get it again",
    "AGAIN": "AGAIN stands on a line of its own, once the game is over",
    "PRESS": "PRESS TO and the seats it is for, as PRESS TO ALL; your words below; then END PRESS",
    "AGREE": "AGREE has DRAW and seats behind it, or WIN and one seat, or NONE",
    "STATEMENT": "STATEMENT stands on a line of its own, with your words below it",
    **club_words.USES,
}
_SHORT = 4
_HEADING = re.compile(r"\s*ORDERS (?:FROM|FOR|OF|BY) ", re.IGNORECASE)


def use(text: str) -> str:
    """Return how to use an unreadable text's first word, or ""."""
    word = first_word(text)
    said = _USES.get(word, "")
    shouted = text.lstrip().startswith(word)
    if _HEADING.match(text):
        return ""
    acts = word in ("CHECK", "READY", "WAIT", "QUIT", "ABSENT", "DEPUTY", "CONFIRM")
    short = len(text.split()) <= _SHORT and word != "GAME"  # "Game on!"
    return said if shouted or acts or short else ""
