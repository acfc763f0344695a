"""House bots at tables, whose seats are free"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

import pbem.store.schema.tables

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """No seat has a bot yet."""
    with op.batch_alter_table("seat", recreate="never") as table:
        table.add_column(sa.Column("bot", sa.String(length=20), server_default="", nullable=False))
    _free_seats("'quit', 'silent', 'list', 'bot'")


def downgrade() -> None:
    """Their seats are free."""
    op.execute("UPDATE free_seat SET why = 'silent' WHERE why = 'bot'")
    _free_seats("'quit', 'silent', 'list'")
    with op.batch_alter_table("seat", recreate="never") as table:
        table.drop_column("bot")


def _free_seats(why: str) -> None:
    """Make the table of free seats anew, with these reasons. It has few rows."""
    names = ("game_id", "seat", "player_id", "why", "since", "period", "told")
    bare = sa.table("free_seat", *(sa.column(name) for name in names))
    bare.c.since.type = pbem.store.schema.tables.Utc(timezone=True)
    bare.c.told.type = sa.Boolean()
    kept = [row._asdict() for row in op.get_bind().execute(sa.select(bare))]
    op.drop_table("free_seat")
    made = op.create_table(
        "free_seat",
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("seat", sa.String(length=10), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("why", sa.String(length=12), nullable=False),
        sa.Column("since", pbem.store.schema.tables.Utc(timezone=True), nullable=False),
        sa.Column("period", sa.Integer(), nullable=False),
        sa.Column("told", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_free_seat_game_id_game")),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_free_seat_player_id_player")
        ),
        sa.CheckConstraint(f"why IN ({why})", name=op.f("ck_free_seat_why")),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_free_seat")),
    )
    op.create_index(op.f("ix_free_seat_player_id"), "free_seat", ["player_id"], unique=False)
    if kept:
        op.bulk_insert(made, kept)
