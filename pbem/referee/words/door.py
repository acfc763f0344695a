"""Letters without a seat, in plain words: a wish to join or watch, a question, an answer.

Nothing is done but by a yes from the address that was asked (:mod:`pbem.post.codes`). People who
wait are told how that stands, and what is awaited.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.letters.states import LetterState
from pbem.orders.asking import NAME
from pbem.orders.club_words import Signing
from pbem.orders.door.answer import Says
from pbem.orders.door.codes import pressed
from pbem.orders.door.wish import Kind, Wish
from pbem.orders.mailwords import naming
from pbem.pages import sheet
from pbem.pages.links import Links
from pbem.periods import offers, waiting_room
from pbem.post import alarms, codes
from pbem.post.compose import Draft
from pbem.post.postmark import code_hash
from pbem.post.work import Work
from pbem.referee.deciding import code_answers, senders, trust, unheard
from pbem.referee.deciding.judged import Judged, Outcome
from pbem.referee.deciding.senders import Answer
from pbem.referee.words import anybody, hearing, signing_on, standing, watching
from pbem.store.games import club
from pbem.store.joining import open_tables
from pbem.store.journal import notes
from pbem.store.schema.tables import OpenTable

MOST_LISTED = 6


def heard(work: Work, judged: Judged) -> Outcome:
    decision, sender = judged.decision, judged.letter.sender or ""
    reason = decision.reason
    if senders.failed(work, judged) and not senders.registered(work, sender):
        unheard.forged(work, judged)
        return Outcome(LetterState.UNKNOWN_SENDER, reason)
    wish = hearing.wish(work, judged)
    asked = [one.argument for one in naming(decision.peeled).commands if one.name == NAME]
    if asked and (named := signing_on.called(work, judged, asked[-1])):
        senders.tell(work, judged, senders.ANSWER, named)
        return Outcome(LetterState.COMMAND, f"{decision.reason}; asks for another name")
    by_code = wish.kind is Kind.CODE and decision.reply_allowed
    if by_code and (answer := anybody.confirmed(work, judged, wish.code)) is not None:
        senders.tell(work, judged, senders.CONFIRMED, answer)
        return Outcome(LetterState.COMMAND, f"{decision.reason}; its code counts")
    known = wish.kind in (Kind.JOIN, Kind.WATCH)
    if wish.kind is Kind.QUESTION:
        own = trust.text(judged)
        _pass_on(work, judged, " ".join((pressed(own) or own).split()))
    if senders.why_not(work, judged) or (senders.told(work, judged) and not known):
        return Outcome(senders.silent(work, judged), reason)
    told = _granted(work, judged, wish)
    senders.tell(work, judged, senders.ANSWER, told)
    state = LetterState.COMMAND if known else LetterState.UNKNOWN_SENDER
    return Outcome(state, f"{reason}; read as: {wish.kind}")


def answered(work: Work, judged: Judged) -> Outcome:
    decision = judged.decision
    if senders.failed(work, judged):
        unheard.forged(work, judged)
        return Outcome(LetterState.UNKNOWN_SENDER, f"{decision.reason}; nothing was done: DMARC")
    told = code_answers.on_file(work, decision, decision.door)
    if told is None or told["kind"] not in anybody.BY_A_YES:
        return heard(work, judged)
    said = hearing.answer(judged, [*_known(judged, told)])
    if said.says is not Says.NO and trust.code_of(judged) == decision.door:
        said = replace(said, says=Says.YES)
    if said.says is Says.YES and not told["old"]:
        answer = anybody.confirmed(work, judged, decision.door, called=said.name) or ""
        if said.asks:
            _pass_on(work, judged, said.asks)
            answer = senders.joined([answer, _PASSED_ON])
        senders.tell(work, judged, senders.CONFIRMED, answer)
        return Outcome(LetterState.COMMAND, f"{decision.reason}: yes")
    if said.says is Says.NO:
        senders.tell(work, judged, senders.ANSWER, _closes(work, judged, told))
        return Outcome(LetterState.COMMAND, f"{decision.reason}: no")
    if said.says is Says.QUESTION:
        _pass_on(work, judged, said.asks)
    if said.says is Says.UNCLEAR and not _may_ask_again(work, judged):
        return Outcome(LetterState.IGNORED, f"{decision.reason}, as a machine does")
    if senders.why_not(work, judged):
        return Outcome(senders.silent(work, judged), f"{decision.reason}: {said.says}")
    senders.tell(work, judged, senders.ANSWER, _not_yes(work, judged, said.says))
    return Outcome(LetterState.COMMAND, f"{decision.reason}: {said.says}")


def _not_yes(work: Work, judged: Judged, says: Says) -> Answer:
    if says is Says.YES:  # too late
        first = "Your answer came too late, but you can answer again."
    elif says is Says.QUESTION:
        first = _PASSED_ON
    else:
        first = "I could not tell from your answer whether you mean yes."
    return _before(first, standing.awaited(work, judged) or _welcome(work, judged))


def _before(said: str, again: Answer) -> Answer:
    hello, _, rest = again.partition("\n\n")
    text = f"{hello}\n\n{said}\n\n{rest}" if hello.startswith("Hello") else f"{said}\n\n{again}"
    return Answer(text, again.subject, again.code, again.seed)


def _closes(work: Work, judged: Judged, told: Mapping[str, Any]) -> Answer:
    codes.void(work, code_hash(judged.decision.door))
    table = OpenTable.one(work.conn, id=told.get("game", ""))
    one = open_tables.applicant(work.conn, told.get("applicant", 0))
    if table is None or one is None:
        return Answer("Nothing was done, and you get no more mails about it.", "Nothing was done")
    return signing_on.gives_up(work, table, one)


def _granted(work: Work, judged: Judged, wish: Wish) -> Answer:
    sender = judged.letter.sender or ""
    if not wish.table and (offered := offers.open_to(work, sender)):
        return Answer("\n\n".join(offered), "A seat is offered to you")
    match wish.kind:
        case Kind.JOIN if wish.table:
            sure = hearing.is_yes(judged, [wish.table])
            said = signing_on.signon(work, judged, Signing(wish.table, wish.name), sure=sure)
            return said if isinstance(said, Answer) else Answer(said, f"[{wish.table}]")
        case Kind.JOIN:
            return _which(work, judged, wish)
        case Kind.WATCH if wish.table:
            seen = watching.watch(work, judged, wish.table)
            return seen if isinstance(seen, Answer) else Answer(seen, f"[{wish.table}]")
        case Kind.WATCH:
            return _which_to_watch(work)
        case Kind.QUESTION:
            return _before(_PASSED_ON, standing.awaited(work, judged) or _welcome(work, judged))
        case Kind.CODE:
            return wrong_code(work, judged)
    stands = standing.awaited(work, judged)
    if unreadable := judged.letter.unreadable:
        return _before(unreadable, stands or _welcome(work, judged))
    return stands or (_ON_NO_LIST if hearing.refuses(judged) else _welcome(work, judged))


_ON_NO_LIST = Answer(
    "You are on no list here, and get no mail but answers to letters from your address. There is"
    " nothing that you need do.",
    "You are on no list here",
)


def wrong_code(work: Work, judged: Judged) -> Answer:
    """Offer a fresh code, if something else waits for one."""
    first = "That code is not one of yours, or it has been used."
    return _before(first, standing.awaited(work, judged) or _welcome(work, judged))


_PASSED_ON = (
    "Your question has gone to the gamesmaster, who answers it himself. Much is in the rules: the"
    "\u00a0word\u00a0RULES brings them."
)


def _known(judged: Judged, told: Mapping[str, Any]) -> Iterator[str]:
    yield from (judged.letter.sender_name, (judged.letter.sender or "").partition("@")[0])
    yield from (str(told[one]) for one in ("name", "game", "watched") if one in told)


def _may_ask_again(work: Work, judged: Judged) -> bool:
    """Return whether to ask again, once a week a mailbox, after neither yes nor no."""
    key = codes.of_machine(open_tables.mailbox(judged.letter.sender or ""))
    until = notes.memo(work.conn, key).get("until", "")
    if not judged.decision.reply_allowed or until > work.now.isoformat():
        return False
    notes.set_memo(work.conn, key, {"until": codes.until(work)})
    return True


# --- what can be chosen ---------------------------------------------------------------------------


def _welcome(work: Work, judged: Judged) -> Answer:
    open_now = open_tables.listed(work.conn)[:MOST_LISTED]
    hello = (
        "Hello! This is the referee of a club that plays political games by mail. You need nothing"
        " but your mailbox."
    )
    if not open_now:
        return Answer(f"{hello}\n\n{_no_table(work)}", "Games by mail")
    return Answer("\n\n".join([hello, *_choices(work, open_now)]), "Games by mail: would you play?")


def _no_table(work: Work) -> str:
    alone = " To play at once, alone against house bots, write\u00a0PRACTICE\u00a0legislation."
    return (
        "No table is open just now. To watch a game that runs, write\u00a0GAMES."
        f"{alone if work.limits.practice_games else ''}"
    )


def _which(work: Work, judged: Judged, wish: Wish) -> Answer:
    open_now = open_tables.listed(work.conn)[:MOST_LISTED]
    if not open_now:
        own = " ".join(trust.text(judged).split())
        wants = "would like to play, and no table is open"
        _tell_gamesmaster(work, judged, "wishes", "would like to play", wants, own)
        said = (
            "Thank you! The gamesmaster, who opens tables, knows now that you would like to play."
        )
        return Answer(f"{said}\n\n{_no_table(work)}", "No table is open just now")
    first = f'No table "{wish.named}" is open. ' if wish.named else ""
    many = "Which table would you like to join?" if len(open_now) > 1 else "One table is open."
    return Answer("\n\n".join([f"{first}{many}", *_choices(work, open_now)]), "Which table?")


def _choices(work: Work, open_now: Sequence[OpenTable]) -> Iterator[str]:
    yield from waiting_room.offered(work, open_now)
    yield "Answer so, or in your own words. Questions are welcome."


def _which_to_watch(work: Work) -> Answer:
    begins = [
        one.id
        for one in open_tables.listed(work.conn)
        if one.plan["game"]["house"].get("watch", True)
    ]
    seen = [*club.seen(work.conn), *begins][:MOST_LISTED]
    if not seen:
        return Answer("No game can be watched just now.", "No game can be watched just now")
    links = Links(work.mark.address, "Watching")
    said = (f"I would like to watch {one}" for one in seen)
    lines = [sheet.answer_line(one, links.line(one)) for one in said]
    return Answer("\n\n".join(["Which game would you like to watch?", *lines]), "Which game?")


# --- questions ------------------------------------------------------------------------------------


def _pass_on(work: Work, judged: Judged, question: str) -> None:
    asks = "asks what only you can answer"
    _tell_gamesmaster(work, judged, "asks", "has a question", asks, question)


def _tell_gamesmaster(
    work: Work, judged: Judged, kind: str, subject: str, what: str, own: str
) -> None:
    """Mail the gamesmaster what somebody wrote, one of a kind an hour a mailbox."""
    sender = judged.letter.sender or ""
    key = f"{kind}:{open_tables.mailbox(sender)}"[:120]
    text = (
        f"{sender} {what}. Your mail program's answer to this mail goes to the referee: write to"
        f" {sender} yourself.\n\n{sheet.fenced(own[:2_000])}"
    )
    draft = Draft(f"{key}:{work.now:%Y%m%d%H}", "alarm", f"[pbem] {sender} {subject}", text)
    alarms.put(work, draft, work.mark.gamesmaster)
