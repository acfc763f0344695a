"""``pbem demo``: a whole game by real mail on this machine: a post office on loopback, a fresh
SQLite file, the real daemon on the demo's clock.

Letters are files in ``rules/samples/<game>/``, or bots'.
"""

import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.utils import parseaddr
from operator import attrgetter
from pathlib import Path
from typing import Any

from pbem.bots import bots
from pbem.cli import gallery, init
from pbem.cli.demo.postoffice import PostOffice
from pbem.cli.init import Value
from pbem.daemon.passes import Passes
from pbem.errors import OperatorError, RefereeError
from pbem.games import GAMES
from pbem.games.frame.dice import Dice, Stream
from pbem.games.frame.events import grouped
from pbem.house import resources, shelf
from pbem.house.config import Config
from pbem.pages.names import called, introduced
from pbem.pages.plain import plain
from pbem.periods import formation, opening
from pbem.post.smtp import Transport
from pbem.store.engine import database
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import bulletins, games
from pbem.store.schema.states import GameState, MailState
from pbem.store.schema.tables import Outgoing
from pbem.text import day_words
from pbem.website import folder as site
from pbem.website.files import SiteFolder

DOMAIN = "pbem.example"
REFEREE = f"referee@{DOMAIN}"
GAMESMASTER = f"gm@{DOMAIN}"
PASSWORD = "demo"
CONFIG = "config.toml"
GAME_ID = "demo"
START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
_NAMES = (
    "Anna Boris Clara David Elena Felix Greta Hugo Ines Jonas Karin Leo Maria Nils Olga Paul Rosa"
    " Sophie Tom"
)
MOST_PERIODS = 200
MOST_ROUNDS = 100
_CODE = re.compile(rb"^ +CONFIRM ([a-z0-9]+)", re.MULTILINE)


def address(seat: str) -> str:
    return f"{seat.lower()}@{DOMAIN}"


def names(seats: Sequence[str]) -> dict[str, str]:
    """Return a name for each seat: with its first letter, if these differ."""
    by_letter = {name[0]: name for name in _NAMES.split()}
    letters = [seat[0] for seat in seats]
    if len({*letters}) == len(seats):
        return dict(zip(seats, map(by_letter.__getitem__, letters), strict=True))
    return dict(zip(seats, by_letter.values(), strict=False))


@dataclass(slots=True)
class Demo:
    """The running demo."""

    key: str
    folder: Path
    office: PostOffice
    daemon: Passes
    carrier: Transport
    echo: Callable[[str], None]
    clock: datetime = START
    """The only time there is."""

    def once(self) -> None:
        done = self.daemon.once(self.clock)
        if done.trouble:
            raise RefereeError(f"demo: {'; '.join(done.trouble)}")
        self.clock += timedelta(minutes=5)

    def post(self, letters: list[bytes]) -> None:
        """Send letters by SMTP. ``{code}`` is the last code mailed to the writer."""
        for raw in letters:
            sender = parseaddr(str(message_from_bytes(raw)["From"]))[1]
            written = raw.replace(b"{code}", self._code(sender)) if b"{code}" in raw else raw
            answer = self.carrier.send(sender, REFEREE, written)
            if answer.outcome.name != "SENT":
                raise RefereeError(f"demo: the post office did not take a letter: {answer.reply}")

    def _code(self, address: str) -> bytes:
        found = [code for mail in self.office.messages(address) for code in _CODE.findall(mail)]
        if not found:
            raise RefereeError(f"demo: {address} was mailed no code")
        return bytes(found[-1])

    def table(self) -> games.GameAt:
        with exclusive_transaction(self.daemon.engine) as conn:
            return games.game_at(conn, GAME_ID)


