"""Orders in other words, read by the order grammar.

``//= VOTE NAY ON: oppose, no to`` in it says what people write for its words. A sentence is sure if
it is the order but for courtesies, numbers with "to" and a colon; what else could be meant is only
offered.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, partial
from itertools import pairwise, product
from typing import Any, Protocol

from pbem.orders.characters import first_word, unstopped
from pbem.orders.correcting import Corrector
from pbem.orders.order import Order
from pbem.orders.sentences import YES, bare, is_courtesy, of_line, plain_words, word_list, yes
from pbem.orders.spelling import is_number, nearest, slips
from pbem.orders.writing import even

_LINES = re.compile(r"^//= ([^:\n]*?) ?:(.*)$", re.MULTILINE)
_INNER = re.compile(r"(?<![^\s,;:.\"'(\[])[A-Za-z]{3,20}(?![\w/-])")
_TRIES = 4
_LONGEST = 200
"""Characters searched for an order."""
_TOLD = re.compile("[0-9]")
_FIGURES = re.compile(r"(?<![0-9])[0-9]{1,12}(?![0-9])")
_RANGE = re.compile(r"(?<![0-9])([0-9]{1,12})-([0-9]{1,12})(?![0-9])")
_OTHERS = re.compile(r"\bother [0-9]")
_GROUPS = re.compile(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))")
_THOUSAND = re.compile(r"(?<=[0-9])[kK](?![A-Za-z])")
_ACROSS = 6
"""Words, and blanks between them; a longer phrase may have a comma."""
_FEW, _LONG = 3, 5
"""Among more words, a single one is no order."""
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
_TALK = re.compile(
    r"\b(?:you(?:rs?)?|he|she|they|him|her|them|his|both|shall|might|could|should|would|maybe|perhaps"
    r"|may|told|said|says|swears?|wrote|asked|asks|wants|gave|promised?|think|thought|guess|hear|heard|was|were|had|did|last|who"
    r"|what|whom|why|how|offered|hope|agree|suppose|never|except|until|before|whether)\b",
    re.IGNORECASE,
)
"""What is not said to a referee, or of what is to be."""
_IF = re.compile(r"\b[Ii]f\b")
_ASKS = re.compile(
    r"(?:(?:hi|hey|ok|so|and|but|sorry|pls|please|till|until|by)[ ,]++)*+(?:(?:is|are|was|were|did"
    r"|does|has|wh(?:en|o|at|ere|y|ich)|how)(?:'?s)?\b"
    r"|(?:have|do|can|could|will|would|should|may|must) (?:i|we|he|she|they|it|there|any\w*"
    r"|every\w*|all|the|my|our|others?)\b)",
    re.IGNORECASE,
)
"""How a question begins, with its mark or without."""
_REQUESTS = re.compile(r"(?:can|could|will|would) you (?:please|kindly|be so)", re.IGNORECASE)
_WHEN_NOT_ASKED = re.compile(
    r"when(?:ever)? (?!is|are|do|does|did|will|can|must|should)|should [^?]*+\Z"
    rf"|{_REQUESTS.pattern}",
    re.I,
)
_RETRACTS = re.compile(
    r"\b(?:no,? wait|wait,? no|scrap (?:it|that|this)|forget (?:it|that|the)|oops|sorry, no|meant"
    r"|correction|make (?:it|that)|joking|kidding|second thoughts?|never ?mind)\b",
    re.IGNORECASE,
)
_EXCLUDES = re.compile(
    r"\b(?:except|apart from|(?:other|rather) than|instead of|remove|out of|never|no longer"
    r"|any ?more"
    r"|(?:every|any|no)thing(?: \w+){0,3} but|all(?: \w+){0,3} but)\b"
)
_ADDS = re.compile(r"\b(?:add|as well|also|too|another|again)\b", re.IGNORECASE)
_SUBJECT = re.compile(
    r"(?:the )?(\w+) (?:should|will|would|must|might|could|ought|shall)\b", re.IGNORECASE
)
_SPEAKER = re.compile(r"\b(?:i|we|my|our|me|us|please)\b", re.IGNORECASE)
_BEFORE_ORDER = re.compile(r"(?:(?:i|we|my|our|please)[ ,:]++){1,3}", re.IGNORECASE)
_COUNT_OF = re.compile(
    r"(?<![\w,])(?<!bill )(?<!on )(?<!motion )(?<!district )([1-9][0-9]?)"
    r"(?: (?:points?|count(?:y|ies)|votes?))?(?: (?:in|into|of|from))? ([A-Za-z]{4,}+)(?![\w/'+-])"
)
"""A number before the name that it belongs to."""
_DEPENDS = re.compile(
    r"\b(?:wait|actually|mean|rather|instead|ignore|if|unless|provided|but)\b", re.IGNORECASE
)
"""In the lines of a letter that a mail program adds, and in talk, these say nothing of orders."""
_LISTED = re.compile(
    r"(?:\band|\bplus|\bas well as|&|\+)(?: (?:an?|the|also|my|some|[0-9]{1,12})){0,3}"
    r" ([A-Za-z]{4,20})\b(?! no\b)",
    re.IGNORECASE,
)
"""What is said beside something else."""
_PARTS = re.compile(r"[\w'/+-]+|[^\w'/+-]+")
"""A word, or what stands between two."""
_TO = re.compile(
    r"(?<=[0-9]) ++(?:to|through|thru|until|till|bis|-)(?= ++(?:[A-Za-z]?[0-9]))", re.I
)
_IDLE = re.compile(
    r"(?<![^\s,:])(?:my|our|the|an?(?! ++and\b)|is|are|am|be|i|will|shall|of|as|that|this|with|to"
    r"|for|on|at|it|from|each|please|times?|week|round|turn|period|session|now|then|also|just|own"
    r"|only|but|out|so|instead|around|over|ok|up|again|today|tonight|everyone|everybody|go(?:es)?"
    r"|gets?|does|do|keeps?|takes?|(?:in|me)(?! [0-9]++,? [A-Za-z])"
    r"|(?<![0-9] )(?<![0-9], )(?<!and )(?:in|me))(?=[ ,:]++[^\s]|(?<!\ba)\Z)"
)
"""Words in small letters that say nothing, where the grammar has none of them."""
_NAME = r"(?!and\b)[A-Za-z][\w'/-]*+"
_COUNTED = (
    r"(?<![^\s,])(?<![0-9],)([0-9]++(?:,[0-9]++)*+|high|low)"
    rf" ++({_NAME}(?: {_NAME})*)(?= *+(?:,|and\b|[0-9]|\Z))"
)
_COMPARED = (
    (re.compile(r"(less than|more than|at least|at most) ([0-9,]++) ([a-z]++)"), r"\3 \1 \2"),
    (re.compile(r"(?<![0-9,])([0-9,]++) ([a-z]++) or (?:more|better)\b"), r"\2 at least \1"),
    (re.compile(r"\bIF ([0-9,]++) ([a-z]++)"), r"IF \2 at least \1"),
)
"""A number before what it is compared with, and what stands for it."""
_TURNED = (*_COMPARED, (re.compile(_COUNTED), r"\2 \1"))
_ME = re.compile(r"\b(?:me|myself|i|mine|my own(?: bill| motion)?)\b", re.IGNORECASE)
_SMALL = re.compile(r"(?<![\w'/-])[a-z]{5,20}(?![\w'/-])")
_CLAUSES = re.compile(
    r"(?:[,:;]|\.(?= )| -) ++(?:(?:and|so|then|also|after that) ){0,3}+"
    r"| (?=(?:so|because|since|although|though|then|after that|afterwards) )"
    r"(?:(?:so|then|after that|afterwards) )?"
)
_NAMED = re.compile(
    r"(NAME) (?:the )?([A-Z][\w'-]*+(?: [A-Z][\w'-]*+){0,4})(?: from (?:today|now)(?: on)?)?\Z"
)
_GOING = re.compile(r"(?<![\w'])[A-Za-z]{2,20}ing(?![\w'])")
_SAME = (
    (re.compile(r"\bnd\b|(?<= )\+(?= )", re.IGNORECASE), "and"),
    (re.compile(r"\bfrm\b", re.IGNORECASE), "from"),
    (re.compile(r"(?<!\w)4 (?=me\b|us\b|anyone\b)", re.IGNORECASE), "for "),
    (re.compile(r"\bour\b", re.IGNORECASE), "my"),
    (
        re.compile(
            r"(?<!/)\b(?:i|we)(?:'?(?:m|re|ve|ll)| am| are| will| shall| have)?\b", re.IGNORECASE
        ),
        "i",
    ),
    (re.compile(r"\b(?:should|will|shall|would) be\b", re.IGNORECASE), "is"),
    (re.compile(r"\b(?:her|his|their) (?=[A-Z]?[0-9])"), ""),
    (re.compile(r"(?<=\w)'s\b|(?<=s)'(?!\w)|\bx ?(?=[0-9])|(?<=[0-9]) ?x\b"), ""),
)
_REASON = re.compile(
    r"(?<=\w)(?:[ ,]++(?:cos|coz|cuz|because|since|bc|so that|haha\w*|lol|xd|let'?s go)"
    r"|,? ++as far as"
    r"|, ++(?:it|this|that|i (?:know|think|decide|hope|believe|trust)|(?:he|she|they) [a-z]++)"
    r"|, ++(?:as(?! long)|for(?! the rest| all)|which|though|naturally|thanks?|and so"
    r"|so (?:he|she|they|we|i|that|please)))"
    r"\b[^\n]*+\Z",
    re.IGNORECASE,
)
"""A reason behind what is to be done."""
_PREAMBLE = re.compile(
    r"(?:(?:since|because|as|dear|good|hi|hello|hey|well)\b(?! long)[^,:\n]{2,80}[,:] *+){1,2}+",
    re.IGNORECASE,
)
_REMARK = re.compile(
    r"(?<=\w)[ ,]++(?:and i (?:am )?(?:ready|done)|so (?:he|she|they|we|i|(?:\w+ )?(?:everybody"
    r"|everyone|sees?))|just (?:to|because)|(?:but (?:i )?|and so )(?:keep|stay|remain)"
    r"|(?:he|she|they) (?!or\b|and\b)[a-z]++)\b(?! ++[0-9])[^\n]*+\Z",
    re.IGNORECASE,
)
_VOTE = re.compile(r"\b(?:yes|no|aye|nay)\b", re.IGNORECASE)
_CHOICES = re.compile(rf"\b(?:and|but|then) {_VOTE.pattern}", re.IGNORECASE)
_WHEN = re.compile(
    r"(?:IF|if|when|while|as long as) (.{2,60}?),? (?:then )?(?:i )?(?:ready to )?"
    r"([A-Z]{3,20}\b.*+)"
)
"""A condition before an order."""
_LEADS = re.compile(
    r"(?:(?:ok(?:ay)?|hey|well|so|and|then|please|kindly|just|let'?s|let (?:me|us)"
    r"|(?:can|could|will|would) you(?=[^\n]{0,60} (?:me|my|us)\b)"
    r"|(?:can|could|will|would) you (?:please|kindly|be so (?:good|kind) as to)"
    r"|i(?:(?:'?d|'?ll| would| should| shall| will| do)(?: like| love| rather| sooner| prefer| be"
    r"| gladly)*+| want| wish| mean| intend| plan| am going| prefer)?(?: to(?: be)?)?"
    r"|put (?:me|us) down (?:for|as)|count me(?: as)?(?: for)?)[ ,:]++)*+",
    re.IGNORECASE,
)
"""How a request begins."""
_ONES = word_list(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen"
)
_TENS = word_list("twenty thirty forty fifty sixty seventy eighty ninety")
_VALUES = {
    **{word: n for n, word in enumerate(_ONES)},
    **{word: 10 * n for n, word in enumerate(_TENS, 2)},
    **{"a": 1, "once": 1, "twice": 2, "hundred": 100, "thousand": 1000, "million": 1000000},
}
_HUNDRED = 100
_COUNT = rf"(?:(?:{'|'.join(_TENS)})(?:[ -](?:{'|'.join(_ONES[1:10])}))?|{'|'.join(_ONES)})"
_SPELT_OUT = re.compile(
    rf"(?<![\w'-])(?:(?:a|[0-9]++|{_COUNT}) (?:hundred|thousand|million)"
    rf"(?:(?: and)? (?:{_COUNT}|hundred|thousand|million)){{0,4}}+"
    rf"|{_COUNT}|once(?= *(?:,|and\b|\Z))|twice)(?![\w'-])",
    re.IGNORECASE,
)
CANCEL, _ALL = "CANCEL", " ALL"
"""What is said of all comes first: others take its place."""

Legal = Callable[[str], bool]
"""Whether orders would be taken now."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sentence is said."""

    legal: Legal = bool
    """Without a position, all orders are."""
    seat: str = ""
    """"" if unknown."""
    asked: Callable[[], Sequence[str]] = tuple
    """Returns the slots that the seat owes."""
    corrects: bool = False
    """Whether a sentence may be given the time to find what it nearly is."""


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

    said: Mapping[str, str]
    """Phrase in small letters -> the grammar's words."""
    also: Mapping[str, str]
    """Phrase -> the grammar's words, the later line where two have it."""
    alone: Sequence[str]
    """Words that may be left out before an order."""

    @cached_property
    def verbs(self) -> frozenset[str]:
        """The words that phrases begin with."""
        return frozenset(phrase.partition(" ")[0] for phrase in self.said)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The longer words of phrases."""
        return frozenset(word for one in self.said for word in one.split() if len(word) >= _LONG)

    @cached_property
    def _longest(self) -> int:
        """The most words, and blanks between them, of a phrase."""
        return max((len(_PARTS.findall(phrase)) for phrase in self.said), default=0)

    def put(
        self, text: str, leave: frozenset[str] = frozenset(), said: Mapping[str, str] | None = None
    ) -> str:
        """leave: words that are put only in the place of phrases that begin with them."""
        parts, made, at = _PARTS.findall(text), list[str](), 0
        while at < len(parts):
            for many in range(min(self._longest, len(parts) - at), 0, -1):
                phrase = "".join(parts[at : at + many])
                phrase = phrase.replace(",", "") if many > _ACROSS else phrase
                if (put := (said or self.said).get(phrase.lower())) is not None:
                    kept = first_word(put) in leave - {first_word(phrase)}
                    made.append(phrase if kept else put)
                    at += many
                    break
            else:
                made.append(parts[at])
                at += 1
        return _once_each("".join(made))


def _once_each(text: str) -> str:
    """Leave a word out that was just said ("vote vote yes")."""
    kept, last = list[str](), ""
    for part in _PARTS.findall(text):
        if part.isalpha() and len(part) > _FEW and part.lower() == last:
            kept.pop()
            continue
        last = last if not part.strip(" :,") else part.lower()
        kept.append(part)
    return "".join(kept)


def other_words(grammar: str, known: Collection[str]) -> OtherWords:
    """Read the lines ``//= VOTE NO ON: oppose, nay/no to/-`` of a grammar. known: its words."""
    rows = [(words, phrases.strip()) for words, phrases in _LINES.findall(grammar)]
    said, also = dict[str, str](), dict[str, str]()
    for words, phrases in rows:
        if first_word(words) in known or not words[:1].isupper():
            for one in _in_one_way(phrases).split(",") if phrases else ():
                for some in product(*(word.split("/") for word in one.split())):
                    phrase = " ".join(word for word in some if word != "-")
                    also[phrase] = words
                    said.setdefault(phrase, words)
    alone = [one for words, phrases in rows if words and not phrases for one in words.split(", ")]
    return OtherWords(said, also, alone)


