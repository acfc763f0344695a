"""Part one: what a game knows of the backup it came back from"""

import sqlalchemy as sa
from alembic import op

import pbem.records

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.add_column(sa.Column("restored_to", pbem.records.Utc(timezone=True), nullable=True))
        batch_op.add_column(sa.Column("restored_until", pbem.records.Utc(timezone=True), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.drop_column("restored_until")
        batch_op.drop_column("restored_to")
