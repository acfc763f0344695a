"""Offer seats that fall free (house rules 6 to 8).

Stand-bys are asked in turn, each alone until a date, then waiting list and observers at once. The
seat stays its player's until a code takes it.

Mails on free seats have public facts only.
"""

from datetime import datetime
from itertools import chain

import structlog
from sqlalchemy import Connection

from pbem.errors import OperatorError
from pbem.games.frame import calendar, house_rules
from pbem.games.frame.events import Seat
from pbem.house import templates
from pbem.letters.letter import Letter
from pbem.pages import picture
from pbem.periods import (
    claims,
    own_page,
    persons,
)
from pbem.periods.claims import Claimant
from pbem.periods.guards import not_over
from pbem.post import alarms, masters
from pbem.post.compose import Draft
from pbem.post.postmark import code_hash
from pbem.post.seats import put_to_seat, put_to_standby
from pbem.post.work import Work
from pbem.store.games import bulletins, games
from pbem.store.games.game_rows import SeatKey, StandbyRow
from pbem.store.games.games import GameAt
from pbem.store.joining import offers
from pbem.store.joining.offers import OfferRow
from pbem.store.journal import notes
from pbem.store.people import players, standbys
from pbem.store.schema.states import (
    Freed,
    GameState,
    OfferState,
)
from pbem.store.schema.tables import FreeSeat, Offer, Standby
from pbem.text import listed, safe

log = structlog.get_logger()
WHY = {
    Freed.QUIT: "house rule 6: the player has asked to be relieved",
    Freed.SILENT: "house rule 7: no answer",
    Freed.LIST: "house rule 8: no list came",
    Freed.BOT: "a house bot has played it",
}


def given_up(work: Work, game: GameAt, row: FreeSeat) -> None:
    awaited = game.ruleset.about.awaited
    text = claims.text("given_up", game, row.seat, why=row.why, awaited=awaited)
    key = f"given-up:{game.id}:{row.seat}:{row.player_id}:{work.now:%Y%m%d%H%M%S%f}"
    draft = Draft(key, "asked", f"[{game.id}] Your seat is offered to others", text)
    put_to_seat(work, game, game.holders[row.seat], draft)


def position(work: Work, game: GameAt) -> str:
    number = bulletins.newest(work.conn, game.id)
    if number is None:
        return ""
    after = games.game_at(work.conn, game.id, min(number + 1, game.row.period))
    before = bulletins.scores(work.conn, game.id, number)
    try:
        issue = templates.pictured(after.ruleset, after.state, game.seats, number, "", (), before)
        known = picture.known(issue)
        said = picture.alt(templates.environment(), issue.key, "chart", known)
    except Exception:  # a mail does not wait for it, as with pictures
        log.exception("no position", game=game.id, bulletin=number)
        return ""
    said = said.removeprefix("A chart of ")
    return f"{said[:1].upper()}{said[1:]}" if issue.course else ""


# --- a seat falls free, and is free no more -------------------------------------------------------


def free(work: Work, game: GameAt, seat: Seat, why: Freed) -> None:
    """Look for another player, once."""
    if FreeSeat.one(work.conn, game_id=game.id, seat=seat):
        return
    holder = game.holders[seat]
    asked = why is Freed.QUIT  # the gamesmaster has been told, and whether anybody is there
    told = asked and not any(reach(work, game, seat))
    row = FreeSeat(game.id, seat, holder.player_id, why, work.now, game.period.number, told)
    FreeSeat.add(work.conn, **row._asdict())
    notes.note(work.conn, game.id, work.now, "free", seat=seat, why=why)
    _tell_passed_over(work, game, seat)
    if not asked:
        given_up(work, game, row)


def open_to(work: Work, address: str) -> list[str]:
    """Return a sentence for each seat offered."""
    lines = []
    for one in offers.open_to(work.conn, address):
        game = games.game_at(work.conn, one.game_id)
        until = own_page.moment_text(game, one.until)
        lines.append(
            f"{one.seat} in game {game.id} is offered to you until {until}. To take it, answer that"
            " mail with the line in it that begins with the word CONFIRM."
        )
    return lines


