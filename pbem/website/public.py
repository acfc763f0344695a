"""What is public of a game: what all players were mailed. Between bulletins only the deadline is
told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from pbem.games.frame.dice import commitment
from pbem.games.frame.events import Seat
from pbem.games.frame.house import HIDDEN
from pbem.games.frame.ruleset import Amended
from pbem.orders import called
from pbem.pages import names as calling
from pbem.pages import sheet
from pbem.pages.names import introduced
from pbem.periods import amendments, drawing, ending, own_page, publishing
from pbem.store.games import bulletins, games
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.schema.states import GameState, PeriodState
from pbem.store.schema.tables import Bulletin, Statement
from pbem.text import day_words, figure, in_utc, safe, short

STATES = {
    GameState.RUNNING: "running",
    GameState.HELD: "held: its clock stands still",
    GameState.OVER: "over",
}
WAITS = "closed; its bulletin is to come"
MOST_OF_COURSE = 30


@dataclass(frozen=True, slots=True)
class PublicIssue:
    """A published bulletin."""

    number: int
    edition: int
    """Above 1 after a rewind."""
    headline: str
    """"" for none."""
    published: datetime
    """UTC."""
    sheet: str
    pictures: Mapping[str, str]
    """SHA-256 of each picture, by name."""
    scores: Mapping[Seat, float]
    journal: str = ""

    @property
    def title(self) -> str:
        corrected = " (corrected)" if self.edition > 1 else ""
        return f"Bulletin {self.number}{corrected}{f': {self.headline}' if self.headline else ''}"

    @property
    def alts(self) -> dict[str, str]:
        found = sheet.blocks(self.sheet)
        return {one.name: one.alt for one in found if isinstance(one, sheet.Picture)}

    @property
    def day(self) -> str:
        return day_words(self.published.date())

    @property
    def moment(self) -> str:
        return in_utc(self.published)


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game in one line."""

    id: str
    ruleset: str
    title: str
    state: str
    over: bool
    period: str
    deadline: str
    due: datetime | None
    """UTC."""
    named: bool = True
    """Whether it tells its players' names by now."""
    winners: tuple[Seat, ...] = ()
    """Empty while it runs."""
    headline: str = ""
    """Of the last bulletin; "" while it runs."""

    def at(self, now: datetime) -> GameSummary:
        """Return the summary at a later moment without news."""
        if self.state != STATES[GameState.RUNNING] or self.due is None or now < self.due:
            return self
        return replace(self, state=WAITS, deadline="", due=None)

    @property
    def stands(self) -> str:
        if self.state == STATES[GameState.RUNNING]:
            return self.period
        return f"{self.period}; {self.state}" if self.period else self.state


