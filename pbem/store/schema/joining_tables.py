"""Tables on joining. Times are aware UTC, codes are hashed."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Boolean, ForeignKey, Index, Integer, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.schema.states import ApplicantState, DeputyState, Freed, OfferState, TableState
from pbem.store.schema.table_base import Record, known


class OpenTable(Record):
    """A game to sign on to."""

    __tablename__ = "open_table"
    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    ruleset: Mapped[str] = mapped_column(String(40))
    state: Mapped[TableState] = mapped_column(known(TableState, "state", 12), index=True)
    places: Mapped[int] = mapped_column(Integer)
    plan: Mapped[dict[str, Any]]
    """Options, house rules and trust, as JSON."""
    seed: Mapped[str] = mapped_column(String(80))
    """Drawn at opening, for the seats."""
    gamesmaster: Mapped[str] = mapped_column(String(254), default="", index=True)
    approve: Mapped[bool] = mapped_column(Boolean)
    """Whether the gamesmaster approves each applicant."""
    """Games that an applicant must have finished."""
    reliability: Mapped[int] = mapped_column(Integer, default=0)
    """Percent of due moves made."""
    opened: Mapped[datetime]
    starts: Mapped[datetime | None]
    """None: as soon as it is full."""
    closes: Mapped[datetime | None]
    """Until when it must be full."""
    called: Mapped[datetime | None]
    """Until when players may confirm."""
    next_look: Mapped[datetime | None] = mapped_column(index=True)

    @property
    def is_open(self) -> bool:
        return self.state in (TableState.JOINING, TableState.CALLED)

    @property
    def bots(self) -> int:
        """So many seats at most are played by house bots, if they are empty on its date."""
        return int(self.plan.get("bots", 0))


class Applicant(Record):
    """A person who signs on."""

    __tablename__ = "applicant"
    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("open_table.id"), index=True)
    address: Mapped[str] = mapped_column(String(254), index=True)
    name: Mapped[str] = mapped_column(String(80))
    player_id: Mapped[int | None] = mapped_column(ForeignKey("player.id"), index=True)
    state: Mapped[ApplicantState] = mapped_column(known(ApplicantState, "state", 12))
    place: Mapped[int | None] = mapped_column(Integer)
    """In order of joining; None before acceptance."""
    wishes: Mapped[list[Any]]
    through: Mapped[str] = mapped_column(String(254), default="")
    """The inviter's address."""
    came: Mapped[datetime]
    until: Mapped[datetime | None]
    """By when to send the code."""
    code_hash: Mapped[str] = mapped_column(String(64), default="", index=True)
    __table_args__ = (UniqueConstraint("game_id", "address"),)


class Observer(Record):
    """A person who gets a game's public mails."""

    __tablename__ = "observer"
    game_id: Mapped[str] = mapped_column(String(40), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), primary_key=True, index=True)
    since: Mapped[datetime]


class Deputy(Record):
    """A person who may write for an absent player."""

    __tablename__ = "deputy"
    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), index=True)
    seat: Mapped[str] = mapped_column(String(10))
    holder_id: Mapped[int] = mapped_column(ForeignKey("player.id"))
    player_id: Mapped[int | None] = mapped_column(ForeignKey("player.id"), index=True)
    """None until the deputy confirms."""
    address: Mapped[str] = mapped_column(String(254), index=True)
    state: Mapped[DeputyState] = mapped_column(known(DeputyState, "state", 12), index=True)
    first: Mapped[datetime]
    last: Mapped[datetime | None]
    """None: until somebody ends it."""
    holder_code: Mapped[str] = mapped_column(String(64), default="", index=True)
    """Hash, until it comes back."""
    deputy_code: Mapped[str] = mapped_column(String(64), default="", index=True)
    """Hash, until it comes back."""
    token_hash: Mapped[str] = mapped_column(String(64), default="", index=True)
    token_no: Mapped[int] = mapped_column(Integer, default=1)
    asked: Mapped[datetime]
    until: Mapped[datetime]
    """By when to send both codes."""
    troubled: Mapped[bool] = mapped_column(Boolean, default=False)
    """Whether the player knows of her bounces."""


class Privy(Record):
    """A person who has seen a seat's private mails."""

    __tablename__ = "privy"
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    seat: Mapped[str] = mapped_column(String(10), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), primary_key=True, index=True)


class FreeSeat(Record):
    """A seat in need. ``player_id`` may play on meanwhile."""

    __tablename__ = "free_seat"
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    seat: Mapped[str] = mapped_column(String(10), primary_key=True)
    player_id: Mapped[int | None] = mapped_column(ForeignKey("player.id"), index=True)
    why: Mapped[Freed] = mapped_column(known(Freed, "why", 12))
    since: Mapped[datetime]
    period: Mapped[int] = mapped_column(Integer)
    """When it fell free."""
    told: Mapped[bool] = mapped_column(Boolean, default=False)
    """The gamesmaster knows that nobody comes."""


class Offer(Record):
    """A free seat offered, ``until`` then."""

    __tablename__ = "offer"
    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), index=True)
    seat: Mapped[str] = mapped_column(String(10))
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), index=True)
    state: Mapped[OfferState] = mapped_column(known(OfferState, "state", 12))
    made: Mapped[datetime]
    until: Mapped[datetime]
    address: Mapped[str] = mapped_column(String(254), index=True)
    alone: Mapped[bool] = mapped_column(Boolean)
    """Nobody else is asked meanwhile."""
    code_hash: Mapped[str] = mapped_column(String(64), default="", index=True)
    __table_args__ = (Index("ix_offer_state_until", "state", "until"),)


class Practice(Record):
    """A game of one person against house bots."""

    __tablename__ = "practice"
    game_id: Mapped[str] = mapped_column(String(40), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), index=True)
    ruleset: Mapped[str] = mapped_column(String(40))
    asked: Mapped[datetime]
    begun: Mapped[datetime | None]
    """None: at the next pass."""
    ended: Mapped[datetime | None] = mapped_column(index=True)


class Invited(Record):
    """An address not to be invited again."""

    __tablename__ = "invited"
    address: Mapped[str] = mapped_column(String(254), primary_key=True)
    by_player: Mapped[int | None] = mapped_column(Integer, index=True)
    game_id: Mapped[str] = mapped_column(String(40), default="")
    at: Mapped[datetime]
    refused: Mapped[bool] = mapped_column(Boolean, default=False)
