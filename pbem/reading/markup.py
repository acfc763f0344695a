"""HTML as the text its reader saw.

What is hidden (styles, attributes, scripts, comments) is not text; what is in a blockquote or a mail program's
quotation box comes out as lines that begin with ``>``, so that one rule decides about quotations everywhere;
what is struck out was taken back and is not text.
"""

from __future__ import annotations

import re
from collections import Counter
from html import unescape
from html.parser import HTMLParser

_COMMENTS = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_DECLARATIONS = re.compile(r"<[!?][^>]*(?:>|\Z)")
_STYLES = re.compile(r"<style\b[^>]*>(.*?)(?:</style\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_RAW = re.compile(
    r"<(script|style|title|textarea|xmp|iframe|noembed|noframes|plaintext)\b[^>]*>.*?(?:</\1\s*>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_PRINTED = re.compile(r"@media\s+(?:only\s+)?print\b[^{}]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", re.IGNORECASE)
_SIMPLE = re.compile(r"(?:[a-z0-9]+)?(?:[.#][\w-]+)+\Z|[a-z0-9]+\Z", re.IGNORECASE)
_UNSEEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|mso-hide\s*:\s*all"
    r"|font-size\s*:\s*0*(?:\.0*)?(?:px|pt|em|rem|%)?\s*(?:;|!|$)|font-size\s*:\s*1(?:\.\d+)?(?:px|pt)"
    r"|text-decoration(?:-line)?\s*:[^;:]*line-through|opacity\s*:\s*0*(?:\.0+)?\s*(?:;|!|$)|max-height\s*:\s*0(?!\.?\d)"
    r"|(?:left|top|text-indent)\s*:\s*-\d{3,}|(?<!-)color\s*:\s*transparent"
    r"|clip\s*:\s*rect\(\s*0[^)]*\)|transform\s*:\s*scale\(\s*0\s*\)",
    re.IGNORECASE,
)
_NO_SIZE = re.compile(r"(?<![-\w])(?:height|width)\s*:\s*0(?!\.?\d)", re.IGNORECASE)
_CLIPPED = re.compile(r"overflow\s*:\s*hidden", re.IGNORECASE)
_KEEPS_LINES = re.compile(r"white-space\s*:\s*(?:pre|break)", re.IGNORECASE)
_WHITE = re.compile(r"(?<!-)color\s*:\s*(?:white|#fff(?:fff)?\b|rgb\(\s*255\s*,\s*255\s*,\s*255\s*\))", re.IGNORECASE)
_GROUND = re.compile(r"(?:background(?:-color)?\s*:|bgcolor=)\s*(#[0-9a-f]{3,6}\b|rgb\([^)]*\)|[a-z]+)", re.IGNORECASE)
_PALE = re.compile(r"#f|rgb\(\s*2\d\d|white|transparent|none|inherit|initial|unset|url", re.IGNORECASE)
# fmt: off
_BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "center", "dd", "div", "dl", "dt", "fieldset",
    "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li", "main", "nav", "ol",
    "p", "pre", "section", "table", "tbody", "tfoot", "thead", "tr", "ul",
})
_ITEMS = frozenset({"li", "td", "th", "tr", "dd", "dt", "option"})
_VOID = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
    "wbr",
})
_HIDDEN = frozenset({
    "head", "object", "svg", "math", "audio", "video", "canvas", "template", "noscript", "dialog", "select", "datalist",
    "del", "s", "strike",
})
# fmt: on
_QUOTES = frozenset({"yahoo_quoted", "protonmail_quote", "zmail_extra", "moz-forward-container"})
_QUOTES_BY_ID = frozenset({"mail-editor-reference-message-container", "isreplycontent"})
_QUOTED_BELOW = frozenset({"divrplyfwdmsg", "appendonsend"})
"""Outlook's marks, by their id: of what it quotes no element is the parent, so that all below counts as quoted."""
_SIGNATURES = frozenset({"gmail_signature", "moz-signature", "protonmail_signature_block", "signature"})
_SIGNATURES_BY_ID = frozenset({
    "signature", "ms-outlook-mobile-signature", "composer_signature", "applemailsignature",
})  # fmt: skip


def text(html: str) -> tuple[str, tuple[str, ...]]:
    """The text of a page as its reader saw it, and the pieces that were hidden."""
    styles = " ".join(_STYLES.findall(html))
    bare = _DECLARATIONS.sub(" ", _COMMENTS.sub("", _RAW.sub(" ", _COMMENTS.sub("", html))))
    last = bare.rfind(">") + 1
    walk = _Walk(_unseen_selectors(styles))
    walk.feed(bare[:last])
    walk.close()
    walk.handle_data(unescape(bare[last:].replace("<", " ")))
    return walk.result()


def _unseen_selectors(styles: str) -> frozenset[str]:
    """The selectors (tag, .class, #id; of a longer one its last) that a style sheet hides."""
    found = set()
    for rule in _PRINTED.sub("", re.sub(r"/\*.*?(?:\*/|\Z)", "", styles[:100_000], flags=re.DOTALL)).split("}"):
        selectors, _, body = rule.rpartition("{")
        if _is_unseen(body):
            selectors = selectors.rpartition("{")[2]
            for one in selectors.split(","):
                last = re.split(r"[\s>+~]+", one.strip())[-1]
                if _SIMPLE.match(last):
                    found.add(re.sub(r"^[a-zA-Z0-9]*(?:[.#][\w-]+)*(?=[.#])", "", last).lower())
    return frozenset(found)


def _is_painted(attrs: dict[str, str]) -> bool:
    """Whether an element has a ground of its own that white letters can be read on."""
    ground = _GROUND.search(attrs.get("style", "")[:2000]) or _GROUND.match(f"bgcolor={attrs.get('bgcolor', '')}")
    return bool(ground and not _PALE.match(ground.group(1)))


