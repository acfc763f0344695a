"""The words that anybody may write, as people write them."""

import pytest

from pbem.orders.asking import ANYBODY
from pbem.orders.mailwords import Command, peel
from pbem.orders.muting import muted


@pytest.mark.parametrize(
    ("line", "name", "argument"),
    [
        ("GAMES", "GAMES", ""),
        ("Games?", "GAMES", ""),
        ("please games, thanks", "GAMES", ""),
        ("SIGNON autumn AS Sophie", "SIGNON", "autumn AS Sophie"),
        ("signon Autumn as Anna Maria.", "SIGNON", "Autumn AS Anna Maria"),
        ("* SIGNON autumn", "SIGNON", "autumn"),
        ("SIGNON game autumn as 'Jo'", "SIGNON", "autumn AS 'Jo'"),
        ("SIGNOFF", "SIGNOFF", ""),
        ("SIGNOFF autumn!", "SIGNOFF", "autumn"),
        ("watch autumn", "WATCH", "autumn"),
        ("WATCH [autumn]", "WATCH", "autumn"),
        ("UNWATCH", "UNWATCH", ""),
        ("Unwatch autumn-2.", "UNWATCH", "autumn-2"),
        ("PRACTICE coalition", "PRACTICE", "coalition"),
        ("Practice", "PRACTICE", ""),
        ("LISTED ON", "LISTED", "ON"),
        ("Zine on", "ZINE", "ON"),
        ("ZINE OFF, please", "ZINE", "OFF"),
        ("listed off.", "LISTED", "OFF"),
        ("LISTED", "LISTED", ""),
        ("INVITE ann@mail.example", "INVITE", "ann@mail.example"),
        ("invite <ann@mail.example> to autumn", "INVITE", "ann@mail.example TO autumn"),
    ],
)
def test_a_word_is_heard(line: str, name: str, argument: str) -> None:
    assert peel(f"Hello\n{line}\nBye").commands == (Command(name, argument, 2),)


@pytest.mark.parametrize(
    "line",
    [
        "Games are fun",
        "GAMES AND RULES",
        "Watch out!",
        "Watch this",
        "Watch out, Bob",
        "Watch autumn come",
        "WATCH autumn?",
        "Watch me...",
        "WATCH",
        "SIGNON",
        "SIGNON autumn AS",
        "SIGNON autumn AS ...",
        "Signon the dotted line",
        f"SIGNON autumn AS {'n' * 300}",
        "INVITE Bob",
        "Invite ann@mail.example to dinner tonight",
        "INVITE ann@mail.example, ben@mail.example",
        "please WATCH autumn",
        "LISTED below",
        "Listed on page 3",
        "LISTED ON?",
        "SEAT L",
        "PREFER L, S",
    ],
)
def test_what_people_say_is_none(line: str) -> None:
    assert peel(line).commands == () and peel(line).text == line


def test_wishes_stand_below_a_signon() -> None:
    text = "PREFER A\nSIGNON autumn AS Sue\nPREFER L, S\n\nSeat: L.\nVOTE AYE"
    peeled = peel(text)
    assert peeled.commands == (
        Command("SIGNON", "autumn AS Sue", 2),
        Command("PREFER", "L, S", 3),
        Command("SEAT", "L", 5),
    )
    assert peeled.text == "PREFER A\n\n\n\n\nVOTE AYE"


def test_quoted_bare_they_are_barred() -> None:
    for line in (
        *ANYBODY - {"SIGNON", "WATCH", "INVITE"},
        "GAMES",
        "WATCH autumn",
        "SIGNON autumn AS Sue",
        "SIGNOFF",
        "UNWATCH",
        "INVITE a@b.c",
    ):
        assert muted(f"{line}\n") == f"| {line}\n"
        assert not peel(muted(line)).commands
