"""Amendments: put by 15 votes, adopted by 38 in two sessions running or by all in one (35,
ruling 12)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.games.frame.ballots import divide, strength, total
from pbem.games.frame.events import Minutes
from pbem.games.parlement_1966.names import PARTIES
from pbem.games.parlement_1966.orders import Amend, SignAmendment, VoteAmendment
from pbem.games.parlement_1966.state import Amendment, State
from pbem.games.parlement_1966.steps.cabinet import Orders

TO_PUT = 15
TO_ADOPT = 38


def voted(state: State, orders: Orders, minutes: Minutes) -> tuple[Amendment, ...]:
    """Return amendments after the votes; nobody is restrained."""
    return tuple(
        _vote(state, one, orders, minutes) if one.voted_in(state.session, state.period) else one
        for one in state.amendments
    )


def _vote(state: State, amendment: Amendment, orders: Orders, minutes: Minutes) -> Amendment:
    votes = {}
    for party in PARTIES:
        order = orders.get(party, {}).get(f"VOTE AMENDMENT {amendment.number}")
        votes[party] = order.vote if isinstance(order, VoteAmendment) else "abstain"
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


def proposed(
    amendments: tuple[Amendment, ...], seats: Mapping[str, int], orders: Orders, minutes: Minutes
) -> tuple[Amendment, ...]:
    """Add new ones and signatures; with 15 votes they are put next session period."""
    texts: dict[str, list[str]] = {}
    for party in PARTIES:
        order = orders.get(party, {}).get(Amend.slot)
        if isinstance(order, Amend):
            texts.setdefault(order.text, []).append(party)
    listed = list(amendments)
    for text, parties in texts.items():
        number = max((one.number for one in listed), default=0) + 1
        listed.append(Amendment(number, text, tuple(parties)))
        minutes.public("amendment", "35", number=number, text=text, signers=parties)
    return tuple(
        _signed(one, seats, orders, minutes) if one.stage == "signing" else one for one in listed
    )


def _signed(
    amendment: Amendment, seats: Mapping[str, int], orders: Orders, minutes: Minutes
) -> Amendment:
    slot = str(SignAmendment(amendment.number))
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
