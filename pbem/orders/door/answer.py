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
from pbem.orders.sentences import COMMA, GREETS


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
    """Their first question with a mark, as written."""


_FIRST = 4  # sentences searched for a no
_MOST = 10  # words of a line that seats somebody
_GREETING = 3  # words of a line that greets
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
    name = _name_at_end(f", {last}", phrases)
    return name if above and name == last.rstrip(".!") else ""


def _name_at_end(line: str, phrases: Phrases) -> str:
    found = _SIGNED.search(line.rstrip())
    words = sentences.folded(found[1]).split() if found else []
    return found[1] if found and phrases.vocabulary.isdisjoint(words) else ""


def read(text: str, phrases: Phrases, known: Collection[str] = ()) -> Answer:
    """known: words that are names, also the table's."""
    said, flat = phrases.sentences(text), " ".join(text.split())
    asks = next((one for one in phrases.talk.asked(text) if one in flat), "")
    before = phrases.words["polite"] | phrases.words["and"]
    first = (next((w for w in one.words if w not in before), "") for one in said[:_FIRST])
    if refuses(text, phrases) or not phrases.words["no"].isdisjoint(first):
        return Answer(Says.NO)
    line = _first_line(text, phrases)
    if is_yes(line, phrases, known):
        return Answer(Says.YES, name_in(line), asks)
    return Answer(Says.QUESTION if asks else Says.UNCLEAR, asks=asks)


def is_yes(line: str, phrases: Phrases, known: Collection[str] = ()) -> bool:
    """Return whether a line seats its writer."""
    if _NO_YES.search(unicodedata.normalize("NFC", line)) or len(line.split()) > _MOST:
        return False
    names = _folded((*known, _name_at_end(line, phrases)))
    words = _words(_NAMED.sub(" ", line), phrases)
    return not phrases.words["agrees"].isdisjoint(words) and phrases.is_kind(words, names)


def code_of(text: str, phrases: Phrases, known: Collection[str] = ()) -> str:
    """Return the code below nothing but words for the referee, a greeting, a yes or thanks."""
    names = _folded(known)
    for line in text.split("\n"):
        word, words = mailwords.word(line), _words(line, phrases)
        if found := word.argument.lower() if word and word.name == "CONFIRM" else code_in(line):
            return found if phrases.words["theirs"].isdisjoint(words) else ""
        if not (word or _greets(words, phrases) or phrases.is_kind(words, names)):
            return ""
    return ""


def refuses(text: str, phrases: Phrases) -> bool:
    said = phrases.sentences(text)
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
    if not (0 < len(words) <= _GREETING and phrases.words["agrees"].isdisjoint(words)):
        return False
    return words[0] in GREETS or phrases.is_kind(words)


def _words(line: str, phrases: Phrases) -> list[str]:
    return [word for one in phrases.sentences(line) for word in one.words if word != COMMA]


def _folded(names: Iterable[str]) -> set[str]:
    return {word for one in names for word in sentences.folded(one).split()}