def negated(text: str) -> bool:
    """Say whether it says "not" of something ("Pas" alone is a slip for PASS)."""
    return " " in text.strip() and bool(_NEGATED.search(text))


def doubts(text: str, *, beside: bool) -> bool:
    """Return whether a line may take back, change or condition an order. beside: in its passage."""
    depends = beside and (_DEPENDS.search(text) or negated(text))
    return bool(_RETRACTS.search(text) or depends)


def sure(reader: Reader, sentence: str, names: Collection[str] = ()) -> str:
    """Return the orders that a sentence is but for courtesies, or ""."""
    text = bare(sentence, names)
    if first_word(text) not in reader.words or len(text.split()) < 2 or text[-1:] in "?\u2026":
        return ""
    return "" if _SUPPOSED.search(text) or negated(text) else whole(reader, text, idle=False)


def orders_of(reader: Reader, line: str, names: Collection[str]) -> str | None:
    """Return the orders that the sentences of a line surely are, "" for courtesies; None if one is
    anything else."""
    said = [one for one in of_line(line) if not is_courtesy(one, names)]
    found = [sure(reader, one, names) for one in said]
    return "\n".join(found) if all(found) else None


def suggestion(reader: Reader, text: str, at: int, near: Callable[[str], str], place: Place) -> str:
    """Return the orders or the word that was meant, or "". at: where reading stops. near: returns
    the order word nearest to a first word."""
    if yes(text, (), lambda line: False):
        return ""  # it answers a suggestion, or nothing
    rest = _BEFORE_ORDER.sub("", text, count=1)
    for one in (rest, rest.replace(" and ", ", ")) if rest != text else ():
        formal = whole(reader, one, idle=False) if first_word(one) in reader.words else ""
        if formal and place.legal(formal):
            return formal
    meant = _meant(reader, text, at, near, place)
    return "" if _says_otherwise(reader, text, meant, place.seat) else meant


