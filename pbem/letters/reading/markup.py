"""HTML as text, without what its tags and attributes hide or strike out.

Quotations become lines with ``>``. A page whose style sheet may hide text is ``styled``: nobody
computes what its writer saw.

A letter's page without anything a browser would fetch: it may connect before it checks the
policy. Only attributes in :data:`_KEPT` stay, and styles without addresses.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

import tinycss2
from selectolax.lexbor import LexborHTMLParser, LexborNode
from tinycss2.ast import IdentToken, Node
from tinycss2.color3 import RGBA, parse_color

from pbem.letters.limits import OverLimit

# fmt: off
_SILENT = frozenset({
    "script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes", "plaintext",
    "template",
})
_HIDDEN = frozenset({
    "head", "object", "applet", "svg", "math", "audio", "video", "canvas", "noscript", "dialog",
    "select", "datalist", "progress", "meter", "bdo", "del", "s", "strike",
})
BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "center", "dd", "div", "dl", "dt",
    "fieldset", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li",
    "main", "nav", "ol", "p", "pre", "section", "table", "tbody", "tfoot", "thead", "tr", "ul",
})
_QUOTES = frozenset({"protonmail_quote", "zmail_extra", "moz-forward-container"})
_SIGNATURES = frozenset({
    "gmail_signature", "moz-signature", "protonmail_signature_block", "signature",
    "ms-outlook-mobile-signature", "composer_signature", "applemailsignature",
})
# fmt: on
_QUOTE_IDS = frozenset({"mail-editor-reference-message-container", "isreplycontent"})
_QUOTED_BELOW = frozenset({"divrplyfwdmsg", "appendonsend"})
_LAST_LINES = {"signature": "-- ", "below": "-----Original Message-----"}
"""Lines below which nothing counts."""
_GONE = re.compile(
    r"display:none|visibility:(?:hidden|collapse)|mso-hide:all|line-through|\\"
    r"|opacity:0(?:\.0[0-9]?)?(?![.0-9])|font(?:-size)?:(?:[a-z]++ )*+0(?:\.0[0-9]?)?(?![.0-9])"
)
"""Hides or strikes out. A backslash may stand for any letter."""
_COLOUR = re.compile(r"(?:^|;)color:([^;]*)")
_KEEPS_LINES = re.compile(r"white-space:(?:pre|break-spaces)")
_LIGHT, _FAINT = 0.85, 0.15
"""Text is not seen on white if red, green and blue are above, or its opacity below."""
_STYLED = re.compile(
    r"(?:display|visibility|font(?:-size)?|color|background|opacity)\s*+:|\\", re.IGNORECASE
)

_TAGS = 30_000
_NESTED = 2_000
_ELEMENTS = 100_000
_ATTRIBUTES = 2_000
_REOPENED = 300_000
_UNCLOSED = re.compile(
    r"<(?!p\b|li\b|t[dhr]\b|d[dt]\b|option\b|br\b|img\b|hr\b|meta\b|link\b|col\b|input\b)[a-z]",
    re.I,
)
_TAG = re.compile(r"<[a-z][^>]*+", re.I)
_LONG_TAG = 8_000
_ATTRIBUTE = re.compile(r"[\s\"'/][a-z]")
_BLANKS = re.compile(r"[ \t\n\r\f]++")
_FORMATTING = re.compile(
    r"<(?:b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)(?=[\s/>])[^>]*", re.I
)


@dataclass(frozen=True, slots=True)
class SeenText:
    """A page's text as seen."""

    text: str
    hidden: tuple[tuple[int, str], ...]
    """Pieces, each with the line (from 0) below it."""
    styled: bool = False


def shown(html: str) -> SeenText:
    """Return a page's text and hidden pieces. Raise OverLimit."""
    bounded(html)
    tree = LexborHTMLParser(html.encode("utf-8", "replace"))
    walk = _Walk()
    if tree.root is not None:
        walk.over(tree.root)
    return walk.result(_is_styled(tree) or "shadowroot" in html.lower())


