"""What waits for a gamesmaster, most urgent first, with the acts that settle it.

The one list: ``pbem queue``, the word QUEUE, the digest and the desk show it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from pbem.acts.acts import BY_NAME
from pbem.errors import OperatorError
from pbem.games.frame.codec import Json
from pbem.games.frame.house_rules import SKEW, after_backup
from pbem.letters.states import LetterState
from pbem.orders.spelling import is_count, is_number
from pbem.periods import amendments
from pbem.post import clock, masters
from pbem.post.compose import Frozen
from pbem.post.work import Work
from pbem.referee.acts.values import MOMENT
from pbem.referee.deciding import registry
from pbem.referee.deciding.trust import PROBABLY
from pbem.store.engine.among import Among
from pbem.store.games import games, overview
from pbem.store.games.game_rows import GameRow, Holder, PeriodKey
from pbem.store.games.overview import ClockRow, NewcomerRow, OpenSeatRow
from pbem.store.joining import claimants
from pbem.store.journal import notes
from pbem.store.letters import letters
from pbem.store.mails import mails
from pbem.store.people import gamesmasters, players
from pbem.store.people.players import AddressRow
from pbem.store.schema.states import GameState
from pbem.store.schema.tables import EditorLetter, Game, Inquiry, Letter, Outgoing, Protest, Report
from pbem.text import counted

ATTENTION = (
    LetterState.FAILED,
    LetterState.HELD,
    LetterState.LATE,
    LetterState.UNVERIFIED,
    LetterState.UNANSWERED,
    LetterState.UNFETCHABLE,
    LetterState.QUARANTINE,
)
"""Most urgent first."""
ACCEPTABLE = (LetterState.UNVERIFIED, LetterState.HELD, LetterState.LATE)
OR = "   or  "
ALL = 10**9
SILENT = 2
"""Moves missed in a row."""
STILL = timedelta(hours=1)
"""Silence of a stopped referee."""
_NEWEST = 500
_NONE = {"none": "yes"}
_FEW = 300  # games named one by one in a statement


class Sight:
    """What a gamesmaster may see: their games; of those they play in, what players may know."""

    def __init__(self, work: Work, who: str | None) -> None:
        self.work, self.conn, self.who = work, work.conn, who
        self.address = who or work.mark.gamesmaster
        self.owner = self.address == work.mark.gamesmaster
        self.playing = frozenset(registry.games_of(work.conn, self.address))

    @cached_property
    def mastered(self) -> Mapping[str, bool]:
        """Their games, and whether they do the acts; {} for the shell."""
        return masters.games_of(self.conn, self.work.mark, self.who) if self.who else {}

    @cached_property
    def seen(self) -> Among:
        """What they may look into, for statements."""
        hidden = players.around(self.conn, self.playing) if self.owner and self.playing else ()
        if not self.who:
            return Among(None, self.playing, hidden=frozenset(hidden))
        mine = ("", self.who) if self.owner else (self.who,)
        ours = self.work.mark.gamesmaster
        besides = gamesmasters.seconded(self.conn, self.who, ours)
        besides |= {game for game in gamesmasters.away_now(self.conn) if self.mastered.get(game)}
        besides -= self.playing
        few = frozenset(Game.values(self.conn, Game.id, Game.gamesmaster.in_(mine), most=_FEW + 1))
        return Among(
            mine,
            self.playing,
            besides,
            self.owner,
            frozenset(hidden),
            few | besides if len(few) <= _FEW else None,
        )

    def lists(self, game_id: str) -> bool:
        """Return whether they are shown the game at all."""
        return not self.who or game_id in self.mastered

    def looks_into(self, game_id: str) -> bool:
        """Return whether they may know what its players do not."""
        return game_id not in self.playing and (not self.who or self.mastered.get(game_id, False))

    def sees(self, game_id: str, address: str) -> bool:
        """Return whether they may see a letter or mail. Those of no game are the owner's, unless
        their player plays with them."""
        if game_id:
            return self.looks_into(game_id)
        return self.owner and self.playing.isdisjoint(registry.games_of(self.conn, address))


@dataclass(frozen=True, slots=True)
class Way:
    """An act that settles a thing, with the known arguments."""

    act: str
    values: Mapping[str, Any]

    @property
    def label(self) -> str:
        return BY_NAME[self.act].called(self.values)


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing that waits."""

    what: str
    key: str
    of: Any
    game: str = ""
    since: datetime | None = None
    ways: Sequence[Way] = ()
    told: Json = field(default_factory=dict)
    """What programs read of it. ``release``: a shell command, ``words``: a mail's."""
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pile:
    """The number of things of a kind, and some of them."""

    kind: str
    number: int
    things: Sequence[Thing]

    @property
    def decisions(self) -> int:
        """How many wait for a decision: no news and no alarms."""
        return 0 if self.kind in (*UNDECIDED, "alarm") else self.number