def _meant(reader: Reader, text: str, at: int, near: Callable[[str], str], place: Place) -> str:
    said = _suggested(reader, text, at, near, place)
    stated = first_word(text) in reader.words or near(first_word(text))
    if not place.corrects or reader.reads(text) or (said and place.legal(said)):
        return said
    return _corrected(reader, text, place) or (said if stated else "")


def _says_otherwise(reader: Reader, text: str, orders: str, seat: str) -> bool:
    """Return whether a sentence has more parts, excludes a thing, adds to a list, tells of others
    or is a name."""
    put = reader.other_words.put(_in_one_way(text[:_LONGEST]))
    ends = orders.endswith("NONE") or " " not in orders
    excludes = None if ends else _EXCLUDES.search(put[:1].lower() + put[1:])
    adds = _ADDS.search(text) and any(map(_is_list, _orders(reader, orders)))
    excluded = excludes and excludes[0].upper() not in orders
    if adds or excluded or _leaves_part(reader, put, orders):
        return True
    names, subject = reader.known - reader.keywords, _SUBJECT.match(text)
    other = subject[1].upper() if subject and not _SPEAKER.search(text) else ""
    return (other in names and not other.startswith(seat.upper() or "?")) or text in names


def _is_list(order: Any) -> bool:
    """Return whether it replaces all of a list."""
    values = (getattr(order, field.name) for field in fields(order))
    return " " not in order.slot and any(isinstance(value, tuple) for value in values)


