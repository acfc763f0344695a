"""Players' names behind parties, at the first mention."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from pbem.orders.called import Names
from pbem.pages import sheet

_PRESS = "Press from "  # who writes to whom is told in full


@lru_cache(maxsize=8)
def introduced(source: str, known: Names, but: tuple[str, ...] = ()) -> str:
    """Return a sheet with names behind most parties."""
    if not known:
        return source
    parties = Introduced(tuple(one for one in known if one[0] not in but))
    made = []
    for block in sheet.blocks(source):
        match block:
            case sheet.Text(text):
                made.append("\n".join(_line(one, parties, known) for one in text.split("\n")))
            case sheet.Entry():
                made.append(sheet.marked(replace(block, said=parties.in_line(block.said))))
            case _:
                made.append(sheet.marked(block))
    return "".join(made)


def _line(line: str, parties: Introduced, known: Names) -> str:
    if line.startswith(" "):
        return line
    return (Introduced(known) if line.startswith(_PRESS) else parties).in_line(line)


class Introduced:
    """Parties that a text has yet to mention."""

    def __init__(self, known: Names) -> None:
        self._left = dict(known)
        words, names = (
            "|".join(re.escape(one[place]) for one in sorted(known, key=_length))
            for place in (0, 1)
        )
        self._names = re.compile(names or r"\Z")
        self._party = re.compile(rf"(?<![\w'+/&.-])(?:{words})(?![\w'+/&-])")

    def in_line(self, text: str) -> str:
        if not self._left:
            return text
        made, done = list[str](), 0
        named = [one.span() for one in self._names.finditer(text)]
        for found in self._party.finditer(text):
            name = self._left.get(party := found[0])
            within = any(start <= found.start() < end for start, end in named)
            if name is None or within or not _is_mention(text, *found.span()):
                continue
            del self._left[party]
            before, after = text[: found.start()], text[found.end() :]
            if before.endswith((f"{name} (", f"({name}, ")) or after.startswith(f" ({name}"):
                continue
            if before.endswith("(") and after.startswith(")"):
                made += [text[done : found.start()], f"{name}, {party}"]
            else:
                made += [text[done : found.end()], f" ({name})"]
            done = found.end()
        return "".join([*made, text[done:]]) if made else text


def _length(one: tuple[str, str]) -> int:
    return -len(one[1])


_ORDER_WORD = re.compile(r"[A-Z]{2,} \Z")
_CODE = re.compile(r" [A-Z]{2}| [A-Z]\b(?!\w)| \((?!\d)")
_LETTER = re.compile(
    r"\Z|[,.;:)]| (?:and|or|to|has|had|is|was|got|won|leads|with|laid|moved|voted) "
)


def _is_mention(text: str, start: int, end: int) -> bool:
    # not in an order, a quotation or a list of codes
    before, after = text[:start], text[end:]
    if before.count('"') % 2 or before.endswith(("\u00a0", "are ", "Leader (")):
        return False
    if _ORDER_WORD.search(before) or _CODE.match(after):
        return False
    return end - start > 1 or bool(_LETTER.match(after))
