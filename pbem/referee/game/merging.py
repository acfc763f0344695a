"""Merge receipts and challenges beyond the hourly limit into one mail.

Tell the registered sender of a letter over its limit of size or work. Only the header is
read.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

import structlog

from pbem.budget import Budget
from pbem.errors import OverBudget
from pbem.games.frame import readiness
from pbem.games.frame.events import Seat
from pbem.house import templates
from pbem.letters import automatic
from pbem.letters.letter import outside
from pbem.letters.states import LetterState
from pbem.periods import away
from pbem.post import seats
from pbem.post.compose import LOOP_MARK, Draft, Frozen
from pbem.post.seats import put_to_seat, readers
from pbem.post.work import Work
from pbem.referee.deciding import registry, senders
from pbem.referee.game import receipts
from pbem.referee.game.receipts import CHALLENGE, HOUR, Receipt, faced, standing_now
from pbem.store.games import games, order_sets
from pbem.store.games.game_rows import Holder
from pbem.store.games.games import GameAt
from pbem.store.mails import mails
from pbem.store.people import players
from pbem.store.schema.states import MailState
from pbem.store.schema.tables import Letter, Outgoing
from pbem.text import counted, sentence

log = structlog.get_logger()
MOST_CHALLENGES = 40
_RULE = "\n\n" + "=" * 78 + "\n\n"


def merge(work: Work) -> int:
    """Merge what waits, an hour (or short period) after the first. What is too costly goes out
    singly. Return the number of mails."""
    groups: dict[tuple[str, str, Seat], list[Outgoing]] = {}
    for row in mails.merged(work.conn):
        if not row.game_id:  # of somebody without a seat
            continue
        groups.setdefault((row.kind, row.game_id, row.seat), []).append(row)
    ripe = [
        portion
        for group in groups.values()
        if _is_ripe(work, group[0])
        for portion in _portions(group)
    ]
    for group in ripe:
        state = MailState.LISTED if _merged(work, group) else MailState.READY
        mails.set_states(work.conn, [row.id for row in group], state)
    return len(ripe)


def _portions(group: list[Outgoing]) -> Iterator[list[Outgoing]]:
    """Split challenges into mails. No code is left out."""
    most = MOST_CHALLENGES if group[0].kind == CHALLENGE else len(group)
    for first in range(0, len(group), most):
        yield group[first : first + most]


def _is_ripe(work: Work, first: Outgoing) -> bool:
    waited = work.now - first.created
    return waited >= HOUR or waited >= games.house(work.conn, first.game_id).an_hour


def _merged(work: Work, group: Sequence[Outgoing]) -> bool:
    """Return False if it is too much work."""
    kind, game_id, seat = group[0].kind, group[0].game_id, group[0].seat
    game = games.game_at(work.conn, game_id)
    listed = _challenges if kind == CHALLENGE else _receipts
    try:
        with Budget(work.mark.seconds * len(group), f"merging {kind}s"):
            subject, body = listed(work, game, seat, group)
    except OverBudget as over:
        log.error("not merged", game=game_id, seat=seat, error=str(over))
        return False
    if body:
        key = f"{kind}s:{group[0].id}-{group[-1].id}"
        draft = Draft(key, f"{kind}s", f"[{game_id}] {subject}", body)
        put_to_seat(work, game, faced(work, game.holders[seat], body), draft)
        for reader in readers(work, game, game.holders[seat])[1:] if kind != CHALLENGE else ():
            last = f"{_head(game, group)}\n\n{_stands_now(work, game, reader)}"
            put_to_seat(work, game, reader, replace(draft, text=last))
    return True


def _receipts(work: Work, game: GameAt, seat: Seat, group: Sequence[Outgoing]) -> tuple[str, str]:
    """Return subject and text. It ends with what stands now: newer receipts may have gone out."""
    parts = receipts.merged([Frozen(row.raw).said for row in group], work.limits)
    said = "Each says what stood when its letter came. What stands now is said last."
    first = f"{_head(game, group)} {said}\n\n{parts[0]}"
    last = _stands_now(work, game, game.holders[seat])
    return counted(len(group), "receipt"), _RULE.join([first, *parts[1:], last])


def _head(game: GameAt, group: Sequence[Outgoing]) -> str:
    span = "a period" if game.house.an_hour < HOUR else "an hour"
    return f"{counted(len(group), 'receipt')} in one, since many letters came within {span}."


def _stands_now(work: Work, game: GameAt, reader: Holder) -> str:
    row = order_sets.last_set(work.conn, game.id, game.period.number, reader.seat)
    told = Receipt(order_sets.orders_of(game, row), said=readiness.of(row))
    known = standing_now(work, game, reader, told)
    stands = templates.shared("standing", **known)
    return f"WHAT STANDS NOW, {game.minute(work.now)}, after all of these\n\n{stands}"


def _challenges(work: Work, game: GameAt, seat: Seat, group: Sequence[Outgoing]) -> tuple[str, str]:
    """Return subject and text; ("", "") if no letter waits any more."""
    asked = {int(row.key.partition(":")[2]): row for row in group}
    waits = (Letter.id.in_(asked), Letter.outcome == LetterState.UNVERIFIED)
    unproven = Letter.values(work.conn, Letter.id, *waits, period=game.period.number)
    parts = [Frozen(row.raw).said for number, row in asked.items() if number in unproven]
    if not parts:
        return "", ""
    head = (
        "These letters came within an hour in your name and without proof. Each is confirmed by the"
        " code that stands with it."
    )
    one, many = "Is this letter yours?", f"Are these {len(parts)} letters yours?"
    subject = one if len(parts) == 1 else many
    return subject, _RULE.join([head, *_endings_once(parts)])


def _endings_once(parts: Sequence[str]) -> Sequence[str]:
    """Return texts without the paragraphs with which all end, and those once behind them."""
    cut = [part.strip().split("\n\n") for part in parts]
    last = zip(*map(reversed, cut), strict=False)
    same = sum(1 for _ in takewhile(lambda row: len(set(row)) == 1, last))
    if len(parts) == 1 or not same:
        return parts
    own = ["\n\n".join(paragraphs[:-same]) for paragraphs in cut]
    return [*own, "\n\n".join(cut[0][-same:])]


SIZE = "It is more than one letter may hold, so nothing of it was read. Send less in one letter."
WORK = (
    "It is more work than one letter may cost, so nothing of it was taken. The gamesmaster sees it."
    " Send less in one letter."
)
FAILED = (
    "The referee could not work with it, so nothing of it was taken. The gamesmaster has been told,"
    " and it waits: you need not send it again."
)


def tell(work: Work, letter_id: int, raw: bytes, reason: str) -> None:
    """Answer a letter not read to its end. said: SIZE, WORK or FAILED."""
    seen = outside(raw, work.limits.of_reading())
    if seen is None or not seen.sender or seen.sender == work.mark.address.lower():
        return
    if automatic.why(seen) or LOOP_MARK.lower() in seen.fields:
        return
    to = players.address_of_record(work.conn, seen.sender)
    if not senders.registered(work, to) or senders.why_no_mail(work, to, senders.QUESTION):
        return
    subject = f"Re: {seen.subject[:100].strip() or 'your letter to the referee'}"
    played = registry.games_of(work.conn, seen.sender) if reason != SIZE else ()
    is_away = away.waits(work, played[0]) if len(played) == 1 else ""
    text = f"A letter in your name came to the referee. {sentence(reason)}{is_away}\n"
    draft = Draft(f"{senders.QUESTION}:{letter_id}:unread", senders.QUESTION, subject, text)
    seats.put(work, to, draft.answering(seen), rich=False)
