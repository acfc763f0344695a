"""An installation whose daemons share their work."""

import time
from collections.abc import Callable
from typing import Any

from pbem.house.config import Config
from pbem.store.engine import database, jobs
from tests.apart import PATIENCE
from tests.installation import Installation


class Cluster(Installation):
    def config(self) -> Config:
        found = super().config()
        shares = found.daemon.model_copy(update={"share_work": True, "poll_seconds": 1})
        return found.model_copy(update={"daemon": shares})

    def enter(self) -> None:
        engine = database.connect(self.url)
        jobs.upgrade(engine)
        engine.dispose()
        super().enter()


def until(what: Callable[[], Any]) -> None:
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)
