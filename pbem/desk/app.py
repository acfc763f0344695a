"""The desk as a web application: one transaction a request, and headers against a letter's content.

The main thread answers one request at a time: only it can limit processor time (``budget``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import structlog
from sqlalchemy import Engine
from starlette.applications import Starlette
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pbem.acts.act import Needs
from pbem.acts.acts import BY_NAME, NEW
from pbem.desk import acts, game_pages, letter, lists, new, sessions
from pbem.desk.asked import Answer, Asked, Given, Led, NotThere, Page, Raw
from pbem.desk.sessions import NewSession
from pbem.desk.times import letters_linked, spoken
from pbem.errors import DatabaseError, OperatorError, OverBudget
from pbem.house import templates
from pbem.house.config import Config
from pbem.post.postmark import postmark
from pbem.post.work import Work
from pbem.referee.gamesmaster.waits import Sight
from pbem.store.engine import database
from pbem.store.schema.tables import Session

log = structlog.get_logger()
STATIC = Path(__file__).parent / "static"
_LOCAL = ("127.0.0.1", "localhost", "::1")
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " frame-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
_REMEMBERED = timedelta(days=7)
"""How long the door can say what ended."""
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
    """The desk of one installation. Its clock is aware, in UTC."""

    engine: Engine
    config: Config
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)

    @property
    def secure(self) -> bool:
        return self.config.desk.address.startswith("https:")

    @property
    def cookie(self) -> str:
        """With TLS, it can only be set over TLS."""
        return "__Secure-pbem" if self.secure else "pbem"

    @property
    def root(self) -> str:
        """The path prefix of the proxy, or ""."""
        return urlsplit(self.config.desk.address).path.rstrip("/")

    @contextmanager
    def work(self, *, writes: bool, game: str | None = None) -> Iterator[Work]:
        """Open a transaction on ``game`` (None: all). ``writes``: it changes something."""
        if not writes:
            transaction = database.reading(self.engine)
        elif game:
            transaction = database.shared_transaction(self.engine, game)
        else:
            transaction = database.exclusive_transaction(self.engine)
        with transaction as conn:
            yield Work(conn, postmark(conn, self.config), self.config, self.clock())


def application(desk: Desk) -> Starlette:
    ours = desk.config.desk
    named = {*_LOCAL, urlsplit(ours.address).hostname or "", ours.host} - {"0.0.0.0", "::", ""}
    hosts = sorted(f"[{one}]" if ":" in one else one for one in named)
    return Starlette(
        routes=[
            Mount("/static", _Static(directory=STATIC), name="static"),
            Route("/enter", partial(_sent, desk, _entered), methods=["GET", "POST"]),
            Route("/leave", partial(_sent, desk, _left), methods=["POST"]),
            *(
                Route(
                    one.path,
                    partial(_sent, desk, partial(_answered, one)),
                    methods=["GET", "POST"][: 1 + one.posts],
                )
                for one in PAGES
            ),
            Route("/{rest:path}", partial(_nowhere, desk)),
        ],
        middleware=[
            Middleware(_Headers),
            Middleware(TrustedHostMiddleware, allowed_hosts=hosts, www_redirect=False),
            Middleware(_Root, root=desk.root),
        ],
        exception_handlers={
            404: partial(_nowhere, desk),  # of static files, and odd paths
            ClientDisconnect: _gone,
        },
    )


class _Number(IntegerConvertor):
    """A path's number that fits in a database column."""

    regex = "[0-9]{1,9}"


register_url_convertor("int", _Number())


class _Static(StaticFiles):
    def file_response(self, *args: Any, **named: Any) -> Response:
        answer = super().file_response(*args, **named)
        answer.headers["Cache-Control"] = "no-cache"
        return answer


def warm(desk: Desk) -> None:
    """Compile templates and statements. Raise DatabaseError."""
    env = templates.environment()
    for name in env.list_templates(filter_func=lambda name: name.startswith("_shared/desk/")):
        env.get_template(name)
    with desk.work(writes=False) as work:
        asked = Asked(work, "", Sight(work, None), {}, Given([]), str, desk.root, "/")
        _rendered(desk, lists.home_page(asked), asked)


