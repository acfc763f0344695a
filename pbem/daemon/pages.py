"""Writes the games' pages after a pass. Errors stop nothing."""

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
    """Write changed pages to the configured folder, until ``ends()``. Return an error, if any.

    If another program writes there, the next pass will.
    """
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
