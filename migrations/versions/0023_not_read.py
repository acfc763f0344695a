"""What nobody reads goes: until when offers, calls and handovers run is said of their codes"""

from __future__ import annotations

from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table, column in (
        ("ballot", "at"),
        ("handover", "until"),
        ("member", "since"),
        ("open_table", "called"),
        ("standby", "reply_by"),
        ("statement", "at"),
    ):
        op.drop_column(table, column)
