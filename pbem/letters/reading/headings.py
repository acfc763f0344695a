"""Tell a mail program's heading from the writer's sentence.

A forwarded letter must not count, but "As I said on 2 November 2026:" must not cost the orders
below. So a heading begins or ends with moment, address or verb; names do not count, because people
choose them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from pbem.letters.reading import phrases

_EACH = 400

ADDRESS = re.compile(r"[<\[(][^<>@\[(]{1,300}+(?<!\s)@[^\s<>@]{1,255}\s*[>\])]")
"""In brackets, perhaps with words before it."""
ADDRESS_LAST = re.compile(r"(?<![^\s<(])[^\s<>@]{1,128}+@[^\s<>@]{1,255}+\Z")
_PLAIN_ADDRESS = re.compile(
    r"(?<![^\s<>()\[\]@,;:\"])[^\s<>()\[\]@,;:\"]{1,128}+@[^\s<>()\[\]@,;:\"]{1,255}+"
)
_ANGLE = re.compile(r"<[^<>@\s]{1,128}+@[^<>@\s]{1,255}+>")
_FEW = 4
_TIME = re.compile(r"(?<![\d.,/:-])\d{1,2}(?:[:h]\d{2}|\.\d{2}(?![\d.]))")
_YEAR = re.compile(r"(?<!\d)(?:19|20|25)\d{2}(?!\d)|(?<!\d)\d{1,2}[./-]\d{1,2}[./-]\d{2}(?!\d)|年")
_DAY = re.compile(r"(?<!\w)\d{1,2}(?:st|nd|rd|th|er)?(?!\w)")
_ZONE = re.compile(
    r"(?::\d{2})?+\s*+(?:[AaPp]\.?[Mm]\.?\s*+)?\(?(?:(?:GMT|UTC)(?:[+-]\d{1,2}(?::?\d{2})?)?|[+-]\d{2}:?\d{2}|[A-Z]{2,4}T)\)?,?\s++"
)
_DAY_FIRST = re.compile(
    rf"[\s*_~>-]*+(?:(?:{phrases.BEGINS})\s++)?+(?:[^\W\d]{{1,12}}+[.,]{{0,2}}\s++){{0,2}}+\d",
    re.IGNORECASE,
)
_WEEKDAY_FIRST = re.compile(r"[\s*_~-]*+(?:[^\W\d]{1,4}\s++)?[^\W\d]{2,12}[.,]{1,2}\s")
_WROTE = re.compile(
    rf"(?<![\w])(?:{phrases.WROTE})(?:\(\w{{1,2}}\)|/\w{{1,2}})?+(?![\w])|{phrases.WROTE_UNSPACED}",
    re.IGNORECASE,
)
_VERB_SECOND = re.compile(
    r"schrieb(?:en)?|skrev|schreef|skrifaði|zitat von|quoting|napisana przez", re.IGNORECASE
)
_FIRST_PERSON = re.compile(phrases.FIRST_PERSON, re.IGNORECASE)
_SAID = frozenset({"said", "quoting"})
_FOLLOWING = re.compile(
    r"\b(?:the following|folgendes|ce qui suit|lo siguiente|quanto segue|het volgende)\b",
    re.IGNORECASE,
)
_DASHES = re.compile(r"[-_=~*‐–—]{3,}+")
_NOUN = re.compile(phrases.MESSAGE)
_OWN_WORDS = frozenset(
    {
        "to",
        "for",
        "my",
        "our",
        "your",
        "me",
        "follows",
        "an",
        "für",
        "mein",
        "meine",
        "unser",
        "pour",
        "mon",
        "ma",
        "notre",
        "à",
        "para",
        "mi",
    }
)


_PIECES = re.compile(r"[\s/(),:;.<>\[\]\"=-]+")
_UNSPACED = tuple(phrases.WROTE_UNSPACED.split("|"))
_VERBS = frozenset(
    max(_PIECES.split(verb.replace("\\", "")), key=len)
    for verb in f"{phrases.WROTE}|{phrases.WROTE_UNSPACED}".split("|")
)


def may_say_wrote(line: str) -> bool:
    small = line.lower()
    return not _VERBS.isdisjoint(_PIECES.split(small)) or any(verb in small for verb in _UNSPACED)


def short(text: str) -> str:
    return text if len(text) <= 2 * _EACH else f"{text[:_EACH]} {text[-_EACH:]}"


def is_programs(heading: str) -> bool:
    bare = _FOLLOWING.sub("", heading).rstrip(" \t\xa0:：-*_")
    if is_moment_and_address(heading):
        return True
    behind = max(
        (found.end() for found in (*ADDRESS.finditer(bare), *ADDRESS_LAST.finditer(bare))),
        default=0,
    )
    if behind:
        wrote = [found.end() for found in _WROTE.finditer(bare, behind)]
        rest = bare[wrote[-1] if wrote else behind :]
        return not _wordy(rest) or bool(_TIME.search(rest) or _YEAR.search(rest))
    verbs = list(_WROTE.finditer(bare))
    if not verbs or verbs[-1].group().lower() in _SAID or _FIRST_PERSON.match(bare):
        return False
    before, rest = bare[: verbs[-1].start()], bare[verbs[-1].end() :]
    if _TIME.search(rest):
        return _is_moment(rest)
    return _is_moment(before) and (
        not _wordy(rest)
        or rest.lstrip().startswith("(")
        or bool(_VERB_SECOND.fullmatch(verbs[-1].group()))
    )


def is_moment_and_address(heading: str) -> bool:
    """Return whether a heading has year, time and address, in any language."""
    found = _ANGLE.search(heading)
    if not found or not heading.rstrip().endswith((":", "：", "፦", "։", "․")):
        return False
    before, behind = heading[: found.start()], heading[found.end() :]
    return (
        bool(_TIME.search(before) and _YEAR.search(before))
        and 0 < len(behind.strip(" :：").split()) <= _FEW
    )


def _wordy(text: str) -> bool:
    return sum(map(str.isalpha, text)) > 5


def _is_moment(text: str) -> bool:
    """Return whether it is day and time, or year and weekday or name."""
    if _TIME.search(text):
        return bool(_DAY.search(_TIME.sub("", text)) or _YEAR.search(text))
    year = _YEAR.search(text)
    if not year:
        return False
    name = text[year.end() :].lstrip(" ,.)г]р").strip()
    return bool(_WEEKDAY_FIRST.match(text) or (name and not name[0].islower()))


def is_stamped(line: str) -> bool:
    """Return whether a line is time, zone and name: "2026-11-02 10:00 GMT+01:00 Eve"."""
    time = _TIME.search(line, 0, 80)
    zone = _ZONE.match(line, time.end()) if time else None
    if (
        time is None
        or zone is None
        or not (_DAY_FIRST.match(line) and _YEAR.search(line[: time.start()]))
    ):
        return False
    name = line[zone.end() :].strip()
    bare = name.rstrip(" :：")
    if not bare or bare[-1] in ".!?;," or not any(map(str.isalpha, bare)):
        return False
    return not bare[0].islower() or name != bare or bare.count(" ") < 2


def is_divider(words: str) -> bool:
    """Return whether words in dashes name a letter: "-----Antwort Nachricht-----"."""
    opening, closing = _DASHES.match(words), _DASHES.match(words[::-1])
    if not (opening and closing) or opening.end() + closing.end() >= len(words):
        return False
    inner = words[opening.end() : -closing.end()].split()
    if inner and _WROTE.fullmatch(
        inner[-1].rstrip(":")
    ):  # "---- Eve wrote ----", as some telephones have it
        return len(inner) > 1 and not _FIRST_PERSON.match(" ".join(inner))
    return len(inner) < 5 and _OWN_WORDS.isdisjoint(inner) and bool(_NOUN.search(" ".join(inner)))


Entry = tuple[str, str]
"""Label in small letters, and the rest."""


def in_one_line(line: str) -> list[Entry]:
    first, *pieces = short(line).replace("：", ":").split(":")
    entries: list[Entry] = []
    label, said = known_label(first), ""
    for number, piece in enumerate(pieces if label else (), 1):
        words = piece.split()
        sizes = (n for n in (3, 2, 1) if number < len(pieces) and known_label(" ".join(words[-n:])))
        size = min(next(sizes, 0), len(words))
        said += " ".join(words[: len(words) - size])
        if size or number == len(pieces):
            entries.append((label, said))
            label, said = known_label(" ".join(words[-size:])), ""
        else:
            said += ":"  # of a time
    return entries


def known_label(text: str) -> str:
    label = text.strip(" \t\xa0*_-|").lower()
    return label if label in phrases.FROM or label in phrases.OTHER else ""


def is_header(entries: Sequence[Entry], mine: Collection[str], said: bool) -> bool:
    """Return whether entries are another letter's header: From and more than To, with a moment or
    another's address. mine: the writer's addresses. said: he wrote something above."""
    known = {label for label, _ in entries}
    if known.isdisjoint(phrases.FROM) or not (
        len(known) > 2 or (len(known) == 2 and not known & phrases.TO)
    ):
        return False
    values = [short(value) for _, value in entries]
    if any(_TIME.search(value) for value in values):
        return True
    pieces = (short(value) for label, value in entries if label in phrases.FROM)
    if writers := {one.lower() for piece in pieces for one in _PLAIN_ADDRESS.findall(piece)}:
        return not writers <= set(mine)
    return not known.isdisjoint(phrases.DATE) or (said and any("@" in value for value in values))