_Found = tuple[int, list[Thing]]
_Kind = Callable[[Sight, int, int], _Found]


def pile(sight: Sight, kind: str, most: int = ALL, first: int = 0) -> Pile:
    return Pile(kind, *_PILES[kind](sight, most, first))


def piles(sight: Sight, most: int) -> list[Pile]:
    """Return all kinds of which something waits."""
    counted = letters.numbers(sight.conn, ATTENTION, sight.seen)
    kinds = [kind for kind in KINDS if kind not in ATTENTION or LetterState(kind) in counted]
    return [one for kind in kinds if (one := pile(sight, kind, most)).number]


def _told(release: str, words: str, row: Any = None, named: str = "", **facts: Any) -> Json:
    """Return what programs read of a thing: facts and what is ``named`` of its row, times ISO."""
    found = facts | {name: getattr(row, name) for name in named.split()}
    plain = {name: v.isoformat() if isinstance(v, datetime) else v for name, v in found.items()}
    return plain | {"release": release, "words": words}


# --- letters --------------------------------------------------------------------------------------


def _letters(state: LetterState) -> _Kind:
    def found(sight: Sight, most: int, first: int) -> _Found:
        number = letters.numbers(sight.conn, (state,), sight.seen).get(state, 0)
        most, newest = first + most, max(_NEWEST, first + most)
        ids = overview.pressing(sight.conn, sight.seen, state, most, newest)[first:]
        return number, of_letters(sight, ids)

    return found


def of_letters(sight: Sight, ids: Sequence[int]) -> list[Thing]:
    rows = overview.letters(sight.conn, ids)
    clocks = overview.clocks(sight.conn, {row.game_id for row in rows})
    return [_letter(sight, row, clocks.get(row.game_id)) for row in rows]


def _letter(sight: Sight, row: Letter, game: ClockRow | None) -> Thing:
    why = unacceptable(row.seat, row.game_id, game.status if game else None)
    acceptable = row.outcome in ACCEPTABLE and not why
    probably = acceptable and (row.reason or "").startswith(PROBABLY)
    sender, holder = row.sender or "", None
    asks = probably and row.seat and sender and sight.looks_into(row.game_id)
    if asks and players.at_address(sight.conn, sender) is None:  # an unregistered address
        holder = games.holders(sight.conn, row.game_id).get(row.seat)
    backup = (game.restored_to, game.restored_until) if game else (None, None)
    held = acceptable and row.outcome == LetterState.HELD
    together = held and after_backup(row.received, *backup)
    ways = tuple(_ways(row, holder, acceptable=acceptable, together=together))
    fields = _told(
        _release(row, acceptable=acceptable, together=together),
        OR.join(f"{way.act.upper()} {row.id}" for way in ways if "letter" in way.values),
        row,
        "id outcome reason sender seat received",
        game=row.game_id,
    )
    facts = {
        "not": why if row.outcome in ACCEPTABLE else "",
        "whose": holder.name if holder else "",
        "together": together,
    }
    return Thing("letter", str(row.id), row, row.game_id, row.received, ways, fields, facts)


def _release(row: Letter, *, acceptable: bool, together: bool) -> str:
    dismiss = f"pbem dismiss {row.id}"
    if acceptable:
        all_ = f"pbem accept --game {row.game_id}{OR}" if together and row.period else ""
        return f"{all_}pbem accept {row.id}{OR}{dismiss}"
    if row.outcome == LetterState.UNFETCHABLE:
        return f"pbem retry {row.id}{OR}{dismiss}"
    then = f"pbem retry {row.id}" if row.outcome == LetterState.FAILED else dismiss
    return f"pbem letter --id {row.id}   (why);  {then}"


def _ways(row: Letter, holder: Holder | None, *, acceptable: bool, together: bool) -> Iterator[Way]:
    letter = {"letter": row.id}
    if holder:
        yield Way("accept", {**letter, "seat": row.seat})
        yield Way("address", {"old": holder.address, "new": row.sender, "also": "yes"})
    elif acceptable:
        yield Way("accept", letter)
    if row.outcome == LetterState.LATE and row.game_id and row.period > 1:
        meant = row.period - 1  # the closed one, perhaps
        yield Way("rewind", {"game": row.game_id, "number": meant, "accept": row.id})
    if together and not holder:
        yield Way("accept", {"game": row.game_id})
    if row.outcome in (LetterState.FAILED, LetterState.UNFETCHABLE):
        yield Way("retry", letter)
    yield Way("dismiss", letter)


