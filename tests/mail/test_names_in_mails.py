"""The law of names, over every mail of a bots' game of each rule-set: a person is called by name.

A bare number of a seat stands only in orders, in brackets and in a table's column of its own; a
party has its player's name where a mail first mentions it; no sentence becomes odd by that.
"""

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from bench.words import PLAYERS
from pbem.errors import Doubtful
from pbem.games import GAMES
from pbem.house import shelf
from pbem.orders.asking import asked
from pbem.orders.called import is_number
from pbem.orders.mailwords import WORDS
from pbem.orders.naming import NotAName
from pbem.periods import claims, opening, persons, replay
from pbem.referee.acts import seat_acts
from pbem.store.engine.database import exclusive_transaction, reading
from pbem.store.joining import open_tables
from pbem.store.people import players
from pbem.store.schema.tables import Player
from tests.installation import Installation, desk, surely, text_of, told
from tests.letter.letters import table, written
from tests.mail.test_open_tables import ANN, BEN, DAN, EVE, FAY, Club, club
from tests.mails import of_bots

NUMBERED = ("legislation", "politics-1935")
PARTIES = ("coalition", "parlement-1966", "parlement-1968", "party-in-power")
PUBLIC = ("bulletin", "end")
_ORDER = re.compile(
    r"^ *(?:#\d+ |\[[+-]\] |> |\| )|\b[A-Z]{2,}(?: P\d+\b,?)+(?: [A-Z]+)?|[Yy]ou are P\d+"
)
_BRACKETS = re.compile(r"\([^()]*\)")
_SEAT = re.compile(r"\bP\d+\b")
_ONE = f"(?:{'|'.join(PLAYERS)})"
ODD = {
    "a name twice": re.compile(rf"\b({_ONE}),? \(\1\b"),
    "two names": re.compile(rf"\({_ONE}\) \({_ONE}"),
    "owned twice": re.compile(rf"\b{_ONE}'s?'s|\({_ONE}\)'"),
    "many for one": re.compile(rf"(?<!and )(?<!, ){_ONE}(?: \(\w+\))? (?:have|are|were|do)\b"),
    "one for many": re.compile(rf"{_ONE},? and {_ONE} (?:has|is|was|does|leads|wins)\b"),
    "he or she": re.compile(r"\b(?:he|him|his|himself|she|her)\b", re.IGNORECASE),
    "a bar": re.compile(r"\w \| \w"),
    "a line numbered as paragraphs are": re.compile(r"^ *\[\d+\] "),
    "in an order": re.compile(rf"\b(?:TO|FOR|AGAINST|AFTER|NAMES) \w+ \({_ONE}"),
}


def sentences(text: str) -> Iterator[str]:
    """Yield the paragraphs of a mail, and each cell of its tables by itself."""
    for paragraph in text.split("\n\n"):
        lines: list[str] = []
        for line in paragraph.split("\n"):
            if line.startswith("  ") and re.search(r"\S {2,}\S", line.strip()):
                yield from re.split(r" {2,}", line.strip())
            elif line.startswith("* ") or _ORDER.match(line):
                yield " ".join(lines)
                lines = [line]
            else:
                lines.append(line.strip())
        yield " ".join(lines)


def bare(sentence: str) -> bool:
    """Return whether a sentence calls somebody by a number."""
    if _SEAT.fullmatch(sentence) or _ORDER.match(sentence):
        return False
    return bool(_SEAT.search(_BRACKETS.sub("", _ORDER.sub("", sentence))))


@pytest.mark.slow
@pytest.mark.parametrize("game", NUMBERED)
def test_nobody_is_called_by_a_number(game: str) -> None:
    found = {
        f"{one.kind}: {said}"
        for one in of_bots(game)
        for said in [str(one.mail["Subject"]), *sentences(text_of(one.mail))]
        if bare(said)
    }
    assert not found, "\n".join(sorted(found)[:20])


