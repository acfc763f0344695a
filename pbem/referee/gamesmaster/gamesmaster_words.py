"""Answer a gamesmaster's letter: carry out its commands, or ask for their codes.

The code of a link to the desk works once, for ten minutes.
"""

import hashlib
import re
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from pbem.acts.act import Act, Kind
from pbem.acts.acts import BY_MAIL, FAMILIES
from pbem.budget import paused
from pbem.errors import OperatorError
from pbem.house import templates
from pbem.letters.states import LetterState
from pbem.orders.characters import first_word
from pbem.orders.mailwords import GAMESMASTER, Command, Peeled, Press, is_shouted, stripped
from pbem.orders.spelling import is_number
from pbem.pages import sheet
from pbem.periods import guards, handover
from pbem.post import alarms, codes, masters
from pbem.post.codes import Pending
from pbem.post.compose import Draft
from pbem.post.postmark import code_hash
from pbem.post.work import Work
from pbem.referee.acts import doing
from pbem.referee.acts.doing import Actor, do, flags, may, no_options, values_of
from pbem.referee.deciding import senders
from pbem.referee.deciding.judged import Judged, LetterOutcome
from pbem.referee.deciding.trust import BELIEVED
from pbem.referee.game import receipts, relaying
from pbem.referee.gamesmaster import queue, waits
from pbem.referee.gamesmaster.queue import Face
from pbem.store.engine.database import taken_back
from pbem.store.games import games
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.journal.notes import LookKind
from pbem.store.letters import letters
from pbem.store.mails import mails
from pbem.store.schema.tables import Gamesmaster, Letter, Memo
from pbem.text import listed


def help_(word: str = "") -> str:
    """Return the commands, or the settings of one that has them."""
    asked = BY_MAIL.get(word.strip().upper())
    by_mail = [(title, [one for one in acts if one.by_mail]) for title, acts in FAMILIES.values()]
    return templates.shared(
        "commands",
        of=asked if asked and asked.settings else None,
        families=[(title, acts) for title, acts in by_mail if acts],
        timeless=sorted(act.word for act in BY_MAIL.values() if act.timeless),
    )


MAIL = "desk"
WAY_IN_LIVES = timedelta(minutes=10)
_CODE = "desk-code:"
_ASKED = "desk-asked:"
_HOUR = timedelta(hours=1)
_MOST, _MOST_MAILED, _MOST_PROVEN = 3, 12, 12
"""Links an hour: for each asker at the door, mailed to one gamesmaster, by their own proven
letters."""
TOO_MANY = "You have been mailed {} links to your desk within an hour. Ask again later."
SHELL = "the shell"
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Addresses that mean all -> one that a browser can open."""


def code(work: Work, who: str) -> str:
    """Make a gamesmaster's code; who: "" for the shell."""
    notes.forget_old(work.conn, work.now, _CODE)
    secret, until = secrets.token_urlsafe(24), work.now + WAY_IN_LIVES
    notes.set_memo(work.conn, _key(secret), {"who": who, "until": until.isoformat()})
    return secret


def whose(conn: Connection, secret: str, now: datetime) -> str | None:
    """Return who has this code; None if wrong, old or used."""
    told = notes.memo(conn, _key(secret)) if secret else {}
    return str(told["who"]) if told and datetime.fromisoformat(told["until"]) > now else None


def use(work: Work, secret: str) -> str | None:
    """Use up a code. Return whose it was, or None."""
    found = whose(work.conn, secret, work.now)
    return found if found is not None and Memo.drop(work.conn, key=_key(secret)) else None


def link(work: Work, secret: str) -> str:
    ours = work.config.desk
    host = _EVERYWHERE.get(ours.host, ours.host)
    name = f"[{host}]" if ":" in host else host
    base = ours.address.rstrip("/") or f"http://{name}:{ours.port}"
    return f"{base}/enter?code={secret}"


def words(work: Work, who: str) -> str:
    if not _may_ask(work, f"letters of {who}", _MOST_PROVEN):
        return TOO_MANY.format(_MOST_PROVEN)
    return _mail_text(work, who)


def _mail_text(work: Work, who: str) -> str:
    listens = "" if work.config.desk.address else work.config.desk.host
    return templates.shared("way_in", link=link(work, code(work, who)), listens=listens)


