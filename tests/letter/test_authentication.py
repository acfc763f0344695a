"""What our own mail server says about a letter, and what a forger would like it to have said."""

import pytest

from pbem.letters.authentication import Level, by_server
from pbem.letters.letter import read
from pbem.letters.verdict import decide
from tests.letter.letters import installation, letter

RESULTS = {
    "pass": (("mx.game.example; dmarc=pass header.from=legit.example",), True),
    "id in capitals": (("MX.Game.Example; dmarc=pass header.from=legit.example",), True),
    "with version": (("mx.game.example 1; dmarc=pass (p=reject) header.from=legit.example",), True),
    "subdomain signs": (("mx.game.example; dkim=pass header.d=mail.legit.example",), True),
    "Fastmail's": (
        (
            (
                "mx.game.example; arc=none (no signatures found); dkim=pass (2048-bit rsa key"
                ' sha256) header.d=legit.example header.i=@legit.example header.b="Ab+/c1"'
                " header.a=rsa-sha256 header.s=s x-bits=2048; dmarc=pass"
                " policy.applied-disposition=none (p=none,d=none) header.from=legit.example;"
                " iprev=pass"
            ),
        ),
        True,
    ),
    "with a last semicolon": (
        ("mx.game.example; dmarc=pass (p=none) header.from=legit.example;",),
        True,
    ),
    "unreadable field of another": (
        (
            "mx.game.example; dmarc=pass header.from=legit.example",
            "mx.other.example; ((spf=pass mx.game.example",
        ),
        True,
    ),
    "several passes": (
        ("mx.game.example; dkim=pass header.d=legit.example", "mx.game.example; spf=pass"),
        True,
    ),
    "stranger's signature besides": (
        ("mx.game.example; dkim=pass header.d=legit.example; dkim=fail header.d=list.example",),
        True,
    ),
    "forged above": (
        ("mx.game.example; dmarc=pass header.from=legit.example", "mx.game.example; dmarc=fail"),
        False,
    ),
    "forged DKIM besides none": (
        ("mx.game.example; dkim=none", "mx.game.example; dkim=pass header.d=legit.example"),
        False,
    ),
    "forged DKIM besides fail": (
        (
            "mx.game.example; dkim=fail header.d=legit.example",
            "mx.game.example; dkim=pass header.d=legit.example",
        ),
        False,
    ),
    "DMARC failed, DKIM passed": (
        ("mx.game.example; dmarc=fail; dkim=pass header.d=legit.example",),
        False,
    ),
    "other id": (("mx.other.example; dmarc=pass header.from=legit.example",), False),
    "id as prefix": (
        ("mx.game.example.evil.example; dmarc=pass header.from=legit.example",),
        False,
    ),
    "other From": (("mx.game.example; dmarc=pass header.from=evil.example",), False),
    "in a comment": (("mx.game.example; none (dmarc=pass header.from=legit.example)",), False),
    "in a reason": (
        ('mx.game.example; spf=fail reason="; dmarc=pass header.from=legit.example"',),
        False,
    ),
    "comment never closed": (
        ("mx.game.example; spf=fail (x; dmarc=pass header.from=legit.example",),
        False,
    ),
    "unreadable field of ours": (
        ("mx.game.example; dmarc=pass header.from=legit.example", "mx.game.example; ((dmarc=fail"),
        False,
    ),
    "top-level domain signs": (("mx.game.example; dkim=pass header.d=example",), False),
    "domain as suffix": (("mx.game.example; dkim=pass header.d=notlegit.example",), False),
    "SPF only": (("mx.game.example; spf=pass smtp.mailfrom=legit.example",), False),
    "neutral": (("mx.game.example; dkim=neutral header.d=legit.example",), False),
    "header.i of another": (
        ("mx.game.example; dkim=pass header.d=evil.example header.i=@legit.example",),
        False,
    ),
    "ARC only": (("mx.game.example; arc=pass header.d=legit.example",), False),
    "forged DMARC besides nothing": (
        ("mx.game.example; none", "mx.game.example; dmarc=pass header.from=legit.example"),
        False,
    ),
    "forged DMARC besides nothing, the other way round": (
        ("mx.game.example; dmarc=pass header.from=legit.example", "mx.game.example; none"),
        False,
    ),
    "forged DMARC besides failures": (
        (
            (
                "mx.game.example; dkim=fail header.d=legit.example; spf=fail"
                " smtp.mailfrom=evil.example"
            ),
            "mx.game.example; dmarc=pass header.from=legit.example",
        ),
        False,
    ),
    "forged DMARC besides failures, the other way round": (
        (
            "mx.game.example; dmarc=pass header.from=legit.example",
            (
                "mx.game.example; dkim=fail header.d=legit.example; spf=fail"
                " smtp.mailfrom=evil.example"
            ),
        ),
        False,
    ),
    "forged DMARC besides two nones": (
        (
            "mx.game.example; dkim=none; spf=none smtp.mailfrom=evil.example",
            "mx.game.example; dmarc=pass header.from=legit.example",
        ),
        False,
    ),
    "forged DMARC besides two nones, the other way round": (
        (
            "mx.game.example; dmarc=pass header.from=legit.example",
            "mx.game.example; dkim=none; spf=none smtp.mailfrom=evil.example",
        ),
        False,
    ),
    "forged DMARC besides unsigned": (
        ("mx.game.example; dkim=none", "mx.game.example; dmarc=pass header.from=legit.example"),
        False,
    ),
    "forged DMARC besides unsigned, the other way round": (
        ("mx.game.example; dmarc=pass header.from=legit.example", "mx.game.example; dkim=none"),
        False,
    ),
    "forged DMARC besides SPF fail": (
        (
            "mx.game.example; spf=fail smtp.mailfrom=evil.example",
            "mx.game.example; dmarc=pass header.from=legit.example",
        ),
        False,
    ),
    "forged DMARC besides SPF fail, the other way round": (
        (
            "mx.game.example; dmarc=pass header.from=legit.example",
            "mx.game.example; spf=fail smtp.mailfrom=evil.example",
        ),
        False,
    ),
    "forged DMARC besides a stranger's passes": (
        (
            (
                "mx.game.example; dkim=pass header.d=evil.example; spf=pass"
                " smtp.mailfrom=x@evil.example"
            ),
            "mx.game.example; dmarc=pass header.from=legit.example",
        ),
        False,
    ),
    "forged DMARC besides a stranger's passes, the other way round": (
        (
            "mx.game.example; dmarc=pass header.from=legit.example",
            (
                "mx.game.example; dkim=pass header.d=evil.example; spf=pass"
                " smtp.mailfrom=x@evil.example"
            ),
        ),
        False,
    ),
    "forged DMARC besides SPF of nobody": (
        ("mx.game.example; spf=pass", "mx.game.example; dmarc=pass header.from=legit.example"),
        False,
    ),
    "forged DMARC besides SPF of nobody, the other way round": (
        ("mx.game.example; dmarc=pass header.from=legit.example", "mx.game.example; spf=pass"),
        False,
    ),
    "DMARC by SPF": (
        (
            "mx.game.example; dkim=none; spf=pass smtp.mailfrom=player1@legit.example",
            "mx.game.example; dmarc=pass header.from=legit.example",
        ),
        True,
    ),
    "DMARC by SPF, the other way round": (
        (
            "mx.game.example; dmarc=pass header.from=legit.example",
            "mx.game.example; dkim=none; spf=pass smtp.mailfrom=player1@legit.example",
        ),
        True,
    ),
    "DMARC by DKIM, forwarded": (
        (
            "mx.game.example; spf=fail smtp.mailfrom=fwd.example; dkim=pass header.d=legit.example",
            "mx.game.example; dmarc=pass header.from=legit.example",
        ),
        True,
    ),
    "DMARC by DKIM, forwarded, the other way round": (
        (
            "mx.game.example; dmarc=pass header.from=legit.example",
            "mx.game.example; spf=fail smtp.mailfrom=fwd.example; dkim=pass header.d=legit.example",
        ),
        True,
    ),
    "id in quotes": (('"mx.game.example"; dmarc=pass header.from=legit.example',), True),
    "letters in a comment": (
        ("mx.game.example; dmarc=pass (p\xf6licy \u4f60) header.from=legit.example",),
        True,
    ),
    "letters in a reason": (
        ('mx.game.example; dmarc=pass reason="p\xf6licy" header.from=legit.example',),
        True,
    ),
    "nested comments": (
        ("mx.game.example (a (b \\) c) d) 1; dmarc=pass(e(f)) header.from=legit.example",),
        True,
    ),
    "address literal": (
        (
            (
                "mx.game.example; spf=pass smtp.helo=[192.0.2.1] smtp.mailfrom=legit.example;"
                " dmarc=pass header.from=legit.example"
            ),
        ),
        True,
    ),
    "address literal, IPv6": (
        (
            (
                "mx.game.example; spf=none smtp.helo=[IPv6:2001:db8::1]; dkim=pass"
                " header.d=legit.example"
            ),
        ),
        True,
    ),
    "network address": (
        ("mx.game.example; iprev=pass policy.iprev=2001:db8::1; dkim=pass header.d=legit.example",),
        True,
    ),
    "two header.d": (
        ("mx.game.example; dkim=pass header.d=evil.example header.d=legit.example",),
        False,
    ),
    "two header.d, turned round": (
        ("mx.game.example; dkim=pass header.d=legit.example header.d=evil.example",),
        False,
    ),
    "header.i below header.d": (
        ("mx.game.example; dkim=pass header.d=legit.example header.i=@mail.legit.example",),
        True,
    ),
    "header.i of a stranger": (
        ("mx.game.example; dkim=pass header.d=legit.example header.i=@evil.example",),
        False,
    ),
    "header.d that is no domain": (("mx.game.example; dkim=pass header.d=.legit.example",), False),
    "comment in the id's quotes": (
        ('"(mx.game.example"; dmarc=pass header.from=legit.example',),
        False,
    ),
}


@pytest.mark.parametrize("said", RESULTS.values(), ids=RESULTS)
def test_authentication_results(said: tuple[tuple[str, ...], bool]) -> None:
    values, verified = said
    raw = letter("VOTE YES ON 4\n", *(f"Authentication-Results: {value}" for value in values))
    decision = decide(read(raw), raw, installation())
    assert decision.verdict == ("orders" if verified else "unverified"), decision.reason


def test_our_name_is_compared_letter_by_letter() -> None:
    said = read(
        letter(
            "x\n",
            "Authentication-Results: mx.\u212aango.example; dmarc=pass header.from=legit.example",
        )
    )
    assert by_server(said, frozenset({"mx.kango.example"})).level == Level.OPEN


def test_other_authentication_fields_count_for_nothing() -> None:
    for name in (
        "ARC-Authentication-Results: i=1",
        "X-Authentication-Results:",
        "Authentication-Results :",
    ):
        raw = letter(
            "VOTE YES ON 4\n", f"{name} mx.game.example; dmarc=pass header.from=legit.example"
        )
        assert decide(read(raw), raw, installation()).verdict == "unverified"
