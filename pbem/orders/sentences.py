"""A letter as sentences: orders as they stand or in other words, a yes, courtesy, talk.

Orders in other words are read by the order grammar: ``//= VOTE NAY ON: oppose, no to`` in it says
what people write for its words. A sentence is sure if it is the order but for courtesies, numbers
with "to" and a colon; what else could be meant is only offered.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Protocol

from pbem.orders.characters import first_word, unstopped
from pbem.orders.spelling import nearest

COMMA = ","
"""Stands for a comma."""
MOST_WORDS = 600
"""Read of a letter."""
_ENDS = re.compile(r"((?<![.!?\u2026;])[.!?\u2026;]++(?=\s|$)|\n)")
_WORD = re.compile(r"[^\W_](?:[\w'.+@-]*[\w])?|[,:()]")
_FOLDED = str.maketrans({"\u2019": "'", "\u2018": "'", "\u00b4": "'", "`": "'", "ß": "ss"})
_DIGRAPHS = (("ae", "a"), ("oe", "o"), ("ue", "u"))
_SMALL_PRINT = re.compile(
    r"^(?:(?:this|the) (?:e-?mail|message|communication|information)\b[^\n]{0,90}"
    r"\b(?:confidential|privileged|intended)\b|confidentiality notice\b|disclaimer\b"
    r"|diese (?:e-?mail|nachricht)\b[^\n]{0,90}\bvertraulich)",
    re.IGNORECASE | re.MULTILINE,
)
_SHORT_LINE, _STOPS = 45, ".!?:;"
"""A mail program breaks a line behind more characters."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, or a line of a list."""

    words: tuple[str, ...]
    """Folded; a comma, colon or bracket is :data:`COMMA`."""
    asks: bool
    """Whether it ends with a question mark."""
    text: str


def folded(text: str) -> str:
    """Return small letters without accents; ``ae`` is ``a``, as ``ä`` is."""
    plain = unicodedata.normalize("NFKD", text.translate(_FOLDED)).casefold()
    bare = "".join(char for char in plain if not unicodedata.combining(char))
    for two, one in _DIGRAPHS:
        bare = bare.replace(two, one)
    return bare


def sentences(text: str, short_forms: Mapping[str, str]) -> list[Sentence]:
    """Return a text's sentences. short_forms: what "i'd" and its like stand for."""
    found, room = list[Sentence](), MOST_WORDS
    for piece, ending in _pieces(_unbroken(_without_small_print(text))):
        words = list(_words(piece, short_forms))[:room]
        room -= len(words)
        if any(word != COMMA for word in words):
            found.append(Sentence(tuple(words), "?" in ending, piece.strip()))
    return found


def _without_small_print(text: str) -> str:
    begins = _SMALL_PRINT.search(text)
    before = text[: begins.start()] if begins else ""
    return before if before.strip() else text


def _unbroken(text: str) -> str:
    made = list[str]()
    for line in text.replace("\r", "").split("\n"):
        if made and goes_on(made[-1].rpartition("\n")[2], line):
            made[-1] = f"{made[-1]} {line}"
        else:
            made.append(line)
    return "\n".join(made)


def goes_on(above: str, line: str) -> bool:
    """Return whether a mail program broke a line of prose above this one."""
    return len(above) > _SHORT_LINE and above.rstrip()[-1:] not in _STOPS and line[:1].isalnum()


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    parts = [*_ENDS.split(text), ""]
    yield from zip(parts[::2], parts[1::2], strict=False)


def _words(piece: str, short_forms: Mapping[str, str]) -> Iterator[str]:
    for found in _WORD.findall(folded(piece)):
        if found in ",:()":
            yield COMMA
        else:
            yield from short_forms.get(found, found).replace("'", "").split(" ")


