"""What happens: the game's script, and the faults that strike it, all drawn from a seed."""

import random
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ONE = (
    "PM A, DEF B, FIN C, FOR D, AGR A, EC B, ENV C, FF D, HW E, INF A, JUS B, ME C, SI D, SEC E, TE"
    " A, TRA B"
)
TWO = ONE.replace("PM A", "PM B").replace("DEF B", "DEF A")
CLOSE, REMIND = "close", "remind"
CONFIRM = "confirm"
ANN = "ann@friends.example"
STRANGERS = ("someone@else.example", ANN)
Lines = Sequence[tuple[str, str]]
Script = Sequence[Lines | str]
SCRIPT: Script = (
    [("A", f"PROPOSE {ONE}"), ("A", "SPECIAL AGR, ENV"), ("B", "SPECIAL JUS\nNAEM x")],
    [("B", 'NAME "Harbour"'), ("again", "1"), ("C", "SPECIAL TRA\nPRESS TO ALL\nBeware.\nEND PRESS"),
     ("B", f"PROPOSE {TWO}"), ("someone@else.example", "VOTE AYE")],
    CLOSE,
    [("A", "VOTE AYE"), ("B", "VOTE AYE"), ("C", "VOTE ABSTAIN")],
    REMIND,
    [("B", "VOTE NAY"), ("again", "8")],
    CLOSE,
    [("A", "VOTE AYE\nWAIT"), ("C", "VOTE AYE"), ("B", "VOTE AYE"), ("E", "VOTE AYE"), ("D", "VOTE AYE")],
    CLOSE,
)  # fmt: skip
"""What the players write, a batch a pass; ("again", n): letter n comes a second time by another
way; (CONFIRM, who): the code in his newest mail comes back."""
DEPUTIES: Script = (
    [("A", f"DEPUTY {ANN} FROM 4 March TO 10 March"), ("A", f"PROPOSE {ONE}"), ("B", "SPECIAL JUS")],
    [(CONFIRM, "A"), ("C", "SPECIAL TRA"), ("B", f"PROPOSE {TWO}")],
    [(CONFIRM, ANN), (ANN, "SPECIAL FOR")],
    REMIND,
    [(ANN, "SPECIAL AGR, ENV\nQUIT"), ("again", "7")],
    CLOSE,
    [(ANN, "VOTE AYE"), ("B", "VOTE AYE"), ("C", "VOTE ABSTAIN")],
    REMIND,
    [(ANN, "VOTE NAY"), ("A", "STATUS")],
    CLOSE,
    [("A", "VOTE AYE"), ("C", "VOTE AYE"), ("B", "VOTE AYE"), ("E", "VOTE AYE"), ("D", "VOTE AYE")],
    CLOSE,
)  # fmt: skip
"""The same with a deputy of A, who is named, plays and is free again; what she writes out of her
time does nothing."""
GAMESMASTER = "gm@game.example"
REWINDS: Script = (
    [("A", f"PROPOSE {ONE}"), ("B", "SPECIAL JUS"), ("C", 'NAME "Harbour"')],
    [(GAMESMASTER, "GAME g\nPERIOD 1\nHOLD the post is on strike"), ("D", "SPECIAL FOR")],
    [(GAMESMASTER, "GAME g\nPERIOD 1\nRESUME"), (GAMESMASTER, "GAME g\nPERIOD 1\nRULE Read on.")],
    CLOSE,
    [("A", "VOTE AYE"), ("B", "VOTE AYE"), ("C", "VOTE ABSTAIN"), ("E", "VOTE NAY")],
    [(GAMESMASTER, "GAME g\nPERIOD 2\nEXTEND 2 the harbour is frozen")],
    REMIND,
    CLOSE,
    [("D", 'NAME "Lighthouse"'), (GAMESMASTER, "GAME g\nPERIOD 3\nREWIND 2 misread\nORDER B VOTE NAY")],
    [(CONFIRM, GAMESMASTER)],
    [("A", "VOTE AYE\nWAIT"), ("C", "VOTE AYE"), ("B", "VOTE AYE"), ("D", "VOTE AYE")],
    CLOSE,
    [("A", "SPECIAL AGR"), (GAMESMASTER, "GAME g\nPERIOD 4\nENDGAME enough")],
    [(CONFIRM, GAMESMASTER)],
)  # fmt: skip
"""The same with a gamesmaster who does what he may by mail, some of it by a code."""

