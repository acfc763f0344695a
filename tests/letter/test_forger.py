"""The forger's matrix: every word of the referee, by all the proof that a letter may have.

What may come of a letter stands in ``forger.tsv``, written by hand from what the referee promises,
and never from what it does. The class of effect of each word stands in ``forger_words``: a word that
is new in the program fails a test by its name until somebody has thought about it. The letters are
put on file, and decided, as the daemon does it; what came of them is read from the database and from
the mails.
"""

import csv
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from pbem.acts import acts
from pbem.orders import asking
from tests.installation import GAMESMASTER, SEATS, address
from tests.letter.forger_words import (
    _LIFE,
    ADDRESSES,
    ASKS,
    CELLS,
    DMARC,
    FRAMES,
    MASTER,
    NOBODY,
    WORDS,
    Cell,
    Word,
    best,
    cells,
    result,
    written,
)
from tests.letter.forger_world import LEVELS, World, changes, facts
from tests.letter.forging import OUR_SERVER, Bench, bench, codes, on_the_wire


def test_every_word_has_its_class_here() -> None:
    """A word that is new in the program must be thought about: what could a forger do with it?"""
    known = {word.name for word in WORDS} | FRAMES
    there = {*asking.WORDS, *acts.BY_MAIL}
    assert not there - known, (
        f"WORDS of tests/letter/forger_words.py lack a line for {sorted(there - known)}: what could"
        " a forger do with it?"
    )
    assert not known - there - {"ANSWER", "RESIGN"}, "classes of words that are no more"
    mine = {word.name for word in WORDS if word.who == GAMESMASTER}
    assert mine == set(acts.BY_MAIL), mine ^ set(acts.BY_MAIL)


# --- what is expected -----------------------------------------------------------------------------


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
    everything = {"level": (*LEVELS, MASTER, NOBODY), "dmarc": DMARC, "address": ADDRESSES}
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
    there = set(cells(word))
    return [cell for cell in ((level, *one) for one in most) if cell in there]


PARTS = 9
"""So many parts of the sample, each with half of the words; the default run has one of them."""
SAMPLE = [(word, cell) for turn, word in enumerate(WORDS) for cell in _telling(word, turn)]


@pytest.mark.parametrize(
    "part", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, PARTS))]
)
def test_what_comes_of_a_word_at_one_level(worlds: Callable[[str], World], part: int) -> None:
    wrong = mismatches(worlds, SAMPLE[part::PARTS])
    assert not wrong, "\n".join(wrong)


@pytest.mark.nightly
@pytest.mark.parametrize("level", (*LEVELS, MASTER, NOBODY))
def test_what_comes_of_every_word(worlds: Callable[[str], World], level: str) -> None:
    wrong = mismatches(worlds, [one for one in CELLS if one[1][0] == level])
    assert not wrong, "\n".join(wrong)


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


ANN = address("A")
FAIL = f"Authentication-Results: {OUR_SERVER}; dmarc=fail header.from=legit.example"
FIELD = f"Authentication-Results: {OUR_SERVER};"
BESIDES = {
    "nothing": [],
    "a pass": [f"{FIELD} dmarc=pass header.from=legit.example"],
    "many passes": [f"{FIELD} dmarc=pass header.from=legit.example"] * 5,
    "nothing checked": [f"{FIELD} none"],
    "an empty field": [FIELD],
    "no words": [f"Authentication-Results: {OUR_SERVER}"],
    "an open comment": [f"{FIELD} (((dmarc=pass"],
    "an open quote": [f'{FIELD} dmarc=pass reason="x'],
    "a long field": [f"{FIELD} dkim=pass header.d={'x' * 9_000}"],
    "odd letters": [f"{FIELD} dmarc=pass header.from=legit.\u212aexample"],
    "our name quoted": [f'Authentication-Results: "{OUR_SERVER}"; dmarc=pass'],
    "our name in capitals": [f"Authentication-Results: {OUR_SERVER.upper()}; none"],
    "our name with a version": [f"Authentication-Results: {OUR_SERVER} 9; none"],
    "another error": [f"{FIELD} dmarc=temperror header.from=legit.example"],
    "a seal": [
        f"ARC-Authentication-Results: i=1; {OUR_SERVER}; dmarc=pass",
        "ARC-Seal: i=1; cv=pass",
    ],
    "a blank before the colon": [f"Authentication-Results : {OUR_SERVER}; none"],
}
FOUND = {
    "plainly": FAIL,
    "with a reason": f"{FIELD} dmarc=fail (p=REJECT sp=NONE) header.from=legit.example",
    "in capitals": f"{FIELD} DMARC=FAIL header.from=legit.example",
    "folded": f"{FIELD}\r\n\tdkim=none;\r\n\tdmarc=fail header.from=legit.example",
    "with blanks": f"{FIELD} dmarc = fail header.from = legit.example",
    "behind his odd sender": f'{FIELD} spf=pass smtp.mailfrom="a b;(\\"@x@evil.example; dmarc=fail'
    " header.from=legit.example",
    "behind his open comment": f"{FIELD} spf=pass smtp.mailfrom=a(@evil.example; dmarc=fail"
    " header.from=legit.example",
    "behind his letters": f"{FIELD} spf=pass smtp.mailfrom=\u00fc@evil.example; dmarc=fail",
    "within his quotes": f'{FIELD} spf=pass smtp.mailfrom="b@evil.example; dmarc=fail'
    ' header.from=legit.example; dkim=pass header.i=x"@evil.example',
    "unreadable, with a comment": f"{FIELD} spf=pass smtp.mailfrom=\u00fc@evil.example; dmarc=(c)fail",
    "unreadable, with a version": f"{FIELD} spf=pass smtp.mailfrom=\u00fc@evil.example; dmarc/1=fail",
}


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    with bench(tmp_path_factory.mktemp("masks"), trust="proven", seats=SEATS) as made:
        yield made


@pytest.fixture
def at(table: Bench) -> Iterator[Bench]:
    table.back()
    yield table


def forged(at: Bench, above: list[str], below: list[str]) -> bytes:
    to = next(mail.reply_to for mail in reversed(at.mails()) if mail.to == ANN)
    raw = on_the_wire(at.letter("A", "SPECIAL AGR", To=to))
    head, _, body = raw.partition(b"\r\n\r\n")
    lines = ["", *below] if below else []
    top = "".join(f"{line}\r\n" for line in above).encode()
    return top + head + "\r\n".join(lines).encode() + b"\r\n\r\n" + body


@pytest.mark.parametrize("besides", BESIDES)
def test_no_field_of_his_hides_what_our_server_found(at: Bench, besides: str) -> None:
    fields = BESIDES[besides]
    for above, below in (([FAIL, *fields], []), ([*fields, FAIL], []), ([FAIL], fields)):
        at.back()
        came = at.comes(forged(at, above, below))
        assert came.outcome == "unverified" and at.standing("A") == [], (came, above, below)


@pytest.mark.parametrize("found", FOUND)
def test_no_envelope_of_his_hides_it(at: Bench, found: str) -> None:
    """Our server writes down his MAIL FROM beside what it found."""
    came = at.comes(forged(at, [FOUND[found]], []))
    assert came.outcome == "unverified" and at.standing("A") == [], came


def test_a_server_that_says_nothing_leaves_the_secret_address_its_worth(at: Bench) -> None:
    for fields in ([], [f"{FIELD} none"], [f"{FIELD} dmarc=temperror header.from=legit.example"]):
        at.back()
        assert at.comes(forged(at, fields, [])).outcome == "orders", fields
