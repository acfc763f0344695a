"""What a gamesmaster sees of games and open tables, as JSON, and as text within 80 columns.

The number of statements is constant; only shown games are opened.
"""

import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from itertools import groupby

from sqlalchemy.exc import DBAPIError

from pbem import text as typeset
from pbem.errors import OperatorError
from pbem.games.frame.adjudication import owed, reread
from pbem.games.frame.codec import Json
from pbem.games.frame.events import grouped
from pbem.house import templates
from pbem.periods import amendments, persons, publishing
from pbem.periods import open_tables as tables
from pbem.post import blocked
from pbem.post.work import Work
from pbem.referee.deciding import senders
from pbem.referee.gamesmaster import waits
from pbem.referee.gamesmaster.waits import ATTENTION, OR, Sight, Thing
from pbem.store.games import games, order_sets, overview
from pbem.store.games.game_rows import Tally
from pbem.store.games.games import GameAt
from pbem.store.joining import open_tables
from pbem.store.joining.open_tables import ApplicantRow
from pbem.store.journal import notes
from pbem.store.letters import letters
from pbem.store.letters.letters import BacklogRow
from pbem.store.mails import mails
from pbem.store.people import deputies, player_records
from pbem.store.schema.states import DeputyState, GameState, PeriodState
from pbem.store.schema.tables import OrderSet
from pbem.text import in_utc, listed

PAGE = 20
SHOWN = 50
"""Things of a kind in a text."""
_NOT_OVER = (GameState.RUNNING, GameState.HELD, GameState.WAITING)
_MOST = 200  # letters listed, mails and alarms
_AT_ONCE = 200
_NO_PERIOD: Json = {
    "phase": "",
    "deadline": None,
    "in": [],
    "missing": {},
    "review": False,
    "amendments": [],
}
_TROUBLE = ("unproven", "blocked", "restored")


def queue(
    work: Work, game_id: str | None = None, page: int | None = None, who: str | None = None
) -> Json:
    """Return all that a gamesmaster sees (times ISO, UTC). Raise OperatorError if not theirs.
    page: from 1; None for all games. who: their address; None for the shell, which sees all."""
    sight, conn = Sight(work, who), work.conn
    ids = _ids(sight, game_id)
    first = (page - 1) * PAGE if page else 0
    if page is not None and (page < 1 or (first and first >= len(ids))):
        raise OperatorError(f"there is no page {page}; the last is {max(1, -(-len(ids) // PAGE))}")
    listed = list(_games(sight, ids[first : first + PAGE] if page else ids))
    newest = overview.letter_page(conn, sight.seen, ATTENTION, _MOST, game_id=game_id)
    outbox = mails.waiting(conn, sight.playing) if sight.owner else {}
    undecided = letters.stored(conn) if sight.owner else BacklogRow(0, None)
    refused = blocked.read(conn) if sight.owner else None
    stand = waits.standing(work, sight.address)[:_MOST] if game_id is None else ()
    return {
        "now": work.now.isoformat(),
        "games": listed,
        "first": first + 1,
        "number": {
            "games": len(ids),
            "letters": sum(letters.numbers(conn, ATTENTION, sight.seen, game_id).values()),
            "mails": mails.stuck_number(conn, sight.seen),
        },
        "letters": [one.told for one in waits.of_letters(sight, newest)],
        "waits": list(_waits(sight, listed, game_id)),
        "undecided": _backlog("letters", undecided),
        "outbox": {state: _backlog("mails", backlog) for state, backlog in outbox.items()},
        "alarms": [waits.alarm(row).told for row in stand],
        "mails": [one.told for one in waits.pile(sight, "mail", _MOST).things],
        "delivery_trouble": [one.told for one in waits.pile(sight, "address").things],
        "last_pass": notes.memo(conn, "last_pass") if sight.owner else {},
        "unproven": senders.last_reached(work) if sight.owner else {},
        "blocked": {"since": refused.since.isoformat(), "reply": refused.reply}
        if refused
        else None,
        "restored": notes.memo(conn, notes.RESTORED).get("since") if sight.owner else None,
    }


