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

from pbem.errors import OperatorError
from pbem.games.frame import calendar, codec
from pbem.games.frame.calendar import left
from pbem.games.frame.dice import Dice, commitment
from pbem.games.frame.events import Seat
from pbem.games.frame.house import House
from pbem.house import houses, shelf, templates
from pbem.pages.html import Links
from pbem.periods import opening
from pbem.periods.opening import Plan
from pbem.post import alarms, codes, masters
from pbem.post.compose import SEED, Draft
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
from pbem.text import counted, moment_words, safe

ANSWER, LEAST_ANSWER = timedelta(days=3), timedelta(minutes=10)
"""How long to answer; less with hours or minutes."""
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
        raise OperatorError(
            f"{moment_words(closes.astimezone(zone))} is past: the table would close at once"
        )
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
        next_look=work.now,
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
    applicant = open_tables.ask(
        work.conn,
        ApplicantState.SIGNED,
        game_id=table.id,
        came=came,
        until=None,
        code_hash="",
        **person,
    )
    notes.note(work.conn, table.id, work.now, "table-joined", applicant=applicant.id)
    if table.approve and not known:
        ask_approval(work, table, applicant)
        return applicant
    return give_place(work, table, applicant)


def give_place(work: Work, table: OpenTable, one: ApplicantRow) -> ApplicantRow:
    """Give the place behind all others."""
    place = open_tables.next_place(work.conn, table.id)
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


def ask_approval(work: Work, table: OpenTable, applicant: ApplicantRow) -> None:
    known = player_records.tally(work.conn, applicant.player_id) if applicant.player_id else Tally()
    lines = [
        f"{applicant.name} <{applicant.mail}> would like to play in {table.id}.",
        f"Here they have finished {counted(known.finished, 'game')}, and missed {known.missed} of"
        f" {counted(known.due, 'move')}."
        if known.finished or known.due
        else "They have not played here before.",
        *([f"They were invited by {applicant.through}."] if applicant.through else []),
        f"To take them: `pbem admit {table.id} {applicant.id}`, or by mail the line\u00a0ADMIT"
        f"\u00a0{table.id}\u00a0{applicant.id}. If you will not: `pbem admit {table.id}"
        f" {applicant.id} --none`, by mail\u00a0ADMIT\u00a0{table.id}\u00a0{applicant.id}\u00a0NONE"
        f". All who came: `pbem\u00a0table\u00a0{table.id}`.",
    ]
    subject = f"{applicant.name} would like to play in {table.id}"
    tell_gamesmaster(work, table, f"newcomer:{applicant.id}", subject, "\n\n".join(lines))


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
        moment(table, date) if (date := date_of(table)) else "",
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
