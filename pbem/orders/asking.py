"""Words for the referee: a row each, and how people write them.

HELP and its like may stand in a sentence. A word that acts (WAIT, QUIT) must stand alone and not
ask: not "Wait?". What a word does is in :mod:`pbem.referee.words`.
"""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from pbem.acts.act import Needs
from pbem.orders.characters import first_word
from pbem.orders.dates import looks_like_days
from pbem.orders.sentences import bare, word_set
from pbem.orders.spelling import is_number

_HEAD = re.compile(
    r"(?:(please),?+ ++)?+([A-Za-z]++)(?![^ ,:;.!?\u2026])(.*)", re.IGNORECASE | re.DOTALL
)
_ENDING = " .!?;:,\u2026"
_AROUND = ".,;:!?()\"'"
_BRACKETS = "<>[]\"'"


_POLITE = word_set("PLEASE PLS PLZ THANKS THX CHEERS REFEREE")
_ASKING = _POLITE | word_set("ME US NOW AGAIN NEEDED WANTED")
_ABOUT = word_set("ABOUT ON OF FOR WITH CONCERNING REGARDING THE MY")
_OF_ORDER = _ASKING | _ABOUT | word_set("ORDER ORDERS HOW TO")
_OF_GAME = _ASKING | word_set("OF THE GAME MY A CURRENT REPORT UPDATE SO FAR AS IT STANDS")
_OF_BULLETIN = _ASKING | word_set("BULLETIN PERIOD NUMBER NO NR OF THE FOR FROM LAST")
_OF_LETTER = _POLITE | word_set("ONLY THIS THESE THE MY LETTER MAIL ORDERS")
_OF_MAILS = _POLITE | word_set("ONLY TEXT MAIL MAILS MY")
_OF_RULES = _ABOUT | word_set("PARAGRAPH PARAGRAPHS PARA RULE RULES SECTION § §§")
_OF_MINE = _POLITE | {"MY", "THE"}
_OF_END = word_set("OF MY THE THIS")
_SPEECH = word_set("OUT IT THIS THAT ME US HIM HER THEM YOU OVER")
"""No game's key: "Watch this!"."""
_DEPUTY_ENDS = word_set("END ENDS OFF NONE STOP")
_TRIAL = re.compile(
    r"(?:(?:please|pls|plz|kindly|just|only|merely|but|first|can you|could you|would you|will you"
    r"|this is|these are|it is|it's|i am|i'm|as|for|to|a|an)[ ,]++)*+"
    r"(?:check(?:ing)?(?: +(?:this|these|it|them|only|first|(?:my|the) orders?"
    r"|(?:if|whether) (?:this|these|it|they)\b).*)?"
    r"|(?:test|testing|trial|dry[ -]run)(?: +(?:only|this|these|it|them|run|letter|orders?)\b.*)?"
    r"|what (?:if|would happen)(?: (?:if )?i)?(?: (?:did|do|sent|send|gave|ordered|wrote)\b"
    r"(?! (?:nothing|no|not|anything)\b).*"
    r"|(?: with)? (?:this|these|that|it)\b.*|)"
    r"|(?:do not|don't) (?:store|save|record|file|enter|count) (?:this|these|it|them)\b.*)",
    re.IGNORECASE,
)
_READY = word_set(  # how people say it, and nothing else
    "ready done finished ref referee ok okay great good fine thanks thank you please pls so"
    " and then now right well that that's thats is all it me from my side end i i'm im we"
    " we're are am have quite just only with orders for this the next turn round period"
    " session bit when can may could go on to ahead continue close move along let's lets"
    " everything nothing more add say moment"
)
_SAID = re.compile(r"[\w']+")
_DONE, _CLOSES = word_set("done finished"), word_set("close go move please")
_INVITES = word_set("can may when thank")
"""With one of these "you" is polite."""
_OWN = word_set("i i'm im we we're me all that's thats")
_NEXT = ({"next", "please"}, {"next", "pls"}, {"ok", "next", "please"})
_TURNS = word_set("turn round period session")
_ANY_READY = re.compile("ready|done|finished|close|next", re.IGNORECASE)
_STOPS, _STOP, _MOST_APART = (*".!?,",), re.compile(r"(?<=[.!?,]) ++| (?=and )"), 300  # characters
_PRACTISES = re.compile(
    r"(?:\A|(?<=[.!] ))(?!(?:is|are|do|does|did|was|were)\b)"
    r"(?=.{0,200}\b(?:game|round|like|love|want|can|could|may|let|please|pls)\b)"
    r"(?:(?!(?:not|never|no|my|this|we|you|they|our|your|how|what|why|when|where|which|who"
    r"|practi[cs]e|\w{2,7}n['\u2019]t)\b)[\w'\u2019-]++[ ,.!]++)"
    r"{0,16}+(?<!in )practi[cs]e\b",
    re.IGNORECASE,
)
NAME = "NAME"
_CALLED = re.compile(
    r"(?:please,? +)?(?:my name is|call me) +([^\W\d_].{0,80})", re.IGNORECASE | re.DOTALL
)
_NAME_ENDS = re.compile(
    r"[,;:!?()]|(?<=\w\w\w)\.(?= )|\.? (?:thanks|thank you|thx|please|pls|cheers|best|regards"
    r"|danke|bitte|merci|gracias)\b",
    re.IGNORECASE,
)
_KEY = re.compile(r"[A-Za-z0-9][\w.-]{0,63}")
_CODE = re.compile(r"[A-Za-z0-9-]{4,80}")
_ZONE = re.compile(r"[\w/+: -]{1,60}|")
_GAME = re.compile(r"[A-Za-z0-9][\w.-]{0,39}")
_ADDRESS = re.compile(r"[^\s<>@,;:\"']{1,64}@[^\s<>@,;:\"']{1,190}")
_MAILTO = re.compile(r"<(?:mailto:)?([^<>\s]+)>|\bmailto:", re.IGNORECASE)
_SEARCH, _LONGEST = 100, 200  # characters
_SHORT = 4  # words


