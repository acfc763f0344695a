"""Legislation: a token on a card goes out to everybody as it is laid (3.7)."""

from pathlib import Path

from tests.installation import Installation, text_of
from tests.subjects import subjects

THREE = ("P1", "P2", "P3")
DOCKET = {
    "phase": "VOTE",
    "public": {
        "order": list(THREE),
        "session": 1,
        "issues": ["HEART", "STAR", "MOON", "KEY", "SUN", "BELL"],
        "docket": [{"id": "B1", "chair": "P1", "core": ["HEART+", "STAR-"]}],
    },
}


def tokens(at: Installation, seat: str) -> list[str]:
    return [one for one in subjects(at, seat) if "token" in one]


def playing(folder: Path, **options: str) -> Installation:
    return Installation(
        folder, "legislation", seats=THREE, scenario=DOCKET, options={"PERIOD": 3, **options}
    )


def test_a_token_goes_to_all_others_at_once_and_is_no_order_by_itself(tmp_path: Path) -> None:
    with playing(tmp_path) as at:
        at.start()
        at.send("P2", "CHECK\nTOKEN HEART+ FOR")
        assert tokens(at, "P1") == [], "a trial lays none"
        at.send("P2", "TOKEN HEART+ FOR\nVOTE AYE ON B1")
        assert tokens(at, "P1") == tokens(at, "P3") == ["[g] Player P2 lays a token for HEART+"]
        assert tokens(at, "P2") == []
        told = text_of(at.mails("P1")[-1])
        assert "Player P2 lays a token for HEART+. [3.7]" in told and "AYE" not in told
        at.send("P2", "TOKEN HEART+ FOR\nVOTE NAY ON B1")
        assert len(tokens(at, "P1")) == 1, "nothing has changed on the table"
        at.send("P2", "TOKEN HEART+ AGAINST\nTOKEN STAR- FOR")
        at.send("P2", "CANCEL TOKEN STAR-")
        at.send("P2", "TOKEN STAR- FOR")
        assert tokens(at, "P3")[1:] == [
            "[g] Player P2 lays a token against HEART+ and lays a token for STAR-",
            "[g] Player P2 takes back the token on STAR-",
            "[g] Player P2 lays a token for STAR-",
        ]
        at.to_deadline()
        assert "* Player P2: against HEART+, for STAR-" in at.newest("P1") or any(
            "* Player P2: against HEART+, for STAR-" in text_of(one) for one in at.mails("P1")
        )


def test_status_and_the_notice_say_how_the_tokens_lie(tmp_path: Path) -> None:
    scenario = {**DOCKET, "phase": "AMEND", "public": {**DOCKET["public"], "session": 2}}
    with Installation(
        tmp_path, "legislation", seats=THREE, scenario=scenario, options={"PERIOD": 3}
    ) as at:
        at.start()
        at.send("P1", "STATUS")
        assert "How the tokens lie" not in at.newest("P1")
        at.write("P2", "TOKEN HEART+ FOR\nTOKEN STAR- AGAINST")
        at.write("P3", "STANDING VOTE NAY\nVOTE AYE IF HEART+")
        at.send("P1", "STATUS")
        told = at.newest("P1")
        assert "How the tokens lie" in told and "* Player P2: for HEART+, against STAR-" in told
        assert (
            "Player P3:"
            not in told.partition("How the tokens lie")[2].partition("What the period")[0]
        )
        at.to_deadline()
        notice = next(text for text in map(text_of, reversed(at.mails("P1"))) if "alone" in text)
        assert "* Player P2: for HEART+, against STAR-" in notice
        at.write("P2", "TOKEN HEART+ AGAINST")
        at.send("P1", "STATUS")
        assert "* Player P2: against HEART+, against STAR-" in at.newest("P1"), "the last one lies"


def test_with_deadline_status_tells_no_token(tmp_path: Path) -> None:
    with playing(tmp_path, TOKENS="DEADLINE") as at:
        at.start()
        at.write("P2", "TOKEN HEART+ FOR")
        at.send("P1", "STATUS")
        assert "for HEART+" not in at.newest("P1")


def test_with_deadline_a_token_waits_for_the_bulletin(tmp_path: Path) -> None:
    with playing(tmp_path, TOKENS="DEADLINE") as at:
        at.start()
        at.send("P2", "TOKEN HEART+ FOR")
        assert tokens(at, "P1") == []
        at.to_deadline()
        assert any("* Player P2: for HEART+" in text_of(one) for one in at.mails("P1"))
