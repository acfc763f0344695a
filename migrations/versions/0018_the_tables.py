"""The tables of 1.0.0, revision 0018; an older database goes through 1.0.0 first"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:  # noqa: PLR0915  a table after the other
    op.create_table(
        "ballot",
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("seat", sa.String(length=10), nullable=False),
        sa.Column("shared", sa.JSON(), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_ballot"),
    )
    op.create_table(
        "bulletin",
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(length=10), nullable=False),
        sa.Column("edition", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("frame", sa.JSON(), nullable=False),
        sa.Column("published", sa.DateTime(timezone=True), nullable=True),
        sa.Column("voided", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("game_id", "number", "seat", "edition", name="pk_bulletin"),
    )
    op.create_table(
        "cursor",
        sa.Column("account", sa.String(length=120), nullable=False),
        sa.Column("folder", sa.String(length=120), nullable=False),
        sa.Column("uidvalidity", sa.BigInteger(), nullable=False),
        sa.Column("uid", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account", "folder", name="pk_cursor"),
    )
    op.create_table(
        "game",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("ruleset", sa.String(length=40), nullable=False),
        sa.Column("schema", sa.Integer(), nullable=False),
        sa.Column(
            "status",
            sa.Enum(
                "waiting",
                "running",
                "held",
                "over",
                name="status",
                native_enum=False,
                create_constraint=True,
                length=12,
            ),
            nullable=False,
        ),
        sa.Column("held_because", sa.Text(), nullable=False),
        sa.Column("held_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("restored_to", sa.DateTime(timezone=True), nullable=True),
        sa.Column("restored_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("tables", sa.JSON(), nullable=False),
        sa.Column("tables_hash", sa.String(length=64), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("scenario", sa.JSON(), nullable=False),
        sa.Column("house", sa.JSON(), nullable=False),
        sa.Column("seed", sa.String(length=80), nullable=False),
        sa.Column("zone", sa.String(length=60), nullable=False),
        sa.Column("trust", sa.String(length=10), nullable=False),
        sa.Column("late", sa.String(length=20), nullable=False),
        sa.Column("publish", sa.String(length=10), nullable=False),
        sa.Column("period", sa.Integer(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("gamesmaster", sa.String(length=254), nullable=False),
        sa.Column("second", sa.String(length=254), nullable=False),
        sa.Column("edition", sa.Integer(), nullable=False),
        sa.Column("agreed", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("statements_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("attended", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_game"),
    )
    op.create_index("ix_game_gamesmaster", "game", ["gamesmaster"], unique=False)
    op.create_index("ix_game_id_gamesmaster", "game", ["id", "gamesmaster"], unique=False)
    op.create_index("ix_game_second", "game", ["second"], unique=False)
    op.create_index("ix_game_statements_until", "game", ["statements_until"], unique=False)
    op.create_index("ix_game_status", "game", ["status"], unique=False)
    op.create_index(
        "ix_game_status_gamesmaster_id_period",
        "game",
        ["status", "gamesmaster", "id", "period"],
        unique=False,
    )
    op.create_table(
        "gamesmaster",
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("token_no", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("asked", sa.Integer(), nullable=False),
        sa.Column("heard", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("address", name="pk_gamesmaster"),
    )
    op.create_index("ix_gamesmaster_token_hash", "gamesmaster", ["token_hash"], unique=False)
    op.create_table(
        "invited",
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("by_player", sa.Integer(), nullable=True),
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("refused", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("address", name="pk_invited"),
    )
    op.create_index("ix_invited_by_player", "invited", ["by_player"], unique=False)
    op.create_table(
        "journal",
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("nonce", sa.String(length=32), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "n", name="pk_journal"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "letter",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account", sa.String(length=120), nullable=False),
        sa.Column("folder", sa.String(length=120), nullable=False),
        sa.Column("uidvalidity", sa.BigInteger(), nullable=False),
        sa.Column("uid", sa.BigInteger(), nullable=False),
        sa.Column("received", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen", sa.DateTime(timezone=True), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=True),
        sa.Column("raw_hash", sa.String(length=64), nullable=False),
        sa.Column("message_id", sa.String(length=400), nullable=False),
        sa.Column("effect", sa.String(length=64), nullable=True),
        sa.Column(
            "outcome",
            sa.Enum(
                "stored",
                "oversize",
                "unfetchable",
                "orders",
                "command",
                "ignored",
                "bounce",
                "duplicate",
                "unknown-sender",
                "quarantine",
                "unverified",
                "held",
                "late",
                "failed",
                "unanswered",
                "dismissed",
                name="outcome",
                native_enum=False,
                create_constraint=True,
                length=16,
            ),
            nullable=False,
        ),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("sender", sa.String(length=254), nullable=False),
        sa.Column("authentication", sa.String(length=10), nullable=False),
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("seat", sa.String(length=10), nullable=False),
        sa.Column("period", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("moved", sa.Boolean(), nullable=False),
        sa.Column("decided", sa.DateTime(timezone=True), nullable=True),
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.Column("receipt", sa.Integer(), nullable=True),
        sa.Column("proven", sa.Boolean(), nullable=True),
        sa.Column("owed", sa.String(length=10), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_letter"),
        sa.UniqueConstraint(
            "account",
            "folder",
            "uidvalidity",
            "uid",
            name="uq_letter_account_folder_uidvalidity_uid",
        ),
        sa.UniqueConstraint("effect", name="uq_letter_effect"),
    )
    op.create_index(
        "ix_letter_game_id_seat_receipt", "letter", ["game_id", "seat", "receipt"], unique=True
    )
    op.create_index("ix_letter_moved_folder", "letter", ["moved", "folder"], unique=False)
    op.create_index("ix_letter_outcome_game_id", "letter", ["outcome", "game_id"], unique=False)
    op.create_index("ix_letter_outcome_id", "letter", ["outcome", "id"], unique=False)
    op.create_index(
        "ix_letter_owed_id",
        "letter",
        ["owed", "id"],
        unique=False,
        sqlite_where=sa.text("owed <> ''"),
        postgresql_where=sa.text("owed <> ''"),
    )
    op.create_index(
        "ix_letter_proven_id",
        "letter",
        ["proven", "id"],
        unique=False,
        sqlite_where=sa.text("raw IS NOT NULL"),
        postgresql_where=sa.text("raw IS NOT NULL"),
    )
    op.create_index("ix_letter_raw_hash", "letter", ["raw_hash"], unique=False)
    op.create_index("ix_letter_sender_decided", "letter", ["sender", "decided"], unique=False)
    op.create_table(
        "look",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("period", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_look"),
    )
    op.create_index("ix_look_game_id", "look", ["game_id"], unique=False)
    op.create_table(
        "memo",
        sa.Column("key", sa.String(length=80), nullable=False),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_memo"),
    )
    op.create_table(
        "open_table",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("ruleset", sa.String(length=40), nullable=False),
        sa.Column(
            "state",
            sa.Enum(
                "joining",
                "called",
                "begun",
                "closed",
                name="state",
                native_enum=False,
                create_constraint=True,
                length=12,
            ),
            nullable=False,
        ),
        sa.Column("places", sa.Integer(), nullable=False),
        sa.Column("plan", sa.JSON(), nullable=False),
        sa.Column("seed", sa.String(length=80), nullable=False),
        sa.Column("gamesmaster", sa.String(length=254), nullable=False),
        sa.Column("approve", sa.Boolean(), nullable=False),
        sa.Column("experience", sa.Integer(), nullable=False),
        sa.Column("reliability", sa.Integer(), nullable=False),
        sa.Column("opened", sa.DateTime(timezone=True), nullable=False),
        sa.Column("starts", sa.DateTime(timezone=True), nullable=True),
        sa.Column("closes", sa.DateTime(timezone=True), nullable=True),
        sa.Column("called", sa.DateTime(timezone=True), nullable=True),
        sa.Column("next_look", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_open_table"),
    )
    op.create_index("ix_open_table_gamesmaster", "open_table", ["gamesmaster"], unique=False)
    op.create_index("ix_open_table_next_look", "open_table", ["next_look"], unique=False)
    op.create_index("ix_open_table_state", "open_table", ["state"], unique=False)
    op.create_table(
        "outgoing",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=160), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("line", sa.Integer(), server_default="3", nullable=False),
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("seat", sa.String(length=10), nullable=False),
        sa.Column("recipient", sa.String(length=254), nullable=False),
        sa.Column("envelope_from", sa.String(length=254), nullable=False),
        sa.Column("message_id", sa.String(length=254), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column(
            "state",
            sa.Enum(
                "ready",
                "leased",
                "sent",
                "refused",
                "unknown",
                "held",
                "merged",
                "listed",
                name="state",
                native_enum=False,
                create_constraint=True,
                length=10,
            ),
            nullable=False,
        ),
        sa.Column("next_try", sa.DateTime(timezone=True), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("resent", sa.Boolean(), nullable=False),
        sa.Column("reply", sa.Text(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_outgoing"),
        sa.UniqueConstraint("key", name="uq_outgoing_key"),
    )
    op.create_index(
        "ix_outgoing_game_id_seat_created", "outgoing", ["game_id", "seat", "created"], unique=False
    )
    op.create_index("ix_outgoing_kind_created", "outgoing", ["kind", "created"], unique=False)
    op.create_index("ix_outgoing_message_id", "outgoing", ["message_id"], unique=False)
    op.create_index(
        "ix_outgoing_recipient_created", "outgoing", ["recipient", "created"], unique=False
    )
    op.create_index(
        "ix_outgoing_state_line_game_id_id",
        "outgoing",
        ["state", "line", "game_id", "id"],
        unique=False,
    )
    op.create_table(
        "picture",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("hash", "game_id", name="pk_picture"),
    )
    op.create_index("ix_picture_game_id", "picture", ["game_id"], unique=False)
    op.create_table(
        "player",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("zone", sa.String(length=60), nullable=False),
        sa.Column("all_receipts", sa.Boolean(), nullable=False),
        sa.Column("face", sa.String(length=10), nullable=False),
        sa.Column("calendar", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_player"),
    )
    op.create_table(
        "ruling",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column(
            "kind",
            sa.Enum(
                "ruling",
                "house",
                "preview",
                "clock",
                "orders",
                name="kind",
                native_enum=False,
                create_constraint=True,
                length=10,
            ),
            nullable=False,
        ),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("period", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_ruling"),
    )
    op.create_index("ix_ruling_game_id", "ruling", ["game_id"], unique=False)
    op.create_table(
        "statement",
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("seat", sa.String(length=10), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_statement"),
    )
    op.create_table(
        "absence",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("seat", sa.String(length=10), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("first", sa.Date(), nullable=False),
        sa.Column("last", sa.Date(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_absence_game_id_game"),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_absence_player_id_player"),
        sa.PrimaryKeyConstraint("id", name="pk_absence"),
    )
    op.create_index("ix_absence_game_id", "absence", ["game_id"], unique=False)
    op.create_index("ix_absence_player_id", "absence", ["player_id"], unique=False)
    op.create_table(
        "address",
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("of_record", sa.Boolean(), nullable=False),
        sa.Column("soft_bounces", sa.Integer(), nullable=False),
        sa.Column("hard_bounces", sa.Integer(), nullable=False),
        sa.Column("last_bounce", sa.Text(), nullable=False),
        sa.Column("pgp_key", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_address_player_id_player"),
        sa.PrimaryKeyConstraint("address", name="pk_address"),
    )
    op.create_index("ix_address_hard_bounces", "address", ["hard_bounces"], unique=False)
    op.create_index("ix_address_player_id", "address", ["player_id"], unique=False)
    op.create_index("ix_address_soft_bounces", "address", ["soft_bounces"], unique=False)
    op.create_table(
        "applicant",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column(
            "state",
            sa.Enum(
                "asked",
                "signed",
                "called",
                "sure",
                "gone",
                name="state",
                native_enum=False,
                create_constraint=True,
                length=12,
            ),
            nullable=False,
        ),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("wishes", sa.JSON(), nullable=False),
        sa.Column("through", sa.String(length=254), nullable=False),
        sa.Column("came", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["open_table.id"], name="fk_applicant_game_id_open_table"
        ),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_applicant_player_id_player"),
        sa.PrimaryKeyConstraint("id", name="pk_applicant"),
        sa.UniqueConstraint("game_id", "address", name="uq_applicant_game_id_address"),
    )
    op.create_index("ix_applicant_address", "applicant", ["address"], unique=False)
    op.create_index("ix_applicant_code_hash", "applicant", ["code_hash"], unique=False)
    op.create_index("ix_applicant_game_id", "applicant", ["game_id"], unique=False)
    op.create_index("ix_applicant_player_id", "applicant", ["player_id"], unique=False)
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
            sa.Enum(
                "asked",
                "confirmed",
                "acting",
                "ended",
                name="state",
                native_enum=False,
                create_constraint=True,
                length=12,
            ),
            nullable=False,
        ),
        sa.Column("first", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last", sa.DateTime(timezone=True), nullable=True),
        sa.Column("holder_code", sa.String(length=64), nullable=False),
        sa.Column("deputy_code", sa.String(length=64), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("token_no", sa.Integer(), nullable=False),
        sa.Column("asked", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("troubled", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_deputy_game_id_game"),
        sa.ForeignKeyConstraint(["holder_id"], ["player.id"], name="fk_deputy_holder_id_player"),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_deputy_player_id_player"),
        sa.PrimaryKeyConstraint("id", name="pk_deputy"),
    )
    op.create_index("ix_deputy_address", "deputy", ["address"], unique=False)
    op.create_index("ix_deputy_deputy_code", "deputy", ["deputy_code"], unique=False)
    op.create_index("ix_deputy_game_id", "deputy", ["game_id"], unique=False)
    op.create_index("ix_deputy_holder_code", "deputy", ["holder_code"], unique=False)
    op.create_index("ix_deputy_player_id", "deputy", ["player_id"], unique=False)
    op.create_index("ix_deputy_state", "deputy", ["state"], unique=False)
    op.create_index("ix_deputy_token_hash", "deputy", ["token_hash"], unique=False)
    op.create_table(
        "free_seat",
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("seat", sa.String(length=10), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column(
            "why",
            sa.Enum(
                "quit",
                "silent",
                "list",
                "bot",
                name="why",
                native_enum=False,
                create_constraint=True,
                length=12,
            ),
            nullable=False,
        ),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("period", sa.Integer(), nullable=False),
        sa.Column("told", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_free_seat_game_id_game"),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_free_seat_player_id_player"),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_free_seat"),
    )
    op.create_index("ix_free_seat_player_id", "free_seat", ["player_id"], unique=False)
    op.create_table(
        "kept_orders",
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("period", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(length=10), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("orders", sa.JSON(), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["letter_id"], ["letter.id"], name="fk_kept_orders_letter_id_letter"
        ),
        sa.PrimaryKeyConstraint("game_id", "period", "seat", "ordinal", name="pk_kept_orders"),
    )
    op.create_table(
        "letter_mark",
        sa.Column("mark", sa.String(length=64), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["letter_id"], ["letter.id"], name="fk_letter_mark_letter_id_letter"
        ),
        sa.PrimaryKeyConstraint("mark", name="pk_letter_mark"),
    )
    op.create_index("ix_letter_mark_letter_id", "letter_mark", ["letter_id"], unique=False)
    op.create_table(
        "observer",
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_observer_player_id_player"),
        sa.PrimaryKeyConstraint("game_id", "player_id", name="pk_observer"),
    )
    op.create_index("ix_observer_player_id", "observer", ["player_id"], unique=False)
    op.create_table(
        "offer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("seat", sa.String(length=10), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column(
            "state",
            sa.Enum(
                "open",
                "taken",
                "void",
                name="state",
                native_enum=False,
                create_constraint=True,
                length=12,
            ),
            nullable=False,
        ),
        sa.Column("made", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("alone", sa.Boolean(), nullable=False),
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_offer_game_id_game"),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_offer_player_id_player"),
        sa.PrimaryKeyConstraint("id", name="pk_offer"),
    )
    op.create_index("ix_offer_address", "offer", ["address"], unique=False)
    op.create_index("ix_offer_code_hash", "offer", ["code_hash"], unique=False)
    op.create_index("ix_offer_game_id", "offer", ["game_id"], unique=False)
    op.create_index("ix_offer_player_id", "offer", ["player_id"], unique=False)
    op.create_index("ix_offer_state_until", "offer", ["state", "until"], unique=False)
    op.create_table(
        "order_set",
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("period", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(length=10), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("orders", sa.JSON(), nullable=False),
        sa.Column("wait", sa.Boolean(), nullable=False),
        sa.Column("ready", sa.Boolean(), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"], name="fk_order_set_letter_id_letter"),
        sa.PrimaryKeyConstraint("game_id", "period", "seat", "ordinal", name="pk_order_set"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "period",
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("phase", sa.String(length=40), nullable=False),
        sa.Column(
            "status",
            sa.Enum(
                "open",
                "closing",
                "review",
                "closed",
                name="status",
                native_enum=False,
                create_constraint=True,
                length=12,
            ),
            nullable=False,
        ),
        sa.Column("state", sa.JSON(), nullable=False),
        sa.Column("state_hash", sa.String(length=64), nullable=False),
        sa.Column("events", sa.JSON(), nullable=False),
        sa.Column("draws", sa.JSON(), nullable=False),
        sa.Column("opened", sa.DateTime(timezone=True), nullable=False),
        sa.Column("base", sa.DateTime(timezone=True), nullable=True),
        sa.Column("moves", sa.JSON(), nullable=False),
        sa.Column("due", sa.DateTime(timezone=True), nullable=True),
        sa.Column("next_look", sa.DateTime(timezone=True), nullable=True),
        sa.Column("closed", sa.DateTime(timezone=True), nullable=True),
        sa.Column("template", sa.String(length=64), nullable=False),
        sa.Column("edition", sa.Integer(), nullable=False),
        sa.Column("close_asked", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_period_game_id_game"),
        sa.PrimaryKeyConstraint("game_id", "number", name="pk_period"),
    )
    op.create_index(
        "ix_period_status_due_game_id_number",
        "period",
        ["status", "due", "game_id", "number"],
        unique=False,
    )
    op.create_index("ix_period_status_next_look", "period", ["status", "next_look"], unique=False)
    op.create_table(
        "player_record",
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("period", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(length=10), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_player_record_game_id_game"),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name="fk_player_record_player_id_player"
        ),
        sa.PrimaryKeyConstraint(
            "game_id", "period", "seat", "player_id", "kind", name="pk_player_record"
        ),
    )
    op.create_index("ix_player_record_player_id", "player_record", ["player_id"], unique=False)
    op.create_table(
        "practice",
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("ruleset", sa.String(length=40), nullable=False),
        sa.Column("asked", sa.DateTime(timezone=True), nullable=False),
        sa.Column("begun", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_practice_player_id_player"),
        sa.PrimaryKeyConstraint("game_id", name="pk_practice"),
    )
    op.create_index("ix_practice_ended", "practice", ["ended"], unique=False)
    op.create_index("ix_practice_player_id", "practice", ["player_id"], unique=False)
    op.create_table(
        "press",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("period", sa.Integer(), nullable=False),
        sa.Column("author", sa.String(length=10), nullable=False),
        sa.Column("anonymous", sa.Boolean(), nullable=False),
        sa.Column("audience", sa.JSON(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=True),
        sa.Column("pen_name", sa.String(length=30), server_default="", nullable=False),
        sa.Column("answers", sa.Integer(), nullable=True),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"], name="fk_press_letter_id_letter"),
        sa.PrimaryKeyConstraint("id", name="pk_press"),
    )
    op.create_index("ix_press_game_id_period", "press", ["game_id", "period"], unique=False)
    op.create_table(
        "privy",
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("seat", sa.String(length=10), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_privy_game_id_game"),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_privy_player_id_player"),
        sa.PrimaryKeyConstraint("game_id", "seat", "player_id", name="pk_privy"),
    )
    op.create_index("ix_privy_player_id", "privy", ["player_id"], unique=False)
    op.create_table(
        "seat",
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("seat", sa.String(length=10), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("token_no", sa.Integer(), nullable=False),
        sa.Column("link_no", sa.Integer(), server_default="1", nullable=False),
        sa.Column("missed", sa.Integer(), nullable=False),
        sa.Column("asked_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("heard", sa.Integer(), nullable=False),
        sa.Column("quits", sa.DateTime(timezone=True), nullable=True),
        sa.Column("bot", sa.String(length=20), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_seat_game_id_game"),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_seat_player_id_player"),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_seat"),
    )
    op.create_index("ix_seat_asked_until", "seat", ["asked_until"], unique=False)
    op.create_index("ix_seat_missed", "seat", ["missed"], unique=False)
    op.create_index("ix_seat_player_id", "seat", ["player_id"], unique=False)
    op.create_index("ix_seat_quits", "seat", ["quits"], unique=False)
    op.create_index("ix_seat_token_hash", "seat", ["token_hash"], unique=False)
    op.create_table(
        "standby",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("invited_for", sa.String(length=10), nullable=False),
        sa.Column("reply_by", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_standby_game_id_game"),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_standby_player_id_player"),
        sa.PrimaryKeyConstraint("id", name="pk_standby"),
    )
    op.create_index("ix_standby_game_id", "standby", ["game_id"], unique=False)
    op.create_index("ix_standby_player_id", "standby", ["player_id"], unique=False)
    op.create_table(
        "suggestion",
        sa.Column("letter_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("seat", sa.String(length=10), nullable=False),
        sa.Column("edition", sa.Integer(), nullable=False),
        sa.Column("period", sa.Integer(), nullable=False),
        sa.Column("orders", sa.JSON(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.Column("answered", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["letter_id"], ["letter.id"], name="fk_suggestion_letter_id_letter"
        ),
        sa.PrimaryKeyConstraint("letter_id", "number", name="pk_suggestion"),
    )
    op.create_index("ix_suggestion_answered", "suggestion", ["answered"], unique=False)
    op.create_index("ix_suggestion_game_id_seat", "suggestion", ["game_id", "seat"], unique=False)
