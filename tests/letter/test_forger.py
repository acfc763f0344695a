"""The forger's matrix: every word of the referee, by all the proof that a letter may have.

What may come of a letter stands in ``forger.tsv``, written by hand from what the referee promises
(``docs/``), and never from what it does. Each word has its class of effect here, never from the
program's own table: a word that is new there fails a test by its name until somebody has thought
about it. The letters are put on file, and decided, as the daemon does it; what came of them is read
from the database and from the mails.

The class of a word is what it does if it is a forger's:

- ``asks``: it changes nothing, and its answer goes to the address of record;
- ``tells``: others read something in its writer's name;
- ``own``: it changes what is the writer's own, and can be taken back;
- ``others``: it gives a seat, its mail or its orders into other hands;
- ``forever``: it cannot be taken back.
"""

from __future__ import annotations

import contextlib
import csv
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import insert, update

from pbem.letters import verdict
from pbem.orders import acts, asking, club_words, mailwords
from pbem.store import letters
from pbem.store.records import Ballot, Letter
from tests.installation import GAMESMASTER, address
from tests.letter.forger_world import (
    ANN,
    BOB,
    CARLA,
    DORA,
    FAY,
    HEAD,
    LEVELS,
    OLGA,
    PAUL,
    STRANGER,
    World,
    changes,
    facts,
    world,
)
from tests.letter.forging import REFEREE, Came, Mail, checked, codes

ASKS, TELLS, OWN, OTHERS, FOREVER = "asks", "tells", "own", "others", "forever"
DMARC, ADDRESSES = ("pass", "none", "fail"), ("right", "leaked", "none")
NOBODY, MASTER, SIGNED = "nobody", "gamesmaster", "signed"


@dataclass(frozen=True)
class Word:
    """A word, by somebody: its class of effect, and the lines that it stands in. ``name`` is the
    program's word; ``of`` says whose it is where that is not a player's. ``game``: the game in whose
    mails its writer's secret address stands. ``code``: he is mailed a code whatever proves it."""

    name: str
    effect: str
    text: str
    who: str = ANN
    of: str = ""
    game: str = "g"
    code: bool = False

    @property
    def key(self) -> str:
        return f"{self.name} {self.of}".strip()

    @property
    def levels(self) -> tuple[str, ...]:
        if self.who == GAMESMASTER:
            return (MASTER,)
        if self.who in (FAY, OLGA, PAUL, STRANGER):
            return (NOBODY,)
        return (*LEVELS, SIGNED) if self.who == ANN and self.name != "ANSWER" else LEVELS

    @property
    def addresses(self) -> tuple[str, ...]:
        if self.name == "ANSWER":
            return ("right", "leaked")
        return ("none",) if self.who in (FAY, OLGA, STRANGER) else ADDRESSES


def _player(name: str, effect: str, line: str = "", **more: object) -> Word:
    return Word(name, effect, f"{HEAD}{line or name}\n", **more)  # type: ignore[arg-type]


def _master(name: str, effect: str, line: str, head: str = HEAD, **more: object) -> Word:
    return Word(name, effect, f"{head}{line}\n", GAMESMASTER, "of the gamesmaster", **more)  # type: ignore[arg-type]


def _anybody(name: str, effect: str, line: str, who: str = ANN, of: str = "") -> Word:
    return Word(name, effect, f"{line}\n", who, of)