WITHIN = ("letter.decided", "deadline.adjudicated", "deputy.done", "act.done")
"""Points inside a transaction."""
STAGES = {
    "stage.reading": "pbem.referee.deciding.sandbox.read",
    "stage.verdict": "pbem.letters.verdict.decide",
    "stage.orders": "pbem.referee.game.game_letters.take",
    "stage.press": "pbem.referee.game.relaying.harmless",
    "stage.receipt": "pbem.referee.game.receipts.receipt_text",
    "stage.muting": "pbem.post.seats.muted",
    "stage.bulletin": "pbem.periods.publishing.texts",
}
"""The stages of pure work that may burn processor time, and the function that each begins with."""
POINTS = tomllib.loads(Path(__file__).with_name("points.toml").read_text(encoding="utf-8"))
"""Each point of the program, and what is done there. A point that is never reached is a fault."""
ACT_POINTS = ("act.done", "act.committed")
"""An act of the gamesmaster's is done, as it is written; that is committed, and they are not told."""
LIMITS = {"letter_seconds": 0.25}
ONCE = ("restore", "burn at stage.bulletin")
"""What is at most once in a schedule."""
IN_DOUBT = ("kill", "restore", "smtp-after", "locked", "full", "fsize", "lost", "stop")
"""Faults after which a mail may be in doubt."""


@dataclass(frozen=True, slots=True)
class Fault:
    point: str
    nth: int
    kind: str

    def __str__(self) -> str:
        return f"{self.kind} at {self.point} #{self.nth}"


def kinds(point: str, postgresql: bool) -> list[str]:
    """The faults that can occur at a point."""
    if point in STAGES:
        return ["burn", "burn", "kill"]
    found = ["kill", "kill"]
    if point not in WITHIN:
        found += ["locked"] if not postgresql else ["locked", "lost"]
    elif postgresql:
        found.append("lost")
    if not postgresql:
        found += ["full", "fsize", "restore"]
    if point.startswith("inbox") or point.startswith("letter"):
        found.append("imap")
    if point == "inbox.cursor":
        found += ["poison", "poison"]
    if point.startswith("outbox"):
        found += ["smtp-before", "smtp-after"]
    return found


def schedule(seed: int, counts: Mapping[str, int], postgresql: bool) -> list[Fault]:
    """One to three faults; at most one restored backup among them, and one burning bulletin, since
    that which burns without its press too has its game held."""
    chance, faults, sorts = random.Random(seed), list[Fault](), set[str]()
    for _ in range(chance.choice((1, 1, 2, 3))):
        point = chance.choice(sorted(point for point, count in counts.items() if count))
        kind = chance.choice(kinds(point, postgresql))
        sort = kind if kind == "restore" else f"{kind} at {point}"
        if sort in ONCE and sort in sorts:
            kind = "kill"
        sorts.add(sort)
        faults.append(Fault(point, chance.randint(1, counts[point]), kind))
    return faults


def shuffled(chance: random.Random) -> Script:
    """The script with each period's letters dealt out anew: a seat's own stay in their order, every
    one comes twice."""
    made: list[Lines | str] = []
    period: list[tuple[str, str]] = []
    sent = 0
    for step in SCRIPT:
        if not isinstance(step, str):
            period += [line for line in step if line[0] != "again"]
            continue
        if step != CLOSE:
            continue
        queues: dict[str, list[tuple[str, str]]] = {}
        for line in period:
            queues.setdefault(line[0], []).append(line)
        batch: list[tuple[str, str]] = []
        again: list[int] = []
        while queues or again:
            if again and (not queues or chance.random() < 0.4):
                batch.append(("again", str(again.pop(chance.randrange(len(again))))))
            else:
                seat = chance.choice(sorted(queues))
                batch.append(queues[seat].pop(0))
                again.append(sent)
                if not queues[seat]:
                    del queues[seat]
            sent += 1
            if chance.random() < 0.2:
                made.append(batch)
                batch = []
        made += [batch, CLOSE]
        period = []
    return made
