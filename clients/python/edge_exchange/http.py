"""Time and network, so that a test owns them."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Mapping
from typing import NamedTuple, Protocol
from urllib.parse import urlsplit

_ANSWER_BYTES_MAX = 64 * 1024 * 1024


class Answer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes


class Send(Protocol):
    def __call__(self, method: str, url: str, headers: Mapping[str, str], body: bytes, timeout_s: float) -> Answer:
        """One request, one answer; no redirect is followed.

        :raises OSError, http.client.HTTPException: where no answer came
        """
        ...


class HttpSender:
    """Keeps one connection for each thread and host."""

    def __init__(self) -> None:
        self._local = threading.local()

    def __call__(self, method: str, url: str, headers: Mapping[str, str], body: bytes, timeout_s: float) -> Answer:
        parts = urlsplit(url)
        kept: dict[str, http.client.HTTPConnection] = self._local.__dict__.setdefault("kept", {})
        origin = f"{parts.scheme}://{parts.netloc}"
        connection = kept.pop(origin, None) or _opened(parts.scheme, parts.netloc)
        connection.timeout = timeout_s
        if connection.sock is not None:
            connection.sock.settimeout(timeout_s)
        try:
            target = parts.path + (f"?{parts.query}" if parts.query else "")
            connection.request(method, target, body=body or None, headers=dict(headers))
            response = connection.getresponse()
            content = response.read(_ANSWER_BYTES_MAX + 1)
            if len(content) > _ANSWER_BYTES_MAX:
                raise http.client.HTTPException("the answer is too large")
        except BaseException:
            connection.close()
            raise
        kept[origin] = connection
        return Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, content)


def _opened(scheme: str, netloc: str) -> http.client.HTTPConnection:
    if scheme not in ("http", "https"):
        raise ValueError(f"{scheme} is neither http nor https")
    return (http.client.HTTPSConnection if scheme == "https" else http.client.HTTPConnection)(netloc)
