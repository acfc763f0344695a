"""Orders, with their slots and canonical texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pbem.orders.order import Order, Standing, Worded, Wording

T = TypeVar("T", bound=Order)


def sent(
    orders: Mapping[str, Standing], seats: Iterable[str], kind: type[T]
) -> Iterator[tuple[str, T]]:
    for seat in seats:
        for order in orders.get(seat, {}).values():
            if isinstance(order, kind):
                yield seat, order


@dataclass(frozen=True, slots=True)
class Government:
    """A proposed Government (3.3)."""

    officers: tuple[tuple[str, str, str], ...]
    """(office, party, district), in order."""
    endorsers: tuple[str, ...]
    loose: str = ""
    """Words that make no officer."""
    slot: str = "GOVERNMENT"

    def __str__(self) -> str:
        listed = ", ".join(
            f"{office.upper()} {party} {district}" for office, party, district in self.officers
        )
        text = f"GOVERNMENT {listed}{self.loose}"
        return text + (f"; ENDORSED BY {', '.join(self.endorsers)}" if self.endorsers else "")


@dataclass(frozen=True, slots=True)
class Sign:
    """SIGN or WITHDRAW GOVERNMENT (R1)."""

    number: int
    """0: MINE, the sender's proposal of this period."""
    faction: str
    withdraw: bool = False
    slot = Wording("SIGN GOVERNMENT {faction}")

    def __str__(self) -> str:
        word = "WITHDRAW" if self.withdraw else "SIGN"
        return f"{word} GOVERNMENT {self.number or 'MINE'}" + (
            f" FOR {self.faction}" if self.faction else ""
        )


@dataclass(frozen=True, slots=True)
class Propose:
    """Levels of budget items, and bills in order (4.1, 4.4)."""

    levels: tuple[tuple[str, str], ...]
    bills: tuple[str, ...]
    slot: str = "PROGRAM"

    def __str__(self) -> str:
        parts = [_levels(self.levels)] if self.levels else []
        parts += [f"BILLS {', '.join(self.bills)}"] if self.bills else []
        return f"PROGRAM {'; '.join(parts) or 'NONE'}"


@dataclass(frozen=True, slots=True)
class Approve:
    """Approval of a bill or low item (4.2)."""

    bill: str
    item: str
    level: str = "L"

    @property
    def slot(self) -> str:
        return f"APPROVE BILL {self.bill}" if self.bill else f"APPROVE {self.item.upper()}"

    def __str__(self) -> str:
        return self.slot if self.bill else f"{self.slot} {self.level}"


@dataclass(frozen=True, slots=True)
class Vote:
    """A vote on a bill (5.2)."""

    bill: str
    choices: tuple[tuple[str, str], ...]
    """(faction or "", choice)."""
    standing: bool = False
    """Kept for later votes (house rule 9)."""

    @property
    def slot(self) -> str:
        only = self.choices[0][0] if len(self.choices) == 1 else ""
        return f"{_standing(self.standing)}VOTE {self.bill} {only}".strip()

    def __str__(self) -> str:
        listed = ", ".join(f"{faction} {choice}".strip() for faction, choice in self.choices)
        return f"{_standing(self.standing)}VOTE {self.bill} {listed}"


@dataclass(frozen=True, slots=True)
class VoteBudget:
    """A vote on the Budget (5.3)."""

    groups: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    """(faction or "", ((item, level), ...)); no levels: NONE."""
    standing: bool = False

    @property
    def slot(self) -> str:
        only = self.groups[0][0] if len(self.groups) == 1 else ""
        return f"{_standing(self.standing)}VOTE BUDGET {only}".strip()

    def __str__(self) -> str:
        listed = ", ".join(
            f"{faction} {_levels(levels) or 'NONE'}".strip() for faction, levels in self.groups
        )
        return f"{_standing(self.standing)}VOTE BUDGET {listed}"


@dataclass(frozen=True, slots=True)
class Resign(Worded):
    """Leaving an office (3.7, R4)."""

    office: str
    """Empty until checked."""
    slot = written = Wording("RESIGN {office!u}")


@dataclass(frozen=True, slots=True)
class Reshuffle(Worded):
    """RESHUFFLE, and the CONSENT to it (3.8, R3)."""

    office: str
    party: str
    district: str
    consent: bool = False
    slot = Wording("{_word} {office!u}")
    written = Wording("{_word} {office!u} {party} {district}")

    @property
    def _word(self) -> str:
        return "CONSENT" if self.consent else "RESHUFFLE"


@dataclass(frozen=True, slots=True)
class Call(Worded):
    """CALL ELECTION (8.1)."""

    slot = written = Wording("CALL ELECTION")


@dataclass(frozen=True, slots=True)
class Expel(Worded):
    """Expulsion of a faction's members (1.8)."""

    faction: str
    slot = written = Wording("EXPEL {faction}")


