"""A referee that has run for years, as rows: many games in many states, and a million letters on
file. Written by bulk INSERTs into an empty database, on SQLite or PostgreSQL.

Each game is a copy of one that was opened as all are, with players of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from sqlalchemy import Connection, insert, select, text

from pbem.house import shelf
from pbem.periods import opening
from pbem.post.work import Work
from pbem.store.schema.tables import (
    Address,
    Applicant,
    FreeSeat,
    Game,
    Letter,
    Offer,
    OpenTable,
    Outgoing,
    Period,
    Player,
    Seat,
)

KEYS = ("coalition", "parlement-1966")
OURS = 9
"""So many of ten games are the installation's gamesmaster's; the others have ``MASTERS``."""
MASTERS = 50
SEATS = 100
"""More than any game has: players of the n-th game have numbers from n * SEATS on."""
OUTCOMES = {
    "unverified": 1_000,
    "held": 500,
    "late": 300,
    "quarantine": 5_000,
    "failed": 50,
    "unfetchable": 5,
    "unanswered": 100,
    "stored": 20,
    "command": 100_000,
    "ignored": 20_000,
    "duplicate": 10_000,
    "unknown-sender": 20_000,
    "bounce": 5_000,
    "dismissed": 5_000,
}
"""Of a million letters so many of each; all others were orders."""
ALARMS = 300
"""So many alarms were mailed on each of the last ten days."""
_BATCH = 5_000
_LARGE = b"x" * 9_000
_SMALL = b"x" * 1_200


def fill(work: Work, games: int, letters: int) -> None:
    """So many games, letters and, half as many, mails."""
    for n, key in enumerate(KEYS):
        _first(work, f"first{n}", key)
    _copies(work, games)
    _letters(work, games, letters)
    _mails(work, games, letters // 2)
    _tables(work)
    if work.conn.dialect.name == "postgresql":  # numbers were given, and are not to be given again
        for table in ("player", "letter"):
            work.conn.execute(
                text(f"SELECT setval('{table}_id_seq', (SELECT max(id) FROM {table}))")
            )
        work.conn.execute(text("ANALYZE"))  # as the server does by itself within minutes


def master(n: int) -> str:
    """The gamesmaster of the n-th game; "" for the installation's."""
    return "" if n % 10 < OURS else f"gm{n // 10 % MASTERS}@legit.example"


def _first(work: Work, game: str, key: str) -> None:
    """The game of which others are copies."""
    size = len(shelf.open_ruleset(key).about.seats[0])
    players = [("", f"p{n}@{key}.example", f"Player {n}") for n in range(size)]
    ours = ("Europe/Paris", "none", "deadline", "auto", {}, {}, {}, "7")
    opening.new(work, opening.Plan(game, key, players, *ours))
    opening.start(work, game)


def _bulk(conn: Connection, table: type, rows: Iterable[Mapping[str, Any]]) -> None:
    found = iter(rows)
    while some := list(islice(found, _BATCH)):
        conn.execute(insert(table), some)


# --- games ----------------------------------------------------------------------------------------


def _copies(work: Work, games: int) -> None:
    conn, now = work.conn, work.now
    kinds = [_rows(conn, f"first{n}") for n in range(len(KEYS))]
    for table in (Game, Player, Address, Seat, Period):
        _bulk(
            conn,
            table,
            (
                _copy(table, row, n, now)
                for n in range(1, games - len(KEYS) + 1)
                for row in kinds[n % len(kinds)][table]
                if table is not Period or not _waits(n)
            ),
        )
    free = [n for n in range(1, games - len(KEYS) + 1) if n % 160 == 17]
    freed = ({"game_id": f"g{n}", "seat": _seat(kinds, n), "player_id": None} for n in free)
    told = {"why": "quit", "since": now - timedelta(days=2), "period": 1, "told": False}
    _bulk(conn, FreeSeat, ({**one, **told} for one in freed))
    offers = ({"game_id": f"g{n}", "seat": _seat(kinds, n), "player_id": 1} for n in free)
    until = {"made": now - timedelta(days=1), "until": now + timedelta(days=1)}
    how = {"state": "open", "address": "x@legit.example", "alone": False, "code_hash": ""}
    _bulk(conn, Offer, ({**one, **until, **how} for one in offers))


