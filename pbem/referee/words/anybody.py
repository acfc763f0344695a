"""Carry out the words anybody may write, if an answer may go out
(:mod:`pbem.referee.deciding.senders`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pbem.letters.authentication import Level
from pbem.letters.states import LetterState
from pbem.orders import club_words
from pbem.orders.mailwords import Command
from pbem.pages import sheet
from pbem.post import codes
from pbem.post.work import Work
from pbem.referee.deciding import code_answers, senders, trust, unheard
from pbem.referee.deciding.judged import Judged, Outcome
from pbem.referee.deciding.senders import Answer
from pbem.referee.words import (
    club_pages,
    inviting,
    practising,
    signing_on,
    standing,
    subscribing,
    watching,
)
from pbem.store.joining import open_tables

Answering = Callable[[Work, Judged, str], str]
"""(work, judged, argument) -> answer."""
NO_MORE = "no-more-mail"
"""The kind of a STOP's code (:mod:`pbem.post.codes`)."""
MOST_WORDS = 6
"""Carried out of one letter."""


def carry_out(work: Work, judged: Judged) -> Outcome:
    """Carry out each word; answer in one mail. A code is taken beyond the hourly limit."""
    decision = judged.decision
    code = confirmed(work, judged) if decision.reply_allowed else None
    taken, why = code is not None, senders.why_not(work, judged)
    if why and not taken:
        reason = f"{decision.reason}; nothing was done or sent back: {why}"
        return Outcome(senders.silent(work, judged), reason)
    if not taken and _is_forged(work, judged):
        unheard.forged(work, judged)
        return Outcome(LetterState.UNKNOWN_SENDER, f"{decision.reason}; nothing was done: DMARC")
    words = [] if why else list(_words(decision.peeled.commands, taken=taken))
    told = [code or "", *(answer(work, judged, said) for answer, said in words[:MOST_WORDS])]
    if len(words) > MOST_WORDS:
        told.append(f"One letter has {MOST_WORDS} such words at most; the others were not read.")
    kind = senders.CONFIRMED if taken else senders.ANSWER
    senders.tell(work, judged, kind, senders.joined(told))
    return Outcome(LetterState.COMMAND, decision.reason)


def no_more_mail(work: Work, judged: Judged) -> Outcome:
    """Carry out STOP: no more invitations, no answer. An unproven letter gets a code."""
    sender, decision = judged.letter.sender or "", judged.decision
    if decision.authentication is Level.PROVEN:
        open_tables.refuse_invitations(work.conn, sender, work.now)
        return Outcome(LetterState.COMMAND, decision.reason)
    if why := senders.why_not(work, judged):
        return Outcome(LetterState.UNKNOWN_SENDER, f"{decision.reason}; no code was sent: {why}")
    code = codes.new(work, NO_MORE, sender)
    text = (
        "You want no invitations from here. Your letter came without proof that it is yours, so"
        " nothing has happened yet.\n\nIf that was you, answer this mail within a week with the one"
        f" line\n\n{sheet.answer_line(f'CONFIRM {code}')}\n\nIf not, do nothing."
    )
    senders.tell(work, judged, senders.ANSWER, Answer(text, "Do you want no more invitations?"))
    return Outcome(LetterState.COMMAND, f"{decision.reason}, without proof")


def _refuses(work: Work, judged: Judged, told: Mapping[str, Any]) -> str:
    open_tables.refuse_invitations(work.conn, told["by"], work.now)
    return Answer("You get no more invitations from here.", "You get no more invitations")


def _is_forged(work: Work, judged: Judged) -> bool:
    if senders.registered(work, judged.letter.sender or ""):
        return False
    return senders.failed(work, judged)


