"""What is a player's own in his mails: the welcome, the page of what he owes and by when, and the receipts with
their subjects, sent again as well."""

import re
from datetime import timedelta
from pathlib import Path
from statistics import median

import pytest

from pbem.games import GAMES
from pbem.games.frame.adjudication import take
from pbem.house import templates
from pbem.orders.asking import GROUPS
from pbem.pages import sheet
from pbem.pages.plain import plain
from pbem.periods import own_page, replay
from pbem.referee.acts import seat_acts
from pbem.referee.words import look
from pbem.store.engine.database import exclusive_transaction
from tests.installation import SLATE, Installation, text_of, told
from tests.net.compare import WORDS
from tests.net.letters import observe
from tests.omission import flat, leaves, read, stands
from tests.parsed import attached
from tests.saying import says
from tests.subjects import issue

pytestmark = pytest.mark.game("coalition", strangers=("new@else.example",))


def to_a_vote(at: Installation) -> None:
    at.send("A", f"PROPOSE {SLATE}")
    at.to_deadline()


def wish(at: Installation, seat: str, name: str, argument: str) -> str:
    table = at.table()
    (said,) = at.act(says, table, seat, name, argument)
    return said


def test_a_game_stands_in_threads(at: Installation) -> None:
    to_a_vote(at)
    first, notice = at.mails("B")[-2:]
    assert first["In-Reply-To"] is None and notice["In-Reply-To"] == first["Message-ID"]
    at.clock = at.table().period.due - timedelta(hours=23)
    at.once()
    assert at.mails("B")[-1]["In-Reply-To"] == notice["Message-ID"]
    at.send("B", "VOTE AYE", In_Reply_To=str(at.mails("B")[-1]["Message-ID"]))
    assert at.standing("B") == ["VOTE AYE"]
    at.to_deadline()
    second, notice = at.mails("B")[-2:]
    assert second["In-Reply-To"] == second["References"] == first["Message-ID"]
    assert notice["In-Reply-To"] == second["Message-ID"]
    assert str(notice["References"]).split() == [first["Message-ID"], second["Message-ID"]]


def test_a_new_player_has_a_thread_of_his_own(at: Installation) -> None:
    to_a_vote(at)
    at.act(seat_acts.replace, "g", "B", "new@else.example", "New", "moved away")
    at.once()
    start, bulletin, notice = at.mails("new@else.example")
    assert "you are B" in str(start["Subject"]) and "MINISTRIES" in attached(start)
    assert issue(bulletin) == "[g] Bulletin 1" and bulletin["In-Reply-To"] is None
    assert "You owe" in str(notice["Subject"])
    assert notice["In-Reply-To"] == bulletin["Message-ID"]


def test_deadlines_are_told_by_the_players_own_clock(at: Installation) -> None:
    own = "In your own zone: Monday 16 March 2026, 19:00 America/New_York."
    assert "too" in wish(at, "B", "ZONE", "America/New_York")
    to_a_vote(at)
    assert own in told(at, "B") and "In your own zone" not in told(at, "C")
    assert str(at.mails("B")[-1]["Subject"]).endswith(" by Monday 16 March, 19:00")
    assert not any("In your own" in text_of(mail) for mail in at.mails("C"))
    at.send("B", "STATUS")
    assert told(at, "B").count(own) == 1
    at.clock = at.table().period.due - timedelta(hours=23)
    at.once()
    assert own in told(at, "B")
    wish(at, "B", "ZONE", "none")
    at.to_deadline()
    assert "In your own zone" not in told(at, "B")
    with exclusive_transaction(at.daemon.engine) as conn:
        report = replay.replay(conn, "g")
    assert report.faults == [] and report.bulletins


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("new york", "in the zone America/New_York too"),
        ("europe/london", "in the zone Europe/London too"),
        ("Mordor", '"Mordor" is none that I know'),
        ("../../etc/passwd", "is none that I know"),
        ("Louisville", '"Louisville" may mean America/Kentucky/Louisville or America/Louisville'),
        ("Europe/Lodon", '"Europe/Lodon" may mean Europe/London'),
        ("Pariss", "Europe/Paris"),
        ("", "Your own zone is not set."),
    ],
)
def test_zones_as_people_write_them(at: Installation, written: str, says: str) -> None:
    assert says in wish(at, "B", "ZONE", written)


