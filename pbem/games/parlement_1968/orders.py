"""Orders: their slots, canonical texts, and what they are checked for from public facts and the
sender's own secrets."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NoReturn

from pbem.games.frame.events import grouped
from pbem.games.parlement_1968 import state as s
from pbem.games.parlement_1968.state import State, Tables
from pbem.games.parlement_1968.steps.house import House, is_independent, officer
from pbem.orders import declared
from pbem.orders.order import Checked, Order, Pass, Problem, Standing, Worded, Wording
from pbem.orders.spelling import is_number
from pbem.text import listed

_BEFORE_LISTS = ("formation", "program", "budget", "bill")
_PERIODS: Mapping[str, str] = {
    "formation": "the forming of a Government",
    "program": "the Program",
    "budget": "the vote on the Budget",
    "bill": "the vote on a bill",
    "candidates": "the lists of candidates",
    "ballot": "the ballot",
    "withdrawals": "withdrawals",
    "runoff": "the runoff",
}


@dataclass(slots=True)
class Case(declared.Case[State, Tables], House):
    """What a check may read; what it refuses with."""

    names: s.Names = field(kw_only=True)

    def found(self, found: str | Problem, rule: str = "") -> str:
        """Return a key that was looked up, or refuse as the look-up does."""
        if isinstance(found, Problem):
            self.stop(replace(found, rule=rule or found.rule))
        return found

    def key(self, kind: str, word: str, rule: str = "") -> str:
        return self.found(self.names.find(kind, word), rule)

    def bill(self, bill: str) -> None:
        message = f"There is no bill {bill}."
        self.refuse_if(bill not in self.tables.bills, "E_BILL", message, "4.2")

    def not_premier(self, word: str, rule: str) -> NoReturn:
        member = (self.state.government or {}).get(self.tables.premier, "")
        who = f"the Premier is {member}" if member else "there is no Premier now"
        self.refuse("E_ROLE", f"Only the Premier may give {word}.", rule, who)

    def only_premier(self, word: str, rule: str) -> None:
        if self.premier != self.seat:
            self.not_premier(word, rule)

    def member(self, party: str, district: str) -> None:
        holder = s.members(self.state).get(district)
        if holder == party and party in self.tables.parties:
            return
        independent = f"The member for {district} is independent and joins no Government."
        self.refuse_if(holder and is_independent(holder), "E_MEMBER", independent, "3.6")
        message = f"{party or 'Nobody'} does not hold {district}; {holder or 'nobody'} does."
        self.refuse("E_MEMBER", message, "3.4")

    def regions(self, word: str, *, standing: bool = False, rule: str = "") -> list[str]:
        """Return the factions meant: "EAS"; "" for a standing vote of the whole party."""
        own = [unit.partition("-")[2] for unit in self.own_factions(self.seat)]
        if not word:
            message = "You have no faction that could vote."
            self.refuse_if(not own and not standing, "E_FACTION", message, rule or "1.4")
            return [*([""] if standing else []), *(region.upper() for region in own)]
        region = self.found(self.names.own_region(word, self.seat), rule)
        yours = s.note(f"your factions: {', '.join(own) or 'none'}")
        message = f"You have no faction {self.seat}-{region}."
        self.refuse_if(region not in own, "E_FACTION", message, rule or "1.4", *yours)
        return [region.upper()]

    def refuse_two(self, values: Iterable[tuple[str, str]], code: str, rule: str) -> None:
        """Refuse an order that gives one thing two values."""
        given = dict[str, str]()
        for name, value in values:
            before = given.setdefault(name, value)
            message = f"{name} cannot be both {before} and {value}."
            self.refuse_if(before != value, code, message, rule)

    def levels(self, levels: Iterable[tuple[str, str]]) -> dict[str, str]:
        """Return the levels of budget items, one each."""
        given = [(self.key("item", item, "4.3"), level) for item, level in levels]
        self.refuse_two(given, "E_LEVEL", "4.3")
        return dict(given)

    def contested(self, word: str, rule: str) -> str:
        """Return a district in which candidates stand now."""
        district = self.key("district", word, rule)
        runoffs = s.note(f"runoffs: {s.spans(self.state.runoffs, self.tables)}")
        message = f"No runoff is held in {district}."
        self.refuse_if(not self.is_held(district), "E_DISTRICT", message, "8.18", *runoffs)
        return district

    def is_held(self, district: str) -> bool:
        return self.state.phase == "ballot" or district in self.state.runoffs

    def stands(self, word: str, district: str) -> bool:
        candidate = self.found(self.names.find_candidate(word))
        return candidate in self.state.candidates.get(district, {})

    def candidate(self, word: str, district: str, rule: str) -> str:
        """Return a candidate who stands there, as orders spell them."""
        candidate = self.found(self.names.find_candidate(word))
        here = ", ".join(map(written, self.state.candidates.get(district, {}))) or "nobody"
        notes = s.note(f"in {district} there are: {here}")
        message = f"{candidate} has no candidate in {district}."
        self.refuse_if(not self.stands(word, district), "E_CANDIDATE", message, rule, *notes)
        return written(candidate)


class _Order(declared.Declared):
    """``rule``: of the periods in which it may be given. ``word``: in their refusal."""

    word: ClassVar[Any]
    rule: ClassVar[str] = ""


# --- Governments and Programs (3, 4) --------------------------------------------------------------


class Government(_Order):
    """A proposed Government (3.3)."""

    officers: tuple[tuple[str, str, str], ...]
    """(office, party, district), in order."""
    endorsers: tuple[str, ...]
    loose: str = ""
    """Words that make no officer."""
    offered_only = True
    word = "GOVERNMENT"
    phases = ("formation",)
    rule = "3.3"
    slot: ClassVar[str] = "GOVERNMENT"

    @property
    def members(self) -> dict[str, str]:
        """{office: "Soc E5"}."""
        return {office: f"{party} {district}" for office, party, district in self.officers}

    def __str__(self) -> str:
        listed = ", ".join(f"{office.upper()} {who}" for office, who in self.members.items())
        text = f"GOVERNMENT {listed}{self.loose}"
        return text + (f"; ENDORSED BY {', '.join(self.endorsers)}" if self.endorsers else "")

    def check(self, case: Case) -> Checked:
        """3.3-3.6."""
        tables, own = case.tables, case.own_factions(case.seat)
        loose = f'"{self.loose.strip(", ")}" names no officer: write office, party, district.'
        offices = s.note(f"the offices: {', '.join(x.name for x in tables.offices.values())}")
        case.refuse_if(self.loose, "E_GOVERNMENT", loose, "3.3", *offices)
        officers = self._officers(case)
        empty = [office.name for key, office in tables.offices.items() if key not in officers]
        message = f"Every office must be filled; empty: {', '.join(empty)}."
        case.refuse_if(empty, "E_GOVERNMENT", message, "3.4")
        inside = {case.faction_of(party, district) for _, party, district in officers.values()}
        endorsers = self._endorsers(case, inside)
        proposed = Government(tuple(officers[office] for office in tables.offices), endorsers)
        units = [unit for unit in own if unit in inside or unit in endorsers]
        return Checked((proposed, *(Sign(0, unit.partition("-")[2].upper()) for unit in units)))

    def _officers(self, case: Case) -> dict[str, tuple[str, str, str]]:
        """Return {office: (office, party, district)} (3.4, 3.6)."""
        held, officers = s.members(case.state), dict[str, tuple[str, str, str]]()
        for office, party, district in self.officers:
            place = case.key("office", office, "3.1")
            seat_of = case.key("district", district, "3.3")
            who = case.key("party", party) if party else held.get(seat_of, "")
            case.member(who, seat_of)
            officers[place] = (place, who, seat_of)
        return officers

    def _endorsers(self, case: Case, inside: Collection[str]) -> tuple[str, ...]:
        endorsers, known = list[str](), case.factions()
        for word in self.endorsers:
            faction = case.found(case.names.full_faction(word))
            there = s.note(f"there are: {', '.join(f for f in known if not is_independent(f))}")
            message = f"There is no faction {faction}."
            case.refuse_if(faction not in known, "E_FACTION", message, "3.3", *there)
            if faction not in inside and faction not in endorsers:
                endorsers.append(faction)
        return tuple(endorsers)


class Sign(_Order):
    """SIGN or WITHDRAW GOVERNMENT (R1)."""

    number: int
    """0: MINE, the sender's proposal of this period."""
    faction: str
    withdraw: bool = False
    offered_only = True
    phases = ("formation",)
    rule = "3.3"
    slot = Wording("SIGN GOVERNMENT {faction}")

    def __str__(self) -> str:
        word = "WITHDRAW" if self.withdraw else "SIGN"
        whose = f" FOR {self.faction}" if self.faction else ""
        return f"{word} GOVERNMENT {self.number or 'MINE'}{whose}"

    @property
    def word(self) -> str:
        return "WITHDRAW GOVERNMENT" if self.withdraw else "SIGN"

    def check(self, case: Case) -> Checked:
        """R1. A folder may name a proposal of its period; a letter what its writer knows."""
        state, own = case.state, self._units(case)
        known = next((p for p in state.proposals if p.number == self.number), None)
        if known is not None or (self.number and isinstance(state, s.Seen)):
            who = own[0] if self.faction else case.seat
            own = [unit for unit in own if known and unit in case.named(known)]
            mine = [str(p.number) for p in state.proposals if case.own_named(p, case.seat)]
            notes = s.note(f"you are named in: {listed(mine) or 'none so far'}")
            message = f"Proposal {self.number} does not name {who}."
            case.refuse_if(not own, "E_PROPOSAL", message, "R1", *notes)
            if known and not self.withdraw and (why := case.dead(known)):
                message = f"Proposal {known.number} can never take office: {why}."
                case.refuse("E_DEAD", message, "R33")
        case.refuse_if(not own, "E_FACTION", "You have no faction that could sign.", "3.3")
        return Checked(tuple(replace(self, faction=unit.partition("-")[2].upper()) for unit in own))

    def _units(self, case: Case) -> list[str]:
        own = list(case.own_factions(case.seat))
        if not self.faction:
            return own
        unit = f"{case.seat}-{case.found(case.names.own_region(self.faction, case.seat))}"
        case.refuse_if(unit not in own, "E_FACTION", f"You have no faction {unit}.", "1.4")
        return [unit]


