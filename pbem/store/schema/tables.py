"""The tables of the database. Times are aware UTC. Positions are JSON, so new games need no
migration. What happens once has a UNIQUE constraint."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from pbem.letters.states import LetterState
from pbem.store.schema.states import (
    ApplicantState,
    DeputyState,
    Freed,
    GameState,
    MailState,
    NoteKind,
    OfferState,
    PeriodState,
    TableState,
)
from pbem.store.schema.table_base import Record, known

PRESS = "PRESS TO "
_RAW = text("raw IS NOT NULL")


class Player(Record):
    """A person who plays or stands by."""

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(80))
    created: Mapped[datetime]
    zone: Mapped[str] = mapped_column(String(60), default="")
    """For deadlines, besides the game's."""
    all_receipts: Mapped[bool] = mapped_column(default=False)
    """Even for letters with only press."""
    face: Mapped[str] = mapped_column(String(10), default="html")
    """"html" or "plain"."""
    calendar: Mapped[bool] = mapped_column(default=False)


class Address(Record):
    """A player's address, in lower case."""

    address: Mapped[str] = mapped_column(String(254), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), index=True)
    of_record: Mapped[bool]
    """Whether mail goes here."""
    soft_bounces: Mapped[int] = mapped_column(default=0, index=True)
    hard_bounces: Mapped[int] = mapped_column(default=0, index=True)
    last_bounce: Mapped[str] = mapped_column(Text, default="")


class Game(Record):
    """One game, with its own tables and rules."""

    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    ruleset: Mapped[str] = mapped_column(String(40))
    schema: Mapped[int]
    status: Mapped[GameState] = mapped_column(known(GameState, "status", 12), index=True)
    held_because: Mapped[str] = mapped_column(Text, default="")
    held_at: Mapped[datetime | None]
    restored_to: Mapped[datetime | None]
    """End of the restored backup. Letters from then to ``restored_until`` may be for periods to
    come again."""
    restored_until: Mapped[datetime | None]
    """When it went on; None: not yet."""
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
    period: Mapped[int] = mapped_column(default=0)
    created: Mapped[datetime]
    gamesmaster: Mapped[str] = mapped_column(String(254), default="", index=True)
    """Address; "" for the installation's."""
    second: Mapped[str] = mapped_column(String(254), default="", index=True)
    """Acts while the gamesmaster plays."""
    edition: Mapped[int] = mapped_column(default=1)
    """One more than its rewinds."""
    agreed: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True))
    """The seats that share an agreed end."""
    statements_until: Mapped[datetime | None] = mapped_column(index=True)
    """None before the end, and once published."""
    attended: Mapped[datetime | None]
    """The last act of a gamesmaster."""
    # covering indexes: in a row the large columns come first
    __table_args__ = (
        Index("ix_game_id_gamesmaster", "id", "gamesmaster"),
        Index("ix_game_status_gamesmaster_id_period", "status", "gamesmaster", "id", "period"),
    )


class Gamesmaster(Record):
    """A person mailed as gamesmaster."""

    address: Mapped[str] = mapped_column(String(254), primary_key=True)
    token_no: Mapped[int]
    token_hash: Mapped[str] = mapped_column(String(64), index=True)
    asked: Mapped[int]
    """Games to be taken over."""
    heard: Mapped[datetime | None]
    """When their last letter came."""


class Seat(Record):
    """A seat and its player."""

    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    seat: Mapped[str] = mapped_column(String(10), primary_key=True)
    place: Mapped[int]
    player_id: Mapped[int | None] = mapped_column(ForeignKey("player.id"), index=True)
    token_hash: Mapped[str] = mapped_column(String(64), default="", index=True)
    token_no: Mapped[int] = mapped_column(default=1)
    link_no: Mapped[int] = mapped_column(default=1, server_default="1")
    """The number of its valid links."""
    missed: Mapped[int] = mapped_column(default=0, index=True)
    asked_until: Mapped[datetime | None] = mapped_column(index=True)
    heard: Mapped[int] = mapped_column(default=0)
    """Last period with a letter."""
    quits: Mapped[datetime | None] = mapped_column(index=True)
    """When the player asked to be relieved."""
    bot: Mapped[str] = mapped_column(String(20), default="", server_default="")
    """The house bot that plays it while it has no player; "": none."""


class PlayerRecord(Record):
    """Something counted of a person (``RecordKind``)."""

    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    period: Mapped[int] = mapped_column(primary_key=True)
    seat: Mapped[str] = mapped_column(String(10), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), primary_key=True, index=True)
    kind: Mapped[str] = mapped_column(String(10), primary_key=True)


