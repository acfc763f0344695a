"""Texts of ours that another program breaks anew: no line that it can make of one is an order.

Where words from one on could be read if they stood on a line of their own, that one is tied to the
word before it by a blank that does not break. It looks as before, whoever copies the order itself
copies none of it, and a mail program that breaks lines takes the word before along.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator

from pbem.orders.splitter import first_word, undecorated
from pbem.orders.writing import bare

NO_BREAK = "\u00a0"
_GAP = re.compile(r"[ \n]+")
_HEAD = re.compile(r"[A-Za-z]+")
_MOST = 120
"""So many words are looked at for an order."""
_WIDE = 3
"""A gap of more blanks is of a table, and has room for a bar."""
_NARROWEST = 40
"""Nobody breaks lines to fewer columns: what begins a line of ours and is shorter with the next
word does not stand alone."""

Heard = Callable[[str], bool]
"""Whether a line would be read, as an order or as a word for the referee."""


def glued(text: str, heads: Collection[str], begins: Heard, heard: Heard) -> str:
    """A text of ours, muted line by line, that can be broken anew. ``heads`` are the words with
    which a line that is heard begins; ``begins`` says whether a text may become one with more
    behind it."""
    blocks = re.split(r"(\n[ ]*\n)", text)
    blocks[::2] = [_block(one, heads, begins, heard) for one in blocks[::2]]
    return "".join(blocks)


def _block(block: str, heads: Collection[str], begins: Heard, heard: Heard) -> str:
    if not any(one.upper() in heads for one in _HEAD.findall(block)):
        return block
    words = _GAP.split(block)
    gaps = _GAP.findall(block)
    for at in reversed(range(len(words))):
        if not _is_head(words[at : at + 4], heads):
            continue
        gap = gaps[at - 1] if at else "\n"
        ends = _ends(words, gaps, at, begins, heard)
        if "\n" in gap:
            indent = len(gap) - 1
            for to, said in ends:
                behind = gaps[to] if to < len(gaps) else "\n"
                if (
                    "\n" not in behind
                    and indent + _with_next(said, behind, words[to + 1]) <= _NARROWEST
                ):
                    continue
                if "\n" not in behind and len(behind) > _WIDE:
                    gaps[to] = NO_BREAK * len(behind)
                    continue
                words[at] = f"|{NO_BREAK}{words[at]}"
                break
        elif next(ends, None) is None:
            continue
        elif words[at - 1].endswith(";"):
            gaps[at - 1] = f" |{NO_BREAK}"
        elif len(gap) > _WIDE:
            gaps[at - 1] = f"{gap[:-2]}|{NO_BREAK}"
        else:
            gaps[at - 1] = NO_BREAK * len(gap)
    return "".join(word + gap for word, gap in zip(words, [*gaps, ""], strict=True))


def _with_next(said: str, gap: str, word: str) -> int:
    """The columns of a text with the word behind it."""
    return len(said) + len(gap) + len(word)


def _is_head(words: list[str], heads: Collection[str]) -> bool:
    return first_word(bare(undecorated(" ".join(words)))) in heads


def _ends(
    words: list[str], gaps: list[str], at: int, begins: Heard, heard: Heard
) -> Iterator[tuple[int, str]]:
    """What is heard from a word on, wherever a line may be broken, and its last word."""
    said = ""
    for to in range(at, min(len(words), at + _MOST)):
        said = f"{said} {words[to]}" if said else words[to]
        gap = gaps[to] if to < len(gaps) else "\n"
        if NO_BREAK not in gap and heard(said):
            yield to, said
        if not begins(said) and (to > at or said[-1:].isalnum()):
            return
