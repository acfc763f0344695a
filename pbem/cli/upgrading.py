"""The doctor before an upgrade: does this Python do, and would the database come through?

A copy is upgraded, so nothing is changed.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import Engine

from pbem.cli.finding import Finding
from pbem.errors import PbemError
from pbem.store.engine import backup, database

OLDEST, NEWEST = (3, 11), (3, 13)
"""Tested with pbem."""
_STEPS = "`pbem backup FILE`, then `pbem db upgrade`"


def python() -> Iterator[Finding]:
    here = sys.version_info[:2]
    if not OLDEST <= here <= NEWEST:
        tested = " to ".join(".".join(map(str, one)) for one in (OLDEST, NEWEST))
        what = f"Python {here[0]}.{here[1]}"
        yield Finding(what, True, f"pbem is tested with {tested}", warning=True)


def tried(engine: Engine) -> Iterator[Finding]:
    """Yield how an upgrade of a copy went, if needed. Not on PostgreSQL, which would need a
    database of its own."""
    before = database.revision(engine)
    if before is None or engine.dialect.name != "sqlite":
        return
    what = f"an upgrade from revision {before}, tried on a copy"
    with TemporaryDirectory(prefix="pbem-upgrade-") as folder:
        file = Path(folder) / "copy.db"
        copy = None
        try:
            backup.back_up(engine.url.render_as_string(hide_password=False), file)
            copy = database.connect(f"sqlite:///{file}")
            _, after = database.upgrade(copy)
            drift = database.drift(copy)
        except PbemError as error:
            yield Finding(what, False, f"{error}; the database is as it was")
        else:
            mend = f"the tables would differ from the program's records: {drift}"
            yield Finding(f"{what}, comes to {after}: {_STEPS}", not drift, mend)
        finally:
            if copy is not None:
                copy.dispose()