# --- courtesies -----------------------------------------------------------------------------------


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_GREETS = _set("hi hello hey dear hallo liebe lieber bonjour salut hola ciao")
POLITE = _set(
    "please pls plz kindly thanks thank you thx cheers very much bitte danke merci gracias por"
    " favor"
)
_THANKS = _set("thanks thank thx danke merci gracias")
_PHRASES = frozenset(
    tuple(one.split())
    for one in (
        *("please", "pls", "plz", "kindly", "thanks", "thx", "cheers", "bitte", "danke", "merci"),
        *("gracias", "por favor", "thank you", "thanks very much", "thank you very much"),
    )
)
"""What may stand before and behind an order."""
_MANY = (4, 3, 2, 1)
GOODBYE = _set(
    "best regards greetings yours cheers kind warm bye gruss grusse viele liebe lg mfg beste"
    " cordialement saludos sincerely wishes"
)
_US = _set("referee gamesmaster gm")
_BELOW = frozenset(
    (
        *(("sent", "from"), ("get", "outlook"), ("gesendet", "von"), ("von", "meinem")),
        *(("envoye", "de"), ("envoye", "depuis"), ("enviado", "desde")),
    )
)
"""How what telephones write below a letter begins."""
_PICTURES = frozenset(("So", "Sk", "Cf", "Mn"))
_MOST_OF_A_YES, _LONG_SENTENCE = 8, 1000
"""Words, and characters."""
_SIGNS = str.maketrans(dict.fromkeys(".,!;:()[]#\"'*", " "))
_SPOKEN = re.compile(r"[^\s,:;.!?-]\S*?(?=[\s,:;.!?]|\Z)")


def _plain_words(line: str) -> list[str]:
    plain = folded(line.translate(_SIGNS))
    return "".join(char for char in plain if unicodedata.category(char) not in _PICTURES).split()


def _known(names: Collection[str]) -> frozenset[str]:
    return frozenset(word for one in names for word in _plain_words(one))


def is_courtesy(line: str, names: Collection[str]) -> bool:
    """Return whether it is a greeting, thanks or a goodbye, to or of nobody but these."""
    return _is_courteous(_plain_words(line), _known(names) | _GREETS | _US)


def _is_courteous(words: Sequence[str], names: Collection[str]) -> bool:
    below = tuple(words[:2]) in _BELOW
    return below or all(one in names or one in POLITE or one in GOODBYE for one in words)


def bare(text: str, names: Collection[str] | None = None) -> str:
    """Return a sentence without what is polite around it, and final pictures.

    names: who may be greeted before it, besides the referee; None: nobody.
    """
    text = text.lstrip("\xa1\xbf ")
    if len(text) > _LONG_SENTENCE:
        return text
    while text and (unicodedata.category(text[-1]) in _PICTURES or text[-1] == " "):
        text = text[:-1]
    spoken = [(folded(one[0]), *one.span()) for one in _SPOKEN.finditer(text)]
    words = [word for word, *_ in spoken]
    first, last = _begins(words, names), len(words)
    while many := next((n for n in _MANY if tuple(words[first:last][-n:]) in _PHRASES), 0):
        last = max(first, last - many)
    if first < last == len(words):
        return text[spoken[first][1] :]
    return text[spoken[first][1] : spoken[last - 1][2]] if first < last else ""


def _begins(words: Sequence[str], names: Collection[str] | None) -> int:
    """Return where a sentence begins behind its courtesies."""
    first, known, greeted = 0, _US | _known(names or ()), False
    while first < len(words):
        many = next((n for n in _MANY if tuple(words[first : first + n]) in _PHRASES), 0)
        greets = names is not None and words[first] in (known if greeted else _GREETS)
        if not (many or greets):
            break
        greeted = greets or (greeted and not many)
        first += many or 1
    return first


def signs_off(text: str, number: int) -> bool:
    """Return whether a line stands below a goodbye and a name."""
    above = [one.strip(" ,.!") for one in text.split("\n")[: number - 1] if one.strip(" ,.!")]
    return any(
        GOODBYE.issuperset(folded(one).split()) and all(word[0].isupper() for word in name.split())
        for one, name in pairwise(above)
    )


# --- a yes: the whole letter, not "Yes, but ..." --------------------------------------------------

_YES = _set("yes yeah yep yup ja jawohl oui si")
_ORDINALS = {
    **{str(number): number for number in range(1, 10)},
    **dict.fromkeys(_set("first 1st one erste ersten premier premiere primero primera"), 1),
    **dict.fromkeys(_set("second 2nd two zweite zweiten deuxieme seconde segundo segunda"), 2),
    **dict.fromkeys(_set("third 3rd three dritte dritten troisieme tercero tercera"), 3),
}
_WITH_IT = _set(
    "to the your that suggestion number nr der die das dein deine vorschlag nummer le la les ta"
    " votre numero el tu sugerencia zu"
)
"""Words that may stand beside a number."""


