"""A table fills, calls its players, then begins or closes.

First come, first seated; no answer to the call, no place. When all are sure, the game is made as
settled at opening.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import structlog
from sqlalchemy import Connection

from pbem.errors import OperatorError, OutsideError, OverBudget
from pbem.games.frame import calendar, codec
from pbem.games.frame.calendar import left
from pbem.games.frame.dice import Dice, commitment
from pbem.games.frame.events import Seat
from pbem.games.frame.house import House
from pbem.house import houses, shelf, templates
from pbem.pages.html import Links
from pbem.periods import house_bots, issue_mails, opening
from pbem.periods.opening import Plan
from pbem.post import alarms, codes, masters
from pbem.post.compose import SEED, Draft
from pbem.post.postmark import code_hash
from pbem.post.seats import put
from pbem.post.work import Installation, Scan, Work
from pbem.store.engine.database import shared_transaction
from pbem.store.games import club, games
from pbem.store.games.game_rows import Tally
from pbem.store.joining import open_tables
from pbem.store.joining.open_tables import HERE, ApplicantRow
from pbem.store.journal import notes
from pbem.store.people import player_records
from pbem.store.people.players import PLAIN
from pbem.store.schema.states import ApplicantState, GameState, TableState
from pbem.store.schema.tables import Applicant, Game, OpenTable
from pbem.text import counted, listed, moment_words, safe

log = structlog.get_logger()
ANSWER, LEAST_ANSWER = timedelta(days=3), timedelta(minutes=10)
"""How long to answer; less with hours or minutes."""
AGAIN = timedelta(hours=1)
KIND = "table"
FULL = "full"
BOTS_SHARE = 4
"""One seat in so many may be a house bot's."""
OPEN_FOR, LEAST_OPEN_FOR = timedelta(weeks=8), timedelta(weeks=2)
"""Without a date; less with hours or minutes."""
_DRAWN_LATER = ("id", "seed", "created", "status", "held_because", "period", "edition")


@dataclass(frozen=True, slots=True)
class Facts:
    """What applicants are told, in words."""

    id: str
    title: str
    begun: bool
    places: int
    joined: int
    choice: bool
    hidden: bool
    commitment: str
    starts: str
    closes: str
    span: str
    words: str
    """Two sentences."""
    pace: str
    lasts: str
    """A usual game, or ""."""
    names: tuple[str, ...]
    """None if hidden."""
    bots: int
    """House bots at most."""
    date: str
    """From when on they play empty seats."""


# --- a table is opened --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Wanted:
    """A table to open."""

    plan: Plan
    places: int
    start: str = FULL
    """"full", or a day."""
    closes: str | None = None
    """None: the start, or some weeks."""
    approve: bool = False
    choice: bool = False
    """Whether seats may be wished for."""
    reliability: int = 0
    bots: int = 0
    """So many empty seats at most are played by house bots from its date on."""
    house: House | None = None
    """An earlier game's; None: the plan's."""


def open_(work: Work, wanted: Wanted) -> tuple[str, ...]:
    """Open a table: try its game, draw the seed. Return what to tell the gamesmaster."""
    plan = replace(wanted.plan, seed=wanted.plan.seed or secrets.token_hex(32))
    opening.no_practice(plan.id)
    opening.no_open_table(work, plan.id)
    if games.exists(work.conn, plan.id):
        raise OperatorError(f"there is a game {plan.id!r} already; choose another id")
    _possible(wanted)
    settled = opening.settled(work, replace(plan, players=[("", "", "")] * wanted.places))
    game = settled.game
    if wanted.house:
        rules = {**codec.load(House, game.house).rules, **wanted.house.rules}
        hour = wanted.house.next_hour or wanted.house.hour
        house = replace(wanted.house, rules=rules, hour=hour, next_hour="")
        game = game._replace(house=codec.dump(house))
    if game.second and game.second == game.gamesmaster:
        raise OperatorError(f"{game.second} is the gamesmaster; the second is somebody else")
    house = codec.load(House, game.house)
    zone = ZoneInfo(game.zone)
    starts = None if wanted.start == FULL else _day(wanted.start, house, zone)
    closes = _day(wanted.closes, house, zone) if wanted.closes else starts
    closes = closes or work.now + house.share(OPEN_FOR, LEAST_OPEN_FOR)
    if closes <= work.now:
        raise OperatorError(f"{closes:%Y-%m-%d} is over: the table would close at once")
    of_game = game._asdict().items()
    known = {name: it for name, it in of_game if it is not None and name not in _DRAWN_LATER}
    row = OpenTable(
        id=plan.id,
        ruleset=plan.ruleset,
        state=TableState.JOINING,
        places=wanted.places,
        plan={"game": known, "choice": wanted.choice, "bots": wanted.bots},
        seed=game.seed,
        gamesmaster=game.gamesmaster,
        approve=wanted.approve,
        reliability=wanted.reliability,
        opened=work.now,
        starts=starts,
        closes=closes,
        called=None,
        next_look=closes,
    )
    notes.forget_codes(work.conn, row.id)  # of an earlier table of this id
    open_tables.new(work.conn, row)
    if row.gamesmaster:
        masters.enter(work.conn, work.mark, row.gamesmaster)
    notes.note(
        work.conn,
        row.id,
        work.now,
        "table-opened",
        ruleset=row.ruleset,
        places=row.places,
        commitment=commitment(row.seed),
    )
    return (
        *settled.brief,
        f"The table {row.id} is open for {row.places} players until {moment(row, closes)}.",
        f"The SHA-256 of its seed: {commitment(row.seed)}.",
    )


