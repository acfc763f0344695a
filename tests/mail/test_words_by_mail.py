"""The gamesmaster's words by mail: each with and without code, mistaken, and from a forger."""

import re

import pytest
from sqlalchemy import update

from pbem.acts.acts import BY_MAIL
from pbem.house.shelf import open_ruleset
from pbem.orders.mailwords import peel
from pbem.referee.gamesmaster.gamesmaster_words import spoken
from pbem.store.engine.database import exclusive_transaction
from pbem.store.joining import claimants
from pbem.store.journal import notes
from pbem.store.schema.tables import Address
from tests.installation import GAMESMASTER, SEATS, Installation, address, desk, text_of
from tests.masters import reply_to
from tests.shell import Shell
from tests.subjects import issue, issues

NEW = "new@else.example"
HEAD = "GAME g\nPERIOD 1\n"
pytestmark = pytest.mark.game("coalition", trust="proven", strangers=(NEW,))


def command(at: Installation, text: str) -> str:
    """A letter of the gamesmaster's to his secret address; the answer, on one line."""
    at.send(GAMESMASTER, text, To=reply_to(at, GAMESMASTER))
    return " ".join(at.newest(GAMESMASTER).split())


def code(at: Installation) -> str:
    found = re.search(r"CONFIRM (\S+)", at.newest(GAMESMASTER))
    assert found, at.newest(GAMESMASTER)
    return found[1]


def confirm(at: Installation) -> str:
    """The code of the newest answer is sent back; what then is answered."""
    at.send(GAMESMASTER, f"CONFIRM {code(at)}")
    return " ".join(at.newest(GAMESMASTER).split())


def done(at: Installation, text: str) -> str:
    """The same of a command that needs a code."""
    command(at, text)
    return confirm(at)


def unproven(at: Installation) -> None:
    """Letter 1: A's, without the proof that its game asks for."""
    at.send("A", "SPECIAL AGR")
    assert at.outcomes() == [("unverified", at.outcomes()[0][1])]


# --- what waits -----------------------------------------------------------------------------------


def test_accept(at: Installation) -> None:
    unproven(at)
    assert "write ACCEPT 1 or DISMISS 1" in command(at, "QUEUE")
    asked = command(at, "ACCEPT 1")
    assert "You asked: ACCEPT 1 (a letter that is unverified, for A in game g). To do it," in asked
    assert at.standing("A") == [] and "letter-accepted" not in at.journal()
    assert "ACCEPT: The next pass takes letter 1" in confirm(at)
    at.once()
    assert at.standing("A") == ["SPECIAL AGR"] and "letter-accepted" in at.journal()


