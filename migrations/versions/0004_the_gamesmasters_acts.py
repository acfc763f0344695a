"""Each game has its gamesmaster and its editions; looks are counted; a corrected game keeps the
orders of the periods that are taken back; moves, seats and games are counted for each player, who
agree how a game ends, and say something after it"""

import sqlalchemy as sa
from alembic import op

import pbem.store.schema.tables

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("game") as table:
        for name in ("gamesmaster", "second"):
            table.add_column(sa.Column(name, sa.String(254), nullable=False, server_default=""))
        table.add_column(sa.Column("edition", sa.Integer(), nullable=False, server_default="1"))
        table.add_column(sa.Column("agreed", sa.JSON(none_as_null=True), nullable=True))
        table.add_column(
            sa.Column(
                "statements_until", pbem.store.schema.tables.Utc(timezone=True), nullable=True
            )
        )
        table.create_index(op.f("ix_game_statements_until"), ["statements_until"])
        table.add_column(
            sa.Column("attended", pbem.store.schema.tables.Utc(timezone=True), nullable=True)
        )
        for name in ("gamesmaster", "second"):
            table.create_index(op.f(f"ix_game_{name}"), [name])
    op.create_table(
        "gamesmaster",
        sa.Column("address", sa.String(254), nullable=False),
        sa.Column("token_no", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("asked", sa.Integer(), nullable=False),
        sa.Column("heard", pbem.store.schema.tables.Utc(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("address", name=op.f("pk_gamesmaster")),
    )
    with op.batch_alter_table("gamesmaster") as table:
        table.create_index(op.f("ix_gamesmaster_token_hash"), ["token_hash"])
    with op.batch_alter_table("period") as table:
        table.add_column(sa.Column("edition", sa.Integer(), nullable=False, server_default="1"))
    with op.batch_alter_table("bulletin") as table:
        table.add_column(
            sa.Column("voided", pbem.store.schema.tables.Utc(timezone=True), nullable=True)
        )
    with op.batch_alter_table("ruling") as table:
        table.add_column(sa.Column("period", sa.Integer(), nullable=True))
    op.create_table(
        "kept_orders",
        sa.Column("game_id", sa.String(40), nullable=False),
        sa.Column("period", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(10), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("orders", sa.JSON(), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=True),
        sa.Column("at", pbem.store.schema.tables.Utc(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["letter_id"], ["letter.id"], name=op.f("fk_kept_orders_letter_id_letter")
        ),
        sa.PrimaryKeyConstraint(
            "game_id", "period", "seat", "ordinal", name=op.f("pk_kept_orders")
        ),
    )
    op.create_table(
        "ballot",
        sa.Column("game_id", sa.String(40), nullable=False),
        sa.Column("seat", sa.String(10), nullable=False),
        sa.Column("shared", sa.JSON(), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=False),
        sa.Column("at", pbem.store.schema.tables.Utc(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_ballot")),
    )
    op.create_table(
        "statement",
        sa.Column("game_id", sa.String(40), nullable=False),
        sa.Column("seat", sa.String(10), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=False),
        sa.Column("at", pbem.store.schema.tables.Utc(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_statement")),
    )
    op.create_table(
        "look",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(40), nullable=False),
        sa.Column("period", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("at", pbem.store.schema.tables.Utc(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_look")),
    )
    with op.batch_alter_table("look") as table:
        table.create_index(op.f("ix_look_game_id"), ["game_id"])
    op.create_table(
        "player_record",
        sa.Column("game_id", sa.String(40), nullable=False),
        sa.Column("period", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(10), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["game.id"], name=op.f("fk_player_record_game_id_game")
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_player_record_player_id_player")
        ),
        sa.PrimaryKeyConstraint(
            "game_id", "period", "seat", "player_id", "kind", name=op.f("pk_player_record")
        ),
    )
    with op.batch_alter_table("player_record") as table:
        table.create_index(op.f("ix_player_record_player_id"), ["player_id"])
    with op.batch_alter_table("standby") as table:
        table.create_index(op.f("ix_standby_player_id"), ["player_id"])


def downgrade() -> None:
    _forget_reasons()
    with op.batch_alter_table("standby", recreate="never") as table:
        table.drop_index(op.f("ix_standby_player_id"))
    op.drop_table("player_record")
    op.drop_table("look")
    op.drop_table("statement")
    op.drop_table("ballot")
    op.drop_table("kept_orders")
    with op.batch_alter_table("ruling", recreate="never") as table:
        table.drop_column("period")
    with op.batch_alter_table("bulletin", recreate="never") as table:
        table.drop_column("voided")
    with op.batch_alter_table("period", recreate="never") as table:
        table.drop_column("edition")
    op.drop_table("gamesmaster")
    with op.batch_alter_table("game", recreate="never") as table:
        table.drop_index(op.f("ix_game_statements_until"))
        table.drop_column("statements_until")
        table.drop_column("agreed")
        for name in ("gamesmaster", "second"):
            table.drop_index(op.f(f"ix_game_{name}"))
        table.drop_column("attended")
        table.drop_column("edition")
        table.drop_column("second")
        table.drop_column("gamesmaster")


def _forget_reasons() -> None:
    """A pause among a game's holidays was its first and last day only."""
    game = sa.table("game", sa.column("id", sa.String), sa.column("house", sa.JSON))
    conn = op.get_bind()
    for game_id, house in conn.execute(sa.select(game.c.id, game.c.house)).all():
        if house and house.get("holidays"):
            plain = house | {"holidays": [days[:2] for days in house["holidays"]]}
            conn.execute(sa.update(game).where(game.c.id == game_id).values(house=plain))