class Propose(_Order):
    """Levels of budget items, and bills in order (4.1, 4.4)."""

    levels: tuple[tuple[str, str], ...]
    bills: tuple[str, ...]
    word = "PROGRAM"
    phases = ("program", "budget")
    rule = "4.1"
    slot: ClassVar[str] = "PROGRAM"

    def __str__(self) -> str:
        parts = [_levels(self.levels)] if self.levels else []
        parts += [f"BILLS {', '.join(self.bills)}"] if self.bills else []
        return f"PROGRAM {'; '.join(parts) or 'NONE'}"

    def check(self, case: Case) -> Propose:
        """4.1-4.4, 5.7. A new Budget vote changes only levels (R8)."""
        _budget_again(case, "PROGRAM")
        case.only_premier("PROGRAM", "4.1")
        _no_bills(case, self.bills)
        passed = "This year's Budget has passed; propose bills only."
        case.refuse_if(case.state.budget_passed and self.levels, "E_BUDGET", passed, "4.5")
        for _, level in self.levels:
            _high_or_low(case, level)
        levels = case.levels(self.levels)
        for bill in self.bills:
            case.bill(bill)
        return Propose(_in_order(case, levels), self.bills)


def _budget_again(case: Case, word: str) -> None:
    again = case.state.program and case.state.program.again
    message = f"{word} is not possible in the budget period."
    case.refuse_if(case.state.phase == "budget" and not again, "E_PHASE", message, "4.4")


