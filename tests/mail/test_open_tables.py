"""Open tables: who signs on gets a code, then a place; a full table calls its players, and begins; letters that
are not whose they seem, and names that could be another's, change nothing."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.periods import open_tables as tables
from pbem.periods import opening
from pbem.periods.persons import change_address
from pbem.post import masters
from pbem.store.engine.database import exclusive_transaction
from pbem.store.joining import open_tables
from pbem.store.people import player_records, players
from pbem.store.schema.states import ApplicantState, RecordKind, TableState
from pbem.store.schema.tables import OpenTable
from tests.installation import GAMESMASTER, Installation, desk, text_of
from tests.shell import Shell

ANN, BEN, CLEO, DAN, EVE, FAY, GUS = (
    f"{name}@{name}.example" for name in ("ann", "ben", "cleo", "dan", "eve", "fay", "gus")
)
FIVE = (ANN, BEN, CLEO, DAN, EVE)
FORGER, BEN_TWIN = "forger@else.example", "ben+two@ben.example"
ID = "autumn"


class Club(Installation):
    """An installation with one open table and nobody in it."""

    def __init__(self, folder: Path, key: str = "coalition", **more: Any) -> None:
        super().__init__(folder, key, strangers=(*FIVE, FAY, GUS, FORGER, BEN_TWIN), **more)
        self.game = ID
        self.places = 0

    def open(self, places: int = 3, **more: Any) -> tuple[str, ...]:
        plan: dict[str, Any] = {"trust": self.trust, "seed": self.seed, "house": self.house}
        plan |= more.pop("plan", {})
        self.places = places
        wanted = tables.Wanted(
            opening.Plan(ID, self.key, (), "Europe/Paris", **plan), places, **more
        )
        with desk(self) as work:
            return tables.open_(work, wanted)

    def say(self, sender: str, text: str, **headers: str) -> str:
        """A letter, an answer to the newest mail if any, and what its writer reads next, on one
        line."""
        if last := self.mails(sender)[-1:]:
            headers.setdefault("In_Reply_To", str(last[0]["Message-ID"]))
        self.write(sender, text, **headers)
        self.once()
        return " ".join(self.newest(sender).split()) if self.mails(sender) else ""

    def code(self, who: str) -> str:
        found = [re.findall(r"(?m)^ +CONFIRM (\S+)", text_of(one)) for one in self.mails(who)]
        return str(next(codes[0] for codes in reversed(found) if codes))

    def confirm(self, who: str, code: str = "", sender: str = "") -> str:
        return self.say(sender or who, f"CONFIRM {code or self.code(who)}")

    def join(self, *people: str) -> None:
        """They sign on. Whoever fills the table does so days after the others, who are called."""
        for who in people:
            there = [one for one in self.people().values() if one != ApplicantState.ASKED]
            if len(there) == self.places - 1:
                self.clock += timedelta(days=4)
            name = who.partition("@")[0].replace("+", " ").capitalize()
            self.say(who, f"SIGNON {ID} AS {name}")
            self.confirm(who)

    def state(self) -> TableState:
        with exclusive_transaction(self.daemon.engine) as conn:
            found = OpenTable.one(conn, id=ID)
        assert found
        return found.state

    def people(self) -> dict[str, ApplicantState]:
        with exclusive_transaction(self.daemon.engine) as conn:
            return {one.address: one.state for one in open_tables.applicants(conn, ID)}

    def seated(self) -> dict[str, str]:
        return {seat: holder.address for seat, holder in self.table().holders.items()}


@contextmanager
def club(folder: Path, **more: Any) -> Iterator[Club]:
    with Club(folder, **more) as at:
        yield at


def test_a_table_fills_calls_and_begins(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        at.open(places=5)
        assert "To take your seat" in at.say(ANN, "SIGNON autumn AS Ann")
        assert at.people() == {ANN: ApplicantState.ASKED}
        assert "Ann, you have a seat in autumn" in at.confirm(ANN)
        at.join(*FIVE[1:])
        assert at.state() == TableState.CALLED
        assert at.people()[EVE] == ApplicantState.SURE, "she has only just said yes"
        assert [at.people()[who] for who in FIVE[:-1]] == [ApplicantState.CALLED] * 4
        for who in FIVE[:3]:
            assert "you play in autumn" in at.confirm(who)
        assert at.state() == TableState.CALLED
        at.confirm(DAN)
        assert at.state() == TableState.BEGUN
        assert sorted(at.seated().values()) == sorted(FIVE)
        assert any("you are" in str(one["Subject"]) for one in at.mails(ANN))


def letter(at: Club, text: str) -> str:
    """The answer to a letter of the gamesmaster's, or to the code that it is answered with."""
    with desk(at) as work:
        masters.enter(work.conn, work.mark, GAMESMASTER)
        to = work.mark.plus(masters.token(work.conn, work.mark, GAMESMASTER))
    at.say(GAMESMASTER, text, To=to)
    if found := re.search(r"CONFIRM (\S+)", at.newest(GAMESMASTER)):
        at.say(GAMESMASTER, f"CONFIRM {found[1]}", To=to)
    return " ".join(at.newest(GAMESMASTER).split())


