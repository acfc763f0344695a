"""What can be said of Party In Power without playing it: seats, phases and the gamesmaster's
options (1.12)."""

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
        ),
        Option("SHARED", "ON", "a polling and the next campaign share one period", ("ON", "OFF")),
        Option("MINISTERS", "AUTO", "Ministers in play, 3 to 13", least=3, words=("AUTO",)),
        Option(
            "INCUMBENCY", "AUTO", "added to every Incumbent Advantage", least=-99, words=("AUTO",)
        ),
        Option("DRAFT", "AUTO", "cards drafted on each Nomination Day", least=0, words=("AUTO",)),
        Option(
            "TIE",
            "PIP",
            "who wins a tie between the PIP and an Opposition Party",
            ("PIP", "OPPOSITION", "LADDER"),
        ),
        Option("POOL", "PRIVATE", "whether the PIP's pool is public", ("PRIVATE", "OPEN")),
        Option(
            "MINORITY",
            "STRICT",
            "MINISTER: any Minister serves as Minority",
            ("STRICT", "MINISTER"),
        ),
        Option("HELPERS", "TIEBREAK", "VOTE: each Helper gives a vote too", ("TIEBREAK", "VOTE")),
        Option("FAST", "OFF", "the PIP fields in the NOMINATION period; no POLLING", ("OFF", "ON")),
        Option(
            "LAPSE", "PIP", "after the PIP resigns: automatic Teams, or VACANT", ("PIP", "VACANT")
        ),
        *timing(3),
    ),
    status="complete",
    seat_tables=("won", "ncmp", "bonus"),
    told_since=("drew_fewer", "shuffled"),
)