# --- by the clock ---------------------------------------------------------------------------------


def advance(work: Work, game_id: str, seat: Seat) -> None:
    """End old offers and make the next, or tell the gamesmaster once."""
    game = games.game_at(work.conn, game_id)
    row = FreeSeat.one(work.conn, game_id=game_id, seat=seat)
    if row is None or game.row.status != GameState.RUNNING:
        return  # another daemon did it
    if not claims.still_free(work, game, row):
        return
    _end_old(work, game, row)
    made = _ask_next(work, game, row)
    if made:
        FreeSeat.change(work.conn, {"game_id": game.id, "seat": seat}, told=False)
    elif not row.told and row.why is not Freed.BOT and not _open(work, row):
        _tell_nobody(work, game, row)
        FreeSeat.change(work.conn, {"game_id": game.id, "seat": seat}, told=True)


def _open(work: Work, row: FreeSeat) -> list[OfferRow]:
    return [one for one in offers.made(work.conn, row) if one.state is OfferState.OPEN]


def _end_old(work: Work, game: GameAt, row: FreeSeat) -> None:
    """Void old offers; a stand-by asked alone loses his place."""
    for offer in _open(work, row):
        if offer.until > work.now:
            continue
        offers.set_state(work.conn, offer.id, OfferState.VOID)
        notes.note(
            work.conn, game.id, work.now, "offer-ended", seat=offer.seat, player=offer.player_id
        )
        standing = standbys.of_player(work.conn, game.id, offer.player_id)
        if standing:
            more = {"alone": offer.alone, "gamesmaster": _gamesmaster(work, game)}
            subject = f"You stand by for game {game.id} no longer"
            claims.tell(work, game, offer, "offer_passed", offer.seat, subject, **more)
            Standby.change(
                work.conn, {"id": standing.id}, invited_for=offer.seat, reply_by=offer.until
            )


def _ask_next(work: Work, game: GameAt, row: FreeSeat) -> bool:
    still = _open(work, row)
    if any(one.alone for one in still):
        return False
    standing, others = _askable(work, game, row)
    alone = bool(standing) and not still
    asked = standing[:1] if alone else [*standing, *others]
    if not asked:
        return False
    until = _until(work, game, row)
    more = {
        "alone": alone,
        "until": own_page.moment_text(game, until),
        "why": row.why,
        "position": position(work, game),
        "awaited": game.ruleset.about.awaited,
        "waits": row.why is Freed.LIST and game.period.due == until,
    }
    for standby in asked:
        moment = work.now.isoformat()
        code = work.mark.code(f"offer/{game.id}/{row.seat}/{standby.player_id}/{moment}")
        Offer.add(
            work.conn,
            game_id=game.id,
            seat=row.seat,
            player_id=standby.player_id,
            state=OfferState.OPEN,
            made=work.now,
            until=until,
            address=standby.address,
            alone=alone,
            code_hash=code_hash(code),
        )
        subject = f"Will you play {row.seat}?"
        claims.tell(work, game, standby, "offer", row.seat, subject, code=code, **more)
    ids = [who.player_id for who in asked]
    notes.note(work.conn, game.id, work.now, "offered", seat=row.seat, players=ids, alone=alone)
    return True


def _askable(work: Work, game: GameAt, row: FreeSeat) -> tuple[list[Claimant], list[Claimant]]:
    before = {one.player_id for one in offers.made(work.conn, row)}
    busy = {one.player_id for one in offers.open_offers(work.conn, game.id) if one.alone}
    seen = before | busy
    found: tuple[list[Claimant], list[Claimant]] = ([], [])
    for who in claims.in_turn(work.conn, game.id, watching=row.why is not Freed.BOT):
        if who.player_id not in seen and not claims.doubts(work, game.id, who.player_id, row.seat):
            found[not who.stands_by].append(who)
        seen.add(who.player_id)
    return found


