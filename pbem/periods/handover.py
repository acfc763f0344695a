"""Change a gamesmaster once all concerned have confirmed; then tell players."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import Connection

from pbem.errors import OperatorError
from pbem.post import alarms, codes, masters
from pbem.post.codes import Pending
from pbem.post.compose import Draft
from pbem.post.masters import Masters
from pbem.post.postmark import code_hash
from pbem.post.seats import to_all
from pbem.post.work import Work
from pbem.store.games import games
from pbem.store.journal import notes
from pbem.store.journal.notes import Kept
from pbem.store.people import deputies, gamesmasters
from pbem.store.schema.states import GameState, NoteKind
from pbem.text import listed, moment_words

LIVES = timedelta(days=7)
BEGINS = (
    "Answer this mail with the one word QUEUE to see how it stands, or HELP for all that you can"
    " do by mail."
)


class Role(StrEnum):
    """What somebody is asked to be."""

    MASTER = "master"
    SECOND = "second"

    @property
    def words(self) -> str:
        return "gamesmaster" if self is Role.MASTER else "second gamesmaster"


class Request(NamedTuple):
    """A change that waits."""

    game: str
    role: Role
    codes: dict[str, str]
    """Hash -> address."""
    until: datetime
    unasked: bool
    """Whether ``old`` is gone."""
    new: str = ""
    """Replaces ``old``; "": nobody does."""
    old: str = ""


_REQUESTS = Kept(Request, "", ("role", "game"))


def ask(work: Work, game_id: str, role: Role, new: str, *, now: bool) -> tuple[str, ...]:
    """Mail codes to all who must agree; void earlier ones. Return addresses.

    ``now``: those in charge are gone; ask only ``new``.
    """
    hands = masters.of(work.conn, work.mark, game_id)
    _possible(work, hands, role, new)
    old = hands.gamesmaster if role is Role.MASTER else hands.second or ""
    asked = [new] if now else [one for one in (hands.gamesmaster, old, new) if one]
    asked = list(dict.fromkeys(asked))
    void(work.conn, game_id, role)
    moment = work.now.isoformat()
    made = {one: work.mark.code(f"{role}/{game_id}/{new}/{one}/{moment}") for one in asked}
    hashes = {code_hash(code): one for one, code in made.items()}
    unasked = now and bool(old)
    request = Request(game_id, role, hashes, work.now + LIVES, unasked, new, old)
    _REQUESTS.put(work.conn, request)
    for one, code in made.items():
        told = {"handover": f"{role}:{game_id}", "by": one}
        notes.set_memo(work.conn, codes.key(code_hash(code)), told)
        _mail_code(work, request, one, code)
    gamesmasters.count_asked(work.conn, new, 1)
    notes.note(work.conn, game_id, work.now, f"{role}-asked", unasked=request.unasked)
    return tuple(asked)


def _possible(work: Work, hands: Masters, role: Role, new: str) -> None:
    if games.game(work.conn, hands.game).status == GameState.OVER:
        raise OperatorError(f"game {hands.game} is over")
    if new == (hands.gamesmaster if role is Role.MASTER else hands.second):
        raise OperatorError(f"{new} is the {role.words} of {hands.game} already")
    if role is Role.SECOND and new == hands.gamesmaster:
        raise OperatorError(
            f"{new} is the gamesmaster of {hands.game}; its second has to be somebody else"
        )
    if seat := masters.plays(work.conn, hands.game, new):
        raise OperatorError(f"{new} plays {seat} in {hands.game}, and may not have it in hand")
    if deputies.acts(work.conn, hands.game, new):
        raise OperatorError(f"{new} is a deputy in {hands.game}, and may not have it in hand")


def _mail_code(work: Work, request: Request, to: str, code: str) -> None:
    role, game_id = request.role, request.game
    title = games.game(work.conn, game_id).ruleset
    place = f" in place of {request.old}" if request.old else ""
    if to == request.new:
        begins = f"You are asked to be the {role.words} of the game {game_id} ({title}){place}."
        if role is Role.SECOND:
            begins += (
                " The second gamesmaster does the acts of a game while its gamesmaster plays in it."
            )
        begins += " Everything can be done by mail; the word HELP in your answer lists how."
        subject = f"[{game_id}] Will you be its {role.words}?"
    else:
        begins = f"{request.new} is to be the {role.words} of the game {game_id}{place}."
        subject = f"[{game_id}] {_headed(request)}?"
    text = (
        f"{begins}\n\nIf you agree, answer this mail before"
        f" {moment_words(request.until)} UTC with the one line\n\n"
        f"    CONFIRM {code}\n\nIf not, do nothing: then nothing changes."
    )
    alarms.put(work, Draft(f"{role}:{code_hash(code)}", "handover", subject, text), to)


def confirm(work: Work, pending: Pending) -> str:
    """Redeem a code; the last makes the change. Return the answer. Raise OperatorError."""
    request = _REQUESTS.get(work.conn, *pending.told["handover"].split(":"))
    assert request
    role = request.role
    hands = masters.of(work.conn, work.mark, request.game)
    _possible(work, hands, role, request.new)
    left = {one: whose for one, whose in request.codes.items() if one != pending.hashed}
    if left:
        codes.void(work, pending.hashed)
        _REQUESTS.put(work.conn, request._replace(codes=left))
        return (
            f"You have agreed that {request.new} is to be the {role.words} of {request.game}. It"
            f" is so once {listed(left.values())} {'have' if len(left) > 1 else 'has'} agreed too."
        )
    _forget(work.conn, request)
    _change(work, request, pending.by)
    said = f"{request.new} is the {role.words} of {request.game} now. All its players are told."
    return f"{said} {BEGINS}" if pending.by == request.new else said


def void(conn: Connection, game_id: str, *roles: Role) -> None:
    for role in roles:
        _forget(conn, _REQUESTS.get(conn, role, game_id))


def pending(conn: Connection, game_id: str, role: Role) -> bool:
    return _REQUESTS.get(conn, role, game_id) is not None


def void_asked(conn: Connection, game_id: str, new: str) -> None:
    """Void that somebody may take over, since the gamesmaster is heard of again."""
    request = _REQUESTS.get(conn, Role.MASTER, game_id)
    if request and request.unasked and request.new == new:
        _forget(conn, request)


def _change(work: Work, request: Request, last: str) -> None:
    """Tell all but ``last``, who is answered."""
    game_id, role = request.game, request.role
    if role is Role.MASTER:
        void(work.conn, game_id, Role.SECOND)  # agreed to by another gamesmaster, if at all
        games.set_game(work.conn, game_id, gamesmaster=request.new, attended=work.now)
    else:
        games.set_game(work.conn, game_id, second=request.new, attended=work.now)
    if request.old:
        masters.rotate(work.conn, work.mark, request.old)
    notes.note(work.conn, game_id, work.now, role, unasked=request.unasked)
    without = " The one before was not asked." if request.unasked else ""
    has = f"The game has {_headed(request).lower()}"
    said = f"{has}.{without}"
    notes.rule(work.conn, game_id, NoteKind.HOUSE, said, work.now)
    hands = masters.of(work.conn, work.mark, game_id)
    game = games.begun(work.conn, game_id)
    stamp = f"{work.now:%Y%m%d%H%M%S%f}"
    if game is not None:
        text = f"{has}: {request.new}.{without}\n\n{hands.words}\n"
        subject = f"[{game_id}] {_headed(request)}"
        draft = Draft(f"{role}:{game_id}:{stamp}", "handover", subject, text)
        to_all(work, game, draft)
    for address in {request.new, request.old, hands.gamesmaster} - {last, ""}:
        text = f"{request.new} is the {role.words} of {game_id} now.{without}"
        if address == request.old:
            text += (
                " Your secret address of before is void; the answer address of this mail is new."
            )
        if address == request.new:
            text += f" {BEGINS}"
        key = f"{role}:{game_id}:{stamp}:{code_hash(address)[:16]}"
        subject = f"[{game_id}] {_headed(request)}"
        alarms.put(work, Draft(key, "handover", subject, text), address)


def _headed(request: Request) -> str:
    return f"{'Another' if request.old else 'A'} {request.role.words}"


def _forget(conn: Connection, request: Request | None) -> None:
    if request is not None:
        hashes = (codes.key(one) for one in request.codes)
        notes.forget_memos(conn, f"{request.role}:{request.game}", *hashes)
        gamesmasters.count_asked(conn, request.new, -1)
