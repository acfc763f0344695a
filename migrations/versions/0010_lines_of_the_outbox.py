"""Mails wait in lines, by their kinds"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_ANSWERS = (
    *("absence", "alarm", "anybody", "canary", "challenge", "challenges", "confirmed", "deputy"),
    *("desk", "gamesmaster", "handover", "leaving", "proof", "question", "receipt", "receipts"),
    *("review", "standby", "stranger", "table"),
)
_REMINDERS = ("asked", "reminder")
_NOTICES = (
    *("ballot", "invitation", "invited", "kept", "notice", "observer", "offer", "replaced"),
    *("start", "tables"),
)
_LINES = {0: _ANSWERS, 1: _REMINDERS, 2: _NOTICES}
_ALL_ELSE, _LATER = 3, 10


def upgrade() -> None:
    with op.batch_alter_table("outgoing") as table:
        table.add_column(
            sa.Column("line", sa.Integer(), server_default=str(_ALL_ELSE), nullable=False)
        )
    mails = sa.table(
        "outgoing",
        *(sa.column(name, sa.String) for name in ("kind", "state")),
        *(sa.column(name, sa.Integer) for name in ("line", "attempts")),
    )
    for line, kinds in _LINES.items():
        op.execute(sa.update(mails).where(mails.c.kind.in_(kinds)).values(line=line))
    again = (mails.c.state == "ready", mails.c.attempts > 0)
    op.execute(sa.update(mails).where(*again).values(line=mails.c.line + _LATER))
    with op.batch_alter_table("outgoing", recreate="never") as table:
        table.drop_index("ix_outgoing_state_next_try")
        table.create_index(
            "ix_outgoing_state_line_game_id_id", ["state", "line", "game_id", "id"], unique=False
        )


def downgrade() -> None:
    with op.batch_alter_table("outgoing", recreate="never") as table:
        table.drop_index("ix_outgoing_state_line_game_id_id")
        table.create_index("ix_outgoing_state_next_try", ["state", "next_try"], unique=False)
        table.drop_column("line")
