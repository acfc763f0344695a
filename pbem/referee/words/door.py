"""Letters of no seat: the words that anybody may write, codes, and plain words: a wish to join or
watch, a question, an answer.

Nothing is done but by a yes from the address that was asked (:mod:`pbem.post.codes`). People who
wait are told how that stands, and what is awaited.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from pbem.games.frame.events import grouped
from pbem.house import houses
from pbem.letters.authentication import Level
from pbem.letters.states import LetterState
from pbem.orders.asking import NAME, WISHES
from pbem.orders.door import answer as answers
from pbem.orders.door import wish as wishes
from pbem.orders.door.answer import Says
from pbem.orders.door.phrases import code_in
from pbem.orders.door.wish import Kind, Wish
from pbem.orders.mailwords import Command, naming
from pbem.pages import sheet
from pbem.periods import claims
from pbem.periods import open_tables as tables
from pbem.post import alarms, codes, seats
from pbem.post.codes import Pending
from pbem.post.compose import Draft, Frozen
from pbem.post.postmark import code_hash
from pbem.post.work import Work
from pbem.referee.deciding import senders, trust
from pbem.referee.deciding.judged import Judged, LetterOutcome
from pbem.referee.deciding.senders import Reply
from pbem.referee.words import club, redeeming, signing_on
from pbem.referee.words.club import Asker
from pbem.store.games import club as played
from pbem.store.joining import open_tables
from pbem.store.journal import notes
from pbem.store.mails import mails
from pbem.store.people import players
from pbem.store.schema.states import MailState
from pbem.store.schema.tables import OpenTable, Outgoing
from pbem.text import counted, listed

MOST_LISTED = 6
MOST_WORDS = 6
"""Carried out of one letter."""
_PASSED_ON = (
    "Your question has gone to the gamesmaster, who answers it by mail. Much is in the"
    " rules: the\u00a0word\u00a0RULES brings them."
)
_HELLO = (
    "Hello! This is the referee of a club that plays political games by mail. You need nothing but"
    " your mailbox."
)


def carry_out(work: Work, judged: Judged) -> LetterOutcome:
    """Carry out each word; answer in one mail. A code is taken beyond the hourly limit."""
    decision = judged.decision
    found = redeeming.at_the_door(work, judged) if decision.reply_allowed else None
    code = redeeming.answer(work, judged, found) if found else None
    taken, why = code is not None, senders.why_not(work, judged)
    if why and not taken:
        reason = f"{decision.reason}; nothing was done or sent back: {why}"
        return LetterOutcome(senders.silent(work, judged), reason)
    if not taken and _is_forged(work, judged):
        return _forged(work, judged)
    asker, answers = Asker.of(work, judged), [code or ""]
    said = [] if why else list(_said(decision.peeled.commands, taken=taken))
    answers += [WORDS[one.name](asker, one.argument) for one in said[:MOST_WORDS]]
    if len(said) > MOST_WORDS:
        answers.append(f"One letter has {MOST_WORDS} such words at most; the others were not read.")
    kind = senders.CONFIRMED if taken else senders.ANSWER
    senders.tell(work, judged, kind, senders.joined(answers))
    return LetterOutcome(LetterState.COMMAND, decision.reason)


def _said(commands: Sequence[Command], *, taken: bool) -> Iterator[Command]:
    """Yield what to carry out, each once. taken: its code has been redeemed."""
    seen = {("CONFIRM", one.argument) for one in commands if taken}
    for one in commands:
        if one.name in WORDS and (one.name, one.argument) not in seen:
            seen.add((one.name, one.argument))
            yield one


def _signon(asker: Asker, argument: str) -> Reply:
    """Join a SIGNON with PREFER and SEAT below it."""
    commands, wished = asker.judged.decision.peeled.commands, dict.fromkeys(WISHES, "")
    said = [(one.name, one.argument) for one in commands]
    for one in commands[said.index(("SIGNON", argument)) + 1 :]:
        if one.name == "SIGNON":
            break
        if one.name in WISHES:
            wished[one.name] = one.argument
    game, _, name = argument.partition(" AS ")
    return signing_on.signon(asker, game, name, f"{wished['SEAT']} {wished['PREFER']}")


def _status(asker: Asker, _: str) -> Reply:
    nothing = "You have signed on to nothing. The word\u00a0GAMES tells what is open."
    return signing_on.awaited(asker) or Reply(nothing, "How it stands")


def _is_forged(work: Work, judged: Judged) -> bool:
    known = senders.registered(work, judged.letter.sender or "")
    return not known and senders.failed(work, judged)


def _forged(work: Work, judged: Judged) -> LetterOutcome:
    text = senders.NOT_TAKEN.format(gamesmaster=work.mark.gamesmaster)
    senders.tell(work, judged, senders.QUESTION, Reply(text, "Your letter was not taken"))
    reason = f"{judged.decision.reason}; nothing was done: DMARC"
    return LetterOutcome(LetterState.UNKNOWN_SENDER, reason)


def no_more_mail(work: Work, judged: Judged) -> LetterOutcome:
    """Carry out STOP: no more invitations, no answer. An unproven letter gets a code."""
    decision = judged.decision
    if decision.authentication is Level.PROVEN:
        open_tables.refuse_invitations(work.conn, judged.letter.sender or "", work.now)
        return LetterOutcome(LetterState.COMMAND, decision.reason)
    if why := senders.why_not(work, judged):
        return LetterOutcome(
            LetterState.UNKNOWN_SENDER, f"{decision.reason}; no code was sent: {why}"
        )
    wished, subject = "You want no invitations from here.", "Do you want no more invitations?"
    asked = club.ask(Asker.of(work, judged), codes.CodeKind.NO_MORE_MAIL, subject, wished)
    senders.tell(work, judged, senders.ANSWER, asked)
    return LetterOutcome(LetterState.COMMAND, f"{decision.reason}, without proof")


def _confirm(asker: Asker, _: str) -> Reply:
    found = codes.find(asker.work, trust.code_of(asker.judged))
    first = codes.refusal(asker.work, found, asker.sender) or codes.UNKNOWN
    if again := signing_on.awaited(asker):
        return Reply(f"{first}\n\n{again}", again.subject, again.code, again.seed)
    return Reply(f"{first} The word\u00a0GAMES tells what is open.", "Your code")


WORDS: Mapping[str, Callable[[Asker, str], Reply]] = {
    "GAMES": club.all_games,
    "SIGNON": _signon,
    "SIGNOFF": signing_on.signoff,
    "WATCH": club.watch,
    "UNWATCH": club.unwatch,
    "INVITE": lambda asker, one: Reply(club.invited(asker, one), "Your invitation"),
    "PRACTICE": club.practise,
    "ZINE": club.zine,
    "LISTED": club.in_table,
    "RULES": club.rules,
    "TABLES": club.tables_of,
    "HELP": club.help_,
    "STATUS": _status,
    "CONFIRM": _confirm,
}


def heard(work: Work, judged: Judged) -> LetterOutcome:
    decision, sender = judged.decision, judged.letter.sender or ""
    reason, asker = decision.reason, Asker.of(work, judged)
    if _is_forged(work, judged):
        return _forged(work, judged)
    wish = _wish(work, judged)
    asked = [one.argument for one in naming(decision.peeled).commands if one.name == NAME]
    if asked and (named := signing_on.called(asker, asked[-1])):
        senders.tell(work, judged, senders.ANSWER, named)
        return LetterOutcome(LetterState.COMMAND, f"{reason}; asks for another name")
    by_code = wish.kind is Kind.CODE and decision.reply_allowed
    if by_code and (found := redeeming.at_the_door(work, judged, wish.code)):
        answer = redeeming.answer(work, judged, found)
        senders.tell(work, judged, senders.CONFIRMED, answer)
        return LetterOutcome(LetterState.COMMAND, f"{reason}; its code counts")
    known = wish.kind in (Kind.JOIN, Kind.WATCH, Kind.PRACTISE)
    if wish.kind is Kind.QUESTION and not _is_press(judged):
        own = wishes.to_us(decision.peeled) or trust.text(judged)
        _pass_on(work, sender, " ".join(own.split()))
    if senders.why_not(work, judged) or (senders.told(work, judged) and not known):
        return LetterOutcome(senders.silent(work, judged), reason)
    senders.tell(work, judged, senders.ANSWER, _granted(asker, wish))
    state = LetterState.COMMAND if known else LetterState.UNKNOWN_SENDER
    return LetterOutcome(state, f"{reason}; read as: {wish.kind}")


def answered(work: Work, judged: Judged) -> LetterOutcome:
    decision, asker = judged.decision, Asker.of(work, judged)
    if senders.failed(work, judged):
        return _forged(work, judged)
    pending = redeeming.at_the_door(work, judged, decision.case.door, late=True)
    if pending is None:
        return heard(work, judged)
    letter, told = judged.letter, pending.told
    known = [letter.sender_name, (letter.sender or "").partition("@")[0]]
    known += [str(told[one]) for one in ("name", "game", "watched") if one in told]
    reply = _answer(judged, known)
    says = reply.says
    if says is not Says.NO and trust.code_of(judged) == decision.case.door:
        says = Says.YES
    if says in (Says.YES, Says.QUESTION) and reply.asks:
        _pass_on(work, asker.sender, reply.asks)
    if says is Says.YES and not codes.refusal(work, pending, asker.sender):
        answer = redeeming.answer(work, judged, pending, called=reply.name)
        told_all = senders.joined([answer, *([_PASSED_ON] if reply.asks else [])])
        senders.tell(work, judged, senders.CONFIRMED, told_all)
        return LetterOutcome(LetterState.COMMAND, f"{decision.reason}: yes")
    if says is Says.NO:
        senders.tell(work, judged, senders.ANSWER, _closes(work, pending))
        return LetterOutcome(LetterState.COMMAND, f"{decision.reason}: no")
    if says is Says.UNCLEAR and not _may_ask_again(work, judged):
        return LetterOutcome(LetterState.IGNORED, f"{decision.reason}, as a machine does")
    if senders.why_not(work, judged):
        return LetterOutcome(senders.silent(work, judged), f"{decision.reason}: {says}")
    first = {
        Says.YES: "Your answer came too late, but you can answer again.",
        Says.QUESTION: _PASSED_ON,
    }.get(says, "I could not tell from your answer whether you mean yes.")
    senders.tell(work, judged, senders.ANSWER, _before(asker, first))
    return LetterOutcome(LetterState.COMMAND, f"{decision.reason}: {says}")


def _wish(work: Work, judged: Judged) -> Wish:
    """Return its wish. The subject counts if the text is empty."""
    joinable = {one.id: one.ruleset for one in open_tables.listed(work.conn)}
    seen = [*joinable, *played.seen(work.conn)]
    said, subject = trust.text(judged), judged.letter.subject.strip()
    if not (said.strip() or ":" in subject or code_in(subject)):
        said = subject
    return wishes.read(said, houses.phrases(), joinable, seen, club.meant(said))


def _answer(judged: Judged, known: Sequence[str]) -> answers.Answer:
    """known: words that are names."""
    return answers.read(trust.text(judged), houses.phrases(), known)


def _closes(work: Work, refused: Pending) -> Reply:
    codes.void(work, refused.hashed)
    table = OpenTable.one(work.conn, id=refused.told.get("game", ""))
    one = open_tables.applicant(work.conn, refused.told.get("applicant", 0))
    if table is None or one is None:
        return Reply("Nothing was done, and you get no more mails about it.", "Nothing was done")
    return signing_on.gives_up(work, table, one)


def _may_ask_again(work: Work, judged: Judged) -> bool:
    """Return whether to ask again, once a week a mailbox, after neither yes nor no."""
    box = code_hash(open_tables.mailbox(judged.letter.sender or ""))
    key = codes.key(f"machine:{box}")
    until = notes.memo(work.conn, key).get("until", "")
    if not judged.decision.reply_allowed or until > work.now.isoformat():
        return False
    notes.set_memo(work.conn, key, {"until": (work.now + codes.LIVES).isoformat()})
    return True


def _granted(asker: Asker, wish: Wish) -> Reply:
    work, judged = asker.work, asker.judged
    if not wish.table and (offered := claims.open_to(work, asker.sender)):
        return Reply("\n\n".join(offered), "A seat is offered to you")
    match wish.kind:
        case Kind.JOIN if wish.table:
            # their first line would seat them, if somebody had asked
            sure = _answer(judged, [wish.table]).says is Says.YES
            return signing_on.signon(asker, wish.table, wish.name, sure=sure)
        case Kind.JOIN:
            return _which(asker, wish)
        case Kind.WATCH:
            return club.watch(asker, wish.table) if wish.table else _which_to_watch(work)
        case Kind.PRACTISE:
            return club.practise(asker, wish.table)
        case Kind.QUESTION if not _is_press(judged):
            return _before(asker, _PASSED_ON)
        case Kind.CODE:  # a fresh one is offered, if something else waits for it
            found = codes.find(work, wish.code)
            return _before(asker, codes.refusal(work, found, asker.sender) or codes.UNKNOWN)
    if words := _of_seats(judged):
        return _before(asker, f"Only players can say {words}. You have no seat, so it did nothing.")
    if unreadable := judged.letter.unreadable:
        return _before(asker, unreadable)
    if stands := signing_on.awaited(asker):
        return stands
    if answers.refuses(trust.text(judged), houses.phrases()):
        text = (
            "You are on no list here, and get no mail but answers to letters from your address."
            " There is nothing that you need do."
        )
        return Reply(text, "You are on no list here")
    return _welcome(asker)


def _of_seats(judged: Judged) -> str:
    """Return the words of players that it says, listed."""
    peeled = naming(judged.decision.peeled)
    said = [one.name for one in peeled.commands if not one.argument.startswith("IS ")]
    return listed(dict.fromkeys([*said, *["PRESS"] * _is_press(judged)]))


def _is_press(judged: Judged) -> bool:
    """Return whether it is press, but not to the gamesmaster: that is a question."""
    return bool(judged.decision.peeled.press) and not wishes.to_us(judged.decision.peeled)


def _before(asker: Asker, said: str) -> Reply:
    """Return what is awaited of them, or a welcome, with a sentence before it."""
    again = signing_on.awaited(asker) or _welcome(asker)
    hello, _, rest = again.partition("\n\n")
    text = f"{hello}\n\n{said}\n\n{rest}" if hello.startswith("Hello") else f"{said}\n\n{again}"
    return Reply(text, again.subject, again.code, again.seed)


def _welcome(asker: Asker) -> Reply:
    open_now = open_tables.listed(asker.conn)[:MOST_LISTED]
    if not open_now:
        return Reply(f"{_HELLO}\n\n{_no_table(asker)}", "Games by mail")
    return Reply(_choices(asker.work, _HELLO, open_now), "Games by mail: would you play?")


def _no_table(asker: Asker) -> str:
    """Name practice of the game that the letter names."""
    game = (*club.meant(trust.text(asker.judged)), "legislation")[0]
    alone = f" To play at once, alone against house bots, write\u00a0PRACTICE\u00a0{game}."
    return (
        "No table is open just now. To watch a game that runs, write\u00a0GAMES."
        f"{alone if asker.work.limits.practice_games else ''}"
    )


def _which(asker: Asker, wish: Wish) -> Reply:
    open_now = open_tables.listed(asker.conn)[:MOST_LISTED]
    if not open_now:
        own = " ".join(trust.text(asker.judged).split())
        wants = "would like to play, and no table is open"
        _tell_gamesmaster(asker.work, asker.sender, "wishes", "would like to play", wants, own)
        said = (
            "Thank you! The gamesmaster, who opens tables, knows now that you would like to play."
        )
        return Reply(f"{said}\n\n{_no_table(asker)}", "No table is open just now")
    first = f'No table "{wish.named}" is open. ' if wish.named else ""
    many = "Which table would you like to join?" if len(open_now) > 1 else "One table is open."
    return Reply(_choices(asker.work, f"{first}{many}", open_now), "Which table?")


def _choices(work: Work, first: str, open_now: Sequence[OpenTable]) -> str:
    offered = tables.offered(work, open_now)
    last = "Answer so, or in your own words. Questions are welcome."
    return "\n\n".join([first, *offered, last])


def _which_to_watch(work: Work) -> Reply:
    begins = [
        one.id
        for one in open_tables.listed(work.conn)
        if one.plan["game"]["house"].get("watch", True)
    ]
    seen = [*played.seen(work.conn), *begins][:MOST_LISTED]
    if not seen:
        return Reply("No game can be watched just now.", "No game can be watched just now")
    lines = [club.watch_line(work, one) for one in seen]
    return Reply("\n\n".join(["Which game would you like to watch?", *lines]), "Which game?")


def _pass_on(work: Work, sender: str, question: str) -> None:
    asks = "asks what only you can answer"
    _tell_gamesmaster(work, sender, "asks", "has a question", asks, question)


def _tell_gamesmaster(
    work: Work, sender: str, kind: str, subject: str, what: str, own: str
) -> None:
    """Mail the gamesmaster what somebody wrote, one of a kind an hour a mailbox."""
    key = f"{kind}:{open_tables.mailbox(sender)}"[:120]
    text = (
        f"{sender} {what}. Your mail program's answer to this mail goes to the referee: write to"
        f" {sender} yourself.\n\n{sheet.fenced(own[:2_000])}"
    )
    draft = Draft(f"{key}:{work.now:%Y%m%d%H}", "alarm", f"[pbem] {sender} {subject}", text)
    alarms.put(work, draft, work.mark.gamesmaster)


def merge(work: Work) -> int:
    """Send what has waited for an hour while there is room, one mail a mailbox. Return their
    number."""
    rows = (row for row in mails.merged(work.conn) if not row.game_id)
    groups = grouped((open_tables.mailbox(row.recipient), row) for row in rows)
    ripe = [group for group in groups.values() if work.now - group[0].created >= senders.HOUR]
    new = [group for group in ripe if group[0].kind == senders.NEWCOMER]
    late = new[max(0, senders.left(work, senders.NEWCOMER)) :] if new else []
    ripe = [group for group in ripe if group not in late]
    for group in ripe:
        _send(work, group)
        mails.set_states(work.conn, [row.id for row in group], MailState.LISTED)
    return len(ripe)


def _send(work: Work, group: Sequence[Outgoing]) -> None:
    to, old = group[0].recipient, [Frozen(row.raw) for row in group]
    many = f"are the {len(group)} answers" if group[1:] else "is the answer"
    first = (
        f"More letters came within an hour than are answered one by one. Here {many} that waited."
    )
    parts = [f"{sheet.heading(one.subject)}\n\n{_unbroken(one.said)}" for one in old]
    reply_to = next((one.reply_to for one in reversed(old) if one.reply_to), None)
    subject = old[0].subject if len(old) == 1 else f"{counted(len(old), 'answer')} in one"
    key = f"merged:{group[0].id}-{group[-1].id}"
    draft = Draft(key, group[0].kind, subject, "\n\n".join([first, *parts]), reply_to=reply_to)
    seats.put(work, to, draft, rich=not players.wants_plain(work.conn, to))


def _unbroken(text: str) -> str:
    """Join lines broken at the margin; keep what is indented or a list."""
    made = list[str]()
    for line in text.split("\n"):
        goes_on = made and made[-1] and line[:1].isalnum() and not made[-1].startswith(" ")
        if goes_on:
            made[-1] = f"{made[-1]} {line}"
        else:
            made.append(line)
    return "\n".join(made)
