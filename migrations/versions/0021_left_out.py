"""Pen-names of players are gone, and answers that letters are owed

A game that has pen-names keeps what is written, and says so. A proven letter that waits for an
answer is the gamesmaster's to answer.
"""

from __future__ import annotations

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

_GAME = sa.table("game", *(sa.column(name) for name in ("id", "status", "period")))
_PRESS = sa.table("press", *(sa.column(name) for name in ("game_id", "author", "pen_name")))
_RULING = sa.table(
    "ruling",
    *(sa.column(name) for name in ("game_id", "kind", "text", "period")),
    sa.column("at", sa.DateTime(timezone=True)),
)
_NO_PEN_NAMES = (
    "Players write press under their seat or with ANONYMOUS: new press under a pen-name is not"
    " relayed."
)


def upgrade() -> None:
    conn = op.get_bind()
    conn.execute(sa.text("UPDATE letter SET outcome = 'unanswered' WHERE owed = 'newcomer'"))
    op.drop_index("ix_letter_owed_id", "letter")
    op.drop_column("letter", "owed")
    of_players = sa.select(_PRESS.c.game_id).where(_PRESS.c.pen_name != "", _PRESS.c.author != "")
    games = sa.select(_GAME).where(_GAME.c.status != "over", _GAME.c.id.in_(of_players))
    for game in conn.execute(games).all():
        row = {"game_id": game.id, "kind": "house", "text": _NO_PEN_NAMES, "period": game.period}
        conn.execute(_RULING.insert().values(row | {"at": datetime.now(UTC)}))
