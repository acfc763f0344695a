"""Orders in other words, read by the order grammar.

``//= VOTE NAY ON: oppose, no to`` in it says what people write for its words; what stands behind
"..." there ends the order (``STANDING VOTE ... NONE: drop my vote on``). A sentence is sure if
it is the order but for courtesies, numbers with "to" and a colon; what else could be meant is only
offered: the orders that the walk through the grammar (:mod:`pbem.orders.correcting`) finds nearest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import product
from typing import Any, Protocol

from pbem.orders.characters import first_word, unstopped
from pbem.orders.correcting import Corrector
from pbem.orders.order import Order, told
from pbem.orders.sentences import bare, is_courtesy, of_line, word_list, yes
from pbem.orders.spelling import is_number, nearest
from pbem.orders.writing import grouped

_LINES = re.compile(r"^//= ([^:\n]*?) ?:(.*)$", re.MULTILINE)
_LISTS = re.compile(r"^//: ([a-z]+): (.*)$", re.MULTILINE)
_LONGEST = 200  # characters of an offer
_SHORT_CANCEL = 6  # words of a CANCEL that was meant
_TOLD = re.compile("[0-9]")
_EXACT = re.compile("[0-9<>=]")
_AROUND = " \"'()[].,;:!?"
_NEGATED = re.compile(
    r"\b(?:not|never|cannot|no longer|nicht|nie(?:mals)?|keine?|pas|jamais|nunca|tak(?:e|en|ing)"
    r" (?:it |this |that )?back)\b|n['\u2019]t\b|\b(?:do|does|did|wo|ca|is|are|should)nt\b"
    r"|\[ ?\]|[\u2610\u25a1]",
    re.IGNORECASE,
)
"""A "not", a box without its tick, an order taken back."""
_SUPPOSED = re.compile(
    r"\b(?:if|unless|until|before|except|whether|provided|as long as|while|wenn|falls)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"(?:(?:hi|hey|ok|so|and|but|sorry|pls|please|till|until|by)[ ,]++)*+(?:(?:is|are|was|were|did"
    r"|does|has|wh(?:en|o|at|ere|y|ich)|how)(?:'?s)?\b"
    r"|(?:do|does|must|will|can|should) (?:the )?\w+ (?:have|need|get|lose|vote|keep|stay|pay) "
    r"|(?:have|do|can|could|will|would|should|may|must) (?:i|we|he|she|they|it|there|any\w*"
    r"|every\w*|all|the|my|our|others?)\b)",
    re.IGNORECASE,
)
"""How a question begins, with its mark or without."""
_REQUESTS = re.compile(
    r"(?:(?:hi|hey|hello|ok|so|and|sorry|hm+|then)[ ,]++)*+(?:(?:can|could|will|would) you"
    r"|(can) (?:i|we|u))"
    r"(?! (?:\w++ )?(?:tell|explain|say|check|remind|show|confirm|see|read|help|clarify|list)\b)",
    re.IGNORECASE,
)
"""Group 1: it may be a question too, and orders only what it names."""
_WHEN_NOT_ASKED = re.compile(
    r"whe(?:n|re)(?:ever)? (?!is|are|do|does|did|will|can|must|should)|should (?!i\b|we\b)[^?]*+\Z"
    r"|may (?:i|we) (?:(?:have|please) |(?=[^?0-9]*+[0-9]))[^?]*+\Z"
    r"|what(?:'?s| is) (?:[^?:]{1,60}+:|left\b|unspent\b) [^?]*+\Z"
    rf"|{_REQUESTS.pattern}",
    re.I,
)
_RETRACTS = re.compile(
    r"\b(?:no,? wait|wait,? no|scrap (?:it|that|this)|forget (?:it|that)|oops|sorry, no|meant"
    r"|forget the (?:above|line|last|rest|previous|first|second|others?|orders?|letter|mail)"
    r"|correction|make (?:it|that)(?! (?:an?|my)\b)|joking|kidding|second thoughts?|never ?mind)\b",
    re.IGNORECASE,
)
_CORRECTS = re.compile(
    r"(?:(?:oh|sorry|no|nope|not that)[ ,.!]++)++i meant?[ ,:]++"
    r"|(?:(?:hm+|oh|ok|and|but)[ ,]++)?on second thoughts?[ ,:]++",
    re.IGNORECASE,
)
"""Before what stands for an offer that was wrong."""
_BACK = re.compile(
    r"(?:(?:and|but|so|then|also|please|pls|kindly|just|now|oh|oops|hmm|sorry|hi|hello|ok|dear|we|i"
    r"|no(?= (?:sorry|wait|i mean\b)|[,!.])|mean"
    r"|(?:i|we)'(?:d|ll|m|ve|re)|let|let's|me|us|can|could|would|will|you|rather|decided(?: to)?"
    r"|(?:like|want|have|need) to)[ ,]++)*+(?:(?:tak|call|want|get|put|pull|throw|tear)(?:e|t?ing)?"
    r" (?!(?:back|off|out|up|away)\b)(.{1,80}?) (?:back|off|out|up|away)|(?:no|not|don't|do not)"
    r" (.{1,80}?) after all|(?:my|our|the|that) (.{1,60}?) (?:is|are) (?:off|dead|gone|withdrawn"
    r"|void|cancell?ed|no longer valid)|(?:no longer|don't|do not|not) want|(?:scrap|scratch|cancel"
    r"|delet|drop|remov|revok|undo|withdraw|retract|rescind|strik|eras|pull|annul|forget|disregard"
    r"|ignor|nix|scrub|kill|ditch|bin)(?:e|\w?ing)?(?: about)?|(?:tak|call|throw|tear)(?:e|ing)?"
    r" (?:it )?(?:back|off|out|up|away))\b",
    re.IGNORECASE,
)
"""How an order is taken back."""
_DENIES = re.compile(r"(?:(?:and|but|actually|please|pls) )*+(?:don'?t|do not|not) ", re.IGNORECASE)
_PIECES = re.compile(r"((?<![,;:.!])[,;:.!]++(?:\s++|\Z)| and | [-\u2013] )")
_ALSO = re.compile(r"(?:and |also )*+(?:the|my|that|those)\b", re.IGNORECASE)
_WORDS, _FIGURES = re.compile(r"\w+"), re.compile("[0-9]+")
_TWICE = re.compile(
    r"\b([a-z]{1,20}+) ([0-9]{1,6}+) (?:to|through|till|until|-) ([a-z]{1,20}+) ([0-9]{1,6}+)", re.I
)
_SPAN = re.compile("(?<![0-9])([0-9]{1,6}+) ?(?:-|to|through) ?([0-9]{1,6}+)")
_MINDED = re.compile(r"\b(?:my|our) mind\b", re.IGNORECASE)
_ADDS = re.compile(
    r"\b(?:add|too(?! (?:many|much|big|large|full|long|late))|another|again"
    r"|(?:my|the) (?:last|remaining|rest)|(?<!no )(?<!any )more)\b"
    r"|\A(?:[^0-9.]*\balso\b|[^,]*\bas well\b(?! as\b))",
    re.IGNORECASE,
)
_YES = frozenset(("AYE", "YES"))
_FOR_ME = re.compile(
    r"(?!.*\b(?:vot\w*|ayes?|yes|yea|ballot)\b).*\bfor (?:me|us|you)\b", re.IGNORECASE
)
"""It is no ballot then."""
_INSTEAD = re.compile(r"\binstead\b(?: of ([^,.;:]{1,40}))?", re.IGNORECASE)
_TOO = re.compile(r"\band \w++ too\b|\b(?:when|once|next time) [^,:;.]{0,60}?\bagain\b", re.I)
_SUBJECT = re.compile(
    r"(?:the )?(\w+) (?:should|will|would|must|might|could|ought|shall)\b", re.IGNORECASE
)
_SPEAKER = re.compile(r"\b(?:i|we|my|our|me|us|please)\b", re.IGNORECASE)
_BEFORE_ORDER = re.compile(r"(?:(?:i|we|my|our|please)[ ,:]++){1,3}", re.IGNORECASE)
_DEPENDS = re.compile(
    r"\b(?:wait|actually|mean|rather|instead|ignore|if|unless|provided|but)\b", re.IGNORECASE
)
"""In the lines of a letter that a mail program adds, and in talk, these say nothing of orders."""
_TO = re.compile(
    r"(?<!\w)([A-Za-z]?)([0-9]{1,6}+) ++(?:to|through|thru|until|till|bis|-) ++"
    r"(?=([A-Za-z]?)[0-9])(?![0-9]++(?:[,.][0-9]{3}|k)(?!\w))",
    re.IGNORECASE,
)
_OWN = re.compile(
    r"(?<=\w)'s\b|(?<=s)'(?!\w)|\bx ?(?=[0-9])|(?<=[0-9]) ?x\b|\b(?:no\.|nr\.?|number) ?(?=[0-9])"
    r"|(?<=[0-9] )\+(?= [A-Za-z]?[0-9])|(?<!\w)4 (?=me\b|us\b|any(?! ?more))"
    r"|\((?=[A-Za-z][0-9]{1,2}[a-z]?\))|(?<=[0-9])\)"
)
"""Says whose something is, or how many times; nothing of it is an order's."""
_EXCEPT = re.compile(
    r" (?:except|but|save|apart from)(?: for)? ([^,;:.]{1,40}), (?:there|which|where|that|those)\b"
    r"| -(?= (?:and|i|we|that|that's|so|the|my|our|please|but|it|not|no|yes)\b)",
    re.I,
)
"""What is said of all has exceptions: "nay to all except B1, there present"."""
_BUT_NOT = re.compile(
    r",? (?:but|and) not (?:(?:on|for|to|the) )*+(?:bills?|motions?)?+ ?[A-Z]?[0-9]++"
    r"(?:(?:, | and | or )(?:bill )?[A-Z]?[0-9]++)*+",
    re.IGNORECASE,
)
"""What is left out by name needs no order."""
_ALL_OF = re.compile(
    r"\ball (?:[0-9]++|two|three|four|five|six|seven|eight)(?=[:,])", re.IGNORECASE
)
"""How many follow."""
_VOTE_FOR = re.compile(
    r"\bvote for ((?:the )?(?:bill |motion )?\w+ (?:should|shall|is|will|must|to)\b)", re.IGNORECASE
)
"""Of a bill: no yes."""
_ID = re.compile(r"\bid(?= (?:like|love|rather|prefer|want|say|go|be|put|vote|send|field)\b)")
"""No Idaho."""
_LATER = "STANDING "
"""What cannot be given now may be one for later, where a game has such."""
_ME = re.compile(r"\bme\b")
_ONES = word_list(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen"
)
_TENS = word_list("twenty thirty forty fifty sixty seventy eighty ninety")
_VALUES = {
    **{word: n for n, word in enumerate(_ONES)},
    **{word: 10 * n for n, word in enumerate(_TENS, 2)},
    **{"a": 1, "once": 1, "twice": 2, "hundred": 100, "hunderd": 100},
    **{"thousand": 1000, "grand": 1000, "million": 1000000},
}
_HUNDRED = 100
_COUNT = rf"(?:(?:{'|'.join(_TENS)})(?:[ -](?:{'|'.join(_ONES[1:10])}))?|{'|'.join(_ONES)})"
_SPELT_OUT = re.compile(
    rf"(?<![\w'-])(?:(?:a|[0-9]++|{_COUNT}) (?:hundred|hunderd|thousand|grand|million)"
    rf"(?:(?: and)? (?:{_COUNT}|hundred|thousand|million)){{0,4}}+"
    r"|(?<!this )(?<!that )(?<!the )(?<!which )(?<!no )(?<!any )(?<!every )"
    rf"(?!one of (?:the|my|his|her|their|your)\b){_COUNT}"
    r"|once(?= *(?:,|and\b|pls\b|please\b|thanks?\b|\Z))|twice)(?![\w'-])",
    re.IGNORECASE,
)
CANCEL, _ALL, _IF = "CANCEL", " ALL", "IF"
"""What is said of all comes first: others take its place."""

