"""The own account on all markets: open orders and balances, kept right by one sequence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .connection import FeedConnection, Message, Topic
from .followed_book import Freshness

_TOPIC = Topic("account")
_OPEN = ("open", "partially_filled", "pending_trigger")


def _nothing(*_: Any) -> None:
    pass


class OwnAccount:
    """It resumes after a loss; where the exchange no longer has what followed, it begins with snapshots and says `interrupted`."""

    def __init__(
        self,
        connection: FeedConnection,
        *,
        changed: Callable[[], None] = _nothing,
        order: Callable[[Message], None] = _nothing,
        fill: Callable[[Message], None] = _nothing,
        interrupted: Callable[[], None] = _nothing,
    ) -> None:
        """
        :param changed: after each change of orders, balances or state
        :param order: an order as it now stands; one that has ended is not among `orders` any more
        :param interrupted: messages were lost for good: fills of the meantime are in `GET /v1/fills`, ends of orders in `GET /v1/orders`
        """
        self.orders: dict[str, Message] = {}
        self.balances: dict[str, Message] = {}
        self.sequence: int | None = None
        """Of the last message that it includes; None before its snapshots."""
        self._connection = connection
        self._changed_listener, self._order_listener = changed, order
        self._fill_listener, self._interrupted_listener = fill, interrupted
        self._has_orders = False
        self._has_balances = False
        self._is_confirmed = False
        self._parts: list[Message] = []
        """Orders of a snapshot whose parts have not all come."""
        self._ends = [
            connection.watch(self._watched),
            connection.follow(_TOPIC, self._receive, lambda: self.sequence),
        ]

    @property
    def state(self) -> Freshness:
        if self._is_confirmed:
            return "fresh"
        return "healing" if self._connection.state == "live" or self.sequence is None else "stale"

    def stop(self) -> None:
        for end in self._ends:
            end()

    def _watched(self) -> None:
        is_live = self._connection.state == "live"
        # Half of the snapshots of a connection that was lost says nothing of what the next one begins with.
        if not is_live:
            self._forget_parts()
        self._changed(self._is_confirmed and is_live)

    def _forget_parts(self) -> None:
        self._parts = []
        if self.sequence is None:
            self._has_orders = False
            self._has_balances = False

    def _receive(self, message: Message) -> None:
        match message["type"]:
            case "subscribed":
                if self.sequence == message["sequence"]:
                    self._changed(True)
            case "reset":
                self._lost()
            case "orders_snapshot":
                self._orders_snapshot(message)
            case "balances_snapshot":
                self.balances = {balance["asset"]: balance for balance in message["balances"]}
                self._has_balances = True
                self._snapshot(int(message["sequence"]))
            case "heartbeat":
                if self.sequence is not None and message["sequence"] > self.sequence:
                    self._begin()
                else:
                    self._changed(self.sequence is not None)
            case "error":
                self._changed(False)
            case "order" | "fill" | "balance" | "trade_bust" | "trade_correction":
                if "prev_sequence" in message:
                    self._next(message)

    def _orders_snapshot(self, message: Message) -> None:
        self._parts.extend(message["orders"])
        if message["more"]:
            return
        self.orders = {order["order_id"]: order for order in self._parts}
        self._parts = []
        self._has_orders = True
        self._snapshot(int(message["sequence"]))
        for order in list(self.orders.values()):
            self._order_listener(order)

    def _snapshot(self, sequence: int) -> None:
        if self._has_orders and self._has_balances:
            self.sequence = max(self.sequence or 0, sequence)
            self._changed(True)

    def _next(self, message: Message) -> None:
        # Before the snapshots are whole: they include it, or it comes again behind them.
        if self.sequence is None or message["sequence"] <= self.sequence:
            return
        if message["prev_sequence"] > self.sequence:
            self._begin()
            return
        self.sequence = int(message["sequence"])
        if message["type"] == "order":
            if message["status"] in _OPEN:
                self.orders[message["order_id"]] = message
            else:
                self.orders.pop(message["order_id"], None)
            self._order_listener(message)
        elif message["type"] == "fill":
            self._fill_listener(message)
        elif message["type"] == "balance":
            self.balances[message["asset"]] = message
        self._changed(True)

    def _begin(self) -> None:
        """Messages are missing: the snapshots come again."""
        self._lost()
        self._connection.again(_TOPIC)

    def _lost(self) -> None:
        was_whole = self.sequence is not None
        self.sequence = None
        self._forget_parts()
        if was_whole:
            self._interrupted_listener()
        self._changed(False)

    def _changed(self, is_confirmed: bool) -> None:
        self._is_confirmed = is_confirmed
        self._changed_listener()
