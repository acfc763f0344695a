"""Which letters are proven, and who is still owed an answer"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

_LEVELS = {"none": 0, "dmarc": 1, "token": 2, "openpgp": 3}
_BELIEVED = {"confirmed": 9, "accepted": 9, "directed": 9}
_WITHOUT_PROOF = (
    *("unverified", "unknown-sender", "ignored", "quarantine", "bounce", "duplicate", "failed"),
)


def upgrade() -> None:
    """A letter that is decided was proven if it has the level that its game asks for; those that
    are still to be decided are looked at by the next pass."""
    with op.batch_alter_table("letter", recreate="never") as table:
        table.add_column(sa.Column("proven", sa.Boolean(), nullable=True))
        table.add_column(sa.Column("owed", sa.String(length=10), server_default="", nullable=False))
    letter = sa.table(
        "letter",
        *(sa.column(name, sa.String) for name in ("outcome", "authentication", "game_id", "seat")),
        sa.column("proven", sa.Boolean),
    )
    game = sa.table("game", sa.column("id"), sa.column("trust"))
    had = sa.case(_LEVELS | _BELIEVED, value=letter.c.authentication, else_=0)
    asked = sa.case(_LEVELS, value=game.c.trust, else_=0)
    needed = sa.case(
        (letter.c.seat == "GM", _LEVELS["token"]),
        else_=sa.select(asked).where(game.c.id == letter.c.game_id).scalar_subquery(),
    )
    decided = letter.c.outcome.not_in(("stored", "oversize", "unfetchable"))
    proven = sa.and_(
        letter.c.outcome.not_in(_WITHOUT_PROOF), had >= sa.func.coalesce(needed, len(_LEVELS) * 9)
    )
    op.execute(sa.update(letter).where(decided).values(proven=proven))
    for column, some in (("owed", "owed <> ''"), ("proven", "raw IS NOT NULL")):
        where = sa.text(some)
        op.create_index(
            f"ix_letter_{column}_id",
            "letter",
            [column, "id"],
            sqlite_where=where,
            postgresql_where=where,
        )


def downgrade() -> None:
    op.drop_index("ix_letter_proven_id", "letter")
    op.drop_index("ix_letter_owed_id", "letter")
    with op.batch_alter_table("letter", recreate="never") as table:
        table.drop_column("owed")
        table.drop_column("proven")