def addresses(written: str) -> str:
    """Return words with each address once, as mail programs write them: `a@b <mailto:a@b>`."""
    words = _MAILTO.sub(r" \1 ", written).split()
    return " ".join(w for at, w in enumerate(words) if "@" not in w or w not in words[:at])


def called(written: str) -> str:
    """Return a name without what follows it: it ends at punctuation or a polite word."""
    return _NAME_ENDS.split(written, maxsplit=1)[0].strip(" .")


# --- what may stand behind a word: its argument, or None for a sentence ---------------------------

_Hearing = Callable[[str], str | None]
_ALONE: Mapping[str, str] = {"": ""}
_SWITCH = {"": "", "ON": "ON", "OFF": "OFF"}
_USUAL = {"": "", "USUAL": "", "AS USUAL": "", "ALL": "ALL"}
_BACK = {"READY": "READY", "WAIT": "WAIT", "QUIT": "QUIT"}
_LAST = {"": "", "ORDERS": "", "LETTER": "", "MAIL": "", "MESSAGE": ""}


def _words(rest: str, noise: Collection[str]) -> list[str]:
    words = (word.strip(_AROUND) for word in rest.split())
    return [word for word in words if word and word.upper() not in noise]


def _among(noise: Collection[str], said: Mapping[str, str] = _ALONE) -> _Hearing:
    return lambda rest: said.get(" ".join(_words(rest, noise)).upper())


def _number(noise: Collection[str], none: str | None) -> _Hearing:
    def heard(rest: str) -> str | None:
        words = [word.lstrip("#") for word in _words(rest, noise)]
        numbers = [word for word in words if is_number(word) and len(word) < 7]
        return (words[0] if words else none) if len(words) == len(numbers) < 2 else None

    return heard


def _one(form: re.Pattern[str]) -> _Hearing:
    def heard(rest: str) -> str | None:
        word = rest.strip("<>\"'")
        return word if form.fullmatch(word) else None

    return heard


def _help(rest: str) -> str | None:
    words = _words(rest, _OF_ORDER)
    return None if len(words) > 1 else " ".join(words)


