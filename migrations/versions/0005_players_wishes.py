"""Each player may have his deadlines in his own zone, and receipts of press too"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("player") as table:
        table.add_column(sa.Column("zone", sa.String(60), nullable=False, server_default=""))
        table.add_column(
            sa.Column("all_receipts", sa.Boolean(), nullable=False, server_default=sa.false())
        )


def downgrade() -> None:
    with op.batch_alter_table("player", recreate="never") as table:
        table.drop_column("all_receipts")
        table.drop_column("zone")
