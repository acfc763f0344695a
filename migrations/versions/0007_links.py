"""The links in a seat's mails have a number, by which they can lapse"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("seat") as table:
        table.add_column(sa.Column("link_no", sa.Integer(), nullable=False, server_default="1"))


def downgrade() -> None:
    with op.batch_alter_table("seat", recreate="never") as table:
        table.drop_column("link_no")
