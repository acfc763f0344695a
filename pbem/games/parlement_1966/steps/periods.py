"""A period, as the rulebook's steps."""

from dataclasses import replace

from pbem.games.frame.dice import Dice
from pbem.games.parlement_1966.orders import Call, Resign, Support
from pbem.games.parlement_1966.state import DISTRICTS, PARTIES, Called, Government
from pbem.games.parlement_1966.steps import Period, bills, cabinet, elections, finance
from pbem.games.parlement_1966.steps.cabinet import Proposal
from pbem.games.parlement_1966.steps.elections import largest

LAST_BEFORE_CALL = 4
EMERGENCY_BILLS = (4, 5, 6, 7)


def hold(at: Period, dice: Dice) -> None:
    extensions = at.state.extensions
    {"session": session, "primary": primary, "runoff": runoff}[at.state.phase](at)
    if at.state.extensions == extensions and at.state.winners is None:
        finance.written(at, dice)


def session(at: Period) -> None:
    before = at.state
    won = _governments(at)
    waits = before.extensions != before.settings.emergency_after
    if before.unformed and at.state.government is None and waits:
        _extended(at)
        return
    cabinet.appointed(at)
    bills.held_votes(at)
    if before.governing() is None and at.state.governing() is not None:
        at.state = replace(at.state, turn="government")  # ruling 8
    called, turn = bills.proposed(at, before, won)
    void = any(event.kind == "bill_void" for event in at.minutes.events)
    if at.state.governing() is not None and not (before.last or called or void):
        at.minutes.public("lapsed", "14", by=turn)
    bills.voted(at)
    bills.amendments_signed(at)
    at.state = replace(
        at.state,
        called=called,
        turn="opposition" if turn == "government" else "government",
        instructions=elections.instructions(at.state, at.orders),
        waiting={},
    )
    call = _called(at)
    _treasury(at)
    if before.last:
        candidates = {p: list(districts) for p, districts in at.state.candidates.items()}
        at.minutes.public("lists", "20", candidates=candidates)
    if before.ballots:
        elections.held(at, before.ballots, "third")
        _won(at)
    at.state = replace(at.state, number=before.number + 1)
    if at.state.winners is None:
        if before.last:
            # the session ends, and with it its third ballots
            unsettled = [int(district) for district in at.state.ballots]
            local = elections.lowered(at.state.local, unsettled, at.tables.loss)
            at.state = replace(at.state, phase="primary", called=(), ballots={}, local=local)
        else:
            _to_next_period(at, call)


def _governments(at: Period) -> Proposal | None:
    """Make the Government (steps 1, 2). Return the proposal installed."""
    cabinet.left(at)
    made = cabinet.proposals(at)
    cabinet.publish(made, at.minutes)
    cabinet.fates(at, made)
    won = next((one for one in made if one.outcome == "installed"), None)
    if won is None:
        return None
    installed = at.state.installed
    cabinet.installed(at, won)
    cabinet.left_at_once(at)
    if at.state.government is None:
        at.state = replace(at.state, installed=installed)
        return None
    return won


def _extended(at: Period) -> None:
    """Extend the first period; only support counts (4, ruling 1)."""
    extensions = at.state.extensions + 1
    at.minutes.public("extension", "4", extensions=extensions)
    over = (Support.slot, str(Resign("NEW")))
    kept = {
        p: tuple(str(filed[slot]) for slot in sorted(filed) if slot not in over)
        for p, filed in at.orders.items()
    }
    waiting = {party: texts for party, texts in kept.items() if texts}
    number = at.state.number + 1
    at.state = replace(at.state, extensions=extensions, waiting=waiting, number=number)


def _called(at: Period) -> str | None:
    """Paragraph 18. After period four the Gamesmaster calls."""
    calling = [party for party, _ in at.sent(PARTIES, Call)]
    for party in calling:
        if not at.state.led_by(party):
            at.void(party, "18", Call(), "only the Premier can call an election")
    if at.state.last:
        return None
    if at.state.period >= LAST_BEFORE_CALL:
        return "gamesmaster"
    return "premier" if any(map(at.state.led_by, calling)) else None


