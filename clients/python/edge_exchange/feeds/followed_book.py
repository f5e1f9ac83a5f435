"""A pair's book that heals by itself: it resumes after a loss, and begins anew where a message is missing or a checksum differs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from .connection import FeedConnection, Message, Topic
from .local_book import LocalBook

Freshness = Literal["fresh", "healing", "stale"]


class Refusal(NamedTuple):
    code: str
    message: str


class FollowedBook:
    """Act on its prices while it is `fresh`."""

    def __init__(self, connection: FeedConnection, symbol: str, depth: int = 50) -> None:
        self.book = LocalBook(depth)
        self.refused: Refusal | None = None
        """Why the exchange does not serve it: an unknown pair, or one that may not be seen."""
        self._connection = connection
        self._topic = Topic("orderbook", symbol, depth)
        self._watchers: list[Callable[[], None]] = []
        self._is_confirmed = False
        """The server has said since the last connection that nothing is missing."""
        self._ends = [
            connection.watch(self._connection_changed),
            connection.follow(self._topic, self._receive, lambda: self.book.sequence if self.book.is_live else None),
        ]

    @property
    def state(self) -> Freshness:
        if self._is_confirmed:
            return "fresh"
        return "healing" if self._connection.state == "live" or not self.book.is_live else "stale"

    def watch(self, watcher: Callable[[], None]) -> Callable[[], None]:
        """Told of each change of the book and of its state; returns the way to end that."""
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher) if watcher in self._watchers else None

    def stop(self) -> None:
        for end in self._ends:
            end()
        self._watchers.clear()

    def _receive(self, message: Message) -> None:
        match message["type"]:
            case "orderbook_snapshot" | "orderbook_update":
                was_live = self.book.is_live
                applied = self.book.apply(message)
                if applied == "stale":
                    return
                # A snapshot is under way already where it was not live before.
                if applied != "applied" and (was_live or message["type"] == "orderbook_snapshot"):
                    self._connection.again(self._topic)
                self._become(applied == "applied")
            case "subscribed":
                if self.book.is_live and message["sequence"] == self.book.sequence:
                    self._become(True)
            case "heartbeat":
                if message["sequence"] > self.book.sequence:
                    self._connection.again(self._topic)
                self._become(self.book.is_live and message["sequence"] <= self.book.sequence)
            case "reset":
                self._become(False)
            case "error":
                self.refused = Refusal(str(message.get("code")), str(message.get("message")))
                self._become(False)

    def _connection_changed(self) -> None:
        self._become(self._is_confirmed and self._connection.state == "live")

    def _become(self, is_confirmed: bool) -> None:
        self._is_confirmed = is_confirmed
        for watcher in list(self._watchers):
            watcher()
