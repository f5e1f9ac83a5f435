"""Shows one slice at a time at the limit; when it has filled whole the next one follows, behind whoever stands there by then."""

from __future__ import annotations

from .algorithm import Event, State, Terms, begun, ending, placing, told, uncommitted
from .decimals import ceil_to, compare, divide, floor_to, multiply, smaller, subtract
from .random_below import random_below

_JITTER_PERCENT_MAX = 50
_SCALE = 18
"""Decimals that a slice is computed with before it is cut to lots."""


class IcebergTerms(Terms):
    sliceSize: str
    """What the book shows at a time."""
    jitterPercent: int
    """How far a slice may be from `sliceSize`, either way, in per cent: 0 to 50."""


def start_iceberg(id: str, terms: IcebergTerms) -> State:
    """:raises ValueError: where terms are no amounts of the market"""
    if compare(terms["sliceSize"], terms["sizeMin"]) < 0:
        raise ValueError("sliceSize must not be below sizeMin")
    percent = terms["jitterPercent"]
    if type(percent) is not int or not 0 <= percent <= _JITTER_PERCENT_MAX:
        raise ValueError(f"jitterPercent is a whole number from 0 to {_JITTER_PERCENT_MAX}")
    return _refilled(begun("iceberg", id, terms))


def step_iceberg(state: State, event: Event) -> State:
    """The next state; the same object where the event changes nothing."""
    if event["type"] == "stop":
        return ending(state, {"is": "stopped"})
    return _refilled(told(state, event))


def _refilled(state: State) -> State:
    if state["stage"] != "running" or state["orders"]:
        return state
    return placing(state, _slice_of(state), "GTC")


def _slice_of(state: State) -> str:
    """The next slice; its jitter follows from the run's id and its number, so that it is the same one after a restart."""
    terms: IcebergTerms = state["terms"]
    jitter, lot_size, size_min = terms["jitterPercent"], terms["lotSize"], terms["sizeMin"]
    percent = 100 - jitter + random_below(f"{state['id']}/{state['placed']}", 2 * jitter + 1)
    wanted = floor_to(divide(multiply(terms["sliceSize"], str(percent)), "100", _SCALE), lot_size)
    left = uncommitted(state)
    size = smaller(ceil_to(size_min, lot_size) if compare(wanted, size_min) < 0 else wanted, left)
    # What would be left is too small for an order of its own.
    return left if compare(subtract(left, size), size_min) < 0 else size
