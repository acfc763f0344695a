"""A deadline (4), and the choice and score of the Government (steps 6 and 7).

Orders: {seat: {slot: order}}. A motion's figures for conditional votes double no ministry, as
specials are secret (3.9).
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pbem.games.coalition import orders as o
from pbem.games.coalition import state as s
from pbem.games.coalition.state import State
from pbem.games.frame import conditions
from pbem.games.frame.conditions import Figure, WhatIf
from pbem.games.frame.events import Minutes, Orders, Seat
from pbem.games.frame.ruleset import Outcome
from pbem.orders.order import Checked, Standing


def scored(state: State, minutes: Minutes) -> State:
    """Score the Government, name winners, publish specials (steps 6, 7)."""
    outcome = reckoned(state)
    chosen, told = government(state), laid_open(state, outcome)
    winners = list(outcome.winners)
    if chosen is None:
        minutes.public("draw", "4.6", winners=winners, specials=told["specials"])
    else:
        minutes.public(
            "scored",
            "4.7",
            government=outcome.kind,
            id=outcome.motion,
            slate=s.in_order(state, chosen[1].motion.slate),
            seats={letter: state.parties[letter].seats for letter in state.letters},
            winners=winners,
            **told,
        )
    return replace(state, floor=None, outcome=outcome)


def laid_open(state: State, over: s.Reckoning) -> dict[str, Any]:
    return {
        "specials": {letter: list(state.parties[letter].specials) for letter in state.letters},
        "raw": dict(over.raw),
        "scores": {letter: str(points) for letter, points in over.adjusted.items()},
    }


def reckoned(state: State) -> s.Reckoning:
    chosen = government(state)
    if chosen is None:
        return _reckoning(state, s.DRAW, None, {})
    kind, division = chosen
    zero = state.chosen("NAYSAYERS", "ZERO")
    raw = {
        letter: worth(state, division.motion.slate, letter, party.specials)
        for letter, party in state.parties.items()
        if not (zero and division.votes.get(letter) == s.NAY)
    }
    return _reckoning(state, kind, division.motion.id, raw)


def government(state: State) -> tuple[str, s.Division] | None:
    """Return the Majority, else the latest Minority, else the Caretaker: most Ayes (at least
    one), fewest Nays, latest (step 6). None: a draw."""
    for kind in (s.MAJORITY, s.MINORITY):
        if divisions := [one for one in state.history if one.verdict == kind]:
            return kind, max(divisions, key=lambda division: division.motion.number)
    wanted = [division for division in state.history if division.aye > 0]
    if wanted:
        return s.CARETAKER, max(wanted, key=lambda d: (d.aye, -d.nay, d.motion.number))
    return None


def worth(state: State, slate: s.Slate, letter: str, specials: tuple[str, ...]) -> int:
    """Return raw points, these specials doubled (step 7)."""
    mine = [ministry for ministry in state.ministries if slate.get(ministry.code) == letter]
    return sum(ministry.value * (2 if ministry.code in specials else 1) for ministry in mine)


def adjusted_points(state: State, letter: str, raw: int) -> Fraction:
    """Return raw points over a tenth of the seats (step 7)."""
    return Fraction(raw * 10, state.parties[letter].seats)


def _reckoning(state: State, kind: str, motion: str | None, raw: Mapping[str, int]) -> s.Reckoning:
    """Let all win without points."""
    full = {letter: raw.get(letter, 0) for letter in state.letters}
    adjusted = {letter: adjusted_points(state, letter, earned) for letter, earned in full.items()}
    best = max((adjusted[letter] for letter in state.living), default=None)
    winners = tuple(letter for letter in state.living if adjusted[letter] == best)
    return s.Reckoning(kind, motion, full, adjusted, winners)


def known(state: State) -> dict[str, Figure]:
    """Return all of :func:`figures`, with bounds."""
    everything = sum(ministry.value for ministry in state.ministries)
    numbers: Mapping[str, tuple[int, int]] = {
        "POINTS": (0, everything),
        "RANK": (1, len(state.living)),
        "MINISTRIES": (0, len(state.ministries)),
        "MEMBERS": (0, state.mps(state.letters)),
        "PARTIES": (1, len(state.letters)),
        "LEFT": (1, state.last_period),
    }
    every = dict.fromkeys(figures(state, "", s.Motion("", None, {})), Figure())
    return every | {name: Figure(*bounds, flag=False) for name, bounds in numbers.items()}


def figures(state: State, seat: Seat, motion: s.Motion) -> dict[str, int]:
    """Return a motion's figures for ``seat``. POINTS, MINISTRIES: its own. RANK: its score's place
    among parties with players. MEMBERS, PARTIES: of the named. LEFT: periods, with this one. Flags:
    own ministries, named parties, the sponsor."""
    scores = {
        letter: adjusted_points(state, letter, worth(state, motion.slate, letter, ()))
        for letter in state.living
    }
    held = {m.code: int(motion.slate.get(m.code) == seat) for m in state.ministries}
    of_motion: dict[str, int] = {
        "POINTS": worth(state, motion.slate, seat, ()),
        "RANK": 1 + sum(score > scores.get(seat, Fraction(0)) for score in scores.values()),
        "MINISTRIES": sum(held.values()),
        "MEMBERS": state.mps(motion.named),
        "PARTIES": len(motion.named),
        "LEFT": state.last_period - state.period + 1,
        **held,
        **{f"NAMES {letter}": int(letter in motion.named) for letter in state.letters},
    }
    if state.chosen("SPONSOR", "PUBLIC"):
        of_motion.update({f"SPONSOR {one}": int(one == motion.sponsor) for one in state.letters})
    return of_motion


def check(order: WhatIf, case: o.Case) -> WhatIf | Checked:
    """Refuse what IF cannot read (3.9, 3.10). A period's orders form one list."""
    o.not_off(case, "IF")
    return conditions.checked(order, case, known(case.state), "3.10")


