"""What a test asks of the desk's functions with."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import select

from pbem.referee.gamesmaster.waits import Sight
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Journal, Outgoing
from tests.installation import Installation, desk


@contextmanager
def sight(at: Installation, who: str = "") -> Iterator[Sight]:
    """What somebody sees, in one transaction."""
    with desk(at) as work:
        yield Sight(work, who)


def looked(at: Installation) -> list[str]:
    """The kinds of looks in the journal."""
    with exclusive_transaction(at.daemon.engine) as conn:
        found = select(Journal.data).where(Journal.kind == "look").order_by(Journal.n)
        return [data["at"] for data in conn.execute(found).scalars()]


def a_mail(conn: Any, game_id: str, kind: str, seat: str) -> int:
    where = (Outgoing.game_id == game_id, Outgoing.kind == kind, Outgoing.seat == seat)
    return int(conn.execute(select(Outgoing.id).where(*where)).scalars().first())
