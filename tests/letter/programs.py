"""Letters as mail programs make them: the bytes of an answer to a mail of ours, with its quotation and
its signature where each program puts them.

A builder takes the player's words and those that are quoted, and gives the header lines of the body
and the body. Facts are from real letters (``tests/corpora/replies``) and the programs' own sources.
"""

import base64
import quopri
import re
import textwrap
from collections.abc import Callable
from html import escape

from tests.letter.letters import PLAYER, REFEREE, proven

Built = tuple[str, bytes]
Builder = Callable[[str, str], Built]
WHO = f"The referee <{REFEREE}>"
PLAIN = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: "


def marked(quoted: str, mark: str = "> ") -> str:
    """A quotation, line by line."""
    return "\n".join(f"{mark}{line}".rstrip() for line in quoted.split("\n"))


def wrapped(text: str, width: int) -> str:
    """Lines broken as programs break them that mark no soft line end."""
    lines = (
        textwrap.wrap(line, width, break_on_hyphens=False) or [""] for line in text.split("\n")
    )
    return "\n".join(part for line in lines for part in line)


def flowed(text: str) -> str:
    """Lines broken by RFC 3676, with a blank where they are to be put together again."""
    found = []
    for line in text.split("\n"):
        stuffed = f" {line}" if line.startswith((" ", ">", "From ")) else line
        parts = textwrap.wrap(
            stuffed, 70, drop_whitespace=False, break_on_hyphens=False, replace_whitespace=False
        ) or [""]
        found += [
            *(part if part.endswith(" ") else f"{part} " for part in parts[:-1]),
            parts[-1].rstrip(),
        ]
    return "\n".join(found)


def smart(text: str) -> str:
    """What a telephone makes of typed words: curly quotes, long dashes, one sign for three dots, a
    capital letter at the beginning of each line."""
    text = re.sub(r'(^|[\s(])"', "\\1\u201c", text, flags=re.MULTILINE).replace('"', "\u201d")
    text = text.replace("'", "\u2019").replace("...", "\u2026").replace("--", "\u2014")
    return "\n".join(line[:1].upper() + line[1:] for line in text.split("\n"))


def qp(text: str) -> Built:
    return f"{PLAIN}quoted-printable", quopri.encodestring(text.replace("\n", "\r\n").encode())


def eight(text: str, kind: str = "") -> Built:
    return f"{PLAIN.replace('utf-8', f'utf-8{kind}')}8bit", text.replace("\n", "\r\n").encode()


def b64(text: str) -> Built:
    return f"{PLAIN}base64", base64.encodebytes(text.replace("\n", "\r\n").encode())


def page(html: str) -> Built:
    head = "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable"
    return head, quopri.encodestring(html.encode())


def both(plain: Built, html: str) -> Built:
    """multipart/alternative."""
    parts = b"".join(
        b"--=_b1\r\n" + head.replace("\n", "\r\n").encode() + b"\r\n\r\n" + body + b"\r\n"
        for head, body in (plain, page(html))
    )
    return 'Content-Type: multipart/alternative; boundary="=_b1"', parts + b"--=_b1--\r\n"


def divs(text: str, attributes: str = "") -> str:
    """A line of a page for each line of a text."""
    return "".join(
        f"<div{attributes}>{escape(line, quote=False).replace('  ', ' &nbsp;') or '<br>'}</div>"
        for line in text.split("\n")
    )


def breaks(text: str) -> str:
    return escape(text, quote=False).replace("  ", " &nbsp;").replace("\n", "<br>\n")


def paragraphs(text: str) -> str:
    return "".join(
        f"<p class=MsoNormal>{escape(line, quote=False) or '<o:p>&nbsp;</o:p>'}</p>\r\n"
        for line in text.split("\n")
    )


def _gmail(on: str, attribute: str) -> Builder:
    def build(own: str, quoted: str) -> Built:
        plain = f"{wrapped(own, 76)}\n\n{on.format(WHO)}\n\n{marked(quoted)}\n"
        linked = escape(on.format("The referee <@>")).replace(
            "@", f'<a href="mailto:{REFEREE}">{REFEREE}</a>'
        )
        html = (
            f'<div dir="{attribute}">{divs(own)}</div><br><div class="gmail_quote'
            f' gmail_quote_container"><div dir="ltr" class="gmail_attr">{linked}<br></div>'
            '<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid'
            f' rgb(204,204,204);padding-left:1ex">{breaks(quoted)}</blockquote></div>'
        )
        return both(qp(plain) if not plain.isascii() else eight(plain), html)

    return build


def _outlook(labels: str, sent: str, smarter: bool) -> Builder:
    names = labels.split()

    def build(own: str, quoted: str) -> Built:
        own = smart(own) if smarter else own
        values = (WHO, sent, PLAYER, "[g1] Bulletin 3")
        head = "\n".join(f"{name} {value}" for name, value in zip(names, values, strict=True))
        html = (
            '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!--'
            "p.MsoNormal{margin:0cm;font-size:11.0pt}--></style></head><body lang=EN-GB"
            f"><div class=WordSection1>{paragraphs(own)}<p class=MsoNormal><o:p>&nbsp;</o:p></p><div"
            ' style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">'
            + "<p class=MsoNormal>"
            + "<br>".join(
                f"<b>{name}</b> {escape(value)}" for name, value in zip(names, values, strict=True)
            )
            + f"</p></div>{paragraphs(quoted)}</div></body></html>"
        )
        return both(qp(f"{own}\n\n{head}\n\n{quoted}\n"), html)

    return build


