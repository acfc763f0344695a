"""A yes to what a receipt suggests: it stands for the order, from then on and in every replay.

It belongs to the receipt that it answers, or alone at the seat's own address to the newest, while
the seat's orders are as shown. A plain yes sends all suggestions, unless two fill one slot.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from pbem.games.frame.adjudication import canonical
from pbem.games.frame.readiness import together
from pbem.letters.authentication import has_token, plus_parts
from pbem.letters.letter import Letter
from pbem.orders import sentences
from pbem.orders.mailwords import Peeled, peel
from pbem.orders.muting import order_lines
from pbem.orders.order import Standing
from pbem.orders.sentences import Yes
from pbem.post.compose import message_id
from pbem.post.work import Work
from pbem.referee.deciding.judged import Judged
from pbem.referee.game.receipts import receipt_keys, remark
from pbem.store.games import order_sets
from pbem.store.games.games import GameAt
from pbem.store.letters import letters
from pbem.store.schema.tables import Suggestion
from pbem.text import counted, listed

_DOUBTS = sentences.word_set(
    "but if or not no except only instead rather unless wait first change changed"
)
"""With one of these what stands beside a yes may take it back."""
_OPENERS = sentences.word_set("ok okay right sure fine")
"""So a letter may begin that says no yes."""
_NAMED = 6  # so many orders are named; those of a longer list stand in the receipt
_ADDS = sentences.word_set("and also please plus then")
"""So begins what a yes does not concern."""


@dataclass(frozen=True, slots=True)
class YesRead:
    """What a letter's yes comes to."""

    judged: Judged
    """The letter, with the orders in the place of the yes."""
    rows: Sequence[Suggestion] = ()
    """What it says yes to; () if nothing."""
    notes: Sequence[str] = ()
    """What the receipt says of it."""


def heard(work: Work, judged: Judged, game: GameAt) -> YesRead:
    """Read a letter's yes, if it has one, and put the orders in its place."""
    consent = _yes(judged, game)
    begins = sentences.plain_words(judged.decision.peeled.text.lstrip()[:20])[:1]  # its first word
    if consent is None and (sentences.YES - _OPENERS).isdisjoint(begins):
        return YesRead(judged)
    every = Suggestion.many(work.conn, game_id=game.id, seat=judged.decision.seat)
    rows = [row for row in every if row.number]
    if consent is None:
        return YesRead(judged, (), [remark("yes_and_more")] * bool(_answered(work, judged, rows)))
    offered = _answered(work, judged, rows) or _newest(work, judged, game, rows)
    if not offered:
        return YesRead(judged, (), _elsewhere(work.conn, judged, game, rows))
    if why := _lapsed(work.conn, game, offered):
        return YesRead(judged, (), [why])
    stands = order_sets.standing(work.conn, game, judged.decision.seat)
    meant = _meant(consent, offered, game, stands)
    if not meant:
        return YesRead(judged, (), [remark("which", offered)])
    again = [row for row in meant if row.answered not in (None, judged.row.id)]
    meant = [row for row in meant if row not in again]
    if not meant:
        return YesRead(judged, (), [remark("yes_again", row, _stand(row, stands)) for row in again])
    notes = [f"You said yes to {_called(row)}." for row in meant]
    return YesRead(_with_orders(judged, consent, meant), meant, notes)


def _stand(row: Suggestion, stands: Standing) -> bool:
    return {*row.line.split("; ")} <= {*canonical(stands)}


def _called(row: Suggestion) -> str:
    orders = row.called.split("; ")
    return f'"{listed(orders)}"' if len(orders) <= _NAMED else counted(len(orders), "order")


def as_taken(conn: Connection, letter_id: int, peeled: Peeled) -> Peeled:
    """Return a letter that is read again with the orders for which its yes stands."""
    line = order_sets.said_by(conn, letter_id)
    return replace(peeled, text=f"{line}\n{peeled.text}") if line else peeled


def small_talk(judged: Judged, game: GameAt) -> str:
    """Answer a letter that only says yes or thanks, to nothing; "" for any other."""
    if _yes(judged, game):
        return remark("no_yes_waits")
    if sentences.thanks(judged.decision.peeled.text, names(judged, game)):
        return "You are welcome."
    return ""


