"""The history of the benches: what is read from their output, and what counts as a regress."""

import sys
from pathlib import Path

import pytest

from bench import mail, tick
from bench.history import BENCHES, LATEST, Entry, append, ratios, read, regressed

PRINTED = {
    "bots": (
        "coalition        slowest period: adjudication 3.10 ms, from order texts 9.20 ms: 0.44, 1.31"
        " of them\n",
        [("coalition", "less", 0.44)],
    ),
    "election-1966": (
        "ratio (at most 1.00 wanted):                    0.81\n"
        "order lines parsed and checked a second:        9000\n"
        "ratio (at least 1.50 wanted):                   1.83\n",
        [
            ("ratio (at most 1.00 wanted)", "less", 0.81),
            ("ratio (at least 1.50 wanted)", "more", 1.83),
        ],
    ),
    "faces": (
        "an election, HTML       120.0 ms    1.52 x plain\n",
        [("an election, HTML", "less", 1.52)],
    ),
    "mail": (
        "round 1: ours 300, floor 800; 1.07 commits a letter\n"
        "\n                                                              min  median     max   target\n"
        "floor / ours (how many times slower than the floor)           2.47    2.51    2.63   <= 2.2\n"
        "ours / Mailman, live                                          1.10    1.20    1.30   >= 3.5\n",
        [
            ("floor / ours (how many times slower than the floor)", "less", 2.51),
            ("ours / Mailman, live", "more", 1.2),
        ],
    ),
    "queue": (
        "pbem queue --json: 1.50 s with 100 games, 4.00 s with 10000; ratio 2.67\n",
        [("pbem queue --json", "less", 2.67)],
    ),
    "quick": (
        "nothing          0.012 s     1.0 x nothing\nqueue --help     0.080 s     6.7 x nothing\n",
        [("queue --help", "less", 6.7)],
    ),
    "storm": (
        "a game of 400 costs 1.16 times one of 100\n10,000 games at that rate: 4.1 minutes, 4.0 of processor"
        " time\n",
        [("a game of 400", "less", 1.16)],
    ),
    "tick": (
        "a tick with 10,000 games / with 10                                0.98    1.00    1.02   about 1\n"
        "                                                              (a pass: 21.0 ms)\n",
        [("a tick with 10,000 games / with 10", "less", 1.0)],
    ),
}


def runs(better: str, *values: float) -> list[Entry]:
    return [
        Entry("2026-11-26", f"c{n}", "quick", "play", better, one) for n, one in enumerate(values)
    ]


def test_no_bench_has_a_name_of_the_standard_library() -> None:
    """A script's folder is the first in which Python looks for a module."""
    names = {file.stem for file in Path(mail.__file__).parent.glob("*.py")}
    assert "mail" in names and not names & sys.stdlib_module_names


@pytest.mark.parametrize("name", BENCHES)
def test_the_ratios_of_a_bench_are_found(name: str) -> None:
    printed, expected = PRINTED[name]
    assert list(ratios(BENCHES[name], printed)) == expected


def test_what_mail_and_tick_print_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    mail.told("floor / ours", [4.0, 6.0, 7.0], "<= 2.2")
    mail.told("ours / Mailman", [2.0, 3.0, 4.0], ">= 3.5")
    mail.told("one letter to its receipt, seconds", [0.9, 1.0, 1.1], "< 1")
    tick.told("10,000 games against 10", [0.9, 1.25, 2.0], "about 1")
    assert list(ratios(BENCHES["mail"], capsys.readouterr().out)) == [
        ("floor / ours", "less", 6.0),
        ("ours / Mailman", "more", 3.0),
        ("10,000 games against 10", "less", 1.25),
    ]


@pytest.mark.parametrize(
    ("better", "values"),
    [
        ("less", (2.0, 2.0, 2.0, 2.3, 2.3, 2.3)),
        ("more", (2.0, 2.0, 2.0, 1.7, 1.7, 1.7)),
        ("less", (2.0, 9.0, 2.0, 2.3, 2.5, 2.3)),
    ],
)
def test_three_worse_runs_are_a_regress_that_names_itself(
    better: str, values: tuple[float, ...]
) -> None:
    (line,) = regressed(runs(better, *values))
    assert line.startswith("quick: play was 2, and now ") and "(c5)" in line


@pytest.mark.parametrize(
    ("better", "values"),
    [
        ("less", (2.0, 2.0, 2.0, 2.3, 2.3, 2.1)),  # the last is no tenth worse
        ("less", (2.0, 2.0, 2.0, 2.0, 9.0, 9.0)),  # two
        ("less", (2.0, 2.0, 2.0, 1.0, 1.0, 1.0)),  # better
        ("more", (2.0, 2.0, 2.0, 9.0, 9.0, 9.0)),
        ("less", (2.0, 9.0, 9.0)),  # nothing before the latest
        ("less", ()),
    ],
)
def test_anything_else_is_none(better: str, values: tuple[float, ...]) -> None:
    assert list(regressed(runs(better, *values))) == []


def test_ratios_are_judged_each_by_itself() -> None:
    other = [Entry("2026-11-26", "c", "quick", "--help", "less", 1.0)] * (LATEST + 1)
    assert len(list(regressed([*other, *runs("less", 2.0, 3.0, 3.0, 3.0), *other]))) == 1


def test_a_history_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "history.tsv"
    assert read(file) == []
    first, second = runs("less", 2.0), runs("more", 1.5)
    append(file, first)
    append(file, second)
    assert read(file) == [*first, *second]
    assert len(file.read_text().splitlines()) == 3
