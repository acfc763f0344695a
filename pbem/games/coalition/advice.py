"""The facts of a draft for its sponsor's receipt, from what that seat may know and nothing else.

The slate as a table, each party's MPs, the members' seats against the majority, the sponsor's own
points, its place in the queue as far as public facts give it, and when it can be voted on.
"""

from __future__ import annotations

from pbem.games.coalition.orders import Propose, Special
from pbem.games.coalition.state import Slate, State, in_order, portfolios
from pbem.games.coalition.steps.scoring import adjusted_points, worth
from pbem.games.frame.events import Seat
from pbem.orders.order import Standing
from pbem.text import figure, listed


def advice(state: State, seat: Seat, standing: Standing) -> tuple[str, ...]:
    """The lines; () where the seat has no draft, neither in this period's orders nor in the
    docket."""
    order, waiting = standing.get("DRAFT"), state.parties[seat].draft
    if isinstance(order, Propose):
        slate, filed = order.slate, state.period
    elif order is None and waiting and not state.outcome:
        slate, filed = dict(waiting.slate), waiting.filed
    else:
        return ()
    special = standing.get("SPECIAL")
    specials = special.chosen if isinstance(special, Special) else state.parties[seat].specials
    return (
        *_table(state, slate),
        *_members(state, slate),
        *_points(state, seat, slate, specials),
        *_queue(state, seat, filed),
    )


def _table(state: State, slate: Slate) -> list[str]:
    lines = ["Your draft:"]
    ordered = in_order(state, slate)
    for ministry in state.ministries:
        party = ordered.get(ministry.code, "(not named)")
        lines.append(f"  {ministry.code:<4} {ministry.name:<25} {ministry.value:>2}  {party}")
    return lines


def _members(state: State, slate: Slate) -> list[str]:
    held = portfolios(state, slate)
    lines = ["MPs it needs:"]
    for party, codes in held.items():
        ministers = "1 minister" if len(codes) == 1 else f"{len(codes)} ministers"
        lines.append(f"  {party}  {ministers} of {state.parties[party].seats} MPs")
    seats = state.mps(held)
    short = state.needed - seats
    verdict = (
        f"{short} short of" if short > 0 else "enough for" if short == 0 else f"{-short} more than"
    )
    lines.append(
        f"Its members hold {seats} seats together, {verdict} the majority of {state.needed}."
    )
    return lines


def brief(state: State) -> tuple[str, ...]:
    """What the gamesmaster is told of a new game: its majority, and how few parties can reach
    it."""
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
        f"The smallest coalition that reaches it: {_smallest(state, state.needed)}.",
    ]
    if held < everybody and not state.chosen("MAJORITY_OF", "HELD"):
        instead = held // 2 + 1
        lines.append(
            f"With fewer than {len(state.parties)} players --option MAJORITY_OF=HELD is"
            f" recommended: a majority of {instead} ({_smallest(state, instead)})."
        )
    return tuple(lines)


def _smallest(state: State, majority: int) -> str:
    """The fewest parties with a player that hold a majority together: the largest ones."""
    members: list[str] = []
    for letter in sorted(state.living, key=lambda letter: (-state.parties[letter].seats, letter)):
        members.append(letter)
        if state.mps(members) >= majority:
            everybody = ", that is everybody" if len(members) == len(state.living) else ""
            return f"{listed(members)} with {state.mps(members)}{everybody}"
    return "none, whoever joins it"


def _points(state: State, seat: Seat, slate: Slate, specials: tuple[str, ...]) -> list[str]:
    raw = worth(state, slate, seat, specials)
    doubled = [code for code in in_order(state, slate) if code in specials and slate[code] == seat]
    twice = f" ({', '.join(doubled)} counted double)" if doubled else ""
    adjusted = figure(adjusted_points(state, seat, raw), 3)
    return [f"Your own points: {raw}{twice}; adjusted {adjusted}."]


def _queue(state: State, seat: Seat, filed: int) -> list[str]:
    best, worst = places(state, seat, filed)
    place = str(best) if best == worst else f"{best} at best, {worst} at worst"
    latest = state.last_period
    return [
        f"Place in the queue: {place} (withdrawals not counted).",
        (
            f"It can be voted on in period {min(state.period + best, latest)} at the earliest, "
            f"in period {latest} at the latest."
        ),
    ]


def places(state: State, seat: Seat, filed: int) -> tuple[int, int]:
    """The best and the worst place at this deadline: whose drafts wait is secret, how many wait is
    not."""
    others = [letter for letter in state.living if letter != seat]
    waiting = sum(party.draft is not None for party in state.parties.values())
    waiting -= state.parties[seat].draft is not None
    if state.chosen("TABLING", "FIFO"):
        older = waiting if filed == state.period else 0
        ahead = len(others) if filed == state.period else waiting
        return 1 + older, 1 + ahead
    before = [other for other in others if _may_precede(state, other, seat)]
    after = [other for other in others if _may_follow(state, other, seat)]
    return 1 + max(0, waiting - len(after)), 1 + len(before)


def _may_precede(state: State, other: Seat, seat: Seat) -> bool:
    """Whether the other's draft could come first; how often it was tabled counts only where that is
    public."""
    first, second = state.parties[other], state.parties[seat]
    if state.chosen("TABLING", "SEATS"):
        return (-first.seats, other) < (-second.seats, seat)
    tabled = first.tabled if state.chosen("SPONSOR", "PUBLIC") else 0
    return (tabled, -first.seats, other) < (second.tabled, -second.seats, seat)


def _may_follow(state: State, other: Seat, seat: Seat) -> bool:
    """Whether the other's draft could come after."""
    unknown = state.chosen("TABLING", "LEAST") and state.chosen("SPONSOR", "SECRET")
    return unknown or not _may_precede(state, other, seat)
