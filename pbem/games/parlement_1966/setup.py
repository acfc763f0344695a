"""The opening (1), or a scenario's position."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction

from pbem.games.frame.ballots import leaders, majority
from pbem.games.frame.codec import Json
from pbem.games.frame.options import Options
from pbem.games.frame.scenario import wrong
from pbem.games.frame.treasury import opened
from pbem.games.parlement_1966 import scenario as words
from pbem.games.parlement_1966 import state
from pbem.games.parlement_1966.names import OFFICES, PARTIES
from pbem.games.parlement_1966.orders import Candidates
from pbem.games.parlement_1966.scenario import Private, Public
from pbem.games.parlement_1966.state import State, Tables
from pbem.games.parlement_1966.steps.elections import chamber
from pbem.games.parlement_1966.steps.periods import LAST_BEFORE_CALL


def settings(options: Options) -> state.Settings:
    after, most = options["emergency_after_extensions"], options["max_sessions"]
    return state.Settings(
        None if after == "none" else int(after),
        options["record_per_session"] == "on",
        options["private_treasury_notices"] == "on",
        options["house_rules"] == "on",
        None if most == "off" else int(most),
        options.get("rulings", state.LATER["rulings"]) == "first",
        options.get("rulings", state.LATER["rulings"]) == "third",
    )


def start(options: Options, scenario: Json, tables: Tables) -> State:
    """Return the position; what a scenario leaves out is the game's own."""
    told = words.reading(scenario, tables)
    public, phase = told.public, told.public.phase or "session"
    holders = _holders(public)
    tallies = {d: row.tally for d, row in (public.districts or {}).items() if row.tally}
    government = _government(public.government)
    put_up = {**(public.candidates or {}), **(told.candidates or {})}
    candidates = {
        party: Candidates(tuple(sorted(set(districts)))).districts
        for party, districts in put_up.items()
    }
    ballots = _ballots(public, holders, tallies, phase, candidates)
    last = phase != "session" or public.last_period or public.period > LAST_BEFORE_CALL
    return State(
        settings=settings(options),
        phase=phase,
        session=public.session,
        period=public.period,
        number=1,
        seats=_seats(public, holders, tables, ballots if phase == "runoff" else None),
        accounts=opened({party: told.own(party).treasury for party in PARTIES}),
        local={party: _votes(party, told.own(party), tables) for party in PARTIES},
        records=_records(public, tables),
        holders=holders,
        extensions=public.extensions,
        government=government,
        installed=0 if government is None else government.number,
        turn=public.turn,
        called=tuple(_called(one, government) for one in public.called),
        bills={number: state.Voted(**asdict(row)) for number, row in (public.bills or {}).items()},
        election=public.election or ("gamesmaster" if last else None),
        crisis=public.crisis,
        candidates=candidates,
        tallies=tallies,
        ballots=ballots,
        instructions={
            p: i for p in PARTIES if (i := _instructions(told.own(p))) != state.Instructions()
        },
        standing_votes={
            p: own.standing_votes for p, own in (told.private or {}).items() if own.standing_votes
        },
        amendments=tuple(state.Amendment(**asdict(one)) for one in public.amendments),
        waiting={p: own.waiting for p, own in (told.private or {}).items() if own.waiting},
        listed=public.listing or {},
        changed=public.changed or {},
        cheques=tuple(
            state.OpenCheque(one.number, party, one.payee, one.crowns)
            for party in PARTIES
            for one in told.own(party).cheques
        ),
    )


def _holders(public: Public) -> tuple[str | None, ...]:
    told = public.districts or {}
    return tuple(
        told[str(number)].holder if str(number) in told else None
        for number in range(1, state.DISTRICTS + 1)
    )


def _seats(
    public: Public,
    holders: Sequence[str | None],
    tables: Tables,
    runoff: Mapping[str, state.Ballot] | None,
) -> dict[str, int]:
    """Return seats as told, at the start, or by holders; in a runoff decided ones."""
    told = public.seats or {}
    counted = chamber(holders)
    if runoff is not None and sum(told.values()) + len(runoff) > state.DISTRICTS:
        return counted
    too_many = max(counted.values()) > tables.seats or all(holders)
    start = counted if runoff is not None or too_many else dict.fromkeys(PARTIES, tables.seats)
    if sum((start | told).values()) > state.DISTRICTS:
        start = dict.fromkeys(PARTIES, 0)  # the parties it leaves out have nothing left
    seats = start | told
    if sum(seats.values()) > state.DISTRICTS:
        wrong("public.seats", f"{seats} are more than {state.DISTRICTS} seats")
    return seats


def _records(public: Public, tables: Tables) -> dict[str, dict[str, int]]:
    told = public.records or {}
    return {bloc: dict.fromkeys(PARTIES, 0) | told.get(bloc, {}) for bloc in tables.blocs}


def _government(told: words.Government | None) -> state.Government | None:
    if told is None or told == words.Government():
        return None
    if told.emergency:
        return state.Government(1, {}, emergency=True)
    if told.premier is None:
        wrong("public.government", f"name {', '.join(OFFICES)}, or give {{ emergency = true }}")
    # an office that is not filled is the Premier's (ruling 5)
    filled = (told.premier, told.foreign, told.defense, told.finance)
    offices = zip(OFFICES, filled, strict=True)
    return state.Government(1, {office: party or told.premier for office, party in offices})


def _called(told: words.Called, government: state.Government | None) -> state.Called:
    binding = told.by != "gamesmaster" if told.binding is None else told.binding
    number = government.number if government and binding else None
    return state.Called(told.bill, told.by, told.signers, number)


def _votes(party: str, own: Private, tables: Tables) -> tuple[int, ...]:
    missing, told = tables.missing[party], own.votes or {}
    return tuple(
        told.get(str(d), 0 if d in missing else tables.party_bloc)
        for d in range(1, state.DISTRICTS + 1)
    )


def _instructions(own: Private) -> state.Instructions:
    blocs = {district: party or "NONE" for district, party in (own.blocs or {}).items()}
    return state.Instructions(blocs, own.prefer)


def _ballots(
    public: Public,
    holders: Sequence[str | None],
    tallies: Mapping[str, Mapping[str, Fraction]],
    phase: str,
    candidates: Mapping[str, tuple[int, ...]],
) -> dict[str, state.Ballot]:
    """Return ballots as told, else by undecided tallies (25), else of candidates."""
    if public.ballots:
        return {
            district: state.Ballot(
                tuple(party for party in PARTIES if party in row.entrants), row.free, row.round
            )
            for district, row in public.ballots.items()
        }
    ballots = {}
    if phase != "primary":
        for district, tally in tallies.items():
            if holders[int(district) - 1] is None and majority(tally) is None:
                entrants, free = leaders({p: tally[p] for p in PARTIES if p in tally})
                ballots[district] = state.Ballot(entrants, free, 2 if phase == "runoff" else 3)
    if phase == "runoff" and not ballots:
        for number in range(1, state.DISTRICTS + 1):
            entrants = tuple(party for party in PARTIES if number in candidates.get(party, ()))
            if len(entrants) > 1 and holders[number - 1] is None:
                ballots[str(number)] = state.Ballot(entrants, len(entrants) > 2)
    if phase == "runoff" and not ballots:
        wrong("phase", "runoff needs districts with an undecided tally, ballots or candidates")
    return ballots
