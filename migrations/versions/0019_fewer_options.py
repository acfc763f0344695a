"""Options that are gone: each game keeps the nearest that stays, and its next bulletin says so"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

_GAME = sa.table(
    "game", *(sa.column(n) for n in ("id", "status", "period")), sa.column("house", sa.JSON)
)
_TABLE = sa.table("open_table", sa.column("id"), sa.column("plan", sa.JSON))
_RULING = sa.table(
    "ruling",
    *(sa.column(name) for name in ("game_id", "kind", "text", "period")),
    sa.column("at", sa.DateTime(timezone=True)),
)


def upgrade() -> None:
    with op.batch_alter_table("open_table") as table:
        table.drop_column("experience")
    op.drop_table("absence")
    conn = op.get_bind()
    conn.execute(sa.text("DELETE FROM memo WHERE key LIKE 'absent:%'"))
    conn.execute(sa.text("UPDATE seat SET bot = '' WHERE player_id IS NOT NULL"))
    for game in conn.execute(sa.select(_GAME)).all():
        house, said = _kept(game.house)
        if house != game.house:
            conn.execute(_GAME.update().where(_GAME.c.id == game.id).values(house=house))
        for text in said if game.status != "over" else ():
            row = {"game_id": game.id, "kind": "house", "text": text, "period": game.period}
            conn.execute(_RULING.insert().values(row | {"at": datetime.now(UTC)}))
    for table in conn.execute(sa.select(_TABLE)).all():
        house, _ = _kept(table.plan["game"]["house"])
        plan = {**table.plan, "game": {**table.plan["game"], "house": house}}
        conn.execute(_TABLE.update().where(_TABLE.c.id == table.id).values(plan=plan))


def _kept(house: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The house rules without what is gone, and what the players are told."""
    house, said = dict(house), []
    if house.pop("absent", "none") == "bot":
        said.append("No house bot plays a seat that nobody takes any more.")
    if house.pop("away_days", 0):
        said.append(
            "Days of absence are booked no longer. ABSENT tells all that you are away, and the"
            " gamesmaster may move the deadline."
        )
    if house.get("deputies") == "private":
        house["deputies"] = "public"
        said.append("From now on all are told if a seat has a deputy, but not who it is.")
    return house, said
