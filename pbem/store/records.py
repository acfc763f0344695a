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
)
from sqlalchemy.orm import Mapped, mapped_column

from pbem.letters.states import LetterState
from pbem.store.joining_records import (
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
from pbem.store.states import GameState, MailState, NoteKind, PeriodState
from pbem.store.table_base import Record, Utc, known

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
    """A person who plays, or stands by. ``zone``: in which he is told deadlines besides the game's,
    "" for none; ``all_receipts``: whether a letter of press alone is receipted too; ``face``:
    "html" where his mails may have that besides their text, "plain" where not; ``calendar``:
    whether they bring the deadlines for his calendar."""

    __tablename__ = "player"
    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    name: Mapped[str] = mapped_column(String(80))
    created: Mapped[datetime]
    zone: Mapped[str] = mapped_column(String(60), default="")
    all_receipts: Mapped[bool] = mapped_column(Boolean, default=False)
    face: Mapped[str] = mapped_column(String(10), default="html")
    calendar: Mapped[bool] = mapped_column(Boolean, default=False)


class Address(Record):
    """A registered address of a player, in lower case; ``of_record``: where receipts and bulletins
    go."""

    __tablename__ = "address"
    address: Mapped[str] = mapped_column(String(254), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), index=True)
    of_record: Mapped[bool] = mapped_column(Boolean)
    soft_bounces: Mapped[int] = mapped_column(Integer, default=0)
    hard_bounces: Mapped[int] = mapped_column(Integer, default=0)
    last_bounce: Mapped[str] = mapped_column(Text, default="")
    pgp_key: Mapped[str] = mapped_column(Text, default="")
    __table_args__ = (
        Index("ix_address_soft_bounces", "soft_bounces"),
        Index("ix_address_hard_bounces", "hard_bounces"),
    )


class Game(Record):
    """One game. From its creation the truth about its rules: tables, options and house rules are
    copies. Letters received between ``restored_to`` (where the backup ended that it came back from)
    and ``restored_until`` (when it went on; None: not yet) may be meant for periods that it has yet
    to reach again. ``gamesmaster``: his address, "" for the installation's; ``second``: who does
    the acts where the gamesmaster plays, "" for nobody. ``edition``: one more than it has been
    rewound. ``agreed``: the seats that share its end, where the players agreed to it;
    ``statements_until``: until when they are asked for statements on the game, None before its end
    and once all have been told of them. ``attended``: when an act was last done
    upon it."""

    __tablename__ = "game"
    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    ruleset: Mapped[str] = mapped_column(String(40))
    schema: Mapped[int] = mapped_column(Integer)
    status: Mapped[GameState] = mapped_column(known(GameState, "status", 12), index=True)
    held_because: Mapped[str] = mapped_column(Text, default="")
    held_at: Mapped[datetime | None]
    restored_to: Mapped[datetime | None]
    restored_until: Mapped[datetime | None]
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
    second: Mapped[str] = mapped_column(String(254), default="", index=True)
    edition: Mapped[int] = mapped_column(Integer, default=1)
    agreed: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True))
    statements_until: Mapped[datetime | None] = mapped_column(index=True)
    attended: Mapped[datetime | None]
    # what is asked of very many games stands here: a row has its tables before these columns
    __table_args__ = (
        Index("ix_game_id_gamesmaster", "id", "gamesmaster"),
        Index("ix_game_status_gamesmaster_id_period", "status", "gamesmaster", "id", "period"),
    )


class Gamesmaster(Record):
    """Whoever has been written to as a gamesmaster, by his address. ``token_hash``: SHA-256 of his
    secret reply token, which is made from the installation's key, his address and ``token_no``.
    ``asked``: how many games wait for his word that he takes them over. ``heard``: when his last
    letter came."""

    __tablename__ = "gamesmaster"
    address: Mapped[str] = mapped_column(String(254), primary_key=True)
    token_no: Mapped[int] = mapped_column(Integer)
    token_hash: Mapped[str] = mapped_column(String(64), index=True)
    asked: Mapped[int] = mapped_column(Integer)
    heard: Mapped[datetime | None]


