"""What is public of a game: its bulletins, its deadlines, how it ended.

Nothing here asks for a seat's view, an order or a notice: what all players were mailed alike is
all there is. Between two bulletins nothing is told of a game but its deadline.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from pbem.games.frame.dice import commitment
from pbem.games.frame.events import Seat
from pbem.periods import drawing, ending, own_page, publishing
from pbem.store import bulletins, endings, games, periods
from pbem.store.game_rows import PublicRow
from pbem.store.games import Table
from pbem.store.states import GameState
from pbem.text import safe

STATES = {
    GameState.RUNNING: "running",
    GameState.HELD: "held: its clock stands",
    GameState.OVER: "over",
}


@dataclass(frozen=True, slots=True)
class Issue:
    """A bulletin: its ``number``, its ``headline`` ("" for none), when it was published (UTC), the
    sheet of its text, the SHA-256 of each of its pictures by name, and what the game counted of
    each seat."""

    number: int
    headline: str
    published: datetime
    sheet: str
    pictures: Mapping[str, str]
    scores: Mapping[Seat, float]

    @property
    def title(self) -> str:
        """Its title in one line."""
        return f"Bulletin {self.number}{f': {self.headline}' if self.headline else ''}"


@dataclass(frozen=True, slots=True)
class PublicGame:
    """A game as everybody may know it. ``period``: what the open one is called, ``deadline``: when
    it closes, "" each where there is none; ``players``: their names by seat, "" where they are not
    told; ``seed``: "" while the game runs."""

    id: str
    ruleset: str
    title: str
    state: str
    over: bool
    period: str
    deadline: str
    due: datetime | None
    players: Mapping[Seat, str]
    issues: Sequence[Issue]
    commitment: str
    seed: str
    ended: str
    statements: Mapping[Seat, str]

    @property
    def called(self) -> str:
        """What the open period and its deadline are, in one line."""
        return f"{self.period}, deadline {self.deadline}" if self.deadline else self.period

    @property
    def newest(self) -> Issue | None:
        """The last bulletin; None before the first."""
        return self.issues[-1] if self.issues else None

    @property
    def standing(self) -> list[tuple[Seat, float]]:
        """What the game counts of each seat, by the newest bulletin that does, the most first."""
        counted = next((one.scores for one in reversed(self.issues) if one.scores), {})
        return sorted(counted.items(), key=lambda one: -one[1])


def game(conn: Connection, game_id: str) -> PublicGame | None:
    """What is public of a game; None before it begins."""
    at = games.begun(conn, game_id)
    if at is None:
        return None
    over = at.game.status == GameState.OVER
    open_now = at.game.status == GameState.RUNNING and at.result is None
    return PublicGame(
        at.id,
        at.ruleset.about.key,
        at.ruleset.about.title,
        STATES[at.game.status],
        over,
        own_page.name(at) if open_now else "",
        publishing.deadline_text(at) if open_now else "",
        at.period.due if open_now else None,
        {seat: safe(holder.name) for seat, holder in at.holders.items()},
        [_issue(row) for row in bulletins.public(conn, game_id)],
        commitment(at.game.seed),
        at.game.seed if over else "",
        ending.ended(at),
        _statements(conn, at) if over else {},
    )


def _issue(row: PublicRow) -> Issue:
    said, scores = row.frame.get("headline", ""), row.frame.get("scores") or {}
    pictures = row.frame.get("pictures", {})
    return Issue(row.number, said, row.published, row.text, pictures, scores)


def _statements(conn: Connection, at: Table) -> dict[Seat, str]:
    """What players have said on the game, once all were told of it."""
    if at.game.statements_until is not None:
        return {}
    return {seat: row.text for seat, row in endings.statements(conn, at.id).items()}


def drawn(conn: Connection, game_id: str, number: int) -> Mapping[str, str]:
    """The pictures of a bulletin as SVG, by name, drawn anew from the public position."""
    after = games.table(conn, game_id, number + 1)
    return drawing.svgs(conn, after, number, periods.closed(conn, game_id, number))
