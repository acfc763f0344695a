"""Words of no seat: GAMES, RULES, TABLES, HELP, WATCH, UNWATCH, INVITE, PRACTICE, ZINE, LISTED.

An unregistered address or an unproven letter gets a code; its yes does the word again, surely.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Self
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from pbem.errors import OperatorError
from pbem.games import GAMES
from pbem.games.frame.dice import commitment
from pbem.house import houses, shelf, templates
from pbem.letters.authentication import Level
from pbem.orders.spelling import is_number, nearest
from pbem.pages import guide, sheet
from pbem.pages.html import Links
from pbem.pages.plain import plain
from pbem.periods import issue_mails, persons, practice
from pbem.periods import open_tables as tables
from pbem.post import codes, seats
from pbem.post.codes import CodeKind
from pbem.post.compose import Draft
from pbem.post.postmark import code_hash
from pbem.post.work import Work
from pbem.referee.deciding import senders
from pbem.referee.deciding.judged import Judged
from pbem.referee.deciding.senders import Reply
from pbem.referee.deciding.trust import CONFIRMED
from pbem.store.games import bulletins, club, games
from pbem.store.games.club import ListRequest, Watchable, watchable
from pbem.store.games.overview import ClockRow
from pbem.store.joining import claimants, open_tables, practices
from pbem.store.journal import notes
from pbem.store.letters import registrations
from pbem.store.people import player_records, players
from pbem.store.schema.states import GameState, PeriodState
from pbem.store.schema.tables import Invited, Member, Observer, OpenTable
from pbem.text import counted, moment_words, safe

MOST_LISTED = 30
MOST_TABLES = 6
"""Open tables in one mail."""
MOST_RULES = 12_000
"""Characters of rules in one mail."""
MOST_INVITED, _WEEK = 5, timedelta(days=7)
"""Addresses that a player may have invited in a week."""
_READ = "read-a-bulletin:"
"""Memo of an unregistered address that was mailed a bulletin."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Who writes a letter of no seat."""

    work: Work
    judged: Judged
    sender: str
    player: int | None
    """None if the address is not registered."""
    sure: bool
    """Whether it is surely theirs: by DMARC and what their games ask, or by a code."""

    @classmethod
    def of(cls, work: Work, judged: Judged, by: str = "") -> Self:
        """Return the writer. by: the address to which the code was mailed that came back."""
        sender, decision = by or judged.letter.sender or "", judged.decision
        player = players.at_address(work.conn, sender)
        seated = bool(registrations.of_address(work.conn, sender))
        proven = decision.authentication is Level.PROVEN and (decision.proven or not seated)
        proven = player is not None and (proven or judged.row.authentication == CONFIRMED)
        return cls(work, judged, sender, player, bool(by) or proven)

    @property
    def conn(self) -> Connection:
        return self.work.conn

    def registered(self) -> int:
        """Return the player, registered now if they were not."""
        if self.player is not None:
            return self.player
        return players.newcomer(self.conn, self.sender, self.work.now)


said, reply = partial(templates.said, "club"), partial(Reply.of, "club")
"""Return a text, or a mail, of ``_shared/club.txt.j2``."""


def ask(
    asker: Asker, kind: CodeKind, subject: str, wished: str, seed: str | None = None, **told: Any
) -> Reply:
    """Ask whether they mean it: a yes counts. kind: of the code (:mod:`pbem.post.codes`)."""
    code = codes.new(asker.work, kind, asker.sender, **told)
    letter = Links(codes.reply_to(asker.work, code), f"Re: {subject}").line("yes")
    return Reply(said("ask", wished, code, letter), subject, code, seed)


def title(key: str) -> str:
    return shelf.open_ruleset(key).about.title


# --- what is played, and by which rules -----------------------------------------------------------


def all_games(asker: Asker, argument: str) -> Reply:
    """Answer GAMES: tables to join, games that run. argument: one of them, or ""."""
    if argument:
        return _one(asker, argument.lower())
    work = asker.work
    opened, played = open_tables.listed(work.conn), club.played(work.conn)
    running = [_game(one) for one in played[:MOST_LISTED]]
    watched = [one["id"] for one in running if one["watch"]][:MOST_TABLES]
    text = templates.shared(
        "games",
        open=list(tables.offered(work, opened[:MOST_TABLES])),
        others=[one.id for one in opened[MOST_TABLES:][:MOST_LISTED]],
        running=running,
        more=len(played) - len(running),
        watched=[watch_line(work, one) for one in watched],
        rules=list(GAMES),
    )
    return Reply(text, "What is played here")


