"""Slips of the pen in the gamesmaster's shell: each is answered with a line that says what to do,
and nothing is done."""

from pathlib import Path

import pytest

from tests.installation import GAMESMASTER, SEATS, address
from tests.masters import reply_to
from tests.shell import Shell

WHY = ("--why", "because")


@pytest.mark.parametrize(
    "words",
    [
        ("replace", "g", "A", "nobody", *WHY),
        ("standby", "g", "new@else@example"),
        ("address", address("A"), "a b@x.example"),
        ("address", address("A"), '"a"@x.example'),
        ("replace", "g", "A", "<new@else.example>", *WHY),
    ],
)
def test_what_is_no_address(begun: Shell, words: tuple[str, ...]) -> None:
    assert "is no mail address; write one like rene@mail.example" in begun.fails(*words)


def test_no_address_by_mail(begun: Shell) -> None:
    begun.at.post(begun.at.letter(GAMESMASTER, "QUEUE"))
    begun("once")
    token = reply_to(begun.at, GAMESMASTER)
    lines = "GAME g\nPERIOD 1\nREPLACE A nobody\nREPLACE X new@else.example\nEXTEND 99999999 long"
    begun.at.post(begun.at.letter(GAMESMASTER, lines, To=token))
    begun("once")
    said = " ".join(begun.at.newest(GAMESMASTER).split())
    assert "99999999 days are more than a year" in said and "CONFIRM" not in said
    assert (
        "'nobody' is no mail address" in said
        and "there is no seat 'X' in g; the seats are A, B" in said
    )


def test_spans_of_more_than_a_year(begun: Shell) -> None:
    assert "`pbem hold g`" in begun.fails("extend", "g", "99999999", *WHY)
    assert "more than a year" in begun.fails("pause", "g", "2026-12-01", "9999-12-31", *WHY)
    assert "more than a year" in begun.fails("pause", "g", "2026-12-24", "2062-12-27", *WHY)


def test_seats_that_are_not_there(begun: Shell) -> None:
    for words in (
        ("rotate", "g", "Q"),
        ("order", "g", "Q"),
        ("replace", "g", "Q", "new@else.example", *WHY),
    ):
        assert "there is no seat 'Q' in g; the seats are A, B, C, D, E" in begun.fails(*words)


def test_files_that_cannot_be_had(begun: Shell, tmp_path: Path) -> None:
    gone = str(tmp_path / "gone.txt")
    assert begun.fails("order", "g", "A", gone) == f"pbem: {gone}: No such file or directory\n"
    (tmp_path / "file").touch()
    assert "pbem: " in begun.fails("export", "g", str(tmp_path / "file" / "x"))
    odd = tmp_path / "odd.txt"
    odd.write_bytes(b"SPECIAL AGR # caf\xe9\n")
    assert "SPECIAL AGR" in begun("order", "g", "A", str(odd))


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("hour=25:99", "is not an hour of the day"),
        ("huor=20:00", "there is no house rule huor; there are lengths, reminders"),
        ("max_late=-1", "cannot be negative"),
        ("idle_after=x", "idle_after=x is not of the kind of rules/house.toml"),
    ],
)
def test_house_rules_that_are_none(shell: Shell, rule: str, said: str) -> None:
    players = [word for seat in SEATS for word in ("--player", f"{seat}={address(seat)}")]
    assert said in shell.fails("new", "coalition", "g", *players, "--house", rule)


def test_players_that_do_not_fit(shell: Shell) -> None:
    one = ("--player", "a@x.example")
    assert "coalition is played by 5 to 15 players on seats such as A, B" in shell.fails(
        "new", "coalition", "g", *one
    )
    assert "is played by 5 players" in shell.fails("new", "parlement-1966", "g", *one)
    twice = [word for seat in "AABCD" for word in ("--player", f"{seat}={address(seat)}")]
    assert "A is given to two players" in shell.fails("new", "coalition", "g", *twice)


def test_a_ruling_without_a_word(begun: Shell) -> None:
    assert "a ruling without a word" in begun.fails("rule", "g", " ")


def test_the_queue_shows_brackets_as_they_are(begun: Shell) -> None:
    begun("hold", "g", "--why", "see [/b] and [x]")
    assert "see [/b] and [x]" in begun("queue")


def test_a_player_of_two_seats_is_told_apart_by_his_secret_address(shell: Shell) -> None:
    seats = {"A": "A", "B": "A", "C": "C", "D": "D", "E": "E"}
    shell(
        "new",
        "coalition",
        "g",
        *(w for s, who in seats.items() for w in ("--player", f"{s}={address(who)}")),
        "--anyway",
    )
    shell("start", "g")
    shell("once")
    by_seat = {
        str(mail["Subject"])[-1]: str(mail["Reply-To"])
        for mail in shell.at.mails("A")
        if "you are" in mail["Subject"]
    }
    shell.at.write("A", "GAME g\nSPECIAL AGR")
    shell("once")
    assert "You hold A, B in g: which is this for?" in " ".join(shell.at.newest("A").split())
    shell.at.write("A", "SPECIAL AGR", To=by_seat["A"])
    shell.at.write("A", "SPECIAL JUS", To=by_seat["B"])
    shell("once")
    assert (shell.at.standing("A"), shell.at.standing("B")) == (["SPECIAL AGR"], ["SPECIAL JUS"])