def _search(rest: str) -> str | None:
    words = rest.lstrip("\u00a7 ").split()
    while words and words[0].strip(_AROUND).upper() in _OF_RULES:
        words.pop(0)
    said = " ".join(words).strip(",")
    return said if len(said) <= _SEARCH else None


def _fitting(fits: Callable[[str], object]) -> _Hearing:
    return lambda rest: rest if fits(rest) else None


_line = _fitting(lambda rest: len(rest) <= _LONGEST)
_zone = _fitting(lambda rest: len(rest.split()) < _SHORT and _ZONE.fullmatch(rest))


def _deputy(rest: str) -> str | None:
    words = _words(addresses(rest), _OF_MINE | {"IS"})
    if len(words) == 1 and words[0].upper() in _DEPUTY_ENDS:
        return "END"
    named = list(dict.fromkeys(word.lower() for word in words if "@" in word))
    days = " ".join(word for word in words if "@" not in word)
    if words and (len(named) != 1 or (days and not looks_like_days(days))):
        return None
    return " ".join([*named, days]).strip()


def _name(rest: str) -> str | None:
    """None for a sentence ("Name your price") and for an order (NAME "The Party")."""
    name = rest.removeprefix("IS ")
    begins = name[:1].isalpha() and not name[:1].islower()
    return rest if begins and called(name) == name else None


def _seat(rest: str) -> str | None:
    words = [word.strip(_AROUND) for word in rest.split()]
    return " ".join(words) if len(words) < _SHORT and len(rest) <= _SEARCH else None


def _game(rest: str) -> str | None:
    words = rest.split()
    if len(words) > 1 and words[0].upper() in ("GAME", "THE"):
        words = words[1:]
    word = words[0].strip(_BRACKETS) if len(words) == 1 else ""
    return word if _GAME.fullmatch(word) and word.upper() not in _SPEECH else None


def _game_or_all(rest: str) -> str | None:
    return _game(rest) if rest.strip() else ""


def _signon(rest: str) -> str | None:
    words = rest.split()
    at = next((at for at, word in enumerate(words) if word.upper() == "AS"), len(words))
    game, name = _game(" ".join(words[:at])), called(" ".join(words[at + 1 :]))
    if game is None or len(name) > _LONGEST or (at < len(words) and not name):
        return None
    return f"{game} AS {name}" if name else game


def _invite(rest: str) -> str | None:
    words = addresses(rest).split()
    address = words[0].strip(_BRACKETS) if words else ""
    if not _ADDRESS.fullmatch(address):
        return None
    if len(words) == 1:
        return address
    game = _game(" ".join(words[2:])) if words[1].upper() == "TO" else None
    return f"{address} TO {game}" if game else None


# --- the rows -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Word:
    """A player's word for the referee."""

    name: str
    group: str
    """Of HELP: what it is for."""
    needs: Needs
    hear: _Hearing | None
    """None: it is not heard by its line alone (:mod:`pbem.orders.mailwords`)."""
    behind: str = ""
    """An example of what stands behind it."""
    slips: bool = False
    """Whether a word that is one letter off is taken for it."""

    def line(self, **examples: str) -> str:
        """Return an example. examples: of ``to`` and ``one`` (seats), ``order``, ``paragraph``."""
        return f"{self.name} {self.behind.format(**examples)}".strip()