def kept(state: State, seat: Seat, standing: Standing) -> WhatIf | None:
    return conditions.on_file(state.ifs.get(seat), standing)


def chosen(state: State, seat: Seat, standing: Standing) -> conditions.Choice | None:
    order = kept(state, seat, standing)
    if order is None or state.floor is None:
        return None
    return conditions.first(order.cases, figures(state, seat, state.floor))


def vote_of(state: State, seat: Seat, standing: Standing) -> tuple[str, str]:
    """Return the vote and its source (4.2): "sent", "if", "standing" or "silent" (abstention)."""
    order, stance = standing.get("VOTE"), standing.get("STANDING")
    if isinstance(order, o.Vote):
        return order.ballot, "sent"
    if case := chosen(state, seat, standing):
        return case.choice, "if"
    lasting = stance.vote if isinstance(stance, o.StandingVote) else state.parties[seat].standing
    return (lasting, "standing") if lasting else (s.ABSTAIN, "silent")


def acted(state: State, seat: Seat, standing: Standing) -> dict[str, Any]:
    """Return what is told of conditional votes: the ``order`` that holds, or None, and
    ``figures``; {} without any."""
    order = kept(state, seat, standing)
    if order is None or state.floor is None:
        return {}
    case = chosen(state, seat, standing)
    read = [case] if case and case.condition else order.cases
    now = conditions.figures_now(read, figures(state, seat, state.floor))
    return {"order": order.said(case) if case else None, "figures": now}


def filed(state: State, seat: Seat, order: WhatIf) -> State:
    """Return the position with new conditional votes; none end them."""
    others = {letter: one for letter, one in state.ifs.items() if letter != seat}
    return replace(state, ifs={**others, seat: order} if order.cases else others)


