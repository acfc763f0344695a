"""The desk as an application of the web: one transaction a request, and every answer with the
headers that keep a browser from running anything of a letter's.

Requests are answered one after another in the main thread, the only one that can keep a budget of
processor time (``store.budget``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import structlog
from sqlalchemy import Engine
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pbem.desk import entering, sessions
from pbem.desk.asked import Answer, Asked, Given, NotThere, Page, Raw
from pbem.desk.pages import ACTS, PAGES, Entry
from pbem.desk.sessions import Session
from pbem.errors import DatabaseError, OperatorError, OverBudget
from pbem.post.postmark import postmark
from pbem.post.work import Work
from pbem.referee.sight import Sight
from pbem.store import database, templates
from pbem.store.config import Config

log = structlog.get_logger()
LARGEST = 1_000_000
"""So many bytes has a form at most."""
STATIC = Path(__file__).parent / "static"
_LOCAL = ("127.0.0.1", "localhost")
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " frame-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


@dataclass(frozen=True, slots=True)
class Desk:
    """One installation's desk: its database, its configuration and a clock (aware, UTC)."""

    engine: Engine
    config: Config
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)

    @property
    def secure(self) -> bool:
        """Whether browsers reach it by TLS."""
        return self.config.desk.address.startswith("https:")

    @property
    def cookie(self) -> str:
        """The name of its cookie; where there is TLS, one that cannot be set without it."""
        return "__Secure-pbem" if self.secure else "pbem"

    @property
    def root(self) -> str:
        """The path at which a proxy has it, "" for none."""
        return urlsplit(self.config.desk.address).path.rstrip("/")

    @property
    def hosts(self) -> list[str]:
        """The names under which it answers; another's name that points here gets nothing."""
        own = urlsplit(self.config.desk.address).hostname
        listens = self.config.desk.host
        named = {*_LOCAL, *([own] if own else []), listens}
        return sorted(named - {"0.0.0.0", "::", ""})

    @contextmanager
    def work(self, *, writes: bool, game: str = "") -> Iterator[Work]:
        """One transaction: to look, or (``writes``) to do something, upon one game or on all."""
        if not writes:
            transaction = database.reading(self.engine)
        elif game:
            transaction = database.beside(self.engine, game)
        else:
            transaction = database.transaction(self.engine)
        with transaction as conn:
            yield Work(conn, postmark(conn, self.config), self.config, self.clock())


def application(desk: Desk) -> Starlette:
    """The desk, to be served by any server of ASGI."""
    return Starlette(
        routes=[
            Mount("/static", StaticFiles(directory=STATIC), name="static"),
            Route("/enter", partial(_enter, desk), methods=["GET", "POST"]),
            Route("/leave", partial(_leave, desk), methods=["POST"]),
            *(Route(one.path, partial(_page, desk, one)) for one in PAGES),
            Route(ACTS.path, partial(_act, desk), methods=["GET", "POST"]),
            Route("/{rest:path}", partial(_nothing, desk)),
        ],
        middleware=[
            Middleware(_Headers),
            Middleware(TrustedHostMiddleware, allowed_hosts=desk.hosts, www_redirect=False),
            Middleware(_Root, root=desk.root),
        ],
    )


