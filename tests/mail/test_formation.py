"""Parlement 1968 by mail: a Government is formed letter by letter (house rules 3 and 4)."""

import re
from datetime import timedelta

import pytest

from pbem.games.frame.length import Days
from pbem.periods import claims
from pbem.referee.acts import clock_acts
from tests.installation import Installation, text_of
from tests.subjects import subjects

GOVERNMENT = """GOVERNMENT PREMIER Soc E5, FOREIGN Ctr N1, FINANCE Mon S6, JUSTICE Rad E7, DEFENSE Soc E6,
  AGRICULTURE Rad E8, EDUCATION Ctr W1, WELFARE Mon S7; ENDORSED BY Con-Nor, Soc-Cap, Rad-Wes, Mon-Nor"""


pytestmark = pytest.mark.game("parlement-1968")


def test_formation_has_no_deadline_and_is_reported_weekly(at: Installation) -> None:
    assert at.table().period.due is None
    at.later(days=7)
    assert "Nobody has signed a proposal." in at.newest("Com")
    at.once()
    assert subjects(at, "Com").count("[g] Progress report, period 1") == 1
    at.later(days=7)
    assert subjects(at, "Com").count("[g] Progress report, period 1") == 2


def test_the_parties_named_see_the_proposal_the_others_only_who_signed(at: Installation) -> None:
    before = {seat: len(at.mails(seat)) for seat in ("Ctr", "Com")}
    at.send("Soc", GOVERNMENT)
    assert any("E5" in text_of(mail) for mail in at.mails("Ctr")[before["Ctr"] :])
    assert not any("E5" in text_of(mail) for mail in at.mails("Com")[before["Com"] :])
    at.later(days=7)
    report = " ".join(at.newest("Com").split())
    assert "Proposal 1: " in report and "Signed: Soc." in report
    assert "Soc E5" not in report and "names your" not in report


def test_five_days_run_when_all_have_signed_and_stop_when_one_withdraws(at: Installation) -> None:
    at.send("Soc", GOVERNMENT)
    at.send_each(("Rad", "Ctr", "Con"), "SIGN GOVERNMENT 1")
    assert at.table().period.due is None
    at.send("Mon", "SIGN GOVERNMENT 1")
    due = at.table().period.due
    assert due is not None and timedelta(days=5) < due - at.clock < timedelta(days=6)
    assert "house rule 4: 5 days" in " ".join(
        " ".join(text_of(mail) for mail in at.mails("Com")).split()
    )
    at.clock += timedelta(days=2)
    at.send("Con", "WITHDRAW GOVERNMENT 1")
    assert at.table().period.due is None
    at.send("Con", "SIGN GOVERNMENT 1")
    assert at.table().period.due > due
    at.to_deadline()
    assert at.table().period.number == 2 and at.table().period.phase == "program"
    assert at.view()["government"]["premier"] == "Soc E5"


def receipt(at: Installation, seat: str, text: str) -> str:
    at.send(seat, text)
    found = [text_of(mail) for mail in at.mails(seat) if "Receipt" in text_of(mail)]
    return " ".join(found[-1].split())


def test_only_a_proposal_that_names_its_writer_is_signed(at: Installation) -> None:
    told = receipt(at, "Con", "SIGN GOVERNMENT 1")
    assert "Proposal 1 does not name Con." in told and "[R1]" in told
    assert "No orders of yours stand" in told
    receipt(at, "Soc", GOVERNMENT)
    unnamed = receipt(at, "Com", "SIGN GOVERNMENT 1")
    never = receipt(at, "Nat", "SIGN GOVERNMENT 9")
    assert "Proposal 1 does not name Com." in unnamed and "Proposal 9 does not name Nat." in never
    assert "you are named in: none so far" in unnamed and "you are named in: none so far" in never
    assert "You sign proposal 1 for Con-Nor" in receipt(at, "Con", "SIGN GOVERNMENT 1")


def test_a_receipt_tells_the_number_and_reckons_with_what_has_come_since(at: Installation) -> None:
    told = receipt(at, "Soc", GOVERNMENT)
    support = "If all it names sign, 30 members stand behind it: 26 are needed."
    assert f"Your proposal is number 1. {support}" in told
    assert "[+] SIGN GOVERNMENT MINE FOR CAP, EAS" in told
    full = receipt(at, "Soc", "ORDERS")
    assert f"{support} It takes the signatures of Rad, Ctr, Con and Mon too" in full
    assert "You sign it by proposing it, for Soc-Eas and Soc-Cap" in full
    copy = " ".join(at.newest("Ctr").split())
    assert "named here; Soc (Player Soc), whose proposal it is, has." in copy
    assert "If all named here sign, 30 members stand behind it: 26 are needed." in copy
    at.send("Con", "EXPEL NOR")
    public = " ".join(at.newest("Nat").split())
    assert "names Con-Nor or one of them can no longer take office" in public
    told = receipt(at, "Soc", GOVERNMENT.replace("Soc E5", "Soc E6"))
    assert "There is no faction Con-Nor." in told and "[3.3]" in told
    told = receipt(at, "Nat", GOVERNMENT.replace("Con-Nor, ", ""))
    assert "It names no faction of yours, so you do not sign it." in told
    assert "Your proposal is number" not in told