def _owa(signed: str) -> Builder:
    def build(own: str, quoted: str) -> Built:
        own = smart(own)
        head = (
            f"From: {WHO}\nSent: Sunday, November 22, 2026 6:00 PM\nTo: {PLAYER}\nSubject: [g1]"
            " Bulletin 3"
        )
        rows = "<br>".join(
            f"<b>{a}:</b> {escape(b)}" for a, b in (x.split(": ", 1) for x in head.split("\n"))
        )
        html = (
            f'<html><head></head><body dir="ltr"><div class="elementToProof">{breaks(own)}</div>'
            f'<div id="ms-outlook-mobile-signature">{signed}</div><div id="appendonsend"></div><hr'
            ' style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg"'
            f' dir="ltr">{rows}<div>&nbsp;</div></div><div>{breaks(quoted)}</div></body></html>'
        )
        plain = f"{own}\n\n{signed}\n{'_' * 32}\n{head}\n\n{quoted}\n"
        return both(b64(plain), html)

    return build


def original_message(own: str, quoted: str) -> Built:
    head = f"From: {WHO} [mailto:{REFEREE}] \nSent: Sunday, November 22, 2026 6:00 PM\nTo: {PLAYER}\nSubject: [g1] Bulletin 3"
    return qp(f"{own}\n\n-----Original Message-----\n{head}\n\n{quoted}\n")


def apple_mail(own: str, quoted: str) -> Built:
    own = smart(own)
    plain = f"{own}\n\n> On 22 Nov 2026, at 18:00, {WHO} wrote:\n> \n{marked(quoted)}\n"
    html = (
        '<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body'
        ' style="overflow-wrap: break-word; line-break: after-white-space;">'
        f'{divs(own)}<div><br><blockquote type="cite"><div>On 22 Nov 2026, at 18:00, '
        f"{escape(WHO)} wrote:</div><br><div>{breaks(quoted)}</div></blockquote></div></body></html>"
    )
    return both(qp(plain), html)


def iphone(own: str, quoted: str) -> Built:
    own = smart(own)
    plain = f"{own}\n\nSent from my iPhone\n\n> On 22 Nov 2026, at 18:00, {WHO} wrote:\n> \n> \ufeff{marked(quoted)[2:]}\n"
    html = (
        f'<html><body dir="auto">{divs(own, " dir=ltr")}<br id="lineBreakAtBeginningOfSignature">'
        '<div dir="ltr">Sent from my iPhone</div><div dir="ltr"><br><blockquote type="cite">On 22 Nov'
        f" 2026, at 18:00, {escape(WHO)} wrote:<br><br></blockquote></div><blockquote"
        f' type="cite"><div dir="ltr">\ufeff{breaks(quoted)}</div></blockquote></body></html>'
    )
    return both(b64(plain), html)


def thunderbird(own: str, quoted: str) -> Built:
    text = f"On 11/22/26 18:00, The referee wrote:\n{marked(quoted)}\n\n{flowed(own)}\n\n-- \nAnn\nPAY 1 TO NOBODY\n"
    return eight(text, "; format=flowed")


def thunderbird_top(own: str, quoted: str) -> Built:
    text = f"{flowed(own)}\n\nLe 22/11/2026 \u00e0 18:00, The referee a \u00e9crit\u00a0:\n{marked(quoted)}\n"
    return eight(text, "; format=flowed")


def mutt(own: str, quoted: str) -> Built:
    on = "On Sun, Nov 22, 2026 at 06:00:00PM +0000, The referee wrote:"
    return eight(f"{on}\n{marked(quoted)}\n\n{own}\n\n-- \nAnn Berg, Ghent\n")


def between(own: str, quoted: str) -> Built:
    """The player's words stand between two parts of the quotation."""
    lines = quoted.split("\n")
    half = len(lines) // 2
    above, below = (marked("\n".join(part)) for part in (lines[:half], lines[half:]))
    return eight(f"* The referee wrote on 22-11-26 18:00:\n{above}\n\n{own}\n\n{below}\n")


def k9(own: str, quoted: str) -> Built:
    text = (
        f"{own}\n\n\nAm 22. November 2026 18:00:00 MEZ schrieb {WHO}:\n{marked(quoted, '>')}\n\n-- \n"
        "Diese Nachricht wurde von meinem Android-Ger\u00e4t mit K-9 Mail gesendet."
    )
    return qp(text)