def _corrected(reader: Reader, text: str, place: Place) -> str:
    """Return the orders that a sentence nearly is and that would be taken, or ""."""
    asks = _ASKS.match(text) and not _WHEN_NOT_ASKED.match(text)
    if asks or ("?" in text and not _REQUESTS.match(text)) or _takes_back(text):
        return ""

    def accepts(orders: str) -> str:
        if not all(map(reader.reads, orders.split("; "))):
            return ""
        meant = _joined(reader, sorted(map(str, _orders(reader, orders)), key=_of_all))
        return meant if meant and place.legal(meant) else ""

    owed = [("ON", *slot.split()[1:]) for slot in place.asked() if " " in slot]
    plain = _TO.sub("-", _turned(_of_words(reader, text), _COMPARED))
    return reader.corrector.orders(plain, accepts, owed if len(owed) == 1 else ())


def _takes_back(text: str) -> bool:
    return bool(_RETRACTS.search(text)) and "my mind" not in text


def _turned(text: str, forms: Sequence[tuple[re.Pattern[str], str]]) -> str:
    for form, put in forms:
        text = form.sub(put, text)
    return text


def _suggested(reader: Reader, text: str, at: int, near: Callable[[str], str], place: Place) -> str:
    many = of_line(text)
    if len(many) > 1:
        said = [_suggested(reader, one, reader.reach(one), near, place) for one in many]
        silent = (one for one, meant in zip(many, said, strict=True) if not meant)
        left = any(_TOLD.search(one) and not _TALK.search(one) for one in silent)
        found = [] if left else list(dict.fromkeys(filter(None, said)))
        if not found or (joined := _joined(reader, found)):
            return joined if found else ""
        text = ", ".join(map(unstopped, many))
        at = reader.reach(text)
    first, readable, all_of_it = first_word(text), "", _without_reason(text)
    put = reader.other_words.put(_in_one_way(all_of_it))
    meant = "" if first in reader.words else near(first)
    for part in _clauses(text, all_of_it):
        stops, slip = (at, meant) if part == text else (reader.reach(part), "")
        for one in _meanings(reader, part, stops, slip, place):
            if one and (_leaves_out(put, one) or _leaves_part(reader, put, one)):
                continue
            if one and place.legal(one):
                return one
            readable = readable or one
    return readable or (meant if len(text.split()) == 1 or text.startswith(first) else "")


