"""How much of the server one client may take: a phone or a laptop has one address in a home network."""

from __future__ import annotations

from collections.abc import Iterable

CONNECTIONS_EACH = 40
"""What six browsers on one computer open at once; behind a second router devices share an address."""
_PASSED_ON = frozenset({"127.0.0.1", "::1"})
"""Where what the relay of `web.https` passes on comes from, whoever sent it: it counts by itself."""


def is_one_too_many(address: str, others: Iterable[str]) -> bool:
    """Whether a client at ``address`` has as many connections as it may, ``others`` being the addresses
    of all that are open."""
    if address in _PASSED_ON:
        return False
    return sum(other == address for other in others) >= CONNECTIONS_EACH
