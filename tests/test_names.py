"""Who plays which seat, said by one function and told by nobody where names are hidden; and the names that players
may have."""

import re
from pathlib import Path

import pytest

from pbem.orders.naming import NotAName, checked, skeleton
from pbem.periods import opening
from pbem.referee.acts import seat_acts
from tests.installation import SEATS, Installation, address, desk, surely, text_of
from tests.letter.letters import table, written

ROOT = Path(__file__).parents[1]
FOR_THE_GAMESMASTER = {
    "pbem/desk/acts.py",  # only of a game that he may look into
    "pbem/desk/game_pages.py",  # only of a game that he may look into
    "pbem/desk/game.py",  # only of a game that he may look into
    "pbem/desk/asked.py",  # only of a game that he may look into
    "pbem/periods/record.py",  # an alarm: who is silent
    "pbem/periods/claims.py",  # an alarm: whose seat nobody takes
    "pbem/referee/acts/seat_acts.py",  # a refusal in the shell
    "pbem/referee/words/leaving.py",  # an alarm: who asks to be relieved
    "pbem/referee/gamesmaster/queue.py",
    "pbem/referee/gamesmaster/waits.py",
}
"""Where a holder's own name is read otherwise, for somebody who may know it."""
NAMES = ("Zebedee", "Quintina", "Xanthippe", "Wolfhart", "Philomena")


def names_read() -> set[str]:
    found = set[str]()
    for path in [*(ROOT / "pbem").rglob("*.py"), *(ROOT / "templates").rglob("*.j2")]:
        text = path.read_text(encoding="utf-8")
        if re.search(r"holders?(?:\[[^\]]+\])?\.name\b", text):
            found.add(path.relative_to(ROOT).as_posix())
    return found


def test_a_holders_name_is_told_by_one_function() -> None:
    assert names_read() - {"pbem/store/games/games.py"} <= FOR_THE_GAMESMASTER


def seated(at: Installation, names: str) -> None:
    """The game g with our five players, whose names are shown or hidden."""
    players = [(seat, address(seat), name) for seat, name in zip(SEATS, NAMES, strict=True)]
    house = {"names": names}
    with desk(at) as work:
        plan = opening.Plan("g", "coalition", players, "Europe/Paris", house=house, seed="7")
        opening.new(work, plan)
        opening.start(work, "g")
    at.once()


def told(at: Installation) -> dict[str, set[str]]:
    """Which names stand in the mails of each seat, whatever part of them."""
    raws = {seat: b"\n".join(at.office.messages(address(seat))) for seat in SEATS}
    texts = {seat: "\n".join(map(text_of, at.mails(seat))) for seat in SEATS}
    return {
        seat: {name for name in NAMES if name in texts[seat] or name.encode() in raws[seat]}
        for seat in SEATS
    }


def much_happens(at: Installation) -> None:
    """Mails of many kinds: answers, press, reminders, a new player, a bulletin, a player who
    leaves."""
    at.write("A", "STATUS\nORDERS\nHISTORY\nHELP\nPRESS TO ALL: a good morning to all")
    at.write("B", "PRESS TO XANTHIPPE: is it you?\nPRESS TO C: and you?\nSPECIAL AGR")
    at.send("D", "QUIT")
    (code,) = re.findall(r"(?m)^ +CONFIRM (\S+)", "\n".join(map(text_of, at.mails("D"))))
    at.send("D", f"CONFIRM {code}")
    at.act(seat_acts.replace, "g", "E", "new@else.example", "Philomena Two", "moved")
    at.to_deadline()
    at.send("A", "STATUS\nHISTORY")


def ended(at: Installation, by: str) -> None:
    if by == "gamesmaster":
        at.act(opening.end, "g", "enough")
        at.once()
        return
    for seat in SEATS[:-1]:
        surely(at, seat, "AGREE DRAW A, B")
    at.act(seat_acts.replace, "g", "E", address("E"), "", "back")
    at.once()
    surely(at, "E", "AGREE DRAW A, B")
    at.once()


@pytest.mark.parametrize("by", ["gamesmaster", "players"])
def test_hidden_names_are_told_when_the_game_is_over(tmp_path: Path, by: str) -> None:
    with Installation(tmp_path, "coalition", seats=SEATS, strangers=("new@else.example",)) as at:
        seated(at, "hidden")
        much_happens(at)
        assert not any(told(at).values())
        assert "PRESS TO XANTHIPPE" in "\n".join(map(text_of, at.mails("B")))
        ended(at, by)
        assert set(NAMES) <= told(at)["A"]


def test_the_same_mails_show_names_where_they_are_not_hidden(tmp_path: Path) -> None:
    """So the test above looks where names stand."""
    with Installation(tmp_path, "coalition", seats=SEATS, strangers=("new@else.example",)) as at:
        seated(at, "shown")
        much_happens(at)
        assert all(found == set(NAMES) for found in told(at).values())


TAKEN = ("S", "the Socialists", "Sophie", "Ian", "The Referee of Games", "William")
ROWS = table(Path(__file__).with_name("names.tsv"))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["written"])
def test_a_name_is_taken_as_it_is_printed_or_refused(row: dict[str, str]) -> None:
    name, why = written(row["written"]), row["why"]
    if not why:
        assert checked(name, TAKEN) == written(row["name"])
        return
    with pytest.raises(NotAName, match=why):
        checked(name, TAKEN)
    if why.startswith("looks like "):
        others = [one for one in TAKEN if one != why.removeprefix("looks like ")]
        assert checked(name, others)


def test_looks_are_of_letters() -> None:
    assert skeleton("Ann") == skeleton("ann.") == skeleton("  Änn") != skeleton("Anna")
    assert skeleton("Ali") == skeleton("AIi") != skeleton("Alo")
    assert skeleton("...") == ""
