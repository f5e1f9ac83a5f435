"""One connection for all that a program follows. It connects again by itself, and then subscribes anew, behind the last sequence of whoever can resume."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, Protocol

import websockets

from ..json_numbers import parse_json

Message = dict[str, Any]
Listener = Callable[[Message], None]
Resume = Callable[[], int | None]
"""The last sequence that a listener has whole; None where it wants to begin anew."""
State = Literal["connecting", "live", "lost"]

_LOG = logging.getLogger(__name__)

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


class _Follower(NamedTuple):
    resume: Resume
    depth: int | None


@dataclass
class _Subscription:
    """One for all who follow a topic, however deep: the exchange tells a connection one depth of a book."""

    topic: Topic
    """Without its depth."""
    followers: dict[Listener, _Follower] = field(default_factory=dict)
    told: int | None = None
    """The depth that the exchange was asked for last."""

    @property
    def depth(self) -> int | None:
        """The greatest that somebody follows."""
        return max((follower.depth for follower in self.followers.values() if follower.depth is not None), default=None)


class Socket(Protocol):
    """The part of a WebSocket that is used; a test has its own."""

    async def send(self, text: str) -> None: ...

    async def recv(self) -> str | bytes: ...

    async def close(self) -> None: ...


class FeedConnection:
    """`await run()` in a task; end it by cancelling the task. Follow and stop following at any time in the same loop.

    A listener that raises is logged, and costs the connection: it is opened again, and what the others have missed is told to them.
    """

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
        self._subscriptions: dict[Topic, _Subscription] = {}
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
        """Follows a topic; returns the way to end that. `resume` says where to go on after a loss.

        Who follows a book hears of the greatest depth that somebody follows of it, which may be more than its own.
        """
        key = replace(topic, depth=None)
        subscription = self._subscriptions.setdefault(key, _Subscription(key))
        subscription.followers[listener] = _Follower(resume, topic.depth)
        # Where another listener has the snapshot already, this one asks for its own.
        self._subscribe(subscription)
        return lambda: self._unfollow(subscription, listener)

    def again(self, topic: Topic) -> None:
        """Begins a topic anew."""
        subscription = self._subscriptions.get(replace(topic, depth=None))
        if subscription is not None:
            self._subscribe(subscription)

    def _subscribe(self, subscription: _Subscription, resumed: Message | None = None) -> None:
        if self.state != "live":
            return
        subscription.told = subscription.depth
        self._say({"type": "subscribe", **replace(subscription.topic, depth=subscription.told).said(), **(resumed or {})})

    def _unfollow(self, subscription: _Subscription, listener: Listener) -> None:
        if subscription.followers.pop(listener, None) is None:
            return
        if subscription.followers:
            # What lies beyond the depth that is left is told no more: the others begin without it.
            if subscription.depth != subscription.told:
                self._subscribe(subscription)
            return
        topic = subscription.topic
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
        tries = self._tries
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
        except Exception:
            _LOG.exception("a listener of the feed has failed; the connection is opened again")
            # One that fails again and again is waited for longer and longer.
            self._tries = max(self._tries, tries + 1)
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
        for subscription in list(self._subscriptions.values()):
            sequences = [follower.resume() for follower in subscription.followers.values()]
            whole = [sequence for sequence in sequences if sequence is not None]
            is_whole = len(whole) == len(sequences) and subscription.depth == subscription.told
            self._subscribe(subscription, {"resume_from": min(whole)} if is_whole else None)

    def _receive(self, message: Message) -> None:
        if message["type"] == "ping":
            self._say({"type": "pong", "id": _plain(message.get("id"))})
            return
        if message["type"] == "authenticated":
            self._begin()
        channel, symbol, interval = message.get("channel"), message.get("symbol"), message.get("interval")
        for topic, subscription in list(self._subscriptions.items()):
            if topic.channel != channel or topic.symbol not in (None, symbol):
                continue
            if interval is not None and topic.interval not in (None, interval):
                continue
            for listener in list(subscription.followers):
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
            try:
                watcher()
            except Exception:
                _LOG.exception("a watcher of the feed has failed")


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
