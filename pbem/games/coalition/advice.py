"""What follows from standing orders and from silence, and a form of what can be sent now: all by
what the seat knows."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any

from pbem.games.coalition import orders, steps
from pbem.games.coalition import state as s
from pbem.games.coalition.state import State
from pbem.games.coalition.steps import adjusted_points, worth
from pbem.games.frame.conditions import WhatIf
from pbem.games.frame.events import Seat, Tell
from pbem.games.frame.ruleset import Offer
from pbem.orders.order import Standing
from pbem.text import listed

_EXAMPLE = "Harbour Liberals"


def offers(state: State, seat: Seat) -> Iterator[Offer]:
    party, votes = state.parties[seat], (s.AYE, s.NAY, s.ABSTAIN)
    if state.floor:
        facts = share(state, seat, state.floor.slate)
        yield Offer("vote", (votes,), {"id": state.floor.id, "mps": party.seats, **facts})
    lock, codes = int(state.options["SPECIAL_LOCK"]), s.juniors(state)
    if state.period <= lock:
        known = {"specials": list(party.specials), "lock": lock}
        yield Offer("special", ((", ".join(codes[:4]), codes[-1], orders.NONE),), known)
    if state.period < state.last_period:
        yield _propose(state, seat)
    if party.draft:
        yield Offer("withdraw", (("DRAFT",),), {"filed": party.draft.filed})
    if state.chosen("STANDING", "ON"):
        yield Offer("standing", ((s.AYE, s.NAY, orders.NONE),), {"vote": party.standing})
        fair = worth(state, {m.code: seat for m in state.ministries}, seat, ())
        above = fair * party.seats // state.mps(state.living) + 1  # one's share of points
        tests, kept = (f"POINTS >= {above}", "RANK = 1", state.ministries[0].code), state.ifs
        yield Offer(
            "whatif", (votes, tests), {"on_file": str(kept[seat]) if seat in kept else None}
        )
    names = (f"{_EXAMPLE} {number}" if number else _EXAMPLE for number in count())
    free = next(name for name in names if not orders.taken(state, seat, name))
    called = {"name": None if party.name == seat else party.name, "longest": orders.LONGEST_NAME}
    yield Offer("name", ((f'"{free}"',),), called)


def _propose(state: State, seat: Seat) -> Offer:
    """3.2. Largest parties as members, oneself as Prime Minister."""
    largest = max((letter for letter in state.living if letter != seat), key=state.mps)
    codes = s.compulsory(state)
    fills = [(seat, largest), *((largest, seat) for _ in codes[1:])]
    told = {
        "codes": list(codes),
        "optional": [m.code for m in state.ministries if m.code not in codes],
    }
    return Offer("propose", tuple(fills), {**told, "waits": state.parties[seat].draft is not None})


def share(state: State, seat: Seat, slate: s.Slate, known: bool = True) -> dict[str, Any]:
    """Return a party's part of a slate (4.7). ``single``: its points without doubles. ``known``:
    with its specials."""
    specials = state.parties[seat].specials if known else ()
    codes = [code for code, holder in s.in_order(state, slate).items() if holder == seat]
    points = worth(state, slate, seat, specials)
    return {
        "codes": codes,
        "doubled": [code for code in codes if code in specials],
        "points": points,
        "single": worth(state, slate, seat, ()),
        "score": str(adjusted_points(state, seat, points)),
    }


def advice(state: State, seat: Seat, standing: Standing, tell: Tell) -> None:
    if "RESIGN" in standing:
        tell("goes_vacant", "3.7", party=seat)
        return
    state = _chosen(state, seat, standing)
    _vote(state, seat, standing, tell)
    if "SPECIAL" in standing:
        value = max(m.value for m in state.ministries if m.rank == s.JUNIOR)
        tell(
            "special_worth",
            "3.1",
            specials=list(state.parties[seat].specials),
            value=value,
            score=str(adjusted_points(state, seat, 2 * value)),
            last=state.period == state.options["SPECIAL_LOCK"],
        )
    _draft(state, seat, standing, tell)
    if isinstance(name := standing.get("NAME"), orders.Name):
        tell("name_wanted", "4.1", name=name.text, party=seat)


def _chosen(state: State, seat: Seat, standing: Standing) -> State:
    """Return the position with specials as ordered (3.1)."""
    order, party = standing.get("SPECIAL"), state.parties[seat]
    if not isinstance(order, orders.Special):
        return state
    return s.with_party(state, seat, replace(party, specials=order.chosen))


def _vote(state: State, seat: Seat, standing: Standing, tell: Tell) -> None:
    stance, whatif = standing.get("STANDING"), standing.get("VOTE IF")
    if isinstance(stance, orders.StandingVote):
        tell("standing_kept", "3.5", vote=stance.vote)
    if isinstance(whatif, WhatIf):
        tell("ifs_kept", "3.9", order=bool(whatif.cases), last=state.period >= state.last_period)
    elif seat in state.ifs:
        tell("ifs_wait", "3.9", order=str(state.ifs[seat]))
    given = {"VOTE", "STANDING", "PASS", "VOTE IF"} & standing.keys()
    if state.floor is None or not (given or seat in state.ifs):
        return
    motion, mps = state.floor, state.parties[seat].seats
    vote, how = steps.vote_of(state, seat, standing)
    if told := steps.acted(state, seat, standing):
        tell("if_acts", "3.9", id=motion.id, how=how, **told)
    tell("vote", "4.2", id=motion.id, vote=vote, how=how, mps=mps)
    if motion.sponsor == seat and vote == s.NAY:
        tell("against_own", "4.2", id=motion.id)
    tell(
        "sheet",
        "4.3",
        id=motion.id,
        vote=vote,
        mps=mps,
        named={letter: state.parties[letter].seats for letter in motion.named},
        needed=state.needed,
        majority=state.options["MAJORITY"],
        consent=state.chosen("CONSENT", "ON"),
    )
    tell("motion_share", "4.7", id=motion.id, **share(state, seat, motion.slate))


def _draft(state: State, seat: Seat, standing: Standing, tell: Tell) -> None:
    order, waiting = standing.get("DRAFT"), state.parties[seat].draft
    draft = s.Draft(order.slate, state.period) if isinstance(order, orders.Propose) else waiting
    if draft is None:
        return
    if isinstance(order, orders.Withdraw):
        tell("leaves_docket", "3.3")
        return
    if draft is waiting:
        tell("draft_waits", "3.2", filed=draft.filed)
    else:
        _proposed(state, seat, draft.slate, tell)
    tell("draft_share", "4.7", **share(state, seat, draft.slate))
    period, last = state.period, state.last_period
    if period >= last:
        tell("draft_too_late", "4.5")
        return
    best, worst = places(state, seat, draft.filed)
    tell("draft_queue", "4.5", best=best, worst=worst, first=period + 1, last=last)


def _proposed(state: State, seat: Seat, slate: s.Slate, tell: Tell) -> None:
    table = [[m.code, m.name, m.value, slate.get(m.code)] for m in state.ministries]
    members = s.portfolios(state, slate)
    tell("draft", "1.3", slate=table)
    tell("draft_scores", "4.7", members=[_member(state, slate, one, seat) for one in members])
    tell("draft_members", "4.3", held=state.mps(members), needed=state.needed)


def _member(state: State, slate: s.Slate, letter: str, seat: Seat) -> dict[str, Any]:
    """3.1, 4.7. Others' special ministries are secret, so their score is a range."""
    facts = share(state, letter, slate, known=letter == seat)
    low = high = facts["points"]
    if letter != seat:
        doubled = {*facts["codes"]}.intersection(s.juniors(state))
        found = [m.value for m in state.ministries if m.code in doubled]
        high += sum(sorted(found, reverse=True)[: s.MOST_SPECIALS])
    return {
        "party": letter,
        "mps": state.parties[letter].seats,
        "ministers": len(facts["codes"]),
        "points": low,
        "score": facts["score"],
        "most": str(adjusted_points(state, letter, high)),
    }


