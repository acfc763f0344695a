"""The names that players may have."""

import pytest

from pbem.orders.naming import LONGEST, NotAName, checked, skeleton

TAKEN = ("S", "the Socialists", "Sophie", "Ian", "The Referee of Games")


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Anna  Maria ", "Anna Maria"),
        ('"Anna"', "Anna"),
        ("O'Neill-Smith", "O'Neill-Smith"),
        ("J.R. Ewing", "J.R. Ewing"),
        ("St. John", "St. John"),
        ("Ann 2", "Ann 2"),
        ("王小明", "王小明"),
        ("Иван", "Иван"),
        ("Zoë", "Zoë"),
        ("Ａｎｎ", "Ann"),
        ("Badminton", "Badminton"),
        ("Stopping Sue", "Stopping Sue"),
        ("Sophia", "Sophia"),
        ("n" * LONGEST, "n" * LONGEST),
    ],
)
def test_a_name_is_taken_as_it_is_printed(written: str, name: str) -> None:
    assert checked(written, TAKEN) == name


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("", "letters"),
        ("42", "letters"),
        ("n" * (LONGEST + 1), "30 characters"),
        ("see http://x.example", "page"),
        ("www.x", "page"),
        ("win.example", "page"),
        ("ann@mail", "mailbox"),
        ("An\u202en", "signs"),
        ("An\u200bn", "signs"),
        ("An\x07n", "signs"),
        ("An<b>n", "signs"),
        ("Ann ☃", "signs"),
        ("READY", "a word for the referee"),
        ("GAMES", "a word for the referee"),
        ("Referee", "taken for the referee"),
        ("The Ref eree", "taken for the referee"),
        ("Τhe Rеferеe", "taken for the referee"),  # Greek and Cyrillic letters
        ("Gаmes-Master", "taken for the referee"),
        ("GM", "taken for the referee"),
        ("Ann, GM", "signs"),
        ("The GM", "taken for the referee"),
        ("AII", "for everybody"),
        ("Nobody", "for everybody"),
    ],
)
def test_what_is_no_name(written: str, why: str) -> None:
    with pytest.raises(NotAName, match=why):
        checked(written, TAKEN)


@pytest.mark.parametrize(
    ("written", "like"),
    [
        ("SOPHIE", "Sophie"),
        ("Söphie", "Sophie"),
        ("S o p h i e", "Sophie"),
        ("Ѕорһіе", "Sophie"),  # Cyrillic letters
        ("lan", "Ian"),
        ("1an", "Ian"),
        ("s", "S"),
        ("Ѕ", "S"),  # a Cyrillic one
        ("The Socialists", "the Socialists"),
        ("Sophle", "Sophie"),
        ("The Soc1alists", "the Socialists"),
    ],
)
def test_who_looks_like_another(written: str, like: str) -> None:
    with pytest.raises(NotAName, match=f"looks like {like}"):
        checked(written, TAKEN)
    assert checked(written, [one for one in TAKEN if one != like])


def test_looks_are_of_letters() -> None:
    assert skeleton("Ann") == skeleton("ann.") == skeleton("  Änn") != skeleton("Anna")
    assert skeleton("Ali") == skeleton("AIi") != skeleton("Alo")
    assert skeleton("...") == ""