@pytest.mark.slow
@pytest.mark.parametrize("game", PARTIES)
def test_a_party_has_its_players_name_at_its_first_mention(game: str) -> None:
    seats = dict(zip(shelf.open_ruleset(game).about.seats[0], PLAYERS, strict=False))
    assert not any(map(is_number, seats))
    found, told = set(), set()
    for one in of_bots(game):
        text = " ".join(prose(text_of(one.mail)))
        for seat, name in seats.items():
            named = text.count(f"({name})") + text.count(f"({name}, ")
            first = mention(text, seat)
            if one.kind in PUBLIC and first:
                told.add(seat)
                if not 0 <= text.find(name) <= first.end() + 2:
                    found.add(f"{one.kind} {one.mail['Subject']}: {seat} without {name}")
            if named > 1 and one.kind != "end":
                found.add(f"{one.kind} {one.mail['Subject']}: {name} {named} times")
    assert told and not found, "\n".join(sorted(found)[:20])


def prose(text: str) -> Iterator[str]:
    """Yield the lines of sentences."""
    for line in text.split("\n"):
        if not line.startswith(" ") and line != line.upper():
            yield line


def mention(text: str, seat: str) -> re.Match[str] | None:
    """Return where a text first tells of a party: "L won", "the Liberals (L)"."""
    does = rf"(?<![\w'(-]){seat}\b(?= (?:and|won|got|leads|has|took|had)\b| \()"
    return re.search(rf"{does}|(?:\(|, ){seat}\)", text)


@pytest.mark.slow
def test_names_make_no_odd_sentence(key: str) -> None:
    found = {
        f"{what}: {said}"
        for one in of_bots(key)
        for said in sentences(text_of(one.mail))
        for what, odd in ODD.items()
        if odd.search(said)
    }
    assert not found, "\n".join(sorted(found)[:20])


@pytest.mark.parametrize("game", PARTIES)
def test_hidden_names_stand_behind_no_party(game: str, tmp_path: Path) -> None:
    with Installation(tmp_path, game, house={"names": "hidden"}, names=PLAYERS) as at:
        at.start()
        if at.table().period.due:
            at.to_deadline()
        for seat, own in zip(at.seats, at.names, strict=False):
            others = {name for name in PLAYERS if name != own}
            said = [text_of(mail) for mail in at.mails(seat)]
            assert said and others.isdisjoint(re.findall(r"\w+", " ".join(said)))


SEATS = ("P1", "P2", "P3")


@pytest.mark.game("legislation", seats=SEATS)
def test_mails_and_orders_have_the_name(at: Installation) -> None:
    assert "You are P2 in Legislation" in told(at, "P2")
    at.send("P2", "GIVE 2 TO Player P3\nBILL NONE")
    assert "GIVE 2 TO P3" in at.standing("P2")
    at.send("P2", "CANCEL GIVE Player P3\nGIVE 1 TO Player P1\nGIVE 1 TO Nobody")
    assert "GIVE 1 TO P1" in at.standing("P2") and "GIVE 2 TO P3" not in at.standing("P2")
    assert "living:" in told(at, "P2") and "Player P1" in told(at, "P2")
    at.to_deadline()
    said = " ".join(
        part.get_content()
        for one in at.mails("P3")
        for part in one.walk()
        if not part.is_multipart() and part.get_content_type() == "text/plain"
    )
    assert "Player P2 gives 1 token to Player P1." in " ".join(said.split())


@pytest.mark.parametrize("game", ["legislation", "politics-1935"])
def test_hidden_names_stay_hidden(tmp_path: Path, game: str) -> None:
    with Installation(tmp_path, game, seats=SEATS, house={"names": "hidden"}) as at:
        at.start()
        order = {"legislation": "GIVE 2 TO Player P3", "politics-1935": "STANDING P1"}[game]
        at.send("P2", order)
        assert at.standing("P2") == []
        at.to_deadline()
        for seat in ("P1", "P3"):  # the letter of P2 has a name, and its receipt quotes it
            others = [f"Player {one}" for one in SEATS if one != seat]
            for mail in at.mails(seat):
                assert not [one for one in others if one in mail.as_string()], mail["Subject"]


@pytest.mark.game("politics-1935", seats=SEATS)
def test_why_and_agree_take_the_name(at: Installation) -> None:
    at.send("P1", "WHY Player P2")
    assert "Nothing here is called" not in told(at, "P1")
    surely(at, "P1", "AGREE DRAW Player P1, Player P2")
    at.once()
    assert "Your secret ballot for the end of the game is" in told(at, "P1")