Legal = Callable[[str], Collection[str]]
"""Returns orders as they would be filed now, none if they would not be taken."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sentence is said."""

    legal: Legal = lambda orders: (orders,) if orders else ()
    """Without a position, all orders are."""
    seat: str = ""
    """"" if unknown."""
    asked: Callable[[], Sequence[str]] = tuple
    """Returns the slots that the seat owes."""
    corrects: bool = False
    """Whether a sentence may be given the time to find what it nearly is."""
    standing: Collection[Order] = ()
    """What CANCEL may take back."""


ANYWHERE = Place()


class Reader(Protocol):
    """What is asked about a language."""

    @property
    def words(self) -> frozenset[str]: ...

    @property
    def keywords(self) -> frozenset[str]: ...

    @property
    def known(self) -> frozenset[str]: ...

    @property
    def other_words(self) -> OtherWords: ...

    @property
    def corrector(self) -> Corrector: ...

    def reads(self, text: str) -> bool: ...

    def reach(self, text: str) -> int: ...

    def parse(self, text: str) -> Sequence[Order]: ...

    def expected_words(self, text: str, at: int) -> Sequence[str]: ...


@dataclass(frozen=True)
class OtherWords:
    """What people write for a grammar's words."""

    said: Mapping[str, Sequence[str]]
    """Phrase in small letters -> the grammar's words, perhaps of several orders."""
    alone: Sequence[str]
    """Words that may be left out before an order."""
    lists: Mapping[str, frozenset[str]]
    """Small words by what they say: the lines ``//: past: was were``."""
    slate: tuple[str, ...]
    """The word of the order that fills offices, and these; () if there is none."""