def _rows(conn: Connection, game: str) -> dict[type, list[dict[str, Any]]]:
    """The rows of a game, by their tables."""
    of = {Game: Game.id == game, Seat: Seat.game_id == game, Period: Period.game_id == game}
    found = {
        table: [dict(row._mapping) for row in conn.execute(select(table.__table__).where(where))]
        for table, where in of.items()
    }
    players = [row["player_id"] for row in found[Seat]]
    for table, column in ((Player, Player.id), (Address, Address.player_id)):
        rows = conn.execute(select(table.__table__).where(column.in_(players)))
        found[table] = [dict(row._mapping) for row in rows]
    return found


def _seat(kinds: list[dict[type, list[dict[str, Any]]]], n: int) -> str:
    return str(kinds[n % len(kinds)][Seat][0]["seat"])


def _waits(n: int) -> bool:
    return n % 50 == 7


def _status(n: int) -> str:
    """How the n-th game stands."""
    if _waits(n):
        return "waiting"
    return "held" if n % 100 == 11 else "over" if n % 20 == 13 else "running"


def _copy(table: type, row: Mapping[str, Any], n: int, now: datetime) -> dict[str, Any]:
    """A row of the first game, as it would be in the ``n``-th copy."""
    if table is Game:
        held = {"held_because": "illness", "held_at": now - timedelta(days=n % 30)}
        status = _status(n)
        whose = {"id": f"g{n}", "gamesmaster": master(n), "seed": f"{n:064x}"}
        return {**row, **whose, "status": status, **(held if status == "held" else {})}
    if table is Player:
        return {**row, "id": n * SEATS + row["id"] % SEATS}
    player = n * SEATS + row["player_id"] % SEATS if "player_id" in row else 0
    if table is Address:
        hard = int(n % 70 == 3)
        return {
            **row,
            "address": f"{n}-{row['address']}",
            "player_id": player,
            "hard_bounces": hard,
            "last_bounce": "2026-03-02 hard: 5.1.1 no such user" if hard else "",
        }
    if table is Seat:
        silent = row["place"] == 0 and n % 30 == 4
        return {
            **row,
            "game_id": f"g{n}",
            "player_id": player,
            "token_hash": f"{n}-{row['token_hash']}"[:64],
            "missed": 3 if silent else 0,
            "asked_until": now + timedelta(days=1) if silent and n % 60 == 4 else None,
            "quits": now - timedelta(days=n % 9) if row["place"] == 1 and n % 200 == 33 else None,
        }
    return _period(row, n, now)


def _period(row: Mapping[str, Any], n: int, now: datetime) -> dict[str, Any]:
    row = {**row, "game_id": f"g{n}"}
    if row["status"] != "open":
        return row
    status = _status(n)
    if status == "over":
        return {**row, "status": "closed", "next_look": None, "closed": now}
    if status == "running" and n % 50 == 29:
        return {**row, "status": "review", "base": None, "due": None, "next_look": None}
    due = now + timedelta(hours=n % 168, minutes=n % 60)
    look = due if n % 3 else due - timedelta(days=1)
    return {**row, "base": due, "due": due, "next_look": max(look, now + timedelta(minutes=1))}


# --- the post -------------------------------------------------------------------------------------