def _joined(reader: Reader, orders: Sequence[str]) -> str:
    """Return several orders as one list, "" if two fill one slot."""
    slots = [one.slot for meant in orders for one in _orders(reader, meant)]
    return _short("; ".join(orders)) if len(slots) == len(set(slots)) and all(orders) else ""


def _without_reason(text: str) -> str:
    """Return a sentence without address and reason, unless these have a condition."""
    found = _REASON.search(text)
    if found and not (_SUPPOSED.search(found[0]) or _CHOICES.search(found[0])):
        text = text[: found.start()]
    found = _PREAMBLE.match(text)
    return text[found.end() :] if found and not _conditions(found[0]) else text


def _clauses(text: str, all_of_it: str) -> Iterator[str]:
    """Yield a sentence as it is or without reasons, and what stands behind its colon."""
    yield all_of_it
    head, _, tail = all_of_it.rpartition(": ")
    if " " in head and " " in tail and not _SUPPOSED.search(head):
        yield tail


def _leaves_out(text: str, orders: str) -> bool:
    """Return whether orders have less than the numbers of a sentence in the grammar's words. One is
    often "a"."""
    said, meant = (
        {int(one) for one in _FIGURES.findall(_in_full(some))} for some in (text, orders)
    )
    if _OTHERS.search(text):
        return True
    ranges = ((int(low), int(high)) for low, high in _RANGE.findall(orders))
    return any(not any(low <= one <= high for low, high in ranges) for one in said - meant - {1})


