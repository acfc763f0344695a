"""A period, as the rulebook's steps."""

from collections.abc import Mapping
from dataclasses import replace

from pbem.games.frame.events import Minutes, Orders
from pbem.games.parlement_1966.orders import Call, Resign, Support
from pbem.games.parlement_1966.state import DISTRICTS, PARTIES, Called, Government, State, Tables
from pbem.games.parlement_1966.steps import bills, cabinet, elections, finance
from pbem.games.parlement_1966.steps.cabinet import Proposal
from pbem.games.parlement_1966.steps.elections import largest

LAST_BEFORE_CALL = 4
EMERGENCY_BILLS = (4, 5, 6, 7)


def session(state: State, orders: Orders, tables: Tables, minutes: Minutes) -> State:
    government, won = governments(state, orders, minutes)
    if state.unformed and government is None and state.extensions != state.settings.emergency_after:
        return extended(state, orders, minutes)
    number = state.installed + (won is not None)
    if government is not None and not government.emergency:
        government = cabinet.appointed(government, orders, minutes)
    results, records, filed = bills.held_votes(state, tables, government, orders, minutes)
    turn = _turn(state, government)
    passed = frozenset(int(bill) for bill, vote in results.items() if vote.passed)
    called, turn = bills.proposed(
        bills.House(state, tables, government, won, turn, passed, orders), minutes
    )
    _lapsed(state, government, called, turn, minutes)
    amended = bills.voted(state, orders, minutes)
    amended = bills.amendments_signed(amended, state.seats, orders, minutes)
    state = replace(
        state,
        government=government,
        installed=number,
        bills=results,
        records=records,
        standing_votes=filed,
        called=called,
        amendments=amended,
        turn="opposition" if turn == "government" else "government",
        instructions=elections.instructions(state, orders),
        waiting={},
    )
    call = _called(state, orders, minutes)
    state = _treasury(state, orders, tables, minutes)
    if state.last:
        minutes.public(
            "lists",
            "20",
            candidates={p: list(districts) for p, districts in state.candidates.items()},
        )
    if state.ballots:
        state = elections.held(state, state.ballots, tables, "third", minutes)
        state = _won(state, minutes)
    return _to_primary(state, tables) if state.last else _to_next_period(state, call, minutes)


def governments(
    state: State, orders: Orders, minutes: Minutes
) -> tuple[Government | None, Proposal | None]:
    """Return the Government, and the proposal installed (steps 1, 2)."""
    sitting = cabinet.left(state, orders, minutes)
    made = cabinet.proposals(state, orders, minutes)
    cabinet.publish(made, minutes)
    cabinet.fates(orders, made, state.settings.first_rulings, minutes)
    won = next((one for one in made if one.outcome == "installed"), None)
    if won is None:
        return sitting, None
    government = cabinet.left_at_once(
        cabinet.installed(state, sitting, won, minutes), orders, minutes
    )
    return government, won if government is not None else None


def extended(state: State, orders: Orders, minutes: Minutes) -> State:
    """Extend the first period; only support counts (4, ruling 1)."""
    minutes.public("extension", "4", extensions=state.extensions + 1)
    over = (Support.slot, str(Resign("NEW")))
    kept = {
        p: tuple(str(filed[slot]) for slot in sorted(filed) if slot not in over)
        for p, filed in orders.items()
    }
    waiting = {party: texts for party, texts in kept.items() if texts}
    return replace(state, extensions=state.extensions + 1, waiting=waiting, number=state.number + 1)


def _turn(state: State, government: Government | None) -> str:
    """Ruling 8."""
    ended = state.governing() is None and government is not None and not government.emergency
    return "government" if ended else state.turn


def _lapsed(
    state: State,
    government: Government | None,
    called: tuple[Called, ...],
    turn: str,
    minutes: Minutes,
) -> None:
    governed = government is not None and not government.emergency
    void = any(event.kind == "bill_void" for event in minutes.events)
    if governed and not (state.last or called or void):
        minutes.public("lapsed", "14", by=turn)


def _called(state: State, orders: Orders, minutes: Minutes) -> str | None:
    """Paragraph 18. After period four the Gamesmaster calls."""
    government = state.governing()
    for party in PARTIES:
        if Call.slot in orders.get(party, {}) and (
            government is None or party != government.premier
        ):
            why = "only the Premier can call an election"
            cabinet.void(minutes, party, "18", Call(), why)
    if state.last:
        return None
    if state.period >= LAST_BEFORE_CALL:
        return "gamesmaster"
    if government is not None and Call.slot in orders.get(government.premier, {}):
        return "premier"
    return None