WORDS = (
    _player("HELP", ASKS),
    _player("STATUS", ASKS),
    _player("ORDERS", ASKS),
    _player("HISTORY", ASKS, "HISTORY 1"),
    _player("WHY", ASKS),
    _player("RULES", ASKS, "RULES 4"),
    _player("TABLES", ASKS),
    _player("CHECK", ASKS, 'CHECK\nNAME "Tried"'),
    _player("ORDER", OWN, 'NAME "New"', of="of a game"),
    _player("ORDER", OWN, 'NAME "New"', who=DORA, of="by a deputy"),
    _player("CANCEL", OWN, "CANCEL WAIT"),
    _player("READY", OWN),
    _player("WAIT", OWN, who=BOB),
    _player("ZONE", OWN, "ZONE America/New_York"),
    _player("RECEIPTS", OWN, "RECEIPTS ALL"),
    _player("PLAIN", OWN),
    _player("HTML", OWN, who=BOB),
    _player("CALENDAR", OWN, "CALENDAR ON"),
    _player("PRESS", TELLS, "PRESS TO B\nThe Liberals are liars.\nEND PRESS"),
    _player("ABSENT", TELLS, "ABSENT {soon} TO {later}"),
    Word("STATEMENT", TELLS, "GAME o\nSTATEMENT\nIt was all my own doing.\n", game="o"),
    Word("ANSWER", TELLS, "That is fine with me.\n"),
    _player("DEPUTY", OTHERS, f"DEPUTY {CARLA}"),
    _player("QUIT", FOREVER),
    _player("RESIGN", FOREVER),
    _player("AGREE", FOREVER, "AGREE DRAW A, B"),
    _anybody("GAMES", ASKS, "GAMES"),
    _anybody("GAMES", ASKS, "GAMES", STRANGER, "of a stranger"),
    _anybody("RULES", ASKS, "RULES coalition", STRANGER, "of a stranger"),
    _anybody("SIGNON", OWN, "SIGNON u AS Ann"),
    _anybody("PREFER", OWN, "SIGNON u AS Ann\nPREFER B, C"),
    _anybody("SEAT", OWN, "SIGNON u AS Ann\nSEAT B"),
    _anybody("SIGNON", OWN, "SIGNON u AS Sten", STRANGER, "of a stranger"),
    _anybody("SIGNOFF", FOREVER, "SIGNOFF u", FAY),
    _anybody("WATCH", OWN, "WATCH h"),
    _anybody("WATCH", OWN, "WATCH g", STRANGER, "of a stranger"),
    _anybody("UNWATCH", FOREVER, "UNWATCH g", OLGA),
    _anybody("UNWATCH", FOREVER, "UNWATCH r", ANN, "of a player"),
    _anybody("INVITE", TELLS, f"INVITE {CARLA} TO g"),
    _anybody("STOP", FOREVER, "STOP", STRANGER),
    _anybody("QUIT", OWN, "QUIT", PAUL, "of a stand-by"),
    _master("QUEUE", ASKS, "QUEUE"),
    _master("DESK", ASKS, "DESK"),
    _master("TABLE", ASKS, "TABLE t"),
    _master("PREVIEW", ASKS, "PREVIEW"),
    _master("RULE", TELLS, "RULE Nobody pays taxes any more."),
    _master("PRESS", TELLS, "PRESS TO ALL\nThe game will end soon.\nEND PRESS"),
    _master("REFUSE", TELLS, "REFUSE t 1 we do not like you", ""),
    _master("DISMISS", FOREVER, "DISMISS {held}"),
    _master("RETRY", OWN, "RETRY {failed}"),
    _master("RESEND", OWN, "RESEND {mail}", ""),
    _master("ROTATE", FOREVER, "ROTATE C"),
    _master("OPEN", TELLS, "OPEN coalition w PLAYERS 5", ""),
    _master("ADMIT", TELLS, "ADMIT t 1", ""),
    _master("ACCEPT", OTHERS, "ACCEPT {held}"),
    _master("ORDER", OTHERS, 'ORDER C\nNAME "Forged"\nEND ORDER'),
    _master("REPLACE", OTHERS, f"REPLACE C {CARLA} Carla"),
    _master("STANDBY", OTHERS, f"STANDBY {CARLA} Carla"),
    _master("ADDRESS", OTHERS, f"ADDRESS {address('D')} {CARLA}", ""),
    _master("MASTER", OTHERS, f"MASTER {CARLA}"),
    _master("SECOND", OTHERS, f"SECOND {CARLA}"),
    _master("EXTEND", FOREVER, "EXTEND 4 the post is on strike"),
    _master("PAUSE", FOREVER, "PAUSE {spring} {spring} spring"),
    _master("UNPAUSE", FOREVER, "UNPAUSE {pause} no holiday"),
    _master("HOLD", FOREVER, "HOLD illness"),
    _master("RESUME", FOREVER, "RESUME", "GAME h\nPERIOD 1\n"),
    _master("CLOSE", FOREVER, "CLOSE"),
    _master("RELEASE", FOREVER, "RELEASE", "GAME r\nPERIOD 2\n"),
    _master("REWIND", FOREVER, "REWIND 1 misread"),
    _master("START", FOREVER, "START", "GAME n\n"),
    _master("ENDGAME", FOREVER, "ENDGAME it rains", "GAME g\n"),
    _master("CLOSETABLE", FOREVER, "CLOSETABLE t it rains", ""),
)
"""All that can be said to the referee, and what it would do if it were forged."""
FRAMES = frozenset(("GAME", "PERIOD", "END", "CONFIRM"))
"""Words that do nothing by themselves: they say what the others are for, or prove them."""


