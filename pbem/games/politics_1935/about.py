"""What is known without a game: seats, phases, options."""

from __future__ import annotations

from pbem.games.frame.options import Option, timing
from pbem.games.frame.ruleset import About

OPTIONS = (
    Option(
        "MODE",
        "ROUND",
        "ROUND: one period is a round of the table; TURN: one player's turn",
        ("ROUND", "TURN"),
        says=(
            "a round of the table",
            "one player's turn",
        ),
    ),
    Option(
        "ROLLS",
        "PRIVATE",
        "whether all may see the throws of a round when it opens",
        ("PRIVATE", "PUBLIC"),
        says=(
            "each is told his own",
            "all are told",
        ),
    ),
    Option(
        "AUCTION",
        "PROXY",
        "PROXY: a lot costs a note more than the next bid; FIRST: the bid",
        ("PROXY", "FIRST"),
        says=(
            "a note more than the next bid",
            "his own bid",
        ),
    ),
    Option(
        "FUND",
        "ON",
        "OFF: the variation without campaign fund",
        ("ON", "OFF"),
        says=(
            "with it",
            "without it",
        ),
    ),
    Option(
        "FIRST_CUT",
        "OFF",
        "3: the first tabulation leaves only the first three",
        ("OFF", "3"),
        says=(
            "as any other",
            "only the first three stay",
        ),
    ),
    Option(
        "TAB_LIMIT",
        "NONE",
        "1: one tabulation a round at most",
        ("NONE", "1"),
        says=(
            "as many as fall in it",
            "one",
        ),
    ),
    Option(
        "MAX_ROUNDS", 15, "the round after which the votes are counted for the last time", least=1
    ),
    Option("SPEECH_FROM", 3, "the round from which speeches are made", least=1),
    Option(
        "SLOT_FIRST",
        "THROWER",
        "who has the first word in a gap: thrower or left neighbour",
        ("THROWER", "NEXT"),
        says=(
            "the thrower",
            "his left neighbour",
        ),
    ),
    Option(
        "NMR",
        "LOSE",
        "AUTO: a missed move plays the cheapest states without pins",
        ("LOSE", "AUTO"),
        says=(
            "its points are lost",
            "it plays the cheapest states without pins",
        ),
    ),
    Option(
        "HOLDINGS",
        "PUBLIC",
        "SECRET: cash and the prices of lots are hidden",
        ("PUBLIC", "SECRET"),
        says=(
            "all are told",
            "cash and the prices of lots are hidden",
        ),
    ),
    *timing(5),
)
_SEATS = ("P1", "P2", "P3", "P4", "P5")
ABOUT = About(
    key="politics-1935",
    title="The Game of Politics",
    seats=tuple(_SEATS[:size] for size in (3, 2, 4, 5)),
    schema=3,
    phases=("ROUND", "TURN", "OVER"),
    options=OPTIONS,
    status="complete",
    seat_tables=("alive", "cash", "votes_out"),
    seat_rows=("pins",),
    told_since=("race", "no_speech", "no_lot", "no_count", "you_are_out", "your_states"),
)
