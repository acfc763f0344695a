"""The table of acts: each is done once upon an installation; what it says is journalled and told is
so, in the shell as by mail, and what is wrong is refused."""

import inspect
import re
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import insert, select, update

from pbem.acts.act import Kind, Notified, Who
from pbem.acts.acts import ACTS, BY_MAIL, BY_NAME
from pbem.acts.acts import NEW as NEW_GAME
from pbem.cli import main
from pbem.referee.acts.doing import function, values_of
from pbem.referee.gamesmaster.gamesmaster_words import help_, spoken
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games
from pbem.store.joining import open_tables
from pbem.store.people import players
from pbem.store.schema.states import ApplicantState
from pbem.store.schema.tables import EditorLetter, Inquiry, Letter, Outgoing, Protest, Ruling
from tests.installation import GAMESMASTER, SEATS, Installation, address
from tests.masters import reply_to
from tests.shell import Shell

NEW = "new@else.example"


def noted(at: Installation) -> int:
    """The notes that were ever made for a bulletin of the game."""
    with exclusive_transaction(at.daemon.engine) as conn:
        return len(conn.execute(select(Ruling.id).where(Ruling.game_id == "g")).all())


def mails(at: Installation) -> dict[str, int]:
    return {box: len(at.mails(box)) for box in (*SEATS, NEW)}


def held_letter(shell: Shell, outcome: str = "unverified") -> str:
    """A letter of A's that waits; its number."""
    raw = shell.at.letter("A", "SPECIAL AGR")
    with exclusive_transaction(shell.at.daemon.engine) as conn:
        now = datetime.now(UTC)
        row = conn.execute(
            insert(Letter).values(
                account="a",
                folder="INBOX",
                uidvalidity=1,
                uid=99,
                received=now,
                seen=now,
                raw=raw,
                raw_hash="x",
                outcome=outcome,
                decided=now,
                game_id="g",
                seat="A",
            )
        )
        return str(row.inserted_primary_key[0])


def table_with_a_newcomer(shell: Shell) -> None:
    """An open table t, of whose only applicant, the stranger, the gamesmaster has to approve."""
    shell("open", "coalition", "t", "--players", "5", "--approve", "yes")
    with exclusive_transaction(shell.at.daemon.engine) as conn:
        player = players.player(conn, NEW, "New", datetime.now(UTC))
        values = {"game_id": "t", "address": NEW, "name": "New", "player_id": player}
        more = {"wishes": [], "through": "", "came": datetime.now(UTC), "until": None}
        open_tables.ask(conn, ApplicantState.SIGNED, **values, **more, code_hash="")


def prepared(shell: Shell, name: str) -> list[str]:
    """The words of one act, after what it needs has come about."""
    due = shell.at.table().period.due.date()
    orders = shell.file.parent / "orders.txt"
    orders.write_text("SPECIAL AGR\n")
    if name == "resume":
        shell("hold", "g", "--why", "illness")
    if name == "release":
        with exclusive_transaction(shell.at.daemon.engine) as conn:
            games.set_game(conn, "g", publish="review")
        shell("close", "g")
    if name == "rewind":
        shell("close", "g")
    if name == "settle":
        with exclusive_transaction(shell.at.daemon.engine) as conn:
            Protest.put(conn, Protest("g", "A", 0, "wrong", datetime.now(UTC)))
    if name == "answer":
        with exclusive_transaction(shell.at.daemon.engine) as conn:
            Inquiry.put(conn, Inquiry(1, "g", "A", 1, "Why?", datetime.now(UTC)))
        return ["1", "So it is."]
    if name == "print-letter":
        with exclusive_transaction(shell.at.daemon.engine) as conn:
            player = games.holders(conn, "g")["A"].player_id or 0
            one = EditorLetter(1, "Player A", "Hello.", False, "g", "A", player)
            EditorLetter.put(conn, one)
        return ["1"]
    if name in ("close-table", "admit"):
        table_with_a_newcomer(shell)
    letter = held_letter(shell, "failed" if name == "retry" else "unverified")
    if name == "resend":
        with exclusive_transaction(shell.at.daemon.engine) as conn:
            first = conn.execute(select(Outgoing.id).where(Outgoing.seat == "A")).scalars().first()
            conn.execute(update(Outgoing).where(Outgoing.id == first).values(state="refused"))
        return [str(first)]
    examples = {
        "extend": ["g", "3", "--why", "post strike"],
        "close": ["g"],
        "preview": ["g"],
        "replace": ["g", "A", NEW, "--why", "moved"],
        "rule": ["g", "Read on."],
        "hold": ["g", "--why", "illness"],
        "resume": ["g"],
        "pause": ["g", str(due), str(due + timedelta(days=3)), "--why", "summer"],
        "hour": ["g", "20:00"],
        "release": ["g"],
        "order": ["g", "A", str(orders)],
        "standby": ["g", NEW],
        "master": ["g", NEW],
        "away": ["g", f"{due} to {due + timedelta(days=3)}"],
        "address": [address("A"), NEW],
        "rotate": ["g", "A"],
        "rewind": ["g", "1", "--why", "misread", "--do"],
        "accept": [letter],
        "dismiss": [letter],
        "retry": [letter],
        "restore": [],
        "press": ["g", "ALL", str(orders)],
        "settle": ["g", "A", "--why", "it is right"],
        "suspend": ["g", "A", "7", "--why", "you go on"],
        "end": ["g"],
        "open": ["coalition", "h", "--players", "5"],
        "close-table": ["t"],
        "admit": ["t", "1"],
    }
    assert name in examples, f"the act {name} has no example in `prepared` of test_act_table.py"
    return examples[name]