class Seat(Record):
    """Who plays which seat. ``token_hash``: SHA-256 of the secret reply token, which is made from
    the installation's key, game, seat and ``token_no`` and stored nowhere; ``link_no`` is the same
    of the links in its mails, one more for each time that they lapsed. ``heard``: the last
    period in which a letter of the seat came; ``quits``: since when its player has asked to be
    relieved."""

    __tablename__ = "seat"
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    seat: Mapped[str] = mapped_column(String(10), primary_key=True)
    place: Mapped[int] = mapped_column(Integer)
    player_id: Mapped[int | None] = mapped_column(ForeignKey("player.id"), index=True)
    token_hash: Mapped[str] = mapped_column(String(64), default="", index=True)
    token_no: Mapped[int] = mapped_column(Integer, default=1)
    link_no: Mapped[int] = mapped_column(Integer, default=1, server_default="1")
    missed: Mapped[int] = mapped_column(Integer, default=0, index=True)
    asked_until: Mapped[datetime | None] = mapped_column(index=True)
    heard: Mapped[int] = mapped_column(Integer, default=0)
    quits: Mapped[datetime | None] = mapped_column(index=True)


class PlayerRecord(Record):
    """What is counted of a person (``RecordKind``): one row for each time, in the period in which
    it was."""

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
    """One period of a game. ``state`` is the position in which its orders are taken; the last row
    of a game that is over has the final position. ``base`` + ``moves`` = ``due``; ``due`` None: no
    deadline. ``edition``: the game's when it was adjudicated, which its draws name."""

    __tablename__ = "period"
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    phase: Mapped[str] = mapped_column(String(40))
    status: Mapped[PeriodState] = mapped_column(known(PeriodState, "status", 12))
    state: Mapped[dict[str, Any]]
    state_hash: Mapped[str] = mapped_column(String(64))
    events: Mapped[list[Any]]
    draws: Mapped[list[Any]]
    opened: Mapped[datetime]
    base: Mapped[datetime | None]
    moves: Mapped[list[Any]]
    due: Mapped[datetime | None]
    next_look: Mapped[datetime | None]
    closed: Mapped[datetime | None]
    template: Mapped[str] = mapped_column(String(64), default="")
    edition: Mapped[int] = mapped_column(Integer, default=1)
    __table_args__ = (
        Index("ix_period_status_next_look", "status", "next_look"),
        Index("ix_period_status_due_game_id_number", "status", "due", "game_id", "number"),
    )


class Letter(Record):
    """Every letter ever seen, its raw bytes first. ``receipt``: its number among the seat's own
    letters, as its receipt says it (the ``id`` counts everybody's, and is nobody's to see)."""

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
    __table_args__ = (
        UniqueConstraint("account", "folder", "uidvalidity", "uid"),
        Index("ix_letter_game_id_seat_receipt", "game_id", "seat", "receipt", unique=True),
        Index("ix_letter_outcome_id", "outcome", "id"),
        Index("ix_letter_outcome_game_id", "outcome", "game_id"),
        Index("ix_letter_moved_folder", "moved", "folder"),
        Index("ix_letter_sender_decided", "sender", "decided"),
    )


class LetterMark(Record):
    """What a signature covers by which a letter counted: it counts in that letter only
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
    """The orders that stand for a seat in a period after its ``ordinal``-th letter: canonical
    texts, in order; and whether it has said WAIT or READY, of which one at the most stands."""

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
    """The order sets of a period that a rewind has taken back: tried anew when the period comes
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
    """How a seat's player is ready to end the game: the seats that are to share it, [] for none any
    more. Secret."""

    __tablename__ = "ballot"
    game_id: Mapped[str] = mapped_column(String(40), primary_key=True)
    seat: Mapped[str] = mapped_column(String(10), primary_key=True)
    shared: Mapped[list[Any]]
    letter_id: Mapped[int] = mapped_column(Integer)
    at: Mapped[datetime]


class Statement(Record):
    """What a seat's player says about a game that is over, as it is printed; secret until all are
    told of them."""

    __tablename__ = "statement"
    game_id: Mapped[str] = mapped_column(String(40), primary_key=True)
    seat: Mapped[str] = mapped_column(String(10), primary_key=True)
    player_id: Mapped[int] = mapped_column(Integer)
    text: Mapped[str] = mapped_column(Text)
    letter_id: Mapped[int] = mapped_column(Integer)
    at: Mapped[datetime]


