"""The real desk on a port, in a process of its own and on a clock that stands:
`python -m tests.desk.server DATABASE-URL PORT 2026-03-02T09:00:00+00:00`."""

import sys
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.desk.app import Desk
from pbem.desk.serving import serve
from pbem.house import config
from pbem.store.engine import database
from tests.installation import Installation


def main(url: str, port: str, clock: str) -> None:
    with TemporaryDirectory() as folder:
        settings = Installation(Path(folder), "coalition", url=url).config()
    told = settings.model_copy(update={"desk": config.Desk(port=int(port))})
    now = datetime.fromisoformat(clock)
    serve(Desk(database.connect(url), told, lambda: now), tied=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