def test_the_shell_and_a_mail_open_a_table_alike(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        shell = Shell(at, tmp_path / "config.toml")
        assert "The table autumn is open for 5 players" in shell(
            "open", "coalition", ID, "--players", "5", "--start", "2030-01-02", "--seed", "7"
        )
        said = letter(at, "OPEN coalition winter PLAYERS 5\nSTART 2030-01-02\n--seed=7")
        assert "The table winter is open for 5 players" in said
        with exclusive_transaction(at.daemon.engine) as conn:
            first, second = open_tables.listed(conn)
        of_second = {"id": second.id, "opened": second.opened, "next_look": second.next_look}
        drawn = first._replace(**of_second)
        assert drawn == second and first.starts == first.closes


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("--players 4", "is played by 5 to 15 players"),
        ("", "say --players N"),
        ("--players 5 --house hour=x", "hour"),
        (f"--players 5 --house hour={'9' * 4_301}", "hour"),
        ("--players 5 --option NONE=1", "NONE"),
        ("--players 5 --start 2020-01-01", "would close at once"),
        ("--players 5 --approve perhaps", "write yes or no"),
        ("--players 5 --names none", "none of shown, hidden"),
        ("--players 5 --reliability 101", "percentage"),
        ("--players 5 --start soon", "is no day"),
    ],
)
def test_what_is_wrong_is_said_when_it_is_opened(tmp_path: Path, words: str, why: str) -> None:
    with club(tmp_path) as at:
        shell = Shell(at, tmp_path / "config.toml")
        assert why in shell.fails("open", "coalition", ID, *words.split())


def pass_on(at: Club, **by: float) -> None:
    """So much time goes by, and there is a pass."""
    at.clock += timedelta(**by)
    at.once()


def subjects(at: Club, who: str) -> list[str]:
    return [str(one["Subject"]) for one in at.mails(who)]


def sure(at: Club, *people: str) -> None:
    for who in people:
        at.confirm(who)