def test_a_name_that_two_share_or_a_former_player_had_is_asked_about(tmp_path: Path) -> None:
    names = ("Anna Able", "Boris Bear", "Anna Cole", "Quentin Ash", "Mia Moor")
    with Installation(
        tmp_path, "parlement-1966", names=names, strangers=("new@else.example",)
    ) as at:
        at.start()
        at.to_deadline()
        at.act(seat_acts.replace, "g", "R", "new@else.example", "Nora", "moved away")
        at.send("C", "PAY 500 TO Anna\nPAY 300 TO Boris\nPAY 200 TO Mia\nPAY 100 TO Anna Cole")
        assert at.standing("C") == ["PAY 200 TO M", "PAY 100 TO L"]
        assert '"Anna" may mean PAY 500 TO L or PAY 500 TO S.' in at.newest("C")
        assert "did you mean PAY 300 TO R?" in at.newest("C")
        at.send("C", "PAY 50 TO Nora")
        assert "PAY 50 TO R" in at.standing("C")


COALITION = ("R", "the Liberals", "END PRESS", "CONFIRM abc")
"""What a Coalition table let through."""


@pytest.mark.parametrize("row", table(Path(__file__).with_name("names_of_games.tsv")))
def test_what_could_be_taken_for_something_of_a_game(row: dict[str, str]) -> None:
    name, why = written(row["name"]), written(row["why"])
    assert why in persons.taken_for(name)
    with pytest.raises(NotAName):
        persons.checked(name)


@pytest.mark.parametrize("game", GAMES)
def test_every_seat_and_order_of_every_game(game: str) -> None:
    ruleset = shelf.open_ruleset(game)
    seats = {seat for seated in ruleset.about.seats for seat in seated}
    for word in seats | ruleset.language.words:
        for spelt in (word, word.lower(), f" {word.capitalize()}."):
            with pytest.raises(NotAName):
                persons.checked(spelt)


def test_every_word_for_the_referee() -> None:
    for word in WORDS:
        for spelt in (word, word.capitalize(), f"{word} abc"):
            with pytest.raises(NotAName):
                persons.checked(spelt)


@pytest.mark.parametrize(
    "name",
    ["Anna", "Bill Smith", "Natalie", "Kitty", "Conrad", "Stopping Sue", "Z", "王小明", "Юлия"],
)
def test_other_names_are_names(name: str) -> None:
    assert persons.checked(name) == name


def test_at_a_coalition_table(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        at.open(places=5)
        for name in COALITION:
            told = at.say(BEN, f"SIGNON autumn AS {name}")
            assert f"You cannot be called that: {name} " in told
            assert "as in the line SIGNON autumn AS Sophie." in told.replace("\u00a0", " ")
            at.clock += timedelta(hours=1)
        assert BEN not in at.people()
        assert "To take your seat" in at.say(BEN, "SIGNON autumn AS Bill Smith")


def test_an_old_name_is_looked_at_when_it_comes_to_another_game(tmp_path: Path) -> None:
    """He says another, which is his in all games; whose name is a good one keeps it."""
    with club(tmp_path) as at:
        with exclusive_transaction(at.daemon.engine) as conn:
            ids = [players.player(conn, who, "R", at.clock) for who in (ANN, BEN)]
            players.player(conn, DAN, "dan.of.old", at.clock)
        at.open(places=5)
        told = at.say(ANN, "SIGNON autumn")
        assert "You are called R, but you cannot bring that name to this table: R is a seat" in told
        assert "Choose another, as in the line SIGNON autumn AS Sophie." in told.replace(
            "\u00a0", " "
        )
        assert ANN not in at.people()
        assert "To take your seat" in at.say(ANN, "SIGNON autumn AS Ann Arbor")
        assert "Ann Arbor, you have a seat" in at.confirm(ANN)
        at.say(DAN, "SIGNON autumn AS Daniel")
        assert "dan.of.old, you have a seat" in at.confirm(DAN)
        assert "Ann Arbor is taken already" in at.say(BEN, "SIGNON autumn AS Ann Arbor")
        with exclusive_transaction(at.daemon.engine) as conn:
            assert [players.name(conn, one) for one in ids] == ["Ann Arbor", "R"]


def test_the_gamesmaster_is_asked_whether_he_means_it(tmp_path: Path) -> None:
    """He is told which name is wrong; a mailbox that is called like a seat gives no name."""
    with club(tmp_path) as at:
        given = [("", f"{seat.lower()}@else.example", "") for seat in "ABCD"]
        plan = opening.Plan("late", "coalition", [*given, ("", EVE, "END PRESS")], "UTC")
        with pytest.raises(Doubtful, match="no player can be called END PRESS"), desk(at) as work:
            opening.new(work, plan)
        plan = opening.Plan("late", "coalition", [*given, ("", EVE, "Eve")], "UTC")
        with desk(at) as work:
            opening.new(work, plan)
            said = sorted(Player.values(work.conn, Player.name))
        assert said == ["Eve", *(f"Newcomer {number}" for number in range(1, 5))]
        with pytest.raises(Doubtful, match="called Hold: Hold is a word"), desk(at) as work:
            claims.enlist(work, "late", ANN, "Hold")
        with pytest.raises(Doubtful, match="called P1: P1 is a seat in Legisl"), desk(at) as work:
            seat_acts.replace(work, "late", "A", ANN, "P1", "moved")
        with desk(at) as work:
            claims.enlist(work, "late", ANN, "Hold", anyway=True)
            seat_acts.replace(work, "late", "A", ANN, "Ann", "moved")  # names her better
            names = Player.values(work.conn, Player.name)
            assert "Ann" in names and "Hold" not in names


NAMES = ("Anna Able", "Bo", "Clara", "Dora", "Eve")
HOUSE = {"shown": {}, "hidden": {"names": "hidden"}}


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("NAME Nora", "Nora"),
        ("NAME: Nora Bell, please", "Nora Bell"),
        ("My name is Nora.", "IS Nora"),
        ("please call me Nora, thanks!", "IS Nora"),
        ("Name: Nora Bell", ""),
        ("Name your price", ""),
        ('NAME "The Reds"', ""),
        ("My name is Nora. How long does it last?", ""),
        ("Call me when you can", ""),
    ],
)
def test_a_name_is_no_sentence(line: str, name: str) -> None:
    found = asked(line)
    assert (found[1] if found and found[0] == "NAME" else "") == name