def other_words(grammar: str, known: Collection[str]) -> OtherWords:
    """Read the lines ``//= VOTE NO ON: oppose, nay/no to/-`` of a grammar. known: its words."""
    rows = [(words, phrases.strip()) for words, phrases in _LINES.findall(grammar)]
    said = dict[str, list[str]]()
    for words, phrases in rows:
        if first_word(words.replace("/", "")) in known or not words[:1].isupper():
            for one in phrases.split(",") if phrases else ():
                for some in product(*(word.split("/") for word in one.split())):
                    phrase = " ".join(word for word in some if word != "-")
                    said.setdefault(phrase, []).append(words)
    alone = [one for words, phrases in rows if words and not phrases for one in words.split(", ")]
    lists = dict[str, list[str]]()
    for name, words in _LISTS.findall(grammar):
        lists.setdefault(name, []).extend(words.split())
    slate = tuple(lists.pop("slate", ()))
    return OtherWords(said, alone, {name: frozenset(few) for name, few in lists.items()}, slate)


def negated(text: str) -> bool:
    """Say whether it says "not" of something ("Pas" alone is a slip for PASS)."""
    return " " in text.strip() and bool(_NEGATED.search(text))


def doubts(text: str, *, beside: bool) -> bool:
    """Return whether a line may take back, change or condition an order. beside: in its passage."""
    depends = beside and (_DEPENDS.search(text) or negated(text))
    return bool(_RETRACTS.search(text) or depends)