@dataclass(frozen=True, slots=True)
class Pay:
    """A payment (house rule 11)."""

    amount: int
    payee: str
    period: int = 0
    """0: the running one."""

    @property
    def slot(self) -> str:
        return f"PAY {self.payee}" + (f" IN PERIOD {self.period}" if self.period else "")

    def __str__(self) -> str:
        return f"PAY {self.amount} TO {self.payee}" + (
            f" IN PERIOD {self.period}" if self.period else ""
        )


@dataclass(frozen=True, slots=True)
class Candidates:
    """The whole list (8.4); empty: NONE."""

    districts: tuple[str, ...]
    slot: str = "CANDIDATES"

    def __str__(self) -> str:
        return f"CANDIDATES {', '.join(self.districts) or 'NONE'}"


@dataclass(frozen=True, slots=True)
class Announce(Worded):
    """An early candidate (8.5)."""

    district: str
    slot = Wording("ANNOUNCE {district}")
    written = Wording("ANNOUNCE CANDIDATES {district}")


@dataclass(frozen=True, slots=True)
class Record(Worded):
    """A borrowed record (8.8)."""

    region: str
    source: str
    slot = Wording("RECORD {region}")
    written = Wording("RECORD {region} AS {source}")


@dataclass(frozen=True, slots=True)
class Spend(Worded):
    """Crowns for a candidate (8.17)."""

    amount: int
    candidate: str
    district: str
    slot = Wording("SPEND {candidate} {district}")
    written = Wording("SPEND {amount} ON {candidate} IN {district}")


@dataclass(frozen=True, slots=True)
class Bloc(Worded):
    """A bloc instruction (8.15)."""

    bloc: str
    where: str
    """District or region."""
    candidate: str
    slot = Wording("BLOC {bloc} {where}")
    written = Wording("BLOC {bloc} IN {where} FOR {candidate}")


@dataclass(frozen=True, slots=True)
class Withdraw(Worded):
    """A withdrawal from a runoff (8.19)."""

    district: str
    slot = written = Wording("WITHDRAW CANDIDATE {district}")


@dataclass(frozen=True, slots=True)
class Continue(Worded):
    """The answer to house rule 7."""

    slot = written = Wording("CONTINUE")


def _standing(standing: bool) -> str:
    return "STANDING " if standing else ""


def _levels(levels: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"{item.upper()} {level}" for item, level in levels)


def gathered(texts: Sequence[str]) -> list[str]:
    """Join orders that differ in one name. Omit a faction's vote that repeats its party's."""
    lines: dict[tuple[str, ...], list[str]] = {}
    for text in texts:
        if _said_by_all(text, texts):
            continue
        shape, name = _shape(text)
        lines.setdefault(shape, []).append(name)
    return [_in_one_line(shape, names) for shape, names in lines.items()]


def _said_by_all(text: str, texts: Sequence[str]) -> bool:
    match text.split():
        case ["STANDING", "VOTE", bill, _, choice] if bill != "BUDGET":
            return f"STANDING VOTE {bill} {choice}" in texts
        case ["STANDING", "VOTE", "BUDGET", _, *levels] if len(levels) % 2 == 0:
            return f"STANDING VOTE BUDGET {' '.join(levels)}" in texts
    return False


def _shape(text: str) -> tuple[tuple[str, ...], str]:
    match text.split():
        case ["SPEND", crowns, "ON", who, "IN", district]:
            return ("SPEND", crowns, who), district
        case ["BLOC", bloc, "IN", district, "FOR", who]:
            return (f"BLOC {bloc} IN", f"FOR {who}"), district
        case ["SIGN" | "WITHDRAW" as word, "GOVERNMENT", number, "FOR", region]:
            return (f"{word} GOVERNMENT {number} FOR", ""), region
        case ["VOTE", bill, region, choice]:
            return (f"VOTE {bill}", ""), f"{region} {choice}"
        case ["STANDING", "VOTE", bill, region, choice]:
            return (f"STANDING VOTE {bill}", ""), f"{region} {choice}"
        case ["APPROVE", "BILL", bill]:
            return ("APPROVE BILL", ""), bill
        case ["ANNOUNCE" | "WITHDRAW" as word, "CANDIDATES" | "CANDIDATE" as what, district]:
            return (f"{word} {what}", ""), district
        case _:
            return (text, ""), ""


def _in_one_line(shape: tuple[str, ...], names: Sequence[str]) -> str:
    listed = ", ".join(names)
    if len(shape) == 3:
        word, crowns, who = shape
        total = f": {int(crowns) * len(names):,} in all" if len(names) > 1 else ""
        return f"{word} {crowns} ON {who} IN {listed}{total}"
    return " ".join(part for part in (shape[0], listed, shape[1]) if part)
