"""Publishing: bulletins, notices and the start mail of a game, into the outbox of the transaction
that caused them."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

import structlog
from sqlalchemy import Connection

from pbem.errors import OverBudget, RefereeError
from pbem.games.frame import calendar
from pbem.games.frame.calendar import NEVER, Deadline
from pbem.games.frame.dice import commitment
from pbem.games.frame.events import Event
from pbem.pages import bulletin
from pbem.post import alarms, delivery, outbox
from pbem.post.compose import Draft
from pbem.post.seats import KINDS, put_to_seat, to_seat
from pbem.post.work import Work
from pbem.store import bulletins, notes, periods, press, resources, templates
from pbem.store.budget import Budget
from pbem.store.game_rows import ClosedRow, Holder
from pbem.store.games import Table
from pbem.store.states import NoteKind

log = structlog.get_logger()


def deadline_text(at: Table) -> str:
    """The deadline in the game's zone and in UTC; "" where the period has none."""
    return moment_text(at, at.period.due) if at.period.due else ""


def moment_text(at: Table, moment: datetime) -> str:
    """A moment in the game's zone and in UTC."""
    day, hour = calendar.day_and_hour(moment, at.house.hour, at.zone)
    return f"{day:%A %d %B %Y}, {hour} {at.game.zone} = {moment:%Y-%m-%d %H:%M} UTC"


def before_closing(at: Table) -> str:
    """Until when something of the open period has to be sent."""
    deadline, early = deadline_text(at), at.house.early_hour and at.house.early != NEVER
    if not deadline:
        return "before the period closes"
    return (
        f"before the period closes, at its deadline ({deadline}) or early"
        if early
        else f"before the deadline ({deadline})"
    )


def deadline_of(at: Table) -> Deadline | None:
    """The period's deadline with its moves."""
    row = at.period
    if row.due is None or row.base is None:
        return None
    return Deadline(row.base, calendar.moves(row.moves), row.due)


@lru_cache
def template_version(key: str) -> str:
    """A hash over the templates a game's bulletins are made from, so that a replay knows whether to
    expect equal bytes."""
    digest = hashlib.sha256()
    for folder in ("_shared", key):
        for file in sorted(resources.path("templates", folder).glob("*.j2")):
            digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()


def frame(conn: Connection, at: Table, number: int) -> dict[str, Any]:
    """What the house adds to bulletin ``number``; ``at`` is the period that follows it."""
    result = at.ruleset.result(at.state)
    said = notes.notes(conn, at.id, number, last=result is not None)
    return {
        "game": at.id,
        "deadline": deadline_text(at),
        "rulings": [one.text for one in said if one.kind == NoteKind.RULING],
        "house": [one.text for one in said if one.kind != NoteKind.RULING],
        "press": [
            {"by": "anonymous" if p.anonymous else p.author or "the gamesmaster", "text": p.text}
            for p in press.of_period(conn, at.id, number)
            if not p.audience
        ],
        "commitment": commitment(at.game.seed) if number == 0 else "",
        "options": dict(at.game.options) if number == 0 else {},
        "seed": at.game.seed if result else "",
        "journal": notes.journal_head(conn, at.id),
    }


def texts(
    at: Table, number: int, phase: str, events: Sequence[Event], house_frame: Mapping[str, Any]
) -> dict[str, str]:
    """The text of bulletin ``number`` under "" and each seat's notice ("" where there is none);
    pure but for templates."""
    issue = templates.issue(at.ruleset, at.state, at.seats, number, phase, events, house_frame)
    env = templates.environment()
    made = {"": bulletin.bulletin(env, issue)}
    return made | {seat: bulletin.notice(env, issue, seat) for seat in at.seats}


def publish(work: Work, at: Table) -> None:
    """Bulletin and notices of the period before ``at`` (its opening, for period 1): stored, and
    mailed to every holder."""
    number = at.period.number - 1
    closed = periods.closed(work.conn, at.id, number)
    house_frame, made = _made(work, at, number, closed, frame(work.conn, at, number))
    edition = bulletins.last_edition(work.conn, at.id, number) + 1
    bulletins.new(work.conn, at.id, number, edition, made, house_frame, work.now)
    notes.printed(work.conn, at.id, number)
    periods.set_period(work.conn, at.id, number, template=template_version(at.ruleset.about.key))
    notes.note(
        work.conn,
        at.id,
        work.now,
        "published",
        bulletin=number,
        edition=edition,
        sha256=hashlib.sha256(made[""].encode()).hexdigest(),
    )
    for holder in at.holders.values():
        mail_issue(work, at, holder, number, edition, made)
    _copy(work, at, number, edition, made[""])
    if edition > 1:
        _tell_changes(work, at, number, edition, made)