def adds(text: str) -> bool:
    """Return whether a sentence adds to what stands."""
    return bool(_ADDS.search(_TOO.sub("", text)))


def sure(reader: Reader, sentence: str, names: Collection[str] = ()) -> str:
    """Return the orders that a sentence is but for courtesies, or ""."""
    text = bare(sentence, names)
    if first_word(text) not in reader.words or len(text.split()) < 2 or text[-1:] in "?\u2026":
        return ""
    return "" if _SUPPOSED.search(text) or negated(text) else whole(reader, text)


def orders_of(reader: Reader, line: str, names: Collection[str]) -> str | None:
    """Return the orders that a line surely is, "" for courtesies; None for anything else."""
    said = [one for one in of_line(line) if not is_courtesy(one, names)]
    found = [sure(reader, one, names) for one in said]
    return "\n".join(found) if all(found) else None


def suggestion(reader: Reader, text: str, at: int, near: Callable[[str], str], place: Place) -> str:
    """Return the orders or the word that was meant, or "". at: where reading stops. near: returns
    the order word nearest to a first word."""
    if yes(text, (), lambda line: False):
        return ""  # it answers a suggestion, or nothing
    text = text.removeprefix(meant[0]) if (meant := _CORRECTS.match(text)) else text
    if (back := taken_back(reader, text, place)) is not None:
        return back
    first = first_word(text)
    slip = "" if first in reader.words else near(first)
    formal = _formal(reader, text, at, slip, place)
    if formal and negated(text) and not negated(formal) and not formal.startswith(CANCEL):
        formal = slip = ""
    if formal and place.legal(formal):
        return formal
    found = _corrected(reader, text, place) if place.corrects else ""
    if any(is_list(one) and str(one) == one.slot == found for one in _orders(reader, found)):
        found = ""  # an empty list
    if found and adds(text):
        found = _added(reader, found, place)
    if found and (instead := _INSTEAD.search(text)):
        found = _replacing(reader, found, instead[1] or "", place)
    if found and _keeps(reader, text, found) and not _says_otherwise(reader, text, place.seat):
        return found
    return formal or (slip if slip and (len(text.split()) == 1 or text.startswith(first)) else "")


