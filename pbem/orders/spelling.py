"""Numbers, nearest words and slips."""

import difflib
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

_MOST_DIGITS = 9
_SHORT, _SHORTEST = 30, 3
"""Longer words are not cached; shorter ones keep their endings."""


def is_number(text: str) -> bool:
    """Return whether it is digits 0 to 9 only."""
    return text.isascii() and text.isdigit()


def is_count(text: str) -> bool:
    """Return whether it is a number of at most nine digits."""
    return is_number(text) and len(text) <= _MOST_DIGITS


def whole(written: str) -> int:
    """Return the number of "1,000" or "1k"."""
    digits = written.replace(",", "")
    return int(digits[:-1]) * 1000 if digits[-1] in "kK" else int(digits)


def nearest(word: str, legal: Iterable[str], likeness: float = 0.6) -> str:
    words = sorted(set(legal))
    near = difflib.get_close_matches(word, words, cutoff=likeness)
    if not near and len(word) == 3 and word.isalpha():  # too unlike by ratio, but one slip
        near = slips(word, words)

    # Few slips are at the first letter: AY is AYE, not NAY.
    def how_near(other: str) -> tuple[float, bool]:
        return difflib.SequenceMatcher(None, other, word).ratio(), other[:1] == word[:1]

    return max(near, key=how_near, default="")


def slips(word: str, legal: Collection[str]) -> list[str]:
    if word in legal:
        return []
    look = _slips if len(word) <= _SHORT else _slips.__wrapped__
    return list(look(word, frozenset(legal)))


@lru_cache(maxsize=4096)
def _slips(word: str, legal: frozenset[str]) -> tuple[str, ...]:
    """Cached: our mails repeat words."""
    return tuple(other for other in sorted(legal) if _one_slip(word, other))


def _one_slip(word: str, other: str) -> bool:
    if abs(len(word) - len(other)) > 1 or len(word) < 2:
        return False
    short, long = sorted((word, other), key=len)
    at = next((at for at, char in enumerate(short) if char != long[at]), len(short))
    if len(short) < len(long):
        return short[at:] == long[at + 1 :]
    swapped = long[:at] + long[at + 1 : at + 2] + long[at : at + 1] + long[at + 2 :]
    return short == swapped or short[at + 1 :] == long[at + 1 :]


def either(words: Sequence[str]) -> str:
    """Return "a, b or c"."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def stem(word: str) -> str:
    """Return a word without its ending."""
    small = word.lower()
    for ending in ("ing", "ed", "es", "s"):
        bare = small.removesuffix(ending)
        if bare != small and len(bare) >= _SHORTEST and not small.endswith("ss"):
            small = bare
            break
    small = small.removesuffix("e") if len(small) > _SHORTEST else small
    return small[:-1] if len(small) > _SHORTEST and small[-1] == small[-2] else small