def _is_unseen(style: str, painted: bool = False) -> bool:
    style = re.sub(r"/\*.*?(?:\*/|\Z)", "", style, flags=re.DOTALL)
    if _UNSEEN.search(style) or (_WHITE.search(style) and not painted and "background" not in style.lower()):
        return True
    return bool(_NO_SIZE.search(style) and _CLIPPED.search(style))


def _is_quote(classes: list[str]) -> bool:
    """Whether these are the classes of a quotation; Yahoo writes a number of its own before its one."""
    return not _QUOTES.isdisjoint(classes) or any(one.endswith("yahoo_quoted") for one in classes)


class _Walk(HTMLParser):
    """Collects lines; ``open`` are the elements not yet closed with what each does to its content.

    ``within`` counts their names in each quotation that is open: what was opened outside one does not end it.
    """

    def __init__(self, unseen: frozenset[str]) -> None:
        super().__init__(convert_charrefs=True)
        self.unseen = unseen
        self.open: list[tuple[str, str, bool]] = []
        self.painted = 0
        self.names: Counter[str] = Counter()
        self.within = [Counter[str]()]
        self.doing: Counter[str] = Counter()
        self.lines: list[str] = []
        self.line: list[str] = []
        self.depth = 0
        self.quoted_below = False
        self.hidden: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "br":
            self._line()
            return
        if tag in ("td", "th") and self.line:
            self.line.append(" ")
        self._close_before(tag)
        if tag in _BLOCKS:
            self._fresh()
        if tag not in _VOID:
            given = {name: value or "" for name, value in reversed(attrs)}
            effect, painted = self._effect(tag, given), _is_painted(given)
            self.open.append((tag, effect, painted))
            self.painted += painted
            self.names[tag] += 1
            self.within[-1][tag] += 1
            self.doing[effect] += 1
            if effect == "quote":
                self.within.append(Counter())
            if effect == "signature" and not self.doing["hidden"]:
                self._fresh()
                self._add("-- ")
                self._line()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def _close_before(self, tag: str) -> None:
        """What a tag ends that was left open: the head, a paragraph, the item or cell before."""
        if self.names["head"] and tag in _BLOCKS:
            self._close("head")
        if self.names["p"] and tag in _BLOCKS:
            self._close("p")
        if tag == "tr" and self.open and self.open[-1][0] in ("td", "th"):
            self._close(self.open[-1][0])
        if tag in _ITEMS and self.open and self.open[-1][0] == tag:
            self._close(tag)

    def _effect(self, tag: str, attrs: dict[str, str]) -> str:
        """ "hidden", "quote", "signature", "pre" or "" ."""
        classes, ident = attrs.get("class", "").lower().split()[:50], attrs.get("id", "").lower()
        names = {tag, f"#{ident}", *(f".{one}" for one in classes)}
        painted = self.painted > 0
        if (
            tag in _HIDDEN
            or "hidden" in attrs
            or names & self.unseen
            or _is_unseen(attrs.get("style", "")[:2000], painted)
        ):
            return "hidden"
        white = _WHITE.match(f"color:{attrs.get('color', '')}") and not painted
        if tag == "font" and (attrs.get("size") == "0" or white):
            return "hidden"
        if ident in _QUOTED_BELOW and not self.doing["hidden"] and not self.doing["quote"]:
            self.quoted_below = True
        if tag == "blockquote" or attrs.get("name") == "quote" or ident in _QUOTES_BY_ID or _is_quote(classes):
            return "quote"
        if ident in _SIGNATURES_BY_ID or _SIGNATURES.intersection(classes):
            return "signature"
        return "pre" if tag == "pre" or _KEEPS_LINES.search(attrs.get("style", "")) else ""

    def handle_endtag(self, tag: str) -> None:
        if self.names[tag] and (tag in _BLOCKS or self.within[-1][tag]):
            self._close(tag)
        if tag in _BLOCKS:
            self._fresh()
            if tag == "p":
                self._line()

    def _close(self, tag: str) -> None:
        while self.open:
            name, effect, painted = self.open.pop()
            self.painted -= painted
            self.names[name] -= 1
            self.doing[effect] -= 1
            if effect == "quote":
                self.within.pop()
            self.within[-1][name] -= 1
            if name == tag:
                break

    def handle_data(self, data: str) -> None:
        if self.doing["hidden"]:
            if data.strip():
                self.hidden.append(data.strip())
        elif self.doing["pre"]:
            first, *rest = data.split("\n")
            self._add(first)
            for line in rest:
                self._line()
                self._add(line)
        else:
            words = re.sub(r"[ \t\n\r\f]+", " ", data)
            self._add(words if self.line else words.lstrip(" "))

    def _add(self, words: str) -> None:
        if words:
            if not self.line:
                self.depth = self._quoting()
            self.line.append(words)

    def _quoting(self) -> int:
        """How many quotations within one another the place is in."""
        return min(max(self.doing["quote"], self.quoted_below), 9)

    def _line(self) -> None:
        """The line is at its end."""
        depth = self.depth if self.line else self._quoting()
        words = "".join(self.line)
        self.lines.append(f"{'>' * depth} {words}" if depth else words if words == "-- " else words.rstrip(" "))
        self.line = []

    def _fresh(self) -> None:
        """A block begins or ends: whatever follows stands on a line of its own."""
        if self.line:
            self._line()

    def result(self) -> tuple[str, tuple[str, ...]]:
        """The text and the hidden pieces."""
        self._fresh()
        return re.sub(r"\n{3,}", "\n\n", "\n".join(self.lines)).strip("\n"), tuple(self.hidden)