def _keeps(reader: Reader, text: str, offered: str) -> bool:
    """Return whether an order keeps its word and conditions, and one that reads its numbers."""
    said, first = offered.upper().replace(",", "").replace(";", "").split(), first_word(text)
    if _FOR_ME.match(text) and not _YES.isdisjoint(said):
        return False
    if first in reader.words and text.upper().split().count(_IF) > said.count(_IF):
        return False
    if text.startswith(first) and first in reader.words and first not in said:
        return False  # "TAKE CRAD" is no CAMPAIGN, "accept none" no BILL NONE
    texts = (one.upper().replace(",", "").split() for one in (text, plain(text)))
    exactly = _EXACT if any(sign in text for sign in "<>=") else _TOLD
    exact, spelt, kept = ({*filter(exactly.search, some)} for some in (*texts, said))
    verbs = {one.removeprefix(_LATER).split()[0] for one in offered.split("; ")}
    named = {one for one in kept - spelt if one[:1].isalpha()}  # codes of what has a name
    enough = len(named) <= len(reader.corrector.said(text)[0])
    same = exact <= kept <= spelt | named and enough and verbs <= {first, *text.upper().split()}
    return not reader.reads(text) or same


def _formal(reader: Reader, text: str, at: int, slip: str, place: Place) -> str:
    """Return the order that a text is but for a slip in it, or for what stands around it."""
    rest, first = _BEFORE_ORDER.sub("", text, count=1), first_word(text)
    behind = "" if _SUPPOSED.search(text) else text.rpartition(": ")[2]
    for one in (rest, rest.replace(" and ", ", "), text.strip('"'), text.rstrip(" ?"), behind):
        found = whole(reader, one) if first_word(one) in reader.words else ""
        if found and place.legal(found):
            return found
    if slip:
        mended = slip + text.lstrip()[len(first) :]
        return whole(reader, mended) or (
            unstopped(mended) if slip == CANCEL and len(mended.split()) <= _SHORT_CANCEL else ""
        )
    return _mended(reader, text, at) if first in reader.words else ""