def _no_bills(case: Case, bills: object) -> None:
    message = "No bills may be added or subtracted during the year."
    case.refuse_if(case.state.phase == "budget" and bills, "E_BILLS", message, "4.4")


def _high_or_low(case: Case, level: str) -> None:
    message = f"A budget item is H or L, not {level}."
    case.refuse_if(level not in ("H", "L"), "E_LEVEL", message, "4.3")


def _in_order(case: Case, levels: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((item, levels[item]) for item in case.tables.items if item in levels)


class Approve(_Order):
    """Approval of a bill or low item (4.2)."""

    bill: str
    item: str
    level: str = "L"

    word = "APPROVE"
    phases = ("program", "budget")
    rule = "4.2"

    @property
    def slot(self) -> str:
        return f"APPROVE BILL {self.bill}" if self.bill else f"APPROVE {self.item.upper()}"

    def __str__(self) -> str:
        return self.slot if self.bill else f"{self.slot} {self.level}"

    def check(self, case: Case) -> Approve:
        """4.2. A minister about to come in may approve too."""
        state, tables = case.state, case.tables
        _budget_again(case, "APPROVE")
        if self.bill:
            case.bill(self.bill)
            _no_bills(case, self.bill)
            needed, approved = case.offices_for(bill=self.bill), self
        else:
            item = case.key("item", self.item, "4.3")
            _high_or_low(case, self.level)
            needed, approved = case.offices_for(item=item), Approve("", item, self.level)
        entering = {x.office for x in case.of(Reshuffle) if x.party == case.seat}
        if any(case.ministry(office) == case.seat or office in entering for office in needed):
            return approved
        nobodys = f"{approved.slot} is nobody's to give: no office controls it."
        case.refuse_if(not needed, "E_ROLE", nobodys, "4.2")
        ministers = [f"the {tables.offices[office].name} minister" for office in needed]
        held = (state.government or {}).items()
        own = [tables.offices[key].name for key, one in held if officer(one)[0] == case.seat]
        yours = s.note(f"your offices: {', '.join(own) or 'none'}")
        message = f"Only {listed(ministers, 'or')} may give {approved.slot}."
        case.refuse("E_ROLE", message, "4.2", *yours)


class Resign(_Order):
    """Leaving an office (3.7, R4)."""

    office: str
    """Empty until checked."""
    offered_only = True
    word = "RESIGN"
    phases = (*s.SESSION, *s.ELECTION)
    rule = "3.7"
    slot = written = Wording("RESIGN {office!u}")

    def check(self, case: Case) -> Checked:
        """3.7, R4. RESIGN alone: the Premiership, else all own offices."""
        tables = case.tables
        if not self.office:
            own = [office for office in tables.offices if case.ministry(office) == case.seat]
            message = "Only a member of the Government may give RESIGN."
            case.refuse_if(not own, "E_ROLE", message, "3.7")
            return Checked(tuple(map(Resign, own[:1] if own[0] == tables.premier else own)))
        office = case.key("office", self.office, "3.1")
        title = tables.offices[office].name
        who = f"the {title}" if office == tables.premier else f"the {title} minister"
        message = f"Only {who} may give RESIGN {office.upper()}."
        case.refuse_if(case.ministry(office) != case.seat, "E_ROLE", message, "3.7")
        return Checked((Resign(office),))


class Reshuffle(_Order):
    """RESHUFFLE, and the CONSENT to it (3.8, R3)."""

    office: str
    party: str
    district: str
    consent: bool = False
    offered_only = True
    phases = s.SESSION
    rule = "3.8"
    slot = Wording("{word} {office!u}")
    written = Wording("{word} {office!u} {party} {district}")

    @property
    def word(self) -> str:
        return "CONSENT" if self.consent else "RESHUFFLE"

    def check(self, case: Case) -> Reshuffle:
        """3.8, R3."""
        office, party, district = (
            case.key(kind, getattr(self, kind), "3.8") for kind in ("office", "party", "district")
        )
        if case.state.government is None:
            case.not_premier(self.word, "3.8")
        if not self.consent:
            case.only_premier(self.word, "3.8")
        mine = case.seat in (party, case.ministry(office))
        message = "Only the parties of the outgoing and the incoming minister may give CONSENT."
        case.refuse_if(self.consent and not mine, "E_ROLE", message, "3.8")
        message = "The Premier is not reshuffled: if the Premier resigns the Government falls."
        case.refuse_if(office == case.tables.premier, "E_OFFICE", message, "3.7")
        case.member(party, district)
        return Reshuffle(office, party, district, self.consent)


class Call(_Order):
    """CALL ELECTION (8.1)."""

    offered_only = True
    word = "CALL ELECTION"
    phases = _BEFORE_LISTS[1:]
    rule = "8.1"
    slot = written = Wording("CALL ELECTION")

    def check(self, case: Case) -> None:
        case.only_premier(self.word, "8.1")
        message = "An election has been called already."
        case.refuse_if(case.state.call_year, "E_CALLED", message, "8.1")


# --- votes and money (1.8, 5) ---------------------------------------------------------------------


class Vote(_Order):
    """A vote on a bill (5.2)."""

    bill: str
    choices: tuple[tuple[str, str], ...]
    """(faction or "", choice)."""
    standing: bool = False
    """Kept for later votes (house rule 9)."""

    word = "VOTE"
    phases = ("bill", "candidates")
    rule = "5.1"

    @property
    def slot(self) -> str:
        only = self.choices[0][0] if len(self.choices) == 1 else ""
        return f"{_standing(self.standing)}VOTE {self.bill} {only}".strip()

    def __str__(self) -> str:
        listed = ", ".join(f"{faction} {choice}".strip() for faction, choice in self.choices)
        return f"{_standing(self.standing)}VOTE {self.bill} {listed}"

    def check(self, case: Case) -> Checked:
        """5.2, 5.4."""
        case.bill(self.bill)
        named = (
            (f"The vote of {faction}" if faction else "Your vote", choice)
            for faction, choice in self.choices
        )
        case.refuse_two(named, "E_VOTE", "5.2")
        if not self.standing:
            agenda = case.state.program.agenda if case.state.program else ()
            before = f"bill {agenda[0]} is" if agenda else "nothing is"
            message = f"Bill {self.bill} is not before the house; {before}."
            later = s.note(f"for later, write STANDING VOTE {self.bill} and your choice")
            case.refuse_if(agenda[:1] != (self.bill,), "E_BILL", message, "5.1", *later)
            none = any(choice == "NONE" for _, choice in self.choices)
            case.refuse_if(none, "E_VOTE", "Vote YES, NO or ABSTAIN.", "5.2")
        return _filed(
            replace(self, choices=((region, choice),))
            for word, choice in self.choices
            for region in case.regions(word, standing=self.standing)
        )


class VoteBudget(_Order):
    """A vote on the Budget (5.3)."""

    groups: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    """(faction or "", ((item, level), ...)); no levels: NONE."""
    standing: bool = False

    word = "VOTE BUDGET"
    phases = ("budget",)
    rule = "5.1"

    @property
    def slot(self) -> str:
        only = self.groups[0][0] if len(self.groups) == 1 else ""
        return f"{_standing(self.standing)}VOTE BUDGET {only}".strip()

    def __str__(self) -> str:
        said = (f"{unit} {_levels(levels) or 'NONE'}".strip() for unit, levels in self.groups)
        return f"{_standing(self.standing)}VOTE BUDGET {', '.join(said)}"

    def check(self, case: Case) -> Checked:
        """5.3, R10."""
        filed: list[Order] = []
        for word, levels in self.groups:
            regions = case.regions(word, standing=self.standing)
            named = case.levels(levels)
            message = "Vote H, L or ABSTAIN on each item."
            case.refuse_if(not levels and not self.standing, "E_VOTE", message, "5.3")
            voted = _in_order(case, named)
            filed += (replace(self, groups=((region, voted),)) for region in regions)
        return _filed(filed)


def _filed(orders: Iterable[Order]) -> Checked:
    """Return the last order for each slot."""
    return Checked(tuple({order.slot: order for order in orders}.values()))


class Expel(_Order):
    """Expulsion of a faction's members (1.8)."""

    faction: str
    offered_only = True
    word = "EXPEL"
    slot = written = Wording("EXPEL {faction}")

    def check(self, case: Case) -> Expel:
        return Expel(case.regions(self.faction, rule="1.8")[0])


class Pay(_Order):
    """A payment (house rule 11)."""

    amount: int
    payee: str
    period: int = 0
    """0: the running one."""

    offered_only = True
    word = "PAY"

    @property
    def slot(self) -> str:
        return f"PAY {self.payee.upper()}" + (f" IN PERIOD {self.period}" if self.period else "")

    def __str__(self) -> str:
        when = f" IN PERIOD {self.period}" if self.period else ""
        return f"PAY {self.amount} TO {self.payee}{when}"

    def check(self, case: Case) -> Pay:
        """House rule 11, R18."""
        payee, now = case.key("party", self.payee), case.state.period
        case.refuse_if(payee == case.seat, "E_SELF", "You cannot pay yourself.", "H11")
        closed = f"Period {self.period} is closed; this is period {now}."
        case.refuse_if(0 < self.period < now, "E_PERIOD", closed, "H11")
        return Pay(self.amount, payee, self.period if self.period > now else 0)


# --- elections (8) --------------------------------------------------------------------------------


class Candidates(_Order):
    """The whole list (8.4); empty: NONE."""

    offered_only = True
    districts: tuple[str, ...]
    word = "CANDIDATES"
    phases = (*_BEFORE_LISTS, "candidates")
    rule = "8.4"
    slot: ClassVar[str] = "CANDIDATES"

    def __str__(self) -> str:
        return f"CANDIDATES {', '.join(self.districts) or 'NONE'}"

    def check(self, case: Case) -> Candidates:
        found = (case.key("district", word, "8.4") for word in self.districts)
        return Candidates(tuple(dict.fromkeys(found)))


class Announce(_Order):
    """An early candidate (8.5)."""

    offered_only = True
    district: str
    word = "ANNOUNCE"
    phases = _BEFORE_LISTS
    rule = "8.5"
    slot = Wording("ANNOUNCE {district}")
    written = Wording("ANNOUNCE CANDIDATES {district}")

    def check(self, case: Case) -> Announce:
        district = case.key("district", self.district, "8.5")
        already = district in case.state.announced.get(case.seat, ())
        message = f"You have announced a candidate in {district} already."
        case.refuse_if(already, "E_ANNOUNCED", message, "8.5")
        return Announce(district)


class Record(_Order):
    """A borrowed record (8.8)."""

    region: str
    source: str
    word = "RECORD"
    phases = (*_BEFORE_LISTS, "candidates")
    rule = "8.8"
    slot = Wording("RECORD {region}")
    written = Wording("RECORD {region} AS {source}")

    def check(self, case: Case) -> Record:
        """8.8, 8.12, R15."""
        seat = case.seat
        region, source = (
            case.found(case.names.own_region(word, seat), "8.8")
            for word in (self.region, self.source)
        )
        own, lent = case.own_factions(seat), f"{seat}-{source}"
        counts = f"You have a faction in {region}: its record counts there."
        case.refuse_if(f"{seat}-{region}" in own, "E_RECORD", counts, "8.12")
        case.refuse_if(lent not in own, "E_FACTION", f"You have no faction {lent}.", "8.8")
        message = f"{lent} has {own[lent]} of {sum(own.values())} members, less than a fifth."
        case.refuse_if(not case.lawful_record(seat, source), "E_FIFTH", message, "8.8")
        return Record(region.upper(), source.upper())


class Spend(_Order):
    """Crowns for a candidate (8.17)."""

    amount: int
    candidate: str
    district: str
    offered_only = True
    word = "SPEND"
    phases = ("ballot", "runoff")
    rule = "8.17"
    slot = Wording("SPEND {candidate!u} {district}")
    written = Wording("SPEND {amount} ON {candidate} IN {district}")

    def check(self, case: Case) -> Spend:
        district = case.contested(self.district, "8.17")
        candidate = case.candidate(self.candidate, district, "8.17")
        return Spend(self.amount, candidate, district)


def written(candidate: str) -> str:
    """Spell a candidate; :meth:`Tables.candidate_named` reverses it."""
    return candidate.upper() if is_independent(candidate) else candidate


class Bloc(_Order):
    """A bloc instruction (8.15)."""

    bloc: str
    where: str
    """District or region."""
    candidate: str
    word = "BLOC"
    phases = ("ballot", "runoff")
    rule = "8.15"
    slot = Wording("BLOC {bloc} {where}")
    written = Wording("BLOC {bloc} IN {where} FOR {candidate}")

    def check(self, case: Case) -> Checked:
        """8.15. A region means its districts where the candidate stands."""
        tables = case.tables
        bloc, region = case.key("bloc", self.bloc, "8.15"), ""
        if not any(map(is_number, self.where)):
            region = case.key("region", self.where, "8.15")
        held, name = case.controls().get(bloc), tables.blocs[bloc]
        if held is None or held.party != case.seat:
            mine = [b for b, x in case.controls().items() if x.party == case.seat]
            yours = s.note(f"blocs you control: {', '.join(mine) or 'none'}")
            case.refuse("E_CONTROL", f"You do not control the {name}.", "8.15", *yours)
        filed: list[Order] = []
        for word in filter(case.is_held, tables.of_region(region)) if region else [self.where]:
            district = case.contested(word, "8.15")
            place = tables.region_of[district]
            message = f"You have no faction in {place} to instruct the {name} there."
            case.refuse_if(place not in held.regions, "E_CONTROL", message, "8.15")
            if not region or case.stands(self.candidate, district):
                filed.append(Bloc(bloc, district, case.candidate(self.candidate, district, "8.15")))
        nowhere = f"{self.candidate} stands nowhere in {region}."
        case.refuse_if(not filed, "E_CANDIDATE", nowhere, "8.15")
        return Checked(tuple(filed))


class Withdraw(_Order):
    """A withdrawal from a runoff (8.19)."""

    offered_only = True
    district: str
    word = "WITHDRAW CANDIDATE"
    phases = ("withdrawals",)
    rule = "8.19"
    slot = written = Wording("WITHDRAW CANDIDATE {district}")

    def check(self, case: Case) -> Withdraw:
        state, district = case.state, case.contested(self.district, "8.19")
        own = [d for d in state.runoffs if case.seat in state.candidates.get(d, {})]
        yours = s.note(f"your runoffs: {s.spans(own, case.tables) or 'none'}")
        message = f"You have no candidate in {district}."
        standing = case.seat in state.candidates.get(district, {})
        case.refuse_if(not standing, "E_CANDIDATE", message, "8.19", *yours)
        return Withdraw(district)


class Continue(Worded):
    """The answer to house rule 7."""

    slot = written = Wording("CONTINUE")


ORDERS = (*_Order.__subclasses__(), Continue, Pass)


def check(state: State, names: s.Names, seat: str, standing: Standing, order: Order) -> Checked:
    """Say whether ``seat`` may file it beside what stands; words for the phase come first."""
    if not isinstance(order, _Order):
        return Checked((order,))
    phases = () if getattr(order, "standing", False) else order.phases
    if phases and state.phase not in phases:
        message = f"{order.word} is not possible in the {state.phase} period."
        notes = s.note(f"it is for: {listed((_PERIODS[phase] for phase in phases), 'or')}")
        return Checked.refused("E_PHASE", message, order.rule, *notes)
    checked = declared.checked(order, Case(state, names.tables, seat, standing, names=names))
    if state.phase == "formation" and checked.orders and "PASS" in standing:
        return replace(checked, replaces=(*checked.replaces, "PASS"))  # it is no longer true
    return checked


def _standing(standing: bool) -> str:
    return "STANDING " if standing else ""


def _levels(levels: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"{item.upper()} {level}" for item, level in levels)


def gathered(texts: Sequence[str]) -> list[str]:
    """Join orders that differ in one name. Omit a faction's vote that repeats its party's."""
    lines = grouped(_shape(text) for text in texts if not _said_by_all(text, texts))
    return [_in_one_line(shape, names) for shape, names in lines.items()]


def _said_by_all(text: str, texts: Sequence[str]) -> bool:
    match text.split():
        case ["STANDING", "VOTE", bill, _, choice] if bill != "BUDGET":
            return f"STANDING VOTE {bill} {choice}" in texts
        case ["STANDING", "VOTE", "BUDGET", _, *levels] if len(levels) % 2 == 0:
            return f"STANDING VOTE BUDGET {' '.join(levels)}" in texts
    return False


def _shape(text: str) -> tuple[tuple[str, ...], str]:
    match text.split():
        case ["SPEND", crowns, "ON", who, "IN", district]:
            return ("SPEND", crowns, who), district
        case ["BLOC", bloc, "IN", district, "FOR", who]:
            return (f"BLOC {bloc} IN", f"FOR {who}"), district
        case ["SIGN" | "WITHDRAW" as word, "GOVERNMENT", number, "FOR", region]:
            return (f"{word} GOVERNMENT {number} FOR", ""), region
        case ["VOTE", bill, region, choice]:
            return (f"VOTE {bill}", ""), f"{region} {choice}"
        case ["STANDING", "VOTE", bill, region, choice]:
            return (f"STANDING VOTE {bill}", ""), f"{region} {choice}"
        case ["APPROVE", "BILL", bill]:
            return ("APPROVE BILL", ""), bill
        case ["ANNOUNCE" | "WITHDRAW" as word, "CANDIDATES" | "CANDIDATE" as what, district]:
            return (f"{word} {what}", ""), district
        case _:
            return (text, ""), ""


def _in_one_line(shape: tuple[str, ...], names: Sequence[str]) -> str:
    listed = ", ".join(names)
    if len(shape) == 3:
        word, crowns, who = shape
        total = f": {int(crowns) * len(names):,} in all" if len(names) > 1 else ""
        return f"{word} {crowns} ON {who} IN {listed}{total}"
    return " ".join(part for part in (shape[0], listed, shape[1]) if part)