def reach(work: Work, game: GameAt, *seats: Seat) -> tuple[int, int]:
    """Return how many of each could take one."""
    now, still = work.now, offers.open_offers(work.conn, game.id)
    both: tuple[set[int], set[int]] = (set(), set())
    for seat in seats:
        row = FreeSeat.one(work.conn, game_id=game.id, seat=seat) or FreeSeat(
            game.id, seat, None, Freed.LIST, now, game.period.number, told=False
        )
        for found, people in zip(both, _askable(work, game, row), strict=True):
            found |= {one.player_id for one in people}
        both[0].update(one.player_id for one in still if one.seat == seat)
    standing, others = both
    return len(standing), len(others - standing)


def _until(work: Work, game: GameAt, row: FreeSeat) -> datetime:
    due, moves = game.period.due, calendar.moves(game.period.moves)
    waits = row.why is Freed.LIST and row.period == game.period.number
    if waits and due and due > work.now and house_rules.waits(moves):
        return due
    return calendar.by_when(work.now, game.house.offered, game.house, game.zone)


# --- an offer is answered -------------------------------------------------------------------------


def answered(work: Work, offer: OfferRow, letter: Letter) -> str:
    """Give the seat to the first who answers, or return why not."""
    game, seat = games.game_at(work.conn, offer.game_id), offer.seat
    row = FreeSeat.one(work.conn, game_id=game.id, seat=seat)
    if row is None:
        return _free_no_more(game, offer)
    if may_not := _may_not(work, game, row, offer):
        return may_not
    why = WHY[row.why]
    claims.take(work, game.id, seat, offer.player_id, why)
    alike = "\n\n".join(persons.alike(work, game.id, offer.address))
    text = f"{offer.name} has taken {seat} in game {game.id}, which was offered to them ({why})."
    alarms.tell(
        work,
        f"taken:{game.id}:{seat}:{game.holders[seat].token_no}",
        f"{offer.name} has taken {seat} in {game.id}",
        "\n\n".join(filter(None, (text, alike))),
        game.id,
    )
    _yours(work, games.game_at(work.conn, game.id), row, letter)
    return ""


def _yours(work: Work, game: GameAt, row: FreeSeat, letter: Letter) -> None:
    seat = row.seat
    awaited = game.ruleset.about.awaited
    listless = awaited and awaited.slot in game.ruleset.due(game.state, seat, {})
    awaited = awaited if listless and row.why is Freed.LIST else None
    text = claims.text("yours", game, seat, why=WHY[row.why], awaited=awaited)
    key, subject = f"yours:{game.id}:{seat}:{game.holders[seat].token_no}", "The seat is yours"
    draft = Draft(key, "invitation", f"[{game.id}] {subject}", text)
    put_to_seat(work, game, game.holders[seat], draft.answering(letter))


def _free_no_more(at: GameAt, offer: OfferRow) -> str:
    seat, game = offer.seat, f"game {at.id} ({at.ruleset.about.title})"
    if at.row.status == GameState.OVER:
        return f"{seat} was offered to you in {game}. The game is over now."
    holder = at.holders[seat]
    if holder.player_id == offer.player_id:
        return f"{seat} in {game} is yours already; nothing was done twice."
    return (
        f"{seat} in {game} is not free any more: it has a player. Thank you for your answer; when"
        " another seat is free, you are asked again."
    )


def _may_not(work: Work, game: GameAt, row: FreeSeat, offer: OfferRow) -> str:
    seat = offer.seat
    if offer.made < row.since:
        return _free_no_more(game, offer)
    if doubts := claims.doubts(work, game.id, offer.player_id, seat):
        return f"You cannot take {seat} in game {game.id}: {'; '.join(doubts)}."
    if offer.state is OfferState.OPEN:
        return ""
    for one in offers.made(work.conn, row):
        if one.alone and one.state is OfferState.OPEN:
            until = own_page.moment_text(game, one.until)
            return (
                f"Your time for {seat} in game {game.id} is over, and it is offered to another"
                f" player alone until {until}. If they do not take it, your code works again after"
                " that."
            )
    return ""


# --- the gamesmaster ------------------------------------------------------------------------------