_N, _L, _P, _C = Needs.NOTHING, Needs.LEVEL, Needs.PROVEN, Needs.CODE
_ROWS = (
    Word("HELP", "LOOK", _N, _help, "{order}"),
    Word("ORDERS", "LOOK", _N, _among(_ASKING), slips=True),
    Word("STATUS", "LOOK", _N, _among(_OF_GAME), slips=True),
    Word("BOARD", "LOOK", _N, _among(_OF_GAME)),
    Word("WHY", "LOOK", _N, _line),
    Word("HISTORY", "LOOK", _N, _number(_OF_BULLETIN, ""), "3", slips=True),
    Word("RULES", "LOOK", _N, _search, "{paragraph}"),
    Word("RULINGS", "LOOK", _N, _among(_OF_GAME), slips=True),
    Word("TABLES", "LOOK", _N, _search, slips=True),
    Word("CHECK", "TRY", _N, _among(_OF_LETTER), slips=True),
    Word("CANCEL", "TRY", _L, _among(_OF_MINE, _BACK), "{order}", slips=True),
    Word("PRESS", "TALK", _L, None, "TO {to}", slips=True),
    Word("MUTE", "TALK", _L, _seat, "{one}"),
    Word("ASK", "TALK", _L, None, "GAMESMASTER how long does a game last?"),
    Word("PROTEST", "TALK", _L, _line, "they counted my vote twice"),
    Word("READY", "TIME", _L, _among(_POLITE), slips=True),
    Word("WAIT", "TIME", _L, _among(_POLITE)),
    Word("ABSENT", "TIME", _L, _fitting(looks_like_days), "2026-07-01 TO 2026-07-20", slips=True),
    Word("ZONE", "TIME", _L, _zone, "America/New_York"),
    Word("CALENDAR", "TIME", _L, _among(_POLITE, _SWITCH), "ON", slips=True),
    Word("RECEIPTS", "MAILS", _L, _among(_POLITE, _USUAL), "ALL", slips=True),
    Word("PLAIN", "MAILS", _L, _among(_OF_MAILS)),
    Word("HTML", "MAILS", _L, _among(_OF_MAILS)),
    Word(NAME, "SEAT", _L, _name, "Nora"),
    Word("QUIT", "SEAT", _L, _among(_POLITE)),
    Word(
        "DEPUTY", "SEAT", _L, _deputy, "ann@example.org FROM 2026-07-01 TO 2026-07-20", slips=True
    ),
    Word("AGREE", "SEAT", _C, None, "DRAW {to}", slips=True),
    Word("STATEMENT", "SEAT", _L, None, slips=True),
    Word("AGAIN", "SEAT", _P, _among(_POLITE)),
    Word("GAME", "LETTER", _N, _one(_KEY), "autumn"),
    Word("PERIOD", "LETTER", _N, _number(_POLITE, None), "7", slips=True),
    Word("CONFIRM", "LETTER", _N, _one(_CODE), "1a2b-3c4d", slips=True),
    Word("END", "LETTER", _N, _among(_OF_END, _LAST)),
    Word("GAMES", "CLUB", _N, _game_or_all),
    Word("SIGNON", "CLUB", _N, _signon, "autumn AS Sophie"),
    Word("PREFER", "CLUB", _N, None, "{to}"),
    Word("SEAT", "CLUB", _N, None, "{one}"),
    Word("SIGNOFF", "CLUB", _N, _game_or_all, "autumn"),
    Word("WATCH", "CLUB", _N, _game, "autumn"),
    Word("UNWATCH", "CLUB", _P, _game_or_all, "autumn"),
    Word("PRACTICE", "CLUB", _N, _game_or_all, "coalition"),
    Word("INVITE", "CLUB", _P, _invite, "ann@mail.example TO autumn"),
    Word("ZINE", "CLUB", _N, _among(_POLITE, _SWITCH), "ON"),
    Word("LISTED", "CLUB", _N, _among(_POLITE, _SWITCH), "ON"),
    Word("STOP", "CLUB", _P, None),
)
WORDS: Mapping[str, Word] = {row.name: row for row in _ROWS}
GROUPS: Mapping[str, tuple[Word, ...]] = {
    group: tuple(row for row in _ROWS if row.group == group)
    for group in dict.fromkeys(row.group for row in _ROWS)
}
HEARD = frozenset(row.name for row in _ROWS if row.hear)
SLIPS = tuple(row.name for row in _ROWS if row.slips)
WISHES = frozenset(("PREFER", "SEAT"))
"""Below a SIGNON."""
ANYBODY = HEARD & {row.name for row in GROUPS["CLUB"]}
"""Words of no seat."""
OF_STRANGERS = ANYBODY | {"RULES", "TABLES", "HELP", "STATUS", "CONFIRM"}
"""Also answered to an address that nobody knows."""
READING = frozenset(
    row.name for row in _ROWS if row.needs is Needs.NOTHING and row.group in ("LOOK", "TRY")
)
"""A seat's words that change nothing, answered without proof."""
PICTURED = frozenset(("BOARD",))  # needs the game's proof
GENEROUS = READING - {"CHECK"} | {"GAMES"}
"""Also heard as a question, or after a please."""
_UNSAID = word_set("END WHY CANCEL GAMES PREFER SEAT STOP")
"""They are read whatever stands behind them, are orders' words too, or are heard elsewhere."""
_ACTS = word_set("CHECK READY WAIT QUIT ABSENT DEPUTY CONFIRM")
_ORDERS_OF = re.compile(r"\s*ORDERS (?:FROM|FOR|OF|BY) ", re.IGNORECASE)


