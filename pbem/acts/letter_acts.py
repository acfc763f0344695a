"""Acts on waiting letters and undelivered mails."""

from __future__ import annotations

from pbem.acts.act import LINE, Act, Argument, Kind, Notified
from pbem.acts.arguments import ANYWAY, ways
from pbem.acts.needs import Needs

_LETTER = Argument("letter", Kind.NUMBER)

LETTER_ACTS = (
    Act(
        "accept",
        "Take a held letter's orders as they are, on your own word that its sender is who he says.",
        (
            Argument("letter", Kind.NUMBER, required=False),
            Argument(
                "game",
                Kind.GAME,
                "--game",
                "instead of LETTER: all of this game held after a restore that are plainly for its"
                " open period; with LETTER and --seat: the game that it is for",
                required=False,
            ),
            Argument(
                "before",
                Kind.TIME,
                "--before",
                "with --game, in its time zone: the open period was open until then, on your word",
                required=False,
            ),
            Argument(
                "seat",
                Kind.SEAT,
                "--seat",
                "the letter is for this seat, whatever it says",
                required=False,
            ),
            Argument(
                "period",
                Kind.PERIOD,
                "--period",
                "the letter is for this period, whatever it says: refused unless it is open",
                required=False,
            ),
            ANYWAY,
        ),
        ("letter-accepted", "letters-accepted"),
        Notified.BULLETIN,
        Needs.CODE,
        ways=ways(
            "letter",
            "letter seat",
            "letter period",
            "letter seat period",
            "letter game seat",
            "letter game seat period",
            "game",
            "game period",
            "game before",
            "game before period",
        ),
        usage="give a LETTER (and --seat, --period), or --game GAME (and --before)",
        by_mail=True,
        example="letter",
        short="counts on your word; also: SEAT B PERIOD 4",
        heard=LINE[Kind.NUMBER] + r"(?: +(?:GAME|SEAT|PERIOD) +[\w.-]{1,40}){0,3}(?: +ANYWAY)?",
        settings=True,
    ),
    Act(
        "dismiss",
        "Close a held, failed or quarantined letter without effect.",
        (_LETTER,),
        ("letter-dismissed",),
        Notified.NOBODY,
        Needs.CODE,
        by_mail=True,
        short="closes it without effect",
    ),
    Act(
        "retry",
        "Decide a failed letter again, or fetch an unfetchable one again.",
        (_LETTER,),
        ("letter-retried",),
        Notified.NOBODY,
        Needs.LEVEL,
        by_mail=True,
        short="decides a failed one again",
    ),
    Act(
        "resend",
        "Send a mail again that was refused, or that perhaps went out.",
        (
            Argument("mail", Kind.NUMBER, required=False),
            Argument(
                "all_refused",
                Kind.TIME,
                "--all-refused",
                "instead of MAIL: all that were refused since then, in the referee's time zone",
                required=False,
            ),
        ),
        ("mail-resent",),
        Notified.SEAT,
        Needs.LEVEL,
        ways=ways("mail", "all_refused"),
        usage='give a MAIL, or --all-refused "YYYY-MM-DD HH:MM"',
        by_mail=True,
        heard=LINE[Kind.NUMBER],
        example="mail",
        short="sends a mail again that was refused",
    ),
)