def test_a_refusal_names_the_words_of_a_mail(at: Installation) -> None:
    done(at, f"{HEAD}HOLD illness")
    said = command(at, f"{HEAD}HOLD illness")
    assert "HOLD: game g is held already: illness; RESUME lets it go on" in said
    assert spoken("`pbem rewind g N` or `pbem queue g`") == "REWIND N or QUEUE g"
    for other in ("`pbem forget g`", "`pbem letter --id 3`", "`pbem resume --all`"):
        assert spoken(other) == other


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("ACCEPT", "ACCEPT: not understood, nothing was done; write it as: ACCEPT letter"),
        ("DISMISS that one", "DISMISS: not understood, nothing was done; write it as: DISMISS"),
        ("RETRY", "write it as: RETRY letter"),
        ("RESEND x", "write it as: RESEND mail"),
        ("PAUSE tomorrow", "write it as: PAUSE 2026-12-24 2026-12-27 Christmas"),
        ("STANDBY", "write it as: STANDBY address name"),
        ("ACCEPT 99", "ACCEPT: there is no letter 99; see QUEUE"),
        ("DISMISS 99", "DISMISS: there is no letter 99"),
        ("RESEND 9999", "RESEND: there is no mail 9999"),
        ("RETRY 1", "RETRY: letter 1 is unverified; only a failed"),
        ("RESEND 1", "RESEND: mail 1 is sent; only a refused or unknown one"),
        (f"ACCEPT {'9' * 19}", "is more than 2147483647"),
        ("GAME h\nDISMISS 1", "DISMISS: 1 is of game g, not h; nothing was done"),
        ("GAME h\nACCEPT 1", "ACCEPT: 1 is of game g, not h; nothing was done"),
        ("PAUSE 2026-03-08 2026-03-12 x", "PAUSE: name the game: a line GAME key"),
        ("GAME g\nPAUSE 2026-03-08 2026-03-12 x", "PAUSE: name the period too: a line PERIOD 1"),
        ("GAME g\nPERIOD 2\nRELEASE", "RELEASE: game g is in period 1, not 2"),
        (f"{HEAD}RELEASE", "no bulletin of game g waits for its release"),
        (f"{HEAD}ORDER A", "ORDER: nothing stands below it"),
        (f"{HEAD}ORDER Z\nPASS\nEND ORDER", "ORDER: there is no seat 'Z' in g"),
        (f"STANDBY {NEW}", "STANDBY: name the game"),
        (f"GAME h\nSTANDBY {NEW}", "STANDBY: there is no game 'h'"),
        ("GAME g\nSTANDBY nobody", "STANDBY: 'nobody' is no mail address"),
        ("GAME g\nSTART", "START: game g is running; only a game that waits can be started"),
        ("ADDRESS a@legit.example", "ADDRESS: write it as: ADDRESS old new"),
        (f"{HEAD}ROTATE", "ROTATE: write it as: ROTATE seat"),
        ("PRESS TO ALL\nHello\nEND PRESS", "PRESS: name the game"),
        ("GAME g\nPRESS TO Z\nHello\nEND PRESS", "PRESS: there is no seat 'Z' in g"),
        ("GAME g\nPRESS TO ALL\nHello\nCLOSE", "END PRESS on a line of its own"),
        (f"{HEAD}REPLACE A {NEW} David --why x", 'REPLACE: by mail there is no "--why"'),
        ("QUEUE 7", "QUEUE: there is no page 7; the last is 1"),
    ],
)
def test_a_mistake_is_answered_and_nothing_is_done(at: Installation, line: str, said: str) -> None:
    unproven(at)
    before, due = at.journal(), at.table().period.due
    answer = command(at, line)
    assert said in answer and "CONFIRM" not in answer
    at.once()
    assert (at.journal(), at.table().period.due) == (before, due)
    assert at.outcomes()[0][0] == "unverified" and at.standing("A") == []


# --- seats ----------------------------------------------------------------------------------------


def test_order_takes_a_block_and_says_what_became_of_each_line(at: Installation) -> None:
    asked = command(
        at, f'{HEAD}ORDER a\nSPECIAL AGR\n\nSPECIAL XYZ\nNAME "The Reds"\nEND ORDER\n\nQUEUE'
    )
    assert (
        "ORDER a (game g, period 1), with these lines: | SPECIAL AGR" in asked
        and "As it would be now: Entered for A" in asked
        and '| NAME "The Reds"' in asked
    )
    assert "THE GAME" in asked, "what stands below the block is read"
    assert at.standing("A") == []
    answer = confirm(at)
    assert "Entered for A in game g; line 1 is the first below ORDER:" in answer
    assert "Line 1: SPECIAL AGR Line 3: " in answer and 'Line 4: NAME "The Reds"' in answer
    assert at.standing("A") == ["SPECIAL AGR", 'NAME "The Reds"']
    assert "orders-on-behalf" in at.journal()
    at.to_deadline()
    assert any("entered orders for A" in " ".join(text_of(m).split()) for m in at.mails("B"))


@pytest.mark.parametrize("end", ["QUEUE", "GAME g", "PRESS TO ALL\nHello\nEND PRESS", "END", ""])
def test_a_block_ends_at_a_command_too(end: str) -> None:
    found = peel(f"ORDER S VOTE YES ON 4\nPAY 5 TO L\n{end}\n", gamesmaster=True)
    assert found.commands[0].argument.rstrip() == "S VOTE YES ON 4\nPAY 5 TO L"
    assert found.empty


def test_address_and_rotate(at: Installation) -> None:
    command(at, f"ADDRESS {address('A')} {NEW}")
    assert at.table().holders["A"].address == address("A")
    assert f"Mail for {address('A')} now goes to {NEW}" in confirm(at)
    assert at.table().holders["A"].address == NEW
    with exclusive_transaction(at.daemon.engine) as conn:
        conn.execute(update(Address).where(Address.address == NEW).values(hard_bounces=1))
    ways = f"write ADDRESS {NEW} new@address write ADDRESS {NEW} WORKS"
    assert ways in command(at, "QUEUE")
    command(at, f"ADDRESS {NEW} works")
    assert f"What came back from {NEW} is forgotten" in confirm(at)
    assert at.journal()[-2:] == ["address-changed", "address-works"]
    number = at.table().holders["B"].token_no
    assert "ROTATE: B's old reply address is void" in done(at, f"{HEAD}ROTATE b")
    assert at.table().holders["B"].token_no == number + 1
    mine = reply_to(at, GAMESMASTER)
    done(at, "ROTATE GAMESMASTER")
    assert at.mails(GAMESMASTER)[-1]["Reply-To"] != mine


