"""Grace: once a game a period waits for a player who owes and sent nothing.

Only he learns for whom. It closes when he owes nothing; if nothing counts after deadlines, only he
may write.

Remind a seat.
"""

from datetime import datetime

from sqlalchemy import Connection

from pbem.games.frame import house_rules
from pbem.games.frame.adjudication import canonical, owed
from pbem.games.frame.calendar import Move, moved, moves
from pbem.games.frame.events import Seat
from pbem.games.frame.house_rules import GRACE, AtDeadline
from pbem.house import templates
from pbem.orders.order import Standing
from pbem.periods import deadline_acts, issue_mails, own_page, publishing
from pbem.post.compose import Draft
from pbem.post.seats import put_to_seat, to_all
from pbem.post.work import Work
from pbem.store.games import order_sets
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.letters import letters
from pbem.store.people import player_records
from pbem.store.schema.states import GameState, RecordKind

WHY = "the period waits"
CLOSES = (
    "READY and WAIT change nothing now: the period waits, and closes as soon as what it waits for"
    " is in."
)


def decide(work: Work, game: GameAt) -> AtDeadline:
    """Return whether a due period waits, how long and for whom."""
    deadline = publishing.deadline_of(game)
    by = house_rules.grace(deadline, work.now, game.house, game.zone) if deadline else None
    silent = _silent(work.conn, game) if by else ()
    return AtDeadline(by, GRACE, WHY, remind=silent) if by and silent else AtDeadline()


def begin(work: Work, game: GameAt, what: AtDeadline) -> None:
    """Move the deadline; tell all, and those concerned."""
    deadline, number = publishing.deadline_of(game), game.period.number
    assert deadline is not None
    for seat in what.remind:
        _note_used(work, game, seat)
    later = moved(deadline, [Move(what.kind, what.by, what.why)], game.house, game.zone)
    game = deadline_acts.put_deadline(
        work, game, later, f"{what.by.signed}, grace: the period waited"
    )
    notes.note(work.conn, game.id, work.now, "grace", period=number, seats=list(what.remind))
    _tell_all(work, game)
    still = owed(game.ruleset, game.state, what.remind, order_sets.all_standing(work.conn, game))
    for seat, slots in still.items():
        owes = "; ".join(templates.slots_words(game.ruleset, game.state, slots, seat))
        text = (
            f"The deadline of {own_page.name(game)} has passed, and no letter of"
            f" yours ({seat}) has been taken for it. The period waits for you until\n\n"
            f"{publishing.deadline_text(game)}\n\nYou owe: {owes}. If nothing comes, the"
            " period closes then, by the rule for a missed move; else as soon as nobody is waited"
            " for any more.\n\nA period waits for each player once in a game. You have had yours:"
            f" at any later deadline of {game.id} nothing waits for you. The others are told that"
            " the period waits, and not for whom."
        )
        subject = f"[{game.id}] Period {number} waits for you"
        draft = Draft(f"grace:{game.id}:{later.due:%Y%m%d%H%M}:{seat}", "reminder", subject, text)
        put_to_seat(work, game, game.holders[seat], draft)


def _tell_all(work: Work, game: GameAt) -> None:
    """Tell neither who nor how many."""
    number = game.period.number
    changes = (
        "Orders are taken from the player it waits for, who has been told so; from all others it"
        " is too late."
        if game.row.late == "deadline"
        else "Changes are taken until it closes."
    )
    deadline = publishing.deadline_of(game)
    lines = deadline.explained(game.house.hour, game.zone) if deadline else []
    text = (
        f"The deadline of {own_page.name(game)} has passed, and not all that was owed"
        f" is in. The period waits until\n\n{publishing.deadline_text(game)}\n\nat the latest: it"
        f" closes as soon as what it waits for has come. What you have sent stands. {changes}"
    )
    subject = f"[{game.id}] Period {number} waits until {publishing.local_deadline(game)}"
    key = f"waits:{game.id}:{number}:{game.period.due:%Y%m%d%H%M}"
    text = "\n\n".join([text, "\n".join(lines)]) + "\n"
    to_all(work, game, Draft(key, "deadline", subject, text, calendar=own_page.of(work, game)))


