"""Export a game as a folder: record, letters, orders, bulletins, journal."""

from __future__ import annotations

import json
import os
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from pbem.errors import OperatorError
from pbem.store.games import exports, games
from pbem.store.schema.states import GameState
from pbem.store.schema.tables import Journal, OrderSet, Period


def export(conn: Connection, game_id: str, folder: Path) -> int:
    """Write the game into a new or empty folder. Return the number of files. Raise OperatorError.

    Seeds of running games, tokens and nonces are left out. Letters are whole, so keep it private.
    """
    if folder.exists() and any(folder.iterdir()):
        raise OperatorError(f"{folder} is not empty; name a new folder")
    at = games.game(conn, game_id)
    over = at.status == GameState.OVER
    row = exports.game(conn, game_id)
    game = {name: value for name, value in row.items() if name not in ("seed", "tables") or over}
    files = _Files(folder)
    begun = games.begun(conn, game_id)
    result = begun.result if begun else None
    files.json("game.json", game | {"tables": row["tables"], "result": result})
    files.json(
        "seats.json",
        [{"seat": h.seat, "name": h.name} for h in games.holders(conn, game_id).values()],
    )
    for period in (one._asdict() for one in Period.many(conn, game_id=game_id)):
        files.json(f"periods/{period['number']:03}.json", period)
    for orders in (one._asdict() for one in OrderSet.many(conn, game_id=game_id)):
        name = f"orders/{orders['period']:03}/{orders['seat']}.txt"
        files.text(name, "\n".join(orders["orders"]) + "\n")
    for issue in exports.bulletins(conn, game_id):
        seat = f"-{issue['seat']}" if issue["seat"] else ""
        name = f"{issue['number']:03}{seat}{'-corrected' * (issue['edition'] > 1)}"
        name += "-void" * (issue["voided"] is not None)
        files.text(f"bulletins/{name}.txt", issue["text"])
    for letter in exports.letters(conn, game_id):
        if letter["raw"] is not None:
            files.bytes(f"letters/{letter['id']:06}-{letter['seat'] or 'x'}.eml", letter["raw"])
    shown = [
        {name: value for name, value in entry.items() if over or name not in ("nonce", "data")}
        for entry in (one._asdict() for one in Journal.many(conn, game_id=game_id))
    ]
    files.json("journal.json", shown)
    return files.count


class _Files:
    """Write files below a folder, readable only by us whatever the umask."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._names: set[str] = set()
        if folder.exists():
            folder.chmod(0o700)

    @property
    def count(self) -> int:
        return len(self._names)

    def bytes(self, name: str, content: bytes) -> None:
        path = self.folder / name
        for folder in reversed((path.parent, *path.parent.parents)):
            if not folder.exists():
                folder.mkdir()
                folder.chmod(0o700)
        # the newest of one name stays
        how = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
        with open(os.open(path, how, 0o600), "wb") as file:
            os.fchmod(file.fileno(), 0o600)
            file.write(content)
        self._names.add(name)

    def text(self, name: str, content: str) -> None:
        self.bytes(name, content.encode("utf-8"))

    def json(self, name: str, content: Any) -> None:
        self.text(name, json.dumps(content, ensure_ascii=False, indent=1, default=_plain) + "\n")


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
