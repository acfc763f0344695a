"""What a word names; unknown words return in capitals."""

from collections.abc import Mapping

from pbem.orders.language import resolve

OFFICES = ("premier", "foreign", "defense", "finance")
PARTIES = {"S": "Socialist", "R": "Radical", "L": "Liberal", "C": "Conservative", "M": "Monarchist"}
"""From left to right."""

PARTY_NAMES = {
    **{key: key for key in PARTIES},
    **{f"{name}s": key for key, name in PARTIES.items()},
}
OFFICE_NAMES = {**{office: office for office in OFFICES}, "defence": "defense", "prime": "premier"}
VOTES = {
    **dict.fromkeys(("yes", "y", "aye", "for"), "yes"),
    **dict.fromkeys(("no", "n", "nay", "against"), "no"),
    **dict.fromkeys(("abstain", "a", "abstention"), "abstain"),
}
_NO_NAMES = {*VOTES, "bill", "bills", "amendment", "on", "the", "with", "instead", "of", "and"}


def bill_names(names: Mapping[int, str]) -> dict[str, int]:
    """Return {small letters: number} of names of one bill."""
    called: dict[str, set[int]] = {}
    for number, name in names.items():
        for words in (name, *name.split()):
            called.setdefault(" ".join(words.casefold().split()), set()).add(number)
    kept = {words: min(found) for words, found in called.items() if len(found) == 1}
    return {
        words: number
        for words, number in kept.items()
        if words.isascii() and words[0].isalpha() and words not in _NO_NAMES
    }


def party(word: str) -> str:
    key = word.upper()
    if key in PARTIES:
        return key
    found = resolve(word, PARTY_NAMES)
    return found if isinstance(found, str) else key


def office(word: str) -> str:
    found = resolve(word, OFFICE_NAMES)
    return found if isinstance(found, str) else word.upper()


def vote(word: str) -> str:
    return VOTES.get(word.lower(), word.upper())