def waits(game: GameAt) -> bool:
    """Return whether only grace keeps it open: READY and WAIT do nothing."""
    return house_rules.in_grace(moves(game.period.moves))


def is_over(conn: Connection, game: GameAt) -> bool:
    seats = player_records.waited_for(conn, game.id, game.period.number)
    still = owed(game.ruleset, game.state, seats, order_sets.all_standing(conn, game))
    return not any(still.values())


def deadline_for(conn: Connection, game: GameAt, seat: Seat, received: datetime) -> datetime | None:
    """Return until when a letter counts, if none do after deadlines."""
    deadline = publishing.deadline_of(game)
    if deadline is None:
        return None
    came = house_rules.before_grace(deadline, game.house, game.zone)
    if received <= came:
        return deadline.due
    waited = seat in player_records.waited_for(conn, game.id, game.period.number)
    if waits(game):
        return deadline.due if waited else came
    if came == deadline.due and (waited or seat in _silent(conn, game)):
        return house_rules.after_grace(deadline, game.house, game.zone)  # not looked at since
    return deadline.due  # perhaps one that opened the period to all again


def used(work: Work, game: GameAt, seat: Seat, received: datetime) -> list[str]:
    """Use grace up if a letter came before the look. Return notes."""
    due = game.period.due
    strict = game.row.late == "deadline" and game.row.status != GameState.HELD
    if not strict or due is None or received <= due or seat not in _silent(work.conn, game):
        return []
    if seat in player_records.waited_for(work.conn, game.id, game.period.number):
        return []
    _note_used(work, game, seat)
    notes.note(work.conn, game.id, work.now, "grace", period=game.period.number, seats=[seat])
    return [
        "Your letter came after the deadline. It counts by grace, which each player has once in a"
        " game: you have had yours."
    ]


def _note_used(work: Work, game: GameAt, seat: Seat) -> None:
    player_id = game.holders[seat].player_id
    if player_id is not None:
        number = game.period.number
        player_records.add(work.conn, game.id, number, seat, player_id, RecordKind.GRACE)


def _silent(conn: Connection, game: GameAt) -> tuple[Seat, ...]:
    due = game.period.due
    if not game.house.grace or due is None:
        return ()
    had = player_records.had_grace(conn, game.id, game.period.number)
    wrote = letters.writers(conn, game.id, game.period.number, due)
    still = owed(game.ruleset, game.state, game.seats, order_sets.all_standing(conn, game))
    return tuple(
        seat
        for seat, slots in still.items()
        if slots
        and seat not in wrote
        and seat not in game.bots
        and game.holders[seat].player_id not in {None, *had}
    )


def remind(work: Work, game: GameAt, seat: Seat, standing: Standing, key: str) -> None:
    """Mail a reminder under the last notice."""
    holder = game.holders[seat]
    owing = own_page.owing(game, holder, standing)
    subject = f"[{game.id}] Reminder: {owing[0].lower()}{owing[1:]}"
    draft = Draft(key, "reminder", subject, text(work, game, seat, standing))
    put_to_seat(
        work, game, holder, issue_mails.under_last(work, game, holder, draft, "notice", "bulletin")
    )


def text(work: Work, game: GameAt, seat: Seat, standing: Standing) -> str:
    """Return what is owed, with its form lines."""
    page = own_page.words(game, seat, standing, form=False)
    return templates.shared(
        "reminder",
        at=game,
        seat=seat,
        asked=page["asked"],
        silence=page["silence"],
        form=own_page.owed_form(game, seat, standing),
        standing=canonical(standing),
        deadline=publishing.deadline_text(game),
        own_time=own_page.own_time(game, game.holders[seat], game.period.due),
        left=own_page.time_left(game, work.now),
    )
