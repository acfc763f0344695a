"""The database refuses a state that no program of ours sets"""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

STATES = {
    ("game", "status"): ("waiting", "running", "held", "over"),
    ("period", "status"): ("open", "closing", "review", "closed"),
    ("letter", "outcome"): (
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
    ),
    ("outgoing", "state"): (
        "ready",
        "leased",
        "sent",
        "refused",
        "unknown",
        "held",
        "merged",
        "listed",
    ),
    ("ruling", "kind"): ("ruling", "house", "clock", "orders"),
}


def upgrade() -> None:
    for (name, column), states in STATES.items():
        known = ", ".join(f"'{state}'" for state in states)
        with op.batch_alter_table(name) as table:
            table.create_check_constraint(op.f(f"ck_{name}_{column}"), f"{column} IN ({known})")


def downgrade() -> None:
    for name, column in STATES:
        with op.batch_alter_table(name) as table:
            table.drop_constraint(op.f(f"ck_{name}_{column}"), type_="check")
