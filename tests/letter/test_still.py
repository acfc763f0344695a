"""A letter's page as people may look at it: nothing in it fetches, and its words stay."""

import re
from pathlib import Path

import pytest

from pbem.letters.limits import OverLimit
from pbem.letters.reading.markup import still
from tests.letter.letters import lines_of

AWAY = "http://away.example/x"
FETCHING = lines_of(Path(__file__).with_name("fetching.txt"))


@pytest.mark.parametrize("part", FETCHING, ids=range(len(FETCHING)))
def test_nothing_is_fetched(part: str) -> None:
    shown = still(f"<p>before</p>{part}<p>behind</p>")
    # what is left of an import is a rule that no browser knows
    fetching = re.sub(r'@cut[^;]*;|"[^"]*" 1x', "", shown)
    assert "away.example" not in fetching, shown
    assert not re.search(
        r"<(iframe|frame|object|embed|portal|fencedframe|link|base|meta)\b", shown, re.IGNORECASE
    )
    assert "before" in shown or part.startswith("<frameset")


def test_words_and_what_hides_them_stay() -> None:
    page = """<!DOCTYPE html><html lang=en><head><title>t</title><style type="text/css">
      .no { display: none } p > b { color: #fff }</style></head>
      <body bgcolor=white text=black><p class=no>unseen</p><p style="font-size:0">small</p>
      <p hidden>away</p><table width=5 cellpadding=2><tr><td colspan=2 align=right>cell</td></tr>
      </table><font color=white size=1>white</font><ol start=3><li value=4>four</ol></body></html>"""
    shown = still(page)
    for kept in (
        ".no { display: none }",
        "p > b { color: #fff }",
        'class="no"',
        'style="font-size:0"',
        "hidden",
        'bgcolor="white"',
        'colspan="2"',
        '<font color="white" size="1">',
        'value="4"',
        "<!DOCTYPE html>",
    ):
        assert kept in shown
    assert still(shown) == shown


@pytest.mark.parametrize(
    "page", ["<a>" * 40_000, f"<plaintext><iframe src={AWAY}>", '<style>a { b: "</style>"}</style>']
)
def test_what_cannot_be_shown(page: str) -> None:
    with pytest.raises(OverLimit):
        still(page)


def test_a_sheet_without_end_is_left_out() -> None:
    assert "{" not in still(f"<style>{'a{' * 5_000}</style><p>words</p>")
    assert "red" not in still(f"<style>p {{ color: red }}{' ' * 200_000}</style>")
