"""An open table: it is opened and listed, fills, calls its players, then begins or closes.

First come, first seated; no answer to the call, no place. When all are sure, the game is made as
settled at opening. Who wait hear of newcomers in at most one mail a day, and of the table's closing
a week before.
"""

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from pbem.errors import OperatorError
from pbem.games.frame import calendar, codec
from pbem.games.frame.calendar import left
from pbem.games.frame.dice import Dice, commitment
from pbem.games.frame.events import Seat
from pbem.games.frame.house import House
from pbem.games.frame.options import unusual
from pbem.house import houses, shelf, templates
from pbem.pages import sheet
from pbem.pages.html import Links
from pbem.periods import house_bots, issue_mails, opening
from pbem.periods.opening import Plan
from pbem.post import alarms, codes, masters
from pbem.post.compose import SEED, Draft
from pbem.post.postmark import code_hash
from pbem.post.seats import put
from pbem.post.work import Work
from pbem.store.games import club, games
from pbem.store.games.game_rows import Tally
from pbem.store.joining import open_tables
from pbem.store.joining.open_tables import HERE, ApplicantRow
from pbem.store.journal import notes
from pbem.store.people import player_records, players
from pbem.store.people.players import PLAIN
from pbem.store.schema.states import ApplicantState, GameState, TableState
from pbem.store.schema.tables import Applicant, Game, OpenTable
from pbem.text import counted, listed, moment_words, safe

ANSWER, LEAST_ANSWER = timedelta(days=3), timedelta(minutes=10)
"""How long to answer; less with hours or minutes."""
KIND = "table"
FULL = "full"
BOTS_SHARE = 4
"""One seat in so many may be a house bot's."""
OPEN_FOR, LEAST_OPEN_FOR = timedelta(weeks=8), timedelta(weeks=2)
"""Without a date; less with hours or minutes."""
_DRAWN_LATER = ("id", "seed", "created", "status", "held_because", "period", "edition")