def test_check_says_what_would_be(at: Installation) -> None:
    to_a_vote(at)
    at.send("B", 'NAME "Harbour"')
    at.send("B", "CHECK\nVOTE AYE")
    said = told(at, "B")
    assert 'WHAT WOULD STAND FOR PERIOD 2 [+] VOTE AYE [=] NAME "Harbour"' in said
    assert "Then you would owe nothing more in this period." in said
    assert at.standing("B") == ['NAME "Harbour"']
    at.send("B", "ORDERS")
    assert "You still owe: " in told(at, "B") and "VOTE AYE" not in told(at, "B")


def test_help_about_a_word(at: Installation) -> None:
    table = at.table()
    for word in ("PRESS", "check", "Zone.", "ABSENT", "QUIT", "END"):
        ((title, said),) = look.help_(table, "A", {}, word)
        text = plain(said)
        assert title == f"About {word.upper().strip('.')}"
        entries = re.findall(r"#[0-9]+ (.+)", text)
        assert entries[0].startswith(word.upper().strip("."))
        assert len(entries) == 1 or word == "QUIT"
    ((_, text),) = look.help_(table, "A", {}, "NONSENSE")
    assert 'no order and no word "NONSENSE"' in text


def test_help_alone_is_a_screen_and_every_word_is_in_a_group(at: Installation) -> None:
    table = at.table()
    ((_, said),) = look.help_(table, "A", {}, "")
    assert len(plain(said).split()) <= 150 and "HELP GUIDE" in said and "PROPOSE" in said
    there = templates.tools(table.ruleset, table.house, table.people("A"))
    words = {one.order.split()[0] for one in sheet.entries(there)}
    assert words == {word.name for group in GROUPS.values() for word in group}
    for group, inside in GROUPS.items():
        ((title, said),) = look.help_(table, "A", {}, group.lower())
        assert title == f"Help: {group}" and all(word.name in said for word in inside)
    assert [title for title, _ in look.help_(table, "A", {}, "ALL")] == [
        "The order guide",
        "Words to the referee",
        "Your orders now",
    ]


def test_what_is_filled_in_by_half_is_named(at: Installation) -> None:
    at.send("B", "SPECIAL ...  # one to four\nPASS")
    assert "Not filled in" not in told(at, "B") and at.standing("B") == ["PASS"]
    to_a_vote(at)
    at.send("B", "STANDING AYE\nVOTE ... ON ...\nVOTE AYE ON ...\nSo ... good luck to all!")
    said = told(at, "B")
    assert said.count('Not filled in to the end, so not read: "') == 2
    assert 'so not read: "VOTE AYE ON ...".' in said
    assert at.standing("B") == ["STANDING AYE"]


def test_the_bills_without_a_line_in_the_form_are_attached(tmp_path: Path) -> None:
    docket = [
        {"id": f"B{n}", "chair": f"P{n % 3 + 1}", "core": ["SUN+", "KEY-"]} for n in range(1, 12)
    ]
    issues = ["SHIP", "HEART", "MOON", "STAR", "SUN", "KEY", "BELL", "DROP"]
    scenario = {"phase": "AMEND", "public": {"issues": issues, "docket": docket}}
    with Installation(tmp_path, "legislation", scenario=scenario) as at:
        at.start()
        at.to_deadline()
        assert "VOTE ... ON B9, B10, B11" in at.newest("P1")
        assert "VOTE ... ON B11 #" in attached(at.mails("P1")[-1], "effects.txt")


MOST = {"parlement-1968": 500}
"""Words of a welcome; it has an election and a cabinet to explain."""


LATER = {"standing_asked", "money.entries", "trails", "cards.*.reach.state"}
"""What the first notice has in full, and HISTORY 0 brings: no hand, no purse, no throw."""


def ready(text: str) -> list[str]:
    """The orders that the welcome prints ready to be sent."""
    _, _, rest = text.partition("You could send:")
    lines = [line.strip() for line in rest.partition("\n\n")[0].split("\n")]
    return [line.partition(" ")[2].partition("  # ")[0] for line in lines if line.startswith("#")]


