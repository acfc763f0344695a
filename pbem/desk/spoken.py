"""Words with links: of commands to their pages, of letters to theirs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial

from markupsafe import Markup, escape

from pbem.acts import written

_FIGURES = frozenset("0123456789")


def spoken(url: Callable[[str], str], text: str) -> Markup:
    """Return a text as HTML, known shell commands as links. ``url`` makes an address of a path."""
    return Markup(written.COMMAND.sub(partial(_linked, url), str(escape(text))))


def letters_linked(url: Callable[[str], str], said: str, letters: Iterable[int]) -> Markup:
    """Return a sentence as HTML, each of these letters as a link; behind it if it names it not."""
    found = str(escape(said))
    for number in letters:
        for word in (f"Letter {number}", f"letter {number}"):
            before, named, after = found.partition(word)
            if named and after[:1] not in _FIGURES:
                found = f"{before}{_link(url, number, word)}{after}"
                break
        else:
            found = f"{found} {_link(url, number, f'Letter {number}')}"
    return Markup(found)


def _link(url: Callable[[str], str], number: int, word: str) -> str:
    return str(Markup('<a href="{}">{}</a>').format(url(f"/letters/{number}"), word))


def _linked(url: Callable[[str], str], found: re.Match[str]) -> str:
    page = written.page(found[1], Markup(found[2]).unescape().split())
    if page is None:
        return found[0]
    return str(Markup('<a href="{}">{}</a>').format(url(page.path), page.title))
