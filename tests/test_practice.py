"""`pbem practice`: a game against house bots in the terminal."""

from pathlib import Path

from click.testing import CliRunner

from pbem.cli import main
from pbem.house import shelf
from pbem.periods import paper

ENOUGH = "READY\n" * 300


def run(*words: str, typed: str = "", code: int = 0) -> str:
    result = CliRunner().invoke(main, [*words], input=typed)
    assert result.exit_code == code, (words, result.output, result.exception)
    return result.output


def practise(folder: Path, *words: str, typed: str, code: int = 0) -> str:
    return run("practice", *words, "--folder", str(folder), typed=typed, code=code)


def test_a_game_ends_and_is_kept_as_play_reads_it(tmp_path: Path, key: str) -> None:
    told = practise(tmp_path / "p", key, "--seed", "5", typed=ENOUGH)
    assert "THE GAME IS OVER" in told
    again = run("play", key, str(tmp_path / "p"))
    last = again[again.index("THE GAME IS OVER") :]
    assert last.strip() in told
    periods = paper.load_setup(key, tmp_path / "p")
    for game in paper.played(periods, tmp_path / "p"):
        if game.periods:
            said = [p for one in game.periods[-1].taken.values() for p in one.problems]
            assert all(problem.warning for problem in said), said


def test_orders_are_answered_line_by_line(tmp_path: Path) -> None:
    said = practise(
        tmp_path,
        *("coalition", "--seat", "A", "--players", "5", "--seed", "5"),
        typed="SPECIAL AGR,\nENV\nSPECIL AGR\nORDERS\nCANCEL SPECIAL\nORDERS\nQUIT\n",
    )
    assert "+ SPECIAL AGR, ENV" in said
    assert "did you mean SPECIAL AGR?" in said
    assert "* SPECIAL AGR, ENV" in said
    assert "- SPECIAL AGR, ENV" in said
    assert "No order stands." in said


def test_a_block_is_one_entry(tmp_path: Path) -> None:
    ministries = shelf.open_ruleset("coalition").book.tables["ministries"]
    lines = [f"{code}: {'ABCDE'[n % 5]}" for n, code in enumerate(ministries)]
    said = practise(
        tmp_path,
        *("coalition", "--seat", "A", "--players", "5", "--seed", "5"),
        typed="\n".join(["PROPOSE", *lines, "END PROPOSE", "QUIT", ""]),
    )
    assert "+ PROPOSE PM A" in said
    assert "Not taken" not in said


def test_what_was_left_goes_on(tmp_path: Path) -> None:
    practise(tmp_path, "coalition", "--players", "5", "--seed", "5", typed="READY\nQUIT\n")
    told = practise(tmp_path, "coalition", typed=ENOUGH)
    assert "Bulletin 1:" in told
    assert "Bulletin 0:" not in told
    assert "THE GAME IS OVER" in told
    over = practise(tmp_path, "coalition", typed="")
    assert "THE GAME IS OVER" in over


def test_a_folder_with_a_game_takes_no_new_one(tmp_path: Path) -> None:
    practise(tmp_path, "coalition", "--seed", "5", typed="")
    assert "holds a game already" in practise(
        tmp_path, "coalition", "--seed", "6", typed="", code=1
    )


def test_a_seat_or_a_number_that_is_none_is_refused(tmp_path: Path) -> None:
    assert "the seats are" in practise(tmp_path, "coalition", "--seat", "Q", typed="", code=1)
    assert "5 to 15" in practise(tmp_path, "coalition", "--players", "4", typed="", code=1)
    assert not list(tmp_path.iterdir())


def test_what_is_owed_is_said_before_the_period_closes(tmp_path: Path) -> None:
    said = practise(
        tmp_path,
        *("coalition", "--players", "5", "--seat", "A", "--seed", "5"),
        typed="READY\nREADY\nQUIT\n",
    )
    assert "Bulletin 1:" in said
    assert "Still owed: " in said
    assert "Bulletin 2:" not in said