def test_every_word_has_its_class_here() -> None:
    """A word that is new in the program must be thought about: what could a forger do with it?"""
    known = {word.name for word in WORDS} | FRAMES
    there = mailwords.WORDS.union(
        asking.HEARD, club_words.ANYBODY, club_words.WISHES, acts.BY_MAIL, (verdict.STOP,)
    )
    assert not there - known, (
        f"no class of effect in {Path(__file__).name}: {sorted(there - known)}"
    )
    assert not known - there - {"ANSWER", "RESIGN"}, "classes of words that are no more"
    mine = {word.name for word in WORDS if word.who == GAMESMASTER}
    assert mine == set(acts.BY_MAIL), mine ^ set(acts.BY_MAIL)


# --- what is expected -----------------------------------------------------------------------------

Cell = tuple[str, str, str]
"""A level, what our server says, and where the letter was sent."""


@dataclass(frozen=True)
class Expected:
    """A row of the table."""

    outcome: str
    reason: str
    line: int


def _table() -> dict[tuple[str, str], dict[Cell, Expected]]:
    """Of each word (or "") and class: what is expected in each cell. A word's own rows stand below
    those of its class; of a word's rows the first counts."""
    found: dict[tuple[str, str], dict[Cell, Expected]] = {}
    everything = {"level": (*LEVELS, SIGNED, MASTER, NOBODY), "dmarc": DMARC, "address": ADDRESSES}
    with (Path(__file__).parent / "forger.tsv").open(encoding="utf-8", newline="") as lines:
        for line, row in enumerate(csv.DictReader(lines, delimiter="\t"), start=2):
            wanted = [
                every if row[name] == "*" else tuple(row[name].split())
                for name, every in everything.items()
            ]
            expected = Expected(row["outcome"], row["reason"], line)
            for word in row["word"].split("|"):
                cells = found.setdefault((word, row["class"]), {})
                for cell in itertools.product(*wanted):
                    assert word or cell not in cells, f"line {line}: said twice"
                    cells.setdefault(cell, expected)
    return found


TABLE = _table()


def expected(word: Word, cell: Cell) -> Expected:
    """What is to come of a word there."""
    for name in (word.key, word.name):
        if cell in TABLE.get((name, word.effect), {}):
            return TABLE[name, word.effect][cell]
    return TABLE["", word.effect][cell]


def test_the_table_is_whole_and_has_no_row_that_says_nothing() -> None:
    used = {expected(word, cell).line for word, cell in CELLS}
    rows = {one.line for cells in TABLE.values() for one in cells.values()}
    assert not rows - used, f"rows of forger.tsv that no word asks: {sorted(rows - used)}"


def _cells(word: Word) -> Iterator[Cell]:
    for level in word.levels:
        for dmarc in DMARC:
            for to in ("none",) if level == SIGNED else word.addresses:
                yield level, dmarc, to


CELLS = [(word, cell) for word in WORDS for cell in _cells(word)]


