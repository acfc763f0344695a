"""The tables: what the referee remembers. One class a table; times are aware UTC.

A game's position is JSON with a schema number (``Game.schema``), so a new game needs no migration.
Exactly once is a UNIQUE constraint here, never a flag: a letter's place on the server, its effect,
each outgoing mail's key.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    ForeignKey,
    Index,
    Integer,
    String,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from pbem.letters.states import LetterState
from pbem.store.schema.joining_tables import (
    Absence,
    Applicant,
    Deputy,
    FreeSeat,
    Invited,
    Observer,
    Offer,
    OpenTable,
    Privy,
)
from pbem.store.schema.states import GameState, MailState, NoteKind, PeriodState
from pbem.store.schema.table_base import Record, Utc, known

__all__ = [
    "Absence",
    "Applicant",
    "Deputy",
    "FreeSeat",
    "Invited",
    "Observer",
    "Offer",
    "OpenTable",
    "Privy",
    "Record",
    "Utc",
]


class Player(Record):
    """A person who plays or stands by."""

    __tablename__ = "player"
    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    name: Mapped[str] = mapped_column(String(80))
    created: Mapped[datetime]
    zone: Mapped[str] = mapped_column(String(60), default="")
    """Time zone in which deadlines are also given; "" for none."""
    all_receipts: Mapped[bool] = mapped_column(Boolean, default=False)
    """Whether a letter of press alone gets a receipt too."""
    face: Mapped[str] = mapped_column(String(10), default="html")
    """"html" if mails may have HTML besides text, else "plain"."""
    calendar: Mapped[bool] = mapped_column(Boolean, default=False)
    """Whether mails bring the deadlines as a calendar file."""


class Address(Record):
    """A registered address of a player, in lower case."""

    __tablename__ = "address"
    address: Mapped[str] = mapped_column(String(254), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), index=True)
    of_record: Mapped[bool] = mapped_column(Boolean)
    """Whether receipts and bulletins go here."""
    soft_bounces: Mapped[int] = mapped_column(Integer, default=0)
    hard_bounces: Mapped[int] = mapped_column(Integer, default=0)
    last_bounce: Mapped[str] = mapped_column(Text, default="")
    pgp_key: Mapped[str] = mapped_column(Text, default="")
    __table_args__ = (
        Index("ix_address_soft_bounces", "soft_bounces"),
        Index("ix_address_hard_bounces", "hard_bounces"),
    )


class Game(Record):
    """One game. Tables, options and house rules are copies made at its creation."""

    __tablename__ = "game"
    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    ruleset: Mapped[str] = mapped_column(String(40))
    schema: Mapped[int] = mapped_column(Integer)
    status: Mapped[GameState] = mapped_column(known(GameState, "status", 12), index=True)
    held_because: Mapped[str] = mapped_column(Text, default="")
    held_at: Mapped[datetime | None]
    restored_to: Mapped[datetime | None]
    """Where the backup ended from which the game came back. Letters received from then until
    ``restored_until`` may be for periods that the game has yet to reach again."""
    restored_until: Mapped[datetime | None]
    """When the restored game went on; None: not yet."""
    tables: Mapped[dict[str, Any]]
    tables_hash: Mapped[str] = mapped_column(String(64))
    options: Mapped[dict[str, Any]]
    scenario: Mapped[dict[str, Any]]
    house: Mapped[dict[str, Any]]
    seed: Mapped[str] = mapped_column(String(80))
    zone: Mapped[str] = mapped_column(String(60))
    trust: Mapped[str] = mapped_column(String(10))
    late: Mapped[str] = mapped_column(String(20))
    publish: Mapped[str] = mapped_column(String(10))
    period: Mapped[int] = mapped_column(Integer, default=0)
    created: Mapped[datetime]
    gamesmaster: Mapped[str] = mapped_column(String(254), default="", index=True)
    """His address; "" for the installation's gamesmaster."""
    second: Mapped[str] = mapped_column(String(254), default="", index=True)
    """Who acts if the gamesmaster plays; "" for nobody."""
    edition: Mapped[int] = mapped_column(Integer, default=1)
    """One more than the number of rewinds."""
    agreed: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True))
    """The seats that share the end, if the players agreed to it."""
    statements_until: Mapped[datetime | None] = mapped_column(index=True)
    """Until when players are asked for statements. None before the end, and once the statements are
    published."""
    attended: Mapped[datetime | None]
    """When a gamesmaster's act was last done on the game."""
    # what is asked of very many games stands here: a row has its tables before these columns
    __table_args__ = (
        Index("ix_game_id_gamesmaster", "id", "gamesmaster"),
        Index("ix_game_status_gamesmaster_id_period", "status", "gamesmaster", "id", "period"),
    )


