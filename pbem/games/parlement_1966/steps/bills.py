"""Votes, records and proposals (13 to 17, 22), and amendments: put by 15 votes, adopted by 38 in
two sessions running or by all in one (35, ruling 12)."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from pbem.games.frame.events import Minutes, Orders
from pbem.games.parlement_1966 import orders as o
from pbem.games.parlement_1966 import state as s
from pbem.games.parlement_1966.state import PARTIES, State, Tables
from pbem.games.parlement_1966.steps.cabinet import Proposal, void
from pbem.games.parlement_1966.steps.elections import Division, divide, strength, total

TO_PROPOSE = 15
TO_PASS = 10


@dataclass(frozen=True, slots=True)
class Counted:
    """How a party voted, and why not as sent."""

    vote: str
    division: Division
    restrained: bool
    note: str = ""

    def json(self) -> dict[str, Any]:
        """Return the party's row, in members."""
        return {
            "vote": self.vote,
            **asdict(self.division),
            "restrained": self.restrained,
            "note": self.note,
        }


def standing_votes(state: State, orders: Orders) -> dict[str, dict[str, str]]:
    """Return standing votes with this period's; NONE ends one."""
    filed = {party: dict(votes) for party, votes in state.standing_votes.items()}
    for party in PARTIES:
        for order in orders.get(party, {}).values():
            if isinstance(order, o.StandingVote):
                filed.setdefault(party, {})[str(order.bill)] = order.vote
    kept = {
        party: {bill: v for bill, v in votes.items() if v != "NONE"}
        for party, votes in filed.items()
    }
    return {party: votes for party, votes in kept.items() if votes}


def sent(orders: Orders, filed: Mapping[str, Mapping[str, str]], bill: int) -> dict[str, str]:
    """Return ballots, else standing votes."""
    ballots = {}
    for party in PARTIES:
        order = orders.get(party, {}).get(f"VOTE {bill}")
        vote = order.vote if isinstance(order, o.Vote) else filed.get(party, {}).get(str(bill))
        if vote:
            ballots[party] = vote
    return ballots


def counted(
    bill: s.Bill,
    called: s.Called,
    government: s.Government | None,
    ballots: Mapping[str, str],
    seats: Mapping[str, int],
) -> dict[str, Counted]:
    """Return how members divide, Governments as their Premiers (16, rulings 10, 14)."""
    votes = {party: (ballots.get(party, "abstain"), "") for party in PARTIES}
    if government is not None and not government.emergency:
        premier = government.premier
        if called.government == government.number:
            votes[premier] = _premier(called.by, votes[premier][0])
        for party in sorted(government.parties - {premier}):
            own, lead = ballots.get(party, ""), votes[premier][0]
            note = f"its {own.upper()} counts as the Premier's vote (16)"
            votes[party] = lead, note if own not in ("", lead) else ""
    result = {}
    for party, (vote, note) in votes.items():
        restrained = bill.restrains(party, vote)
        result[party] = Counted(vote, divide(seats[party], vote, restrained), restrained, note)
    return result


def counts_as(called: s.Called, government: s.Government | None, party: str, vote: str) -> str:
    """Return the ballot's effect; a Premier's forbidden vote abstains (14)."""
    leads = government is not None and party == government.premier
    bound = government is not None and called.government == government.number
    return _premier(called.by, vote)[0] if leads and bound else vote


def _premier(by: str, vote: str) -> tuple[str, str]:
    """Paragraph 14."""
    if by == "government" and vote == "no":
        return "abstain", "its NO counts as an abstention on a Government bill (14)"
    if by == "opposition" and vote == "yes":
        return "abstain", "its YES counts as an abstention on an opposition bill (14)"
    return vote, ""


