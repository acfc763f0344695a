"""What follows from standing orders and from silence, and a form of what can be sent now: all by
what the seat knows."""

from collections.abc import Iterator
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


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    party = state.parties[seat]
    called = {"name": None if party.name == seat else party.name, "longest": orders.LONGEST_NAME}
    return (
        *_form_vote(state, seat),
        *_form_special(state, seat),
        *_propose(state, seat),
        *_withdraw(state, seat),
        *_standing(state, seat),
        *_whatif(state, seat),
        Offer("name", ((f'"{_free_name(state, seat)}"',),), called),
    )


def _form_vote(state: State, seat: Seat) -> Iterator[Offer]:
    """paragraph 3.4."""
    if state.floor:
        facts = share(state, seat, state.floor.slate, state.parties[seat].specials)
        yield Offer(
            "vote",
            ((s.AYE, s.NAY, s.ABSTAIN),),
            {"id": state.floor.id, "mps": state.parties[seat].seats, **facts},
        )


def _form_special(state: State, seat: Seat) -> Iterator[Offer]:
    """paragraph 3.1."""
    lock, codes = int(state.options["SPECIAL_LOCK"]), s.juniors(state)
    if state.period <= lock:
        known = {"specials": list(state.parties[seat].specials), "lock": lock}
        yield Offer("special", ((", ".join(codes[:4]), codes[-1], orders.NONE),), known)


def _propose(state: State, seat: Seat) -> Iterator[Offer]:
    """3.2. Largest parties as members, oneself as Prime Minister."""
    if state.period >= state.last_period:
        return
    others = [letter for letter in state.living if letter != seat]
    largest = max(others, key=state.mps)
    codes = s.compulsory(state)
    fills = [(largest, seat) for _ in codes]
    fills[0] = (seat, largest)
    waits = state.parties[seat].draft is not None
    optional = [m.code for m in state.ministries if m.code not in codes]
    yield Offer(
        "propose", tuple(fills), {"codes": list(codes), "optional": optional, "waits": waits}
    )


def _withdraw(state: State, seat: Seat) -> Iterator[Offer]:
    """paragraph 3.3."""
    if draft := state.parties[seat].draft:
        yield Offer("withdraw", (("DRAFT",),), {"filed": draft.filed})


def _standing(state: State, seat: Seat) -> Iterator[Offer]:
    """paragraph 3.5."""
    if state.chosen("STANDING", "ON"):
        yield Offer(
            "standing", ((s.AYE, s.NAY, orders.NONE),), {"vote": state.parties[seat].standing}
        )


def _whatif(state: State, seat: Seat) -> Iterator[Offer]:
    """3.9. Aye above one's share of points."""
    if state.chosen("STANDING", "ON"):
        fair = worth(state, {m.code: seat for m in state.ministries}, seat, ())
        share = fair * state.parties[seat].seats // state.mps(state.living) + 1
        tests = (f"POINTS >= {share}", "RANK = 1", state.ministries[0].code)
        kept = state.ifs.get(seat)
        yield Offer(
            "whatif", ((s.AYE, s.NAY, s.ABSTAIN), tests), {"on_file": str(kept) if kept else None}
        )


def _free_name(state: State, seat: Seat) -> str:
    names = (f"{_EXAMPLE} {number}" if number else _EXAMPLE for number in count())
    return next(name for name in names if not orders.taken(state, seat, name))


def share(state: State, seat: Seat, slate: s.Slate, specials: tuple[str, ...]) -> dict[str, Any]:
    """Return a party's part of a slate (4.7). ``single``: its points without doubles."""
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
    special = standing.get("SPECIAL")
    specials = (
        special.chosen if isinstance(special, orders.Special) else state.parties[seat].specials
    )
    _vote(state, seat, standing, specials, tell)
    if isinstance(special, orders.Special):
        _special(state, seat, specials, tell)
    _draft(state, seat, standing, specials, tell)
    if isinstance(name := standing.get("NAME"), orders.Name):
        tell("name_wanted", "4.1", name=name.text, party=seat)


def _vote(
    state: State, seat: Seat, standing: Standing, specials: tuple[str, ...], tell: Tell
) -> None:
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
    tell("motion_share", "4.7", id=motion.id, **share(state, seat, motion.slate, specials))


def _special(state: State, seat: Seat, specials: tuple[str, ...], tell: Tell) -> None:
    value = max(m.value for m in state.ministries if m.rank == s.JUNIOR)
    tell(
        "special_worth",
        "3.1",
        specials=list(specials),
        value=value,
        score=str(adjusted_points(state, seat, 2 * value)),
        last=state.period == state.options["SPECIAL_LOCK"],
    )


