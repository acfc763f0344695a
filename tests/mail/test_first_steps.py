"""What an operator meets first: `pbem db upgrade`, and what the doctor says of a place that is not
ready."""

from pbem.store.engine import database
from pbem.text import sentence
from tests.mail.test_upgrade import landed
from tests.shell import Shell


def test_doctor_looks_whether_the_site_can_be_written(begun: Shell) -> None:
    assert "[site]" not in begun("doctor", "--offline")
    good, folder = begun.file.read_text(), begun.file.parent / "site" / "pages"
    begun.write(f'{good}\n[site]\nfolder = "{folder}"\n')
    assert f"ok   [site] folder {folder}" in begun("doctor", "--offline")
    assert not folder.parent.exists(), "to look makes nothing"
    folder.parent.write_text("in the way")
    said = " ".join(begun.run("doctor", "--offline", code=1).stdout.split())
    assert f"BAD [site] folder {folder}: it cannot be written (Not a directory)" in said


def test_what_an_upgrade_has_done(begun: Shell) -> None:
    good, other = begun.file.read_text(), f"sqlite:///{begun.file.parent}/other.db"
    assert "is up to date, at revision 0" in begun("db", "upgrade")
    begun.write(good.replace(begun.at.url, other))
    said = " ".join(begun.run("doctor", "--offline", code=1).stdout.split())
    assert "the database is empty, this program needs 0" in said
    assert "other.db was empty and is at revision 0" in begun("db", "upgrade")
    (begun.file.parent / "other.db").unlink()
    landed(other)
    assert f"was brought from revision {database.OLDEST} to 0" in begun("db", "upgrade")


def test_a_trouble_has_one_end(begun: Shell) -> None:
    begun.write(begun.file.read_text().replace(begun.at.url, "sqlite:////nowhere/at/all/x.db"))
    said = " ".join(begun.run("doctor", "--offline", code=3).stdout.split())
    assert "and its folder. Check [referee] database" in said and ".;" not in said
    assert [sentence(words) for words in ("a", "a.", "a?")] == ["a.", "a.", "a?"]
