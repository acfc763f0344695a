"""The state of Legislation (§2): frozen values for pbem.games.frame.codec."""

from __future__ import annotations

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
"""Results of a vote on a bill (§4.3)."""


GIFTS = {
    "BILLS": (BILL,),
    "AMENDMENTS": (AMEND, AMENDVOTE),
    "VOTES": (VOTE,),
    "CAMPAIGN": (CAMPAIGN,),
}
"""The words of TRANSFERS for some phases only (§3.8)."""
LATER = {"BALANCED_ROUNDS": "40", "TOKENS": "DEADLINE"}
"""Defaults of options that older games lack."""


NUMBERS = {"bill_cards": Fraction(2), "majority": Fraction(1, 2), "veto": Fraction(2, 3)}
"""Numbers of the charter that tables may change: a bill's cards at least, the share of Ayes to
exceed, and that under a veto."""


@dataclass(frozen=True, slots=True)
class Amendment:
    """A motion on a bill."""

    id: str
    bill: str
    action: str
    """ADD or REMOVE."""
    card: str
    movers: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Bill:
    """A bill on the docket."""

    id: str
    chair: Seat
    core: tuple[str, ...]
    """The original cards; of a Crisis, the three drawn."""
    filed: tuple[str, ...]
    """As the chair filed it."""
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    """Core cards amended away."""
    dropped: tuple[str, ...] = ()
    """Cards dropped because they are law by now (§4.3.1)."""
    yellow: str | None = None
    extensions: int = 0
    amendments: tuple[Amendment, ...] = ()
    """Motions of the running AMEND and AMENDVOTE."""
    carried: tuple[Amendment, ...] = ()
    """Amendments that changed it."""
    fresh: bool = True
    """New in the round, so open to amendment."""

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards of the bill as amended."""
        return tuple(c for c in self.standing_core + self.added if c not in self.dropped)

    @property
    def standing_core(self) -> tuple[str, ...]:
        """The core cards neither removed nor dropped."""
        return tuple(c for c in self.core if c not in self.removed and c not in self.dropped)

    @property
    def crisis(self) -> bool:
        """Whether it is a Crisis bill."""
        return self.yellow == CRISIS


@dataclass(frozen=True, slots=True)
class State:
    """A game of Legislation. Seats are keys, cards texts; decks have their top last."""

    options: Mapping[str, str]
    seats: tuple[Seat, ...]
    order: tuple[Seat, ...]
    alive: tuple[Seat, ...]
    period: int
    session: int
    first: Seat
    round: int
    phase: str
    first_period: bool
    """Whether the session's first period is open."""
    turns: tuple[Seat, ...]
    """Chairs of the running round."""
    queue: tuple[Seat, ...]
    """SERIAL: chairs still to come."""
    again: tuple[Seat, ...]
    """Chairs whose Crisis bill passed this round."""
    missed: tuple[Seat, ...]
    """Chairs of this round that filed nothing."""
    filed: int
    """Bills numbered this session."""
    docket: tuple[Bill, ...]
    decided: int
    failed: int
    mixup: int
    issues: tuple[str, ...]
    law: frozenset[str]
    accounts: Accounts
    red_deck: tuple[str, ...]
    hand: Mapping[Seat, tuple[str, ...]]
    eye: Mapping[Seat, int]
    """Half points."""
    terms: Mapping[Seat, int]
    last_score: Mapping[Seat, Fraction]
    drawn: Mapping[Seat, str]
    skip: frozenset[str]
    nextbill: Mapping[Seat, tuple[str, ...]]
    taken: Mapping[Seat, tuple[str, ...]]
    """Bills from NEXTBILL standing for the open BILL period."""
    standing: Mapping[Seat, str]
    crown: Mapping[Seat, int]
    teams: Mapping[str, tuple[Seat, ...]]
    team_cards: Mapping[str, tuple[str, ...]]
    yellow_deck: tuple[str, ...] = ()
    yellow_shuffles: int = 0
    crises: Mapping[Seat, int] = field(default_factory=dict)
    """The session's Crisis cards by chair."""
    balancing: bool = False
    """Whether the round only serves to balance the law."""
    streak: int = 0
    """Bills in a row not passed."""
    doomed: bool = False
    """Whether that streak has lost everybody the election."""
    winners: tuple[Seat, ...] | None = None
    """None while the game runs."""
    ifs: Mapping[Seat, WhatIf] = field(default_factory=dict)
    """Conditional votes on file."""
    numbers: Mapping[str, Fraction] = field(default_factory=dict)
    """The ``NUMBERS`` that the game's tables change."""
    laid: Mapping[Seat, Mapping[str, str]] = field(default_factory=dict)
    """How the tokens lie on the cards of the docket (TOKENS=AT_ONCE), {seat: {card: side}}."""

    def on(self, name: str, value: str = "ON") -> bool:
        """Whether an option has this value."""
        return self.options[name] == value

    @property
    def tokens_at_once(self) -> bool:
        """Whether tokens are told at once (§3.7)."""
        return self.options.get("TOKENS", LATER["TOKENS"]) == "AT_ONCE"

    @property
    def transfers(self) -> bool:
        """Whether tokens may be given away in this phase (§3.8)."""
        words = self.options["TRANSFERS"].split("+")
        return "ON" in words or any(self.phase in GIFTS.get(word, ()) for word in words)

    @property
    def last_campaign(self) -> bool:
        """Whether this is the campaign of the last session: nothing is laid or voted on after."""
        return self.phase == "CAMPAIGN" and self.session >= self.number("MAX_SESSIONS")

    def turn_to_come(self, seat: Seat) -> bool:
        """Whether the seat may lay a bill in a later period."""
        later = self.session < self.number("MAX_SESSIONS") or not self.on("BALANCED", "OFF")
        if self.last_campaign:
            return False
        return later or seat in self.queue or seat in self.again

    def number(self, name: str) -> int:
        """Return a numeric option; its default if the game is older than the option."""
        return int(self.options.get(name, LATER.get(name, "")))

    def share(self, name: str) -> Fraction:
        """Return a number of the charter."""
        return self.numbers.get(name, NUMBERS[name])

    @property
    def bill_cards(self) -> int:
        """How many cards a bill needs at least (§3.5)."""
        return int(self.share("bill_cards"))

    @property
    def n(self) -> int:
        """The number of living players."""
        return len(self.alive)

    @property
    def serial(self) -> bool:
        """Whether bills are taken one at a time (DOCKET=SERIAL)."""
        return self.on("DOCKET", "SERIAL")

    @property
    def joint(self) -> bool:
        """Whether a team or party wins together (TEAM_WIN); not with SINGLE_PARTY."""
        return bool(self.teams) and self.on("TEAM_WIN", "JOINT") and not self.on("SINGLE_PARTY")

    @property
    def conflicting(self) -> bool:
        """Whether both signs of an issue may be held (Conflicting Interests)."""
        return self.on("CONFLICTING")

    @property
    def secret(self) -> bool:
        """Whether votes and purses are secret."""
        return self.on("VOTES", "SECRET")

    @property
    def pool(self) -> tuple[str, ...]:
        """Blue cards in play and not in the law, in issue order, + before -."""
        return tuple(card for card in cards.blue(self.issues) if card not in self.law)

    def bill(self, name: str) -> Bill | None:
        """Return the docket's bill of that number."""
        return next((bill for bill in self.docket if bill.id == name), None)

    def tokens(self, seat: Seat) -> int:
        """Return the tokens in a seat's purse."""
        return self.accounts.balance(seat)

    def team(self, seat: Seat) -> str | None:
        """Return the team or party of a seat."""
        return next((name for name, members in self.teams.items() if seat in members), None)

    def shared(self, seat: Seat) -> tuple[str, ...]:
        """Return the red cards of the seat's team."""
        name = self.team(seat)
        return self.team_cards[name] if name else ()

    def objectives(self, seat: Seat) -> tuple[str, ...]:
        """Return the team's red cards, if any, and the seat's own."""
        return (*self.shared(seat), *self.hand[seat])

    def satisfied(self, seat: Seat) -> tuple[str, ...]:
        """Return the red cards that the law now satisfies."""
        return cards.satisfied(self.objectives(seat), self.law, self.conflicting)

    def score(self, seat: Seat) -> Fraction:
        """Return cards satisfied now plus half the Public Eye points."""
        return len(self.satisfied(seat)) + Fraction(self.eye[seat], 2)


@dataclass(frozen=True, slots=True)
class Clerk:
    """What a step uses besides the state: tables, chance, and the minutes it writes."""

    tables: Mapping[str, Any]
    dice: Dice
    minutes: Minutes


def chair_order(state: State) -> tuple[Seat, ...]:
    """Return the living in table order from the session's first chair (§3.2)."""
    return tuple(seat for seat in seats_from(state.order, state.first) if seat in state.alive)


def amendable(state: State, bill: Bill) -> bool:
    """Whether a bill is open to amendment: new in the round, and no Crisis under
    CRISIS_AMEND=OFF (§3.3)."""
    return bill.fresh and not (bill.crisis and state.on("CRISIS_AMEND", "OFF"))


def amendments_allowed(state: State) -> bool:
    """Whether this session has amendments (ruling 6)."""
    rule = state.options["AMENDMENTS"]
    return rule == "ALWAYS" or (rule == "FROM_SESSION_2" and state.session > 1)


def moved(state: State) -> tuple[Amendment, ...]:
    """Return the amendments of the running AMEND and AMENDVOTE periods, by number."""
    return tuple(amendment for bill in state.docket for amendment in bill.amendments)
