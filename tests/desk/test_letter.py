"""A letter on the desk: what came and how it was decided, what can be done; and nothing of it runs,
whatever is in it."""

from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from sqlalchemy import insert, update

from pbem.referee.gamesmaster import explaining
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Letter, Outgoing
from tests.desk.looking import looked
from tests.desk.visitor import Visitor
from tests.installation import GAMESMASTER, Installation, address, desk

CORPORA = Path(__file__).parent.parent / "corpora"
SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(1)>'\"&{{ 71*73*79 }}</pre></details>"
PAGE = (
    "<html><head><meta http-equiv=refresh content='0;url=http://evil.example/'></head><body>"
    "<p>SPECIAL AGR</p><p style='display:none'>SPECIAL JUS</p><script>alert(1)</script>"
    "<img src='http://evil.example/p.png'><a href='http://evil.example/' target=_top>é</a></body>"
)


def of_page(at: Installation) -> bytes:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = address("A"), "referee@game.example", "orders"
    mail["Message-ID"] = "<page@legit.example>"
    mail.set_content(PAGE, subtype="html", charset="iso-8859-1")
    return mail.as_bytes()


def classes(visitor: Visitor) -> list[tuple[str, str]]:
    """Each line of the letter that says anything, with what it is marked as."""
    lines = visitor.find("ol.lines li")
    found = [(one.css_first(".said").text().strip(), one.attributes["class"]) for one in lines]
    return [(text, str(mark)) for text, mark in found if text]


def test_what_was_read_is_marked_and_what_was_cut_is_shown(at: Installation) -> None:
    text = "Dear referee,\nspecial agr\nSPECIAL XYZ\nSTATUS\n\n> SPECIAL JUS\nthanks\n-- \nAnn"
    at.send("A", text)
    visitor = Visitor(at).come_in().get("/letters/1")
    assert visitor.status == 200
    assert classes(visitor) == [
        ("Dear referee,", "nothing"),
        ("special agr", "order"),
        ("SPECIAL XYZ", "refused"),
        ("STATUS", "word"),
        ("thanks", "nothing"),
    ]
    assert "read as SPECIAL AGR" in visitor.words and '"XYZ" is not a ministry' in visitor.words
    cut = [one.text().strip() for one in visitor.find("details.cut pre")]
    assert cut == ["> SPECIAL JUS", "-- \nAnn"]
    headings = [one.text() for one in visitor.find("ol.steps > li > h3")]
    assert headings == [
        *("Who wrote it", "What proves it", "What it is", "For whom"),
        *("Words for the referee and for others", "Orders", "What is on file"),
    ]
    assert visitor.find("ul.orders code")[0].text() == "SPECIAL AGR"
    assert "Receipt 1 of game g" in visitor.find("details.mail pre")[0].text()
    assert not visitor.find("form.act"), "there is nothing to be done with it"


def test_looking_is_journalled_as_in_the_shell(at: Installation) -> None:
    at.post(of_page(at))
    at.once()
    visitor = Visitor(at).come_in().get("/letters/1")
    assert "his look is in the journal: 1 letter opened" in visitor.words and len(looked(at)) == 1
    visitor.get(str(visitor.find("iframe")[0].attributes["src"]))
    assert visitor.status == 200 and len(looked(at)) == 1, "its page is part of the same look"
    with desk(at) as work:
        said = explaining.explain(work, None, 1).look
    assert f"{said[:1].upper()}{said[1:]}." in visitor.get("/letters/1").words
    assert len(looked(at)) == 3


def test_its_page_is_shut_in(at: Installation) -> None:
    at.post(of_page(at))
    at.once()
    visitor = Visitor(at).come_in().get("/letters/1")
    frame = visitor.find("iframe")[0].attributes
    assert "sandbox" in frame and not frame["sandbox"]
    assert classes(visitor) == [("SPECIAL AGR", "order"), ("é", "nothing")]
    assert visitor.find("details.cut pre")[0].text().strip() == "SPECIAL JUS"
    src = str(frame["src"])
    visitor.get(src)
    assert visitor.headers["content-type"] == "text/html; charset=utf-8"
    policy = visitor.headers["content-security-policy"].split("; ")
    assert {"default-src 'none'", "sandbox", "form-action 'none'", "base-uri 'none'"} <= set(policy)
    assert "frame-ancestors 'self'" in policy and not any("script" in one for one in policy)
    assert visitor.headers["x-content-type-options"] == "nosniff" and "é" in visitor.text
    at.clock += timedelta(minutes=21)
    assert visitor.get(src).status == 404, "another look is journalled by opening the letter again"
    assert visitor.get("/letters/1/html").status == 404
    assert Visitor(at).get(src).url.endswith("/enter")


