"""The state of a game (§2)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pbem.games.frame.conditions import WhatIf
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Minutes, Seat, seats_from
from pbem.games.frame.treasury import Accounts
from pbem.games.legislation import cards

BILL, AMEND, AMENDVOTE, VOTE, CAMPAIGN = "BILL", "AMEND", "AMENDVOTE", "VOTE", "CAMPAIGN"
PHASES = (BILL, AMEND, AMENDVOTE, VOTE, CAMPAIGN)

PUBLIC_APPROVAL, PUBLIC_DISAPPROVAL = "PUBLIC APPROVAL", "PUBLIC DISAPPROVAL"
PUBLIC_DISTRACTION, CORPORATE_APPROVAL = "PUBLIC DISTRACTION", "CORPORATE APPROVAL"
THREAT_OF_VETO, CORPORATE_DISAPPROVAL = "THREAT OF VETO", "CORPORATE DISAPPROVAL"
TREASURY_MIXUP, CRISIS = "TREASURY MIX-UP", "CRISIS!!!"

PASSED, FAILED, VETOED, EXTENDED, LAPSED = "passed", "failed", "vetoed", "extended", "lapsed"
"""Of a bill (§4.3)."""

GIFTS = {
    "BILLS": (BILL,),
    "AMENDMENTS": (AMEND, AMENDVOTE),
    "VOTES": (VOTE,),
    "CAMPAIGN": (CAMPAIGN,),
}
"""TRANSFERS of some phases (§3.8)."""
LATER = {"BALANCED_ROUNDS": "40", "TOKENS": "DEADLINE"}
"""Values in older games, which lack these options."""

NUMBERS = {"bill_cards": Fraction(2), "majority": Fraction(1, 2), "veto": Fraction(2, 3)}
"""Charter numbers: least cards of a bill, the share of Ayes to exceed, and that under a veto."""


@dataclass(frozen=True, slots=True)
class Amendment:
    """A motion on a bill."""

    id: str
    bill: str
    action: str
    card: str
    movers: tuple[Seat, ...]

    @property
    def told(self) -> dict[str, str]:
        return {"id": self.id, "bill": self.bill, "action": self.action, "card": self.card}


@dataclass(frozen=True, slots=True)
class Bill:
    """A bill on the docket."""

    id: str
    chair: Seat
    core: tuple[str, ...]
    """The original cards; a Crisis's drawn three."""
    filed: tuple[str, ...]
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    """Core cards amended away."""
    dropped: tuple[str, ...] = ()
    """Cards already law (§4.3.1)."""
    yellow: str | None = None
    extensions: int = 0
    amendments: tuple[Amendment, ...] = ()
    carried: tuple[Amendment, ...] = ()
    """Those that changed it."""
    fresh: bool = True
    """Whether new in the round, so amendable."""

    @property
    def cards(self) -> tuple[str, ...]:
        """As amended."""
        return tuple(c for c in self.standing_core + self.added if c not in self.dropped)

    @property
    def standing_core(self) -> tuple[str, ...]:
        """Core cards neither removed nor dropped."""
        return tuple(c for c in self.core if c not in self.removed and c not in self.dropped)

    @property
    def crisis(self) -> bool:
        return self.yellow == CRISIS