def _leaves_part(reader: Reader, text: str, orders: str) -> bool:
    """Return whether a text adds a word of the grammar that orders lack ("2 talents and an action
    card")."""
    said = {one.upper().removesuffix("S") for one in _LISTED.findall(text)}
    return bool(orders) and any(one not in orders.upper() for one in said & reader.keywords)


def _in_full(text: str) -> str:
    return _THOUSAND.sub("000", _GROUPS.sub("", even(text)))


def _meanings(reader: Reader, text: str, at: int, near: str, place: Place) -> Iterator[str]:
    """Yield what a sentence may mean, the likeliest first. near: an order word like its first."""
    first, other, legal = first_word(text), reader.other_words, place.legal
    if _ASKS.match(text) and not _WHEN_NOT_ASKED.match(text) and first not in reader.words:
        return
    stated, plain = first in reader.words, _plainer(reader, text[:_LONGEST])
    if near:
        mended = near + text.lstrip()[len(first) :]
        yield whole(reader, mended, legal) or (unstopped(mended) if near == CANCEL else "")
    put, sparing = other.put(plain), other.put(plain, reader.words | {CANCEL})
    when = _WHEN.fullmatch(put)
    if when and first_word(when[2]) in reader.words:
        does, otherwise, other_does = when[2].partition(" ELSE ")
        yield whole(reader, f"{does} IF {when[1]}{otherwise}{other_does}", legal)
        return
    if stated:
        same = (one for one in (text, sparing, put) if first_word(one) == first and " " in one)
        yield from (whole(reader, one, legal) for one in same)
        yield _mended(reader, text, at)
    if _TALK.search(put) or (_IF.search(put) and first_word(plain) not in reader.words):
        return
    yield _found(reader, put, legal, behind=stated)
    says = _IDLE.sub("", sparing).strip(_AROUND) and plain_words(text)
    if place.seat and says and not stated and not YES.union({"no"}).issuperset(says):
        said = product(other.alone, dict.fromkeys((sparing, _ME.sub(place.seat, sparing))))
        fits = list(filter(legal, {whole(reader, " ".join(one), legal) for one in said} - {""}))
        yield fits[0] if len(fits) == 1 else ""
        asked = [slot.partition(" ") for slot in place.asked() if first_word(slot) in other.alone]
        for word, _, on in asked if len(asked) == 1 and not _TOLD.search(put) else ():
            yield (
                whole(reader, f"{word} {put.removeprefix(f'{word} ')} ON {on}", legal) if on else ""
            )
    yield _found(reader, sparing, legal, behind=stated)
    yield _found(reader, other.put(plain, said=other.also), legal)
    if place.seat:
        yield _found(reader, _ME.sub(place.seat, put), legal)