def _possible(wanted: Wanted) -> None:
    if wanted.plan.standby:
        raise OperatorError("an open table has its waiting list, and nobody who stands by")
    if not 0 <= wanted.reliability <= 100:
        raise OperatorError("--reliability is a percentage, from 0 to 100")
    if not 0 <= wanted.bots <= wanted.places // BOTS_SHARE:
        raise OperatorError(
            f"--bots is at most one seat in {BOTS_SHARE}: 0 to {wanted.places // BOTS_SHARE} of"
            f" {wanted.places}"
        )


def _day(day: str, house: House, zone: ZoneInfo) -> datetime:
    """Return the house's hour, or a minute (2026-07-01T20:00). Raise OperatorError."""
    try:
        when = datetime.fromisoformat(day)
    except ValueError:
        raise OperatorError(
            f"{day!r} is no day; write 2026-07-01, or 2026-07-01T20:00 with the hour"
        ) from None
    if "T" in day.upper() or when.tzinfo:
        return (when if when.tzinfo else when.replace(tzinfo=zone)).astimezone(UTC)
    return calendar.moment(when.date(), house.hour or "0:00", zone)


def joinable(work: Work, game_id: str) -> OpenTable:
    """Raise OperatorError without one."""
    found = OpenTable.one(work.conn, id=game_id)
    if found is None:
        raise OperatorError(f"there is no open table {game_id!r}")
    if not found.is_open:
        raise OperatorError(
            f"the game {game_id} has begun"
            if found.state == TableState.BEGUN
            else f"the table {game_id} is closed"
        )
    return found


# --- by the clock ---------------------------------------------------------------------------------


def due(installation: Installation, scan: Scan) -> None:
    """Look at due tables; letters must be decided."""
    with shared_transaction(installation.engine) as conn:
        found = waiting(conn, scan.now)
    for game_id in found:
        if scan.stopping():
            break
        try:
            _one(installation, game_id, scan)
        except OutsideError:
            raise
        except (Exception, OverBudget) as error:
            log.exception("open table failed", game=game_id)
            _failed(installation, game_id, scan.now, error)


def waiting(conn: Connection, now: datetime) -> Sequence[str]:
    """Return due tables; none while a restore is checked."""
    return () if notes.memo(conn, notes.RESTORED) else open_tables.due(conn, now)


def _one(installation: Installation, game_id: str, scan: Scan) -> None:
    with installation.shared_work(scan.now, game_id) as work:
        ready = settle(work, game_id)
        scan.crash("table.looked")
    if not ready:
        return
    scan.crash("table.ready")
    with installation.shared_work(scan.now, game_id) as work:
        begin(work, game_id)
        scan.crash("table.begun")


def _failed(installation: Installation, game_id: str, now: datetime, error: BaseException) -> None:
    with installation.shared_work(now, game_id) as work:
        table = open_tables.joinable(work.conn, game_id)
        if table is None:
            return
        OpenTable.change(work.conn, {"id": game_id}, next_look=now + AGAIN)
        text = f"The open table {game_id} could not go on: {type(error).__name__}: {error}"
        text += "\nIt is tried again every hour."
        tell_gamesmaster(work, table, "failed", f"the table {game_id} cannot go on", text)


