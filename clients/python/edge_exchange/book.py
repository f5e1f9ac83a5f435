"""The order book (profile book)."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any
from uuid import uuid4

from .errors import OTHER_REQUEST, Answered, ExchangeError, OutcomeUnknown, Refused
from .generated.book import BookCalls, Fill, Order, OrderChange, OrderRequest

_OVER = ("ORDER_NOT_CANCELLABLE", "ORDER_NOT_FOUND")


class BookClient(BookCalls):
    def place_order(self, request: OrderRequest) -> Order:
        """Places an order once, whatever is lost on the way.

        Its client order id, which is made where it is left out, is the Idempotency-Key, too. Where the account has the same order under
        that id already, in whatever writing, it is read and returned; another one is CONFLICT. After 24 hours look for the order first
        (`called_order`): the exchange forgets ids of orders that have ended.
        """
        client_order_id = request.get("client_order_id") or str(uuid4())
        body: OrderRequest = {**request, "client_order_id": client_order_id}
        try:
            return self.post_orders(body, idempotency_key=client_order_id)
        except (Refused, OutcomeUnknown) as error:
            existing = self.called_order(client_order_id) if _is_taken_id(error) else None
            if existing is None:
                raise
            if is_same_order(existing, body):
                return existing
            if isinstance(error, Refused):
                raise
            raise Refused.of(_conflict_with(existing, error.answer)) from None

    def called_order(self, client_order_id: str) -> Order | None:
        """The order of this client order id, or None where the account has none."""
        try:
            return self.get_orders_client(client_order_id)
        except Refused as refused:
            if refused.code == "ORDER_NOT_FOUND":
                return None
            raise

    def cancel_called_order(self, client_order_id: str) -> Order | OrderChange | None:
        """Cancels the order of this client order id; returns it as it then stands, and None where the account has none.

        Where it still shows as open, ask again.
        """
        try:
            return self.delete_orders_client(client_order_id)
        except Refused as refused:
            if refused.code not in _OVER:
                raise
        return self.called_order(client_order_id)

    def orders(self, **query: Any) -> Iterator[Order]:
        """Orders of the account, newest first, through all pages; `query` as in `get_orders`."""
        for page in self.get_orders_pages(**query):
            yield from page["orders"]

    def fills(self, **query: Any) -> Iterator[Fill]:
        """Fills of the account, through all pages; `query` as in `get_fills`."""
        for page in self.get_fills_pages(**query):
            yield from page["fills"]

    def measure_clock(self) -> int:
        """Measures how far the exchange's clock is ahead of ours, in milliseconds; signatures go by it from then on."""
        clock = self.transport.clock
        sent_at = clock.read()
        timestamp = self.get_time()["timestamp"]
        clock.measured(float(timestamp), sent_at, clock.read())
        return clock.skew_ms


def _is_taken_id(error: ExchangeError) -> bool:
    """Whether an order may stand under the id already: the order's own id is taken, or the key by a request in another writing."""
    if isinstance(error, Refused):
        return error.code == "CONFLICT"
    return error.answer is not None and error.answer.code == OTHER_REQUEST


def _conflict_with(order: Order, answer: Answered | None) -> Answered:
    """What the exchange answers once it has forgotten the key."""
    details = {"existing_order_id": order["order_id"]}
    message = "an order of this client order id has other terms"
    return Answered(409, "CONFLICT", message, details, None if answer is None else answer.request_id)


def is_same_order(order: Order, request: OrderRequest) -> bool:
    """Whether an order is the one that a repeated request asks for: every term that an order shows is the same."""
    time_in_force = request.get("time_in_force") or ("IOC" if request["type"] == "market" else "GTC")
    return (
        order["symbol"] == request["symbol"]
        and order["side"] == request["side"]
        and order["type"] == request["type"]
        and order["time_in_force"] == time_in_force
        and all(_amount(order.get(name)) == _amount(request.get(name)) for name in ("size", "price", "stop_price", "expires_at"))
    )


def _amount(value: Any) -> Decimal | None:
    return None if value is None else Decimal(value)