def _yes(judged: Judged, game: GameAt) -> Yes | None:
    text, language = judged.decision.peeled.text, game.ruleset.language
    if not text.strip():
        return None

    def goes_on(line: str) -> bool:
        words = sentences.plain_words(line)
        beside = line.rstrip().endswith("?") or not _ADDS.isdisjoint(words[:1])
        return (beside and _DOUBTS.isdisjoint(words)) or bool(order_lines(language, line))

    return sentences.yes(text, names(judged, game), goes_on)


def names(judged: Judged, game: GameAt) -> list[str]:
    """Return names of the writer."""
    letter, seat = judged.letter, judged.decision.seat
    return [letter.sender_name, game.player(seat), seat, (letter.sender or "").partition("@")[0]]


def _answered(work: Work, judged: Judged, rows: Sequence[Suggestion]) -> list[Suggestion]:
    answers, copy = _answers(judged.letter), f":d{judged.deputy}" if judged.deputy else ""
    found = [
        row
        for row in rows
        for keys in [receipt_keys(row.letter_id)]
        if any(message_id(work.mark, f"{key}{copy}") in answers for key in keys)
    ]
    newest = max((row.letter_id for row in found), default=0)
    return [row for row in found if row.letter_id == newest]


def _newest(
    work: Work, judged: Judged, game: GameAt, rows: Sequence[Suggestion]
) -> list[Suggestion]:
    """Return the newest suggestions, if the yes answers no mail and no orders came since."""
    letter, peeled, who = judged.letter, judged.decision.peeled, judged.decision.registration
    parts = plus_parts(letter.recipients, [work.mark.address.lower()])
    own = who is not None and has_token(parts, who.token_hash)
    alone = not (peeled.commands or peeled.press or order_lines(game.ruleset.language, peeled.text))
    if _answers(letter) or not own or not alone:
        return []
    now = [
        row for row in rows if (row.edition, row.period) == (game.row.edition, game.period.number)
    ]
    newest = max((row.letter_id for row in now), default=0)
    found = [row for row in now if row.letter_id == newest]
    last = letters.newest_orders(work.conn, game.id, judged.decision.seat, judged.row.id)
    return found if last in (newest, *(row.answered for row in found)) else []


def _answers(letter: Letter) -> tuple[str, ...]:
    return letter.in_reply_to or letter.references[-1:]


def _meant(
    said: Yes, offered: Sequence[Suggestion], game: GameAt, stands: Standing
) -> list[Suggestion]:
    """Return the suggestions of numbers, for a plain yes all; none if two of several fill one slot,
    or one is not there."""
    meant = [row for row in offered if not said.numbers or row.number in said.numbers]
    lines, seat = [row.line for row in meant if not row.is_press], offered[0].seat
    fit = together(game.ruleset, game.state, seat, stands, lines)
    return meant if fit and len(meant) >= len(said.numbers) else []


def _lapsed(conn: Connection, game: GameAt, offered: Sequence[Suggestion]) -> str:
    """Return why a receipt's suggestions count no longer, or ""."""
    one = offered[0]
    lines = [row.called for row in offered]
    if (one.edition, one.period) != (game.row.edition, game.period.number):
        why = f"it was for period {one.period}, which is over"
    elif not one.is_press and one.orders != canonical(order_sets.standing(conn, game, one.seat)):
        if any(row.answered for row in offered):
            return ""  # said twice: what became of it is told
        why = "you have sent other orders since"
    else:
        return ""
    return remark("lapsed", why, lines)


def _elsewhere(
    conn: Connection, judged: Judged, game: GameAt, rows: Sequence[Suggestion]
) -> list[str]:
    open_now = [row for row in rows if row.answered is None and not _lapsed(conn, game, [row])]
    newest = max((row.letter_id for row in open_now), default=0)
    lines = [row.called for row in open_now if row.letter_id == newest]
    return [remark("no_yes", lines)] if lines else []


def _with_orders(judged: Judged, said: Yes, meant: Sequence[Suggestion]) -> Judged:
    """Put orders in the place of the yes, and press beside them."""
    peeled = judged.decision.peeled
    lines = peeled.text.split("\n")
    orders = [row.line for row in meant if not row.is_press]
    lines[said.line : said.line + 1] = [*orders, *filter(None, [said.rest])] or [""]
    press = [one for row in meant for one in peel(row.line).press]
    text, sure = "\n".join(lines), tuple(replace(one, sure=True, closed=True) for one in press)
    peeled = replace(peeled, text=text, press=(*peeled.press, *sure))
    return replace(judged, decision=replace(judged.decision, peeled=peeled))