def test_a_letter_of_no_game_is_offered_for_its_writers_seat(at: Installation) -> None:
    at.send("C", "GAME nosuch\nSPECIAL AGR")
    visitor = Visitor(at).come_in().get("/letters/1")
    assert [one.attributes["value"] for one in visitor.find("option[selected]")] == ["C"]


def test_a_letter_is_accepted_for_another_seat(at: Installation) -> None:
    with exclusive_transaction(at.daemon.engine) as conn:
        player = "(SELECT player_id FROM seat WHERE seat = 'B')"
        conn.exec_driver_sql(f"UPDATE seat SET player_id = {player} WHERE seat = 'C'")
    at.send("B", "SPECIAL AGR")
    visitor = Visitor(at).come_in().get("/letters/1")
    assert "It waits for you. It does not say for which game or seat" in visitor.words
    with pytest.raises(AssertionError, match="no button"):
        visitor.press("Accept: it counts, on your word")
    visitor.press("See what it would do", seat="C")
    assert "takes letter 1 for C in game g, period 1" in visitor.words, visitor.words
    visitor.press("Do it")
    assert "Done" in visitor.words
    at.once()
    assert at.standing("C") == ["SPECIAL AGR"]
    visitor.get("/letters/1")
    assert "for C in g, period 1" in visitor.words
    assert "for the seat and the period that they said" in visitor.words


@pytest.mark.game("coalition", trust="proven")
def test_codes_and_secret_addresses_are_not_shown(at: Installation) -> None:
    at.once()
    at.write("A", "SPECIAL AGR")
    secret = str(at.mails("B")[-1]["Reply-To"])
    at.send("B", "SPECIAL AGR", To=secret)
    visitor = Visitor(at).come_in().get("/letters/1")
    challenge = visitor.find("details.mail pre")[0].text()
    assert "CONFIRM ..." in challenge and "for proof" in visitor.words
    visitor.get("/letters/2")
    token = secret.partition("+")[2].partition("@")[0]
    assert token and token not in visitor.text and "referee+...@game.example" in visitor.words


def test_who_may_see_it(at: Installation) -> None:
    at.send("A", "SPECIAL AGR")
    visitor = Visitor(at).come_in()
    for path in ("/letters/2", "/letters/x", "/letters/-1", "/letters/99999999999"):
        assert visitor.get(path).status == 404, path
    with exclusive_transaction(at.daemon.engine) as conn:
        conn.exec_driver_sql("UPDATE game SET gamesmaster = 'ann@gm.example'")
    assert Visitor(at).come_in("ann@gm.example").get("/letters/1").status == 200
    assert Visitor(at).come_in(GAMESMASTER).get("/letters/1").status == 404
    with exclusive_transaction(at.daemon.engine) as conn:
        conn.exec_driver_sql(
            f"UPDATE address SET address = 'ann@gm.example' WHERE address = '{address('B')}'"
        )
    seen = len(looked(at))
    assert Visitor(at).come_in("ann@gm.example").get("/letters/1").status == 404
    assert len(looked(at)) == seen


def test_what_is_left_of_a_purged_letter(at: Installation) -> None:
    at.send("A", "SPECIAL AGR")
    with exclusive_transaction(at.daemon.engine) as conn:
        conn.execute(update(Letter).values(raw=None))
    visitor = Visitor(at).come_in().get("/letters/1")
    assert visitor.status == 200 and "Its text is not kept any more" in visitor.words
    assert "Receipt 1 of game g" in visitor.words and not visitor.find("iframe")


def test_what_is_left_of_a_purged_answer(at: Installation) -> None:
    at.send("A", "SPECIAL AGR")
    with exclusive_transaction(at.daemon.engine) as conn:
        conn.execute(update(Outgoing).values(raw=b""))
    visitor = Visitor(at).come_in().get("/letters/1")
    summaries = [one.text() for one in visitor.find("details.mail summary")]
    assert summaries == ["(not kept any more)"] and not visitor.find("details.mail pre")


