"""Votes, records and proposals (13 to 17, 22), and amendments: put by 15 votes, adopted by 38 in
two sessions running or by all in one (35, ruling 12)."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from pbem.games.frame.events import Orders, grouped
from pbem.games.parlement_1966 import orders as o
from pbem.games.parlement_1966 import state as s
from pbem.games.parlement_1966.state import PARTIES, State
from pbem.games.parlement_1966.steps import Period
from pbem.games.parlement_1966.steps.cabinet import Proposal
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


def held_votes(at: Period) -> None:
    """Hold the votes (step 4)."""
    state, filed = at.state, standing_votes(at.state, at.orders)
    results, records = dict(state.bills), {bloc: dict(n) for bloc, n in state.records.items()}
    for called in state.called:
        bill = at.tables.bills[called.bill]
        ballots = sent(at.orders, filed, bill.number)
        parties = counted(bill, called, state.government, ballots, state.seats)
        sums = total(one.division for one in parties.values())
        passed = sums.yes > sums.no and sums.yes >= TO_PASS
        results[str(bill.number)] = s.Voted(**asdict(sums), passed=passed)
        earned = {
            p: bill.worth(p, one.vote, passed) for p, one in parties.items() if state.seats[p]
        }
        at.minutes.public(
            "vote",
            "17",
            bill=bill.number,
            name=bill.name,
            by=called.by,
            **asdict(sums),
            passed=passed,
            parties={p: {**one.json(), "earned": earned.get(p, {})} for p, one in parties.items()},
        )
        for party, points in earned.items():
            for bloc, number in points.items():
                records[bloc][party] += number
    if state.called:
        told = {bloc: dict(points) for bloc, points in records.items()}
        at.minutes.public("records", "22", records=told)
    at.state = replace(state, bills=results, records=records, standing_votes=filed)


def proposed(at: Period, before: State, won: Proposal | None) -> tuple[tuple[s.Called, ...], str]:
    """Return bills called, and whose turn it was (step 5, 13 to 15, rulings 8, 9)."""
    state, government = at.state, at.state.governing()
    if state.last or government is None:
        rule, why = "R8", "there is no Government"
        if state.last:
            rule, why = "19", "no bill may be proposed in a session's last period"
        for party, order in at.sent(PARTIES, o.Propose):
            at.void(party, rule, order, why)
        if won is not None and won.bill is not None:
            at.bill_void(rule, won.bill, "government", why)
        return (), state.turn
    if won is not None:
        number = _carried(at, government, won)
        if number is not None:
            return (_call(at, number, "government", (government.premier,)),), "government"
    if state.turn == "government":
        return () if won else _by_premier(at, government), state.turn
    return _by_opposition(at, government, before), state.turn


def _proposes(at: Period, party: str) -> int | None:
    return next((order.bill for _, order in at.sent([party], o.Propose)), None)


def _carried(at: Period, government: s.Government, won: Proposal) -> int | None:
    """Ruling 4. The Premier's PROPOSE counts as carried."""
    wanted = {bill for bill in (won.bill, _proposes(at, won.premier)) if bill is not None}
    if won.conflict or (wanted and len(wanted | set(won.approvals.values())) > 1):
        at.bill_void("R2", None, "government", "two bill numbers were given")
        return None
    return next((bill for bill in wanted if _legal(at, government, bill, won.approvals)), None)


def _legal(at: Period, government: s.Government, number: int, approvals: Mapping[str, int]) -> bool:
    if at.state.has_passed(number):
        at.bill_void("17", number, "government", "it has passed in this session")
        return False
    minister = at.tables.bills[number].minister
    holder = government.offices[minister] if minister else government.premier
    signed = holder == government.premier or f"SIGN BILL {number}" in at.orders.get(holder, {})
    if not (signed or approvals.get(holder) == number):
        why = f"the {minister} minister ({holder}) did not sign it"
        at.bill_void("14", number, "government", why)
        return False
    return True


def _by_premier(at: Period, government: s.Government) -> tuple[s.Called, ...]:
    for party, order in at.sent(PARTIES, o.Propose):
        if party not in government.parties:
            at.void(party, "13", order, "it was the Government's turn")
    number = _proposes(at, government.premier)
    if number is None or not _legal(at, government, number, {}):
        return ()
    return (_call(at, number, "government", (government.premier,)),)


