"""The table of the gamesmaster's acts: what each is called and takes, who may do it, and what is
journalled and told.

The commands of the shell and his words by mail are made from it. What an act does stands under its
name in ``referee.act_effects``, how a value is read from text in ``referee.act_values``; the list
of commands needs neither.
"""

from __future__ import annotations

from pbem.orders.act import LINE, Act, Argument, Kind, Told, Who
from pbem.orders.table_acts import TABLE, TABLE_ACTS


def _ways(*ways: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(way.split()) for way in ways)


GAME = Argument("game", Kind.GAME)
SEAT = Argument("seat", Kind.SEAT)
WHY = Argument("why", Kind.WHY, "--why")
NAME = Argument("name", Kind.NAME, "--name", required=False)
PERIOD = Argument(
    "period", Kind.PERIOD, "--period", "refuse if the game is in another period", required=False
)
LETTER = Argument("letter", Kind.NUMBER)
NOW = Argument(
    "now",
    Kind.FLAG,
    "--now",
    "whoever has it now is gone: only ADDRESS is asked",
    required=False,
)
ANYWAY = Argument(
    "anyway",
    Kind.FLAG,
    "--anyway",
    "do it although it is hardly meant",
    required=False,
    placed=True,
)
"""Of acts that are refused where they can be done and are hardly meant (``Doubtful``). In a mail it
is the last word of the line."""

QUEUE = Act(
    "queue",
    "What waits and the command that releases it, outbox, games with who is in and missing.",
    (Argument("game", Kind.WORD, required=False),),
    (),
    Told.NOBODY,
    by_mail=True,
    example="",
    short="what waits, and the games; or QUEUE key",
    heard=r"(?: +[A-Za-z0-9][\w.-]{0,63})?",
)
"""A question, which changes nothing; in the shell a command of its own."""

DESK = Act(
    "desk",
    "The way in to the desk in a browser.",
    (),
    (),
    Told.NOBODY,
    by_mail=True,
    example="",
    short="mails you the way in to your desk",
)
"""A question too; what it brings works once, for ten minutes."""

