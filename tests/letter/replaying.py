"""Copies of a letter of Ann's that her provider signed, with whatever the signature lets an ally
change.

Signatures are made, and checked, by dkimpy; what our server writes on top is what dkimpy found.
"""

import base64
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import dkim

from tests.installation import REFEREE, address
from tests.letter.forging import Bench, checked, on_the_wire

KEY = (Path(__file__).parent / "ann.pem").read_bytes()
"""The signing key of Ann's provider, made for this test."""
PUBLIC = (
    b"v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDYBZUkzBN5C3hsL9wi3GqJtYIfs6Gt2LDywo0f"
    b"jBzDkolxjxWQZX2qz+S48cOx110nzQRAKXFIbUKhpNYR/UxuVMwYEeHqEY1QJc63vfNsga3cm7EIlfeVB23zCjKtKs2V"
    b"+CAwjbw7kq110KsSZp5IkzUSblOrV6/kEyGaY1xzdQIDAQAB"
)
ANN, OTHER = address("A"), "2ndgame"
TEXT = "SPECIAL AGR\n\nKind regards, and see  you soon,   \nAnn\n\n"
NEWER = "SPECIAL ENV\n"


@dataclass(frozen=True)
class Signer:
    """How a provider signs."""

    headers: str
    canon: bytes = b"relaxed/relaxed"
    length: bool = False
    times: int = 1

    def signs(self, raw: bytes, domain: bytes = b"legit.example") -> bytes:
        raw = on_the_wire(raw)
        wanted = [one.encode() for one in self.headers.split(":")]
        head, body = (one.encode() for one in self.canon.decode().split("/"))
        signed = raw
        for n in range(self.times):
            made = dkim.sign(
                raw,
                b"s%d" % n,
                domain,
                KEY,
                canonicalize=(head, body),
                include_headers=wanted,
                length=self.length,
            )
            signed = made + signed
        return signed


SIGNERS = {
    "as Gmail does": Signer("to:subject:message-id:date:from:mime-version"),
    "all of it": Signer(
        "from:to:cc:subject:date:message-id:mime-version:content-type:content-transfer-encoding"
    ),
    "the least": Signer("from:to:date"),
    "simple": Signer("from:to:date:subject:message-id", b"simple/simple"),
    "twice": Signer("from:to:date:subject:message-id", times=2),
    "simple head": Signer("from:to:date:subject", b"simple/relaxed"),
}
LOOSE = Signer("from:to:date:subject:message-id", length=True)


def fields(raw: bytes) -> list[bytes]:
    """The header fields, each with its folded lines; the body stands last."""
    head, _, body = raw.partition(b"\r\n\r\n")
    return [*re.split(rb"\r\n(?![ \t])", head), body]


def joined(parts: list[bytes]) -> bytes:
    *head, body = parts
    return b"\r\n".join(head) + b"\r\n\r\n" + body


def name_of(one: bytes) -> bytes:
    return one.partition(b":")[0].lower()


def each(raw: bytes, name: str, change: Callable[[bytes], bytes]) -> bytes:
    """With every field of this name changed."""
    *head, body = fields(raw)
    wanted = name.encode().lower()
    return joined([*(change(one) if name_of(one) == wanted else one for one in head), body])


def put(line: str) -> Callable[[bytes], bytes]:
    """One more field on top."""
    return lambda raw: line.encode() + b"\r\n" + raw


def instead(name: str, line: str) -> Callable[[bytes], bytes]:
    """Another field in the place of one."""
    return lambda raw: each(raw, name, lambda _: line.encode())


def without(name: str) -> Callable[[bytes], bytes]:
    def change(raw: bytes) -> bytes:
        *head, body = fields(raw)
        return joined([*(one for one in head if name_of(one) != name.encode()), body])

    return change


def body(change: Callable[[bytes], bytes]) -> Callable[[bytes], bytes]:
    def changed(raw: bytes) -> bytes:
        *head, last = fields(raw)
        return joined([*head, change(last)])

    return changed


def backwards(raw: bytes) -> bytes:
    *head, last = fields(raw)
    return joined([*reversed(head), last])


def below(line: str) -> Callable[[bytes], bytes]:
    """One more field below the others."""

    def changed(raw: bytes) -> bytes:
        *head, last = fields(raw)
        return joined([*head, line.encode(), last])

    return changed


