"""The opening (1), or a scenario's position. What views derive must agree."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pbem.games.coalition import state as s
from pbem.games.coalition import views
from pbem.games.coalition.orders import LONGEST_NAME, NONE
from pbem.games.coalition.state import State
from pbem.games.coalition.steps import filed, known, reckoned, verdict
from pbem.games.frame import scenario as kinds
from pbem.games.frame.codec import Json
from pbem.games.frame.conditions import from_text
from pbem.games.frame.events import Minutes, Seat
from pbem.games.frame.options import Options
from pbem.games.frame.ruleset import Outcome
from pbem.games.frame.scenario import At, Listed, Name, Part, Table, Text, Whole, Word, entry, wrong
from pbem.orders.language import Language

_ID = re.compile(r"[Vv]([0-9]{1,4})")
_LETTER = re.compile(r"[A-Z]")
_PERIODS = 99


def _motion_id(_: At, word: str) -> str | None:
    found = _ID.fullmatch(word)
    return f"V{int(found[1])}" if found else None


def _specials(at: At, listed: tuple[str, ...] | str) -> tuple[str, ...] | None:
    """Also as ordered."""
    if isinstance(listed, str):
        words = [] if listed.upper() == NONE else listed.replace(",", " ").split()
        listed = Listed(Name("ministry")).read(at, words)
    fits = set(listed) <= set(at.names["junior"].listed) and len(set(listed)) == len(listed)
    return listed if fits and len(listed) <= s.MOST_SPECIALS else None


class Slate(kinds.Kind[dict[str, str]]):
    """A slate by ministry or party; parts may lack."""

    about = 'a table of ministries, as { PM = "A" } or { A = ["PM", "INF"] }'
    form = (Mapping,)

    def made(self, at: At, given: Mapping[str, Any]) -> dict[str, str]:
        if isinstance(given.get("slate"), Mapping):
            given = given["slate"]
        party, ministry, find = Name("party"), Name("ministry"), at.names["party"].find
        slate = {
            ministry.read(at, code): party.read(at / code, value)
            for code, value in given.items()
            if not find(code)
        }
        for code, value in given.items():
            if named := find(code):
                codes = [value] if isinstance(value, str) else value
                for one in Listed(ministry).read(at / code, codes):
                    slate[one] = named
        return slate


_VOTE = Word(s.AYE, s.NAY, s.ABSTAIN)
_MOTION_ID = kinds.Made(Text(), _motion_id, "a motion's id, as V1,")


@dataclass(frozen=True, slots=True)
class Motion:
    id: str | None = entry(_MOTION_ID, "its number", "the next one")
    sponsor: str | None = entry(Name("party"), "who moved it", "as private.PARTY.motions has it")
    slate: dict[str, str] | None = entry(Slate(), "who gets which ministry", "none")


@dataclass(frozen=True, slots=True)
class Division(Motion):
    id: str | None = entry(_MOTION_ID, "its number", "its place in the list")
    votes: dict[str, str] | None = entry(
        Table(Name("party"), _VOTE), "how each party voted", "as private.PARTY.votes has it"
    )
    aye: int | None = entry(Whole(), "MPs for it", "by the votes")
    nay: int | None = entry(Whole(), "MPs against it", "by the votes")
    abstain: int | None = entry(Whole(), "all other MPs", "the rest")
    verdict: str | None = entry(
        Word(s.MAJORITY, s.MINORITY, s.DEFEATED), "the outcome", "by the votes"
    )
    period: int | None = entry(Whole(2, _PERIODS), "when it was voted on", "its number and one")


@dataclass(frozen=True, slots=True)
class Public:
    follows: ClassVar = (
        *("options", "majority", "ministries", "juniors", "compulsory", "drafts", "specials"),
        *("raw", "scores", "result"),
    )
    phase: str | None = entry(Word(s.OPENING, s.SITTING), "the phase, also as `phase`")
    period: int | None = entry(
        Whole(1, _PERIODS), "the period now running, up to MAX_PERIODS", "the earliest that fits"
    )
    periods_left: int | None = entry(Whole(0, _PERIODS), "instead of `period`: how many remain")
    status: str | None = entry(
        Word("OPEN", "OVER"), "OVER: the game is over, and scored from its history", "OPEN"
    )
    seats: dict[str, int] | None = entry(Table(Name("party"), Whole(1)), "MPs of the parties")
    names: dict[str, str] | None = entry(
        Table(Name("party"), Text(LONGEST_NAME)), "names of the parties", "their letters"
    )
    vacant: tuple[str, ...] | None = entry(
        Listed(Name("party")), "parties without a player, besides those nobody was seated for"
    )
    tabled: dict[str, int] | None = entry(
        Table(Name("party"), Whole()), "how many of a party's motions reached the floor", "0"
    )
    motion: Motion | None = entry(Part(Motion), "the motion on the floor", "none", also="floor")
    history: tuple[Division, ...] | None = entry(Listed(Part(Division)), "motions voted", "none")


@dataclass(frozen=True, slots=True)
class Private:
    follows: ClassVar = ("party",)
    name: str | None = entry(Text(LONGEST_NAME), "the party's name", "as public.names has it")
    specials: tuple[str, ...] | None = entry(
        kinds.Made(
            kinds.Either(Listed(Name("ministry")), Text()),
            _specials,
            "a list of up to four different Junior Ministries",
        ),
        "its Special Ministries",
        "none",
    )
    standing: str | None = entry(Word(s.AYE, s.NAY, NONE), "its standing vote", "NONE")
    ifs: str | None = entry(Text(), "its votes with IF, as in an order", "none")
    draft: dict[str, str] | None = entry(Slate(), "its draft in the docket", "none")
    filed: int | None = entry(
        Whole(1, _PERIODS), "the period the draft's letter came in", "the last one"
    )
    tabled: int | None = entry(Whole(), "as public.tabled, for SPONSOR=SECRET")
    motions: tuple[str, ...] | None = entry(Listed(_MOTION_ID), "the motions it moved")
    votes: dict[str, str] | None = entry(Table(_MOTION_ID, _VOTE), "its votes, for BALLOTS=SECRET")


@dataclass(frozen=True, slots=True)
class Scenario:
    phase: str | None = entry(
        Word(s.OPENING, s.SITTING),
        "OPENING is period 1, SITTING any later one",
        "as the period has it",
    )
    public: Public = entry(Part(Public), "what everybody may know", default=Public())
    private: dict[str, Private] | None = entry(
        Table(Name("party"), Part(Private)), "what a party alone knows"
    )


@dataclass(frozen=True, slots=True)
class MinistryRow:
    name: str = entry(Text(60), "its name", needed=True)
    value: int = entry(Whole(), "points", needed=True)
    rank: str = entry(
        Word("prime", "senior", s.JUNIOR, s.OPTIONAL, exact=True), "its rank", needed=True
    )


@dataclass(frozen=True, slots=True)
class Tables:
    majority: int | None = entry(Whole(1), "MPs that make a majority of all")
    order: tuple[str, ...] | None = entry(
        Listed(Text(10), least=1, once=True), "the table's order of the ministries"
    )
    parties: dict[str, int] | None = entry(
        Table(kinds.Pattern(_LETTER, "a capital letter"), Whole(1)), "MPs of the parties"
    )
    ministries: dict[str, MinistryRow] | None = entry(
        Table(Text(10), Part(MinistryRow)), "the ministries"
    )


def agree(tables: Mapping[str, Any]) -> None:
    """Raise ScenarioError if merged tables disagree."""
    for code in tables["order"]:
        if code not in tables["ministries"]:
            wrong("tables.order", f"{code!r} is none of tables.ministries")


def reading(scenario: Json, tables: Mapping[str, Any]) -> Scenario:
    """Read ministries also without slash."""
    order = tables["order"]
    codes = {spelt: code for code in order for spelt in (code.replace("/", ""), code)}
    juniors = [code for code in order if tables["ministries"][code]["rank"] == s.JUNIOR]
    names = {
        "party": kinds.in_capitals(tables["parties"]),
        "ministry": kinds.Names(tuple(order), lambda word: codes.get(word.upper())),
        "junior": kinds.exact(juniors),
    }
    return kinds.read_whole(Scenario, scenario, names)


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
    told = reading(scenario, tables)
    public, private = _numbered(told.public), told.private or {}
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
    earliest = [2 if public.phase == s.SITTING else 1]
    earliest += [_number(public.motion.id) + 1] if public.motion else []
    earliest += [_number(division.id) + 2 for division in public.history or ()]
    return min(max(earliest), last)


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


def _motion(told: Motion | Division, private: Mapping[str, Private]) -> s.Motion:
    number = f"V{_number(told.id)}"
    known = [seat for seat, own in private.items() if number in (own.motions or ())]
    return s.Motion(number, told.sponsor or (known[0] if known else None), told.slate or {})


def _division(state: State, private: Mapping[str, Private], nth: int, told: Division) -> s.Division:
    where = f"public.history[{nth}]"
    motion = _motion(told, private)
    votes = (told.votes or {}) | kinds.of_each(
        private, lambda own: (own.votes or {}).get(motion.id)
    )
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
    filed_in = told.filed or max(1, state.period - 1)
    changed = replace(
        party,
        specials=tuple(code for code in s.juniors(state) if code in (told.specials or ())),
        standing=None if told.standing == NONE else told.standing,
        draft=s.Draft(told.draft, filed_in) if told.draft else None,
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
                f"{kinds.shown(value)} does not fit the rest, which gives {kinds.shown(seen[key])}",
            )