def _tell_passed_over(work: Work, game: GameAt, seat: Seat) -> None:
    standing = standbys.of_game(work.conn, game.id)
    doubts = (claims.doubts(work, game.id, one.player_id, seat) for one in standing)
    if reasons := list(chain.from_iterable(doubts)):
        command = f"replace {game.id} {seat} ADDRESS --anyway"
        text = (
            f"{seat} in game {game.id} needs a new player. Passed over: {'; '.join(reasons)}. To"
            f" give {seat} to one of them all the same: `pbem {command}`"
        )
        subject = f"{game.id}: stand-by players who are passed over"
        key = f"passed-over:{game.id}:{seat}"
        alarms.tell(work, key, subject, text, game.id, commands=(command,))


def _tell_nobody(work: Work, game: GameAt, row: FreeSeat) -> None:
    seat, asked = row.seat, [one.name for one in offers.made(work.conn, row)]
    so_far = (
        f"Asked and not taken by: {listed(asked)}."
        if asked
        else "Nobody stands by for the game, waits for a place in it or watches it."
    )
    commands = (f"standby {game.id} ADDRESS", f"replace {game.id} {seat} ADDRESS")
    text = (
        f"{seat} ({game.holders[seat].name}) in game {game.id} needs another player"
        f" ({WHY[row.why]}), and nobody has taken it. {so_far}\n\nTo have somebody"
        f" asked: `pbem {commands[0]}`. To give it to somebody: `pbem {commands[1]}`. Anyone who"
        " comes to stand by, to wait or to watch is asked alone."
    )
    public = "A seat needs another player, and nobody has taken it."
    subject = f"nobody takes {seat} in {game.id}"
    alarms.tell(work, f"nobody:{game.id}:{seat}", subject, text, game.id, public, commands)


STANDBY = "standby"
OFF = "To stand by no longer, answer this mail with the one word\u00a0QUIT."


def enlisted(work: Work, game: GameAt, standby: StandbyRow) -> None:
    text = (
        f"You stand by for game {game.id}, {game.ruleset.about.title}: when a seat of it needs a"
        " new player, it is offered to the one who has stood by the longest.\n\nUntil then you have"
        " nothing to do, and get none of the game's mails. When your turn comes you are mailed"
        " which seat it is, how the game stands, and by when to answer with a code if you will"
        " play it. Then the rules, the newest bulletin and the seat's own notice come. If you do"
        " not answer by that date, others are asked, and you stand by no longer.\n\n"
        f"{OFF} Questions go to the gamesmaster: {_gamesmaster(work, game)}"
    )
    _mail_standby(work, game, standby, f"You stand by for game {game.id}", text)


def withdrawn(work: Work, game: GameAt, standby: StandbyRow, why: str) -> None:
    because = f" The reason: {safe(why.strip())}" if why.strip() else ""
    text = (
        f"The gamesmaster has taken you off the list of those who stand by for game {game.id},"
        f" {game.ruleset.about.title}. You are offered no seat of it any more.{because}\n\nYou can"
        f" ask: {_gamesmaster(work, game)}"
    )
    _mail_standby(work, game, standby, f"You stand by for game {game.id} no longer", text)


def answer(
    work: Work, game: GameAt, standby: StandbyRow, letter_id: int, letter: Letter, *, gone: bool
) -> None:
    """Answer: he is off (``gone``), or nothing was taken."""
    offered = " ".join(open_to(work, standby.address))
    text = (
        f"You stand by for game {game.id} no longer, and the gamesmaster has been told. Thank you"
        " for having stood by."
        if gone
        else (
            f"You stand by for game {game.id} and play no seat of it yet, so nothing of your letter"
            f" was taken. {offered or 'You will be mailed when a seat is offered to you.'}\n\n"
            f"{OFF} Questions go to the gamesmaster: {_gamesmaster(work, game)}"
        )
    )
    subject = f"Re: {letter.subject.strip() or f'[{game.id}] standing by'}"
    draft = Draft(f"standby-answer:{letter_id}", STANDBY, subject, text).answering(letter)
    put_to_standby(work, game, standby, draft)