def test_a_dead_proposal_is_told_to_the_parties_it_names_alone(at: Installation) -> None:
    """Issue: CHECK said of a dead one that it depended on others, and parties signed it for weeks."""
    receipt(at, "Soc", GOVERNMENT)
    before = {seat: len(at.mails(seat)) for seat in at.table().seats}
    at.send("Ctr", "EXPEL NOR")
    told = {
        seat: any("can never take office" in text_of(one) for one in at.mails(seat)[before[seat] :])
        for seat in before
    }
    assert told == dict.fromkeys(("Soc", "Rad", "Ctr", "Con", "Mon"), True) | {
        "Com": False,
        "Nat": False,
    }
    refused = receipt(at, "Con", "CHECK\nSIGN GOVERNMENT 1")
    assert "Proposal 1 can never take office: N1 has no member of Ctr any more." in refused
    assert "depends on others" not in refused.split("What others pay")[0]
    status = receipt(at, "Con", "STATUS")
    assert "* Proposal 1 can never take office: N1 has no member of Ctr any more." in status
    assert "Who sits where: Party Districts" in status and "Ind-K N1-N2" in status
    at.later(days=7)
    assert "Con (Player Con) and Mon (Player Mon). Signed: Soc." in " ".join(
        at.newest("Com").split()
    )
    own = " ".join(at.newest("Con").split())
    assert "Nobody has signed a proposal that can take office. * Proposal 1 can never" in own
    assert "If there is no Government after 60 days (7 have gone)" in own and "Ind-K N1-N2" in own


def test_after_sixty_days_without_a_government_the_day_is_kept(at: Installation) -> None:
    for days in (7, 14, 21, 28, 35, 42, 49, 56):
        at.later(days=7)
        assert f"({days} have gone)" in " ".join(at.newest("Com").split())
    at.later(days=3, hours=23)
    assert at.table().period.phase == "formation"
    at.later(hours=2)
    assert at.table().period.phase == "budget"
    told = " ".join(" ".join(text_of(one) for one in at.mails("Com")).split())
    assert "After 60 days without a Government" in told
    assert subjects(at, "Com").count("[g] Progress report, period 1") == 8


def test_a_proposal_takes_the_place_of_pass(at: Installation) -> None:
    assert "[+] PASS" in receipt(at, "Soc", "PASS")
    assert "[-] PASS - taken back" in receipt(at, "Soc", GOVERNMENT)
    assert "PASS" not in at.standing("Soc")


def offered(at: Installation) -> str:
    """The code of the offer to whoever stands by."""
    text = mail(at, "Will you play M?", flat=False)
    return re.findall(r"(?m)^ +CONFIRM (\S+)", text)[0]


def mail(at: Installation, subject: str, *, flat: bool = True) -> str:
    """What a mail to him says."""
    text = next(text_of(one) for one in at.mails("new") if subject in str(one["Subject"]))
    return " ".join(text.split()) if flat else text


@pytest.mark.game("parlement-1966", strangers=("new@legit.example",))
def test_a_missing_list_gets_a_second_letter_a_week_and_a_stand_by_player(at: Installation) -> None:

    at.act(claims.enlist, "g", "new@legit.example", "Nora New")
    at.write("S", "GOVERNMENT PREMIER S, FOREIGN R, DEFENSE S, FINANCE R\nCALL ELECTION")
    at.write("R", "JOIN S")
    at.send("L", "ENDORSE S")
    at.to_deadline()
    at.send_each("SRLC", "CANDIDATES NONE")
    due = at.table().period.due
    at.clock = due - timedelta(days=4, hours=20)
    at.once()
    assert "Reminder" in subjects(at, "M")[-1] and "Reminder" not in subjects(at, "S")[-1]
    at.clock = due
    at.once()
    assert at.table().period.due - due == timedelta(days=7)
    assert "[g] Your list of candidates is missing" in subjects(at, "M")
    at.clock = at.table().period.due
    at.once()
    assert "[g] Will you play M?" in subjects(at, "new")
    assert at.table().period.due - due == timedelta(days=14)
    at.post(at.letter("new@legit.example", f"CONFIRM {offered(at)}"))
    at.once()
    assert "It waits for your candidate list." in mail(at, "[g] The seat is yours")
    at.post(at.letter("new@legit.example", "CANDIDATES 1-3"))
    at.once()
    at.once(60)
    assert at.table().period.phase == "session"  # an hour for a change
    at.once()
    assert at.table().period.phase == "primary"


def test_the_gamesmaster_moves_the_five_days_but_no_deadline_that_is_not_there(
    at: Installation,
) -> None:
    from pbem.errors import OperatorError
    from pbem.periods import deadline_acts
    from pbem.store.engine.database import exclusive_transaction

    with (
        exclusive_transaction(at.daemon.engine) as conn,
        pytest.raises(OperatorError, match="has no deadline to move"),
    ):
        deadline_acts.extend(at.work(conn), "g", 1, Days(3), "the mail is slow")
    at.send("Soc", GOVERNMENT)
    at.send_each(("Rad", "Ctr", "Con", "Mon"), "SIGN GOVERNMENT 1")
    due = at.table().period.due
    with exclusive_transaction(at.daemon.engine) as conn:
        deadline_acts.extend(at.work(conn), "g", 1, Days(3), "the mail is slow")
        first, last = (due + timedelta(days=2)).date(), (due + timedelta(days=4)).date()
        clock_acts.pause(at.work(conn), "g", 1, first.isoformat(), last.isoformat(), "a feast")
    at.once()
    later = at.table().period.due
    assert later > due + timedelta(days=3)
    assert "the mail is slow" in " ".join(at.newest("Com").split())
    at.clock = due + timedelta(hours=1)
    at.once()
    assert at.table().period.number == 1, "the five days were moved"
    at.send("Con", "WITHDRAW GOVERNMENT 1")
    assert at.table().period.due is None
    at.clock = later + timedelta(days=8)
    at.once()
    assert at.table().period.number == 1 and "Progress report" in subjects(at, "Com")[-1]
    at.send("Con", "SIGN GOVERNMENT 1")
    assert timedelta(days=5) < at.table().period.due - at.clock < timedelta(days=6)
    at.to_deadline()
    assert at.table().period.phase == "program"
