"""What is known without a game: seats, phases, options (1.12)."""

from __future__ import annotations

from pbem.games.frame.options import Option, timing
from pbem.games.frame.ruleset import About
from pbem.games.party_in_power.state import PHASES

CODES = ("PIP", "LAN", "COM", "KIT", "NLP", "VER", "TID", "CMP", "HAH", "OWP")
_SIZES = (4, 2, 3, 5, 6, 7, 8, 9, 10)
ABOUT = About(
    key="party-in-power",
    title="Party In Power",
    seats=tuple(CODES[:size] for size in _SIZES),
    schema=2,
    phases=PHASES,
    options=(
        Option(
            "CONSTITUENCIES",
            12,
            "constituencies to be polled, 3 to 27 (27: the table game)",
            least=3,
            most=27,
        ),
        Option("SHARED", "ON", "a polling and the next campaign share one period", ("ON", "OFF")),
        Option(
            "MINISTERS",
            "AUTO",
            "Ministers in play, 3 to 13",
            least=3,
            most=13,
            words=("AUTO",),
            says=(
                "the three seniors, and by lot ten others for 27 constituencies, fewer for fewer",
            ),
        ),
        Option(
            "INCUMBENCY",
            "AUTO",
            "added to every Incumbent Advantage",
            least=-99,
            words=("AUTO",),
            says=("by the number of parties, from -2 to +2",),
        ),
        Option(
            "DRAFT",
            "AUTO",
            "cards drafted on each Nomination Day",
            least=0,
            words=("AUTO",),
            says=("by the number of parties, from 4 to 2",),
        ),
        Option(
            "TIE",
            "PIP",
            "who wins a tie between the PIP and an Opposition Party",
            ("PIP", "OPPOSITION", "LADDER"),
            says=(
                "the PIP",
                "the best of the tied Opposition Parties",
                "most Helpers, then Momentum, then the lowest number",
            ),
        ),
        Option(
            "POOL",
            "PRIVATE",
            "whether the PIP's pool is public",
            ("PRIVATE", "OPEN"),
            says=(
                "only the PIP is told",
                "all are told",
            ),
        ),
        Option(
            "MINORITY",
            "STRICT",
            "MINISTER: any Minister serves as Minority",
            ("STRICT", "MINISTER"),
            says=(
                "only a Minister who is Minority",
                "any Minister",
            ),
        ),
        Option(
            "HELPERS",
            "TIEBREAK",
            "VOTE: each Helper gives a vote too",
            ("TIEBREAK", "VOTE"),
            says=(
                "they break ties, and do not vote",
                "each gives a vote too",
            ),
        ),
        Option(
            "FAST",
            "OFF",
            "the PIP fields in the NOMINATION period; no POLLING",
            ("OFF", "ON"),
            says=(
                "it has a period of its own",
                "it is held with the nomination",
            ),
        ),
        Option(
            "LAPSE",
            "PIP",
            "after the PIP resigns: automatic Teams, or VACANT",
            ("PIP", "VACANT"),
            says=(
                "automatic Teams",
                "nobody is fielded",
            ),
        ),
        *timing(3),
    ),
    status="complete",
    seat_tables=("won", "ncmp", "bonus"),
    told_since=("drew_fewer", "shuffled"),
)
