"""The opening (1), or a scenario's position. What views derive must agree."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.games.coalition import scenario as words
from pbem.games.coalition import state as s
from pbem.games.coalition import views
from pbem.games.coalition.orders import NONE
from pbem.games.coalition.scenario import Private, Public
from pbem.games.coalition.state import State
from pbem.games.coalition.steps import filed, known, reckoned, verdict
from pbem.games.frame.codec import Json
from pbem.games.frame.conditions import from_text
from pbem.games.frame.events import Minutes, Seat
from pbem.games.frame.options import Options
from pbem.games.frame.ruleset import Outcome
from pbem.games.frame.scenario import shown, wrong
from pbem.orders.language import Language

_FOLLOWING = {*Public.follows, "periods_left"}
_OWN_FOLLOWING = {*Private.follows, "motions", "votes"}


def start(
    tables: Mapping[str, Any],
    language: Language,
    seats: Sequence[Seat],
    options: Options,
    scenario: Json,
) -> Outcome[State]:
    """Return the opening position. ``seats``: letters by lot among the n largest (1.1), or named at
    the offline table; others are VACANT."""
    told = words.reading(scenario, tables, seats)
    public, private = told.public or Public(), told.private or {}
    public = _numbered(replace(public, phase=told.phase or public.phase))
    state = _fresh(tables, seats, options, public)
    state = _motions(state, public, private)
    for seat, own in private.items():
        state = _private(state, seat, own)
        if own.ifs:
            ifs = from_text(language, own.ifs, known(state), f"private.{seat}.ifs")
            state = filed(state, seat, ifs)
    if public.status == "OVER":
        state = replace(state, floor=None, outcome=reckoned(state))
    _agrees("public", scenario.get("public") or {}, views.public(state), _FOLLOWING)
    for seat, own in (scenario.get("private") or {}).items():
        _agrees(f"private.{seat}", own or {}, views.own(state, seat.upper()), _OWN_FOLLOWING)
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


def _numbered(public: Public) -> Public:
    history = tuple(
        replace(one, id=one.id or f"V{nth}") for nth, one in enumerate(public.history or (), 1)
    )
    if public.motion is None:
        return replace(public, history=history)
    last = max((_number(one.id) for one in history), default=0)
    motion = replace(public.motion, id=public.motion.id or f"V{last + 1}")
    return replace(public, history=history, motion=motion)


def _number(motion: str | None) -> int:
    return int(motion[1:]) if motion else 0


def _fresh(
    tables: Mapping[str, Any], seats: Sequence[Seat], options: Options, public: Public
) -> State:
    ministries = tuple(
        s.Ministry(code=code, **tables["ministries"][code]) for code in tables["order"]
    )
    mps = {**tables["parties"], **(public.seats or {})}
    names, tabled = public.names or {}, public.tabled or {}
    parties = {
        letter: s.Party(
            mps[letter],
            names.get(letter, letter),
            letter in seats and letter not in (public.vacant or ()),
            tabled=tabled.get(letter, 0),
        )
        for letter in mps
    }
    period = _period(public, int(options["MAX_PERIODS"]))
    phase = public.phase or (s.SITTING if period > 1 else s.OPENING)
    if (phase == s.OPENING) != (period == 1):
        wrong(
            "phase",
            f"{phase!r} in period {period}; period 1 is the opening, all later ones are sittings",
        )
    players = tuple(sorted(seats))
    return State(
        phase, period, dict(options), int(tables["majority"]), ministries, players, parties
    )


def _period(public: Public, last: int) -> int:
    if public.period is not None:
        if public.period > last:
            wrong("public.period", f"{public.period} is after the last period, {last}")
        return public.period
    if public.periods_left is not None:
        return max(1, last - max(1, public.periods_left) + 1)
    earliest = 2 if public.phase == s.SITTING else 1
    if public.motion:
        earliest = max(earliest, _number(public.motion.id) + 1)
    for division in public.history or ():
        earliest = max(earliest, _number(division.id) + 2)
    return min(earliest, last)


def _motions(state: State, public: Public, private: Mapping[str, Private]) -> State:
    history = tuple(
        _division(state, private, i, one) for i, one in enumerate(public.history or (), 1)
    )
    state = replace(state, history=history)
    if public.motion:
        if state.phase == s.OPENING:
            wrong("public.motion", "no motion is on the floor in the opening period")
        state = replace(state, floor=_motion(public.motion, private))
    numbers = [d.motion.number for d in history] + ([state.floor.number] if state.floor else [])
    if numbers != sorted(set(numbers)):
        wrong(
            "public.history",
            "the motions' numbers must rise, the motion on the floor has the highest",
        )
    return state


def _motion(told: words.Motion | words.Division, private: Mapping[str, Private]) -> s.Motion:
    number = f"V{_number(told.id)}"
    known = [seat for seat, own in private.items() if number in (own.motions or ())]
    return s.Motion(number, told.sponsor or (known[0] if known else None), told.slate or {})


def _division(
    state: State, private: Mapping[str, Private], nth: int, told: words.Division
) -> s.Division:
    where = f"public.history[{nth}]"
    motion = _motion(told, private)
    votes = {
        **(told.votes or {}),
        **{
            seat: own.votes[motion.id]
            for seat, own in private.items()
            if own.votes and motion.id in own.votes
        },
    }
    counted = {kind: state.mps(p for p, v in votes.items() if v == kind) for kind in (s.AYE, s.NAY)}
    aye = counted[s.AYE] if told.aye is None else told.aye
    nay = counted[s.NAY] if told.nay is None else told.nay
    total = state.mps(state.parties)
    rest = total - aye - nay
    if rest < 0 or (rest if told.abstain is None else told.abstain) != rest:
        wrong(where, f"aye, nay and abstain must make {total}")
    full = {letter: votes.get(letter, s.ABSTAIN) for letter in state.letters}
    found = told.verdict or verdict(state, motion, full)
    period = motion.number + 1 if told.period is None else told.period
    return s.Division(motion, full if votes else {}, aye, nay, rest, found, period)


def _private(state: State, seat: str, told: Private) -> State:
    party = state.parties[seat]
    draft = None
    if told.draft:
        draft = s.Draft(told.draft, told.filed or max(1, state.period - 1))
    changed = replace(
        party,
        specials=tuple(code for code in s.juniors(state) if code in (told.specials or ())),
        standing=None if told.standing == NONE else told.standing,
        draft=draft,
        tabled=party.tabled if told.tabled is None else told.tabled,
        name=told.name or party.name,
    )
    return s.with_party(state, seat, changed)


def _agrees(
    where: str, told: Mapping[str, Any], seen: Mapping[str, Any], following: set[str]
) -> None:
    for key, value in told.items():
        if key in following and value != seen[key]:
            wrong(
                f"{where}.{key}",
                f"{shown(value)} does not fit the rest, which gives {shown(seen[key])}",
            )
