"""A letter as sentences: courtesies, a yes, thanks, a signature."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

COMMA = ","
"""Stands for a comma."""
MOST_WORDS = 600
"""Read of a letter."""
_ENDS = re.compile(
    r"((?<![.!?\u2026;])(?<!bill no)(?<!government no)(?<!motion no)(?<!amendment no)"
    r"[.!?\u2026;]++(?=\s|$)|\n)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_](?:[\w'.+@-]*[\w])?|[,:()]")
_CLIPPED = re.compile(r"(?<=\w)(?:n't|'\w{1,2})\Z")
_FOLDED = str.maketrans({"\u2019": "'", "\u2018": "'", "\u00b4": "'", "`": "'", "ß": "ss"})
_DIGRAPHS = (("ae", "a"), ("oe", "o"), ("ue", "u"))
_SMALL_PRINT = re.compile(
    r"^(?:(?:this|the) (?:e-?mail|message|communication|information)\b[^\n]{0,90}"
    r"\b(?:confidential|privileged|intended)\b|confidentiality notice\b|disclaimer\b"
    r"|diese (?:e-?mail|nachricht)\b[^\n]{0,90}\bvertraulich)",
    re.IGNORECASE | re.MULTILINE,
)
_SHORT_LINE, _LONG_LINE, _STOPS = 45, 80, ".!?:;"
"""A mail program breaks a line between these, in characters."""
_ASKS = r"(?:wh(?:at|o|y|ose|en|ere|ich)|how)(?:'?s)?\b"
_ANY_ASKS = re.compile(rf"\b{_ASKS}|\A(?:do|does|did|is|are|can|will)\b", re.IGNORECASE)
_AND_ASKS = re.compile(rf",? (?=(?:and|but) {_ASKS})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, or a line of a list."""

    words: tuple[str, ...]
    """Folded; a comma, colon or bracket is :data:`COMMA`."""
    asks: bool
    """Whether it ends with a question mark."""
    text: str


def unaccented(text: str) -> str:
    if text.isascii():
        return text.translate(_FOLDED).casefold()
    plain = unicodedata.normalize("NFKD", text.translate(_FOLDED)).casefold()
    return "".join(char for char in plain if not unicodedata.combining(char))


def folded(text: str) -> str:
    """Return small letters without accents; ``ae`` is ``a``, as ``ä`` is."""
    bare = unaccented(text)
    for two, one in _DIGRAPHS:
        bare = bare.replace(two, one)
    return bare


def sentences(text: str, short_forms: Mapping[str, str]) -> list[Sentence]:
    """Return a text's sentences. short_forms: what "id" and the endings of "i'd" stand for."""
    found, room = list[Sentence](), MOST_WORDS
    begins = _SMALL_PRINT.search(text)
    before = text[: begins.start()] if begins else ""
    for piece, ending in _pieces(_unbroken(before if before.strip() else text)):
        words = list(_words(piece, short_forms))[:room]
        room -= len(words)
        if any(word != COMMA for word in words):
            found.append(Sentence(tuple(words), "?" in ending, piece.strip()))
    return found


def _unbroken(text: str) -> str:
    lines = text.replace("\r", "").split("\n")
    marks = (" " if goes_on(above, line) else "\n" for above, line in pairwise(lines))
    return lines[0] + "".join(map(str.__add__, marks, lines[1:]))


def goes_on(above: str, line: str) -> bool:
    """Return whether a mail program broke a line of prose above this one."""
    begins = not line[:1].isalnum() or (line[:1].isupper() and _ANY_ASKS.match(line))
    return _SHORT_LINE < len(above) <= _LONG_LINE and not (above.rstrip()[-1:] in _STOPS or begins)


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    parts = [*_ENDS.split(text), ""]
    for piece, end in zip(parts[::2], parts[1::2], strict=False):
        asks = _AND_ASKS.search(piece) if "?" in end else None
        at = asks.end() if asks and not _ANY_ASKS.search(piece, 0, asks.end()) else 0
        if at:
            yield piece[:at].rstrip(" ,"), ""
        yield piece[at:], end


def of_line(text: str) -> list[str]:
    """Return the sentences of a line, as written."""
    said = _pieces(text) if '"' not in text and "\n" not in text else [(text, "")]
    return [f"{one.strip()}{'?' * ('?' in end)}" for one, end in said if one.strip()]


def _words(piece: str, short_forms: Mapping[str, str]) -> Iterator[str]:
    for found in _WORD.findall(folded(piece)):
        if found in ",:()":
            yield COMMA
        else:
            long = _CLIPPED.sub(lambda ending: short_forms.get(ending[0], ending[0]), found)
            yield from short_forms.get(found, long).replace("'", "").split(" ")


# --- courtesies -----------------------------------------------------------------------------------


def word_list(words: str) -> list[str]:
    return words.split()


def word_set(words: str) -> frozenset[str]:
    return frozenset(word_list(words))


GREETS = word_set(
    "hi hello hey dear hallo moin servus gruezi liebe lieber bonjour bonsoir salut cher chere hola"
    " ciao buongiorno ola hej hei ahoj czesc merhaba goedendag"
)
POLITE = word_set(
    "please pls plz kindly thanks thank you thx cheers very much bitte danke merci gracias por"
    " favor"
)
_STOP = re.compile(r"(?<=[.!]) ++|,? (?=and |also )", re.IGNORECASE)
_THANKS = word_set("thanks thank thx danke merci gracias")
_PHRASES = frozenset(
    tuple(one.split())
    for one in (
        *("please", "pls", "plz", "kindly", "thanks", "thx", "cheers", "bitte", "danke", "merci"),
        *("gracias", "por favor", "thank you", "thanks very much", "thank you very much"),
        *("very good", "that is what i want", "thats what i want", "that is right"),
    )
)
"""What may stand before and behind an order."""
_MANY = (4, 3, 2, 1)
GOODBYE = word_set(
    "best regards greetings yours cheers kind warm bye gruss grusse viele liebe lg mfg beste"
    " cordialement saludos sincerely wishes"
)
US = word_set("referee gamesmaster gm")
_PLEASANT = word_set(
    "good morning evening afternoon day all everybody everyone there you a lot for the so again"
    " help game mail answer goodbye truly faithfully see soon many later have nice great week"
    " weekend from and my with in advance ps"
)
"""What beside greetings and thanks is only pleasant."""
_SIGNATURE = 3  # words of one who signs
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


