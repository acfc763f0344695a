"""What no forger gains, whatever a word is: by an address that leaked, by a letter that only looks
alive, by a code of somebody else's, by a ballot."""

import itertools
from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import insert, update

from pbem.letters.addresses import part_of
from pbem.store.letters import letters
from pbem.store.schema.tables import Ballot, Letter
from tests.installation import GAMESMASTER
from tests.letter.forger_words import (
    _LIFE,
    _LOOK,
    ADDRESSES,
    DMARC,
    MASTER,
    OWN,
    WORDS,
    Word,
    best,
    written,
)
from tests.letter.forger_world import (
    ANN,
    BOB,
    DORA,
    FAY,
    HEAD,
    LEVELS,
    OLGA,
    STRANGER,
    World,
    changes,
    facts,
)
from tests.letter.forging import REFEREE, codes


@pytest.mark.parametrize(
    "word",
    [one for one in WORDS if one.who not in (FAY, OLGA, STRANGER)],
    ids=lambda word: word.key,
)
def test_a_secret_address_in_a_strangers_hands_does_nothing(
    worlds: Callable[[str], World], word: Word
) -> None:
    """Even though his own provider vouches for him. What anybody may write is asked about by a
    code, which goes to himself; of a letter to a seat its own player is asked, once."""
    at = worlds(MASTER if word.who == GAMESMASTER else "open")
    letter = written(at, word, (best(word)[0], "pass", "right"))
    forged = letter.replace(f"From: {word.who}".encode(), f"From: {STRANGER}".encode())
    forged = forged.replace(b"header.from=game.example", b"header.from=legit.example")
    came = at.comes(forged)
    assert not changes(at.facts, facts(at)), came
    assert {mail.to for mail in came.mails} <= {STRANGER, GAMESMASTER, word.who}, came.mails
    own = [mail for mail in came.mails if mail.to == word.who != GAMESMASTER]
    assert len(own) <= 1, own  # whether it is hers, asked at her own address, once


@pytest.mark.parametrize("word", [w for w in WORDS if w.who == ANN], ids=lambda word: word.key)
def test_only_a_proven_letter_is_a_sign_of_life(worlds: Callable[[str], World], word: Word) -> None:
    """Who is silent stays so, whatever is written in her name."""
    at = worlds("proven")
    for cell in (("proven", "none", word.addresses[-1]), ("proven", "fail", word.addresses[0])):
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
    for dmarc, to in (("none", "none"), ("fail", "right"), ("none", "leaked")):
        at.back()
        at.comes(written(at, word, (MASTER, dmarc, to)))
        changed = changes(at.facts, facts(at))
        assert not changed & _LOOK, (dmarc, to)
        assert not changed & _LIFE, (dmarc, to)


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


def test_a_code_proves_who_reads_the_mailbox_and_nobody_else(
    worlds: Callable[[str], World],
) -> None:
    at = worlds("proven")
    for who, dmarc, to, counts, why in CONFIRMING:
        at.back()
        code = challenged(at)
        word = Word("CONFIRM", OWN, f"CONFIRM {code}\n", who)
        at.comes(written(at, word, ("proven", dmarc, to)))
        assert (at.standing("A") == ['NAME "New"']) is counts, (who, dmarc, to, why)


def test_a_code_counts_once_and_a_guess_never(worlds: Callable[[str], World]) -> None:
    at = worlds("proven")
    code = challenged(at)
    for guess in ("abcdefgh", code[:-1], code[:-1] + ("a" if code[-1] != "a" else "b"), code * 2):
        at.comes(at.letter("A", f"CONFIRM {guess}"))
        assert at.standing("A") == ['NAME "Old"']
    at.comes(at.letter("A", f"CONFIRM {code}"))
    assert at.standing("A") == ['NAME "New"']
    newer = written(at, Word("ORDER", OWN, f'{HEAD}NAME "Newer"\n'), ("proven", "fail", "none"))
    ((_, other),) = codes(at.comes(newer))
    at.comes(at.letter("A", f"CONFIRM {other}"))
    at.comes(at.letter("A", f"CONFIRM {code}"))
    assert at.standing("A") == ['NAME "Newer"']


OF_THE_DOOR = ("SIGNON", "WATCH", "PRACTICE", "ZINE", "STOP")
OF_SEATS = ("DEPUTY", "QUIT", "RESIGN", "ORDER of a game", "HOLD of the gamesmaster")
AS_LONG_AS_ITS_PERIOD = ("RESIGN", "ORDER of a game")


@pytest.mark.parametrize("kind", OF_THE_DOOR + OF_SEATS)
def test_a_code_of_each_kind_counts_from_its_mailbox_in_time_and_once(
    worlds: Callable[[str], World], kind: str
) -> None:
    """And one that a seat waits for is not done by a yes to the address that has it."""
    keys = (f"{kind} of a stranger", kind)
    word = next(one for name in keys for one in WORDS if one.key == name)
    at = worlds(best(word)[0])

    def asked() -> str:
        at.back()
        dmarc, to = ("fail", "none") if kind == "ORDER of a game" else ("none", word.addresses[0])
        came = at.comes(written(at, word, (best(word)[0], dmarc, to)))
        (code,) = {code for who, code in codes(came) if who == word.who}
        return code

    def gains(who: str, text: str, **headers: str) -> frozenset[str]:
        before = facts(at)
        at.comes(at.letter(who, text, **headers))
        return changes(before, facts(at)) - _LIFE

    code = asked()
    for other in {ANN, BOB, DORA, FAY, STRANGER, GAMESMASTER} - {word.who}:
        assert not gains(other, f"CONFIRM {code}"), other
    if kind in OF_SEATS:
        local, _, domain = REFEREE.partition("@")
        assert not gains(word.who, "yes", To=f"{local}+{part_of(code)}@{domain}")
    waits = kind == "DEPUTY"  # for her own code
    assert bool(gains(word.who, f"CONFIRM {code}")) is not waits
    assert not gains(word.who, f"CONFIRM {code}"), "twice"
    code = asked()
    at.now += timedelta(days=8)
    assert bool(gains(word.who, f"CONFIRM {code}")) is (kind in AS_LONG_AS_ITS_PERIOD), "late"


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
                insert(Ballot).values(game_id="g", seat=seat, shared=["A", "B"], letter_id=1)
            )
