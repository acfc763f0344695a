"""What was kept as memos has tables of its own: questions, protests, reports, mutes and more"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)
_MEMO = sa.table("memo", sa.column("key", sa.String), sa.column("value", sa.JSON))
_GAME, _PLAYER = sa.table("game", sa.column("id")), sa.table("player", sa.column("id"))
Row = dict[str, Any]


def _column(name: str, kind: Any, *more: Any, empty: bool = False) -> sa.Column[Any]:
    return sa.Column(name, kind, *more, nullable=empty)


def _of_game(table: str) -> list[sa.schema.SchemaItem]:
    key = sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=f"fk_{table}_game_id_game")
    return [_column("game_id", sa.String(40)), key]


def _of_player(table: str) -> list[sa.schema.SchemaItem]:
    name = f"fk_{table}_player_id_player"
    key = sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=name)
    return [_column("player_id", sa.Integer), key]


_SEAT = sa.String(10)
_TABLES: Mapping[str, tuple[tuple[str, ...], list[sa.schema.SchemaItem]]] = {
    "inquiry": (
        ("letter",),
        [
            sa.Column("letter", sa.Integer, nullable=False, autoincrement=False),
            *_of_game("inquiry"),
            _column("seat", _SEAT),
            _column("player_id", sa.Integer),
            _column("text", sa.Text),
            _column("since", _MOMENT),
            _column("late", sa.Boolean),
            _column("press", sa.Boolean),
        ],
    ),
    "protest": (
        ("game_id", "seat"),
        [
            *_of_game("protest"),
            _column("seat", _SEAT),
            _column("bulletin", sa.Integer),
            _column("text", sa.Text),
            _column("since", _MOMENT),
        ],
    ),
    "report": (
        ("game_id", "seat", "press"),
        [
            *_of_game("report"),
            _column("seat", _SEAT),
            sa.Column("press", sa.Integer, nullable=False, autoincrement=False),
            _column("author", _SEAT),
            _column("text", sa.Text),
            _column("since", _MOMENT),
        ],
    ),
    "mute": (
        ("game_id", "reader", "seat"),
        [
            *_of_game("mute"),
            _column("reader", _SEAT),
            _column("seat", _SEAT),
            _column("reader_id", sa.Integer),
            _column("player_id", sa.Integer),
        ],
    ),
    "warned": (
        ("game_id", "seat"),
        [
            *_of_game("warned"),
            _column("seat", _SEAT),
            _column("player_id", sa.Integer),
            _column("times", sa.Integer),
            _column("until", _MOMENT, empty=True),
        ],
    ),
    "away": (
        ("game_id",),
        [
            *_of_game("away"),
            _column("first", sa.Date),
            _column("last", sa.Date),
            _column("begun", sa.Boolean),
        ],
    ),
    "handover": (
        ("role", "game_id"),
        [
            _column("role", sa.String(10)),
            *_of_game("handover"),
            _column("codes", sa.JSON),
            _column("until", _MOMENT),
            _column("unasked", sa.Boolean),
            _column("successor", sa.String(254)),
            _column("former", sa.String(254)),
        ],
    ),
    "rematch": (
        ("game_id", "player_id"),
        [
            *_of_game("rematch"),
            *_of_player("rematch"),
            _column("said", _MOMENT),
            _column("table_id", sa.String(40)),
        ],
    ),
    "member": (
        ("what", "player_id"),
        [_column("what", sa.String(20)), *_of_player("member"), _column("since", _MOMENT)],
    ),
    "issue": (
        ("month",),
        [_column("month", sa.String(7)), _column("at", _MOMENT), _column("text", sa.Text)],
    ),
    "editor_letter": (
        ("number",),
        [
            sa.Column("number", sa.Integer, nullable=False, autoincrement=False),
            _column("signed", sa.String(80)),
            _column("text", sa.Text),
            _column("released", sa.Boolean),
            _column("game_id", sa.String(40)),
            _column("seat", _SEAT),
            _column("player_id", sa.Integer),
            _column("since", _MOMENT, empty=True),
        ],
    ),
    "session": (
        ("key",),
        [
            _column("key", sa.String(64)),
            _column("until", _MOMENT),
            _column("who", sa.String(254)),
            _column("browser", sa.String(80)),
            _column("stays", sa.Boolean),
        ],
    ),
}


def upgrade() -> None:
    made = {
        name: op.create_table(name, *columns, sa.PrimaryKeyConstraint(*keys, name=f"pk_{name}"))
        for name, (keys, columns) in _TABLES.items()
    }
    op.create_index("ix_inquiry_game_id", "inquiry", ["game_id"])
    conn = op.get_bind()
    games = set(conn.execute(sa.select(_GAME.c.id)).scalars())
    players = set(conn.execute(sa.select(_PLAYER.c.id)).scalars())
    for memo in conn.execute(sa.select(_MEMO)).all():
        found = _found(memo.key)
        if found is None:
            continue
        name, key = found
        rows = list(_ROWS[name](key, memo.value))
        of_games = name not in ("member", "issue", "session", "editor_letter")
        rows = [row for row in rows if not of_games or row["game_id"] in games]
        if name in ("member", "rematch"):
            rows = [row for row in rows if row["player_id"] in players]
        if rows:
            conn.execute(made[name].insert(), rows)
        conn.execute(_MEMO.delete().where(_MEMO.c.key == memo.key))
        for row in rows if name == "handover" else ():
            told = {"kind": name, "until": memo.value["until"], "role": row["role"]}
            for hashed, by in row["codes"].items():
                code = _MEMO.update().where(_MEMO.c.key == f"code:{hashed}")
                conn.execute(code.values(value=told | {"game": row["game_id"], "by": by}))


_BEGINS = {
    "inquiry:": "inquiry",
    "protest:": "protest",
    "report:": "report",
    "press-muted:": "mute",
    "press-warned:": "warned",
    "master-away:": "away",
    "master:": "handover",
    "second:": "handover",
    "again:": "rematch",
    "listed:": "member",
    "zine-reader:": "member",
    "zine-letter:": "editor_letter",
    "zine:": "issue",
    "desk-session:": "session",
}


def _found(key: str) -> tuple[str, str] | None:
    """Return a memo's table, and its key; of those with several kinds the kind too."""
    for begins, name in _BEGINS.items():
        if key.startswith(begins):
            several = name in ("handover", "member")
            return name, key if several else key.removeprefix(begins)
    return None