def unacceptable(seat: str, game_id: str, status: GameState | None) -> str:
    """Return why a letter would have no effect even if believed, or ""."""
    if not seat:
        return "does not say for which seat it is; its sender has to write again"
    if game_id and status == GameState.OVER:
        return f"is too late: game {game_id} is over"
    if game_id and status == GameState.WAITING:
        return f"must wait: game {game_id} has not begun"
    return ""


# --- games and seats ------------------------------------------------------------------------------


def _review(_: Sight, row: PeriodKey) -> Thing:
    game, number = row.game_id, row.number - 1
    fields = _told(
        f"pbem preview {game};  pbem release {game}",
        f"the lines GAME {game}, PERIOD {row.number}, RELEASE",
        bulletin=number,
    )
    ways = (Way("release", {"game": game, "bulletin": number}),)
    return Thing("review", game, {"bulletin": number}, game, None, ways, fields)


def _stopped(_: Sight, row: GameRow) -> Thing:
    fields = _told(
        f"pbem resume {row.id}",
        f"the lines GAME {row.id}, PERIOD {row.period}, RESUME",
        what="held",
        why=row.held_because,
        since=row.held_at,
    )
    ways = (Way("resume", {"game": row.id}),)
    return Thing("stopped", row.id, {"why": row.held_because}, row.id, row.held_at, ways, fields)


def _seat(sight: Sight, row: OpenSeatRow) -> Thing:
    open_ = claimants.open_of_seat(sight.conn, row.game_id, row.seat) if row.free else []
    until = max((one.until for one in open_), default=None)
    since, game = row.quit or row.free, row.game_id
    offered = [
        {"to": one.name, "until": one.until.isoformat(), "alone": one.alone} for one in open_
    ]
    fields: Json = {}
    if row.quit:
        fields = {"what": "quits", "since": since, "offered": offered}
    elif row.free:
        fields = {"what": "free", "why": row.why, "since": since, "offered": offered}
    elif row.status == GameState.RUNNING:
        fields = {"what": "silent", "missed": row.missed, "asked_until": row.asked_until}
    return Thing(
        "seat",
        f"{game}-{row.seat}",
        row,
        game,
        since,
        (Way("replace", {"game": game, "seat": row.seat}), Way("standby", {"game": game})),
        _told(
            f"pbem standby {game} ADDRESS{OR}pbem replace {game} {row.seat} ADDRESS",
            f"the lines GAME {game}, STANDBY address",
            seat=row.seat,
            **fields,
        )
        if fields
        else {},
        {"offered": [one.name for one in open_], "until": until},
    )


# --- words of players -----------------------------------------------------------------------------


_Written = TypeVar("_Written", Protest, Inquiry, Report)


def _led(sight: Sight, written: Sequence[_Written]) -> Sequence[_Written]:
    return [one for one in written if sight.looks_into(one.game_id)]


def _protest(_: Sight, row: Protest) -> Thing:
    game, seat = row.game_id, row.seat
    settle = Way("settle", {"game": game, "seat": seat})
    rewind = Way("rewind", {"game": game, "number": row.bulletin})
    ways = (settle, rewind) if row.bulletin else (settle,)  # before period 1 is nothing
    fields = _told(
        f"pbem settle {game} {seat}",
        f"the lines GAME {game}, SETTLE {seat} your answer",
        row,
        "seat bulletin text since",
    )
    return Thing("protest", f"{game}-{seat}", row, game, row.since, ways, fields)


def _question(_: Sight, row: Inquiry) -> Thing:
    fields = _told(
        f"pbem answer {row.letter} 'your answer'",
        f"ANSWER {row.letter} your answer",
        row,
        "seat letter text since",
    )
    ways = (Way("answer", {"letter": row.letter}),)
    return Thing("question", str(row.letter), row, row.game_id, row.since, ways, fields)


def _report(_: Sight, row: Report) -> Thing:
    author = {"game": row.game_id, "seat": row.author}
    ways = (Way("suspend", author),)
    return Thing("report", _report_key(row), row, row.game_id, row.since, ways)


