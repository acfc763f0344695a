"""SIGNON, SIGNOFF and NAME of somebody who has no seat yet, and what is awaited of them.

A mailed code registers the player and gives them a place. A registered player with a DMARC pass
signs on without; nobody leaves without.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.errors import RefereeError
from pbem.games.frame import codec
from pbem.games.frame.dice import commitment
from pbem.house import houses
from pbem.letters.authentication import Level
from pbem.orders import naming
from pbem.orders.door.answer import signed
from pbem.orders.naming import NotAName, skeleton
from pbem.periods import drawing, persons
from pbem.periods import open_tables as tables
from pbem.periods.open_tables import HERE_I_AM, OFF, ON
from pbem.post import codes
from pbem.post.codes import CodeKind
from pbem.post.postmark import code_hash
from pbem.post.work import Work
from pbem.referee.deciding import trust
from pbem.referee.deciding.judged import Judged
from pbem.referee.deciding.senders import Reply
from pbem.referee.words import club
from pbem.referee.words.club import Asker
from pbem.store.games import games
from pbem.store.joining import claimants, open_tables
from pbem.store.joining.open_tables import HERE, ApplicantRow
from pbem.store.journal import notes
from pbem.store.people import players
from pbem.store.schema.states import ApplicantState, TableState
from pbem.store.schema.tables import Applicant, OpenTable, Player
from pbem.text import listed, safe

_MOST_PLAIN = 2  # words of a name that is not shown back
_GONE, _CALLED, _SIGNED = ApplicantState.GONE, ApplicantState.CALLED, ApplicantState.SIGNED
_SURE = ApplicantState.SURE


def _of(table: OpenTable, subject: str, text: str, **more: Any) -> Reply:
    return Reply(text, f"[{table.id}] {subject}", seed=commitment(table.seed), **more)


def _answer(table: OpenTable, what: str, *given: Any) -> Reply:
    told = Reply.of("joining", what, table.id, *given)
    return _of(table, told.subject, told)


def signon(
    asker: Asker, game: str, name: str = "", wished: str = "", *, sure: bool = True
) -> Reply:
    """Sign on a proven player, ask anybody else. wished: seats, best first. sure: False asks them
    too."""
    work, sender, player = asker.work, asker.sender, asker.player
    proven = asker.judged.decision.authentication is Level.PROVEN
    table = _table(work, game.lower())
    if table is None:
        return _not_open(work, game.lower())
    if already := _already(work, table, player, sender):
        return already
    called, why = _name(asker, table, player, name)
    wishes, doubt = _wishes(table, wished)
    if why := why or tables.why_not(work, table, player, sender) or doubt:
        return _refused(table, why)
    found = open_tables.of_address(work.conn, table.id, sender, player)
    person = {
        "address": found.address if found else sender,
        "name": called,
        "player_id": player,
        "wishes": wishes,
        "through": open_tables.inviter(work.conn, sender) or "",
    }
    if player is not None and sure and proven:
        return _joins(work, table, person)
    until = {"came": work.now, "until": work.now + codes.LIVES, "code_hash": ""}
    one = open_tables.ask(work.conn, ApplicantState.ASKED, game_id=table.id, **person, **until)
    code = tables.new_code(work, one, ON)
    Applicant.change(work.conn, {"id": one.id}, code_hash=code_hash(code))
    return _asked(work, table, one, code, new=proven)


def _already(work: Work, table: OpenTable, player: int | None, address: str) -> Reply | None:
    """Answer somebody who has a place in the game."""
    if player is not None and games.seats_of(work.conn, table.id, player):
        return Reply.of("joining", "plays_already", table.id)
    found = open_tables.of_address(work.conn, table.id, address, player)
    if found is None or found.state not in HERE:
        return None
    text = f"You have signed on already.\n\n{placed(work, table, found)}"
    return _of(table, "You have signed on already", text)


def _asked(
    work: Work, table: OpenTable, applicant: ApplicantRow, code: str, *, new: bool = False
) -> Reply:
    known, letter = tables.facts(work, table), tables.yes_letter(work, table, code)
    game = codec.text([table.plan["game"][one] for one in ("tables", "options", "scenario")])
    board = drawing.board(table.ruleset, table.places, game) if new else {}
    told = (known, applicant.name, code, "within a week", applicant.wishes, letter, bool(board))
    subject = f"Would you like to play, {applicant.name}?"
    return _of(table, subject, tables.said("code", *told), code=code, pictures=board)


def _table(work: Work, game: str) -> OpenTable | None:
    """Return the open table, or the game whose waiting list is open."""
    return open_tables.joinable(work.conn, game) or open_tables.reserved(work.conn, game)


def confirmed(asker: Asker, payload: Mapping[str, Any]) -> Reply:
    """Redeem a code of SIGNON, SIGNOFF or the question whether they are there. payload: what
    was filed."""
    work = asker.work
    table = OpenTable.one(work.conn, id=payload["game"])
    applicant = open_tables.applicant(work.conn, payload["applicant"])
    theirs = applicant and payload["by"] in (applicant.mail, applicant.address)
    if table is None or applicant is None or not theirs:
        return Reply("The table of that code is gone.", "The table is gone")
    if payload["what"] == OFF:
        return _leaves(work, table, applicant)
    if payload["what"] == HERE_I_AM:
        return _is_there(work, table, applicant) if table.is_open else _not_open(work, table.id)
    if _table(work, table.id) is None:
        return _not_open(work, table.id)
    known = players.at_address(work.conn, applicant.address)
    if already := _already(work, table, known, applicant.address):
        return already
    if applicant.state == _GONE:
        again = f"Sign on again by the line\u00a0SIGNON\u00a0{table.id}."
        return _refused(table, f"That code is too old. {again}")
    return _signs_on(asker, table, applicant, known, payload)


def _signs_on(
    asker: Asker,
    table: OpenTable,
    applicant: ApplicantRow,
    known: int | None,
    payload: Mapping[str, Any],
) -> Reply:
    work = asker.work
    (name, why), kept = _name(asker, table, known, payload["name"]), ""
    if wanted := payload["called"]:
        other, kept = _name(asker, table, None, wanted)
        name = other or name
    if why := why or tables.why_not(work, table, known, applicant.address):
        return _refused(table, why)
    player = players.player(work.conn, applicant.address, name, work.now)
    who = {"address": applicant.address, "name": name, "through": applicant.through}
    answer = _joins(work, table, {**who, "player_id": player, "wishes": payload["wishes"]})
    if kept:
        subject = answer.subject or f"[{table.id}] Your name"
        return Reply(f"{answer}\n\n{kept}".strip(), subject, seed=answer.seed)
    return answer


def _joins(work: Work, table: OpenTable, who: Mapping[str, Any]) -> Reply:
    player, name = who["player_id"], who["name"]
    if players.name(work.conn, player) != name:
        Player.change(work.conn, {"id": player}, name=name)
    applicant = tables.signs_on(work, table, work.now, **who)
    if applicant.place and table.is_open and tables.begins_now(work, table):
        return Reply("", "")  # the game's first mail says it
    text = placed(work, table, applicant, new=True)
    if len(applicant.name.split()) > _MOST_PLAIN or not applicant.name.replace(" ", "").isalpha():
        text = f"{text}\n\n{tables.said('named', applicant.name)}"
    return _of(table, tables.placed(table, tables.place_of(work, table, applicant.id)), text)


def placed(work: Work, table: OpenTable, applicant: ApplicantRow, *, new: bool = False) -> str:
    """Return their place and what comes next; to a new one, a text for their friends too."""
    known = tables.facts(work, table)
    if table.is_open:
        friend = tables.pass_on(work, known) if new else ""
        return tables.said(
            "place", known, applicant.name, tables.place_of(work, table, applicant.id), friend
        )
    waiting = [row.id for row in open_tables.waiting_list(work.conn, table.id)]
    if applicant.id not in waiting:
        return f"You had a seat of {table.id} when it began, and cannot wait for another."
    return tables.said("begun", known, applicant.name, waiting.index(applicant.id) + 1)


def _is_there(work: Work, table: OpenTable, applicant: ApplicantRow) -> Reply:
    if applicant.state == _SIGNED:
        text = f"That was the code of a call that is over.\n\n{placed(work, table, applicant)}"
        return _of(table, tables.placed(table, tables.place_of(work, table, applicant.id)), text)
    if applicant.state not in (_CALLED, _SURE):
        return _answer(table, "too_late")
    if open_tables.try_applicant(work.conn, applicant.id, _SURE, until=None, code_hash=""):
        notes.note(work.conn, table.id, work.now, "table-sure", applicant=applicant.id)
        OpenTable.change(work.conn, {"id": table.id}, next_look=work.now)
    seated, _ = tables.seats_of(table, open_tables.applicants(work.conn, table.id))
    left = table.places - sum(one.state == _SURE for one in seated)
    return _of(table, "You play", tables.said("sure", tables.facts(work, table), left))


def signoff(asker: Asker, argument: str) -> Reply:
    """argument: "" for their only table."""
    work, game = asker.work, argument.lower()
    mine = open_tables.of_person(work.conn, asker.sender, asker.player)
    fitting = [one for one in mine if game in ("", one.game_id)]
    if len(fitting) > 1:
        return Reply.of("joining", "leaves_which", [one.game_id for one in fitting])
    if not fitting:
        played = games.running_of(work.conn, asker.player) if asker.player is not None else []
        return Reply.of("leaving", "nothing_left", played, game)
    (one,) = fitting
    table = OpenTable.one(work.conn, id=one.game_id)
    assert table
    code, known = tables.new_code(work, one, OFF), tables.facts(work, table)
    return _of(table, "Do you leave?", tables.said("off", known, one.name, code))


def _leaves(work: Work, table: OpenTable, applicant: ApplicantRow) -> Reply:
    if applicant.state not in HERE:
        return _answer(table, "left_already")
    if table.state == TableState.BEGUN and applicant.state == _SURE:
        return _answer(table, "has_begun")
    tables.leaves(work, table, applicant, "table-left")
    return _of(table, "You have left", tables.said("gone", tables.facts(work, table)))


def gives_up(work: Work, table: OpenTable, one: ApplicantRow) -> Reply:
    """Take off somebody who says no."""
    tables.leaves(work, table, one, "table-left")
    return _answer(table, "gives_up")


def _not_open(work: Work, game: str) -> Reply:
    found = OpenTable.one(work.conn, id=game)
    if found:
        return _answer(found, "not_open", found.state == TableState.BEGUN)
    return Reply.of("joining", "no_such")


def _refused(table: OpenTable, why: str) -> Reply:
    return _of(table, "You have not signed on", why)


def _name(asker: Asker, table: OpenTable, player: int | None, written: str) -> tuple[str, str]:
    """Return their name, and why not, or "". A registered one stays if allowed."""
    of_seats, known = tables.names_of_seats(table), ""
    if player is not None:
        known = players.name(asker.conn, player)
        known = "" if players.is_newcomer(known) else known
    like = next((one for one in of_seats if skeleton(one) == skeleton(known)), "")
    old = persons.taken_for(safe(known)) if known and not like else ""
    old = f"{safe(known)} looks like {like}" if known and like else old
    if known and not old:
        return known, ""
    how = f"as in the line\u00a0SIGNON\u00a0{table.id}\u00a0AS\u00a0Sophie."
    if old:
        how += " All your games have that name from then on."
    if not written and old:
        why = f"You are called {safe(known)}, but you cannot bring that name to this table: {old}."
        return "", f"{why} Choose another, {how}"
    taken = [*of_seats, *Player.values(asker.conn, Player.name)]
    if not written:
        return _own_name(asker.judged, taken), ""
    try:
        return persons.checked(written, taken), ""
    except NotAName as error:
        return "", f"You cannot be called that: {error}. Sign on under another name, {how}"


def called(asker: Asker, written: str) -> Reply | None:
    """Change the name of somebody who has signed on, by a code if nothing proves them."""
    if not open_tables.of_person(asker.conn, asker.sender, asker.player):
        return None
    name = written.removeprefix("IS ")
    if asker.judged.decision.authentication is Level.PROVEN:
        return renamed(asker, name)
    wished = f"You would like to be called {safe(name)}."
    return club.ask(asker, CodeKind.NAMED, "Do you change your name?", wished, name=name)


def renamed(asker: Asker, written: str) -> Reply:
    try:
        name = persons.rename(asker.work, asker.player or 0, written)
    except NotAName as error:
        return Reply(f"You cannot be called that: {error}.", "Your name is as it was")
    return Reply(f"From now on you are called {name}.", f"You are called {name}")


def _own_name(judged: Judged, taken: Sequence[str]) -> str:
    sender, shown = judged.letter.sender or "", judged.letter.sender_name
    below = "\n".join(one.text for one in judged.letter.cut if one.reason == "signature")
    text = "\n".join([trust.text(judged), *below.lstrip("-\u2014 \n").split("\n")[:1]])
    local = "".join(char if char.isalpha() else " " for char in sender.partition("@")[0]).title()
    own = [shown, shown.partition(" ")[0], signed(text, houses.phrases())]
    own += [local, local.partition(" ")[0]]
    own = [one.strip() for one in own if one.strip()] or ["Player"]
    numbered = (f"{own[-1][: naming.LONGEST - 4]} {number}" for number in range(2, 1000))
    for one in (*own, *numbered):
        try:
            return persons.checked(one, taken)
        except NotAName:
            continue
    raise RefereeError(f"letter {judged.row.id}: no name is left for its writer")


def _wishes(table: OpenTable, said: str) -> tuple[list[str], str]:
    """Return the seats wished for, best first, and why not, or ""."""
    wished = said.replace(",", " ").upper().split()
    if wished and not table.plan["choice"]:
        return [], tables.said("no_wish", table.id)
    known = {seat.upper(): seat for seat in tables.seats(table)}
    if any(one not in known for one in wished):
        return [], f"{table.id} has no such seat; its seats are {', '.join(known)}."
    return list(dict.fromkeys(known[one] for one in wished)), ""


def awaited(asker: Asker) -> Reply | None:
    """Return what is awaited of them, newest first, else their place. None if they have none."""
    work = asker.work
    mine = open_tables.known_of(work.conn, asker.sender, asker.player)
    there = [(one, row) for one in mine if (row := OpenTable.one(work.conn, id=one.game_id))]
    for applicant, table in sorted(there, key=lambda at: (at[0].state != _CALLED, -at[0].id)):
        if applicant.state == _CALLED and applicant.until:
            code = tables.new_code(work, applicant, HERE_I_AM, applicant.until + codes.LIVES)
            known, until = tables.facts(work, table), tables.moment(table, applicant.until)
            letter = tables.yes_letter(work, table, code)
            text = tables.said("called", known, applicant.name, code, until, letter)
            return _of(table, "Are you there?", text, code=code)
        if applicant.state in (_CALLED, ApplicantState.ASKED):
            return _asked(work, table, applicant, tables.new_code(work, applicant, ON))
    told = [_stands(work, table, one) for one, table in there]
    if watched := claimants.watched_by(work.conn, asker.player):
        told.append(f"You watch {listed(watched)}.")
    seed = commitment(there[0][1].seed) if len(there) == 1 else None
    return Reply("\n\n".join(told), "How it stands", seed=seed) if told else None


def _stands(work: Work, table: OpenTable, one: ApplicantRow) -> str:
    if one.state == _SURE:
        known = tables.facts(work, table)
        return f"You play in {table.id} ({known.title}). {tables.said('there', known)}"
    return placed(work, table, one)
