"""Each game has its gamesmaster and its editions; looks are counted; a corrected game keeps the
orders of the periods that are taken back; moves, seats and games are counted for each player"""

import sqlalchemy as sa
from alembic import op

import pbem.store.records

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("game") as table:
        for name in ("gamesmaster", "second"):
            table.add_column(sa.Column(name, sa.String(254), nullable=False, server_default=""))
        table.add_column(sa.Column("edition", sa.Integer(), nullable=False, server_default="1"))
    with op.batch_alter_table("period") as table:
        table.add_column(sa.Column("edition", sa.Integer(), nullable=False, server_default="1"))
    with op.batch_alter_table("bulletin") as table:
        table.add_column(sa.Column("voided", pbem.store.records.Utc(timezone=True), nullable=True))
    op.create_table(
        "kept_orders",
        sa.Column("game_id", sa.String(40), nullable=False),
        sa.Column("period", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(10), nullable=False),
        sa.Column("orders", sa.JSON(), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=True),
        sa.Column("at", pbem.store.records.Utc(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["letter_id"], ["letter.id"], name=op.f("fk_kept_orders_letter_id_letter")
        ),
        sa.PrimaryKeyConstraint("game_id", "period", "seat", name=op.f("pk_kept_orders")),
    )
    op.create_table(
        "look",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(40), nullable=False),
        sa.Column("period", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("at", pbem.store.records.Utc(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_look")),
    )
    with op.batch_alter_table("look") as table:
        table.create_index(op.f("ix_look_game_id"), ["game_id"])
    op.create_table(
        "player_record",
        sa.Column("game_id", sa.String(40), nullable=False),
        sa.Column("period", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(10), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["game.id"], name=op.f("fk_player_record_game_id_game")
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_player_record_player_id_player")
        ),
        sa.PrimaryKeyConstraint(
            "game_id", "period", "seat", "player_id", "kind", name=op.f("pk_player_record")
        ),
    )
    with op.batch_alter_table("player_record") as table:
        table.create_index(op.f("ix_player_record_player_id"), ["player_id"])
    with op.batch_alter_table("standby") as table:
        table.create_index(op.f("ix_standby_player_id"), ["player_id"])


def downgrade() -> None:
    with op.batch_alter_table("standby", recreate="never") as table:
        table.drop_index(op.f("ix_standby_player_id"))
    op.drop_table("player_record")
    op.drop_table("look")
    op.drop_table("kept_orders")
    with op.batch_alter_table("bulletin", recreate="never") as table:
        table.drop_column("voided")
    with op.batch_alter_table("period", recreate="never") as table:
        table.drop_column("edition")
    with op.batch_alter_table("game", recreate="never") as table:
        table.drop_column("edition")
        table.drop_column("second")
        table.drop_column("gamesmaster")
