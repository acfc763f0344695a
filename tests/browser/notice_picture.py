"""The README's picture: `python -m tests.browser.notice_picture docs/pictures/notice.png`.

The notice that Sophie answers in the period of play that the README tells, as a phone shows it.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from pbem.cli import gallery
from tests.docs import readme_game
from tests.installation import Installation
from tests.needs import program

SUBJECT = "You owe a vote on bill 4"


def main(file: str) -> None:
    with TemporaryDirectory() as temporary, sync_playwright() as playwright:
        folder = Path(temporary)
        with Installation(folder, "parlement-1966") as at:
            readme_game.played(at)
            mails = [gallery.of_mail(mail.as_bytes(), "") for mail in at.mails("S")]
        (notice,) = [mail for mail in mails if SUBJECT in mail.subject]
        gallery.write(folder / "mails", notice.subject, [notice])
        found = playwright.chromium.launch(
            executable_path=program("chromium"), args=["--no-sandbox"]
        )
        page = found.new_page(viewport={"width": 390, "height": 740}, color_scheme="light")
        page.goto((folder / "mails" / "0001.html").as_uri())
        page.screenshot(path=file)
        found.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