class _Headers:
    """Every answer says what a browser may do with it, unless it says so itself."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, sending)


class _Root:
    """The path at which a proxy has the desk, whether or not the proxy takes it away."""

    def __init__(self, app: ASGIApp, root: str) -> None:
        self.app, self.root = app, root

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.root and scope["type"] == "http":
            path = scope["path"]
            whole = path if path.startswith(f"{self.root}/") else self.root + path
            scope = {**scope, "root_path": self.root, "path": whole}
        await self.app(scope, receive, send)


# --- coming in and leaving ------------------------------------------------------------------------


async def _enter(desk: Desk, request: Request) -> Response:
    given = await _given(request)
    if given is None:
        return _refused(desk, 413, "That is more than a form can hold.")
    if request.method == "POST" and not _own(request):
        return _refused(desk, 403, "That form was not ours.")
    return _entered(desk, request.method, given)


def _entered(desk: Desk, method: str, given: Given) -> Response:
    try:
        with desk.work(writes=method == "POST") as work:
            found = entering.page(work, given, posted=method == "POST")
    except DatabaseError as error:
        return _refused(desk, 503, str(error))
    if not isinstance(found, Session):
        return _rendered(desk, found)
    answer = RedirectResponse(f"{desk.root}/", 303)
    answer.set_cookie(
        desk.cookie,
        found.secret,
        max_age=int(sessions.SESSION_LIVES.total_seconds()),
        path=f"{desk.root}/",
        secure=desk.secure,
        httponly=True,
        samesite="strict",
    )
    return answer


async def _leave(desk: Desk, request: Request) -> Response:
    given = await _given(request)
    secret = request.cookies.get(desk.cookie, "")
    if given is None or not _own(request):
        return _refused(desk, 403, "That form was not ours.")
    return _left(desk, secret, given)


def _left(desk: Desk, secret: str, given: Given) -> Response:
    with desk.work(writes=True) as work:
        found = sessions.session(work.conn, secret, work.now)
        if found and given.get("csrf") == _sign(work, found, "csrf"):
            sessions.leave(work, found)
    answer = RedirectResponse(f"{desk.root}/enter", 303)
    answer.delete_cookie(desk.cookie, path=f"{desk.root}/")
    return answer


# --- the pages ------------------------------------------------------------------------------------


async def _page(desk: Desk, entry: Entry, request: Request) -> Response:
    given = Given(list(request.query_params.multi_items()))
    return _answered(desk, entry, request, given)


async def _act(desk: Desk, request: Request) -> Response:
    given = await _given(request)
    if given is None:
        return _refused(desk, 413, "That is more than a form can hold.")
    if request.method == "POST" and not _own(request):
        return _refused(desk, 403, "That form was not ours.")
    return _answered(desk, ACTS, request, given)


async def _nothing(desk: Desk, request: Request) -> Response:
    entry = Entry("", _not_there)
    return _answered(desk, entry, request, Given([]))


def _not_there(_asked: Asked) -> Page:
    raise NotThere("There is no such page.")


def _answered(desk: Desk, entry: Entry, request: Request, given: Given) -> Response:
    """The answer of a page, or what went wrong, said to whoever can mend it."""
    posted = request.method == "POST"
    asked: Asked | None = None
    try:
        writes = posted or entry.writes(request.path_params, given)
        with desk.work(writes=writes, game=entry.game(request.path_params, given)) as work:
            secret = request.cookies.get(desk.cookie, "")
            found = sessions.session(work.conn, secret, work.now)
            if found is None:
                return RedirectResponse(f"{desk.root}/enter", 303)
            asked = _asked(desk, work, found, request, given)
            if posted and given.get("csrf") != asked.csrf:
                return _refused(desk, 403, "This form is of another session: open the page again.")
            answer = entry.function(asked)
            return _rendered(desk, answer, asked)
    except NotThere as error:
        return _refused(desk, 404, str(error), asked)
    except OperatorError as error:
        return _refused(desk, 409, str(error), asked)
    except DatabaseError as error:
        return _refused(desk, 503, str(error), asked)
    except (Exception, OverBudget) as error:
        log.exception("page not made", path=request.url.path)
        said = f"This page could not be made ({type(error).__name__}); the log says why."
        return _refused(desk, 500, said, asked)


def _asked(desk: Desk, work: Work, found: Session, request: Request, given: Given) -> Asked:
    path = request.url.path.removeprefix(desk.root)
    query = f"?{request.url.query}" if request.url.query else ""
    return Asked(
        work,
        found.who,
        Sight(work, found.who),
        request.path_params,
        given,
        partial(_sign, work, found),
        desk.root,
        f"{path}{query}",
    )


def _sign(work: Work, found: Session, said: str) -> str:
    return work.mark.code(f"desk/{found.secret}/{said}")


# --- requests and answers -------------------------------------------------------------------------


async def _given(request: Request) -> Given | None:
    """The query, or the fields of a form; None where it is too large."""
    if request.method != "POST":
        return Given(list(request.query_params.multi_items()))
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > LARGEST:
            return None
    text = body.decode("utf-8", errors="replace")
    return Given(parse_qsl(text, keep_blank_values=True, max_num_fields=2_000))


def _own(request: Request) -> bool:
    """Whether a form was sent by a page of ours, as far as the browser says."""
    site = request.headers.get("sec-fetch-site", "same-origin")
    origin = request.headers.get("origin", "")
    return site in ("same-origin", "none") and (
        not origin or urlsplit(origin).netloc == request.headers.get("host", "")
    )


def _refused(desk: Desk, status: int, said: str, asked: Asked | None = None) -> Response:
    page = Page("refused.html.j2", "That did not work", {"said": said}, status)
    return _rendered(desk, page, asked)


def _rendered(desk: Desk, answer: Answer, asked: Asked | None = None) -> Response:
    if isinstance(answer, Raw):
        headers = {"Content-Security-Policy": answer.policy}
        return Response(answer.body, media_type=answer.media_type, headers=headers)
    page = templates.environment().get_template(f"_shared/desk/{answer.template}")
    facts: Mapping[str, Any] = {
        "title": answer.title,
        "asked": asked,
        "url": asked.url if asked else desk.root.__add__,
        "owner": desk.config.referee.name,
    }
    text = page.render({**facts, **answer.facts})
    return Response(text, answer.status, media_type="text/html")
