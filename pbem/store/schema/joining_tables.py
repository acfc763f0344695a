"""The tables of open tables and applicants, observers, deputies, offers of free seats, and
invitations.

Moments are aware UTC times. Codes are stored as hashes and are valid only from the address to which
they were mailed.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from sqlalchemy import Boolean, Date, ForeignKey, Index, Integer, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.schema.states import ApplicantState, DeputyState, Freed, OfferState, TableState
from pbem.store.schema.table_base import Record, known


class OpenTable(Record):
    """A game that players may sign on to."""

    __tablename__ = "open_table"
    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    """The id that the game gets."""
    ruleset: Mapped[str] = mapped_column(String(40))
    state: Mapped[TableState] = mapped_column(known(TableState, "state", 12), index=True)
    places: Mapped[int] = mapped_column(Integer)
    """How many play."""
    plan: Mapped[dict[str, Any]]
    """What the game will be made with (options, house rules, trust...), as JSON."""
    seed: Mapped[str] = mapped_column(String(80))
    """Drawn at opening; seats will be drawn from it."""
    gamesmaster: Mapped[str] = mapped_column(String(254), default="", index=True)
    approve: Mapped[bool] = mapped_column(Boolean)
    """Whether the gamesmaster must approve each applicant."""
    experience: Mapped[int] = mapped_column(Integer, default=0)
    """Games that an applicant must have finished."""
    reliability: Mapped[int] = mapped_column(Integer, default=0)
    """Percent of due moves that an applicant must have made."""
    opened: Mapped[datetime]
    starts: Mapped[datetime | None]
    """When it starts; None: as soon as it is full."""
    closes: Mapped[datetime | None]
    """Until when it must be full."""
    called: Mapped[datetime | None]
    """Until when those called may answer."""
    next_look: Mapped[datetime | None] = mapped_column(index=True)


class Applicant(Record):
    """A person who signs on to an open table."""

    __tablename__ = "applicant"
    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("open_table.id"), index=True)
    address: Mapped[str] = mapped_column(String(254), index=True)
    name: Mapped[str] = mapped_column(String(80))
    """The name to play under."""
    player_id: Mapped[int | None] = mapped_column(ForeignKey("player.id"), index=True)
    state: Mapped[ApplicantState] = mapped_column(known(ApplicantState, "state", 12))
    place: Mapped[int | None] = mapped_column(Integer)
    """Place in the order of joining; kept for those who leave. None before acceptance."""
    wishes: Mapped[list[Any]]
    """Preferred seats, best first."""
    through: Mapped[str] = mapped_column(String(254), default="")
    """Address of the inviter; "" for none."""
    came: Mapped[datetime]
    """When the letter came."""
    until: Mapped[datetime | None]
    """By when to answer the question that carried the code."""
    code_hash: Mapped[str] = mapped_column(String(64), default="", index=True)
    """"" for no code."""
    __table_args__ = (UniqueConstraint("game_id", "address"),)


class Observer(Record):
    """A person who gets the public mails of a game, or of a table once its game has begun."""

    __tablename__ = "observer"
    game_id: Mapped[str] = mapped_column(String(40), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), primary_key=True, index=True)
    since: Mapped[datetime]


class Deputy(Record):
    """A person who may write for a seat while its player is away."""

    __tablename__ = "deputy"
    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), index=True)
    seat: Mapped[str] = mapped_column(String(10))
    holder_id: Mapped[int] = mapped_column(ForeignKey("player.id"))
    """The player who is away."""
    player_id: Mapped[int | None] = mapped_column(ForeignKey("player.id"), index=True)
    """The deputy; None before the deputy confirms."""
    address: Mapped[str] = mapped_column(String(254), index=True)
    state: Mapped[DeputyState] = mapped_column(known(DeputyState, "state", 12), index=True)
    first: Mapped[datetime]
    last: Mapped[datetime | None]
    """None: until one of them ends it."""
    holder_code: Mapped[str] = mapped_column(String(64), default="", index=True)
    """Hash of the player's code; "" before it is mailed and once it has come back."""
    deputy_code: Mapped[str] = mapped_column(String(64), default="", index=True)
    """Hash of the deputy's code; "" before it is mailed and once it has come back."""
    token_hash: Mapped[str] = mapped_column(String(64), default="", index=True)
    """Hash of the deputy's own secret address, made with ``token_no``."""
    token_no: Mapped[int] = mapped_column(Integer, default=1)
    asked: Mapped[datetime]
    until: Mapped[datetime]
    """By when both codes must come back."""
    troubled: Mapped[bool] = mapped_column(Boolean, default=False)
    """Whether the player was told that mail to the deputy came back."""


class Absence(Record):
    """Days from ``first`` to ``last`` that a player booked off. Deadlines of periods that open
    later avoid them, as far as the house rules allow."""

    __tablename__ = "absence"
    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), index=True)
    seat: Mapped[str] = mapped_column(String(10))
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), index=True)
    first: Mapped[date] = mapped_column(Date)
    last: Mapped[date] = mapped_column(Date)
    at: Mapped[datetime]


class Privy(Record):
    """A person who has seen a seat's private mails as its player or deputy, and may take no other
    seat of the game."""

    __tablename__ = "privy"
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    seat: Mapped[str] = mapped_column(String(10), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), primary_key=True, index=True)


class FreeSeat(Record):
    """A seat that needs another player than ``player_id``, who plays on or stays silent until it is
    taken."""

    __tablename__ = "free_seat"
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    seat: Mapped[str] = mapped_column(String(10), primary_key=True)
    player_id: Mapped[int | None] = mapped_column(ForeignKey("player.id"), index=True)
    why: Mapped[Freed] = mapped_column(known(Freed, "why", 12))
    since: Mapped[datetime]
    period: Mapped[int] = mapped_column(Integer)
    """The period that ran when the seat fell free."""
    told: Mapped[bool] = mapped_column(Boolean, default=False)
    """Whether the gamesmaster was told that nobody takes it."""


class Offer(Record):
    """A free seat offered to a person until it is taken or ``until`` passes."""

    __tablename__ = "offer"
    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), index=True)
    seat: Mapped[str] = mapped_column(String(10))
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), index=True)
    state: Mapped[OfferState] = mapped_column(known(OfferState, "state", 12))
    made: Mapped[datetime]
    until: Mapped[datetime]
    address: Mapped[str] = mapped_column(String(254), index=True)
    """Where the code was mailed."""
    alone: Mapped[bool] = mapped_column(Boolean)
    """Nobody else is asked while this offer runs."""
    code_hash: Mapped[str] = mapped_column(String(64), default="", index=True)
    __table_args__ = (Index("ix_offer_state_until", "state", "until"),)


class Invited(Record):
    """An address that a player had invited to the referee's games. Each address is invited only
    once."""

    __tablename__ = "invited"
    address: Mapped[str] = mapped_column(String(254), primary_key=True)
    by_player: Mapped[int | None] = mapped_column(Integer, index=True)
    game_id: Mapped[str] = mapped_column(String(40), default="")
    at: Mapped[datetime]
    refused: Mapped[bool] = mapped_column(Boolean, default=False)
    """Whether the owner wants no such mail."""
