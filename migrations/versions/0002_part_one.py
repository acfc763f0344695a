"""A seat's receipts are numbered by themselves"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("letter", schema=None) as batch_op:
        batch_op.add_column(sa.Column("receipt", sa.Integer(), nullable=True))
        batch_op.create_index("ix_letter_game_id_seat_receipt", ["game_id", "seat", "receipt"], unique=True)


def downgrade() -> None:
    with op.batch_alter_table("letter", schema=None) as batch_op:
        batch_op.drop_index("ix_letter_game_id_seat_receipt")
        batch_op.drop_column("receipt")