def first_signature_gone(raw: bytes) -> bytes:
    *head, last = fields(raw)
    ours = [at for at, one in enumerate(head) if name_of(one) == b"dkim-signature"]
    return joined([*(one for at, one in enumerate(head) if at != ours[0]), last])


def signatures_swapped(raw: bytes) -> bytes:
    *head, last = fields(raw)
    ours = [one for one in head if name_of(one) == b"dkim-signature"]
    rest = [one for one in head if name_of(one) != b"dkim-signature"]
    return joined([*rest, *reversed(ours), last])


def signature_written_otherwise(raw: bytes) -> bytes:
    """The last letter of b= has bits that nobody reads: the same signature in other letters."""

    def change(one: bytes) -> bytes:
        before, mark, after = one.rpartition(b" b=")
        said = re.sub(rb"\s", b"", after)
        bare = said.rstrip(b"=")
        alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        last = alphabet.index(bare[-1:])
        other = bare[:-1] + alphabet[last ^ 1 : (last ^ 1) + 1] + b"=" * (len(said) - len(bare))
        assert base64.b64decode(other) == base64.b64decode(said) and other != said
        return before + mark + other

    return each(raw, "dkim-signature", change)


def signature_folded(raw: bytes) -> bytes:
    """With blanks within b=, which count for nothing."""
    return each(raw, "dkim-signature", lambda one: one[:-40] + b"\r\n \t" + one[-40:])


VARIANTS: dict[str, Callable[[bytes], bytes]] = {
    "as it is": lambda raw: raw,
    "a second Message-ID on top": put("Message-ID: <other@evil.example>"),
    "two more Message-IDs": lambda raw: put("Message-ID: <2@evil.example>")(
        put("Message-ID: <3@evil.example>")(raw)
    ),
    "a second Message-ID below": below("Message-ID: <other@evil.example>"),
    "another Message-ID": instead("message-id", "Message-ID: <other@evil.example>"),
    "no Message-ID": without("message-id"),
    "Message-ID in other letters": lambda raw: each(
        raw, "message-id", lambda one: b"MESSAGE-ID:\t " + one.partition(b":")[2].strip() + b" "
    ),
    "two blanks for one": body(lambda said: said.replace(b"SPECIAL AGR", b"SPECIAL  AGR")),
    "one blank for two": body(lambda said: said.replace(b"see  you", b"see you")),
    "a tab for a blank": body(lambda said: said.replace(b"SPECIAL AGR", b"SPECIAL\tAGR")),
    "blanks at the ends of lines": body(lambda said: said.replace(b"\r\n", b"  \t\r\n")),
    "no blanks at the ends of lines": body(lambda said: re.sub(rb"[ \t]+\r\n", b"\r\n", said)),
    "empty lines at the end": body(lambda said: said + b"\r\n\r\n   \r\n"),
    "no empty lines at the end": body(lambda said: said.rstrip(b"\r\n") + b"\r\n"),
    "the fields backwards": backwards,
    "names in capitals": lambda raw: joined(
        [
            *(name_of(one).upper() + one[len(name_of(one)) :] for one in fields(raw)[:-1]),
            fields(raw)[-1],
        ]
    ),
    "blanks behind the names": lambda raw: joined(
        [*(one.replace(b":", b" :", 1) for one in fields(raw)[:-1]), fields(raw)[-1]]
    ),
    "a blank behind Message-ID": lambda raw: each(
        raw, "message-id", lambda one: one.replace(b":", b" :", 1)
    ),
    "fields folded": lambda raw: each(raw, "subject", lambda one: one.replace(b": ", b":\r\n ", 1)),
    "Date folded": lambda raw: each(raw, "date", lambda one: one.replace(b" ", b"\r\n\t", 2)),
    "more Received": put(
        "Received: from evil.example by mx.game.example; Mon, 2 Mar 2026 10:00 +0000"
    ),
    "another Cc": put("Cc: somebody@else.example"),
    "a Cc to us": put(f"Cc: {REFEREE.replace('@', '+b-1@')}"),
    "another Subject": instead("subject", "Subject: something else"),
    "a second Subject": put("Subject: something else"),
    "a second To with a plus part": put(f"To: <{REFEREE.replace('@', '+g@')}>"),
    "delivered to a plus part": put(f"Delivered-To: {REFEREE.replace('@', '+g@')}"),
    "another Date": instead("date", "Date: Mon, 02 Mar 2026 12:34:56 +0000"),
    "a second Date": put("Date: Mon, 02 Mar 2026 12:34:56 +0000"),
    "no Date": without("date"),
    "a second From": put("From: <forger@evil.example>"),
    "resent": lambda raw: put("Resent-From: Ann <a@legit.example>")(
        put("Resent-Date: Tue, 03 Mar 2026 09:00:00 +0000")(
            put("Resent-Message-ID: <again@evil.example>")(put(f"Resent-To: {REFEREE}")(raw))
        )
    ),
    "an answer to another": put("In-Reply-To: <0@game.example>"),
    "References": put("References: <0@game.example> <1@game.example>"),
    "by a list": put("List-Id: <allies.evil.example>"),
    "automatic": put("Auto-Submitted: auto-generated"),
    "more of it": body(lambda said: said + b"SPECIAL JUS\r\n"),
    "other orders": body(lambda said: said.replace(b"AGR", b"JUS")),
    "as HTML": instead("content-type", "Content-Type: text/html; charset=utf-8"),
    "in other letters": instead("content-type", "Content-Type: text/plain; charset=latin-1"),
    "of no known charset": instead("content-type", 'Content-Type: text/plain; charset="x-ally"'),
    "within parts": lambda raw: each(
        raw, "content-type", lambda _: b'Content-Type: multipart/mixed; boundary="Ann"'
    ),
    "no Content-Type": without("content-type"),
    "as a file": put('Content-Disposition: attachment; filename="orders.txt"'),
    "quoted-printable": instead(
        "content-transfer-encoding", "Content-Transfer-Encoding: quoted-printable"
    ),
    "base64": instead("content-transfer-encoding", "Content-Transfer-Encoding: base64"),
    "8bit": instead("content-transfer-encoding", "Content-Transfer-Encoding: 8bit"),
    "signed by the ally too": lambda raw: Signer("from:to").signs(raw, b"evil.example"),
    "one signature taken off": first_signature_gone,
    "the signatures swapped": signatures_swapped,
    "the signature in other letters": signature_written_otherwise,
    "the signature folded": signature_folded,
    "the signature folded, and another Message-ID": lambda raw: put(
        "Message-ID: <other@evil.example>"
    )(signature_folded(raw)),
    "other blanks, and another Message-ID": lambda raw: put("Message-ID: <other@evil.example>")(
        raw.replace(b"SPECIAL AGR", b"SPECIAL   AGR")
    ),
    "a broken signature besides": put(
        "DKIM-Signature: v=1; a=rsa-sha256; d=legit.example; s=s0; h=from:to:date;"
        " bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=; b=AAAA"
    ),
}