def held(state: State, orders: Orders) -> Outcome[State]:
    minutes, opened = Minutes(), state
    state = resignations(state, orders, minutes)
    if len(state.living) <= 1:  # the last player wins; nobody if all resigned at once (3.7)
        minutes.public("last_left", "3.7", winners=state.living)
        over = _reckoning(state, s.LAST if state.living else s.NOBODY, None, {})
        return Outcome(replace(state, floor=None, outcome=over), tuple(minutes.events))
    given = {p: order for p, order in orders.items() if state.parties[p].playing}
    state = recorded(state, given, minutes)
    before, state = state.floor, voted(state, orders, minutes, opened)
    formed = before is not None and state.history[-1].verdict == s.MAJORITY
    if formed or state.period >= state.last_period:
        state = scored(state, minutes)
    else:
        state = tabled(state, minutes)
        state = replace(state, phase=s.SITTING, period=state.period + 1)
    return Outcome(state, tuple(minutes.events))


def resignations(state: State, orders: Orders, minutes: Minutes) -> State:
    """Make leavers VACANT; strike drafts, void orders (step 1)."""
    before = state.needed
    for letter in state.living:
        if "RESIGN" in orders.get(letter, {}):
            party = state.parties[letter]
            minutes.public("resigned", "3.7", party=letter, name=party.name)
            vacant = replace(party, playing=False, draft=None, standing=None)
            state = filed(s.with_party(state, letter, vacant), letter, WhatIf((), "VOTE"))
    if state.needed != before and len(state.living) > 1:
        minutes.public("majority", "4.3", majority=state.needed, held=state.mps(state.living))
    return state


def recorded(state: State, orders: Orders, minutes: Minutes) -> State:
    """File names, specials, standing votes and drafts, A to O (step 1)."""
    for letter in sorted(orders):
        for _, order in sorted(orders[letter].items()):
            party = state.parties[letter]
            match order:
                case o.Name(text=name) if o.taken(state, letter, name):
                    minutes.private("name_taken", "4.1", [letter], name=name, keeps=party.name)
                case o.Name(text=name):
                    minutes.public("named", "3.6", party=letter, name=name)
                    state = s.with_party(state, letter, replace(party, name=name))
                case o.Special():
                    minutes.private("specials", "3.1", [letter], specials=list(order.chosen))
                    state = s.with_party(state, letter, replace(party, specials=order.chosen))
                case o.StandingVote():
                    minutes.private("standing", "3.5", [letter], vote=order.vote)
                    state = s.with_party(state, letter, replace(party, standing=order.vote))
                case WhatIf():
                    told = str(order) if order.cases else None
                    minutes.private("ifs", "3.9", [letter], order=told)
                    state = filed(state, letter, order)
                case o.Propose():
                    minutes.private("filed", "3.2", [letter], slate=s.in_order(state, order.slate))
                    draft = s.Draft(s.in_order(state, order.slate), state.period)
                    state = s.with_party(state, letter, replace(party, draft=draft))
                case o.Withdraw():
                    if party.draft:
                        minutes.private("withdrawn", "3.3", [letter])
                    state = s.with_party(state, letter, replace(party, draft=None))
    if state.period == state.options["SPECIAL_LOCK"]:
        minutes.public("specials_fixed", "4.1", period=state.period)
    return state


def voted(state: State, orders: Orders, minutes: Minutes, opened: State) -> State:
    """Count, decide, record and clear the floor (steps 2 to 4). Conditional votes read
    ``opened``, the period's opening."""
    if state.floor is None:
        if state.phase == s.SITTING:
            minutes.public("no_motion", "4.2", period=state.period)
        return state
    votes = {
        letter: _vote(opened, letter, orders.get(letter, {}), minutes)
        if state.parties[letter].playing
        else s.ABSTAIN
        for letter in state.letters
    }
    aye, nay, abstain = (
        state.mps(p for p, v in votes.items() if v == kind) for kind in (s.AYE, s.NAY, s.ABSTAIN)
    )
    fate, floor = verdict(state, state.floor, votes), state.floor
    division = s.Division(floor, votes, aye, nay, abstain, fate, state.period)
    ballots = state.chosen("BALLOTS", "PUBLIC")
    minutes.public(
        "division",
        "4.3",
        **shown(state, floor),
        votes=votes if ballots else None,
        aye=aye,
        nay=nay,
        abstain=abstain,
        verdict=fate,
        named=state.mps(floor.named),
    )
    return replace(state, floor=None, history=(*state.history, division))