def _by_opposition(at: Period, government: s.Government, before: State) -> tuple[s.Called, ...]:
    """Paragraph 15, ruling 9. Groups of 15 votes sign one bill."""
    for party, order in at.sent([government.premier], o.Propose):
        at.void(party, "13", order, "it was the opposition's turn")
    sitting = before.governing()
    former = sitting.premier if sitting and sitting.premier not in government.parties else ""
    for party, order in at.sent([former], o.Propose):
        at.void(party, "R4", order, "you are no longer the Premier")
    groups: dict[int, list[str]] = {}
    for party in PARTIES:
        if party in government.parties:
            continue
        numbers = {order.bill for _, order in at.sent([party], o.Sign)}
        if party != former:
            numbers |= {order.bill for _, order in at.sent([party], o.Propose)}
        if len(numbers) > 1:
            listed = f"SIGN BILL {', '.join(map(str, sorted(numbers)))}"
            at.void(party, "15", listed, "a party signs one bill at most")
        elif numbers:
            groups.setdefault(numbers.pop(), []).append(party)
    called = []
    for bill, signers in sorted(groups.items()):
        votes = strength(at.state.seats, signers)
        if at.state.has_passed(bill):
            at.bill_void("17", bill, "opposition", "it has passed in this session")
        elif votes < TO_PROPOSE:
            why = f"only {votes} votes signed bill #{bill}; {TO_PROPOSE} are needed"
            at.minutes.private("void", "13", signers, order=f"PROPOSE BILL {bill}", why=why)
        else:
            called.append(_call(at, bill, "opposition", tuple(signers)))
    return tuple(called)


def _call(at: Period, number: int, by: str, signers: tuple[str, ...]) -> s.Called:
    name, government = at.tables.bills[number].name, at.state.government
    told = {"bill": number, "name": name, "by": by, "signers": list(signers)}
    at.minutes.public("called", "16", **told)
    return s.Called(number, by, signers, government.number if government else None)


TO_PUT = 15
TO_ADOPT = 38


def voted(at: Period) -> None:
    """Vote on amendments; nobody is restrained."""
    amendments = tuple(
        _vote(at, one) if one.voted_in(at.state.session, at.state.period) else one
        for one in at.state.amendments
    )
    at.state = replace(at.state, amendments=amendments)


def _vote(at: Period, amendment: s.Amendment) -> s.Amendment:
    votes = {}
    for party in PARTIES:
        order = at.orders.get(party, {}).get(f"VOTE AMENDMENT {amendment.number}")
        votes[party] = order.vote if isinstance(order, o.VoteAmendment) else "abstain"
    sums = total(divide(at.state.seats[party], vote) for party, vote in votes.items())
    unanimous = sums.yes == sum(at.state.seats.values())
    if unanimous or (amendment.stage == "carried" and sums.yes >= TO_ADOPT):
        stage = "adopted"
    else:
        stage = "carried" if sums.yes >= TO_ADOPT else "rejected"
    told = {"number": amendment.number, "text": amendment.text, **asdict(sums)}
    at.minutes.public("amendment_vote", "35", **told, stage=stage, parties=votes)
    return replace(amendment, stage=stage, session=at.state.session)


def amendments_signed(at: Period) -> None:
    """Add new ones and signatures; with 15 votes they are put next session period."""
    texts = grouped((order.text, party) for party, order in at.sent(PARTIES, o.Amend))
    listed = list(at.state.amendments)
    for text, parties in texts.items():
        number = max((one.number for one in listed), default=0) + 1
        listed.append(s.Amendment(number, text, tuple(parties)))
        at.minutes.public("amendment", "35", number=number, text=text, signers=parties)
    amendments = tuple(_signed(at, one) if one.stage == "signing" else one for one in listed)
    at.state = replace(at.state, amendments=amendments)


def _signed(at: Period, amendment: s.Amendment) -> s.Amendment:
    slot, number = str(o.SignAmendment(amendment.number)), amendment.number
    signers = tuple(p for p in PARTIES if p in amendment.signers or slot in at.orders.get(p, {}))
    if strength(at.state.seats, signers) < TO_PUT:
        return replace(amendment, signers=signers)
    told = {"number": number, "text": amendment.text, "signers": list(signers)}
    at.minutes.public("amendment_put", "35", **told)
    return replace(amendment, signers=signers, stage="put")