@dataclass(frozen=True, slots=True)
class PublicGame:
    """A game's public facts."""

    line: GameSummary
    players: Mapping[Seat, str]
    """By seat, unless hidden."""
    seats: Sequence[Seat]
    issues: Sequence[PublicIssue]
    commitment: str
    seed: str
    """"" while it runs."""
    ended: str
    """How; "" while it runs."""
    result: Mapping[str, Any] | None
    """As in the contract; None while it runs."""
    statements: Mapping[Seat, str]
    amendments: Sequence[Amended] = ()
    """As the newest bulletin or a mail to all told them."""
    rulings: Sequence[tuple[int, str]] = ()
    """Each with the bulletin that printed it."""

    @property
    def id(self) -> str:
        return self.line.id

    @property
    def newest(self) -> PublicIssue | None:
        return self.issues[-1] if self.issues else None

    @property
    def counted(self) -> list[PublicIssue]:
        return [one for one in self.issues if one.scores]

    @property
    def course(self) -> list[PublicIssue]:
        """A sample for a table, with the last; none if scores never change."""
        found = self.counted
        if all(one.scores == found[0].scores for one in found):
            return []
        every = -(-len(found) // MOST_OF_COURSE)
        return found[::-1][::every][::-1]

    @property
    def standing(self) -> list[tuple[Seat, str]]:
        return standing(self.result, self.counted[-1].scores if self.counted else {})

    @property
    def rows(self) -> list[tuple[int, list[str]]]:
        """The table of its course: bulletin number, scores by seat."""
        return [
            (one.number, [short(one.scores[s]) if s in one.scores else "" for s in self.seats])
            for one in self.course
        ]

    @property
    def winners(self) -> list[str]:
        won = self.result["winners"] if self.result else []
        return [f"{one} ({self.players[one]})" if self.players.get(one) else one for one in won]


def standing(
    result: Mapping[str, Any] | None, scores: Mapping[Seat, float]
) -> list[tuple[Seat, str]]:
    """Return the final figures by seat, winners first, or the scores. Highest first."""
    if result and (ranked := result["standing"]):
        first = sorted(ranked, key=lambda seat: seat not in result["winners"])
        counts = ((seat, ranked[seat]) for seat in first)
        return [(seat, figure(one, 0 if isinstance(one, int) else 3)) for seat, one in counts]
    return [(seat, short(one)) for seat, one in sorted(scores.items(), key=lambda one: -one[1])]


def for_everybody(game: GameAt | None) -> GameAt | None:
    """Return the game if it may be watched, else None."""
    return game if game is not None and game.house.watch else None


def game_summary(conn: Connection, game: GameAt) -> GameSummary:
    known, waits = game, game.period.status in (PeriodState.REVIEW, PeriodState.CLOSING)
    if game.period.status == PeriodState.REVIEW:
        known = games.game_at(conn, game.id, game.period.number - 1)
    over = game.row.status == GameState.OVER
    is_open = not over and not waits
    last = bulletins.public(conn, game.id)[-1:] if over else []
    return GameSummary(
        game.id,
        game.ruleset.about.key,
        game.ruleset.about.title,
        WAITS if waits and game.row.status == GameState.RUNNING else STATES[game.row.status],
        over,
        "" if over else own_page.name(known),
        publishing.local_deadline(game) if is_open else "",
        game.period.due if is_open else None,
        over or game.house.names != HIDDEN,
        tuple(game.result["winners"]) if over and game.result else (),
        *[_headline(row, names(game)) for row in last],
    )


def game(conn: Connection, game_id: str) -> tuple[GameAt, PublicGame] | None:
    game = for_everybody(games.begun(conn, game_id)) if games.exists(conn, game_id) else None
    if game is None:
        return None
    shown = game_summary(conn, game)
    return game, PublicGame(
        shown,
        names(game),
        game.seats,
        [_issue(row, names(game)) for row in bulletins.public(conn, game_id)],
        commitment(game.row.seed),
        game.row.seed if shown.over else "",
        ended(game) if shown.over else "",
        game.result if shown.over else None,
        dict(_statements(conn, game)) if shown.over else {},
        amendments.listed(amendments.as_announced(conn, game)),
        [(one.number, safe(one.text)) for one in notes.rulings(conn, game_id) if one.number],
    )


def names(game: GameAt) -> dict[Seat, str]:
    """Return players by seat; hidden until the last bulletin is out."""
    over = game.row.status == GameState.OVER
    if game.house.names == HIDDEN and not over:
        return {}
    return {seat: name for seat in game.seats if (name := game.player(seat, over=over))}


def ended(game: GameAt) -> str:
    if said := ending.ended(game):
        return f"The game is over: {said}."
    if game.result is None:
        return "The game is over: the gamesmaster has ended it."
    return "The game is over."


def _issue(row: Bulletin, players: Mapping[Seat, str]) -> PublicIssue:
    frame: Mapping[str, Any] = row.frame
    known, parties = called.names(players), called.parties(players)
    assert row.published is not None
    return PublicIssue(
        row.number,
        row.edition,
        _headline(row, players),
        row.published,
        introduced(calling.called(row.text, known), parties),
        frame.get("pictures") or {},
        frame.get("scores") or {},
        str(frame.get("journal", "")).removeprefix("head "),
    )


def _headline(row: Bulletin, players: Mapping[Seat, str]) -> str:
    return called.named(row.frame.get("headline", ""), called.names(players))


def _statements(conn: Connection, game: GameAt) -> Iterator[tuple[Seat, str]]:
    if game.row.statements_until is not None:
        return
    found = {row.seat: row for row in Statement.many(conn, game_id=game.id)}
    for seat, holder in game.holders.items():
        if seat in found and found[seat].player_id == holder.player_id:
            yield seat, "\n".join(map(safe, found[seat].text.split("\n")))


def drawn(conn: Connection, game_id: str, number: int) -> Mapping[str, str]:
    """Draw a bulletin's pictures from the public position after its period, if it has one."""
    after = games.begun(conn, game_id, number + 1) or games.game_at(conn, game_id, number)
    frame = bulletins.of_period(conn, game_id, number)[""].frame
    return drawing.svgs(conn, after, number, frame.get("names", {}))
