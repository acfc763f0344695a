"""What a run left behind, and what is wrong with it."""

from collections import Counter
from dataclasses import dataclass, field, replace

from sqlalchemy import Engine, func, select

from pbem.letters.letter import read
from pbem.periods import replay
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games
from pbem.store.schema.tables import Game, Journal, Letter, OrderSet, Outgoing, Period, Press
from tests.faults.schedules import IN_DOUBT
from tests.faults.tally import twice
from tests.faults.world import World

MAILED = ("bulletin", "notice", "press", "start")
"""The kinds of mails that a run must have made, no more and no fewer."""


@dataclass(slots=True)
class Facts:
    """What a run left behind, as far as faults must not change it."""

    state: str
    over: str
    periods: list[tuple[int, str, str]]
    standing: dict[tuple[int, str], list[str]]
    sets: dict[tuple[int, str], int]
    letters: dict[str, list[str]]
    journal: Counter[str]
    keys: set[str]
    doubted: set[str] = field(default_factory=set)
    """The Message-IDs of mails of which nobody knows whether they went out, and that went once more."""
    faults: list[str] = field(default_factory=list)


def facts(engine: Engine, world: World) -> Facts:
    """Read them; ``faults`` names what is wrong whatever the undisturbed run was like."""
    with exclusive_transaction(engine) as conn:
        row = conn.execute(select(Game.__table__)).one()
        periods = conn.execute(
            select(Period.number, Period.state_hash, Period.status).order_by(Period.number)
        ).all()
        sets = conn.execute(select(OrderSet.__table__).order_by(OrderSet.ordinal)).all()
        letters = conn.execute(select(Letter.__table__).order_by(Letter.id)).all()
        mails = conn.execute(select(Outgoing.__table__)).all()
        presses = list(conn.execute(select(Press.id).order_by(Press.id)).scalars())
        notes = conn.execute(select(Journal.data).where(Journal.kind == "letter")).scalars().all()
        report = replay.replay(conn, "g")
        at = games.game_at(conn, "g")
        seats = sum(at.ruleset.view(at.state, None)["seats"].values())
        doubles = (
            conn.execute(
                select(OrderSet.letter_id).group_by(OrderSet.letter_id).having(func.count() > 1)
            )
            .scalars()
            .all()
        )
    said = {letter.raw_hash: _said(letter.raw) for letter in letters}
    outcomes: dict[str, list[str]] = {}
    for letter in letters:
        outcomes.setdefault(said[letter.raw_hash], []).append(letter.outcome)
    found = Facts(
        periods[-1].state_hash,
        row.status,
        [tuple(one) for one in periods],
        {(one.period, one.seat): one.orders for one in sets},
        dict(Counter((one.period, one.seat) for one in sets)),
        {key: [one for one in told if one != "duplicate"] for key, told in outcomes.items()},
        Counter(said[note["sha256"]] for note in notes),
        {_key(mail.key, presses) for mail in mails if mail.kind in MAILED},
        {mail.message_id for mail in mails if mail.resent},
    )
    wrong = found.faults
    wrong += report.faults
    wrong += ["615 seats are not 615"] * (seats != 615)
    wrong += [
        f"letter {one} has {count} effects"
        for one, count in Counter(doubles).items()
        if one is not None
    ]
    wrong += [
        f"letter {one.id} is {one.outcome}: {one.reason}"
        for one in letters
        if one.outcome in ("stored", "unfetchable", "failed", "held", "late")
    ]
    wrong += [f"{len(world.inbox)} letters were left in the inbox"] * bool(world.inbox)
    wrong += ["letters are missing on the server"] * (
        len(set(world.processed)) != len(set(world.raws))
    )
    wrong += [
        f"mail {one.key} is {one.state}"
        for one in mails
        if one.state not in ("sent", "listed") and not one.resent
    ]
    return found


def _key(key: str, presses: list[int]) -> str:
    """The key of a mail, a press's by its place among the game's: a transaction that was taken back
    on PostgreSQL leaves a number out."""
    kind, _, rest = key.partition(":")
    if kind != "press":
        return key
    row, _, seat = rest.partition(":")
    return f"{kind}:{presses.index(int(row)) + 1}:{seat}"


def _said(raw: bytes) -> str:
    """What two copies of a letter have in common, whichever of them comes to have the effect."""
    letter = read(raw)
    return f"{letter.message_id} {letter.body_hash}"


def compare(now: Facts, then: Facts, world: World) -> list[str]:
    """What differs from the undisturbed run ``then``, and what no run may show."""
    wrong = list(now.faults)
    if any(
        fault.kind == "burn" for fault in world.shared.struck()
    ):  # a letter that is tried again comes after its siblings
        now, then = (
            replace(one, standing={key: sorted(o) for key, o in one.standing.items()})
            for one in (now, then)
        )
    for what in ("state", "over", "periods", "standing", "sets", "letters", "journal"):
        if getattr(now, what) != getattr(then, what):
            wrong.append(
                f"{what} differs: {getattr(now, what)!r} instead of {getattr(then, what)!r}"
            )
    wrong += [f"mails differ: {sorted(now.keys ^ then.keys)}"] * (now.keys != then.keys)
    struck = world.shared.struck()
    doubts = sum(fault.kind in IN_DOUBT for fault in struck)
    if not world.restored:
        wrong += twice(world.mails, now.doubted)
    extra = 0
    for who, mails in world.mails.items():
        for message_id, count in Counter(mail["Message-ID"] for mail in mails).items():
            extra += count - 1
            if count > 4:
                wrong.append(f"{who} got {message_id} {count} times")
    if extra > doubts and not world.restored:
        wrong.append(f"{extra} mails went out twice, with {doubts} faults that leave one in doubt")
    return wrong
