"""The table of the gamesmaster's acts, from which shell commands and mail words are made.

Effects are by name in ``referee.acts.act_effects``, readers of values in
``referee.acts.act_values``. The list of commands needs neither.
"""

from __future__ import annotations

from pbem.acts.act import LINE, Act, Argument, Kind, Notified, Who
from pbem.acts.arguments import ANYWAY, GAME, NAME, NOW, PERIOD, SEAT, WHY, ways
from pbem.acts.letter_acts import LETTER_ACTS
from pbem.acts.needs import Needs
from pbem.acts.questions import DESK, QUEUE
from pbem.acts.table_acts import TABLE, TABLE_ACTS

ACTS = (
    Act(
        "extend",
        'Move the deadline by DAYS (negative: bring it forward), or by "30 minutes"; everybody is'
        " told.",
        (GAME, Argument("days", Kind.LENGTH), WHY, PERIOD),
        ("deadline",),
        Notified.ALL | Notified.BULLETIN,
        Needs.CERTAIN,
        by_mail=True,
        example="3 post strike",
        short="moves the deadline by days, and says why",
        heard=r" ++.{1,60}",
    ),
    Act(
        "close",
        "Close the period now and adjudicate it, after every letter handed in by now is read.",
        (
            GAME,
            PERIOD,
            Argument(
                "unread",
                Kind.FLAG,
                "--unread",
                "the mailbox cannot be read: close without what may wait there",
                required=False,
            ),
        ),
        ("closed-by-hand",),
        Notified.ALL | Notified.BULLETIN,
        Needs.CODE,
        by_mail=True,
        short="closes the period now",
        blind=True,
    ),
    Act(
        "preview",
        "The bulletin as it would be if the period closed now, and who is missing. Nothing is"
        " stored.",
        (GAME,),
        ("look",),
        Notified.BULLETIN,
        Needs.CODE,
        by_mail=True,
        short="the bulletin as it would be now",
        asks=True,
    ),
    Act(
        "replace",
        "Another player takes a seat: he is briefed, the old reply address is void, the bulletin"
        " says so.",
        (GAME, SEAT, Argument("address", Kind.ADDRESS), NAME, WHY, ANYWAY),
        ("replaced",),
        Notified.SEAT | Notified.BULLETIN,
        Needs.CODE,
        by_mail=True,
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
        Notified.BULLETIN,
        Needs.CERTAIN,
        by_mail=True,
        short="a ruling for the next bulletin",
    ),
    Act(
        "hold",
        "Stop a game's clock; orders are still taken.",
        (GAME, WHY),
        ("hold",),
        Notified.ALL | Notified.BULLETIN,
        Needs.CERTAIN,
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
        Notified.ALL | Notified.BULLETIN,
        Needs.CERTAIN,
        ways=ways("game", "everything"),
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
        Notified.ALL | Notified.BULLETIN,
        Needs.CERTAIN,
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
        Notified.ALL | Notified.BULLETIN,
        Needs.CERTAIN,
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
        Notified.ALL,
        Needs.CODE,
        by_mail=True,
        example="",
        short="publishes the bulletin that is in review",
    ),
    Act(
        "order",
        "Enter orders on a seat's behalf; the bulletin says so.",
        (GAME, SEAT, Argument("file", Kind.FILE, required=False), PERIOD),
        ("orders-on-behalf",),
        Notified.BULLETIN,
        Needs.CODE,
        by_mail=True,
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
        Notified.SEAT,
        Needs.CODE,
        by_mail=True,
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
        Notified.NOBODY,
        Needs.LEVEL,
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
        Notified.NOBODY,
        Needs.LEVEL,
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
        Notified.NOBODY,
        Needs.CODE,
        ways=ways("new", "works"),
        usage="give OLD and NEW, or OLD and --works",
        by_mail=True,
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
        Notified.NOBODY,
        Needs.CERTAIN,
        ways=ways("game seat", "gamesmaster"),
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
        Notified.NOBODY,
        Needs.CODE,
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
        Notified.ALL | Notified.BULLETIN,
        Needs.CODE,
        by_mail=True,
        tried="do",
        shell="With --do, it is done.",
        example="3 misread",
        short="corrects a closed period; see below",
        reopens=True,
    ),
    *LETTER_ACTS,
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
        Notified.ALL,
        Needs.CERTAIN,
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
        Notified.ALL,
        Needs.CODE,
        who=Who.NAMED,
        by_mail=True,
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
        Notified.ALL,
        Needs.CODE,
        by_mail=True,
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
        Notified.NOBODY,
        Needs.CODE,
    ),
)

BY_NAME = {act.name: act for act in ACTS}

BY_MAIL = {act.word: act for act in (QUEUE, DESK, TABLE, *ACTS) if act.by_mail}
"""The gamesmaster's words by mail."""
