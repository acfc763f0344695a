"""An ally has a copy of Ann's true letter, which her provider signed, and sends it again with
whatever the signature lets him change: after her newer letter none of it counts."""

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest

from pbem.referee.acts import clock_acts
from tests.installation import SEATS
from tests.letter.forging import Bench, Came, bench, checked, codes
from tests.letter.replaying import (
    ANN,
    BROKEN,
    LOOSE,
    NEWER,
    SIGNERS,
    TEXT,
    VARIANTS,
    by_ann,
    handed_on,
    proves,
)
from tests.sampled import in_turn

A_THIRD = [
    pytest.param(one, marks=(pytest.mark.slow, pytest.mark.nightly) if n % 3 else ())
    for n, one in enumerate(VARIANTS)
]
"""A third of them, and at night all: ``test_no_copy_puts_the_old_orders_back`` has each."""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    with bench(tmp_path_factory.mktemp("replays"), trust="proven", seats=SEATS) as made:
        yield made


@pytest.fixture
def at(table: Bench) -> Iterator[Bench]:
    table.back()
    yield table


def sent_again(at: Bench, raw: bytes, change: Callable[[bytes], bytes]) -> Came:
    """Ann's letter, her newer one, and then the first again, changed by her ally."""
    first = at.comes(handed_on(raw, "legit.example"))
    assert first.outcome == "orders" and at.standing("A") == ["SPECIAL AGR"]
    at.comes(handed_on(by_ann(at, SIGNERS["as Gmail does"], NEWER), "legit.example"))
    assert at.standing("A") == ["SPECIAL ENV"]
    return at.comes(handed_on(change(raw), "evil.example"))


@pytest.mark.parametrize(
    ("variant", "signer"), in_turn({one: one for one in VARIANTS}, {one: one for one in SIGNERS})
)
def test_no_copy_puts_the_old_orders_back(at: Bench, signer: str, variant: str) -> None:
    raw = by_ann(at, SIGNERS[signer], TEXT, Cc="ally@else.example")
    came = sent_again(at, raw, VARIANTS[variant])
    assert at.standing("A") == ["SPECIAL ENV"], (came.outcome, came.reason)


@pytest.mark.parametrize("variant", A_THIRD)
def test_what_is_appended_below_a_part_that_is_signed_proves_nothing(
    at: Bench, variant: str
) -> None:
    """A signature with l= covers the beginning of a letter alone."""
    raw = by_ann(at, LOOSE, TEXT)
    at.comes(handed_on(by_ann(at, SIGNERS["as Gmail does"], NEWER), "legit.example"))
    at.comes(handed_on(VARIANTS[variant](raw), "evil.example"))
    assert at.standing("A") == ["SPECIAL ENV"]


def test_enough_of_the_copies_are_signed_still(at: Bench) -> None:
    """Else the cases above would show nothing."""
    signed = {
        name: [
            variant for variant, change in VARIANTS.items() if proves(change(by_ann(at, one, TEXT)))
        ]
        for name, one in SIGNERS.items()
    }
    assert min(map(len, signed.values())) >= 30, signed
    broken = set(VARIANTS) - set().union(*signed.values())
    assert broken == BROKEN


@pytest.mark.parametrize("variant", A_THIRD)
def test_a_copy_in_the_next_period_counts_for_nothing(at: Bench, variant: str) -> None:
    raw = by_ann(at, SIGNERS["the least"], TEXT)
    at.comes(handed_on(raw, "legit.example"))
    close(at)
    at.comes(handed_on(VARIANTS[variant](raw), "evil.example"))
    assert at.standing("A") == []


def close(at: Bench) -> None:
    """The period closes a day after the letter, and another opens."""
    at.now += timedelta(days=1)
    with at.at.daemon.installation.work(at.now) as work:
        clock_acts.close(work, "g", None, unread=True)


# --- however it came to count ---------------------------------------------------------------------

DOUBTED = ["dkim=temperror header.d=legit.example", "dmarc=temperror header.from=legit.example"]
"""What our server says while it cannot ask for the key."""
CHANGED = [
    "as it is",
    "a second Message-ID on top",
    "two blanks for one",
    "another Message-ID",
    "the signature in other letters",
]