def test_the_welcome_is_one_mail_with_all_that_is_asked(key: str, tmp_path: Path) -> None:
    with Installation(tmp_path, key) as at:
        at.start()
        table, facts, words = at.table(), read()[key], []
        for seat in at.seats:
            mails = at.mails(seat)
            assert len(mails) == 1, [str(one["Subject"]) for one in mails]
            text, said = text_of(mails[0]), flat(text_of(mails[0]))
            words.append(len(text.split()))
            page = own_page.words(table, seat, {}, form=False)
            for fact in (*page["owes"], *page["silence"]):
                assert flat(fact) in said
            if table.period.due:
                assert flat(own_page.moment_text(table, table.period.due)) in said
                early = table.period.due - timedelta(hours=1, minutes=26)
                clock = f"{early.astimezone(table.zone):%H:%M}"
                assert f" {clock} " in own_page.moment_text(table, early)  # not the house's hour
            public = set(leaves(at.view()))
            for name, value in leaves(at.view(seat)):
                if name in {*facts.own} - LATER and (name, value) not in public:
                    assert stands(value, said), f"{seat}: {name} {value!r}"
            orders = ready(text)
            assert 1 <= len(orders) <= 2, seat
            for order in orders:
                tried = take(table.ruleset, table.state, seat, order, {})
                assert tried.standing and not tried.problems, f"{seat}: {order}"
            everything = attached(mails[0])
            house = everything.partition("THE HOUSE RULES OF THIS GAME")[2]
            assert "Deadlines" in house and "tables.txt" in text
            values = table.ruleset.tables_at(table.state)
            for name in templates.tables(key):
                assert flat(plain(templates.table(key, name, values))) in flat(everything)
            at.write(seat, text)
        assert median(words) <= MOST.get(key, 450), words
        at.once()
        assert [at.standing(seat) for seat in at.seats] == [[] for _ in at.seats]


SAID = {
    "SPECIAL AGR": "Re: [g] 1 order taken",
    'SPECIAL AGR\nNAME "Harbour"': "Re: [g] 2 orders taken",
    "SPECIAL AGR\nNAEM x": "Re: [g] 1 order taken, 1 not",
    "SPECIAL XYZ": "Re: [g] 1 line not taken",
    "CHECK\nSPECIAL AGR\nSPECIAL XYZ": "Re: [g] tried: 1 order good, 1 not",
    "SPECIAL AGR\nCANCEL SPECIAL": "Re: [g] your orders are as they were",
    "How long does this last?": "Re: orders",
    "SPECIAL XYZ\n\nWhat is a motion?": "Re: [g] 1 line not taken",
    "HELP": "Re: orders",
}


@pytest.mark.parametrize("letter", list(SAID))
def test_a_receipt_says_in_its_subject_what_was_taken(tmp_path: Path, letter: str) -> None:
    with Installation(tmp_path, "coalition") as at:
        at.start()
        at.send("A", letter)
        subject = str(at.mails("A")[-1]["Subject"])
        assert subject == SAID[letter] and len(subject.split()) <= 10


_COUNTS = {
    r"([0-9]+) orders? (?:taken|good)(?! back)": r"(?m)^ +\[\+\](.+)",
    r"([0-9]+)(?: orders?)? (?:taken )?back": r"(?m)^ +\[-\](.+)",
    r"([0-9]+)(?: lines?)? not": r"(?m)^ +#([0-9]+) NOT TAKEN",
}


@pytest.mark.slow
@pytest.mark.parametrize("group", sorted(GAMES))
def test_the_numbers_of_a_subject_are_those_of_the_lines_listed(group: str) -> None:
    seen = 0
    for name, said in observe(group):
        for _, subject, lines, *_ in said if name.endswith(WORDS) else ():
            text = "\n".join(lines)
            for number, line in _COUNTS.items():
                if (found := re.search(number, subject)) and "Receipt " in text:
                    assert len({*re.findall(line, text)}) == int(found[1]), (subject, text)
                    seen += 1
    assert seen > 10, "there are receipts"


def test_a_letter_gets_some_answers_only(at: Installation) -> None:
    at.send("A", "\n".join(f"HISTORY {n}" for n in range(100, 400)) + "\nSPECIAL AGR")
    said = at.newest("A")
    assert said.count("BULLETIN 1") == look.MOST_ANSWERS and "MORE QUESTIONS" in said
    assert at.standing("A") == ["SPECIAL AGR"]
