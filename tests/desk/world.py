"""An installation in which something of everything waits, and what each act is given there.

Games of Coalition: g has been played for two periods, r has a bulletin in review, p is held, w
waits for its start, o is over; all are the installation's gamesmaster's. h is Anna's, and the
gamesmaster plays B in it; t is an open table of his. Of each outcome that waits there is a letter.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import insert, select, update

from pbem.acts.act import Act, Kind
from pbem.acts.acts import BY_NAME
from pbem.games.frame.dice import Dice
from pbem.letters.states import LetterState
from pbem.periods import opening
from pbem.referee.acts.doing import Actor, do
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games
from pbem.store.joining import open_tables
from pbem.store.people import players
from pbem.store.schema.states import ApplicantState
from pbem.store.schema.tables import EditorLetter, Inquiry, Letter, Outgoing, Protest
from tests.bots import bot_of
from tests.installation import GAMESMASTER, SEATS, Installation, address, desk, private, proven
from tests.masters import ANNA, make

NEW = "new@else.example"
OTHERS = {seat: f"{seat.lower()}@other.example" for seat in SEATS}
"""The players of h."""
PERIODS = 2
LETTER = """Good evening,

SPECIAL AGR
SPECAIL FIN

Until Monday, and greetings from the harbour.

On Monday the referee wrote:
> Bulletin 2: the Cabinet resigns.
> Orders are due on Monday 23 March 2026, 24:00.
--\x20
Ann, 12 Quay Street
"""
REASONS = {
    LetterState.UNVERIFIED: "nothing shows that its player wrote it",
    LetterState.HELD: "it names no game, and its player has two",
    LetterState.LATE: "it came after the deadline",
    LetterState.QUARANTINE: "it has two From lines",
    LetterState.FAILED: "reading it took too long",
    LetterState.UNFETCHABLE: "the mail server does not give it",
    LetterState.UNANSWERED: "it is marked as a program's",
    LetterState.UNKNOWN_SENDER: "nobody is registered there",
}
WAITING = tuple(REASONS)
_MADE: dict[str, bytes] = {}


def world(folder: Path) -> Installation:
    """It, to be entered."""
    return Installation(
        folder, "coalition", seats=SEATS, trust="proven", strangers=(ANNA, NEW, *OTHERS.values())
    )


def furnish(at: Installation) -> None:
    """Everything comes about; from the second time on, all that is on file is a copy."""
    assert at.file
    if "file" not in _MADE:
        _play(at)
        _games(at)
        _letters(at)
        at.once()
        at.daemon.engine.dispose()
        _MADE["file"], _MADE["clock"] = at.file.read_bytes(), at.clock.isoformat().encode()
        return
    at.leave()
    private(at.file, _MADE["file"])
    at.clock = type(at.clock).fromisoformat(_MADE["clock"].decode())
    at.enter()


def _play(at: Installation) -> None:
    at.start()
    chance, bot = Dice("browser", "coalition").stream("choices"), bot_of(at.table().ruleset)
    for _ in range(PERIODS):
        table = at.table()
        for seat in at.seats:
            views = (table.ruleset.view(table.state, one) for one in (None, seat))
            proven(at, seat, bot.letter(*views, seat, chance))
        at.once()
        at.to_deadline()
    proven(at, "A", LETTER)
    at.send("B", LETTER.replace("SPECIAL AGR", "SPECIAL DEF"))  # nobody vouches for it


def _games(at: Installation) -> None:
    make(at, "h", gamesmaster=ANNA, seated={**OTHERS, "B": GAMESMASTER})
    for game in "rpo":
        make(at, game, publish="review" if game == "r" else "auto")
    with desk(at) as work:
        done = Actor()
        do(work, BY_NAME["close"], {"game": "r", "period": 1, "unread": True}, done)
        do(work, BY_NAME["hold"], {"game": "p", "why": "a strike of the post"}, done)
        do(work, BY_NAME["end"], {"game": "o", "why": "enough"}, done)
        seated = [(seat, address(seat), f"Player {seat}") for seat in SEATS]
        opening.new(work, opening.Plan("w", "coalition", seated, "Europe/Paris"))
        do(work, BY_NAME["open"], nothing("open") | OPEN | {"table": "t"}, done)
        player = players.player(work.conn, NEW, "New", at.clock)
        values = {"game_id": "t", "address": NEW, "name": "New", "player_id": player}
        more = {"wishes": [], "through": "", "came": at.clock, "until": None}
        open_tables.ask(work.conn, ApplicantState.SIGNED, **values, **more, code_hash="")
        Protest.put(work.conn, Protest("g", "A", PERIODS, "A seat is missing", at.clock))
        holder = games.holders(work.conn, "g")["A"]
        for number in (1, 2):
            of = ("g", "A", holder.player_id or 0, at.clock)
            one = EditorLetter(number, "Player A", "What a month!", False, *of)
            EditorLetter.put(work.conn, one)
        Inquiry.put(
            work.conn, Inquiry(letter(LetterState.HELD), "g", "A", 1, "May I lie?", at.clock)
        )
    at.once()


def _letters(at: Installation) -> None:
    with exclusive_transaction(at.daemon.engine) as conn:
        for number, outcome in enumerate(WAITING, 900):
            raw = at.letter("A", "SPECIAL AGR", Subject=f"A letter that is {outcome}")
            known = outcome not in (LetterState.QUARANTINE, LetterState.UNKNOWN_SENDER)
            conn.execute(
                insert(Letter).values(
                    id=number,
                    account="a",
                    folder="INBOX",
                    uidvalidity=1,
                    uid=number,
                    received=at.clock,
                    seen=at.clock,
                    raw=None if outcome is LetterState.UNFETCHABLE else raw,
                    raw_hash=str(number),
                    outcome=outcome,
                    reason=REASONS[outcome],
                    sender=address("A"),
                    decided=at.clock,
                    game_id="g" if known else "",
                    seat="A" if known else "",
                    period=PERIODS if known else 0,
                )
            )
        to_a = select(Outgoing.id).where(Outgoing.game_id == "g", Outgoing.seat == "A")
        first = conn.execute(to_a.order_by(Outgoing.id)).scalars().first()
        conn.execute(update(Outgoing).where(Outgoing.id == first).values(state="refused"))


def letter(outcome: LetterState) -> int:
    """The number of the letter with that outcome."""
    return 900 + WAITING.index(outcome)


# --- what the acts are given ----------------------------------------------------------------------

OPEN = {"ruleset": "coalition", "players": 5, "approve": "yes"}


def nothing(name: str) -> dict[str, Any]:
    return {one.name: [] if one.many else None for one in BY_NAME[name].arguments}


def fields(at: Installation, act: Act) -> dict[str, Any]:
    """What is filled into the form of an act, so that it can be done; of an act that is not known
    here something for each of its arguments."""
    usual = {one.name: _USUAL.get(one.kind, "x") for one in act.arguments if one.required}
    given: Mapping[str, Any] = _GIVEN.get(act.name, {})
    if act.name == "resend":
        with exclusive_transaction(at.daemon.engine) as conn:
            refused = select(Outgoing.id).where(Outgoing.state == "refused").order_by(Outgoing.id)
            given = {"mail": conn.execute(refused).scalars().first()}
    if act.name == "pause":
        due = games_due(at)
        given = {**given, "first": due, "last": due}
    if act.name == "away":
        given = {"days": f"{games_due(at)} to {games_due(at)}"}
    takes = {one.name for one in act.arguments}
    return {name: value for name, value in {**usual, **given}.items() if name in takes}


def games_due(at: Installation) -> str:
    """The day of the deadline of g."""
    with exclusive_transaction(at.daemon.engine) as conn:
        due = games.game_at(conn, "g").period.due
    assert due
    return str(due.date())


_USUAL: Mapping[Kind, str] = {
    Kind.GAME: "g",
    Kind.SEAT: "A",
    Kind.ADDRESS: NEW,
    Kind.NUMBER: "1",
    Kind.LENGTH: "3",
    Kind.TIME: "2026-03-02T09:00",
    Kind.TABLE: "t",
    Kind.WHY: "illness",
    Kind.TEXT: "Read on.",
    Kind.FILE: "SPECIAL AGR",
}
_GIVEN: Mapping[str, Mapping[str, Any]] = {
    "resume": {"game": "p"},
    "hour": {"hour": "20:00"},
    "release": {"game": "r"},
    "order": {"file": "SPECIAL AGR"},
    "address": {"old": address("A"), "new": "moved@else.example"},
    "rotate": {"game": "g", "seat": "A"},
    "rewind": {"number": "2"},
    "accept": {"letter": letter(LetterState.HELD)},
    "dismiss": {"letter": letter(LetterState.LATE)},
    "answer": {"letter": letter(LetterState.HELD)},
    "print-letter": {"number": "1"},
    "retry": {"letter": letter(LetterState.FAILED)},
    "press": {"to": "ALL", "file": "The harbour is frozen."},
    "open": {**OPEN, "table": "u"},
    "start": {"game": "w"},
}
UPON = {"open": "u", "resume": "p", "release": "r", "start": "w"}
"""The game in whose journal an act stands, where that is not g, nor its table's."""