def watch_line(work: Work, game_id: str) -> str:
    """Return the line that asks to watch a game, with its link."""
    line = f"I would like to watch {game_id}"
    return sheet.answer_line(line, Links(work.mark.address, "Watching").line(line))


def _one(asker: Asker, game_id: str) -> Reply:
    work = asker.work
    if table := open_tables.joinable(work.conn, game_id):
        offered = [*tables.offered(work, [table])]
        if differs := tables.differences(table):
            lines = "\n".join(f"* {one}" for one in differs)
            offered.append(f"What is otherwise there than usual:\n\n{lines}")
        subject = f"[{game_id}] Would you like to play?"
        return Reply("\n\n".join(offered), subject, seed=commitment(table.seed))
    row = next((one for one in club.played(work.conn) if one.id == game_id), None)
    if row is None:
        return reply("no_game", game_id)
    first = f"{row.id}: {title(row.ruleset)}, {counted(row.players, 'player')}. {_runs(row)}"
    if not row.house.watch:
        return reply("for_players", game_id, first)
    number, line = bulletins.newest(work.conn, row.id), watch_line(work, row.id)
    if number is None:
        return Reply(f"{first}\n\n{line}", f"[{row.id}] It is about to begin")
    if not _may_read(asker):
        return reply("tomorrow", row.id, line)
    (text, *_) = bulletins.for_seat(work.conn, row.id, number, "").texts
    last = f"To be mailed all its bulletins without playing in it, answer:\n\n{line}"
    return Reply(f"{first}\n\n{last}\n\n{text}", f"[{row.id}] Bulletin {number}")


def _may_read(asker: Asker) -> bool:
    """Return whether they may be mailed a bulletin: an unregistered address one a day."""
    work = asker.work
    if senders.registered(work, asker.sender):
        return True
    key = f"{_READ}{code_hash(open_tables.mailbox(asker.sender))[:32]}"
    notes.forget_old(work.conn, work.now, _READ)
    if notes.memo(work.conn, key):
        return False
    notes.set_memo(work.conn, key, {"until": (work.now + senders.DAY).isoformat()})
    return True


def _game(row: ClockRow) -> dict[str, Any]:
    told = {"title": title(row.ruleset), "stands": _runs(row)}
    return {"id": row.id, "players": row.players, "watch": row.house.watch, **told}


def _runs(row: ClockRow) -> str:
    if not row.number or row.status == GameState.WAITING:
        return "It is about to begin."
    if row.status == GameState.HELD:
        return f"Period {row.number}; its clock stands still at present."
    if row.due is None or row.stands != PeriodState.OPEN:
        return f"Period {row.number}, without a deadline."
    until = f"{moment_words(row.due.astimezone(ZoneInfo(row.zone)))} {row.zone}"
    return f"Period {row.number}, until {until}."


def rules(asker: Asker, argument: str) -> Reply:
    """Answer RULES key: its contents, or the paragraphs named."""
    word, _, asked = argument.strip(" .?!").partition(" ")
    key = word.lower()
    if key not in GAMES and (own := _own_game(asker)):
        key, asked = own, argument.strip(" .?!")
    if key not in GAMES:
        near = (*meant(key), "")[0]
        return reply("which_rules", key, near, {one: title(one) for one in GAMES})
    return Reply(_short(key, templates.rules_text(key, asked)), f"The rules of {title(key)}")


def tables_of(asker: Asker, argument: str) -> Reply:
    key = _own_game(asker)
    if not key:
        return reply("which_tables")
    told = templates.tables_text(key, shelf.rulebook(key).tables, argument)
    return Reply(_short(key, told), f"The tables of {title(key)}")


def help_(asker: Asker, _: str) -> Reply:
    key = _own_game(asker)
    if not key:
        return Reply(tables.said("help_"), "What you can write")
    told = guide.guide(templates.environment(), key, houses.usual(key)).text
    return Reply(_short(key, told), f"How {title(key)} is played by mail")