def bounded(html: str) -> None:
    """Raise OverLimit if the tree costs too much."""
    tags = html.count("<")
    if tags > _TAGS:
        raise OverLimit(f"too many tags: {tags}, at most {_TAGS} are read")
    if tags > _NESTED and len(_UNCLOSED.findall(html)) - html.count("</") > _NESTED:
        raise OverLimit(f"elements within elements: over {_NESTED}")
    long = (tag for tag in _TAG.findall(html) if len(tag) > _LONG_TAG)
    if any(len(_ATTRIBUTE.findall(tag)) > _ATTRIBUTES for tag in long):
        raise OverLimit(f"too many attributes in one tag: over {_ATTRIBUTES}")
    if len(set(_FORMATTING.findall(html))) * tags > _REOPENED:
        raise OverLimit("too many kinds of formatting for so many tags")


def _is_styled(tree: LexborHTMLParser) -> bool:
    sheets = (node.text(deep=True) for node in tree.tags("style"))
    return any(map(_STYLED.search, sheets)) or any(
        "stylesheet" in _attributes(node).get("rel", "").lower() for node in tree.tags("link")
    )


def _attributes(node: LexborNode) -> dict[str, str]:
    return {name: value or "" for name, value in node.attributes.items()}


def _events(root: LexborNode) -> Iterator[tuple[LexborNode, str, bool]]:
    node: LexborNode | None = root
    above: list[tuple[LexborNode, str]] = []
    count = 0
    while node is not None:
        count += 1
        if count > _ELEMENTS:
            raise OverLimit(f"too many elements: over {_ELEMENTS}")
        tag = node.tag or "-"
        if tag not in _SILENT:
            yield node, tag, True
            if (child := node.first_child) is not None:
                above.append((node, tag))
                node = child
                continue
            yield node, tag, False
        while (following := node.next) is None and above:
            node, tag = above.pop()
            yield node, tag, False
        node = following


class _Walk:
    def __init__(self) -> None:
        self.open: list[tuple[str, bool]] = []
        """Effect of each open element, and whether lines were kept around it."""
        self.doing: Counter[str] = Counter()
        self.keeps_lines = False
        self.lines: list[str] = []
        self.line: list[str] = []
        self.depth = 0
        self.hidden: list[tuple[int, str]] = []
        self.unseen: list[str] = []

    def over(self, root: LexborNode) -> None:
        for node, tag, begins in _events(root):
            if tag.startswith("-"):
                if begins and tag == "-text":
                    self._text(node.text_content or "")
            elif begins:
                self._enter(tag, _attributes(node), node)
            else:
                self._leave(tag)

    def _enter(self, tag: str, given: dict[str, str], node: LexborNode) -> None:
        if tag == "br":
            self._seen()
            self._line()
        if tag in ("td", "th") and self.line:
            self.line.append(" ")
        if tag in BLOCKS:
            self._fresh()
        style = _plainly(given["style"]) if "style" in given else ""
        named = (given.get(name, "") for name in ("class", "id", "name"))
        effect = "hidden" if _hides(tag, given, style) else _effect(tag, *named)
        self.open.append((effect, self.keeps_lines))
        self.doing[effect] += 1
        if tag == "pre" or "white-space" in style:
            self.keeps_lines = tag == "pre" or bool(_KEEPS_LINES.search(style))
        if effect in _LAST_LINES and not self.doing["hidden"]:
            self._fresh()
            self._add(_LAST_LINES[effect])
            self._line()

    def _leave(self, tag: str) -> None:
        effect, self.keeps_lines = self.open.pop()
        self.doing[effect] -= 1
        if tag in BLOCKS or effect == "quote":
            self._fresh()
            # what is not quoted is never taken for the rest of what is
            if tag == "p" or effect == "quote":
                self._line()

    def _text(self, data: str) -> None:
        if self.doing["hidden"]:
            self.unseen.append(data if self.keeps_lines else data.replace("\n", " "))
            return
        if data.strip():
            self._seen()
        if self.keeps_lines:
            first, *rest = data.split("\n")
            self._add(first)
            for line in rest:
                self._line()
                self._add(line)
        else:
            words = _BLANKS.sub(" ", data)
            self._add(words if self.line else words.lstrip(" "))

    def _add(self, words: str) -> None:
        if words:
            if not self.line:
                self.depth = min(self.doing["quote"], 9)
            self.line.append(words)

    def _line(self) -> None:
        depth = self.depth if self.line else min(self.doing["quote"], 9)
        words = "".join(self.line)
        plain = words if words == "-- " else words.rstrip(" ")
        self.lines.append(f"{'>' * depth} {words}" if depth else plain)
        self.line = []

    def _seen(self) -> None:
        """Join what was hidden: tags may cut a line."""
        lines = (" ".join(line.split()) for line in "".join(self.unseen).split("\n"))
        if words := "\n".join(filter(None, lines)):
            self.hidden.append((len(self.lines) + bool(self.line), words))
        self.unseen = []

    def _fresh(self) -> None:
        self._seen()
        if self.line:
            self._line()

    def result(self, styled: bool) -> SeenText:
        self._fresh()
        kept: list[str] = []
        places = [0]
        for line in self.lines:
            if line or (kept and kept[-1]):
                kept.append(line)
            places.append(len(kept))
        hidden = tuple((places[at], words) for at, words in self.hidden)
        return SeenText("\n".join(kept).rstrip("\n"), hidden, styled)


