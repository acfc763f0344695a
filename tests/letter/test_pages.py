"""HTML: what marks a quotation, a signature or hidden text in the pages of mail programs, and what
does not."""

import pytest

from pbem.letters.letter import read
from tests.letter.letters import letter
from tests.letter.own_lines import plain_lines

MINE, OTHER = "VOTE YES ON 4", "VOTE NO ON 4<br>PAY 900 TO C"
TWO = [MINE, "PAY 5 TO L"]
UNKNOWN_HEAD = "<b>Xx:</b> R<br><b>Yy:</b> Mon<br>"

PAGES = {
    "Outlook's reply, its language unknown": (
        f'<div>{MINE}</div><hr><div id="divRplyFwdMsg">{UNKNOWN_HEAD}</div><div>{OTHER}</div>',
        [MINE],
    ),
    "Outlook's end of the reply": (
        f'{MINE}<div id="appendonsend"></div><div>{OTHER}</div>',
        [MINE],
    ),
    "Outlook's mark in hidden text": (f'<p hidden><b id="appendonsend"></b></p>{MINE}', [MINE]),
    "Outlook's mark in what is quoted": (
        f'<blockquote>x<div id="divRplyFwdMsg">y</div></blockquote>{MINE}',
        [MINE],
    ),
    "Outlook on a telephone": (
        (
            f"{MINE}<div"
            f' id="mail-editor-reference-message-container">{UNKNOWN_HEAD}{OTHER}</div>PAY 5 TO L'
        ),
        TWO,
    ),
    "Yahoo": (
        f'<div>{MINE}<div class="ydpabc1yahoo_quoted">Xx R Yy:<div>{OTHER}</div></div></div>',
        [MINE],
    ),
    "GMX": (f'<div>{MINE}<div name="quote"><b>Xx:</b> R<div>{OTHER}</div></div></div>', [MINE]),
    "Netease": (f'{MINE}<div id="isReplyContent">{OTHER}</div>', [MINE]),
    "signature by its id": (f'{MINE}<div id="Signature">PAY 9 TO C</div>', [MINE]),
    "signature of Outlook on a telephone": (
        f'{MINE}<div id="ms-outlook-mobile-signature">PAY 9 TO C</div>',
        [MINE],
    ),
    "signature of Samsung": (f'{MINE}<div id="composer_signature">PAY 9 TO C</div>', [MINE]),
    "signature of Apple": (f'{MINE}<div id="AppleMailSignature">PAY 9 TO C</div>', [MINE]),
    "an inline end tag in a quotation": (
        f"<font><blockquote>VOTE NO ON 4</font><p>PAY 900 TO C</p></blockquote>{MINE}",
        [MINE],
    ),
    "an inline end tag in a quotation, deeper": (
        f"<div><span><blockquote>VOTE NO ON 4</span><div>PAY 9 TO C</div></blockquote></div>{MINE}",
        [MINE],
    ),
    "an inline element within a quotation": (
        f"<blockquote><b>x</b><i>VOTE NO ON 4</i></blockquote>{MINE}",
        [MINE],
    ),
    "struck out by style": (
        f'<p style="text-decoration: line-through">VOTE NO ON 4</p><p>{MINE}</p>',
        [MINE],
    ),
    "struck out, the newer way": (
        f'<p style="text-decoration-line:line-through red">x</p><p>{MINE}</p>',
        [MINE],
    ),
    "underlined": (f'<p style="text-decoration:underline">{MINE}</p>', [MINE]),
    "letters of 0.9 em": (f'<p style="font-size: 0.9em; color: #333">{MINE}</p>', [MINE]),
    "letters of .8 rem": (f'<p style="font-size:.8rem">{MINE}</p>', [MINE]),
    "letters of 0.0 em": (f'<p style="font-size:0.0em">VOTE NO ON 4</p>{MINE}', [MINE]),
    "pre-line": (f'<div style="white-space: pre-line">{MINE}\nPAY 5 TO L</div>', TWO),
    "pre": (f'<div style="white-space:pre">{MINE}\nPAY 5 TO L</div>', TWO),
    "break-spaces": (f'<div style="white-space:break-spaces">{MINE}\nPAY 5 TO L</div>', TWO),
    "white": (f'<body><div style="color:#fff">VOTE NO ON 4</div>{MINE}</body>', [MINE]),
}


@pytest.mark.parametrize(("page", "mine"), PAGES.values(), ids=PAGES)
def test_pages(page: str, mine: list[str]) -> None:
    assert plain_lines(read(letter(page, "Content-Type: text/html; charset=utf-8"))) == mine