class _Headers:
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
    def __init__(self, app: ASGIApp, root: str) -> None:
        self.app, self.root = app, root

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.root and scope["type"] == "http":
            path = scope["path"]
            if path == self.root:
                path += "/"
            whole = path if path.startswith(f"{self.root}/") else self.root + path
            scope = {**scope, "root_path": self.root, "path": whole}
        await self.app(scope, receive, send)


# --- coming in and leaving ------------------------------------------------------------------------


async def _sent(
    desk: Desk, answered: Callable[[Desk, Request, Given], Response], request: Request
) -> Response:
    """Answer what a browser sent; refuse a form that is none of ours."""
    given = await sessions.given(request)
    if given is None:
        return _refused(desk, 413, "That is more than a form can hold.")
    if request.method == "POST" and not sessions.is_ours(request, desk.config.desk.address):
        return _refused(desk, 403, "That form was not ours.")
    try:
        return answered(desk, request, given)
    except (Exception, OverBudget) as error:
        return _failed(desk, request, error)


def _entered(desk: Desk, request: Request, given: Given) -> Response:
    asker = sessions.asker(request, behind_proxy=bool(desk.config.desk.address))
    says, posted = request.headers.get("user-agent", ""), request.method == "POST"
    with desk.work(writes=posted) as work:
        found = sessions.page(work, given, asker, says, posted=posted)
    if not isinstance(found, NewSession):
        return _rendered(desk, found)
    answer = RedirectResponse(f"{desk.root}/", 303)
    answer.set_cookie(
        desk.cookie,
        found.secret,
        max_age=int((found.lives + _REMEMBERED).total_seconds()),
        path=f"{desk.root}/",
        secure=desk.secure,
        httponly=True,
        samesite="strict",
    )
    return answer


def _left(desk: Desk, request: Request, given: Given) -> Response:
    with desk.work(writes=True) as work:
        found = sessions.session(work, request.cookies.get(desk.cookie, ""))
        if found and given.get("csrf") == _sign(work, found, "csrf"):
            Session.drop(work.conn, key=found.key)
    answer = RedirectResponse(f"{desk.root}/enter", 303)
    answer.delete_cookie(desk.cookie, path=f"{desk.root}/")
    return answer


# --- the pages ------------------------------------------------------------------------------------


async def _nowhere(desk: Desk, request: Request, _error: Exception | None = None) -> Response:
    return _answered(PageRoute("", _not_there), desk, request, Given([]))


async def _gone(_request: Request, _error: Exception) -> Response:
    return Response(status_code=400)


def _not_there(_asked: Asked) -> Page:
    raise NotThere("There is no such page.")


def _answered(entry: PageRoute, desk: Desk, request: Request, given: Given) -> Response:
    posted = request.method == "POST"
    asked: Asked | None = None
    try:
        path = sessions.path(request)
        with desk.work(writes=posted or entry.writes, game=entry.game(path, given)) as work:
            secret = request.cookies.get(desk.cookie, "")
            found = sessions.session(work, secret)
            if found is None:
                return _to_the_door(desk, request, given, ended=bool(secret))
            asked = _asked(desk, work, found, request, given)
            if posted and given.get("csrf") != asked.csrf:
                return _rendered(desk, sessions.again(asked), asked)
            fresh = work.now < sessions.came(found) + sessions.LIVES  # as good as a code
            if posted and entry.needs_code(path, given) and not fresh:
                return _rendered(desk, sessions.kept(asked.at, given, "code"))
            answer = entry.function(asked)
            return _rendered(desk, answer, asked)
    except (Exception, OverBudget) as error:
        return _failed(desk, request, error, asked)


def _to_the_door(desk: Desk, request: Request, given: Given, *, ended: bool) -> Response:
    """Lead to the door. A page that refreshes itself is led as a whole."""
    door = f"{desk.root}/enter{'?why=ended' if ended else ''}"
    if request.headers.get("hx-request"):
        return Response(headers={"HX-Redirect": door})
    if request.method == "POST":
        path = request.url.path.removeprefix(desk.root)
        return _rendered(desk, sessions.kept(path, given))
    return RedirectResponse(door, 303)


def _failed(
    desk: Desk, request: Request, error: BaseException, asked: Asked | None = None
) -> Response:
    match error:
        case NotThere():
            return _refused(desk, 404, str(error), asked)
        case OperatorError():
            return _refused(desk, 409, str(error), asked)
        case DatabaseError():
            return _refused(desk, 503, str(error), asked)
    log.error("page not made", path=request.url.path, exc_info=error)
    said = f"This page could not be made ({type(error).__name__}); the log says why."
    return _refused(desk, 500, said, asked)


