"""The referee's words to shell users, with commands as links."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from markupsafe import Markup, escape

from pbem.acts import written


def spoken(url: Callable[[str], str], text: str) -> Markup:
    """Return a text as HTML, known shell commands as links. ``url`` makes an address of a path."""
    return Markup(written.COMMAND.sub(partial(_linked, url), str(escape(text))))


def _linked(url: Callable[[str], str], found: re.Match[str]) -> str:
    page = written.page(found[1], Markup(found[2]).unescape().split())
    if page is None:
        return found[0]
    return str(Markup('<a href="{}">{}</a>').format(url(page.path), page.title))