Facts = SimpleNamespace
"""What applicants are told, in words: for ``_shared/joining.txt.j2``."""
said = partial(templates.said, "joining")


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
    house = codec.load(House, game.house)
    zone = ZoneInfo(game.zone)
    starts = None if wanted.start == FULL else _day(wanted.start, house, zone)
    closes = _day(wanted.closes, house, zone) if wanted.closes else starts
    closes = closes or work.now + house.share(OPEN_FOR, LEAST_OPEN_FOR)
    if closes <= work.now:
        raise OperatorError(
            f"{moment_words(closes.astimezone(zone))} is past: the table would close at once"
        )
    of_game = game._asdict().items()
    settings = {name: it for name, it in of_game if it is not None and name not in _DRAWN_LATER}
    row = OpenTable(
        id=plan.id,
        ruleset=plan.ruleset,
        state=TableState.JOINING,
        places=wanted.places,
        plan={"game": settings, "choice": wanted.choice, "bots": wanted.bots},
        seed=game.seed,
        gamesmaster=game.gamesmaster,
        approve=wanted.approve,
        reliability=wanted.reliability,
        opened=work.now,
        starts=starts,
        closes=closes,
        next_look=work.now,
    )
    notes.forget_codes(work.conn, row.id)  # of an earlier table of this id
    open_tables.new(work.conn, row)
    if row.gamesmaster:
        masters.enter(work.conn, work.mark, row.gamesmaster)
    sealed = commitment(row.seed)
    known = {"ruleset": row.ruleset, "places": row.places, "commitment": sealed}
    notes.note(work.conn, row.id, work.now, "table-opened", **known)
    return (
        *settled.brief,
        f"The table {row.id} is open for {row.places} players until {moment(row, closes)}.",
        f"The SHA-256 of its seed: {sealed}.",
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
    table = OpenTable.one(work.conn, id=game_id)
    if table is None:
        raise OperatorError(f"there is no open table {game_id!r}")
    if not table.is_open:
        raise OperatorError(
            f"the game {game_id} has begun"
            if table.state == TableState.BEGUN
            else f"the table {game_id} is closed"
        )
    return table


# --- who is there, and what is told --------------------------------------------------------------


def date_of(table: OpenTable) -> datetime | None:
    """Return a table's date: from then on house bots may play empty seats."""
    return table.starts or table.closes


def seats_of(
    table: OpenTable, applicants: Sequence[ApplicantRow]
) -> tuple[list[ApplicantRow], list[ApplicantRow]]:
    """Return seated and waiting ones, as they joined."""
    here = [one for one in applicants if one.state in HERE and one.place is not None]
    return here[: table.places], here[table.places :]


def place_of(work: Work, table: OpenTable, number: int) -> int:
    """Return the place; beyond ``table.places`` they wait, 0 without approval."""
    seated, waiting = seats_of(table, open_tables.applicants(work.conn, table.id))
    order = [one.id for one in (*seated, *waiting)]
    return order.index(number) + 1 if number in order else 0


def placed(table: OpenTable, place: int) -> str:
    if not place:
        return "You have signed on"
    if place <= table.places:
        return "You have a seat"
    return f"You are number {place - table.places} on the waiting list"


ON, OFF, HERE_I_AM = "on", "off", "here"


def new_code(work: Work, one: ApplicantRow, what: str, until: datetime | None = None) -> str:
    """Make their code, with name and wishes."""
    told = {"game": one.game_id, "applicant": one.id, "name": one.name, "wishes": one.wishes}
    return codes.new(work, codes.CodeKind.SIGNON, one.mail, until, what=what, **told)


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


def why_not(work: Work, table: OpenTable, player: int | None, address: str) -> str:
    """Return why a person may not sign on to a table, or ""."""
    game = table.plan["game"]
    theirs = {address, *(players.addresses(work.conn, player) if player is not None else ())}
    if game["second"] in theirs:
        return f"You are the second gamesmaster of {table.id}, who plays no seat of it."
    if game["gamesmaster"] in theirs and game["publish"] == "review":
        return f"You are the gamesmaster of {table.id}, whose bulletins wait for your review."
    record = player_records.tally(work.conn, player) if player is not None else None
    made = 100 * (record.due - record.missed) // record.due if record and record.due else 100
    if made < table.reliability:
        return (
            f"{table.id} is a table for players who make {table.reliability} of 100 moves that"
            f" are due; you have made {made} of 100."
        )
    return ""


def signs_on(
    work: Work, table: OpenTable, came: datetime, *, known: bool = False, **person: Any
) -> ApplicantRow:
    """File that a person, ``who``, has signed on. Its gamesmaster may have to approve, unless they
    are ``known``."""
    of = {"game_id": table.id, "came": came, "until": None, "code_hash": "", **person}
    applicant = open_tables.ask(work.conn, ApplicantState.SIGNED, **of)
    notes.note(work.conn, table.id, work.now, "table-joined", applicant=applicant.id)
    if table.approve and not known:
        whose = applicant.player_id
        tally = player_records.tally(work.conn, whose) if whose else Tally()
        told = {"game": table.id, "one": applicant, "tally": tally, "public": False}
        subject, text = templates.mail("alarms", what="newcomer", **told)
        tell_gamesmaster(work, table, f"newcomer:{applicant.id}", subject, text)
        return applicant
    return give_place(work, table, applicant)


def give_place(work: Work, table: OpenTable, one: ApplicantRow) -> ApplicantRow:
    """Give the place behind all others."""
    given = Applicant.values(work.conn, Applicant.place, game_id=table.id)
    place = max(filter(None, given), default=0) + 1
    Applicant.change(work.conn, {"id": one.id}, place=place)
    _look_again(work, table)
    return one._replace(place=place)


def leaves(work: Work, table: OpenTable, one: ApplicantRow, kind: str) -> None:
    """Take a person off the table; journal ``kind`` if they were there."""
    open_tables.try_applicant(work.conn, one.id, ApplicantState.GONE, until=None, code_hash="")
    forget_code(work, one)
    if one.state in HERE:
        notes.note(work.conn, table.id, work.now, kind, applicant=one.id)
        _look_again(work, table)


def _look_again(work: Work, table: OpenTable) -> None:
    if table.is_open:
        OpenTable.change(work.conn, {"id": table.id}, next_look=work.now)


def span(table: OpenTable) -> timedelta:
    return house_of(table).share(ANSWER, LEAST_ANSWER)


def moment(table: OpenTable, when: datetime) -> str:
    zone = table.plan["game"]["zone"]
    return f"{moment_words(when.astimezone(ZoneInfo(zone)))} {zone}"


def facts(work: Work, table: OpenTable) -> Facts:
    seated, queue = seats_of(table, open_tables.applicants(work.conn, table.id))
    ruleset = shelf.open_ruleset(table.ruleset, table.plan["game"]["tables"])
    game, house, date = table.plan["game"], house_of(table), date_of(table)
    hidden = game["house"].get("names") == "hidden"
    spans = club.spans(work.conn, table.ruleset, house)
    return Facts(
        id=table.id,
        title=ruleset.about.title,
        begun=table.state == TableState.BEGUN,
        places=table.places,
        joined=len(seated) + len(queue),
        choice=table.plan["choice"],
        hidden=hidden,
        commitment=commitment(table.seed),
        starts=moment(table, table.starts) if table.starts and table.starts > work.now else "",
        closes=moment(table, table.closes) if table.closes else "",
        span=left(span(table), exact=True),
        words=houses.about(table.ruleset),
        pace=houses.speed(table.ruleset, house),
        lasts=houses.words(table.ruleset, house, spans, game["options"]),
        names=() if hidden else tuple(safe(one.name) for one in (*seated, *queue)),
        bots=table.bots,
        date=moment(table, date) if date else "",
    )


def yes_letter(work: Work, table: OpenTable, code: str) -> str:
    """Return an address that says yes."""
    return Links(codes.reply_to(work, code), f"Re: [{table.id}]").line("yes")


def tell(  # noqa: PLR0913  a mail, with what it asks for
    work: Work,
    table: OpenTable,
    applicant: ApplicantRow,
    what: str,
    subject: str,
    text: str,
    code: str | None = None,
) -> None:
    """Mail once for each kind and place. ``code``: what a yes confirms."""
    key = f"{KIND}:{table.id}:{what}:{applicant.id}:{applicant.place}:{work.now:%Y%m%d%H%M}"
    reply_to = codes.reply_to(work, code) if code else None
    bound, subject = {SEED: commitment(table.seed)}, f"[{table.id}] {subject}"
    draft = Draft(key, KIND, subject, text, reply_to=reply_to, facts=bound)
    put(work, applicant.mail, draft, rich=applicant.face != PLAIN)


def tell_gamesmaster(work: Work, table: OpenTable, what: str, subject: str, text: str) -> None:
    """Mail the table's gamesmaster, of failures once a day."""
    stamp = f"{work.now:%Y%m%d}" if what == "failed" else f"{work.now:%Y%m%d%H%M}"
    draft = Draft(f"alarm:{KIND}:{table.id}:{what}:{stamp}", "alarm", f"[pbem] {subject}", text)
    alarms.put(work, draft, table.gamesmaster or work.mark.gamesmaster)


# --- it fills, by the clock ----------------------------------------------------------------------


AGAIN = timedelta(hours=1)
DAY, WEEK = timedelta(days=1), timedelta(days=7)
MOST_OTHERS = 2
"""Tables offered when one closes."""
_NEWS = "waiting-room:"
"""A table's memo: who is known to the others, when they were last told, whether of its closing."""


def due(conn: Connection, now: datetime) -> list[tuple[str]]:
    """Return due tables; none while a restore is checked. Letters must be decided."""
    restored = notes.memo(conn, notes.RESTORED)
    return [] if restored else [(game_id,) for game_id in open_tables.due(conn, now)]


def failed(work: Work, game_id: str, error: BaseException) -> None:
    table = open_tables.joinable(work.conn, game_id)
    if table is None:
        return
    OpenTable.change(work.conn, {"id": game_id}, next_look=work.now + AGAIN)
    text = f"The open table {game_id} could not go on: {type(error).__name__}: {error}"
    text += "\nIt is tried again every hour."
    tell_gamesmaster(work, table, "failed", f"the table {game_id} cannot go on", text)


_SIGNED, _SURE = ApplicantState.SIGNED, ApplicantState.SURE


def look(work: Work, game_id: str) -> None:
    """Drop the silent, call the seated, tell who wait; begin or close in time."""
    table = open_tables.joinable(work.conn, game_id)
    if table is None:
        return
    for applicant in open_tables.applicants(work.conn, game_id):
        if applicant.until and applicant.until <= work.now:
            _has_not_answered(work, table, applicant)
    seated, queue = seats_of(table, open_tables.applicants(work.conn, game_id))
    full = _is_full(work, table, seated)
    after = TableState.CALLED if full else TableState.JOINING
    if after != table.state:
        OpenTable.try_state(work.conn, table.id, after)
        notes.note(work.conn, table.id, work.now, f"table-{after}")
    table = table._replace(state=after)
    if not full and table.closes and table.closes <= work.now:
        close(work, table, "it did not fill in time")
        return
    for applicant in seated if full else ():
        if applicant.state == _SIGNED:
            _call(work, table, applicant)
    news = None if full else _tell_news(work, table, [*seated, *queue])
    if begins_now(work, table):
        _begin(work, table)
        return
    untils = [one.until for one in open_tables.applicants(work.conn, game_id)]
    date = date_of(table) if table.bots else None
    moments = [*untils, news, table.starts, date, None if full else table.closes]
    later = min((one for one in moments if one and one > work.now), default=None)
    OpenTable.change(work.conn, {"id": game_id}, next_look=later)


def _is_full(work: Work, table: OpenTable, seated: Sequence[ApplicantRow]) -> bool:
    """Return whether all places are taken, from its date on by house bots too."""
    date = date_of(table)
    bots = table.bots if date and date <= work.now else 0
    return table.places - len(seated) <= bots


def _has_not_answered(work: Work, table: OpenTable, applicant: ApplicantRow) -> None:
    if not open_tables.try_applicant(work.conn, applicant.id, ApplicantState.GONE, until=None):
        return
    if applicant.state == ApplicantState.ASKED:
        forget_code(work, applicant)
    else:  # a late code is answered
        notes.note(work.conn, table.id, work.now, "table-silent", applicant=applicant.id)
        text = said("silent", facts(work, table), applicant.name)
        tell(work, table, applicant, "silent", "Your place is free for another", text)


def _call(work: Work, table: OpenTable, applicant: ApplicantRow) -> None:
    """Ask whether they are there, unless they have just come."""
    if _is_sure(work, table, applicant):
        open_tables.try_applicant(work.conn, applicant.id, _SURE, until=None)
        notes.note(work.conn, table.id, work.now, "table-sure", applicant=applicant.id)
        return
    until = work.now + span(table)
    if not open_tables.try_applicant(work.conn, applicant.id, ApplicantState.CALLED, until=until):
        return
    code = new_code(work, applicant, HERE_I_AM, until + codes.LIVES)
    Applicant.change(work.conn, {"id": applicant.id}, code_hash=code_hash(code))
    notes.note(work.conn, table.id, work.now, "table-called", applicant=applicant.id)
    until_words, letter = moment(table, until), yes_letter(work, table, code)
    text = said("called", facts(work, table), applicant.name, code, until_words, letter)
    tell(work, table, applicant, "called", "All players are there: are you?", text, code)


def close(work: Work, table: OpenTable, why: str) -> int:
    """Return how many are told."""
    if not OpenTable.try_state(work.conn, table.id, TableState.CLOSED, next_look=None):
        return 0
    notes.forget_memos(work.conn, f"{_NEWS}{table.id}")
    notes.note(work.conn, table.id, work.now, "table-closed", why=why)
    there, known = open_tables.applicants(work.conn, table.id), facts(work, table)
    for one in there:
        open_tables.try_applicant(work.conn, one.id, ApplicantState.GONE, until=None)
        if one.state in HERE:
            text = said("closed", known, one.name, why)
            tell(work, table, one, "closed", "The table is closed", text)
    issue_mails.end_watching(work, table.id, known.title, "will not be played")
    told = sum(one.state in HERE for one in there)
    signed = f"{counted(told, 'player')} had signed on, and {'is' if told == 1 else 'all are'} told"
    text = f"The table {table.id} is closed: {why}. {signed if told else 'Nobody had signed on'}."
    tell_gamesmaster(work, table, "closed", f"the table {table.id} is closed", text)
    return told


def _begin(work: Work, table: OpenTable) -> None:
    """Make and start the game."""
    game_id, there = table.id, open_tables.applicants(work.conn, table.id)
    sure, waiting = seats_of(table, there)
    bots = table.places - len(sure)
    OpenTable.try_state(work.conn, game_id, TableState.BEGUN, next_look=None)
    notes.forget_memos(work.conn, f"{_NEWS}{game_id}")
    known = facts(work, table)
    game = game_of(table, work.now)
    given = [
        (seat, one.mail, one.name) for seat, one in zip(_wished(table, sure), sure, strict=True)
    ]
    given += [("", "", "")] * bots
    opening.file(work, opening.drawn(game, given), given)
    opening.start(work, game_id)
    house_bots.free(work, game_id)
    for number, applicant in enumerate(waiting, 1):
        text = said("begun", known, applicant.name, number)
        tell(work, table, applicant, "waits", "The game has begun without you", text)
    for applicant in there:
        if applicant.state in HERE and applicant.place is None:  # not approved
            open_tables.try_applicant(work.conn, applicant.id, ApplicantState.GONE, until=None)
            text = said("begun", known, applicant.name, 0)
            tell(work, table, applicant, "late", "The game has begun without you", text)
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
    sure = all(_is_sure(work, table, one) for one in seated)
    in_time = table.starts is None or table.starts <= work.now
    return in_time and sure and _is_full(work, table, seated)


def _is_sure(work: Work, table: OpenTable, one: ApplicantRow) -> bool:
    fresh = one.state == _SIGNED and one.came > work.now - span(table)
    return fresh or one.state == _SURE


def _wished(table: OpenTable, players: Sequence[ApplicantRow]) -> list[Seat]:
    """Return the best wishes still free; "" by lot."""
    found: list[Seat] = []
    for one in players:
        free = [seat for seat in one.wishes if table.plan["choice"] and seat not in found]
        found.append(free[0] if free else "")
    return found


# --- what is told to those who wait ---------------------------------------------------------------


def told_of(work: Work, table: OpenTable, here: Sequence[int]) -> None:
    """Note that these know of each other."""
    told = {"known": list(here), "told": work.now.isoformat()}
    notes.set_memo(work.conn, f"{_NEWS}{table.id}", told)


def _tell_news(work: Work, table: OpenTable, here: Sequence[ApplicantRow]) -> datetime | None:
    """Tell of newcomers and of the closing. Return when to do it next."""
    memo = notes.memo(work.conn, f"{_NEWS}{table.id}")
    last, known = memo.get("told"), memo.get("known", ())
    new = [one for one in here if one.id not in known]
    again = datetime.fromisoformat(last) + DAY if last else work.now
    warns = None if memo.get("warned") else table.closes and table.closes - WEEK
    if warns and table.opened < warns <= work.now:
        _warn(work, table, here)
        memo, last = {**memo, "warned": True}, work.now.isoformat()
    elif new and again > work.now:
        return min(filter(None, (again, warns)))
    elif _tell_of(work, table, here, new):
        last = work.now.isoformat()
    news = {**memo, "known": [one.id for one in here], "told": last}
    notes.set_memo(work.conn, f"{_NEWS}{table.id}", news)
    return warns


def _tell_of(
    work: Work, table: OpenTable, here: Sequence[ApplicantRow], new: Sequence[ApplicantRow]
) -> bool:
    """Tell all who has come. Return whether anybody was told."""
    known = facts(work, table)
    news = [(one, [other for other in new if other.id != one.id]) for one in here]
    for applicant, others in news:
        if others:
            names = [safe(other.name) for other in others]
            text = said("news", known, names, pass_on(work, known))
            who = "A player has" if known.hidden and len(others) == 1 else f"{listed(names)} has"
            if len(others) > 1:
                who = f"{len(others)} players have"
            tell(work, table, applicant, "news", f"{who} come", text)
    return any(others for _, others in news)


def _warn(work: Work, table: OpenTable, here: Sequence[ApplicantRow]) -> None:
    known = facts(work, table)
    others = [
        one
        for one in open_tables.listed(work.conn)
        if one.id != table.id and facts(work, one).joined < one.places
    ]
    told = list(offered(work, others[:MOST_OTHERS]))
    for one in here:
        text = said("closing", known, one.name, told, pass_on(work, known))
        tell(work, table, one, "closing", "The table closes in a week", text)


# --- in lists, in few words ----------------------------------------------------------------------


MOST_WORDS = 60
"""Of a table in a list."""
_FOR_DIFFERENCES = 5  # for what differs


def entry(known: Facts, table: OpenTable) -> str:
    """Return a table in :data:`MOST_WORDS`; names and differences may be left out."""
    head = f"{known.id}: {known.title}. {known.words}".strip()
    lasts = f", a game {known.lasts}" if known.lasts else ""
    asks, starts = "".join(_asks(table)), _starts(known, table)
    room = MOST_WORDS - len(f"{head} {known.pace}{lasts}. {asks}{starts}".split())
    there = _there(known, max(room - _FOR_DIFFERENCES * bool(differences(table)), 0))
    differs = _differing(table, room - len(there.split()))
    return f"{head} {known.pace}{lasts}. {there} {asks}{starts}{differs}"


def offered(work: Work, listed_: Sequence[OpenTable]) -> Iterator[str]:
    for table in listed_:
        yield entry(facts(work, table), table)
        said = f"I would like to join {table.id}"
        yield sheet.answer_line(said, Links(work.mark.address, "A seat, please").line(said))


def _there(known: Facts, room: int) -> str:
    if not known.joined:
        return f"None of {known.places} players is there yet."
    many = f"{known.joined} of {known.places} {'is' if known.joined == 1 else 'are'} there"
    for names in range(len(known.names), 0, -1):
        more = len(known.names) - names
        said = listed([*known.names[:names], *([f"{more} more"] if more else [])])
        if len(f"{many} {said}".split()) <= room:
            return f"{many}: {said}."
    return f"{many}."


def _starts(known: Facts, table: OpenTable) -> str:
    starts = f" on {known.starts.partition(',')[0]}" if known.starts else ""
    if known.joined >= known.places:
        first = f"It is full and starts{starts or ' soon'}; you would be on the waiting list"
    else:
        first = f"It starts{starts}, if full" if starts else "It starts when full"
    closes = known.closes.partition(",")[0].partition(" ")[2]
    open_until = f"; open until {closes}" if closes and not known.starts else ""
    return f"{first}{open_until}."


def _asks(table: OpenTable) -> Iterator[str]:
    if table.reliability:
        yield f"For players who make {table.reliability} % of their moves. "
    if table.bots == 1:
        yield "A house bot may play one empty seat. "
    elif table.bots:
        yield f"House bots may play {table.bots} empty seats. "
    if table.approve:
        yield "Its gamesmaster takes the players. "


def differences(table: OpenTable) -> list[str]:
    """Return how a table differs from the usual, without times."""
    about = shelf.open_ruleset(table.ruleset, table.plan["game"]["tables"]).about
    return unusual(about.options, table.plan["game"]["options"])


def _differing(table: OpenTable, room: int) -> str:
    found = differences(table)
    for many in range(len(found), -1, -1):
        more = len(found) - many
        left = f"{counted(more, 'other rule')} than usual" if more else ""
        said = "; ".join(filter(None, [*found[:many], left]))
        if said and (len(said.split()) + 1 <= room or not many):
            return f" Otherwise: {said}."
    return ""


def pass_on(work: Work, known: Facts) -> str:
    return sheet.fenced(said("friend", known, work.mark.address))
