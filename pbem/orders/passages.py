"""Passages in which orders may begin."""

from collections.abc import Collection, Iterator

from pbem.orders.characters import heads, open_quote


def passages(text: str, words: Collection[str], far: Collection[str]) -> Iterator[tuple[int, str]]:
    """Yield (lines above, passage) between empty lines. The text is whole if an order may cross
    these: ``far`` word, open quotation, comment."""
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
