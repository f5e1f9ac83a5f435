"""Spreads the quantity evenly over a time. What a slice does not fill is asked for with the next one."""

from __future__ import annotations

import math
from typing import Literal, NotRequired

from .algorithm import Event, State, Terms, begun, cancelling, ending, placing, told
from .decimals import compare, divide, floor_to, multiply, smaller, subtract

_SLICES_MAX = 10_000
_MILLISECONDS_MAX = 2**53 - 1
_SCALE = 18
"""Decimals that a target is computed with before it is cut to lots."""


class TwapTerms(Terms):
    slices: int
    """As many slices of the same length and quantity."""
    startAt: int
    """Unix milliseconds."""
    durationMs: int
    style: Literal["take", "rest"]
    """`take`: each slice goes out immediate-or-cancel. `rest`: it stands at the limit until the next one, and is cancelled then."""
    orderSizeMax: NotRequired[str]
    """The most that one order asks for: what it leaves comes with later slices, or not at all."""


def start_twap(id: str, terms: TwapTerms) -> State:
    """:raises ValueError: where terms are no amounts of the market, or no times"""
    rest = {**terms}
    slices = rest.pop("slices")
    if type(slices) is not int or not 1 <= slices <= _SLICES_MAX:
        raise ValueError(f"slices is a whole number from 1 to {_SLICES_MAX}")
    whole = (terms["startAt"], terms["durationMs"])
    if any(type(ms) is not int or abs(ms) > _MILLISECONDS_MAX for ms in whole) or terms["durationMs"] < slices:
        raise ValueError("startAt and durationMs are whole milliseconds, at least one for each slice")
    if compare(floor_to(terms.get("orderSizeMax", terms["quantity"]), terms["lotSize"]), terms["sizeMin"]) < 0:
        raise ValueError("orderSizeMax must be a lot of at least sizeMin")
    return {**begun("twap", id, rest), "volumes": [1] * slices, "begun": 0, "isDue": False}


def step_twap(state: State, event: Event) -> State:
    """The next state; the same object where the event changes nothing."""
    if event["type"] == "stop":
        return ending(state, {"is": "stopped"})
    after = told(state, event)
    if after["stage"] != "running":
        return after
    timed = _at(after, event["at"]) if event["type"] in ("time", "book") else after
    return _asked(timed) if timed["stage"] == "running" else timed


def wake_at_of_twap(state: State) -> int | None:
    """When it wants to be told the time, Unix milliseconds; None for never."""
    return _start_of(state, min(state["begun"], len(state["volumes"]))) if state["stage"] == "running" else None


def _start_of(state: State, slice: int) -> int:
    terms: TwapTerms = state["terms"]
    return terms["startAt"] + math.floor(float(terms["durationMs"]) * slice / len(state["volumes"]))


def _at(state: State, now: int) -> State:
    """The state at a time: slices that begin, and the end."""
    count = len(state["volumes"])
    if now >= _start_of(state, count):
        return ending(state, {"is": "time_over"})
    slices = state["begun"]
    while slices < count and now >= _start_of(state, slices):
        slices += 1
    return state if slices == state["begun"] else {**cancelling(state), "begun": slices, "isDue": True}


def _asked(state: State) -> State:
    """Asks for what should have filled by the end of the slice, once the order before it has ended."""
    if not state["isDue"] or state["orders"]:
        return state
    terms: TwapTerms = state["terms"]
    behind = subtract(_target_of(state), state["filled"])
    size = floor_to(smaller(behind, terms.get("orderSizeMax", behind)), terms["lotSize"])
    settled = {**state, "isDue": False}
    if compare(subtract(terms["quantity"], state["filled"]), terms["sizeMin"]) < 0:
        return ending(settled, {"is": "rest_too_small"})
    if compare(size, terms["sizeMin"]) < 0:
        return settled
    return placing(settled, size, "IOC" if terms["style"] == "take" else "GTC")


def _target_of(state: State) -> str:
    """Also of a state of the TypeScript library's VWAP: the volumes that have begun, of all volumes."""
    terms: TwapTerms = state["terms"]
    volumes, slices = state["volumes"], state["begun"]
    if slices >= len(volumes):
        return terms["quantity"]
    part, whole = sum(volumes[:slices]), sum(volumes)
    return floor_to(divide(multiply(terms["quantity"], str(part)), str(whole), _SCALE), terms["lotSize"])
