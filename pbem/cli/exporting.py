"""One game as a folder: its record, letters, orders, bulletins and journal, to keep or to read
elsewhere."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from pbem.errors import OperatorError
from pbem.store import games
from pbem.store.records import Bulletin, Journal, Letter, OrderSet, Period


def export(conn: Connection, game_id: str, folder: Path) -> int:
    """Write the game into ``folder`` (which must be new or empty); the number of files. Seeds of
    running games and other secrets (tokens, nonces) stay out; the letters are whole, so keep the
    folder to yourself."""
    if folder.exists() and any(folder.iterdir()):
        raise OperatorError(f"{folder} is not empty; name a new folder")
    row = games.game(conn, game_id)
    over = row.status == "over"
    game = {
        name: value
        for name, value in row._mapping.items()
        if name not in ("seed", "tables") or over
    }
    files = _Files(folder)
    files.json("game.json", game | {"tables": row.tables})
    files.json(
        "seats.json",
        [{"seat": h.seat, "name": h.name} for h in games.holders(conn, game_id).values()],
    )
    for period in conn.execute(
        select(Period.__table__).where(Period.game_id == game_id).order_by(Period.number)
    ):
        files.json(f"periods/{period.number:03}.json", dict(period._mapping))
    for orders in conn.execute(
        select(OrderSet.__table__)
        .where(OrderSet.game_id == game_id)
        .order_by(OrderSet.period, OrderSet.seat, OrderSet.ordinal)
    ):
        files.text(f"orders/{orders.period:03}/{orders.seat}.txt", "\n".join(orders.orders) + "\n")
    for issue in conn.execute(
        select(Bulletin.__table__)
        .where(Bulletin.game_id == game_id)
        .order_by(Bulletin.number, Bulletin.edition)
    ):
        seat = f"-{issue.seat}" if issue.seat else ""
        name = f"{issue.number:03}{seat}{'-corrected' * (issue.edition > 1)}"
        files.text(f"bulletins/{name}.txt", issue.text)
    for letter in conn.execute(
        select(Letter.id, Letter.raw, Letter.seat).where(Letter.game_id == game_id)
    ):
        if letter.raw is not None:
            files.bytes(f"letters/{letter.id:06}-{letter.seat or 'x'}.eml", letter.raw)
    entries = conn.execute(
        select(Journal.__table__).where(Journal.game_id == game_id).order_by(Journal.n)
    )
    shown = [
        {k: v for k, v in e._mapping.items() if over or k not in ("nonce", "data")} for e in entries
    ]
    files.json("journal.json", shown)
    return files.count


class _Files:
    """Writes below a folder and counts."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.count = folder, 0

    def bytes(self, name: str, content: bytes) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        self.count += 1

    def text(self, name: str, content: str) -> None:
        self.bytes(name, content.encode("utf-8"))

    def json(self, name: str, content: Any) -> None:
        self.text(name, json.dumps(content, ensure_ascii=False, indent=1, default=_plain) + "\n")


def _plain(value: object) -> str:
    """Moments as the journal hashes them."""
    return value.isoformat() if isinstance(value, datetime) else str(value)
