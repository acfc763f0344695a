"""Raw letters through the daemon, one after another, and what is so after each.

A group is a file ``letters/<group>.toml``: an installation with a fixed clock and fixed chance, and
its letters. Recorded are facts: outcomes, standing orders, refusals, who is mailed what kind of mail,
whose secrets are in it, states, journal entries. The words of the mails stand in records of their own
(``... words``), to be read in a difference, never to be compared.

In a letter ``%%NAME%%`` is filled in: SECRET (the writer's secret address), CODE (the newest code
that he was mailed), LETTER and MAIL (the newest that wait for the gamesmaster), PERIOD, DATE, N,
``DAY+20``, ``BOUNCE:address``.
"""

import html
import re
import sqlite3
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from datetime import timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from pbem.acts.act import Act, Needs
from pbem.games.frame import adjudication
from pbem.letters.states import LetterState
from pbem.orders import mailwords
from pbem.orders.order import Problem
from pbem.periods import opening
from pbem.post import masters
from pbem.store.engine.database import reading
from pbem.store.games import games, order_sets
from pbem.store.letters import letters
from pbem.store.letters.letters import Arrival, FolderNumbering
from tests import chance
from tests.installation import GAMESMASTER, REFEREE, Installation, address, desk, migrated
from tests.keeping import anew
from tests.letter.programs import built
from tests.net.compare import WORDS, Json
from tests.parsed import parsed
from tests.vouching import vouched

FOLDER = Path(__file__).parent / "letters"
CORPORA = Path(__file__).parent.parent / "corpora"
GROUPS = tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))
_KEY = "6e" * 32
_HUGE = 200_000
_TOKEN = re.compile(r"referee\+([a-z2-7]{26})@")
_CODE = re.compile(r"CONFIRM ([a-z2-7]{16})\b")
_SECRETS = re.compile(r"\b(?:[a-z2-7]{26}|[a-z2-7]{24}|[a-z2-7]{16})\b")
_HASH = re.compile(r"\b[0-9a-f]{32,64}\b")
_LINKS = re.compile(r"<[^>]*>")
_NEAR = 9
"""Characters between the cards of a hand, at most, in a mail that tells it."""
_STATES = {
    "game": "status held_because edition gamesmaster second agreed statements_until period trust",
    "period": "phase status due close_asked edition",
    "seat": "player_id token_no link_no missed asked_until heard quits bot",
    "gamesmaster": "token_no asked",
    "player": "name zone all_receipts face calendar",
    "address": "player_id of_record soft_bounces hard_bounces",
    "open_table": "state places gamesmaster approve starts closes",
    "applicant": "game_id address name state place wishes until",
    "deputy": "game_id seat holder_id player_id address state first last token_no until",
    "standby": "game_id player_id invited_for",
    "observer": "since",
    "invited": "game_id refused",
    "practice": "player_id ruleset ended",
    "absence": "game_id seat player_id first last",
    "free_seat": "player_id why since",
    "offer": "game_id seat player_id state until address alone",
    "ballot": "shared",
    "statement": "player_id",
    "player_record": "",
    "privy": "",
    "look": "game_id period kind number",
    "ruling": "game_id kind number period",
    "press": "game_id period author anonymous audience pen_name answers",
    "suggestion": "game_id seat period line answered",
    "kept_orders": "",
    "bulletin": "voided",
}
"""What is looked at of each table, besides its key."""
_LEVELS = {"none": "open", "dmarc": "proven", "token": "proven"}
"""The levels of proof of the recorded installations, as they are called now."""
_BY_CODE = {
    *("CLOSE", "PREVIEW", "REPLACE", "ACCEPT", "ORDER", "STANDBY", "ADDRESS", "RELEASE", "REWIND"),
    *("START", "ENDGAME", "CLOSETABLE"),
}
"""The gamesmaster's words that needed a code when the letters were recorded, and not two proofs, as
most others. Those need a code now: here they are done if proven, so that what comes of them can be
compared. So is AGREE in a group that says ``agree``."""