class Standby(Record):
    """A stand-by, in order of joining."""

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), index=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), index=True)
    invited_for: Mapped[str] = mapped_column(String(10), default="")


class Period(Record):
    """One period. ``due`` = ``base`` + ``moves``."""

    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    phase: Mapped[str] = mapped_column(String(40))
    status: Mapped[PeriodState] = mapped_column(known(PeriodState, "status", 12))
    state: Mapped[dict[str, Any]]
    """At its start. A finished game's last row has the end."""
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
    edition: Mapped[int] = mapped_column(default=1)
    """The game's; part of its draws."""
    close_asked: Mapped[datetime | None]
    """By the gamesmaster; None: not, or done."""
    __table_args__ = (
        Index("ix_period_status_next_look", "status", "next_look"),
        Index("ix_period_status_due_game_id_number", "status", "due", "game_id", "number"),
    )


class Letter(Record):
    """A letter. Its bytes are stored first."""

    id: Mapped[int] = mapped_column(primary_key=True)
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
    authentication: Mapped[str] = mapped_column(String(10), default="open")
    game_id: Mapped[str] = mapped_column(String(40), default="")
    seat: Mapped[str] = mapped_column(String(10), default="")
    period: Mapped[int] = mapped_column(default=0)
    attempts: Mapped[int] = mapped_column(default=0)  # to fetch it, then to decide it
    moved: Mapped[bool] = mapped_column(default=False)
    decided: Mapped[datetime | None]
    code_hash: Mapped[str] = mapped_column(String(64), default="")
    receipt: Mapped[int | None]
    """Number among the seat's letters, which is shown."""
    proven: Mapped[bool | None]
    """By verdict. None: not judged."""
    __table_args__ = (
        UniqueConstraint("account", "folder", "uidvalidity", "uid"),
        Index("ix_letter_game_id_seat_receipt", "game_id", "seat", "receipt", unique=True),
        Index("ix_letter_outcome_id", "outcome", "id"),
        Index("ix_letter_outcome_game_id", "outcome", "game_id"),
        Index("ix_letter_moved_folder", "moved", "folder"),
        Index("ix_letter_sender_decided", "sender", "decided"),
        Index("ix_letter_proven_id", "proven", "id", sqlite_where=_RAW, postgresql_where=_RAW),
    )


class LetterMark(Record):
    """A signed content that counted (:mod:`pbem.letters.copies`)."""

    mark: Mapped[str] = mapped_column(String(64), primary_key=True)
    letter_id: Mapped[int] = mapped_column(ForeignKey("letter.id"), index=True)


class Cursor(Record):
    """All UIDs up to ``uid`` have rows."""

    account: Mapped[str] = mapped_column(String(120), primary_key=True)
    folder: Mapped[str] = mapped_column(String(120), primary_key=True)
    uidvalidity: Mapped[int] = mapped_column(BigInteger)
    uid: Mapped[int] = mapped_column(BigInteger)


class OrderSet(Record):
    """A seat's orders after its ``ordinal``-th letter. Not both ``wait`` and ``ready``."""

    game_id: Mapped[str] = mapped_column(String(40), primary_key=True)
    period: Mapped[int] = mapped_column(primary_key=True)
    seat: Mapped[str] = mapped_column(String(10), primary_key=True)
    ordinal: Mapped[int] = mapped_column(primary_key=True)
    orders: Mapped[list[Any]]
    wait: Mapped[bool] = mapped_column(default=False)
    ready: Mapped[bool] = mapped_column(default=False)
    letter_id: Mapped[int | None] = mapped_column(ForeignKey("letter.id"))
    at: Mapped[datetime]
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012


class KeptOrders(Record):
    """Orders kept aside by a rewind."""

    game_id: Mapped[str] = mapped_column(String(40), primary_key=True)
    period: Mapped[int] = mapped_column(primary_key=True)
    seat: Mapped[str] = mapped_column(String(10), primary_key=True)
    ordinal: Mapped[int] = mapped_column(primary_key=True)
    orders: Mapped[list[Any]]
    letter_id: Mapped[int | None] = mapped_column(ForeignKey("letter.id"))
    at: Mapped[datetime]


