"""What is known without a game: seats, phases, options."""

from __future__ import annotations

from pbem.games.frame.options import Option
from pbem.games.frame.ruleset import About, Awaited
from pbem.games.parlement_1968.state import PHASES
from pbem.games.parlement_1968.tables import Tables

OPTIONS = (
    Option(
        "new_government_after_election",
        "off",
        "a new Government is formed after every election (R5)",
        ("on", "off"),
    ),
    Option(
        "private_treasury_notices",
        "on",
        "each player is told his account at the end of a period (R30)",
        ("on", "off"),
    ),
    Option(
        "caretaker_after_days",
        60,
        "days without a Government until a caretaker's Budget and an election (R31)",
        most=366,
        words=("off",),
        says=("never",),
    ),
    Option(
        "budget_defeats_fall",
        "off",
        "defeats of one Budget that bring the Government down (R31)",
        words=("off",),
        says=("none brings it down",),
    ),
    Option(
        "rulings",
        "second",
        "which rulings the game plays by (R33)",
        ("second", "first"),
        says=(
            "those of this edition",
            "those of games that were made before December 2026",
        ),
    ),
    Option(
        "max_sessions",
        "off",
        "sessions after which most seats win (R31)",
        words=("off",),
        says=("the game goes on until its rules end it",),
    ),
)


def about(tables: Tables) -> About:
    """Return the facts; seats are the tables' parties."""
    return About(
        key="parlement-1968",
        title="Parlement (1968)",
        seats=(tuple(tables.parties),),
        schema=1,
        phases=PHASES,
        options=OPTIONS,
        status="complete",
        awaited=Awaited(
            "CANDIDATES", "list of candidates", "lists of candidates", "candidate list"
        ),
        plays_on="CONTINUE",
        told_since=("proposal_dead",),
    )
