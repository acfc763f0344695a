"""The start of a game: paragraph 1, or any position a scenario describes in the words of the
views."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from pbem.errors import ScenarioError
from pbem.games.frame.ballots import leaders, majority
from pbem.games.frame.ruleset import Options
from pbem.games.frame.treasury import opened
from pbem.games.parlement_1966.names import PARTIES
from pbem.games.parlement_1966.orders import OFFICES, Candidates
from pbem.games.parlement_1966.state import (
    DISTRICTS,
    Amendment,
    Ballot,
    Called,
    Government,
    Instructions,
    Settings,
    State,
    Tables,
    Voted,
)
from pbem.games.parlement_1966.steps.elections import chamber
from pbem.games.parlement_1966.steps.periods import LAST_BEFORE_CALL
from pbem.orders.spelling import is_number

PHASES = ("session", "primary", "runoff")
_PUBLIC = {
    "phase",
    "session",
    "period",
    "extensions",
    "seats",
    "government",
    "turn",
    "election",
    "crisis",
    "called",
    "bills",
    "records",
    "candidates",
    "districts",
    "ballots",
    "amendments",
    "listing",
    "last_period",
    "vacant",
    "private_treasury_notices",
}
_PRIVATE = {"prefer", "blocs", "standing_votes", "treasury", "votes", "waiting"}


def settings(options: Options) -> Settings:
    """The options as the rules use them."""
    after, most = options["emergency_after_extensions"], options["max_sessions"]
    return Settings(
        None if after == "none" else int(after),
        options["record_per_session"] == "on",
        options["private_treasury_notices"] == "on",
        options["house_rules"] == "on",
        None if most == "off" else int(most),
    )


def start(options: Options, told: Mapping[str, Any], tables: Tables) -> State:
    """The position a scenario describes; what it leaves out is the game's own start."""
    _only(told, {"public", "private", "phase", "candidates", "decks"}, "scenario")
    public, own = _table(told, "public"), _table(told, "private")
    _only(public, _PUBLIC, "public")
    for seat, words in own.items():
        _party(seat, "private")
        _only(words, _PRIVATE, f"private.{seat}")
    phase = told.get("phase", public.get("phase", "session"))
    if phase not in PHASES:
        raise ScenarioError(f"scenario: phase {phase!r} is none of {', '.join(PHASES)}")
    holders, tallies = _districts(_table(public, "districts"))
    government = _government(public.get("government"))
    listed = {p: _number(n, "listing") for p, n in _by_party(public, "listing").items()}
    put_up = {**_by_party(public, "candidates"), **_by_party(told, "candidates")}
    candidates = {
        party: _district_list(districts, f"candidates.{party}")
        for party, districts in put_up.items()
    }
    ballots = _ballots(_table(public, "ballots"), holders, tallies, phase, candidates)
    period = _whole(public, "period", 1)
    last = phase != "session" or public.get("last_period") or period > LAST_BEFORE_CALL
    return State(
        settings=settings(options),
        phase=phase,
        session=_whole(public, "session", 1),
        period=period,
        number=1,
        seats=_seats(public, holders, tables, ballots if phase == "runoff" else None),
        accounts=opened({party: _whole(own.get(party, {}), "treasury", 0) for party in PARTIES}),
        local={party: _votes(party, own.get(party, {}), tables) for party in PARTIES},
        records=_records(public, tables),
        holders=holders,
        extensions=_whole(public, "extensions", 0),
        government=government,
        installed=0 if government is None else government.number,
        turn=_turn(public),
        called=_called(public.get("called", ()), government, tables),
        bills={
            number: _voted(number, row, tables) for number, row in _table(public, "bills").items()
        },
        election=public.get("election") or ("gamesmaster" if last else None),
        crisis=bool(public.get("crisis", False)),
        candidates=candidates,
        tallies=tallies,
        ballots=ballots,
        instructions={
            p: i for p in PARTIES if (i := _instructions(p, own.get(p, {}))) != Instructions()
        },
        standing_votes={
            p: dict(w["standing_votes"]) for p, w in own.items() if w.get("standing_votes")
        },
        amendments=tuple(_amendment(row) for row in public.get("amendments", ())),
        waiting={p: tuple(words["waiting"]) for p, words in own.items() if words.get("waiting")},
        listed=listed,
    )


