"""What every algorithm has in common.

An execution algorithm is a pure state machine: an event comes in, the next state goes out, and what is to be sent follows from the state alone
(`commands_of`). Store each state before what follows from it is sent; after a restart the same commands come out again, under the same client
order ids. States, events and commands are plain JSON, the same as those of the TypeScript library, amounts as decimal text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypedDict

from ..json_numbers import decimal_text
from .decimals import add, compare, floor_to, subtract, total


_OPEN = ("open", "partially_filled", "pending_trigger")


class Terms(TypedDict):
    symbol: str
    side: Literal["buy", "sell"]
    quantity: str
    """Never more than it."""
    limitPrice: str
    """Never worse than it."""
    lotSize: str
    """Sizes are multiples of it (`lot_size` of the market)."""
    sizeMin: str
    """Smallest order of the market (`size_min`)."""


class ChildOrder(TypedDict):
    size: str
    price: str
    timeInForce: Literal["GTC", "IOC"]
    filled: str
    """As far as it is known."""
    stage: Literal["placing", "open", "cancelling"]
    """`placing`: its answer is not known yet. `cancelling`: its end is not known yet."""
    isUnwanted: bool
    """It is not sent again, and is cancelled as soon as it is known to stand."""


State = dict[str, Any]
"""`algorithm`, `id`, `terms`, `stage` (`running`, `ending`, `ended`), `reason`, `placed`, `filled`, `orders`, and what an algorithm adds."""


class Event(TypedDict):
    """`order`: an order as the exchange shows it, with all that it has filled: told twice, or late, it changes nothing.
    `absent`: there is no such order, and nothing that was sent for it can arrive any more. `refused`: it was refused, and does not stand;
    `details` are those of the exchange's error. `isRejected`: an order ended because it was refused, and `reason` is the code.
    `book` and `time` say what time it is. `stop`: cancel what is left, and end."""

    type: Literal["order", "absent", "refused", "book", "time", "stop"]
    clientOrderId: NotRequired[str]
    isOver: NotRequired[bool]
    filled: NotRequired[str]
    reason: NotRequired[str | None]
    isRejected: NotRequired[Literal[True]]
    code: NotRequired[str]
    details: NotRequired[dict[str, Any]]
    at: NotRequired[int]


def event_of(client_order_id: str, order: Mapping[str, Any]) -> Event:
    """What an order of REST or of the feed `account` says to an algorithm: its amount as text without an exponent, which `str` of a `Decimal` may have."""
    event: Event = {
        "type": "order",
        "clientOrderId": client_order_id,
        "isOver": order["status"] not in _OPEN,
        "filled": decimal_text(order["filled_size"]),
        "reason": order["reason"],
    }
    return {**event, "isRejected": True} if order["status"] == "rejected" else event


class Command(TypedDict):
    """`withdraw`: find out whether it stands; it is not placed any more."""

    type: Literal["place", "cancel", "withdraw"]
    clientOrderId: str
    symbol: NotRequired[str]
    side: NotRequired[Literal["buy", "sell"]]
    price: NotRequired[str]
    size: NotRequired[str]
    timeInForce: NotRequired[Literal["GTC", "IOC"]]


_ID = re.compile(r"[\x21-\x7e]{1,48}")
"""Client order ids have 64 characters at most, and a number follows."""


def commands_of(state: State) -> list[Command]:
    """What is to be sent, until an event says what came of it."""
    return [
        _command_of(client_order_id, order, state["terms"])
        for client_order_id, order in state["orders"].items()
        if order["stage"] != "open"
    ]


def _command_of(client_order_id: str, order: ChildOrder, terms: Terms) -> Command:
    if order["stage"] == "cancelling":
        return {"type": "cancel", "clientOrderId": client_order_id}
    if order["isUnwanted"]:
        return {"type": "withdraw", "clientOrderId": client_order_id}
    return {
        "type": "place",
        "clientOrderId": client_order_id,
        "symbol": terms["symbol"],
        "side": terms["side"],
        "price": order["price"],
        "size": order["size"],
        "timeInForce": order["timeInForce"],
    }


def begun(algorithm: str, id: str, terms: Terms) -> State:
    """:raises ValueError: where terms are no amounts of the market"""
    if not _ID.fullmatch(id):
        raise ValueError("an id has 1 to 48 visible ASCII characters")
    for name in ("quantity", "limitPrice", "lotSize", "sizeMin"):
        if compare(terms[name], "0") <= 0:
            raise ValueError(f"{name} must be above zero")
    if compare(floor_to(terms["quantity"], terms["lotSize"]), terms["quantity"]) != 0:
        raise ValueError("quantity must be a multiple of lotSize")
    if compare(terms["quantity"], terms["sizeMin"]) < 0:
        raise ValueError("quantity must not be below sizeMin")
    common = {"id": id, "terms": terms, "stage": "running", "reason": None, "placed": 0, "filled": "0", "orders": {}}
    return {**common, "algorithm": algorithm}


def filled_of(state: State) -> str:
    """All that has filled, as far as it is known."""
    return add(state["filled"], total(order["filled"] for order in state["orders"].values()))


def uncommitted(state: State) -> str:
    """What may yet be asked for: each order that has not ended may still fill whole."""
    return subtract(state["terms"]["quantity"], add(state["filled"], total(order["size"] for order in state["orders"].values())))


def placing(state: State, size: str, time_in_force: Literal["GTC", "IOC"]) -> State:
    """Places an order at the limit, of no more than may yet be asked for."""
    if compare(size, uncommitted(state)) > 0:
        raise ValueError("an order of more than is left")
    placed = state["placed"] + 1
    child: ChildOrder = {
        "size": size,
        "price": state["terms"]["limitPrice"],
        "timeInForce": time_in_force,
        "filled": "0",
        "stage": "placing",
        "isUnwanted": False,
    }
    return {**state, "placed": placed, "orders": {**state["orders"], f"{state['id']}-{placed}": child}}


def cancelling(state: State) -> State:
    """Cancels every order; one whose answer is not known yet is not sent again, and is cancelled once it is known to stand."""
    orders = {
        client_order_id: {**order, **({"stage": "cancelling"} if order["stage"] == "open" else {"isUnwanted": True})}
        for client_order_id, order in state["orders"].items()
    }
    return {**state, "orders": orders}


def ending(state: State, reason: dict[str, Any]) -> State:
    """Ends as soon as no order is left. The first reason stays."""
    if state["stage"] != "running":
        return state
    wanted = {**cancelling(state), "stage": "ending", "reason": reason}
    return wanted if wanted["orders"] else {**wanted, "stage": "ended"}


def told(state: State, event: Event) -> State:
    """The state with what an event says of an order. One that ends though nobody had cancelled it ends the algorithm."""
    if event["type"] not in ("order", "refused", "absent"):
        return state
    client_order_id = event["clientOrderId"]
    order: ChildOrder | None = state["orders"].get(client_order_id)
    if order is None:
        return state
    is_placing = order["stage"] == "placing"
    if event["type"] == "absent":
        return _without(state, client_order_id, "0") if is_placing and order["isUnwanted"] else state
    if event["type"] == "refused":
        # Of an order that is known to stand it is the answer to a repetition.
        refused = _refused(event["code"], event.get("details", {}))
        return ending(_without(state, client_order_id, "0"), refused) if is_placing else state
    filled = event["filled"] if compare(event["filled"], order["filled"]) > 0 else order["filled"]
    if event["isOver"]:
        rest = _without(state, client_order_id, filled)
        if _is_expected_end(order, filled, event["reason"]):
            return rest
        if event.get("isRejected"):
            return ending(rest, _refused(event["reason"], {}))
        return ending(rest, {"is": "order_ended", "reason": event["reason"]})
    stage = ("cancelling" if order["isUnwanted"] else "open") if is_placing else order["stage"]
    if stage == order["stage"] and filled == order["filled"]:
        return state
    return {**state, "orders": {**state["orders"], client_order_id: {**order, "filled": filled, "stage": stage}}}


def _refused(code: str | None, details: dict[str, Any]) -> dict[str, Any]:
    return {"is": "refused", "code": "REJECTED" if code is None else code, "details": details}


def _is_expected_end(order: ChildOrder, filled: str, reason: str | None) -> bool:
    """Immediate-or-cancel ends unfilled as a matter of course."""
    if order["stage"] == "cancelling" or order["isUnwanted"] or compare(filled, order["size"]) == 0:
        return True
    return order["timeInForce"] == "IOC" and reason == "unfilled"


def _without(state: State, client_order_id: str, filled: str) -> State:
    """The state without an order that has ended with this much; it has ended itself where nothing is left to do."""
    orders = {other: order for other, order in state["orders"].items() if other != client_order_id}
    rest = {**state, "orders": orders, "filled": add(state["filled"], filled)}
    if rest["stage"] == "ending":
        return rest if orders else {**rest, "stage": "ended"}
    if compare(rest["filled"], rest["terms"]["quantity"]) >= 0:
        return ending(rest, {"is": "filled"})
    return rest