def _vote(opened: State, letter: str, orders: Standing, minutes: Minutes) -> str:
    assert opened.floor is not None
    vote, how = vote_of(opened, letter, orders)
    name, mps = opened.floor.id, opened.parties[letter].seats
    if told := acted(opened, letter, orders):
        minutes.private("if_acted", "3.9", [letter], id=name, how=how, **told)
    minutes.private("vote", "4.2", [letter], id=name, vote=vote, how=how, mps=mps)
    return vote


def verdict(state: State, motion: s.Motion, votes: Mapping[str, str]) -> str:
    """Return MAJORITY, MINORITY or DEFEATED, by MAJORITY and CONSENT (step 3)."""
    aye = state.mps(party for party, vote in votes.items() if vote == s.AYE)
    nay = state.mps(party for party, vote in votes.items() if vote == s.NAY)
    agreed = [party for party in motion.named if votes[party] == s.AYE]
    if state.chosen("CONSENT", "ON") and len(agreed) < len(motion.named):
        return s.DEFEATED
    enough = {
        "VOTES": aye >= state.needed,
        "MEMBERS": state.mps(agreed) >= state.needed,
        "BOTH": aye >= state.needed and state.mps(motion.named) >= state.needed,
    }
    if enough[str(state.options["MAJORITY"])]:
        return s.MAJORITY
    return s.MINORITY if aye > nay else s.DEFEATED


def tabled(state: State, minutes: Minutes) -> State:
    """Bring the next draft to the floor; strike one that names a VACANT party (step 5)."""
    for letter in docket(state):
        party = state.parties[letter]
        assert party.draft is not None
        slate = party.draft.slate
        gone = [other for other in sorted(set(slate.values())) if not state.parties[other].playing]
        if gone:
            minutes.private("struck", "4.5", [letter], vacant=gone)
            state = s.with_party(state, letter, replace(party, draft=None))
            continue
        number = 1 + max((motion.number for motion in state.motions), default=0)
        motion = s.Motion(f"V{number}", letter, slate)
        state = s.with_party(state, letter, replace(party, draft=None, tabled=party.tabled + 1))
        state = replace(state, floor=motion)
        minutes.public(
            "tabled",
            "4.5",
            **shown(state, motion),
            mps={p: state.parties[p].seats for p in motion.named},
            named=state.mps(motion.named),
        )
        minutes.private("yours", "4.5", [letter], id=motion.id)
        return state
    minutes.public("nothing_tabled", "4.5")
    return state


def docket(state: State) -> list[str]:
    """Return parties with drafts, in turn (TABLING)."""
    waiting = [letter for letter in state.letters if state.parties[letter].draft]
    return sorted(waiting, key=lambda letter: turn(state, letter))


def turn(state: State, letter: str) -> tuple[int, int, str]:
    """Return a draft's sort key. LEAST: fewest tabled, most seats. SEATS: most seats. FIFO: first
    filed, A to O."""
    party = state.parties[letter]
    if state.chosen("TABLING", "FIFO"):
        return party.draft.filed if party.draft else state.period, 0, letter
    return party.tabled if state.chosen("TABLING", "LEAST") else 0, -party.seats, letter


def shown(state: State, motion: s.Motion) -> dict[str, Any]:
    """Hide the sponsor with SPONSOR=SECRET."""
    sponsor = motion.sponsor if state.chosen("SPONSOR", "PUBLIC") else None
    return {"id": motion.id, "sponsor": sponsor, "slate": s.in_order(state, motion.slate)}
