"""A sheet as HTML for mail programs, by ``templates/_shared/mail.html.j2`` and ``mail.css``.

Looks are inlined, because some ignore style sheets, except rules for dark or narrow screens.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache, partial
from typing import Any

import css_inline
from jinja2 import Environment
from markupsafe import Markup

from pbem.pages import elements
from pbem.pages.elements import Kinds, Looks, Setting, escaped
from pbem.pages.links import Links

_CITED = re.compile(r"\[((?:[A-Z]?[0-9][\w.]*)(?:, [A-Z]?[0-9][\w.]*)*)\]")
_HOLE = re.compile(r'(?<!")\{\}')
"""A hole between tags."""
_EDGE, _KEPT = "<!-- edge -->", "<!--{}-->"
"""Comments, which may stand anywhere."""
_TITLE, _BODY = "\ue000", "\ue001"
_INLINER = css_inline.CSSInliner(keep_style_tags=True, load_remote_stylesheets=False)


def page(
    env: Environment,
    source: str,
    title: str,
    divider: str,
    pictures: Collection[str] = (),
    links: Links | None = None,
) -> str:
    """Return a sheet as HTML without scripts or outside resources.

    divider: no answer is read below it. pictures: sent along; words replace others.
    """
    if links is None:
        return _unlinked(env, source, title, divider, frozenset(pictures))
    return _set(env, source, title, divider, pictures, links)


@lru_cache(maxsize=4)
def _unlinked(
    env: Environment, source: str, title: str, divider: str, pictures: frozenset[str]
) -> str:
    """Cached: all readers of a bulletin share it."""
    return _set(env, source, title, divider, pictures, None)


def _set(
    env: Environment,
    source: str,
    title: str,
    divider: str,
    pictures: Collection[str],
    links: Links | None,
) -> str:
    looks, dense = partial(_inlined, env), elements.kinds(source)
    shown = {name: f"cid:{name}" for name in pictures}
    setting = Setting(partial(_cited, looks), shown, looks, links, dense=dense)
    head, top, bottom = _frame(env, divider, dense)
    body = setting.blocks(source) + setting.words(source)
    return f"{head}{escaped(title)}{top}{body}{bottom}"


@lru_cache(maxsize=16)
def _frame(env: Environment, divider: str, dense: Kinds) -> tuple[str, str, str]:
    made = env.get_template("_shared/mail.html.j2").render(
        title=_TITLE, body=_BODY, divider=divider, dense=dense
    )
    head, _, rest = _INLINER.inline(made).partition(_TITLE)
    top, _, bottom = rest.partition(_BODY)
    return head, top, bottom


@lru_cache(maxsize=512)
def _inlined(env: Environment, shape: str, within: str) -> str:
    body = Markup(f"{within}{_EDGE}{_HOLE.sub(_KEPT, shape)}{_EDGE}")
    made = env.get_template("_shared/mail.html.j2").render(
        title="", body=body, divider="", dense=()
    )
    _, shown, _ = _INLINER.inline(made).split(_EDGE)
    return shown.replace(_KEPT, "{}")


def site_page(
    env: Environment,
    template: str,
    source: str,
    cite: Callable[[str], Markup],
    pictures: Mapping[str, str],
    *,
    top: int = 2,
    **more: Any,
) -> str:
    """Return a page of the site. cite: makes a sentence HTML. pictures: addresses. top: heading
    level."""
    dense = elements.kinds(source)
    body = Setting(cite, pictures, level=top, dense=dense).blocks(source)
    return env.get_template(template).render(
        body=Markup(body), dense=dense, pictures=pictures, **more
    )


def cited(line: str) -> Markup:
    return Markup(_cited(elements.as_they_are, line))


def _cited(looks: Looks, line: str) -> str:
    said = escaped(line.strip())
    if "[" not in said:
        return said
    return _CITED.sub(looks('<span class="cite">[{}]</span>', "").replace("{}", r"\1"), said)