def ask(work: Work, address: str, asker: str) -> bool:
    """Mail a link to a gamesmaster. Return whether it was; the asker must not learn it. asker:
    where they ask from; each has a limit."""
    if not masters.is_one(work.conn, work.mark, address):
        return False
    if mails.made(work.conn, work.now - _HOUR, MAIL, recipient=address) >= _MOST_MAILED:
        return False
    if not _may_ask(work, asker, _MOST):
        return False
    key = f"{MAIL}:{address}:{work.now.isoformat()}"
    draft = Draft(key, MAIL, "[pbem] The way to your desk", _mail_text(work, address))
    alarms.put(work, draft, address)
    return True


def _may_ask(work: Work, asker: str, most: int) -> bool:
    notes.forget_old(work.conn, work.now, _ASKED)
    key = _ASKED + hashlib.sha256(asker.encode()).hexdigest()
    since = (work.now - _HOUR).isoformat()
    had = [one for one in notes.memo(work.conn, key).get("at", ()) if one > since]
    if len(had) >= most:
        return False
    until = (work.now + _HOUR).isoformat()
    notes.set_memo(work.conn, key, {"at": [*had, work.now.isoformat()], "until": until})
    return True


def _key(secret: str) -> str:
    return _CODE + hashlib.sha256(secret.encode()).hexdigest()


_SUBJECT = "Re: your commands"
_SHELL = re.compile(r"`pbem ([a-z]+)((?: [^\s`-][^\s`]*)*(?: --(?:none|second))?)`")
"""A shell command, as refusals name it."""

MOST_COMMANDS = 12
"""Carried out of one letter."""


def commanded(work: Work, judged: Judged) -> tuple[LetterState, str]:
    """Carry out a letter's commands, or mail their codes."""
    peeled = judged.decision.peeled
    letters.set_state(
        work.conn, judged.row.id, LetterState.COMMAND
    )  # so that QUEUE does not count it
    written, actor = _asked(peeled), Actor(judged.letter.sender or "?")
    parts = list(_carried_out(work, judged, written, actor))
    asked = written[: len(parts)]
    if more := len(written) - len(asked):
        most = (
            f"One letter has {MOST_COMMANDS} commands at most"
            if len(asked) == MOST_COMMANDS
            else "Your commands are as much work as one letter may be"
        )
        were = "one was" if more == 1 else f"{more} were"
        parts.append(f"{most}; the other {were} not read. Send the rest in another letter.")
    parts += _unread(peeled)
    if asked and not peeled.empty:
        parts.append(
            "The other lines were not read: orders of your own go into a letter without commands."
        )
    senders.reply(work, judged, _SUBJECT, parts or ["There was no command in your letter."])
    return LetterState.COMMAND, "the gamesmaster: " + ", ".join(one.name for one in asked)


def _carried_out(
    work: Work, judged: Judged, written: Sequence[Command], actor: Actor
) -> Iterator[str]:
    """Yield the answers, until the letter's share of work is used up."""
    began = time.process_time()
    for number, command in enumerate(written[:MOST_COMMANDS]):
        if number and time.process_time() - began > work.mark.seconds:
            return
        yield _answered(work, judged, command, actor)


def _answered(work: Work, judged: Judged, command: Command, actor: Actor) -> str:
    peeled = judged.decision.peeled
    wanted = BY_MAIL.get(command.name)
    try:
        if wanted is not None and wanted.has(Kind.GAME) and len(peeled.games) > 1:
            raise OperatorError(
                f"your letter names the games {listed(peeled.games)}, and nothing was done;"
                " write a letter for each"
            )
        believed = judged.row.authentication in BELIEVED  # its letter has had a code
        if wanted is not None and wanted.code and (wanted.tried or not believed):
            return _ask_code(work, judged, wanted, command, actor)
        return act(work, command.name, command.argument, peeled.game, peeled.period, actor)
    except OperatorError as error:
        return _refused(command.name, error)


def _refused(name: str, error: OperatorError) -> str:
    return f"{name}: {spoken(str(error))}"


def spoken(text: str) -> str:
    """Replace a refusal's shell commands by words of a mail."""
    return _SHELL.sub(_spoken, text)


def _spoken(found: re.Match[str]) -> str:
    wanted = next((act for act in BY_MAIL.values() if act.name == found[1]), None)
    if wanted is None:
        return found[0]
    said = (one[2:].upper() if one.startswith("--") else one for one in found[2].split())
    return " ".join((wanted.word, *(*said,)[wanted.of_game :]))


