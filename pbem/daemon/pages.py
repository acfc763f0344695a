"""The games as pages, at the end of a pass: whatever goes wrong there is trouble, and holds up
nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import structlog

from pbem.errors import DatabaseError, FolderBusy, OperatorError, OverBudget, PbemError
from pbem.post.work import Installation
from pbem.website import folder

log = structlog.get_logger()


def write(
    installation: Installation,
    now: datetime,
    crash: Callable[[str], None],
    ends: Callable[[], bool],
) -> Exception | None:
    """What has changed is written, where the configuration names a folder, or until it ``ends``;
    what went wrong. While another program writes to the folder it is left for the next pass."""
    if not installation.config.site.folder:
        return None
    try:
        folder.renew(installation, now, crash, ends)
    except DatabaseError:
        raise
    except FolderBusy as error:
        log.info("pages left for the next pass", why=str(error))
    except PbemError as error:
        return error
    except (Exception, OverBudget) as error:
        log.exception("pages not written")
        return OperatorError(f"{type(error).__name__}: {error}")
    return None
