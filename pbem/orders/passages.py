"""The passages of a text in which orders may begin: each can be read by itself."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from pbem.orders.characters import heads, open_quote


def passages(text: str, words: Collection[str], far: Collection[str]) -> Iterator[tuple[int, str]]:
    """The passages, between empty lines, of a text in plain characters on whose lines an order of
    these words may begin, each with the number of lines above it.

    It is the whole text where what goes on over an empty line may be in it: one of the words that
    are ``far``, a quotation that is open at the end of its line, or a comment, whose rest is told
    by the longest line of all.
    """
    begun = [(line, head) for line, head in heads(text) if head in words]
    if not begun:
        return
    lines = text.split("\n")
    if (
        any(head in far for _, head in begun)
        or "#" in text
        or ('"' in text and any(map(open_quote, lines)))
    ):
        yield 0, text
        return
    end = 0
    for line, _ in begun:
        if line >= end:
            end = next((at for at in range(line, len(lines)) if not lines[at].strip()), len(lines))
            first = next((at for at in range(line, 0, -1) if not lines[at - 1].strip()), 0)
            yield first, "\n".join(lines[first:end])