def _words(commands: Sequence[Command], *, taken: bool) -> Iterator[tuple[Answering, str]]:
    """Yield what to carry out, each once. taken: its code has been redeemed."""
    seen = {("CONFIRM", one.argument) for one in commands if taken}
    for at, command in enumerate(commands):
        answer = WORDS.get(command.name)
        if answer and (command.name, command.argument) not in seen:
            seen.add((command.name, command.argument))
            if command.name == club_words.SIGNON:
                yield _signing(command, commands[at + 1 :]), command.argument
            else:
                yield answer, command.argument


def _signing(command: Command, below: Sequence[Command]) -> Answering:
    """Join a SIGNON with PREFER and SEAT below it."""
    wishes = dict[str, str]()
    for one in below:
        if one.name == club_words.SIGNON:
            break
        if one.name in club_words.WISHES:
            wishes[one.name] = one.argument
    said = club_words.signing(
        command.argument, wishes.get(club_words.PREFER, ""), wishes.get(club_words.SEAT, "")
    )
    return lambda work, judged, argument: signing_on.signon(work, judged, said)


def _signon(work: Work, judged: Judged, argument: str) -> str:
    return signing_on.signon(work, judged, club_words.signing(argument))


def _signoff(work: Work, judged: Judged, argument: str) -> str:
    return signing_on.signoff(work, judged, argument.lower())


def _confirm(work: Work, judged: Judged, argument: str) -> str:
    first = "There is nothing that waits for that code, or not any more."
    if again := standing.awaited(work, judged):
        return Answer(f"{first}\n\n{again}", again.subject, again.code, again.seed)
    return Answer(f"{first} The word\u00a0GAMES tells what is open.", "Your code")


def _status(work: Work, judged: Judged, argument: str) -> str:
    nothing = "You have signed on to nothing. The word\u00a0GAMES tells what is open."
    return standing.awaited(work, judged) or Answer(nothing, "How it stands")


def confirmed(
    work: Work, judged: Judged, code: str | None = None, *, called: str | None = None
) -> str | None:
    """Redeem a code of :data:`CODES`. Return None for others, "" if the next mail answers.

    code: one elsewhere in the letter, or meant by a yes. called: the name wished for.
    """
    code = code or trust.code_of(judged)
    found = code_answers.on_file(work, judged.decision, code)
    if found is None or found["kind"] not in CODES:
        return None
    told = code_answers.come_back(work, judged, code)
    assert told
    if told["old"]:
        first = "That code is too old, and nothing was done."
        if again := standing.awaited(work, judged):
            return Answer(f"{first}\n\n{again}", again.subject, again.code, again.seed)
        return Answer(f"{first} Send your first letter again.", "Your code is too old")
    return CODES[told["kind"]](work, judged, {**told, "called": called or ""})


WORDS: Mapping[str, Answering] = {
    club_words.GAMES: club_pages.games,
    club_words.SIGNON: _signon,
    club_words.SIGNOFF: _signoff,
    club_words.WATCH: watching.watch,
    club_words.UNWATCH: watching.unwatch,
    club_words.INVITE: inviting.invite,
    club_words.PRACTICE: practising.practise,
    club_words.ZINE: subscribing.zine,
    club_words.LISTED: subscribing.listed,
    "RULES": club_pages.rules,
    "TABLES": club_pages.tables_of,
    "HELP": club_pages.help_,
    "STATUS": _status,
    "CONFIRM": _confirm,
}
CODES: Mapping[str, Callable[[Work, Judged, Mapping[str, Any]], str]] = {
    signing_on.KIND: signing_on.confirmed,
    signing_on.NAMED: signing_on.renamed,
    watching.KIND: watching.confirmed,
    watching.END: watching.end_confirmed,
    practising.KIND: practising.confirmed,
    subscribing.KIND: subscribing.confirmed,
    NO_MORE: _refuses,
}
"""Kind of code -> who redeems it."""
BY_A_YES = (signing_on.KIND, signing_on.NAMED, watching.KIND, practising.KIND, subscribing.KIND)
"""A yes does for these."""