def held_votes(
    state: State, tables: Tables, government: s.Government | None, orders: Orders, minutes: Minutes
) -> tuple[dict[str, s.Voted], dict[str, dict[str, int]], dict[str, dict[str, str]]]:
    """Hold the votes (step 4). Return bills, records, standing votes."""
    results, filed = dict(state.bills), standing_votes(state, orders)
    records = {bloc: dict(points) for bloc, points in state.records.items()}
    for called in state.called:
        bill = tables.bills[called.bill]
        parties = counted(bill, called, government, sent(orders, filed, bill.number), state.seats)
        sums = total(one.division for one in parties.values())
        passed = sums.yes > sums.no and sums.yes >= TO_PASS
        results[str(bill.number)] = s.Voted(sums.yes, sums.no, sums.abstain, passed)
        earned = {
            p: bill.worth(p, one.vote, passed) for p, one in parties.items() if state.seats[p]
        }
        minutes.public(
            "vote",
            "17",
            bill=bill.number,
            name=bill.name,
            by=called.by,
            yes=sums.yes,
            no=sums.no,
            abstain=sums.abstain,
            passed=passed,
            parties={p: {**one.json(), "earned": earned.get(p, {})} for p, one in parties.items()},
        )
        for party, points in earned.items():
            for bloc, number in points.items():
                records[bloc][party] += number
    if state.called:
        minutes.public(
            "records", "22", records={bloc: dict(points) for bloc, points in records.items()}
        )
    return results, records, filed


@dataclass(frozen=True, slots=True)
class House:
    """What judges a period's proposals."""

    state: State
    tables: Tables
    government: s.Government | None
    won: Proposal | None
    turn: str
    passed: frozenset[int]
    orders: Orders


def proposed(house: House, minutes: Minutes) -> tuple[tuple[s.Called, ...], str]:
    """Return bills called, and whose turn it was (step 5, 13 to 15, rulings 8, 9)."""
    government = house.government
    if house.state.last or government is None or government.emergency:
        _all_void(house, minutes, "19" if house.state.last else "R8")
        return (), house.turn
    if house.won is not None:
        bill = _carried(house, house.won, minutes)
        if bill is not None:
            return (_call(house, bill, "government", (government.premier,), minutes),), "government"
    if house.turn == "government":
        return () if house.won else _by_premier(house, government, minutes), house.turn
    return _by_opposition(house, government, minutes), house.turn


def _all_void(house: House, minutes: Minutes, rule: str) -> None:
    why = "there is no Government"
    if house.state.last:
        why = "no bill may be proposed in a session's last period"
    for party in PARTIES:
        if order := house.orders.get(party, {}).get(o.Propose.slot):
            void(minutes, party, rule, order, why)
    if house.won is not None and house.won.bill is not None:
        minutes.public("bill_void", rule, bill=house.won.bill, by="government", why=why)


def _proposes(house: House, party: str) -> int | None:
    order = house.orders.get(party, {}).get(o.Propose.slot)
    return order.bill if isinstance(order, o.Propose) else None


def _carried(house: House, won: Proposal, minutes: Minutes) -> int | None:
    """Ruling 4. The Premier's PROPOSE counts as carried."""
    wanted = {bill for bill in (won.bill, _proposes(house, won.premier)) if bill is not None}
    if won.conflict or (wanted and len(wanted | set(won.approvals.values())) > 1):
        minutes.public(
            "bill_void", "R2", bill=None, by="government", why="two bill numbers were given"
        )
        return None
    return next((bill for bill in wanted if _legal(house, bill, minutes)), None)


def _legal(house: House, number: int, minutes: Minutes) -> bool:
    government, bill = house.government, house.tables.bills[number]
    assert government is not None
    if number in house.passed:
        minutes.public(
            "bill_void", "17", bill=number, by="government", why="it has passed in this session"
        )
        return False
    holder = government.offices[bill.minister] if bill.minister else government.premier
    signed = holder == government.premier or f"SIGN BILL {number}" in house.orders.get(holder, {})
    consented = house.won is not None and house.won.approvals.get(holder) == number
    if not (signed or consented):
        why = f"the {bill.minister} minister ({holder}) did not sign it"
        minutes.public("bill_void", "14", bill=number, by="government", why=why)
        return False
    return True


def _by_premier(house: House, government: s.Government, minutes: Minutes) -> tuple[s.Called, ...]:
    for party in PARTIES:
        if party not in government.parties and (number := _proposes(house, party)) is not None:
            void(minutes, party, "13", o.Propose(number), "it was the Government's turn")
    number = _proposes(house, government.premier)
    if number is None or not _legal(house, number, minutes):
        return ()
    return (_call(house, number, "government", (government.premier,), minutes),)


