"""Acts on letters to the club's paper. Only the writer is told."""

from __future__ import annotations

from pbem.acts.act import LINE, Act, Argument, Kind, Notified
from pbem.acts.needs import Needs

_NUMBER = Argument("number", Kind.NUMBER, shown="N")

EDITOR_ACTS = (
    Act(
        "print-letter",
        "Have the next issue of the club's paper print letter N (`pbem zine` shows those that"
        " wait). Its writer is told.",
        (_NUMBER,),
        ("letter-printed",),
        Notified.SEAT,
        Needs.CODE,
        by_mail=True,
        spoken="PRINT",
        example="3",
        short="prints this letter in the club's paper",
    ),
    Act(
        "reject-letter",
        "Do not print letter N to the club's paper, or not any more. Its writer is told.",
        (_NUMBER, Argument("why", Kind.WHY, "--why", required=False)),
        ("letter-rejected",),
        Notified.SEAT,
        Needs.CODE,
        by_mail=True,
        spoken="REJECT",
        example="3 reason",
        short="does not print it; its writer is told",
        heard=LINE[Kind.NUMBER] + LINE[Kind.WHY],
    ),
)