def _asked(desk: Desk, work: Work, found: Session, request: Request, given: Given) -> Asked:
    query = f"?{request.url.query}" if request.url.query else ""
    at = f"{request.url.path.removeprefix(desk.root)}{query}"
    who, path, sign = found.who or None, sessions.path(request), partial(_sign, work, found)
    return Asked(work, who, Sight(work, who), path, given, sign, desk.root, at, found.key)


def _sign(work: Work, found: Session, said: str) -> str:
    return work.mark.code(f"desk/{found.key}/{said}")


def _refused(desk: Desk, status: int, said: str, asked: Asked | None = None) -> Response:
    page = Page("refused.html.j2", "That did not work", {"said": said}, status)
    return _rendered(desk, page, asked)


def _rendered(desk: Desk, answer: Answer, asked: Asked | None = None) -> Response:
    if isinstance(answer, Led):
        return RedirectResponse(f"{desk.root}{answer.to}", 303)
    if isinstance(answer, Raw):
        headers = {"Content-Security-Policy": answer.policy}
        return Response(answer.body, media_type=answer.media_type, headers=headers)
    page = templates.environment().get_template(f"_shared/desk/{answer.template}")
    url = asked.url if asked else desk.root.__add__
    facts: Mapping[str, Any] = {
        "title": answer.title,
        "asked": asked,
        "url": url,
        "spoken": partial(spoken, url),
        "letters_linked": partial(letters_linked, url),
        "owner": desk.config.referee.name,
    }
    text = page.render({**facts, **answer.facts})
    return Response(text, answer.status, media_type="text/html")


@dataclass(frozen=True, slots=True)
class PageRoute:
    """A page's path and function."""

    path: str
    function: Callable[[Asked], Answer]
    writes: bool = False
    """Whether it writes without a posted form."""
    posts: bool = False
    act: str = ""
    """The act that its form does or tries."""

    def needs_code(self, path: Mapping[str, Any], given: Given) -> bool:
        """Return whether a posted form does, or opens, what a mail needs a code for."""
        act = {**BY_NAME, NEW.name: NEW}.get(path.get("act", self.act))
        does = given.get("step") in ("do", "look") or bool(act and act.tried)
        return act is not None and act.needs is Needs.CODE and does

    def game(self, path: Mapping[str, Any], given: Given) -> str:
        """Return the only game to lock; "" for all."""
        if "act" in path:
            act = BY_NAME.get(path["act"])
            return given.get("game", "") if act and act.of_one_game else ""
        return str(path.get("game", "")) if self.writes else ""


PAGES = (
    PageRoute("/", lists.home_page, posts=True),
    PageRoute("/games", lists.games_page),
    PageRoute("/letters", lists.letters_page),
    PageRoute("/tables/{table}", lists.page),
    PageRoute("/do", acts.every),
    PageRoute("/letters/{letter:int}", letter.page, writes=True),
    PageRoute("/letters/{letter:int}/html", letter.html),
    PageRoute("/do/{act}", acts.page, writes=True, posts=True),
    PageRoute("/paper", lists.paper),
    PageRoute("/restore", lists.restore),
    PageRoute("/devices", sessions.devices, posts=True),
    PageRoute("/new", new.page, posts=True, act="new"),
    PageRoute("/games/{game}", game_pages.page),
    PageRoute("/games/{game}/bulletins/{number:int}", game_pages.bulletin),
    PageRoute("/games/{game}/bulletins/{number:int}/as-sent", game_pages.bulletin_as_sent),
    PageRoute("/games/{game}/bulletins/{number:int}/{name}.png", game_pages.picture),
    PageRoute("/games/{game}/mails/{mail:int}", game_pages.mail),
    PageRoute("/games/{game}/mails/{mail:int}/as-sent", game_pages.mail_as_sent, writes=True),
    PageRoute("/games/{game}/seats/{seat}", game_pages.seat),
    PageRoute("/games/{game}/journal", game_pages.journal),
    PageRoute("/games/{game}/preview", game_pages.preview, writes=True, posts=True, act="preview"),
    PageRoute("/games/{game}/rewind", game_pages.rewind, writes=True, posts=True, act="rewind"),
)