def _corrected(reader: Reader, text: str, place: Place) -> str:
    """Return the orders that a sentence nearly is: those that would be taken, else the nearest. Of
    several sentences each is looked at by itself first; such as contradict are no orders."""
    said = [one for one in of_line(text) if not is_courtesy(one, ())]
    each = [_corrected(reader, one, place) for one in said] if len(said) > 1 else [""]
    if all(each):
        orders = list(dict.fromkeys("; ".join(each).split("; ")))
        together = _joined(reader, orders)
        lists = any(map(is_list, (order for one in orders for order in _orders(reader, one))))
        if place.legal(together) if together else not lists:  # of a list both may be parts
            return together
    asks = _ASKS.match(text) and not _WHEN_NOT_ASKED.match(text)
    request = _REQUESTS.match(text)
    if request and request[1] and not reader.corrector.said(text)[0]:
        request, asks = None, True
    retracts = _RETRACTS.search(text) and not _MINDED.search(text)
    if asks or ("?" in text and not request) or retracts or told(text):
        return ""

    def reads(orders: str) -> str:
        """ "me" is a word of some grammars."""
        mine = _ME.sub(place.seat, orders) if place.seat else orders
        once = written(orders, mine)
        kept = written(*("; ".join(map(put_off, one.split("; "))) for one in once))
        return next(filter(place.legal, (*once, *kept)), once[-1] if once else "")

    def put_off(order: str) -> str:
        later = order.split(maxsplit=1)[0].lower() in reader.corrector.lists["later"]
        return f"{_LATER}{order}" if later and _TOLD.search(order) else order

    def written(*ways: str) -> list[str]:
        said = filter(readable, dict.fromkeys(ways))
        each = (sorted(map(str, _orders(reader, one)), key=_of_all) for one in said)
        return list(filter(readable, (_joined(reader, orders) for orders in each)))

    def readable(orders: str) -> bool:
        return all(map(reader.reads, orders.split("; ")))

    owed = [("ON", *slot.split()[1:]) for slot in place.asked() if " " in slot]
    on = owed if len(owed) == 1 else ()
    return reader.corrector.orders(plain(text), reads, place.legal, on, place.seat)


def taken_back(reader: Reader, text: str, place: Place) -> str | None:
    """Return the CANCEL of each order that a text takes back, and what else it orders, "" if that
    is unclear; None if it takes none back."""
    back, rest, lost, said = dict[str, Order](), "", False, reader.corrector.said
    parts = ["", *_PIECES.split(text)]  # marks, and what stands behind each
    asks = "?" in text and not _REQUESTS.match(text)
    for mark, piece in () if asks else zip(parts[::2], parts[1::2], strict=True):
        found, what = _BACK.match(piece), piece
        denied = None if found else _DENIES.match(piece)
        if denied and (given := _taken(reader, piece[denied.end() :], place, sure=True)):
            back |= {f"{CANCEL} {order.slot}": order for order in given}
            continue
        if not (found or back):
            rest += mark + piece
            continue
        if found:
            what = found.expand(r" \1\2\3 ") + piece[found.end() :]
        names, verbs = said(what)
        also = _ALSO.match(piece) or (names and not reader.reads(bare(piece)))
        orders = _taken(reader, what, place) if found or also else []
        if not (orders or names or verbs):
            orders = [*back.values()] or _taken(reader, rest, place)
            lost = lost or bool(found and not orders and _named(found))
        elif not orders:
            lost = lost or bool(found and not _is_own(reader, found, piece, what))
            rest += mark + piece
        back |= {f"{CANCEL} {order.slot}": order for order in orders}
    if lost or not back:
        return "" if lost else None
    after = replace(place, standing=(), legal=lambda more: place.legal("; ".join((*back, more))))
    rest = _RETRACTS.sub("", rest).replace(" instead", "").strip(" ,;:.!")
    verb = first_word(str(next(iter(back.values()))))
    more = _corrected(reader, rest, after) or (rest and _corrected(reader, f"{verb} {rest}", after))
    if {*map(str, _orders(reader, more))} <= {*map(str, back.values())}:
        more = ""  # it says what it takes back
    known = set[str]().union(*map(_parts, back.values()))
    left = {
        one for one in said(rest)[0] - known if one.lower() not in reader.corrector.lists["not"]
    }
    lines = "; ".join((*back, *filter(None, (more,))))
    return lines if (more or not left) and place.legal(lines) else ""


def _named(found: re.Match[str]) -> bool:
    """Return whether it says what is taken back, by more than "it"."""
    words = (found[1] or found[2] or found[3] or "").lower().split()
    return not {*words} <= {"it", "this", "that", "them", "those", "these", "all", "everything"}


def _is_own(reader: Reader, found: re.Match[str], piece: str, what: str) -> bool:
    """Return whether words that may take an order back are an order themselves: PREFER NONE."""
    head = found[0].replace(found[1] or found[2] or found[3] or " ", " ")
    (_, alone), (_, verbs), (_, left) = map(reader.corrector.said, (head, piece, what))
    if found[1] and found[0].endswith("back"):
        return bool(verbs.keys() - left.keys() - alone.keys())
    own = verbs != left and not (found[2] and "no " in found[0].lower())
    return bool(alone) or 3 in verbs.values() or own