# --- what comes of it -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Result:
    """What came of a letter: in one word, what has changed, and who was mailed."""

    outcome: str
    changed: frozenset[str]
    told: frozenset[str]
    came: Came


def _to(at: World, word: Word, to: str) -> str:
    if word.name == "ANSWER":
        return at.presses[ANN if to == "right" else BOB]
    if to == "none":
        return REFEREE
    if word.who == GAMESMASTER:
        return at.gamesmasters if to == "right" else at.secrets["g", ANN]
    if to == "leaked":
        return at.secrets[word.game, address("C")]
    return at.secrets[word.game, word.who]


def written(at: World, word: Word, cell: Cell) -> bytes:
    """The letter of a cell."""
    level, dmarc, to = cell
    text = word.text.format(**at.letters, **at.days)
    raw = at.letter(word.who, at.signed(text) if level == SIGNED else text, To=_to(at, word, to))
    if dmarc == "none":
        return raw
    return checked(raw, f"dmarc={dmarc} header.from={word.who.rpartition('@')[2]}")


_NOT_HEARD = ("unverified", "held", "late", "unknown-sender", "quarantine", "ignored", "unanswered")


def _asks(mail: Mail) -> bool:
    """Whether a mail has a code in it, or says how to prove what was written."""
    return "CONFIRM " in mail.text or mail.kind in ("challenge", "proof")


def result(at: World, word: Word, came: Came) -> Result:
    """What came of the letter, of one that was confirmed too."""
    changed = changes(at.facts, facts(at)) - _LIFE - _LOOK
    others = [mail for mail in came.mails if mail.to not in (word.who, GAMESMASTER)]
    told = frozenset(mail.to for mail in others if not _asks(mail))
    mine = [mail for mail in came.mails if mail.to == word.who]
    if changed or told:
        outcome = "taken"
    elif any(_asks(mail) for mail in came.mails):
        outcome = "challenged"
    elif word.effect == ASKS and mine and came.outcome not in _NOT_HEARD:
        outcome = "taken"
    else:
        outcome = "refused" if mine else "ignored"
    return Result(outcome, changed, told, came)


_LIFE = frozenset(("seat.heard", "gamesmaster.heard", "gamesmaster.asked", "game.attended"))
"""That somebody was heard of, which is looked at apart."""
_LOOK = frozenset(("+look",))
"""That the gamesmaster has looked, which the next bulletin tells: apart too."""


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], World]]:
    made: dict[str, World] = {}
    with contextlib.ExitStack() as stack:

        def of(level: str) -> World:
            level = {MASTER: "token", NOBODY: "dmarc", SIGNED: "openpgp"}.get(level, level)
            if level not in made:
                folder = tmp_path_factory.mktemp(level)
                made[level] = stack.enter_context(world(folder, level))
            made[level].back()
            return made[level]

        yield of


def mismatches(of: Callable[[str], World], cells: Sequence[tuple[Word, Cell]]) -> list[str]:
    """Where something else comes of a word than the table says."""
    found = []
    for word, cell in cells:
        at = of(cell[0])
        came = result(at, word, at.comes(written(at, word, cell)))
        wanted = expected(word, cell)
        if came.outcome != wanted.outcome:
            found.append(
                f"{word.key} ({word.effect}) at level {cell[0]}, dmarc={cell[1]}, sent to the"
                f" {cell[2]} address: {came.outcome}, not {wanted.outcome}: {wanted.reason}"
                f" [{came.came.outcome}: {came.came.reason}; {sorted(came.changed)},"
                f" told {sorted(came.told)}]"
            )
    return found


def _telling(word: Word, turn: int) -> list[Cell]:
    """The cells of one level that tell most of a word; the levels take turns."""
    level = word.levels[turn % len(word.levels)]
    most = (
        ("fail", "right"),
        ("none", "right"),
        ("none", "none"),
        ("pass", "none"),
        ("fail", "none"),
    )
    cells = set(_cells(word))
    return [cell for cell in ((level, *one) for one in most) if cell in cells]