def denies(reader: Reader, text: str, word: str) -> bool:
    """Return whether it says "not" beside an order's word, or but in other words for an order."""
    *_, part = _clauses(text, _without_reason(text))
    beside = (one for one in _CLAUSES.split(text) if one and word in one.upper().split())
    said = negated(reader.other_words.put(_plainer(reader, part[:_LONGEST])))
    return said or any(map(negated, beside))


def _plainer(reader: Reader, text: str) -> str:
    """Return a text in one way of many, with order words for their -ing, but in quotes, and without
    how a request begins."""
    plain = _of_words(reader, bare(text))
    begins = _LEADS.match(plain)
    return _without_remark(reader, plain[begins.end() :] if begins else plain)


def _of_words(reader: Reader, text: str) -> str:
    """Return a text in one way of many, with order words for their -ing, but in quotes."""
    words = {*map(str.lower, reader.words), *reader.other_words.verbs}
    forms = {form: word for word in words for form in _ing(word) if form not in words}
    parts = text.split('"')
    for at in range(0, len(parts), 2):
        plain = _COUNT_OF.sub(partial(_behind_name, reader), _in_one_way(parts[at]))
        plain = _GOING.sub(lambda one: forms.get(one[0].lower(), one[0]), plain)
        parts[at] = _SMALL.sub(lambda one: _of_phrases(reader, one[0]), plain)
    return '"'.join(parts)


def _behind_name(reader: Reader, found: re.Match[str]) -> str:
    names, before = reader.known - reader.keywords, found.string[: found.start()].upper().split()
    counted = before and before[-1].strip(",:") in names
    return f"{found[2]} {found[1]}" if found[2].upper() in names and not counted else found[0]


def _without_remark(reader: Reader, text: str) -> str:
    """Return a text without a remark behind it, unless that has a condition or a name."""
    found = _REMARK.search(text)
    if not found or _conditions(found[0]):
        return text
    words = {one.upper() for one in plain_words(found[0]) if len(one) >= _FEW}
    keeps = found[0].lstrip(" ,").startswith(("but", "and"))  # "but keep Foreign"
    named = words.intersection(reader.known - reader.keywords)
    return text if named and not keeps else text[: found.start()]


def _conditions(text: str) -> bool:
    """Return whether a part of a sentence may change the rest of it."""
    return bool(_SUPPOSED.search(text) or _VOTE.search(text))


def _of_phrases(reader: Reader, word: str) -> str:
    """Return the word of phrases that it is without one of its letters."""
    there = word.upper() in reader.known or word in reader.other_words.vocabulary
    near = [] if there else slips(word, reader.other_words.vocabulary)
    lacks = [one for one in near if len(one) > len(word) and one != f"{word}s"]
    return lacks[0] if len(lacks) == 1 else word


def _in_one_way(text: str) -> str:
    """Return "i" for "we are", "my" for "our" and figures."""
    for form, put in _SAME:
        text = form.sub(put, text)
    return _SPELT_OUT.sub(_in_figures, text)


def _in_figures(found: re.Match[str]) -> str:
    total = part = 0
    for word in found[0].lower().replace("-", " ").split():
        value = int(word) if is_number(word) else _VALUES.get(word, 0)
        if is_number(word) or value < _HUNDRED:
            part += value
        else:
            total, part = (total, part * value) if value == _HUNDRED else (part * value, 0)
    return str(total + part)


def _ing(word: str) -> tuple[str, str]:
    """Return how a word may be written with -ing: "passing", "voting" or "bidding"."""
    return f"{word.removesuffix('e')}ing", f"{word}{word[-1:]}ing"


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