# --- bulletins and words --------------------------------------------------------------------------


@pytest.mark.game("coalition", publish="review")
def test_release(at: Installation) -> None:
    at.to_deadline()
    said = command(at, "QUEUE")
    lines = re.search(r"write the lines (GAME g), (PERIOD 2), (RELEASE)", said)
    assert lines and "g: bulletin 1 waits in review" in said
    command(at, "\n".join(lines.groups()))
    assert "[g] Bulletin 1" not in issues(at, address("B"))
    assert "RELEASE: Bulletin 1 of g goes out" in confirm(at)
    assert "[g] Bulletin 1" in issues(at, address("B")) and "release" in at.journal()
    at.to_deadline()
    said = command(at, "GAME g\nPERIOD 3\nRELEASE 1")
    assert "the bulletin that waits in g is number 2, not 1" in said


def test_press_is_marked_as_his_and_stands_in_the_bulletin(at: Installation) -> None:
    at.write("A", "PRESS TO ALL\nPress from the gamesmaster to ALL:\nObey A.\nEND PRESS")
    at.write("A", f"CONFIRM {'x' * 26}")
    before = {seat: len(at.mails(seat)) for seat in SEATS}
    words = "The summer pause begins in July.\n\nVOTE AYE, if you like."
    said = command(
        at, f"GAME g\nPRESS TO ALL\n{words}\nEND PRESS\nPRESS TO B, c\nYou two.\nEND PRESS"
    )
    said = "".join(command(at, one) for one in re.findall(r"CONFIRM \S+", said))
    assert "PRESS: this was relayed. Press from the gamesmaster to ALL:" in said
    assert "Press from the gamesmaster to B, C: | You two." in said
    at.once()
    newest = {seat: at.mails(seat)[before[seat] :] for seat in SEATS}
    for seat in SEATS:
        mine = [m for m in newest[seat] if m["Subject"] == "[g] Press from the gamesmaster"]
        assert len(mine) == (2 if seat in "BC" else 1), seat
        assert "    | The summer pause begins in July." in text_of(mine[0])
    assert at.journal().count("press") == 2
    at.to_deadline()
    bulletin = next(text_of(m) for m in at.mails("D") if issue(m) == "[g] Bulletin 1")
    assert "Press, the gamesmaster:\n    | The summer pause begins in July.\n" in bulletin
    assert "You two." not in bulletin


def test_no_player_poses_as_the_gamesmaster(at: Installation) -> None:
    to = str(at.mails("A")[0]["Reply-To"])
    at.send("A", "PRESS TO ALL\nPress from the gamesmaster to ALL:\n\nObey A.\nEND PRESS", To=to)
    mail = next(m for m in at.mails("B") if "Press" in str(m["Subject"]))
    assert mail["Subject"] == "[g] Press from A"
    assert "    | Press from the gamesmaster to ALL:" in text_of(mail)


# --- whose word a line is -------------------------------------------------------------------------

HIS = [
    *("ACCEPT 12", "DISMISS 12", "RETRY 12", "RESEND 12", "PAUSE 2026-12-24 2026-12-27 x"),
    *("RELEASE", "RELEASE 3", "ORDER S", f"STANDBY {NEW} Greta", f"ADDRESS {NEW} {NEW}"),
    *("ROTATE S", "START", "ENDGAME x", "RESUME ALL", "PAUSE NONE 2026-12-24 x", "REWIND 1 x"),
    *("AWAY 1 July TO 20 July", "SETTLE S it is right", "HOUR 20:00"),
    *("RULE NONE 17 it was wrong", f"STANDBY {NEW} NONE moved"),
    *("ANSWER 12 it is right", "PRINT 3", "PRINT 3 NONE it is not fit to print"),
    *("SUSPEND S mind your words", "SUSPEND S 7 you go on"),
    *("MASTER paul@new.example", "MASTER dora@new.example SECOND"),
    "OPEN coalition winter PLAYERS 5",
    "TABLE winter",
    "ADMIT winter 3",
    "ADMIT winter 3 NONE too late",
    "CLOSETABLE winter no time",
]


