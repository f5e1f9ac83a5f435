"""One connection for all that a program follows. It connects again by itself, and then subscribes anew, behind the last sequence of whoever can resume."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import websockets

from ..json_numbers import parse_json

Message = dict[str, Any]
Listener = Callable[[Message], None]
Resume = Callable[[], int | None]
"""The last sequence that a listener has whole; None where it wants to begin anew."""
State = Literal["connecting", "live", "lost"]

_WAIT_FIRST_S = 0.5
_WAIT_MOST_S = 15.0
_SILENCE_S = 45.0
"""The feed pings well within it: a connection that says nothing for so long is dead, though nobody has closed it."""
_MESSAGE_BYTES_MAX = 32 * 1024 * 1024


@dataclass(frozen=True)
class Topic:
    channel: str
    symbol: str | None = None
    depth: int | None = None
    interval: str | None = None

    def said(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if value is not None}


class Socket(Protocol):
    """The part of a WebSocket that is used; a test has its own."""

    async def send(self, text: str) -> None: ...

    async def recv(self) -> str | bytes: ...

    async def close(self) -> None: ...


class FeedConnection:
    """`await run()` in a task; end it by cancelling the task. Follow and stop following at any time in the same loop."""

    def __init__(
        self,
        open_socket: Callable[[], Awaitable[Socket]],
        *,
        auth: Callable[[], Awaitable[dict[str, str]]] | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        silence_s: float = _SILENCE_S,
        now_ms: Callable[[], float] = lambda: time.time() * 1_000,
    ) -> None:
        self._open_socket = open_socket
        self._auth = auth
        self._sleep = sleep
        self._silence_s = silence_s
        self._now_ms = now_ms
        self._subscriptions: dict[Topic, dict[Listener, Resume]] = {}
        self._watchers: list[Callable[[], None]] = []
        self._outgoing: asyncio.Queue[str] | None = None
        self._tries = 0
        self.state: State = "connecting"
        self.lost_since_ms: float | None = None
        """What is shown is as old as that; None while it is live."""

    def watch(self, watcher: Callable[[], None]) -> Callable[[], None]:
        """Told of each change of the state; returns the way to end that."""
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher) if watcher in self._watchers else None

    def follow(self, topic: Topic, listener: Listener, resume: Resume = lambda: None) -> Callable[[], None]:
        """Follows a topic; returns the way to end that. `resume` says where to go on after a loss."""
        self._subscriptions.setdefault(topic, {})[listener] = resume
        # Where another listener has the snapshot already, this one asks for its own.
        self.again(topic)
        return lambda: self._unfollow(topic, listener)

    def again(self, topic: Topic) -> None:
        """Begins a topic anew."""
        self._say({"type": "subscribe", **topic.said()})

    def _unfollow(self, topic: Topic, listener: Listener) -> None:
        listeners = self._subscriptions.get(topic)
        if listeners is None:
            return
        listeners.pop(listener, None)
        if listeners:
            return
        del self._subscriptions[topic]
        if not any((other.channel, other.symbol) == (topic.channel, topic.symbol) for other in self._subscriptions):
            self._say({"type": "unsubscribe", **topic.said()})

    async def run(self) -> None:
        """Keeps the connection until it is cancelled."""
        try:
            while True:
                try:
                    socket = await self._open_socket()
                except (OSError, asyncio.TimeoutError, websockets.WebSocketException):
                    pass
                else:
                    await self._live(socket)
                self._lost()
                wait_s = min(_WAIT_MOST_S, _WAIT_FIRST_S * 2 ** min(self._tries, 10))
                self._tries += 1
                await self._sleep(wait_s)
        finally:
            self._outgoing = None
            self._become("connecting")

    async def _live(self, socket: Socket) -> None:
        """Until the connection is lost, whatever the reason."""
        outgoing: asyncio.Queue[str] = asyncio.Queue()
        self._outgoing = outgoing
        writer = asyncio.ensure_future(_written(socket, outgoing))
        try:
            if self._auth is None:
                self._begin()
            else:
                outgoing.put_nowait(json.dumps({"type": "auth", **await self._proof(self._auth)}))
            while not writer.done():
                self._receive(_message_of(await asyncio.wait_for(socket.recv(), self._silence_s)))
        except (OSError, ValueError, asyncio.TimeoutError, websockets.WebSocketException):
            pass
        finally:
            self._outgoing = None
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)
            await _closed(socket)

    async def _proof(self, auth: Callable[[], Awaitable[dict[str, str]]]) -> dict[str, str]:
        """:raises OSError: where it cannot be had, which is tried again with the next connection"""
        try:
            return await auth()
        except Exception as error:
            raise OSError(f"no proof of who follows: {error}") from error

    def _begin(self) -> None:
        self._tries = 0
        self._become("live")
        for topic, listeners in list(self._subscriptions.items()):
            sequences = [resume() for resume in listeners.values()]
            whole = [sequence for sequence in sequences if sequence is not None]
            resumed = {"resume_from": min(whole)} if len(whole) == len(sequences) else {}
            self._say({"type": "subscribe", **topic.said(), **resumed})

    def _receive(self, message: Message) -> None:
        if message["type"] == "ping":
            self._say({"type": "pong", "id": _plain(message.get("id"))})
            return
        if message["type"] == "authenticated":
            self._begin()
        channel, symbol, interval = message.get("channel"), message.get("symbol"), message.get("interval")
        for topic, listeners in list(self._subscriptions.items()):
            if topic.channel != channel or topic.symbol not in (None, symbol):
                continue
            if interval is not None and topic.interval not in (None, interval):
                continue
            for listener in list(listeners):
                listener(message)

    def _say(self, message: Message) -> None:
        if self.state == "live" and self._outgoing is not None:
            self._outgoing.put_nowait(json.dumps(message))

    def _lost(self) -> None:
        if self.state != "lost":
            self.lost_since_ms = self._now_ms()
            self._become("lost")

    def _become(self, state: State) -> None:
        self.state = state
        if state == "live":
            self.lost_since_ms = None
        for watcher in list(self._watchers):
            watcher()


async def _written(socket: Socket, outgoing: asyncio.Queue[str]) -> None:
    try:
        while True:
            await socket.send(await outgoing.get())
    except (OSError, websockets.WebSocketException):
        # The reader does not wait for a connection that cannot be written to.
        await _closed(socket)


async def _closed(socket: Socket) -> None:
    try:
        await socket.close()
    except (OSError, asyncio.TimeoutError, websockets.WebSocketException):
        pass


def _message_of(data: str | bytes) -> Message:
    """:raises ValueError: for what is no message of the feed"""
    message = parse_json(data)
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise ValueError("no message of the feed")
    return message


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, str) else int(value)


def book_feed(base_url: str, *, auth: Callable[[], Awaitable[dict[str, str]]] | None = None) -> FeedConnection:
    """A connection to the feeds of profile book.

    :param base_url: `https://exchange.example/book`
    :param auth: for own channels, `{"api_key": …, "api_secret": …}` or `{"token": …}`; asked before each connection
    """
    url = f"ws{base_url.rstrip('/').removeprefix('http')}/v1/ws"

    async def opened() -> Socket:
        return await websockets.connect(url, max_size=_MESSAGE_BYTES_MAX, open_timeout=15, close_timeout=5)

    return FeedConnection(opened, auth=auth)