class Gamesmaster(Record):
    """A person written to as a gamesmaster, by address."""

    __tablename__ = "gamesmaster"
    address: Mapped[str] = mapped_column(String(254), primary_key=True)
    token_no: Mapped[int] = mapped_column(Integer)
    token_hash: Mapped[str] = mapped_column(String(64), index=True)
    """SHA-256 of the secret reply token, made from the installation's key, the address and
    ``token_no``."""
    asked: Mapped[int] = mapped_column(Integer)
    """How many games wait for this gamesmaster to take them over."""
    heard: Mapped[datetime | None]
    """When the last letter came."""


class Seat(Record):
    """Who plays which seat."""

    __tablename__ = "seat"
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    seat: Mapped[str] = mapped_column(String(10), primary_key=True)
    place: Mapped[int] = mapped_column(Integer)
    player_id: Mapped[int | None] = mapped_column(ForeignKey("player.id"), index=True)
    token_hash: Mapped[str] = mapped_column(String(64), default="", index=True)
    """SHA-256 of the secret reply token, made from the installation's key, game, seat and
    ``token_no``. The token itself is not stored."""
    token_no: Mapped[int] = mapped_column(Integer, default=1)
    link_no: Mapped[int] = mapped_column(Integer, default=1, server_default="1")
    """As ``token_no``, for the links in the seat's mails. Raised by one each time they lapse."""
    missed: Mapped[int] = mapped_column(Integer, default=0, index=True)
    asked_until: Mapped[datetime | None] = mapped_column(index=True)
    heard: Mapped[int] = mapped_column(Integer, default=0)
    """The last period in which a letter of the seat came."""
    quits: Mapped[datetime | None] = mapped_column(index=True)
    """Since when the player has asked to be relieved."""


class PlayerRecord(Record):
    """Something counted of a person (``RecordKind``): one row each time, in the period when it
    happened."""

    __tablename__ = "player_record"
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    period: Mapped[int] = mapped_column(Integer, primary_key=True)
    seat: Mapped[str] = mapped_column(String(10), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), primary_key=True, index=True)
    kind: Mapped[str] = mapped_column(String(10), primary_key=True)


class Standby(Record):
    """A player who stands by for a game, in the order of joining."""

    __tablename__ = "standby"
    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), index=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), index=True)
    invited_for: Mapped[str] = mapped_column(String(10), default="")
    reply_by: Mapped[datetime | None]


class Period(Record):
    """One period of a game. ``base`` + ``moves`` = ``due``."""

    __tablename__ = "period"
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    phase: Mapped[str] = mapped_column(String(40))
    status: Mapped[PeriodState] = mapped_column(known(PeriodState, "status", 12))
    state: Mapped[dict[str, Any]]
    """The position in which its orders are taken. The last row of a finished game has the final
    position."""
    state_hash: Mapped[str] = mapped_column(String(64))
    events: Mapped[list[Any]]
    draws: Mapped[list[Any]]
    opened: Mapped[datetime]
    base: Mapped[datetime | None]
    moves: Mapped[list[Any]]
    due: Mapped[datetime | None]
    """None: no deadline."""
    next_look: Mapped[datetime | None]
    closed: Mapped[datetime | None]
    template: Mapped[str] = mapped_column(String(64), default="")
    edition: Mapped[int] = mapped_column(Integer, default=1)
    """The game's edition when the period was adjudicated; its draws name it."""
    close_asked: Mapped[datetime | None]
    """When the gamesmaster asked to close it. None: not asked, or done."""
    __table_args__ = (
        Index("ix_period_status_next_look", "status", "next_look"),
        Index("ix_period_status_due_game_id_number", "status", "due", "game_id", "number"),
    )