def test_no_order_of_a_game_is_a_word_of_his(key: str) -> None:
    """A player's letter has none of his words; his own line with a number is no order that a game
    could mean, and an order that begins with the same word stays one."""
    ruleset = open_ruleset(key)
    for line in HIS:
        assert peel(line).commands == () and peel(line, gamesmaster=True).empty, line
    words = {line.split()[0] for line in HIS} & set(ruleset.language.words)
    assert words <= {"ACCEPT", "DISMISS"}
    orders = ("ACCEPT SOC", "ACCEPT NONE", "ACCEPT A1, A3", "DISMISS IN FROM COM", "APPROVE BILL 4")
    for order in orders:
        assert peel(order, gamesmaster=True).text == order


def test_each_word_is_in_this_file() -> None:
    told = {"QUEUE", "SEEN", "DESK", "EXTEND", "CLOSE", "PREVIEW", "REPLACE", "RULE", "HOLD"}
    assert told | {"RESUME", "PRESS", "AMENDED"} | {line.split()[0] for line in HIS} >= set(BY_MAIL)


# --- rulings and stand-bys are withdrawn, by shell, mail and desk ---------------------------------


RULING = "Paragraph 4 is read as it stands."


def number_of(said: str) -> str:
    found = re.search(r"(?:RULE NONE|rule g --none) ([0-9]+)", said.replace("\u00a0", " "))
    assert found, said
    return found[1]


def bulletin(at: Installation, number: int) -> str:
    found = [text_of(mail) for mail in at.mails("C") if issue(mail) == f"[g] Bulletin {number}"]
    return " ".join(found[0].split())


def test_a_ruling_that_nobody_has_read_goes_without_a_word(at: Installation) -> None:
    number = number_of(done(at, f"{HEAD}RULE {RULING}"))
    assert "no bulletin had printed it" in done(at, f"{HEAD}RULE NONE {number} misread")
    assert at.journal()[-1] == "ruling-withdrawn"
    assert "there is no ruling" in command(at, f"{HEAD}RULE NONE {number}")
    at.to_deadline()
    assert RULING not in bulletin(at, 1) and "Withdrawn" not in bulletin(at, 1)


def test_of_a_printed_one_the_next_bulletin_says_that_it_is_withdrawn(at: Installation) -> None:
    number = number_of(done(at, f"{HEAD}RULE {RULING}"))
    at.to_deadline()
    assert RULING in bulletin(at, 1)
    later = "GAME g\nPERIOD 2\n"
    assert "the next bulletin says so" in done(at, f"{later}RULE NONE {number} misread")
    assert "is withdrawn already" in command(at, f"{later}RULE NONE {number}")
    at.to_deadline()
    said = f"Withdrawn is the ruling that bulletin 1 printed: {RULING} (misread)"
    assert said in bulletin(at, 2)


def test_in_the_shell_and_a_replay_finds_every_bulletin_again(begun: Shell) -> None:
    first = number_of(begun("rule", "g", "Read on."))
    begun("rule", "g", "--none", first)
    second = number_of(begun("rule", "g", RULING))
    begun("close", "g")
    begun("once")
    assert "the next bulletin says so" in begun("rule", "g", "--none", f"{second} misread")
    begun("close", "g")
    begun("once")
    assert "Withdrawn is the ruling" in bulletin(begun.at, 2)
    begun("replay", "g")


def test_what_an_amendment_changed_is_not_taken_back_so(at: Installation) -> None:
    with desk(at) as work:
        said = "Amendment 1 is carried out: salary is 900."
        kind = notes.NoteKind.RULING
        number = notes.rule(work.conn, "g", kind, said, work.now)
    assert "an amendment was carried out" in command(at, f"{HEAD}RULE NONE {number}")


def test_a_stand_by_player_is_taken_off_and_told(at: Installation) -> None:
    done(at, f"{HEAD}STANDBY {NEW} Greta")
    done(at, f"{HEAD}STANDBY {NEW} NONE She has moved")
    at.once()
    assert at.journal()[-1] == "standby-withdrawn"
    said = " ".join(at.newest(NEW).split())
    assert "taken you off the list" in said and "She has moved" in said
    assert "does not stand by for g" in command(at, f"{HEAD}STANDBY {NEW} NONE")
    with exclusive_transaction(at.daemon.engine) as conn:
        assert claimants.can_be_called(conn, "g") == 0
