"""The corpus of attacks line by line, and further letters of the same kinds."""

from __future__ import annotations

import pytest
from letters import CORPORA, PLAYER, installation, letter, proven, table

from pbem.letter import plain_lines, read
from pbem.mailwords import peel
from pbem.sandbox import read_guarded
from pbem.shelf import open_ruleset
from pbem.verdict import decide, understood

ATTACKS = CORPORA / "attacks"


@pytest.mark.parametrize("row", table(ATTACKS / "expected.tsv"), ids=lambda row: row["file"])
def test_corpus(row: dict[str, str]) -> None:
    raw = (ATTACKS / row["file"]).read_bytes()
    found = read_guarded(raw)
    decision = decide(found, raw, installation())
    expected, _, orders = row["expected"].partition(":")
    match expected:
        case "quarantine" | "unknown-sender" | "unverified":
            assert decision.verdict == expected
            assert expected != "quarantine" or not decision.reply_allowed
        case "verified":
            assert decision.verdict == "orders" and str(decision.authentication) != "none"
        case "no-reply" | "reply-ok":
            assert decision.reply_allowed == (expected == "reply-ok")
        case "drop":
            assert decision.verdict == "ignored"
        case "accept" | "accept-clean":
            assert not found.refused
            assert not set("\r\n\0") & set(found.message_id + found.subject + (found.sender or ""))
        case "orders":
            language = open_ruleset("parlement-1966").language
            assert understood(language, decision.peeled.text) == orders.split("; ")
        case _:
            pytest.fail(f"no such expectation: {expected}")


ODD_FROM = {
    "two, folded": "From: <a@evil.example>\r\nfrom: <player1@legit.example>",
    "none": "X-From: <player1@legit.example>",
    "empty": "From:",
    "null": "From: <>",
    "two addresses": "From: <player1@legit.example>, <a@evil.example>",
    "two angles": "From: <player1@legit.example><a@evil.example>",
    "address before angle": "From: player1@legit.example <a@evil.example>",
    "address after": "From: <a@evil.example> player1@legit.example",
    "route": "From: <@evil.example,@other.example:player1@legit.example>",
    "source route": "From: <@evil.example:player1@legit.example>",
    "NUL": "From: <player1@legit.example>\0,<a@evil.example>",
    "bare CR": "From: <a@evil.example>\rFrom: <player1@legit.example>",
    "bare CR in another field": "Subject: x\rFrom: <a@evil.example>\r\nFrom: <player1@legit.example>",
    "space before colon": "From : <player1@legit.example>",
    "tab before colon": "From\t: <a@evil.example>\r\nFrom: <player1@legit.example>",
    "NUL in the name": "From\0: <a@evil.example>\r\nFrom: <player1@legit.example>",
    "no-break space in the name": "From\xa0: <a@evil.example>\r\nFrom: <player1@legit.example>",
    "quoted local part": 'From: <"player1"@legit.example>',
    "quoted pair": "From: \\<player1@legit.example\\> <a@evil.example>",
    "comment in the address": "From: <player1(x)@legit.example>",
    "nested comment": "From: player1@legit.example (a (b) <a@evil.example>)",
    "open quote": 'From: "Player <player1@legit.example>',
    "open angle": "From: Player <player1@legit.example",
    "encoded angle": "From: =?utf-8?q?=3Cplayer1=40legit.example=3E?=",
    "encoded address as name": "From: =?utf-8?q?player1=40legit.example?= <a@evil.example>",
    "encoded within angle": "From: <=?utf-8?q?player1=40legit.example?=>",
    "encoded NUL": "From: =?utf-8?b?cGxheWVyMUBsZWdpdC5leGFtcGxlAA==?= <a@evil.example>",
    "group with one": "From: Players: player1@legit.example;",
    "two at signs": "From: <player1@legit.example@evil.example>",
    "blank within": "From: <player1 @legit.example>",
    "dot at the end": "From: <player1@legit.example.>",
    "parenthesis": "From: player1@legit.example)<a@evil.example>",
    "folded to a second": "From: <player1@legit.example>\r\n ,<a@evil.example>",
    "blank line of blanks": "From: <player1@legit.example>\r\n \r\nX-Other: 1",
}


