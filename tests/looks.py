"""A mail's HTML as the inliner makes it of the whole page, which is what it is to look like."""

import css_inline
from markupsafe import Markup

from pbem.house import templates
from pbem.pages import html
from pbem.pages.html import Links, Setting


def whole(source: str, title: str, divider: str, links: Links | None = None) -> str:
    """The page of a sheet without pictures."""
    dense = html.kinds(source)
    setting = Setting(html.cited, {}, links=links, dense=dense)
    body = Markup(setting.letter(source))
    frame = templates.environment().get_template("_shared/mail.html.j2")
    made = frame.render(title=title, body=body, divider=divider, dense=dense)
    return css_inline.CSSInliner(keep_style_tags=True, load_remote_stylesheets=False).inline(made)
