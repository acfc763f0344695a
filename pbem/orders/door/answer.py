"""What somebody answers to the question whether he wants to play, or is there.

A yes is the writer's own: a sentence that begins with one. A machine's answer, a question and an
empty letter are none.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum

from pbem.orders.door import sentences
from pbem.orders.door.phrases import Phrases
from pbem.orders.door.sentences import COMMA, Sentence


class Says(StrEnum):
    """What an answer says."""

    YES = "yes"
    NO = "no"
    QUESTION = "question"
    UNCLEAR = "unclear"
    MACHINE = "machine"


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer in somebody's own words."""

    says: Says
    name: str = ""
    """What he wants to be called, as written."""
    asks: str = ""
    """His first question, as written."""


_FIRST = 4
"""Sentences searched for a yes."""
_MOST = 14
"""More words in its sentence."""
_TICKET = re.compile(
    r"\[[^\[\]]{0,40}(?:#|ticket|case|request|id)[^\[\]]{0,20}[0-9]"
    r"|\b(?:ticket|case|request|incident)[ :#]{0,3}(?:id|no|number)?[ :#.]{0,3}[0-9]"
    r"|\bauto(?:matic|mated|reply|-reply|responder)\b"
    r"|\b(?:has been|we have|we) received\b|\breceived your\b|\bout of (?:the )?office"
    r"|abwesen|\bchallenge\b|\bverify\b|\bverification\b|\bconfirm your\b|undeliver"
    r"|\bdelivery (?:status|failure)|\byour (?:message|mail|email|enquiry) (?:to|has|is|was)\b"
    r"|\bticketnummer|\beingangsbest",
    re.IGNORECASE,
)
"""Subjects of machines."""
_NAMED = re.compile(
    r"\b(?:[Cc]all me|[Mm]y name is|[Mm]ein [Nn]ame ist|[Ii]ch heiße|[Nn]enn(?:t|en Sie)? mich"
    r"|[Uu]nder the name(?: of)?|[Uu]nter dem [Nn]amen|named?|known as|AS|as|als)"
    r"[: ]+[\"'\u201c\u201e]?"
    r"((?:[A-Z\u00c0-\u024f][\w'.-]{1,20})(?: [A-Z\u00c0-\u024f][\w'.-]{0,20}){0,2})"
)


def name_in(text: str) -> str:
    """Return the name asked for, without a final stop, or ""."""
    found = _NAMED.search(text)
    return found[1].rstrip(".'-") if found else ""


def read(text: str, subject: str, phrases: Phrases, known: Collection[str] = ()) -> Answer:
    """Return what an answer says. known: words that are names."""
    said = sentences.sentences(text, phrases.short)
    if is_machine(text, subject, phrases):
        return Answer(Says.MACHINE)
    if any(phrases.has("refuses", one.words) for one in said):
        return Answer(Says.NO)
    names = {word for one in known for word in sentences.folded(one).split()}
    name = name_in(text)
    names.update(sentences.folded(name).split())
    asks = next((one.text for one in said if one.asks and len(one.words) > 1), "")
    for one in said[:_FIRST]:
        if _says_no(one, phrases):
            return Answer(Says.NO)
        if not one.asks and _says_yes(one, phrases, names):
            declines = any(phrases.has("declines", other.words) for other in said)
            return Answer(Says.NO) if declines else Answer(Says.YES, name, asks)
        if one.asks:
            break
    if any(phrases.has("declines", one.words) for one in said):
        return Answer(Says.NO)
    return Answer(Says.QUESTION if asks else Says.UNCLEAR, name, asks)


def refuses(text: str, phrases: Phrases) -> bool:
    said = sentences.sentences(text, phrases.short)
    return any(phrases.has(kind, one.words) for kind in ("refuses", "declines") for one in said)


def is_machine(text: str, subject: str, phrases: Phrases) -> bool:
    if _TICKET.search(subject):
        return True
    said = sentences.sentences(text, phrases.short)
    signs = sum(len({end for _, end in phrases.spots("machine", one.words)}) for one in said)
    copied = any(phrases.has("own", one.words) for one in said)
    return copied or signs > 1 or any(phrases.has("sells", one.words) for one in said)


def _says_no(one: Sentence, phrases: Phrases) -> bool:
    words = _plain(one, phrases)
    return bool(words) and words[0] in ("no", "nope", "nein", "non", "nee", "nej", "never")


def _says_yes(one: Sentence, phrases: Phrases, names: Collection[str]) -> bool:
    words = _plain(one, phrases)
    if not phrases.words["not"].isdisjoint(words):
        return False
    begins = any(first == 0 for first, _ in phrases.spots("yes", words))
    if begins and len(words) <= _MOST:
        return True
    left = list(words)
    for kind in ("yes", "perhaps", "join", "courtesy"):
        left = phrases.without(kind, left)
    any_yes = any(phrases.has(kind, words) for kind in ("yes", "perhaps", "join"))
    return any_yes and not [word for word in left if word not in names]


def _plain(one: Sentence, phrases: Phrases) -> list[str]:
    words = [word for word in one.words if word != COMMA]
    return list(_from_first(words, phrases))


def _from_first(words: list[str], phrases: Phrases) -> Iterator[str]:
    begun = False
    for word in words:
        begun = begun or word not in phrases.words["greets"]
        if begun:
            yield word