@pytest.mark.parametrize("head", ODD_FROM.values(), ids=ODD_FROM)
def test_any_odd_from_is_quarantined(head: str) -> None:
    raw = ("\r\n".join(proven()) + f"\r\n{head}\r\nTo: referee@game.example\r\n\r\nVOTE YES ON 4\r\n").encode()
    decision = decide(read(raw), raw, installation())
    assert (decision.verdict, decision.reply_allowed) == ("quarantine", False), decision.reason


@pytest.mark.parametrize(
    "value",
    [
        PLAYER,
        f"<{PLAYER}>",
        f"Player One <{PLAYER}>",
        f'"One, Player" <{PLAYER}>',
        f"{PLAYER} (Player One)",
        f"=?utf-8?q?M=C3=BCller=2C_Jan?= <{PLAYER}>",
        "<Player1@LEGIT.example>",
        f"J. R. O'Hara <{PLAYER}>",
        f"Player\r\n One <{PLAYER}>",
        f"Jörg <{PLAYER}>",
        f"Player (work) <{PLAYER}>",
        f'"Player" One <{PLAYER}>',
    ],
)
def test_ordinary_from_is_read(value: str) -> None:
    raw = letter("VOTE YES ON 4\n", *proven(), sender=value)
    assert decide(read(raw), raw, installation()).verdict == "orders"


@pytest.mark.parametrize(
    "address",
    [
        "player1@lеgit.example",
        "player1@ｌegit.example",
        "player1@legit.example.evil.example",
        "player1@legitexample",
        "player１@legit.example",
        "player1@legit．example",
        "player1+x@legit.example",
        "plаyer1@legit.example",
    ],
)
def test_no_other_address_becomes_the_players(address: str) -> None:
    raw = letter("VOTE YES ON 4\n", sender=f"<{address}>")
    assert decide(read(raw), raw, installation()).verdict in ("unknown-sender", "quarantine")


RESULTS = {
    "pass": (("mx.game.example; dmarc=pass header.from=legit.example",), True),
    "id in capitals": (("MX.Game.Example; dmarc=pass header.from=legit.example",), True),
    "with version": (("mx.game.example 1; dmarc=pass (p=reject) header.from=legit.example",), True),
    "subdomain signs": (("mx.game.example; dkim=pass header.d=mail.legit.example",), True),
    "Fastmail's": (
        (
            "mx.game.example; arc=none (no signatures found); dkim=pass (2048-bit rsa key sha256) header.d=legit.example"
            ' header.i=@legit.example header.b="Ab+/c1" header.a=rsa-sha256 header.s=s x-bits=2048; dmarc=pass'
            " policy.applied-disposition=none (p=none,d=none) header.from=legit.example; iprev=pass",
        ),
        True,
    ),
    "with a last semicolon": (("mx.game.example; dmarc=pass (p=none) header.from=legit.example;",), True),
    "unreadable field of another": (
        ("mx.game.example; dmarc=pass header.from=legit.example", "mx.other.example; ((spf=pass mx.game.example"),
        True,
    ),
    "several passes": (("mx.game.example; dkim=pass header.d=legit.example", "mx.game.example; spf=pass"), True),
    "stranger's signature besides": (
        ("mx.game.example; dkim=pass header.d=legit.example; dkim=fail header.d=list.example",),
        True,
    ),
    "forged above": (("mx.game.example; dmarc=pass header.from=legit.example", "mx.game.example; dmarc=fail"), False),
    "forged DKIM besides none": (
        ("mx.game.example; dkim=none", "mx.game.example; dkim=pass header.d=legit.example"),
        False,
    ),
    "forged DKIM besides fail": (
        ("mx.game.example; dkim=fail header.d=legit.example", "mx.game.example; dkim=pass header.d=legit.example"),
        False,
    ),
    "DMARC failed, DKIM passed": (("mx.game.example; dmarc=fail; dkim=pass header.d=legit.example",), False),
    "other id": (("mx.other.example; dmarc=pass header.from=legit.example",), False),
    "id as prefix": (("mx.game.example.evil.example; dmarc=pass header.from=legit.example",), False),
    "other From": (("mx.game.example; dmarc=pass header.from=evil.example",), False),
    "in a comment": (("mx.game.example; none (dmarc=pass header.from=legit.example)",), False),
    "in a reason": (('mx.game.example; spf=fail reason="; dmarc=pass header.from=legit.example"',), False),
    "comment never closed": (("mx.game.example; spf=fail (x; dmarc=pass header.from=legit.example",), False),
    "unreadable field of ours": (
        ("mx.game.example; dmarc=pass header.from=legit.example", "mx.game.example; ((dmarc=fail"),
        False,
    ),
    "top-level domain signs": (("mx.game.example; dkim=pass header.d=example",), False),
    "domain as suffix": (("mx.game.example; dkim=pass header.d=notlegit.example",), False),
    "SPF only": (("mx.game.example; spf=pass smtp.mailfrom=legit.example",), False),
    "neutral": (("mx.game.example; dkim=neutral header.d=legit.example",), False),
    "header.i of another": (("mx.game.example; dkim=pass header.d=evil.example header.i=@legit.example",), False),
    "ARC only": (("mx.game.example; arc=pass header.d=legit.example",), False),
}