@lru_cache(maxsize=1_000)
def _plainly(style: str) -> str:
    """Return a style attribute in small letters without needless blanks."""
    return ";".join(
        f"{name.strip()}:{' '.join(value.split())}"
        for name, _, value in (one.partition(":") for one in style.lower().split(";"))
    )


def _hides(tag: str, given: Mapping[str, str], style: str) -> bool:
    if tag in _HIDDEN or "hidden" in given or "popover" in given:
        return True
    if (tag == "details" and "open" not in given) or _GONE.search(style):
        return True
    colours = [*_COLOUR.findall(style), *([given["color"]] if "color" in given else ())]
    return any(map(_is_light, colours))


def _is_light(colour: str) -> bool:
    found = parse_color(colour.replace("!important", ""))
    if not isinstance(found, RGBA):
        return False
    return bool(found.alpha < _FAINT or min(found.red, found.green, found.blue) > _LIGHT)


@lru_cache(maxsize=1_000)
def _effect(tag: str, classed: str, identified: str, named: str) -> str:
    """Return "quote", "signature", "below" (nothing counts) or ""."""
    classes = set(classed.lower().split())
    name = identified.strip().lower()
    if name in _QUOTED_BELOW:
        return "below"
    boxed = name in _QUOTE_IDS or named == "quote" or classes & _QUOTES
    if tag == "blockquote" or boxed or any(one.endswith("yahoo_quoted") for one in classes):
        return "quote"
    return "signature" if name in _SIGNATURES or classes & _SIGNATURES else ""


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
_SHEET = 100_000  # characters of the largest style sheet kept


def still(html: str) -> str:
    """Return the page for a browser. Raise OverLimit."""
    for _ in range(_PASSES):
        before, html = html, _cut(html)
        if html == before:  # a browser reads what has been looked at
            return html
    raise OverLimit("a page that reads otherwise each time")


def _cut(html: str) -> str:
    bounded(html)
    tree = LexborHTMLParser(html.encode("utf-8", "replace"))
    for tag in _CUT:
        for node in tree.tags(tag):
            node.decompose()
    for node in tree.tags("style"):
        text = _without_addresses(node.text(deep=True))
        for child in list(node.iter(include_text=True)):
            child.decompose()
        if text:
            node.insert_child(text)
    every = tree.root.traverse() if tree.root is not None else ()
    for node in [one for one in every if one.attributes]:
        for name, value in list(node.attributes.items()):
            if name not in _KEPT:
                del node.attrs[name]
            elif name == "style":
                node.attrs[name] = _without_addresses(value or "")
    return tree.html or ""


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
