"""A stranger with nothing but a mailbox comes to a seat by two letters, in every game.

Run with ``-s``, it prints how many words he reads before his first order stands.
"""

from email.message import EmailMessage
from pathlib import Path

from pbem.games.frame.dice import Dice
from pbem.house import shelf
from pbem.periods import open_tables as tables
from pbem.periods import opening
from pbem.store.schema.states import ApplicantState, TableState
from tests.bots import bot_of
from tests.installation import desk, text_of
from tests.mail.test_open_tables import ANN as NADIA
from tests.mail.test_open_tables import BEN, CLEO, DAN, EVE, FAY, GUS, Club

OTHERS = (BEN, CLEO, DAN, EVE, FAY, GUS)
MOST_WORDS = 200
"""So many has a mail of the door that asks for something."""
SAYS = (
    "Hi, yes I would like to join, please!\nThank you\nNadia",
    "Yes, I am here. Thanks!\n\nNadia\n\nSent from my telephone",
)


def words(mail: EmailMessage) -> int:
    return len(text_of(mail).split())


def answer(at: Club, text: str) -> EmailMessage:
    """Nadia answers the newest mail, with it below as her program quotes it."""
    last = at.mails(NADIA)[-1]
    quoted = "\n".join(f"> {line}" for line in text_of(last).splitlines())
    to = str(last["Reply-To"] or last["From"])
    at.send(NADIA, f"{text}\n\n{quoted}\n", To=to, In_Reply_To=str(last["Message-ID"]))
    return at.mails(NADIA)[-1]


def test_a_seat_by_two_letters(tmp_path: Path, key: str) -> None:
    places = min(map(len, shelf.open_ruleset(key).about.seats))
    with Club(tmp_path, key=key) as at:
        at.open(places=places)
        for who in OTHERS[: places - 1]:
            at.say(who, f"SIGNON autumn AS {who.partition('@')[0].capitalize()}")
            at.confirm(who)
        at.send(NADIA, SAYS[0])
        (asked,) = at.mails(NADIA)
        assert "would you like to play" in str(asked["Subject"]).lower()
        answer(at, SAYS[1])
        at.once()
        assert at.state() == TableState.BEGUN and at.people()[NADIA] == ApplicantState.SURE
        door = [one for one in at.mails(NADIA) if "you are" not in str(one["Subject"]).lower()][:2]
        assert all(words(one) <= MOST_WORDS for one in door), [words(one) for one in door]
        assert all("X-Pbem-Seed-SHA256" in one for one in door)
        assert all(one.get_body(("html",)) for one in door)
        seat = next(seat for seat, who in at.seated().items() if who == NADIA)
        table = at.table()
        public, own = table.ruleset.view(table.state, None), table.ruleset.view(table.state, seat)
        order = bot_of(table.ruleset).letter(public, own, seat, Dice("1", key).stream("order"))
        read = sum(map(words, at.mails(NADIA)))
        at.send(NADIA, order)
        assert at.standing(seat), order
        print(
            f"\n{key}: {len(door)} mails of the door with {sum(map(words, door))} words, {read} in all"
        )


def test_a_player_confirms_another_table_by_its_code(tmp_path: Path) -> None:
    """The code counts in an answer to the mail that brought it, whoever else he is by now."""
    with Club(tmp_path, key="legislation") as at:
        at.open(places=3)
        at.join(BEN, CLEO, DAN)
        for who in (BEN, CLEO):
            at.confirm(who)
        assert at.state() == TableState.BEGUN
        plan = opening.Plan("spring", at.key, (), "Europe/Paris", trust=at.trust, seed="8")
        with desk(at) as work:
            tables.open_(work, tables.Wanted(plan, 3))
        at.say(BEN, "SIGNON spring AS Ben")
        asked = at.mails(BEN)[-1]
        told = at.say(BEN, f"CONFIRM {at.code(BEN)}", To=str(asked["Reply-To"]))
        assert "you have a seat in spring" in told
