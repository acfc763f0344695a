"""The pages of a game, and its mails as they went out, without secret addresses.

Opening a mail to one seat is a look while its game runs. Codes and press are not opened. Two texts
are compared here. Its trials: the coming bulletin, and a rewind.
"""

import difflib
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from markupsafe import escape

from pbem.desk import acts, game, times
from pbem.desk.asked import Asked, Given, NotThere, Page, Raw
from pbem.desk.game import secret_table
from pbem.errors import OperatorError
from pbem.games.frame.events import Seat
from pbem.house import pictures, templates
from pbem.pages import html
from pbem.pages.plain import plain
from pbem.periods import guards, own_page
from pbem.periods.rewinding import Trial
from pbem.post.compose import Frozen
from pbem.post.seats import OBSERVED
from pbem.referee.acts import word_acts
from pbem.referee.acts.doing import Actor, do
from pbem.referee.acts.word_acts import Preview
from pbem.referee.gamesmaster.waits import Sight
from pbem.store.games import bulletins, games
from pbem.store.games.games import GameAt
from pbem.store.joining import claimants
from pbem.store.journal import notes
from pbem.store.journal.notes import LookKind
from pbem.store.mails import mails
from pbem.store.schema.states import MailState
from pbem.store.schema.tables import Bulletin, Outgoing
from pbem.text import counted, short
from pbem.website import public

OWN = ("start", "notice", "void", "changes", "kept")
"""For one seat alone, without codes."""
ALIKE = tuple(kind for kind in OBSERVED if kind not in OWN)
"""All players get these alike."""
_LINK = re.compile(r' href="mailto:[^"]*"')
_PICTURE = re.compile(r'src="cid:([^"]*)"')
_STATES = {
    MailState.READY: "waits to go out",
    MailState.LEASED: "is going out",
    MailState.SENT: "has gone out",
    MailState.REFUSED: "was refused",
    MailState.UNKNOWN: "has perhaps gone out",
    MailState.HELD: "is held",
    MailState.MERGED: "waits to be listed with others",
    MailState.LISTED: "was listed with others",
}


@dataclass(frozen=True, slots=True)
class Gone:
    """A mail in a list."""

    id: int
    kind: str
    number: str
    """Of its bulletin, or ""."""
    seat: Seat
    stands: str
    reply: str
    opens: str
    """"open", "look" (it is one), or "" if it cannot be opened."""


@dataclass(frozen=True, slots=True)
class MailPage:
    """A mail to read. ``html`` is a document, or ""."""

    subject: str
    text: str
    html: str


def of_seat(sight: Sight, game: GameAt, seat: Seat, most: int = 50) -> list[Gone]:
    of, newest = {"game_id": game.id, "seat": seat}, Outgoing.id.desc()
    sent = Outgoing.many(sight.conn, order=newest, most=most, light=True, **of)
    return [_gone(sight, game, one) for one in sent]


def of_issue(sight: Sight, game: GameAt, kind: str, number: int) -> list[Gone]:
    """Return the mails of a "bulletin" or its "notice"s, newest edition first."""
    return [
        _gone(sight, game, one) for one in mails.sent_of_issue(sight.conn, game.id, kind, number)
    ]


def _gone(sight: Sight, game: GameAt, row: Outgoing) -> Gone:
    opens = "look" if row.kind in OWN else "open" if row.kind in ALIKE else ""
    own = partial(times.words, sight.work, zone=game.row.zone)
    stands = f"{_STATES[row.state]}, made on {own(row.created)}"
    if row.sent and row.state == MailState.SENT:
        stands = f"{_STATES[row.state]} on {own(row.sent)}"
    reply = row.reply if row.state in (MailState.REFUSED, MailState.UNKNOWN) else ""
    number = [*row.key.split(":"), "", "", ""][2] if row.kind in ("bulletin", "notice") else ""
    return Gone(row.id, row.kind, number, row.seat, stands, reply, opens if row.raw else "")


def listed(sight: Sight, game_id: str, mail_id: int) -> Gone:
    """Return a mail without its text. Raise NotThere."""
    at, row = secret_table(sight, game_id), Outgoing.one(sight.conn, id=mail_id)
    gone = _gone(sight, at, row) if row and row.game_id == game_id else None
    if gone is None or not gone.opens:
        raise NotThere(f"no mail {mail_id} of {game_id} is opened here (any more)")
    return gone


