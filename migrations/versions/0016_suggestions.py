"""Orders that a receipt suggested, for a yes"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """There is none yet: receipts sent before cannot be answered by a yes."""
    op.create_table(
        "suggestion",
        sa.Column("letter_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("seat", sa.String(length=10), nullable=False),
        sa.Column("edition", sa.Integer(), nullable=False),
        sa.Column("period", sa.Integer(), nullable=False),
        sa.Column("orders", sa.JSON(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.Column("answered", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"]),
        sa.PrimaryKeyConstraint("letter_id", "number"),
    )
    op.create_index("ix_suggestion_game_id_seat", "suggestion", ["game_id", "seat"])
    op.create_index("ix_suggestion_answered", "suggestion", ["answered"])


def downgrade() -> None:
    """A yes that was taken stands in its order set."""
    op.drop_table("suggestion")