def settle(work: Work, game_id: str) -> bool:
    """Drop the silent, call the seated, close in time. Return whether to begin."""
    table = open_tables.joinable(work.conn, game_id)
    if table is None:
        return False
    for one in open_tables.applicants(work.conn, game_id):
        if one.until and one.until <= work.now:
            _has_not_answered(work, table, one)
    seated, _ = seats_of(table, open_tables.applicants(work.conn, game_id))
    full = bots_for(work, table, len(seated)) is not None
    _set_called(work, table, full=full)
    if not full and table.closes and table.closes <= work.now:
        close(work, table, "it did not fill in time")
        return False
    for one in [one for one in seated if full and one.state == ApplicantState.SIGNED]:
        if one.came <= work.now - span(table):
            _call(work, table, one)
        elif open_tables.try_applicant(work.conn, one.id, ApplicantState.SURE, until=None):
            notes.note(work.conn, game_id, work.now, "table-sure", applicant=one.id)
    seated, _ = seats_of(table, open_tables.applicants(work.conn, game_id))
    full = bots_for(work, table, len(seated)) is not None
    sure = full and all(one.state == ApplicantState.SURE for one in seated)
    ready = sure and (table.starts is None or table.starts <= work.now)
    OpenTable.change(
        work.conn, {"id": game_id}, next_look=_next_look(work, table, full=full, ready=ready)
    )
    return ready


def _next_look(work: Work, table: OpenTable, *, full: bool, ready: bool) -> datetime | None:
    if ready:
        return work.now
    untils = [one.until for one in open_tables.applicants(work.conn, table.id)]
    date = _date(table) if table.bots else None
    moments = [*untils, table.starts, date, None if full else table.closes]
    return min((one for one in moments if one and one > work.now), default=None)


def bots_for(work: Work, table: OpenTable, seated: int) -> int | None:
    """Return how many house bots it begins with; None if it is not full."""
    missing, date = table.places - seated, _date(table)
    allowed = table.bots if date and date <= work.now else 0
    return missing if missing <= allowed else None


def _date(table: OpenTable) -> datetime | None:
    """Return a table's date: from then on house bots may play empty seats."""
    return table.starts or table.closes


def seats_of(
    table: OpenTable, applicants: Sequence[ApplicantRow]
) -> tuple[list[ApplicantRow], list[ApplicantRow]]:
    """Return seated and waiting ones, as they joined."""
    here = [one for one in applicants if one.state in HERE and one.place is not None]
    return here[: table.places], here[table.places :]


def place_of(work: Work, table: OpenTable, number: int) -> int:
    """Return the place; beyond ``table.places`` he waits, 0 without approval."""
    seated, waiting = seats_of(table, open_tables.applicants(work.conn, table.id))
    order = [one.id for one in (*seated, *waiting)]
    return order.index(number) + 1 if number in order else 0


def placed(table: OpenTable, place: int) -> str:
    if not place:
        return "You have signed on"
    if place <= table.places:
        return "You have a seat"
    return f"You are number {place - table.places} on the waiting list"


def _set_called(work: Work, table: OpenTable, *, full: bool) -> None:
    after, called = (TableState.CALLED, work.now) if full else (TableState.JOINING, None)
    if after != table.state and open_tables.try_state(
        work.conn, table.id, table.state, after, called=called
    ):
        notes.note(work.conn, table.id, work.now, f"table-{after}")


def _has_not_answered(work: Work, table: OpenTable, one: ApplicantRow) -> None:
    if not open_tables.try_applicant(work.conn, one.id, ApplicantState.GONE, until=None):
        return
    if one.state == ApplicantState.ASKED:
        forget_code(work, one)
    else:  # a late code is answered
        notes.note(work.conn, table.id, work.now, "table-silent", applicant=one.id)
        text = said("silent", facts(work, table), one.name)
        tell(work, table, one, "silent", "Your place is free for another", text)


def _call(work: Work, table: OpenTable, one: ApplicantRow) -> None:
    until = work.now + span(table)
    if not open_tables.try_applicant(work.conn, one.id, ApplicantState.CALLED, until=until):
        return
    code = new_code(work, one, HERE_I_AM, until + codes.LIVES)
    Applicant.change(work.conn, {"id": one.id}, code_hash=code_hash(code))
    notes.note(work.conn, table.id, work.now, "table-called", applicant=one.id)
    until_words, letter = moment(table, until), yes_letter(work, table, code)
    text = said("called", facts(work, table), one.name, code, until_words, letter)
    tell(work, table, one, "called", "All players are there: are you?", text, code)


