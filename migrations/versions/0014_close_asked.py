"""A period that its gamesmaster has asked to close"""

import sqlalchemy as sa
from alembic import op

import pbem.store.schema.tables

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing is asked yet."""
    with op.batch_alter_table("period") as table:
        table.add_column(
            sa.Column("close_asked", pbem.store.schema.tables.Utc(timezone=True), nullable=True)
        )


def downgrade() -> None:
    """What is asked and has not been done is forgotten."""
    with op.batch_alter_table("period", recreate="never") as table:
        table.drop_column("close_asked")