class Letter(Record):
    """Every letter ever seen. Its raw bytes are stored first."""

    __tablename__ = "letter"
    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    account: Mapped[str] = mapped_column(String(120))
    folder: Mapped[str] = mapped_column(String(120))
    uidvalidity: Mapped[int] = mapped_column(BigInteger)
    uid: Mapped[int] = mapped_column(BigInteger)
    received: Mapped[datetime]
    seen: Mapped[datetime]
    raw: Mapped[bytes | None]
    raw_hash: Mapped[str] = mapped_column(String(64), index=True)
    message_id: Mapped[str] = mapped_column(String(400), default="")
    effect: Mapped[str | None] = mapped_column(String(64), unique=True)
    outcome: Mapped[LetterState] = mapped_column(known(LetterState, "outcome", 16))
    reason: Mapped[str] = mapped_column(Text, default="")
    sender: Mapped[str] = mapped_column(String(254), default="")
    authentication: Mapped[str] = mapped_column(String(10), default="none")
    game_id: Mapped[str] = mapped_column(String(40), default="")
    seat: Mapped[str] = mapped_column(String(10), default="")
    period: Mapped[int] = mapped_column(Integer, default=0)
    attempts: Mapped[int] = mapped_column(
        Integer, default=0
    )  # to fetch it; then to decide it, while it is undecided
    moved: Mapped[bool] = mapped_column(Boolean, default=False)
    decided: Mapped[datetime | None]
    code_hash: Mapped[str] = mapped_column(String(64), default="")
    receipt: Mapped[int | None] = mapped_column(Integer)
    """Its number among the seat's own letters, shown in the receipt. The ``id`` counts all letters
    and is never shown."""
    proven: Mapped[bool | None] = mapped_column(Boolean)
    """Whether the letter proves its sender: by its verdict, or by its header before that. None: not
    checked."""
    owed: Mapped[str] = mapped_column(String(10), server_default="")
    """The kind of mail that the writer still waits for; "" for none."""
    __table_args__ = (
        UniqueConstraint("account", "folder", "uidvalidity", "uid"),
        Index("ix_letter_game_id_seat_receipt", "game_id", "seat", "receipt", unique=True),
        Index("ix_letter_outcome_id", "outcome", "id"),
        Index("ix_letter_outcome_game_id", "outcome", "game_id"),
        Index("ix_letter_moved_folder", "moved", "folder"),
        Index("ix_letter_sender_decided", "sender", "decided"),
        Index(
            "ix_letter_owed_id",
            "owed",
            "id",
            sqlite_where=text("owed <> ''"),
            postgresql_where=text("owed <> ''"),
        ),
        Index(
            "ix_letter_proven_id",
            "proven",
            "id",
            sqlite_where=text("raw IS NOT NULL"),
            postgresql_where=text("raw IS NOT NULL"),
        ),
    )


class LetterMark(Record):
    """The signed content of a letter that counted. It counts in that letter only
    (:mod:`pbem.letters.copies`)."""

    __tablename__ = "letter_mark"
    mark: Mapped[str] = mapped_column(String(64), primary_key=True)
    letter_id: Mapped[int] = mapped_column(ForeignKey("letter.id"), index=True)


class Cursor(Record):
    """How far a folder has been read: every UID up to ``uid`` has a letter row."""

    __tablename__ = "cursor"
    account: Mapped[str] = mapped_column(String(120), primary_key=True)
    folder: Mapped[str] = mapped_column(String(120), primary_key=True)
    uidvalidity: Mapped[int] = mapped_column(BigInteger)
    uid: Mapped[int] = mapped_column(BigInteger)