def run(
    key: str,
    folder: Path,
    echo: Callable[[str], None],
    *,
    show: Path | None = None,
    wait: Callable[[Demo], None] | None = None,
) -> None:
    """Play a game's demo in folder. show: where to write its mails. wait: called at the end with
    everything running."""
    if key not in GAMES:
        raise OperatorError(f"there is no game {key!r}; there are: {', '.join(GAMES)}")
    ruleset = shelf.open_ruleset(key)
    seats = ruleset.about.seats[0]
    folder.mkdir(parents=True, exist_ok=True)
    for earlier in (folder / "pbem.db", *folder.glob(f"*@{DOMAIN}.mbox")):
        earlier.unlink(missing_ok=True)
    people = [*(address(seat) for seat in seats), *_sample_facts(key).get("standby", ())]
    boxes = dict.fromkeys((REFEREE, GAMESMASTER, *people), PASSWORD)
    with PostOffice(boxes) as office:
        settings = _config(office, folder)
        engine = database.connect(settings.referee.database)
        database.upgrade(engine)
        engine.dispose()
        daemon = Passes(settings)
        carrier = Transport(settings.smtp)
        demo = Demo(key, folder, office, daemon, carrier, echo)
        office.now = lambda: demo.clock
        try:
            _start(demo, seats)
            _play(demo)
            _report(demo)
            if show:
                _show(demo, seats, show)
            if wait:
                wait(demo)
        finally:
            carrier.close()
            daemon.close()


def _config(office: PostOffice, folder: Path) -> Config:
    """Write the demo's configuration, for looking at its game afterwards, and return it."""
    os.environ.setdefault("PBEM_DEMO_PASSWORD", PASSWORD)
    server: dict[str, Value] = {
        "host": "127.0.0.1",
        "security": "none",
        "password_env": "PBEM_DEMO_PASSWORD",
    }
    return init.write_config(
        folder / CONFIG,
        {
            "referee": {
                "address": REFEREE,
                "gamesmaster": GAMESMASTER,
                "zone": "Europe/Paris",
                "database": f"sqlite:///{folder.resolve() / 'pbem.db'}",
                "trust": "open",
            },
            "imap": server | {"port": office.imap_port, "user": REFEREE, "junk": []},
            "smtp": server | {"port": office.smtp_port, "user": ""},
        },
    )


def _start(demo: Demo, seats: tuple[str, ...]) -> None:
    facts = _sample_facts(demo.key)
    plan = opening.Plan(
        GAME_ID,
        demo.key,
        [(seat, address(seat), name) for seat, name in names(seats).items()],
        "Europe/Paris",
        "open",
        options=facts.get("options", {}),
        scenario=facts.get("scenario", {}),
        seed=str(facts.get("seed", 1)),
        standby=[(one, one.partition("@")[0].capitalize()) for one in facts.get("standby", ())],
    )
    with demo.daemon.installation.work(demo.clock) as work:
        opening.new(work, plan)
        opening.start(work, GAME_ID)
    demo.once()
    demo.echo(
        f"{demo.table().ruleset.about.title}: {len(seats)} players have been mailed the rules and"
        " bulletin 0. A number in brackets is a paragraph of the rules.\n"
    )


def _sample_facts(key: str) -> dict[str, Any]:
    """Return the sample's ``game.json`` (seed, options, standby), or the bot's options."""
    path = resources.path("rules", "samples", key, "game.json")
    if path.exists():
        told: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return told
    return {"options": dict(bots.short(key))}


def _rounds(folder: Path) -> list[tuple[bool, list[bytes]]]:
    """Return (late, letters) of each round: ``1-S.eml``, ``2-S.eml``, then ``late1-``, ``late2-``
    (after the deadline passed once, twice), ``after2-``. Rounds are a day apart if letters move the
    period."""
    files = sorted(folder.glob("*.eml"))
    letters = grouped((path.name.partition("-")[0], path.read_bytes()) for path in files)
    names = sorted(letters, key=lambda name: (len(name), name))
    return [(name.startswith("late"), letters[name]) for name in names]


def _play(demo: Demo) -> None:
    own = resources.path("rules", "samples", demo.key)
    # the folders of letters by period; None if bots play
    samples = sorted(path for path in own.iterdir() if path.is_dir()) if own.is_dir() else None
    chance = Dice("demo", demo.key).stream("bots")
    for number in range(1, MOST_PERIODS + 1):
        over = demo.table().row.status == GameState.OVER
        if over or (samples is not None and number > len(samples)):
            return
        rounds = _rounds(samples[number - 1]) if samples is not None else _bot_rounds(demo, chance)
        posted = 0
        for late, letters in rounds:
            if late:
                _pass_deadline(demo)
            demo.post(letters)
            demo.once()
            posted += len(letters)
            if formation.is_continuous(demo.table()):
                demo.clock += timedelta(days=1)
        _close(demo, number, posted)
    raise RefereeError(f"demo: {demo.key} did not end within {MOST_PERIODS} periods")


