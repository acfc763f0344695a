"""The open period for a seat: what it owes, by when.

Calendar files for those who want them.
"""

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
from pbem.orders import forms
from pbem.orders.order import Standing
from pbem.pages import bulletin, calendar, page, sheet
from pbem.pages.calendar import Deadline, Source, Status
from pbem.pages.plain import plain
from pbem.post.work import Work
from pbem.store.games import games
from pbem.store.games.game_rows import Holder
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.schema.states import GameState, PeriodState
from pbem.text import day_words, listed, moment_words

MOST_NAMED = 2


def name(at: GameAt) -> str:
    return f"period {at.period.number} ({called(at)})"


def called(at: GameAt) -> str:
    """Return "session 1, third"."""
    return templates.period_name(at.ruleset, at.state)


def words(at: GameAt, seat: Seat, standing: Standing, *, form: bool = True) -> Mapping[str, Any]:
    """Return ``owes``, ``silence`` with house rules, perhaps ``form``."""
    told = templates.page_words(at.ruleset, at.state, seat, standing, form=form)
    return {**told, "silence": [*told["silence"], *_by_house_rules(at, seat, standing)]}


def _by_house_rules(at: GameAt, seat: Seat, standing: Standing) -> list[str]:
    awaited, told = at.ruleset.about.awaited, []
    if at.result is None and awaited and awaited.slot in at.ruleset.due(at.state, seat, standing):
        told.append(house_rules.late_list(at.house, awaited, "your"))
    if at.result is None and house_rules.missed(at.ruleset, at.state, seat, standing):
        told.append(house_rules.would_ask(at.holders[seat].missed, at.house))
    return [one for one in told if one]


def owed_form(at: GameAt, seat: Seat, standing: Standing) -> str:
    """Return lines for what the seat still owes and nothing else, filled in as far as can be,
    without effects."""
    ruleset, state = at.ruleset, at.state
    owes, offers = ruleset.due(state, seat, standing), ruleset.offers(state, seat)
    env, known = templates.environment(), templates.context(ruleset, state, seat)
    made = page.lines(env, ruleset.about.key, offers, known)
    left, found = set(owes), list[tuple[str, ...]]()
    for offer, (order, effect) in zip(offers, made, strict=True):
        parts = [(order, offer)]
        if len(offer.fills) > 1:
            rest = replace(offer, fills=offer.fills[1:], few=False)
            each = [(page.filled(order, [word]), rest) for word in offer.fills[0]]
            tried = [_filled(at, seat, standing, owes, *one)[0] for one in each]
            parts = each if any(one != tried[0] for one in tried) else parts
        for line, blanks in parts:
            filled, changes = _filled(at, seat, standing, owes, line, blanks)
            if not left.isdisjoint(filled) and (not changes or " ALL" in line):
                ids = ", ".join(slot.partition(" ")[2] for slot in filled)
                one = line.replace(" ALL", f" {ids}") if changes else line
                found.append((one, effect if line == BLANK else "", *page.choices(blanks)))
                left.difference_update(filled)
    return sheet.order_form(found) if found else ""


def _filled(
    at: GameAt, seat: Seat, standing: Standing, owes: Sequence[str], line: str, blanks: Offer
) -> tuple[list[str], bool]:
    """Return the owed slots that a line fills, and whether it changes standing orders."""
    example = page.filled(line, [words[0] for words in blanks.fills])
    given = take(at.ruleset, at.state, seat, example, standing).standing
    due = at.ruleset.due(at.state, seat, given)
    changes = any(given.get(slot) is not one for slot, one in standing.items())
    return [slot for slot in owes if slot not in due], changes


def unfinished(conn: Connection, at: GameAt, seat: Seat, text: str) -> list[str]:
    if not forms.has_blanks(text):
        return []
    number = at.period.number
    mailed = [at, *([games.game_at(conn, at.id, number - 1)] if number > 1 else [])]
    printed = [plain(str(words(one, seat, {})["form"])) for one in mailed if one.result is None]
    return forms.unfinished(at.ruleset.language, text, printed)


def moment_text(at: GameAt, moment: datetime) -> str:
    """Return a moment in the game's zone and UTC."""
    clock = f"{moment.astimezone(at.zone):%H:%M}"
    sharp = clock == at.house.hour.replace("24:00", "00:00")
    day, hour = day_and_hour(moment, at.house.hour if sharp else "", at.zone)
    told = day_words(day, weekday=True)
    return f"{told}, {hour} {at.game.zone} = {moment:%Y-%m-%d %H:%M} UTC"


