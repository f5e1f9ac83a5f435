"""Time and network, so that a test owns them."""

from __future__ import annotations

import http.client
import io
import selectors
import socket
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol
from urllib.parse import urlsplit

_ANSWER_BYTES_MAX = 64 * 1024 * 1024


class Answer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes


class Send(Protocol):
    def __call__(self, method: str, url: str, headers: Mapping[str, str], body: bytes, timeout_s: float) -> Answer:
        """One request, one whole answer within the time; no redirect is followed.

        :raises OSError, http.client.HTTPException: where no answer came
        """
        ...


class HttpSender:
    """Keeps one connection for each thread and host."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._local = threading.local()

    def __call__(self, method: str, url: str, headers: Mapping[str, str], body: bytes, timeout_s: float) -> Answer:
        parts = urlsplit(url)
        kept: dict[str, http.client.HTTPConnection] = self._local.__dict__.setdefault("kept", {})
        origin = f"{parts.scheme}://{parts.netloc}"
        connection = _usable(kept.pop(origin, None)) or _opened(parts.scheme, parts.netloc)
        connection.timeout = timeout_s
        deadline = _Deadline(self._now_s() + timeout_s, self._now_s)
        try:
            if connection.sock is None:
                connection.connect()
            connection.sock.settimeout(deadline.left_s())
            connection.response_class = _until(deadline)
            target = parts.path + (f"?{parts.query}" if parts.query else "")
            connection.request(method, target, body=body or None, headers=dict(headers))
            response = connection.getresponse()
            content = response.read(_ANSWER_BYTES_MAX + 1)
            if len(content) > _ANSWER_BYTES_MAX:
                raise http.client.HTTPException("the answer is too large")
            # `read` with an amount gives what has come, and says nothing of what has not.
            if response.length:
                raise http.client.IncompleteRead(content, response.length)
        except BaseException:
            connection.close()
            raise
        kept[origin] = connection
        return Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, content)


def _usable(connection: http.client.HTTPConnection | None) -> http.client.HTTPConnection | None:
    """None for one that the server has closed meanwhile: what is sent there gets no answer, and might have been done."""
    if connection is None or connection.sock is None:
        return None
    with selectors.DefaultSelector() as selector:
        selector.register(connection.sock, selectors.EVENT_READ)
        # Nothing is to be read between an answer and the next request, except the end.
        if not selector.select(0):
            return connection
    connection.close()
    return None


class _Deadline(NamedTuple):
    at_s: float
    now_s: Callable[[], float]

    def left_s(self) -> float:
        """:raises TimeoutError: where nothing is"""
        left = self.at_s - self.now_s()
        if left <= 0:
            raise TimeoutError("the answer was not whole in time")
        return left


class _TimedReader(io.RawIOBase):
    """Reads until a moment: the timeout of a socket is for each read alone, and an answer may come byte by byte."""

    def __init__(self, sock: socket.socket, deadline: _Deadline) -> None:
        self._sock = sock
        self._raw = sock.makefile("rb", buffering=0)
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._sock.settimeout(self._deadline.left_s())
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _TimedSocket:
    """What `HTTPResponse` asks of a socket."""

    def __init__(self, sock: socket.socket, deadline: _Deadline) -> None:
        self._sock = sock
        self._deadline = deadline

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(_TimedReader(self._sock, self._deadline))


def _until(deadline: _Deadline) -> Any:
    def response(sock: socket.socket, *args: Any, **named: Any) -> http.client.HTTPResponse:
        return http.client.HTTPResponse(_TimedSocket(sock, deadline), *args, **named)

    return response


def _opened(scheme: str, netloc: str) -> http.client.HTTPConnection:
    if scheme not in ("http", "https"):
        raise ValueError(f"{scheme} is neither http nor https")
    return (http.client.HTTPSConnection if scheme == "https" else http.client.HTTPConnection)(netloc)
