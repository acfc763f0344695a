"""By when somebody who stood by was to answer is said of the offer; nobody read it of them"""

from __future__ import annotations

from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_column("standby", "reply_by")