class Suggestion(Record):
    """An order that the receipt of a letter suggested; a yes to that receipt sends it."""

    letter_id: Mapped[int] = mapped_column(ForeignKey("letter.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    """From 1; 0 for a slate that lacks some offices, which no yes sends."""
    game_id: Mapped[str] = mapped_column(String(40))
    seat: Mapped[str] = mapped_column(String(10))
    edition: Mapped[int]
    period: Mapped[int]
    orders: Mapped[list[Any]]
    """The seat's orders when it was made, or when a yes to the same receipt came."""
    line: Mapped[str] = mapped_column(Text)
    answered: Mapped[int | None] = mapped_column(index=True)
    """The letter that said yes."""

    @property
    def is_press(self) -> bool:
        """Whether it is press that was held, from PRESS TO to END PRESS."""
        return self.line.startswith(PRESS)

    @property
    def called(self) -> str:
        return self.line.partition("\n")[0]

    __table_args__ = (Index("ix_suggestion_game_id_seat", "game_id", "seat"),)


class Ballot(Record):
    """A seat's secret vote on ending."""

    game_id: Mapped[str] = mapped_column(String(40), primary_key=True)
    seat: Mapped[str] = mapped_column(String(10), primary_key=True)
    shared: Mapped[list[Any]]
    """Seats to share the end, or []."""
    letter_id: Mapped[int]


class Statement(Record):
    """Words on a finished game, secret until published."""

    game_id: Mapped[str] = mapped_column(String(40), primary_key=True)
    seat: Mapped[str] = mapped_column(String(10), primary_key=True)
    player_id: Mapped[int]
    text: Mapped[str] = mapped_column(Text)
    letter_id: Mapped[int]


class Look(Record):
    """A gamesmaster's look at a secret."""

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[str] = mapped_column(String(40), index=True)
    period: Mapped[int]
    kind: Mapped[str] = mapped_column(String(12))
    number: Mapped[int | None]
    """The bulletin that reported it."""
    at: Mapped[datetime]


class Press(Record):
    """Words relayed without addresses."""

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[str] = mapped_column(String(40))
    period: Mapped[int]
    author: Mapped[str] = mapped_column(String(10))
    """"" for the gamesmaster."""
    anonymous: Mapped[bool]
    audience: Mapped[list[Any]]
    """[] for all."""
    text: Mapped[str] = mapped_column(Text)
    letter_id: Mapped[int | None] = mapped_column(ForeignKey("letter.id"))
    pen_name: Mapped[str] = mapped_column(String(30), default="", server_default="")
    answers: Mapped[int | None]
    """The press answered."""
    player_id: Mapped[int | None]
    """None for the gamesmaster and in old rows."""
    __table_args__ = (Index("ix_press_game_id_period", "game_id", "period"),)


class Outgoing(Record):
    """A frozen mail to one recipient."""

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(160), unique=True)
    """What it is: "receipt:12"."""
    kind: Mapped[str] = mapped_column(String(20))
    line: Mapped[int] = mapped_column(server_default="3")
    """See :mod:`pbem.store.mails.lanes`."""
    game_id: Mapped[str] = mapped_column(String(40), default="")
    seat: Mapped[str] = mapped_column(String(10), default="")
    recipient: Mapped[str] = mapped_column(String(254))
    envelope_from: Mapped[str] = mapped_column(String(254))
    message_id: Mapped[str] = mapped_column(String(254), index=True)
    raw: Mapped[bytes]
    """Pictures are replaced (:mod:`pbem.store.mails.mails`)."""
    state: Mapped[MailState] = mapped_column(known(MailState, "state", 10))
    next_try: Mapped[datetime]
    attempts: Mapped[int] = mapped_column(default=0)
    resent: Mapped[bool] = mapped_column(default=False)
    reply: Mapped[str] = mapped_column(Text, default="")
    created: Mapped[datetime]
    sent: Mapped[datetime | None]
    __table_args__ = (
        Index("ix_outgoing_state_line_game_id_id", "state", "line", "game_id", "id"),
        Index("ix_outgoing_kind_created", "kind", "created"),
        Index("ix_outgoing_recipient_created", "recipient", "created"),
        Index("ix_outgoing_game_id_seat_created", "game_id", "seat", "created"),
    )


class Picture(Record):
    """A picture in base64."""

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    """SHA-256 in hex."""
    game_id: Mapped[str] = mapped_column(String(40), primary_key=True, index=True)
    content: Mapped[bytes]


class Bulletin(Record):
    """A published bulletin or notice."""

    game_id: Mapped[str] = mapped_column(String(40), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    seat: Mapped[str] = mapped_column(String(10), primary_key=True)
    """"" for the public bulletin."""
    edition: Mapped[int] = mapped_column(primary_key=True)
    """Counts corrections."""
    text: Mapped[str] = mapped_column(Text)
    frame: Mapped[dict[str, Any]]
    published: Mapped[datetime | None]
    voided: Mapped[datetime | None]
    """When a rewind took it back."""


class Ruling(Record):
    """A note for the next bulletin."""

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[str] = mapped_column(String(40), index=True)
    kind: Mapped[NoteKind] = mapped_column(known(NoteKind, "kind", 10))
    """"clock" falls with its deadline, "orders" stays with its orders."""
    text: Mapped[str] = mapped_column(Text)
    number: Mapped[int | None]
    """The bulletin that printed it."""
    at: Mapped[datetime]
    period: Mapped[int | None]
    """None in old rows."""


class Journal(Record):
    """An entry, hashed over the one before."""

    game_id: Mapped[str] = mapped_column(String(40), primary_key=True)
    n: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    kind: Mapped[str] = mapped_column(String(20))
    data: Mapped[dict[str, Any]]
    nonce: Mapped[str] = mapped_column(String(32))
    hash: Mapped[str] = mapped_column(String(64))
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012


class Memo(Record):
    """A small fact, as JSON."""

    key: Mapped[str] = mapped_column(String(80), primary_key=True)
    value: Mapped[dict[str, Any]]


class Inquiry(Record):
    """A player's question that waits for a gamesmaster's answer."""

    letter: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), index=True)
    seat: Mapped[str] = mapped_column(String(10))
    player_id: Mapped[int]
    text: Mapped[str] = mapped_column(Text)
    since: Mapped[datetime]
    late: Mapped[bool] = mapped_column(default=False)
    """Whether its asker was told that nobody has answered yet."""
    press: Mapped[bool] = mapped_column(default=False)
    """An answer to the gamesmaster's press."""