SAMPLE = [(word, cell) for turn, word in enumerate(WORDS) for cell in _telling(word, turn)]


def test_what_comes_of_a_word_at_one_level(worlds: Callable[[str], World]) -> None:
    wrong = mismatches(worlds, SAMPLE)
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("level", (*LEVELS, SIGNED, MASTER, NOBODY))
def test_what_comes_of_every_word(worlds: Callable[[str], World], level: str) -> None:
    wrong = mismatches(worlds, [one for one in CELLS if one[1][0] == level])
    assert not wrong, "\n".join(wrong)


def best(word: Word) -> Cell:
    """All the proof that there is."""
    level = word.levels[-1] if word.levels[-1] in (MASTER, NOBODY) else "token"
    return level, "pass", word.addresses[0]


@pytest.mark.parametrize("word", WORDS, ids=lambda word: word.key)
def test_a_word_with_all_proof_does_something(worlds: Callable[[str], World], word: Word) -> None:
    """Else the matrix would show nothing: by itself, or when its code has come back."""
    at, cell = worlds(best(word)[0]), best(word)
    found = result(at, word, at.comes(written(at, word, cell)))
    if found.outcome == "challenged":
        waiting = codes(found.came)
        while waiting:
            who, code = waiting.pop()
            waiting += codes(at.comes(at.letter(who, f"CONFIRM {code}")))
        assert changes(at.facts, facts(at)) - _LIFE or word.effect == ASKS
    else:
        assert found.outcome == "taken", found


# --- what must not be, whatever the table says ----------------------------------------------------


@pytest.mark.parametrize("word", WORDS, ids=lambda word: word.key)
def test_a_secret_address_in_a_strangers_hands_does_nothing(
    worlds: Callable[[str], World], word: Word
) -> None:
    """Even though his own provider vouches for him. What anybody may write is asked about by a
    code, which goes to himself."""
    if word.who in (FAY, OLGA, STRANGER):
        return
    at = worlds(MASTER if word.who == GAMESMASTER else "none")
    letter = written(at, word, (best(word)[0], "pass", "right"))
    forged = letter.replace(f"From: {word.who}".encode(), f"From: {STRANGER}".encode())
    forged = forged.replace(b"header.from=game.example", b"header.from=legit.example")
    came = at.comes(forged)
    assert not changes(at.facts, facts(at)), came
    assert {mail.to for mail in came.mails} <= {STRANGER, GAMESMASTER}, came.mails


@pytest.mark.parametrize(
    "level", ["token", *(pytest.param(one, marks=pytest.mark.slow) for one in ("dmarc", "openpgp"))]
)
@pytest.mark.parametrize("word", [w for w in WORDS if w.who == ANN], ids=lambda word: word.key)
def test_only_a_proven_letter_is_a_sign_of_life(
    worlds: Callable[[str], World], word: Word, level: str
) -> None:
    """Who is silent stays so, whatever is written in her name."""
    at = worlds(level)
    for cell in ((level, "none", word.addresses[-1]), (level, "fail", word.addresses[0])):
        at.back()
        with at.work() as work:  # she has been silent in this period
            work.conn.execute(update(Letter).where(Letter.sender == ANN).values(period=1))
        at.comes(written(at, word, cell))
        assert not changes(at.facts, facts(at)) & _LIFE, cell
        with at.work() as work:
            assert "A" not in letters.writers(work.conn, "g", 2, at.now), cell


@pytest.mark.parametrize(
    "word", [one for one in WORDS if one.who == GAMESMASTER], ids=lambda word: word.key
)
def test_the_gamesmaster_neither_looks_nor_lives_by_a_forgers_letter(
    worlds: Callable[[str], World], word: Word
) -> None:
    """The next bulletin tells everybody that he has looked, and who is silent is told of: nobody
    says either in his name."""
    at = worlds(MASTER)
    for dmarc, to in (("none", "right"), ("fail", "right"), ("pass", "none")):
        at.back()
        at.comes(written(at, word, (MASTER, dmarc, to)))
        changed = changes(at.facts, facts(at))
        assert not changed & _LOOK, (dmarc, to)
        assert (to == "right" and dmarc == "none") or not changed & _LIFE, (dmarc, to)


