"""Open tables and who signs on to them, observers, deputies and offers of free seats; press has
pen-names and answers"""

import sqlalchemy as sa
from alembic import op

import pbem.store.schema.tables

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "invited",
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("by_player", sa.Integer(), nullable=True),
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("at", pbem.store.schema.tables.Utc(timezone=True), nullable=False),
        sa.Column("refused", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("address", name=op.f("pk_invited")),
    )
    with op.batch_alter_table("invited") as table:
        table.create_index(table.f("ix_invited_by_player"), ["by_player"], unique=False)

    op.create_table(
        "open_table",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("ruleset", sa.String(length=40), nullable=False),
        sa.Column(
            "state",
            sa.String(length=12),
            nullable=False,
        ),
        sa.Column("places", sa.Integer(), nullable=False),
        sa.Column("plan", sa.JSON(), nullable=False),
        sa.Column("seed", sa.String(length=80), nullable=False),
        sa.Column("gamesmaster", sa.String(length=254), nullable=False),
        sa.Column("approve", sa.Boolean(), nullable=False),
        sa.Column("experience", sa.Integer(), nullable=False),
        sa.Column("reliability", sa.Integer(), nullable=False),
        sa.Column("opened", pbem.store.schema.tables.Utc(timezone=True), nullable=False),
        sa.Column("starts", pbem.store.schema.tables.Utc(timezone=True), nullable=True),
        sa.Column("closes", pbem.store.schema.tables.Utc(timezone=True), nullable=True),
        sa.Column("called", pbem.store.schema.tables.Utc(timezone=True), nullable=True),
        sa.Column("next_look", pbem.store.schema.tables.Utc(timezone=True), nullable=True),
        sa.CheckConstraint(
            "state IN ('joining', 'called', 'begun', 'closed')", name=op.f("ck_open_table_state")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_open_table")),
    )
    with op.batch_alter_table("open_table") as table:
        table.create_index(table.f("ix_open_table_gamesmaster"), ["gamesmaster"], unique=False)
        table.create_index(table.f("ix_open_table_next_look"), ["next_look"], unique=False)
        table.create_index(table.f("ix_open_table_state"), ["state"], unique=False)

    op.create_table(
        "applicant",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column(
            "state",
            sa.String(length=12),
            nullable=False,
        ),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("wishes", sa.JSON(), nullable=False),
        sa.Column("through", sa.String(length=254), nullable=False),
        sa.Column("came", pbem.store.schema.tables.Utc(timezone=True), nullable=False),
        sa.Column("until", pbem.store.schema.tables.Utc(timezone=True), nullable=True),
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["open_table.id"], name=op.f("fk_applicant_game_id_open_table")
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_applicant_player_id_player")
        ),
        sa.CheckConstraint(
            "state IN ('asked', 'signed', 'called', 'sure', 'gone')",
            name=op.f("ck_applicant_state"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_applicant")),
        sa.UniqueConstraint("game_id", "address", name=op.f("uq_applicant_game_id_address")),
    )
    with op.batch_alter_table("applicant") as table:
        table.create_index(table.f("ix_applicant_address"), ["address"], unique=False)
        table.create_index(table.f("ix_applicant_code_hash"), ["code_hash"], unique=False)
        table.create_index(table.f("ix_applicant_game_id"), ["game_id"], unique=False)
        table.create_index(table.f("ix_applicant_player_id"), ["player_id"], unique=False)

    op.create_table(
        "deputy",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("seat", sa.String(length=10), nullable=False),
        sa.Column("holder_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column(
            "state",
            sa.String(length=12),
            nullable=False,
        ),
        sa.Column("first", pbem.store.schema.tables.Utc(timezone=True), nullable=False),
        sa.Column("last", pbem.store.schema.tables.Utc(timezone=True), nullable=True),
        sa.Column("holder_code", sa.String(length=64), nullable=False),
        sa.Column("deputy_code", sa.String(length=64), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("token_no", sa.Integer(), nullable=False),
        sa.Column("asked", pbem.store.schema.tables.Utc(timezone=True), nullable=False),
        sa.Column("until", pbem.store.schema.tables.Utc(timezone=True), nullable=False),
        sa.Column("troubled", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_deputy_game_id_game")),
        sa.ForeignKeyConstraint(
            ["holder_id"], ["player.id"], name=op.f("fk_deputy_holder_id_player")
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_deputy_player_id_player")
        ),
        sa.CheckConstraint(
            "state IN ('asked', 'confirmed', 'acting', 'ended')", name=op.f("ck_deputy_state")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deputy")),
    )
    with op.batch_alter_table("deputy") as table:
        table.create_index(table.f("ix_deputy_address"), ["address"], unique=False)
        table.create_index(table.f("ix_deputy_deputy_code"), ["deputy_code"], unique=False)
        table.create_index(table.f("ix_deputy_game_id"), ["game_id"], unique=False)
        table.create_index(table.f("ix_deputy_holder_code"), ["holder_code"], unique=False)
        table.create_index(table.f("ix_deputy_player_id"), ["player_id"], unique=False)
        table.create_index(table.f("ix_deputy_state"), ["state"], unique=False)
        table.create_index(table.f("ix_deputy_token_hash"), ["token_hash"], unique=False)

    op.create_table(
        "absence",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("seat", sa.String(length=10), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("first", sa.Date(), nullable=False),
        sa.Column("last", sa.Date(), nullable=False),
        sa.Column("at", pbem.store.schema.tables.Utc(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_absence_game_id_game")),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_absence_player_id_player")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_absence")),
    )
    with op.batch_alter_table("absence") as table:
        table.create_index(table.f("ix_absence_game_id"), ["game_id"], unique=False)
        table.create_index(table.f("ix_absence_player_id"), ["player_id"], unique=False)

    op.create_table(
        "observer",
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("since", pbem.store.schema.tables.Utc(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_observer_player_id_player")
        ),
        sa.PrimaryKeyConstraint("game_id", "player_id", name=op.f("pk_observer")),
    )
    with op.batch_alter_table("observer") as table:
        table.create_index(table.f("ix_observer_player_id"), ["player_id"], unique=False)

    op.create_table(
        "offer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("seat", sa.String(length=10), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column(
            "state",
            sa.String(length=12),
            nullable=False,
        ),
        sa.Column("made", pbem.store.schema.tables.Utc(timezone=True), nullable=False),
        sa.Column("until", pbem.store.schema.tables.Utc(timezone=True), nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("alone", sa.Boolean(), nullable=False),
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_offer_game_id_game")),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_offer_player_id_player")
        ),
        sa.CheckConstraint("state IN ('open', 'taken', 'void')", name=op.f("ck_offer_state")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_offer")),
    )
    with op.batch_alter_table("offer") as table:
        table.create_index(table.f("ix_offer_address"), ["address"], unique=False)
        table.create_index(table.f("ix_offer_code_hash"), ["code_hash"], unique=False)
        table.create_index(table.f("ix_offer_game_id"), ["game_id"], unique=False)
        table.create_index(table.f("ix_offer_player_id"), ["player_id"], unique=False)
        table.create_index("ix_offer_state_until", ["state", "until"], unique=False)

    op.create_table(
        "free_seat",
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("seat", sa.String(length=10), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("why", sa.String(length=12), nullable=False),
        sa.Column("since", pbem.store.schema.tables.Utc(timezone=True), nullable=False),
        sa.Column("period", sa.Integer(), nullable=False),
        sa.Column("told", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_free_seat_game_id_game")),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_free_seat_player_id_player")
        ),
        sa.CheckConstraint("why IN ('quit', 'silent', 'list')", name=op.f("ck_free_seat_why")),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_free_seat")),
    )
    with op.batch_alter_table("free_seat") as table:
        table.create_index(table.f("ix_free_seat_player_id"), ["player_id"], unique=False)

    op.create_table(
        "privy",
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("seat", sa.String(length=10), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_privy_game_id_game")),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_privy_player_id_player")
        ),
        sa.PrimaryKeyConstraint("game_id", "seat", "player_id", name=op.f("pk_privy")),
    )
    with op.batch_alter_table("privy") as table:
        table.create_index(table.f("ix_privy_player_id"), ["player_id"], unique=False)

    with op.batch_alter_table("press") as table:
        table.add_column(
            sa.Column("pen_name", sa.String(length=30), server_default="", nullable=False)
        )
        table.add_column(sa.Column("answers", sa.Integer(), nullable=True))
        table.add_column(sa.Column("player_id", sa.Integer(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("press", recreate="never") as table:
        table.drop_column("player_id")
        table.drop_column("answers")
        table.drop_column("pen_name")
    for name in (
        "absence",
        "privy",
        "free_seat",
        "offer",
        "observer",
        "deputy",
        "applicant",
        "open_table",
        "invited",
    ):
        op.drop_table(name)
