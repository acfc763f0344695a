"""A picture once a game, not once a mail"""

import re

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_MARK = re.compile(rb"\0([0-9a-f]{64})\0")


def upgrade() -> None:
    """Mails that are on file stay as they are; their pictures go with them."""
    op.create_table(
        "picture",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("hash", "game_id"),
    )
    op.create_index("ix_picture_game_id", "picture", ["game_id"])


def downgrade() -> None:
    """Each mail has its pictures again."""
    conn = op.get_bind()
    mails, shown = (
        sa.table("outgoing", sa.column("id"), sa.column("game_id"), sa.column("raw")),
        sa.table("picture", sa.column("hash"), sa.column("game_id"), sa.column("content")),
    )

    def found(mark: re.Match[bytes]) -> bytes:
        asked = sa.select(shown.c.content).where(shown.c.hash == mark[1].decode()).limit(1)
        return bytes(conn.execute(asked).scalar_one())

    of_games = mails.c.game_id.in_(sa.select(shown.c.game_id))
    for mail in conn.execute(sa.select(mails.c.id).where(of_games)).scalars().all():
        this = mails.c.id == mail
        raw = bytes(conn.execute(sa.select(mails.c.raw).where(this)).scalar_one())
        if _MARK.search(raw):
            conn.execute(sa.update(mails).where(this).values(raw=_MARK.sub(found, raw)))
    op.drop_index("ix_picture_game_id", "picture")
    op.drop_table("picture")
