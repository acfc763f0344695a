"""Sheets: what is between the blocks, what is within them, and what is no block."""

from typing import get_args

import pytest

from pbem.house import templates
from pbem.pages import html, sheet
from pbem.pages.html import Links
from pbem.pages.plain import plain, shortened
from tests.looks import whole

LINKS = Links("referee+g.s.1@game.example", "[g] S, period 1")


def test_blocks_keep_the_names_that_bulletins_on_file_have() -> None:
    names = "Masthead Heading Table Orders Fenced Aside Picture Form Entry Answer Text"
    assert [kind.__name__ for kind in get_args(sheet.Block)] == names.split()


def page(source: str, links: Links | None = None) -> str:
    return html.page(templates.environment(), source, "A title", "-- above --", (), links)


def rows(number: int) -> str:
    return sheet.table(["Who", ">Votes"], [[f"P{n}", n] for n in range(number)])


def test_a_mark_that_is_no_block_is_text() -> None:
    source = f"The vote {sheet.MARK} stands.\n{sheet.heading('Next')}\n{sheet.MARK}"
    assert plain(source) == "The vote stands.\n\nNEXT\n"
    assert "<h2" in page(source) and "stands." in page(source)


def test_a_table_in_an_aside_below_a_long_one() -> None:
    """With many cells the looks of all tables stand in the style sheet, of those within too."""
    made = page(f"{rows(300)}\n{sheet.aside(sheet.table(['Who', 'What'], [['A', 'Aye']]))}")
    assert made.count('class="dense d1') == 1 and made.count('class="dense d2') == 1
    assert made.count('class="dense d1') == page(rows(300)).count('class="dense d1')


def test_columns_that_are_alike_are_each_set_right() -> None:
    made = page(sheet.table(["Who", ">Votes", ">Votes"], [[f"P{n}", n, n] for n in range(200)]))
    assert ".d1 td:nth-child(2)" in made and ".d1 td:nth-child(3)" in made


def test_press_below_a_long_section_stays_with_its_writers_name() -> None:
    said = f"Press, Ann:\n{sheet.fenced('Boo. ' * 99)}\n\nPress, Bob:\n{sheet.fenced('Hi.')}"
    count = f"{sheet.heading('The count')}\n\n{'1 to 2. ' * 99}"
    short, left = shortened(f"News.\n\n{count}\n\n{said}", 50)
    assert left == ['"The count"'] and short == f"News.\n\n\n\n{said}"


def test_what_is_passed_on_has_no_links_of_its_reader() -> None:
    own = sheet.link_line("AGAIN", "mailto:a@x") + sheet.answer_line("CONFIRM 1", "mailto:b@x")
    assert sheet.unlinked(own).count("mailto:") == 0 and plain(sheet.unlinked(own)) == plain(own)


def test_a_form_that_is_shown_again_is_none() -> None:
    source = f"Period 3\n{sheet.order_form([('VOTE ... ON 4', 'Income tax')])}\nEnd"
    later = sheet.shown_again(source)
    assert "mailto:" in page(source, LINKS).partition("Show my orders")[0]
    assert "ON 4" in plain(later) and not any(
        "VOTE" in one for one in page(later, LINKS).split('href="')[1:]
    )
    assert plain(later).startswith("Period 3\n| VOTE ... ON 4  # Income tax\nEnd")


def test_a_long_order_has_no_empty_line_behind_it() -> None:
    order = "PROPOSE " + ", ".join(f"PM{n} A" for n in range(20))
    assert "\n\n" not in plain(f"{sheet.entry(1, order, '')}\n{sheet.entry(2, 'PASS', '')}")


def test_a_caret_stands_below_its_place() -> None:
    source = sheet.entry(3, "", "NOT TAKEN: I cannot read it.", ["VOTE YES ONN 4", "         ^"])
    assert plain(source).split("\n")[1:] == ["      VOTE YES ONN 4", "               ^"]
    assert page(source).count('<code class="below"') == 2


def test_a_question_below_a_refusal_is_no_order_in_type() -> None:
    made = page(sheet.entry(3, "", "NOT TAKEN: I cannot read it.", ["did you mean PASS?"]))
    assert '<code class="below"' not in made and "did you mean PASS?" in made


def test_what_is_tried_without_a_form() -> None:
    assert 'body=CHECK%0D%0A"' in page("Nothing owed.", LINKS)


def test_a_link_of_an_offer_without_effect_is_below_it() -> None:
    made = page(sheet.order_form([("PASS ...", "")]), LINKS)
    assert "&lt;" not in made and '</code><br><a class="write"' in made


TABLES = (
    sheet.table(["Who", ">Votes", "What"], [["a", 1, 'x "y"'], ["b" * 20, 2, ""]], True),
    sheet.table(["Who", "What", "And"], [["w" * 20, "x" * 20, "y" * 20]]),
    sheet.table(["", ">"], [["a", 1]]),
)
EVERYTHING = "\n".join(
    (
        sheet.masthead("A <title>", "line & 'line'"),
        'Ü "a" & \u00a0x [17] [3.1, B2]\n* item [2]\n* two\n\n   kept  "x"\n   more <\n\nend',
        sheet.heading('The (b) "c"'),
        *TABLES,
        sheet.order_list(["PASS", 'NAME "X"']),
        sheet.fenced('a "b"\n<c>\nd'),
        sheet.aside(f"A rule:\n* x\n{TABLES[0]}\nend [5]"),
        sheet.picture("board", 'what "is" seen'),
        sheet.entry(3, "", "NOT TAKEN: I cannot [3]", ["VOTE YES", "    ^", "last one [4]"]),
        sheet.entry(4, 'VOTE "X"', "said [3]", ["below", " c"]),
        sheet.entry(5, "", "said alone [3]"),
        sheet.entry(6, "PASS", ""),
        sheet.order_form([("VOTE ... ON 4", "Income tax"), ("PASS ...", "")]),
        sheet.answer_line("CONFIRM 4711"),
    )
)
MANY = sheet.table(["Who", ">Votes"], [[f"P{n}", n] for n in range(300)], True)


@pytest.mark.parametrize("source", [EVERYTHING, f"{EVERYTHING}{MANY}"])
@pytest.mark.parametrize("links", [None, LINKS])
def test_looks_of_each_block_are_those_of_the_style_sheet(source: str, links: Links | None) -> None:
    assert page(source, links) == whole(source, "A title", "-- above --", links)
