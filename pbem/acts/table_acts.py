"""Acts that make a game or concern open tables."""

from __future__ import annotations

from pbem.acts.act import Act, Argument, Kind, Notified, Who
from pbem.acts.needs import Needs

_TABLE = Argument("table", Kind.TABLE)
_APPLICANT = Argument("applicant", Kind.NUMBER)


def _setting(option: str, help: str, kind: Kind = Kind.WORD, *, many: bool = False) -> Argument:
    name = option.removeprefix("--")
    return Argument(name, kind, option, help, required=False, many=many)


TABLE = Act(
    "table",
    "An open table: who came when, through whom, who is sure, and who joins alike.",
    (_TABLE,),
    (),
    Notified.NOBODY,
    Needs.LEVEL,
    who=Who.TABLE,
    by_mail=True,
    example="key",
    short="an open table: who came when",
)

_SETTINGS = (
    _setting("--option", "an option of the rule-set, NAME=VALUE", many=True),
    _setting("--house", "a house rule, NAME=VALUE", many=True),
    _setting("--scenario", "a scenario file", Kind.FILE),
    _setting("--zone", "time zone (default: the configuration's)"),
    _setting("--trust", "open or proven"),
    _setting("--late", "until_adjudicated or deadline"),
    _setting("--publish", "auto or review"),
    _setting("--gamesmaster", "who has it in hand (default: the configuration's)"),
    _setting("--second", "who does its acts while the gamesmaster plays in it"),
)

NEW = Act(
    "new",
    "Make a game: seats, options and rules are frozen into its record. `pbem start GAME` then"
    " begins it; until then `--instead` makes it again and `pbem forget GAME` deletes it.",
    (
        Argument("ruleset", Kind.WORD),
        _TABLE,
        Argument(
            "players",
            Kind.WORD,
            "--player",
            "one for each seat, in joining order; without SEAT= the seat goes by lot",
            shown="[SEAT=]ADDRESS[,NAME]",
            many=True,
        ),
        _setting("--standby", "a stand-by player, ADDRESS[,NAME]", many=True),
        _setting("--pace", "leisurely, weekly, daily or evening"),
        *_SETTINGS,
        Argument(
            "anyway",
            Kind.FLAG,
            "--anyway",
            "also with one person in two places",
            required=False,
        ),
        Argument(
            "instead",
            Kind.FLAG,
            "--instead",
            "of the game of this id, which has not begun: it is replaced",
            required=False,
        ),
    ),
    ("new",),
    Notified.NOBODY,
    Needs.CODE,
)

TABLE_ACTS = (
    Act(
        "open",
        "Open a table: players sign on by mail, and the game of this id begins by itself.",
        (
            Argument("ruleset", Kind.WORD),
            _TABLE,
            _setting("--players", "how many play (where the rule-set leaves it open)", Kind.NUMBER),
            _setting("--start", "full (as soon as it is), or a day: 2026-07-01"),
            _setting("--closes", "its last day; by default that of the start, or in 8 weeks"),
            _setting("--approve", "yes: you say of each whether he plays; or no"),
            _setting("--pace", "leisurely, weekly, daily or evening"),
            _setting("--names", "shown, or hidden until the game is over"),
            _setting("--reliability", "only who makes so many of 100 moves due", Kind.NUMBER),
            _setting("--bots", "so many empty seats at most go to house bots", Kind.NUMBER),
            _setting("--seats", "lot, or choice: players may wish for seats"),
            _setting("--press", "all, open or none"),
            *_SETTINGS,
            _setting("--seed", "the seed of its lots, for a rehearsal (default: drawn)"),
        ),
        ("table-opened",),
        Notified.NOBODY,
        Needs.CODE,
        by_mail=True,
        example="ruleset key",
        short="players sign on by mail; see below",
        heard=r" +\S{1,40} +\S{1,40}(?: ++.{1,500})?",
        settings=True,
    ),
    Act(
        "close-table",
        "Close an open table; all who have signed on are told.",
        (_TABLE, Argument("why", Kind.WHY, "--why", required=False)),
        ("table-closed",),
        Notified.SEAT,
        Needs.CODE,
        who=Who.TABLE,
        by_mail=True,
        spoken="CLOSETABLE",
        example="key reason",
        short="closes an open table",
    ),
    Act(
        "approve",
        "Somebody who has signed on to your table is taken (`pbem table` has his number).",
        (_TABLE, _APPLICANT),
        ("table-approved",),
        Notified.SEAT,
        Needs.CODE,
        who=Who.TABLE,
        by_mail=True,
        spoken="ADMIT",  # APPROVE is an order of 1968
        example="key number",
        short="takes somebody who signs on",
    ),
    Act(
        "refuse",
        "Somebody who has signed on to your table is not taken, or not any more; he is told.",
        (_TABLE, _APPLICANT, Argument("why", Kind.WHY, "--why", required=False)),
        ("table-refused",),
        Notified.SEAT,
        Needs.CODE,
        who=Who.TABLE,
        by_mail=True,
        example="key number why",
        short="does not take him",
    ),
)