def _only(told: Mapping[str, Any], known: set[str], where: str) -> None:
    unknown = sorted(set(told) - known)
    if unknown:
        raise ScenarioError(
            f"scenario: {where}: unknown key {unknown[0]!r}; there are {', '.join(sorted(known))}"
        )


def _table(told: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = told.get(key, {})
    if not isinstance(value, Mapping):
        raise ScenarioError(f"scenario: {key} must be a table")
    return value


def _whole(told: Mapping[str, Any], key: str, default: int) -> int:
    value = told.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool):
        raise ScenarioError(f"scenario: {key} must be a whole number, not {value!r}")
    return value


def _party(party: str, where: str) -> str:
    if party not in PARTIES:
        raise ScenarioError(
            f"scenario: {where}: {party!r} is no party; the parties are {', '.join(PARTIES)}"
        )
    return party


def _by_party(told: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    table = _table(told, key)
    return {_party(party, key): value for party, value in table.items()}


def _number(value: object, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ScenarioError(f"scenario: {where}: a whole number is wanted, not {value!r}")
    return value


def _district(key: object, where: str) -> int:
    if not is_number(str(key)) or not 1 <= int(str(key)) <= DISTRICTS:
        raise ScenarioError(
            f"scenario: {where}: {key!r} is no district; they are numbered 1 to {DISTRICTS}"
        )
    return int(str(key))


def _district_list(value: Any, where: str) -> tuple[int, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise ScenarioError(f"scenario: {where} must be a list of districts")
    return Candidates(tuple(sorted({_district(district, where) for district in value}))).districts


def _districts(
    told: Mapping[str, Any],
) -> tuple[tuple[str | None, ...], dict[str, dict[str, Fraction]]]:
    holders: list[str | None] = [None] * DISTRICTS
    tallies = {}
    for key, row in told.items():
        district, where = _district(key, "districts"), f"districts.{key}"
        _only(row, {"holder", "tally"}, where)
        if row.get("holder") not in (None, "null"):
            holders[district - 1] = _party(row["holder"], where)
        if row.get("tally"):
            tallies[str(district)] = {
                _party(p, where): Fraction(votes) for p, votes in row["tally"].items()
            }
    return tuple(holders), tallies


def _seats(
    public: Mapping[str, Any],
    holders: Sequence[str | None],
    tables: Tables,
    runoff: Mapping[str, Ballot] | None,
) -> dict[str, int]:
    """As told; else the start's, or the holders counted: where they are too many for the start, or
    in a runoff, when only decided seats are held (what was told of the chamber before it does not
    count then)."""
    told = {party: _number(n, "seats") for party, n in _by_party(public, "seats").items()}
    counted = chamber(holders)
    if runoff is not None and sum(told.values()) + len(runoff) > DISTRICTS:
        return counted
    too_many = max(counted.values()) > tables.seats or all(holders)
    start = counted if runoff is not None or too_many else dict.fromkeys(PARTIES, tables.seats)
    if sum((start | told).values()) > DISTRICTS:
        start = dict.fromkeys(PARTIES, 0)  # the parties it leaves out have nothing left
    seats = start | told
    if min(seats.values()) < 0 or sum(seats.values()) > DISTRICTS:
        raise ScenarioError(f"scenario: seats: {seats} are not at most {DISTRICTS} seats")
    return seats


def _records(public: Mapping[str, Any], tables: Tables) -> dict[str, dict[str, int]]:
    told = _table(public, "records")
    _only(told, set(tables.blocs), "records")
    return {
        bloc: {_party(p, f"records.{bloc}"): _whole(row, p, 0) for p in (*PARTIES, *row)}
        for bloc in tables.blocs
        for row in [_table(told, bloc)]
    }


def _government(told: Any) -> Government | None:
    if told in (None, {}, "null"):
        return None
    if told.get("emergency"):
        return Government(1, {}, emergency=True)
    if "premier" not in told or not set(told) <= set(OFFICES):
        raise ScenarioError(
            f"scenario: government must name {', '.join(OFFICES)}, or be {{emergency = true}}"
        )
    # an office that is not filled is the Premier's (ruling 5)
    return Government(
        1, {office: _party(told.get(office, told["premier"]), "government") for office in OFFICES}
    )


def _turn(public: Mapping[str, Any]) -> str:
    turn = public.get("turn", "government")
    if turn not in ("government", "opposition"):
        raise ScenarioError(f"scenario: turn {turn!r} is neither government nor opposition")
    return str(turn)


def _called(told: Any, government: Government | None, tables: Tables) -> tuple[Called, ...]:
    called = []
    for row in told:
        _only(row, {"bill", "by", "signers", "binding"}, "called")
        if row.get("bill") not in tables.bills:
            raise ScenarioError(f"scenario: called: there is no bill {row.get('bill')!r}")
        by = row.get("by", "government")
        if by not in ("government", "opposition", "gamesmaster"):
            raise ScenarioError(
                f"scenario: called: by {by!r} is none of government, opposition, gamesmaster"
            )
        binds = government is not None and row.get("binding", by != "gamesmaster")
        number = government.number if government and binds else None
        called.append(Called(row["bill"], by, tuple(row.get("signers", ())), number))
    return tuple(called)


def _voted(number: str, row: Mapping[str, Any], tables: Tables) -> Voted:
    if not is_number(number) or int(number) not in tables.bills:
        raise ScenarioError(f"scenario: bills: there is no bill {number!r}")
    _only(row, {"yes", "no", "abstain", "passed"}, f"bills.{number}")
    return Voted(
        row.get("yes", 0), row.get("no", 0), row.get("abstain", 0), bool(row.get("passed", False))
    )


def _votes(party: str, own: Mapping[str, Any], tables: Tables) -> tuple[int, ...]:
    """The votes of a party's blocs: the start's, those the scenario names in their place."""
    missing = tables.missing[party]
    votes = [0 if d in missing else tables.party_bloc for d in range(1, DISTRICTS + 1)]
    for key, value in own.get("votes", {}).items():
        votes[_district(key, f"private.{party}.votes") - 1] = _number(
            value, f"private.{party}.votes"
        )
    return tuple(votes)


def _instructions(party: str, own: Mapping[str, Any]) -> Instructions:
    where = f"private.{party}"
    blocs = {
        str(_district(d, f"{where}.blocs")): to if to == "NONE" else _party(to, f"{where}.blocs")
        for d, to in own.get("blocs", {}).items()
    }
    return Instructions(blocs, tuple(_party(p, f"{where}.prefer") for p in own.get("prefer", ())))


def _ballots(
    told: Mapping[str, Any],
    holders: Sequence[str | None],
    tallies: Mapping[str, Mapping[str, Fraction]],
    phase: str,
    candidates: Mapping[str, tuple[int, ...]],
) -> dict[str, Ballot]:
    """The ballots still to be held: as told, else those that undecided tallies call for (25), else
    in a runoff between the candidates of each district."""
    if told:
        return {
            str(_district(d, "ballots")): Ballot(
                tuple(p for p in PARTIES if p in row["entrants"]),
                bool(row.get("free", False)),
                row.get("round", 2),
            )
            for d, row in told.items()
        }
    ballots = {}
    if phase != "primary":
        for district, tally in tallies.items():
            if holders[int(district) - 1] is None and majority(tally) is None:
                entrants, free = leaders({p: tally[p] for p in PARTIES if p in tally})
                ballots[district] = Ballot(entrants, free, 2 if phase == "runoff" else 3)
    if phase == "runoff" and not ballots:
        for number in range(1, DISTRICTS + 1):
            entrants = tuple(party for party in PARTIES if number in candidates.get(party, ()))
            if len(entrants) > 1 and holders[number - 1] is None:
                ballots[str(number)] = Ballot(entrants, len(entrants) > 2)
    if phase == "runoff" and not ballots:
        raise ScenarioError(
            "scenario: phase runoff needs districts with an undecided tally, ballots or candidates"
        )
    return ballots


def _amendment(row: Mapping[str, Any]) -> Amendment:
    _only(row, {"number", "text", "signers", "stage", "session", "put"}, "amendments")
    return Amendment(
        row["number"],
        row["text"],
        tuple(row.get("signers", ())),
        row.get("stage", "signing"),
        row.get("session", 0),
    )
