"""Mails on free seats, with public facts only."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import structlog

from pbem.games.frame.events import Seat
from pbem.house import templates
from pbem.letters.letter import Letter
from pbem.pages import picture
from pbem.periods import own_page, publishing
from pbem.post import masters
from pbem.post.compose import Draft
from pbem.post.seats import put_to_person, put_to_seat, put_to_standby
from pbem.post.work import Work
from pbem.store.games import bulletins, games
from pbem.store.games.games import GameAt
from pbem.store.joining.offers import OfferRow, PersonRow
from pbem.store.people import standbys
from pbem.store.schema.states import Freed
from pbem.store.schema.tables import FreeSeat

log = structlog.get_logger()
KIND = "offer"
WHY = {
    Freed.QUIT: "house rule 6: the player has asked to be relieved",
    Freed.SILENT: "house rule 7: no answer",
    Freed.LIST: "house rule 8: no list came",
    Freed.BOT: "a house bot has played it",
}


@dataclass(frozen=True, slots=True)
class Offered:
    """To whom it is offered."""

    who: PersonRow
    until: datetime
    code: str
    alone: bool


def offered(work: Work, at: GameAt, row: FreeSeat, offer: Offered) -> None:
    who = offer.who
    standing = standbys.of_player(work.conn, at.id, who.player_id) is not None
    text = _text(
        "offer",
        at,
        row.seat,
        offer=offer,
        until=own_page.moment_text(at, offer.until),
        why=row.why,
        standing=standing,
        position=position(work, at),
        awaited=at.ruleset.about.awaited,
        waits=row.why is Freed.LIST and at.period.due == offer.until,
    )
    _put(work, at, who, _key("offer", work, at, row.seat, who), f"Will you play {row.seat}?", text)


def gone(work: Work, at: GameAt, offer: OfferRow, why: str) -> None:
    """Void an offer: "taken", "stays", "out" or "over"; then stand-bys have another mail."""
    standing = standbys.of_player(work.conn, at.id, offer.player_id) is not None
    if why == "over" and standing:
        return
    text = _text("offer_gone", at, offer.seat, why=why, standing=standing)
    subject = f"{offer.seat} is {'taken' if why == 'taken' else 'free no more'}"
    who = PersonRow(offer.player_id, offer.name, offer.address, offer.face)
    _put(work, at, who, _key("offer-gone", work, at, offer.seat, who), subject, text)


def passed(work: Work, at: GameAt, offer: OfferRow) -> None:
    gamesmaster = masters.of(work.conn, work.mark, at.id).contact
    text = _text("offer_passed", at, offer.seat, alone=offer.alone, gamesmaster=gamesmaster)
    who = PersonRow(offer.player_id, offer.name, offer.address, offer.face)
    subject = f"You stand by for game {at.id} no longer"
    _put(work, at, who, _key("offer-passed", work, at, offer.seat, who), subject, text)


def given_up(work: Work, at: GameAt, row: FreeSeat) -> None:
    awaited = at.ruleset.about.awaited
    text = _text("given_up", at, row.seat, why=row.why, awaited=awaited)
    key = f"given-up:{at.id}:{row.seat}:{row.player_id}:{work.now:%Y%m%d%H%M%S%f}"
    draft = Draft(key, "asked", f"[{at.id}] Your seat is offered to others", text)
    put_to_seat(work, at, at.holders[row.seat], draft)


def yours(work: Work, at: GameAt, seat: Seat, why: Freed, letter: Letter) -> None:
    awaited = at.ruleset.about.awaited
    listless = awaited and awaited.slot in at.ruleset.due(at.state, seat, {})
    text = _text(
        "yours",
        at,
        seat,
        why=WHY[why],
        awaited=awaited if listless and why is Freed.LIST else None,
    )
    draft = Draft(
        f"yours:{at.id}:{seat}:{at.holders[seat].token_no}",
        "invitation",
        f"[{at.id}] The seat is yours",
        text,
    )
    put_to_seat(work, at, at.holders[seat], draft.answering(letter))


def position(work: Work, at: GameAt) -> str:
    number = bulletins.newest(work.conn, at.id)
    if number is None:
        return ""
    after = games.game_at(work.conn, at.id, min(number + 1, at.game.period))
    before = bulletins.scores(work.conn, at.id, number)
    try:
        issue = templates.pictured(after.ruleset, after.state, at.seats, number, "", (), before)
        known = picture.known(issue)
        said = picture.alt(templates.environment(), issue.key, "chart", known)
    except Exception:  # a mail does not wait for it, as with pictures
        log.exception("no position", game=at.id, bulletin=number)
        return ""
    said = said.removeprefix("A chart of ")
    return f"{said[:1].upper()}{said[1:]}" if issue.course else ""


def _text(name: str, at: GameAt, seat: Seat, **more: Any) -> str:
    template = templates.environment().get_template(f"_shared/{name}.txt.j2")
    return template.render(
        at=at,
        title=at.ruleset.about.title,
        seat=seat,
        period=own_page.name(at),
        deadline=publishing.deadline_text(at),
        **more,
    )


def _key(kind: str, work: Work, at: GameAt, seat: Seat, who: PersonRow) -> str:
    return f"{kind}:{at.id}:{seat}:{who.player_id}:{work.now:%Y%m%d%H%M%S%f}"


def _put(work: Work, at: GameAt, who: PersonRow, key: str, subject: str, text: str) -> None:
    draft = Draft(key, KIND, f"[{at.id}] {subject}", text)
    if standing := standbys.of_player(work.conn, at.id, who.player_id):
        put_to_standby(work, at, standing, draft)
    else:
        put_to_person(work, at, who.address, who.face, draft)
