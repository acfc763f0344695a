"""SIGNON and SIGNOFF: come to an open table, leave it before its game begins.

A mailed code registers the player and gives him a place. A registered player with a DMARC pass
signs on without; nobody leaves without.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbem.errors import RefereeError
from pbem.games.frame.dice import commitment
from pbem.house import door
from pbem.letters.authentication import Level
from pbem.orders import naming
from pbem.orders.club_words import Signing
from pbem.orders.door.answer import signed
from pbem.orders.naming import NotAName, skeleton
from pbem.pages import sheet
from pbem.periods import drawing, names, persons, waiting_room
from pbem.periods import open_tables as tables
from pbem.periods.open_tables import CODE, HERE_I_AM, OFF, ON
from pbem.post import codes
from pbem.post.postmark import code_hash
from pbem.post.work import Work
from pbem.referee.deciding import trust
from pbem.referee.deciding.judged import Judged
from pbem.referee.deciding.senders import Answer
from pbem.store.games import games
from pbem.store.joining import open_tables
from pbem.store.joining.open_tables import HERE, ApplicantRow
from pbem.store.journal import notes
from pbem.store.people import player_records, players
from pbem.store.schema.states import ApplicantState, TableState
from pbem.store.schema.tables import Applicant, OpenTable, Player
from pbem.text import listed, safe

KIND, NAMED = CODE, "named"
_MOST_PLAIN = 2
"""Words of a name that is not shown back."""


def signon(work: Work, judged: Judged, said: Signing, *, sure: bool = True) -> str:
    """Sign on a proven player, ask anybody else. sure: False asks him too."""
    table, sender = _table(work, said.game), judged.letter.sender or ""
    if table is None:
        return _not_open(work, said.game)
    player_id = players.at_address(work.conn, sender)
    if player_id is not None and games.seats_of(work.conn, table.id, player_id):
        return Answer(f"You play in {table.id} already.", f"[{table.id}] You play already")
    found = open_tables.of_address(work.conn, table.id, sender, player_id)
    if found and found.state in HERE:
        text = placed(work, table, found)
        subject = f"[{table.id}] You have signed on already"
        return Answer(f"You have signed on already.\n\n{text}", subject, seed=_seed(table))
    name, why = _name(work, table, player_id, said.name, judged)
    why = why or _why_not(work, table, player_id, sender)
    wishes, doubt = _wishes(work, table, said)
    if why or doubt:
        return _refused(table, why or doubt)
    values = {
        "game_id": table.id,
        "address": found.address if found else sender,
        "name": name,
        "player_id": player_id,
        "wishes": wishes,
        "through": open_tables.inviter(work.conn, sender) or "",
        "came": work.now,
    }
    if player_id is not None and sure and judged.decision.authentication is Level.PROVEN:
        _call(work, player_id, name)
        one = open_tables.ask(work.conn, ApplicantState.SIGNED, **values, until=None, code_hash="")
        return _joined(work, table, one)
    values |= {"until": work.now + codes.LIVES, "code_hash": ""}
    one = open_tables.ask(work.conn, ApplicantState.ASKED, **values)
    code = tables.new_code(work, one, ON)
    Applicant.change(work.conn, {"id": one.id}, code_hash=code_hash(code))
    return _asked(work, table, one, code, new=judged.decision.authentication is Level.PROVEN)


def asked_again(work: Work, table: OpenTable, one: ApplicantRow) -> Answer:
    if one.state == ApplicantState.CALLED and one.until:
        code = tables.new_code(work, one, HERE_I_AM, one.until + codes.LIVES)
        known, until = tables.facts(work, table), tables.moment(table, one.until)
        letter = tables.yes_letter(work, table, code)
        text = tables.said("called", known, one.name, code, until, letter)
        return Answer(text, f"[{table.id}] Are you there?", code, known.commitment)
    return _asked(work, table, one, tables.new_code(work, one, ON))


def _asked(
    work: Work, table: OpenTable, one: ApplicantRow, code: str, *, new: bool = False
) -> Answer:
    known, letter = tables.facts(work, table), tables.yes_letter(work, table, code)
    board = drawing.board(table.ruleset, table.places) if new else {}
    told = (known, one.name, code, "within a week", one.wishes, letter, bool(board))
    subject = f"[{table.id}] Would you like to play, {one.name}?"
    return Answer(tables.said("code", *told), subject, code, known.commitment, board)


def gives_up(work: Work, table: OpenTable, one: ApplicantRow) -> Answer:
    open_tables.try_applicant(work.conn, one.id, ApplicantState.GONE, until=None, code_hash="")
    tables.forget_code(work, one)
    if one.state in HERE:
        notes.note(work.conn, table.id, work.now, "table-left", applicant=one.id)
        if table.is_open:
            OpenTable.change(work.conn, {"id": table.id}, next_look=work.now)
    text = (
        f"You are not signed on to {table.id}, and get no more mails about it. If you change your"
        f" mind, write\u00a0SIGNON\u00a0{table.id}."
    )
    return Answer(text, f"[{table.id}] You are not signed on", seed=_seed(table))


def signoff(work: Work, judged: Judged, game: str) -> str:
    """game: "" for his only table."""
    sender = judged.letter.sender or ""
    mine = open_tables.of_person(work.conn, sender, players.at_address(work.conn, sender))
    fitting = [one for one in mine if game in ("", one.game_id)]
    if len(fitting) > 1:
        text = f"You have signed on to {listed(one.game_id for one in fitting)}. Which do you mean?"
        return Answer(f"{text} Write\u00a0SIGNOFF and its name.", "Which game do you leave?")
    if not fitting:
        text = (
            "You have signed on to no game of that name, so there is nothing to leave. Anyone who"
            " plays in a game that has begun leaves it by the word\u00a0QUIT."
            if game
            else "You have signed on to nothing, so there is nothing to leave."
        )
        player_id = players.at_address(work.conn, sender)
        if player_id is not None and (played := games.running_of(work.conn, player_id)):
            text = (
                f"You play in {listed(played)}, which SIGNOFF does not end. To leave it, answer a"
                " mail of the game with the word\u00a0QUIT: you play on until another takes your"
                " seat. The order\u00a0RESIGN, where your game has it, leaves at once."
            )
        return Answer(text, "There is nothing to leave")
    (one,) = fitting
    table = OpenTable.one(work.conn, id=one.game_id)
    assert table
    code = tables.new_code(work, one, OFF)
    text = tables.said("off", tables.facts(work, table), one.name, code)
    return Answer(text, f"[{table.id}] Do you leave?", seed=_seed(table))


def confirmed(work: Work, judged: Judged, told: Mapping[str, Any]) -> str:
    """Redeem a code of SIGNON, SIGNOFF or the question whether he is there. told: what was
    filed."""
    table = OpenTable.one(work.conn, id=told["game"])
    one = open_tables.applicant(work.conn, told["applicant"])
    if table is None or one is None or told["by"] not in (one.mail, one.address):
        return Answer("The table of that code is gone.", "The table is gone")
    if told["what"] == OFF:
        return _leaves(work, table, one)
    if told["what"] == HERE_I_AM:
        return _is_there(work, table, one) if table.is_open else _not_open(work, table.id)
    if _table(work, table.id) is None:
        return _not_open(work, table.id)
    return _signs_on(work, judged, table, one, told)


def _table(work: Work, game: str) -> OpenTable | None:
    """Return the open table, or the game whose waiting list is open."""
    return open_tables.joinable(work.conn, game) or open_tables.reserved(work.conn, game)


def _signs_on(
    work: Work, judged: Judged, table: OpenTable, one: ApplicantRow, told: Mapping[str, Any]
) -> str:
    if one.state in HERE:
        subject = f"[{table.id}] You have signed on already"
        return Answer("You have signed on already.", subject, seed=_seed(table))
    if one.state == ApplicantState.GONE:
        return _refused(
            table, f"That code is too old. Sign on again by the line\u00a0SIGNON\u00a0{table.id}."
        )
    known = players.at_address(work.conn, one.address)
    again = open_tables.of_address(work.conn, table.id, one.address, known)
    if again and again.id != one.id and again.state in HERE:
        text = "You have signed on already, from another address of yours."
        return Answer(text, f"[{table.id}] You have signed on already", seed=_seed(table))
    name, why = _name(work, table, known, told["name"], judged)
    if wanted := told.get("called"):
        other, why_not = _name(work, table, None, wanted, judged)
        name, told = (name, {**told, "kept": why_not}) if why_not else (other, told)
    if why := why or _why_not(work, table, known, one.address):
        return _refused(table, why)
    player_id = players.player(work.conn, one.address, name, work.now)
    _call(work, player_id, name)
    values = {"player_id": player_id, "name": name, "wishes": told["wishes"], "came": work.now}
    open_tables.try_applicant(
        work.conn, one.id, ApplicantState.SIGNED, **values, until=None, code_hash=""
    )
    answer = _joined(work, table, one._replace(**values))
    if kept := told.get("kept"):
        subject = answer.subject or f"[{table.id}] Your name"
        return Answer(f"{answer}\n\n{kept}".strip(), subject, seed=answer.seed)
    return answer


def _joined(work: Work, table: OpenTable, one: ApplicantRow) -> Answer:
    notes.note(work.conn, table.id, work.now, "table-joined", applicant=one.id)
    if table.approve:
        tables.ask_approval(work, table, one)
    else:
        place = open_tables.next_place(work.conn, table.id)
        Applicant.change(work.conn, {"id": one.id}, place=place)
        if table.is_open:
            OpenTable.change(work.conn, {"id": table.id}, next_look=work.now)
            waiting_room.came(work, table)
            if tables.begins_now(work, table):
                return Answer("", "")  # the game's first mail says it
    place = tables.place_of(work, table, one.id)
    seed = tables.facts(work, table).commitment
    text = placed(work, table, one, new=True)
    if len(one.name.split()) > _MOST_PLAIN or not one.name.replace(" ", "").isalpha():
        text += (
            f'\n\nYou are called "{safe(one.name)}" here. If that is not your name, write\u00a0NAME'
            " and the right one."
        )
    return Answer(text, f"[{table.id}] {tables.placed(table, place)}", seed=seed)


def placed(work: Work, table: OpenTable, one: ApplicantRow, *, new: bool = False) -> str:
    """Return his place and what comes next; to a new one, a text for his friends too."""
    known = tables.facts(work, table)
    if table.is_open:
        friend = waiting_room.pass_on(work, known) if new else ""
        return tables.said("place", known, one.name, tables.place_of(work, table, one.id), friend)
    waiting = [row.id for row in open_tables.waiting_list(work.conn, table.id)]
    if one.id not in waiting:
        return f"You had a seat of {table.id} when it began, and cannot wait for another."
    return tables.said("begun", known, one.name, waiting.index(one.id) + 1)


def _is_there(work: Work, table: OpenTable, one: ApplicantRow) -> str:
    if one.state not in (ApplicantState.CALLED, ApplicantState.SURE):
        return _too_late(work, table, one)
    done = open_tables.try_applicant(
        work.conn, one.id, ApplicantState.SURE, until=None, code_hash=""
    )
    if done:
        notes.note(work.conn, table.id, work.now, "table-sure", applicant=one.id)
        OpenTable.change(work.conn, {"id": table.id}, next_look=work.now)
    known = tables.facts(work, table)
    seated, _ = tables.seats_of(table, open_tables.applicants(work.conn, table.id))
    left = table.places - sum(one.state == ApplicantState.SURE for one in seated)
    subject = f"[{table.id}] You play"
    return Answer(tables.said("sure", known, left), subject, seed=known.commitment)


def _too_late(work: Work, table: OpenTable, one: ApplicantRow) -> str:
    if one.state != ApplicantState.SIGNED:
        text = "You have answered too late: your place is gone. To sign on again, write the line"
        subject = f"[{table.id}] Your place is gone"
        return Answer(f"{text}\u00a0SIGNON\u00a0{table.id}.", subject, seed=_seed(table))
    place = tables.place_of(work, table, one.id)
    text = placed(work, table, one)
    return Answer(
        f"That was the code of a call that is over.\n\n{text}",
        f"[{table.id}] {tables.placed(table, place)}",
        seed=_seed(table),
    )


def _leaves(work: Work, table: OpenTable, one: ApplicantRow) -> str:
    if one.state not in HERE:
        subject = f"[{table.id}] You have left"
        return Answer(f"You have left {table.id} already.", subject, seed=_seed(table))
    plays = table.state == TableState.BEGUN and one.state == ApplicantState.SURE
    if plays:
        text = (
            f"The game {table.id} has begun, and you play in it. To leave it, write the word"
            "\u00a0QUIT in an answer to a mail of the game."
        )
        return Answer(text, f"[{table.id}] The game has begun", seed=_seed(table))
    open_tables.try_applicant(work.conn, one.id, ApplicantState.GONE, until=None, code_hash="")
    tables.forget_code(work, one)
    notes.note(work.conn, table.id, work.now, "table-left", applicant=one.id)
    if table.is_open:
        OpenTable.change(work.conn, {"id": table.id}, next_look=work.now)
    text = tables.said("gone", tables.facts(work, table))
    return Answer(text, f"[{table.id}] You have left", seed=_seed(table))


def _not_open(work: Work, game: str) -> str:
    found = OpenTable.one(work.conn, id=game)
    if found and found.state == TableState.BEGUN:
        text = f"The game {game} has begun, and nobody can sign on to it any more."
        return Answer(f"{text} {_ELSE}", f"[{game}] The game has begun", seed=_seed(found))
    if found:
        text = f"The table {game} is closed. {_ELSE}"
        return Answer(text, f"[{game}] The table is closed", seed=_seed(found))
    text = "No table of that name is open. The word\u00a0GAMES tells which are."
    return Answer(text, "No such table is open")


_ELSE = "What else is open, the word\u00a0GAMES tells you."


def _refused(table: OpenTable, why: str) -> Answer:
    return Answer(why, f"[{table.id}] You have not signed on", seed=_seed(table))


def _seed(table: OpenTable) -> str:
    return commitment(table.seed)


def _name(
    work: Work, table: OpenTable, player_id: int | None, written: str, judged: Judged
) -> tuple[str, str]:
    """Return his name, and why not, or "". A registered one stays if allowed."""
    of_seats, known = tables.names_of_seats(table), ""
    if player_id is not None:
        known = players.name(work.conn, player_id)
        known = "" if players.is_newcomer(known) else known
    old = _not_here(known, of_seats) if known else ""
    if known and not old:
        return known, ""
    how = f"as in the line\u00a0SIGNON\u00a0{table.id}\u00a0AS\u00a0Sophie."
    if old:
        how += " All your games have that name from then on."
    if not written and old:
        why = f"You are called {safe(known)}, but you cannot bring that name to this table: {old}."
        return "", f"{why} Choose another, {how}"
    taken = [*of_seats, *players.names(work.conn)]
    if not written:
        return _own_name(judged, taken), ""
    try:
        return names.checked(written, taken), ""
    except NotAName as error:
        return "", f"You cannot be called that: {error}. Sign on under another name, {how}"


def called(work: Work, judged: Judged, written: str) -> Answer | None:
    """Change the name of somebody who has signed on, by a code if nothing proves him."""
    sender = judged.letter.sender or ""
    if not open_tables.of_person(work.conn, sender, players.at_address(work.conn, sender)):
        return None
    told = {"by": sender, "name": written.removeprefix("IS ")}
    if judged.decision.authentication is Level.PROVEN:
        return renamed(work, judged, told)
    code = codes.new(work, NAMED, sender, name=told["name"])
    text = (
        f'You would like to be called {safe(told["name"])}. If that was you, answer "yes", or with'
        f" the line\n\n{sheet.answer_line(f'CONFIRM {code}')}"
    )
    return Answer(text, "Do you change your name?", code)


def renamed(work: Work, judged: Judged, told: Mapping[str, Any]) -> Answer:
    player_id = players.at_address(work.conn, told["by"])
    try:
        name = persons.rename(work, player_id or 0, told["name"])
    except NotAName as error:
        return Answer(f"You cannot be called that: {error}.", "Your name is as it was")
    return Answer(f"From now on you are called {name}.", f"You are called {name}")


def _own_name(judged: Judged, taken: Sequence[str]) -> str:
    sender, shown = judged.letter.sender or "", judged.letter.sender_name
    below = "\n".join(one.text for one in judged.letter.cut if one.reason == "signature")
    text = "\n".join([trust.text(judged), *below.lstrip("-\u2014 \n").split("\n")[:1]])
    local = "".join(char if char.isalpha() else " " for char in sender.partition("@")[0])
    own = [
        shown,
        shown.partition(" ")[0],
        signed(text, door.phrases()),
        *[local.title()],
        local.title().partition(" ")[0],
    ]
    own = [one.strip() for one in own if one.strip()] or ["Player"]
    numbered = (f"{own[-1][: naming.LONGEST - 4]} {number}" for number in range(2, 1000))
    for one in (*own, *numbered):
        try:
            return names.checked(one, taken)
        except NotAName:
            continue
    raise RefereeError(f"letter {judged.row.id}: no name is left for its writer")


def _not_here(known: str, of_seats: Iterable[str]) -> str:
    like = next((one for one in of_seats if skeleton(one) == skeleton(known)), "")
    return f"{safe(known)} looks like {like}" if like else names.taken_for(safe(known))


def _call(work: Work, player_id: int, name: str) -> None:
    if players.name(work.conn, player_id) != name:
        Player.change(work.conn, {"id": player_id}, name=name)


def _why_not(work: Work, table: OpenTable, player_id: int | None, address: str) -> str:
    game = table.plan["game"]
    his = {address, *(players.addresses(work.conn, player_id) if player_id is not None else ())}
    if game["second"] in his:
        return f"You are the second gamesmaster of {table.id}, who plays no seat of it."
    if game["gamesmaster"] in his and game["publish"] == "review":
        return f"You are the gamesmaster of {table.id}, whose bulletins wait for your review."
    record = player_records.tally(work.conn, player_id) if player_id is not None else None
    if record and record.due:
        made = 100 * (record.due - record.missed) // record.due
        if made < table.reliability:
            return (
                f"{table.id} is a table for players who make {table.reliability} of 100 moves that"
                f" are due; you have made {made} of 100."
            )
    return ""


def _wishes(work: Work, table: OpenTable, said: Signing) -> tuple[list[str], str]:
    """Return the seats wished for, best first, and why not, or ""."""
    wished = f"{said.seat} {said.prefer}".replace(",", " ").split()
    if not wished:
        return [], ""
    if not table.plan["choice"]:
        return [], f"Seats of {table.id} go by lot: nobody can choose. Sign on without a wish."
    known = {seat.upper(): seat for seat in tables.seats(table)}
    if any(one.upper() not in known for one in wished):
        return [], f"{table.id} has no such seat; its seats are {', '.join(known)}."
    return list(dict.fromkeys(known[one.upper()] for one in wished)), ""