def opened(sight: Sight, game_id: str, mail_id: int) -> MailPage:
    """Return a mail. That of one seat is a look. Raise NotThere."""
    at, row = secret_table(sight, game_id), mails.whole(sight.conn, mail_id)
    if row is None or row.game_id != game_id or row.kind not in (*OWN, *ALIKE):
        raise NotThere(f"no mail {mail_id} of {game_id} is opened here")
    if not row.raw:
        raise NotThere(f"mail {mail_id} was purged after the retention")
    if row.kind in OWN:
        with notes.by(sight.conn, sight.who or "the shell"):
            guards.looked(sight.work, at, LookKind.MAIL, mail=mail_id, seat=row.seat)
    return face(row.raw)


def published(sight: Sight, game: GameAt, number: int, edition: int) -> MailPage:
    for raw in mails.sent_edition(sight.conn, game.id, number, edition):
        found = face(raw)
        if found.html:
            return found
    of = {"game_id": game.id, "number": number, "edition": edition, "seat": ""}
    text = Bulletin.scalar(sight.conn, Bulletin.text, **of)
    if text is None:
        raise NotThere(f"game {game.id} has published no bulletin {number} of edition {edition}")
    title = f"[{game.id}] Bulletin {number}"
    made = html.page(templates.environment(), text, title, "")
    return MailPage(title, plain(text), made)


def face(raw: bytes) -> MailPage:
    """Return a mail's text and HTML, without links: they hold secret addresses."""
    mail = Frozen(raw)
    whole = _PICTURE.sub(partial(_embedded, mail.pictures), _LINK.sub("", mail.html))
    return MailPage(mail.subject, mail.text, whole)


def _embedded(shown: dict[str, bytes], found: re.Match[str]) -> str:
    png = b64encode(shown.get(found[1], b"")).decode()
    return f'src="data:image/png;base64,{png}"'


MAIL = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox"
)


# --- the pages ------------------------------------------------------------------------------------


def page(asked: Asked) -> Page:
    head = game.head(asked.sight, asked.path["game"])
    game_id, at = head.row.id, head.at
    own = partial(times.words, asked.work, zone=head.row.zone)
    facts: dict[str, Any] = {"game": head, "begun": at is not None, "own": own}
    if at is None:
        facts["seats"] = game.seated(asked.sight, game_id)
    else:
        facts |= _begun(asked, at)
    facts["standbys"] = claimants.standing_by(asked.work.conn, game_id) if head.whole else []
    return Page("game.html.j2", f"{game_id}: {head.title}", facts)


def _begun(asked: Asked, at: GameAt) -> dict[str, Any]:
    sight = asked.sight
    whole = sight.looks_into(at.id)
    issues = bulletins.listed(sight.conn, at.id)
    return {
        "board": game.board(sight, at),
        "figures": templates.figures(at.ruleset, at.state),
        "line": game.timeline(sight, at, asked.number("line") or None),
        "seats": game.seats(sight, at),
        "issues": issues,
        "published": [one.number for one in issues if not one.voided],
        "notes": notes.unprinted(sight.conn, at.id) if whole else [],
        "rulings": notes.rulings(sight.conn, at.id)[::-1] if whole else [],
        "withdrawable": word_acts.withdrawable(sight.conn, at.id) if whole else (),
    }


# --- bulletins and mails --------------------------------------------------------------------------


def bulletin(asked: Asked) -> Page:
    """Return a bulletin in an edition (default: newest)."""
    sight, at = asked.sight, game.table(asked.sight, asked.path["game"])
    number = int(asked.path["number"])
    found = [one for one in bulletins.listed(sight.conn, at.id) if one.number == number]
    if not found:
        raise NotThere(f"Game {at.id} has published no bulletin {number}.")
    (issue,) = found
    edition = min(asked.number("edition") or issue.edition, issue.edition)
    whole = sight.looks_into(at.id)
    facts = {
        "game": at.id,
        "issue": issue,
        "published": times.words(asked.work, issue.published, at.row.zone),
        "edition": edition,
        "last": bulletins.newest(sight.conn, at.id) or 0,
        "face": published(sight, at, number, edition),
        "bulletins": of_issue(sight, at, "bulletin", number) if whole else [],
        "notices": of_issue(sight, at, "notice", number) if whole else [],
        "words": {s: templates.seat_words(at.ruleset, at.state, s) for s in at.seats},
    }
    return Page("game_bulletin.html.j2", f"{at.id}: bulletin {number}", facts)