class OrderSet(Record):
    """The orders that stand for a seat after its ``ordinal``-th letter in a period: canonical
    texts, in order. At most one of ``wait`` and ``ready`` is set."""

    __tablename__ = "order_set"
    game_id: Mapped[str] = mapped_column(String(40), primary_key=True)
    period: Mapped[int] = mapped_column(Integer, primary_key=True)
    seat: Mapped[str] = mapped_column(String(10), primary_key=True)
    ordinal: Mapped[int] = mapped_column(Integer, primary_key=True)
    orders: Mapped[list[Any]]
    wait: Mapped[bool] = mapped_column(Boolean, default=False)
    ready: Mapped[bool] = mapped_column(Boolean, default=False)
    letter_id: Mapped[int | None] = mapped_column(ForeignKey("letter.id"))
    at: Mapped[datetime]
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012


class KeptOrders(Record):
    """Order sets of a period taken back by a rewind. They are tried again when the period comes
    again."""

    __tablename__ = "kept_orders"
    game_id: Mapped[str] = mapped_column(String(40), primary_key=True)
    period: Mapped[int] = mapped_column(Integer, primary_key=True)
    seat: Mapped[str] = mapped_column(String(10), primary_key=True)
    ordinal: Mapped[int] = mapped_column(Integer, primary_key=True)
    orders: Mapped[list[Any]]
    letter_id: Mapped[int | None] = mapped_column(ForeignKey("letter.id"))
    at: Mapped[datetime]


class Ballot(Record):
    """How a seat's player would end the game. Secret."""

    __tablename__ = "ballot"
    game_id: Mapped[str] = mapped_column(String(40), primary_key=True)
    seat: Mapped[str] = mapped_column(String(10), primary_key=True)
    shared: Mapped[list[Any]]
    """The seats that would share the end; [] for no proposal any more."""
    letter_id: Mapped[int] = mapped_column(Integer)
    at: Mapped[datetime]


class Statement(Record):
    """What a seat's player says about a finished game, as printed. Secret until all are
    published."""

    __tablename__ = "statement"
    game_id: Mapped[str] = mapped_column(String(40), primary_key=True)
    seat: Mapped[str] = mapped_column(String(10), primary_key=True)
    player_id: Mapped[int] = mapped_column(Integer)
    text: Mapped[str] = mapped_column(Text)
    letter_id: Mapped[int] = mapped_column(Integer)
    at: Mapped[datetime]


class Look(Record):
    """A gamesmaster's look at a secret while a period runs."""

    __tablename__ = "look"
    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    game_id: Mapped[str] = mapped_column(String(40), index=True)
    period: Mapped[int] = mapped_column(Integer)
    kind: Mapped[str] = mapped_column(String(12))
    number: Mapped[int | None] = mapped_column(Integer)
    """The bulletin that reported it."""
    at: Mapped[datetime]


class Press(Record):
    """Public or private words, relayed without addresses."""

    __tablename__ = "press"
    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    game_id: Mapped[str] = mapped_column(String(40))
    period: Mapped[int] = mapped_column(Integer)
    author: Mapped[str] = mapped_column(String(10))
    """A seat; "" for the gamesmaster."""
    anonymous: Mapped[bool] = mapped_column(Boolean)
    audience: Mapped[list[Any]]
    """[] for all."""
    text: Mapped[str] = mapped_column(Text)
    letter_id: Mapped[int | None] = mapped_column(ForeignKey("letter.id"))
    pen_name: Mapped[str] = mapped_column(String(30), default="", server_default="")
    """The name the author uses here; "" for none."""
    answers: Mapped[int | None] = mapped_column(Integer)
    """The press that this answers."""
    player_id: Mapped[int | None] = mapped_column(Integer)
    """Who held the author's seat then. None for the gamesmaster, and in rows older than this
    column."""
    __table_args__ = (Index("ix_press_game_id_period", "game_id", "period"),)


