"""Acts on a seat's press, protest and questions. Only its player is told."""

from __future__ import annotations

from pbem.acts.act import LINE, Act, Argument, Kind, Notified
from pbem.acts.arguments import GAME, SEAT, WHY
from pbem.acts.needs import Needs

PRESS_ACTS = (
    Act(
        "answer",
        "Answer the question that a player sent you by a letter. Only he is told.",
        (
            Argument("letter", Kind.NUMBER),
            Argument("text", Kind.TEXT),
            Argument(
                "to_all",
                Kind.FLAG,
                "--to-all",
                "all players read question and answer, and not who asked; the next bulletin"
                " prints them",
                required=False,
                placed=True,
            ),
        ),
        ("question-answered",),
        Notified.SEAT,
        Needs.CODE,
        by_mail=True,
        heard=LINE[Kind.NUMBER] + LINE[Kind.TEXT],
        example="letter your answer",
        short="answers a question (TO-ALL: to everybody)",
    ),
    Act(
        "settle",
        "Settle the protest of a seat against what was adjudicated, with a word of yours. Only its"
        " player is told.",
        (GAME, SEAT, Argument("why", Kind.WHY, "--why", required=False)),
        ("protest-settled",),
        Notified.SEAT,
        Needs.CODE,
        by_mail=True,
        timeless=True,
        example="seat your answer",
        short="settles its protest against a bulletin",
    ),
    Act(
        "warn",
        "Ask the player of a seat to mind his press. Only he is told.",
        (GAME, SEAT, WHY),
        ("press-warned",),
        Notified.SEAT,
        Needs.CODE,
        by_mail=True,
        timeless=True,
        example="seat your words",
        short="asks its player to mind his press",
    ),
    Act(
        "suspend",
        "No press of a seat goes out for DAYS days (0: it goes out again). Only its player is told."
        " Warn him first.",
        (GAME, SEAT, Argument("days", Kind.NUMBER), WHY),
        ("press-suspended", "press-free"),
        Notified.SEAT,
        Needs.CODE,
        by_mail=True,
        timeless=True,
        example="seat 7 your words",
        short="stops its press for some days",
        heard=LINE[Kind.SEAT] + LINE[Kind.NUMBER] + LINE[Kind.WHY],
    ),
)