def test_a_full_table_has_a_waiting_list_in_the_order_of_joining(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        at.open(places=5)
        at.say(FAY, "SIGNON autumn AS Fay")  # her letter is the first, her answer the last but one
        at.join(*FIVE)
        assert "number 1 on its waiting list" in at.confirm(FAY)
        at.join(GUS)
        assert "number 2 on its waiting list" in " ".join(at.newest(GUS).split())
        assert [at.people()[who] for who in (FAY, GUS)] == [ApplicantState.SIGNED] * 2
        sure(at, *FIVE)
        assert at.state() == TableState.BEGUN and FAY not in at.seated().values()
        assert "[autumn] The game has begun without you" in subjects(at, GUS)
        with exclusive_transaction(at.daemon.engine) as conn:
            assert [one.mail for one in open_tables.waiting_list(conn, ID)] == [FAY, GUS]
        at.say(FAY, "SIGNOFF autumn")
        assert "You have left autumn" in at.confirm(FAY)
        with exclusive_transaction(at.daemon.engine) as conn:
            assert [one.mail for one in open_tables.waiting_list(conn, ID)] == [GUS]


def test_who_does_not_answer_gives_his_place_to_the_waiting_list(tmp_path: Path) -> None:
    """Who is called in his turn has days of his own."""
    with club(tmp_path) as at:
        at.open(places=5)
        at.join(*FIVE, FAY, GUS)
        sure(at, *FIVE[:3])
        pass_on(at, days=2, hours=23)
        assert at.people()[DAN] == ApplicantState.CALLED
        pass_on(at, hours=2)
        assert DAN not in at.people() and "Your place is free" in subjects(at, DAN)[-1]
        assert at.people()[FAY] == ApplicantState.CALLED
        assert at.people()[GUS] == ApplicantState.SIGNED
        assert "You have answered too late" in at.confirm(DAN)
        pass_on(at, days=2, hours=23)
        at.confirm(FAY)
        assert "[autumn] You play" in subjects(at, FAY)
        assert at.state() == TableState.BEGUN
        assert sorted(at.seated().values()) == sorted((*FIVE[:3], EVE, FAY))


def test_a_table_that_is_not_full_any_more_takes_others(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        at.open(places=5)
        at.join(*FIVE)
        sure(at, *FIVE[:3])
        pass_on(at, days=3, hours=1)
        assert at.state() == TableState.JOINING
        assert list(at.people().values()) == [ApplicantState.SURE] * 4
        at.say(DAN, "SIGNON autumn AS Dan")
        at.confirm(DAN)
        assert at.state() == TableState.BEGUN, "who has just signed on is not called"


def test_a_table_that_does_not_fill_closes_with_a_word_to_all(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        at.open(places=5, closes="2026-03-10")
        at.join(ANN, BEN)
        at.say(CLEO, "SIGNON autumn AS Cleo")
        pass_on(at, days=8)
        assert at.state() == TableState.JOINING
        pass_on(at, days=1)
        assert at.state() == TableState.CLOSED
        for who in (ANN, BEN):
            assert subjects(at, who)[-1] == "[autumn] The table is closed"
        assert len(at.mails(CLEO)) == 1, "nothing was promised to an address that did not answer"
        assert "is closed" in at.say(DAN, "SIGNON autumn AS Dan")
        assert "[pbem] the table autumn is closed" in subjects(at, GAMESMASTER)
        at.open(places=5)
        assert at.people() == {} and at.state() == TableState.JOINING


def test_a_table_begins_on_its_day(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        at.open(places=5, start="2026-03-20")
        at.join(*FIVE)
        sure(at, *FIVE[:4])
        assert at.state() == TableState.CALLED
        assert "begins on Friday 20 March 2026" in " ".join(at.newest(DAN).split())
        pass_on(at, days=13)
        assert at.state() == TableState.CALLED
        pass_on(at, days=2)
        assert at.state() == TableState.BEGUN


def test_leaving_before_the_start_needs_a_code(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        at.open(places=5)
        at.join(*FIVE, FAY)
        at.confirm(ANN)
        assert "Nothing has happened yet" in at.say(ANN, "SIGNOFF autumn")
        assert at.people()[ANN] == ApplicantState.SURE
        at.confirm(ANN)
        assert ANN not in at.people() and at.people()[FAY] == ApplicantState.SURE
        assert "nothing to leave" in at.say(ANN, "SIGNOFF autumn")
        sure(at, *FIVE[1:4])
        assert at.state() == TableState.BEGUN
        assert ANN not in at.seated().values()


def test_the_gamesmaster_approves_or_not(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        at.open(places=5, approve=True)
        at.join(*FIVE, FAY)
        assert "Its gamesmaster decides on everybody" in " ".join(at.newest(ANN).split())
        assert at.state() == TableState.JOINING
        told = " ".join(at.newest(GAMESMASTER).split())
        assert "Fay <fay@fay.example> would like to play in autumn" in told
        numbers = {}
        for line in letter(at, "TABLE autumn").split("#"):
            if found := re.match(r"(\d+) .*<(\S+)>", line):
                numbers[found[2]] = found[1]
        assert "ADMIT autumn" in at.newest(GAMESMASTER)
        assert "autumn: Fay would like to play" in letter(at, "QUEUE")
        for who in (FAY, *FIVE[:4]):
            assert "You have taken" in letter(at, f"ADMIT autumn {numbers[who]}")
        assert subjects(at, ANN)[-1] == "[autumn] All players are there: are you?"
        came = subjects(at, FAY)
        assert [one for one in came if "seat" in one] == ["[autumn] You have a seat"]
        assert not [one for one in came if "are you?" in one], "who just signed on is not called"
        assert "You have not taken" in letter(at, f"ADMIT autumn {numbers[EVE]} NONE too young")
        assert "has not taken you for this game: too young." in " ".join(at.newest(EVE).split())
        sure(at, *FIVE[:4])
        assert at.state() == TableState.BEGUN and FAY in at.seated().values()


def test_closing_by_hand_and_what_takes_its_id(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        shell = Shell(at, tmp_path / "config.toml")
        at.open(places=5)
        at.join(ANN)
        players = [word for who in FIVE for word in ("--player", who)]
        assert "is an open table" in shell.fails("new", "coalition", ID, *players)
        assert "is an open table" in shell.fails("open", "coalition", ID, "--players", "5")
        assert "1 player is told" in shell("close-table", ID, "--why", "no time")
        at.once()
        assert "is closed: no time." in " ".join(at.newest(ANN).split())
        at.open(places=5)
        assert "0 players are told" in shell("forget", ID) and at.state() == TableState.CLOSED
        assert "is made" in shell("new", "coalition", ID, *players)
        assert "there is a game" in shell.fails("open", "coalition", ID, "--players", "5")


def test_whoever_comes_when_the_game_has_begun_waits_for_a_seat(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        at.open(places=5)
        at.say(FAY, "SIGNON autumn AS Fay")
        at.join(*FIVE)
        sure(at, *FIVE)
        assert "you stay on its waiting list, as number 1" in at.confirm(FAY).lower()
        assert "To get on its waiting list" in at.say(GUS, "SIGNON autumn AS Gus")
        assert "as number 2" in at.confirm(GUS)
        assert "You play in autumn already" in at.say(ANN, "SIGNON autumn")
        with exclusive_transaction(at.daemon.engine) as conn:
            assert [one.mail for one in open_tables.waiting_list(conn, ID)] == [FAY, GUS]
        with desk(at) as work:
            opening.end(work, ID, "enough")
            assert open_tables.waiting_list(work.conn, ID) == []
        assert "has begun, and nobody can sign on" in at.say(FORGER, "SIGNON autumn AS Otto")


def test_at_an_evenings_pace_the_span_is_short(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        at.open(places=5, plan={"pace": "evening"})
        at.join(*FIVE)
        assert "has 10 minutes to answer" in " ".join(text_of(at.mails(ANN)[1]).split())
        pass_on(at, minutes=11)
        assert at.people() == {EVE: ApplicantState.SURE}, "nobody else was there"
        assert at.state() == TableState.JOINING


def test_reliability_is_looked_up(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        at.open(places=5, reliability=90)
        old = opening.Plan(
            "old", "coalition", [("", who, "") for who in FIVE[1:]] + [("", FAY, "")], "UTC"
        )
        with desk(at) as work:
            opening.new(work, old)
            player = players.player(work.conn, BEN, "", at.clock)
        with exclusive_transaction(at.daemon.engine) as conn:
            for period, kind in enumerate(["finished", "made", "made", "made", "missed"]):
                player_records.add(conn, "old", period, "A", player, RecordKind(kind))
        told = at.say(BEN, "SIGNON autumn")
        assert "who make 90 of 100 moves that are due; you have made 75 of 100." in told
        with exclusive_transaction(at.daemon.engine) as conn:
            for period in range(5, 30):
                player_records.add(conn, "old", period, "A", player, RecordKind.MADE)
        assert "To take your seat" in at.say(BEN, "SIGNON autumn")
        assert "ben, you have a seat" in at.confirm(BEN)
        assert at.people() == {BEN: ApplicantState.SIGNED}


def test_seats_go_by_lot_or_as_players_wish(tmp_path: Path) -> None:
    with club(tmp_path, key="parlement-1966") as at:
        at.open(places=5)
        assert "go by lot" in at.say(ANN, "SIGNON autumn AS Ann\nPREFER L, S")
        assert "by lot" in at.say(ANN, "SIGNON autumn AS Ann\nSEAT L")
        at.join(*FIVE)
        sure(at, *FIVE)
        drawn = at.seated()
        assert list(drawn.values()) == list(FIVE), "in joining order"
    (tmp_path / "choice").mkdir()
    with club(tmp_path / "choice", key="parlement-1966") as at:
        at.open(places=5, choice=True)
        assert "has no such seat; its seats are" in at.say(ANN, "SIGNON autumn AS Ann\nPREFER X")
        for who, wish in zip(
            FIVE[:3], ("PREFER L, S", "SEAT L\nPREFER M", "PREFER l"), strict=True
        ):
            at.say(who, f"SIGNON autumn AS {who[:3].capitalize()}\n{wish}")
            at.confirm(who)
        at.join(*FIVE[3:])
        sure(at, *FIVE)
        held = at.seated()
        assert held["L"] == ANN and held["M"] == BEN
        assert sorted(held) == sorted(drawn)


@pytest.mark.parametrize("trust", ["open", "proven"])
def test_a_forger_seats_nobody_and_takes_nobodys_seat(tmp_path: Path, trust: str) -> None:
    with club(tmp_path, trust=trust) as at:
        at.open(places=5)
        at.say(ANN, "SIGNON autumn AS Ann")  # as if she had written it
        stolen = at.code(ANN)
        at.confirm(ANN, stolen, sender=FORGER)
        assert at.people() == {ANN: ApplicantState.ASKED}, "a code works from its own address only"
        at.confirm(FORGER, "a" * 16)
        at.confirm(ANN, stolen)
        at.join(*FIVE[1:])
        calls = {who: at.code(who) for who in FIVE}
        for who in FIVE:
            at.confirm(who, calls[who], sender=FORGER)
        assert [at.people()[who] for who in FIVE[:4]] == [ApplicantState.CALLED] * 4
        sure(at, *FIVE[:3])
        at.say(ANN, "SIGNOFF autumn")
        at.confirm(ANN, at.code(ANN), sender=FORGER)
        at.confirm(BEN, at.code(ANN))
        assert at.people()[ANN] == ApplicantState.SURE
        at.confirm(DAN)
        assert sorted(at.seated().values()) == sorted(FIVE)


def test_a_registered_players_proven_letter_needs_no_code(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        with exclusive_transaction(at.daemon.engine) as conn:
            for who in (ANN, BEN):
                players.player(conn, who, who[:3].capitalize(), at.clock)
        at.open(places=5)
        passed = "mx.game.example; dmarc=pass header.from={}"
        told = at.say(
            ANN, "SIGNON autumn AS Someone", Authentication_Results=passed.format("ann.example")
        )
        assert "Ann, you have a seat" in told, "by the name by which all know her"
        assert "To take your seat" in at.say(BEN, "SIGNON autumn")
        cleo = at.say(
            CLEO, "SIGNON autumn AS Cleo", Authentication_Results=passed.format("cleo.example")
        )
        assert "To take your seat" in cleo, "nobody is registered there"
        assert at.people()[ANN] == ApplicantState.SIGNED


def test_one_person_has_one_seat(tmp_path: Path) -> None:
    """From whichever of his addresses he writes; those alike but for a plus sign are told to the
    gamesmaster."""
    with club(tmp_path) as at:
        at.open(places=5)
        at.join(ANN)
        at.act(change_address, ANN, FAY)
        assert "You have signed on already" in at.say(FAY, "SIGNON autumn AS Fay")
        at.send(ANN, "SIGNON autumn AS Ann")
        assert "You have signed on already" in " ".join(at.newest(FAY).split())
        assert list(at.people()) == [ANN]
        at.join(BEN_TWIN, BEN)
        told = letter(at, "TABLE autumn")
        assert "differ only behind the plus sign" in told
        assert "Ben two and Ben came from ben.example within an hour" in told
