"""Practice games, of one person against house bots"""

import sqlalchemy as sa
from alembic import op

import pbem.store.schema.tables

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """There is none yet."""
    op.create_table(
        "practice",
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("ruleset", sa.String(length=40), nullable=False),
        sa.Column("asked", pbem.store.schema.tables.Utc(timezone=True), nullable=False),
        sa.Column("begun", pbem.store.schema.tables.Utc(timezone=True), nullable=True),
        sa.Column("ended", pbem.store.schema.tables.Utc(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("game_id"),
    )
    op.create_index("ix_practice_player_id", "practice", ["player_id"])
    op.create_index("ix_practice_ended", "practice", ["ended"])


def downgrade() -> None:
    """Practice games become games like all others."""
    op.drop_table("practice")
