"""The limits by operation, as `X-RateLimit-*` of the answers tell them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

_OPERATIONS_MAX = 1_000


class RateLimit(NamedTuple):
    limit: int
    remaining: int
    reset_at_ms: int
    """Unix milliseconds at which it is whole again."""


class RateLimits:
    def __init__(self) -> None:
        self._known: dict[str, RateLimit] = {}

    def of(self, operation: str) -> RateLimit | None:
        return self._known.get(operation)

    def told(self, operation: str, headers: Mapping[str, str]) -> None:
        try:
            limit, remaining, reset = (int(headers[f"x-ratelimit-{name}"]) for name in ("limit", "remaining", "reset"))
        except (KeyError, ValueError):
            return
        if len(self._known) >= _OPERATIONS_MAX:
            self._known.clear()
        self._known[operation] = RateLimit(limit, remaining, reset * 1_000)

    def hold_ms(self, operation: str, now_ms: float, ms_max: float) -> float:
        """How long to hold a call back that would find nothing left: the exchange may have room before all of it is back."""
        known = self._known.get(operation)
        if known is None or known.remaining > 0:
            return 0
        return min(max(0.0, known.reset_at_ms - now_ms), ms_max)