def observe(group: str) -> Iterator[tuple[str, Json]]:
    """The letters of a group: facts of each, and the words of the mails that it brought."""
    given = tomllib.loads((FOLDER / f"{group}.toml").read_text(encoding="utf-8"))
    if shared := given.get("letters"):
        given |= tomllib.loads((FOLDER / shared).read_text(encoding="utf-8"))
    with TemporaryDirectory(prefix="pbem-net-") as folder, ExitStack() as stack:
        stack.enter_context(anew())
        migrated()  # draws of chance too, but not each time
        stack.enter_context(chance.fixed())
        refused = stack.enter_context(_refused())
        stack.enter_context(patch.object(Act, "code", property(lambda act: act.word in _BY_CODE)))
        if given.get("agree"):
            stack.enter_context(patch.dict(mailwords.NEEDS, {mailwords.AGREE: Needs.PROVEN}))
        senders = {one["from"] for one in given["letter"] if "@" in one.get("from", "")}
        senders |= {_mailbox(who) for one in given.get("game", ()) for who in one["seats"].values()}
        senders -= set(map(address, given["installation"].get("seats", ())))
        made = dict(given["installation"])
        made["trust"] = _LEVELS[made.get("trust", "none")]
        made["strangers"] = tuple(sorted({*made.get("strangers", ()), *senders}))
        made["seats"] = tuple(made["seats"]) if "seats" in made else None
        made["limits"] = {"letter_seconds": 60.0, **made.get("limits", {})}
        key = made.pop("key")
        with _Kept(Path(folder), key, **made) as at:
            for name, said in _World(at, given, refused).observed():
                yield f"{group}/{name}", said


class _Kept(Installation):
    """An installation with a key that is always the same."""

    def enter(self) -> None:
        assert self.file
        with closing(sqlite3.connect(self.file)) as conn:
            conn.execute("UPDATE memo SET value = ? WHERE key = 'key'", (f'{{"hex": "{_KEY}"}}',))
            conn.commit()
        super().enter()


@contextmanager
def _refused() -> Iterator[list[Problem]]:
    """The problems of all orders that are read meanwhile."""
    found: list[Problem] = []
    real = adjudication.take

    def take(*given: Any, **named: Any) -> Any:
        taken = real(*given, **named)
        found.extend(taken.problems)
        return taken

    users = [
        module
        for name, module in sys.modules.items()
        if name.startswith("pbem.referee.") and getattr(module, "take", None) is real
    ]
    before = len(users)
    assert before, "nobody reads orders"
    for module in users:
        vars(module)["take"] = take
    try:
        yield found
    finally:
        for module in users:
            vars(module)["take"] = real


