"""Marks of signatures: a signed letter counts once"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Letters that are on file get no marks: a signature is taken for some days only."""
    op.create_table(
        "letter_mark",
        sa.Column("mark", sa.String(length=64), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"]),
        sa.PrimaryKeyConstraint("mark"),
    )
    op.create_index("ix_letter_mark_letter_id", "letter_mark", ["letter_id"])


def downgrade() -> None:
    """The marks go."""
    op.drop_index("ix_letter_mark_letter_id", "letter_mark")
    op.drop_table("letter_mark")