def asked(piece: str) -> tuple[str, str] | None:
    """Return the word that a line says, and its argument."""
    if _TRIAL.fullmatch(piece.rstrip(_ENDING)):
        return "CHECK", ""
    if _is_ready(piece):
        return "READY", ""
    if _PRACTISES.search(piece):
        return "PRACTICE", f" {piece}"
    if named := _CALLED.fullmatch(piece):
        argument = _name(f"IS {bare(named[1]).rstrip(_ENDING)}")
        return None if argument is None else (NAME, argument)
    found = _HEAD.fullmatch(piece)
    if not found:
        return None
    please, word, behind = found.groups()
    row = WORDS.get(name := word.upper())
    if not (row and row.hear) or (please and name not in GENEROUS) or (name == NAME != word):
        return None
    rest = behind.rstrip(_ENDING)
    ending = behind[len(rest) :].replace("\u2026", "...").replace(" ", "")
    if name not in GENEROUS and ("?" in ending or ".." in ending):
        return None
    argument = row.hear(bare(rest.lstrip(" ,:")).rstrip(_ENDING))
    return None if argument is None else (name, argument)


def _is_ready(piece: str) -> bool:
    said = {*_SAID.findall(piece.lower().replace("\u2019", "'"))}
    polite = "you" not in said or said & _INVITES
    if not (said <= _READY and polite) or "?" in piece:
        return False
    own = said & _OWN
    if (said & _DONE and own) or ("ready" in said and (own or "when" not in said)) or said in _NEXT:
        return True
    closes = "close" in said or ("next" in said and said & _TURNS)
    return bool(closes and said & _CLOSES and len(said) > 1)


def apart(piece: str) -> tuple[str, ...]:
    """Return what else a line says, then its "I am ready"; the line alone if it has none."""
    if len(piece) > _MOST_APART or not _ANY_READY.search(piece):
        return (piece,)
    begins = [0, *(one.end() for one in _STOP.finditer(piece))]
    ends = [len(piece), *(at for at in begins[::-1] if piece[:at].rstrip().endswith(_STOPS))]
    spans = ((at, end) for at in begins for end in ends if _is_ready(piece[at:end]))
    at, end = next(spans, (len(piece), len(piece)))
    head = piece[:at].rstrip(" ,")
    head += "." * (head[-1:].isalnum() and end < len(piece))
    return f"{head} {piece[end:]}", piece[at:end]


def use(text: str) -> str:
    """Return how to use an unreadable text's first word, or ""."""
    word = first_word(text)
    row = WORDS.get(word)
    if row is None or word in _UNSAID or _ORDERS_OF.match(text):
        return ""
    short = len(text.split()) <= _SHORT and word != "GAME"  # "Game on!"
    if not (short or word in _ACTS or text.lstrip().startswith(word)):
        return ""
    line = row.line(to="SEAT", one="SEAT", order="ORDER", paragraph="16")
    return f"{word} stands on a line of its own" + (f", as in {line}" if row.behind else "")


def wish(piece: str) -> tuple[str, str] | None:
    """Return word and rest of a PREFER or SEAT line, or None."""
    word, *rest = piece.replace(":", " ", 1).split() or [""]
    said = " ".join(rest).rstrip(" .!")
    known = word.upper() in WISHES and 0 < len(said) <= _LONGEST
    return (word.upper(), said) if known else None