def told_free(work: Work, game: GameAt) -> None:
    text = (
        f"Game {game.id}, {game.ruleset.about.title}, is over, and no seat of it will need a new"
        " player any more. You stand by for it no longer.\n\nThank you for having stood by."
    )
    for who in standbys.of_game(work.conn, game.id):
        _mail_standby(work, game, who, f"Game {game.id} is over: you stand by no longer", text)
        Standby.drop(work.conn, game_id=game.id, player_id=who.player_id, invited_for="")


def _mail_standby(work: Work, game: GameAt, who: StandbyRow, subject: str, text: str) -> None:
    key = f"standby:{game.id}:{who.id}:{who.player_id}:{work.now:%Y%m%d%H%M%S%f}"  # ids come again
    put_to_standby(work, game, who, Draft(key, STANDBY, f"[{game.id}] {subject}", text))


def _gamesmaster(work: Work, game: GameAt) -> str:
    return masters.of(work.conn, work.mark, game.id).contact


def enlist(work: Work, game_id: str, address: str, name: str, *, anyway: bool = False) -> None:
    """Add a stand-by player behind the others, told when the game begins."""
    game = not_over(work.conn, game_id)
    player_id = persons.registered(work, address, name)
    doubts = persons.called(work, player_id) + claims.doubts(work, game_id, player_id)
    doubted = claims.meant(doubts, anyway)
    Standby.add(work.conn, game_id=game_id, player_id=player_id)
    notes.note(work.conn, game_id, work.now, "standby", player=player_id, **doubted)
    if game is not None:
        enlisted(work, game, standbys.of_game(work.conn, game_id)[-1])


def quits(work: Work, game: GameAt, standby: StandbyRow) -> None:
    claims.declined(work, game.id, standby.player_id)
    Standby.drop(work.conn, game_id=game.id, player_id=standby.player_id, invited_for="")
    notes.note(work.conn, game.id, work.now, "standby-quit", player=standby.player_id)
    left = standbys.waiting(work.conn, game.id)
    rest = (
        f"Players who can still be called on: {left}."
        if left
        else f"Nobody else can be called on: `pbem standby {game.id} ADDRESS`"
    )
    text = f"{standby.name} stands by for game {game.id} no longer, as they asked. {rest}"
    subject = f"{standby.name} stands by for {game.id} no longer"
    commands = () if left else (f"standby {game.id} ADDRESS",)
    key = f"standby-quit:{game.id}:{standby.id}"
    alarms.tell(work, key, subject, text, game.id, commands=commands)


def withdraw(work: Work, game_id: str, address: str, why: str) -> None:
    """Raise OperatorError if he does not stand by."""
    game = not_over(work.conn, game_id)
    player_id = players.at_address(work.conn, address)
    standby = standbys.of_player(work.conn, game_id, player_id) if player_id is not None else None
    if standby is None:
        raise OperatorError(f"{address} does not stand by for {game_id}")
    if game is not None:
        claims.declined(work, game.id, standby.player_id)
        withdrawn(work, game, standby, why)
    Standby.drop(work.conn, game_id=game_id, player_id=standby.player_id, invited_for="")
    notes.note(work.conn, game_id, work.now, "standby-withdrawn", player=standby.player_id, why=why)


def silent(work: Work, game_id: str, seat: str) -> None:
    """Offer a seat without answer (house rule 7)."""
    game = games.game_at(work.conn, game_id)
    until = game.holders[seat].asked_until
    if until is not None and until <= work.now:  # else another daemon has seen to it meanwhile
        games.set_seat(work.conn, game_id, seat, asked_until=None)
        free(work, game, seat, Freed.SILENT)


def leaving(conn: Connection, now: datetime) -> list[SeatKey]:
    """Return seats to relieve, not yet offered."""
    free = set(offers.running(conn))
    return [one for one in games.quitting(conn) if one not in free]


def relieved(work: Work, game_id: str, seat: str) -> None:
    """Offer a seat to relieve (house rule 6)."""
    game = games.game_at(work.conn, game_id)
    if game.holders[seat].quits is not None:  # else another daemon has seen to it meanwhile
        free(work, game, seat, Freed.QUIT)
