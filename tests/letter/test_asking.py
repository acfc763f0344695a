"""Words to the referee as people write them, and the days of an absence."""

from datetime import date
from pathlib import Path

import pytest

from pbem.acts.act import LINE, Kind
from pbem.acts.acts import BY_MAIL
from pbem.games import GAMES
from pbem.games.frame.press_rules import addressed, not_words
from pbem.house import shelf
from pbem.orders import dates, order
from pbem.orders.asking import HEARD, NAME, asked, use
from pbem.orders.mailwords import COMMANDING, WORDS, Press, peel
from tests.letter.letters import table

SUNDAY = date(2026, 11, 22)


def test_game_and_period_with_their_colons() -> None:
    peeled = peel("Game: G1\nPeriod: 7 please\nPASS")
    assert (peeled.game, peeled.period, peeled.text) == ("g1", 7, "\n\nPASS")


@pytest.mark.parametrize(
    ("line", "to", "text"),
    [
        ("PRESS TO Ren\u00e9", ("REN\u00c9",), "x"),
        ("Press to all:", ("ALL",), "x"),
        ("PRESS TO: S & R", ("S", "R"), "x"),
        ("PRESS TO S: Hello; there", ("S",), "Hello; there\nx"),
        ("PRESS TO Anna-Maria O'Neill", ("ANNA-MARIA", "O'NEILL"), "x"),
    ],
)
def test_press(line: str, to: tuple[str, ...], text: str) -> None:
    (found,) = peel(f"{line}\nx\nEND PRESS").press
    assert (found.to, found.text) == (to, text)


CALLED = {
    "S": ("Ann Berg", "Socialists"),
    "R": ("Ren\u00e9", "Radicals"),
    "L": ("Ann Cole",),
    "C": ("All Saints",),
    "M": ("", ""),
}


@pytest.mark.parametrize(
    ("words", "seats"),
    [
        ("S R", ["S", "R"]),
        ("REN\u00c9 S", ["R", "S"]),
        ("ANN BERG L", ["S", "L"]),
        ("BERG", ["S"]),
        ("ANN", ["ANN"]),
        ("THE SOCIALISTS M", ["S", "M"]),
        ("ALL", ["ALL"]),
        ("ALL SAINTS", ["C"]),
        ("ALL THE PLAYERS", ["ALL"]),
        ("EVERYBODY", ["ALL"]),
        ("THE S", ["S"]),
        ("NOBODY", ["NOBODY"]),
    ],
)
def test_whom_a_press_names(words: str, seats: list[str]) -> None:
    assert addressed(words.split(), CALLED) == seats


DAYS = table(Path(__file__).with_name("days.tsv"))


@pytest.mark.parametrize("row", DAYS, ids=lambda row: row["said"])
def test_days(row: dict[str, str]) -> None:
    said = row["said"]
    if row["why"]:
        with pytest.raises(dates.Unclear, match=row["why"]):
            dates.days(said, SUNDAY)
        return
    assert dates.looks_like_days(said)
    found = date.fromisoformat(row["first"]), date.fromisoformat(row["last"])
    assert dates.days(said, SUNDAY) == found


def test_no_word_for_the_referee_begins_an_order() -> None:
    for key in GAMES:
        words = shelf.open_ruleset(key).language.words
        assert not words & (WORDS - COMMANDING - {NAME}), key
        assert asked('NAME "The Party"') is None, "an order's name stands in quotation marks"
        for word in words & COMMANDING:
            assert BY_MAIL[word].line.startswith(LINE[Kind.NUMBER]), (key, word)
            for line in (f"{word} 17", f"{word} 17 SEAT B PERIOD 3"):
                assert not shelf.open_ruleset(key).language.reads(line), (key, line)


def test_the_offices_of_a_gamesmaster_who_plays_are_orders() -> None:
    text = "ACCEPT FINANCE\nDISMISS R FROM FINANCE"
    assert peel(text, gamesmaster=True).text == text
    assert [one.name for one in peel("ACCEPT 3\nDISMISS 4", True).commands] == ["ACCEPT", "DISMISS"]


def test_a_plea_among_players_is_no_word_for_the_referee() -> None:
    for line in ("Help me please", "Why not?", "Rules are rules", "Orders, please!"):
        assert not_words(shelf.open_ruleset("coalition").language, _press(line)) == []
    for line in ("HELP me please", "Status?", "history 3", "WHY N2"):
        assert not_words(shelf.open_ruleset("coalition").language, _press(line)) == [line]


def _press(line: str) -> Press:
    (found,) = peel(f"PRESS TO B\nHi\n{line}").press
    return found


@pytest.mark.parametrize(
    "line",
    [
        "Please CHECK",
        "please check",
        "Please check these orders.",
        "Could you check my orders?",
        "Just testing.",
        "This is just a test",
        "Test only, please",
        "What if I did this:",
        "What would happen?",
        "What would happen with these",
        "Please don't store this yet",
        "dry run",
    ],
)
def test_a_letter_that_asks_for_a_trial_in_any_words_is_one(line: str) -> None:
    for text in (f"{line}\nVOTE YES ON 4", f"VOTE YES ON 4\n{line}"):
        peeled = peel(text)
        assert peeled.asks("CHECK"), text
        assert "VOTE YES ON 4" in peeled.text