def test_the_first_periods_have_a_lesson_whose_orders_hold(tmp_path: Path, key: str) -> None:
    said = practise(tmp_path / "p", key, "--seed", "5", typed="READY\nREADY\n" * 5)
    assert said.index("HOW TO WIN") < said.index("Bulletin 0:")
    assert said.count("HOW TO WIN") == 1
    first = said[: said.index("Bulletin 1:")]
    typed = first.partition("A beginner could type this:\n\n")[2].partition("READY\n")[0]
    again = practise(tmp_path / "q", key, "--seed", "5", typed=typed + "QUIT\n")
    assert "Not taken" not in again
    assert again.count("+ ") >= len(typed.split("\n")) - 1


def test_each_new_kind_of_period_has_a_lesson(tmp_path: Path) -> None:
    said = practise(tmp_path, "legislation", "--players", "3", "--seed", "5", typed=ENOUGH)
    first, *later = said.split("Bulletin ")[1:]
    taught = [one.partition(":")[0] for one in (first, *later) if "A LESSON" in one]
    assert taught == ["0", "1", "2", "4", "5"]


def test_a_line_that_is_no_order_brings_guidance_once(tmp_path: Path) -> None:
    said = practise(tmp_path, "coalition", "--seed", "5", typed="hello?\nhello?\nQUIT\n")
    assert said.count("HELP lists what you can type") == 1


def test_help_knows_what_the_notice_names(tmp_path: Path, key: str) -> None:
    asked = "HELP FORM\nhelp guide\nHELP FROM\nQUIT\n"
    said = practise(tmp_path, key, "--seed", "5", typed=asked)
    assert "FILL IN" in said
    assert 'No order begins with "FORM"' not in said
    assert 'No order begins with "GUIDE"' not in said
    assert 'No order begins with "FROM". HELP lists all orders.' in said
    form = said[said.index("FILL IN") :]
    first = form[: form.index("\n\n", form.index("\n\n") + 2)].split("\n")[2]
    assert said.count(first) > 1, first


def test_questions_are_answered(tmp_path: Path, key: str) -> None:
    said = practise(
        tmp_path, key, "--seed", "5", typed="what if i send nothing?\nhow do i win\nQUIT\n"
    )
    assert "If you send nothing more" in said and "| " in said
    assert "Not taken" not in said and "I don't know" not in said


def test_a_yes_takes_what_was_meant(tmp_path: Path) -> None:
    typed = "yes\nREADY\naye\nyeah thats what i meant\nORDERS\nQUIT\n"
    said = practise(tmp_path, "coalition", "--seed", "5", typed=typed)
    assert said.count("did you mean VOTE AYE?") == 1 and "+ VOTE AYE" in said
    assert "Answer yes, and it is taken." in said and "are not kept: send them again" in said
    assert said.count("Not taken") == 2


def test_a_letter_is_checked_as_it_is_answered(tmp_path: Path) -> None:
    """Questions are answered, courtesies passed over, sentences that are surely orders taken."""
    letter = tmp_path / "letter.txt"
    letter.write_text("Hi,\nplease: special agr and env.\n")
    assert "line 2: SPECIAL AGR, ENV" in run("check", "coalition", str(letter), "--seat", "A")
    letter.write_text("Hi,\nSPECIAL AGR\nHow many special ministries can I name?\n")
    said = run("check", "coalition", str(letter), "--seat", "A")
    assert "SPECIAL names one to four" in said and "line 3" not in said


def test_check_says_of_prose_what_the_mail_says(tmp_path: Path) -> None:
    """Its JSON stays as it is."""
    letter = tmp_path / "a.txt"
    letter.write_text("The cat is fine.\n", "utf-8")
    said = run("check", "coalition", str(letter), "--seat", "A", code=1)
    assert 'line 1: I found no order in "The cat is fine.".' in said
    assert "E_SYNTAX" not in said
    assert "E_SYNTAX" in run("check", "coalition", str(letter), "--seat", "A", "--json", code=1)