def _bot_rounds(demo: Demo, chance: Stream) -> Iterator[tuple[bool, list[bytes]]]:
    """Yield the bots' letters: one round, or day after day until something ripens."""
    yield False, _bots(demo, chance, 1)
    for count in range(2, MOST_ROUNDS):
        game = demo.table()
        if game.period.due is not None or not formation.is_continuous(game):
            return
        yield False, _bots(demo, chance, count)


def _bots(demo: Demo, chance: Stream, count: int) -> list[bytes]:
    with exclusive_transaction(demo.daemon.engine) as conn:
        game = games.game_at(conn, GAME_ID)
        state = formation.position(conn, game, demo.clock)
    bot = bots.bot_of(demo.key)
    public, letters = game.ruleset.view(state, None), []
    for seat in game.seats:
        text = bot.letter(public, game.ruleset.view(state, seat), seat, chance)
        if text.strip():
            message = EmailMessage()
            message["From"] = address(seat)
            message["To"] = REFEREE
            message["Subject"] = "Orders"
            message["Message-ID"] = f"<{seat}.{game.period.number}.{count}@{DOMAIN}>"
            message.set_content(text)
            letters.append(message.as_bytes())
    return letters


def _close(demo: Demo, number: int, letters: int) -> None:
    game = demo.table()
    if game.period.number == number:
        _pass_deadline(demo)
    after = demo.table()
    if after.period.number == number:
        raise RefereeError(
            f"demo: period {number} ({game.period.phase}) was not closed at its deadline"
        )
    with exclusive_transaction(demo.daemon.engine) as conn:
        text = bulletins.valid(conn, GAME_ID, number) or ""
    demo.echo(
        f"--- period {number} ({game.period.phase}): {letters} letters, closed"
        f" {day_words(game.period.due or demo.clock)} ---"
    )
    demo.echo(plain(introduced(called(text, game.called), game.led)))


def _show(demo: Demo, seats: Sequence[str], folder: Path) -> None:
    boxes = {seat: address(seat) for seat in seats} | {"gamesmaster": GAMESMASTER}
    mails = [
        gallery.of_mail(raw, to) for to, box in boxes.items() for raw in demo.office.messages(box)
    ]
    title = shelf.open_ruleset(demo.key).about.title
    gallery.write(folder, f"{title}: all mails of the demo", sorted(mails, key=attrgetter("when")))
    demo.echo(f"{len(mails)} mails are in {folder / 'index.html'}")


def _pass_deadline(demo: Demo) -> None:
    due = demo.table().period.due
    if due is not None:
        demo.clock = max(demo.clock, due)
    demo.once()


def _report(demo: Demo) -> None:
    game = demo.table()
    with exclusive_transaction(demo.daemon.engine) as conn:
        sent = Outgoing.how_many(conn, state=MailState.SENT)
    view = game.ruleset.view(game.state, None)
    result = game.ruleset.result(game.state)
    demo.echo(f"{sent} mails were sent. Database: {demo.folder / 'pbem.db'}")
    boxes = [address(seat) for seat in game.seats]
    demo.echo(f"Mailboxes: {', '.join(boxes)}; each as an mbox file in {demo.folder}")
    demo.echo(f"Look around as its gamesmaster: pbem queue --config {demo.folder / CONFIG}")
    for mailbox in (REFEREE, GAMESMASTER, *boxes):
        lines = (raw.replace(b"\r\n", b"\n") for raw in demo.office.messages(mailbox))
        quoted = (raw.replace(b"\nFrom ", b"\n>From ") for raw in lines)
        mbox = b"\n\n".join(b"From pbem Mon Jan  1 00:00:00 2026\n" + raw for raw in quoted)
        (demo.folder / f"{mailbox}.mbox").write_bytes(mbox)
    _, trouble = site.write(demo.daemon.installation, demo.clock, SiteFolder(demo.folder / "site"))
    if trouble:
        raise trouble
    page = demo.folder / "site" / GAME_ID / "index.html"
    demo.echo(f"Watch it period by period, with its boards and bulletins, at {page}")
    if result:
        demo.echo(called(f"Winners: {', '.join(result.winners) or 'nobody'}", game.called))
    if isinstance(seats := view.get("seats"), dict):
        told = ", ".join(f"{seat} {n}" for seat, n in seats.items() if seat in game.seats)
        demo.echo(f"Seats: {told}")