def _treasury(state: State, orders: Orders, tables: Tables, minutes: Minutes) -> State:
    """Settle money; the first rulings list here (R22)."""
    settled = finance.settle(state, state.governing(), orders, tables, minutes)
    after = finance.received(state, orders, minutes)
    accounts, listed = settled.accounts, state.listed
    if state.settings.notices:
        finance.notices(state.accounts, accounts, state.number, minutes)
    if state.settings.first_rulings and state.phase == "session" and state.period == 1:
        accounts, listed = finance.listing(accounts, minutes)
    candidates = settled.candidates if state.last else state.candidates
    local = elections.paid(state.local, settled.local)
    return replace(after, accounts=accounts, listed=listed, candidates=candidates, local=local)


def _to_next_period(state: State, call: str | None, minutes: Minutes) -> State:
    """Paragraphs 10, 18, ruling 6."""
    state = replace(state, number=state.number + 1)
    if state.winners is not None:
        return state
    opened = replace(state, election=call, period=state.period + 1, crisis=False)
    if state.governing() is None and state.crisis:
        return _emergency(opened, call, minutes)
    if state.governing() is None and call is None:
        minutes.public("no_government", "10", next_period=opened.period)
        return replace(opened, crisis=True)
    if call is not None:
        minutes.public("election_called", "18", by=call)
    return opened


def _emergency(state: State, call: str | None, minutes: Minutes) -> State:
    open_bills = [bill for bill in EMERGENCY_BILLS if not state.has_passed(bill)]
    minutes.public("emergency", "10", bills=open_bills)
    minutes.public("election_called", "18" if call else "10", by=call or "emergency")
    called = tuple(Called(bill, "gamesmaster", (), None) for bill in open_bills)
    government = Government(state.installed, {}, emergency=True)
    return replace(state, government=government, called=called, election=call or "emergency")


def _to_primary(state: State, tables: Tables) -> State:
    """End the session and its third ballots."""
    state = replace(state, number=state.number + 1)
    if state.winners is not None:
        return state
    unsettled = [int(district) for district in state.ballots]
    local = elections.lowered(state.local, unsettled, tables.loss)
    return replace(state, phase="primary", called=(), ballots={}, local=local)


def primary(state: State, orders: Orders, tables: Tables, minutes: Minutes) -> State:
    state = _paid_and_told(state, orders, tables, minutes)
    state = replace(
        state, holders=(None,) * DISTRICTS, tallies={}, ballots={}, seats=dict.fromkeys(PARTIES, 0)
    )
    state = elections.held(state, elections.primary(state), tables, "primary", minutes)
    state = replace(state, number=state.number + 1)
    if state.ballots:
        return replace(state, phase="runoff")
    return _after_election(state, minutes)


def runoff(state: State, orders: Orders, tables: Tables, minutes: Minutes) -> State:
    state = _paid_and_told(state, orders, tables, minutes)
    state = elections.held(state, state.ballots, tables, "runoff", minutes)
    return _after_election(replace(state, number=state.number + 1), minutes)


def _paid_and_told(state: State, orders: Orders, tables: Tables, minutes: Minutes) -> State:
    filed, told = bills.standing_votes(state, orders), elections.instructions(state, orders)
    amended = bills.amendments_signed(state.amendments, state.seats, orders, minutes)
    state = replace(state, standing_votes=filed, instructions=told, amendments=amended)
    return _treasury(state, orders, tables, minutes)


def _won(state: State, minutes: Minutes) -> State:
    winners = tuple(party for party in PARTIES if state.seats[party] >= cabinet.MAJORITY)
    if not winners:
        return state
    minutes.public("won", "1", winners=list(winners), seats=dict(state.seats))
    return replace(state, winners=winners)


def _after_election(state: State, minutes: Minutes) -> State:
    """Open the chamber: a winner, or a session (4)."""
    vacant = [d for d in range(1, DISTRICTS + 1) if state.holders[d - 1] is None]
    minutes.public(
        "seats",
        "25",
        seats=dict(state.seats),
        vacant=vacant,
        undecided=[int(d) for d in state.ballots],
    )
    state = _won(state, minutes)
    if state.winners is not None:
        return state
    most = state.settings.max_sessions
    if most is not None and state.session >= most:
        winners = largest(state.seats)
        minutes.public("won", "R21", winners=list(winners), seats=dict(state.seats))
        return replace(state, winners=winners)
    records: Mapping[str, Mapping[str, int]] = state.records
    if state.settings.record_per_session:
        records = {bloc: dict.fromkeys(points, 0) for bloc, points in records.items()}
    minutes.public(
        "new_session",
        "3",
        session=state.session + 1,
        premier=g.premier if (g := state.governing()) else "",
    )
    accounts, listed = state.accounts, state.listed
    if not state.settings.first_rulings:
        accounts, listed = finance.listing(accounts, minutes)
    return replace(
        state,
        accounts=accounts,
        listed=listed,
        phase="session",
        session=state.session + 1,
        period=1,
        government=state.governing(),
        turn="government",
        called=(),
        bills={},
        election=None,
        crisis=False,
        records=records,
    )
