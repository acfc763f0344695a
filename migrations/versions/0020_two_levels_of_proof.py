"""Two levels of proof for four: OpenPGP is gone"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("address") as table:
        table.drop_column("pgp_key")
    op.get_bind().execute(sa.text("UPDATE game SET trust = 'token' WHERE trust = 'openpgp'"))
