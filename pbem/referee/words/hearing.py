"""Read a letter's own words at the door: a wish, or an answer."""

from __future__ import annotations

from collections.abc import Collection

from pbem.house import door, shelf
from pbem.orders.door import answer as answers
from pbem.orders.door import wish as wishes
from pbem.orders.door.answer import Answer, Says
from pbem.orders.door.codes import code_in
from pbem.orders.door.wish import Wish
from pbem.post.work import Work
from pbem.referee.deciding.judged import Judged
from pbem.referee.deciding.trust import text
from pbem.store.games import club
from pbem.store.joining import open_tables
from pbem.store.schema.tables import OpenTable


def wish(work: Work, judged: Judged) -> Wish:
    """Return its wish. The subject counts if the text is empty."""
    joinable = {one.id: _names(one) for one in open_tables.listed(work.conn)}
    seen = [*joinable, *club.seen(work.conn)]
    said, subject = text(judged), judged.letter.subject.strip()
    if not (said.strip() or ":" in subject or code_in(subject)):
        said = subject
    return wishes.read(said, door.phrases(), joinable, seen)


def _names(table: OpenTable) -> tuple[str, ...]:
    """Yield other names for a table: those of its game."""
    title = shelf.open_ruleset(table.ruleset).about.title
    return (title, title.partition(" (")[0].partition(":")[0])


def answer(judged: Judged, known: Collection[str]) -> Answer:
    """known: words that are names."""
    return answers.read(text(judged), door.phrases(), known)


def is_yes(judged: Judged, known: Collection[str]) -> bool:
    """Return whether its first line would seat him, if somebody had asked."""
    return answer(judged, known).says is Says.YES


def refuses(judged: Judged) -> bool:
    return answers.refuses(text(judged), door.phrases())