def _report_key(row: Report) -> str:
    return f"{row.game_id}-{row.press}-{row.seat}"


def leave(sight: Sight, key: str) -> None:
    """Let a reported press, or an answer to their own, be, by its thing's key."""
    if is_count(key) and (own := Inquiry.one(sight.conn, letter=int(key))):
        if own.press and sight.looks_into(own.game_id):
            Inquiry.drop(sight.conn, letter=own.letter)
        return
    for one in _led(sight, Report.many(sight.conn, order=Report.since)):
        if _report_key(one) == key:
            Report.drop(sight.conn, game_id=one.game_id, author=one.author, press=one.press)


def _adopted(sight: Sight) -> Iterator[Thing]:
    for game_id in games.with_amendments(sight.conn):
        if sight.lists(game_id) and sight.looks_into(game_id):
            game = games.begun(sight.conn, game_id)
            if game is None:
                continue
            for number in amendments.waiting(game):
                told = amendment(game_id, game.period.number, number)
                yield replace(told, of=amendments.adopted(game, number))


def amendment(game: str, period: int, number: int) -> Thing:
    act = f"pbem amended {game} {number}"
    fields = _told(
        f"{act} 'OPTION NAME=VALUE'{OR}{act} 'BY HAND'",
        f"the lines GAME {game}, PERIOD {period},"
        f" AMENDED {number} OPTION NAME=VALUE{OR}AMENDED {number} BY HAND",
        amendment=number,
    )
    ways = (Way("amended", {"game": game, "number": number}),)
    return Thing("amendment", f"{game}-{number}", None, game, None, ways, fields)


def _editor(_: Sight, row: EditorLetter) -> Thing:
    n = row.number
    fields = _told(
        f"pbem print-letter {n}{OR}pbem print-letter {n} --none",
        f"PRINT {n}{OR}PRINT {n} NONE",
        row,
        "number text",
        name=row.signed,
    )
    ways = tuple(Way("print-letter", {"number": n} | none) for none in ({}, _NONE))
    return Thing("editor", str(n), row, row.game_id, row.since, ways, fields)


# --- tables that fill -----------------------------------------------------------------------------


def tables_led(sight: Sight) -> str | None:
    """Return whose tables they see, or None for all."""
    return None if sight.owner else sight.who


def _newcomer(_: Sight, row: NewcomerRow) -> Thing:
    who = f"{row.table} {row.id}"
    fields = _told(
        f"pbem admit {who}{OR}pbem admit {who} --none",
        f"ADMIT {who}{OR}ADMIT {who} NONE",
        name=row.name,
        since=row.came,
    )
    ways = newcomer_ways(row.table, row.id)
    return Thing("newcomer", str(row.id), row, row.table, row.came, ways, fields)


def newcomer_ways(table: str, applicant: int) -> tuple[Way, ...]:
    values = {"table": table, "applicant": applicant}
    return Way("admit", values), Way("admit", values | _NONE)


def _tables(sight: Sight, most: int, first: int) -> _Found:
    whose = tables_led(sight)
    rows = overview.filling(sight.conn, whose, most, first)
    close = "close-table"
    things = [Thing("table", row.id, row, ways=(Way(close, {"table": row.id}),)) for row in rows]
    return overview.filling_number(sight.conn, whose), things


# --- mail that does not arrive --------------------------------------------------------------------


def _stuck(sight: Sight, most: int, first: int) -> _Found:
    rows = mails.stuck(sight.conn, sight.seen, most, first)
    gone = {one.address for one in players.troubled(sight.conn) if one.hard_bounces}
    things = [_mail(row, gone=row.recipient in gone) for row in rows]
    if sight.owner and len(rows) > 1:
        zone = ZoneInfo(sight.work.config.referee.zone)
        since = min(row.created for row in rows).astimezone(zone).strftime(MOMENT)
        ways = (*things[0].ways, Way("resend", {"all_refused": since}))
        things[0] = replace(things[0], ways=ways)
    return mails.stuck_number(sight.conn, sight.seen), things


def _mail(row: Outgoing, *, gone: bool) -> Thing:
    other = f"pbem address {row.recipient} NEW{OR}" if gone else ""
    written = f"ADDRESS {row.recipient} new@address{OR}" if gone else ""
    words = f"{other}pbem resend {row.id}", f"{written}RESEND {row.id}"
    told = _told(*words, row, "id key recipient state reply created", game=row.game_id)
    ways = (Way("resend", {"mail": row.id}), Way("address", {"old": row.recipient}))
    return Thing("mail", str(row.id), row, row.game_id, row.created, ways, told)


