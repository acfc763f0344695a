"""What somebody answers who is asked whether they want to play, or is there.

The first line of their own text after a greeting seats them if it is nothing but a yes, polite
words and names, or has the code.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pbem.orders import mailwords, sentences
from pbem.orders.asking import called
from pbem.orders.door.phrases import Phrases, code_in
from pbem.orders.sentences import COMMA, Sentence


class Says(StrEnum):
    """What an answer says."""

    YES = "yes"
    NO = "no"
    QUESTION = "question"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer in somebody's own words."""

    says: Says
    name: str = ""
    """What they want to be called, as written."""
    asks: str = ""
    """Their first question, as written."""


_FIRST = 4
"""Sentences searched for a no."""
_MOST = 10
"""Words of a line that seats somebody."""
_NAMES = 2
"""Words behind a greeting."""
_NO_YES = re.compile(r"\?|^\s|\bsi\b", re.IGNORECASE)
"""A question, a quotation, and "if"."""
_NAMED = re.compile(
    r"\b(?:[Cc]all me|[Mm]y name is|[Mm]ein [Nn]ame ist|[Ii]ch heiße|[Nn]enn(?:t|en Sie)? mich"
    r"|[Uu]nder the name(?: of)?|[Uu]nter dem [Nn]amen|named?|known as|AS|as|als)"
    r"[: ]+[\"'\u201c\u201e]?"
    r"((?:[A-Z\u00c0-\u024f](?:[\w'-]{1,20}|\.(?= [A-Z])))(?: [A-Z\u00c0-\u024f][\w'-]{0,20}){0,2})"
)
_SIGNED = re.compile(
    r"(?:[-\u2013\u2014,.!:]|\b(?i:thanks|thank you|please|danke|bitte|merci|gracias)) {0,2}"
    r"([A-Z\u00c0-\u024f]\w+(?: [A-Z\u00c0-\u024f]\w+)?)[.!]?\Z"
)
"""A name that ends it."""


def name_in(text: str) -> str:
    """Return the name asked for, without a final stop, or ""."""
    found = _NAMED.search(text)
    return called(found[1]).rstrip("'-") if found else ""


def signed(text: str, phrases: Phrases) -> str:
    """Return the name that stands alone on the last of several lines, or ""."""
    *above, last = [line.strip() for line in text.split("\n") if line.strip()] or [""]
    found = _SIGNED.fullmatch(f", {last}") if above else None
    polite = not phrases.vocabulary.isdisjoint(sentences.folded(last).split())
    return found[1] if found and not polite else ""


def read(text: str, phrases: Phrases, known: Collection[str] = ()) -> Answer:
    """known: words that are names, also the table's."""
    said = sentences.sentences(text, phrases.short)
    asks = next((one.text for one in said if one.asks and len(one.words) > 1), "")
    if refuses(text, phrases) or any(_says_no(one, phrases) for one in said[:_FIRST]):
        return Answer(Says.NO)
    line = _first_line(text, phrases)
    if is_yes(line, phrases, known):
        return Answer(Says.YES, name_in(line), asks)
    return Answer(Says.QUESTION if asks else Says.UNCLEAR, asks=asks)


def is_yes(line: str, phrases: Phrases, known: Collection[str] = ()) -> bool:
    """Return whether a line seats its writer."""
    if _NO_YES.search(unicodedata.normalize("NFC", line)) or len(line.split()) > _MOST:
        return False
    own = _SIGNED.search(line.rstrip())
    signed = sentences.folded(own[1]).split() if own else []
    names = _folded((*known, name_in(line)))
    if phrases.vocabulary.isdisjoint(signed):
        names |= {*signed}
    words = _words(line, phrases)
    looks = not phrases.words["lookers"].isdisjoint(words)
    return not looks and _has_yes(words, phrases) and _is_kind(words, phrases, names)


def code_of(text: str, phrases: Phrases, known: Collection[str] = ()) -> str:
    """Return the code below nothing but words for the referee, a greeting, a yes or thanks."""
    for line in text.split("\n"):
        word, words = mailwords.word(line), _words(line, phrases)
        if found := word.argument.lower() if word and word.name == "CONFIRM" else code_in(line):
            return found if phrases.signs["theirs"].isdisjoint(words) else ""
        if not (word or _greets(words, phrases) or _is_kind(words, phrases, _folded(known))):
            return ""
    return ""


def refuses(text: str, phrases: Phrases) -> bool:
    said = sentences.sentences(text, phrases.short)
    return any(phrases.has(kind, one.words) for kind in ("refuses", "declines") for one in said)


def _first_line(text: str, phrases: Phrases) -> str:
    """Return the first line below a greeting."""
    for line in text.split("\n"):
        hello, _, rest = line.partition(",")
        said = rest.strip() if _greets(_words(hello, phrases), phrases) else line
        words = _words(said, phrases)
        if words and not _greets(words, phrases):
            return said
    return ""


def _greets(words: Sequence[str], phrases: Phrases) -> bool:
    """Return whether a line only greets somebody."""
    ends = [end for at, end in phrases.spots("greeting", words) if at == 0]
    return bool(ends) and len(words) - max(ends) <= _NAMES and not _has_yes(words, phrases)


def _is_kind(words: Sequence[str], phrases: Phrases, names: Collection[str]) -> bool:
    """Return whether words are nothing but a yes, what may stand beside one, and names."""
    known = phrases.words["yes"] | phrases.words["beside"] | {*names}
    left = {at for at, one in enumerate(words) if one not in known}
    for kind in ("seats", "thanks", "called", "greeting"):
        for first, end in phrases.spots(kind, words):
            left -= {*range(first, end)}
    return not left


def _has_yes(words: Sequence[str], phrases: Phrases) -> bool:
    return not phrases.words["yes"].isdisjoint(words) or phrases.has("seats", words)


def _words(line: str, phrases: Phrases) -> list[str]:
    said = sentences.sentences(line, phrases.short)
    return [word for one in said for word in one.words if word != COMMA]


def _folded(names: Iterable[str]) -> set[str]:
    return {word for one in names for word in sentences.folded(one).split()}


def _says_no(one: Sentence, phrases: Phrases) -> bool:
    words = [word for word in one.words if word not in phrases.words["greets"] and word != COMMA]
    return bool(words) and words[0] in phrases.words["no"]
