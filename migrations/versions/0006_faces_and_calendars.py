"""Each player may have his mails without HTML, and the deadlines for his calendar"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("player") as table:
        table.add_column(sa.Column("face", sa.String(10), nullable=False, server_default="html"))
        table.add_column(
            sa.Column("calendar", sa.Boolean(), nullable=False, server_default=sa.false())
        )


def downgrade() -> None:
    with op.batch_alter_table("player", recreate="never") as table:
        table.drop_column("calendar")
        table.drop_column("face")