def _draft(
    state: State, seat: Seat, standing: Standing, specials: tuple[str, ...], tell: Tell
) -> None:
    order, waiting = standing.get("DRAFT"), state.parties[seat].draft
    if isinstance(order, orders.Propose):
        slate: s.Slate = order.slate
        filed = state.period
    elif isinstance(order, orders.Withdraw):
        if waiting:
            tell("leaves_docket", "3.3")
        return
    elif waiting:
        slate, filed = waiting.slate, waiting.filed
    else:
        return
    if isinstance(order, orders.Propose):
        _proposed(state, seat, slate, specials, tell)
    else:
        tell("draft_waits", "3.2", filed=filed)
    tell("draft_share", "4.7", **share(state, seat, slate, specials))
    _queue(state, seat, filed, tell)


def _proposed(
    state: State, seat: Seat, slate: s.Slate, specials: tuple[str, ...], tell: Tell
) -> None:
    members = s.portfolios(state, slate)
    tell("draft", "1.3", slate=_table(state, slate))
    tell(
        "draft_scores",
        "4.7",
        members=[_member(state, slate, one, seat, specials) for one in members],
    )
    tell("draft_members", "4.3", held=state.mps(members), needed=state.needed)


def _table(state: State, slate: s.Slate) -> list[list[Any]]:
    return [[m.code, m.name, m.value, slate.get(m.code)] for m in state.ministries]


def _member(
    state: State, slate: s.Slate, letter: str, seat: Seat, specials: tuple[str, ...]
) -> dict[str, Any]:
    """3.1, 4.7. Others' special ministries are secret, so their score is a range."""
    facts = share(state, letter, slate, specials if letter == seat else ())
    low = high = facts["points"]
    if letter != seat:
        found = [
            m.value for m in state.ministries if m.code in facts["codes"] and m.rank == s.JUNIOR
        ]
        high += sum(sorted(found, reverse=True)[: s.MOST_SPECIALS])
    return {
        "party": letter,
        "mps": state.parties[letter].seats,
        "ministers": len(facts["codes"]),
        "points": low,
        "score": facts["score"],
        "most": str(adjusted_points(state, letter, high)),
    }


def _queue(state: State, seat: Seat, filed: int, tell: Tell) -> None:
    if state.period >= state.last_period:
        tell("draft_too_late", "4.5")
        return
    best, worst = places(state, seat, filed)
    tell(
        "draft_queue", "4.5", best=best, worst=worst, first=state.period + 1, last=state.last_period
    )


def places(state: State, seat: Seat, filed: int) -> tuple[int, int]:
    """Return the best and worst place now: whose drafts wait is secret."""
    others = [letter for letter in state.living if letter != seat]
    waiting = sum(party.draft is not None for party in state.parties.values())
    waiting -= state.parties[seat].draft is not None
    if state.chosen("TABLING", "FIFO"):
        older = waiting if filed == state.period else 0
        ahead = len(others) if filed == state.period else waiting
        return 1 + older, 1 + ahead
    before = [rival for rival in others if _may_precede(state, rival, seat)]
    after = [rival for rival in others if _may_follow(state, rival, seat)]
    return 1 + max(0, waiting - len(after)), 1 + len(before)


def _may_precede(state: State, other: Seat, seat: Seat) -> bool:
    """Count the other's tabled motions only if public."""
    first, second = state.parties[other], state.parties[seat]
    if state.chosen("TABLING", "SEATS"):
        return (-first.seats, other) < (-second.seats, seat)
    tabled = first.tabled if state.chosen("SPONSOR", "PUBLIC") else 0
    return (tabled, -first.seats, other) < (second.tabled, -second.seats, seat)


def _may_follow(state: State, other: Seat, seat: Seat) -> bool:
    unknown = state.chosen("TABLING", "LEAST") and state.chosen("SPONSOR", "SECRET")
    return unknown or not _may_precede(state, other, seat)


def brief(state: State) -> tuple[str, ...]:
    """Tell the gamesmaster the majority, and how few parties reach it."""
    held, everybody = state.mps(state.living), state.mps(state.parties)
    of = (
        "that players hold"
        if state.chosen("MAJORITY_OF", "HELD")
        else f"in Parliament; players hold {held}"
    )
    lines = [
        (
            f"The majority is {state.needed} of the"
            f" {held if state.chosen('MAJORITY_OF', 'HELD') else everybody} seats {of}."
        ),
        f"The smallest coalition that reaches it: {smallest(state, state.needed)}.",
    ]
    if held < everybody and not state.chosen("MAJORITY_OF", "HELD"):
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
        order = standing.get("SPECIAL")
        specials = order.chosen if isinstance(order, orders.Special) else party.specials
        tell("silent_specials", "4.1", specials=list(specials))
    if party.draft and "DRAFT" not in standing:
        last = state.period >= state.last_period
        tell("silent_draft", "4.5", last=last)
