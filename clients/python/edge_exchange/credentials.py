"""What proves who calls: a key that signs each request, or a bearer token that is refreshed."""

from __future__ import annotations

import hashlib
import hmac
from typing import Protocol

from .clock import Clock


class Credentials(Protocol):
    def headers_of(self, method: str, path: str, body: bytes, clock: Clock) -> dict[str, str]:
        """Headers of one try; `path` is with its query, as it is sent."""
        ...

    def renew(self) -> bool:
        """After an answer of 401: whether there is something fresh to try once more with."""
        ...


class KeyCredentials:
    """An API key: each request is signed, and the secret never leaves."""

    def __init__(self, key: str, secret: str) -> None:
        self._key = key
        self._secret = secret

    def headers_of(self, method: str, path: str, body: bytes, clock: Clock) -> dict[str, str]:
        timestamp = str(clock.stamp())
        return {
            "x-api-key": self._key,
            "x-api-timestamp": timestamp,
            "x-api-signature": signature(self._secret, timestamp, method, path, body),
        }

    def renew(self) -> bool:
        return False

    def __repr__(self) -> str:
        return f"KeyCredentials({self._key!r})"


def signature(secret: str, timestamp: str, method: str, path: str, body: bytes) -> str:
    """`X-API-Signature`: over a path that is percent-encoded already, as the library sends it."""
    text = "\n".join([timestamp, method, path, hashlib.sha256(body).hexdigest()])
    return hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest()


class TokenSource(Protocol):
    def access_token(self) -> str: ...

    def renew(self) -> bool: ...


class BearerCredentials:
    """A person's or a machine client's access token (`TokenSession`)."""

    def __init__(self, source: TokenSource) -> None:
        self._source = source

    def headers_of(self, method: str, path: str, body: bytes, clock: Clock) -> dict[str, str]:
        return {"authorization": f"Bearer {self._source.access_token()}"}

    def renew(self) -> bool:
        return self._source.renew()
