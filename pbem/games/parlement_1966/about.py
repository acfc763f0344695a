"""What is known without a game: seats, phases, options."""

from __future__ import annotations

from pbem.games.frame.options import Option
from pbem.games.frame.ruleset import About, Awaited
from pbem.games.parlement_1966.names import PARTIES
from pbem.games.parlement_1966.state import PHASES

ABOUT = About(
    key="parlement-1966",
    title="Parlement (1966)",
    seats=(tuple(PARTIES),),
    schema=3,
    phases=PHASES,
    options=(
        Option(
            "emergency_after_extensions",
            "none",
            "extensions of the first period before the emergency of paragraph "
            "10 begins without a Government",
            words=("none",),
            says=("never, however long it is extended",),
        ),
        Option(
            "record_per_session",
            "off",
            "legislative records begin again with each session",
            ("on", "off"),
        ),
        Option(
            "private_treasury_notices",
            "off",
            "each party is told its account at the end of every period",
            ("on", "off"),
        ),
        Option(
            "rulings",
            "third",
            "which rulings the game plays by (R22, R23)",
            ("third", "second", "first"),
            says=(
                "those of this edition",
                "those without CHEQUE and CASH",
                "those of games that were made before November 2026",
            ),
        ),
        Option("house_rules", "on", "missed moves are counted and asked about", ("on", "off")),
        Option(
            "max_sessions",
            "off",
            "sessions after which most seats win",
            least=1,
            words=("off",),
            says=("the game goes on until its rules end it",),
        ),
    ),
    status="complete",
    awaited=Awaited("CANDIDATES", "list of candidates", "lists of candidates", "candidate list"),
    plays_on="CONTINUE",
    told_since=("lapsed", "backed", "unsigned", "blocs_none", "cheque_written", "cheque_received"),
)