class _World:
    """An installation, and what was seen of it so far."""

    def __init__(self, at: Installation, given: Mapping[str, Any], refused: list[Problem]) -> None:
        self.at, self.given, self.refused = at, given, refused
        self.number = 0
        self.last = dict.fromkeys(("letter", "outgoing", "journal"), 0)
        self.boxes: Counter[str] = Counter()
        self.states: dict[str, dict[str, Any]] = {}
        self.letters: dict[int, list[Any]] = {}
        self.mailed: dict[int, str] = {}
        self.orders: dict[tuple[str, str], dict[str, None]] = {}
        self.sets: set[tuple[Any, ...]] = set()
        self.owners: dict[str, str] = {}
        self.lines: dict[str, tuple[int, str]] = {}
        self.entries: Counter[str] = Counter()

    def observed(self) -> Iterator[tuple[str, Json]]:
        self._begin()
        yield from self._seen("0000 begins", "")
        for letter in self.given["letter"]:
            for name, raws in self._raws(letter):
                self.number += 1
                if wait := letter.get("wait"):
                    self._goes_on(wait)
                    yield from self._seen(f"{self.number:04} after {wait}", "")
                raw = raws()
                self._comes(raw)
                self.at.once(minutes=self.given.get("minutes", 10))
                yield from self._seen(f"{self.number:04} {name}", raw.decode("utf-8", "replace"))

    # --- what happens -----------------------------------------------------------------------------

    def _begin(self) -> None:
        at = self.at
        if self.given.get("start", True):
            at._open("g")
        for more in self.given.get("game", ()):
            who = [(s, _mailbox(a), f"Player {a}") for s, a in more["seats"].items()]
            plan = {"trust": at.trust, "seed": "7", **more.get("plan", {})}
            with desk(at) as work:
                opening.new(
                    work, opening.Plan(more["id"], more["key"], who, "Europe/Paris", **plan)
                )
                if more.get("start", True):
                    opening.start(work, more["id"])
        with desk(at) as work:
            masters.enter(work.conn, work.mark, GAMESMASTER)
        at.once(minutes=10)

    def _goes_on(self, wait: str) -> None:
        if wait == "deadline" and self.at.table().period.due:
            self.at.to_deadline()
        elif wait == "deadline":  # a formation has none
            self.at.clock += timedelta(days=4)
            self.at.once()
        else:
            number, unit = wait.split()
            until = self.at.clock + timedelta(**{unit: float(number)})
            while self.at.clock < until:  # no deadline is found hours late
                self.at.clock = min(until, self.at.clock + timedelta(hours=6))
                self.at.once(minutes=0)

    def _comes(self, raw: bytes) -> None:
        """A letter comes in; a huge one is put on file, as the post office takes minutes over it."""
        if len(raw) < _HUGE:
            self.at.office.deliver(REFEREE, raw)
            return
        came = Arrival(self.number, self.at.clock, raw, LetterState.STORED)
        with desk(self.at) as work:
            place = FolderNumbering("huge", "INBOX", 1)
            letters.add(work.conn, place, [came], self.at.clock, moved=False)

    def _raws(self, letter: Mapping[str, Any]) -> Iterator[tuple[str, Callable[[], bytes]]]:
        """The letters of an entry, each made when the ones before it have been decided."""
        who = letter.get("from", "")
        if pattern := letter.get("files"):
            folder = FOLDER if pattern.startswith("raw/") else CORPORA
            found = sorted(folder.glob(pattern))
            assert found, pattern
            for path in found[:: letter.get("every", 1)]:
                raw = path.read_bytes()
                if path.suffix == ".txt":
                    raw = self._written(letter, raw.decode("utf-8", "replace"))
                    yield path.stem, lambda raw=raw: raw  # type: ignore[misc]
                else:
                    yield path.stem, lambda raw=raw: self._filled(letter, raw)  # type: ignore[misc]
        elif table := letter.get("table"):
            told = tomllib.loads((CORPORA / table).read_text(encoding="utf-8"))
            seats = self.at.seats
            for n, one in enumerate(told["letter"]):
                program = one["by"][n % len(one["by"])]
                seat = {**letter, "from": seats[n % len(seats)]}
                raw = built(program, one["text"], told["quoted"])
                yield (
                    f"{seat['from']} by {program}",
                    lambda raw=raw, seat=seat: self._filled(seat, raw),  # type: ignore[misc]
                )
        else:
            label = re.sub(r"[^\w ,.@-]", "", " ".join(f"{who} {letter['text']}".split()))[:60]
            yield f"{label.strip()}.", lambda: self._written(letter, letter["text"])

    def _written(self, letter: Mapping[str, Any], text: str) -> bytes:
        """A plain letter."""
        sender, proof = self._sender(letter)
        message = EmailMessage()
        message["From"] = letter.get("as", sender)
        message["To"] = self._to(letter, sender, proof)
        message["Subject"] = self._fill(letter.get("subject", "orders"), sender)
        message["Message-ID"] = f"<{self.number}@letters.example>"
        message["Date"] = format_datetime(self.at.clock)
        for name, value in letter.get("headers", {}).items():
            message[name] = self._fill(value, sender)
        text = self._fill(text, sender)
        message.set_content(text, charset="utf-8", cte="8bit")
        return _checked(message.as_bytes(), sender, proof)

    def _filled(self, letter: Mapping[str, Any], raw: bytes) -> bytes:
        """A letter from a file: as it is, or in a seat's name."""
        sender, proof = self._sender(letter)
        raw = self._fill(raw.decode("latin-1"), sender).encode("latin-1")
        if not letter.get("from"):
            return raw
        head, blank, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
        for name, value in (
            ("From", f"Player <{sender}>"),
            ("To", self._to(letter, sender, proof)),
            ("Message-ID", f"<{self.number}@letters.example>"),
            ("Authentication-Results", ""),
        ):
            field = rf"^{name}:.*\n?(?:[ \t].*\n?)*".encode()
            head = re.sub(field, b"", head, flags=re.MULTILINE | re.IGNORECASE)
            if value:
                head = f"{name}: {value}\n".encode() + head
        return _checked(head.rstrip(b"\n") + blank + body, sender, proof)

    def _sender(self, letter: Mapping[str, Any]) -> tuple[str, list[str]]:
        who = letter.get("from", "")
        proofs = self.given.get("proofs", [self.given.get("proof", "")])
        usual = "dmarc secret" if who == "gm" else proofs[self.number % len(proofs)]
        return _mailbox(who), letter.get("proof", usual).split()

    def _to(self, letter: Mapping[str, Any], sender: str, proof: list[str]) -> str:
        if "to" in letter:
            return self._fill(letter["to"], sender)
        leaked = [one.partition(":")[2] for one in proof if one.startswith("leaked:")]
        if leaked:
            return self._secret(_mailbox(leaked[0]), letter.get("game", "g"))
        if "secret" in proof:
            usual = "" if letter.get("from") == "gm" else "g"
            return self._secret(sender, letter.get("game", usual))
        return REFEREE

    def _fill(self, text: str, sender: str) -> str:
        return re.sub(r"%%([A-Z]+)([^%]*)%%", lambda said: self._value(said, sender), text)

    def _value(self, said: re.Match[str], sender: str) -> str:
        name, more = said[1], said[2]
        if name == "SECRET":
            return self._secret(
                _mailbox(more[1:]) if more else sender, self.given.get("secrets", "g")
            )
        if name == "GM":
            return self._secret(GAMESMASTER, "")
        if name == "CODE":
            whose = _mailbox(more[1:]) if more else sender
            found = [_CODE.findall(_text(parsed(raw))) for raw in self._mails(whose)]
            return next((codes[-1] for codes in found if codes), "nocode")
        if name == "LETTER":
            waits = "'unverified', 'held', 'late', 'failed', 'unanswered'"
            asked = f"SELECT max(id) FROM letter WHERE outcome IN ({waits})"
            return str(self._rows(asked)[0][0] or 0)
        if name == "LAST":
            return str(self._rows("SELECT max(id) FROM letter")[0][0] or 0)
        if name == "MAIL":
            asked = "SELECT max(id) FROM outgoing WHERE state = 'refused'"
            return str(self._rows(asked)[0][0] or 0)
        if name == "PERIOD":
            asked = "SELECT period FROM game WHERE id = ?"
            return str(self._rows(asked, more[1:] or "g")[0][0])
        if name == "DATE":
            return format_datetime(self.at.clock)
        if name == "DAY":
            return f"{self.at.clock + timedelta(days=int(more)):%Y-%m-%d}"
        if name == "BOUNCE":
            asked = "SELECT envelope_from FROM outgoing WHERE recipient = ? ORDER BY id DESC"
            return str(self._rows(asked, _mailbox(more[1:]))[0][0])
        assert name == "N", said[0]
        return str(self.number)

    def _secret(self, whose: str, game: str) -> str:
        """The secret address in the newest mail that somebody has, of a game or of any."""
        asked = "SELECT raw FROM outgoing WHERE recipient = ? AND game_id LIKE ? ORDER BY id DESC"
        for (raw,) in self._rows(asked, whose, game or "%"):
            found = str(parsed(raw)["Reply-To"] or "")
            if _TOKEN.search(found):
                return found.rpartition("<")[2].strip("<> ")
        return REFEREE

    def _mails(self, whose: str) -> list[bytes]:
        asked = "SELECT raw FROM outgoing WHERE recipient = ? ORDER BY id DESC"
        return [row[0] for row in self._rows(asked, whose)]

    # --- what is so -------------------------------------------------------------------------------

    def _rows(self, asked: str, *values: Any) -> list[Any]:
        assert self.at.file
        with closing(sqlite3.connect(self.at.file)) as conn:
            return conn.execute(asked, values).fetchall()

    def _seen(self, name: str, raw: str) -> Iterator[tuple[str, Json]]:
        """What has changed, as facts, and the words of the mails."""
        writer = self._letters()
        found = {
            "letters": writer,
            "refused": sorted(
                {(one.line, one.code, one.rule, one.warning) for one in self.refused}
            ),
            "orders": self._orders(),
            "states": self._changes(),
            "journal": self._journal(),
        }
        self.refused.clear()
        self._note_lines(raw, writer[-1][3] if writer else "")
        found["mails"], words = self._made()
        found["brought"] = self._brought()
        yield name, {what: one for what, one in found.items() if one}
        if words:
            yield f"{name}{WORDS}", words

    def _letters(self) -> list[Json]:
        asked = (
            "SELECT id, outcome, authentication, sender, game_id, seat, period, receipt, '', moved"
            " FROM letter ORDER BY id"  # '': what it was owed, before part 3
        )
        found = []
        for number, *values in self._rows(asked):
            if self.letters.get(number) != values:
                found.append([number, *values])
                self.letters[number] = values
        return found

    def _orders(self) -> Json:
        """The orders that stand for each seat that has sent a letter."""
        asked = "SELECT game_id, period, seat, ordinal, wait, ready FROM order_set"
        sets = {tuple(row) for row in self._rows(asked)}
        fresh, self.sets = sets - self.sets, sets
        found: dict[str, Json] = {}
        with reading(self.at.daemon.engine) as conn:
            for game, period, seat, _ordinal, wait, ready in sorted(fresh):
                at = games.game_at(conn, game, period)
                last = order_sets.last_set(conn, game, period, seat)
                lines = [str(one) for one in order_sets.orders_of(at, last).values()]
                found[f"{game} {period} {seat}"] = [*lines, *["wait"] * wait, *["ready"] * ready]
                self.orders.setdefault((game, seat), {}).update(dict.fromkeys(lines))
        return found

    def _changes(self) -> Json:
        now = self._all()
        before, self.states = self.states, now
        found: dict[str, Json] = {}
        for key in sorted(before.keys() | now.keys()):
            was, new = before.get(key), now.get(key)
            if was is None:
                found[f"+ {key}"] = new
            elif new is None:
                found[f"- {key}"] = {}
            elif was != new:
                found[key] = {name: new[name] for name in new if new[name] != was[name]}
        return found

    def _all(self) -> dict[str, dict[str, Any]]:
        people = dict(self._rows("SELECT player_id, address FROM address WHERE of_record = 1"))
        found: dict[str, dict[str, Any]] = {}
        assert self.at.file
        with closing(sqlite3.connect(self.at.file)) as conn:
            for table, names in _STATES.items():
                info = conn.execute(f"PRAGMA table_info({table})").fetchall()
                keys = [row[1] for row in sorted(info, key=lambda row: row[5]) if row[5]]
                there = {row[1] for row in info}
                columns = [*keys, *(one for one in names.split() if one in there - {*keys})]
                if not there:
                    continue  # the table is gone, and with it its rows
                for row in conn.execute(f"SELECT {', '.join(columns)} FROM {table}"):
                    values = {
                        name: people.get(one, one) if _is_person(name, table) else one
                        for name, one in zip(columns, row, strict=True)
                    }
                    key = " ".join([table, *(str(values.pop(name)) for name in keys)])
                    found[key] = values
        return found

    def _journal(self) -> Json:
        asked = "SELECT game_id, kind FROM journal ORDER BY game_id, n"
        rows = Counter(f"{game} {kind}".strip() for game, kind in self._rows(asked))
        before, self.entries = self.entries, rows
        return dict(sorted((rows - before).items()))

    def _note_lines(self, raw: str, writer: str) -> None:
        """The lines of a letter that nobody wrote before, with their number and their writer."""
        for line in raw.replace("\r\n", "\n").partition("\n\n")[2].split("\n"):
            flat = " ".join(line.split())
            if 11 < len(flat) < 300:
                self.lines.setdefault(flat, (self.number, writer))

    def _made(self) -> tuple[list[Json], list[Json]]:
        """The mails that were made since, and their words."""
        asked = (
            "SELECT id, recipient, kind, game_id, seat, state, raw FROM outgoing"
            " WHERE id > ? ORDER BY id"
        )
        rows = self._rows(asked, self.last["outgoing"])
        opened = [(mail := parsed(row[-1]), _text(mail), *row) for row in rows]
        for mail, text, _, to, _, game, seat, _, _ in opened:
            if found := _TOKEN.search(str(mail["Reply-To"])):
                self.owners.setdefault(found[1], f"address of {to} {game} {seat}".strip())
            for code in _CODE.findall(text):
                self.owners.setdefault(code, f"code of {to}")
        hands, facts, words = self._hands(), [], []
        for mail, text, number, to, kind, game, seat, state, _ in opened:
            self.last["outgoing"] = number
            self.mailed[number] = state
            flat = " ".join(text.split())
            everything = flat + " ".join(str(value) for value in mail.values())
            one = {
                "to": to,
                "kind": kind,
                "of": f"{game} {seat}".strip(),
                "state": state,
                "numbers": [int(n) for n in re.findall(r"\d{1,9}", str(mail["Subject"]))],
                "secrets": self._told(everything),
                "orders": self._ordered(flat, game),
                "hands": [whose for whose, cards in hands.items() if _together(flat, cards)],
                "words of": sorted(
                    {n for line, (n, by) in self.lines.items() if by != to and line in flat}
                ),
                "files": [part.get_filename() for part in mail.walk() if part.get_filename()],
            }
            facts.append({what: said for what, said in one.items() if said})
            words.append([to, str(mail["Subject"]), self._masked(_plain(mail)).split("\n")])
        order = sorted(range(len(facts)), key=lambda n: (facts[n]["to"], facts[n]["kind"], n))
        return [facts[n] for n in order], _once([words[n] for n in order])

    def _told(self, text: str) -> list[str]:
        return sorted({self.owners[one] for one in _SECRETS.findall(text) if one in self.owners})

    def _masked(self, text: str) -> str:
        text = _SECRETS.sub(lambda said: f"<{self.owners.get(said[0], 'secret')}>", text)
        return _HASH.sub("<hash>", text)

    def _ordered(self, flat: str, game: str) -> Json:
        """The orders of a game that stand in a mail, each if only one seat has ever given it."""
        given = Counter(
            order for (of, _), orders in self.orders.items() if of == game for order in orders
        )
        found: dict[str, list[str]] = {}
        for (of, seat), orders in sorted(self.orders.items()):
            told = [one for one in orders if given[one] == 1 and len(one) > 7 and one in flat]
            if of == game and told:
                found[seat] = sorted(told)
        return found

    def _hands(self) -> dict[str, list[str]]:
        """The lists of words that a seat's view has and the public one has not."""
        found: dict[str, list[str]] = {}
        if not self.given.get("hands"):
            return found
        table = self.at.table()
        public = table.ruleset.view(table.state, None)
        for seat in table.seats:
            own = table.ruleset.view(table.state, seat)
            for name, value in own.items():
                if public.get(name) == value or not isinstance(value, list) or len(value) < 2:
                    continue
                if all(isinstance(one, str) for one in value):
                    found[f"{seat} {name}"] = value
        return found

    def _brought(self) -> Json:
        """How many mails of each kind have come into each mailbox."""
        kinds = dict(self._rows("SELECT message_id, kind FROM outgoing"))
        found: Counter[str] = Counter()
        for box in sorted(set(self.at.boxes) - {REFEREE}):
            raws = self.at.office.messages(box)
            for raw in raws[self.boxes[box] :]:
                found[f"{box} {kinds.get(str(parsed(raw)['Message-ID']), '?')}"] += 1
            self.boxes[box] = len(raws)
        for number, to, kind, state in self._rows(
            "SELECT id, recipient, kind, state FROM outgoing"
        ):
            if self.mailed.get(number) != state:
                found[f"{to} {kind}: {self.mailed.get(number)} to {state}"] += 1
                self.mailed[number] = state
        return dict(sorted(found.items()))