def _address(_: Sight, row: AddressRow) -> Thing:
    old = {"old": row.address}
    fields = _told(
        f"pbem address {row.address} NEW{OR}pbem address {row.address} --works",
        f"ADDRESS {row.address} new@address{OR}ADDRESS {row.address} WORKS",
        address=row.address,
        player=row.name,
        soft=row.soft_bounces,
        hard=row.hard_bounces,
        last=row.last_bounce,
    )
    ways = (Way("address", old), Way("address", {**old, "works": "yes"}))
    return Thing("address", row.address, row, ways=ways, told=fields)


# --- alarms ---------------------------------------------------------------------------------------


def _of_referee(sight: Sight) -> Iterator[Thing]:
    if not sight.owner:
        return
    last = notes.memo(sight.conn, "last_pass")
    at = datetime.fromisoformat(last["at"]) if last else None
    if at is None or sight.work.now - at > STILL:
        yield Thing("still", "still", None, since=at)
    for n, said in enumerate(last.get("trouble", ())):
        yield Thing("trouble", f"trouble-{n}", said, since=at)


def _since_restore(sight: Sight) -> Iterator[Thing]:
    """Yield that the outbox waits: the last thing to do, after all others."""
    since = notes.memo(sight.conn, notes.RESTORED).get("since") if sight.owner else None
    if since:
        ways = (Way("restore", {"release_outbox": "yes"}),)
        yield Thing("restored", "restored", None, "", datetime.fromisoformat(since), ways)


def _news(sight: Sight, most: int, first: int) -> _Found:
    """Return the alarms, but for reports, which wait above with their press."""
    rows = standing(sight.work, sight.address)
    rows = [row for row in rows if _parts(row)[0] != "reported"]
    return len(rows), [alarm(row) for row in rows[first : first + most]]


def alarm(row: Outgoing) -> Thing:
    n, since, mail = row.id, row.created, Frozen(row.raw)
    subject = mail.subject.removeprefix("[pbem]").strip()
    told = _told(f"pbem seen {n}", f"SEEN {n}", mail=n, subject=subject, since=since)
    return Thing("alarm", str(n), {"subject": subject, "text": mail.said}, since=since, told=told)


# --- the table of the kinds -----------------------------------------------------------------------


def _of(
    rows: Callable[[Sight], Any], shown: Callable[[Sight, Any], Thing] = lambda _, thing: thing
) -> _Kind:
    def found(sight: Sight, most: int, first: int) -> _Found:
        all_ = list(rows(sight))
        return len(all_), [shown(sight, row) for row in all_[first : first + most]]

    return found


_PILES: Mapping[str, _Kind] = {
    "alarm": _of(_of_referee),
    **{state: _letters(state) for state in ATTENTION},
    "review": _of(lambda one: overview.in_review(one.conn, one.seen), _review),
    "stopped": _of(lambda one: overview.held(one.conn, one.seen), _stopped),
    "protest": _of(lambda one: _led(one, Protest.many(one.conn, order=Protest.since)), _protest),
    "question": _of(lambda one: _led(one, Inquiry.many(one.conn, order=Inquiry.since)), _question),
    "report": _of(lambda one: _led(one, Report.many(one.conn, order=Report.since)), _report),
    "amendment": _of(_adopted),
    "seat": _of(lambda one: overview.open_seats(one.conn, one.seen, SILENT), _seat),
    "newcomer": _of(lambda one: overview.newcomers(one.conn, tables_led(one)), _newcomer),
    "editor": _of(
        lambda one: EditorLetter.many(one.conn, released=False) if one.owner else (), _editor
    ),
    "mail": _stuck,
    "address": _of(lambda one: players.troubled(one.conn, among=one.seen), _address),
    "restored": _of(_since_restore),
    "table": _tables,
    "news": _news,
}
KINDS = tuple(_PILES)
UNDECIDED = ("table", "news")


# --- alarms that still stand: mailed within a day, not seen, and about what is not over ----------


LATELY = timedelta(days=1)
"""How long an alarm stands that nobody has seen."""
_SEEN = "desk-seen:"
"""Prefix of a memo: the late alarms that a gamesmaster has seen."""
_TOGETHER = timedelta(minutes=10)
"""Games are held for a clock that long about its alarm."""


def standing(work: Work, to: str) -> list[Outgoing]:
    """Return a gamesmaster's alarms, newest first."""
    rows = mails.alarms_since(work.conn, to, work.now - LATELY)
    seen_before, now = _seen(work, to), _Now(work.conn)
    return [row for row in rows if row.id not in seen_before and not _is_over(now, row)]