def bulletin_as_sent(asked: Asked) -> Raw:
    at = game.table(asked.sight, asked.path["game"])
    number = int(asked.path["number"])
    edition = asked.number("edition") or bulletins.last_edition(asked.work.conn, at.id, number)
    return _framed(published(asked.sight, at, number, edition))


def _framed(face: MailPage) -> Raw:
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
    sent = listed(asked.sight, asked.path["game"], int(asked.path["mail"]))
    facts = {"game": asked.path["game"], "mail": sent}
    return Page("game_mail.html.j2", f"{asked.path['game']}: mail {sent.id}", facts)


def mail_as_sent(asked: Asked) -> Raw:
    return _framed(opened(asked.sight, asked.path["game"], int(asked.path["mail"])))


# --- seats and journal --------------------------------------------------------------------


def seat(asked: Asked) -> Page:
    sight, at = asked.sight, game.table(asked.sight, asked.path["game"])
    found = [one for one in game.seats(sight, at) if one.seat == asked.path["seat"]]
    if not found:
        raise NotThere(f"Game {at.id} has no seat {asked.path['seat']}.")
    (standing,) = found
    head = game.head(sight, at.id)
    mails = of_seat(sight, at, standing.seat) if head.whole else []
    facts = {"game": head, "seat": standing, "mails": mails}
    return Page("game_seat.html.j2", f"{at.id}: {standing.words}", facts)


def journal(asked: Asked) -> Page:
    game_id = asked.path["game"]
    entries, before = game.journal(asked.sight, game_id, asked.number("before") or None)
    facts = {"game": game_id, "entries": entries, "before": before}
    return Page("game_journal.html.j2", f"{game_id}: journal", facts)


NEAR = 2
MUCH_ALIKE = 0.5
"""Least likeness of one line changed."""
Kind = Literal["same", "changed", "gone", "new", "left out"]


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of two texts. A missing side is "". A "left out" row gives the number of lines."""

    kind: Kind
    before: str
    after: str


def rows(before: str, after: str) -> list[DiffLine]:
    """Compare two texts. Return [] if they are equal."""
    old, new = before.rstrip("\n").split("\n"), after.rstrip("\n").split("\n")
    found: list[DiffLine] = []
    last = 0
    for group in difflib.SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(NEAR):
        found += _same(old[last : group[0][1]], most=1)
        for tag, a, b, c, d in group:
            found += _same(old[a:b]) if tag == "equal" else _changed(old[a:b], new[c:d])
        last = group[-1][2]
    return [*found, *_same(old[last:], most=1)] if found else []


def _same(lines: Sequence[str], most: int = 2 * NEAR) -> list[DiffLine]:
    if len(lines) <= most:
        return [DiffLine("same", line, line) for line in lines]
    said = counted(len(lines), "line that is the same", "lines that are the same")
    return [DiffLine("left out", said, said)]


def _changed(old: Sequence[str], new: Sequence[str]) -> Iterator[DiffLine]:
    if len(old) == len(new) and all(map(_alike, old, new)):
        yield from (DiffLine("changed", *both) for both in zip(old, new, strict=True))
        return
    yield from (DiffLine("gone", line, "") for line in old)
    yield from (DiffLine("new", "", line) for line in new)


def _alike(before: str, after: str) -> bool:
    return difflib.SequenceMatcher(None, before, after, autojunk=False).ratio() >= MUCH_ALIKE


def plain_rows(before: str, after: str) -> list[DiffLine]:
    return without_head(plain(before), plain(after))


def without_head(before: str, after: str) -> list[DiffLine]:
    """Compare two bulletins without the journal's head."""
    kept = (
        "\n".join(line for line in text.split("\n") if not line.startswith("Journal: head "))
        for text in (before, after)
    )
    return rows(*kept)


# --- a coming bulletin, and a rewind that was tried -----------------------------------------------


def coming(sight: Sight, game: GameAt, seen: Preview) -> Mapping[str, Any]:
    """Return an unpublished bulletin beside the last one (None: no bulletin is out)."""
    last = bulletins.newest(sight.conn, game.id)
    out = bulletins.of_period(sight.conn, game.id, last)[""] if last is not None else None
    before, scores = (out.text, out.frame.get("scores") or {}) if out else ("", {})
    return {
        "number": seen.number,
        "last": last,
        "waits": seen.waits,
        "missing": seen.missing,
        "counts": list(_counts(game, scores, seen.scores)),
        "rows": plain_rows(before, seen.sheet),
        "text": seen.text,
    }


