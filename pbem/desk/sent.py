"""Requests of a browser, and whether a page of ours sent them."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from starlette.requests import Request

from pbem.desk.asked import Given

LARGEST, MOST = 1_000_000, 2_000
"""Limits of a form, in bytes and fields."""
FORMS_OWN = ("csrf", "step", "token")
"""Ignored in a query."""


async def given(request: Request) -> Given | None:
    """Return the query or form; None if too large. Ignore in a query what only a form may say."""
    if request.method != "POST":
        asked = request.query_params.multi_items()
        return Given([(name, _text(value)) for name, value in asked if name not in FORMS_OWN])
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > LARGEST:
            return None
    text = body.decode("utf-8", errors="replace")
    try:
        fields = parse_qsl(text, keep_blank_values=True, max_num_fields=MOST)
    except ValueError:  # they are more
        return None
    return Given([(name, _text(value)) for name, value in fields])


def path(request: Request) -> Mapping[str, Any]:
    named = request.path_params.items()
    return {name: _text(one) if isinstance(one, str) else one for name, one in named}


def _text(value: str) -> str:
    return value.replace("\x00", "\N{REPLACEMENT CHARACTER}")  # no database has NUL in a text


def is_ours(request: Request, address: str) -> bool:
    """Return whether a page of ours sent the form. ``address``: the proxy's, if it rewrites the
    host."""
    site = request.headers.get("sec-fetch-site", "same-origin")
    if site not in ("same-origin", "none"):
        return False
    origin = request.headers.get("origin", "")
    known = {request.headers.get("host", "").lower(), _place(address)} - {""}
    return not origin or _place(origin) in known


def asker(request: Request, *, behind_proxy: bool) -> str:
    """Return the requesting network; behind a proxy, by X-Forwarded-For's last entry."""
    found = request.client.host if request.client else ""
    if behind_proxy and (said := request.headers.get("x-forwarded-for", "")):
        found = said.rpartition(",")[2].strip()
    try:
        address = ipaddress.ip_address(found)
    except ValueError:
        return "nowhere"
    if address.version == 4:
        return str(address)
    return str(ipaddress.ip_network((address, 64), strict=False))  # one household has so many


def _place(address: str) -> str:
    try:
        return urlsplit(address).netloc.lower()
    except ValueError:
        return ""