class Protest(Record):
    """A protest that stands against what was adjudicated."""

    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    seat: Mapped[str] = mapped_column(String(10), primary_key=True)
    bulletin: Mapped[int]
    text: Mapped[str] = mapped_column(Text)
    since: Mapped[datetime]


class Report(Record):
    """A press that a seat reported."""

    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    seat: Mapped[str] = mapped_column(String(10), primary_key=True)
    press: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    author: Mapped[str] = mapped_column(String(10))
    text: Mapped[str] = mapped_column(Text)
    since: Mapped[datetime]


class Mute(Record):
    """A seat whose press a reader gets no more, as long as both players stay."""

    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    reader: Mapped[str] = mapped_column(String(10), primary_key=True)
    seat: Mapped[str] = mapped_column(String(10), primary_key=True)
    reader_id: Mapped[int]
    player_id: Mapped[int]


class Warned(Record):
    """How a player's press stands with the gamesmaster."""

    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    seat: Mapped[str] = mapped_column(String(10), primary_key=True)
    player_id: Mapped[int]
    times: Mapped[int]
    until: Mapped[datetime | None]
    """The end of the suspension. None if the press is free."""


class Away(Record):
    """Days on which the gamesmaster of a game is away, in its zone."""

    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    first: Mapped[date]
    last: Mapped[date]
    begun: Mapped[bool] = mapped_column(default=False)


class Handover(Record):
    """A change of gamesmasters that waits for codes."""

    role: Mapped[str] = mapped_column(String(10), primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    codes: Mapped[dict[str, Any]]
    """Hash -> address."""
    unasked: Mapped[bool]
    """Whether ``former`` is gone."""
    successor: Mapped[str] = mapped_column(String(254))
    former: Mapped[str] = mapped_column(String(254))
    """"" if there was none."""


class Rematch(Record):
    """A player who would play again after a game."""

    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), primary_key=True)
    said: Mapped[datetime]
    table_id: Mapped[str] = mapped_column(String(40), default="")
    """"" before two have said so."""


class Member(Record):
    """What a person has asked of the club (:class:`pbem.store.games.club.Asked`)."""

    what: Mapped[str] = mapped_column(String(20), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), primary_key=True)


class Issue(Record):
    """An issue of the club's paper."""

    month: Mapped[str] = mapped_column(String(7), primary_key=True)
    """As 2026-11."""
    at: Mapped[datetime]
    text: Mapped[str] = mapped_column(Text, default="")
    """"" if there was nothing to tell."""


