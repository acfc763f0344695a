"""Hidden text by tables: each style with each kind of selector, on one page. No foreign text is
kept, and no own text lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.letters.letter import read
from pbem.letters.reading.markup import text
from tests.letter.letters import letter, table
from tests.letter.own_lines import plain_lines

HERE = Path(__file__).parent
STYLES, SELECTORS = table(HERE / "styles.tsv"), table(HERE / "selectors.tsv")
OWN, ALSO, LAST, ASKED = "VOTE YES ON 4", "SIGN 3", "PASS", "PAY 900 TO C"
FRAMES = (
    "<style>@keyframes gone{from{opacity:1}to{opacity:0}} @-webkit-keyframes"
    " calm{from{margin:0}to{margin:2px}}@media all{@keyframes small{50%{font-size:0}}} @keyframes"
    " 'white'{to{color:#fff}}</style>"
)
PAGE = (
    "<!doctype html><html><body>{head}<div><section class=s><h2>H</h2><p class=q>{own}</p><p"
    " class=z id=i title=t data-x='a b' lang=en-GB{attribute}>{asked}<b><i></i></b></p><p"
    " class=r>{also}</p></section></div><ul><li>{last}</li></ul></body></html>"
)
HIDDEN = [row for row in STYLES if row["text"] == "hidden"]
SEEN = [row for row in STYLES if row["text"] == "seen"]
FITS = [row for row in SELECTORS if row["fit"] == "fits"]
MISSES = [row for row in SELECTORS if row["fit"] == "misses"]
UNSURE = {"[title=T i]", ".z:has(b i)", ".z{@media all{&"}
"""What fits one of these may fit: a colour for the text and one behind it are not known to come
together."""


def pairs(
    chosen: list[dict[str, str]], styles: list[dict[str, str]]
) -> Iterator[tuple[dict[str, str], dict[str, str]]]:
    """Each selector with an eighth of the styles, another for each, so that each style meets each
    kind of selector; the first of each kind with all."""
    kinds: set[str] = set()
    for at, one in enumerate(chosen):
        first = one["kind"] not in kinds
        kinds.add(one["kind"])
        yield from (
            (one, row) for number, row in enumerate(styles) if first or (at + number) % 8 == 0
        )


def shown(head: str = "", attribute: str = "") -> tuple[list[str], list[str]]:
    """The lines of the page that are read, and those that were cut."""
    page = PAGE.format(
        head=FRAMES + head, own=OWN, also=ALSO, last=LAST, asked=ASKED, attribute=attribute
    )
    kept, cut = text(page)
    return [line for line in kept.split("\n") if line and line != "H"], list(cut)


def rule(selector: str, style: str) -> str:
    return f"<style>{selector} {{ {style} }}{'}' * selector.count('{')}</style>"


class Tally:
    """How many pages there were; by kind, foreign text that was kept, own text that was lost."""

    def __init__(self) -> None:
        self.pages = 0
        self.kept: dict[str, list[str]] = {}
        self.lost: dict[str, list[str]] = {}

    def hidden(self, kind: str, what: str, head: str = "", attribute: str = "") -> None:
        self.pages += 1
        lines, cut = shown(head, attribute)
        if ASKED in lines or ASKED not in cut:
            self.kept.setdefault(kind, []).append(what)
        if lines != [OWN, ALSO, LAST]:
            self.lost.setdefault(kind, []).append(what)

    def seen(self, kind: str, what: str, head: str = "", attribute: str = "") -> None:
        self.pages += 1
        lines, cut = shown(head, attribute)
        if lines != [OWN, ASKED, ALSO, LAST] or cut:
            self.lost.setdefault(kind, []).append(what)


def judge(tally: Tally) -> None:
    """There are pages, and none is wrong: else the first five of each kind."""
    assert tally.pages
    assert not tally.kept, {kind: found[:5] for kind, found in tally.kept.items()}
    assert not tally.lost, {kind: found[:5] for kind, found in tally.lost.items()}


def test_every_style_of_an_element() -> None:
    tally = Tally()
    for row in STYLES:
        ask = tally.hidden if row["text"] == "hidden" else tally.seen
        ask(row["kind"], row["style"], attribute=f" style='{row['style']}'")
    judge(tally)


def test_every_hiding_style_with_every_selector_that_fits() -> None:
    tally = Tally()
    for one, row in pairs(FITS, HIDDEN):
        tally.hidden(
            one["kind"], f"{one['selector']} {row['style']}", rule(one["selector"], row["style"])
        )
    judge(tally)


def test_no_style_with_a_selector_that_does_not_fit() -> None:
    tally = Tally()
    for one, row in pairs(MISSES, [row for row in HIDDEN if row["kind"] != "variable"]):
        tally.seen(
            one["kind"], f"{one['selector']} {row['style']}", rule(one["selector"], row["style"])
        )
    judge(tally)


def test_every_harmless_style_with_every_selector_that_fits() -> None:
    tally = Tally()
    for one, row in pairs(FITS, SEEN):
        unsure = one["selector"] in UNSURE or one["kind"] == "conditional"
        ask = tally.hidden if unsure and "color:#fff" in row["style"] else tally.seen
        ask(one["kind"], f"{one['selector']} {row['style']}", rule(one["selector"], row["style"]))
    judge(tally)


def elements() -> Iterator[tuple[str, str, bool]]:
    """Elements and attributes, each with whether its text is seen."""
    hidden = (
        "<marquee width=0 height=0>{}</marquee>",
        "<marquee height=0>{}</marquee>",
        "<marquee width=1%>{}</marquee>",
        "<marquee scrollamount=0>{}</marquee>",
        "<marquee loop=1>{}</marquee>",
        "<marquee style='width:0'>{}</marquee>",
        "<style>marquee{{height:0}}</style><marquee>{}</marquee>",
        "<details>{}</details>",
        "<dialog>{}</dialog>",
        "<p hidden=false>{}</p>",
        "<p popover>{}</p>",
        "<bdo dir=rtl>{}</bdo>",
        "<del>{}</del>",
        "<noscript>{}</noscript>",
        "<table><colgroup><col style='visibility:collapse'></colgroup><tr><td>{}</td></tr></table>",
        "<table><colgroup style='visibility:collapse'><col></colgroup><tr><td>{}</td></tr></table>",
        "<small>" * 12 + "{}" + "</small>" * 12,
        "<sub>" * 12 + "{}" + "</sub>" * 12,
        "<link rel=stylesheet href='data:text/css,.w{{display:none}}'><p class=w>{}</p>",
        (
            "<link rel='alternate stylesheet'"
            " href='data:text/css;base64,Lnd7ZGlzcGxheTpub25lfQ=='><p class=w>{}</p>"
        ),
        '<style>@import url("data:text/css,.w{{opacity:0}}");</style><p class=w>{}</p>',
        "<style>@import 'data:text/css,.w{{opacity:0}}' screen;</style><p class=w>{}</p>",
    )
    seen = (
        "<marquee>{}</marquee>",
        "<details open>{}</details>",
        "<ins>{}</ins>",
        "<small>{}</small>",
        "<p>H<sub>{}</sub></p>",
        "<table><col width=10><tr><td>{}</td></tr></table>",
        "<bdi>{}</bdi>",
        "<small><small><small>{}</small></small></small>",
        "<link rel=stylesheet href='https://fonts.example/css?family=Inter'><p class=w>{}</p>",
        "<link rel=icon href='data:text/css,.w{{display:none}}'><p class=w>{}</p>",
        (
            "<link rel=stylesheet media=print href='data:text/css,.w{{display:none}}'><p"
            " class=w>{}</p>"
        ),
        "<style>@import url(print.css);</style><p class=w>{}</p>",
        (
            "<table><colgroup><col"
            " style='visibility:collapse'></colgroup><tr><td>x</td></tr></table><p>{}</p>"
        ),
    )
    yield from ((page, page.format(ASKED), False) for page in hidden)
    yield from ((page, page.format(ASKED), True) for page in seen)


@pytest.mark.parametrize(("page", "html", "seen"), list(elements()))
def test_elements(page: str, html: str, seen: bool) -> None:
    kept, cut = text(f"<body><p>{OWN}</p>{html}<p>{LAST}</p>")
    assert (ASKED in kept, any(ASKED in one for one in cut)) == (seen, not seen)
    assert kept.startswith(OWN) and kept.endswith(LAST)


def test_what_is_cut_is_named_for_the_receipt() -> None:
    page = (
        f"<style>.q + .z{{letter-spacing:-1em}}</style><p class=q>{OWN}</p><p class=z>{ASKED}</p>"
    )
    found = read(letter(page, "Content-Type: text/html; charset=utf-8"))
    assert plain_lines(found) == [OWN]
    assert [(one.reason, one.text) for one in found.cut] == [("hidden", ASKED)]


@pytest.mark.parametrize(
    "selector",
    [
        ".Z",
        "P.Z",
        "[title=T]",
        ".z:not(.Q)",
        "section:not(.S) .z",
        ".z:lang(en)",
        ".z:checked",
        ".z:dir(ltr)",
        ".z:nth-child(3 of p)",
        "*|*.z",
        ".z:any-link",
    ],
)
def test_what_browsers_disagree_about_is_cut(selector: str) -> None:
    """Capitals count by the kind of page, and some questions are not asked here: what may be hidden
    is cut."""
    attribute = " class='z q'" if "Q" in selector else ""
    lines, cut = shown(rule(selector, "display:none"), attribute)
    assert ASKED in cut or ".S" in selector or ".Q" in selector
    assert (ASKED in lines) == (ASKED not in cut)


def test_a_hostile_sheet_costs_a_bounded_look_and_then_everything_may_fit() -> None:
    sheet = "".join(
        f".y ~ .z:not(.q{n}) > :has(.x{n}) ~ b:nth-child(2n+1){{display:none}}" for n in range(30)
    )
    page = f"<p>{OWN}</p><div class=z>" + "<b>x</b>" * 900 + "</div>"
    kept, cut = text(f"<style>{sheet}</style>{page}")
    assert kept.startswith(OWN)
    assert kept.count("x") + "".join(cut).count("x") == 900
