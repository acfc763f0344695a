"""The first page: what waits (``/?kind=held`` pages through one kind). Lists of games by state, and
of letters by outcome.

An open table and who signed on.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Any

from pbem.desk import times
from pbem.desk.asked import Answer, Asked, Led, NotThere, Page
from pbem.desk.new import set_
from pbem.errors import OperatorError
from pbem.games.frame.adjudication import owed, reread
from pbem.house import shelf
from pbem.letters.states import LetterState
from pbem.orders.spelling import is_number
from pbem.periods import open_tables as tables
from pbem.periods import own_page
from pbem.referee.acts import letter_acts
from pbem.referee.deciding import senders
from pbem.referee.gamesmaster import waits
from pbem.referee.gamesmaster.queue import alike
from pbem.referee.gamesmaster.waits import Thing
from pbem.store.games import games, order_sets, overview
from pbem.store.games.games import GameAt
from pbem.store.games.overview import ClockRow
from pbem.store.joining import open_tables
from pbem.store.joining.open_tables import ApplicantRow
from pbem.store.journal import notes
from pbem.store.letters import letters
from pbem.store.mails import mails
from pbem.store.people import player_records
from pbem.store.schema.states import GameState, MailState, PeriodState
from pbem.store.schema.tables import Game, OpenTable, OrderSet
from pbem.website import zine

FIRST, PAGE, NEXT = 5, 25, 5
"""Things of a kind on the first page and its own, and coming deadlines."""


def home_page(asked: Asked) -> Answer:
    """Return what waits. If posted, mark the news as seen, or let a thing be."""
    seen, left, kind = (asked.given.get(name, "") for name in ("seen", "left", "kind"))
    if seen or left:
        if asked.given.get("csrf") == asked.csrf:
            _settle(asked, seen, left)
        return Led("/")
    if kind:
        return _kind(asked, kind)
    piles = waits.piles(asked.sight, FIRST)
    keys = overview.next_deadlines(asked.work.conn, asked.sight.seen, asked.work.now, NEXT)
    clocks = overview.clocks(asked.work.conn, {key.game_id for key in keys})
    counted = Game.by(asked.work.conn, Game.status, asked.sight.seen.shown(Game.id))
    facts = {
        "number": sum(one.decisions for one in piles),
        "one": False,
        "undecided": waits.UNDECIDED,
        "post": _post(asked) if asked.sight.owner else None,
        "deadlines": [(key.game_id, key.number, asked.closes(clocks[key.game_id])) for key in keys],
        "games": {state.value: counted.get(state, 0) for state in GameState},
    }
    return _shown(asked, piles, facts)


def _settle(asked: Asked, seen: str, left: str) -> None:
    work, who = asked.work, asked.sight.address
    if left:
        waits.leave(asked.sight, left)
    elif is_number(seen) and asked.given.get("alone") != "yes":
        waits.see(work, who, last=int(seen))
    elif is_number(seen):
        with suppress(OperatorError):  # it is over, or was seen in another tab
            waits.see(work, who, int(seen))


def _kind(asked: Asked, kind: str) -> Page:
    if kind not in waits.KINDS:
        raise NotThere("There is no such page.")
    number = page_number(asked)
    pile = waits.pile(asked.sight, kind, PAGE, (number - 1) * PAGE)
    if number > 1 and not pile.things:
        raise NotThere("There is no such page.")
    return _shown(asked, [pile], {"one": True, "page": number, "pages": page_count(pile.number)})


def _shown(asked: Asked, piles: Sequence[waits.Pile], facts: dict[str, Any]) -> Page:
    named = {thing.game for pile in piles for thing in pile.things} - {""}
    facts |= {"piles": piles, "clocks": overview.clocks(asked.work.conn, named)}
    return Page("home.html.j2", "What waits", facts)


def page_number(asked: Asked) -> int:
    """Return the page number of the query, from 1. Raise NotThere."""
    number = asked.number("page", 1)
    if not number:
        raise NotThere("There is no such page.")
    return number


def page_count(number: int) -> int:
    return max(1, -(-number // PAGE))


def _post(asked: Asked) -> dict[str, Any]:
    conn = asked.work.conn
    last = notes.memo(conn, "last_pass").get("at")
    outbox = mails.waiting(conn, asked.sight.playing)
    reached = senders.last_reached(asked.work)
    full = asked.moment(datetime.fromisoformat(reached["reached"])) if reached else None
    going = (MailState.READY, MailState.LEASED, MailState.UNKNOWN)
    return {
        "last": asked.moment(datetime.fromisoformat(last)) if last else None,
        "undecided": letters.stored(conn).number,
        "unproven": senders.said("unproven", reached, full.words) if full else "",
        "going": sum(outbox[one].number for one in going if one in outbox),
        "held": outbox[MailState.HELD].number if MailState.HELD in outbox else 0,
    }


WAITS = "waits"
TAKEN = (LetterState.ORDERS, LetterState.COMMAND)
FILTERS: Mapping[str, tuple[LetterState, ...]] = {
    WAITS: waits.ATTENTION,
    "taken": TAKEN,
    "not-taken": tuple(one for one in LetterState if one not in TAKEN),
    "any": (),
}
"""Which letters a list shows; none for all."""


def games_page(asked: Asked) -> Page:
    state = asked.given.get("state", GameState.RUNNING)
    if state not in list(GameState):
        raise NotThere("There is no such page.")
    page = page_number(asked)
    seen, conn = asked.sight.seen, asked.work.conn
    numbers = Game.by(conn, Game.status, seen.shown(Game.id))
    number = numbers.get(GameState(state), 0)
    pages = page_count(number)
    if page > pages:
        raise NotThere("There is no such page.")
    first = (page - 1) * PAGE
    rows = overview.listed(conn, seen, GameState(state), PAGE, first)
    facts = {
        "state": state,
        "own": asked.who or asked.work.mark.gamesmaster,
        "numbers": {one.value: numbers.get(one, 0) for one in GameState},
        "games": list(_lines(asked, rows)),
        "tables": overview.filling_number(conn, waits.tables_led(asked.sight)),
        "page": page,
        "pages": pages,
    }
    return Page("games.html.j2", "Games", facts)


def _lines(asked: Asked, rows: Sequence[ClockRow]) -> Iterator[Mapping[str, Any]]:
    """Yield the facts of each game; what is owed in it only if its gamesmaster does not play."""
    conn = asked.work.conn
    going = [row.id for row in rows if row.stands == PeriodState.OPEN]
    tables = {row.id: table() for row, table in games.several(conn, going)}
    standing = order_sets.newest_sets(conn, going)
    for row in rows:
        game, playing = tables.get(row.id), row.id in asked.sight.playing
        yield {
            "game": row,
            "title": shelf.open_ruleset(row.ruleset).about.title,
            "called": own_page.called(game) if game else "",
            "closes": asked.closes(row) if game else None,
            "seats": len(game.seats) if game else 0,
            "missing": _missing(game, standing.get(row.id, {})) if game and not playing else (),
            "playing": playing,
        }


def _missing(game: GameAt, sets: Mapping[str, OrderSet]) -> list[str]:
    standing = {
        seat: reread(game.ruleset, sets[seat].orders) for seat in game.seats if seat in sets
    }
    still = owed(game.ruleset, game.state, game.seats, standing)
    return [seat for seat, slots in still.items() if slots]


def letters_page(asked: Asked) -> Page:
    given = asked.given
    state = given.get("state", WAITS)
    if state not in FILTERS:
        raise NotThere("There is no such page.")
    before = asked.number("before")
    conn, seen = asked.work.conn, asked.sight.seen
    game_id, sender = given.get("game", "").strip(), given.get("sender", "").strip().lower()
    ids = overview.letter_page(
        conn, seen, FILTERS[state], PAGE + 1, game_id=game_id, sender=sender, before=before
    )
    rows = overview.letters(conn, ids[:PAGE])
    clocks = overview.clocks(conn, {row.game_id for row in rows})
    facts = {
        "state": state,
        "states": list(FILTERS),
        "game": game_id,
        "sender": sender,
        "before": before,
        "number": sum(letters.numbers(conn, waits.ATTENTION, seen).values()),
        "letters": [(row, asked.moment(row.received, clocks.get(row.game_id))) for row in rows],
        "older": rows[-1].id if len(ids) > PAGE else 0,
    }
    return Page("letters.html.j2", "Letters", facts)


def page(asked: Asked) -> Page:
    row = OpenTable.one(asked.work.conn, id=asked.path["table"])
    if row is None or not (asked.sight.owner or row.gamesmaster == asked.who):
        raise NotThere("There is no such table.")
    there = open_tables.applicants(asked.work.conn, row.id) if row.is_open else []
    seated, queue = tables.seats_of(row, there)
    own = partial(times.moment, asked.work, zone=row.plan["game"]["zone"])

    def came(one: ApplicantRow) -> Thing:
        known = player_records.tally(asked.work.conn, one.player_id) if one.player_id else None
        word = tables.waits_for_word(row, one)
        facts = {
            "came": own(one.came),
            "until": own(one.until) if one.until else None,
            "seat": seated.index(one) + 1 if one in seated else 0,
            "queue": queue.index(one) + 1 if one in queue else 0,
            "waits": word,
            "record": known,
        }
        ways = waits.newcomer_ways(row.id, one.id)
        ways = ways if word else ways[1:] if row.is_open else ()
        return Thing("newcomer", str(one.id), one, ways=ways, facts=facts)

    facts = {
        "row": row,
        "told": tables.facts(asked.work, row),
        "there": [came(one) for one in there],
        "alike": alike(there),
        "starts": own(row.starts) if row.starts else None,
        "closes": own(row.closes) if row.closes else None,
        "opened": own(row.opened),
        "house": tables.house_of(row),
    }
    return Page("table.html.j2", f"The table {row.id}", facts)


def paper(asked: Asked) -> Page:
    """Return the next issue of the club's paper, as it stands."""
    if not asked.sight.owner:
        raise NotThere("There is no such page.")
    letters = waits.pile(asked.sight, "editor")
    text = zine.written(asked.work)
    facts = {
        "day": asked.work.config.club.zine,
        "text": set_(text, 2) if text else "",
        "letters": letters.number,
    }
    return Page("paper.html.j2", "The next paper", facts)


def restore(asked: Asked) -> Page:
    """Return the steps after a backup came back, and how far it has come."""
    sight, conn = asked.sight, asked.work.conn
    if not sight.owner:
        raise NotThere("There is no such page.")
    restored = notes.memo(conn, notes.RESTORED)
    held = [one.game for one in waits.pile(sight, "held").things if one.facts["together"]]
    stopped = waits.pile(sight, "stopped").things
    since = restored.get("since")
    facts = {
        "since": asked.moment(datetime.fromisoformat(since)) if since else None,
        "unread": notes.memo(conn, notes.UNREAD).get("folders"),
        "letters": Counter(held),
        "stopped": [one.game for one in stopped if one.of["why"].startswith(letter_acts.BACKUP)],
    }
    return Page("restore.html.j2", "After a backup came back", facts)