# --- codes ----------------------------------------------------------------------------------------


def challenged(at: World, dmarc: str = "fail") -> str:
    """The code of a letter of Ann's with an order that was asked about."""
    word = next(one for one in WORDS if one.key == "ORDER of a game")
    ((who, code),) = codes(at.comes(written(at, word, (at.level, dmarc, "none"))))
    assert who == ANN and at.standing("A") == ['NAME "Old"']
    return code


CONFIRMING = (
    (ANN, "none", "none", True, "the code was mailed to her mailbox and to nowhere else"),
    (ANN, "fail", "none", True, "a forwarder breaks DMARC; the code proves her all the same (B4)"),
    (ANN, "pass", "right", True, "all the proof that there is"),
    (BOB, "pass", "none", False, "a code works from the address only that it was mailed to"),
    (DORA, "pass", "none", False, "a deputy of another seat"),
    (STRANGER, "pass", "none", False, "registered nowhere"),
    (GAMESMASTER, "pass", "right", False, "he accepts letters by ACCEPT, and the bulletin says so"),
)


@pytest.mark.parametrize("level", ["dmarc", "token", "openpgp"])
def test_a_code_proves_who_reads_the_mailbox_and_nobody_else(
    worlds: Callable[[str], World], level: str
) -> None:
    at = worlds(level)
    for who, dmarc, to, counts, why in CONFIRMING:
        at.back()
        code = challenged(at)
        word = Word("CONFIRM", OWN, f"CONFIRM {code}\n", who)
        at.comes(written(at, word, (level, dmarc, to)))
        assert (at.standing("A") == ['NAME "New"']) is counts, (who, dmarc, to, why)


@pytest.mark.parametrize("level", ["dmarc", "token", "openpgp"])
def test_a_code_counts_once_and_a_guess_never(worlds: Callable[[str], World], level: str) -> None:
    at = worlds(level)
    code = challenged(at)
    for guess in ("abcdefgh", code[:-1], code[:-1] + ("a" if code[-1] != "a" else "b"), code * 2):
        at.comes(at.letter("A", f"CONFIRM {guess}"))
        assert at.standing("A") == ['NAME "Old"']
    at.comes(at.letter("A", f"CONFIRM {code}"))
    assert at.standing("A") == ['NAME "New"']
    newer = written(at, Word("ORDER", OWN, f'{HEAD}NAME "Newer"\n'), (level, "fail", "none"))
    ((_, other),) = codes(at.comes(newer))
    at.comes(at.letter("A", f"CONFIRM {other}"))
    at.comes(at.letter("A", f"CONFIRM {code}"))
    assert at.standing("A") == ['NAME "Newer"']


# --- a ballot -------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
def test_what_comes_of_a_ballot_tells_nobody_how_the_others_voted(
    worlds: Callable[[str], World], level: str
) -> None:
    """The last ballot is asked about as the first: whether the game would end by it is secret."""
    at, word = worlds(level), next(one for one in WORDS if one.name == "AGREE")
    for dmarc, to in itertools.product(DMARC, ADDRESSES):
        if (dmarc, to) == ("pass", "right"):
            continue
        heard = []
        for voted in (False, True):
            at.back()
            if voted:
                ballots(at)
            came = at.comes(written(at, word, (level, dmarc, to)))
            heard.append((came.outcome, [mail.subject for mail in came.to(ANN)]))
            (row,) = at.rows("SELECT status FROM game WHERE id = 'g'")
            assert row["status"] == "running", (dmarc, to)
        assert heard[0] == heard[1], (dmarc, to)


def ballots(at: World) -> None:
    """All but Ann have agreed."""
    with at.work() as work:
        for seat in "BCDE":
            work.conn.execute(
                insert(Ballot).values(
                    game_id="g", seat=seat, shared=["A", "B"], letter_id=1, at=at.now
                )
            )
