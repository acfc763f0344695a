"""The open period for a seat: what it owes, by when.

Calendar files for those who want them.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from pbem.games.frame import house_rules
from pbem.games.frame.adjudication import take
from pbem.games.frame.calendar import day_and_hour, left, shift
from pbem.games.frame.events import Seat
from pbem.games.frame.house import MINUTE
from pbem.games.frame.ruleset import BLANK, Offer
from pbem.house import templates
from pbem.orders import muting
from pbem.orders.order import Standing
from pbem.pages import bulletin, calendar, page, sheet
from pbem.pages.calendar import Deadline, Source, Status
from pbem.pages.plain import plain
from pbem.post.compose import Draft
from pbem.post.work import Work
from pbem.store.games import games
from pbem.store.games.game_rows import Holder
from pbem.store.games.games import GameAt
from pbem.store.schema.states import GameState, PeriodState
from pbem.store.schema.tables import Journal
from pbem.text import day_words, listed, moment_words

MOST_NAMED = 2
_LONG_SUBJECT = 64  # characters, above which what stands in brackets is left out
_BRACKETS = re.compile(r" \([^()]*\)")


def name(game: GameAt) -> str:
    return f"period {game.period.number} ({called(game)})"


def called(game: GameAt) -> str:
    """Return "session 1, third"."""
    return templates.words(game.ruleset, game.state, None).period()


def words(game: GameAt, seat: Seat, standing: Standing, *, form: bool = True) -> Mapping[str, Any]:
    """Return ``owes``, ``silence`` with house rules, perhaps ``form``."""
    told = templates.page_words(game.ruleset, game.state, seat, standing, form=form)
    return {**told, "silence": [*told["silence"], *_by_house_rules(game, seat, standing)]}


def _by_house_rules(game: GameAt, seat: Seat, standing: Standing) -> list[str]:
    if game.result is not None:
        return []
    awaited, lines = game.ruleset.about.awaited, []
    if awaited and awaited.slot in game.ruleset.due(game.state, seat, standing):
        lines.append(house_rules.late_list(game.house, awaited, "your"))
    if house_rules.missed(game.ruleset, game.state, seat, standing):
        lines.append(house_rules.would_ask(game.holders[seat].missed, game.house))
    return list(filter(None, lines))


def owed_form(game: GameAt, seat: Seat, standing: Standing) -> str:
    """Return lines for what the seat still owes and nothing else, filled in as far as can be,
    without effects."""
    ruleset, state = game.ruleset, game.state
    owes, offers = ruleset.due(state, seat, standing), ruleset.offers(state, seat)
    made = templates.words(ruleset, state, seat).lines(offers)
    left, rows = set(owes), list[tuple[str, ...]]()
    for offer, (order, effect) in zip(offers, made, strict=True):
        parts = [(order, offer)]
        if len(offer.fills) > 1:
            rest = replace(offer, fills=offer.fills[1:], few=False)
            each = [(page.filled(order, [word]), rest) for word in offer.fills[0]]
            tried = [_filled(game, seat, standing, owes, *one)[0] for one in each]
            parts = each if any(one != tried[0] for one in tried) else parts
        for line, blanks in parts:
            filled, changes = _filled(game, seat, standing, owes, line, blanks)
            if not left.isdisjoint(filled) and (not changes or " ALL" in line):
                ids = ", ".join(slot.partition(" ")[2] for slot in filled)
                one = line.replace(" ALL", f" {ids}") if changes else line
                rows.append((one, effect if line == BLANK else "", *page.choices(blanks)))
                left.difference_update(filled)
    return sheet.order_form(rows) if rows else ""


def _filled(
    game: GameAt, seat: Seat, standing: Standing, owes: Sequence[str], line: str, blanks: Offer
) -> tuple[list[str], bool]:
    """Return the owed slots that a line fills, and whether it changes standing orders."""
    example = page.filled(line, [words[0] for words in blanks.fills])
    given = take(game.ruleset, game.state, seat, example, standing).standing
    due = game.ruleset.due(game.state, seat, given)
    changes = any(given.get(slot) is not one for slot, one in standing.items())
    return [slot for slot in owes if slot not in due], changes


def unfinished(conn: Connection, game: GameAt, seat: Seat, text: str) -> list[str]:
    if not muting.has_blanks(text):
        return []
    number = game.period.number
    mailed = [game, *([games.game_at(conn, game.id, number - 1)] if number > 1 else [])]
    printed = [plain(str(words(one, seat, {})["form"])) for one in mailed if one.result is None]
    return muting.unfinished(game.ruleset.language, text, printed)


def moment_text(game: GameAt, moment: datetime) -> str:
    """Return a moment in the game's zone and, if that is another, UTC."""
    clock = f"{moment.astimezone(game.zone):%H:%M}"
    sharp = clock == game.house.hour.replace("24:00", "00:00")
    day, hour = day_and_hour(moment, game.house.hour if sharp else "", game.zone)
    in_utc = f" = {moment:%A %H:%M} UTC" if game.row.zone != "UTC" else ""
    return f"{day_words(day, weekday=True)}, {hour} {game.row.zone}{in_utc}"


def own_time(game: GameAt, holder: Holder, moment: datetime | None) -> str:
    """Return a deadline in the player's zone, and how daylight saving moves it; "" if their zone is
    the game's."""
    if moment is None or holder.zone in ("", game.row.zone):
        return ""
    own, opened = ZoneInfo(holder.zone), game.period.opened
    said = f"{moment_words(moment.astimezone(own))} {holder.zone}"
    if not game.house.hour:
        return said
    return ". ".join(filter(None, (said, shift(opened, moment, game.house.hour, game.zone, own))))