@pytest.mark.parametrize("name", sorted(BY_NAME.keys() - {"start", "amended"}))
def test_an_act_is_journalled_and_told(begun: Shell, name: str) -> None:
    act, at = BY_NAME[name], begun.at
    words = prepared(begun, name)
    begun("once")
    game = words[1] if name == "open" else words[0] if act.who is Who.TABLE else "g"
    kinds, notices, before = at.journal(game), noted(at), mails(at)
    assert begun(name, *words)
    done = at.journal(game)[len(kinds) :]
    assert set(act.journal) & set(done), done
    assert bool(Notified.BULLETIN & act.told) == (noted(at) > notices)
    if name not in ("accept", "retry"):  # their letter is decided now, and has its receipt
        begun("once")
    more = {box for box, count in mails(at).items() if count > before[box]}
    if Notified.ALL in act.told:
        assert more >= set(SEATS)
    elif Notified.SEAT in act.told:
        concerned = NEW if "standby" in name or act.who is Who.TABLE else "A"
        assert {concerned} <= more <= {concerned, NEW}
    else:  # but whoever is asked to have the game in hand
        assert more == ({NEW} if act.who is Who.NAMED else set())


def test_the_start_is_journalled_and_told(shell: Shell) -> None:
    players = (word for s in SEATS for word in ("--player", f"{s}={address(s)},Player {s}"))
    shell("new", "coalition", "g", *players)
    assert "game g has begun; first deadline: " in shell("start", "g")
    assert set(BY_NAME["start"].journal) <= set(shell.at.journal()) and not noted(shell.at)
    shell("once")
    assert {box for box, count in mails(shell.at).items() if count} == set(SEATS)


def test_the_other_way_of_an_act_is_journalled(begun: Shell) -> None:
    begun("address", address("A"), "--works")
    assert begun.at.journal()[-1] == "address-works"
    begun("restore")
    due = begun.at.table().period.due.date()
    begun("pause", "g", str(due), str(due + timedelta(days=3)), "--why", "summer")
    begun("pause", "g", "NONE", str(due), "--why", "we go on")
    assert "unpause" in begun.at.journal()
    letter = held_letter(begun, "held")
    with exclusive_transaction(begun.at.daemon.engine) as conn:
        conn.execute(update(Letter).where(Letter.id == int(letter)).values(period=1))
    begun("accept", "--game", "g")
    assert begun.at.journal()[-1] == "letters-accepted"


def test_each_act_has_one_function_that_takes_its_arguments() -> None:
    assert len(BY_NAME) == len(ACTS) and function(NEW_GAME)
    for act in ACTS:
        takes = list(inspect.signature(function(act)).parameters)[1:]
        named = [argument.name for argument in act.arguments]
        rest = set(named) - set(takes) if "given" in takes else ()
        assert sorted({*takes, *rest} - {"given"}) == sorted(named)


def wrong_number() -> list[tuple[str, list[str]]]:
    """Each number of each act, with a value in its place that is none."""
    found = []
    for act in ACTS:
        for argument in act.arguments:
            if argument.kind not in (Kind.NUMBER, Kind.PERIOD):
                continue
            placed = [one for one in act.arguments if not one.option and one.required]
            reason = ["--why", "x"] if act.has(Kind.WHY) else []
            for wrong in ("x", "1.5", "9" * 20):
                known = {one.name: "g" if one.kind is Kind.GAME else "1" for one in placed}
                at = [argument.option, wrong] if argument.option else []
                if not argument.option:
                    known[argument.name] = wrong
                found.append((act.name, [*known.values(), *reason, *at]))
    return found


