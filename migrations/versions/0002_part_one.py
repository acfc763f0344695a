"""READY and silence, players who ask to be relieved, a seat's own receipts, and what a game knows
of the backup it came back from"""

import sqlalchemy as sa
from alembic import op

import pbem.store.schema.tables

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("order_set") as table:
        table.add_column(
            sa.Column("ready", sa.Boolean(), nullable=False, server_default=sa.false())
        )
    with op.batch_alter_table("seat") as table:
        table.add_column(sa.Column("heard", sa.Integer(), nullable=False, server_default="0"))
        table.add_column(
            sa.Column("quits", pbem.store.schema.tables.Utc(timezone=True), nullable=True)
        )
        table.create_index(op.f("ix_seat_quits"), ["quits"])
    # nobody has been silent before there was a count of it
    op.execute(
        "UPDATE seat SET heard = COALESCE((SELECT game.period FROM game WHERE game.id ="
        " seat.game_id), 0)"
    )
    with op.batch_alter_table("game") as table:
        table.add_column(
            sa.Column("restored_to", pbem.store.schema.tables.Utc(timezone=True), nullable=True)
        )
        table.add_column(
            sa.Column("restored_until", pbem.store.schema.tables.Utc(timezone=True), nullable=True)
        )
    with op.batch_alter_table("letter") as table:
        table.add_column(sa.Column("receipt", sa.Integer(), nullable=True))
        table.create_index(
            "ix_letter_game_id_seat_receipt", ["game_id", "seat", "receipt"], unique=True
        )


def downgrade() -> None:
    # Made anew, as a batch does otherwise, a table that others refer to cannot be dropped while
    # they have rows.
    with op.batch_alter_table("letter", recreate="never") as table:
        table.drop_index("ix_letter_game_id_seat_receipt")
        table.drop_column("receipt")
    with op.batch_alter_table("game", recreate="never") as table:
        table.drop_column("restored_until")
        table.drop_column("restored_to")
    with op.batch_alter_table("seat", recreate="never") as table:
        table.drop_index(op.f("ix_seat_quits"))
        table.drop_column("quits")
        table.drop_column("heard")
    with op.batch_alter_table("order_set", recreate="never") as table:
        table.drop_column("ready")
