"""One letter: what came, what became of it, and what can be done."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from pbem.budget import Budget
from pbem.desk import times
from pbem.desk.asked import Asked, NotThere, Page, Raw
from pbem.letters import letter
from pbem.letters.letter import Block, marked
from pbem.letters.limits import OverLimit
from pbem.letters.reading.headers import Field
from pbem.letters.reading.markup import still
from pbem.letters.states import LetterState
from pbem.letters.verdict import Rule
from pbem.post.compose import Frozen
from pbem.post.work import Work
from pbem.referee.acts.values import MOST
from pbem.referee.game import receipts
from pbem.referee.gamesmaster import explaining, waits
from pbem.referee.gamesmaster.explaining import Explanation
from pbem.referee.gamesmaster.waits import ACCEPTABLE
from pbem.store.games import games
from pbem.store.games.games import GameAt
from pbem.store.letters import letters
from pbem.store.people import players
from pbem.store.schema.states import GameState, PeriodState
from pbem.store.schema.tables import Letter as LetterRecord

_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none';"
    " frame-ancestors 'self'; sandbox"
)
"""Nothing runs or is fetched. Styles apply, to show what they hide."""
_CODE = re.compile(r"\bCONFIRM +[A-Za-z0-9]{4,}")
"""A code proves its address, so readers here must not see it."""
_OPEN = 600  # seconds in which a letter's page may be opened
_MOST_GAMES = 5  # offered for a letter that names none
_PLUS = re.compile(r"(?<![^\s\"<(:;,'])([^\s\"<(:;,'+@]{1,64})\+[^@\s>]{1,200}@([\w.-]{1,253})")
_MOST_LINES = 2_000
SETTLED_BY_HIM = (*waits.ATTENTION, LetterState.UNKNOWN_SENDER)


def page(asked: Asked) -> Page:
    """Record the look."""
    work, row = asked.work, _filed(asked)
    title = f"Letter {row.id}"
    at = games.begun(work.conn, row.game_id) if row.game_id else None
    (thing,) = waits.of_letters(asked.sight, [row.id])
    # a letter that is purged lacks the acts that settle it
    purged = row.raw is None and row.outcome != LetterState.UNFETCHABLE
    ways = thing.ways[-1:] if purged else thing.ways
    facts: dict[str, Any] = {
        "row": row,
        "received": _moment(work, row.received, at, seconds=True),
        "thing": replace(thing, ways=ways if row.outcome in SETTLED_BY_HIM else ()),
        "answers": list(_answers(work, row, at)),
    }
    if row.raw is None:
        return Page("letter.html.j2", title, facts | {"told": None, "places": ()})
    told = explaining.explain(work, None, row.id, viewer=asked.who)
    limits = work.limits.of_reading()
    with Budget(work.limits.letter_seconds, "the work on this letter"):
        blocks = marked(told.letter, told.decision.peeled, told.understood)
        shown = list(_shown(asked, row.raw))
        has_page = bool(letter.page(row.raw, limits))
    facts |= {
        "told": told,
        "fields": shown,
        "blocks": _first(blocks),
        "quiet": [one.number for one in told.understood if one.quiet],
        "rule": list(Rule).index(told.decision.rule) + 1,
        "rules": len(Rule),
        "html": asked.url(f"/letters/{row.id}/html?seen={_signs(asked, row.id)[0]}"),
        "has_page": has_page,
        "places": list(_places(asked, row, told)),
    }
    return Page("letter.html.j2", title, facts)


def html(asked: Asked) -> Raw:
    """Return the letter's own HTML, if the letter has just been opened."""
    row = _filed(asked)
    if asked.given.get("seen") not in _signs(asked, row.id) or row.raw is None:
        raise NotThere(f"Open letter {row.id} first: it shows its page.")
    with Budget(asked.work.limits.letter_seconds, "the work on this letter"):
        text = letter.page(row.raw, asked.work.limits.of_reading())
        try:
            text = still(text) if text else ""
        except OverLimit as error:
            raise NotThere(f"The page of letter {row.id} cannot be shown: {error}.") from error
    if not text:
        raise NotThere(f"Letter {row.id} has no page of its own.")
    return Raw(text.encode("utf-8", "replace"), "text/html; charset=utf-8", _POLICY)


def _filed(asked: Asked) -> LetterRecord:
    """Raise NotThere if the gamesmaster may not see it."""
    number = int(asked.path["letter"])
    row = LetterRecord.one(asked.work.conn, id=number) if number <= MOST else None
    if row is None or not asked.sight.sees(row.game_id, row.sender):
        raise NotThere("There is no such letter, or it is none of yours to see.")
    return row


def _signs(asked: Asked, number: int) -> tuple[str, str]:
    now = int(asked.work.now.timestamp()) // _OPEN
    return asked.sign(f"letter/{number}/{now}"), asked.sign(f"letter/{number}/{now - 1}")


def _moment(work: Work, when: datetime, game: GameAt | None, *, seconds: bool = False) -> str:
    """Return a moment in the zone of its game, else of the installation."""
    zone = game.row.zone if game else work.config.referee.zone
    return times.words(work, when, zone, seconds=seconds)


def _shown(asked: Asked, raw: bytes) -> Iterator[Field]:
    """Leave out our secret plus tag."""
    ours = asked.work.mark.address.lower()
    for one in letter.fields(raw, asked.work.limits.of_reading()):
        yield replace(one, value=_PLUS.sub(partial(_without_plus, ours), one.value))


def _without_plus(ours: str, found: re.Match[str]) -> str:
    plain = f"{found[1]}@{found[2]}"
    return f"{found[1]}+...@{found[2]}" if plain.lower() == ours else found[0]


def _first(blocks: Sequence[Block]) -> list[Block]:
    shown, left = [], _MOST_LINES
    for block in blocks:
        if left > 0:
            shown.append(Block(block.reason, block.file, block.lines[:left]))
        left -= len(block.lines)
    return shown


def _answers(work: Work, row: LetterRecord, game: GameAt | None) -> Iterator[Mapping[str, str]]:
    for one in letters.answers(work.conn, row.id, receipts.answer_keys(row.id)):
        mail = Frozen(one.raw)
        yield {
            "kind": one.kind,
            "to": one.recipient,
            "subject": mail.subject,
            "text": _CODE.sub("CONFIRM ...", mail.said),
            "became": one.state,
            "when": _moment(work, one.sent or one.created, game),
            "reply": one.reply,
        }


def _places(asked: Asked, row: LetterRecord, told: Explanation) -> Iterator[Mapping[str, Any]]:
    """Yield games and their seats, for which it may be accepted: its own first, or its writer's."""
    work = asked.work
    if row.outcome not in ACCEPTABLE:
        return
    which = [row.game_id] if row.game_id else sorted(told.games)
    player = players.at_address(work.conn, row.sender or "")
    for game in [one for one in which if asked.sight.looks_into(one)][:_MOST_GAMES]:
        at = games.begun(work.conn, game)
        running = at and at.row.status in (GameState.RUNNING, GameState.HELD)
        if at and running and at.period.status == PeriodState.OPEN:
            seats = at.holders.items()
            held = (seat for seat, who in seats if player and who.player_id == player)
            yield {
                "game": game,
                "period": at.period.number,
                "seats": [
                    (seat, f"{seat}, {who.name}" if who.name else seat) for seat, who in seats
                ],
                "seat": row.seat or next(held, ""),
            }