def _asked(peeled: Peeled) -> list[Command]:
    presses = (
        Command("PRESS", f"{one.addressed}\n{one.text}", one.line)
        for one in peeled.press
        if not _why_not(one)
    )
    return sorted((*peeled.commands, *presses), key=lambda command: command.line)


def _why_not(press: Press) -> str:
    return "" if press.closed else "END PRESS on a line of its own below the last word is missing"


def _unread(peeled: Peeled) -> list[str]:
    lines = [stripped(line) for line in peeled.text.split("\n")]
    acts = dict.fromkeys(line for line in lines if first_word(line) in BY_MAIL)
    return [_asked_about(line, first_word(line), peeled) for line in acts] + [
        f"PRESS (to {', '.join(one.to)}): nothing was relayed: {why}"
        for one in peeled.press
        if (why := _why_not(one))
    ]


def _asked_about(line: str, word: str, peeled: Peeled) -> str:
    meant = f"{word}{line[len(word) :]}"
    if is_shouted(line) or not GAMESMASTER.fullmatch(line):
        return f"{word}: not understood, nothing was done; write it as: {BY_MAIL[word].shown}"
    place = [f"GAME {peeled.game}"] * bool(peeled.game)
    place += [f"PERIOD {peeled.period}"] * (peeled.period is not None)
    send = sheet.fenced("\n".join((*place, meant)))
    return f'"{line}" is a sentence, so nothing was done. If it is a command, send:\n\n{send}\n'


def _ask_code(work: Work, judged: Judged, wanted: Act, command: Command, actor: Actor) -> str:
    """Store the command's code. Return the answer, with what it would change."""
    peeled = judged.decision.peeled
    game, values = _meant(work, wanted, command.argument, peeled.game, peeled.period, actor)
    upon = _upon(work, wanted, game, values)
    first, _, below = command.argument.partition("\n")
    lines = relaying.harmless(below.strip("\n"))
    shows = _try(work, wanted, values, actor)
    # ids may change after a restore
    code = work.mark.code(f"act/{judged.letter.raw_hash}/{command.line}")
    codes.file(
        work,
        code,
        codes.CodeKind.ACT,
        actor.address or "",
        work.now + codes.PROOF_LIVES,
        name=command.name,
        argument=command.argument,
        game=values.get("game") or "",
        period=game.period.number if game else None,
        edition=game.row.edition if game else 0,
    )
    asks = f"To do it, write to the referee the one line\n\n    CONFIRM {code}"
    # not at the start of a line, so that a quotation is not read as a command
    asked_for = f"You asked: {command.name} {first}".strip() + upon
    if lines.strip():
        return f"{asked_for}, with these lines:\n\n{sheet.fenced(lines)}\n\n{asks}{shows}"
    return f"{asked_for}. {asks}{shows}"


def _try(work: Work, wanted: Act, values: Mapping[str, Any], actor: Actor) -> str:
    """Try the act and undo it. Return what it would change, or "": a look at secrets. Raise
    OperatorError."""
    if wanted.tried:
        with paused:
            return f"\n\n{do(work, wanted, values, actor).mailed or ''}"
    with taken_back(work.conn), paused:
        done = do(work, wanted, values, actor)
    if wanted.name == "order":
        guards.looked(work, games.game_at(work.conn, values["game"]), LookKind.ORDER)
        return f"\n\nAs it would be now: {done.mailed}"
    return ""


def _upon(work: Work, wanted: Act, game: GameAt | None, values: Mapping[str, Any]) -> str:
    if wanted.has(Kind.GAME) and game:
        return f" (game {game.id}, period {game.period.number})"
    if values.get("game"):
        return f" (game {values['game']})"
    if values.get("letter") is not None:
        row = doing.letter(work.conn, values["letter"])
        of = f", for {row.seat or '?'} in game {row.game_id}" if row.game_id else ""
        return f" (a letter that is {row.outcome}{of})"
    return ""


