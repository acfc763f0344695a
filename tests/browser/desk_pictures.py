"""The guide's pictures of the desk: `python -m tests.browser.desk_pictures docs/pictures`."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from pbem.letters.states import LetterState
from tests.browser.desks import running
from tests.desk import world
from tests.installation import Installation
from tests.needs import program

HIGH = {"desk-waits": 1000, "desk-letter": 900}


def main(folder: str) -> None:
    with TemporaryDirectory() as temporary, sync_playwright() as playwright:
        found = playwright.chromium.launch(
            executable_path=program("chromium"), args=["--no-sandbox"]
        )
        with world.world(Path(temporary)) as at:
            world.furnish(at)
            paths = {"desk-waits": "/", "desk-letter": f"/letters/{newest(at)}"}
            with (
                running(at, found) as desk,
                desk.seat(
                    "", viewport={"width": 1000, "height": 1000}, color_scheme="light"
                ) as seat,
            ):
                for name, path in paths.items():
                    page = seat.go(path)
                    page.screenshot(
                        path=Path(folder) / f"{name}.png",
                        clip={"x": 0, "y": 0, "width": 1000, "height": HIGH[name]},
                    )
        found.close()


def newest(at: Installation) -> int:
    """The newest letter that waits for proof and came by mail."""
    from sqlalchemy import func, select

    from pbem.store.engine.database import exclusive_transaction
    from pbem.store.schema.tables import Letter

    with exclusive_transaction(at.daemon.engine) as conn:
        waits = (Letter.outcome == LetterState.UNVERIFIED, Letter.id < 900)
        return int(conn.execute(select(func.max(Letter.id)).where(*waits)).scalar_one())


if __name__ == "__main__":
    main(*sys.argv[1:])
