"""Access control of the server: only its own pages, opened with its token, may send requests.

A request needs three things: a ``Host`` that is a name of this server, which stops DNS rebinding; an ``Origin``, if there is
one, that is the server itself; and the cookie that the address with the token sets, which browsers don't send along from
other sites (``SameSite=Strict``).
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import urlencode, urlsplit

from starlette.datastructures import Headers, QueryParams
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guard:
    """ASGI middleware around *app*. *hosts*: names of the server, without port."""

    def __init__(self, app: ASGIApp, token: str, hosts: Iterable[str], port: int) -> None:
        self.app = app
        self.token = token
        self.cookie = f"towers-{port}"  # servers on other ports share the cookies of the host
        self.hosts = {f"{host.lower()}:{port}" for host in hosts}
        if port == 80:
            self.hosts |= {host.lower() for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        refusal = self._refusal(scope)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message.get("headers", []),
                    *((name.lower().encode(), value.encode()) for name, value in _HEADERS.items()),
                ]
            await send(message)

        await (refusal or self.app)(scope, receive, send_guarded)

    def _refusal(self, scope: Scope) -> Response | None:
        """The response that replaces the app's; None if the request may pass."""
        headers = Headers(scope=scope)
        host = headers.get("host", "").lower()
        if host not in self.hosts:
            return _refuse(f"{host!r} is not a name of this server")
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != host:
            return _refuse("pages of other sites can't use this server")
        from_elsewhere = headers.get("sec-fetch-site", "none") not in ("same-origin", "none")
        if from_elsewhere and (scope["method"], scope["path"]) != ("GET", "/"):
            return _refuse("pages of other sites can't use this server")
        query = QueryParams(scope["query_string"])
        if scope["method"] == "GET" and scope["path"] == "/" and "token" in query:
            return self._welcome(query)
        if not self._knows(_cookie(headers, self.cookie)):
            return _refuse("open the address that towers serve has printed: it contains the token for this page")
        return None

    def _welcome(self, query: QueryParams) -> Response:
        """Set the cookie and redirect to the address without the token."""
        if not self._knows(query["token"]):
            return _refuse("wrong token: open the address that towers serve has printed")
        rest = urlencode([(key, value) for key, value in query.multi_items() if key != "token"])
        response = RedirectResponse("/" + (f"?{rest}" if rest else ""), status_code=303)
        response.set_cookie(self.cookie, self.token, httponly=True, samesite="strict", max_age=30 * 86400)
        return response

    def _knows(self, given: str) -> bool:
        return secrets.compare_digest(given.encode(), self.token.encode())


def _cookie(headers: Headers, name: str) -> str:
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return morsel.value if morsel else ""


def _refuse(reason: str) -> Response:
    return PlainTextResponse(f"Refused: {reason}.\n", status_code=403)