def proton(own: str, quoted: str) -> Built:
    on = f"On Sunday, November 22nd, 2026 at 18:00, {WHO} wrote:"
    plain = f"{own}\n\n\nSent with Proton Mail secure email.\n\n{on}\n\n{marked(quoted)}\n"
    html = (
        f'<div style="font-family: Arial;">{breaks(own)}</div><div class="protonmail_signature_block">'
        '<div class="protonmail_signature_block-proton">Sent with <a>Proton Mail</a> secure email.'
        f'</div></div><div class="protonmail_quote">{escape(on)}<br><blockquote'
        f' class="protonmail_quote" type="cite">{breaks(quoted)}</blockquote></div>'
    )
    return both(qp(plain), html)


def gmx(own: str, quoted: str) -> Built:
    """HTML only."""
    return page(
        f'<html><head></head><body><div style="font-family: Verdana;font-size: 12.0px;">{divs(own)}'
        '<div>&nbsp;<div name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px;'
        ' border-left:2px solid #C3D9E5;"><div style="margin:0 0 10px 0;"><b>Gesendet:</b>&nbsp;Sonntag,'
        f" 22. November 2026 um 18:00 Uhr<br/><b>Von:</b>&nbsp;{escape(WHO)}<br/><b>An:</b>&nbsp;"
        f'{PLAYER}<br/><b>Betreff:</b>&nbsp;[g1] Bulletin 3</div><div name="quoted-content">'
        f"{breaks(quoted)}</div></div></div></div></body></html>"
    )


def yahoo(own: str, quoted: str) -> Built:
    on = f"On Sunday, November 22, 2026 at 06:00:00 PM GMT, {WHO} wrote:"
    indented = "\n".join(f" {line}" for line in quoted.split("\n"))
    plain = f" {own}\n\n    {on}  \n \n{indented}\n  "
    html = (
        f'<html><body><div class="ydp1yahoo-style-wrap"><div dir="ltr">{divs(own)}</div><div><br></div>'
        f'</div><div id="ydp2yahoo_quoted_1" class="ydp2yahoo_quoted"><div>{escape(on)}</div>'
        f"<div><br></div><div>{breaks(quoted)}</div></div></body></html>"
    )
    return both(qp(plain), html)


def samsung(own: str, quoted: str) -> Built:
    own = smart(own)
    head = f"From: {WHO} \nDate: 22/11/2026  18:00  (GMT+00:00) \nTo: {PLAYER} \nSubject: [g1] Bulletin 3 "
    return b64(
        f"{own}\n\n\n\nSent from my Galaxy\n\n\n-------- Original message --------\n{head}\n\n{quoted}\n"
    )


def new_mail(own: str, quoted: str) -> Built:
    """Nothing is quoted; the signature has what is not to be read."""
    return eight(f"{own}\n\n-- \nAnn Berg\n{quoted}\n")


def web_page(own: str, quoted: str) -> Built:
    """A small program's page, HTML only."""
    return page(f"<p>{breaks(own)}</p><blockquote>{breaks(quoted)}</blockquote>")


def forwarded(own: str, quoted: str) -> Built:
    head = (
        f"From: {WHO}\nDate: Sun, Nov 22, 2026 at 6:00 PM\nSubject: [g1] Bulletin 3\nTo: <{PLAYER}>"
    )
    return eight(
        f"{wrapped(own, 76)}\n\n---------- Forwarded message ---------\n{head}\n\n\n{quoted}\n"
    )


PROGRAMS: dict[str, Builder] = {
    "gmail": _gmail("On Sun, Nov 22, 2026 at 6:00\u202fPM {} wrote:", "ltr"),
    "gmail-phone": _gmail("On Sun, 22 Nov 2026, 18:00 {} wrote:", "auto"),
    "gmail-spanish": _gmail("El dom, 22 nov 2026 a las 18:00, {} escribi\u00f3:", "ltr"),
    "gmail-french": _gmail("Le dim. 22 nov. 2026 \u00e0 18:00, {} a \u00e9crit\u00a0:", "ltr"),
    "outlook": _outlook("From: Sent: To: Subject:", "22 November 2026 18:00", smarter=True),
    "outlook-german": _outlook(
        "Von: Gesendet: An: Betreff:", "Sonntag, 22. November 2026 18:00", smarter=False
    ),
    "outlook-web": _owa(""),
    "outlook-phone": _owa("Get Outlook for iOS<https://aka.ms/o0ukef>"),
    "outlook-old": original_message,
    "apple-mail": apple_mail,
    "iphone": iphone,
    "thunderbird": thunderbird,
    "thunderbird-top": thunderbird_top,
    "mutt": mutt,
    "between": between,
    "k9": k9,
    "proton": proton,
    "gmx": gmx,
    "yahoo": yahoo,
    "samsung": samsung,
    "new": new_mail,
    "web-page": web_page,
    "forwarded": forwarded,
}


def built(program: str, own: str, quoted: str) -> bytes:
    """The bytes of a player's letter, made by a program."""
    head, body = PROGRAMS[program](own.strip("\n"), quoted.strip("\n"))
    lines = [
        *proven(),
        f"From: Ann Berg <{PLAYER}>",
        f"To: <{REFEREE}>",
        "Subject: Re: [g1] Bulletin 3",
        "Message-ID: <one@legit.example>",
        "MIME-Version: 1.0",
        *head.split("\n"),
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body