def _made(
    work: Work, at: Table, number: int, closed: ClosedRow, house_frame: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, str]]:
    """The frame and the texts of a bulletin. Where they take too long the players' press, their
    only words without a measure, is left out, and the gamesmaster told; where they still do, it is
    an error of ours."""
    seconds = work.mark.seconds * (1 + len(at.seats))
    try:
        with Budget(seconds, f"bulletin {number} of game {at.id}"):
            return house_frame, texts(at, number, closed.phase, closed.events, house_frame)
    except OverBudget as over:
        log.error("press left out", game=at.id, bulletin=number, error=str(over))
        presses = press.of_period(work.conn, at.id, number)
        letters = [str(one.letter_id) for one in presses if one.letter_id is not None]
        told = (
            f"{over}. It is published without the players' press, which its readers are told. The"
            f" words stand in the letters {', '.join(letters) or '(none)'} (`pbem letter"
            " --id N`): mail them yourself if they are fit to be read."
        )
    withheld = [
        one | {"text": "    | (These words could not be printed; the gamesmaster has them.)"}
        for one in house_frame["press"]
    ]
    house_frame = house_frame | {"press": withheld}
    try:
        with Budget(seconds, f"bulletin {number} of game {at.id}, without its press,"):
            made = texts(at, number, closed.phase, closed.events, house_frame)
    except OverBudget as over:
        raise RefereeError(str(over)) from over
    if work.mark.gamesmaster:
        subject = f"bulletin {number} of {at.id} is without its press"
        alarms.tell(work, f"press:{at.id}:{number}", subject, told)
    return house_frame, made


def _copy(work: Work, at: Table, number: int, edition: int, text: str) -> None:
    """The gamesmaster's copy, with the trouble that mail to this game's players has met."""
    if work.mark.gamesmaster:
        trouble = "\n".join(
            f"DELIVERY TROUBLE: {t['address']} ({t['player']}): {t['soft']} soft, {t['hard']} hard;"
            f" {t['last']}\n    {t['release']}"
            for t in delivery.trouble(work.conn, at.id)
        )
        subject = f"[{at.id}] Bulletin {number}: the gamesmaster's copy"
        key = f"copy:{at.id}:{number}:{edition}"
        alarms.put(work, Draft(key, "copy", subject, f"{trouble}\n\n{text}".lstrip()))


def _tell_changes(
    work: Work, at: Table, number: int, edition: int, made: Mapping[str, str]
) -> None:
    """To each holder: what a corrected bulletin and his notice say otherwise than before."""
    old = bulletins.texts(work.conn, at.id, number, edition - 1)
    for holder in at.holders.values():
        both = ((old.get(seat, ""), made.get(seat, "")) for seat in ("", holder.seat))
        changes = [line for before, after in both for line in _diff(before, after)]
        if changes:
            text = "\n".join(
                [
                    f"What changed in bulletin {number} and your notice (- before, + now):",
                    "",
                    *changes,
                    "",
                ]
            )
            key = f"changes:{at.id}:{number}:{edition}:{holder.seat}"
            subject = f"[{at.id}] Bulletin {number} corrected: what changed"
            put_to_seat(work, at, holder, Draft(key, "changes", subject, text))


def _diff(old: str, new: str) -> list[str]:
    lines = difflib.unified_diff(old.split("\n"), new.split("\n"), lineterm="", n=0)
    return [
        f"{line[0]} {line[1:]}"
        for line in lines
        if line[:1] in "+-" and line[:3] not in ("---", "+++")
    ]


def mail_issue(
    work: Work, at: Table, holder: Holder, number: int, edition: int, made: Mapping[str, str]
) -> None:
    """The bulletin and, where there is one, the private notice to one holder: two mails, since
    bulletins are forwarded."""
    if not holder.address:
        return
    corrected = " (corrected)" if edition > 1 else ""
    for kind, text in (("bulletin", made[""]), ("notice", made.get(holder.seat, ""))):
        if text:
            subject = f"[{at.id}] {KINDS[kind]} {number}{corrected}"
            if kind == "notice":
                subject = f"[{at.id}] {KINDS[kind]} for {holder.seat}, period {number}{corrected}"
            key = issue_key(kind, at, number, edition, holder)
            outbox.put(work, to_seat(work, at, holder, Draft(key, kind, subject, text)))


def issue_key(kind: str, at: Table, number: int, edition: int, holder: Holder) -> str:
    """What makes a bulletin or notice to a holder one mail."""
    return f"{kind}:{at.id}:{number}:{edition}:{holder.seat}:{holder.player_id}"


def start_mail(work: Work, at: Table, holder: Holder) -> None:
    """The first mail of a game to a holder: who he is, the house rules, the order guide."""
    env = templates.environment()
    rules = env.get_template("_shared/house.txt.j2").render(
        house=at.house, game=at.game, about=at.ruleset.about
    )
    guide = env.get_template(f"{at.ruleset.about.key}/guide.txt.j2").render(house=at.house)
    text = env.get_template("_shared/start.txt.j2").render(
        holder=holder,
        holders=list(at.holders.values()),
        title=at.ruleset.about.title,
        game=at.game,
        rules=rules,
        guide=guide,
        address=work.mark.address,
        options=at.game.options,
        commitment=commitment(at.game.seed),
    )
    subject = f"[{at.id}] {at.ruleset.about.title}: you are {holder.seat}"
    key = f"start:{at.id}:{holder.seat}:{holder.player_id}"
    outbox.put(work, to_seat(work, at, holder, Draft(key, "start", subject, text)))