def _ids(sight: Sight, game_id: str | None) -> list[str]:
    """Return the games to show. Raise OperatorError if game_id is not theirs."""
    if game_id is None:
        return [one for one in games.by_deadline(sight.conn, *_NOT_OVER) if sight.lists(one)]
    one = games.game(sight.conn, game_id).id
    if not sight.lists(one):
        raise OperatorError(f"you are not the gamesmaster of {game_id}")
    return [one]


def _waits(sight: Sight, listed: Sequence[Json], game_id: str | None) -> Iterator[Json]:
    waiting: list[Thing] = []
    for kind in ("review", "stopped", "protest", "question", "seat"):
        things = [one for one in waits.pile(sight, kind).things if one.told]
        waiting += sorted(things, key=_order) if kind == "seat" else things
    waiting += [
        waits.amendment(game["id"], game["period"], number)
        for game in listed
        if sight.looks_into(game["id"])
        for number in game["amendments"]
    ]
    waiting = [one for one in waiting if game_id in (None, one.game)]
    if game_id is None:
        waiting += [
            one for kind in ("newcomer", "editor") for one in waits.pile(sight, kind).things
        ]
    for one in waiting:
        yield {"what": one.what, "game": one.game, **one.told}


def _order(seat: Thing) -> tuple[int, str, int]:
    what = ("quits", "free", "silent").index(seat.told["what"])
    return what, seat.told.get("since", ""), -seat.told.get("missed", 0)


def _games(sight: Sight, ids: Sequence[str]) -> Iterator[Json]:
    conn = sight.conn
    for first in range(0, len(ids), _AT_ONCE):
        chosen = ids[first : first + _AT_ONCE]
        standing = order_sets.newest_sets(conn, chosen)
        tallies = player_records.tallies(conn, chosen)
        away: dict[str, dict[str, list[str]]] = {game_id: {} for game_id in chosen}
        for who in deputies.live(conn):
            if who.game_id in away and who.state != DeputyState.ASKED:
                ends = f" to {in_utc(who.last)}" if who.last else ""
                said = f"deputy {who.reaches} from {in_utc(who.first)}{ends}"
                away[who.game_id].setdefault(who.seat, []).append(said)
        for row, table in games.several(conn, chosen):
            whole = sight.looks_into(row.id)
            gone = {"away": away[row.id]} if whole else {}
            stands = _stands(table, standing[row.id], tallies[row.id], whole=whole)
            named = ("id", "ruleset", "status", "held_because", "period")
            told = {name: getattr(row, name) for name in named}
            told["gamesmaster"] = row.gamesmaster or sight.work.mark.gamesmaster
            yield told | stands | gone


def _stands(
    table: Callable[[], GameAt | None],
    sets: Mapping[str, OrderSet],
    tallies: Mapping[str, Tally],
    *,
    whole: bool,
) -> Json:
    """Return a game's state. whole: False for what its players may know."""
    try:
        at = table()
        if at is None:
            return _NO_PERIOD
        return _NO_PERIOD | _public(at) | (_secret(at, sets, tallies) if whole else {})
    except DBAPIError:
        raise
    except Exception as error:  # show the other games; the message may hold a secret
        return _NO_PERIOD | {"phase": f"(its record cannot be read: {type(error).__name__})"}


def _secret(game: GameAt, sets: Mapping[str, OrderSet], tallies: Mapping[str, Tally]) -> Json:
    is_open = game.period.status == PeriodState.OPEN
    standing = {
        seat: reread(game.ruleset, sets[seat].orders)
        for seat in game.seats
        if is_open and seat in sets
    }
    running = game.row.status in (GameState.RUNNING, GameState.HELD) and is_open
    still = owed(game.ruleset, game.state, game.seats, standing) if running else {}
    return {
        "in": sorted(standing),
        "missing": {seat: list(slots) for seat, slots in still.items() if slots},
        "players": {seat: holder.name for seat, holder in game.holders.items()},
        "missed": {seat: holder.missed for seat, holder in game.holders.items() if holder.missed},
        "quits": {
            seat: holder.quits.isoformat() for seat, holder in game.holders.items() if holder.quits
        },
        "record": {seat: tally._asdict() for seat, tally in tallies.items()},
    }


