"""Change a gamesmaster once all concerned have confirmed; then tell players."""

from datetime import timedelta
from enum import StrEnum

from sqlalchemy import Connection

from pbem.errors import OperatorError
from pbem.house import templates
from pbem.post import alarms, codes, masters
from pbem.post.codes import Pending
from pbem.post.compose import Draft
from pbem.post.masters import Masters
from pbem.post.postmark import code_hash
from pbem.post.seats import to_all
from pbem.post.work import Work
from pbem.store.games import games
from pbem.store.journal import notes
from pbem.store.people import deputies, gamesmasters, players
from pbem.store.schema.states import GameState, NoteKind
from pbem.store.schema.tables import Handover
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
    request = Handover(role, game_id, hashes, unasked, new, old)
    Handover.add(work.conn, request)
    for one, code in made.items():
        told = {"role": role, "game": game_id}
        codes.file(work, code, codes.CodeKind.HANDOVER, one, work.now + LIVES, **told)
        _mail(work, request, f"{role}:{code_hash(code)}", one, code)
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
    player_id = players.at_address(work.conn, new)
    if player_id and deputies.of_player(work.conn, hands.game, player_id):
        raise OperatorError(f"{new} is a deputy in {hands.game}, and may not have it in hand")


def _mail(work: Work, request: Handover, key: str, to: str, code: str = "") -> None:
    role, game_id = Role(request.role), request.game_id
    known = {"role": role.words, "ruleset": games.game(work.conn, game_id).ruleset}
    of = {"one": request, "to": to, "code": code, "begins": BEGINS, **known}
    subject, text = templates.mail("handover", until=moment_words(work.now + LIVES), **of)
    alarms.put(work, Draft(key, "handover", f"[{game_id}] {subject}", text), to)


def confirm(work: Work, pending: Pending) -> str:
    """Redeem a code; the last makes the change. Return the answer. Raise OperatorError."""
    role, game_id = Role(pending.told["role"]), pending.told["game"]
    request = Handover.one(work.conn, role=role, game_id=game_id)
    assert request
    hands = masters.of(work.conn, work.mark, game_id)
    _possible(work, hands, role, request.successor)
    left = {one: whose for one, whose in request.codes.items() if one != pending.hashed}
    if left:
        codes.void(work, pending.hashed)
        Handover.change(work.conn, {"role": role, "game_id": game_id}, codes=left)
        return (
            f"You have agreed that {request.successor} is to be the {role.words} of {game_id}. It"
            f" is so once {listed(left.values())} {'have' if len(left) > 1 else 'has'} agreed too."
        )
    void(work.conn, game_id, role)
    _change(work, request, pending.by)
    said = f"{request.successor} is the {role.words} of {game_id} now. All its players are told."
    return f"{said} {BEGINS}" if pending.by == request.successor else said


def void(conn: Connection, game_id: str, *roles: Role) -> None:
    for role in roles:
        if request := Handover.one(conn, role=role, game_id=game_id):
            notes.forget_memos(conn, *(codes.key(hashed) for hashed in request.codes))
            Handover.drop(conn, role=role, game_id=game_id)
            gamesmasters.count_asked(conn, request.successor, -1)


def pending(conn: Connection, game_id: str, role: Role) -> bool:
    return Handover.has(conn, role=role, game_id=game_id)


def _change(work: Work, request: Handover, last: str) -> None:
    """Tell all but ``last``, who is answered."""
    game_id, role = request.game_id, Role(request.role)
    if role is Role.MASTER:
        void(work.conn, game_id, Role.SECOND)  # agreed to by another gamesmaster, if at all
        games.set_game(work.conn, game_id, gamesmaster=request.successor, attended=work.now)
    else:
        games.set_game(work.conn, game_id, second=request.successor, attended=work.now)
    if request.former:
        masters.rotate(work.conn, work.mark, request.former)
    notes.note(work.conn, game_id, work.now, role, unasked=request.unasked)
    without = " The one before was not asked." if request.unasked else ""
    headed = f"{'Another' if request.former else 'A'} {role.words}"
    has = f"The game has {headed.lower()}"
    notes.rule(work.conn, game_id, NoteKind.HOUSE, f"{has}.{without}", work.now)
    hands = masters.of(work.conn, work.mark, game_id)
    game = games.begun(work.conn, game_id)
    stamp = f"{work.now:%Y%m%d%H%M%S%f}"
    if game is not None:
        text, key = f"{has}: {request.successor}.{without}\n\n{hands.words}\n", f"{role}:{game_id}"
        to_all(work, game, Draft(f"{key}:{stamp}", "handover", f"[{game_id}] {headed}", text))
    for address in {request.successor, request.former, hands.gamesmaster} - {last, ""}:
        _mail(work, request, f"{role}:{game_id}:{stamp}:{code_hash(address)[:16]}", address)
