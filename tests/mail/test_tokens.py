"""Legislation: a token on a card goes out to everybody as it is laid (3.7)."""

from __future__ import annotations

from pathlib import Path

from tests.installation import Installation, subjects, text_of

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
        at.write("P2", "CHECK\nTOKEN HEART+ FOR")
        at.once()
        assert tokens(at, "P1") == [], "a trial lays none"
        at.write("P2", "TOKEN HEART+ FOR\nVOTE AYE ON B1")
        at.once()
        assert tokens(at, "P1") == tokens(at, "P3") == ["[g] P2 lays a token for HEART+"]
        assert tokens(at, "P2") == []
        told = text_of(at.mails("P1")[-1])
        assert "P2 lays a token for HEART+. [3.7]" in told and "AYE" not in told
        at.write("P2", "TOKEN HEART+ FOR\nVOTE NAY ON B1")
        at.once()
        assert len(tokens(at, "P1")) == 1, "nothing has changed on the table"
        at.write("P2", "TOKEN HEART+ AGAINST\nTOKEN STAR- FOR")
        at.once()
        at.write("P2", "CANCEL TOKEN STAR-")
        at.once()
        at.write("P2", "TOKEN STAR- FOR")
        at.once()
        assert tokens(at, "P3")[1:] == [
            "[g] P2 lays a token against HEART+ and lays a token for STAR-",
            "[g] P2 takes back the token on STAR-",
            "[g] P2 lays a token for STAR-",
        ]
        at.to_deadline()
        assert "* P2: against HEART+, for STAR-" in at.newest("P1") or any(
            "* P2: against HEART+, for STAR-" in text_of(one) for one in at.mails("P1")
        )


def test_with_deadline_a_token_waits_for_the_bulletin(tmp_path: Path) -> None:
    with playing(tmp_path, TOKENS="DEADLINE") as at:
        at.start()
        at.write("P2", "TOKEN HEART+ FOR")
        at.once()
        assert tokens(at, "P1") == []
        at.to_deadline()
        assert any("* P2: for HEART+" in text_of(one) for one in at.mails("P1"))
