"""Two levels of proof, open and proven, for four; a game whose proof is weaker by it is held"""

from __future__ import annotations

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)
_GAME = sa.table(
    "game",
    *(sa.column(name) for name in ("id", "status", "period", "trust", "held_because")),
    sa.column("held_at", _MOMENT),
)
_TABLE = sa.table("open_table", sa.column("id"), sa.column("plan", sa.JSON))
_LETTER = sa.table("letter", sa.column("authentication"))
_RULING = sa.table(
    "ruling",
    *(sa.column(name) for name in ("game_id", "kind", "text", "period")),
    sa.column("at", _MOMENT),
)
_NOW = {"none": "open", "dmarc": "proven", "token": "proven", "openpgp": "proven"}
_BEFORE = {
    "token": "only letters to a seat's own address were believed",
    "openpgp": "only letters that were signed by OpenPGP were believed",
}
_SINCE = (
    "from now on a letter is believed that came to its seat's own address, or that its player's"
    " mail provider vouches for (DMARC)"
)


def upgrade() -> None:
    with op.batch_alter_table("address") as table:
        table.drop_column("pgp_key")
    conn = op.get_bind()
    weaker = _GAME.c.trust.in_(_BEFORE) & (_GAME.c.status != "over")
    for game in conn.execute(sa.select(_GAME).where(weaker)).all():
        why, now = f"{_BEFORE[game.trust]}; {_SINCE}", datetime.now(UTC)
        row = {"game_id": game.id, "kind": "house", "text": f"{why[0].upper()}{why[1:]}."}
        conn.execute(_RULING.insert().values(**row, period=game.period, at=now))
        if game.status == "waiting":
            continue
        why = f"{game.held_because}; {why}" if game.status == "held" else why
        held = {"status": "held", "held_because": why, "held_at": game.held_at or now}
        conn.execute(_GAME.update().where(_GAME.c.id == game.id).values(**held))
    for column in (_GAME.c.trust, _LETTER.c.authentication):
        for was, new in _NOW.items():
            conn.execute(column.table.update().where(column == was).values({column.name: new}))
    for table in conn.execute(sa.select(_TABLE)).all():
        game = {**table.plan["game"], "trust": _NOW[table.plan["game"]["trust"]]}
        plan = {**table.plan, "game": game}
        conn.execute(_TABLE.update().where(_TABLE.c.id == table.id).values(plan=plan))