def _found(reader: Reader, text: str, legal: Legal, *, behind: int = 0) -> str:
    """behind: the place from which an order may begin."""
    words, few = {*reader.words, CANCEL}, len(_without_idle(reader, bare(text)).split()) <= _FEW
    inner = [one for one in _INNER.finditer(text, behind) if one[0].upper() in words][:_TRIES]
    late = inner[-1:] if inner and not text[inner[-1].end() :].strip(_AROUND) else []
    if late and (len(inner) == 1 or late[0][0].isupper()):
        return _order(reader, f"{late[0][0]} {text[: late[0].start()]}", legal, few=few)
    said, starts = list[str](), [one.start() for one in inner]
    before = text[: starts[0]] if starts else ""
    named = (reader.known - reader.keywords).intersection(before.upper().split())
    others = before.endswith((" is ", " are ")) or any(len(one) > 2 for one in named)
    if others or _TOLD.search(before):
        return ""
    often = Counter(one[0].upper() for one in inner)
    for start, end in pairwise([*starts, len(text)]):
        once = end == len(text) or often[first_word(text[start:])] == 1
        all_of_it = whole(reader, text[start:], legal) if once and end < len(text) else ""
        meant = all_of_it or _order(reader, text[start:end], legal, few=few)
        if not meant and _TOLD.search(text[start:end]):
            return ""
        said.append(meant)
        if all_of_it:
            break
    return _short("; ".join(sorted(dict.fromkeys(filter(None, said)), key=_of_all)))


def _order(reader: Reader, text: str, legal: Legal, *, few: bool) -> str:
    rest = text.rstrip(_AROUND if text.count('"') % 2 else _AROUND.replace('"', ""))
    said = whole(reader, rest, legal)
    if said and (few or len(said.split()) > 1):
        return said
    part = rest[: reader.reach(rest)]
    dropped = rest[len(part) :]
    kept = len(part.split()) >= _FEW and not (_TOLD.search(dropped) or _SUPPOSED.search(dropped))
    return whole(reader, part, legal) if kept else ""


def whole(reader: Reader, text: str, legal: Legal = bool, *, idle: bool = True) -> str:
    """Return the orders that a text is as a whole, legal ones first. idle: but for idle words."""
    text = unstopped(bare(text)).strip(" ,;:")
    said, found = _spelt(text), ""
    for one in _variants(reader, text, said) if idle else (text, said):
        if one and reader.reads(one):
            meant = _short("; ".join(sorted(map(str, reader.parse(one)), key=_of_all)))
            if legal(meant):
                return meant
            found = found or meant
    back = _without_idle(reader, said).partition(" ")[2].upper()
    cancels = idle and back and first_word(text) == CANCEL
    return found or (_short(f"{CANCEL} {back}") if cancels else "")


def _orders(reader: Reader, lines: str) -> list[Order]:
    parts = [one for one in lines.split("; ") if reader.reads(one)]
    return [order for one in parts for order in reader.parse(one)]


def _of_all(order: str) -> bool:
    return not order.endswith(_ALL)


def _variants(reader: Reader, text: str, said: str) -> Iterator[str]:
    """Yield a text without idle words, as it is, with numbers behind names."""
    plain = _without_idle(reader, said)
    yield from (plain, text, said)
    for one in (plain, " ".join(_IDLE.sub("", said).split()), _respelt(reader, plain)):
        yield from (_turned(one, _TURNED), one)
    yield _NAMED.sub(r'\1 "\2"', plain)


def _spelt(text: str) -> str:
    """Return an order without the colon behind its word, with "12-50" for "12 to 50"."""
    head, colon, rest = text.partition(":")
    return _TO.sub("-", f"{head} {rest}" if colon and head.isalpha() else text)


def _without_idle(reader: Reader, text: str) -> str:
    kept = _IDLE.sub(lambda one: one[0] if one[0].upper() in reader.keywords else "", text)
    return " ".join(kept.split())


def _respelt(reader: Reader, text: str) -> str:
    """Return a text with words put right that are one slip off a name."""
    words = text.split(" ")
    near = [slips(one.upper(), reader.known) if len(one) >= _LONG else [] for one in words]
    return " ".join(
        some[0] if len(some) == 1 else one for one, some in zip(words, near, strict=True)
    )


def _short(orders: str) -> str:
    flat = " ".join(orders.split())
    return flat if len(flat) <= _LONGEST else ""
