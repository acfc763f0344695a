"""How players agree on the end of a game: what a ballot says, and when all say the same."""

import pytest

from pbem.games.frame.agreement import end_in_words, reached, read
from pbem.house import shelf
from pbem.orders import mailwords
from pbem.orders.order import CANCEL

SEATS = ("P1", "P2", "Soc", "AND")
PLAYING = ("P1", "P2", "Soc")


@pytest.mark.parametrize(
    ("written", "shared"),
    [
        ("DRAW P1, P2", ("P1", "P2")),
        ("draw soc and p2", ("P2", "Soc")),
        ("Draw P2 P1, P2", ("P1", "P2")),
        ("DRAW P1, P2, and Soc:", ("P1", "P2", "Soc")),
        ("WIN soc", ("Soc",)),
        ("none", ()),
    ],
)
def test_what_a_ballot_says(written: str, shared: tuple[str, ...]) -> None:
    found = read(written, SEATS, PLAYING)
    assert (found.shared, found.refusal) == (shared, None)


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("", "it does not say how the game is to end"),
        ("S WINS", "it does not say how the game is to end"),
        ("to a draw of P1 and P2", "it does not say how the game is to end"),
        ("DRAW", "it does not say how the game is to end"),
        ("NONE of you", "it does not say how the game is to end"),
        ("DRAW P1, P9 or P8", "there is no seat P9, OR or P8"),
        ("DRAW ALL", "there is no seat ALL"),
        ("WIN P1 P2", "only one seat wins; several share a draw"),
        ("DRAW P1", "several seats share a draw; one wins"),
        ("WIN AND", "AND is out of the game"),
    ],
)
def test_a_ballot_that_cannot_be_taken_shows_how_it_is_written(written: str, why: str) -> None:
    found = read(written, SEATS, PLAYING)
    assert (
        found.shared == ()
        and found.refusal
        and f"was not taken: {why}. For a draw write" in found.refusal
    )
    for form in ("AGREE DRAW P1, P2", "AGREE WIN P1", "AGREE NONE", "P1, P2, Soc, AND."):
        assert form in found.refusal.replace("\u00a0", " ")


def test_all_who_are_seated_have_to_say_the_same() -> None:
    both = {"P1": ["P1", "P2"], "P2": ["P2", "P1"]}
    assert reached(both, ("P1", "P2"), PLAYING) == ("P1", "P2")
    assert reached(both, PLAYING, PLAYING) == ()
    assert reached(both | {"Soc": []}, PLAYING, PLAYING) == ()
    assert reached(both | {"Soc": ["P1"]}, PLAYING, PLAYING) == ()
    assert reached(both | {"Soc": ["P1"]}, ("P1", "P2"), PLAYING) == ("P1", "P2")
    assert reached(both, ("P1", "P2"), ("P2", "Soc")) == (), "one who shares it is out of the game"
    assert reached({}, (), PLAYING) == () and reached({}, PLAYING, PLAYING) == ()


def test_an_end_in_words() -> None:
    assert (
        end_in_words(["S"]) == "a win of S"
        and end_in_words(["S", "R", "L"]) == "a draw of S, R and L"
    )


@pytest.mark.parametrize(
    "line", ["AGREE DRAW {0}, {1}", "AGREE WIN {0}", "AGREE NONE", "AGREE", "STATEMENT"]
)
def test_no_order_of_any_game_begins_so(key: str, line: str) -> None:
    language = shelf.open_ruleset(key).language
    text = line.format(*shelf.open_ruleset(key).about.seats[0])
    assert language.words.isdisjoint({"AGREE", "STATEMENT"}) and not language.reads(text)
    assert mailwords.peel(text).text == ""
    taken = {word for word in (*language.words, *mailwords.WORDS, CANCEL) if len(word) > 4}
    slips = {text[:at] + text[at + 1 :] for at in range(5)}
    assert taken.isdisjoint(slips), "nor is a slip of one of them another word"