def places(state: State, seat: Seat, filed: int) -> tuple[int, int]:
    """Return the best and worst place now: whose drafts wait is secret."""
    others = [letter for letter in state.living if letter != seat]
    waiting = sum(party.draft is not None for party in state.parties.values())
    waiting -= state.parties[seat].draft is not None
    if state.chosen("TABLING", "FIFO"):
        older = waiting if filed == state.period else 0
        ahead = len(others) if filed == state.period else waiting
        return 1 + older, 1 + ahead
    before = sum(_may_precede(state, rival, seat) for rival in others)
    unknown = state.chosen("TABLING", "LEAST") and state.chosen("SPONSOR", "SECRET")
    after = len(others) - (0 if unknown else before)
    return 1 + max(0, waiting - after), 1 + before


def _may_precede(state: State, other: Seat, seat: Seat) -> bool:
    """Count the other's tabled motions only if public."""
    if state.chosen("SPONSOR", "SECRET"):
        state = s.with_party(state, other, replace(state.parties[other], tabled=0))
    return steps.turn(state, other) < steps.turn(state, seat)


def brief(state: State) -> tuple[str, ...]:
    """Tell the gamesmaster the majority, and how few parties reach it."""
    held, everybody = state.mps(state.living), state.mps(state.parties)
    only_held = state.chosen("MAJORITY_OF", "HELD")
    lines = [
        f"The majority is {state.needed} of the {held} seats that players hold."
        if only_held
        else f"The majority is {state.needed} of the {everybody} seats in Parliament; players hold"
        f" {held}.",
        f"The smallest coalition that reaches it: {smallest(state, state.needed)}.",
    ]
    if held < everybody and not only_held:
        instead = held // 2 + 1
        lines.append(
            f"With fewer than {len(state.parties)} players the option MAJORITY_OF=HELD is"
            f" recommended: a majority of {instead} ({smallest(state, instead)})."
        )
    return tuple(lines)


def smallest(state: State, majority: int) -> str:
    """Name the fewest parties with players that form a majority."""
    members: list[str] = []
    for letter in sorted(state.living, key=lambda letter: (-state.parties[letter].seats, letter)):
        members.append(letter)
        if state.mps(members) >= majority:
            everybody = ", that is everybody" if len(members) == len(state.living) else ""
            return f"{listed(members)} with {state.mps(members)}{everybody}"
    return "none, no matter who joins it"


def silence(state: State, seat: Seat, standing: Standing, tell: Tell) -> None:
    party = state.parties[seat]
    if "RESIGN" in standing:
        return
    if state.floor:
        vote, how = steps.vote_of(state, seat, standing)
        rule = {"if": "3.9", "standing": "3.5"}.get(how, "4.2")
        known = {"id": state.floor.id, "vote": vote, "how": how, "mps": party.seats}
        tell("silent_vote", rule, slot="VOTE", **known, **steps.acted(state, seat, standing))
    if state.period == state.options["SPECIAL_LOCK"]:
        specials = _chosen(state, seat, standing).parties[seat].specials
        tell("silent_specials", "4.1", specials=list(specials))
    if party.draft and "DRAFT" not in standing:
        last = state.period >= state.last_period
        tell("silent_draft", "4.5", last=last)