@pytest.mark.parametrize("house", HOUSE)
def test_a_name_changes_once_in_a_game_and_old_bulletins_stay(tmp_path: Path, house: str) -> None:
    with Installation(tmp_path, "parlement-1966", names=NAMES, house=HOUSE[house]) as at:
        at.start()
        at.to_deadline()
        at.send("S", "My name is Nora.")
        assert "From now on you are called Nora" in at.newest("S")
        at.send("S", "NAME Ophelia")
        assert "NAME was not taken: you have changed your name in g already" in at.newest("S")
        at.to_deadline()
        told = [text_of(mail) for mail in at.mails("R")]
        said = [one for one in told if "Anna Able is called Nora from now on" in one]
        assert len(said) == (house == "shown")
        assert house == "shown" or not any("Nora" in one for one in told)
        with reading(at.daemon.engine) as conn:
            assert replay.replay(conn, "g").faults == []


@pytest.mark.game("coalition", names=NAMES)
def test_a_name_that_is_taken_or_of_the_party_changes_nothing(at: Installation) -> None:
    at.send("A", "Call me Bo")
    assert "NAME was not taken: Bo is taken already" in at.newest("A")
    at.send("A", "NAME Red Alliance; Forward")
    assert at.standing("A") == ['NAME "Red Alliance; Forward"']


def test_before_the_game_a_code_proves_whose_name_it_is(tmp_path: Path) -> None:
    with Club(tmp_path) as at:
        at.open(places=5)
        at.send(FAY, "SIGNON autumn AS Fay Mary van Dyke")
        at.send(FAY, "Yes, please!", To=str(at.mails(FAY)[-1]["Reply-To"]))
        assert 'You are called "Fay Mary van Dyke" here' in at.newest(FAY)
        at.send(FAY, "NAME Faye")
        assert "You would like to be called Faye" in at.newest(FAY)
        at.send(FAY, "yes", To=str(at.mails(FAY)[-1]["Reply-To"]))
        assert "From now on you are called Faye." in at.newest(FAY)
        with reading(at.daemon.engine) as conn:
            assert [one.name for one in open_tables.applicants(conn, "autumn")] == ["Faye"]


def test_who_signs_is_called_so(tmp_path: Path) -> None:
    with Club(tmp_path) as at:
        at.open(places=5)
        at.send(FAY, "SIGNON autumn\n\nThanks,\nNora")
        assert "Nora" in str(at.mails(FAY)[-1]["Subject"])
