"""Shell commands named in a text (`` `pbem resume autumn` ``), and the same at the desk."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote, urlencode

from pbem.acts.act import Act, Argument, Kind
from pbem.acts.acts import BY_NAME

COMMAND = re.compile(r"`pbem\s([a-z-]++)([^`\n]*+(?:\n[^`\n]++)?)`")
_QUESTIONS: Mapping[str, tuple[str, str, str]] = {
    "queue": ("What waits", "/", "/games/{}"),
    "letter": ("the letter", "/letters", "/letters/{}"),
    "table": ("its page", "/games", "/tables/{}"),
}
"""Commands that ask: title, page, and page of one thing."""


class Page(NamedTuple):
    """A page of the desk that does what a command does."""

    path: str
    title: str


def page(name: str, words: Sequence[str]) -> Page | None:
    """Return the desk's page for a command with these words, or None."""
    if name in BY_NAME:
        return Page(_path(BY_NAME[name], words), name.replace("-", " ").capitalize())
    if name not in _QUESTIONS:
        return None
    title, of_all, of_one = _QUESTIONS[name]
    one = next((word for word in words if not word.startswith("-") and not word.isupper()), "")
    return Page(of_one.format(quote(one, safe="")) if one else of_all, title)


def _path(act: Act, words: Sequence[str]) -> str:
    given = [
        (one.name, word)
        for one, word in arguments(act, words)
        if word not in (one.shown, one.name.upper())
    ]
    return f"/do/{act.name}" + (f"?{urlencode(given)}" if given else "")


def arguments(act: Act, words: Sequence[str]) -> Iterator[tuple[Argument, str]]:
    """Yield the arguments of a command's words. A flag's value is "yes"."""
    options = {one.option: one for one in act.arguments if one.option}
    places, left = iter(one for one in act.arguments if not one.option), iter(words)
    for word in left:
        argument = options.get(word) or next(places, None)
        if argument is None:
            return
        if word not in options:
            yield argument, word
        else:
            yield argument, "yes" if argument.kind is Kind.FLAG else next(left, "")