@pytest.mark.parametrize(
    "line",
    [
        "Check with Bob",
        "I cannot check my mail",
        "What a test!",
        "We will test Anna's nerve",
        "What if the budget fails?",
        "what if i forget to vote",
        "what if i send nothing?",
        "What if I do not vote?",
        "What would happen in a tie?",
    ],
)
def test_words_that_ask_for_no_trial_are_none(line: str) -> None:
    assert not peel(f"{line}\nVOTE YES ON 4").asks("CHECK")


def test_each_word_says_how_it_is_used() -> None:
    """WHY and GAMES are read whatever stands behind them, END and CANCEL are orders' words too."""
    missing = {word for word in HEARD if not use(word)} - {"CANCEL", "END", "GAMES", "WHY"}
    assert not missing, sorted(missing)


@pytest.mark.parametrize(
    "text",
    [
        "My list was signed by R first; the Government is wrong.",
        "Could we play on? I am moving house. PAY 500 TO L; VOTE 4 YES. READY",
        'He said "PAY 5; RESIGN" and meant #3 of it.',
        "A line that a mail program breaks at its usual width because of\nPAY and what it costs us",
        "One sentence.\nVOTE is what I asked about; PERIOD 2 too.",
        "Ready or not?\nready",
    ],
)
def test_free_text_is_never_cut_nor_read_as_anything_else(text: str) -> None:
    whole = " ".join(text.split("\n"))
    for word, name in (("ASK GAMESMASTER", "ASK"), ("PROTEST", "PROTEST")):
        found = peel(f"PASS\n{word} {text}\n\nREADY")
        said = [(one.name, one.argument) for one in found.commands]
        assert said == [(name, whole), ("READY", "")]
        assert found.text.strip() == "PASS" and found.period is None
    found = peel(f"PASS\nPRESS TO L\n{text}\n\n{text}\nEND PRESS\nREADY")
    assert [one.text for one in found.press] == [f"{text}\n\n{text}"]
    found = peel(f"PASS\nSTATEMENT\n{text}\n\n{text}\nEND STATEMENT\nREADY")
    assert found.commands[0].argument == f"{text}\n\n{text}"
    assert order.reported(f"REPORT {text}\n\n{text}") == f"{text}\n\n{text}"
    text, whole = (one.replace('"', "'") for one in (text, whole))
    found = peel(f'PASS\nAMEND "{text}\n\n{text}"\nREADY')
    assert found.text == f'PASS\nAMEND "{text}\n\n{text}"\n' and found.asks("READY")
    language = shelf.open_ruleset("parlement-1966").language
    (_, line) = language.split(found.text)
    assert str(language.read(line).orders[0]) == f'AMEND "{whole} {whole}"'


@pytest.mark.parametrize(
    "line",
    [
        "HOLD I am ill; back soon",
        "RULE No bluffing; PAY 5 counts. PAY",
        "HOLD The post is on strike, it seems, in all of the country.\nPAY; and wait; PERIOD 2",
    ],
)
def test_a_reason_keeps_its_semicolons_and_goes_on_below(line: str) -> None:
    said = peel(f"{line}\n\nGAME g", gamesmaster=True)
    (found,) = said.commands
    assert f"{found.name} {found.argument}" == line.replace("\n", " ")
    assert not said.text.strip() and said.game == "g" and said.period is None


@pytest.mark.parametrize(
    "text", ["HOLD\nKarl", "EXTEND 2 days\nKarl", "PRINT 3 NONE\nKarl", "HOLD illness\nGAME g"]
)
def test_what_stands_below_an_act_without_a_reason_is_none(text: str) -> None:
    found = peel(text, gamesmaster=True)
    assert "Karl" not in found.commands[0].argument and "GAME" not in found.commands[0].argument


@pytest.mark.parametrize(
    "line", ["Hold on to your hats", "Rule Britannia!", "Close friends", "Warn them"]
)
def test_an_act_in_a_sentence_is_none(line: str) -> None:
    assert peel(line, gamesmaster=True).commands == ()


@pytest.mark.parametrize("line", ["hold", "Extend 3 days", "accept 17", "HOLD on to your hats"])
def test_an_act_alone_or_in_capitals_is_one(line: str) -> None:
    assert len(peel(line, gamesmaster=True).commands) == 1


def test_a_heading_names_a_period() -> None:
    assert peel("Orders for period 2:\nPAY 1 TO L").period == 2
    assert peel("PERIOD 1\nFor period 2\nPAY 1 TO L").doubtful
    found = peel("PAY 1 TO L\nFor next period:\nPAY 2 TO R")
    assert found.text.strip() == "PAY 1 TO L" and found.next and found.period is None
    assert peel("PAY 500 TO L IN PERIOD 5").period is None


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("UNRULE 3 it was wrong", "RULE NONE 3 it was wrong"),
        ("UNSTANDBY a@b.example moved", "STANDBY a@b.example NONE moved"),
        ("SECOND a@b.example", "MASTER a@b.example SECOND"),
        ("WARN S mind your words", "SUSPEND S mind your words"),
        ("REJECT 3 too long", "PRINT 3 NONE too long"),
        ("REFUSE t 3 too late", "ADMIT t 3 NONE too late"),
    ],
)
def test_a_word_of_before_is_read_as_what_it_is_now(before: str, now: str) -> None:
    assert peel(before, gamesmaster=True) == peel(now, gamesmaster=True)