def test_a_wrong_number_is_wrong_usage(begun: Shell) -> None:
    for name, words in wrong_number():
        said = begun.fails(name, *words, code=2)
        told = ("is no whole number", "is not a valid integer", "is more than")
        assert any(one in said for one in told), (name, words)


MISUSED = {
    "resend": ([], ["1", "--all-refused", "2026-03-02 09:00"]),
    "resume": ([], ["g", "--all"]),
    "address": (["a@b.example"], ["a@b.example", "c@d.example", "--works"]),
    "rotate": ([], ["g"], ["g", "A", "--gamesmaster"], ["g", "--gamesmaster"]),
    "accept": ([], ["1", "--game", "g"], ["1", "--before", "2026-01-01 10:00"]),
    "print-letter": (["1", "--why", "x"],),
    "admit": (["t", "1", "--why", "x"],),
}


def test_an_act_with_two_ways_is_done_one_way(begun: Shell) -> None:
    assert set(MISUSED) == {act.name for act in ACTS if act.ways}
    for name, uses in MISUSED.items():
        for words in uses:
            assert BY_NAME[name].usage in begun.fails(name, *words, code=2)


SAME = {
    "extend": (["g", "0", "--why", "x"], "0 x"),
    "replace": (["g", "Z", NEW, "--why", "x"], f"Z {NEW}"),
    "hold": (["g", "--why", "x"], "x"),
    "resume": (["g"], ""),
    "close": (["g"], ""),
}
"""What both faces refuse in the same words: the act in the shell, its line in a mail."""


@pytest.mark.parametrize(
    ("name", "held"),
    [("extend", False), ("replace", False), ("hold", True), ("resume", False), ("close", True)],
)
def test_both_faces_refuse_in_the_same_words(begun: Shell, name: str, held: bool) -> None:
    if held:
        begun("hold", "g", "--why", "illness")
    words, line = SAME[name]
    shell_says = begun.fails(name, *words).removeprefix("pbem: ").strip()
    assert spoken(shell_says) in " ".join(by_mail(begun, f"{name.upper()} {line}").split())


def by_mail(shell: Shell, line: str) -> str:
    """The answer to a line of the gamesmaster's, or to the code that it is answered with."""
    at = shell.at
    shell("once")
    to = reply_to(at, GAMESMASTER)
    at.write(GAMESMASTER, f"GAME g\nPERIOD 1\n{line}", To=to)
    shell("once")
    found = re.search(r"CONFIRM (\S+)", at.newest(GAMESMASTER))
    if found:
        at.write(GAMESMASTER, f"CONFIRM {found[1]}", To=to)
        shell("once")
    return at.newest(GAMESMASTER)


def test_the_words_by_mail_are_those_of_the_table() -> None:
    wide = [line for line in help_().split("\n") if line.startswith("  ") and len(line) > 78]
    assert not wide, f"the act's ``label`` in pbem/acts is too long for its line: {wide}"
    assert len(help_().split()) <= 500 and "PLAYERS" in help_("open")
    assert {word for word, act in BY_MAIL.items() if not act.code} == {
        *("QUEUE", "SEEN", "DESK", "TABLE", "MASTER", "RETRY", "RESEND")
    }


WRITTEN = {
    Kind.SEAT: "a",
    Kind.ADDRESS: NEW,
    Kind.NUMBER: "1",
    Kind.LENGTH: "3",
    Kind.NAME: "1 July",
    Kind.DAY: "2026-03-01",
    Kind.WORD: "2026-03-01",
    Kind.TABLE: "t",
    Kind.WHY: "so it is",
    Kind.TEXT: "so it stays",
    Kind.FILE: "SPECIAL AGR",
}


def test_any_act_could_come_by_mail(begun: Shell) -> None:
    """Its line there gives all its arguments, with the game and the period named above it."""
    table = begun.at.table()
    for act in ACTS:
        placed = [one for one in act.arguments if one.in_line]
        if act.name in ("replace", "print-letter", "admit"):
            placed = [one for one in placed if one.kind is not Kind.WHY]
        said = " ".join(WRITTEN[one.kind] for one in placed if one.kind in WRITTEN)
        if act.name != "press":  # its line is as a player's
            assert re.fullmatch(f"{act.word}{act.line}", f"{act.word} {said}".strip()), act.name
        values = values_of(act, table if act.of_game else None, said)
        assert set(values) == {argument.name for argument in act.arguments}
        for argument in act.arguments:
            assert argument.option or values[argument.name] is not None, (act.name, argument)


def test_the_shell_has_each_act() -> None:
    assert set(BY_NAME) <= set(main.commands) and all(act.journal for act in ACTS)
