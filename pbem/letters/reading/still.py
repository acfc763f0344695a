"""A letter's page without anything a browser would fetch: it may connect before it checks the
policy. Only attributes in :data:`_KEPT` stay, and styles without addresses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import tinycss2
from selectolax.lexbor import LexborHTMLParser, LexborNode
from tinycss2.ast import IdentToken, Node

from pbem.letters.limits import OverLimit
from pbem.letters.reading import markup

# fmt: off
_CUT = (
    "script", "iframe", "frame", "frameset", "object", "embed", "applet", "portal", "fencedframe",
    "link", "base", "meta", "template", "svg", "math", "audio", "video", "source", "track",
)
"""Elements that fetch or lead elsewhere."""
_KEPT = frozenset({
    "align", "alt", "bgcolor", "border", "cellpadding", "cellspacing", "class", "color", "cols",
    "colspan", "dir", "face", "height", "hidden", "id", "lang", "media", "noshade", "nowrap",
    "open", "reversed", "rows", "rowspan", "size", "start", "style", "text", "title", "type",
    "valign", "value", "width",
})
_FETCHES = frozenset({
    "url", "src", "image", "image-set", "-webkit-image-set", "cross-fade", "-webkit-cross-fade",
    "element", "attr", "url-prefix",
})
"""Style functions that fetch."""
# fmt: on
_IMPORTS = frozenset({"import", "font-face", "namespace", "document", "-moz-document"})
_PASSES = 4
_SHEET = 100_000
"""Characters of the largest style sheet kept."""


def still(html: str) -> str:
    """Return the page for a browser. Raise OverLimit."""
    for _ in range(_PASSES):
        before, html = html, _cut(html)
        if html == before:  # a browser reads what has been looked at
            return html
    raise OverLimit("a page that reads otherwise each time")


def _cut(html: str) -> str:
    markup.bounded(html)
    tree = LexborHTMLParser(html.encode("utf-8", "replace"))
    for tag in _CUT:
        for node in tree.tags(tag):
            node.decompose()
    for node in tree.tags("style"):
        _set_text(node, _without_addresses(node.text(deep=True)))
    for node in _elements(tree):
        for name, value in list(node.attributes.items()):
            if name not in _KEPT:
                del node.attrs[name]
            elif name == "style":
                node.attrs[name] = _without_addresses(value or "")
    return tree.html or ""


def _elements(tree: LexborHTMLParser) -> Iterator[LexborNode]:
    if tree.root is not None:
        yield from (node for node in tree.root.traverse() if node.attributes)


def _set_text(node: LexborNode, text: str) -> None:
    for child in list(node.iter(include_text=True)):
        child.decompose()
    if text:
        node.insert_child(text)


def _without_addresses(css: str) -> str:
    if len(css) > _SHEET:
        return ""
    try:
        return str(tinycss2.serialize(_quiet(tinycss2.parse_component_value_list(css))))
    except RecursionError:
        return ""


def _quiet(nodes: Iterable[Node]) -> list[Node]:
    found: list[Node] = []
    for node in nodes:
        fetches = node.type == "function" and node.lower_name in _FETCHES
        if fetches or node.type in ("url", "bad-url", "error"):
            found.append(IdentToken(node.source_line, node.source_column, "none"))
            continue
        if node.type == "at-keyword" and node.lower_value in _IMPORTS:
            node.value = "cut"  # a rule that no browser knows
        if node.type == "function":
            node.arguments = _quiet(node.arguments)
        elif node.type in ("() block", "[] block", "{} block"):
            node.content = _quiet(node.content)
        found.append(node)
    return found