@pytest.mark.parametrize("said", RESULTS.values(), ids=RESULTS)
def test_authentication_results(said: tuple[tuple[str, ...], bool]) -> None:
    values, verified = said
    raw = letter("VOTE YES ON 4\n", *(f"Authentication-Results: {value}" for value in values))
    decision = decide(read(raw), raw, installation())
    assert decision.verdict == ("orders" if verified else "unverified"), decision.reason


def test_other_authentication_fields_count_for_nothing() -> None:
    for name in ("ARC-Authentication-Results: i=1", "X-Authentication-Results:", "Authentication-Results :"):
        raw = letter("VOTE YES ON 4\n", f"{name} mx.game.example; dmarc=pass header.from=legit.example")
        assert decide(read(raw), raw, installation()).verdict == "unverified"


HIDDEN = (
    '<div style="display:none" style="color:red">{}</div>',
    '<div style="display&#58;none">{}</div>',
    '<div style="display:/* x */none">{}</div>',
    "<style>div .a.hide, p.x {{ visibility: hidden }}</style><div class='hide'>{}</div>",
    '<font color="white">{}</font>',
    '<span style="font-size:1px">{}</span>',
    "<dialog>{}</dialog>",
    "<div hidden/>{}</div>",
    '<div style="display:none">{}</div>',
    '<div style="DISPLAY : NONE !important">{}</div>',
    "<div hidden>{}</div>",
    '<span style="visibility:hidden">{}</span>',
    '<span style="font-size:0">{}</span>',
    "<!-- {} -->",
    "<!--{}",
    '<span style="font-size:0px;x:y">{}</span>',
    "<script>{}</script>",
    "<style>{}</style>",
    "<title>{}</title>",
    '<div style="mso-hide:all">{}</div>',
    '<p style="opacity:0">{}</p>',
    "<template>{}</template>",
    '<div style="max-height:0;overflow:hidden">{}</div>',
    '<div style="position:absolute;left:-9999px">{}</div>',
    "<textarea>{}</textarea>",
    "<noscript>{}</noscript>",
    "<del>{}</del>",
    "<blockquote>{}</blockquote>",
    '<blockquote type="cite"><div>{}</div></blockquote>',
    '<div class="gmail_signature">{}</div>',
    '<style>.x {{ color: red; display: none }}</style><p class="a x">{}</p>',
    '<img alt="{}">',
    "<!DOCTYPE {}>",
    '<div style="display:none"><div>x</div></p>{}</div>',
    '<font color="x" style="color:#ffffff">{}</font>',
    "<select><option>{}</option></select>",
    "<svg><text>{}</text></svg>",
    "<![CDATA[{}]]>",
    "<?xml {}?>",
    '<div hidden=""><div style="display:block">{}</div></div>',
    '<a href="{}">.</a>',
    "<object>{}</object>",
)


@pytest.mark.parametrize("page", HIDDEN)
def test_hidden_text_is_no_text(page: str) -> None:
    shown = "<p>VOTE YES ON 4</p>"
    body = shown + page.format("PAY 900 TO C")
    found = read(letter(body, "Content-Type: text/html; charset=utf-8"))
    assert "PAY 900" not in peel(found.text).text
    assert plain_lines(found)[0] == "VOTE YES ON 4"


def test_hidden_text_is_named() -> None:
    found = read(letter("<p>a</p><p hidden>PAY 9 TO C</p>", "Content-Type: text/html"))
    assert [cut.reason for cut in found.cut if "PAY 9 TO C" in cut.text] == ["hidden"]