@dataclass(frozen=True, slots=True, kw_only=True)
class Public:
    """What everybody knows of a position (§4.10)."""

    options: Mapping[str, str]
    seats: tuple[Seat, ...]
    order: tuple[Seat, ...]
    alive: tuple[Seat, ...]
    """In the order round the table."""
    period: int
    session: int
    first: Seat
    round: int
    phase: str
    first_period: bool
    """Whether the session's first period is open."""
    turns: tuple[Seat, ...] = ()
    """The round's chairs."""
    queue: tuple[Seat, ...] = ()
    """SERIAL: chairs to come."""
    again: tuple[Seat, ...] = ()
    """Chairs of Crisis bills passed this round."""
    missed: tuple[Seat, ...] = ()
    """The round's chairs without a bill."""
    filed: int = 0
    """Bills this session."""
    docket: tuple[Bill, ...] = ()
    decided: int
    failed: int
    mixup: int
    issues: tuple[str, ...] = ()
    law: frozenset[str]
    terms: Mapping[Seat, int]
    skip: frozenset[str]
    teams: Mapping[str, tuple[Seat, ...]] = field(default_factory=dict)
    crises: Mapping[Seat, int] = field(default_factory=dict)
    """By chair, this session."""
    balancing: bool = False
    """Whether the round only balances the law."""
    streak: int = 0
    """Bills in a row not passed."""
    doomed: bool = False
    """Whether that streak has lost all the election."""
    winners: tuple[Seat, ...] | None = None
    """None during the game."""
    numbers: Mapping[str, Fraction] = field(default_factory=dict)
    """``NUMBERS`` that the tables change."""
    laid: Mapping[Seat, Mapping[str, str]] = field(default_factory=dict)
    """With TOKENS=AT_ONCE: {seat: {card: side}}."""

    def on(self, name: str, value: str = "ON") -> bool:
        return self.options[name] == value

    @property
    def tokens_at_once(self) -> bool:
        """Whether tokens are told at once (§3.7)."""
        return self.options.get("TOKENS", LATER["TOKENS"]) == "AT_ONCE"

    @property
    def transfers(self) -> bool:
        """Whether tokens may be given now (§3.8)."""
        words = self.options["TRANSFERS"].split("+")
        return "ON" in words or any(self.phase in GIFTS.get(word, ()) for word in words)

    @property
    def last_campaign(self) -> bool:
        """Whether nothing is laid or voted on after this campaign."""
        return self.phase == "CAMPAIGN" and self.session >= self.number("MAX_SESSIONS")

    def turn_to_come(self, seat: Seat) -> bool:
        """Return whether it may lay a bill in a later period."""
        later = self.session < self.number("MAX_SESSIONS") or not self.on("BALANCED", "OFF")
        if self.last_campaign:
            return False
        return later or seat in self.queue or seat in self.again

    def number(self, name: str) -> int:
        """Return an option's number; the default in older games."""
        return int(self.options.get(name, LATER.get(name, "")))

    def share(self, name: str) -> Fraction:
        return self.numbers.get(name, NUMBERS[name])

    @property
    def bill_cards(self) -> int:
        """A bill's least cards (§3.5)."""
        return int(self.share("bill_cards"))

    @property
    def n(self) -> int:
        """Living players."""
        return len(self.alive)

    @property
    def serial(self) -> bool:
        return self.on("DOCKET", "SERIAL")

    @property
    def joint(self) -> bool:
        """Whether a team wins together; not with SINGLE_PARTY."""
        return bool(self.teams) and self.on("TEAM_WIN", "JOINT") and not self.on("SINGLE_PARTY")

    @property
    def conflicting(self) -> bool:
        """Whether both signs of an issue may be held."""
        return self.on("CONFLICTING")

    @property
    def secret(self) -> bool:
        return self.on("VOTES", "SECRET")

    @property
    def pool(self) -> tuple[str, ...]:
        """Blue cards in play and not law, by issue, + before -."""
        return tuple(card for card in cards.blue(self.issues) if card not in self.law)

    def bill(self, name: str) -> Bill | None:
        return next((bill for bill in self.docket if bill.id == name), None)

    def team(self, seat: Seat) -> str | None:
        return next((name for name, members in self.teams.items() if seat in members), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class State(Public):
    """A position; decks have their top last."""

    accounts: Accounts
    red_deck: tuple[str, ...] = ()
    hand: Mapping[Seat, tuple[str, ...]]
    eye: Mapping[Seat, int]
    """Half points."""
    last_score: Mapping[Seat, Fraction]
    drawn: Mapping[Seat, str] = field(default_factory=dict)
    nextbill: Mapping[Seat, tuple[str, ...]]
    taken: Mapping[Seat, tuple[str, ...]] = field(default_factory=dict)
    """NEXTBILLs used for the open BILL period."""
    standing: Mapping[Seat, str]
    crown: Mapping[Seat, int]
    team_cards: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    yellow_deck: tuple[str, ...] = ()
    yellow_shuffles: int = 0
    ifs: Mapping[Seat, WhatIf] = field(default_factory=dict)
    """Conditional votes on file."""

    def tokens(self, seat: Seat) -> int:
        return self.accounts.balance(seat)

    def shared(self, seat: Seat) -> tuple[str, ...]:
        name = self.team(seat)
        return self.team_cards[name] if name else ()

    def objectives(self, seat: Seat) -> tuple[str, ...]:
        """Return the team's and own red cards."""
        return (*self.shared(seat), *self.hand[seat])

    def satisfied(self, seat: Seat) -> tuple[str, ...]:
        return cards.satisfied(self.objectives(seat), self.law, self.conflicting)

    def score(self, seat: Seat) -> Fraction:
        """Return satisfied cards plus half the Public Eye points."""
        return len(self.satisfied(seat)) + Fraction(self.eye[seat], 2)


@dataclass(frozen=True, slots=True)
class Clerk:
    """What a step uses: tables, chance, minutes."""

    tables: Mapping[str, Any]
    dice: Dice
    minutes: Minutes


def chair_order(state: Public) -> tuple[Seat, ...]:
    """Return the living from the session's first chair (§3.2)."""
    return tuple(seat for seat in seats_from(state.order, state.first) if seat in state.alive)


def amendable(state: Public, bill: Bill) -> bool:
    """Return whether a bill is amendable (§3.3): new, and no Crisis under CRISIS_AMEND=OFF."""
    return bill.fresh and not (bill.crisis and state.on("CRISIS_AMEND", "OFF"))


def amendments_allowed(state: Public) -> bool:
    """Return whether this session has amendments (ruling 6)."""
    rule = state.options["AMENDMENTS"]
    return rule == "ALWAYS" or (rule == "FROM_SESSION_2" and state.session > 1)


def to_accept(state: Public, chair: Seat) -> list[Bill]:
    """Return bills with motions to accept (BINDING=OFF, R6)."""
    if state.on("BINDING"):
        return []
    return [bill for bill in state.docket if bill.chair == chair and bill.amendments]


def moved(state: Public) -> tuple[Amendment, ...]:
    return tuple(amendment for bill in state.docket for amendment in bill.amendments)
