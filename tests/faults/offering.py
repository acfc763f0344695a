"""The kill matrix of seats that are offered: wherever the daemon is killed, nobody is briefed
twice, two never hold a seat, each is asked once, and nobody who has not answered gets a secret.

A kill is an exception that nothing catches, behind which the daemon is made anew: what was not
committed is lost, as when its process ends.
"""

import random
import tempfile
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import func, select

from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.states import OfferState
from pbem.store.schema.tables import FreeSeat, Journal, Offer, Outgoing
from tests.faults.schedules import Fault
from tests.faults.tally import Tally, broken, tally
from tests.installation import SEATS, Installation
from tests.needs import memory
from tests.offering import BRIEFING, GRETA, PAUL, PEOPLE, WANDA, WILL, holder, stand_by, watch


class Killed(BaseException):
    """As SIGKILL: nobody catches it."""


class Plug:
    """Counts the points that are passed, and pulls at one of them."""

    def __init__(self, point: str = "", nth: int = 0) -> None:
        self.point, self.nth, self.pulled = point, nth, False
        self.passed = Counter[str]()

    def __call__(self, point: str) -> None:
        self.passed[point] += 1
        if point == self.point and self.passed[point] == self.nth:
            self.pulled = True
            raise Killed


def told(at: Installation, plug: Plug) -> None:
    """Passes until all mails have gone, over a kill, and over the lease of a mail that was in its
    sender's hands."""
    for _ in range(12):
        try:
            at.once()
        except Killed:
            at.daemon.close()
            at.daemon = at.new_daemon(plug)
            continue
        finally:
            whole(at)
        with exclusive_transaction(at.daemon.engine) as conn:
            waits = Outgoing.state.in_(("ready", "leased", "unknown"))
            if not conn.execute(select(func.count()).where(waits)).scalar_one():
                return
        at.clock += timedelta(minutes=15)
    raise AssertionError("mails do not go out")


def whole(at: Installation) -> None:
    """What holds at any moment: a seat that is not free has no offer that can be taken, and one
    that is asked alone is the only one."""
    with exclusive_transaction(at.daemon.engine) as conn:
        free = set(conn.execute(select(FreeSeat.seat)).scalars())
        found = conn.execute(select(Offer.seat, Offer.alone).where(Offer.state == OfferState.OPEN))
        offers = [(row.seat, row.alone) for row in found]
    assert {seat for seat, _ in offers} <= free
    for seat, alone in offers:
        assert not alone or sum(one == seat for one, _ in offers) == 1


def until(at: Installation) -> datetime:
    """When the time of the offers is over."""
    with exclusive_transaction(at.daemon.engine) as conn:
        return max(conn.execute(select(Offer.until)).scalars())


def played(at: Installation, plug: Plug) -> None:
    """A leaves; Paul and Greta, who stand by, do not answer; Will and Wanda, who watch, answer at
    once. Then B leaves, and Wanda takes that seat."""

    def sends(who: str, text: str) -> None:
        at.write(who, text)

    stand_by(at, PAUL, GRETA)
    watch(at, WANDA, WILL)
    at.daemon.crash = at.daemon.referee.crash = plug
    for seat in ("A", "B"):
        sends(seat, "QUIT")
        told(at, plug)
        sends(seat, f"CONFIRM {at.codes(seat)[-1]}")
        told(at, plug)
        if seat == "A":
            for _ in (PAUL, GRETA):
                at.clock = until(at)
                told(at, plug)
            sends(WILL, f"CONFIRM {at.codes(WILL)[-1]}")
        sends(WANDA, f"CONFIRM {at.codes(WANDA)[-1]}")
        told(at, plug)


def faults(at: Installation) -> list[str]:
    """What is wrong in the end."""
    wrong = [f"{seat} is {holder(at, seat).address}'s" for seat in "AB" if not _right(at, seat)]
    for who, seat in ((WILL, "A"), (WANDA, "B"), (PAUL, ""), (GRETA, "")):
        idents: dict[str, set[str]] = {}
        for mail in at.mails(who):
            idents.setdefault(str(mail["Subject"]), set()).add(str(mail["Message-ID"]))
        briefings = {one: n for one, n in idents.items() if any(word in one for word in BRIEFING)}
        wrong += [f"{who} got {one!r} {len(n)} times" for one, n in briefings.items() if len(n) > 1]
        if bool(briefings) != bool(seat):
            wrong.append(f"{who} was told {sorted(briefings)}")
        own = {
            f"+{at.daemon.installation.mark.token('g', one, holder(at, one).token_no)}@"
            for one in SEATS
        }
        seen = {one for one in own if any(one in str(mail) for mail in at.mails(who))}
        if len(seen) != bool(seat):
            wrong.append(f"{who} has {len(seen)} secret addresses")
    asked = {PAUL: 1, GRETA: 1, WILL: 1, WANDA: 2}
    wrong += [
        f"{who} was asked {len(set(at.codes(who)))} times"
        for who, times in asked.items()
        if len(set(at.codes(who))) != times
    ]
    with exclusive_transaction(at.daemon.engine) as conn:
        kinds = Counter(conn.execute(select(Journal.kind)).scalars())
    wrong += [f"{kinds['replaced']} seats were given away"] * (kinds["replaced"] != 2)
    wrong += [f"letter: {one}" for one in at.outcomes() if one[0] not in ("command", "orders")]
    return wrong


def _right(at: Installation, seat: str) -> bool:
    return holder(at, seat).address == {"A": WILL, "B": WANDA}[seat]


def run(plug: Plug) -> list[str]:
    with (
        tempfile.TemporaryDirectory(prefix="pbem-offers-", dir=memory()) as folder,
        Installation(Path(folder), "coalition", seats=SEATS, strangers=PEOPLE) as at,
    ):
        at.start()
        played(at, plug)
        return [f"{plug.point} #{plug.nth}: {one}" for one in faults(at)]


class Offering:
    """The matrix of them; ``folder`` is not needed, for each schedule has one of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        undisturbed = Plug()
        assert run(undisturbed) == []
        self.passed = undisturbed.passed

    def run(self, seed: int) -> Tally:
        """One schedule: a kill somewhere."""
        chance = random.Random(f"offers {seed}")
        point = chance.choice(sorted(self.passed))
        fault = Fault(point, chance.randint(1, self.passed[point]), "kill")
        told = f"offers {seed} ({fault})"
        try:
            wrong = [f"{told}: {one}" for one in run(Plug(fault.point, fault.nth))]
        except Exception as error:
            return broken(told, error)
        return tally([fault], {}, set(), wrong)