def close(work: Work, table: OpenTable, why: str) -> int:
    """Return how many are told."""
    if not open_tables.try_state(
        work.conn, table.id, table.state, TableState.CLOSED, next_look=None
    ):
        return 0
    notes.note(work.conn, table.id, work.now, "table-closed", why=why)
    there, known = open_tables.applicants(work.conn, table.id), facts(work, table)
    for one in there:
        open_tables.try_applicant(work.conn, one.id, ApplicantState.GONE, until=None)
        if one.state in HERE:
            text = said("closed", known, one.name, why)
            tell(work, table, one, "closed", "The table is closed", text)
    issue_mails.free(work, table.id, known.title, "will not be played")
    told = sum(one.state in HERE for one in there)
    signed = f"{counted(told, 'player')} had signed on, and {'is' if told == 1 else 'all are'} told"
    text = f"The table {table.id} is closed: {why}. {signed if told else 'Nobody had signed on'}."
    tell_gamesmaster(work, table, "closed", f"the table {table.id} is closed", text)
    return told


def begin(work: Work, game_id: str) -> None:
    """Make and start the game if all are sure and it is time."""
    table = open_tables.joinable(work.conn, game_id)
    if table is None:
        return
    there = open_tables.applicants(work.conn, game_id)
    seated, waiting = seats_of(table, there)
    sure = [one for one in seated if one.state == ApplicantState.SURE]
    bots = bots_for(work, table, len(sure))
    if bots is None or len(sure) != len(seated) or (table.starts and table.starts > work.now):
        return  # somebody left meanwhile
    if not open_tables.try_state(work.conn, game_id, table.state, TableState.BEGUN, next_look=None):
        return
    known = facts(work, table)
    game = game_of(table, work.now)
    given = [
        (seat, one.mail, one.name) for seat, one in zip(_wished(table, sure), sure, strict=True)
    ]
    given += [("", "", "")] * bots
    opening.file(work, opening.drawn(game, given), given)
    opening.start(work, game_id)
    house_bots.free(work, game_id)
    for number, one in enumerate(waiting, 1):
        text = said("begun", known, one.name, number)
        tell(work, table, one, "waits", "The game has begun without you", text)
    for one in there:
        if one.state in HERE and one.place is None:  # not approved
            open_tables.try_applicant(work.conn, one.id, ApplicantState.GONE, until=None)
            text = said("begun", known, one.name, 0)
            tell(work, table, one, "late", "The game has begun without you", text)
    names, queue = listed(one.name for one in sure), len(waiting)
    wait = f"{queue or 'Nobody'} wait{'s' if queue < 2 else ''} for a seat"
    names += f" and {counted(bots, 'house bot')}" if bots else ""
    text = f"The game {game_id} has begun by itself, with {names}. {wait}."
    public = f"The game {game_id} has begun by itself. {wait}." if known.hidden else text
    subject = f"{game_id} has begun"
    alarms.tell(work, f"begun:{game_id}", subject, text, game_id, public)


def begins_now(work: Work, table: OpenTable) -> bool:
    """Return whether the next look begins the game."""
    seated, _ = seats_of(table, open_tables.applicants(work.conn, table.id))
    signed, fresh = ApplicantState.SIGNED, work.now - span(table)
    sure = all(
        one.state == ApplicantState.SURE or (one.state == signed and one.came > fresh)
        for one in seated
    )
    full = bots_for(work, table, len(seated)) is not None
    return full and sure and (table.starts is None or table.starts <= work.now)


def _wished(table: OpenTable, players: Sequence[ApplicantRow]) -> list[Seat]:
    """Return the best wishes still free; "" by lot."""
    found: list[Seat] = []
    for one in players:
        free = [seat for seat in one.wishes if table.plan["choice"] and seat not in found]
        found.append(free[0] if free else "")
    return found


# --- what is told ---------------------------------------------------------------------------------

ON, OFF, HERE_I_AM = "on", "off", "here"


def new_code(work: Work, one: ApplicantRow, what: str, until: datetime | None = None) -> str:
    """Make his code, with name and wishes."""
    told = {"game": one.game_id, "applicant": one.id, "name": one.name, "wishes": one.wishes}
    return codes.new(work, codes.Kind.SIGNON, one.mail, until, what=what, **told)


def forget_code(work: Work, one: ApplicantRow) -> None:
    if one.code_hash:
        codes.void(work, one.code_hash)


def game_of(table: OpenTable, now: datetime) -> Game:
    of = {"status": GameState.WAITING, "seed": table.seed, "created": now}
    return Game(id=table.id, **of, **table.plan["game"])


def house_of(table: OpenTable) -> House:
    return codec.load(House, table.plan["game"]["house"])


def seats(table: OpenTable) -> tuple[Seat, ...]:
    ruleset = shelf.open_ruleset(table.ruleset, table.plan["game"]["tables"])
    return next(one for one in ruleset.about.seats if len(one) == table.places)