def plain_words(line: str) -> list[str]:
    plain = folded(line.translate(_SIGNS))
    return "".join(char for char in plain if unicodedata.category(char) not in _PICTURES).split()


@lru_cache(maxsize=64)
def _words_of(names: frozenset[str]) -> frozenset[str]:
    return frozenset(word for one in names for word in plain_words(one))


def _known(names: Collection[str]) -> frozenset[str]:
    return _words_of(frozenset(names))


def is_courtesy(line: str, names: Collection[str]) -> bool:
    """Return whether it is a greeting, thanks or a goodbye, to or of nobody but these."""
    return _is_courteous(plain_words(line), _known(names) | GREETS | US | _PLEASANT)


def greets(line: str) -> bool:
    return not GREETS.isdisjoint(plain_words(line)[:1])


def signs(line: str) -> bool:
    """Return whether it is a name, perhaps behind a greeting."""
    return len(line.split()) <= _SIGNATURE and all(one.istitle() for one in line.split())


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
    first, known, greeted = 0, US | _known(names or ()), False
    while first < len(words):
        many = next((n for n in _MANY if tuple(words[first : first + n]) in _PHRASES), 0)
        greets = names is not None and words[first] in (known if greeted else GREETS)
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

YES = word_set(
    "yes yeah yep yup yea ja jawohl oui si ok okay sure correct exactly right fine perfect thats"
    " sounds"
)
_ORDINALS = {
    **{str(number): number for number in range(1, 10)},
    **dict.fromkeys(word_set("first 1st one erste ersten premier premiere primero primera"), 1),
    **dict.fromkeys(word_set("second 2nd two zweite zweiten deuxieme seconde segundo segunda"), 2),
    **dict.fromkeys(word_set("third 3rd three dritte dritten troisieme tercero tercera"), 3),
}
_WITH_IT = word_set(
    "to the your that suggestion number nr der die das dein deine vorschlag nummer le la les ta"
    " votre numero el tu sugerencia zu s is what i meant mean want wanted do it this go ahead take"
    " all both of them thats it right good so correct exactly"
)
"""Words that may stand beside a number or a yes."""
_BESIDE_YES = re.compile(
    r",? \b(?:thank you|thanks|cheers) for [^.!?,;]*+|,? if (?:you please|i may)\b", re.IGNORECASE
)
"""What is thanked for."""
_NOT_THAT = re.compile(
    r",? (?:but |and )?not (?:number |nr |the )?(?:[0-9]|first|second|third|other)(?: one)?\b",
    re.IGNORECASE,
)
"""Which is not meant."""


@dataclass(frozen=True, slots=True)
class Yes:
    """Where a yes stands in a text, and which suggestion it means."""

    line: int
    """From 0."""
    numbers: frozenset[int] = frozenset()
    """From 1; none for all there are."""
    rest: str = ""
    """What its line says besides."""


def yes(text: str, names: Collection[str], goes_on: Callable[[str], bool]) -> Yes | None:
    """Return the yes of a letter's own text; None if it says anything else. names: the writer's and
    the referee's. goes_on: whether a line may follow, as orders may."""
    known, found = _known(names), None
    for at, line in enumerate(text.split("\n")):
        words = plain_words(_BESIDE_YES.sub("", line))
        if not words or _is_polite(words, known):
            continue
        first, *rest = [line] if found or _numbers(line) is not None else _STOP.split(line, 1)
        numbers = None if found or "?" in first else _numbers(first)
        if numbers is not None and all(map(goes_on, rest)):
            found = Yes(at, numbers, *rest)
        elif found is None or not goes_on(line):
            return None
    return found


def thanks(text: str, names: Collection[str]) -> bool:
    """Return whether a text thanks and says no more. names: as for ``yes``."""
    lines = [words for words in map(plain_words, text.split("\n")) if words]
    thanked = any(word in _THANKS for words in lines for word in words)
    return thanked and all(_is_polite(words, _known(names)) for words in lines)


def _is_polite(words: list[str], names: Collection[str]) -> bool:
    greets = words[0] in GREETS and len([one for one in words if one not in names]) <= 2
    return greets or _is_courteous(words[: _MOST_OF_A_YES + 1], names)


def _numbers(line: str) -> frozenset[int] | None:
    """Return the numbers that are meant, none for a bare yes, None for other words."""
    words = plain_words(_NOT_THAT.sub("", _BESIDE_YES.sub("", line)))
    spoken = " ".join(words).replace("that s ", "thats ").split()
    left = [one for one in spoken if one not in POLITE]
    if len(words) > _MOST_OF_A_YES or not left:
        return None
    says = left[0] in YES
    left = left[1:] if says else left
    numbers = frozenset(_ORDINALS[one] for one in left if one in _ORDINALS)
    small = _WITH_IT | {"and", "just", "only"} if numbers else _WITH_IT | {"for"}
    others = [one for one in left if one not in _ORDINALS and one not in small]
    unclear = not numbers and (not says or _NOT_THAT.search(line))
    return None if others or unclear else numbers
