"""A plain yes to a suggestion, or the number of one: "yes", "ja", "the first", "2".

Every word of the letter must belong to it: greetings, thanks and names may stand around it, and
orders below it. "Yes, but ..." is no yes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import pairwise
from unicodedata import category

from pbem.orders.door.sentences import folded


def signs_off(text: str, number: int) -> bool:
    """Return whether a line stands below a goodbye and a name."""
    above = [one.strip(" ,.!") for one in text.split("\n")[: number - 1] if one.strip(" ,.!")]
    return any(
        GOODBYE.issuperset(folded(one).split()) and all(word[0].isupper() for word in name.split())
        for one, name in pairwise(above)
    )


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


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
_COURTESY = _set("please thanks thank you thx cheers bitte danke merci gracias por favor very much")
_THANKS = _set("thanks thank thx danke merci gracias")
_GREETS = _set("hi hello hey dear hallo liebe lieber bonjour salut hola")
GOODBYE = _set(
    "best regards greetings yours cheers kind warm bye gruss grusse viele liebe lg mfg beste"
    " cordialement saludos sincerely wishes"
)
_BELOW = frozenset(
    (
        *(("sent", "from"), ("get", "outlook"), ("gesendet", "von"), ("von", "meinem")),
        *(("envoye", "de"), ("envoye", "depuis"), ("enviado", "desde")),
    )
)
"""How what telephones write below a letter begins."""
_PICTURES = frozenset(("So", "Sk", "Cf", "Mn"))
_MOST_WORDS = 8
_SIGNS = str.maketrans(dict.fromkeys(".,!;:()[]#\"'*", " "))


@dataclass(frozen=True, slots=True)
class Yes:
    """Where a yes stands in a text, and which suggestion it means."""

    line: int
    """From 0."""
    number: int = 0
    """From 1; 0 for the only one there is."""


def read(text: str, names: Collection[str], is_order: Callable[[str], bool]) -> Yes | None:
    """Return the yes of a letter's own text; None if it says anything else.

    names: words that are the writer's or the referee's name. is_order: whether a line is meant as
    an order.
    """
    known = frozenset(word for one in names for word in _words(one))
    found: Yes | None = None
    for at, line in enumerate(text.split("\n")):
        words = _words(line)
        if not words or _is_polite(words, known):
            continue
        number = None if found or "?" in line else _number(words)
        if number is not None:
            found = Yes(at, number)
        elif found is None or not is_order(line):
            return None
    return found


def thanks(text: str, names: Collection[str]) -> bool:
    """Return whether a text thanks and says no more. names: as for ``read``."""
    known = frozenset(word for one in names for word in _words(one))
    lines = [words for words in map(_words, text.split("\n")) if words]
    thanked = any(word in _THANKS for words in lines for word in words)
    return thanked and all(_is_polite(words, known) for words in lines)


def _words(line: str) -> list[str]:
    plain = folded(line.translate(_SIGNS))
    return "".join(char for char in plain if category(char) not in _PICTURES).split()


def _is_polite(words: list[str], names: Collection[str]) -> bool:
    if tuple(words[:2]) in _BELOW:
        return True
    if len(words) > _MOST_WORDS:
        return False
    left = [one for one in words if one not in names]
    if words[0] in _GREETS:
        return len(left) <= 2  # the greeting, and somebody's name
    return all(one in _COURTESY or one in GOODBYE for one in left)


def _number(words: list[str]) -> int | None:
    """Return the number that is meant, 0 for a bare yes, None for other words."""
    left = [one for one in words if one not in _COURTESY]
    if len(words) > _MOST_WORDS or not left:
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