BROKEN = {
    "another Date",
    "no Date",
    "a second From",
    "blanks behind the names",
    "more of it",
    "other orders",
}
"""What no signature here lets pass: those are asked about."""


def found_by_our_server(raw: bytes, mailed_by: str) -> list[str]:
    """What our server finds: each signature, the domain that SMTP named, and DMARC. It reads a blank
    before the colon of Message-ID, which dkimpy does not."""
    raw = on_the_wire(raw).replace(b"Message-ID :", b"Message-ID:")
    found, passed = [], mailed_by == "legit.example"
    signatures = [one for one in fields(raw)[:-1] if name_of(one).strip() == b"dkim-signature"]
    for at, one in enumerate(signatures):
        domain = re.search(rb"\bd=([a-z.]+)", one)
        named = domain[1].decode() if domain else "?"
        try:
            result = dkim.DKIM(raw).verify(idx=at, dnsfunc=lambda name, timeout=5: PUBLIC)
        except Exception:  # an odd signature is none
            result = False
        found.append(f"dkim={'pass' if result else 'fail'} header.d={named}")
        passed = passed or (result and named == "legit.example")
    found.append(f"spf=pass smtp.mailfrom={mailed_by}")
    found.append(f"dmarc={'pass' if passed else 'fail'} header.from=legit.example")
    return found


def handed_on(raw: bytes, mailed_by: str) -> bytes:
    return checked(raw, *found_by_our_server(raw, mailed_by))


def by_ann(at: Bench, signer: Signer, text: str, **headers: str) -> bytes:
    """A letter of Ann's, as her provider signed it."""
    return signer.signs(at.letter("A", text, **headers))


def proves(raw: bytes) -> bool:
    """Whether our server still finds her signature in order."""
    return found_by_our_server(raw, "evil.example")[-1].startswith("dmarc=pass")