def _treasury(at: Period) -> None:
    """Settle money; the first rulings list here (R22)."""
    before = at.state
    finance.settle(at)
    finance.received(at)
    if before.settings.notices:
        finance.notices(at, before.accounts)
    if before.settings.first_rulings and before.phase == "session" and before.period == 1:
        finance.listing(at)


def _to_next_period(at: Period, call: str | None) -> None:
    """Paragraphs 10, 18, ruling 6."""
    state = replace(at.state, election=call, period=at.state.period + 1, crisis=False)
    emergency = state.governing() is None and at.state.crisis
    if emergency:
        open_bills = [bill for bill in EMERGENCY_BILLS if not state.has_passed(bill)]
        at.minutes.public("emergency", "10", bills=open_bills)
        state = replace(
            state,
            government=Government(state.installed, {}, emergency=True),
            called=tuple(Called(bill, "gamesmaster", (), None) for bill in open_bills),
            election=call or "emergency",
        )
    elif state.governing() is None and call is None:
        at.minutes.public("no_government", "10", next_period=state.period)
        state = replace(state, crisis=True)
    if state.election is not None:
        at.minutes.public("election_called", "18" if call else "10", by=state.election)
    at.state = state


def primary(at: Period) -> None:
    _paid_and_told(at)
    nobody, seats = (None,) * DISTRICTS, dict.fromkeys(PARTIES, 0)
    at.state = replace(at.state, holders=nobody, tallies={}, ballots={}, seats=seats)
    elections.held(at, elections.primary(at.state), "primary")
    at.state = replace(at.state, number=at.state.number + 1)
    if at.state.ballots:
        at.state = replace(at.state, phase="runoff")
    else:
        _after_election(at)


def runoff(at: Period) -> None:
    _paid_and_told(at)
    elections.held(at, at.state.ballots, "runoff")
    at.state = replace(at.state, number=at.state.number + 1)
    _after_election(at)


def _paid_and_told(at: Period) -> None:
    filed = bills.standing_votes(at.state, at.orders)
    told = elections.instructions(at.state, at.orders)
    bills.amendments_signed(at)
    at.state = replace(at.state, standing_votes=filed, instructions=told)
    _treasury(at)


def _won(at: Period) -> None:
    winners = tuple(party for party in PARTIES if at.state.seats[party] >= cabinet.MAJORITY)
    if winners:
        _over(at, "1", winners)


def _over(at: Period, rule: str, winners: tuple[str, ...]) -> None:
    at.minutes.public("won", rule, winners=list(winners), seats=dict(at.state.seats))
    at.state = replace(at.state, winners=winners)


def _after_election(at: Period) -> None:
    """Open the chamber: a winner, or a session (4)."""
    state = at.state
    vacant = [d for d in range(1, DISTRICTS + 1) if state.holders[d - 1] is None]
    undecided = [int(district) for district in state.ballots]
    at.minutes.public("seats", "25", seats=dict(state.seats), vacant=vacant, undecided=undecided)
    _won(at)
    most = state.settings.max_sessions
    if at.state.winners is None and most is not None and state.session >= most:
        _over(at, "R21", largest(state.seats))
    if at.state.winners is not None:
        return
    government, records = state.governing(), state.records
    if state.settings.record_per_session:
        records = {bloc: dict.fromkeys(points, 0) for bloc, points in records.items()}
    premier = government.premier if government else ""
    at.minutes.public("new_session", "3", session=state.session + 1, premier=premier)
    if not state.settings.first_rulings:
        finance.listing(at)
    at.state = replace(
        at.state,
        phase="session",
        session=state.session + 1,
        period=1,
        government=government,
        turn="government",
        called=(),
        bills={},
        election=None,
        crisis=False,
        records=records,
    )