@dataclass(frozen=True, slots=True)
class Yes:
    """Where a yes stands in a text, and which suggestion it means."""

    line: int
    """From 0."""
    number: int = 0
    """From 1; 0 for the only one there is."""


def yes(text: str, names: Collection[str], is_order: Callable[[str], bool]) -> Yes | None:
    """Return the yes of a letter's own text; None if it says anything else but orders below it.

    names: words that are the writer's or the referee's name. is_order: whether a line is meant as
    an order.
    """
    known, found = _known(names), None
    for at, line in enumerate(text.split("\n")):
        words = _plain_words(line)
        if not words or _is_polite(words, known):
            continue
        number = None if found or "?" in line else _number(words)
        if number is not None:
            found = Yes(at, number)
        elif found is None or not is_order(line):
            return None
    return found


def thanks(text: str, names: Collection[str]) -> bool:
    """Return whether a text thanks and says no more. names: as for ``yes``."""
    lines = [words for words in map(_plain_words, text.split("\n")) if words]
    thanked = any(word in _THANKS for words in lines for word in words)
    return thanked and all(_is_polite(words, _known(names)) for words in lines)


def _is_polite(words: list[str], names: Collection[str]) -> bool:
    greets = words[0] in _GREETS and len([one for one in words if one not in names]) <= 2
    return greets or _is_courteous(words[: _MOST_OF_A_YES + 1], names)


def _number(words: list[str]) -> int | None:
    """Return the number that is meant, 0 for a bare yes, None for other words."""
    left = [one for one in words if one not in POLITE]
    if len(words) > _MOST_OF_A_YES or not left:
        return None
    says = left[0] in _YES
    left = left[1:] if says else left
    numbers = {_ORDINALS[one] for one in left if one in _ORDINALS}
    others = [one for one in left if one not in _ORDINALS and one not in _WITH_IT]
    if others or len(numbers) > 1:
        return None
    if numbers:
        return numbers.pop()
    return 0 if says and not left else None


# --- orders in other words ------------------------------------------------------------------------

_LINES = re.compile(r"^//= ([^:\n]+):(.*)$", re.MULTILINE)
_INNER = re.compile(r"(?<![^\s,;:.\"'(\[])[A-Za-z]{3,20}(?![\w/-])")
_TRIES = 4
_LONGEST = 200
"""Characters searched for an order."""
_FEW = 3
"""Among more words, a single one is no order."""
_AROUND = " \"'()[].,;:!?"
_NEGATED = re.compile(
    r"\b(?:not|never|cannot|no longer|nicht|nie(?:mals)?|keine?|pas|jamais|nunca|tak(?:e|en|ing)"
    r" (?:it |this |that )?back)\b|n['\u2019]t\b|\[ ?\]|[\u2610\u25a1]",
    re.IGNORECASE,
)
"""A "not", a box without its tick, an order taken back."""
_SUPPOSED = re.compile(
    r"\b(?:if|unless|until|before|except|but|whether|wenn|falls)\b", re.IGNORECASE
)
_RETRACTS = re.compile(
    r"\b(?:no,? wait|wait,? no|scrap (?:it|that|this)|forget (?:it|that|the)|oops|sorry, no|meant"
    r"|correction|make (?:it|that)|joking|kidding|second thoughts?|never ?mind)\b",
    re.IGNORECASE,
)
_DEPENDS = re.compile(
    r"\b(?:wait|actually|mean|rather|instead|ignore|if|unless|provided|but)\b", re.IGNORECASE
)
"""In the lines of a letter that a mail program adds, and in talk, these say nothing of orders."""
_PARTS = re.compile(r"[\w'/+-]+|[^\w'/+-]+")
"""A word, or what stands between two."""
_TO = re.compile(
    r"(?<=[0-9]) ++(?:to|through|thru|until|till|bis|-)(?= ++(?:[A-Za-z]?[0-9]))", re.I
)
_IDLE = re.compile(
    r"(?<![^\s,:])(?:my|our|the|an?|is|are|be|will|shall|of|as|that|this|with|to|for|on|in|at|me"
    r"|it|from|each|please|time|week|round|turn|period|now|then|also|just|own)(?![^\s,:])"
)
"""Words in small letters that say nothing, where the grammar has none of them."""
_GOING = re.compile(r"(?<![\w'])[A-Za-z]{2,20}ing(?![\w'])")
_SAME = (
    (re.compile(r"\bour\b", re.IGNORECASE), "my"),
    (re.compile(r"\bwe(?:'re| are)?\b", re.IGNORECASE), "i"),
    (re.compile(r"\b(?:should|will|shall|would) be\b", re.IGNORECASE), "is"),
)
CANCEL, _ALL = "CANCEL", " ALL"
"""What is said of all comes first: others take its place."""


