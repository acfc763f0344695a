"""HTML as the text its reader saw: nothing hidden or struck out. Quotations become lines with
``>``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from selectolax.lexbor import LexborHTMLParser, LexborNode

from pbem.letters.limits import OverLimit
from pbem.letters.reading import styles
from pbem.letters.reading.appearance import BLOCKS, SMALLER, Look, is_box, look_in
from pbem.letters.reading.selectors import Outer
from pbem.letters.reading.sheets import Applied, Sheets, for_paper_only, of_data
from pbem.letters.reading.styles import Style

# fmt: off
_SILENT = frozenset({
    "script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes", "plaintext",
    "template",
})
_HIDDEN = frozenset({
    "head", "object", "applet", "svg", "math", "audio", "video", "canvas", "noscript", "dialog",
    "select", "datalist", "progress", "meter", "bdo", "del", "s", "strike",
})
# fmt: on
_QUOTES = frozenset({"protonmail_quote", "zmail_extra", "moz-forward-container"})
_SIGNATURES = frozenset(
    {
        "gmail_signature",
        "moz-signature",
        "protonmail_signature_block",
        "signature",
        "ms-outlook-mobile-signature",
        "composer_signature",
        "applemailsignature",
    }
)
_QUOTE_IDS = frozenset({"mail-editor-reference-message-container", "isreplycontent"})
_QUOTED_BELOW = frozenset({"divrplyfwdmsg", "appendonsend"})
_LAST_LINES = {"signature": "-- ", "below": "-----Original Message-----"}
"""Lines below which nothing counts."""
_LOOKS = ("bgcolor", "color", "text")

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
class Shown:
    """A page's text as seen."""

    text: str
    hidden: tuple[tuple[int, str], ...]
    """Pieces, each with the line (from 0) below it."""


def text(html: str) -> tuple[str, tuple[str, ...]]:
    """Return a page's text, and the hidden pieces."""
    found = shown(html)
    return found.text, tuple(piece for _, piece in found.hidden)


def shown(html: str) -> Shown:
    """Return a page's text and hidden pieces. Raise OverLimit."""
    bounded(html)
    tree = LexborHTMLParser(html.encode("utf-8", "replace"))
    walk = _Walk(Sheets(_sheets(tree)), all_hidden="shadowroot" in html.lower())
    if tree.root is not None:
        walk.over(tree.root)
    return walk.result()


def bounded(html: str) -> None:
    """Raise OverLimit if the tree costs too much."""
    tags = html.count("<")
    if tags > _TAGS:
        raise OverLimit(f"too many tags: {tags}, at most {_TAGS} are read")
    if tags > _NESTED and len(_UNCLOSED.findall(html)) - html.count("</") > _NESTED:
        raise OverLimit(f"elements within elements: over {_NESTED}")
    if any(
        len(_ATTRIBUTE.findall(tag)) > _ATTRIBUTES
        for tag in _TAG.findall(html)
        if len(tag) > _LONG_TAG
    ):
        raise OverLimit(f"too many attributes in one tag: over {_ATTRIBUTES}")
    if len(set(_FORMATTING.findall(html))) * tags > _REOPENED:
        raise OverLimit("too many kinds of formatting for so many tags")


def _sheets(tree: LexborHTMLParser) -> Iterator[tuple[str, bool]]:
    for node in tree.tags("style"):
        given = _attributes(node)
        media = given.get("media", "")
        if not for_paper_only(media):
            yield (
                "".join(_texts(node)),
                not (media or given.get("title")) and given.get("type", "text/css") == "text/css",
            )
    for node in tree.tags("link"):
        given = _attributes(node)
        if "stylesheet" in given.get("rel", "").lower() and not for_paper_only(
            given.get("media", "")
        ):
            yield of_data(given.get("href", "")), False