class Look(Record):
    """A look of the gamesmaster at what is secret while a period runs; ``number``: of the bulletin
    that told of it."""

    __tablename__ = "look"
    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    game_id: Mapped[str] = mapped_column(String(40), index=True)
    period: Mapped[int] = mapped_column(Integer)
    kind: Mapped[str] = mapped_column(String(12))
    number: Mapped[int | None] = mapped_column(Integer)
    at: Mapped[datetime]


class Press(Record):
    """Public or private words, relayed without addresses. ``author``: a seat, "" the gamesmaster;
    ``audience``: [] for all; ``pen_name``: what its author calls himself in it, "" for nothing;
    ``answers``: the press that it was written in answer to; ``player_id``: who held its author's
    seat then, None for the gamesmaster's and for what was written before this was kept."""

    __tablename__ = "press"
    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    game_id: Mapped[str] = mapped_column(String(40))
    period: Mapped[int] = mapped_column(Integer)
    author: Mapped[str] = mapped_column(String(10))
    anonymous: Mapped[bool] = mapped_column(Boolean)
    audience: Mapped[list[Any]]
    text: Mapped[str] = mapped_column(Text)
    letter_id: Mapped[int | None] = mapped_column(ForeignKey("letter.id"))
    pen_name: Mapped[str] = mapped_column(String(30), default="", server_default="")
    answers: Mapped[int | None] = mapped_column(Integer)
    player_id: Mapped[int | None] = mapped_column(Integer)
    __table_args__ = (Index("ix_press_game_id_period", "game_id", "period"),)


class Outgoing(Record):
    """The outbox: frozen bytes, one recipient each. In ``raw`` the pictures of a game's mails are
    marks (:mod:`pbem.store.mail_pictures`). ``key`` names the one thing this mail is
    ("receipt:12"), ``line`` the one in which it waits (:mod:`pbem.store.lines`)."""

    __tablename__ = "outgoing"
    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    key: Mapped[str] = mapped_column(String(160), unique=True)
    kind: Mapped[str] = mapped_column(String(20))
    line: Mapped[int] = mapped_column(Integer, server_default="3")
    game_id: Mapped[str] = mapped_column(String(40), default="")
    seat: Mapped[str] = mapped_column(String(10), default="")
    recipient: Mapped[str] = mapped_column(String(254))
    envelope_from: Mapped[str] = mapped_column(String(254))
    message_id: Mapped[str] = mapped_column(String(254))
    raw: Mapped[bytes]
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
    """A picture in mails of a game, in base64 as it stands in them; ``hash`` is its SHA-256 in
    hex."""

    __tablename__ = "picture"
    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    game_id: Mapped[str] = mapped_column(String(40), primary_key=True, index=True)
    content: Mapped[bytes]


class Bulletin(Record):
    """The text of each published bulletin and notice ("" seat: the public one); ``edition`` counts
    corrections. ``voided``: when a rewind took it back."""

    __tablename__ = "bulletin"
    game_id: Mapped[str] = mapped_column(String(40), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    seat: Mapped[str] = mapped_column(String(10), primary_key=True)
    edition: Mapped[int] = mapped_column(Integer, primary_key=True)
    text: Mapped[str] = mapped_column(Text)
    frame: Mapped[dict[str, Any]]
    published: Mapped[datetime | None]
    voided: Mapped[datetime | None]


class Ruling(Record):
    """A word of the gamesmaster ("ruling") or a note of the house for the next bulletin of a game;
    ``number`` once printed, and again in each correction of that bulletin. A note of kind "clock"
    is about its period's deadline and falls with it when that is taken back; one of kind "orders"
    is about orders of its period, and stays with those. ``period``: the one that ran when it was
    made (None: made before that was written down)."""

    __tablename__ = "ruling"
    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    game_id: Mapped[str] = mapped_column(String(40), index=True)
    kind: Mapped[NoteKind] = mapped_column(known(NoteKind, "kind", 10))
    text: Mapped[str] = mapped_column(Text)
    number: Mapped[int | None] = mapped_column(Integer)
    at: Mapped[datetime]
    period: Mapped[int | None] = mapped_column(Integer)


class Journal(Record):
    """The append-only journal of a game; each entry is hashed over the one before, with a nonce of
    its own."""

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