def _public(game: GameAt) -> Json:
    due = game.period.due
    return {
        "phase": game.period.phase,
        "deadline": due.isoformat() if due else None,
        "deadline_text": publishing.deadline_text(game),
        "review": game.period.status == PeriodState.REVIEW,
        "amendments": amendments.waiting(game),
    }


def _backlog(what: str, found: BacklogRow) -> Json:
    return {what: found.number, "oldest": found.oldest.isoformat() if found.oldest else None}


class Face(StrEnum):
    """Where the queue is read; the JSON key of what releases a thing there."""

    SHELL = "release"
    MAIL = "words"


def anything(told: Json) -> bool:
    """Return whether anything waits for them, or is wrong with the post."""
    kinds = ("letters", "waits", "mails", "delivery_trouble", "alarms", *_TROUBLE)
    return any(told[one] for one in kinds)


def text(told: Json, face: Face) -> str:
    number, last = told["number"]["games"], told["first"] + len(told["games"]) - 1
    facts = {
        "one": told,
        "shell": face is Face.SHELL,
        "kinds": [(what, list(some)) for what, some in groupby(told["waits"], lambda o: o["what"])],
        "last": last,
        "next": last // PAGE + 1 if last < number else 0,
        "number": number,
        "minute": lambda at: in_utc(datetime.fromisoformat(at)),
        "unproven": partial(senders.said, "unproven"),
        "shown": SHOWN,
        "entry": lambda said, one: "\n".join((*_filled(said, "", "  "), *_ways(one[face], face))),
        "missing": _missing,
        "wrap": typeset.wrap,
        "safe": typeset.safe,
        "thousands": typeset.thousands,
        "unbroken": typeset.UNBROKEN,
    }
    return templates.shared("queue", **facts).strip("\n") + "\n"


def _missing(game: Json) -> Iterable[tuple[str, Sequence[str]]]:
    """Return slots that seats owe, and those seats."""
    return grouped((", ".join(slots), seat) for seat, slots in game["missing"].items()).items()


def _ways(release: str, face: Face) -> Iterator[str]:
    """Yield the ways out. A long command continues behind a backslash. In a mail no word begins a
    line: quoted, it would be a command."""
    say = "" if face is Face.SHELL else "write "
    whole = f"    {say}{release}"
    if len(whole) <= typeset.WIDTH:
        yield whole
        return
    for way in release.split(OR):
        line = f"    {say}{way}"
        fits = len(line) <= typeset.WIDTH or say
        yield line if fits else " \\\n".join(_filled(way, " " * 4, " " * 8))


def _filled(said: str, first: str, rest: str) -> list[str]:
    return textwrap.wrap(
        said,
        typeset.WIDTH - 2,  # for the backslash
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


ALIKE = timedelta(hours=1)
"""Two from one mail domain within this time may be one person."""


def table_words(work: Work, game_id: str, face: Face) -> str:
    """Return the table. Raise OperatorError if there is none."""
    table = tables.joinable(work, game_id)
    there = open_tables.applicants(work.conn, table.id)
    seated, queue = tables.seats_of(table, there)
    return templates.shared(
        "table",
        table=table,
        there=there,
        seated=seated,
        queue=queue,
        waiting=[one for one in there if tables.waits_for_word(table, one)],
        alike=alike(there),
        moment=partial(tables.moment, table),
        shell=face is Face.SHELL,
    ).rstrip("\n")


def alike(there: Sequence[ApplicantRow]) -> list[str]:
    found = persons.of_one_mailbox([one.mail for one in there])
    in_order = sorted(there, key=lambda one: one.came)
    for domain, those in grouped((one.mail.rpartition("@")[2], one) for one in in_order).items():
        close = [
            one
            for one in those
            if any(other is not one and abs(one.came - other.came) <= ALIKE for other in those)
        ]
        if close:
            found.append(
                f"Note: {listed(one.name for one in close)} came from {domain} within an hour."
            )
    return found
