"""The gamesmaster's queue: who is in, who is missing, what is held and the command that releases
each."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from sqlalchemy.exc import DBAPIError

from pbem import text as typeset
from pbem.errors import OperatorError
from pbem.games.frame.adjudication import owed
from pbem.games.frame.codec import Json
from pbem.games.frame.lateness import after_backup
from pbem.letters.states import LetterState
from pbem.periods import publishing
from pbem.post import delivery
from pbem.post.work import Work
from pbem.referee import installation
from pbem.referee.sight import Sight
from pbem.store import games, mails, notes, order_sets, player_records, waiting
from pbem.store.games import Table
from pbem.store.letter_rows import BacklogRow, QueueRow
from pbem.store.states import GameState, PeriodState
from pbem.text import safe

ATTENTION = (
    LetterState.HELD,
    LetterState.QUARANTINE,
    LetterState.FAILED,
    LetterState.UNFETCHABLE,
    LetterState.UNVERIFIED,
    LetterState.LATE,
    LetterState.UNANSWERED,
)
ACCEPTABLE = (LetterState.UNVERIFIED, LetterState.HELD, LetterState.LATE)
_RELEASE = {
    LetterState.FAILED: "pbem letter --id {id}   (why);  pbem retry {id}",
    LetterState.UNFETCHABLE: "pbem retry {id}   or  pbem dismiss {id}",
}

_MOST = 200
"""So many letters, and so many mails, are listed."""
_NO_PERIOD: Json = {"phase": "", "deadline": None, "in": [], "missing": {}, "review": False}


def queue(work: Work, game_id: str | None = None, who: str = "") -> Json:
    """Everything that a gamesmaster looks at, as plain JSON (times in ISO form, UTC). ``who``: the
    address he writes from, "" for whoever has the shell: he sees all games. Of a game that he plays
    in he sees what its players may know; what is of no game is for the installation's
    gamesmaster. Raises OperatorError where ``game_id`` is none of his."""
    sight = Sight(work, who)
    if game_id is None:
        states = (GameState.RUNNING, GameState.HELD, GameState.WAITING)
        ids = [one for one in games.by_age(work.conn, *states) if sight.lists(one)]
    else:
        ids = [games.game(work.conn, game_id).id]
        if not sight.lists(game_id):
            raise OperatorError(f"you are not the gamesmaster of {game_id}")
    conn, owner = work.conn, sight.owner
    outbox = mails.waiting(conn, sight.playing) if owner else {}
    return {
        "now": work.now.isoformat(),
        "games": [_game(work, one, whole=sight.looks_into(one)) for one in ids],
        "letters": _letters(sight, game_id),
        "undecided": _backlog("letters", waiting.stored(conn) if owner else BacklogRow(0, None)),
        "outbox": {state: _backlog("mails", backlog) for state, backlog in outbox.items()},
        "mails": _mails(sight),
        "delivery_trouble": _trouble(sight),
        "last_pass": notes.memo(conn, "last_pass") if owner else {},
        "restored": notes.memo(conn, notes.RESTORED).get("since") if owner else None,
    }


def _game(work: Work, game_id: str, *, whole: bool) -> Json:
    """One game; not ``whole``: what its players may know."""
    conn = work.conn
    row = games.game(conn, game_id)
    told = {
        "id": row.id,
        "ruleset": row.ruleset,
        "gamesmaster": row.gamesmaster or work.mark.gamesmaster,
        "status": row.status,
        "held_because": row.held_because,
        "period": row.period,
    }
    if not row.period:
        return told | _NO_PERIOD
    try:
        at = games.table(conn, game_id)
    except DBAPIError:
        raise
    except (
        Exception
    ) as error:  # the other games are looked at all the same; what it says may show a secret
        return told | _NO_PERIOD | {"phase": f"(its record cannot be read: {type(error).__name__})"}
    if not whole:
        return told | _NO_PERIOD | _public(at)
    standing = order_sets.all_standing(conn, at) if at.period.status == PeriodState.OPEN else {}
    still = owed(at.ruleset, at.state, at.seats, standing)
    running = (
        row.status in (GameState.RUNNING, GameState.HELD) and at.period.status == PeriodState.OPEN
    )
    return (
        told
        | _public(at)
        | {
            "in": sorted(standing),
            "missing": {seat: list(slots) for seat, slots in still.items() if slots}
            if running
            else {},
            "players": {seat: holder.name for seat, holder in at.holders.items()},
            "missed": {seat: holder.missed for seat, holder in at.holders.items() if holder.missed},
            "quits": {
                seat: holder.quits.isoformat()
                for seat, holder in at.holders.items()
                if holder.quits
            },
            "record": {
                seat: tally._asdict()
                for seat, tally in player_records.tallies(conn, game_id).items()
            },
        }
    )


def _public(at: Table) -> Json:
    """What each of its players may know."""
    due = at.period.due
    return {
        "phase": at.period.phase,
        "deadline": due.isoformat() if due else None,
        "deadline_text": publishing.deadline_text(at),
        "review": at.period.status == PeriodState.REVIEW,
    }


def _letters(sight: Sight, game_id: str | None) -> list[Json]:
    among = sight.among if game_id is None else (game_id,)
    return [
        {
            "id": row.id,
            "outcome": row.outcome,
            "reason": row.reason,
            "sender": row.sender,
            "game": row.game_id,
            "seat": row.seat,
            "received": row.received.isoformat(),
            "release": _release(row),
        }
        for row in waiting.newest(sight.conn, ATTENTION, among, _MOST)
        if sight.sees(row.game_id, row.sender)
    ]


def _release(row: QueueRow) -> str:
    """The command that brings a letter out of the queue."""
    if row.outcome in ACCEPTABLE and not unacceptable(row.seat, row.game_id, row.status):
        restored = (
            row.outcome == LetterState.HELD
            and row.game_id
            and after_backup(row.received, row.restored_to, row.restored_until)
        )
        together = f"pbem accept --game {row.game_id}   or  " if restored else ""
        return f"{together}pbem accept {row.id}   or  pbem dismiss {row.id}"
    return _RELEASE.get(row.outcome, "pbem letter --id {id}   (why);  pbem dismiss {id}").format(
        id=row.id
    )


def unacceptable(seat: str, game_id: str, status: GameState | None) -> str:
    """Why a letter would have no effect although it were believed; "" where it would have."""
    if not seat:
        return "does not say for which seat it is; its sender has to write again"
    if game_id and status == GameState.OVER:
        return f"is too late: game {game_id} is over"
    return (
        f"must wait: game {game_id} has not begun"
        if game_id and status == GameState.WAITING
        else ""
    )


def _backlog(what: str, found: BacklogRow) -> Json:
    return {what: found.number, "oldest": found.oldest.isoformat() if found.oldest else None}


def _mails(sight: Sight) -> list[Json]:
    """Mails that only a person can send again."""
    gone = {one["address"] for one in delivery.trouble(sight.conn) if one["hard"]}
    told = []
    for row in mails.stuck(sight.conn, _MOST, sight.among):
        if not sight.sees(row.game, row.recipient):
            continue
        release = f"pbem resend {row.id}"
        if row.recipient in gone:
            release = f"pbem address {row.recipient} NEW   or  {release}"
        told.append({**row._asdict(), "release": release})
    return told


def _trouble(sight: Sight) -> list[Json]:
    """Addresses that our mail does not reach: of players in his games, and of those in none."""
    told = []
    for one in delivery.trouble(sight.conn):
        played = installation.games_of(sight.conn, one["address"])
        if any(map(sight.looks_into, played)) or sight.sees("", one["address"]):
            told.append(one)
    return told


def text(told: Json) -> str:
    """The queue as plain text, for the digest by mail."""
    lines = []
    for game in told["games"]:
        held = f" HELD: {safe(game['held_because'])}" if game["status"] == "held" else ""
        review = f" (a bulletin waits: pbem release {game['id']})" if game["review"] else ""
        lines.append(
            f"{game['id']}: {game['ruleset']}, {game['status']}{held}{review}, period"
            f" {game['period']} {game['phase']}"
        )
        if held:
            by_mail = f"GAME {game['id']}, PERIOD {game['period']}, RESUME"
            lines.append(f"    to go on: pbem resume {game['id']}; by mail the lines {by_mail}")
        if game.get("deadline_text"):
            lines.append(f"    deadline: {game['deadline_text']}")
        if game["period"] and "players" not in game and game["phase"]:
            lines.append("    you play in it, and see what any player may know")
        if game.get("in"):
            lines.append(f"    in: {', '.join(game['in'])}")
        lines.extend(
            f"    missing: {seat}: {', '.join(slots)}" for seat, slots in game["missing"].items()
        )
        if record := missed(game):
            lines.append(f"    {record}")
        for seat, since in game.get("quits", {}).items():
            lines.append(
                f"    {seat} asks to be relieved since {_minute(since)}: pbem standby {game['id']}"
                " ADDRESS"
            )
    for letter in told["letters"]:
        who = safe(letter["sender"]) or "?"
        lines.append(
            f"letter {letter['id']}: {letter['outcome']} from {who}: {safe(letter['reason'])}"
        )
        lines.append(f"    {letter['release']}")
    undecided = told["undecided"]
    if undecided["letters"]:
        count = typeset.counted(undecided["letters"], "letter is", "letters are")
        lines.append(f"{count} undecided, the oldest of {_minute(undecided['oldest'])}")
    lines.extend(
        f"outbox: {typeset.counted(n['mails'], 'mail')} {state}, the oldest of"
        f" {_minute(n['oldest'])}"
        for state, n in told["outbox"].items()
    )
    if told["restored"]:
        since = _minute(told["restored"])
        lines.append(
            f"no mail goes out since the restore of {since}: look, then `pbem restore"
            " --release-outbox`"
        )
    for mail in told["mails"]:
        lines.append(
            f"mail {mail['id']} to {mail['recipient']}: {mail['state']}: {safe(mail['reply'])}"
        )
        lines.append(f"    {mail['release']}")
    for one in told["delivery_trouble"]:
        counts = f"{one['soft']} soft, {one['hard']} hard; {safe(one['last'])}"
        lines.append(f"delivery trouble: {one['address']} ({safe(one['player'])}): {counts}")
        lines.append(f"    {one['release']}")
    return "\n".join(map(_filled, lines)) + "\n" if lines else "Nothing waits.\n"


def missed(game: Json) -> str:
    """What a game's players have missed and given up in all their games; "" for nothing."""
    said = "; ".join(_missed(game.get("record", {})))
    return f"record in all games: {said}" if said else ""


def _missed(record: Json) -> Iterator[str]:
    for seat, of in record.items():
        if of["missed"] or of["given_up"]:
            gave = f", {of['given_up']} given up" if of["given_up"] else ""
            yield f"{seat} missed {of['missed']} of {of['due']}{gave}"


def _minute(moment: str) -> str:
    return f"{datetime.fromisoformat(moment):%Y-%m-%d %H:%M} UTC"


def _filled(line: str) -> str:
    """A line within its columns, but for commands: those are there to be copied."""
    said = line.strip()
    return line if said.startswith("pbem ") else typeset.wrap(said, len(line) - len(line.lstrip()))
