"""An index for what each pass counts in the outbox"""

from __future__ import annotations

from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_outgoing_kind_created", "outgoing", ["kind", "created"])


def downgrade() -> None:
    op.drop_index("ix_outgoing_kind_created", "outgoing")