def see(work: Work, to: str, mail: int | None = None, last: int | None = None) -> int:
    """Mark as seen one alarm, those up to ``last``, or all. Return how many. Raise OperatorError if
    the one does not stand."""
    stand = [row.id for row in standing(work, to) if mail in (None, row.id)]
    if mail is not None and not stand:
        raise OperatorError(f"there is no alarm {mail} to you that stands; see `pbem queue`")
    ids = [one for one in stand if last is None or one <= last]
    recent = {row.id for row in mails.alarms_since(work.conn, to, work.now - LATELY)}
    ids_seen = sorted(recent & {*_seen(work, to), *ids})
    notes.set_memo(work.conn, f"{_SEEN}{to}", {"seen": ids_seen})
    return len(ids)


def _seen(work: Work, to: str) -> set[int]:
    return set(notes.memo(work.conn, f"{_SEEN}{to}").get("seen", ()))


def seen(work: Work, to: str, number: str) -> str:
    """Mark one or all as seen. Return the answer. Raise OperatorError."""
    if not number:
        return f"seen: {counted(see(work, to), 'alarm')}"
    if not is_number(number):
        raise OperatorError("give the number of an alarm, or none for all")
    see(work, to, int(number))
    return f"seen: alarm {int(number)}"


@dataclass(frozen=True)
class _Now:
    """What the alarms told of, as it is now."""

    conn: Connection

    @cached_property
    def held_at(self) -> Sequence[datetime]:
        """When the games that are held were."""
        rows = [games.game(self.conn, one) for one in games.in_state(self.conn, GameState.HELD)]
        return [row.held_at for row in rows if row.held_at]

    @cached_property
    def last_pass(self) -> Json:
        """The last pass: when, and its trouble."""
        return notes.memo(self.conn, "last_pass")

    def later(self, row: Outgoing) -> bool:
        """Return whether a pass came after an alarm."""
        return bool(self.last_pass) and self.last_pass["at"] > row.created.isoformat()


_Over = Callable[[_Now, Outgoing, Sequence[str]], bool]


def _parts(row: Outgoing) -> list[str]:
    """Return a mail's subject in a word, then its game or letter."""
    return row.key.removeprefix("alarm:").split(":")[:-1] or [""]


def _is_over(now: _Now, row: Outgoing) -> bool:
    what, *rest = _parts(row)
    return what in _OVER and _OVER[what](now, row, rest)


def _works(begins: str) -> _Over:
    """Return whether a later pass had no such trouble."""
    return lambda now, row, rest: (
        now.later(row)
        and not any(one.startswith(begins) for one in now.last_pass.get("trouble", ()))
    )


def _all_go_on(now: _Now, row: Outgoing, _: Sequence[str]) -> bool:
    """Return whether the clock is right again, and no game is held for it."""
    held = any(abs(one - row.created) < _TOGETHER for one in now.held_at)
    return not held and not clock.in_doubt(now.conn)


def _agrees(now: _Now, row: Outgoing, _: Sequence[str]) -> bool:
    """Return whether a later letter came at one time by both clocks."""
    timed = mails.timed(now.conn, row.created)
    return any(abs(received - seen) <= SKEW for received, seen in timed)


def _is_not_raised(now: _Now, row: Outgoing, _: Sequence[str]) -> bool:
    """Return whether a later pass had no such alarm."""
    return now.later(row) and ":".join(_parts(row)) not in now.last_pass.get("alarms", ())


_THINGS = (
    *("letter", "unfetchable", "held", "failed", "review", "quit", "nobody", "passed-over"),
    *("protest", "question", "amended", "zine"),
)
"""What these tell of waits as a thing."""
_OVER: Mapping[str, _Over] = {
    **dict.fromkeys(_THINGS, lambda now, row, rest: True),
    "table": lambda now, row, rest: "newcomer" in rest,  # another such thing
    **dict.fromkeys(("jump", "clocks"), _all_go_on),
    "clock": _agrees,
    "canary": lambda now, row, _: mails.canary_came(now.conn, row.created),
    **dict.fromkeys(("full", "folder"), _is_not_raised),
    **dict.fromkeys(("imap", "processed"), _works("imap:")),
    "smtp": _works("smtp:"),
    "site": _works("site:"),
    "unread": _works("what is due waits"),
}
"""First word of a key -> whether it is over."""
