"""What pictures are drawn with: colours that everybody can tell apart, places for figures and
labels."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import DictLoader

from pbem.house import pictures
from pbem.pages import bulletin, picture
from pbem.pages.picture import beside, colour, contrast, scale, spread, ticks
from pbem.text import short

SEATS = tuple("ABCDEFGHIJKLMNO")
BLIND = {
    "nobody": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deuteranopia": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritanopia": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}
"""What is left of linear red, green and blue (Machado, Oliveira and Fernandes 2009)."""


def _linear(fill: str) -> list[float]:
    parts = [int(fill[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    return [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]


def _lab(linear: list[float]) -> tuple[float, float, float]:
    rows = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    x, y, z = (
        max(0.0, sum(k * p for k, p in zip(row, linear, strict=True))) / white
        for row, white in zip(rows, (0.9505, 1.0, 1.089), strict=True)
    )
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def _seen(fill: str, by: str) -> tuple[float, float, float]:
    linear = _linear(fill)
    return _lab([sum(k * p for k, p in zip(row, linear, strict=True)) for row in BLIND[by]])


@pytest.mark.parametrize("who", BLIND)
def test_seven_parties_can_be_told_apart_by_whoever_is_colour_blind(who: str) -> None:
    fills = [colour(SEATS, seat).fill for seat in SEATS[:7]]
    apart = {
        pair: sum((a - b) ** 2 for a, b in zip(*(_seen(f, who) for f in pair), strict=True)) ** 0.5
        for pair in combinations(fills, 2)
    }
    nearest = min(apart, key=apart.__getitem__)
    print(who, nearest, round(apart[nearest], 1))
    assert apart[nearest] > 10, f"{who}: {nearest}"


def test_letters_can_be_read_on_every_colour_and_each_seat_has_its_own() -> None:
    for name in (*SEATS, None):
        assert contrast(colour(SEATS, name).fill, colour(SEATS, name).ink) >= 4.5, name
    assert len({colour(SEATS, seat).fill for seat in SEATS}) == len(SEATS)
    assert colour(SEATS, "X").fill == colour(SEATS, None).fill
    assert colour(SEATS, "C").mark == "C"


@given(st.lists(st.floats(0, 100), max_size=8))
def test_labels_do_not_overlap(wanted: list[float]) -> None:
    given_ = spread(wanted, 12, 0, 100)
    assert len(given_) == len(wanted)
    assert all(-0.1 <= place <= 100.1 for place in given_)
    in_order = sorted(given_)
    assert all(b - a >= 11.8 for a, b in pairwise(in_order))
    for one, other in combinations(range(len(wanted)), 2):
        if wanted[one] < wanted[other]:
            assert given_[one] <= given_[other], "who has more stands higher"


def test_labels_with_room_stand_where_they_belong() -> None:
    assert spread([80, 10, 50], 12, 0, 100) == [80, 10, 50]


def test_lines_of_one_figure_lie_side_by_side_and_none_below_the_axis() -> None:
    up = scale(0, 10, 100, 0)
    heights = beside({"A": 5, "B": 5, "C": 0, "D": 0, "E": 9}, "ABCDE", up, 100)
    assert heights == {"A": 51.3, "B": 48.7, "C": 100, "D": 97.4, "E": 10}


@pytest.mark.parametrize(
    ("most", "round_figures"),
    [(0, [0, 1]), (1, [0, 1]), (5, [0, 2, 4, 6]), (26, [0, 10, 20, 30]), (268, [0, 100, 200, 300])],
)
def test_ticks_are_round_and_reach_the_most(most: float, round_figures: list[int]) -> None:
    assert ticks(most) == round_figures


def test_figures() -> None:
    assert [short(n) for n in (0, 5.5, 12345, 3.0)] == ["0", "5.5", "12,345", "3"]
    assert [scale(0, 10, 100, 0)(n) for n in (0, 5, 10)] == [100, 50, 0]
    assert scale(3, 3, 40, 90)(3) == 40


def test_what_players_call_themselves_is_text_and_nothing_else() -> None:
    env = bulletin.environment(DictLoader({"g/board.svg.j2": "<svg>{{ name }}</svg>"}))
    assert (
        picture.svg(env, "g", "board", {"name": '<image href="http://x"/>&\x01'})
        == "<svg>&lt;image href=&#34;http://x&#34;/&gt;&amp;</svg>"
    )
    assert picture.svg(env, "g", "chart", {}) == "", "a game may have none"


def test_a_picture_needs_no_font_of_the_machine() -> None:
    """Letters are drawn at all, and bold ones otherwise than plain ones."""
    plain, bold, none = (
        pictures.png(
            '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20" font-family="DejaVu Sans">'
            f'<text y="15" font-weight="{weight}">{words}</text></svg>'
        )
        for weight, words in (("normal", "Abç"), ("bold", "Abç"), ("normal", ""))
    )
    assert len({plain, bold, none}) == 3