def confirmed(work: Work, judged: Judged, found: Pending) -> LetterOutcome:
    """Redeem a gamesmaster's code: carry out its act, or agree to another gamesmaster."""
    stored, is_act = found.told, found.kind is codes.CodeKind.ACT
    name = stored["name"] if is_act else "CONFIRM"
    Gamesmaster.change(work.conn, {"address": found.by}, heard=work.now)
    try:
        said = _by_code(work, found) if is_act else handover.confirm(work, found)
    except OperatorError as error:
        said = _refused(name, error)
    senders.reply(work, judged, _SUBJECT, [said])
    done = f"the gamesmaster, by code: {name}" if is_act else "agrees to another gamesmaster"
    return LetterOutcome(LetterState.COMMAND, done)


def _by_code(work: Work, found: Pending) -> str:
    told, game = found.told, found.told["game"]
    if game and told["edition"] not in (0, games.game(work.conn, game).edition):
        raise OperatorError("the game has been rewound since; send the command again")
    return act(work, told["name"], told["argument"], game, told["period"], Actor(found.by))


def act(
    work: Work, name: str, argument: str, game_id: str, number: int | None, actor: Actor
) -> str:
    """Carry out an act. Return the answer. Raise OperatorError."""
    if name == "HELP":
        return help_(argument)
    if name == "QUEUE":
        page = int(argument) if is_number(argument) else 1
        which = "" if is_number(argument) else argument or game_id
        return queue.text(queue.queue(work, which or None, page, actor.address), Face.MAIL)
    if name == "SEEN":
        return waits.seen(work, actor.address or work.mark.gamesmaster, argument.strip())
    if name == "DESK":
        return words(work, actor.address or work.mark.gamesmaster)
    wanted = BY_MAIL.get(name)
    if wanted is not None and name == "TABLE":
        values = values_of(wanted, None, argument)
        may(work, wanted, values, actor)
        return queue.table_words(work, values["table"], Face.MAIL)
    if wanted is None:
        raise OperatorError(
            "that is no command of the gamesmaster's by mail. The commands are HELP,"
            f" {', '.join(BY_MAIL)}"
        )
    with paused:  # an act's work does not count for the letter
        _, values = _meant(work, wanted, argument, game_id, number, actor)
        if wanted.tried:  # its code has been redeemed
            values[wanted.tried] = True
        done = do(work, wanted, values, actor)
    return done.mailed or f"{name}: {done.said}"


def _meant(
    work: Work, wanted: Act, text: str, game_id: str, number: int | None, actor: Actor
) -> tuple[GameAt | None, dict[str, Any]]:
    """Return the command's game, None before it has begun, and its arguments. Raise
    OperatorError."""
    conn, game = work.conn, None
    no_options(wanted, text)
    instead = frozenset().union(*wanted.ways)  # resume --all names no game
    upon_game = wanted.of_game and instead.isdisjoint(flags(wanted, text)[0])
    if upon_game:
        if not game_id:
            raise OperatorError("name the game: a line GAME key above the command")
        may(work, wanted, {"game": game_id}, actor)  # before anything is told of it
    if upon_game and wanted.timeless:
        game = games.begun(conn, game_id)
    elif upon_game:
        game = _named(conn, wanted, game_id, number)
    values = values_of(wanted, game, text, game_id if upon_game else None)
    own = doing.game_of(conn, values)
    if game_id and own and own != game_id:
        raise OperatorError(f"{text} is of game {own}, not {game_id}; nothing was done")
    return game, values


def _named(conn: Connection, wanted: Act, game_id: str, number: int | None) -> GameAt | None:
    """Return the game at the required GAME and PERIOD. None before it has begun."""
    game = games.begun(conn, game_id)
    if game is None:
        return None
    if wanted.reopens:
        guards.in_period(game, number)
    else:
        guards.guarded(conn, game_id, number)
    if number is None:
        raise OperatorError(f"name the period too: a line PERIOD {game.period.number}")
    return game


def ask_proof(work: Work, judged: Judged) -> None:
    code = work.mark.code(f"confirm/{judged.letter.raw_hash}")
    Letter.change(work.conn, {"id": judged.row.id}, code_hash=code_hash(code))
    lacks, days = judged.decision.case.lacks, codes.PROOF_LIVES.days
    text = templates.said("senders", "proof", lacks, days, code)
    sender = judged.letter.sender or ""
    recent = mails.made(work.conn, work.now - receipts.HOUR, "proof", recipient=sender)
    if recent < work.limits.stranger_mails_an_hour:
        senders.reply(work, judged, _SUBJECT, [text], "proof")