def draft(game: GameAt, key: str, kind: str, template: str, **known: Any) -> Draft:
    """Return a mail of a game by ``_shared/TEMPLATE.txt.j2``, which knows its title, its open
    period and the deadline."""
    due, title = game.period.due, game.ruleset.about.title
    of = {"period": name(game), "deadline": moment_text(game, due) if due else "", "title": title}
    subject, text = templates.mail(template, at=game, **of, **known)
    return Draft(key, kind, f"[{game.id}] {subject}", text)


def time_left(game: GameAt, now: datetime) -> str:
    rest = game.period.due - now if game.period.due else timedelta(0)
    return left(rest, exact=game.house.elapsed) if rest > timedelta(0) else ""


def by_when(game: GameAt, holder: Holder) -> str:
    """Return " by Monday 23 November" in their zone, or ""."""
    due = game.period.due
    if due is None:
        return ""
    zone = ZoneInfo(holder.zone) if holder.zone else game.zone
    own = zone.key != game.zone.key
    day, hour = day_and_hour(due, "" if own else game.house.hour, zone)
    exact = own or game.house.elapsed or hour != "24:00"
    return f" by {day:%A} {day.day} {day:%B}{f', {hour}' if exact else ''}"


def owing(game: GameAt, holder: Holder, standing: Standing) -> str:
    """Return "You owe a vote on bill 4 by Monday 23 November", or "Nothing owed ..."."""
    owed = templates.owed(game.ruleset, game.state, holder.seat, standing)
    if owed.unowed:
        return f"{owed.unowed[:1].upper()}{owed.unowed[1:]}{by_when(game, holder)}"
    shown = bulletin.left_out(game.period.number - 1)
    if not owed.words and templates.form(game.ruleset, game.state, holder.seat, shown):
        return f"What you can send in period {game.period.number}{by_when(game, holder)}"
    if not owed.words:
        return f"Nothing owed in period {game.period.number}"
    more = len(owed.words) - MOST_NAMED
    named = [*owed.words[:MOST_NAMED], *([f"{more} more"] if more > 0 else [])]
    said = f"You owe {owed.in_short or listed(named)}{by_when(game, holder)}"
    return said if len(said) <= _LONG_SUBJECT else _BRACKETS.sub("", said)


_OF_CLOCKS = [
    *("published", "deadline", "ripe", "unripe", "hold", "resume", "rewind", "agreed"),
    *("ended", "over"),
]
"""Entries that may concern a deadline, and so count its revisions, which never fall."""
_BEGAN = int(datetime(2020, 1, 1, tzinfo=UTC).timestamp())
"""Revisions after a restore count seconds from here: beyond what was mailed, within 31 bits (RFC
5545, 3.3.8)."""


def of(work: Work, game: GameAt) -> str:
    """Return the open period's file for a mail; "" without deadline or reader."""
    return all_of(work, game, [game]) if _is_wanted(game) else ""


def issue(work: Work, game: GameAt) -> str:
    """Return the file of a bulletin, with the period that it closes."""
    if not _is_wanted(game):
        return ""
    number = game.period.number - 1
    closed = [games.game_at(work.conn, game.id, number)] if number else []
    return all_of(work, game, [*closed, game])


def cancelled(work: Work, game: GameAt, periods: Iterable[GameAt]) -> str:
    return all_of(work, game, periods, gone=True) if _is_wanted(game) else ""


def _is_wanted(game: GameAt) -> bool:
    return any(holder.calendar for holder in game.holders.values())


def all_of(
    work: Work,
    game: GameAt,
    periods: Iterable[GameAt],
    *,
    gone: bool = False,
    title: str | None = None,
) -> str:
    """Return their file, wanted or not; "" without deadlines. title: None in a mail."""
    deadlines = list(filter(None, (_deadline(work, one, gone=gone) for one in periods)))
    mark = work.mark
    told = Journal.how_many(work.conn, Journal.kind.in_(_OF_CLOCKS), game_id=game.id)
    revision = max(0, mark.generation - _BEGAN) + told
    alarm = game.house.share(timedelta(days=1), MINUTE)
    source = Source(game.id, mark.address, mark.name, work.now, revision, alarm, title)
    return calendar.calendar(source, deadlines) if deadlines else ""


def _deadline(work: Work, game: GameAt, *, gone: bool) -> Deadline | None:
    status, ends = (Status.CANCELLED, game.period.due) if gone else _now(game)
    if ends is None:
        return None
    summary, text = templates.mail(
        "calendar",
        at=game,
        number=game.period.number,
        called=called(game),
        status=status,
        moment=moment_text(game, ends),
        early=house_rules.may_close_early(game.house, game.period.number),
        address=work.mark.address,
    )
    return Deadline(game.period.number, status, game.period.opened, ends, summary, text.strip())


def _now(game: GameAt) -> tuple[Status, datetime | None]:
    period = game.period
    if period.status == PeriodState.OPEN:
        held = game.row.status == GameState.HELD
        return Status.HELD if held else Status.OPEN, period.due
    if period.number == game.row.period:  # open when the players ended the game
        return Status.CANCELLED, period.closed if game.row.agreed else None
    due, closed = period.due, period.closed
    return Status.CLOSED, min(due, closed) if due and closed else due
