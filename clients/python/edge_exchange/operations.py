"""What the library has to know of an operation beside its types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NotRequired, TypedDict


class Operation(TypedDict):
    isRepeatable: NotRequired[bool]
    """It takes an Idempotency-Key: repeated under the same one it is done once."""
    numbers: NotRequired[list[str]]
    """Fields of its body that are JSON numbers, by path: `price`, `orders.*.price`."""


Operations = Mapping[str, Operation]
"""By method and path, `POST /v1/orders`. What is missing is not repeatable and has no numbers."""
