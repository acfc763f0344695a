"""The state of Legislation (§2) and what can be said of it at a glance: frozen values for
pbem.games.frame.codec."""

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
"""What a vote on a bill can come to (§4.3)."""


LATER = {"BALANCED_ROUNDS": "40"}
"""Options that games made before them lack, and what those play by: their default."""


@dataclass(frozen=True, slots=True)
class Amendment:
    """A motion on a bill: ``action`` ADD or REMOVE, with all its ``movers``."""

    id: str
    bill: str
    action: str
    card: str
    movers: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Bill:
    """A bill on the docket.

    ``core``: the original cards (of a Crisis the three drawn); ``filed``: as the chair filed it;
    ``removed``: core cards amended away; ``dropped``: cards that fell out because they are law by
    now (§4.3.1); ``amendments``: the motions of the running AMEND and AMENDVOTE; ``carried``: those
    that changed it; ``fresh``: new in the round, hence open to amendment.
    """

    id: str
    chair: Seat
    core: tuple[str, ...]
    filed: tuple[str, ...]
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    yellow: str | None = None
    extensions: int = 0
    amendments: tuple[Amendment, ...] = ()
    carried: tuple[Amendment, ...] = ()
    fresh: bool = True

    @property
    def cards(self) -> tuple[str, ...]:
        """The bill as it now reads."""
        return tuple(c for c in self.standing_core + self.added if c not in self.dropped)

    @property
    def standing_core(self) -> tuple[str, ...]:
        """The core cards that were neither removed nor dropped."""
        return tuple(c for c in self.core if c not in self.removed and c not in self.dropped)

    @property
    def crisis(self) -> bool:
        """Whether it is a Crisis bill."""
        return self.yellow == CRISIS


@dataclass(frozen=True, slots=True)
class State:
    """Everything about a game. Seats are keys; cards are texts; decks have their top last; ``eye``
    in half points.

    ``turns``: chairs of the running round; ``queue`` (SERIAL): chairs still to come; ``again``:
    chairs whose Crisis bill passed in this round; ``missed``: chairs of this round that filed
    nothing; ``filed``: bills numbered this session; ``taken``: bills from NEXTBILL that stand for
    the open BILL period; ``first_period``: the first period of a session is open; ``balancing``:
    the round goes on only for the balance of the law; ``streak``: bills in a row not passed;
    ``doomed``: that streak has lost everybody the election; ``crises``: Crisis cards of the session
    by chair; ``winners``: None while the game runs; ``ifs``: votes with IF on file.
    """

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
    turns: tuple[Seat, ...]
    queue: tuple[Seat, ...]
    again: tuple[Seat, ...]
    missed: tuple[Seat, ...]
    filed: int
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
    terms: Mapping[Seat, int]
    last_score: Mapping[Seat, Fraction]
    drawn: Mapping[Seat, str]
    skip: frozenset[str]
    nextbill: Mapping[Seat, tuple[str, ...]]
    taken: Mapping[Seat, tuple[str, ...]]
    standing: Mapping[Seat, str]
    crown: Mapping[Seat, int]
    teams: Mapping[str, tuple[Seat, ...]]
    team_cards: Mapping[str, tuple[str, ...]]
    yellow_deck: tuple[str, ...] = ()
    yellow_shuffles: int = 0
    crises: Mapping[Seat, int] = field(default_factory=dict)
    balancing: bool = False
    streak: int = 0
    doomed: bool = False
    winners: tuple[Seat, ...] | None = None
    ifs: Mapping[Seat, WhatIf] = field(default_factory=dict)

    def on(self, name: str, value: str = "ON") -> bool:
        """Whether an option has this value."""
        return self.options[name] == value

    def number(self, name: str) -> int:
        """The whole number an option is set to; of one that came after the game was made, its
        default."""
        return int(self.options.get(name, LATER.get(name, "")))

    @property
    def n(self) -> int:
        """How many players are living."""
        return len(self.alive)

    @property
    def serial(self) -> bool:
        """Whether bills are taken one at a time (DOCKET=SERIAL)."""
        return self.on("DOCKET", "SERIAL")

    @property
    def joint(self) -> bool:
        """Whether a team or party wins together (TEAM_WIN); with SINGLE_PARTY no team wins."""
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
        """The bill of that number on the docket."""
        return next((bill for bill in self.docket if bill.id == name), None)

    def tokens(self, seat: Seat) -> int:
        """The tokens in a seat's purse."""
        return self.accounts.balance(seat)

    def team(self, seat: Seat) -> str | None:
        """The team or party of a seat."""
        return next((name for name, members in self.teams.items() if seat in members), None)

    def shared(self, seat: Seat) -> tuple[str, ...]:
        """The red cards of his team."""
        name = self.team(seat)
        return self.team_cards[name] if name else ()

    def objectives(self, seat: Seat) -> tuple[str, ...]:
        """The red cards of his team, if any, and his own."""
        return (*self.shared(seat), *self.hand[seat])

    def satisfied(self, seat: Seat) -> tuple[str, ...]:
        """His red cards that the law satisfies now."""
        return cards.satisfied(self.objectives(seat), self.law, self.conflicting)

    def score(self, seat: Seat) -> Fraction:
        """Cards satisfied now and half the Public Eye points."""
        return len(self.satisfied(seat)) + Fraction(self.eye[seat], 2)


@dataclass(frozen=True, slots=True)
class Clerk:
    """What a step may use besides the state: the rulebook's tables, chance, and the minutes it
    writes."""

    tables: Mapping[str, Any]
    dice: Dice
    minutes: Minutes


def chair_order(state: State) -> tuple[Seat, ...]:
    """The living in table order from the session's first chair (§3.2)."""
    return tuple(seat for seat in seats_from(state.order, state.first) if seat in state.alive)


def amendable(state: State, bill: Bill) -> bool:
    """Whether the bill is open to amendment: new in the round, and no Crisis with CRISIS_AMEND=OFF
    (§3.3)."""
    return bill.fresh and not (bill.crisis and state.on("CRISIS_AMEND", "OFF"))


def amendments_allowed(state: State) -> bool:
    """Whether this session has amendments at all (ruling 6)."""
    rule = state.options["AMENDMENTS"]
    return rule == "ALWAYS" or (rule == "FROM_SESSION_2" and state.session > 1)


def moved(state: State) -> tuple[Amendment, ...]:
    """The amendments of the running AMEND and AMENDVOTE periods, in number order."""
    return tuple(amendment for bill in state.docket for amendment in bill.amendments)
