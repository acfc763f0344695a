"""What a seat's letter asks: HELP, STATUS, BOARD, HISTORY, WHY, RULES, RULINGS, TABLES."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

from sqlalchemy import Connection

from pbem.games.frame import readiness
from pbem.games.frame.adjudication import Answer, canonical, kept, take
from pbem.games.frame.dice import commitment
from pbem.games.frame.events import Seat
from pbem.games.frame.ruleset import Offer, ToldEvent
from pbem.house import templates
from pbem.letters.states import LetterState
from pbem.letters.verdict import Rule
from pbem.orders.asking import GROUPS
from pbem.orders.called import seats
from pbem.orders.order import Standing
from pbem.pages import guide, page, sheet
from pbem.pages.guide import GuideEntry
from pbem.periods import (
    amendments,
    away,
    drawing,
    ending,
    formation,
    issue_mails,
    own_page,
    publishing,
    record,
)
from pbem.post.compose import Draft
from pbem.post.seats import put
from pbem.post.work import Work
from pbem.referee.deciding import senders
from pbem.referee.deciding.judged import Judged, LetterOutcome
from pbem.referee.game import receipts
from pbem.referee.words import questions
from pbem.store.games import bulletins, games, order_sets, periods
from pbem.store.games.games import GameAt
from pbem.store.joining import claimants, open_tables
from pbem.store.letters import letters, registrations
from pbem.store.letters.registrations import RegistrationRow
from pbem.store.people import player_records, players
from pbem.store.people.players import PLAIN
from pbem.store.schema.states import ApplicantState, GameState, PeriodState
from pbem.store.schema.tables import Journal
from pbem.text import moment_words

_said = partial(templates.said, "look")
_LONG, MOST_ANSWERS = 3, 12
"""So many blanks make an order long: a sentence that names it brings its form. Answers a letter."""
MOST_SEATS = 20
"""That STATUS of all games tells of; other games are only named."""
_LATER = datetime.max.replace(tzinfo=UTC)
Section = tuple[str, str]
"""Title and text."""


@dataclass(frozen=True, slots=True)
class _Asks:
    """A seat that asks."""

    work: Work
    judged: Judged
    game: GameAt
    standing: Standing
    alone: bool
    """Nothing of a receipt follows."""

    @property
    def seat(self) -> Seat:
        return self.judged.decision.seat

    @property
    def conn(self) -> Connection:
        return self.work.conn


def sections(
    work: Work, judged: Judged, game: GameAt, standing: Standing, answers: Sequence[Answer]
) -> list[Section]:
    """Return the answers to the words of a letter that ask, once each, up to MOST_ANSWERS, and to
    its questions in plain words. The receipt as a whole answers ORDERS and CHECK."""
    commands = judged.decision.peeled.commands
    asked = dict.fromkeys((one.name, one.argument) for one in commands if one.name in WORDS)
    asks = _Asks(work, judged, game, standing, receipts.asks_only(judged, game, answers))
    made, in_words = list[Section](), list[str]()
    for name, argument in list(asked)[:MOST_ANSWERS]:
        if name == "WHY" and _in_words(asks, argument):
            in_words.append(f"why {argument}?")
        else:
            made += WORDS[name](asks, argument)
    made += questions.section(work, judged, game, standing, answers, in_words)
    if not asked:
        lost = questions.lost(judged.decision.peeled, game, answers)
        beside = questions.others(judged.decision.peeled, game, answers)
        refused = (one for one in beside if not one.asked)
        lost += [one.line.text for one in refused if "E_SYNTAX" in {p.code for p in one.problems}]
        made += _form_of(game, judged.decision.seat, standing, lost)
    if len(asked) > MOST_ANSWERS:
        more = f"One letter gets {MOST_ANSWERS} answers; ask the others in another one."
        made.append(("More questions", more))
    most = work.limits.answers_bytes
    if (fit := receipts.within([text for _, text in made], most)) < len(made):
        made[fit:] = [("More questions", receipts.remark("answers_over", most))]
    return made


def help_(game: GameAt, seat: Seat, standing: Standing, words: str) -> list[Section]:
    word, *_ = [*words.strip(" .?!").upper().split(), ""]
    if not word:
        return [("What HELP brings", _groups(game))]
    if word in ("FORM", "GUIDE", "ALL"):
        return list(_parts(game, seat, standing, word))
    if word in GROUPS:
        told = questions.tools(game, seat, *(one.name for one in GROUPS[word]))
        return [(f"Help: {word}", told)]
    return [(f"About {word}", _about(game, seat, standing, word))]


def _groups(game: GameAt) -> str:
    orders = list(dict.fromkeys(one.order.split()[0] for one in _guide(game).entries))
    rows = [
        ("FORM", "lines to copy"),
        ("GUIDE", f"all orders: {', '.join(orders)}"),
        *(
            (group, "other games" if group == "CLUB" else ", ".join(word.name for word in words))
            for group, words in GROUPS.items()
            if group != "LETTER"
        ),
        (orders[0], "any word, with an example"),
    ]
    lines = [sheet.entry(n, f"HELP {word}", said) for n, (word, said) in enumerate(rows, 1)]
    return "\n".join([*lines, "", "Or ask in plain words."])


def _parts(game: GameAt, seat: Seat, standing: Standing, word: str) -> Iterator[Section]:
    if word in ("GUIDE", "ALL"):
        yield "The order guide", _guide(game).text
    if word == "ALL":
        told = templates.tools(game.ruleset, game.house, game.people(seat))
        yield "Words to the referee", told
    if word in ("FORM", "ALL"):
        opened = game.period.status == PeriodState.OPEN and game.result is None
        form = own_page.words(game, seat, standing)["form"] if opened else ""
        if form or word == "FORM":
            yield "Your orders now", form or "There is nothing that you can send now."


def _guide(game: GameAt) -> guide.Guide:
    return guide.guide(templates.environment(), game.ruleset.about.key, game.house)


def _about(game: GameAt, seat: Seat, standing: Standing, word: str) -> str:
    entries, shown = _guide(game).about(word), questions.orders(_guide(game), word)
    if word == guide.IF:
        ifs = game.ruleset.language.ifs
        shown = shown or "No order of this game can have IF."
        numbers = ", ".join(filter(None, (ifs.rule, ifs.reads)))
        told = templates.rules_text(game.ruleset.about.key, numbers) if numbers else ""
        return "\n\n".join(filter(None, [shown, told]))
    if said := questions.tools(game, seat, word):
        return f"{said}\n\n{shown}".strip()
    if not entries:
        known = sorted({one.order.split()[0] for one in _guide(game).entries})
        return _said("no_such", word, known)
    return "\n\n".join([shown, *_now(game, seat, standing, word, entries)])


def _now(
    game: GameAt, seat: Seat, standing: Standing, word: str, entries: Sequence[GuideEntry]
) -> Iterator[str]:
    if game.result is not None:
        yield "The game is over."
        return
    says, forms = templates.words(game.ruleset, game.state, seat), _forms(game, seat)
    chosen = [(offer, order) for offer, order in forms if order.split()[0] == word]
    if not chosen:
        yield f"You cannot send it now. {_why_not(game, seat, standing, entries)}".strip()
        return
    yield "What you could send now:"
    yield says.form([offer for offer, _ in chosen])
    offer, order = chosen[0]
    example = page.filled(order, _spread(offer.fills))
    yield f"As an example, filled in:\n\n{sheet.order_list([example])}"


def _forms(game: GameAt, seat: Seat) -> list[tuple[Offer, str]]:
    """Return what the seat could send now, each with its line."""
    says = templates.words(game.ruleset, game.state, seat)
    offers = game.ruleset.offers(game.state, seat)
    return [(offer, order) for offer, (order, _) in zip(offers, says.lines(offers), strict=True)]


def _spread(fills: Sequence[Sequence[str]]) -> list[str]:
    """Return a word for each blank; where the same stand again, the next of them."""
    return [words[fills[:at].count(words) % len(words)] for at, words in enumerate(fills)]


def _form_of(game: GameAt, seat: Seat, standing: Standing, lost: Sequence[str]) -> list[Section]:
    """Return the form of a long order that sentences name without being one."""
    forms = _forms(game, seat) if lost else ()
    long = {order.split()[0] for offer, order in forms if len(offer.fills) >= _LONG}
    said = (questions.ordered(game.ruleset.about.key, one) for one in lost)
    word = next((one for one in said if one in long), "")
    return help_(game, seat, standing, word) if word else []


def _why_not(game: GameAt, seat: Seat, standing: Standing, entries: Sequence[GuideEntry]) -> str:
    taken = take(game.ruleset, game.state, seat, entries[0].order, standing)
    problems = [one for one in taken.problems if not one.warning]
    if not problems:
        return "It is not among what your form offers in this period."
    cited = f" [{problems[0].rule}]" if problems[0].rule else ""
    return f"{entries[0].order} would be told: {problems[0].message}{cited}"


def why(conn: Connection, game: GameAt, seat: Seat | None, words: str) -> str:
    """Return what led to an event or figure of the newest bulletin; of DICE, how they are
    checked."""
    if _is_dice(words):
        seed = game.row.seed if game.row.status == GameState.OVER else ""
        return _said("dice", commitment(game.row.seed), seed, bulletins.heads(conn, game.id))
    told = periods.told_events(conn, game.id, seat)
    said = words if _has_steps(game, seat, told, words) else seats(words, game.named)
    return templates.explained(game.ruleset, game.state, seat, told, said)


def _why(asks: _Asks, argument: str) -> list[Section]:
    explained = why(asks.conn, asks.game, asks.seat, argument)
    told = explained if _is_dice(argument) else sheet.aside(explained)
    return [(f"Answer ({f'WHY {argument}'.strip()})", told)]


def _in_words(asks: _Asks, argument: str) -> bool:
    """Return whether WHY begins a question in plain words."""
    if _is_dice(argument) or len(argument.split()) <= templates.LONGEST_NAME:
        return False
    game, told = asks.game, periods.told_events(asks.conn, asks.game.id, asks.seat)
    said = (seats(argument, game.named), *templates.why_named(argument.strip(" .?!")))
    return not any(_has_steps(game, asks.seat, told, one) for one in said)


def _has_steps(game: GameAt, seat: Seat | None, told: Sequence[ToldEvent], words: str) -> bool:
    asked = " ".join(words.strip(" .?!").split())
    return bool(asked and game.ruleset.why(game.state, seat, told, asked))


def _is_dice(words: str) -> bool:
    return words.strip(" .?!").upper() == "DICE"


def _status(asks: _Asks, _: str) -> list[Section]:
    work, conn, game, seat = asks.work, asks.conn, asks.game, asks.seat
    deputy, holder = bool(asks.judged.deputy), asks.game.holders[asks.seat]
    deadline = publishing.deadline_of(game)
    slots = game.ruleset.asked(game.state)
    running = game.row.status in (GameState.RUNNING, GameState.HELD) and game.result is None
    word = readiness.of(order_sets.last_set(conn, game.id, game.period.number, seat))
    player_id = None if deputy else holder.player_id
    tally = player_records.tally(conn, player_id) if player_id is not None else None
    text = templates.shared(
        "status",
        at=game,
        seat=seat,
        alone=asks.alone,
        period_name=own_page.name(game),
        ended=ending.ended(game),
        review=game.period.status == PeriodState.CLOSED and game.row.period > game.period.number,
        deadline=publishing.deadline_text(game),
        moved=deadline.explained(game.house.hour, game.zone) if deadline and deadline.moves else (),
        left=own_page.time_left(game, work.now),
        own_time=own_page.own_time(game, holder, game.period.due),
        page=own_page.words(game, seat, asks.standing) if running else {},
        standing=canonical(asks.standing),
        progress=formation.progress_words(work, game, seat) if running else "",
        told=publishing.so_far(conn, game) if running else "",
        kept=kept(game.ruleset, game.state, seat, asks.standing) if running else (),
        asked=[
            (
                one,
                game.player(one) if other.player_id or one in game.bots else "nobody",
                templates.slots_words(game.ruleset, game.state, slots.get(one, ())),
            )
            for one, other in game.holders.items()
            if running
        ],
        held=[
            (moment_words(row.received.astimezone(game.zone)), row.outcome)
            for row in letters.of_seat(conn, game.id, seat, game.period.number)
        ],
        is_away=away.waits(work, game.id),
        **receipts.until_it_closes(work, game, asks.judged.writer(work, game), word),
        record=record.tally_in_words(tally) if tally is not None else "",
    )
    return [(f"Status (game {game.id})", text.strip("\n"))]


def asks_for_all(conn: Connection, judged: Judged) -> bool:
    """Return whether it is only STATUS, of no game, from a player of several."""
    decision, peeled = judged.decision, judged.decision.peeled
    alone = {one.name for one in peeled.commands} == {"STATUS"} and peeled.empty
    if not alone or peeled.press or decision.case.named or decision.rule != Rule.ONLY_READING:
        return False
    if decision.registration is None:
        return True  # else they are asked which game
    rows = registrations.of_address(conn, judged.letter.sender or "")
    return sum(row.status != GameState.OVER for row in rows) > 1


def answer_all(work: Work, judged: Judged) -> LetterOutcome:
    """Tell a player what they owe in each of their games, the nearest deadline first."""
    reason, sender = judged.decision.reason, judged.letter.sender or ""
    if why := senders.why_not(work, judged):
        return LetterOutcome(LetterState.COMMAND, f"{reason}; nothing was sent back: {why}")
    rows = registrations.of_address(work.conn, sender)
    open_ = [row for row in rows if row.status in (GameState.RUNNING, GameState.HELD)]
    stand = [_stands(work, row) for row in open_[:MOST_SEATS]]
    text = templates.shared(
        "all_games",
        seats=sorted(stand, key=lambda one: (not one["owes"], one["at"].period.due or _LATER)),
        more=sorted({row.game_id for row in open_[MOST_SEATS:]}),
        waiting=[row for row in rows if row.status == GameState.WAITING],
        ended=[
            (game.id, game.ruleset.about.title, game.minute(row.statements_until))
            for row in rows
            if row.statements_until and row.statements_until > work.now
            for game in [games.game_at(work.conn, row.game_id)]
        ],
        **_besides(work.conn, sender, {row.game_id for row in rows}),
    )
    rich = all(one["at"].holders[one["seat"]].face != PLAIN for one in stand)
    to = players.address_of_record(work.conn, sender)
    key, kind = f"{senders.ANSWER}:{judged.row.id}", senders.ANSWER
    draft = Draft(key, kind, "Your games", text).answering(judged.letter)
    put(work, to, draft, rich=rich, state=senders.state_of(work, to, kind))
    return LetterOutcome(LetterState.COMMAND, f"{reason}; of all their games")


def _stands(work: Work, row: RegistrationRow) -> dict[str, Any]:
    """Return how a seat stands; in review, as of the period before."""
    game, seat = games.game_at(work.conn, row.game_id), row.seat
    review = game.period.number - 1 if game.period.status == PeriodState.REVIEW else 0
    if review:
        game = games.game_at(work.conn, row.game_id, review)
    known = formation.seen(work, game, seat)
    orders = order_sets.last_set(work.conn, game.id, game.period.number, seat)
    stands = order_sets.orders_of(game, orders)
    nothing = templates.words(known.ruleset, known.state, seat).nothing()
    return {
        "at": game,
        "seat": seat,
        "you": templates.seat_words(game.ruleset, game.state, seat),
        "called": own_page.name(game),
        "deadline": "" if review else publishing.deadline_text(game),
        "left": own_page.time_left(game, work.now),
        "own_time": own_page.own_time(game, game.holders[seat], game.period.due),
        "owes": [] if review else templates.owed_words(known.ruleset, known.state, seat, stands),
        "nothing": nothing,
        "unsettled": nothing != page.NOTHING and not review,  # as to form a Government
        "said": readiness.of(orders),
        "review": review,
    }


def _besides(conn: Connection, sender: str, plays: set[str]) -> dict[str, list[str]]:
    player = players.at_address(conn, sender)
    signed = open_tables.of_person(conn, sender, player)
    called = {one.game_id for one in signed if one.state == ApplicantState.CALLED}
    return {
        "stands_by": sorted({one.game_id for one in registrations.standing_by(conn, sender)}),
        "called": sorted(called - plays),
        "signed": sorted({one.game_id for one in signed} - called - plays),
        "watches": claimants.watched_by(conn, player),
    }


def _history(asks: _Asks, number: str) -> list[Section]:
    """Show a bulletin with the seat's notice. number: "" for the newest."""
    conn, game = asks.conn, asks.game
    wanted = int(number) if number else bulletins.newest(conn, game.id)
    issue = bulletins.for_seat(conn, game.id, wanted, asks.seat) if wanted is not None else None
    told = [f"There is no bulletin {number}.".replace(" .", ".")]
    if issue and issue.texts:
        told = [*map(sheet.shown_again, issue.texts)]
        if since := issue.voided:
            told_why = {"game_id": game.id, "kind": "rewind", "at": since}
            rewound = Journal.scalar(conn, Journal.data, **told_why)
            told.insert(0, _said("void", game.minute(since), rewound))
    return [(f"Bulletin {number}" if number else "The last bulletin", "\n\n".join(told))]