def _parts(order: Order) -> list[str]:
    text = f"{order} {order.slot}".upper().replace(",", "")
    return _WORDS.findall(text) + _FIGURES.findall(text)


def _taken(reader: Reader, what: str, place: Place, *, sure: bool = False) -> list[Order]:
    """Return the orders on file that words may be said of: one, or all of a kind. sure: by their
    own word, or names alone."""
    small = _TWICE.sub(_span, what)
    (names, verbs), fits = reader.corrector.said(small), dict[int, list[Order]]()
    spans = {name: range(int(name), int(to) + 1) for name, to in _SPAN.findall(small)}
    plural = any(word[-1:] == "S" and word[:-1] in reader.words for word in small.upper().split())
    in_turn = " ".join(one for one in _WORDS.findall(small.upper()) if one in names)
    for order in place.standing:
        words = _parts(order)
        hits = sum(value for one, value in verbs.items() if one in words)
        spanned = any(
            is_number(one) and int(one) in span for one in words for span in spans.values()
        )
        plain_names = [one for one in names if not (spans and _FIGURES.match(one))]
        named = all(one in words or _is_of(reader, one, order, place) for one in plain_names)
        named = named or bool(in_turn and _is_of(reader, in_turn, order, place))
        fit = named and all(one in words for one, value in verbs.items() if value > 1)
        fit = fit and not (sure and verbs and hits < 2)
        if fit and (spanned or not spans) and (hits or names):
            fits.setdefault(hits, []).append(order)
    best = fits[max(fits)] if fits else []
    return best if len(best) == 1 or spans or plural else []


def _span(found: re.Match[str]) -> str:
    """Return "bloc 21-30" for "bloc 21 to bloc 30"."""
    word, first, again, last = found.groups()
    return f"{word} {first}-{last}" if word.lower() == again.lower() else found[0]


def _is_of(reader: Reader, name: str, order: Order, place: Place) -> bool:
    """Return whether an order has a name by another word: "Ohio" is OH."""
    words = str(order).split()
    said = (" ".join([*words[:at], name, *words[at + 1 :]]) for at in range(1, len(words)))
    return any(
        reader.reads(one)
        and [other.slot for other in reader.parse(one)] == [order.slot]
        and str(order) in {*map(str, reader.parse(one)), *place.legal(one)}
        for one in said
    )


def plain(text: str) -> str:
    """Return a text with figures for numbers in words, and ranges in one piece."""
    text = _ID.sub("i'd", text if _SUPPOSED.search(text) else _INSTEAD.sub("", text))
    text = _VOTE_FOR.sub(r"vote on \1", _ALL_OF.sub("", text))
    text = grouped(_BUT_NOT.sub("", _EXCEPT.sub(r", \1 ", text)))
    parts = text.split('"')  # what stands in quotes stays
    parts[::2] = [
        _TO.sub(_as_range, _OWN.sub("", _SPELT_OUT.sub(_in_figures, one))) for one in parts[::2]
    ]
    return '"'.join(parts)


def _says_otherwise(reader: Reader, text: str, seat: str) -> bool:
    """Return whether a sentence tells of others or is a name."""
    names, subject = reader.known - reader.keywords, _SUBJECT.match(text)
    other = subject[1].upper() if subject and not _SPEAKER.search(text) else ""
    return (other in names and not other.startswith(seat.upper() or "?")) or text in names


def is_list(order: Any) -> bool:
    """Return whether it replaces all of a list."""
    values = (getattr(order, field.name) for field in fields(order))
    return " " not in order.slot and any(isinstance(value, tuple) for value in values)


