"""What stands between the dashboard and pages of strangers.

There are no accounts: whoever is in the home network may look and end turns. What must not happen is
that some other web page open in a family's browser does it for them, or reads along.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Collection
from urllib.parse import urlsplit

from flask import Flask, Response, abort, request

HOME_SUFFIXES = (".local", ".lan", ".home", ".home.arpa", ".internal", ".localhost")
"""Names that only a home network resolves."""

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""Everything the page needs comes from this server; nothing inline, nothing from elsewhere."""

UPLOADS = {"phone.frame": "image/jpeg", "game.rack_photo": "image/jpeg"}
"""What is posted by routes that take something else than JSON. A form of another page can send neither
without asking this server first."""


def guard(app: Flask, trusted_hosts: Collection[str]) -> None:
    """Checks every request to ``app`` and marks every answer."""

    @app.before_request
    def check_request() -> None:
        check_host(request.host, trusted_hosts)
        if request.method not in {"GET", "HEAD", "OPTIONS"}:
            check_same_origin(
                request.host, request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site")
            )
            wanted = UPLOADS.get(request.endpoint or "", "application/json")
            is_routed = request.routing_exception is None  # else that is what is wrong
            if is_routed and request.mimetype != wanted:
                abort(415, f"send it with the content type {wanted}")

    @app.after_request
    def mark_answer(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
        response.headers.setdefault("Cache-Control", "no-store")
        return response


def check_host(host: str, trusted_hosts: Collection[str]) -> None:
    """Answers 400 unless ``host`` is an address, a name without dots, or one of the home network.

    A stranger's page can point its own public name at this machine (DNS rebinding) and would then
    count as the same origin; its name in the Host header gives it away.
    """
    name = _host_name(host)
    home = "." not in name or name.endswith(HOME_SUFFIXES)
    if not name or not (home or name in trusted_hosts or _is_address(name)):
        abort(400, "this server answers to its address or its name in the home network")


def check_same_origin(host: str, origin: str | None, fetch_site: str | None) -> None:
    """Answers 403 where a browser says that another page sent the request.

    Browsers send ``Origin`` with every POST; a client without one is no browser, and cannot be
    driven by a page.
    """
    foreign_origin = origin is not None and origin.partition("://")[2].lower() != host.lower()
    if foreign_origin or fetch_site not in {None, "same-origin"}:
        abort(403, "only this dashboard's own pages may do that")


def _host_name(host: str) -> str:
    """The name or address of a Host header without its port; empty where it is none."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