def _board(asks: _Asks, _: str) -> list[Section]:
    now = formation.of_now(asks.conn, asks.game)
    return [("The board", drawing.board_in_words(asks.conn, asks.game, now))]


def _rules(asks: _Asks, argument: str) -> list[Section]:
    """Show the charter, house rules, or amendments and rulings, or paragraphs of the rules."""
    game, said = asks.game, argument.strip(" .?!").upper()
    text = issue_mails.charter(asks.conn, game) if said == "CHARTER" else ""
    if said in ("AMENDMENTS", "AMENDMENT", "RULINGS", "RULING"):
        text = amendments.page(asks.conn, game)
    if said in ("HOUSE", "HOUSE RULES"):
        text = issue_mails.house_text(game.ruleset.about.key, game.house, game.row)
    text = text or templates.rules_text(game.ruleset.about.key, argument)
    return [(f"The rules: {argument}".rstrip(": "), text)]


def _tables(asks: _Asks, argument: str) -> list[Section]:
    values = asks.game.ruleset.tables_at(asks.game.state)
    told = templates.tables_text(asks.game.ruleset.about.key, values, argument)
    return [(f"The tables: {argument}".rstrip(": "), told)]


WORDS: Mapping[str, Callable[[_Asks, str], list[Section]]] = {
    "HELP": lambda asks, argument: help_(asks.game, asks.seat, asks.standing, argument),
    "STATUS": _status,
    "BOARD": _board,
    "HISTORY": _history,
    "WHY": _why,
    "RULES": _rules,
    "RULINGS": lambda asks, _: [("Amendments and rulings", amendments.page(asks.conn, asks.game))],
    "TABLES": _tables,
}
