"""What is known without a game: seats, phases, options."""

from __future__ import annotations

from pbem.games.coalition.state import LATER, OPENING, SITTING
from pbem.games.frame.options import Option, timing
from pbem.games.frame.ruleset import About

LETTERS = "ABCDEFGHIJKLMNO"
SWITCH = ("ON", "OFF")
ABOUT = About(
    key="coalition",
    title="Coalition",
    seats=tuple(tuple(LETTERS[:players]) for players in (15, *range(5, 15))),
    schema=2,
    phases=(OPENING, SITTING),
    options=(
        Option("MAX_PERIODS", 16, "periods after which the game ends", least=2),
        *timing(7),
        Option(
            "MAJORITY",
            "VOTES",
            "whose MPs make a Majority Government",
            ("VOTES", "MEMBERS", "BOTH"),
            says=(
                "308 seats that say Aye",
                "the parties named in the slate, where those that say Aye hold 308",
                "308 Ayes, where the parties named hold 308 however they voted",
            ),
        ),
        Option(
            "MAJORITY_OF",
            LATER["MAJORITY_OF"],
            "of which seats more than half make a majority",
            ("ALL", "HELD"),
            says=(
                "of all 615: 308",
                "of those that players hold; meant for fewer than fifteen players",
            ),
        ),
        Option(
            "TABLING",
            "LEAST",
            "which draft is tabled next",
            ("LEAST", "SEATS", "FIFO"),
            says=(
                "of the party with the fewest motions tabled so far",
                "of the party with the most seats",
                "the one whose letter came first",
            ),
        ),
        Option("CONSENT", "OFF", "every party named must vote AYE", ("OFF", "ON")),
        Option("SPECIAL_LOCK", 1, "period at whose end the Special Ministries are fixed"),
        Option("STANDING", "ON", "standing votes are allowed", SWITCH),
        Option(
            "SPONSOR",
            "PUBLIC",
            "who tabled a motion",
            ("PUBLIC", "SECRET"),
            says=(
                "all are told",
                "nobody is told",
            ),
        ),
        Option(
            "BALLOTS",
            "PUBLIC",
            "how each party voted",
            ("PUBLIC", "SECRET"),
            says=(
                "all are told",
                "only the totals are told",
            ),
        ),
        Option(
            "NAYSAYERS",
            "SCORE",
            "what a party earns in a Government it voted against",
            ("SCORE", "ZERO"),
            says=(
                "as much as any other",
                "nothing",
            ),
        ),
    ),
    status="complete",
    told_since=("majority", "ifs", "if_acted"),
    veiled=True,
)