def _texts(node: LexborNode) -> Iterator[str]:
    child = node.first_child
    while child is not None:
        yield child.text_content or ""
        child = child.next


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
    def __init__(self, sheets: Sheets, all_hidden: bool) -> None:
        self.sheets = sheets
        self.variables = sheets.defines
        self.open: list[tuple[str, Look, list[Outer]]] = []
        self.doing: Counter[str] = Counter({"hidden": int(all_hidden)})
        self.look = Look()
        self.tables: list[int] = []
        self.styles: dict[str, Style] = {}
        self.looks: dict[tuple[object, ...], tuple[Look, tuple[object, ...]]] = {}
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
        matched, inside = self.sheets.enter(tag, given, node) if self.sheets.rules else ((), [])
        own = self._style(given["style"]) if "style" in given else styles.NONE
        self.variables = self.variables or own.defines
        effect = "hidden" if self._is_hidden(tag, given, own, matched) else _effect_of(tag, given)
        if tag == "table":
            self.tables.append(0)
        elif tag in ("col", "colgroup") and effect == "hidden" and self.tables:
            self.tables[-1] += (
                1  # which cells stand in that column is not counted here: none of the table is seen
            )
            self.doing["hidden"] += 1
        self.open.append((effect, self.look, inside))
        self.doing[effect] += 1
        if (
            matched
            or own is not styles.NONE
            or tag == "pre"
            or tag in SMALLER
            or any(name in given for name in _LOOKS)
            or self._is_split(tag)
        ):
            self.look = self._look(tag, given, own, matched)
        if effect in _LAST_LINES and not self.doing["hidden"]:
            self._fresh()
            self._add(_LAST_LINES[effect])
            self._line()

    def _style(self, text: str) -> Style:
        if text not in self.styles:
            if len(text) <= styles.LONGEST:
                self.sheets.look_at(text)
            self.styles[text] = styles.of_attribute(text)
        return self.styles[text]

    def _look(self, tag: str, given: Mapping[str, str], own: Style, matched: Applied) -> Look:
        same = (self.look, own, matched)
        key = (tag, *map(id, same), *(given.get(name) for name in _LOOKS))
        if key not in self.looks:
            self.looks[key] = look_in(self.look, tag, given, own, matched), same
        return self.looks[key][0]

    def _is_hidden(self, tag: str, given: dict[str, str], own: Style, matched: Applied) -> bool:
        if (
            tag in _HIDDEN
            or "hidden" in given
            or "popover" in given
            or (tag == "details" and "open" not in given)
        ):
            return True
        if (tag == "font" and given.get("size") == "0") or (tag == "marquee" and given):
            # a marquee that is told how large, how fast or how often it is may never show its text
            return True
        applied = [own, *(one for one, _ in matched)]
        if any(
            one.hidden or (one.variable and self.variables) or one.animations & self.sheets.fading
            for one in applied
        ):
            return True
        clips = tag == "marquee" or any(one.clips for one in applied)
        return any(
            (one.empty and (clips or self.look.clipped)) or (one.flat and clips) for one in applied
        )

    def _is_split(self, tag: str) -> bool:
        return self.look.backgrounds is not self.look.boxed and is_box(tag)

    def _leave(self, tag: str) -> None:
        effect, self.look, inside = self.open.pop()
        self.doing[effect] -= 1
        if tag == "table":
            self.doing["hidden"] -= self.tables.pop()
        self.sheets.leave(inside)
        if tag in BLOCKS or effect == "quote":
            self._fresh()
            if (
                tag == "p" or effect == "quote"
            ):  # what is not quoted is never taken for the rest of what is
                self._line()

    def _text(self, data: str) -> None:
        if self.doing["hidden"] or self.look.unseen:
            self.unseen.append(data if self.look.keeps_lines else data.replace("\n", " "))
            return
        if data.strip():
            self._seen()
        if self.look.keeps_lines:
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
        self.lines.append(
            f"{'>' * depth} {words}" if depth else words if words == "-- " else words.rstrip(" ")
        )
        self.line = []

    def _seen(self) -> None:
        """Join what was hidden: tags may cut a line."""
        lines = (
            [" ".join(line.split()) for line in "".join(self.unseen).split("\n")]
            if self.unseen
            else []
        )
        if words := "\n".join(line for line in lines if line):
            self.hidden.append((len(self.lines) + bool(self.line), words))
        self.unseen = []

    def _fresh(self) -> None:
        self._seen()
        if self.line:
            self._line()

    def result(self) -> Shown:
        self._fresh()
        kept: list[str] = []
        places = [0]
        for line in self.lines:
            if line or (kept and kept[-1]):
                kept.append(line)
            places.append(len(kept))
        return Shown(
            "\n".join(kept).rstrip("\n"), tuple((places[at], words) for at, words in self.hidden)
        )


def _effect_of(tag: str, given: Mapping[str, str]) -> str:
    """Return "quote", "signature", "below" (nothing counts) or ""."""
    if not given:
        return "quote" if tag == "blockquote" else ""
    return _effect(tag, given.get("class", ""), given.get("id", ""), given.get("name", ""))


@lru_cache(maxsize=1_000)
def _effect(tag: str, classed: str, identified: str, named: str) -> str:
    classes = set(classed.lower().split())
    name = identified.strip().lower()
    if name in _QUOTED_BELOW:
        return "below"
    boxed = name in _QUOTE_IDS or named == "quote" or classes & _QUOTES
    if tag == "blockquote" or boxed or any(one.endswith("yahoo_quoted") for one in classes):
        return "quote"
    return "signature" if name in _SIGNATURES or classes & _SIGNATURES else ""