class Reader(Protocol):
    """What is asked about a language."""

    @property
    def words(self) -> frozenset[str]: ...

    @property
    def keywords(self) -> frozenset[str]: ...

    @property
    def other_words(self) -> OtherWords: ...

    def reads(self, text: str) -> bool: ...

    def reach(self, text: str) -> int: ...

    def parse(self, text: str) -> Sequence[object]: ...

    def expected_words(self, text: str, at: int) -> Sequence[str]: ...


@dataclass(frozen=True)
class OtherWords:
    """What people write for a grammar's words."""

    said: Mapping[str, str]
    """Phrase in small letters -> the grammar's words."""
    alone: Sequence[str]
    """Words that may be left out before an order."""

    @cached_property
    def _longest(self) -> int:
        """The most words, and blanks between them, of a phrase."""
        return max((len(_PARTS.findall(phrase)) for phrase in self.said), default=0)

    def put(self, text: str, leave: frozenset[str] = frozenset()) -> str:
        """leave: words that are put only in the place of phrases that begin with them."""
        parts, made, at = _PARTS.findall(text), list[str](), 0
        while at < len(parts):
            for many in range(min(self._longest, len(parts) - at), 0, -1):
                phrase = "".join(parts[at : at + many])
                if (put := self.said.get(phrase.lower())) is not None:
                    kept = first_word(put) in leave - {first_word(phrase)}
                    made.append(phrase if kept else put)
                    at += many
                    break
            else:
                made.append(parts[at])
                at += 1
        return "".join(made)


def other_words(grammar: str) -> OtherWords:
    """Read the lines ``//= VOTE NAY ON: oppose, no to`` of a grammar."""
    lines = [(words, phrases.strip()) for words, phrases in _LINES.findall(grammar)]
    said = {one.strip(): words for words, phrases in lines for one in phrases.split(",") if phrases}
    return OtherWords(said, [words for words, phrases in lines if not phrases])


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


def of_line(text: str) -> list[str]:
    """Return the sentences of a line, as written."""
    said = _pieces(text) if '"' not in text and "\n" not in text else [(text, "")]
    return [f"{one.strip()}{'?' * ('?' in end)}" for one, end in said if one.strip()]


def suggestion(reader: Reader, text: str, at: int, near: Callable[[str], str]) -> str:
    """Return the orders or the word that was meant, or "". at: where reading stops. near: returns
    the order word nearest to a first word."""
    many = of_line(text)
    if len(many) > 1:
        said = (suggestion(reader, one, reader.reach(one), near) for one in many)
        return _short("; ".join(dict.fromkeys(filter(None, said))))
    first = first_word(text)
    if first in reader.words:
        other = reader.other_words.put(text)
        as_one = whole(reader, text) or whole(reader, other)
        return as_one or _mended(reader, text, at) or _found(reader, text[:_LONGEST], behind=1)
    if meant := near(first):
        mended = meant + text.lstrip()[len(first) :]
        return whole(reader, mended) or (unstopped(mended) if meant == CANCEL else meant)
    return _within(reader, text)


