"""The referee's words to shell users, with commands as links."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from urllib.parse import quote, urlencode

from markupsafe import Markup, escape

from pbem.acts.act import Act, Argument, Kind
from pbem.acts.acts import BY_NAME

_COMMAND = re.compile(r"`pbem ([a-z-]++)([^`\n]*+)`")
_QUESTIONS: Mapping[str, tuple[str, str, str]] = {
    "queue": ("What waits", "/", "/games/{}"),
    "letter": ("the letter", "/letters", "/letters/{}"),
    "table": ("its page", "/games", "/tables/{}"),
}
"""Commands that ask: title, page, and page of one thing."""


def spoken(url: Callable[[str], str], text: str) -> Markup:
    """Return a text as HTML, known shell commands as links. ``url`` makes an address of a path."""
    return Markup(_COMMAND.sub(partial(_linked, url), str(escape(text))))


def _linked(url: Callable[[str], str], found: re.Match[str]) -> str:
    name, words = found[1], Markup(found[2]).unescape().split()
    if name in BY_NAME:
        path, title = _path(BY_NAME[name], words), name.replace("-", " ").capitalize()
    elif name in _QUESTIONS:
        title, of_all, of_one = _QUESTIONS[name]
        one = next((word for word in words if not word.startswith("-") and not word.isupper()), "")
        path = of_one.format(quote(one, safe="")) if one else of_all
    else:
        return found[0]
    return str(Markup('<a href="{}">{}</a>').format(url(path), title))


def _path(act: Act, words: Sequence[str]) -> str:
    given = [
        (one.name, word)
        for one, word in _arguments(act, words)
        if word not in (one.shown, one.name.upper())
    ]
    return f"/do/{act.name}" + (f"?{urlencode(given)}" if given else "")


def _arguments(act: Act, words: Sequence[str]) -> Iterator[tuple[Argument, str]]:
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