def _time(written: str | None) -> datetime | None:
    return datetime.fromisoformat(written) if written else None


def _inquiry(key: str, memo: Row) -> Iterator[Row]:
    yield {
        "letter": int(key),
        "game_id": memo["game"],
        "seat": memo["seat"],
        "player_id": memo["player"],
        "text": memo["text"],
        "since": _time(memo["since"]),
        "late": bool(memo.get("late")),
        "press": bool(memo.get("press")),
    }


def _protest(key: str, memo: Row) -> Iterator[Row]:
    for seat, (bulletin, text, since) in memo.items():
        of = {"game_id": key, "seat": seat, "bulletin": int(bulletin)}
        yield of | {"text": text, "since": _time(since)}


def _report(key: str, memo: Row) -> Iterator[Row]:
    game, press, seat = key.split(":")
    of = {"game_id": game, "seat": seat, "press": int(press), "author": memo["author"]}
    yield of | {"text": memo["text"], "since": _time(memo["since"])}


def _mute(key: str, memo: Row) -> Iterator[Row]:
    for reader, mine in memo.items():
        for seat, player in mine["of"].items():
            both = {"reader_id": mine["player"] or 0, "player_id": player or 0}
            yield {"game_id": key, "reader": reader, "seat": seat} | both


def _warned(key: str, memo: Row) -> Iterator[Row]:
    for seat, mine in memo.items():
        of = {"game_id": key, "seat": seat, "player_id": mine["player"] or 0}
        yield of | {"times": mine["times"], "until": _time(mine["until"])}


def _away(key: str, memo: Row) -> Iterator[Row]:
    days = {name: date.fromisoformat(memo[name]) for name in ("first", "last")}
    yield {"game_id": key, **days, "begun": bool(memo.get("begun"))}


def _handover(key: str, memo: Row) -> Iterator[Row]:
    role, _, game = key.partition(":")
    yield {
        "role": role,
        "game_id": game,
        "codes": memo["codes"],
        "until": _time(memo["until"]),
        "unasked": bool(memo.get("unasked")),
        "successor": memo.get("new", ""),
        "former": memo.get("old", ""),
    }


def _rematch(key: str, memo: Row) -> Iterator[Row]:
    for player, said in memo.get("said", {}).items():
        of = {"game_id": key, "player_id": int(player), "said": _time(said)}
        yield of | {"table_id": memo.get("table") or ""}


def _member(key: str, memo: Row) -> Iterator[Row]:
    what, _, player = key.partition(":")
    if player.isdecimal():
        yield {"what": what, "player_id": int(player), "since": _time(memo["since"])}


def _issue(key: str, memo: Row) -> Iterator[Row]:
    yield {"month": key, "at": _time(memo["at"]), "text": memo.get("text", "")}


def _editor_letter(key: str, memo: Row) -> Iterator[Row]:
    yield {
        "number": int(key),
        "signed": memo["signed"],
        "text": memo["text"],
        "released": bool(memo.get("released")),
        "game_id": memo.get("game", ""),
        "seat": memo.get("seat", ""),
        "player_id": memo.get("player") or 0,
        "since": _time(memo.get("since")),
    }


def _session(key: str, memo: Row) -> Iterator[Row]:
    yield {
        "key": key,
        "until": _time(memo["until"]),
        "who": memo.get("who", ""),
        "browser": memo.get("browser", ""),
        "stays": bool(memo.get("stays")),
    }


_ROWS = {
    "inquiry": _inquiry,
    "protest": _protest,
    "report": _report,
    "mute": _mute,
    "warned": _warned,
    "away": _away,
    "handover": _handover,
    "rematch": _rematch,
    "member": _member,
    "issue": _issue,
    "editor_letter": _editor_letter,
    "session": _session,
}
