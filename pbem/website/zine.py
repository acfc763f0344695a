"""The club's paper: once a month, what its games came to. It tells what the pages tell."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from pbem.errors import OperatorError
from pbem.games.frame.events import grouped
from pbem.pages import sheet
from pbem.periods import open_tables as tables
from pbem.post import seats
from pbem.post.compose import Draft
from pbem.post.work import Work
from pbem.store.games import club, games
from pbem.store.games.club import Told
from pbem.store.games.games import GameAt
from pbem.store.joining import open_tables
from pbem.store.people.players import PLAIN
from pbem.store.schema.states import GameState
from pbem.store.schema.tables import EditorLetter, Issue
from pbem.text import counted, short
from pbem.website import public

KIND = "zine"
MOST = 8
"""Games of one section."""
MOST_LETTERS = 6
_LEADERS = 3
_FIRST = timedelta(days=31)
"""What the first issue looks back on."""


@dataclass(frozen=True, slots=True)
class _Told:
    """A public game and its month."""

    at: GameAt
    bulletins: Sequence[Told]

    @property
    def best(self) -> str:
        """The headline of the bulletin that moved most; of equals the newest."""
        moved, best, before = -1.0, "", dict[str, float]()
        for one in self.bulletins:
            change = sum(abs(one.scores[key] - before.get(key, 0)) for key in one.scores)
            if one.headline and (change if before else 0) >= moved:
                moved, best = change if before else 0, one.headline
            before = one.scores or before
        return best

    @property
    def leaders(self) -> str:
        scores = next((one.scores for one in reversed(self.bulletins) if one.scores), {})
        names = public.names(self.at)
        ranked = sorted(scores.items(), key=lambda one: -one[1])[:_LEADERS]
        if len({one for _, one in ranked}) < 2:
            return ""
        return ", ".join(
            f"{seat}{f' ({names[seat]})' if names.get(seat) else ''} {short(count)}"
            for seat, count in ranked
        )


def keep_up(work: Work) -> None:
    """Bring out this month's issue when its day has come."""
    day = work.config.club.zine.rstrip("stndrh")
    local = work.now.astimezone(ZoneInfo(work.config.referee.zone))
    if day and local.day >= int(day) and Issue.one(work.conn, month=month(work)) is None:
        bring_out(work)


def month(work: Work) -> str:
    """Return the month of an issue of now, as 2026-11."""
    return f"{work.now.astimezone(ZoneInfo(work.config.referee.zone)):%Y-%m}"


def bring_out(work: Work) -> int:
    """File this month's issue and mail it to those who asked. Return their number; 0 for an empty
    one. Raise OperatorError if it is out."""
    if Issue.one(work.conn, month=month(work)):
        raise OperatorError(f"the paper of {month(work)} is out")
    text = written(work)
    Issue.put(work.conn, Issue(month(work), work.now, text))
    for one in EditorLetter.many(work.conn):
        if one.released:
            EditorLetter.drop(work.conn, number=one.number)
    readers = club.readers(work.conn) if text else ()
    ends = (
        "You get this because you asked for the club's paper. To get it no longer, answer with the"
        " line\u00a0ZINE\u00a0OFF."
    )
    for reader in readers:
        draft = Draft(
            f"{KIND}:{month(work)}:{reader.player_id}",
            KIND,
            title(work.mark.name, month(work)),
            f"{text.rstrip()}\n\n{ends}\n",
            unsubscribe=f"unsubscribe {KIND}",
        )
        seats.put(work, reader.address, draft, rich=reader.face != PLAIN)
    return len(readers)


def title(name: str, of: str) -> str:
    return f"{name}: the paper of {datetime.strptime(of, '%Y-%m'):%B %Y}"


def written(work: Work) -> str:
    """Return the issue of now as a sheet; "" if there is nothing to tell."""
    before = next(iter(Issue.many(work.conn, order=Issue.month.desc())), None)
    since = before.at if before else work.now - _FIRST
    listed_games = list(_games(work, since))
    begun = club.noted(work.conn, since, work.now, "start")
    ended = club.noted(work.conn, since, work.now, "over", "ended")
    over = [one for one in listed_games if one.at.row.status == GameState.OVER]
    sections = (
        ("Begun", [_named(one) for one in listed_games if one.at.id in begun]),
        ("Ended", [_news(one) for one in over if one.at.id in ended]),
        ("How they stand", [_stands(one) for one in listed_games if one not in over]),
        ("Open to new players", list(_open(work))),
    )
    made: list[str] = []
    for heading, found in sections:
        if found:
            more = len(found) - MOST
            items = [*found[:MOST], *([f"and {counted(more, 'more game')}"] if more > 0 else [])]
            made += [sheet.heading(heading), "\n".join(f"* {one}" for one in items)]
    printed = [one for one in EditorLetter.many(work.conn) if one.released][:MOST_LETTERS]
    if printed:
        made.append(sheet.heading("Letters to the editor"))
    for one in printed:
        made += [sheet.fenced(one.text), f"{one.signed}"]
    return "\n\n".join(made)


def _games(work: Work, since: datetime) -> Iterator[_Told]:
    found = grouped((one.game_id, one) for one in club.told(work.conn, since, work.now))
    for row, load in games.several(work.conn, list(found)):
        if at := public.for_everybody(load()):
            yield _Told(at, found[row.id])


def _named(one: _Told) -> str:
    return f"{one.at.id}: {one.at.ruleset.about.title}, {counted(len(one.at.seats), 'player')}"


def _news(one: _Told) -> str:
    last = one.bulletins[-1].headline
    return f"{one.at.id}, {one.at.ruleset.about.title}{f': {last}' if last else ''}"


def _stands(one: _Told) -> str:
    said = ". ".join(filter(None, (one.best, one.leaders and f"First: {one.leaders}")))
    return f"{one.at.id}, {one.at.ruleset.about.title}{f': {said}' if said else ''}"


def _open(work: Work) -> Iterator[str]:
    for row in open_tables.listed(work.conn):
        if tables.house_of(row).watch and row.is_open:
            facts = tables.facts(work, row)
            yield (
                f"{facts.id}: {facts.title}, {facts.joined} of {counted(facts.places, 'player')}."
                f" The letter\u00a0GAMES\u00a0{facts.id} brings more"
            )
