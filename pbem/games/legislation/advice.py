"""Receipt notes on standing orders, from what the seat knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from pbem.games.frame import codec
from pbem.games.frame.conditions import WhatIf
from pbem.games.frame.events import Event, Minutes, Seat
from pbem.games.legislation import figures
from pbem.games.legislation.orders import (
    ADD,
    AYE,
    CARRIED,
    ME,
    NAY,
    NONE,
    PRESENT,
    VOTE_IF,
    Accept,
    Amend,
    FileBill,
    Give,
    NextBill,
    Position,
    Return,
    Spend,
    StandingVote,
    Void,
    Vote,
    cost,
)
from pbem.games.legislation.state import (
    AMENDVOTE,
    BILL,
    CAMPAIGN,
    CORPORATE_DISAPPROVAL,
    THREAT_OF_VETO,
    TREASURY_MIXUP,
    VOTE,
    Amendment,
    Bill,
    State,
    moved,
)
from pbem.games.legislation.steps import floor, publiceye
from pbem.games.legislation.steps.effects import change, unless
from pbem.games.legislation.steps.election import threshold
from pbem.orders.order import Order, Standing


def advice(
    state: State, seat: Seat, standing: Standing, tables: Mapping[str, Any]
) -> tuple[Event, ...]:
    if "RESIGN" in standing:
        told = Minutes()
        told.private("follows_resign", "3.10", [seat])
        return tuple(told.events)
    return tuple(_Adviser(state, seat, standing, tables, Minutes()).all())


@dataclass(frozen=True)
class _Adviser:
    state: State
    seat: Seat
    standing: Standing
    tables: Mapping[str, Any]
    minutes: Minutes

    def all(self) -> list[Event]:
        for order in self.standing.values():
            match order:
                case FileBill() | NextBill():
                    self._bill(order)
                case Amend():
                    self._amend(order)
                case Accept():
                    self._accept(order)
                case Return():
                    self._return(order)
                case WhatIf() | Position() | StandingVote():
                    self._lasting(order)
        if VOTE_IF not in self.standing and self.seat in self.state.ifs:
            self._tell("ifs_wait", "3.13", order=str(self.state.ifs[self.seat]))
        figures.tell(self.minutes, "if_acts", self.state, self.seat, self.standing)
        if self.state.phase == BILL and "PASS" in self.standing and self._unfiled:
            self._tell("follows_no_bill", "3.5", later=False)
        if self._voting:
            self._vote_sheet()
        elif self.state.phase == AMENDVOTE:
            self._amendment_sheet()
        self._purse()
        if self.state.phase == CAMPAIGN and self.standing:
            self._score()
        return self.minutes.events

    def _lasting(self, order: WhatIf | Position | StandingVote) -> None:
        match order:
            case WhatIf():
                self._tell("ifs_kept", "3.13", order=bool(order.cases))
            case Position() if self.state.tokens_at_once:
                self._tell("follows_token", "3.7", card=order.card, side=order.side)
            case StandingVote():
                self._tell("follows_standing", "3.6", choice=order.choice, now=self._voting)

    @property
    def _unfiled(self) -> bool:
        state, seat = self.state, self.seat
        return seat in state.turns and seat not in state.taken and "BILL" not in self.standing

    @property
    def _voting(self) -> bool:
        return self.state.phase == VOTE

    @property
    def _by_if(self) -> dict[str, Order]:
        return figures.votes(self.state, self.seat, self.standing)

    def _tell(self, kind: str, rule: str, **data: Any) -> None:
        self.minutes.private(kind, rule, [self.seat], **data)

    def _bill(self, order: FileBill | NextBill) -> None:
        later = isinstance(order, NextBill)
        if order.cards is None:
            self._tell("follows_no_bill", "3.4" if later else "3.5", later=later)
            return
        if later and not self.state.turn_to_come(self.seat):
            self._tell("follows_never", "3.4", cards=list(order.cards))
            return
        told = change(self._after_return, self.seat, order.cards).as_event_data()
        self._tell("follows_bill", "2.3", cards=list(order.cards), later=later, **told)
        if self.state.on("PUBLIC_EYE"):
            self._tell("follows_draft", "6.3", points=_halves(self._regard(order.cards)))

    @property
    def _after_return(self) -> State:
        """RETURN comes before any bill."""
        order, hand = self.standing.get("RETURN"), dict(self.state.hand)
        if isinstance(order, Return):
            kept = list(hand[self.seat])
            kept.remove(order.card)
            hand[self.seat] = tuple(kept)
        return replace(self.state, hand=hand)

    def _regard(self, named: Sequence[str]) -> int:
        """Return the voters' approval in half points."""
        return sum(v for card in named for v in publiceye.regard(self.state, self.seat, card))

    def _amend(self, order: Amend) -> None:
        bill = self.state.bill(order.bill)
        if bill is None:
            return
        motion = Amendment("", bill.id, order.action, order.card, (self.seat,))
        after, void = floor.applied(self.state, bill, motion)
        told = self._effect(bill, after.cards)
        self._tell("follows_amend", "4.2", bill=bill.id, cards=list(after.cards), void=void, **told)
        if self.state.on("PUBLIC_EYE") and not void:
            sign = 1 if order.action == ADD else -1
            self._tell(
                "follows_moved",
                "6.3",
                bill=bill.id,
                points=_halves(sign * self._regard([motion.card])),
            )

    def _accept(self, order: Accept) -> None:
        if order.words == (CARRIED,):
            self._tell("follows_carried", "R6")
            return
        for bill in self.state.docket:
            if bill.chair == self.seat and bill.amendments:
                named = () if order.words == (NONE,) else order.words
                taken = [a for a in bill.amendments if named == ("ALL",) or a.id in named]
                after = bill
                for amendment in taken:
                    after, _ = floor.applied(self.state, after, amendment)
                told = self._effect(bill, after.cards)
                ids = [amendment.id for amendment in taken]
                self._tell(
                    "follows_accept", "R6", bill=bill.id, taken=ids, cards=list(after.cards), **told
                )

    def _effect(self, bill: Bill, passed: Sequence[str]) -> dict[str, Any]:
        told = change(self.state, self.seat, passed).as_event_data()
        return told | {"unless": unless(self.state, self.seat, bill, passed)}

    def _return(self, order: Return) -> None:
        kept = list(self.state.hand[self.seat])
        kept.remove(order.card)
        self._tell("follows_return", "3.9", card=order.card, kept=kept)

    def _choice(self, bill: Bill) -> tuple[str | None, bool]:
        order = self.standing.get(f"VOTE {bill.id}") or self._by_if.get(f"VOTE {bill.id}")
        if isinstance(order, Vote):
            return order.choice, False
        filed = self.standing.get("STANDING")
        choice = filed.choice if isinstance(filed, StandingVote) else None
        choice = choice or self.state.standing.get(self.seat)
        return (None if choice == NONE else choice), True

    def _vote_sheet(self) -> None:
        votes = 0
        for bill in self.state.docket:
            choice, standing = self._choice(bill)
            if choice is None:
                continue
            votes += 1
            told = self._effect(bill, bill.cards)
            self._tell(
                "follows_vote",
                "4.6",
                id=bill.id,
                cards=list(bill.cards),
                choice=choice,
                standing=standing,
                pay=self._pay(bill, choice),
                mixup=bill.yellow == TREASURY_MIXUP,
                **told,
            )
            if self.state.on("PUBLIC_EYE") and choice != PRESENT:
                self._eye(bill, choice)
        if votes:
            self._tell("follows_votes", "4.3", votes=votes, bills=len(self.state.docket))

    def _pay(self, bill: Bill, choice: str) -> int:
        if choice == PRESENT or bill.yellow == TREASURY_MIXUP:
            return 0
        bonus = {(AYE, THREAT_OF_VETO): "veto_bonus", (NAY, CORPORATE_DISAPPROVAL): "nay_bonus"}
        more = bonus.get((choice, bill.yellow or ""))
        return int(self.tables["pay"]) + (int(self.tables[more]) if more else 0)

    def _eye(self, bill: Bill, choice: str) -> None:
        way = 1 if choice == AYE else -1
        values = [
            way * value
            for card in bill.cards
            for value in publiceye.regard(self.state, self.seat, card)
        ]
        points = publiceye.counted(bill.yellow, values)
        self._tell("follows_eye", "6.3", id=bill.id, points=_halves(points))

    def _amendment_sheet(self) -> None:
        sides: dict[str, list[str]] = {}
        for amendment in moved(self.state):
            slot = f"VOTE {amendment.id}"
            order = self.standing.get(slot) or self._by_if.get(slot)
            if isinstance(order, Vote):
                sides.setdefault(order.choice, []).append(amendment.id)
        if sides:
            self._tell("follows_amendment_votes", "4.2", sides=sides)

    def _purse(self) -> None:
        orders = [o for o in self.standing.values() if isinstance(o, Spend | Void | Give)]
        if orders:
            purse = self.state.tokens(self.seat)
            need = sum(cost(order, self.tables) for order in orders)
            rule = "3.8" if all(isinstance(order, Give) for order in orders) else "4.9.3"
            gifts = self.state.transfers and not self.state.last_campaign
            self._tell(
                "follows_purse", rule, tokens=purse, need=need, left=purse - need, gifts=gifts
            )
        for order in orders:
            if isinstance(order, Void):
                self._tell("follows_void", "R9", target=order.target, issue=order.issue)

    def _score(self) -> None:
        bought = self._bought()
        state, seat = self.state, self.seat
        self._tell(
            "follows_score",
            "4.9.3",
            satisfied=len(state.satisfied(seat)),
            eye=_halves(state.eye[seat]),
            bought=bought,
            score=codec.number(state.score(seat) + bought),
            needed=threshold(state),
            enough=state.score(seat) + bought >= threshold(state),
        )

    def _bought(self) -> int:
        order = self.standing.get(f"SPEND {ME}")
        tokens = order.tokens if isinstance(order, Spend) and not order.against else 0
        return tokens // int(self.tables["point_cost"])


def _halves(points: int) -> Any:
    return codec.number(Fraction(points, 2))
