"""Read a letter's own words at the door: a wish, an answer, or a machine's."""

from __future__ import annotations

from collections.abc import Collection

from pbem.house import door, shelf
from pbem.orders.door import answer as answers
from pbem.orders.door import wish as wishes
from pbem.orders.door.answer import Answer
from pbem.orders.door.wish import Wish
from pbem.post.work import Work
from pbem.referee.deciding.judged import Judged
from pbem.store.games import club
from pbem.store.joining import open_tables
from pbem.store.joining.open_tables import TableRow


def text(judged: Judged) -> str:
    """Return its own words, without attached files."""
    return judged.letter.body or judged.letter.text


def wish(work: Work, judged: Judged) -> Wish:
    """Return its wish. The subject counts if the text is empty."""
    joinable = {one.id: _names(one) for one in open_tables.listed(work.conn)}
    seen = [*joinable, *club.seen(work.conn)]
    said, subject = text(judged), judged.letter.subject.strip()
    if not said.strip() and ":" not in subject:
        said = subject
    return wishes.read(said, door.phrases(), joinable, seen)


def _names(table: TableRow) -> tuple[str, ...]:
    """Yield other names for a table: those of its game."""
    title = shelf.open_ruleset(table.ruleset).about.title
    return (title, title.partition(" (")[0].partition(":")[0])


def answer(judged: Judged, known: Collection[str]) -> Answer:
    """known: words that are names."""
    return answers.read(text(judged), judged.letter.subject, door.phrases(), known)


def refuses(judged: Judged) -> bool:
    return answers.refuses(text(judged), door.phrases())


def is_machine(judged: Judged) -> bool:
    """Return whether a machine wrote it, though the header does not say so."""
    return answers.is_machine(text(judged), judged.letter.subject, door.phrases())