# --- nothing of it runs ---------------------------------------------------------------------------


def is_harmless(visitor: Visitor) -> None:
    """Our own script is the only one, and nothing else could run."""
    assert visitor.status == 200, visitor.words
    scripts = [one.attributes for one in visitor.find("script")]
    assert [(one.get("src"), one.keys() >= {"defer"}) for one in scripts] == [
        ("/static/htmx.min.js", True)
    ]
    for node in visitor.find("*"):
        for name, value in node.attributes.items():
            assert not name.startswith(("on", "hx-", "data-hx")) or node.tag == "body", (
                name,
                value,
            )
            assert name != "style", value
            if name in ("href", "src", "action"):
                assert str(value).startswith(("/", "#")), value
    assert not visitor.find("img, object, embed, base, style, svg, math")
    assert all(one.attributes.get("sandbox") in (None, "") for one in visitor.find("iframe"))
    assert "script-src 'self'" in visitor.headers["content-security-policy"]


def test_scripts_in_every_field_run_nothing(at: Installation) -> None:
    """As a letter that is read; as columns of its row; and in what a game calls its seats."""
    raw = at.letter(
        "A", f"SPECIAL AGR\nNAME {SCRIPT}\nGAME {SCRIPT}\nSTATUS {SCRIPT}\n> {SCRIPT}\n"
    )
    mail = (
        raw.replace(b"Subject: orders", f"Subject: {SCRIPT}".encode())
        .replace(b"From: a@legit.example", f'From: "{SCRIPT[:40]}" <a@legit.example>'.encode())
        .replace(b"Message-ID: <", b"Message-ID: <<img/src=x/onerror=alert(1)>")
        .replace(
            b"Date:", f"Reply-To: {SCRIPT}\nIn-Reply-To: {SCRIPT}\nCc: {SCRIPT}\nDate:".encode()
        )
    )
    with exclusive_transaction(at.daemon.engine) as conn:
        row = stored(mail, 1) | {"game_id": "g", "seat": "A", "reason": SCRIPT, "sender": SCRIPT}
        conn.execute(insert(Letter).values(**row))
        conn.execute(insert(Letter).values(**stored(files(), 2)))
        conn.exec_driver_sql("UPDATE player SET name = ?", (SCRIPT[:80],))
    visitor = Visitor(at).come_in()
    for number in (1, 2):
        visitor.get(f"/letters/{number}")
        is_harmless(visitor)
        assert "<script>alert(1)</script>" in visitor.words
        assert "{{ 71*73*79 }}" in visitor.words
        assert str(71 * 73 * 79) not in visitor.find("#main")[0].text()


def stored(raw: bytes, uid: int) -> dict[str, object]:
    """A row of a letter that waits."""
    now = datetime.now(UTC)
    return {
        **{"account": "a", "folder": "INBOX", "uidvalidity": 1, "uid": uid, "received": now},
        **{"seen": now, "raw": raw, "raw_hash": str(uid), "outcome": "held", "decided": now},
    }


def files() -> bytes:
    """A letter whose attached files are called so."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = address("A"), "referee@game.example", "orders"
    mail.set_content("see the files")
    for kind in ("plain", "x-unknown"):
        mail.add_attachment(SCRIPT, subtype=kind, filename=f"{SCRIPT}.txt")
    mail.add_attachment(b"x", maintype="application", subtype="zip", filename=f"{SCRIPT}.zip")
    return mail.as_bytes()


@pytest.mark.parametrize("folder", sorted(one.name for one in CORPORA.iterdir() if one.is_dir()))
def test_letters_of_the_world_make_pages(at: Installation, folder: str) -> None:
    letters = sorted((CORPORA / folder).rglob("*.eml"))
    with exclusive_transaction(at.daemon.engine) as conn:
        for uid, file in enumerate(letters, 1):
            conn.execute(insert(Letter).values(**stored(file.read_bytes(), uid)))
    visitor = Visitor(at).come_in()
    for uid in range(1, len(letters) + 1):
        is_harmless(visitor.get(f"/letters/{uid}"))
        if frame := visitor.find("iframe"):
            assert visitor.get(str(frame[0].attributes["src"])).status == 200
            assert "sandbox" in visitor.headers["content-security-policy"].split("; ")
