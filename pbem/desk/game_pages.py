"""The pages of a game. Unpublished things: :mod:`pbem.desk.game_acts`."""

from __future__ import annotations

from functools import partial
from typing import Any

from markupsafe import escape

from pbem.desk import game, game_mails
from pbem.desk.asked import Asked, NotThere, Page, Raw
from pbem.house import pictures, templates
from pbem.referee.acts import word_acts
from pbem.store.games import bulletins
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.people import standbys
from pbem.website import public

MAIL = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox"
)


def page(asked: Asked) -> Page:
    found = game.opened(asked.sight, asked.path["game"])
    head, at = game.head(asked.sight, found), found.at
    facts: dict[str, Any] = {"game": head, "options": found.row.options, "begun": at is not None}
    if at is None:
        facts["seats"] = game.seated(asked.sight, head.id)
    else:
        facts |= _begun(asked, at)
    facts["standbys"] = standbys.of_game(asked.work.conn, head.id) if head.whole else []
    return Page("game.html.j2", f"{head.id}: {head.title}", facts)


def _begun(asked: Asked, at: GameAt) -> dict[str, Any]:
    sight = asked.sight
    whole = sight.looks_into(at.id)
    issues = bulletins.listed(sight.conn, at.id)
    return {
        "board": game.board(sight, at),
        "line": game.timeline(sight, at, _number(asked, "line")),
        "seats": game.seats(sight, at),
        "issues": issues,
        "published": [one.number for one in issues if not one.voided],
        "notes": notes.unprinted(sight.conn, at.id) if whole else [],
        "rulings": notes.rulings(sight.conn, at.id)[::-1] if whole else [],
        "withdrawable": word_acts.withdrawable(sight.conn, at.id) if whole else (),
        "own": partial(game.when, at.zone),
    }


def _number(asked: Asked, name: str) -> int | None:
    return asked.number(name) or None


# --- bulletins and mails --------------------------------------------------------------------------


def bulletin(asked: Asked) -> Page:
    """Return a bulletin in an edition (default: newest)."""
    sight, at = asked.sight, game.table(asked.sight, asked.path["game"])
    number = int(asked.path["number"])
    found = [one for one in bulletins.listed(sight.conn, at.id) if one.number == number]
    if not found:
        raise NotThere(f"Game {at.id} has published no bulletin {number}.")
    (issue,) = found
    edition = min(_number(asked, "edition") or issue.edition, issue.edition)
    whole = sight.looks_into(at.id)
    facts = {
        "game": at.id,
        "issue": issue,
        "published": game.when(at.zone, issue.published),
        "edition": edition,
        "last": bulletins.newest(sight.conn, at.id) or 0,
        "face": game_mails.published(sight, at, number, edition),
        "bulletins": game_mails.of_issue(sight, at, "bulletin", number) if whole else [],
        "notices": game_mails.of_issue(sight, at, "notice", number) if whole else [],
        "words": {s: templates.seat_words(at.ruleset, at.state, s) for s in at.seats},
    }
    return Page("game_bulletin.html.j2", f"{at.id}: bulletin {number}", facts)


def bulletin_as_sent(asked: Asked) -> Raw:
    at = game.table(asked.sight, asked.path["game"])
    number = int(asked.path["number"])
    edition = _number(asked, "edition") or bulletins.last_edition(asked.work.conn, at.id, number)
    return _framed(game_mails.published(asked.sight, at, number, edition))


def _framed(face: game_mails.Face) -> Raw:
    """Return a mail for a frame that keys can scroll."""
    html = face.html or f"<!doctype html><body><pre>{escape(face.text)}</pre>"
    html = html.replace("<body", '<body tabindex="0"', 1)
    return Raw(html.encode(), "text/html; charset=utf-8", MAIL)


def picture(asked: Asked) -> Raw:
    at = game.table(asked.sight, asked.path["game"])
    number, name = int(asked.path["number"]), asked.path["name"]
    on_file = bulletins.of_period(asked.work.conn, at.id, number).get("")
    if on_file is None or name not in (on_file.frame.get("pictures") or {}):
        raise NotThere(f"Bulletin {number} of {at.id} has no picture {name}.")
    drawn = public.drawn(asked.work.conn, at.id, number)
    if name not in drawn:
        raise NotThere(f"The picture {name} cannot be drawn.")
    return Raw(pictures.png(drawn[name]), "image/png")


def mail(asked: Asked) -> Page:
    sent = game_mails.listed(asked.sight, asked.path["game"], int(asked.path["mail"]))
    facts = {"game": asked.path["game"], "mail": sent}
    return Page("game_mail.html.j2", f"{asked.path['game']}: mail {sent.id}", facts)


def mail_as_sent(asked: Asked) -> Raw:
    """Return a mail for its frame. That may be a look."""
    face, _ = game_mails.opened(asked.sight, asked.path["game"], int(asked.path["mail"]))
    return _framed(face)


# --- seats and journal --------------------------------------------------------------------


def seat(asked: Asked) -> Page:
    sight, at = asked.sight, game.table(asked.sight, asked.path["game"])
    found = [one for one in game.seats(sight, at) if one.seat == asked.path["seat"]]
    if not found:
        raise NotThere(f"Game {at.id} has no seat {asked.path['seat']}.")
    (standing,) = found
    head = game.head(sight, game.opened(sight, at.id))
    mails = game_mails.of_seat(sight, at, standing.seat) if head.whole else []
    facts = {"game": head, "seat": standing, "mails": mails}
    return Page("game_seat.html.j2", f"{at.id}: {standing.words}", facts)


def journal(asked: Asked) -> Page:
    game_id = asked.path["game"]
    entries, before = game.journal(asked.sight, game_id, _number(asked, "before"))
    facts = {"game": game_id, "entries": entries, "before": before}
    return Page("game_journal.html.j2", f"{game_id}: journal", facts)