def _added(reader: Reader, orders: str, place: Place) -> str:
    """Return orders whose lists go on those that stand; "" if one cannot."""
    stands, made = {one.slot: str(one) for one in place.standing}, list[str]()
    for order in _orders(reader, orders):
        before, (verb, _, more) = stands.get(order.slot, ""), str(order).partition(" ")
        summed = f"{verb} {_sums(f'{before.removeprefix(verb).strip()}, {more}')}"
        both = (summed, f"{before} {more}") if before and is_list(order) else (str(order),)
        ways = list(filter(reader.reads, both))
        made.append(next(filter(place.legal, ways), ways[0] if ways else ""))
    return "; ".join(made) if all(made) else ""


def _replacing(reader: Reader, orders: str, old: str, place: Place) -> str:
    """Return orders, and the CANCEL of the only one of the same word that they would join, or of
    what they come instead of. old: that, or ""."""
    slots, more = {order.slot for order in place.standing}, list[str]()
    for order in _orders(reader, orders):
        word = first_word(str(order))
        said = _taken(reader, f"{word} {old}", place) if old else place.standing
        like = [one.slot for one in said if first_word(str(one)) == word]
        more += [f"{CANCEL} {like[0]}"] if order.slot not in slots and len(like) == 1 else []
    both = "; ".join((*more, orders))
    return both if more and place.legal(both) else orders


def _sums(items: str) -> str:
    """Return a list with an item that it has twice once: NY 1, ME 1, NY 2 are NY 3, ME 1."""
    sums = dict[str, int]()
    for item in items.split(", "):
        what, _, number = item.rpartition(" ")
        if not (what and is_number(number)):
            return items
        sums[what] = sums.get(what, 0) + int(number)
    return ", ".join(f"{what} {number}" for what, number in sums.items())


def _joined(reader: Reader, orders: Sequence[str]) -> str:
    """Return several orders as one list, "" if two fill one slot."""
    slots = [one.slot for meant in orders for one in _orders(reader, meant)]
    return _short("; ".join(orders)) if len(slots) == len(set(slots)) and all(orders) else ""


def _in_figures(found: re.Match[str]) -> str:
    total = part = 0
    for word in found[0].lower().replace("-", " ").split():
        value = int(word) if is_number(word) else _VALUES.get(word, 0)
        if is_number(word) or value < _HUNDRED:
            part += value
        else:
            total, part = (total, part * value) if value == _HUNDRED else (part * value, 0)
    return str(total + part)


def _mended(reader: Reader, text: str, at: int) -> str:
    bad = text[at:].split(maxsplit=1)
    word = bad[0].strip(",;") if bad else ""
    near = nearest(word.upper(), reader.expected_words(text, at)) if word else ""
    if near:
        return whole(reader, f"{text[:at]}{near}{text[at:].lstrip()[len(word) :]}") or near
    before, behind = text[:at].rstrip(" ,;"), text[at:].strip(_AROUND).split()
    meant = len(before.split()) > 1 and len(behind) != 1  # a single word may matter
    names = reader.known - reader.keywords  # and so does a name or a number
    kept = not any(word.upper() in names or _TOLD.search(word) for word in behind)
    return whole(reader, before) if meant and kept else ""


def whole(reader: Reader, text: str) -> str:
    """Return the orders that a text is as a whole."""
    text = unstopped(bare(text)).strip(" ,;:")
    for one in (text, _spelt(text)):
        if one and reader.reads(one):
            return _short("; ".join(sorted(map(str, reader.parse(one)), key=_of_all)))
    return ""


def _orders(reader: Reader, lines: str) -> list[Order]:
    parts = [one for one in lines.split("; ") if reader.reads(one)]
    return [order for one in parts for order in reader.parse(one)]


def _of_all(order: str) -> bool:
    return not order.endswith(_ALL)


def _spelt(text: str) -> str:
    """Return an order without the colon behind its word, with "12-50" for "12 to 50"."""
    head, colon, rest = text.partition(":")
    return _TO.sub(_as_range, f"{head} {rest}" if colon and head.isalpha() else text)


def _as_range(found: re.Match[str]) -> str:
    """Leave "1 to P5"."""
    letter, number, behind = found.groups()
    return found[0] if behind and not letter else f"{letter}{number}-"


def _short(orders: str) -> str:
    flat = " ".join(orders.split())
    return flat if len(flat) <= _LONGEST else ""