def _is_person(name: str, table: str) -> bool:
    return name.endswith("player_id") or name == "holder_id" or (table, name) == ("player", "id")


def _mailbox(who: str) -> str:
    return GAMESMASTER if who == "gm" else who if "@" in who or not who else address(who)


def _checked(raw: bytes, sender: str, proof: list[str]) -> bytes:
    """The letter as our server hands it on."""
    result = next(
        ({"dmarc": "pass", "fail": "fail"}[p] for p in proof if p in ("dmarc", "fail")), ""
    )
    said = f"Authentication-Results: {vouched(sender, result)}\n".encode() if result else b""
    return (said + raw).replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def _text(mail: EmailMessage) -> str:
    """All words of a mail, as its reader sees them in either form."""
    found = []
    for part in mail.walk():
        if part.get_content_maintype() == "text":
            said = part.get_content()
            found.append(
                html.unescape(_LINKS.sub(" ", said))
                if part.get_content_subtype() == "html"
                else said
            )
            found.extend(re.findall(r'href="([^"]*)"', said))
    return "\n".join(found)


def _plain(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    return str(body.get_content()).replace("\r\n", "\n") if body else ""


def _together(flat: str, cards: list[str]) -> bool:
    """Whether all cards stand near one another."""
    width = sum(map(len, cards)) + _NEAR * len(cards)
    for at in [found.start() for found in re.finditer(re.escape(cards[0]), flat)]:
        near = flat[max(0, at - width) : at + width]
        if all(card in near for card in cards):
            return True
    return False


def _once(words: list[Any]) -> list[Json]:
    """The words of each mail, said once: who got it, its subject, its lines."""
    found: dict[str, list[Any]] = {}
    for to, subject, text in words:
        found.setdefault(repr((subject, text)), [[], subject, text])[0].append(to)
    return list(found.values())