def _plainer(reader: Reader, text: str) -> str:
    """Return "I" for "we", "is" for "should be" and order words for their -ing, but in quotes."""
    if '"' in text:
        return text
    forms = {form: word for word in reader.words for form in _ing(word.lower())}
    for form, put in _SAME:
        text = form.sub(put, text)
    return _GOING.sub(lambda one: forms.get(one[0].lower(), one[0]), text)


def _ing(word: str) -> tuple[str, str]:
    """Return how a word may be written with -ing: "passing", "voting" or "bidding"."""
    return f"{word.removesuffix('e')}ing", f"{word}{word[-1]}ing"


def _mended(reader: Reader, text: str, at: int) -> str:
    bad = text[at:].split(maxsplit=1)
    word = bad[0].strip(",;") if bad else ""
    near = nearest(word.upper(), reader.expected_words(text, at)) if word else ""
    if near:
        return whole(reader, f"{text[:at]}{near}{text[at:].lstrip()[len(word) :]}") or near
    before, behind = text[:at].rstrip(" ,;"), text[at:].strip(_AROUND).split()
    meant = len(before.split()) > 1 and len(behind) != 1  # a single word may matter
    kept = not any(char in "0123456789" for word in behind for char in word)  # and so does a number
    return whole(reader, before) if meant and kept else ""


def _within(reader: Reader, text: str) -> str:
    text, other = _plainer(reader, text[:_LONGEST]), reader.other_words
    plain = other.put(text, reader.words | {CANCEL})
    if said := _found(reader, plain):
        return said
    left_out = (f"{word} {bare(plain)}".rstrip(_AROUND) for word in other.alone if " " in plain)
    return next(filter(None, (whole(reader, one) for one in left_out)), "") or _found(
        reader, other.put(text)
    )


def _found(reader: Reader, text: str, *, behind: int = 0) -> str:
    """behind: the place from which an order may begin."""
    words, few = {*reader.words, CANCEL}, len(_without_idle(reader, bare(text)).split()) <= _FEW
    inner = [one for one in _INNER.finditer(text, behind) if one[0].upper() in words][:_TRIES]
    said, starts = list[str](), [one.start() for one in inner]
    often = Counter(one[0].upper() for one in inner)
    for start, end in pairwise([*starts, len(text)]):
        once = end == len(text) or often[first_word(text[start:])] == 1
        all_of_it = _order(reader, text[start:], few=few) if once else ""
        said += filter(None, [all_of_it or _order(reader, text[start:end], few=few)])
        if all_of_it:
            break
    late = len(inner) == 1 and not text[inner[0].end() :].strip(_AROUND)
    if late and not said:
        said.append(_order(reader, f"{inner[0][0]} {text[: starts[0]]}", few=few))
    return _short("; ".join(dict.fromkeys(filter(None, said))))


def _order(reader: Reader, text: str, *, few: bool) -> str:
    rest = text.rstrip(_AROUND)
    said = whole(reader, rest)
    if said and (few or len(said.split()) > 1):
        return said
    part = rest[: reader.reach(rest)]
    return whole(reader, part) if len(part.split()) >= _FEW else ""


def whole(reader: Reader, text: str, *, idle: bool = True) -> str:
    """Return the orders that a text is as a whole. idle: but for idle words."""
    text = unstopped(bare(text)).strip(" ,;:")
    said = _spelt(text)
    for one in (*([_without_idle(reader, said)] if idle else ()), text, said):
        if one and reader.reads(one):
            orders = sorted(map(str, reader.parse(one)), key=lambda order: not order.endswith(_ALL))
            return _short("; ".join(orders))
    back = _without_idle(reader, said).partition(" ")[2].upper()
    return _short(f"{CANCEL} {back}") if idle and back and first_word(text) == CANCEL else ""


def _spelt(text: str) -> str:
    """Return an order without the colon behind its word, with "12-50" for "12 to 50"."""
    head, colon, rest = text.partition(":")
    return _TO.sub("-", f"{head} {rest}" if colon and head.isalpha() else text)


def _without_idle(reader: Reader, text: str) -> str:
    kept = _IDLE.sub(lambda one: one[0] if one[0].upper() in reader.keywords else "", text)
    return " ".join(kept.split())


def _short(orders: str) -> str:
    flat = " ".join(orders.split())
    return flat if len(flat) <= _LONGEST else ""
