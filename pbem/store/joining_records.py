"""The tables of who comes to a game, watches it, or acts for another: open tables and who signs on
to them, observers, deputies, offers of free seats, invitations.

A moment is an aware UTC time. A code is stored as its hash only, and is worth something only from
the address to which it was mailed.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from sqlalchemy import Boolean, Date, ForeignKey, Index, Integer, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.states import ApplicantState, DeputyState, Freed, OfferState, TableState
from pbem.store.table_base import Record, known


class OpenTable(Record):
    """A game that players may sign on to. ``id``: the game's, once it is made. ``places``: how many
    play; ``plan``: what the game will be made with (options, house rules, trust...), as JSON;
    ``seed``: drawn when it was opened, by which the seats will be drawn. ``starts``: the moment of
    its start, None as soon as it is full; ``closes``: until when it must be full. ``approve``:
    whether the gamesmaster has to approve of each; ``experience``: games that a player must have
    finished; ``reliability``: percent of moves that he must have made. ``called``: until when those
    called may answer."""

    __tablename__ = "open_table"
    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    ruleset: Mapped[str] = mapped_column(String(40))
    state: Mapped[TableState] = mapped_column(known(TableState, "state", 12), index=True)
    places: Mapped[int] = mapped_column(Integer)
    plan: Mapped[dict[str, Any]]
    seed: Mapped[str] = mapped_column(String(80))
    gamesmaster: Mapped[str] = mapped_column(String(254), default="", index=True)
    approve: Mapped[bool] = mapped_column(Boolean)
    experience: Mapped[int] = mapped_column(Integer, default=0)
    reliability: Mapped[int] = mapped_column(Integer, default=0)
    opened: Mapped[datetime]
    starts: Mapped[datetime | None]
    closes: Mapped[datetime | None]
    called: Mapped[datetime | None]
    next_look: Mapped[datetime | None] = mapped_column(index=True)


class Applicant(Record):
    """Somebody who signs on to an open table. ``name``: by which he is to be known; ``wishes``: the
    seats that he would like, the dearest first; ``through``: the address of whoever invited him, ""
    for nobody; ``came``: when his letter did; ``place``: which he has in the order of joining,
    counted on whoever leaves, None before he is taken; ``until``: by when he has to answer what he
    was asked with the code of ``code_hash``, "" for none."""

    __tablename__ = "applicant"
    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("open_table.id"), index=True)
    address: Mapped[str] = mapped_column(String(254), index=True)
    name: Mapped[str] = mapped_column(String(80))
    player_id: Mapped[int | None] = mapped_column(ForeignKey("player.id"), index=True)
    state: Mapped[ApplicantState] = mapped_column(known(ApplicantState, "state", 12))
    place: Mapped[int | None] = mapped_column(Integer)
    wishes: Mapped[list[Any]]
    through: Mapped[str] = mapped_column(String(254), default="")
    came: Mapped[datetime]
    until: Mapped[datetime | None]
    code_hash: Mapped[str] = mapped_column(String(64), default="", index=True)
    __table_args__ = (UniqueConstraint("game_id", "address"),)


class Observer(Record):
    """Somebody who gets the public mails of a game, or of a table once its game has begun."""

    __tablename__ = "observer"
    game_id: Mapped[str] = mapped_column(String(40), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), primary_key=True, index=True)
    since: Mapped[datetime]


class Deputy(Record):
    """Whoever may write for a seat while its player (``holder_id``) is away, from ``first`` to
    ``last`` (None: until one of them ends it). ``player_id``: who the deputy is, None before her
    word; ``token_hash``: of the deputy's own secret address, made with ``token_no``; the hashes of
    both codes are "" before they are mailed and once they have come back.
    ``until``: by when they have to; ``troubled``: the player has been told that mail to the deputy
    came back."""

    __tablename__ = "deputy"
    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), index=True)
    seat: Mapped[str] = mapped_column(String(10))
    holder_id: Mapped[int] = mapped_column(ForeignKey("player.id"))
    player_id: Mapped[int | None] = mapped_column(ForeignKey("player.id"), index=True)
    address: Mapped[str] = mapped_column(String(254), index=True)
    state: Mapped[DeputyState] = mapped_column(known(DeputyState, "state", 12), index=True)
    first: Mapped[datetime]
    last: Mapped[datetime | None]
    holder_code: Mapped[str] = mapped_column(String(64), default="", index=True)
    deputy_code: Mapped[str] = mapped_column(String(64), default="", index=True)
    token_hash: Mapped[str] = mapped_column(String(64), default="", index=True)
    token_no: Mapped[int] = mapped_column(Integer, default=1)
    asked: Mapped[datetime]
    until: Mapped[datetime]
    troubled: Mapped[bool] = mapped_column(Boolean, default=False)


class Absence(Record):
    """Days, from ``first`` to ``last``, that a player has booked: no deadline of a period that
    opens later falls on them, as far as the house rules let it move."""

    __tablename__ = "absence"
    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), index=True)
    seat: Mapped[str] = mapped_column(String(10))
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), index=True)
    first: Mapped[date] = mapped_column(Date)
    last: Mapped[date] = mapped_column(Date)
    at: Mapped[datetime]


class Privy(Record):
    """Who has seen a seat's private mails, as its player or his deputy: he takes no other seat of
    the game."""

    __tablename__ = "privy"
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    seat: Mapped[str] = mapped_column(String(10), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), primary_key=True, index=True)


class FreeSeat(Record):
    """A seat that is to have another player than ``player_id``: he plays on, or is silent, until
    another has taken it. ``period``: the one that ran when it fell free; ``told``: whether the
    gamesmaster has been told that nobody takes it."""

    __tablename__ = "free_seat"
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    seat: Mapped[str] = mapped_column(String(10), primary_key=True)
    player_id: Mapped[int | None] = mapped_column(ForeignKey("player.id"), index=True)
    why: Mapped[Freed] = mapped_column(known(Freed, "why", 12))
    since: Mapped[datetime]
    period: Mapped[int] = mapped_column(Integer)
    told: Mapped[bool] = mapped_column(Boolean, default=False)


class Offer(Record):
    """A free seat offered to somebody, until he takes it, another does, or ``until``. ``address``:
    to which its code was mailed; ``alone``: nobody else is asked before its time is over."""

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
    code_hash: Mapped[str] = mapped_column(String(64), default="", index=True)
    __table_args__ = (Index("ix_offer_state_until", "state", "until"),)


class Invited(Record):
    """An address that a player had invited to the referee's games, once for ever. ``refused``: its
    owner wants no mail of the kind."""

    __tablename__ = "invited"
    address: Mapped[str] = mapped_column(String(254), primary_key=True)
    by_player: Mapped[int | None] = mapped_column(Integer, index=True)
    game_id: Mapped[str] = mapped_column(String(40), default="")
    at: Mapped[datetime]
    refused: Mapped[bool] = mapped_column(Boolean, default=False)
