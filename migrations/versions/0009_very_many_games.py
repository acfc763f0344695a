"""Indexes of an overview of very many games and letters"""

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_INDEXES = {
    "address": (("soft_bounces",), ("hard_bounces",)),
    "game": (("id", "gamesmaster"), ("status", "gamesmaster", "id", "period")),
    "seat": (("missed",),),
    "period": (("status", "due", "game_id", "number"),),
    "letter": (("outcome", "game_id"),),
}


def upgrade() -> None:
    for table, indexes in _INDEXES.items():
        for columns in indexes:
            name = f"ix_{table}_{'_'.join(columns)}"
            op.create_index(name, table, list(columns), unique=False)


def downgrade() -> None:
    for table, indexes in _INDEXES.items():
        for columns in indexes:
            op.drop_index(f"ix_{table}_{'_'.join(columns)}", table_name=table)
