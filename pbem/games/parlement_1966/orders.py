"""Orders, with their slots and canonical texts. Unknown words stay."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from pbem.orders.order import Order, Worded, Wording
from pbem.text import spans

_TO_DISTRICT = re.compile(r"PAY ([0-9]+) TO DISTRICT ([0-9]+)")
OFFICES = ("premier", "foreign", "defense", "finance")


@dataclass(frozen=True, slots=True)
class Support:
    """Support of a Government (6 to 8).

    ``form``: government, join, endorse or withdraw. ``premier`` names the Government (ruling 2),
    ``bill`` what it carries. ``instead``: the membership given up, which a complete proposal keeps
    (7, ruling 3).
    """

    form: str
    premier: str
    offices: tuple[tuple[str, str], ...] = ()
    bill: int | None = None
    instead: Support | None = None
    slot: ClassVar[str] = "GOVERNMENT"

    def __str__(self) -> str:
        words = [self.form.upper(), *([self.premier] if self.form in ("join", "endorse") else [])]
        if self.offices:
            words.append(", ".join(f"{office.upper()} {holder}" for office, holder in self.offices))
        if self.bill is not None:
            words.append(f"WITH BILL {self.bill}")
        if self.instead:
            words.append(f"INSTEAD OF {self.instead}")
        return " ".join(words)

    def holders(self) -> frozenset[str]:
        return frozenset(holder for _, holder in self.offices)

    def joins(self, seat: str) -> bool:
        """Return whether its sender ``seat`` becomes a member."""
        return self.form == "join" or (bool(self.offices) and seat in self.holders())

    def chain(self) -> tuple[Support, ...]:
        return (*self.instead.chain(), replace(self.instead, instead=None)) if self.instead else ()


@dataclass(frozen=True, slots=True)
class Resign(Worded):
    """``what``: "" (all offices), an office, or NEW (a Government just installed)."""

    what: str = ""
    slot = written = Wording("RESIGN {what!u}")


@dataclass(frozen=True, slots=True)
class Dismiss(Worded):
    """The Premier takes an office (12, R5)."""

    party: str
    office: str
    slot = Wording("DISMISS {office!u}")
    written = Wording("DISMISS {party} FROM {office!u}")


@dataclass(frozen=True, slots=True)
class Appoint(Worded):
    """The Premier names a minister (12, R5)."""

    party: str
    office: str
    slot = Wording("APPOINT {office!u}")
    written = Wording("APPOINT {party} {office!u}")


@dataclass(frozen=True, slots=True)
class Accept(Worded):
    """The minister accepts (12, R5)."""

    office: str
    slot = written = Wording("ACCEPT {office!u}")


@dataclass(frozen=True, slots=True)
class Propose(Worded):
    """A bill, by the Premier or an opposition party (13)."""

    bill: int
    slot: ClassVar[str] = "PROPOSE BILL"
    written = Wording("PROPOSE BILL {bill}")


@dataclass(frozen=True, slots=True)
class Sign(Worded):
    """A minister's or opposition party's signature."""

    bill: int
    slot = written = Wording("SIGN BILL {bill}")


@dataclass(frozen=True, slots=True)
class Vote(Worded):
    """``vote``: yes, no or abstain."""

    bill: int
    vote: str
    slot = Wording("VOTE {bill}")
    written = Wording("VOTE {vote!u} ON {bill}")


@dataclass(frozen=True, slots=True)
class StandingVote(Worded):
    """A vote without ballot; ``none`` ends it."""

    bill: int
    vote: str
    slot = Wording("STANDING VOTE {bill}")
    written = Wording("STANDING VOTE {bill} {vote!u}")


@dataclass(frozen=True, slots=True)
class Call(Worded):
    """The Premier ends the session (18)."""

    slot: ClassVar[str] = "CALL ELECTION"
    written = Wording("CALL ELECTION")


@dataclass(frozen=True, slots=True)
class Cheque(Worded):
    """A cheque in crowns (27)."""

    crowns: int
    payee: str
    slot = Wording("PAY {payee}")
    written = Wording("PAY {crowns} TO {payee}")


@dataclass(frozen=True, slots=True)
class WriteCheque(Worded):
    """A cheque whose number its payer passes on (27, R23). 0: none."""

    crowns: int
    payee: str
    slot = Wording("CHEQUE {payee}")
    written = Wording("CHEQUE {crowns} TO {payee}")


@dataclass(frozen=True, slots=True)
class Cash(Worded):
    """A cheque sent in by its payee (27, R23)."""

    number: int
    slot = written = Wording("CASH {number}")


@dataclass(frozen=True, slots=True)
class Local(Worded):
    """Crowns for the bloc of ``party`` in a district, "" for one's own."""

    crowns: int
    district: int
    party: str = ""
    slot = Wording("PAY DISTRICT {district}")
    written = Wording("PAY {crowns} TO DISTRICT {district} {party}")


@dataclass(frozen=True, slots=True)
class Candidates:
    """The whole list, in numerical order."""

    districts: tuple[int, ...]
    slot: ClassVar[str] = "CANDIDATES"

    def __str__(self) -> str:
        return f"CANDIDATES {spans(self.districts) or 'NONE'}"


@dataclass(frozen=True, slots=True)
class Bloc(Worded):
    """Where the own bloc votes; NONE stays at home."""

    district: int
    to: str
    slot = Wording("BLOC {district}")
    written = Wording("BLOC {district} FOR {to}")


@dataclass(frozen=True, slots=True)
class Prefer:
    """Preferences; none: PREFER NONE."""

    parties: tuple[str, ...]
    slot: ClassVar[str] = "PREFER"

    def __str__(self) -> str:
        return f"PREFER {', '.join(self.parties) or 'NONE'}"


@dataclass(frozen=True, slots=True)
class Amend(Worded):
    """An amendment (35)."""

    text: str
    slot: ClassVar[str] = "AMEND"
    written = Wording('AMEND "{text}"')


@dataclass(frozen=True, slots=True)
class SignAmendment(Worded):
    """One of its 15 votes (35)."""

    number: int
    slot = written = Wording("SIGN AMENDMENT {number}")


@dataclass(frozen=True, slots=True)
class VoteAmendment(Worded):
    """``vote``: yes, no or abstain (35)."""

    number: int
    vote: str
    slot = Wording("VOTE AMENDMENT {number}")
    written = Wording("VOTE AMENDMENT {number} {vote!u}")


def gathered(texts: Sequence[str]) -> list[str]:
    """Join equal payments to districts, with their sum."""
    alike: dict[str, list[int]] = {}
    for text in texts:
        if found := _TO_DISTRICT.fullmatch(text):
            alike.setdefault(found[1], []).append(int(found[2]))
    listed = []
    for text in texts:
        found = _TO_DISTRICT.fullmatch(text)
        districts = alike.get(found[1], []) if found else []
        if found is None or len(districts) == 1:
            listed.append(text)
        elif int(found[2]) == districts[0]:
            places, crowns = spans(sorted(districts)), int(found[1]) * len(districts)
            listed.append(f"PAY {found[1]} TO DISTRICTS {places}: {crowns:,} in all")
    return listed


Orders = Order | tuple[Order, ...]