@pytest.mark.parametrize("variant", CHANGED)
def test_a_letter_that_was_confirmed_counts_once_too(at: Bench, variant: str) -> None:
    """It came without proof, and she sent its code back: a copy that proves itself is a copy."""
    raw = by_ann(at, SIGNERS["the least"], TEXT)
    ((_, code),) = codes(at.comes(checked(raw, *DOUBTED)))
    at.comes(at.letter("A", f"CONFIRM {code}"))
    assert at.standing("A") == ["SPECIAL AGR"]
    at.comes(handed_on(by_ann(at, SIGNERS["as Gmail does"], NEWER), "legit.example"))
    at.comes(handed_on(VARIANTS[variant](raw), "evil.example"))
    assert at.standing("A") == ["SPECIAL ENV"]


@pytest.mark.parametrize("variant", CHANGED)
def test_a_letter_to_her_secret_address_counts_once_too(at: Bench, variant: str) -> None:
    to = next(mail.reply_to for mail in reversed(at.mails()) if mail.to == ANN)
    raw = by_ann(at, SIGNERS["the least"], TEXT, To=to)
    at.comes(checked(raw, *DOUBTED))
    assert at.standing("A") == ["SPECIAL AGR"]
    at.comes(handed_on(by_ann(at, SIGNERS["as Gmail does"], NEWER), "legit.example"))
    at.comes(handed_on(VARIANTS[variant](raw), "evil.example"))
    assert at.standing("A") == ["SPECIAL ENV"]


@pytest.mark.parametrize("variant", [*CHANGED, "another Subject", "resent", "other orders"])
def test_a_changed_copy_that_comes_first_takes_nothing_from_her(at: Bench, variant: str) -> None:
    """The ally is quicker than her provider: what counts of his copy is hers."""
    raw = by_ann(at, SIGNERS["the least"], TEXT)
    at.comes(handed_on(VARIANTS[variant](raw), "evil.example"))
    at.comes(handed_on(raw, "legit.example"))
    assert at.standing("A") == ["SPECIAL AGR"]


@pytest.mark.parametrize("variant", ["as HTML", "base64", "within parts", "of no known charset"])
def test_of_a_copy_that_comes_first_and_cannot_be_read_she_is_told(at: Bench, variant: str) -> None:
    """Her provider does not sign how the text is written down. Then hers is the second copy, and
    she reads that nothing was taken."""
    raw = by_ann(at, SIGNERS["the least"], TEXT)
    first = at.comes(handed_on(VARIANTS[variant](raw), "evil.example"))
    second = at.comes(handed_on(raw, "legit.example"))
    told = [mail.text for came in (first, second) for mail in came.to(ANN)]
    assert at.standing("A") == ["SPECIAL AGR"] or any("Receipt 1" in text for text in told)


def test_nobody_but_ann_hears_of_copies_and_she_once_a_day(at: Bench) -> None:
    raw = by_ann(at, SIGNERS["the least"], TEXT)
    at.comes(handed_on(raw, "legit.example"))
    told: list[str] = []
    for n, variant in enumerate(CHANGED * 2):
        copy = VARIANTS[variant](raw)
        came = at.comes(handed_on(copy, "evil.example"), later=timedelta(hours=2))
        told += [mail.to for mail in came.mails]
        assert n or len(told) <= 1
    assert set(told) <= {ANN} and len(told) <= 1, told
    at.now += timedelta(hours=5)
    (mail,) = at.comes(handed_on(raw, "evil.example")).mails
    assert mail.to == ANN and "This letter had come before" in " ".join(mail.text.split())


def test_the_same_words_on_another_day_are_another_letter(at: Bench) -> None:
    """READY, or the orders of last week: what Ann writes anew counts, however alike it is."""
    signer = SIGNERS["the least"]
    for text in (TEXT, NEWER, TEXT, NEWER, TEXT):
        came = at.comes(handed_on(by_ann(at, signer, text), "legit.example"))
        assert came.outcome == "orders", came
        assert at.standing("A") == [text.split("\n", maxsplit=1)[0]]