def _by_opposition(
    house: House, government: s.Government, minutes: Minutes
) -> tuple[s.Called, ...]:
    """Paragraph 15, ruling 9. Groups of 15 votes sign one bill."""
    number = _proposes(house, government.premier)
    if number is not None:
        why = "it was the opposition's turn"
        void(minutes, government.premier, "13", o.Propose(number), why)
    before = house.state.governing()
    former = before.premier if before and before.premier not in government.parties else None
    if former and (number := _proposes(house, former)) is not None:
        void(minutes, former, "R4", o.Propose(number), "you are no longer the Premier")
    groups: dict[int, list[str]] = {}
    for party in PARTIES:
        if party in government.parties:
            continue
        counts = o.Sign if party == former else o.Propose | o.Sign
        numbers = {
            one.bill for one in house.orders.get(party, {}).values() if isinstance(one, counts)
        }
        if len(numbers) > 1:
            listed = f"SIGN BILL {', '.join(map(str, sorted(numbers)))}"
            void(minutes, party, "15", listed, "a party signs one bill at most")
        elif numbers:
            groups.setdefault(numbers.pop(), []).append(party)
    called = []
    for bill, signers in sorted(groups.items()):
        votes = strength(house.state.seats, signers)
        if bill in house.passed:
            minutes.public(
                "bill_void", "17", bill=bill, by="opposition", why="it has passed in this session"
            )
        elif votes < TO_PROPOSE:
            why = f"only {votes} votes signed bill #{bill}; {TO_PROPOSE} are needed"
            minutes.private("void", "13", signers, order=f"PROPOSE BILL {bill}", why=why)
        else:
            called.append(_call(house, bill, "opposition", tuple(signers), minutes))
    return tuple(called)


def _call(
    house: House, number: int, by: str, signers: tuple[str, ...], minutes: Minutes
) -> s.Called:
    government = house.government
    minutes.public(
        "called",
        "16",
        bill=number,
        name=house.tables.bills[number].name,
        by=by,
        signers=list(signers),
    )
    return s.Called(number, by, signers, government.number if government else None)


TO_PUT = 15
TO_ADOPT = 38


def voted(state: State, orders: Orders, minutes: Minutes) -> tuple[s.Amendment, ...]:
    """Return amendments after the votes; nobody is restrained."""
    return tuple(
        _vote(state, one, orders, minutes) if one.voted_in(state.session, state.period) else one
        for one in state.amendments
    )


def _vote(state: State, amendment: s.Amendment, orders: Orders, minutes: Minutes) -> s.Amendment:
    votes = {}
    for party in PARTIES:
        order = orders.get(party, {}).get(f"VOTE AMENDMENT {amendment.number}")
        votes[party] = order.vote if isinstance(order, o.VoteAmendment) else "abstain"
    sums = total(divide(state.seats[party], vote) for party, vote in votes.items())
    unanimous = sums.yes == sum(state.seats.values())
    if unanimous or (amendment.stage == "carried" and sums.yes >= TO_ADOPT):
        stage = "adopted"
    else:
        stage = "carried" if sums.yes >= TO_ADOPT else "rejected"
    minutes.public(
        "amendment_vote",
        "35",
        number=amendment.number,
        text=amendment.text,
        yes=sums.yes,
        no=sums.no,
        abstain=sums.abstain,
        stage=stage,
        parties=votes,
    )
    return replace(amendment, stage=stage, session=state.session)


def amendments_signed(
    amendments: tuple[s.Amendment, ...], seats: Mapping[str, int], orders: Orders, minutes: Minutes
) -> tuple[s.Amendment, ...]:
    """Add new ones and signatures; with 15 votes they are put next session period."""
    texts: dict[str, list[str]] = {}
    for party in PARTIES:
        order = orders.get(party, {}).get(o.Amend.slot)
        if isinstance(order, o.Amend):
            texts.setdefault(order.text, []).append(party)
    listed = list(amendments)
    for text, parties in texts.items():
        number = max((one.number for one in listed), default=0) + 1
        listed.append(s.Amendment(number, text, tuple(parties)))
        minutes.public("amendment", "35", number=number, text=text, signers=parties)
    return tuple(
        _signed(one, seats, orders, minutes) if one.stage == "signing" else one for one in listed
    )


def _signed(
    amendment: s.Amendment, seats: Mapping[str, int], orders: Orders, minutes: Minutes
) -> s.Amendment:
    slot = str(o.SignAmendment(amendment.number))
    signers = tuple(p for p in PARTIES if p in amendment.signers or slot in orders.get(p, {}))
    if strength(seats, signers) >= TO_PUT:
        minutes.public(
            "amendment_put",
            "35",
            number=amendment.number,
            text=amendment.text,
            signers=list(signers),
        )
        return replace(amendment, signers=signers, stage="put")
    return replace(amendment, signers=signers)