def _outcomes(letters: int) -> Iterator[str]:
    """The outcome of each letter, mixed alike all the way."""
    shares = [(name, max(1, letters * share // 1_000_000)) for name, share in OUTCOMES.items()]
    every = {name: letters // share for name, share in shares}
    left = dict(shares)
    for n in range(letters):
        for offset, (name, step) in enumerate(every.items()):
            if left[name] and n % step == offset:
                left[name] -= 1
                yield name
                break
        else:
            yield "orders"


def _letters(work: Work, games: int, letters: int) -> None:
    now, count = work.now, max(1, games - len(KEYS))
    strangers = ("unknown-sender", "quarantine", "bounce", "ignored", "unfetchable", "stored")

    def rows() -> Iterator[dict[str, Any]]:
        for n, outcome in enumerate(_outcomes(letters)):
            game = n * 7919 % count + 1
            at = now - timedelta(seconds=(letters - n) * 60)
            known = outcome not in strangers
            yield {
                "account": "referee@game.example",
                "folder": "INBOX",
                "uidvalidity": 1,
                "uid": n + 1,
                "received": at,
                "seen": at,
                "raw": _SMALL if n % 10 else _LARGE,
                "raw_hash": f"{n:064x}",
                "message_id": f"<{n}@legit.example>",
                "effect": f"{n:064x}" if outcome in ("orders", "command") else None,
                "outcome": outcome,
                "reason": "its writer is not proven: no code, and no proof of the domain",
                "sender": f"{game}-p0@{KEYS[game % len(KEYS)]}.example"
                if known
                else f"s{n % 999}@bad.example",
                "authentication": "none",
                "game_id": f"g{game}" if known else "",
                "seat": "A" if known else "",
                "period": 1 if known else 0,
                "attempts": 0,
                "moved": outcome != "stored",
                "decided": at,
                "code_hash": "",
                "receipt": n if outcome == "orders" else None,
            }

    _bulk(work.conn, Letter, rows())


def _mails(work: Work, games: int, mails: int) -> None:
    now, count = work.now, max(1, games - len(KEYS))
    odd = {17: "refused", 1_017: "unknown", 2_017: "ready"}
    body = b"Subject: [pbem] letter 1 of g1 could not be decided\r\n\r\n" + b"y" * 600

    def row(n: int, at: datetime, **other: Any) -> dict[str, Any]:
        return {
            "key": f"receipt:{n}",
            "kind": "receipt",
            "game_id": f"g{n * 7919 % count + 1}",
            "seat": "A",
            "recipient": f"{n * 7919 % count + 1}-p0@{KEYS[n % len(KEYS)]}.example",
            "envelope_from": "referee@game.example",
            "message_id": f"<o{n}@game.example>",
            "raw": body,
            "state": odd.get(n % 5_000, "sent"),
            "next_try": now,
            "attempts": 1,
            "resent": n % 5_000 == 1_017,
            "reply": "550 no such user" if n % 5_000 == 17 else "",
            "created": at,
            "sent": at,
        } | other

    def rows() -> Iterator[dict[str, Any]]:
        for n in range(mails):
            yield row(n, now - timedelta(seconds=(mails - n) * 120))
        to = {"kind": "alarm", "recipient": "gm@game.example", "game_id": "", "seat": ""}
        for n in range(ALARMS * 10):
            mine = {"key": f"alarm:letter:{n}:20260302", "message_id": f"<a{n}@game.example>"}
            at = now - timedelta(days=n // ALARMS, minutes=n % ALARMS)
            yield row(n, at, **to, **mine, state="sent")

    _bulk(work.conn, Outgoing, rows())


def _tables(work: Work) -> None:
    """Forty open tables, four players at each; at every fourth the gamesmaster approves of each."""
    now = work.now
    game = dict(work.conn.execute(select(Game.__table__).where(Game.id == "first0")).one()._mapping)
    left_out = ("id", "seed", "created", "status", "held_because", "held_at", "restored_to")
    left_out += ("restored_until", "period", "edition", "agreed", "statements_until", "attended")
    plan = {"game": {k: v for k, v in game.items() if k not in left_out}, "choice": False}
    tables = (
        {
            "id": f"table{n}",
            "ruleset": game["ruleset"],
            "state": "joining",
            "places": 5,
            "plan": plan,
            "seed": f"{n:064x}",
            "gamesmaster": master(n),
            "approve": n % 4 == 0,
            "experience": 0,
            "reliability": 0,
            "opened": now - timedelta(days=n),
            "starts": None,
            "closes": now + timedelta(days=n + 1),
            "called": None,
            "next_look": now + timedelta(days=n + 1),
        }
        for n in range(40)
    )
    _bulk(work.conn, OpenTable, tables)
    applicants = (
        {
            "game_id": f"table{n}",
            "address": f"a{k}@legit.example",
            "name": f"Newcomer {k}",
            "player_id": None,
            "state": "signed",
            "place": None if n % 4 == 0 and k == 3 else k + 1,
            "wishes": [],
            "through": "",
            "came": now - timedelta(hours=k),
            "until": None,
            "code_hash": "",
        }
        for n in range(40)
        for k in range(4)
    )
    _bulk(work.conn, Applicant, applicants)