def own_time(at: GameAt, holder: Holder, moment: datetime | None) -> str:
    """Return a deadline in the player's zone, and how daylight saving moves it; "" if his zone is
    the game's."""
    if moment is None or holder.zone in ("", at.game.zone):
        return ""
    own, opened = ZoneInfo(holder.zone), at.period.opened
    said = f"{moment_words(moment.astimezone(own))} {holder.zone}"
    if not at.house.hour:
        return said
    return ". ".join(filter(None, (said, shift(opened, moment, at.house.hour, at.zone, own))))


def time_left(at: GameAt, now: datetime) -> str:
    rest = at.period.due - now if at.period.due else timedelta(0)
    return left(rest, exact=at.house.elapsed) if rest > timedelta(0) else ""


def by_when(at: GameAt, holder: Holder) -> str:
    """Return " by Monday 23 November" in his zone, or ""."""
    due = at.period.due
    if due is None:
        return ""
    zone = ZoneInfo(holder.zone) if holder.zone else at.zone
    own = zone.key != at.zone.key
    day, hour = day_and_hour(due, "" if own else at.house.hour, zone)
    exact = own or at.house.elapsed or hour != "24:00"
    return f" by {day:%A} {day.day} {day:%B}{f', {hour}' if exact else ''}"


def owing(at: GameAt, holder: Holder, standing: Standing) -> str:
    """Return "You owe a vote on bill 4 by Monday 23 November", or "Nothing owed ..."."""
    owed = templates.owed(at.ruleset, at.state, holder.seat, standing)
    if owed.unowed:
        return f"{owed.unowed[:1].upper()}{owed.unowed[1:]}{by_when(at, holder)}"
    shown = bulletin.left_out(at.period.number - 1)
    if not owed.words and templates.form(at.ruleset, at.state, holder.seat, shown):
        return f"What you can send in period {at.period.number}{by_when(at, holder)}"
    if not owed.words:
        return f"Nothing owed in period {at.period.number}"
    more = len(owed.words) - MOST_NAMED
    if owed.in_short:
        return f"You owe {owed.in_short}{by_when(at, holder)}"
    named = [*owed.words[:MOST_NAMED], *([f"{more} more"] if more > 0 else [])]
    return f"You owe {listed(named)}{by_when(at, holder)}"


_BEGAN = int(datetime(2020, 1, 1, tzinfo=UTC).timestamp())
"""Revisions after a restore count seconds from here: beyond what was mailed, within 31 bits (RFC
5545, 3.3.8)."""


def of(work: Work, at: GameAt) -> str:
    """Return the open period's file; "" without deadline or reader."""
    return _file(work, at, [at])


def issue(work: Work, at: GameAt) -> str:
    if not _is_wanted(at):
        return ""
    number = at.period.number - 1
    return all_of(work, at, [*([games.at_period(work.conn, at, number)] if number else []), at])


def cancelled(work: Work, at: GameAt, periods: Iterable[GameAt]) -> str:
    return _file(work, at, periods, gone=True)


def _file(work: Work, at: GameAt, periods: Iterable[GameAt], *, gone: bool = False) -> str:
    return all_of(work, at, periods, gone=gone) if _is_wanted(at) else ""


def _is_wanted(at: GameAt) -> bool:
    return any(holder.calendar for holder in at.holders.values())


def all_of(
    work: Work,
    at: GameAt,
    periods: Iterable[GameAt],
    *,
    gone: bool = False,
    title: str | None = None,
) -> str:
    """Return their file, wanted or not; "" without deadlines. title: None in a mail."""
    found = [made for one in periods if (made := _deadline(work, one, gone=gone))]
    mark = work.mark
    revision = max(0, mark.generation - _BEGAN) + notes.revisions(work.conn, at.id)
    alarm = at.house.share(timedelta(days=1), MINUTE)
    source = Source(at.id, mark.address, mark.name, work.now, revision, alarm, title)
    return calendar.calendar(source, found) if found else ""


def _deadline(work: Work, at: GameAt, *, gone: bool) -> Deadline | None:
    status, ends = (Status.CANCELLED, at.period.due) if gone else _now(at)
    if ends is None:
        return None
    text = (
        templates.environment()
        .get_template("_shared/calendar.txt.j2")
        .render(
            at=at,
            number=at.period.number,
            called=called(at),
            status=status,
            moment=moment_text(at, ends),
            early=house_rules.may_close_early(at.house, at.period.number),
            address=work.mark.address,
        )
    )
    summary, _, words = text.strip().partition("\n")
    return Deadline(at.period.number, status, at.period.opened, ends, summary, words)


def _now(at: GameAt) -> tuple[Status, datetime | None]:
    period = at.period
    if period.status == PeriodState.OPEN:
        held = at.game.status == GameState.HELD
        return Status.HELD if held else Status.OPEN, period.due
    if period.number == at.game.period:  # open when the players ended the game
        return Status.CANCELLED, period.closed if at.game.agreed else None
    due, closed = period.due, period.closed
    return Status.CLOSED, min(due, closed) if due and closed else due