def _own_game(asker: Asker) -> str:
    """Return the rule-set of the one game they wait for, or ""."""
    mine = open_tables.known_of(asker.conn, asker.sender, asker.player)
    rows = [OpenTable.one(asker.conn, id=one.game_id) for one in mine]
    keys = {row.ruleset for row in rows if row}
    return next(iter(keys)) if len(keys) == 1 else ""


_WORD, _NUMBER, _ALIKE = re.compile(r"[a-z]+|[0-9]+"), re.compile("[-0-9]+"), 0.8


def meant(said: str) -> list[str]:
    """Return the games that words name, perhaps with a slip; of one name, those of a year."""
    words, names = (
        _WORD.findall(said.lower()),
        {one: _NUMBER.sub(" ", one).strip() for one in GAMES},
    )
    near = {nearest(word, names.values(), _ALIKE) for word in words}
    flat, years = f" {' '.join(words)} ", {word[-2:] for word in words if is_number(word)}
    named = [one for one, name in names.items() if name in near or f" {name} " in flat]
    return [one for one in named if one[-2:] in years] or named


def _short(key: str, text: str) -> str:
    pieces = text.split("\n\n")
    kept: Sequence[str] = pieces
    while len(plain("\n\n".join(kept))) > MOST_RULES and len(kept) > 1:
        kept = kept[: len(kept) * 3 // 4]
    fewer = f"Here it breaks off: ask for fewer paragraphs at once, as in RULES\u00a0{key}\u00a04"
    return text if len(kept) == len(pieces) else "\n\n".join([*kept, fewer])


# --- WATCH and UNWATCH: the public mails of a game, without a seat --------------------------------


def watch(asker: Asker, argument: str) -> Reply:
    work, game = asker.work, watchable(asker.conn, argument.lower())
    if game is None:
        return reply("not_to_watch")
    if why := _why_not(asker, game):
        return why
    if not asker.sure:
        table = OpenTable.one(work.conn, id=game.id)
        seed = commitment(table.seed) if table else None
        wish = reply("would_watch", game.id, title(game.ruleset))
        return ask(asker, CodeKind.WATCH, wish.subject, wish, seed, watched=game.id)
    player = asker.registered()
    Observer.try_add(work.conn, game_id=game.id, player_id=player, since=work.now)
    _note(work, game.id, "watch", player)
    at = games.begun(work.conn, game.id) if _is_game(work, game.id) else None
    newest = at is not None and issue_mails.send_newest(work, at, player)
    return reply("watches", game.id, title(game.ruleset), newest, at is not None)


def _why_not(asker: Asker, game: Watchable) -> Reply | None:
    conn, player, most = asker.conn, asker.player, asker.work.limits.observers_a_game
    if not game.watch:
        return reply("takes_none", game.id)
    if player is not None and games.seats_of(conn, game.id, player):
        return reply("plays_it", game.id)
    if player is not None and Observer.one(conn, game_id=game.id, player_id=player):
        return reply("watches_already", game.id)
    if Observer.how_many(conn, game_id=game.id) >= most:
        return reply("takes_no_more", game.id, most)
    return None


def unwatch(asker: Asker, argument: str) -> Reply:
    """argument: "" for all that they watch."""
    mine, player = claimants.watched_by(asker.conn, asker.player), asker.player
    ended = [one for one in mine if argument.lower() in ("", one)]
    if player is None or not ended:
        return reply("watches_nothing", argument, mine)
    if not asker.sure:
        wish = reply("would_unwatch", ended)
        return ask(asker, CodeKind.UNWATCH, wish.subject, wish, ended=ended)
    for game_id in ended:
        Observer.drop(asker.conn, game_id=game_id, player_id=player)
        _note(asker.work, game_id, "unwatch", player)
    return reply("unwatches", ended)


def _note(work: Work, game_id: str, kind: str, player: int) -> None:
    if _is_game(work, game_id):
        notes.note(work.conn, game_id, work.now, kind, player=player)


def _is_game(work: Work, game_id: str) -> bool:
    return open_tables.joinable(work.conn, game_id) is None


# --- INVITE: tell somebody of the games. An address is written to once, ever ----------------------


def invited(asker: Asker, argument: str) -> str:
    """Invite an address. The answer never reveals whether it is registered or refuses."""
    work, player = asker.work, asker.player
    written, _, named = argument.partition(" TO ")
    seated = registrations.of_address(work.conn, asker.judged.letter.sender or "")
    if player is None or not (seated or player_records.tally(work.conn, player).finished):
        return said("only_players_invite")
    if not asker.sure:
        return said("unproven_invitation")
    game = watchable(work.conn, named.lower()) if named else None
    if named and game is None:
        return said("invited_to_nothing", named)
    try:
        address = players.mail_address(written)
    except OperatorError as error:
        return f"INVITE: {error}"
    key = f"invites:{player}"
    told = notes.memo(work.conn, key).get("asked", ())
    asked = [one for one in told if datetime.fromisoformat(one) > work.now - _WEEK]
    if len(asked) >= MOST_INVITED:
        return said("invited_enough", MOST_INVITED)
    if senders.why_not_invited(work, None):
        return said("invite_later")
    notes.set_memo(work.conn, key, {"asked": [*asked, work.now.isoformat()]})
    box = open_tables.mailbox(address)
    known = box == open_tables.mailbox(work.mark.address) or senders.registered(work, address)
    game_id = game.id if game else ""
    if not known and Invited.try_add(
        work.conn, address=box, by_player=player, game_id=game_id, at=work.now
    ):
        text = templates.shared(
            "invitation",
            by=safe(players.name(work.conn, player)),
            game=game_id,
            title=title(game.ruleset) if game else "",
            joinable=bool(game and open_tables.joinable(work.conn, game.id)),
            gamesmaster=work.mark.gamesmaster,
        )
        key, subject = f"invited:{code_hash(box)[:32]}", "An invitation to a game played by mail"
        seats.put(work, address, Draft(key, senders.INVITED, subject, text), rich=False)
    return said("invited", address, MOST_INVITED - len(asked) - 1)


# --- PRACTICE: a game at once against house bots, for one person ----------------------------------


def practise(asker: Asker, argument: str) -> Reply:
    work, key, player = asker.work, argument.lower(), asker.player
    if not work.limits.practice_games:
        return reply("no_practice")
    if key == "end":
        return reply("practice_ends", practice.stop(work, player) if player and asker.sure else "")
    found = [key] if key in GAMES else meant(key)
    if len(found) != 1:
        none = f'There is no game "{key}".' if key.strip() == key and key and not found else ""
        lines = [f"{none or 'A game for you alone, against house bots.'} Which one?"]
        for one in found or GAMES:
            line = f"PRACTICE {one}"
            letter = Links(work.mark.address, "Practice, please").line(line)
            lines += [f"{title(one)}. {houses.about(one)}", sheet.answer_line(line, letter)]
        return Reply("\n\n".join(lines), "Which game would you like to practise?")
    (key,) = found
    if player is None and asker.sure:
        player = persons.registered(work, asker.sender, "")
    if player is not None and (why := practice.why_not(work, player)):
        return Reply(why, "No practice game was begun")
    if player is None or not asker.sure:
        wish = reply("would_practise", title(key), houses.about(key))
        return ask(asker, CodeKind.PRACTICE, wish.subject, wish, practised=key)
    return reply("practice", practices.new(work.conn, player, key, work.now), title(key))


# --- ZINE and LISTED: what a person asks for as a member of the club ------------------------------


_MEMBERS = {
    "ZINE": (ListRequest.ZINE, "The club's paper"),
    "LISTED": (ListRequest.LISTED, "The club's table"),
}


def zine(asker: Asker, argument: str) -> Reply:
    if argument == "ON" and not asker.work.config.club.zine:
        return reply("no_paper")
    return subscribe(asker, "ZINE", argument)


def in_table(asker: Asker, argument: str) -> Reply:
    """Answer LISTED."""
    if asker.player is None:
        return reply("not_in_table")
    return subscribe(asker, "LISTED", argument)


def subscribe(asker: Asker, word: str, argument: str) -> Reply:
    (what, subject), conn, player = _MEMBERS[word], asker.conn, asker.player
    on = argument == "ON"
    has = player is not None and Member.has(conn, what=what, player_id=player)
    if not argument or has == on:
        return Reply(said("member_is", word, has), subject)
    if not asker.sure:
        would = said(f"would_{word}") if on else said("member_would_end", word)
        return ask(asker, CodeKind.SUBSCRIBE, subject, would, word=word, on=on)
    player = asker.registered()
    if on:
        Member.try_add(conn, what=what, player_id=player)
    else:
        Member.drop(conn, what=what, player_id=player)
    return Reply(said(f"begins_{word}") if on else said("member_ends", word), subject)