def _counts(
    game: GameAt, before: Mapping[Seat, float], after: Mapping[Seat, float]
) -> Iterator[Mapping[str, str]]:
    """Yield each seat's score before, after, and the signed difference."""
    for seat in game.seats:
        if seat in after:
            old, change = "", 0.0
            if seat in before:
                old, change = short(before[seat]), after[seat] - before[seat]
            signed = f"{'+' if change > 0 else ''}{short(change)}" if change else ""
            yield {"seat": seat, "before": old, "after": short(after[seat]), "change": signed}


def again(game: GameAt, tried: Trial) -> Mapping[str, Any]:
    """Return a rewind that was tried: the bulletin, and by seat the orders and notices that
    change."""
    before, after = tried.before, tried.after
    orders = [
        (seat, rows(*("\n".join(one.orders.get(seat, ())) for one in (before, after))))
        for seat in game.seats
    ]
    notices = [(seat, plain_rows(before.notices[seat], after.notices[seat])) for seat in game.seats]
    return {
        "rows": without_head(before.bulletin, after.bulletin),
        "orders": [one for one in orders if one[1]],
        "notices": [one for one in notices if one[1]],
        "said": tried.said,
    }


MOST = 12
"""Closed periods to choose from."""


def preview(asked: Asked) -> Page:
    """Return the coming bulletin if asked for. That is a look."""
    at = game.secret_table(asked.sight, asked.path["game"])
    ahead = None
    if _posted(asked, "look"):
        done = do(asked.work, acts.named("preview"), {"game": at.id}, Actor(asked.who))
        assert isinstance(done.seen, Preview)
        ahead = coming(asked.sight, at, done.seen)
    head = game.head(asked.sight, at.id)
    facts = {"game": at.id, "ahead": ahead, "head": head}
    return Page("game_preview.html.j2", f"{at.id}: preview", facts)


def _posted(asked: Asked, step: str) -> bool:
    """Return whether the form was sent: a link must file nothing."""
    return asked.given.get("step") == step and asked.given.get("csrf") == asked.csrf


def rewind(asked: Asked) -> Page:
    at = game.secret_table(asked.sight, asked.path["game"])
    kept = [(name, one) for name, one in asked.given.multi_items() if name not in ("game", "step")]
    given = Given([("game", at.id), *kept])
    facts: dict[str, Any] = {"again": None, "token": "", "fault": "", "faults": {}}
    if _posted(asked, "try"):
        try:
            facts |= _tried(replace(asked, given=given), at)
        except OperatorError as error:
            facts["fault"] = str(error)
    pairs = zip(given.getlist("order"), given.getlist("order-text"), strict=False)
    wrong = bool(facts["fault"] or facts["faults"])
    last = at.period.number - 1
    closed = range(last, max(0, last - MOST), -1)
    facts |= {
        "game": at.id,
        "closed": [(n, own_page.name(games.game_at(asked.work.conn, at.id, n))) for n in closed],
        "number": given.get("number", str(max(1, last))),
        "seats": {seat: _called(at, seat) for seat in at.seats},
        "given": given,
        "entered": [*((seat, text) for seat, text in pairs if seat or text.strip()), ("", "")],
        "letters": [
            (
                name,
                " ".join(given.getlist(name)).split(),
                acts.letters(asked, at, wait=name == "accept"),
            )
            for name in ("accept", "drop")
        ],
    }
    return Page("game_rewind.html.j2", f"{at.id}: rewind", facts, 400 if wrong else 200)


def _called(game: GameAt, seat: Seat) -> str:
    name = game.holders[seat].name if seat in game.holders else ""
    words = templates.seat_words(game.ruleset, game.state, seat)
    return f"{words} ({name})" if name else words


def _tried(asked: Asked, game: GameAt) -> Mapping[str, Any]:
    act = acts.named("rewind")
    values, faults = acts.values_of(act, asked.given)
    if faults:
        return {"faults": faults}
    done = do(asked.work, act, {**values, "do": False}, Actor(asked.who))
    assert isinstance(done.seen, Trial)
    token = acts.token(asked, act, values)
    return {"again": again(game, done.seen), "token": token}
