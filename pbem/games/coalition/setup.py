"""The start, by paragraph 1 and a scenario's word: whatever the views show can be set, whatever
follows must agree."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from pbem.errors import ScenarioError
from pbem.games.coalition import views
from pbem.games.coalition.orders import NONE
from pbem.games.coalition.state import (
    ABSTAIN,
    AYE,
    DEFEATED,
    MAJORITY,
    MINORITY,
    MOST_SPECIALS,
    NAY,
    OPENING,
    SITTING,
    Division,
    Draft,
    Ministry,
    Motion,
    Party,
    Slate,
    State,
    juniors,
    with_party,
)
from pbem.games.coalition.steps.deadline import verdict
from pbem.games.coalition.steps.scoring import reckoned
from pbem.games.frame.codec import Json
from pbem.games.frame.events import Minutes, Seat
from pbem.games.frame.options import Options
from pbem.games.frame.ruleset import Outcome

_SET = {"phase", "period", "status", "seats", "names", "vacant", "tabled", "motion", "history"}
_OWN = {"name", "specials", "standing", "draft", "filed", "tabled"}
_FOLLOWS = {"party", "motions", "votes"}
_MOTION = re.compile(r"[Vv]([0-9]+)")


def start(
    tables: Mapping[str, Any], seats: Sequence[Seat], options: Options, scenario: Json
) -> Outcome[State]:
    """The position before the first period. ``seats`` are party letters: whoever seats the players
    deals the n largest parties out by lot (1.1); at the offline table they are simply named. All
    other parties are VACANT."""
    public, private = dict(scenario.get("public", {})), dict(scenario.get("private", {}))
    if extra := {key for key, told in scenario.items() if told} - {
        "public",
        "private",
        "phase",
        "seats",
    }:
        _wrong(
            sorted(extra)[0], "this game has no such part; use public, private, phase and tables"
        )
    if "phase" in scenario:
        public["phase"] = scenario["phase"]
    public = _numbered(public)
    state = _fresh(tables, seats, options, public)
    state = _motions(state, public, private)
    for seat, told in private.items():
        state = _private(state, seat, told)
    if str(public.get("status", "OPEN")).upper() == "OVER":
        state = replace(state, floor=None, outcome=reckoned(state))
    _agrees("public", public, views.public(state), _SET)
    for seat, told in private.items():
        _agrees(f"private.{seat}", told, {**views.own(state, seat), "name": None}, _OWN)
    minutes = Minutes()
    minutes.public(
        "opening",
        "1",
        seats={letter: state.parties[letter].seats for letter in state.letters},
        living=state.living,
        periods=state.last_period,
        majority=state.needed,
        options=dict(options),
        **({"held": state.mps(state.living)} if state.chosen("MAJORITY_OF", "HELD") else {}),
    )
    return Outcome(state, tuple(minutes.events))


def _numbered(public: dict[str, Any]) -> dict[str, Any]:
    """The public part with every motion's id: those left out are V1, V2, ... in their order. A
    motion before Parliament may also be called the floor."""
    motion = public.pop("floor", None) or public.get("motion")
    history = [{"id": f"V{nth}", **one} for nth, one in enumerate(public.get("history", []), 1)]
    if history:
        public["history"] = history
    if motion:
        last = max((_number("public.history", one) for one in history), default=0)
        public["motion"] = {"id": f"V{last + 1}", **motion}
    return public


def _fresh(
    tables: Mapping[str, Any], seats: Sequence[Seat], options: Options, public: dict[str, Any]
) -> State:
    """Parties, ministries and the calendar."""
    ministries = tuple(
        Ministry(code=code, **tables["ministries"][code]) for code in tables["order"]
    )
    mps = {**tables["parties"], **_by_party(public, "seats", tables["parties"])}
    names, tabled = _by_party(public, "names", mps), _by_party(public, "tabled", mps)
    vacant = public.get("vacant", [])
    if unknown := set(vacant) - set(mps):
        _wrong("public.vacant", f"{sorted(unknown)[0]!r} is no party")
    parties = {
        letter: Party(
            _count(f"public.seats.{letter}", mps[letter], 1),
            str(names.get(letter, letter)),
            letter in seats and letter not in vacant,
            tabled=_count(f"public.tabled.{letter}", tabled.get(letter) or 0),
        )
        for letter in mps
    }
    period = _period(public, int(options["MAX_PERIODS"]))
    phase = str(public.get("phase", SITTING if period > 1 else OPENING)).upper()
    if phase not in (OPENING, SITTING) or (phase == OPENING) != (period == 1):
        _wrong(
            "phase",
            f"{phase!r} in period {period}; period 1 is the opening, all later ones are sittings",
        )
    players = tuple(sorted(seats))
    return State(
        phase, period, dict(options), int(tables["majority"]), ministries, players, parties
    )


def _period(public: Mapping[str, Any], last: int) -> int:
    """The period said, else the earliest one that fits the motions and the phase."""
    if "period" in public:
        period = _count("public.period", public["period"], 1)
        if period > last:
            _wrong("public.period", f"{period} is after the last period, {last}")
        return period
    if "periods_left" in public:
        return max(1, last - _count("public.periods_left", public["periods_left"], 1) + 1)
    earliest = 2 if str(public.get("phase", "")).upper() == SITTING else 1
    if public.get("motion"):
        earliest = max(earliest, _number("public.motion", public["motion"]) + 1)
    for division in public.get("history", []):
        earliest = max(earliest, _number("public.history", division) + 2)
    return min(earliest, last)


def _motions(state: State, public: Mapping[str, Any], private: Mapping[str, Any]) -> State:
    """The motion on the floor and those voted before."""
    told = public.get("motion")
    history = tuple(
        _division(state, private, i, one) for i, one in enumerate(public.get("history", []), 1)
    )
    state = replace(state, history=history)
    if told:
        if state.phase == OPENING:
            _wrong("public.motion", "no motion is on the floor in the opening period")
        state = replace(state, floor=_motion(state, "public.motion", told, private))
    numbers = [d.motion.number for d in history] + ([state.floor.number] if state.floor else [])
    if numbers != sorted(set(numbers)):
        _wrong(
            "public.history",
            "the motions' numbers must rise, the motion on the floor has the highest",
        )
    return state


def _motion(
    state: State, where: str, told: Mapping[str, Any], private: Mapping[str, Any]
) -> Motion:
    number = _number(where, told)
    known = [seat for seat, own in private.items() if f"V{number}" in own.get("motions", [])]
    sponsor = told.get("sponsor") or (known[0] if known else None)
    if sponsor is not None and sponsor not in state.parties:
        _wrong(f"{where}.sponsor", f"{sponsor!r} is no party")
    return Motion(f"V{number}", sponsor, _slate(state, f"{where}.slate", told.get("slate", {})))


def _division(
    state: State, private: Mapping[str, Any], nth: int, told: Mapping[str, Any]
) -> Division:
    where = f"public.history[{nth}]"
    motion = _motion(state, where, told, private)
    votes = {
        letter.upper(): vote.upper()
        for letter, vote in told.get("votes", {}).items()
        if vote is not None
    }
    votes |= {
        s: own["votes"][motion.id]
        for s, own in private.items()
        if motion.id in own.get("votes", {})
    }
    for letter, vote in votes.items():
        if letter not in state.parties or vote not in (AYE, NAY, ABSTAIN):
            _wrong(f"{where}.votes.{letter}", f"{vote!r}; a party's vote is AYE, NAY or ABSTAIN")
    counted = {kind: state.mps(p for p, v in votes.items() if v == kind) for kind in (AYE, NAY)}
    aye = _count(f"{where}.aye", told.get("aye", counted[AYE]))
    nay = _count(f"{where}.nay", told.get("nay", counted[NAY]))
    total = state.mps(state.parties)
    if told.get("abstain", total - aye - nay) != total - aye - nay or aye + nay > total:
        _wrong(where, f"aye, nay and abstain must make {total}")
    full = {letter: votes.get(letter, ABSTAIN) for letter in state.letters}
    found = str(told.get("verdict", verdict(state, motion, full))).upper()
    if found not in (MAJORITY, MINORITY, DEFEATED):
        _wrong(f"{where}.verdict", f"{found!r} is none of {MAJORITY}, {MINORITY}, {DEFEATED}")
    period = _count(f"{where}.period", told.get("period", motion.number + 1), 2)
    return Division(motion, full if votes else {}, aye, nay, total - aye - nay, found, period)


def _private(state: State, seat: str, told: Mapping[str, Any]) -> State:
    """What a seat has on file."""
    where = f"private.{seat}"
    if seat not in state.parties:
        _wrong(where, "is no party")
    if unknown := set(told) - _OWN - _FOLLOWS:
        _wrong(f"{where}.{sorted(unknown)[0]}", f"use {', '.join(sorted(_OWN))}")
    party = state.parties[seat]
    listed = told.get("specials", [])
    if isinstance(listed, str):
        listed = [] if listed.upper() == NONE else listed.replace(",", " ").split()
    specials = [_code(state, f"{where}.specials", code) for code in listed]
    if (
        not set(specials) <= set(juniors(state))
        or len(set(specials)) != len(specials)
        or len(specials) > MOST_SPECIALS
    ):
        _wrong(f"{where}.specials", "up to four different junior ministries")
    standing = str(told.get("standing") or NONE).upper()
    if standing not in (NONE, AYE, NAY):
        _wrong(f"{where}.standing", f"{standing!r}; AYE, NAY or NONE")
    draft = None
    if told.get("draft"):
        filed = told.get("filed") or max(1, state.period - 1)
        draft = Draft(
            _slate(state, f"{where}.draft", told["draft"]), _count(f"{where}.filed", filed, 1)
        )
    tabled = _count(f"{where}.tabled", told.get("tabled", party.tabled))
    ordered = tuple(code for code in juniors(state) if code in specials)
    changed = replace(
        party,
        specials=ordered,
        standing=None if standing == NONE else standing,
        draft=draft,
        tabled=tabled,
        name=str(told.get("name", party.name)),
    )
    return with_party(state, seat, changed)


def _slate(state: State, where: str, told: Mapping[str, Any]) -> Slate:
    """A slate as told, by ministry or by party ({A = ["PM", "INF"]}); parts may be left out."""
    if isinstance(told.get("slate"), Mapping):
        told = told["slate"]
    pairs = [(code, party) for code, party in told.items() if code.upper() not in state.parties]
    for party, codes in told.items():
        if party.upper() in state.parties:
            pairs += [(code, party) for code in ([codes] if isinstance(codes, str) else codes)]
    slate = {_code(state, where, code): str(party).upper() for code, party in pairs}
    for code, party in slate.items():
        if party not in state.parties:
            _wrong(f"{where}.{code}", f"{party!r} is no party")
    return slate


def _code(state: State, where: str, told: str) -> str:
    for ministry in state.ministries:
        if str(told).upper() in (ministry.code, ministry.code.replace("/", "")):
            return ministry.code
    _wrong(
        where, f"{told!r} is no ministry; they are {', '.join(m.code for m in state.ministries)}"
    )


def _number(where: str, told: Mapping[str, Any]) -> int:
    found = _MOTION.fullmatch(str(told.get("id", "")))
    if not found:
        _wrong(f"{where}.id", f"{told.get('id')!r}; a motion's id is V1, V2, ...")
    return int(found.group(1))


def _by_party(public: Mapping[str, Any], key: str, parties: Mapping[str, Any]) -> dict[str, Any]:
    told = dict(public.get(key, {}))
    if unknown := set(told) - set(parties):
        _wrong(
            f"public.{key}.{sorted(unknown)[0]}", f"the parties are {', '.join(sorted(parties))}"
        )
    return told


def _count(where: str, told: object, least: int = 0) -> int:
    if not isinstance(told, int) or isinstance(told, bool) or told < least:
        _wrong(where, f"{told!r} is not a whole number from {least} up")
    return told


def _agrees(
    where: str, told: Mapping[str, Any], seen: Mapping[str, Any], settable: set[str]
) -> None:
    """What only follows from the rest may be said, as a view says it, but must be what follows."""
    for key, value in told.items():
        if key not in seen:
            _wrong(
                f"{where}.{key}", f"is no part of this game; there are {', '.join(sorted(seen))}"
            )
        if key not in settable and value != seen[key]:
            _wrong(f"{where}.{key}", f"{value!r} does not fit the rest, which gives {seen[key]!r}")


def _wrong(key: str, why: str) -> NoReturn:
    raise ScenarioError(f"scenario, {key}: {why}")