ACTS = (
    Act(
        "extend",
        'Move the deadline by DAYS (negative: bring it forward), or by "30 minutes"; everybody is'
        " told.",
        (GAME, Argument("days", Kind.LENGTH), WHY, PERIOD),
        ("deadline",),
        Told.ALL | Told.BULLETIN,
        by_mail=True,
        example="3 post strike",
        short="moves the deadline by days, and says why",
        heard=r" ++.{1,60}",
    ),
    Act(
        "close",
        "Close the period now and adjudicate it.",
        (GAME, PERIOD),
        ("closed-by-hand",),
        Told.ALL | Told.BULLETIN,
        by_mail=True,
        code=True,
        short="closes the period now",
        blind=True,
    ),
    Act(
        "preview",
        "The bulletin as it would be if the period closed now, and who is missing. Nothing is"
        " stored.",
        (GAME,),
        ("look",),
        Told.BULLETIN,
        by_mail=True,
        code=True,
        short="the bulletin as it would be now",
        asks=True,
    ),
    Act(
        "replace",
        "Another player takes a seat: he is briefed, the old reply address is void, the bulletin"
        " says so.",
        (GAME, SEAT, Argument("address", Kind.ADDRESS), NAME, WHY, ANYWAY),
        ("replaced",),
        Told.SEAT | Told.BULLETIN,
        by_mail=True,
        code=True,
        example="seat address name",
        short="another player takes the seat",
        heard=LINE[Kind.SEAT] + LINE[Kind.ADDRESS] + LINE[Kind.NAME],
        beyond=True,
    ),
    Act(
        "rule",
        "A ruling, printed in the next bulletin.",
        (GAME, Argument("text", Kind.TEXT)),
        ("ruling",),
        Told.BULLETIN,
        by_mail=True,
        short="a ruling for the next bulletin",
    ),
    Act(
        "hold",
        "Stop a game's clock; orders are still taken.",
        (GAME, WHY),
        ("hold",),
        Told.ALL | Told.BULLETIN,
        by_mail=True,
        example="illness",
        short="stops the clock, and says why",
    ),
    Act(
        "resume",
        "Let a held game go on; its deadline moves by the days it was held.",
        (
            Argument("game", Kind.GAME, required=False),
            Argument(
                "everything", Kind.FLAG, "--all", "every held game", required=False, placed=True
            ),
        ),
        ("resume",),
        Told.ALL | Told.BULLETIN,
        ways=_ways("game", "everything"),
        usage="give a GAME or --all",
        by_mail=True,
        example="",
        short="lets it run on; RESUME ALL: every held game",
    ),
    Act(
        "pause",
        "No deadline falls from FIRST to LAST (YYYY-MM-DD); a deadline that did moves behind them."
        " Everybody is told.",
        (GAME, Argument("first", Kind.WORD), Argument("last", Kind.WORD), WHY, PERIOD),
        ("pause",),
        Told.ALL | Told.BULLETIN,
        by_mail=True,
        example="2026-12-24 2026-12-27 Christmas",
        short="no deadline falls from one day to the other",
    ),
    Act(
        "unpause",
        "Lift the pause that begins on FIRST (YYYY-MM-DD): a deadline that it moved comes back,"
        " though never into the past. Everybody is told.",
        (GAME, Argument("first", Kind.WORD), WHY, PERIOD),
        ("unpause",),
        Told.ALL | Told.BULLETIN,
        by_mail=True,
        example="2026-12-24 we play on",
        short="lifts the pause that begins then",
    ),
    Act(
        "release",
        "Publish the bulletin that waits in review.",
        (
            GAME,
            Argument(
                "bulletin",
                Kind.NUMBER,
                "--bulletin",
                "refuse if another bulletin waits",
                required=False,
                placed=True,
            ),
        ),
        ("release",),
        Told.ALL,
        by_mail=True,
        code=True,
        example="",
        short="publishes the bulletin that is in review",
    ),
    Act(
        "order",
        "Enter orders on a seat's behalf; the bulletin says so.",
        (GAME, SEAT, Argument("file", Kind.FILE, required=False), PERIOD),
        ("orders-on-behalf",),
        Told.BULLETIN,
        by_mail=True,
        code=True,
        example="seat",
        shell="They are read from FILE or stdin.",
        short="orders for it, down to a line END ORDER",
    ),
    Act(
        "standby",
        "One more stand-by player for a game; he is told, and called on when a seat needs a new"
        " player.",
        (GAME, Argument("address", Kind.ADDRESS), NAME, ANYWAY),
        ("standby",),
        Told.SEAT,
        by_mail=True,
        code=True,
        timeless=True,
        example="address name",
        short="one more stand-by player",
        beyond=True,
    ),
    Act(
        "master",
        "Another gamesmaster for a game: he and the one before each confirm a code that is mailed"
        " to them; then everybody is told.",
        (
            GAME,
            Argument("address", Kind.ADDRESS),
            NOW,
        ),
        ("master-asked",),
        Told.NOBODY,
        who=Who.NAMED,
        by_mail=True,
        example="address",
        short="another gamesmaster, once both agree",
        beyond=True,
    ),
    Act(
        "second",
        "Another second gamesmaster, who does the acts of a game while its gamesmaster plays in it:"
        " all concerned confirm a code that is mailed to them.",
        (
            GAME,
            Argument("address", Kind.ADDRESS),
            NOW,
        ),
        ("second-asked",),
        Told.NOBODY,
        who=Who.NAMED,
        by_mail=True,
        example="address",
        short="who does the acts while you play",
        beyond=True,
    ),
    Act(
        "address",
        "Change a player's address of record, or say that mail to it arrives again.",
        (
            Argument("old", Kind.ADDRESS),
            Argument("new", Kind.ADDRESS, required=False),
            Argument(
                "works",
                Kind.FLAG,
                "--works",
                "instead of NEW: mail to OLD arrives again, forget what came back",
                required=False,
                placed=True,
            ),
        ),
        ("address-changed", "address-works"),
        Told.NOBODY,
        ways=_ways("new", "works"),
        usage="give OLD and NEW, or OLD and --works",
        by_mail=True,
        code=True,
        example="old new",
        short="a player's new address; or ADDRESS old WORKS",
    ),
    Act(
        "rotate",
        "A new secret reply address for a seat, or for yourself as a gamesmaster.",
        (
            Argument("game", Kind.GAME, required=False),
            Argument("seat", Kind.SEAT, required=False),
            Argument(
                "gamesmaster",
                Kind.FLAG,
                "--gamesmaster",
                "the gamesmaster's own",
                required=False,
                placed=True,
            ),
        ),
        ("token-rotated",),
        Told.NOBODY,
        ways=_ways("game seat", "gamesmaster"),
        usage="give GAME and SEAT, or --gamesmaster",
        by_mail=True,
        example="seat",
        short="its new secret address (GAMESMASTER: yours)",
    ),
    Act(
        "key",
        "Register an OpenPGP public key (ASCII-armoured) for a player's address.",
        (Argument("address", Kind.ADDRESS), Argument("file", Kind.FILE)),
        ("key-registered",),
        Told.NOBODY,
    ),
    Act(
        "rewind",
        "Adjudicate a closed period again, with its orders put right; what would change is shown"
        " first.",
        (
            GAME,
            Argument("number", Kind.NUMBER, shown="N"),
            Argument(
                "order",
                Kind.ORDERS,
                "--order",
                "orders of period N for a seat, on top of what stood",
                required=False,
                shown="SEAT FILE",
                many=True,
            ),
            Argument(
                "accept",
                Kind.NUMBER,
                "--accept",
                "a held, late or unverified letter that was meant for N",
                required=False,
                shown="LETTER",
                many=True,
            ),
            Argument(
                "drop",
                Kind.NUMBER,
                "--drop",
                "a letter whose orders of N are taken as never sent",
                required=False,
                shown="LETTER",
                many=True,
            ),
            WHY,
            Argument("do", Kind.FLAG, "--do", "do it, and tell everybody", required=False),
        ),
        ("rewind", "rewind-tried"),
        Told.ALL | Told.BULLETIN,
        by_mail=True,
        code=True,
        tried="do",
        shell="With --do, it is done.",
        example="3 misread",
        short="corrects a closed period; see below",
        reopens=True,
    ),
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
        Told.BULLETIN,
        ways=_ways(
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
        code=True,
        example="letter",
        short="counts on your word; also: SEAT B PERIOD 4",
        heard=LINE[Kind.NUMBER] + r"(?: +(?:GAME|SEAT|PERIOD) +[\w.-]{1,40}){0,3}(?: +ANYWAY)?",
        settings=True,
    ),
    Act(
        "dismiss",
        "Close a held, failed or quarantined letter without effect.",
        (LETTER,),
        ("letter-dismissed",),
        Told.NOBODY,
        by_mail=True,
        short="closes it without effect",
    ),
    Act(
        "retry",
        "Decide a failed letter again, or fetch an unfetchable one again.",
        (LETTER,),
        ("letter-retried",),
        Told.NOBODY,
        by_mail=True,
        short="decides a failed one again",
    ),
    Act(
        "resend",
        "Send a mail again that was refused, or that perhaps went out.",
        (Argument("mail", Kind.NUMBER),),
        ("mail-resent",),
        Told.SEAT,
        by_mail=True,
        short="sends a mail again that was refused",
    ),
    Act(
        "press",
        "Words of yours to the players, marked as the gamesmaster's: TO is ALL"
        " (the next bulletin has them too) or seats, as S,R. Where the rules of the game let you"
        " publish press that is not marked, 'ALL ANONYMOUS' or 'ALL AS The Old Fox' too.",
        (
            GAME,
            Argument("to", Kind.WORD, whole=True),
            Argument("file", Kind.FILE, required=False),
        ),
        ("press",),
        Told.ALL,
        by_mail=True,
        example="TO ALL",
        shell="They are read from FILE or stdin.",
        short="your words, down to END PRESS; or TO A, B",
        heard=r" ++TO(?: .*+)?",
        timeless=True,
    ),
    *TABLE_ACTS,
    Act(
        "start",
        "Begin a game: every player is mailed his seat, the house rules, the order guide and"
        " bulletin 0.",
        (GAME,),
        ("start",),
        Told.ALL,
        who=Who.NAMED,
        by_mail=True,
        code=True,
        short="begins a game that is made",
        timeless=True,
    ),
    Act(
        "end",
        "End a game before its end; everybody is told, the seed is revealed.",
        (
            GAME,
            Argument(
                "why", Kind.WHY, "--why", "by default: it will not be finished", required=False
            ),
        ),
        ("ended",),
        Told.ALL,
        by_mail=True,
        code=True,
        spoken="ENDGAME",
        example="reason",
        short="ends it before its end, with its seed",
        blind=True,
        timeless=True,
    ),
    Act(
        "restore",
        "After the database came back from a backup: hold the outbox and all games, rescan every"
        " folder by content.",
        (
            Argument(
                "release_outbox",
                Kind.FLAG,
                "--release-outbox",
                "second step: what the restored outbox holds may go out",
                required=False,
            ),
        ),
        ("restored",),
        Told.NOBODY,
    ),
)
"""The acts."""

BY_NAME = {act.name: act for act in ACTS}
"""The same by their names."""

BY_MAIL = {act.word: act for act in (QUEUE, DESK, TABLE, *ACTS) if act.by_mail}
"""The gamesmaster's words by mail."""