class Outgoing(Record):
    """The outbox: frozen bytes, one recipient each."""

    __tablename__ = "outgoing"
    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    key: Mapped[str] = mapped_column(String(160), unique=True)
    """Names the one thing this mail is ("receipt:12")."""
    kind: Mapped[str] = mapped_column(String(20))
    line: Mapped[int] = mapped_column(Integer, server_default="3")
    """The queue in which it waits (:mod:`pbem.store.mails.lanes`)."""
    game_id: Mapped[str] = mapped_column(String(40), default="")
    seat: Mapped[str] = mapped_column(String(10), default="")
    recipient: Mapped[str] = mapped_column(String(254))
    envelope_from: Mapped[str] = mapped_column(String(254))
    message_id: Mapped[str] = mapped_column(String(254))
    raw: Mapped[bytes]
    """The mail, with marks in place of a game's pictures
    (:mod:`pbem.store.mails.mail_pictures`)."""
    state: Mapped[MailState] = mapped_column(known(MailState, "state", 10))
    next_try: Mapped[datetime]
    attempts: Mapped[int] = mapped_column(Integer, default=0)
    resent: Mapped[bool] = mapped_column(Boolean, default=False)
    reply: Mapped[str] = mapped_column(Text, default="")
    created: Mapped[datetime]
    sent: Mapped[datetime | None]
    __table_args__ = (
        Index("ix_outgoing_state_line_game_id_id", "state", "line", "game_id", "id"),
        Index("ix_outgoing_recipient_created", "recipient", "created"),
        Index("ix_outgoing_game_id_seat_created", "game_id", "seat", "created"),
        Index("ix_outgoing_message_id", "message_id"),
    )


class Picture(Record):
    """A picture in mails of a game."""

    __tablename__ = "picture"
    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    """SHA-256 in hex."""
    game_id: Mapped[str] = mapped_column(String(40), primary_key=True, index=True)
    content: Mapped[bytes]
    """Base64, as it stands in the mails."""


class Bulletin(Record):
    """The text of a published bulletin or notice."""

    __tablename__ = "bulletin"
    game_id: Mapped[str] = mapped_column(String(40), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    seat: Mapped[str] = mapped_column(String(10), primary_key=True)
    """"" for the public bulletin."""
    edition: Mapped[int] = mapped_column(Integer, primary_key=True)
    """Counts corrections."""
    text: Mapped[str] = mapped_column(Text)
    frame: Mapped[dict[str, Any]]
    published: Mapped[datetime | None]
    voided: Mapped[datetime | None]
    """When a rewind took it back."""


class Ruling(Record):
    """A gamesmaster's ruling or a house note for the next bulletin."""

    __tablename__ = "ruling"
    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    game_id: Mapped[str] = mapped_column(String(40), index=True)
    kind: Mapped[NoteKind] = mapped_column(known(NoteKind, "kind", 10))
    """A "clock" note is about its period's deadline and falls with it. An "orders" note is about
    orders of its period and stays with them."""
    text: Mapped[str] = mapped_column(Text)
    number: Mapped[int | None] = mapped_column(Integer)
    """The bulletin that printed it, and prints it again when corrected."""
    at: Mapped[datetime]
    period: Mapped[int | None] = mapped_column(Integer)
    """The period that ran when it was made. None: made before this column existed."""


class Journal(Record):
    """The append-only journal of a game. Each entry has its own nonce and is hashed over the one
    before."""

    __tablename__ = "journal"
    game_id: Mapped[str] = mapped_column(String(40), primary_key=True)
    n: Mapped[int] = mapped_column(Integer, primary_key=True)
    at: Mapped[datetime]
    kind: Mapped[str] = mapped_column(String(20))
    data: Mapped[dict[str, Any]]
    nonce: Mapped[str] = mapped_column(String(32))
    hash: Mapped[str] = mapped_column(String(64))
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012


class Memo(Record):
    """Small facts of the daemon itself: last pass, alarms, the VERP key."""

    __tablename__ = "memo"
    key: Mapped[str] = mapped_column(String(80), primary_key=True)
    value: Mapped[dict[str, Any]]
