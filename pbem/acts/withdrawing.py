"""Acts that take another back."""

from __future__ import annotations

from pbem.acts.act import LINE, Act, Argument, Kind, Notified
from pbem.acts.arguments import GAME
from pbem.acts.needs import Needs

_WHY = Argument("why", Kind.WHY, "--why", required=False)

UNRULE = Act(
    "unrule",
    "Withdraw ruling N: one that no bulletin has printed yet goes without a word; of another the"
    " next bulletin says so.",
    (GAME, Argument("number", Kind.NUMBER, shown="N"), _WHY),
    ("ruling-withdrawn",),
    Notified.BULLETIN,
    Needs.CODE,
    by_mail=True,
    example="17 reason",
    short="withdraws the ruling of this number",
    heard=LINE[Kind.NUMBER] + LINE[Kind.WHY],
)

UNSTANDBY = Act(
    "unstandby",
    "Somebody stands by for a game no longer; he is told.",
    (GAME, Argument("address", Kind.ADDRESS), _WHY),
    ("standby-withdrawn",),
    Notified.SEAT,
    Needs.CODE,
    by_mail=True,
    timeless=True,
    example="address reason",
    short="he stands by no longer, and is told",
    heard=LINE[Kind.ADDRESS] + LINE[Kind.WHY],
    beyond=True,
)