class EditorLetter(Record):
    """A letter to the paper."""

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    signed: Mapped[str] = mapped_column(String(80))
    text: Mapped[str] = mapped_column(Text)
    released: Mapped[bool] = mapped_column(default=False)
    """Whether the next issue prints it."""
    game_id: Mapped[str] = mapped_column(String(40), default="")
    """"" if not on file."""
    seat: Mapped[str] = mapped_column(String(10), default="")
    player_id: Mapped[int] = mapped_column(default=0)
    since: Mapped[datetime | None]


class Session(Record):
    """A person's session at a desk, in one browser."""

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    """The hash of its secret."""
    until: Mapped[datetime]
    who: Mapped[str] = mapped_column(String(254), default="")
    """"" for the shell's owner."""
    browser: Mapped[str] = mapped_column(String(80), default="")
    stays: Mapped[bool] = mapped_column(default=False)


class OpenTable(Record):
    """A game to sign on to."""

    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    ruleset: Mapped[str] = mapped_column(String(40))
    state: Mapped[TableState] = mapped_column(known(TableState, "state", 12), index=True)
    places: Mapped[int]
    plan: Mapped[dict[str, Any]]
    """Options, house rules and trust, as JSON."""
    seed: Mapped[str] = mapped_column(String(80))
    """Drawn at opening, for the seats."""
    gamesmaster: Mapped[str] = mapped_column(String(254), default="", index=True)
    approve: Mapped[bool]
    """Whether the gamesmaster approves each applicant."""
    reliability: Mapped[int] = mapped_column(default=0)
    """Percent of due moves made."""
    opened: Mapped[datetime]
    starts: Mapped[datetime | None]
    """None: as soon as it is full."""
    closes: Mapped[datetime | None]
    """Until when it must be full."""
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

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("open_table.id"), index=True)
    address: Mapped[str] = mapped_column(String(254), index=True)
    name: Mapped[str] = mapped_column(String(80))
    player_id: Mapped[int | None] = mapped_column(ForeignKey("player.id"), index=True)
    state: Mapped[ApplicantState] = mapped_column(known(ApplicantState, "state", 12))
    place: Mapped[int | None]
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

    game_id: Mapped[str] = mapped_column(String(40), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), primary_key=True, index=True)
    since: Mapped[datetime]


class Deputy(Record):
    """A person who may write for an absent player."""

    id: Mapped[int] = mapped_column(primary_key=True)
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
    token_no: Mapped[int] = mapped_column(default=1)
    asked: Mapped[datetime]
    until: Mapped[datetime]
    """By when to send both codes."""
    troubled: Mapped[bool] = mapped_column(default=False)
    """Whether the player knows of their bounces."""


class Privy(Record):
    """A person who has seen a seat's private mails."""

    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    seat: Mapped[str] = mapped_column(String(10), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), primary_key=True, index=True)


class FreeSeat(Record):
    """A seat in need. ``player_id`` may play on meanwhile."""

    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), primary_key=True)
    seat: Mapped[str] = mapped_column(String(10), primary_key=True)
    player_id: Mapped[int | None] = mapped_column(ForeignKey("player.id"), index=True)
    why: Mapped[Freed] = mapped_column(known(Freed, "why", 12))
    since: Mapped[datetime]
    period: Mapped[int]
    """When it fell free."""
    told: Mapped[bool] = mapped_column(default=False)
    """The gamesmaster knows that nobody comes."""


class Offer(Record):
    """A free seat offered, ``until`` then."""

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), index=True)
    seat: Mapped[str] = mapped_column(String(10))
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), index=True)
    state: Mapped[OfferState] = mapped_column(known(OfferState, "state", 12))
    made: Mapped[datetime]
    until: Mapped[datetime]
    address: Mapped[str] = mapped_column(String(254), index=True)
    alone: Mapped[bool]
    """Nobody else is asked meanwhile."""
    code_hash: Mapped[str] = mapped_column(String(64), default="", index=True)
    __table_args__ = (Index("ix_offer_state_until", "state", "until"),)


class Practice(Record):
    """A game of one person against house bots."""

    game_id: Mapped[str] = mapped_column(String(40), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), index=True)
    ruleset: Mapped[str] = mapped_column(String(40))
    asked: Mapped[datetime]
    begun: Mapped[datetime | None]
    """None: at the next pass."""
    ended: Mapped[datetime | None] = mapped_column(index=True)


class Invited(Record):
    """An address not to be invited again."""

    address: Mapped[str] = mapped_column(String(254), primary_key=True)
    by_player: Mapped[int | None] = mapped_column(index=True)
    game_id: Mapped[str] = mapped_column(String(40), default="")
    at: Mapped[datetime]
    refused: Mapped[bool] = mapped_column(default=False)