def names_of_seats(table: OpenTable) -> tuple[str, ...]:
    """Return seats and parties, which no player may be called."""
    game = table.plan["game"]
    ruleset, seated = shelf.open_ruleset(table.ruleset, game["tables"]), seats(table)
    lot = Dice(table.seed, table.id)
    state = ruleset.setup(seated, game["options"], game["scenario"], lot).state
    words = (templates.seat_words(ruleset, state, seat) for seat in seated)
    return tuple(piece.strip() for said in words for piece in (said, *said.split(",")))


def waits_for_word(table: OpenTable, one: ApplicantRow) -> bool:
    return table.approve and one.place is None and one.state == ApplicantState.SIGNED


def ask_approval(work: Work, table: OpenTable, one: ApplicantRow) -> None:
    known = player_records.tally(work.conn, one.player_id) if one.player_id else Tally()
    lines = [
        f"{one.name} <{one.mail}> would like to play in {table.id}.",
        f"Here they have finished {counted(known.finished, 'game')}, and missed {known.missed} of"
        f" {counted(known.due, 'move')}."
        if known.finished or known.due
        else "They have not played here before.",
        *([f"They were invited by {one.through}."] if one.through else []),
        f"To take them: `pbem admit {table.id} {one.id}`, or by mail the line\u00a0ADMIT"
        f"\u00a0{table.id}\u00a0{one.id}. If you will not: `pbem admit {table.id}"
        f" {one.id} --none`, by mail\u00a0ADMIT\u00a0{table.id}\u00a0{one.id}\u00a0NONE. All who"
        f" came: `pbem\u00a0table\u00a0{table.id}`.",
    ]
    subject = f"{one.name} would like to play in {table.id}"
    tell_gamesmaster(work, table, f"newcomer:{one.id}", subject, "\n\n".join(lines))


def span(table: OpenTable) -> timedelta:
    return house_of(table).share(ANSWER, LEAST_ANSWER)


def moment(table: OpenTable, when: datetime) -> str:
    zone = table.plan["game"]["zone"]
    return f"{moment_words(when.astimezone(ZoneInfo(zone)))} {zone}"


def facts(work: Work, table: OpenTable) -> Facts:
    seated, queue = seats_of(table, open_tables.applicants(work.conn, table.id))
    ruleset = shelf.open_ruleset(table.ruleset, table.plan["game"]["tables"])
    hidden, house = table.plan["game"]["house"].get("names") == "hidden", house_of(table)
    return Facts(
        table.id,
        ruleset.about.title,
        table.state == TableState.BEGUN,
        table.places,
        len(seated) + len(queue),
        table.plan["choice"],
        hidden,
        commitment(table.seed),
        moment(table, table.starts) if table.starts and table.starts > work.now else "",
        moment(table, table.closes) if table.closes else "",
        left(span(table), exact=True),
        houses.about(table.ruleset),
        houses.speed(table.ruleset, house),
        houses.words(
            table.ruleset,
            house,
            club.spans(work.conn, table.ruleset, house),
            table.plan["game"]["options"],
        ),
        () if hidden else tuple(safe(one.name) for one in (*seated, *queue)),
        table.bots,
        moment(table, date) if (date := _date(table)) else "",
    )


def said(what: str, *given: Any) -> str:
    """Return a text of ``_shared/joining.txt.j2``."""
    return templates.said("joining", what, *given)


def yes_letter(work: Work, table: OpenTable, code: str) -> str:
    """Return an address that says yes."""
    return Links(codes.reply_to(work, code), f"Re: [{table.id}]").line("yes")


def tell(  # noqa: PLR0913  a mail, with what it asks for
    work: Work,
    table: OpenTable,
    one: ApplicantRow,
    what: str,
    subject: str,
    text: str,
    code: str | None = None,
) -> None:
    """Mail once for each kind and place. ``code``: what a yes confirms."""
    key = f"{KIND}:{table.id}:{what}:{one.id}:{one.place}:{work.now:%Y%m%d%H%M}"
    reply_to = codes.reply_to(work, code) if code else None
    bound, subject = {SEED: commitment(table.seed)}, f"[{table.id}] {subject}"
    draft = Draft(key, KIND, subject, text, reply_to=reply_to, facts=bound)
    put(work, one.mail, draft, rich=one.face != PLAIN)


def tell_gamesmaster(work: Work, table: OpenTable, what: str, subject: str, text: str) -> None:
    """Mail the table's gamesmaster, of failures once a day."""
    stamp = f"{work.now:%Y%m%d}" if what == "failed" else f"{work.now:%Y%m%d%H%M}"
    draft = Draft(f"alarm:{KIND}:{table.id}:{what}:{stamp}", "alarm", f"[pbem] {subject}", text)
    alarms.put(work, draft, table.gamesmaster or work.mark.gamesmaster)
