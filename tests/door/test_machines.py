"""Answering machines that nothing in their header marks as such: none seats the victim of a forged
sign-up, whatever it quotes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.store.schema.states import ApplicantState
from tests.door.test_answers import rows
from tests.installation import text_of
from tests.mail.test_open_tables import ANN, FIVE, Club
from tests.sampled import in_turn

MACHINES = {
    "thanks": (
        "Re: {subject}",
        "Thank you for contacting us. A member of our team will reply within two working days.",
    ),
    "ticket": ("[Ticket #4711] {subject}", "Your request has been received. Yes, we are on it!"),
    "challenge": (
        "Please verify: {subject}",
        "To deliver your message, confirm that you are human by replying to this mail.",
    ),
    "holiday": ("Re: {subject}", "I am on holiday until 5 May. For urgent matters write to Bob."),
    "office": ("Out of office: {subject}", "OK, I am out of the office. Yes, your mail counts."),
    "support": ("Case 00123: {subject}", "Yes, we have received your email and opened a case."),
    "german": ("Re: {subject}", "Vielen Dank für Ihre Nachricht. Wir melden uns umgehend."),
    "empty": ("Re: {subject}", ""),
}


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    where: Path = tmp_path_factory.mktemp("machines")
    with Club(where, limits={"stranger_mails_an_hour": 100}) as found:
        found.open(places=5)
        found.say(ANN, "I would like to join, please")  # as if she had written it
        yield found


@pytest.mark.parametrize(
    ("name", "quotes"),
    in_turn(
        {one: one for one in MACHINES}, {one: one for one in ("the code", "nothing", "all", "bare")}
    ),
)
def test_a_machine_seats_nobody(at: Club, name: str, quotes: str) -> None:
    asked = next(one for one in reversed(at.mails(ANN)) if one["Reply-To"])
    subject, text = MACHINES[name]
    said, code = text_of(asked), at.code(ANN)
    below = {
        "nothing": "",
        "all": "\n".join(f"> {line}" for line in said.splitlines()),
        "bare": said.partition("\n\n")[2],
        "the code": f"Your message: CONFIRM {code}",
    }[quotes]
    at.send(
        ANN,
        f"{text}\n\n{below}\n",
        To=str(asked["Reply-To"]),
        Subject=subject.format(subject=asked["Subject"]),
    )
    assert at.people() == {ANN: ApplicantState.ASKED}


ANSWERS = [text for _, text in rows("machines.tsv")[1:]]
ATTACKED = [ANSWERS[at :: len(ANSWERS) // 3][:5] for at in range(0, 60, 10)]


@pytest.mark.parametrize("answers", ATTACKED)
def test_forged_signons_seat_nobody_whose_machine_answers(
    tmp_path: Path, answers: list[str]
) -> None:
    """Nor do they bring a victim more than one mail, whatever is forged besides."""
    with Club(tmp_path) as at:
        at.open(places=5)
        for _ in range(2):
            for who in FIVE:
                at.write(who, "SIGNON autumn")
                at.write(who, "BOARD coalition")
                at.write(who, "I would like to join autumn")
            at.once()
        for who, text in zip(FIVE, answers, strict=False):
            (asked,) = at.mails(who)
            said = text_of(asked)
            for below in (
                "",
                f"\n\n{said}",
                "\n\n" + "\n".join(f"    {one}" for one in said.split("\n")),
            ):
                to, ident = str(asked["Reply-To"]), str(asked["Message-ID"])
                at.write(
                    who, text + below, To=to, In_Reply_To=ident, Subject=f"Re: {asked['Subject']}"
                )
        at.once()
        assert set(at.people().values()) == {ApplicantState.ASKED}
        assert all(len(at.mails(who)) == 1 for who in FIVE)


@pytest.mark.parametrize("number", range(1, 40, 4))
def test_a_person_is_seated_by_his_yes(tmp_path: Path, number: int) -> None:
    """His letter quotes ours without marks, as some programs do."""
    (_, text) = rows("yeses.tsv")[number]
    with Club(tmp_path) as at:
        at.open(places=5)
        at.say(ANN, "SIGNON autumn")
        (asked,) = at.mails(ANN)
        at.say(ANN, f"{text}\n\n{text_of(asked)}", To=str(asked["Reply-To"]))
        assert at.people() == {ANN: ApplicantState.SIGNED}
